package interpreter

import (
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
)

// symmetry is a renaming of players, colours, teams and places that the rules cannot tell from the original. It maps
// each index to its new index.
type symmetry struct {
	seats, colours, teams, places []int
}

// symmetries lists the symmetries of the rules, the identity first. Only rotations of the seats are tried, because
// the order of turns must stay.
func symmetries(r *model.Rules) []symmetry {
	out := []symmetry{rotated(r, 0)}
	if !relative(r) {
		return out
	}
	for k := 1; k < len(r.Seats); k++ {
		if s := rotated(r, k); s.holds(r) {
			out = append(out, s)
		}
	}
	return out
}

// rotated maps each seat to the one k seats later, and what belongs to it likewise. A place that could be mapped in
// two ways keeps the first; holds finds that out.
func rotated(r *model.Rules, k int) symmetry {
	n := len(r.Seats)
	s := symmetry{make([]int, n), make([]int, len(r.Colours)), make([]int, len(r.Teams)), slices.Repeat([]int{-1}, len(r.Board.Places))}
	for seat := range n {
		to := (seat + k) % n
		s.seats[seat] = to
		s.teams[r.Seats[seat].Team] = r.Seats[to].Team
		for i, c := range r.Seats[seat].Colours {
			s.colours[c] = r.Seats[to].Colours[min(i, len(r.Seats[to].Colours)-1)]
		}
	}
	for c, d := range s.colours {
		from, to := r.Track.Runs[r.Colours[c].Board].Nodes, r.Track.Runs[r.Colours[d].Board].Nodes
		for i := range min(len(from), len(to)) {
			s.pair(from[i].Place, to[i].Place)
		}
		s.pair(r.PiecesAt[c], r.PiecesAt[d])
		for i := range r.Board.Landmarks {
			of := r.Board.Landmarks[i].Values
			s.pair(of[r.Colours[c].Board], of[r.Colours[d].Board])
		}
	}
	for i, p := range s.places {
		if p < 0 {
			s.places[i] = i
		}
	}
	return s
}

// pair maps one place to another unless it is mapped already.
func (s *symmetry) pair(from, to int) {
	if from != boards.None && s.places[from] < 0 {
		s.places[from] = to
	}
}

// holds reports whether the board and everything the rules name agree with the renaming.
func (s *symmetry) holds(r *model.Rules) bool {
	for _, list := range [][]int{s.colours, s.teams, s.places} {
		for i, x := range slices.Sorted(slices.Values(list)) {
			if x != i { // two have the same new index
				return false
			}
		}
	}
	for seat, to := range s.seats {
		if len(r.Seats[seat].Colours) != len(r.Seats[to].Colours) || s.teams[r.Seats[seat].Team] != r.Seats[to].Team {
			return false
		}
	}
	n := len(s.colours)
	for c, d := range s.colours {
		if r.TurnsByColour && s.colours[(c+1)%n] != (d+1)%n || s.places[r.PiecesAt[c]] != r.PiecesAt[d] {
			return false
		}
		from, to := r.Track.Runs[r.Colours[c].Board].Nodes, r.Track.Runs[r.Colours[d].Board].Nodes
		if len(from) != len(to) {
			return false
		}
		for i := range from {
			a, b := &from[i], &to[i]
			if s.places[a.Place] != b.Place || a.Index != b.Index || !slices.Equal(a.Next, b.Next) || !slices.Equal(a.Prev, b.Prev) {
				return false
			}
		}
	}
	if !s.fixes(func(p int) bool { return r.Board.Places[p].Zone }) {
		return false
	}
	for _, v := range r.Vars {
		if slices.ContainsFunc(v.Initial, func(x int) bool { return s.value(v.Type.Kind, x) != x }) {
			return false
		}
	}
	fine := true
	expressions(r, func(e *model.Expr) bool {
		fine = fine && s.keeps(r, e)
		return fine
	})
	return fine
}

