package cover

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// Kind is the kind of a point.
type Kind string

// The kinds of point, in the order of totals.
const (
	Clauses    Kind = "clauses"    // a clause took effect
	Conditions Kind = "conditions" // a piece of a condition was true, or was false
	Statements Kind = "statements" // a statement was carried out
	Names      Kind = "names"      // a let was used, a move made, an act done
	Values     Kind = "values"     // a test plays with the option's value
	Players    Kind = "players"    // a test uses this number of players
	IDs        Kind = "ids"        // a test exercises or cites the clause of the written rule book
)

// Kinds lists the kinds of point in the order of totals.
func Kinds() []Kind { return []Kind{Clauses, Conditions, Statements, Names, Values, Players, IDs} }

// Point is one thing a test can exercise.
type Point struct {
	Kind Kind
	Span source.Span
	// What names the point: "true" or "false" of a condition, the value of an option, a number of players, the id of
	// a clause; "" for other kinds.
	What string
	// Tests are the indices of the tests that exercise it.
	Tests []int
	// Missing says what no test does, "" if one does it: "never false".
	Missing string
	// Implied means that another missing point is the cause: for a statement, its clause never took effect.
	Implied bool
	// Advice says how a test could exercise it.
	Advice string
	weight int // importance if missing
}

// Group is a declaration with its points.
type Group struct {
	Word, Name, Words string
	Head, Span        source.Span
	Points            []Point
}

// Title is the group as messages name it: "rule finish", "turn".
func (g *Group) Title() string {
	if g.Name == "" {
		return g.Word
	}
	return g.Word + " " + g.Name
}

// Count is the number of points and of exercised points.
type Count struct {
	Covered, Total int
}

// Percent is the exercised share, rounded down, so that 100 means all; 100 if there are no points.
func (c Count) Percent() int {
	if c.Total == 0 {
		return 100
	}
	return 100 * c.Covered / c.Total
}

func (c *Count) add(p *Point) {
	c.Total++
	if p.Missing == "" {
		c.Covered++
	}
}

// ClauseID is a clause of the written rule book that a file cites.
type ClauseID struct {
	ID, Text string
	Span     source.Span
}

// Subject is a rule file to report coverage of.
type Subject struct {
	Title   string
	File    *source.File
	Groups  []model.PartGroup
	Options []model.Option
	Players []int
	// IDs are the clauses of the written rule book, empty without a list of them. Those cited by the file are added
	// automatically.
	IDs []ClauseID
}

// File is the coverage of one rule file.
type File struct {
	Title  string
	Source *source.File
	Groups []Group // in text order; the last one, "clauses", is for the written rule book
	ByKind map[Kind]Count
	All    Count
}

// Count is the number of the group's points and of exercised ones.
func (g *Group) Count() Count {
	var n Count
	for i := range g.Points {
		n.add(&g.Points[i])
	}
	return n
}

// Of computes the coverage of a rule file by all tests added.
func (c *Collector) Of(s Subject) *File {
	f := &File{Title: s.Title, Source: s.File, ByKind: map[Kind]Count{}}
	effects := map[string][]int{} // by clause id
	f.Groups = seq.Of(len(s.Groups), func(i int) Group { return c.group(&s, &s.Groups[i], effects) })
	if g := c.written(&s, effects); len(g.Points) > 0 {
		f.Groups = append(f.Groups, g)
	}
	f.Groups = slices.DeleteFunc(f.Groups, func(g Group) bool { return len(g.Points) == 0 })
	for _, p := range f.points() {
		n := f.ByKind[p.Kind]
		n.add(p)
		f.ByKind[p.Kind] = n
		f.All.add(p)
	}
	return f
}

