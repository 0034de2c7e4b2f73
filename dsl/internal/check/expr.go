package check

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// value types an expression of the file; nil after a fault.
func (c *checker) value(e *syntax.Expr) *model.Expr {
	if e == nil || e.Node == nil {
		return nil
	}
	return c.node(e.Node)
}

// flag types a condition.
func (c *checker) flag(e *syntax.Expr) *model.Expr { return c.want(c.value(e), model.Of(model.Flag)) }

// when types the condition of a clause. It is nil if there is none or it is constant true; ok is false after a fault.
func (c *checker) when(e *syntax.Expr) (cond *model.Expr, ok bool) {
	if e == nil {
		return nil, true
	}
	cond = c.flag(e)
	if cond != nil && cond.IsConst(1) {
		return nil, true
	}
	return cond, cond != nil
}

// want reports a value of the wrong type. The constant nil has every type that allows nil.
func (c *checker) want(e *model.Expr, t model.Type) *model.Expr {
	if e == nil {
		return nil
	}
	if fits(e, t) {
		return e
	}
	addRemedy(c.errorf("wrong-type", e.Span, "got %s, want %s", e.Type.With(), t.With()), e, t)
	return nil
}

// fits reports whether a value is of a type.
func fits(e *model.Expr, t model.Type) bool {
	return e.Type == t || e.Type.Kind == model.Nothing && (t.List && (e.Type.List || e.Op == model.OpList) || !t.List && t.Kind.Ref())
}

// noExpr and noStmt are what is made of a part of the file with a fault, which has been reported; wrong says that it has one.
func noExpr(diag.Ref) *model.Expr { return nil }
func noStmt(diag.Ref) *model.Stmt { return nil }
func wrong(diag.Ref) bool         { return false }

func short(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "") + "…"
	}
	return s
}

func (c *checker) number(v int, n *expr.Node) *model.Expr {
	return model.Const(model.Of(model.Number), v, n.Span)
}

func flagConst(v bool, span source.Span) *model.Expr {
	i := 0
	if v {
		i = 1
	}
	return model.Const(model.Of(model.Flag), i, span)
}

// node types one node; nil if this or an inner node has a fault.
func (c *checker) node(n *expr.Node) *model.Expr {
	e := c.typed(n)
	if e != nil && e.Type.Kind == model.Invalid {
		return nil
	}
	if e != nil && e.Op == model.OpConst && e.Type == model.Of(model.Flag) && n.Kind != expr.Bool {
		c.rules.Decided = append(c.rules.Decided, model.Decided{Span: n.Span, Holds: e.Int != 0})
	}
	return e
}

func (c *checker) typed(n *expr.Node) *model.Expr {
	switch n.Kind {
	case expr.Nil:
		c.means(n.Span, index.Word, "nil", source.Span{}, model.Type{})
		return model.Const(model.Of(model.Nothing), -1, n.Span)
	case expr.Int:
		if n.Int < -1<<15 || n.Int >= 1<<15 {
			return noExpr(c.errorf("bad-number", n.Span, "numbers lie between -32768 and 32767"))
		}
		return c.number(n.Int, n)
	case expr.Bool:
		c.means(n.Span, index.Word, n.Span.Text(), source.Span{}, model.Of(model.Flag))
		return model.Const(model.Of(model.Flag), n.Int, n.Span)
	case expr.String:
		return &model.Expr{Op: model.OpWord, Type: model.Of(model.Word), Word: n.Name, Span: n.Span}
	case expr.Name:
		return c.name(n)
	case expr.Element:
		if len(c.elems) == 0 {
			return noExpr(c.errorf("no-element", n.Span, "# stands only inside all, any, none, count, filter and the like"))
		}
		of := c.elems[len(c.elems)-1]
		if n.Name == "outer" {
			if len(c.elems) == 1 {
				c.errorf("no-element", n.Span, "#outer stands only where one list is gone through inside another").WithHint("the element of a single list is #")
				return nil
			}
			of = c.elems[len(c.elems)-2]
		}
		if of.local != nil {
			return &model.Expr{Op: model.OpLocal, Type: of.Type, Local: of.local, Span: n.Span}
		}
		return &model.Expr{Op: model.OpElem, Type: of.Type, Span: n.Span}
	case expr.Field:
		return c.field(n)
	case expr.Index:
		return c.index(n)
	case expr.Unary:
		return c.unary(n)
	case expr.Binary:
		return c.binary(n)
	case expr.Ternary:
		return c.ternary(n)
	case expr.Array:
		return c.array(n)
	case expr.Call:
		return c.call(n)
	case expr.Builtin:
		return c.builtin(n)
	case expr.Piece:
		return c.piece(n)
	}
	return nil
}

