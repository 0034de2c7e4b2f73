package difference

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// item is one declaration, prepared for comparison.
type item struct {
	section Section
	kind    string // keyword
	name    string
	words   string
	units   []*unit
	holds   bool // it is in force in the setting of its side
	hangs   bool // it has a condition
	when    string
	at      source.Span
}

func (i *item) key() string { return i.kind + " " + i.name }

var sections = map[string]Section{
	"option": Options, "players": Players, "seats": Players, "teams": Players, "turns": Players, "pieces": Players, "first": Players,
	"board": Board, "dice": Dice, "var": Variables, "secret": Variables, "let": Lets, "move": Moves, "act": Acts, "turn": Turn,
	"setup": Turn, "rule": Rules, "count": Counts,
}

func items(side Side) []*item {
	var out []*item
	holding := check.Holding(side.Book, side.Setting)
	when := "by default"
	if len(side.Setting.Options) > 0 || side.Setting.Players != 0 {
		when = "in this setting"
	}
	options := check.Options(side.Book)
	p := &printer{book: side.Book}
	for _, e := range side.Book.Entries {
		if e.Key.Kind == "option" {
			if i := slices.IndexFunc(options, func(o model.Option) bool { return o.Name == e.Key.Name }); i >= 0 {
				out = append(out, optionItem(&options[i], side.Setting))
			}
			continue
		}
		if e.Decl.Kind.Step != nil { // the turn shows it
			continue
		}
		kind := e.Decl.Head().Word
		out = append(out, &item{
			section: sections[kind], kind: kind, name: e.Key.Name, words: e.Decl.Words(), units: p.declaration(e), holds: holding[e],
			hangs: len(e.If) > 0, when: when, at: e.Decl.Span(e.Decl.File),
		})
	}
	return out
}

// optionItem is an option in a setting. A value from the setting counts as its default.
func optionItem(o *model.Option, s check.Setting) *item {
	it := &item{section: Options, kind: "option", name: o.Name, words: o.Words, holds: true, at: o.Span}
	value := o.Default
	if given, ok := s.Options[o.Name]; ok {
		value = strings.Trim(given, `"`)
	}
	add := func(text string) { it.units = append(it.units, &unit{parts: []part{{text: text}}}) }
	add("default " + value)
	if o.Kind != model.Flag && (o.Values != nil || o.Bounded()) {
		add(o.Wants())
	}
	return it
}

// pair is a declaration in both books; one side may be missing.
type pair struct {
	old, new *item
}

// comparison is the state of comparing two books.
type comparison struct {
	old, new []*item
	renames  map[string]string // old kind and name to new name
	renamed  []Renamed
}

func plainName(_, name string) string { return name }

// rename maps a name of the old book to the new book.
func (c *comparison) rename(kind, name string) string {
	if to, ok := c.renames[kind+" "+name]; ok {
		return to
	}
	return name
}

// key is the key of an old item in the new book.
func (c *comparison) key(i *item) string { return i.kind + " " + c.rename(markKind(i), i.name) }

// markKind is the kind of mark around uses of an item's name.
func markKind(i *item) string {
	switch i.kind {
	case "option", "dice", "let":
		return "bare"
	case "var":
		if strings.Contains(i.units[0].parts[0].text, nameOpen+"field:") {
			return "field"
		}
		return "bare"
	case "secret":
		return "field"
	}
	return i.kind
}

// pairs matches the declarations of both books: old ones in their order, each with its new one, then those only in
// the new book. If several have one key, such as seats with conditions, equal ones are matched first.
func (c *comparison) pairs() []pair {
	used := map[*item]bool{}
	byKey := seq.Group(c.new, (*item).key)
	find := func(i *item, same bool) *item {
		for _, n := range byKey[c.key(i)] {
			if !used[n] && (!same || c.same(i, n)) {
				used[n] = true
				return n
			}
		}
		return nil
	}
	partner := map[*item]*item{}
	for _, same := range []bool{true, false} {
		for _, i := range c.old {
			if partner[i] == nil {
				partner[i] = find(i, same)
			}
		}
	}
	out := seq.Map(c.old, func(i *item) pair { return pair{i, partner[i]} })
	added := seq.Filter(c.new, func(n *item) bool { return !used[n] })
	return append(out, seq.Map(added, func(n *item) pair { return pair{nil, n} })...)
}

// same reports whether two items are equal, ignoring the order of clauses.
func (c *comparison) same(old, new *item) bool {
	return old.words == new.words && len(old.units) == len(new.units) &&
		slices.Equal(sortedKeys(old, c.rename), sortedKeys(new, plainName))
}

func sortedKeys(i *item, rename func(kind, name string) string) []string {
	return slices.Sorted(slices.Values(seq.Map(i.units, func(u *unit) string { return strings.Join(u.keys(rename), "\n") })))
}

