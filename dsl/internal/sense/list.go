package sense

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// list is the domain of the elements of a list; sure means that every value of the domain is an element.
type list struct {
	all  domain
	sure bool
}

// elements is the domain of the elements of a list; ok is false if nothing is known.
func (s *solver) elements(t id, f *facts) (l list, ok bool) {
	x := s.terms[t]
	switch x.op {
	case model.OpList:
		l = list{nothing, true}
		for _, a := range x.args {
			d := s.domain(a, f)
			l.all = l.all.join(d)
			l.sure = l.sure && d.lo == d.hi
		}
		return l, true
	case model.OpRange:
		a, b := s.domain(x.args[0], f), s.domain(x.args[1], f)
		return list{span(a.lo, b.hi), a.lo == a.hi && b.lo == b.hi}, true
	case model.OpFilter, model.OpSortBy:
		l, ok = s.elements(x.args[0], f)
		l.sure = l.sure && x.op == model.OpSortBy
		return l, ok
	case model.OpMap:
		if body := s.terms[x.args[1]]; body.typ.Kind != model.Flag {
			return list{all: s.domain(x.args[1], f)}, true
		}
	case model.OpMine:
		return list{all: s.something(model.Piece)}, true
	case model.OpSet:
		switch x.set {
		case model.SetVar, model.SetCopies:
			return list{all: s.putInto(x.what.(*model.Var))}, true
		case model.SetOffered:
			return list{}, false
		}
		return list{s.something(x.typ.Kind), slices.Contains(wholeSets, x.set)}, true
	}
	return list{}, false
}

// putInto is the domain of what statements put into a set or bag, all values of its type where none does: another finding says so.
func (s *solver) putInto(v *model.Var) domain {
	full := s.something(v.Type.Kind)
	if v.Type.Kind == model.Number {
		full = span(v.Low, v.High)
	}
	if d := s.vars[v].meet(full); !d.empty() {
		return d
	}
	return full
}

// length is the interval of a list's length.
func (s *solver) length(t id, f *facts) (low, high int) {
	low, high = s.lengthOf(t, f)
	if l, h, asked := s.askedLength(t, f); asked {
		return max(low, l), min(high, h)
	}
	return low, high
}

// askedLength is what a condition says of the length of a list; ok is false where none does.
func (s *solver) askedLength(list id, f *facts) (low, high int, ok bool) {
	for ; f != nil; f = f.before {
		if y := &s.terms[f.term]; y.op == model.OpCount && len(y.args) == 1 && y.args[0] == list {
			return f.is.lo, f.is.hi, true
		}
	}
	return 0, 0, false
}

func (s *solver) lengthOf(t id, f *facts) (low, high int) {
	x := s.terms[t]
	r := s.r
	switch x.op {
	case model.OpList:
		return len(x.args), len(x.args)
	case model.OpRange:
		a, b := s.domain(x.args[0], f), s.domain(x.args[1], f)
		return max(0, b.lo-a.hi+1), max(0, b.hi-a.lo+1)
	case model.OpFilter:
		_, high = s.length(x.args[0], f)
		high = min(high, s.ofSide(x, f), s.ofValue(x))
		each, some, fails := s.ofEach(x, f)
		switch {
		case !each.has(1):
			return 0, 0
		case some:
			low = 1
		}
		if fails && high < greatest { // one that is in the list is left out
			high = max(low, high-1)
		}
		return low, high
	case model.OpMap, model.OpSortBy:
		return s.length(x.args[0], f)
	case model.OpMine:
		if r.TurnsByColour {
			return r.PieceCount, r.PieceCount
		}
		return s.numberOfPieces(model.Player, s.something(model.Player))
	case model.OpSet:
		switch x.set {
		case model.SetVar:
			if x.what == any(r.Carried) && !slices.ContainsFunc(r.Moves, func(m *model.Move) bool { return m.Carrying != nil }) {
				return 0, 0
			}
			v := x.what.(*model.Var)
			if high = s.putInto(v).size(); v.Bag {
				x.set = model.SetCopies
				least, most := s.length(s.add(x, x.args...), f)
				low, high = min(least, 1), min(most, high)
			}
			return low, min(high, s.mostIn(v))
		case model.SetCopies:
			return 0, s.mostIn(x.what.(*model.Var))
		case model.SetPieces, model.SetColours, model.SetPlayers, model.SetTeams:
			all := s.something(x.typ.Kind).size()
			return all, all
		case model.SetOffered:
			return 1, greatest // the option that is carried out
		case model.SetSquares:
			n := 0
			for _, p := range r.Board.Places {
				n += flagNumber(!p.Zone)
			}
			return n, n
		case model.SetPiecesOf:
			return s.numberOfPieces(s.terms[x.args[0]].typ.Kind, s.domain(x.args[0], f))
		case model.SetTrackOf:
			return 0, seq.Most(r.Colours, func(c model.ColourInUse) int { return len(r.Track.Runs[c.Board].Nodes) })
		case model.SetColoursOf:
			low, high = s.numberOfPieces(s.terms[x.args[0]].typ.Kind, s.domain(x.args[0], f))
			return low / max(1, r.PieceCount), high / max(1, r.PieceCount)
		case model.SetHand:
			return 0, len(r.Colours)
		case model.SetAfter: // all but one
			return 0, s.something(x.typ.Kind).size() - 1
		case model.SetPlayersOf:
			return 0, len(r.Seats)
		}
	}
	return 0, greatest
}

