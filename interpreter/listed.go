package interpreter

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// leftOut is a value that the list of a parameter of a move does not have.
type leftOut struct {
	why  string // in words
	list *model.Expr
	ever bool // the list depends on nothing but whose turn it is
}

// leftOut is what a line of a test names of a move at the decision at hand and the list of the move leaves out, nil if there is no such value:
// no move that the line can mean ranges over what it names.
func (p *Position) leftOut(t *model.TestOption) *leftOut {
	g := p.game
	if !t.Arrow() && !t.Called || len(g.unit.Lists) == 0 {
		return nil
	}
	q := p.Copy()
	var out *leftOut
	for _, m := range g.rules.Moves {
		if t.Move != nil && t.Move != m || t.Arrow() && !g.prog.MovesPiece[m.Index] {
			continue
		}
		w := &ranging{Position: q, t: t, move: m, last: -1}
		for i := range m.Params {
			if w.arg(i) != nil {
				w.last = i
			}
		}
		if w.over(0) {
			return nil
		}
		if out == nil || w.found != nil && out.ever {
			out = w.found
		}
	}
	return out
}

// ranging looks for values of the parameters of a move that are those a line of a test names.
type ranging struct {
	*Position
	t     *model.TestOption
	move  *model.Move
	last  int // the last parameter that the line names
	found *leftOut
}

// arg is what the line says of a parameter, nil for nothing.
func (w *ranging) arg(i int) *model.TestArg {
	switch first := len(w.move.Params) - len(w.t.Args); {
	case w.t.Called && i >= first:
		return &w.t.Args[i-first]
	case w.t.Arrow() && i == 0:
		return &model.TestArg{Piece: true, Colour: w.t.Colour, Spot: w.t.From}
	}
	return nil
}

// over reports whether the move ranges over values from a parameter on. What is not known counts as so.
func (w *ranging) over(i int) bool {
	g, lists := w.game, &w.game.unit.Lists[w.move.Index]
	holds := func(entry int) bool {
		if entry == 0 {
			return true
		}
		v, ok := w.m.Eval(entry)
		return !ok || v != 0
	}
	if i > w.last {
		later := func(e *model.Expr) bool { return e.Op == model.OpLocal && slices.Contains(w.move.Params[i:], e.Local) }
		return i == 0 || w.move.From.Has(later) || holds(lists.From)
	}
	values, arg := 0, w.arg(i)
	switch w.move.Params[i].Type.Kind {
	case model.Piece:
		values = g.prog.Layout.Pieces
	case model.Place:
		values = len(g.rules.Board.Places)
	default:
		if arg == nil {
			return true
		}
	}
	try := func(v int) bool {
		if arg != nil && !w.isArg(arg, v) {
			return false
		}
		cell := &w.m.State()[code.CellP0+i]
		*cell = int16(v)
		if holds(lists.Params[i]) {
			return w.over(i + 1)
		}
		if arg != nil && w.found == nil {
			w.found = w.leaves(i, v)
		}
		return false
	}
	if values == 0 {
		return try(arg.Value)
	}
	return slices.ContainsFunc(seq.Of(values, func(v int) int { return v }), try)
}

// leaves is the value that the list of a parameter leaves out.
func (w *ranging) leaves(i, v int) *leftOut {
	set, param, n := w.move.Sets[i], w.move.Params[i], namer{w.game, w.Position, names{w.game}, false}
	text, rival := n.valueText(param.Type.Kind, v), false
	if param.Type.Kind == model.Piece {
		text += " " + n.pieceText(v, false)
		rival = w.game.SeatOf(w.ColourOf(v)) != w.Player()
	}
	words := textOf(set)
	fixed := !set.Has(func(e *model.Expr) bool {
		switch e.Op {
		case model.OpConst, model.OpRange, model.OpList, model.OpMine:
			return false
		case model.OpSet:
			return len(e.Args) > 0 || !slices.Contains([]model.Set{model.SetPieces, model.SetSquares, model.SetColours, model.SetPlayers, model.SetTeams}, e.Set)
		}
		return true
	})
	why := text + " is not in the list of the move " + w.move.Name + ": " + param.Name + " in " + words
	return &leftOut{why, set, fixed || rival && words == "mine"}
}