// keeps reports whether an expression means the same after the renaming; its arguments are looked at separately.
func (s *symmetry) keeps(r *model.Rules, e *model.Expr) bool {
	switch e.Op {
	case model.OpConst:
		return s.value(e.Type.Kind, e.Int) == e.Int
	case model.OpTag:
		return s.fixes(func(p int) bool { return r.Board.Places[p].Tags[e.Int] })
	case model.OpFamily:
		return s.fixes(func(p int) bool { return r.Board.Places[p].Family == e.Int })
	case model.OpAttr:
		values := r.Board.Attributes[e.Int].Values
		for p, q := range s.places {
			if s.value(model.Place, values[p]) != values[q] {
				return false
			}
		}
	case model.OpMark:
		values := r.Board.Landmarks[e.Int].Values
		for c, d := range s.colours {
			if s.value(model.Place, values[r.Colours[c].Board]) != values[r.Colours[d].Board] {
				return false
			}
		}
	}
	return true
}

// fixes reports whether a property of places is the same after the renaming.
func (s *symmetry) fixes(of func(place int) bool) bool {
	for p, q := range s.places {
		if of(p) != of(q) {
			return false
		}
	}
	return true
}

// value renames a value of a kind. Pieces have no new name.
func (s *symmetry) value(kind model.Kind, v int) int {
	if v < 0 {
		return v
	}
	switch kind {
	case model.Player:
		return s.seats[v]
	case model.Colour:
		return s.colours[v]
	case model.Team:
		return s.teams[v]
	case model.Place:
		return s.places[v]
	case model.Piece:
		return -1
	}
	return v
}

// relative reports whether the rules read nothing of the numbering of seats and colours but the order of turns: no
// seat number, no list in an order of its own, and no ending that might hold for two players at the same moment.
func relative(r *model.Rules) bool {
	fine := true
	orders(r, func(e *model.Expr, strict bool) {
		switch {
		case e.Op == model.OpField && e.Field == model.FieldSeat:
			fine = false
		case e.Op != model.OpSet || !strict:
		case e.Set != model.SetPiecesOf && e.Set != model.SetTrackOf && e.Set != model.SetAfter && e.Set != model.SetVar &&
			e.Set != model.SetCopies && e.Set != model.SetOffered:
			fine = false
		}
	})
	for _, x := range clauses(r) {
		if x.Kind != model.ClauseEnding || len(x.Params) == 0 {
			continue
		}
		walkLets(x.When, map[*model.Let]bool{}, func(e *model.Expr) bool {
			own := e.Op != model.OpDie && e.Op != model.OpMine && e.Op != model.OpCell &&
				(e.Op != model.OpSet || e.Set == model.SetPiecesOf || e.Set == model.SetColoursOf || e.Set == model.SetTrackOf || e.Set == model.SetVar)
			fine = fine && own
			return fine
		})
		fine = fine && !together(r, x)
	}
	return fine
}

// alike reports whether rules treat pieces of a colour that stand on the same place with equal variables alike, and
// read nothing of the numbering of pieces. A variable that holds a set of pieces names them by their numbers, and a dropped
// walk sets down what it carries in their order.
func alike(r *model.Rules) bool {
	fine := !slices.ContainsFunc(r.Vars, func(v *model.Var) bool { return v.Type.List && v.Type.Kind == model.Piece }) && !dropsLoad(r)
	orders(r, func(e *model.Expr, strict bool) {
		switch {
		case e.Op == model.OpConst && e.Type.Kind == model.Piece && e.Int >= 0:
			fine = false
		case !strict:
		case e.Op == model.OpMine, e.Op == model.OpSet && (e.Set == model.SetPieces || e.Set == model.SetOffered),
			e.Op == model.OpSet && e.Set == model.SetPiecesOf && e.Args[0].Type != model.Of(model.Place):
			fine = false
		}
	})
	return fine
}

