package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// domain is the domain of a term, given facts.
func (s *solver) domain(t id, f *facts) domain {
	if d, ok := f.of(t); ok {
		return d
	}
	x := &s.terms[t]
	if f == nil || x.typ == model.Of(model.Flag) && len(x.args) > 0 && x.op != model.OpVar {
		return s.base(t) // facts about parts of a condition decide it when it is assumed
	}
	return s.work(*x, f)
}

// moment is when conditions are asked, and the domains of terms then, without facts.
type moment struct {
	before bool
	phase  phase
	steps  domain
	throws domain
	pages  []*page
}

// page has the domains of terms with numbers that follow one another. Few are asked in one moment: pages of the others are nil.
type page [16]base

// base is what is known of a term, nil if its page is.
func (m *moment) base(t id) *base {
	i, j := int(t)/len(page{}), int(t)%len(page{})
	if i >= len(m.pages) || m.pages[i] == nil {
		return nil
	}
	return &m.pages[i][j]
}

func (m *moment) know(t id, b base) {
	i, j := int(t)/len(page{}), int(t)%len(page{})
	for len(m.pages) <= i {
		m.pages = append(m.pages, nil)
	}
	if m.pages[i] == nil {
		m.pages[i] = &page{}
	}
	m.pages[i][j] = b
}

// phase is what the game is doing when a condition is asked.
type phase uint8

const (
	anyTime  phase = iota // it may be over, too
	running               // it is not over
	counting              // nor is it over, and a number is being counted
)

// base is the domain of a term without facts.
type base struct {
	is    domain
	known bool
	deep  int // how deep in conditions on elements it is good for: 0 if none was left out
}

// base is the domain of a term without facts.
func (s *solver) base(t id) domain {
	m := s.now
	if b := m.base(t); b != nil && b.known && b.deep <= s.deep {
		s.cut = s.cut || b.deep > 0
		return b.is
	}
	cut := s.cut
	s.cut = false
	b := base{is: s.work(s.terms[t], nil), known: true}
	if s.cut {
		b.deep = s.deep
	}
	s.cut = s.cut || cut
	if m == s.now {
		m.know(t, b)
	}
	return b.is
}

// recall goes on with what is known of the moment at which conditions are asked now.
func (s *solver) recall() {
	throws := s.vars[s.r.Throws]
	for _, m := range s.moments {
		if m.before == s.before && m.phase == s.phase && m.steps.equal(s.steps) && m.throws.equal(throws) {
			s.now = m
			return
		}
	}
	s.now = &moment{before: s.before, phase: s.phase, steps: s.steps, throws: throws}
	s.moments = append(s.moments, s.now)
}

// name sets the domain of the values that a name can have.
func (s *solver) name(l *model.Local, d domain) {
	if was, ok := s.locals[l]; ok && was.equal(d) {
		return
	}
	s.locals[l] = d
	t := s.local(l)
	if slices.ContainsFunc(s.moments, func(m *moment) bool { b := m.base(t); return b != nil && b.known }) {
		s.forget()
	}
}