// name resolves a bare name: local scopes first, then the declarations of the book, then the names of the board.
func (c *checker) name(n *expr.Node) *model.Expr {
	e := &model.Expr{Span: n.Span}
	word := func(t model.Type) { c.means(n.Word, index.Word, n.Name, source.Span{}, t) }
	c.completeName(n)
	if l := c.findLocal(n.Name); l != nil && !c.where.options {
		c.meansLocal(n.Word, l)
		e.Op, e.Local, e.Type = model.OpLocal, l, l.Type
		return e
	}
	if c.spoilt[n.Name] {
		return nil
	}
	if o := c.options[n.Name]; o != nil {
		c.used(o.entry.NameSpan())
		c.means(n.Word, index.Option, n.Name, o.entry.NameSpan(), model.Of(o.kind))
		if o.kind != model.Word {
			return model.Const(model.Of(o.kind), o.number, n.Span)
		}
		e.Op, e.Word, e.Type = model.OpWord, o.word, model.Of(model.Word)
		return e
	}
	if n.Name == "players" && c.players > 0 {
		word(model.Of(model.Number))
		return c.number(c.players, n)
	}
	if c.where.options {
		return noExpr(c.errorf("not-constant", n.Span, "%q is not an option; only options and the number of players can stand here", n.Name).
			Suggest(n.Name, c.optionNames(), "write a number or an option here; what depends on the game stands in a clause, after when"))
	}
	switch n.Name {
	case "remaining":
		if !c.where.step {
			return noExpr(c.errorf("out-of-place", n.Span, "%q has a meaning in step and end clauses only", n.Name))
		}
	case "offered":
		if !c.where.before {
			return noExpr(c.errorf("out-of-place", n.Span, "%q has a meaning in before clauses of moves only", n.Name).
				WithHint("the other clauses are asked while the options are found; a duty, must, says which of them stay"))
		}
	case "game", "board":
		return noExpr(c.errorf("out-of-place", n.Span, "%q is followed by a dot and what of it is meant", n.Name).
			WithHint("game.players, game.teams, game.colours, game.pieces, board.squares"))
	}
	if !late(n.Name) {
		e.Type = valueTypes[n.Name]
	}
	if code, ok := cellCodes[n.Name]; ok && !late(n.Name) {
		e.Op, e.Cell = model.OpCell, code
		word(e.Type)
		return e
	}
	if set, ok := valueSets[n.Name]; ok {
		e.Op, e.Set = model.OpSet, set
		word(e.Type)
		return e
	}
	if n.Name == "mine" && c.lets["mine"] == nil {
		e.Op = model.OpMine
		word(e.Type)
		if c.rules.Owner != nil {
			return c.ownMine(n.Span)
		}
		return e
	}
	if entry := c.lets[n.Name]; entry != nil {
		l := c.let(entry, n)
		c.meansLet(n.Word, entry)
		if l == nil {
			return nil
		}
		if len(l.Params) > 0 {
			return noExpr(c.errorf("wrong-arguments", n.Span, "%q takes %s", n.Name, plural(len(l.Params), "argument")))
		}
		return c.callLet(l, nil, n.Span)
	}
	if d := c.dice[n.Name]; d != nil {
		c.used(d.Span)
		c.use.mark(d.Span, read)
		c.means(n.Word, index.Die, n.Name, d.Span, model.Of(model.Number))
		e.Op, e.Die, e.Type = model.OpDie, d, model.Of(model.Number)
		return e
	}
	if v := c.vars[n.Name]; v != nil {
		c.used(v.Span)
		c.meansVar(n.Word, v)
		return readVar(v, n.Span)
	}
	if p := c.zone(n.Name); p >= 0 {
		c.meansPlace(n.Word, p)
		return model.Const(model.Of(model.Place), p, n.Span)
	}
	if i := slices.IndexFunc(c.rules.Colours, func(x model.ColourInUse) bool { return x.Name == n.Name }); i >= 0 {
		c.meansColour(n.Word, n.Name)
		return model.Const(model.Of(model.Colour), i, n.Span)
	}
	if c.names != nil && c.board.Colour(n.Name) >= 0 { // a colour that plays in another setting only
		c.meansColour(n.Word, n.Name)
		return model.Const(model.Of(model.Colour), 0, n.Span)
	}
	if n.Name == "throws" && c.removal(n.Name) == nil { // a name of the file goes before it
		word(model.Of(model.Number))
		return readVar(c.throws(), n.Span)
	}
	if n.Name == "here" && c.removal(n.Name) == nil {
		if !c.where.step {
			c.errorf("out-of-place", n.Span, "%q has a meaning in step and end clauses only", n.Name).WithHint("where a piece stands is its field at: .at")
			return nil
		}
		e.Op, e.Cell, e.Type = model.OpCell, model.CellHere, model.Of(model.Place)
		word(e.Type)
		return e
	}
	if n.Name == "carried" && c.removal(n.Name) == nil {
		if !c.where.step && !c.where.carries {
			return noExpr(c.errorf("out-of-place", n.Span, "%q has a meaning in step and end clauses, reactions and acts only", n.Name))
		}
		word(model.ListOf(model.Piece))
		return readVar(c.carried(), n.Span)
	}
	if x, found := c.countNamed(n); found {
		return x
	}
	c.unknownName(n)
	return nil
}

