package check

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/sense"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Limits on the work of one check.
const (
	maxSettings = 400     // above it, options vary one at a time, but for those that one condition names
	maxWords    = 200     // that are followed through lets to find options
	maxCombined = 64      // of the options that one condition names: others are not combined
	maxChecked  = 200_000 // declarations, summed over all settings
	maxFaults   = 100     // the check stops after so many
)

// typing is a book of which every setting and every test is typed.
type typing struct {
	book     *book.Book
	probe    *checker
	all      []Setting
	use      *Usage
	found    diag.List
	looked   int          // settings typed
	usual    *model.Rules // with all defaults
	declared bool         // in every setting
}

// typeAll types a book in some settings. each may be nil.
func typeAll(b *book.Book, probe *checker, all []Setting, each func(t *typing, i int, m *checked)) *typing {
	t := &typing{book: b, probe: probe, all: all, use: NewUsage(), declared: true}
	seen := &occurrences{options: t.probe.options, seen: map[findingKey]*occurrence{}, players: map[int]int{}}
	inOrder(len(t.all), t.setting, func(i int, m *checked) bool {
		if turn := t.all[i].turn; turn > 0 && (len(t.found) >= maxFaults || turn*len(b.Entries) > maxChecked) {
			t.declared = t.declared && len(t.found) < maxFaults
			return false
		}
		t.found = append(t.found, seen.first(m.diags, t.all[i])...)
		t.use.merge(m.c.use, false)
		if each != nil && m.rules != nil && !t.found.HasErrors() {
			each(t, i, m)
		}
		if i == 0 {
			t.usual = m.rules
		}
		t.declared = t.declared && m.c.declared
		t.looked = i + 1
		return true
	})
	names, values := tried(probe.options, b)
	t.use.whole = t.looked == len(t.all) && combinations(names, values) <= maxSettings
	seen.note(t.found)
	return t
}

// setting types setting i.
func (t *typing) setting(i int) *checked {
	if usual(t.book, t.all[i]) {
		return shared(t.book, t.all[i])
	}
	return makeSetting(t.book, t.all[i])
}

// tests types the tests of the last file. each may be nil.
func (t *typing) tests(each func(x *syntax.Test, rules *model.Rules)) {
	file := t.book.Top().File
	for _, x := range file.Tests() {
		rules, own := makeTest(t.book, x, file.Source, &t.found)
		t.use.merge(own, true)
		if rules != nil && each != nil {
			each(x, rules)
		}
	}
}

// Faults finds what cannot be meant in a book that could not be joined without errors: it may lack a part.
func Faults(b *book.Book, diags *diag.List) {
	probe, all := probed(b)
	if all == nil {
		*diags = append(*diags, *probe.diags...)
		return
	}
	t := typeAll(b, probe, all, nil)
	if b.Whole {
		t.tests(nil)
	} else {
		t.found = slices.DeleteFunc(t.found, func(d diag.Diagnostic) bool { return followsFrom(d, b.Lost) })
	}
	t.found.Sort()
	*diags = append(*diags, t.found...)
}

// Book checks a rule book without errors in joining in every setting, and the tests of its last file.
func Book(b *book.Book, diags *diag.List) {
	probe, all := probed(b)
	if all == nil {
		*diags = append(*diags, *probe.diags...)
		return
	}
	first := covering(all, apart(b))
	if some := enough(b, all, first); slices.Contains(some, false) {
		picked := seq.Indexes(some, func(yes bool) bool { return yes })
		these := seq.Map(picked, func(i int) Setting { return all[i] })
		firstOf := seq.Map(picked, func(i int) bool { return first[i] })
		if found, open := bookIn(b, probe, these, firstOf, true); len(found) == 0 && !open {
			return
		}
	}
	found, _ := bookIn(b, probe, all, first, false)
	*diags = append(*diags, found...)
}