// whole is the change for an item that only one book has.
func (i *item) whole(what What, mark byte) Change {
	ch := Change{Section: i.section, What: what, Kind: i.kind, Name: i.name}
	if what == Gone {
		ch.OldWords, ch.OldAt = i.words, i.at
	} else {
		ch.NewWords, ch.NewAt = i.words, i.at
	}
	if i.hangs && !i.holds {
		ch.Note = "does not hold " + i.when
	}
	ch.Lines = seq.Flat(i.units, func(u *unit) []Line { return marked(mark, u.text()) })
	return ch
}

// condition is the line with the conditions of an item.
func (i *item) condition() []Line {
	for _, u := range i.units {
		for _, p := range u.parts {
			if strings.HasPrefix(p.text, "if ") && i.hangs {
				return []Line{{' ', shown(p.text)}}
			}
		}
	}
	return nil
}

// compare lists the differences between two items of one key.
func (c *comparison) compare(old, new *item) (Change, bool) {
	ch := Change{
		Section: new.section, Kind: new.kind, Name: new.name, OldWords: old.words, NewWords: new.words, OldAt: old.at, NewAt: new.at,
	}
	ch.Lines = c.unitLines(old, new)
	if len(ch.Lines) > 0 {
		ch.Numbers = numbers(ch.Lines)
	} else if old.kind == "rule" {
		ch.Lines = c.clauseOrder(old, new)
	}
	switch {
	case old.holds == new.holds:
	case new.holds:
		ch.Note = "now holds " + new.when
	default:
		ch.Note = "no longer holds " + new.when
	}
	if ch.Note != "" && len(ch.Lines) == 0 {
		ch.Lines = new.condition()
	}
	return ch, len(ch.Lines) > 0 || ch.Note != "" || old.words != new.words
}

// unitLines are the lines of units that differ. Units with the same head are compared part by part.
func (c *comparison) unitLines(old, new *item) []Line {
	left := slices.Clone(new.units)
	take := func(fits func(*unit) bool) *unit {
		i := slices.IndexFunc(left, fits)
		if i < 0 {
			return nil
		}
		u := left[i]
		left = slices.Delete(left, i, i+1)
		return u
	}
	partner := seq.Map(old.units, func(u *unit) *unit {
		key := u.keys(c.rename)
		return take(func(n *unit) bool { return slices.Equal(n.keys(plainName), key) })
	})
	var out []Line
	for i, u := range old.units {
		if partner[i] != nil {
			continue
		}
		head := u.keys(c.rename)[0]
		if old.kind == "option" {
			head, _, _ = strings.Cut(head, " ")
		}
		n := take(func(n *unit) bool {
			k := n.keys(plainName)[0]
			return k == head || old.kind == "option" && (strings.HasPrefix(k, head+" ") || head != "default" && !strings.HasPrefix(k, "default "))
		})
		if n == nil && old.kind != "rule" && old.kind != "option" {
			n = take(func(*unit) bool { return true })
		}
		out = append(out, c.partLines(u, n)...)
	}
	return append(out, seq.Flat(left, func(n *unit) []Line { return c.partLines(nil, n) })...)
}

// context is the number of unchanged lines shown around changed ones.
const context = 2

// partLines compares two units part by part; units without a common part are shown whole.
func (c *comparison) partLines(old, new *unit) []Line {
	if old == nil || new == nil || old.keys(c.rename)[0] != new.keys(plainName)[0] {
		return append(marked('-', old.text()), marked('+', new.text())...)
	}
	var out []Line
	oldLines, newLines := old.lines(shown), new.lines(shown)
	a, b := 0, 0
	for _, l := range Lines(old.keys(c.rename), new.keys(plainName)) {
		switch l.Mark {
		case '-':
			out = append(out, Line{'-', oldLines[a]})
			a++
		case '+':
			out = append(out, Line{'+', newLines[b]})
			b++
		default:
			out = append(out, Line{' ', newLines[b]})
			a, b = a+1, b+1
		}
	}
	return near(out)
}

// near drops lines far from a change. The first line is a title and stays.
func near(lines []Line) []Line {
	keep := make([]bool, len(lines))
	for i, l := range lines {
		if l.Mark == ' ' {
			continue
		}
		for k := max(0, i-context); k <= min(len(lines)-1, i+context); k++ {
			keep[k] = true
		}
	}
	keep[0] = true
	var out []Line
	for i, l := range lines {
		if keep[i] {
			out = append(out, l)
		} else if keep[i-1] && i < len(lines)-1 {
			out = append(out, Line{' ', strings.Repeat(" ", len(l.Text)-len(strings.TrimLeft(l.Text, " "))) + "…"})
		}
	}
	return out
}

var integer = pattern.Of(`-?\b\d+\b`)