// work computes the domain of a term from those of its parts.
func (s *solver) work(x term, f *facts) domain {
	of := func(i int) domain { return s.domain(x.args[i], f) }
	switch x.op {
	case model.OpConst:
		return only(x.n)
	case model.OpLocal:
		if to, ok := s.arrive[x.what.(*model.Local)]; ok {
			return s.domain(to, f)
		}
		if d, ok := s.locals[x.what.(*model.Local)]; ok {
			return d
		}
	case model.OpDie:
		return s.faces(x.what.(*model.Die), f)
	case model.OpVar:
		return s.vars[x.what.(*model.Var)]
	case model.OpCell:
		return s.cell(x.cell)
	case model.OpField:
		return s.fieldDomain(x, f)
	case model.OpAttr:
		return s.image(of(0), s.r.Board.Attributes[x.n].Values)
	case model.OpMark:
		values := s.r.Board.Landmarks[x.n].Values
		return s.image(of(0), seq.Map(s.r.Colours, func(c model.ColourInUse) int { return values[c.Board] }))
	case model.OpCount:
		list := x.args[0]
		if len(x.args) > 1 {
			list = s.filter(x)
		}
		return span(s.length(list, f))
	case model.OpFirst, model.OpLast, model.OpFind, model.OpIndex:
		if all := s.terms[x.args[0]]; x.op == model.OpIndex && all.op == model.OpList {
			if n, one := of(1).single(); one && n >= 0 && n < len(all.args) {
				return s.domain(all.args[n], f)
			}
		}
		d := s.ofKind(x.typ.Kind)
		if list, ok := s.elements(x.args[0], f); ok {
			d = list.all
			low, high := s.length(x.args[0], f)
			if x.op != model.OpIndex && (low == 0 || x.op == model.OpFind) {
				d = d.join(only(-1))
			}
			if x.op != model.OpIndex && high == 0 {
				d = only(-1)
			}
		}
		return d
	case model.OpAdd, model.OpSub, model.OpMul:
		if x.op == model.OpSub && x.args[0] == x.args[1] {
			return only(0)
		}
		return combine(x.op, of(0), of(1))
	case model.OpMod:
		a, b := of(0), of(1)
		if n, one := b.single(); one && n != 0 {
			if a.size() <= 64 {
				return combine(x.op, a, b)
			}
			n = max(n, -n)
			if a.lo >= 0 {
				return span(0, min(a.hi, n-1))
			}
			return span(1-n, n-1)
		}
	case model.OpNeg:
		return of(0).reverse()
	case model.OpAbs:
		d := of(0)
		if d.lo >= 0 {
			return d
		}
		return span(0, max(d.hi, -d.lo)).keep(func(v int) bool { return d.has(v) || d.has(-v) })
	case model.OpMin, model.OpMax:
		return s.extreme(x, f)
	case model.OpSum:
		return s.sum(x, f)
	case model.OpInt:
		if y := s.terms[x.args[0]]; y.op == model.OpDiv {
			if n, one := s.domain(y.args[1], f).single(); one && n != 0 {
				return combine(y.op, s.domain(y.args[0], f), only(n))
			}
		}
	case model.OpIf:
		if f == nil && s.coarse {
			return of(1).join(of(2))
		}
		d := nothing
		for i, want := range []bool{true, false} {
			for _, g := range s.assume(x.args[0], want, []*facts{f}) {
				d = d.join(s.domain(x.args[1+i], g))
			}
		}
		return d
	case model.OpCoalesce:
		if d := of(0); d.has(-1) {
			return d.without(-1).join(of(1))
		}
		return of(0)
	case model.OpAll, model.OpNone, model.OpAny:
		return s.overElements(x, f)
	case model.OpNot:
		return of(0).reverse().shift(1) // 1 - v
	case model.OpAnd, model.OpOr:
		settles := flagNumber(x.op == model.OpOr) // the value of one side that settles the whole
		a, b := of(0), of(1)
		switch {
		case a.equal(only(settles)) || b.equal(only(settles)):
			return only(settles)
		case a.equal(only(1-settles)) && b.equal(only(1-settles)):
			return only(1 - settles)
		}
	case model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe:
		_, yes := s.compare(x.op, x.args[0], x.args[1], f)
		_, no := s.compare(negated[x.op], x.args[0], x.args[1], f)
		return truth(yes, no)
	case model.OpIn:
		if list, ok := s.elements(x.args[1], f); ok {
			d := of(0)
			return truth(!d.meet(list.all).empty(), !list.sure || !d.meet(list.all).equal(d))
		}
	case model.OpTag, model.OpFamily:
		return s.flagOver(&x, of(0))
	}
	return s.ofKind(x.typ.Kind)
}

// joined is the domain of a term in all cases together.
func (s *solver) joined(t id, cases []*facts) domain {
	d := nothing
	for _, f := range cases {
		d = d.join(s.domain(t, f))
	}
	return d
}

// truth is the domain of a condition that can be true, or false.
func truth(yes, no bool) domain {
	switch {
	case yes == no: // if neither can be, it is never asked
		return anyTruth
	case yes:
		return only(1)
	}
	return only(0)
}

// ofKind is the domain of all values of a kind.
func (s *solver) ofKind(k model.Kind) domain {
	switch k {
	case model.Flag:
		return anyTruth
	case model.Place:
		return span(-1, len(s.r.Board.Places)-1)
	case model.Piece:
		return span(-1, len(s.r.Colours)*s.r.PieceCount-1)
	case model.Colour:
		return span(-1, len(s.r.Colours)-1)
	case model.Player:
		return span(-1, len(s.r.Seats)-1)
	case model.Team:
		return span(-1, len(s.r.Teams)-1)
	}
	return span(least, greatest)
}

// something is the domain of all values of a kind except nil.
func (s *solver) something(k model.Kind) domain {
	d := s.ofKind(k)
	if k.Ref() {
		return d.without(-1)
	}
	return d
}

