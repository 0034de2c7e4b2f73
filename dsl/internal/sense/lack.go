package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// given is a condition about the position that holds, or does not.
type given struct {
	t    id
	want bool
}

// where is what is known where a condition holds, or does not.
func (n *needs) where(e *model.Expr, want bool) *needs {
	if e == nil || !n.asks(e, 0) {
		return n
	}
	inner := *n
	inner.given = append(slices.Clip(n.given), given{n.intern(e, n.terms(), 0), want})
	return &inner
}

// askedBefore says what the conditions before leave open.
func (n *needs) askedBefore() string {
	if len(n.given) == 0 {
		return ", and nothing asks before"
	}
	return ": what is asked before leaves that open"
}

// withoutOne reports whether the pieces of a side can stand so that the conditions before hold and no piece is what a list asks for. It
// knows that only where all of these conditions are about where these pieces stand, or about no position.
func (n *needs) withoutOne(base *model.Expr, where []*model.Expr) bool {
	y := &stand{needs: n, sides: []id{n.intern(base, n.terms(), 0)}}
	if me := n.piecesOf(n.ofCell(model.Player, model.CellMe)); n.r.Mine == nil && !n.r.TurnsByColour && (base.Op == model.OpMine || y.sides[0] == me) {
		y.sides = []id{me, n.add(term{op: model.OpMine, typ: n.solver.terms[me].typ})}
	}
	lacked := id(-1)
	for _, e := range where {
		lacked = y.both(lacked, n.intern(forElement(e, standing), n.terms(), 0))
	}
	y.asked = []id{lacked}
	all := seq.Map(n.given, func(g given) *tree {
		return &tree{op: model.OpEq, args: []*tree{y.tree(g.t)}, low: flagNumber(g.want)}
	})
	if y.failed {
		return false
	}
	for c := range n.r.Clauses() {
		if c.Kind == model.ClauseEnding && len(c.Params) > 0 && c.Params[0] != nil {
			side := y.sides
			y.sides = append(slices.Clip(side), n.piecesOf(n.local(c.Params[0])))
			all = append(all, &tree{op: model.OpNone, args: []*tree{y.tree(n.intern(c.When, nil, 0))}})
			y.sides = side
		}
	}
	return slices.ContainsFunc(n.r.Colours, func(c model.ColourInUse) bool { return y.find(c, all) })
}

// standing is a piece that stands somewhere.
var standing = &model.Local{Name: "q", Type: model.Of(model.Piece)}

// stand looks for places of the pieces of a side.
type stand struct {
	*needs
	sides  []id // the list of its pieces, and other names of it
	asked  []id // what is asked of each piece; the first must hold for none
	failed bool // some condition is about something else
}

// tree is a condition on how many pieces there are that something is asked of, or one made of such conditions.
type tree struct {
	op        model.Op // and, or, not; count; eq and none of what is given and of endings; const where nothing is known
	args      []*tree
	of        int  // of asked
	low, high int  // how many, or what is wanted
	others    bool // of other sides there may be more
}

func (y *stand) both(a, b id) id {
	if a < 0 {
		return b
	}
	return y.flag(model.OpAnd, a, b)
}

// tree makes a tree of a condition.
func (y *stand) tree(t id) *tree {
	x := y.solver.terms[t]
	switch x.op {
	case model.OpAnd, model.OpOr, model.OpNot:
		return &tree{op: x.op, args: seq.Map(x.args, y.tree)}
	case model.OpAll:
		return y.counts(t, x.args[0], y.opposite(x.args[1]), x.n, 0, 0)
	case model.OpNone:
		return y.counts(t, x.args[0], x.args[1], x.n, 0, 0)
	case model.OpAny:
		return y.counts(t, x.args[0], x.args[1], x.n, 1, greatest)
	case model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe:
		l, r := y.solver.terms[x.args[0]], y.solver.terms[x.args[1]]
		if r.op != model.OpConst || len(l.args) == 0 {
			break
		}
		body := id(-1)
		if len(l.args) > 1 {
			body = l.args[1]
		}
		low, high := r.n, r.n
		switch x.op {
		case model.OpLt:
			low, high = 0, r.n-1
		case model.OpLe:
			low = 0
		case model.OpGt:
			low, high = r.n+1, greatest
		case model.OpGe:
			high = greatest
		}
		switch {
		case l.op == model.OpCount:
		case (l.op == model.OpFind || l.op == model.OpFirst || l.op == model.OpLast) && r.n == -1:
			low, high = 0, 0
		default:
			return y.other(t)
		}
		out := y.counts(t, l.args[0], body, l.n, low, high)
		if x.op == model.OpNe {
			out = &tree{op: model.OpNot, args: []*tree{out}}
		}
		return out
	}
	return y.other(t)
}

// counts is the condition that a number of elements of a list have something, all that are asked of if body is negative.
func (y *stand) counts(t, list, body id, depth, low, high int) *tree {
	q, asks := y.local(standing), id(-1)
	if body >= 0 {
		asks = y.with(body, y.elem(list, depth), q)
	}
	for x := y.solver.terms[list]; x.op == model.OpFilter || x.op == model.OpSortBy; x = y.solver.terms[list] {
		if x.op == model.OpFilter {
			asks = y.both(asks, y.with(x.args[1], y.elem(x.args[0], x.n), q))
		}
		list = x.args[0]
	}
	x := y.solver.terms[list]
	all := x.op == model.OpSet && x.set == model.SetPieces
	switch {
	case !all && asks >= 0 && y.ofAnother(x) && !y.asksPosition(asks):
		return &tree{op: model.OpConst}
	case asks < 0 || !all && !slices.Contains(y.sides, list):
		return y.other(t)
	}
	y.asked = append(y.asked, asks)
	others := all && len(y.r.Colours) > 1 && (list != y.sides[0] || y.possible(asks, y.opposite(y.asked[0])))
	return &tree{op: model.OpCount, of: len(y.asked) - 1, low: low, high: high, others: others}
}