// dropsLoad reports whether a reaction on the way may end the walk of a piece that carries others.
func dropsLoad(r *model.Rules) bool {
	return slices.ContainsFunc(r.Moves, func(m *model.Move) bool { return m.Carrying != nil }) && slices.ContainsFunc(clauses(r), func(x *model.Clause) bool {
		return x.Kind == model.ClauseOn &&
			(x.Event == model.EventLeave || x.Event == model.EventStep || x.Event == model.EventPass || x.Event == model.EventTurned)
	})
}

// expressions calls f for every expression of the rules and its parts; f returns false to skip the parts.
func expressions(r *model.Rules, f func(e *model.Expr) bool) {
	seen := map[*model.Let]bool{}
	stated(r, false, func(e *model.Expr, _ bool) { walkLets(e, seen, f) })
}

// walkLets walks an expression and the bodies of the lets it uses, each let once.
func walkLets(e *model.Expr, seen map[*model.Let]bool, f func(e *model.Expr) bool) {
	e.Walk(func(x *model.Expr) bool {
		if !f(x) {
			return false
		}
		if x.Op == model.OpCall && !seen[x.Let] {
			seen[x.Let] = true
			walkLets(x.Let.Body, seen, f)
		}
		return true
	})
}

// orders calls f for every expression of the rules and its parts. strict means that the order of the list matters to
// what happens; the order in which options and candidates are offered does not.
func orders(r *model.Rules, f func(e *model.Expr, strict bool)) {
	type use struct {
		let    *model.Let
		strict bool
	}
	done := map[use]bool{}
	var look func(e *model.Expr, strict bool)
	look = func(e *model.Expr, strict bool) {
		if e == nil {
			return
		}
		f(e, strict)
		for i, a := range e.Args {
			look(a, ordered(e, i, strict))
		}
		if e.Op == model.OpCall && !done[use{e.Let, strict}] {
			done[use{e.Let, strict}] = true
			look(e.Let.Body, strict)
		}
	}
	stated(r, false, look)
}

// ordered reports whether the order of a list matters to what happens that is an argument of an expression. strict says so of the
// expression itself.
func ordered(e *model.Expr, arg int, strict bool) bool {
	switch e.Op {
	case model.OpAll, model.OpAny, model.OpNone, model.OpCount, model.OpSum, model.OpMin, model.OpMax:
		return arg > 0 && e.OverElements()
	case model.OpFilter, model.OpMap, model.OpSortBy:
		return arg > 0 || strict
	case model.OpIn:
		return arg == 0
	case model.OpIf:
		return arg == 0 || strict
	case model.OpCoalesce:
		return strict
	}
	return true
}

// stated calls f for the expressions that stand in the rules. strict means that the order of a list matters to what
// happens. The order in which options and candidates are offered counts as such only with offers, which also adds the
// setup.
func stated(r *model.Rules, offers bool, f func(e *model.Expr, strict bool)) {
	block := func(b *model.Block) {
		for s := range b.All() {
			f(s.Value, s.Kind != model.StmtAssign && (offers || s.Kind != model.StmtChoose))
			for _, e := range append([]*model.Expr{s.Other, s.Target}, s.Args...) {
				f(e, true)
			}
		}
	}
	if offers {
		block(r.Setup)
	}
	block(r.Turn)
	for _, a := range r.Acts {
		block(a.Block)
	}
	for _, m := range r.Moves {
		for _, e := range m.Sets {
			f(e, offers)
		}
		for _, e := range []*model.Expr{m.From, m.Where, m.Carrying} {
			f(e, true)
		}
	}
	for _, d := range r.Dice {
		f(d.Choice, false)
	}
	for _, x := range clauses(r) {
		f(x.When, true)
		f(x.By, offers)
		block(x.Block)
	}
	if r.Mine != nil {
		f(r.Mine.Body, offers)
	}
	f(r.TurnsTo, true)
}