// assigned is what a number can be after an assignment.
func assigned(how model.AssignOp, was, d domain) domain {
	switch how {
	case model.AssignAdd:
		return combine(model.OpAdd, was, d)
	case model.AssignSub:
		return combine(model.OpSub, was, d)
	}
	return d
}

// combine is interval arithmetic; on small domains it is exact. The second domain of a division is one number, which is not 0.
func combine(op model.Op, a, b domain) domain {
	if a.empty() || b.empty() {
		return nothing
	}
	f := func(a, b int) int { v, _ := model.Compute(op, a, b); return v }
	const few = 64
	if a.size() > few || b.size() > few {
		corners := [4]int{f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)}
		return span(slices.Min(corners[:]), slices.Max(corners[:])).whole()
	}
	values := make([]int, 0, few)
	for v := range a.all {
		for w := range b.all {
			values = append(values, f(v, w))
		}
	}
	return listed(values...).whole()
}

// sum is the domain of the sum over a list.
func (s *solver) sum(x term, f *facts) domain {
	low, high := s.length(x.args[0], f)
	each := span(least, greatest)
	if len(x.args) > 1 {
		each = s.domain(x.args[1], f)
	} else if list, ok := s.elements(x.args[0], f); ok {
		each = list.all
	}
	switch {
	case high == 0:
		return only(0)
	case each.empty() || high == greatest:
		return span(least, greatest)
	}
	return span(min(low*each.lo, high*each.lo), max(low*each.hi, high*each.hi)).whole()
}

func (s *solver) extreme(x term, f *facts) domain {
	if len(x.args) == 1 {
		if l, ok := s.elements(x.args[0], f); ok && !l.all.empty() {
			return span(l.all.lo, l.all.hi)
		}
		return span(least, greatest)
	}
	out := s.domain(x.args[0], f)
	for _, a := range x.args[1:] {
		d := s.domain(a, f)
		if x.op == model.OpMin {
			out = span(min(out.lo, d.lo), min(out.hi, d.hi)).meet(out.join(d))
		} else {
			out = span(max(out.lo, d.lo), max(out.hi, d.hi)).meet(out.join(d))
		}
	}
	return out
}

// faces is the domain of a die.
func (s *solver) faces(d *model.Die, f *facts) domain {
	out := nothing
	switch {
	case d.Kind != model.DieChoice:
		out = listed(seq.Map(d.Faces, func(f model.Face) int { return f.Value })...)
	case d.Choice != nil:
		out = s.ofKind(model.Number)
		if list, ok := s.elements(s.intern(d.Choice, nil, 0), f); ok {
			out = list.all
		}
	}
	if out.empty() {
		return s.ofKind(model.Number) // its declaration has a fault
	}
	if s.before || s.late[d] {
		out = out.join(only(0))
	}
	return out
}

func (s *solver) cell(c model.Cell) domain {
	switch c {
	case model.CellMe:
		return s.something(model.Player)
	case model.CellSteps:
		return s.steps
	case model.CellHeading:
		if s.did != nil && !s.did.back {
			return only(1)
		}
		return listed(-1, 1)
	case model.CellEarned:
		if s.did != nil && !s.did.earns {
			return only(0)
		}
		return anyTruth
	case model.CellThrown:
		return anyTruth
	case model.CellRemaining:
		return span(0, max(0, s.steps.hi-1, -s.steps.lo-1))
	case model.CellHere:
		return s.something(model.Place)
	case model.CellUsable:
		if s.did != nil && !s.did.most {
			return only(0)
		}
		return span(0, s.mostUsable())
	}
	return span(least, greatest)
}

const maxUsable = 16

// mostUsable is how many numbers of a play can be used at most.
func (s *solver) mostUsable() int {
	most := 0
	for x := range s.r.Turn.All() {
		if x.Kind != model.StmtPlay || !x.Play.LooksAhead() {
			continue
		}
		for _, e := range append([]*model.Expr{x.Value}, x.Args...) {
			if x.Target == nil && e != nil && e.Type.List {
				most = max(most, min(s.longest(s.intern(e, nil, 0), []*facts{nil}), maxUsable))
			} else {
				most = maxUsable
			}
		}
	}
	return most
}

