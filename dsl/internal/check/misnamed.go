package check

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// single are the letters that are words of their own, in English and in languages like Spanish: they need not name a parameter.
const single = "aeiouy"

// warnMisnamed warns of the words of an act that name a parameter with a letter which none has.
func warnMisnamed(e *book.Entry, diags *diag.List) {
	act := e.Decl.Kind.Act
	words := source.Words(act.Words.String())
	for _, p := range act.Params {
		if p.Name.Text == "_" || slices.Contains(words, p.Name.Text) {
			continue
		}
		stray := slices.IndexFunc(words, func(w string) bool {
			other := slices.ContainsFunc(act.Params, func(o *syntax.ParamOf) bool { return o.Name.Text == w })
			return len(w) == 1 && unicode.IsLower(rune(w[0])) && !strings.Contains(single, w) && !other
		})
		if stray >= 0 {
			diags.Warnf("misnamed", act.Words.Span(e.Decl.File), "act %q has no parameter %q, and these words do not name %q", e.Key.Name, words[stray], p.Name.Text).
				WithHint("messages show the piece or player where the words have the name of its parameter")
			return
		}
	}
}

// warnNamedLike warns of a let about a piece, colour, player or team that is called like a variable of theirs. That of a lead has its name
// from studies.
func warnNamedLike(b *book.Book, diags *diag.List) {
	for _, e := range b.Entries {
		let := e.Decl.Kind.Let
		if let == nil || len(let.Params) != 1 || let.Params[0].Type.Name == nil || e.Key.Name == "lead" {
			continue
		}
		x := let.Params[0]
		for _, o := range b.Entries {
			v := o.Decl.Kind.Var
			if v == nil || v.Name.Text != e.Key.Name || v.Scope != x.Type.Name.Text || e.Layer != b.Top() && o.Layer != b.Top() {
				continue
			}
			at, other := e.NameSpan(), o.NameSpan()
			if e.Layer != b.Top() {
				at, other = other, at
			}
			diags.Warnf("declared-twice", at, "\"%[1]s(%[2]s)\" and \"%[2]s.%[1]s\" are two values of one name; give this another one", e.Key.Name, x.Name.Text).
				WithNote(other, "the other one")
		}
	}
}

// warnBoardParameters warns of a parameter of the board that has the name of an option, and is given what no option decides about.
func warnBoardParameters(b *book.Book, diags *diag.List) {
	options := OptionNames(b)
	for _, e := range b.Entries {
		board := e.Decl.Kind.Board
		if board == nil || e.Layer != b.Top() {
			continue
		}
		words := seq.Flat(board.Parameters, func(p *syntax.Param) []string { return wordsIn(p.Value.Span(e.Decl.File).Text()) })
		for _, p := range board.Parameters {
			if name := p.Name.Text; slices.Contains(options, name) && !slices.Contains(words, name) {
				diags.Warnf("misnamed", p.Span(e.Decl.File), "option %q has no part in %q of the board", name, name).WithHint("write: %s = %s", name, name)
			}
		}
	}
}

// warnOtherValue notes a rule for one value of an option whose title names another value of it, and not this one.
func warnOtherValue(b *book.Book, diags *diag.List) {
	options := map[string][]string{} // values that are words
	for _, e := range b.Entries {
		if o := e.Decl.Kind.Option; o != nil {
			options[o.Name.Text] = append(options[o.Name.Text], wordsOf(o)...)
		}
	}
	for _, e := range b.Entries {
		rule := e.Decl.Kind.Rule
		if rule == nil || rule.If == nil || e.Layer != b.Top() {
			continue
		}
		is := rule.If.Node
		if is == nil || is.Kind != expr.Binary || is.Name != "==" {
			continue
		}
		option, value := is.Args[0], is.Args[1]
		title := source.Words(rule.Words.String())
		for _, v := range options[option.Name] {
			if len(v) > 3 && v != value.Name && value.Kind == expr.String && slices.Contains(title, v) && !slices.Contains(title, value.Name) {
				diags.Infof("misnamed", rule.If.Span(e.Decl.File), "the title says %q, and this is for %q", v, value.Name)
			}
		}
	}
}

// saysFirst are words by which the title of a rule says that its duty is stronger than others.
var saysFirst = pattern.Of(`(?i)\b(?:comes (?:first|before)|stronger than|before (?:any|every)thing)\b`)

// warnLateDuty notes a rule of the last file whose title says so, and whose duty is the last of all, which makes it the weakest.
func warnLateDuty(b *book.Book, diags *diag.List) {
	duties := seq.Filter(b.Entries, func(e *book.Entry) bool {
		return e.Decl.Kind.Rule != nil && slices.ContainsFunc(e.Decl.Kind.Rule.Clauses, func(c *syntax.Clause) bool { return c.Must != nil && c.Must.Word == "must" })
	})
	if len(duties) < 2 {
		return
	}
	e, stronger := duties[len(duties)-1], duties[len(duties)-2]
	if words := e.Decl.Kind.Rule.Words; e.Layer == b.Top() && saysFirst().MatchString(words.String()) {
		diags.Infof("misnamed", words.Span(e.Decl.File), "the title says that this comes first, and the duty of rule %q is stronger: it stands before", stronger.Key.Name).
			WithHint("write: rule %s before %s", e.Key.Name, stronger.Key.Name).WithNote(stronger.NameSpan(), "it is this one")
	}
}

// warnEqualLets notes a let of the last file that is worked out as one before it.
func warnEqualLets(b *book.Book, diags *diag.List) {
	first := map[string]*book.Entry{}
	for _, e := range b.Entries {
		let := e.Decl.Kind.Let
		if let == nil || e.Layer != b.Top() || len(e.If) > 0 {
			continue
		}
		all := e.Decl.Span(e.Decl.File)
		text := strings.Join(strings.Fields(e.Decl.File.Span(e.NameSpan().End, all.End).Text()), " ")
		if other := first[text]; other != nil {
			diags.Infof("done-twice", e.NameSpan(), "%q is the same as %q", e.Key.Name, other.Key.Name).WithNote(other.NameSpan(), "it is this one")
		} else {
			first[text] = e
		}
	}
}