// readVar is the value of a variable: of an owner, where it belongs to one.
func readVar(v *model.Var, span source.Span, owner ...*model.Expr) *model.Expr {
	if v.Type.List {
		return &model.Expr{Op: model.OpSet, Set: model.SetVar, Var: v, Type: v.Type, Args: owner, Span: span}
	}
	return &model.Expr{Op: model.OpVar, Var: v, Type: v.Type, Args: owner, Span: span}
}

// ownVar adds a variable of the engine's own, which no file declares.
func (c *checker) ownVar(v model.Var) *model.Var {
	v.Index = len(c.rules.Vars)
	c.rules.Vars = append(slices.Clip(c.rules.Vars), &v)
	return &v
}

// needed is a variable of the engine's own that the rules have once they need it.
func (c *checker) needed(has **model.Var, v model.Var) *model.Var {
	if *has == nil {
		*has = c.ownVar(v)
	}
	return *has
}

// carried is the variable in which the engine keeps the pieces that a move takes along.
func (c *checker) carried() *model.Var {
	return c.needed(&c.rules.Carried, model.Var{Name: "carried", Scope: model.ScopeTurn, Type: model.ListOf(model.Piece), Initial: []int{}})
}

// throws is the variable in which the engine counts the throws of a turn.
func (c *checker) throws() *model.Var {
	return c.needed(&c.rules.Throws, model.Var{Name: "throws", Scope: model.ScopeTurn, Type: model.Of(model.Number), High: maxThrows, Initial: []int{0}})
}

// maxThrows is more than a turn can have.
const maxThrows = 1000

// countHint says of the name of a count that it is none of a value.
func (c *checker) countHint(name string) string {
	if slices.ContainsFunc(c.book.Entries, func(e *book.Entry) bool { return e.Decl.Kind != nil && e.Decl.Kind.Count != nil && e.Key.Name == name }) {
		return fmt.Sprintf("%q is a count, which only studies and tests ask for", name)
	}
	return ""
}