// bookIn checks a book in all settings or some, of which those of first are studied before others. open is true if others could have taken
// back a finding.
func bookIn(b *book.Book, probe *checker, all []Setting, first []bool, some bool) (_ diag.List, open bool) {
	known := newGames(b, some)
	file := b.Top().File
	study := sense.New(file.Source)
	if file.Header.Change != nil {
		study.WithOthers()
	}
	var others []func() // with clauses that no setting before them has
	t := typeAll(b, probe, all, func(t *typing, i int, m *checked) {
		digest := sync.OnceValue(func() model.Digest { return known.digests.Of(m.rules) })
		known.add(all[i], digest)
		switch plan := func() { study.Plan(m.rules, digest()) }; {
		case first[i]:
			plan()
		case study.HasNew(m.rules):
			others = append(others, func() {
				if study.HasNew(m.rules) {
					plan()
				}
			})
		}
	})
	for _, plan := range others {
		plan()
	}
	sound, found := !t.found.HasErrors(), &t.found
	var beside sync.WaitGroup
	beside.Go(func() {
		t.tests(func(x *syntax.Test, rules *model.Rules) {
			warnConstantConditions(b, x, rules, found)
			warnProvesNothing(b, x, rules, found)
			warnNoPieceThere(rules, found)
			warnSetTwice(rules, found)
			warnSetAlready(b, x, rules, found)
			warnOtherThrow(x, rules, found)
		})
		if sound {
			warnUnused(t, found)
		}
	})
	if sound {
		study.Run()
	}
	if sound && study.Open() {
		inOrder(t.looked, func(i int) *checked {
			if first[i] {
				return nil
			}
			return t.setting(i)
		}, func(i int, m *checked) bool {
			if m != nil && m.rules != nil {
				study.Add(m.rules, known.digests.Of(m.rules))
			}
			return study.Open()
		})
	}
	beside.Wait()
	switch {
	case sound:
		study.Report(found)
		warnFarOptions(b, study, found)
		warnNoWinner(b, t.use, found)
		warnEqualValues(b, t.probe.options, known, t.use, found)
		noteUnnamed(b, found)
		warnUnthrown(b, t.probe.options, t.usual, found)
		warnBereft(b, t.usual, found)
		warnNamedLike(b, found)
		warnBoardParameters(b, found)
		warnOtherValue(b, found)
		warnLateDuty(b, found)
		warnEqualLets(b, found)
		warnUnusedOfBoard(b, t.usual, found)
		warnEqualReplacements(b, found)
		warnLeftClauses(b, study.Idle(), found)
		warnEmptyChange(b, known, found)
		if found.HasErrors() { // a test line with a fault may hold the only use of a name
			*found = slices.DeleteFunc(*found, func(d diag.Diagnostic) bool { return slices.Contains(ofUse, d.Code) })
		}
	case t.declared:
		study = sense.New(file.Source)
		inOrder(t.looked, func(i int) *checked { return makeSetting(b, t.all[i]) }, func(_ int, m *checked) bool {
			study.AddPart(m.c.rules)
			return true
		})
		study.Report(found)
		warnEqualSets(b, found)
		warnTests(b, found)
		warnEqualReplacements(b, found)
	}
	within := func(d, o diag.Diagnostic) bool {
		return o.Code == d.Code && o.Span != d.Span && o.Span.File == d.Span.File && o.Span.Start <= d.Span.Start && d.Span.End <= o.Span.End
	}
	told := slices.Clone(*found)
	*found = slices.DeleteFunc(*found, func(d diag.Diagnostic) bool {
		return d.Code == "no-effect" && slices.ContainsFunc(told, func(o diag.Diagnostic) bool { return within(d, o) })
	})
	found.Sort()
	return *found, sound && study.Open()
}

// Settings lists the settings a book is checked in, the defaults first; none if its options have faults.
func Settings(b *book.Book) []Setting {
	_, all := probed(b)
	return all
}

// probed returns a checker that has read a book's options, or has reported why it could not, and the list of
// settings.
func probed(b *book.Book) (probe *checker, all []Setting) {
	probe = newChecker(b, Setting{}, &diag.List{}, NewUsage())
	if !probe.readOptions() {
		return probe, nil
	}
	for i, options := range settings(probe.options, b) {
		_, numbers, ok := playerNumbers(b, options, &diag.List{})
		if !ok || len(numbers) == 0 {
			numbers = []int{0} // they cannot be read
		}
		for _, n := range numbers {
			all = append(all, Setting{Options: options, Players: n, turn: i})
		}
	}
	return probe, all
}

// ofUse are the codes of findings about unused declarations.
var ofUse = []string{"unused", "never-read", "never-changed", "never-thrown"}

var quoted = pattern.Of(`"([^"]+)"`)

// followsFrom reports whether a finding may be caused by text that could not be parsed: it is about a name in this
// text, or about a missing declaration.
func followsFrom(d diag.Diagnostic, lost map[string]bool) bool {
	if d.Severity != diag.Error || strings.HasPrefix(d.Code, "no-") {
		return true
	}
	return slices.ContainsFunc(quoted().FindAllStringSubmatch(d.Message, -1), func(m []string) bool { return lost[m[1]] })
}