// longest is how long a list can be at most in some cases.
func (s *solver) longest(list id, cases []*facts) int {
	return seq.Most(cases, func(f *facts) int { _, high := s.length(list, f); return high })
}

// ofValue is how many elements a filter leaves at most of a list that has none twice: one, where it asks which is the same as something.
func (s *solver) ofValue(x term) int {
	if s.terms[x.args[0]].op != model.OpSet || s.terms[x.args[0]].set == model.SetCopies {
		return greatest
	}
	elem := s.elem(x.args[0], x.n)
	for _, t := range s.conjuncts(x.args[1]) {
		y := s.terms[t]
		if y.op == model.OpEq && (y.args[0] == elem && !s.contains(y.args[1], elem) || y.args[1] == elem && !s.contains(y.args[0], elem)) {
			return 1
		}
	}
	return greatest
}

// conjuncts are the conditions that && joins.
func (s *solver) conjuncts(t id) []id {
	if y := s.terms[t]; y.op == model.OpAnd {
		return append(s.conjuncts(y.args[0]), s.conjuncts(y.args[1])...)
	}
	return []id{t}
}

// ofSide is how many pieces a filter leaves at most, where it asks for those of one colour, player or team.
func (s *solver) ofSide(x term, f *facts) int {
	base := s.terms[x.args[0]]
	if s.r.Owner != nil || base.op != model.OpSet || base.set != model.SetPiecesOf || s.terms[base.args[0]].typ.Kind != model.Place {
		return greatest
	}
	most, elem := greatest, s.elem(x.args[0], x.n)
	for _, t := range s.conjuncts(x.args[1]) {
		y := s.terms[t]
		if y.op != model.OpEq || !s.terms[y.args[0]].typ.Kind.Ref() {
			continue
		}
		for i, a := range y.args {
			side, other := s.terms[a], s.terms[y.args[1-i]]
			if side.op != model.OpField || side.args[0] != elem || sideFields[side.typ.Kind] != side.field {
				continue
			}
			_, n := s.numberOfPieces(side.typ.Kind, s.domain(y.args[1-i], f))
			if other.op == model.OpField && other.field == side.field {
				if d, known := f.of(s.in(other.args[0], x.args[0])); known && d.hi == 0 { // one of them is elsewhere
					n--
				}
			}
			most = min(most, n)
		}
	}
	return most
}

// numberOfPieces is the interval of the number of pieces of an owner or on a place.
func (s *solver) numberOfPieces(k model.Kind, owners domain) (low, high int) {
	r := s.r
	all := len(r.Colours) * r.PieceCount
	if k == model.Place && s.start && !owners.empty() {
		here, sure := 0, 0 // pieces that begin on a place that may be meant, and on the one that is
		v, one := owners.single()
		for _, at := range r.PiecesAt {
			if owners.has(at) {
				here += r.PieceCount
			}
			if one && v == at {
				sure += r.PieceCount
			}
		}
		return sure, here
	}
	if k == model.Place && !s.reached.empty() && !owners.empty() && !owners.meets(s.reached) {
		return 0, 0
	}
	if k == model.Place || owners.empty() {
		return 0, all
	}
	low = all
	for v := range owners.all {
		colours := 0
		switch {
		case v < 0:
		case k == model.Colour:
			colours = 1
		case k == model.Player:
			colours = len(r.Seats[v].Colours)
		case k == model.Team:
			for _, seat := range r.Teams[v] {
				colours += len(r.Seats[seat].Colours)
			}
		}
		low, high = min(low, colours*r.PieceCount), max(high, colours*r.PieceCount)
	}
	return low, high
}

