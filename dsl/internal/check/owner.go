package check

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Where pieces change hands, the colour of a piece is a variable of the piece, and all that follows from the colour is an expression over
// it: the pieces of a colour are those whose variable has that value. So the model knows pieces of a fixed colour and this variable, and
// only the statement give needs code of its own.

// changeHands declares the variable if any of the entries gives a piece away.
func (c *checker) changeHands(entries []*book.Entry) {
	giving := memoize(c.book, memoKey{what: ofGiving}, func() map[*syntax.Decl]bool {
		out := map[*syntax.Decl]bool{}
		for _, e := range c.book.Entries {
			out[e.Decl] = strings.Contains(e.Decl.Span(e.Decl.File).Text(), "give") &&
				syntax.Has(e.Decl, func(node any) bool { _, gives := node.(*syntax.Give); return gives })
		}
		return out
	})
	if slices.ContainsFunc(entries, func(e *book.Entry) bool { return giving[e.Decl] }) {
		c.rules.Owner = &model.Var{Name: "colour", Index: len(c.rules.Vars), Scope: model.ScopePiece, Type: model.Of(model.Colour), Initial: []int{-1}}
		c.rules.Vars = append(c.rules.Vars, c.rules.Owner)
	}
}

// colourOf is the colour of a piece.
func (c *checker) colourOf(piece *model.Expr, span source.Span) *model.Expr {
	e := &model.Expr{Op: model.OpField, Field: model.FieldColour, Type: model.Of(model.Colour), Args: []*model.Expr{piece}, Span: span}
	if c.rules.Owner != nil {
		e.Op, e.Field, e.Var = model.OpVar, 0, c.rules.Owner
	}
	return e
}

// owned is a field of the language that follows from the colour of pieces, where pieces change hands; nil for all others.
func (c *checker) owned(e *model.Expr) *model.Expr {
	if c.rules.Owner == nil {
		return nil
	}
	of := e.Args[0]
	switch {
	case of.Type.Kind == model.Piece && e.Op == model.OpField:
		switch e.Field {
		case model.FieldColour:
			return c.colourOf(of, e.Span)
		case model.FieldPlayer, model.FieldTeam:
			return &model.Expr{Op: model.OpField, Field: e.Field, Type: e.Type, Args: []*model.Expr{c.colourOf(of, of.Span)}, Span: e.Span}
		}
	case of.Type.Kind != model.Place && e.Op == model.OpSet && e.Set == model.SetPiecesOf:
		return c.callLet(c.piecesOf(of.Type, e.Span), []*model.Expr{of}, e.Span)
	}
	return nil
}

// piecesOf is a let: the pieces of a colour, player or team.
func (c *checker) piecesOf(owner model.Type, span source.Span) *model.Let {
	x := &model.Local{Name: "x", Type: owner, Span: span}
	of := c.colourOf(c.elem(span), span)
	if field, ok := map[model.Kind]model.Field{model.Player: model.FieldPlayer, model.Team: model.FieldTeam}[owner.Kind]; ok {
		of = &model.Expr{Op: model.OpField, Field: field, Type: owner, Args: []*model.Expr{of}, Span: span}
	}
	local := &model.Expr{Op: model.OpLocal, Local: x, Type: owner, Span: span}
	return &model.Let{Name: "pieces", Params: []*model.Local{x}, Body: pieces(of, model.OpEq, local, span), Span: span}
}

// ownMine is mine where pieces change hands: the pieces of the colours in hand.
func (c *checker) ownMine(span source.Span) *model.Expr {
	hand := &model.Expr{Op: model.OpSet, Set: model.SetHand, Type: model.ListOf(model.Colour), Span: span}
	return pieces(c.colourOf(c.elem(span), span), model.OpIn, hand, span)
}

// ownLead is how far ahead a team is where pieces change hands: how far its pieces have come.
func (c *checker) ownLead() *model.Let {
	span, number := c.headerSpan(), model.Of(model.Number)
	t := &model.Local{Name: "t", Type: model.Of(model.Team), Span: span}
	local := &model.Expr{Op: model.OpLocal, Local: t, Type: t.Type, Span: span}
	list := c.callLet(c.piecesOf(t.Type, span), []*model.Expr{local}, span)
	index := &model.Expr{Op: model.OpField, Field: model.FieldIndex, Type: number, Args: []*model.Expr{c.elem(span)}, Span: span}
	far := &model.Expr{Op: model.OpAdd, Type: number, Args: []*model.Expr{index, model.Const(number, 1, span)}, Span: span}
	sum := &model.Expr{Op: model.OpSum, Type: number, Args: []*model.Expr{list, far}, Span: span}
	return &model.Let{Name: "lead", Params: []*model.Local{t}, Body: sum, Span: span}
}

func (c *checker) elem(span source.Span) *model.Expr {
	return &model.Expr{Op: model.OpElem, Type: model.Of(model.Piece), Span: span}
}

// pieces is the list of all pieces for which a comparison holds.
func pieces(a *model.Expr, op model.Op, b *model.Expr, span source.Span) *model.Expr {
	all := &model.Expr{Op: model.OpSet, Set: model.SetPieces, Type: model.ListOf(model.Piece), Span: span}
	holds := &model.Expr{Op: op, Type: model.Of(model.Flag), Args: []*model.Expr{a, b}, Span: span}
	return &model.Expr{Op: model.OpFilter, Type: all.Type, Args: []*model.Expr{all, holds}, Span: span}
}

// isOwned reports whether an expression is the list of the pieces of a colour, player or team where pieces change hands.
func isOwned(e *model.Expr) bool {
	return e.Op == model.OpCall && e.Let.Name == "pieces" && len(e.Args) == 1 && e.Args[0].Type.Kind != model.Piece && e.Type == model.ListOf(model.Piece)
}

// holdsOfNone reports whether a condition holds of a player without pieces, as it asks something of all pieces and no more.
func holdsOfNone(e *model.Expr) bool {
	switch e.Op {
	case model.OpCall:
		return holdsOfNone(e.Let.Body)
	case model.OpAnd:
		return holdsOfNone(e.Args[0]) && holdsOfNone(e.Args[1])
	case model.OpAll, model.OpNone:
		return isOwned(e.Args[0])
	}
	return false
}

// warnBereft warns of pieces that change hands where an ending is good for who has no piece left, and no rule asks whether any are left.
func warnBereft(b *book.Book, r *model.Rules, diags *diag.List) {
	if r.Owner == nil {
		return
	}
	asked := false
	r.Exprs(func(e *model.Expr) {
		if len(e.Args) > 0 && isOwned(e.Args[0]) {
			asked = asked || !slices.Contains([]model.Op{model.OpAll, model.OpNone, model.OpFilter, model.OpMap, model.OpSum, model.OpSortBy}, e.Op)
		}
	})
	var given source.Span
	for s := range r.Stmts() {
		if s.Kind == model.StmtGive && (given.IsZero() || s.Span.File == b.Top().File.Source) {
			given = s.Span
		}
	}
	for c := range r.Clauses() {
		good := c.Kind == model.ClauseEnding && (c.Ending == model.EndWin || c.Ending == model.EndRank) && c.When != nil && holdsOfNone(c.When)
		at, note := c.Span, given
		if at.File != b.Top().File.Source {
			at, note = given, c.Span
		}
		if asked || !good || at.File != b.Top().File.Source {
			continue
		}
		diags.Warnf("holds-for-none", at, "rule %q holds for a player who has no piece left, as pieces change hands", c.Rule.Name).
			WithHint("say what becomes of who has none: drop player x when len(x.pieces) == 0").WithNote(note, "together with this")
		return
	}
}