func (c *checker) unknownName(n *expr.Node) {
	if c.spoilt[n.Name] || c.tookAway(n.Span, n.Name) {
		return
	}
	d := c.errorf("unknown-name", n.Span, "there is no %q here", n.Name)
	if c.book.Renamed(d, n.Name) {
		return
	}
	for _, e := range c.book.Entries {
		if k := e.Key.Kind; e.Key.Name == n.Name && (k == "rule" || k == "act" || k == "move") {
			d.WithHint("%s has no value", e.Key)
			return
		}
	}
	if hint := c.countHint(n.Name); hint != "" {
		d.WithHint("%s", hint)
		return
	}
	if c.board.Colour(n.Name) >= 0 {
		d.Get().Message = "the colour \"" + n.Name + "\" does not play in this setting"
		return
	}
	if vs := c.fields[n.Name]; len(vs) > 0 {
		whose := map[model.Scope]string{model.ScopePlayer: "me", model.ScopeTeam: "me.team", model.ScopeColour: "hand[0]"}[vs[0].Scope]
		if whose == "" {
			d.WithHint("%q belongs to a piece: write p.%s, with the name of the piece", n.Name, n.Name)
			return
		}
		d.WithHint("%q belongs to a %s: write %s.%s, or name another %s", n.Name, model.ScopeNames[vs[0].Scope], whose, n.Name, model.ScopeNames[vs[0].Scope]).
			WithFix(n.Span, whose+"."+n.Name, "write %s.%s", whose, n.Name)
		return
	}
	if said := c.habit(n); said != "" {
		d.WithHint("%s", said)
		return
	}
	if len(*c.diags) > maxFaults {
		return // one report is enough
	}
	if field := c.fieldMeant(n.Name); field != "" {
		d.WithHint("%s", field)
		return
	}
	near := diag.Alike(n.Name, c.knownNames())
	if n.Name == "null" {
		near = "nil"
	}
	if near != "" {
		d.DidYouMean(near)
	} else if p, ok := c.board.Place(n.Name); ok {
		square := strconv.Quote(c.board.Places[p].Name)
		d.WithHint("a square is written square(%s)", square).WithFix(n.Span, "square("+square+")", "write square(%s)", square)
	} else if n == c.assigned {
		c.spoilt[n.Name] = true
		d.WithHint("a variable is declared: var turn %s = 0, which begins anew each turn, or var game %s = 0", n.Name, n.Name)
	}
}

// habit is the hint for a name that people expect to have a meaning.
func (c *checker) habit(n *expr.Node) string {
	switch n.Name {
	case "yes", "no":
		return "a flag is asked by itself: if more, if !more; its values are true and false"
	case "nobody", "nothing", "noone":
		return "no piece, player or place is nil; a choice that can be declined: choose … from LIST or none"
	}
	if base := strings.TrimRight(n.Name, "0123456789"); base != n.Name && c.dice[base] != nil {
		return fmt.Sprintf("there is %q; another die is declared by: dice %s = d6", base, n.Name)
	}
	return ""
}

// fieldMeant is the hint for a bare name that is a field: of the current element, or a field the board declares for
// places and pieces.
func (c *checker) fieldMeant(name string) string {
	if n := len(c.elems); n > 0 {
		key := fieldOf{c.elems[n-1].Kind, name}
		if _, ok := languageFields[key]; ok {
			return fmt.Sprintf("a field of the element looked at begins with a dot: .%s", name)
		}
		if len(name) == 1 {
			return "the element looked at is #, and a field of it begins with a dot: .at"
		}
	}
	switch {
	case slices.Contains(c.board.Tags, name), slices.Contains(c.board.Families, name):
		return fmt.Sprintf("%q is asked of a place: s.%s, or p.at.%s", name, name, name)
	case slices.ContainsFunc(c.board.Landmarks, func(l boards.Landmark) bool { return l.Name == name }):
		return fmt.Sprintf("%q belongs to a piece or a colour: p.%s", name, name)
	}
	return ""
}

func (c *checker) optionNames() []string {
	return slices.Sorted(maps.Keys(c.options))
}

func (c *checker) knownNames() []string {
	names := c.optionNames()
	names = slices.AppendSeq(names, maps.Keys(c.lets))
	names = slices.AppendSeq(names, maps.Keys(c.vars))
	names = slices.AppendSeq(names, maps.Keys(c.dice))
	names = append(names, languageNames...)
	names = append(names, c.zoneNames()...)
	names = append(names, seq.Map(c.rules.Colours, func(x model.ColourInUse) string { return x.Name })...)
	for _, s := range c.scopes {
		names = slices.AppendSeq(names, maps.Keys(s))
	}
	sort.Strings(names)
	return names
}