// numbers lists the changed numbers if nothing else differs.
func numbers(lines []Line) []Number {
	text := func(mark byte) string {
		side := seq.Filter(lines, func(l Line) bool { return l.Mark == mark })
		return strings.Join(seq.Map(side, func(l Line) string { return l.Text }), "\n")
	}
	was, is := text('-'), text('+')
	if integer().ReplaceAllString(was, "0") != integer().ReplaceAllString(is, "0") {
		return nil
	}
	var out []Number
	before, after := integer().FindAllString(was, -1), integer().FindAllString(is, -1)
	for i := range before {
		a, _ := strconv.Atoi(before[i])
		b, _ := strconv.Atoi(after[i])
		if n := (Number{a, b}); a != b && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// findRenamed finds renamed declarations: those with a rename line, then pairs of declarations that are in one book
// only and differ in the name only.
func (c *comparison) findRenamed(old, new *book.Book) {
	c.renames = map[string]string{}
	type alias struct{ from, to string }
	said := seq.Map(new.Renames, func(r *book.Rename) alias { return alias{r.From, new.RenamedTo(r.From)} })
	said = append(said, seq.Map(old.Renames, func(r *book.Rename) alias { return alias{old.RenamedTo(r.From), r.From} })...)
	inOld, inNew := seq.Set(c.old, (*item).key), seq.Set(c.new, (*item).key)
	for _, a := range said {
		for _, i := range c.old {
			if i.name == a.from && !inNew[i.key()] && inNew[i.kind+" "+a.to] && !inOld[i.kind+" "+a.to] {
				c.name(i, a.to)
			}
		}
	}
	candidates := c.alike(inOld, inNew)
	for len(candidates) > 0 {
		for _, p := range candidates {
			c.name(p.old, p.new.name)
		}
		bad := c.unlike(candidates)
		if len(bad) == 0 {
			break
		}
		for _, p := range candidates {
			delete(c.renames, markKind(p.old)+" "+p.old.name)
			c.renamed = slices.DeleteFunc(c.renamed, func(r Renamed) bool { return r.Kind == p.old.kind && r.Old == p.old.name })
		}
		candidates = slices.DeleteFunc(candidates, func(p pair) bool { return bad[p] })
	}
}

func (c *comparison) name(i *item, to string) {
	c.renames[markKind(i)+" "+i.name] = to
	if i.kind != "secret" {
		c.renamed = append(c.renamed, Renamed{i.kind, i.name, to})
	}
}

// alike pairs declarations of one book only that are equal when all such names are replaced by one placeholder.
func (c *comparison) alike(inOld, inNew map[string]bool) []pair {
	taken := seq.Set(c.renamed, func(r Renamed) string { return r.Kind + " " + r.New })
	can := func(i *item) bool { return i.name != "" && i.kind != "seats" && i.kind != "secret" }
	gone := seq.Filter(c.old, func(i *item) bool { return can(i) && !inNew[c.key(i)] })
	added := seq.Filter(c.new, func(i *item) bool { return can(i) && !inOld[i.key()] && !taken[i.key()] })
	mask := func(list []*item, rename func(kind, name string) string) func(kind, name string) string {
		names := seq.Set(list, func(i *item) string { return markKind(i) + " " + i.name })
		return func(kind, name string) string {
			if names[kind+" "+name] {
				return "·"
			}
			return rename(kind, name)
		}
	}
	shape := func(i *item, rename func(kind, name string) string) string {
		return i.kind + "\n" + i.words + "\n" + strings.Join(sortedKeys(i, rename), "\n")
	}
	oldMask, newMask := mask(gone, c.rename), mask(added, plainName)
	was := seq.Group(gone, func(i *item) string { return shape(i, oldMask) })
	is := seq.Group(added, func(i *item) string { return shape(i, newMask) })
	var out []pair
	for _, i := range gone {
		if s := shape(i, oldMask); len(was[s]) == 1 && len(is[s]) == 1 {
			out = append(out, pair{i, is[s][0]})
		}
	}
	return out
}

// unlike lists the pairs whose names are used differently: with the new name for the old one, some user of it
// differs.
func (c *comparison) unlike(candidates []pair) map[pair]bool {
	byOld := seq.Group(candidates, func(p pair) string { return p.old.name })
	byNew := seq.Group(candidates, func(p pair) string { return p.new.name })
	bad := map[pair]bool{}
	for _, p := range c.pairs() {
		var lines []Line
		switch {
		case p.new == nil:
			lines = p.old.whole(Gone, '-').Lines
		case p.old == nil:
			lines = p.new.whole(Added, '+').Lines
		case !c.same(p.old, p.new):
			change, _ := c.compare(p.old, p.new)
			lines = change.Lines
		}
		for _, l := range lines {
			by := byOld
			if l.Mark == '+' {
				by = byNew
			} else if l.Mark == ' ' {
				continue
			}
			for _, w := range word().FindAllString(l.Text, -1) {
				for _, cand := range by[w] {
					bad[cand] = true
				}
			}
		}
	}
	return bad
}

var word = pattern.Of(`[\p{L}_][\p{L}\p{N}_]*`)
