// Package cover measures which parts of a rule file its tests exercise: clauses that took effect, both values of
// conditions, executed statements, and the options and numbers of players the tests use.
//
// It joins two things by place: package parts lists the parts of a file, and games compiled by
// interpreter.CompileNoting record which parts they execute. Note: this is not line coverage. A
// line with a condition of three operands has six points, and all points of a rule without a test are missing.
package cover

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// Test is a test that was run.
type Test struct {
	Name   string
	File   string // as messages show it
	Line   int
	Cites  []string
	Passed bool
}

// place is a range of a file; equal for all loaded versions of the file.
type place struct {
	file       string
	start, end int
}

func placeOf(s source.Span) place { return place{s.Name(), s.Start, s.End} }

// mark is a kind of note at a place.
type mark struct {
	place
	kind interpreter.NoteKind
}

// Trace is the coverage of one test. It is immutable.
type Trace struct {
	marks   []mark
	known   []place // clauses in force in the test's setting
	options []model.OptionValue
	players int
}

// TraceOf returns the coverage of a test of the game; noted has an element for each of the game's notes.
func TraceOf(g *interpreter.Game, noted []bool) *Trace {
	rules := g.Rules()
	t := &Trace{options: rules.Options, players: g.Players()}
	for i, n := range g.Notes() {
		if n.Kind == interpreter.ClauseFired {
			t.known = append(t.known, placeOf(n.Span))
		}
		if noted[i] {
			t.marks = append(t.marks, mark{placeOf(n.Span), n.Kind})
		}
	}
	for _, d := range rules.Decided {
		kind := interpreter.ConditionNo
		if d.Holds {
			kind = interpreter.ConditionYes
		}
		t.marks = append(t.marks, mark{placeOf(d.Span), kind})
	}
	return t
}

// Collector collects the coverage of tests. The zero value is ready to use; it belongs to one goroutine.
type Collector struct {
	tests   []Test
	by      map[mark][]int // tests, in the order they were added
	known   map[place]bool
	options map[model.OptionValue][]int // by name and value only
	players map[int][]int
}

// Add adds a test and its coverage.
func (c *Collector) Add(t Test, trace *Trace) {
	if c.by == nil {
		c.by, c.known = map[mark][]int{}, map[place]bool{}
		c.options, c.players = map[model.OptionValue][]int{}, map[int][]int{}
	}
	n := len(c.tests)
	c.tests = append(c.tests, t)
	for _, m := range trace.marks {
		if list := c.by[m]; len(list) == 0 || list[len(list)-1] != n {
			c.by[m] = append(list, n)
		}
	}
	for _, k := range trace.known {
		c.known[k] = true
	}
	for _, o := range trace.options {
		key := model.OptionValue{Name: o.Name, Value: o.Value}
		c.options[key] = append(c.options[key], n)
	}
	c.players[trace.players] = append(c.players[trace.players], n)
}

// Tests lists the tests added; points of a report refer to them by index.
func (c *Collector) Tests() []Test { return c.tests }