// elem is the element of a predicate around which depth - 1 others stand.
func (s *solver) elem(list id, depth int) id {
	return s.add(term{op: model.OpElem, typ: s.terms[list].typ.Elem(), n: depth})
}

// overElements is the domain of a condition on all elements of a list.
func (s *solver) overElements(x term, f *facts) domain {
	low, high := s.length(x.args[0], f)
	each, holds, fails := anyTruth, false, false // what the condition can be for an element; whether it surely is for one
	if len(x.args) > 1 {
		each, holds, fails = s.ofEach(x, f)
	}
	always, never := !each.has(0), !each.has(1)
	none, any := (!always || low == 0) && !holds, !never && high > 0
	switch x.op {
	case model.OpAll:
		return truth((!never || low == 0) && !fails, !always && high > 0)
	case model.OpAny:
		return truth(any, none)
	}
	return truth(none, any)
}

// maxDeep is how deep conditions on elements are looked into: each level takes the work of the next several times.
const maxDeep = 2

// ofEach is the domain of a condition on the elements of a list, and whether it surely holds, or surely fails, for one that is
// known to be in the list.
func (s *solver) ofEach(x term, f *facts) (each domain, holds, fails bool) {
	list, body := x.args[0], x.args[1]
	if s.coarse || s.deep >= maxDeep || s.filters(list) > maxFilters {
		s.cut = s.cut || s.deep >= maxDeep
		return s.domain(body, f), false, false
	}
	s.deep++
	defer func() { s.deep-- }()
	elem := s.elem(list, x.n)
	members := s.members(list, f)
	y := s.terms[list]
	if y.op == model.OpSet && y.set == model.SetPiecesOf { // a piece is one of those of its side, but in the hand none of those on its place
		if side := s.terms[y.args[0]]; side.typ.Kind != model.Place && side.op == model.OpField && sideFields[side.typ.Kind] == side.field && s.terms[side.args[0]].typ == model.Of(model.Piece) {
			members = append(members, side.args[0])
		}
	}
	if y.op == model.OpSet && slices.Contains(wholeSets, y.set) {
		members = append(members, s.things(body, y.typ.Kind)...)
	}
	for _, m := range members {
		of := s.with(body, elem, m)
		holds = holds || s.implied(of, f)
		fails = fails || len(s.assume(of, true, []*facts{f})) == 0
	}
	if _, high := s.length(list, f); high == 1 && (holds || fails) {
		return truth(holds, fails), holds, fails
	}
	cases := s.ofElement(list, elem, []*facts{f})
	return truth(len(s.assume(body, true, cases)) > 0, len(s.assume(body, false, cases)) > 0), holds, fails
}

// maxFilters is how many filters of filters are looked into.
const maxFilters = 3

// filters is how many filters make a list.
func (s *solver) filters(list id) int {
	n := 0
	for s.terms[list].op == model.OpFilter || s.terms[list].op == model.OpSortBy {
		list = s.terms[list].args[0]
		n++
	}
	return n
}

// implied reports whether a condition follows from facts.
func (s *solver) implied(t id, f *facts) bool { return len(s.assume(t, false, []*facts{f})) == 0 }