func (s *solver) fieldDomain(x term, f *facts) domain {
	owner := s.domain(x.args[0], f)
	out := s.something(x.typ.Kind)
	switch x.field {
	case model.FieldAt:
		if s.start {
			return s.begins()
		}
		if !s.reached.empty() {
			out = s.reached
		}
	case model.FieldIndex:
		out = span(-1, s.lastIndex())
		if s.start {
			out = s.firstIndex()
		}
		if at, asked := s.knownField(x.args[0], model.FieldAt); asked {
			if places, known := f.of(at); known && places.size() <= maxIndexed {
				out = out.meet(s.indexes(places))
			}
		}
	case model.FieldPlaying:
		if s.start || s.did != nil && !s.did.ranks && !s.did.drops {
			out = only(1)
		}
	case model.FieldRanked:
		if s.start || s.did != nil && !s.did.ranks {
			out = only(0)
		}
	case model.FieldWon:
		if s.phase != anyTime {
			out = only(0)
		}
	case model.FieldSeat:
		out = span(0, len(s.r.Seats)-1)
	case model.FieldColour, model.FieldPlayer, model.FieldTeam:
		return s.sideOf(s.terms[x.args[0]].typ.Kind, x.field, owner)
	case model.FieldTo:
		out = s.ofKind(model.Place)
	case model.FieldSteps:
		out = s.steps
	case model.FieldMove:
		out = span(0, len(s.r.Moves)-1)
	case model.FieldSquare:
		return s.flagOver(&x, owner)
	}
	if owner.has(-1) && x.typ.Kind.Ref() {
		out = out.join(only(-1))
	}
	return out
}

// sideOf is the domain of the colour, player or team of some pieces, colours or players.
func (s *solver) sideOf(k model.Kind, field model.Field, owners domain) domain {
	key := sideKey{k, field}
	side, known := s.sides[key]
	switch {
	case known && owners.equal(side.all):
		return side.ofAll
	case known && owners.lo == owners.hi && owners.lo >= 0:
		return only(side.table[owners.lo])
	case known:
		return s.image(owners, side.table)
	}
	var table []int
	n := s.something(k).size()
	for v := range n {
		colour, seat := v, v
		if k == model.Piece {
			colour = v / s.r.PieceCount
		}
		if k != model.Player {
			seat = s.r.Colours[colour].Seat
		}
		switch field {
		case model.FieldColour:
			table = append(table, colour)
		case model.FieldPlayer:
			table = append(table, seat)
		case model.FieldTeam:
			table = append(table, s.r.Seats[seat].Team)
		}
	}
	side = &sideTable{table: table, all: span(0, n-1)}
	side.ofAll = s.image(side.all, table)
	s.sides[key] = side
	return s.image(owners, table)
}

// sideTable is the side of each owner.
type sideTable struct {
	table      []int
	all, ofAll domain // every owner, and their sides
}

// sideKey is a field of a kind of thing.
type sideKey struct {
	of    model.Kind
	field model.Field
}

// flagOver is the domain of a flag of the board over some places.
func (s *solver) flagOver(x *term, places domain) domain {
	yes, ok := s.flagged(x, true)
	if !ok || places.empty() {
		return anyTruth
	}
	return truth(places.meets(yes), !places.meet(yes).equal(places))
}

// image maps a domain through a table.
func (s *solver) image(d domain, table []int) domain {
	var buf [64]int
	out := buf[:0]
	for v := max(d.lo, 0); v <= d.hi && v < len(table); v++ {
		if d.has(v) {
			out = append(out, table[v])
		}
	}
	if d.has(-1) {
		out = append(out, -1)
	}
	return listed(out...)
}

// lastIndex is the highest index a piece can have on its track.
func (s *solver) lastIndex() int { return s.indexes(s.ofKind(model.Place)).hi }

// begins is the domain of the place where a piece begins.
func (s *solver) begins() domain { return listed(s.r.PiecesAt...) }

// firstIndex is the domain of the index of a piece where it begins.
func (s *solver) firstIndex() domain {
	out := nothing
	for i, c := range s.r.Colours {
		at := only(-1)
		for _, n := range s.r.Track.Runs[c.Board].Nodes {
			if n.Place == s.r.PiecesAt[i] {
				at = only(n.Index)
				break
			}
		}
		out = out.join(at)
	}
	return out
}

// maxRounds limits the iterations to a fixpoint of the domains of variables. A variable that still grows after them
// gets the rest of its range on the side where it grows.
const maxRounds = 6

// forget drops the cached domains after their inputs have changed.
func (s *solver) forget() {
	s.moments = nil
	s.recall()
}
