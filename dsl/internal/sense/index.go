package sense

import (
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// index records an element that its list never has.
func (x *setting) index(e *model.Expr, depth int, known []*facts) {
	if !x.own(e.Span) || len(known) == 0 {
		return
	}
	list, at := x.intern(e.Args[0], nil, depth), x.intern(e.Args[1], nil, depth)
	why := quote(words(e.Args[0].Span)) + " never has an element " + words(e.Args[1].Span) + "; the first is 0"
	for _, f := range known {
		_, high := x.length(list, f)
		if d := x.domain(at, f); d.lo < high && d.hi >= 0 {
			why = ""
		}
	}
	x.warn("bad-index", e.Args[1].Span, why)
	if why != "" && x.harms[e.Args[1].Span] == nil && x.settledLength(list) {
		x.harm("bad-index", e.Args[1].Span, quote(words(e.Args[0].Span))+" has no element "+words(e.Args[1].Span)+x.inSetting(x.hangsOnPlayers(list))+"; the first is 0",
			"ask first: len("+words(e.Args[0].Span)+") > "+words(e.Args[1].Span))
	}
	x.bounded(e, list, depth, known)
	x.thrownPast(e, list, at, known)
	x.firstSpared(e, depth, known)
	if i := e.Args[1]; i.Op == model.OpConst && why == "" {
		for _, f := range known {
			if low, high, asked := x.askedLength(list, f); asked && low > 0 && low <= i.Int && i.Int < high {
				x.harm("bad-index", i.Span, quote(words(e.Args[0].Span))+" may have no element "+words(i.Span)+": that it has "+strconv.Itoa(low)+" or more is all that is asked", "the first element is 0")
			}
		}
	}
}

// firstSpared records the first element of the list of a let that is taken in one place, by an index that is never 0. One that is 0 or nil, or
// like the next one, may fill a place.
func (x *setting) firstSpared(e *model.Expr, depth int, known []*facts) {
	l := e.Args[0].Let
	if e.Args[0].Op != model.OpCall || len(l.Params) > 0 || l.Body.Op != model.OpList || len(l.Body.Args) < 2 || !x.own(l.Body.Span) || len(known) == 0 {
		return
	}
	uses := 0
	x.r.Exprs(func(o *model.Expr) {
		if o.Op == model.OpCall && o.Let == l {
			uses++
		}
	})
	first, next := l.Body.Args[0], l.Body.Args[1]
	spared := uses == 1 && first.Op == model.OpConst && first.Int > 0 && next.Op == model.OpConst && next.Int != first.Int
	at := x.intern(e.Args[1], nil, depth)
	zero := func(f *facts) bool { return x.domain(at, f).lo < 1 }
	x.foundOf(spared && !slices.ContainsFunc(known, zero), "first", "bad-index", first.Span, "this is never taken: %s is at least 1, and the first element is 0", said{e.Args[1]})
}

// settledLength reports whether the setting alone decides how long a list is.
func (x *setting) settledLength(list id) bool {
	y := x.terms[list]
	switch {
	case y.op == model.OpMap || y.op == model.OpSortBy:
		return x.settledLength(y.args[0])
	case y.op == model.OpFilter && len(x.r.Colours) == 1 && x.r.Owner == nil: // of rivals that there are not
		_, high := x.length(list, nil)
		return high == 0
	case y.typ.Kind == model.Piece && x.r.Owner != nil:
		return false
	case y.op == model.OpSet && y.set == model.SetPiecesOf:
		return x.terms[y.args[0]].typ.Kind != model.Place
	case y.op == model.OpSet:
		return y.set >= model.SetColoursOf && y.set <= model.SetSquares || y.set == model.SetAfter // who has lost makes it only shorter
	}
	return y.op == model.OpMine || y.op == model.OpList
}

// hangsOnPlayers reports whether the number of players decides how long a list is.
func (x *setting) hangsOnPlayers(list id) bool {
	y := x.terms[list]
	of := model.Player // whose pieces
	switch {
	case y.op == model.OpSet && y.set == model.SetTrackOf:
		return false
	case y.op == model.OpSet && y.set == model.SetPiecesOf:
		of = x.terms[y.args[0]].typ.Kind
	case y.op != model.OpMine:
		return true
	}
	several := func(seat model.Seat) bool { return len(seat.Colours) > 1 }
	return of != model.Colour && (of != model.Player || slices.ContainsFunc(x.r.Seats, several))
}

// bounded records an index that a least of two keeps in its bounds, and does not: the bound itself is past the last element.
func (x *setting) bounded(e *model.Expr, list id, depth int, known []*facts) {
	at := e.Args[1]
	length := x.count(list)
	one := func(a *model.Expr) bool {
		t := x.intern(a, nil, depth)
		_, one := x.domain(t, nil).single()
		return one || t == length
	}
	if at.Op != model.OpMin || !slices.ContainsFunc(at.Args, one) {
		return
	}
	for _, f := range known {
		_, high := x.length(list, f)
		if d := x.domain(x.intern(at, nil, depth), f); d.hi >= high && high > 0 && d.hi < greatest {
			x.harm("bad-index", at.Span, quote(words(at.Span))+" can be "+strconv.Itoa(d.hi)+", and the last element of "+quote(words(e.Args[0].Span))+" is "+strconv.Itoa(high-1), "the first element is 0")
			return
		}
	}
}

// thrownPast records an index that a die shows, of a list that is too short for its greatest number, where nothing asks about the die before.
func (x *setting) thrownPast(e *model.Expr, list, at id, known []*facts) {
	shown := func(a *model.Expr) bool {
		return slices.Contains([]model.Op{model.OpDie, model.OpConst, model.OpAdd, model.OpSub}, a.Op)
	}
	if _, one := x.domain(at, nil).single(); one || seq.Any(e.Args[1].All(), func(a *model.Expr) bool { return !shown(a) }) || !x.settledLength(list) {
		return
	}
	for _, f := range known {
		for ; f != nil; f = f.before {
			if seq.Any(e.Args[1].All(), func(a *model.Expr) bool { return a.Op == model.OpDie && x.contains(f.term, x.intern(a, nil, 0)) }) {
				return
			}
		}
	}
	_, high := x.length(list, nil)
	if most := x.domain(at, nil).hi; most >= high && high > 0 {
		x.harm("bad-index", e.Args[1].Span, quote(words(e.Args[1].Span))+" can be "+strconv.Itoa(most)+", and the last element of "+quote(words(e.Args[0].Span))+
			" is "+strconv.Itoa(high-1)+x.inSetting(x.hangsOnPlayers(list)), "the first element is 0")
	}
}

// oneTooFar records a comparison that lets the index of a place on from a piece be the length of its track: the last place is one before.
func (x *setting) oneTooFar(e *model.Expr) {
	if !x.own(e.Span) {
		return
	}
	on, length := 0, 1
	if e.Op == model.OpGe || e.Op == model.OpLt {
		on, length = 1, 0
	} else if e.Op != model.OpLe && e.Op != model.OpGt {
		return
	}
	ahead, all := e.Args[on], e.Args[length]
	x.foundOf(ahead.Op == model.OpAdd && ahead.Has(isIndex) && all.Op == model.OpCount && len(all.Args) == 1 && all.Args[0].Op == model.OpSet && all.Args[0].Set == model.SetTrackOf,
		"too far", "bad-index", e.Span, "with %s the place %s is past the end: the first is 0", quote(words(ahead.Span)+" == "+words(all.Span)), words(ahead.Span))
}

func isIndex(e *model.Expr) bool { return e.Op == model.OpField && e.Field == model.FieldIndex }

// pastEnd records an element that a list never has in the first or the last pass of a loop over numbers, whose statements all are done.
func (w *walk) pastEnd(s *model.Stmt, known []*facts) {
	if s.Value.Op != model.OpRange || s.Local == nil || !w.own(s.Span) || len(known) == 0 {
		return
	}
	numbers := w.intern(s.Value, nil, 0)
	low, high := w.domain(w.terms[numbers].args[0], nil), w.domain(w.terms[numbers].args[1], nil)
	if low.lo != low.hi || high.lo != high.hi || low.lo > high.lo {
		return
	}
	look := func(e *model.Expr) bool {
		if e.Op != model.OpIndex || !mentions(e.Args[1], s.Local) {
			return !e.OverElements() && e.Op != model.OpAnd && e.Op != model.OpOr && e.Op != model.OpIf
		}
		for _, n := range []int{low.lo, high.lo} {
			for _, f := range w.assume(w.equal(w.local(s.Local), w.number(n)), true, w.open()) {
				_, most := w.length(w.intern(e.Args[0], nil, 0), f)
				if at := w.domain(w.intern(e.Args[1], nil, 0), f); at.lo >= most || at.hi < 0 {
					w.harm("bad-index", e.Args[1].Span, quote(words(e.Args[0].Span))+" has no element "+strconv.Itoa(at.lo)+", to which "+quote(s.Local.Name)+" leads; the first is 0", "go through all of them: for q in "+words(e.Args[0].Span))
				}
			}
		}
		return true
	}
	for _, t := range s.Then.Stmts {
		for _, e := range t.Reads() {
			e.Walk(look)
		}
		switch t.Kind {
		case model.StmtAssign, model.StmtEarn, model.StmtPut, model.StmtExchange, model.StmtGive:
		default:
			return // what follows may not be done
		}
	}
}

// maxIndexed is of how many places the indexes are looked up.
const maxIndexed = 128

// indexes is the domain of the indexes of places on the tracks.
func (s *solver) indexes(places domain) domain {
	if s.indexesOf == nil {
		s.indexesOf = make([][]int, len(s.r.Board.Places))
		for n := range s.r.Nodes() {
			if of := &s.indexesOf[n.Place]; !slices.Contains(*of, n.Index) {
				*of = append(*of, n.Index)
			}
		}
	}
	for _, known := range s.indexed {
		if known[0].equal(places) {
			return known[1]
		}
	}
	out := []int{-1} // it may stand there off its track
	for v := max(places.lo, 0); v <= places.hi; v++ {
		if places.has(v) {
			out = append(out, s.indexesOf[v]...)
		}
	}
	s.indexed = append(s.indexed, [2]domain{places, listed(out...)})
	return s.indexed[len(s.indexed)-1][1]
}