// ofElement adds what holds for each element of a list.
func (s *solver) ofElement(list, e id, cases []*facts) []*facts {
	x := s.terms[list]
	switch {
	case s.filters(list) > maxFilters:
		return cases
	case x.op == model.OpSortBy:
		return s.ofElement(x.args[0], e, cases)
	case x.op == model.OpFilter:
		return s.assume(s.with(x.args[1], s.elem(x.args[0], x.n), e), true, s.ofElement(x.args[0], e, cases))
	case x.op == model.OpIf:
		c, a, b := x.args[0], x.args[1], x.args[2]
		return s.either(cases, s.ofElement(a, e, s.assume(c, true, cases)), s.ofElement(b, e, s.assume(c, false, cases)))
	case x.op == model.OpList && len(x.args) == 1:
		cases = s.assume(s.equal(e, x.args[0]), true, cases)
	case x.op == model.OpMine:
		cases = s.assume(s.equal(s.field(e, model.FieldPlayer), s.ofCell(model.Player, model.CellMe)), true, cases)
	case x.op == model.OpSet && x.set == model.SetPiecesOf:
		field := sideFields[s.terms[x.args[0]].typ.Kind]
		cases = s.assume(s.equal(s.field(e, field), x.args[0]), true, cases)
		if field == model.FieldAt && !s.coarse && !s.start {
			var out []*facts
			for _, f := range cases {
				colours := s.coloursAt(s.domain(x.args[0], f))
				f, ok := s.narrow(s.field(e, model.FieldColour), colours, f)
				for _, side := range []model.Field{model.FieldPlayer, model.FieldTeam} {
					if ok {
						f, ok = s.narrow(s.field(e, side), s.sideOf(model.Colour, side, colours), f)
					}
				}
				if ok {
					out = append(out, f)
				}
			}
			cases = out
		}
		for i, f := range cases {
			for g := f; g != nil; g = g.before {
				if y := &s.terms[g.term]; y.op == model.OpIn && y.args[1] == list && g.is.hi == 0 {
					f, _ = s.ordered(model.OpNe, e, y.args[0], f)
				}
			}
			cases[i] = f
		}
	}
	cases = s.ofAll(list, e, cases)
	if x.typ.Kind == model.Offer || x.typ.Kind == model.Fraction {
		return cases
	}
	var out []*facts
	for _, f := range cases {
		if l, ok := s.elements(list, f); ok {
			var fine bool
			if f, fine = s.narrow(e, l.all, f); !fine {
				continue
			}
		}
		out = append(out, f)
	}
	return out
}

// ofAll adds what is known to hold for all elements of a list, or for none.
func (s *solver) ofAll(list, e id, cases []*facts) []*facts {
	var out []*facts
	for _, f := range cases {
		now := []*facts{f}
		for g := f; g != nil; g = g.before {
			y := s.terms[g.term]
			if len(y.args) < 2 || y.args[0] != list {
				continue
			}
			switch {
			case y.op == model.OpAll && g.is.lo == 1, y.op == model.OpNone && g.is.lo == 1, y.op == model.OpAny && g.is.hi == 0:
				now = s.assume(s.with(y.args[1], s.elem(list, y.n), e), y.op == model.OpAll, now)
			}
		}
		out = append(out, now...)
	}
	return out
}

// sideFields are the fields of a piece that lists of pieces go by.
var sideFields = map[model.Kind]model.Field{
	model.Place: model.FieldAt, model.Colour: model.FieldColour, model.Player: model.FieldPlayer, model.Team: model.FieldTeam,
}

// members are things known to be in a list.
func (s *solver) members(list id, f *facts) []id {
	var out []id
	switch x := s.terms[list]; x.op {
	case model.OpSortBy:
		return s.members(x.args[0], f)
	case model.OpFilter:
		for _, m := range s.members(x.args[0], f) {
			if s.implied(s.with(x.args[1], s.elem(x.args[0], x.n), m), f) {
				out = append(out, m)
			}
		}
	}
	for g := f; g != nil; g = g.before {
		if y := &s.terms[g.term]; y.op == model.OpIn && y.args[1] == list && g.is.lo == 1 {
			out = append(out, y.args[0])
		}
	}
	return out
}

// farthest reports whether a term is the least or greatest of what a list has, and another one is that of a thing in the list.
func (s *solver) farthest(op model.Op, most, a id, f *facts) bool {
	x := s.terms[most]
	if x.op != op || len(x.args) != 1 || s.terms[x.args[0]].op != model.OpMap {
		return false
	}
	each := s.terms[x.args[0]]
	list := s.terms[each.args[0]]
	for _, m := range s.terms[a].args {
		whole := list.op == model.OpSet && len(list.args) == 0 && s.terms[m].typ == list.typ.Elem() && slices.Contains(wholeSets, list.set)
		own := list.op == model.OpSet && list.set == model.SetPiecesOf && s.terms[list.args[0]].op == model.OpField && slices.Equal(s.terms[list.args[0]].args, []id{m})
		if (whole || own || slices.Contains(s.members(each.args[0], f), m)) && s.with(each.args[1], s.elem(each.args[0], each.n), m) == a {
			return true
		}
	}
	return false
}

