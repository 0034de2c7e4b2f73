// Package cover says what of a rule file its tests exercise: which clauses took effect, how each piece of a condition
// came out, which statements were carried out, and with which options and how many players the tests play.
//
// It joins two things: package parts lists what a file is made of, and games compiled by interpreter.CompileNoting note
// what they come to. The same stretch of text has the same place in both. What a newcomer gets wrong: a file is not
// covered line by line. One line that holds a condition of three pieces has six points, and a rule that no test plays with
// has all of them missing.
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

// place is a stretch of a file; the same file loaded twice is the same.
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

// Trace is what one test came to. It is immutable.
type Trace struct {
	marks   []mark
	known   []place // clauses that stand in the test's setting
	options []model.OptionValue
	players int
}

// Trace is what a test of the game came to: noted says so of each of the game's notes.
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

// Collector gathers what tests come to. The zero value is ready to use; it belongs to one goroutine.
type Collector struct {
	tests   []Test
	by      map[mark][]int // tests, in the order they were added
	known   map[place]bool
	options map[model.OptionValue][]int // by name and value alone
	players map[int][]int
}

// Add adds a test and what it came to.
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

// Tests are the tests added, by the numbers the points of a report use.
func (c *Collector) Tests() []Test { return c.tests }
