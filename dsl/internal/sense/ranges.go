package sense

import (
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
)

// ranges records statements that count a variable out of its range, and wins that may count nothing. What is known of how often something
// happens is little, so it looks only at variables that no condition asks for: any that does may be the author's care.
func (x *setting) ranges() {
	for _, v := range x.r.Vars {
		if v.Type != model.Of(model.Number) || x.r.Own(v) || v.Scope == model.ScopeTurn || v.Scope == model.ScopeGo || x.asked(v) {
			continue
		}
		counts := x.countsOf(v)
		if len(counts) == 0 {
			continue
		}
		x.outOfRange(v, counts)
		x.worthNothing(v, counts)
	}
}

// counted is a statement that adds to a variable, or takes from it, and what it stands in.
type counted struct {
	s      *model.Stmt
	by     int
	clause *model.Clause // or
	act    *model.Act
}

// countsOf lists the statements that change a variable: nil unless all of them count it by a constant, and in one direction.
func (x *setting) countsOf(v *model.Var) []counted {
	var out []counted
	plain := true
	look := func(b *model.Block, c *model.Clause, a *model.Act) {
		b.Walk(func(s *model.Stmt) {
			if s.Target == nil || s.Target.Var != v {
				return
			}
			n := counted{s: s, clause: c, act: a}
			switch {
			case s.Kind != model.StmtAssign || s.Assign == model.AssignSet || s.Value.Op != model.OpConst || s.Value.Int <= 0 || c == nil && a == nil:
				plain = false
				return
			case s.Assign == model.AssignAdd:
				n.by = s.Value.Int
			default:
				n.by = -s.Value.Int
			}
			plain = plain && (len(out) == 0 || (out[0].by > 0) == (n.by > 0))
			out = append(out, n)
		})
	}
	look(x.r.Setup, nil, nil)
	look(x.r.Turn, nil, nil)
	for _, a := range x.r.Acts {
		look(a.Block, nil, a)
	}
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			look(c.Block, c, nil)
		}
	}
	if !plain {
		return nil
	}
	return out
}

// asked reports whether anything asks for a variable, beside what counts it, what wins count, and what studies count.
func (x *setting) asked(v *model.Var) bool {
	is := func(e *model.Expr) bool { return e.Var == v }
	asks := func(e *model.Expr) bool { return e != nil && e.Has(is) }
	found := false
	x.r.Walk(func(s *model.Stmt) { found = found || slices.ContainsFunc(s.Reads(), asks) })
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			for _, l := range c.Likes() {
				found = found || asks(l.When) || c.Kind == model.ClauseMay && asks(c.By)
			}
		}
	}
	for _, m := range x.r.Moves {
		found = found || asks(m.From) || asks(m.Where) || asks(m.Carrying)
	}
	for _, d := range x.r.Dice {
		found = found || asks(d.Choice)
	}
	return found
}

// outOfRange records statements that count a variable beyond its declared range.
func (x *setting) outOfRange(v *model.Var, counts []counted) {
	if v.Low == least && v.High == greatest {
		return
	}
	for _, n := range counts {
		end, room, way, ask := v.High, v.High-slices.Max(v.Initial), " can go above ", " < "
		if n.by < 0 {
			end, room, way, ask = v.Low, slices.Min(v.Initial)-v.Low, " can go below ", " > "
		}
		if times, ok := x.times(n, v); ok && times*max(n.by, -n.by) > room && x.own(n.s.Span) {
			name := words(n.s.Target.Span)
			x.harm("bad-number", n.s.Span, quote(name)+way+strconv.Itoa(end)+", which is the end of its range, and nothing asks before",
				"ask first: "+name+ask+strconv.Itoa(end))
		}
	}
}

// times is how often a statement can be done for one player, or one piece, at the least of what the board allows; ok is false where that
// is not known.
func (x *setting) times(n counted, v *model.Var) (times int, ok bool) {
	pieces := x.r.PieceCount
	if v.Scope == model.ScopePiece {
		pieces = 1
	}
	c := n.clause
	switch {
	case !slices.Contains(n.block().Stmts, n.s):
		return 0, false // a condition decides
	case n.between():
		return pieces, c == nil || c.When == nil
	case c == nil || c.Kind != model.ClauseOn || c.Event != model.EventLand || c.Move != nil || c.Act != nil || len(c.Params) < 2 || c.Params[1] == nil:
		return 0, false
	}
	s, form := c.Params[1], x.formulaOf(c, nil)
	for _, p := range form.when {
		if p.e.Op != model.OpTag && p.e.Op != model.OpFamily || p.e.Args[0].Op != model.OpLocal || p.e.Args[0].Local != s {
			return 0, false
		}
	}
	if c.When == nil {
		return 0, false
	}
	places := greatest
	for _, colour := range x.r.Colours {
		here := 0
		for _, node := range x.r.Track.Runs[colour.Board].Nodes {
			holds := true
			for _, p := range form.when {
				t := term{op: p.e.Op, field: p.e.Field, n: p.e.Int}
				holds = holds && x.flagOf(&t)(node.Place)
			}
			if holds {
				here++
			}
		}
		places = min(places, here)
	}
	return places * pieces, true
}

func (n counted) block() *model.Block {
	if n.clause != nil {
		return n.clause.Block
	}
	return n.act.Block
}

// between reports whether a statement is done in a deed between two pieces, which no player can count on.
func (n counted) between() bool {
	params := []*model.Local(nil)
	switch {
	case n.act != nil:
		params = n.act.Params
	case n.clause.Act != nil:
		params = n.clause.Act.Params
	}
	pieces := 0
	for _, p := range params {
		if p.Type == model.Of(model.Piece) {
			pieces++
		}
	}
	return pieces > 1
}

// worthNothing records wins that count a variable which is 0 as long as no deed between pieces counts it up.
func (x *setting) worthNothing(v *model.Var, counts []counted) {
	if v.Initial[0] != 0 || counts[0].by < 0 || slices.ContainsFunc(counts, func(n counted) bool { return !n.between() }) {
		return
	}
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			if c.Kind == model.ClauseEnding && c.By != nil && c.By.Op == model.OpVar && c.By.Var == v {
				by := words(c.By.Span)
				x.harm("bad-number", c.By.Span, quote(by)+" can be 0, and a win counts 1 or more", "count at least 1: max(1, "+by+")")
			}
		}
	}
}
