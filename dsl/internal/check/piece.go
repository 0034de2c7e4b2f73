package check

import (
	"strconv"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// piece types COLOUR@SQUARE, which tests name a piece by: the first of the colour there, or the one of an ordinal; nil if there is none. It
// is a let of its own, so that a failing test prints it as one value.
func (c *checker) piece(n *expr.Node) *model.Expr {
	spot := n.Args[0]
	if !c.where.test {
		place, _, _, _ := model.ReadSpot(spot.Name)
		if c.zone(place) < 0 {
			place = "square(" + strconv.Quote(place) + ")"
		}
		return noExpr(c.errorf("out-of-place", n.Span, "only tests name a piece by its square").
			WithHint("a piece is found by its place: find(%s.pieces, .colour == %s)", place, n.Name))
	}
	colour, ok := c.colourNamed(syntax.AtSpan(n.Word), n.Name)
	if !ok {
		return nil
	}
	at, ok := c.spotNamed(&syntax.Ref{At: syntax.AtSpan(spot.Span), Text: spot.Name}, colour)
	if !ok {
		return nil
	}
	of := func(op model.Op, t model.Type, args ...*model.Expr) *model.Expr {
		return &model.Expr{Op: op, Type: t, Args: args, Span: n.Span}
	}
	list := &model.Expr{Op: model.OpSet, Set: model.SetPiecesOf, Type: model.ListOf(model.Piece), Span: n.Span,
		Args: []*model.Expr{model.Const(model.Of(model.Colour), colour, n.Span)}}
	if x := c.owned(list); x != nil {
		list = x
	}
	is := func(f model.Field, t model.Type, v int) *model.Expr {
		field := &model.Expr{Op: model.OpField, Field: f, Type: t, Args: []*model.Expr{c.elem(n.Span)}, Span: n.Span}
		return of(model.OpEq, model.Of(model.Flag), field, model.Const(t, v, n.Span))
	}
	stands := is(model.FieldAt, model.Of(model.Place), at.Place)
	if at.Passage != model.AnyPassage {
		index, clear := c.indexAt(colour, at)
		if !clear || at.Ordinal > 0 {
			return noExpr(c.errorf("syntax", spot.Span, "got %q, want a place, or PLACE#2 for the second of its pieces there", spot.Name))
		}
		stands = of(model.OpAnd, model.Of(model.Flag), stands, is(model.FieldIndex, model.Of(model.Number), index))
	}
	body := of(model.OpFind, model.Of(model.Piece), list, stands)
	if at.Ordinal > 1 {
		there := of(model.OpFilter, list.Type, list, stands)
		number := func(v int) *model.Expr { return model.Const(model.Of(model.Number), v, n.Span) }
		enough := of(model.OpGe, model.Of(model.Flag), of(model.OpCount, model.Of(model.Number), there), number(at.Ordinal))
		body = of(model.OpIf, body.Type, enough, of(model.OpIndex, body.Type, there, number(at.Ordinal-1)), model.Const(body.Type, -1, n.Span))
	}
	return c.callLet(&model.Let{Name: n.Span.Text(), Body: body, Span: n.Span}, nil, n.Span)
}

// indexAt is the index on the track of a colour where it comes to a place for the time of a passage, -1 off the track. It is not clear where
// two ways of a fork come there after as many steps.
func (c *checker) indexAt(colour int, at model.Spot) (index int, clear bool) {
	index = -1
	var all []int
	for _, x := range c.rules.Track.Runs[c.rules.Colours[colour].Board].Nodes {
		if x.Place != at.Place {
			continue
		}
		if all = append(all, x.Index); len(all) == at.Passage {
			index = x.Index
		}
	}
	return index, seq.Count(all, func(i int) bool { return i == index }) < 2
}
