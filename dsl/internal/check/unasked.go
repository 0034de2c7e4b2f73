package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// warnUnasked warns of rules that are called like a word of an option, which nothing asks for, and that hold for another word of it. A word
// that nothing asks for, and no rule is called like, may stand for what is left: "none", or "as ever".
func warnUnasked(b *book.Book, diags *diag.List) {
	for _, e := range b.Entries {
		if e.Key.Kind != "rule" || e.Decl.Kind.Rule.If == nil || e.Layer != b.Top() {
			continue
		}
		for _, o := range b.Entries {
			if o.Key.Kind != "option" || !slices.Contains(wordsOf(o.Decl.Kind.Option), e.Key.Name) || asks(b, e.Key.Name) {
				continue
			}
			if word, at := compared(e.Decl.Kind.Rule.If.Node, o.Key.Name); word != "" {
				diags.Warnf("unused", at, "%s holds for %q, and nothing asks whether option %q is %q", e.Key, word, o.Key.Name, e.Key.Name).
					WithHint("write: %s == %q", o.Key.Name, e.Key.Name)
			}
		}
	}
}

// noteUnnamed notes words of options, other than the usual one, that nothing names where conditions only ask for single other words: what is
// said of those happens with none of it.
func noteUnnamed(b *book.Book, diags *diag.List) {
	for _, e := range b.Entries {
		o := e.Decl.Kind.Option
		if e.Key.Kind != "option" || e.Layer != b.Top() || o.Value == nil || o.Value.Text == nil {
			continue
		}
		usual := o.Value.Text.String()
		if slices.ContainsFunc(*diags, func(d diag.Diagnostic) bool { return d.Span == e.NameSpan() && d.Code == "same-values" }) {
			continue
		}
		asked, otherwise := false, false
		for _, d := range b.Entries {
			text := d.Decl.Span(d.Decl.File).Text()
			if d == e || !strings.Contains(text, o.Name.Text) {
				continue
			}
			times := strings.Count(text, o.Name.Text+" == ") // one of two words may be asked for alone
			asked = asked || times > 1 || times > 0 && len(literals(o)) > 2
			otherwise = otherwise || slices.ContainsFunc([]string{o.Name.Text + " != ", o.Name.Text + " in ", "!(", "?", "else"}, func(sign string) bool { return strings.Contains(text, sign) })
		}
		if !asked || otherwise {
			continue
		}
		for _, l := range literals(o) {
			if word := l.Text.String(); word != usual && !asks(b, word) {
				diags.Infof("unused", l.Span(e.Decl.File), "nothing asks whether option %q is %q", e.Key.Name, word).
					WithHint("ask for it, or let it be if it only says that none of the others holds")
			}
		}
	}
}

// wordsOf lists the words that an option can be.
func wordsOf(o *syntax.Option) []string {
	return seq.Map(literals(o), func(l *syntax.Literal) string { return l.Text.String() })
}

func literals(o *syntax.Option) []*syntax.Literal {
	if o.Values == nil || o.Values.Last != nil {
		return nil
	}
	return seq.Filter(append([]*syntax.Literal{o.Values.First}, o.Values.More...), func(l *syntax.Literal) bool { return l.Text != nil })
}

// asks reports whether some declaration other than an option has a word in quotes.
func asks(b *book.Book, word string) bool {
	return slices.ContainsFunc(b.Entries, func(e *book.Entry) bool {
		return e.Key.Kind != "option" && strings.Contains(e.Decl.Span(e.Decl.File).Text(), strconv.Quote(word))
	})
}

// compared is the first word that an expression compares an option with, and where; "" if there is none.
func compared(n *expr.Node, option string) (word string, at source.Span) {
	if n.Kind == expr.Binary && n.Name == "==" && n.Args[0].Kind == expr.Name && n.Args[0].Name == option && n.Args[1].Kind == expr.String {
		return n.Args[1].Name, n.Span
	}
	for _, a := range n.Args {
		if word, at = compared(a, option); word != "" {
			break
		}
	}
	return word, at
}
