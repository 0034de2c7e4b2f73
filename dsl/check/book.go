package check

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/book"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// maxSettings bounds the settings of a book that are checked; beyond it options are varied one at a time.
const maxSettings = 400

// Book checks a rule book in every setting: each combination of option values, each number of players, and the
// tests of its last file. Numbers without bounds are tried with their default only.
func Book(b *book.Book, diags *diag.List) {
	use := NewUsage()
	probe := &checker{book: b, diags: &diag.List{}, use: NewUsage(), rules: &model.Rules{}, options: map[string]*option{}}
	if !probe.readOptions() {
		*diags = append(*diags, *probe.diags...)
		return
	}
	found := diag.List{}
	for _, options := range settings(probe.options, b) {
		for _, n := range probe.playersFor(options) {
			makeRules(b, Setting{Options: options, Players: n}, &found, use)
		}
	}
	names := OptionNames(b)
	file := b.Top().File
	for _, d := range file.Decls {
		if d.Test != nil {
			makeRules(b, ScenarioSetting(d.Test, file.Source, names), &found, use)
		}
	}
	if !found.HasErrors() {
		sense(b, use, &found)
	}
	found.Sort()
	*diags = append(*diags, found...)
}

// OptionNames lists a book's options.
func OptionNames(b *book.Book) []string {
	var names []string
	for _, e := range b.Entries {
		if e.Key.Kind == "option" {
			names = append(names, e.Key.Name)
		}
	}
	return names
}

// settings lists combinations of option values, the defaults first.
func settings(options map[string]*option, b *book.Book) []map[string]string {
	names := OptionNames(b)
	total := 1
	values := map[string][]string{}
	for _, n := range names {
		values[n] = options[n].candidates()
		total *= len(values[n])
		total = min(total, 1<<20)
	}
	out := []map[string]string{{}}
	if total <= maxSettings {
		for _, n := range names {
			var next []map[string]string
			for _, v := range values[n] {
				for _, o := range out {
					with := map[string]string{n: v}
					for k, x := range o {
						with[k] = x
					}
					next = append(next, with)
				}
			}
			out = next
		}
		return out
	}
	for _, n := range names {
		for _, v := range values[n][1:] {
			out = append(out, map[string]string{n: v})
		}
	}
	return out
}

// playersFor lists the numbers of players in a setting; one 0 where they cannot be read.
func (c *checker) playersFor(options map[string]string) []int {
	x := &checker{book: c.book, diags: &diag.List{}, setting: Setting{Options: options}, use: NewUsage(), rules: &model.Rules{}, options: map[string]*option{}}
	e := x.single("players")
	if e == nil || !x.readOptions() {
		return []int{0}
	}
	x.in(e)
	_, all, ok := x.playerNumbers(e.Decl.Kind.Players)
	if !ok || len(all) == 0 {
		return []int{0}
	}
	return all
}

// Numbers lists the numbers of players a book allows in a setting of its options, the usual one first.
func Numbers(b *book.Book, options map[string]string, diags *diag.List) []int {
	x := &checker{book: b, diags: diags, setting: Setting{Options: options}, use: NewUsage(), rules: &model.Rules{}, options: map[string]*option{}}
	e := x.single("players")
	if e == nil || !x.readOptions() {
		return nil
	}
	x.in(e)
	usual, all, ok := x.playerNumbers(e.Decl.Kind.Players)
	if !ok {
		return nil
	}
	return append([]int{usual}, slices.DeleteFunc(slices.Clone(all), func(n int) bool { return n == usual })...)
}

// sense warns of what is declared in the last file and means nothing in any setting.
func sense(b *book.Book, use *Usage, diags *diag.List) {
	top := b.Top()
	cited := map[string]bool{}
	for _, e := range b.Entries {
		for _, id := range Cites(e.Decl) {
			cited[id] = true
		}
	}
	for _, e := range b.Entries {
		if e.Layer != top {
			continue
		}
		k := e.Decl.Kind
		if !use.exists[e] {
			diags.Warnf("never-there", e.NameSpan(), "this holds in no setting of the options")
			continue
		}
		unused := func(what string) {
			if !use.names[e.NameSpan()] {
				diags.Warnf("unused", e.NameSpan(), "%s %q is never used", what, e.Key.Name)
			}
		}
		switch {
		case k.Let != nil && e.Key.Name != "mine":
			unused("let")
		case k.Var != nil:
			unused("variable")
		case k.Option != nil:
			unused("option")
		case k.Act != nil:
			unused("act")
		case k.Dice != nil:
			unused("die")
		case k.Move != nil:
			if !use.names[e.NameSpan()] {
				diags.Warnf("unused", e.NameSpan(), "no rule lets anybody make move %q", e.Key.Name).
					WithHint("add a clause: may %s(…)", e.Key.Name)
			}
		case k.Rule != nil:
			for _, x := range k.Rule.Clauses {
				if span := x.Span(e.Decl.File); !use.possible[span] {
					diags.Warnf("never-applies", span, "this can never apply: its condition is false in every setting")
				}
			}
			if len(k.Rule.Clauses) == 0 {
				diags.Warnf("empty-rule", e.NameSpan(), "rule %q says nothing", e.Key.Name)
			}
		}
	}
	for _, d := range top.File.Decls {
		if d.Test == nil || d.Test.Cites == nil {
			continue
		}
		for _, id := range d.Test.Cites.IDs() {
			if !cited[id] {
				diags.Warnf("unknown-clause", d.Test.Cites.Span(d.File), "no rule carries clause %s", id)
			}
		}
	}
}

// Cites lists every clause id a declaration names.
func Cites(d *syntax.Decl) []string {
	out := d.Cites.IDs()
	var block func(b *syntax.Block)
	block = func(b *syntax.Block) {
		if b == nil {
			return
		}
		for _, s := range b.Stmts {
			out = append(out, s.Cites.IDs()...)
			if s.If != nil {
				block(s.If.Then)
				block(s.If.Else)
			}
			if s.For != nil {
				block(s.For.Body)
			}
		}
	}
	switch k := d.Kind; {
	case k == nil:
	case k.Rule != nil:
		out = append(out, k.Rule.Cites.IDs()...)
		for _, x := range k.Rule.Clauses {
			out = append(out, x.Cites.IDs()...)
			if x.React != nil {
				block(x.React.Block)
			}
		}
	case k.Act != nil:
		out = append(out, k.Act.Cites.IDs()...)
		block(k.Act.Block)
	case k.Turn != nil:
		out = append(out, k.Turn.Cites.IDs()...)
		block(k.Turn.Block)
	case k.Setup != nil:
		out = append(out, k.Setup.Cites.IDs()...)
		block(k.Setup.Block)
	}
	return out
}
