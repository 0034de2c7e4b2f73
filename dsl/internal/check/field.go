package check

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

var scopeKinds = map[model.Kind]model.Scope{
	model.Piece: model.ScopePiece, model.Colour: model.ScopeColour, model.Player: model.ScopePlayer, model.Team: model.ScopeTeam,
}

// began is where the move of a piece began, while it is carried out: the engine keeps the piece and the place in variables of its own.
// Otherwise it is where the piece stands.
func (c *checker) began(piece, stands *model.Expr) *model.Expr {
	c.needed(&c.rules.Mover, model.Var{Name: "mover", Scope: model.ScopeTurn, Type: model.Of(model.Piece), Initial: []int{-1}})
	c.needed(&c.rules.From, model.Var{Name: "moved from", Scope: model.ScopeTurn, Type: stands.Type, Initial: []int{-1}})
	of := func(op model.Op, t model.Type, args ...*model.Expr) *model.Expr {
		return &model.Expr{Op: op, Type: t, Args: args, Span: stands.Span}
	}
	read := func(v *model.Var) *model.Expr { return readVar(v, stands.Span) }
	flag := model.Of(model.Flag)
	moves := of(model.OpNe, flag, read(c.rules.Mover), model.Const(model.Of(model.Piece), -1, stands.Span))
	moves = of(model.OpAnd, flag, moves, of(model.OpEq, flag, read(c.rules.Mover), piece))
	return of(model.OpIf, stands.Type, moves, read(c.rules.From), stands)
}

// field types X.name.
func (c *checker) field(n *expr.Node) *model.Expr {
	if c.where.options {
		return noExpr(c.errorf("not-constant", n.Span, "only options and the number of players can stand here"))
	}
	if x := n.Args[0]; x.Kind == expr.Name && (x.Name == "game" || x.Name == "board") && c.findLocal(x.Name) == nil {
		c.completeGameField(n, x.Name)
		f, ok := gameFields[x.Name+"."+n.Name]
		if !ok {
			return noExpr(c.errorf("unknown-field", n.Span, "there is no %q", x.Name+"."+n.Name).
				WithHint("game.players, game.teams, game.colours, game.pieces, board.squares"))
		}
		c.means(x.Word, index.Word, x.Name, source.Span{}, model.Type{})
		c.names.Use(n.Word, index.Name{Text: n.Name, Kind: index.Field, Type: f.typed})
		return &model.Expr{Op: model.OpSet, Set: f.set, Type: f.typed, Span: n.Span}
	}
	a := c.node(n.Args[0])
	if a == nil {
		return nil
	}
	c.completeField(n, a.Type)
	has := func(kind index.Kind, t model.Type, decl source.Span) {
		c.names.Use(n.Word, index.Name{Text: n.Name, Kind: kind, Type: t, Of: a.Type.Kind, Decl: decl})
	}
	e := &model.Expr{Args: []*model.Expr{a}, Span: n.Span}
	if a.Type.List {
		return noExpr(c.errorf("wrong-type", n.Span, "%s has no field %q", a.Type.With(), n.Name).
			WithHint("look at its elements with any, all, map or count, or take one with [0]"))
	}
	key := fieldOf{a.Type.Kind, n.Name}
	language := func(late bool) *model.Expr {
		f, ok := languageFields[key]
		if !ok || f.late != late {
			return nil
		}
		has(index.Field, f.typed, source.Span{})
		if a.Op == model.OpConst && n.Name == "square" {
			return flagConst(a.Int >= 0 && !c.board.Places[a.Int].Zone, n.Span)
		}
		e.Op, e.Field, e.Set, e.Type = model.OpField, f.field, f.set, f.typed
		if f.typed.List {
			e.Op = model.OpSet
		}
		if x := c.owned(e); x != nil {
			return x
		}
		return e
	}
	if x := language(false); x != nil {
		return x
	}
	variable := func(owner *model.Expr) *model.Expr {
		scope, ok := scopeKinds[owner.Type.Kind]
		for _, v := range c.fields[n.Name] {
			if !ok || v.Scope != scope {
				continue
			}
			c.used(v.Span)
			has(index.Var, v.Type, v.Span)
			return readVar(v, n.Span, owner)
		}
		return nil
	}
	if x := variable(a); x != nil {
		return x
	}
	for _, f := range c.fieldsOfBoard(a.Type.Kind) {
		if i := slices.Index(f.names, n.Name); i >= 0 {
			if a.Type.Kind == model.Piece {
				e.Args[0] = c.colourOf(a, a.Span)
			}
			e.Op, e.Int, e.Type = f.op, i, model.Of(f.typed)
			has(f.kind, e.Type, c.board.Declared(n.Name))
			return e
		}
	}
	if c.where.test && a.Type.Kind == model.Colour { // as it is set: of its player or team
		for _, of := range []string{"player", "team"} {
			f := languageFields[fieldOf{model.Colour, of}]
			if x := variable(&model.Expr{Op: model.OpField, Field: f.field, Type: f.typed, Args: []*model.Expr{a}, Span: a.Span}); x != nil {
				return x
			}
		}
	}
	if x := language(true); x != nil {
		if n.Name == "from" {
			return c.began(a, x)
		}
		return x
	}
	if c.spoilt[n.Name] || c.tookAway(n.Span, n.Name, "field") {
		return nil
	}
	d := c.errorf("unknown-field", n.Span, "%s has no %q", a.Type.With(), n.Name)
	known := seq.Map(c.fieldNames(a.Type.Kind), func(n index.Name) string { return n.Text })
	switch near := diag.Nearest(n.Name, known); {
	case c.book.Renamed(d, n.Name):
	case a.Type.Kind == model.Piece && c.zone(n.Name) >= 0:
		d.WithHint("%q is a zone, named alone: %s; whether a piece stands there: .at == %s", n.Name, n.Name, n.Name)
	case a.Type.Kind == model.Piece && (slices.Contains(c.board.Tags, n.Name) || slices.Contains(c.board.Families, n.Name) || n.Name == "square"):
		d.WithHint("%q is said of places: .at.%s", n.Name, n.Name).Instead("at." + n.Name)
	case len(c.fields[n.Name]) > 0:
		owner := model.ScopeNames[c.fields[n.Name][0].Scope]
		d.WithHint("%q belongs to a %s", n.Name, owner)
		if c.where.test && a.Type.Kind == model.Colour && owner == "piece" {
			d.WithHint("%q belongs to a piece: %s@SQUARE.%s", n.Name, short(a.Span.Text()), n.Name)
		}
		if _, has := languageFields[fieldOf{a.Type.Kind, owner}]; has {
			d.Instead(owner + "." + n.Name)
		}
	case a.Type.Kind == model.Place && n.Name == "index":
		d.WithHint("a piece has one; that of a place on a track is indexOf(COLOUR.track, PLACE)")
	case a.Type.Kind == model.Place && n.Name == "name":
		d.WithHint("a place is compared by itself: == square(\"NAME\")")
	case a.Type.Kind == model.Place && (c.zone(n.Name) >= 0):
		d.WithHint("%q is a zone: compare with == %s", n.Name, n.Name)
	case c.zone(n.Name) >= 0:
		d.WithHint("%q is a zone, named alone: %s", n.Name, n.Name)
	case near != "":
		d.DidYouMean(near)
	case len(known) > 0:
		d.WithHint("it has: %s", strings.Join(known, ", "))
	}
	return nil
}

// sorted sorts known names, so that the order of a message does not depend on the iteration of a map.
func sorted(known []string) []string {
	slices.Sort(known)
	return known
}