// group computes the points of a declaration, and records which tests exercise the clause ids it cites.
func (c *Collector) group(s *Subject, g *model.PartGroup, effects map[string][]int) Group {
	out := Group{Word: g.Word, Name: g.Name, Words: g.Words, Head: g.Head, Span: g.Span}
	var all []int
	dead := make([]bool, len(g.Parts)) // their contents are implied
	for i := range g.Parts {
		p := &g.Parts[i]
		around := p.In >= 0 && dead[p.In]
		before := len(out.Points)
		switch {
		case p.Kind.Clause():
			point := c.clause(p)
			dead[i] = point.Missing != ""
			out.Points = append(out.Points, point)
		case p.Kind == model.PartCondition:
			out.Points = append(out.Points, c.condition(p, around)...)
		default:
			point := c.named(p)
			point.Implied = point.Missing != "" && (around || len(out.Points) > 0 && nameless(out.Points[0]))
			out.Points = append(out.Points, point)
		}
		for j := before; j < len(out.Points); j++ {
			q := &out.Points[j]
			if j > 0 && nameless(out.Points[0]) {
				q.Implied = q.Missing != ""
			}
			if q.Kind == Conditions { // evaluated is not the same as exercised
				continue
			}
			all = join(all, q.Tests)
			for _, id := range p.Cites {
				effects[id] = join(effects[id], q.Tests)
			}
		}
	}
	switch g.Word {
	case "option":
		out.Points = c.values(s, g)
	case "players":
		for _, n := range slices.Sorted(slices.Values(s.Players)) {
			p := Point{Kind: Players, Span: g.Head, What: strconv.Itoa(n), Tests: c.players[n], weight: 6}
			out.Points = append(out.Points, p.unless(diag.Plural(n, "player"), fmt.Sprintf("players %d", n)))
		}
	}
	for _, id := range g.Cites {
		effects[id] = join(effects[id], all)
	}
	return out
}

// unless says that no test has something that a line gives it, unless there is one.
func (p Point) unless(what, line string) Point {
	if len(p.Tests) == 0 {
		p.Missing, p.Advice = "no test has "+what, "add a test with the line: "+line
	}
	return p
}

// nameless reports whether a let, move or act is never used: then its contents are implied.
func nameless(p Point) bool { return p.Kind == Names && p.Missing != "" }

func (c *Collector) tested(p *model.Part, kinds ...interpreter.NoteKind) []int {
	var out []int
	for _, k := range kinds {
		out = join(out, c.by[mark{placeOf(p.Span), k}])
	}
	return out
}

// clause is the point of a clause: it took effect.
func (c *Collector) clause(p *model.Part) Point {
	kinds := []interpreter.NoteKind{interpreter.ClauseFired}
	switch p.Kind {
	case model.PartMay:
		kinds = []interpreter.NoteKind{interpreter.ClauseSaid}
	case model.PartStep:
		kinds = append(kinds, interpreter.ClauseSaid)
	case model.PartAlways:
		kinds = []interpreter.NoteKind{interpreter.ClauseAsked}
	}
	out := Point{Kind: Clauses, Span: p.Span, Tests: c.tested(p, kinds...)}
	if len(out.Tests) > 0 {
		return out
	}
	asked := c.tested(p, interpreter.ClauseAsked)
	switch {
	case !c.known[placeOf(p.Span)]:
		out.Missing, out.weight = "in no setting that a test plays", 0
		out.Advice = "add a test that sets the options, or the number of players, with which it holds"
	case len(asked) == 0:
		out.Missing, out.weight = "never asked", 0
		out.Advice = unasked[p.Kind]
	default:
		out.Missing, out.weight = unheard[p.Kind], 1
		if p.Kind == model.PartStep && !p.Bars {
			out.Missing = "never decides a step"
		}
		out.Advice = fmt.Sprintf("asked in %s, where its condition did not hold or nothing was left to decide", diag.Plural(len(asked), "test"))
	}
	return out
}

var unasked = map[model.PartKind]string{
	model.PartMay: "add a test that counts a number", model.PartMust: "add a test that offers such a move",
	model.PartNever: "add a test that offers such a move", model.PartStep: "add a test in which a piece takes such a step",
	model.PartReaction: "add a test in which that happens", model.PartEnding: "add a test that comes to its end",
	model.PartAlways: "add a test that gives a position",
}

var unheard = map[model.PartKind]string{
	model.PartMay: "never offers a move", model.PartMust: "never narrows a choice", model.PartNever: "never forbids a move",
	model.PartStep: "never bars a step", model.PartReaction: "never happens", model.PartEnding: "never ends anything",
}

// condition makes the two points of an operand of a condition.
func (c *Collector) condition(p *model.Part, around bool) []Point {
	yes := Point{Kind: Conditions, Span: p.Span, What: "true", Tests: c.tested(p, interpreter.ConditionYes), weight: 3}
	no := Point{Kind: Conditions, Span: p.Span, What: "false", Tests: c.tested(p, interpreter.ConditionNo), weight: 3}
	switch y, n := len(yes.Tests) > 0, len(no.Tests) > 0; {
	case y && n:
	case y:
		no.Missing, no.Advice = "never false", "add a test in which it does not hold"
	case n:
		yes.Missing, yes.Advice = "never true", "add a test in which it holds"
	default:
		yes.Missing, yes.Advice, yes.Implied, yes.weight = "never looked at", "an earlier operand decides in every test", around, 4
		no.Missing, no.Implied, no.weight = yes.Missing, true, 4
	}
	return []Point{yes, no}
}