// OptionNames lists a book's options.
func OptionNames(b *book.Book) []string { return b.NamesOf("option") }

// Options lists a book's options and their values. It leaves out options whose declaration has a fault.
func Options(b *book.Book) []model.Option {
	c := newChecker(b, Setting{}, &diag.List{}, NewUsage())
	c.readOptions()
	var out []model.Option
	for _, e := range b.Entries {
		o := c.options[e.Key.Name]
		if e.Key.Kind != "option" || o == nil {
			continue
		}
		d := e.Decl.Kind.Option
		m := model.Option{
			Name: e.Key.Name, Words: d.Words.String(), Kind: o.kind, Default: o.fallback, Low: o.low, High: o.high,
			Origin: e.Layer.Name, Span: e.NameSpan(),
		}
		if d.Value != nil {
			m.Declared = literalText(d.Value)
		}
		switch {
		case o.words != nil:
			m.Values, m.Said = slices.Clone(o.words), slices.Clone(o.words)
		case o.kind == model.Flag:
			m.Values = []string{"true", "false"}
		case o.numbers != nil:
			m.Values = seq.Map(o.numbers, strconv.Itoa)
		}
		for _, s := range b.Sets {
			if s.Decl.Set.Name.Text == e.Key.Name {
				m.Set = s.Decl.Span(s.Decl.File)
			}
		}
		out = append(out, m)
	}
	return out
}

// Holding returns the entries in force in a setting: those whose conditions over options and players are true. It is
// empty if the setting is not possible.
func Holding(b *book.Book, s Setting) map[*book.Entry]bool {
	c := newChecker(b, s, &diag.List{}, NewUsage())
	if c.readOptions() && c.complete() && c.countPlayers() {
		c.existing()
	}
	return c.use.exists
}

// settings lists combinations of option values, the defaults first. Numbers without bounds are tried with their default only.
func settings(options map[string]*option, b *book.Book) []map[string]string {
	names, values := tried(options, b)
	var out []map[string]string
	if combinations(names, values) <= maxSettings {
		out = combine(names, values, true)
	} else {
		out = []map[string]string{{}}
		for _, n := range names {
			out = append(out, combine([]string{n}, values, false)[1:]...)
		}
	}
	for _, n := range names {
		for _, v := range options[n].more(b) {
			values[n] = append(values[n], v)
			out = append(out, map[string]string{n: v})
		}
	}
	together := func(options []string) {
		if len(options) < 2 || len(out) >= maxSettings || combinations(options, values) > maxCombined {
			return
		}
		for _, o := range combine(options, values, false) {
			if !slices.ContainsFunc(out, func(known map[string]string) bool { return maps.Equal(o, known) }) {
				out = append(out, o)
			}
		}
	}
	for _, e := range b.Entries {
		together(conditionOptions(b, e, values))
		if e.Layer == b.Top() && len(names) > 1 {
			for line := range strings.Lines(e.Decl.Span(e.Decl.File).Text()) {
				together(optionsIn(b, wordsIn(line), values))
			}
		}
	}
	return out
}

// tried lists the options and the values of them that are tried in combination.
func tried(options map[string]*option, b *book.Book) (names []string, values map[string][]string) {
	names, values = OptionNames(b), map[string][]string{}
	for _, n := range names {
		values[n] = options[n].candidates()
	}
	return names, values
}

// combinesAll reports whether all combinations of values of the options that the conditions of a declaration name are among the settings.
func (t *typing) combinesAll(e *book.Entry) bool {
	_, values := tried(t.probe.options, t.book)
	return t.combines(conditionOptions(t.book, e, values))
}

// combines reports whether all combinations of the values of some options that are tried are among the settings.
func (t *typing) combines(named []string) bool {
	_, values := tried(t.probe.options, t.book)
	there := map[string]bool{}
	for _, s := range t.all {
		of := map[string]string{}
		for _, n := range named {
			of[n] = cmp.Or(s.Options[n], values[n][0])
		}
		there[optionsText(of)] = true
	}
	return len(there) >= combinations(named, values)
}