// wholeSets are the lists of everything of a kind.
var wholeSets = []model.Set{model.SetPieces, model.SetColours, model.SetPlayers, model.SetTeams}

// things are the names of a kind that a term asks for, which stand for things of the game.
func (s *solver) things(t id, kind model.Kind) []id {
	return s.parts(t, func(t id) bool {
		x := s.terms[t]
		return x.typ == model.Of(kind) && (x.op == model.OpCell && x.cell == model.CellMe || x.op == model.OpLocal && !s.domain(t, nil).has(-1))
	})
}

// parts are the different terms in a term, itself included, for which something holds. It does not look inside these.
func (s *solver) parts(t id, is func(t id) bool) []id {
	var out []id
	seen := map[id]bool{}
	var look func(t id)
	look = func(t id) {
		if seen[t] {
			return
		}
		if seen[t] = true; is(t) {
			out = append(out, t)
			return
		}
		for _, a := range s.terms[t].args {
			look(a)
		}
	}
	look(t)
	return out
}

// with is a term in which another one is replaced.
func (s *solver) with(t, old, now id) id {
	done := map[id]id{old: now}
	var replaced func(t id) id
	replaced = func(t id) id {
		if out, ok := done[t]; ok {
			return out
		}
		x, out := &s.terms[t], t
		args := make([]id, 0, 4)
		for _, a := range x.args {
			args = append(args, replaced(a))
		}
		if !slices.Equal(args, x.args) {
			out = s.add(*x, args...)
		}
		done[t] = out
		return out
	}
	return replaced(t)
}

// given is the domain of an assigned value.
func (s *solver) given(e *model.Expr, element bool, f *facts) domain {
	t := s.intern(e, nil, 0)
	if !element {
		return s.domain(t, f)
	}
	if l, ok := s.elements(t, f); ok {
		return l.all
	}
	return s.ofKind(e.Type.Kind)
}

// listed records the numbers of a list that what is looked for in it can never be.
func (x *setting) listed(e *model.Expr, depth int, known []*facts) {
	if e.Op == model.OpIn && e.Args[1].Op == model.OpCall {
		x.listedByLet(e.Args[1].Let)
	}
	if e.Op != model.OpIn || e.Args[1].Op != model.OpList || e.Args[0].Op == model.OpConst || !x.own(e.Span) {
		return
	}
	t := x.intern(e.Args[0], nil, depth)
	x.againIn(e.Args[1], depth, true)
	for _, a := range e.Args[1].Args {
		never := a.Op == model.OpConst && len(x.assume(x.equal(t, x.intern(a, nil, depth)), true, known)) == 0
		x.foundOf(never, "listed", "always-same", a.Span, "%s is never %s here", said{e.Args[0]}, words(a.Span))
	}
}

// againIn records what stands twice in a list, if that is no use there.
func (x *setting) againIn(list *model.Expr, depth int, noUse bool) {
	for i, a := range list.Args {
		same := func(b *model.Expr) bool { return x.intern(b, nil, depth) == x.intern(a, nil, depth) }
		x.foundOf(noUse && slices.ContainsFunc(list.Args[:i], same), "again", "done-twice", a.Span, "%s stands twice in this list", said{a})
	}
}

// chosenTwice records numbers that stand twice in what a player can choose for a die.
func (x *setting) chosenTwice() {
	for _, d := range x.r.Dice {
		if d.Choice != nil && d.Choice.Op == model.OpList {
			x.againIn(d.Choice, 0, true)
		}
	}
}

// listedByLet records what stands twice in the list of a let that is only ever looked for things in.
func (x *setting) listedByLet(l *model.Let) {
	if len(l.Params) > 0 || l.Body.Op != model.OpList || !x.own(l.Body.Span) {
		return
	}
	uses := 0
	x.r.Exprs(func(e *model.Expr) {
		switch {
		case e.Op == model.OpCall && e.Let == l:
			uses++
		case e.Op == model.OpIn && e.Args[1].Op == model.OpCall && e.Args[1].Let == l:
			uses--
		}
	})
	x.againIn(l.Body, 0, uses == 0)
}
