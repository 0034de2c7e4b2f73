package check

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// lookAhead reports throws inside a block where "play most of" looks ahead: the result of a throw is not known in
// advance.
func (c *checker) lookAhead() {
	var most *model.Stmt
	for s := range c.rules.Turn.All() {
		if s.Kind == model.StmtPlay && s.Play.LooksAhead() {
			most = s
		}
	}
	if most == nil {
		return
	}
	look := func(b *model.Block) {
		for s := range b.All() {
			if s.Kind == model.StmtThrow {
				c.errorf("throw-ahead", s.Span, "play most of looks ahead through this, and a throw cannot be foreseen").
					WithNote(most.Span, "played here").WithHint("throw in the turn, or use play each of")
			}
		}
	}
	for _, a := range c.rules.Acts {
		look(a.Block)
	}
	for x := range c.rules.Clauses() {
		if use := usableIn(x.When); use != nil && (x.Kind == model.ClauseMay || x.Kind == model.ClauseNever) {
			c.diags.Warnf("usable-ahead", use.Span, "usable is 0 here while play most of looks ahead, and so this decides what can be used").
				WithNote(most.Span, "played here").WithHint("say it as a duty: must asks once it is known how many numbers can be used")
		}
		if x.Event != model.EventThrow && x.Event != model.EventTurnBegins && x.Event != model.EventTurnEnds && x.Event != model.EventGameEnds {
			look(x.Block)
		}
	}
}

// usableIn finds usable in an expression, and in the lets it uses; nil where it does not occur.
func usableIn(e *model.Expr) (found *model.Expr) {
	e.Walk(func(x *model.Expr) bool {
		if x.Op == model.OpCell && x.Cell == model.CellUsable || x.Op == model.OpCall && usableIn(x.Let.Body) != nil {
			found = x
		}
		return found == nil
	})
	return found
}

// trigger is a node of the graph of events: an act or an event of the engine, which statements raise and reactions
// handle.
type trigger struct {
	event model.EventKind
	act   *model.Act
	dice  string // of a throw: the names of its dice
}

type raised struct {
	by   *model.Clause
	act  *model.Act // the act whose own statements raise it, if by is nil
	span source.Span
	to   trigger
}

// cycles reports cycles in the graph of events: triggers that raise one another without end.
func (c *checker) cycles() {
	graph := map[trigger][]raised{}
	visit := map[trigger]int{} // 1 where it is on the path, 2 where it has been
	edges := func(d trigger) []raised {
		if out, ok := graph[d]; ok {
			return out
		}
		var out []raised
		if d.act != nil {
			for _, r := range c.raises(d.act.Block, nil) {
				r.act = d.act
				out = append(out, r)
			}
		}
		for x := range c.rules.Clauses() {
			if reactsTo(x, d) {
				out = append(out, c.raises(x.Block, x)...)
			}
		}
		graph[d] = out
		return out
	}
	var path []raised
	var walk func(d trigger)
	walk = func(d trigger) {
		if visit[d] > 0 {
			return
		}
		visit[d] = 1
		for _, e := range edges(d) {
			path = append(path, e)
			if visit[e.to] == 1 {
				c.reportCycle(path, e.to)
			}
			walk(e.to)
			path = path[:len(path)-1]
		}
		visit[d] = 2
	}
	for _, a := range c.rules.Acts {
		walk(trigger{event: model.EventAct, act: a})
	}
	for x := range c.rules.Clauses() {
		for _, e := range c.raises(x.Block, x) {
			walk(e.to)
		}
	}
}

func reactsTo(x *model.Clause, d trigger) bool {
	if x.Kind != model.ClauseOn && x.Kind != model.ClauseBefore || x.Event != d.event {
		return false
	}
	switch d.event {
	case model.EventAct:
		return x.Act == d.act
	case model.EventThrow:
		return !slices.ContainsFunc(x.Dice, func(die *model.Die) bool { return !strings.Contains(" "+d.dice+" ", " "+die.Name+" ") })
	}
	return true
}

// raises lists the triggers that a block raises directly.
func (c *checker) raises(b *model.Block, by *model.Clause) []raised {
	var out []raised
	for s := range b.All() {
		if !s.Kind.Raises() {
			continue
		}
		d := trigger{}
		switch s.Kind {
		case model.StmtDo:
			d = trigger{event: model.EventAct, act: s.Act}
		case model.StmtPut, model.StmtExchange:
			d.event = model.EventLeave
		case model.StmtThrow:
			d.event = model.EventThrow
			names := seq.Map(s.Dice, func(x *model.Die) string { return x.Name })
			d.dice = strings.Join(names, " ")
		case model.StmtFinish:
			switch s.Ending {
			case model.EndRank:
				d.event = model.EventRank
			case model.EndDrop:
				d.event = model.EventDrop
			default:
				continue
			}
		default:
			panic("nothing says what the statement " + s.Kind.String() + " raises")
		}
		out = append(out, raised{by: by, span: s.Span, to: d})
	}
	return out
}

func (c *checker) reportCycle(path []raised, to trigger) {
	from := len(path) - 1
	for from > 0 && path[from-1].to != to {
		from--
	}
	d := c.errorf("cycle", path[len(path)-1].span, "this raises itself without end").
		WithHint("what an event brings about may not bring about the same event, not even under a condition")
	for _, e := range path[from:] {
		where := "act "
		if e.by != nil {
			where = "rule " + e.by.Rule.Name
		} else {
			where += e.act.Name
		}
		d.WithNote(e.span, "%s: %s", where, strings.Join(strings.Fields(e.span.Text()), " "))
	}
}