// combine lists the combinations of the values of some options; without defaults, those are left out.
func combine(options []string, values map[string][]string, defaults bool) []map[string]string {
	out := []map[string]string{{}}
	for _, n := range options {
		var next []map[string]string
		for i, v := range values[n] {
			for _, o := range out {
				with := maps.Clone(o)
				if i > 0 || defaults {
					with[n] = v
				}
				next = append(next, with)
			}
		}
		out = next
	}
	return out
}

// combinations is how many combinations of values some options have, at most a large number.
func combinations(options []string, values map[string][]string) int {
	total := 1
	for _, n := range options {
		total = min(total*len(values[n]), 1<<20)
	}
	return total
}

// conditionOptions lists the options that the conditions of a declaration name, themselves or through lets.
func conditionOptions(b *book.Book, e *book.Entry, values map[string][]string) []string {
	return optionsIn(b, conditionWords(e), values)
}

// conditionWords lists the words of the conditions of a declaration.
func conditionWords(e *book.Entry) []string {
	return seq.Flat(e.If, func(c *book.Cond) []string { return wordsIn(c.Expr.Span(c.File).Text()) })
}

// optionsIn lists the options that words name, themselves or through lets; all, if these are many.
func optionsIn(b *book.Book, words []string, values map[string][]string) (named []string) {
	known, lets := map[string]bool{}, letsOf(b)
	for len(words) > 0 && len(known) < maxWords {
		w := words[0]
		words = words[1:]
		if known[w] {
			continue
		}
		known[w] = true
		if _, ok := values[w]; ok {
			named = append(named, w)
		}
		if d := lets[w]; d != nil {
			words = append(slices.Clip(words), wordsOfDecl(b, d)...)
		}
	}
	if len(words) > 0 {
		return OptionNames(b)
	}
	slices.Sort(named)
	return named
}

// letsOf are the lets of a book by name.
func letsOf(b *book.Book) map[string]*syntax.Decl {
	return memoize(b, memoKey{what: ofLets}, func() map[string]*syntax.Decl {
		lets := map[string]*syntax.Decl{}
		for _, e := range b.Entries {
			if e.Decl.Kind.Let != nil {
				lets[e.Key.Name] = e.Decl
			}
		}
		return lets
	})
}

// Numbers lists the numbers of players a book allows with some options, the usual number first.
func Numbers(b *book.Book, options map[string]string, diags *diag.List) []int {
	usual, all, ok := playerNumbers(b, options, diags)
	if !ok {
		return nil
	}
	return append([]int{usual}, slices.DeleteFunc(slices.Clone(all), func(n int) bool { return n == usual })...)
}

// playerNumbers returns the usual number of players and all that a book allows with some options.
func playerNumbers(b *book.Book, options map[string]string, diags *diag.List) (usual int, all []int, ok bool) {
	x := newChecker(b, Setting{Options: options}, diags, NewUsage())
	e := x.single("players")
	if e == nil || !x.readOptions() {
		return 0, nil, false
	}
	x.in(e)
	return x.playerNumbers(e.Decl.Kind.Players)
}

// AllCites lists all clause ids in a book: those of the declarations in force, of the headers, and of the lines
// without, set and rename.
func AllCites(b *book.Book) []string {
	var out []string
	for _, l := range b.Layers {
		out = append(out, l.File.Header.Cites.IDs()...)
		for _, d := range l.File.Decls {
			if d.Kind == nil && d.Test == nil {
				out = append(out, d.Cites.IDs()...)
			}
		}
	}
	return append(out, seq.Flat(b.Entries, func(e *book.Entry) []string { return Cites(e.Decl) })...)
}

// Cites lists all clause ids in a declaration.
func Cites(d *syntax.Decl) []string {
	out := d.Cites.IDs()
	for c := range syntax.All[*syntax.Cites](d.Kind) {
		out = append(out, c.IDs()...)
	}
	return out
}

// MayFail reports whether a file asks, outside its tests, for an element of a list by its number, or of one that is searched for.
func MayFail(f *syntax.File) bool {
	searches := []string{"find", "first", "last", "next"}
	var fails func(n *expr.Node) bool
	fails = func(n *expr.Node) bool {
		return n != nil && (n.Kind == expr.Index && n.Args[0].Kind != expr.Array || n.Kind == expr.Field && slices.Contains(searches, n.Args[0].Name) ||
			slices.ContainsFunc(n.Args, fails))
	}
	return slices.ContainsFunc(f.Decls, func(d *syntax.Decl) bool {
		return d.Test == nil && syntax.Has(d, func(n any) bool { e, is := n.(*syntax.Expr); return is && fails(e.Node) })
	})
}