// named makes the point of a statement, let, move or act.
func (c *Collector) named(p *model.Part) Point {
	out := Point{Kind: Names, Span: p.Span, weight: 2}
	switch p.Kind {
	case model.PartStatement:
		out.Kind, out.Tests, out.Missing, out.weight = Statements, c.tested(p, interpreter.StmtDone), "never carried out", 4
	case model.PartLet:
		// A let that is a constant in a setting is used without being evaluated.
		out.Tests, out.Missing = c.tested(p, interpreter.LetUsed, interpreter.ConditionYes), "never used"
	case model.PartMove:
		out.Tests, out.Missing = c.tested(p, interpreter.MoveMade), "never made"
	case model.PartAct:
		out.Tests, out.Missing = c.tested(p, interpreter.ActDone), "never done"
	}
	if len(out.Tests) > 0 {
		out.Missing = ""
	}
	return out
}

// values makes the points of an option: its values if they can be enumerated, otherwise the default and any other.
func (c *Collector) values(s *Subject, g *model.PartGroup) []Point {
	i := slices.IndexFunc(s.Options, func(o model.Option) bool { return o.Name == g.Name })
	if i < 0 {
		return nil
	}
	o := &s.Options[i]
	used := func(value string) []int { return c.options[model.OptionValue{Name: o.Name, Value: value}] }
	point := func(what string, tests []int, example string) Point {
		p := Point{Kind: Values, Span: g.Head, What: what, Tests: tests, weight: 5}
		return p.unless(what, fmt.Sprintf("set %s = %s", o.Name, example))
	}
	written := func(value string) string {
		if o.Kind == model.Word {
			return strconv.Quote(value)
		}
		return value
	}
	if o.Values != nil {
		return seq.Map(o.Values, func(v string) Point { return point(written(v), used(v), written(v)) })
	}
	var other []int
	for key, tests := range c.options {
		if key.Name == o.Name && key.Value != o.Default {
			other = join(other, tests)
		}
	}
	text := written(o.Default)
	return []Point{point(text, used(o.Default), text), point("another value than "+text, other, "…")}
}

// written makes the group of the written rule book: every clause of the file or the list.
func (c *Collector) written(s *Subject, effects map[string][]int) Group {
	g := Group{Word: "clauses", Head: s.File.Span(0, 0), Span: s.File.Span(0, 0)}
	cited := map[string][]int{}
	for i, t := range c.tests {
		if t.Passed {
			for _, id := range t.Cites {
				cited[id] = join(cited[id], []int{i})
			}
		}
	}
	for _, x := range s.ids() {
		p := Point{Kind: IDs, Span: x.Span, What: x.ID, Tests: join(join(nil, effects[x.ID]), cited[x.ID]), weight: 7}
		if len(p.Tests) == 0 {
			p.Missing, p.Advice = "no test exercises or cites "+x.ID, x.Text
		}
		g.Points = append(g.Points, p)
	}
	return g
}

// ids lists the clauses of the list, then those that only the file cites.
func (s *Subject) ids() []ClauseID {
	out := slices.Clone(s.IDs)
	add := func(ids []string, span source.Span) {
		for _, id := range ids {
			if !slices.ContainsFunc(out, func(x ClauseID) bool { return x.ID == id }) {
				out = append(out, ClauseID{ID: id, Span: span})
			}
		}
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		add(g.Cites, g.Head)
		for j := range g.Parts {
			add(g.Parts[j].Cites, g.Parts[j].Span)
		}
	}
	return out
}

// join is the union of two sorted lists.
func join(a, b []int) []int {
	if len(a) == 0 {
		return b
	}
	if len(b) == 0 {
		return a
	}
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// points goes through the points, each with its group.
func (f *File) points() iter.Seq2[*Group, *Point] {
	return func(yield func(*Group, *Point) bool) {
		for i := range f.Groups {
			for j := range f.Groups[i].Points {
				if !yield(&f.Groups[i], &f.Groups[i].Points[j]) {
					return
				}
			}
		}
	}
}

// Gap is a missing point with its declaration.
type Gap struct {
	Group *Group
	Point *Point
}

// Gaps lists the points that no test exercises, without implied ones, the most important first: clauses, then their
// parts, then options, then the written rule book.
func (f *File) Gaps() []Gap {
	var out []Gap
	for g, p := range f.points() {
		if p.Missing != "" && !p.Implied {
			out = append(out, Gap{g, p})
		}
	}
	slices.SortStableFunc(out, func(a, b Gap) int { return cmp.Compare(a.Point.weight, b.Point.weight) })
	return out
}