// ofAnother reports whether a list is the pieces of another player than the one whose pieces are looked for.
func (y *stand) ofAnother(list term) bool {
	me := y.ofCell(model.Player, model.CellMe)
	owner := func(x term) (id, bool) {
		switch {
		case x.op == model.OpMine:
			return me, y.r.Mine == nil && !y.r.TurnsByColour
		case x.op == model.OpSet && x.set == model.SetPiecesOf:
			return x.args[0], y.solver.terms[x.args[0]].typ.Kind == model.Player
		}
		return 0, false
	}
	a, ok := owner(list)
	b, too := owner(y.solver.terms[y.sides[0]])
	return ok && too && !y.possible(y.equal(a, b))
}

// other is a condition about something else: of the position nothing else may be asked.
func (y *stand) other(t id) *tree {
	y.failed = y.failed || y.asksPosition(t)
	return &tree{op: model.OpConst}
}

// asksPosition reports whether a term is about the position, or what the rules remember of it.
func (y *stand) asksPosition(t id) bool {
	x := y.solver.terms[t]
	asks := false
	switch x.op {
	case unknownOp, model.OpMine:
		return true
	case model.OpVar:
		return !y.countsThrows(x.what.(*model.Var), 0)
	case model.OpLocal:
		return x.typ.Kind == model.Flag
	case model.OpField:
		asks = ofPart(x.field) || (x.field == model.FieldAt || x.field == model.FieldIndex) && y.solver.terms[x.args[0]].op != model.OpLocal
	case model.OpSet:
		asks = slices.Contains(ofPosition, x.set)
	}
	return asks || slices.ContainsFunc(x.args, y.asksPosition)
}

// holds is the domain of a condition where some numbers of pieces are as asked.
func (y *tree) holds(numbers []int) domain {
	switch y.op {
	case model.OpNot, model.OpNone:
		return y.args[0].holds(numbers).reverse().shift(1)
	case model.OpEq:
		return truth(y.args[0].holds(numbers).has(y.low), !y.args[0].holds(numbers).has(y.low))
	case model.OpAnd, model.OpOr:
		a, b := y.args[0].holds(numbers), y.args[1].holds(numbers)
		if y.op == model.OpAnd {
			return span(min(a.lo, b.lo), min(a.hi, b.hi))
		}
		return span(max(a.lo, b.lo), max(a.hi, b.hi))
	case model.OpCount:
		n := numbers[y.of]
		switch {
		case y.others && n > y.high:
			return only(0)
		case y.others && (n < y.low || y.high < greatest): // others may make up for it, or stand there too
			return anyTruth
		}
		return truth(y.low <= n && n <= y.high, n < y.low || y.high < n)
	}
	return anyTruth
}

// find reports whether the pieces of a colour can stand so that all conditions may hold, none of them is what is looked for, and not all
// have come to the end of their track.
func (y *stand) find(c model.ColourInUse, all []*tree) bool {
	type kind struct {
		has  []bool // of asked
		room int
	}
	colour := slices.IndexFunc(y.r.Colours, func(o model.ColourInUse) bool { return o.Board == c.Board })
	kinds, seen := []*kind(nil), map[int]bool{}
	at := y.field(y.local(standing), model.FieldAt)
	add := func(place int, last bool) {
		if seen[place] {
			return
		}
		seen[place] = true
		k := &kind{has: []bool{last}, room: 1}
		if y.r.Board.Places[place].Zone {
			k.room = greatest
		}
		cases := y.at(at, only(place), y.ofColour(standing, colour))
		for i, t := range y.asked {
			yes, no := len(y.assume(t, true, cases)) > 0, len(y.assume(t, false, cases)) > 0
			if yes == no || yes && i == 0 {
				return
			}
			k.has = append(k.has, yes)
		}
		for _, o := range kinds {
			if slices.Equal(o.has, k.has) {
				o.room = min(greatest, o.room+k.room)
				return
			}
		}
		kinds = append(kinds, k)
	}
	for _, node := range y.r.Track.Runs[c.Board].Nodes {
		add(node.Place, len(node.Next) == 0)
	}
	add(y.r.PiecesAt[colour], false)
	tries, pieces := 0, y.r.PieceCount
	if x := y.solver.terms[y.sides[0]]; len(x.args) == 0 || y.solver.terms[x.args[0]].typ.Kind != model.Colour {
		pieces *= len(y.r.Seats[c.Seat].Colours)
	}
	var place func(i, left, ended int, numbers []int) bool
	place = func(i, left, ended int, numbers []int) bool {
		if tries++; tries > maxTries || i == len(kinds) && left > 0 {
			return false
		}
		if left == 0 {
			return ended < pieces && !slices.ContainsFunc(all, func(t *tree) bool { return !t.holds(numbers).has(1) })
		}
		for n := min(left, kinds[i].room); n >= 0; n-- {
			now := slices.Clone(numbers)
			for j := range now {
				if kinds[i].has[j+1] {
					now[j] += n
				}
			}
			end := ended
			if kinds[i].has[0] {
				end += n
			}
			if place(i+1, left-n, end, now) {
				return true
			}
		}
		return false
	}
	return place(0, pieces, 0, make([]int, len(y.asked)))
}

// maxTries is how many ways to place pieces are tried.
const maxTries = 5000