func (c *checker) zoneNames() []string {
	zones := seq.Filter(c.board.Places, func(p boards.Place) bool { return p.Zone })
	return seq.Map(zones, func(p boards.Place) string { return p.Name })
}

func (c *checker) used(decl source.Span) { c.use.mark(decl, used) }

func (c *checker) unary(n *expr.Node) *model.Expr {
	a := c.node(n.Args[0])
	if n.Name == "!" {
		if a = c.want(a, model.Of(model.Flag)); a == nil {
			return nil
		}
		if a.Op == model.OpConst {
			return flagConst(a.Int == 0, n.Span)
		}
		return &model.Expr{Op: model.OpNot, Type: a.Type, Args: []*model.Expr{a}, Span: n.Span}
	}
	if a = c.want(a, model.Of(model.Number)); a == nil {
		return nil
	}
	if a.Op == model.OpConst && a.Int > -1<<15 {
		return c.number(-a.Int, n)
	}
	return &model.Expr{Op: model.OpNeg, Type: a.Type, Args: []*model.Expr{a}, Span: n.Span}
}

var arithmetic = map[string]model.Op{"+": model.OpAdd, "-": model.OpSub, "*": model.OpMul, "/": model.OpDiv, "%": model.OpMod}
var comparisons = map[string]model.Op{"<": model.OpLt, "<=": model.OpLe, ">": model.OpGt, ">=": model.OpGe}

// idle is Idle of an operation, of which a and b are the arguments, also where one of them is worked out of numbers alone, as in int(1 / 2) * n.
func idle(n *expr.Node, a, b *model.Expr) string {
	args := slices.Clone(n.Args)
	for i, e := range []*model.Expr{a, b} {
		if e.Op == model.OpConst && literal(n.Args[i], noName) {
			args[i] = &expr.Node{Kind: expr.Int, Int: e.Int, Span: n.Args[i].Span}
		}
	}
	return (&expr.Node{Kind: n.Kind, Name: n.Name, Args: args}).Idle()
}

func (c *checker) binary(n *expr.Node) *model.Expr {
	a, b := c.node(n.Args[0]), c.node(n.Args[1])
	if a == nil || b == nil {
		return nil
	}
	e := &model.Expr{Args: []*model.Expr{a, b}, Span: n.Span}
	number := model.Of(model.Number)
	switch n.Name {
	case "&&", "||":
		if c.want(a, model.Of(model.Flag)) == nil || c.want(b, model.Of(model.Flag)) == nil {
			return nil
		}
		e.Op, e.Type = model.OpAnd, a.Type
		decides := 0
		if n.Name == "||" {
			e.Op, decides = model.OpOr, 1
		}
		for _, side := range e.Args {
			switch {
			case c.where.test:
			case side.Op == model.OpConst:
				c.use.sides[side.Span] |= truth(1) << side.Int
			default:
				c.use.sides[side.Span] |= varies
			}
		}
		switch {
		case a.Op == model.OpConst && a.Int == decides, b.Op == model.OpConst && b.Int == 1-decides:
			return a
		case a.Op == model.OpConst:
			return b
		}
		return e
	case "==", "!=":
		return c.equality(n, a, b)
	case "<", "<=", ">", ">=":
		if c.want(a, number) == nil || c.want(b, number) == nil {
			return nil
		}
		e.Op, e.Type = comparisons[n.Name], model.Of(model.Flag)
		return fold(e)
	case "+", "-", "*", "/", "%":
		if c.board != nil { // a square's name with a hyphen parses as a subtraction
			if p, ok := c.board.Place(n.Span.Text()); ok {
				square := strconv.Quote(c.board.Places[p].Name)
				return noExpr(c.errorf("wrong-type", n.Span, "got %s minus %s, want a place", a.Type.With(), b.Type.With()).
					WithHint("a square is written square(%s)", square).WithFix(n.Span, "square("+square+")", "write square(%s)", square))
			}
		}
		if c.want(a, number) == nil || c.want(b, number) == nil {
			return nil
		}
		e.Op, e.Type = arithmetic[n.Name], number
		if n.Name == "/" {
			e.Type = model.Of(model.Fraction)
		} else if v, ok := constant(e); ok && (v < model.MinNumber || v > model.MaxNumber) {
			return noExpr(c.errorf("bad-number", n.Span, "this is %d; numbers lie between -32768 and 32767", v))
		}
		if (n.Name == "/" || n.Name == "%") && b.IsConst(0) {
			return noExpr(c.errorf("division-by-zero", b.Span, "this divides by zero"))
		}
		if to := idle(n, a, b); to != "" && !c.where.test { // where a sum may say how a number comes about
			c.diags.Warnf("no-effect", n.Span, "this is always %q", to)
		}
		return fold(e)
	case "in":
		return c.membership(n, a, b)
	case "..":
		if c.want(a, number) == nil || c.want(b, number) == nil {
			return nil
		}
		e.Op, e.Type = model.OpRange, model.ListOf(model.Number)
		return e
	case "??":
		t, ok := c.unify(a, b)
		if !ok {
			return nil
		}
		if t.List || !t.Kind.Ref() {
			return noExpr(c.errorf("never-nil", a.Span, "%s is never nil", t.With()))
		}
		e.Op, e.Type = model.OpCoalesce, t
		return e
	}
	return nil
}

// constant is the value of an operation on two constants; ok is false for any other.
func constant(e *model.Expr) (v int, ok bool) {
	a, b := e.Args[0], e.Args[1]
	v, ok = model.Compute(e.Op, a.Int, b.Int)
	return v, ok && a.Op == model.OpConst && b.Op == model.OpConst
}

// fold folds operations on constants.
func fold(e *model.Expr) *model.Expr {
	if v, ok := constant(e); ok && e.Op != model.OpDiv {
		return model.Const(e.Type, v, e.Span)
	}
	return e
}

func (c *checker) ternary(n *expr.Node) *model.Expr {
	cond := c.want(c.node(n.Args[0]), model.Of(model.Flag))
	a, b := c.node(n.Args[1]), c.node(n.Args[2])
	if cond == nil || a == nil || b == nil {
		return nil
	}
	t, ok := c.unify(a, b)
	if !ok {
		return nil
	}
	if cond.Op == model.OpConst {
		if cond.Int != 0 {
			return a
		}
		return b
	}
	return &model.Expr{Op: model.OpIf, Type: t, Args: []*model.Expr{cond, a, b}, Span: n.Span}
}

func (c *checker) array(n *expr.Node) *model.Expr {
	e := &model.Expr{Op: model.OpList, Type: model.ListOf(model.Nothing), Span: n.Span}
	for i, x := range n.Args {
		v := c.node(x)
		if v == nil {
			return nil
		}
		if v.Type.List {
			return noExpr(c.errorf("wrong-type", v.Span, "a list cannot hold lists"))
		}
		if i == 0 {
			e.Type = model.ListOf(v.Type.Kind)
		} else if v.Type.Kind != e.Type.Kind {
			return noExpr(c.errorf("wrong-type", v.Span, "got %s in a %s", v.Type.With(), e.Type))
		}
		e.Args = append(e.Args, v)
	}
	return e
}

func (c *checker) index(n *expr.Node) *model.Expr {
	list, i := c.node(n.Args[0]), c.node(n.Args[1])
	if list == nil || i == nil {
		return nil
	}
	if !list.Type.List {
		return noExpr(c.errorf("wrong-type", list.Span, "got %s, want a list before [", list.Type.With()))
	}
	if c.want(i, model.Of(model.Number)) == nil {
		return nil
	}
	if i.Op == model.OpConst && i.Int < 0 {
		c.errorf("bad-index", i.Span, "elements are counted from 0").WithHint("the last one is last(%s)", short(list.Span.Text())).WithFix(n.Span, "last("+list.Span.Text()+")", "take the last one")
		return nil
	}
	return &model.Expr{Op: model.OpIndex, Type: list.Type.Elem(), Args: []*model.Expr{list, i}, Span: n.Span}
}

func plural(n int, word string) string {
	switch n {
	case 0:
		return "no " + word + "s"
	case 1:
		return "one " + word
	}
	return numberWords([]int{n}) + " " + word + "s"
}
