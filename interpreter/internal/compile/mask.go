package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// maxMasked is the most pieces a game may have for a set of pieces to fit a machine word.
const maxMasked = 62

// masked reports whether the program represents sets of pieces as bitsets. This needs colours with constant sets of pieces.
func (c *compiler) masked() bool {
	return !c.plain && c.rules.Owner == nil && c.layout.Pieces <= maxMasked && c.layout.Places <= code.MaxListed
}

// maskTables are the offsets of the constant bitsets. Entry -1 of each is the empty set.
type maskTables struct {
	piece, colour, player, team, all int
	mates, fellows, allies           int // by piece: the pieces of the same colour, player, team
}

func (c *compiler) makeMasks(colours, players, teams [][]int) {
	if !c.masked() {
		return
	}
	table := func(lists [][]int) int {
		c.prog.Masks = append(c.prog.Masks, 0)
		at := len(c.prog.Masks)
		c.prog.Masks = append(c.prog.Masks, seq.Map(lists, bitset)...)
		return at
	}
	for p := range c.layout.Pieces {
		colour := p / c.layout.PerColour
		c.prog.ColourOf[p], c.prog.Mates[p] = uint8(colour), bitset(colours[colour])
	}
	each := seq.Of(c.layout.Pieces, func(p int) []int { return []int{p} })
	all := [][]int{slices.Concat(each...)}
	with := func(lists [][]int) int { // by piece: the list it is in
		of := make([][]int, c.layout.Pieces)
		for _, l := range lists {
			for _, p := range l {
				of[p] = l
			}
		}
		return table(of)
	}
	c.masks = maskTables{mates: with(colours), fellows: with(players), allies: with(teams), piece: table(each), colour: table(colours), player: table(players), team: table(teams), all: table(all)}
}

// bitset is the set of some numbers.
func bitset(list []int) (set uint64) {
	for _, n := range list {
		set |= 1 << n
	}
	return set
}

func derived(k int) *ir.Expr { return &ir.Expr{Op: ir.Derived, K: k, A: ir.K(0)} }

// piecesOn is the bitset of pieces on place x. It is empty for nil.
func piecesOn(x *ir.Expr) *ir.Expr { return at(ir.Derived, code.DerivedPlaces, x) }

// andNot is the difference of two bitsets.
func andNot(a, b *ir.Expr) *ir.Expr {
	if b.Is(0) || a.Is(0) {
		return a
	}
	return &ir.Expr{Op: ir.AndNot, A: a, B: b}
}

// intersect is the intersection of two bitsets.
func intersect(a, b *ir.Expr) *ir.Expr {
	switch {
	case a.Is(0), b.Is(-1):
		return a
	case b.Is(0), a.Is(-1):
		return b
	case b.Op == ir.AndNot && b.A.Is(-1):
		return andNot(a, b.B)
	case a.Op == ir.AndNot && a.A.Is(-1):
		return andNot(b, a.B)
	case b.Op == ir.Having && b.A.Is(-1):
		return &ir.Expr{Op: ir.Having, K: b.K, A: a, B: b.B}
	case a.Op == ir.Having && a.A.Is(-1):
		return &ir.Expr{Op: ir.Having, K: a.K, A: b, B: a.B}
	}
	return &ir.Expr{Op: ir.And, A: a, B: b}
}

// narrowed is a list narrowed by a condition, both as bitsets. The list is evaluated, because it may fault, even if the condition never holds.
func (c *compiler) narrowed(list, cond *ir.Expr) *ir.Expr {
	if cond.Is(0) && !c.faultFree(list) {
		return &ir.Expr{Op: ir.And, A: list, B: cond}
	}
	return intersect(list, cond)
}

// mask lowers a list of pieces to a bitset, nil if that needs a loop.
func (c *compiler) mask(e *model.Expr, v *env) *ir.Expr {
	if !c.masked() || c.notes != nil {
		return nil
	}
	switch e.Op {
	case model.OpMine:
		if c.rules.TurnsByColour {
			return at(ir.Masks, c.masks.colour, cell(code.CellColour))
		}
		return at(ir.Masks, c.masks.player, cell(code.CellMe))
	case model.OpSet:
		return c.maskOfSet(e, v)
	case model.OpFilter:
		list := c.mask(e.Args[0], v)
		if list == nil {
			return nil
		}
		if w := c.filterMask(e.Args[1], v); w != nil {
			return c.narrowed(list, w)
		}
	case model.OpCall:
		pre, inner := c.call(e, v)
		if m := c.mask(e.Let.Body, inner); m != nil {
			return ir.With(pre, m)
		}
	case model.OpLocal:
		if list, where := v.listOf(e.Local); list != nil {
			return c.mask(list, where)
		}
	case model.OpIf:
		a, b := c.mask(e.Args[1], v), c.mask(e.Args[2], v)
		if a != nil && b != nil {
			return ir.Choose(c.expr(e.Args[0], v), a, b)
		}
	}
	return nil
}

func (c *compiler) maskOfSet(e *model.Expr, v *env) *ir.Expr {
	switch e.Set {
	case model.SetPieces:
		return at(ir.Masks, c.masks.all, ir.K(0))
	case model.SetPiecesOf:
		owner := c.must(e.Args[0], v)
		table := 0
		switch e.Args[0].Type.Kind {
		case model.Place:
			on := &ir.Expr{Op: ir.Derived, K: code.DerivedPlaces, A: owner}
			if !c.handFree {
				return andNot(on, derived(code.DerivedHand))
			}
			return on
		case model.Colour:
			table = c.masks.colour
		case model.Player:
			table = c.masks.player
		default:
			table = c.masks.team
		}
		return &ir.Expr{Op: ir.Masks, K: table, A: owner}
	}
	return nil
}

// filterMask is the bitset of pieces for which a condition on an element holds. It may contain pieces outside the filtered
// list. It is nil if the condition needs a test per piece.
func (c *compiler) filterMask(cond *model.Expr, v *env) *ir.Expr {
	self := ir.Get(local("each"))
	return c.filterMaskOf(cond, v.withElem(self), self)
}

func (c *compiler) filterMaskOf(e *model.Expr, v *env, self *ir.Expr) *ir.Expr {
	c.spend()
	sub := func(i int) *ir.Expr { return c.filterMaskOf(e.Args[i], v, self) }
	if !c.dependsOn(e, v, self) {
		x := c.expr(e, v)
		if !c.faultFree(x) {
			return nil
		}
		return ir.Choose(x, ir.K(-1), ir.K(0))
	}
	switch e.Op {
	case model.OpAnd, model.OpOr:
		a, b := sub(0), sub(1)
		if a == nil || b == nil {
			return nil
		}
		if e.Op == model.OpAnd {
			switch {
			case allOrNone(a):
				return ir.Choose(a.A, b, ir.K(0))
			case allOrNone(b):
				return ir.Choose(b.A, a, ir.K(0))
			}
			return intersect(a, b)
		}
		switch {
		case allOrNone(a):
			return ir.Choose(a.A, ir.K(-1), b)
		case allOrNone(b):
			return ir.Choose(b.A, ir.K(-1), a)
		}
		return &ir.Expr{Op: ir.Or, A: a, B: b}
	case model.OpNot:
		if a := sub(0); a != nil {
			return andNot(ir.K(-1), a)
		}
	case model.OpIf:
		if a, b := sub(1), sub(2); a != nil && b != nil && !c.dependsOn(e.Args[0], v, self) {
			if x := c.expr(e.Args[0], v); c.faultFree(x) {
				return ir.Choose(x, a, b)
			}
		}
	case model.OpEq, model.OpNe:
		set := c.equalMask(e.Args[0], e.Args[1], v, self)
		if set == nil {
			set = c.equalMask(e.Args[1], e.Args[0], v, self)
		}
		if set != nil && e.Op == model.OpNe {
			return andNot(ir.K(-1), set)
		}
		return set
	case model.OpVar:
		return c.varMask(e, ir.K(1), v, self)
	case model.OpField:
		a := e.Args[0]
		if e.Field == model.FieldSquare && a.Op == model.OpField && a.Field == model.FieldAt && c.isSelf(a.Args[0], v, self) {
			return derived(code.DerivedSquares)
		}
	case model.OpTag, model.OpFamily:
		table := c.tables.families
		if e.Op == model.OpTag {
			table = c.tables.tags
		}
		if a := e.Args[0]; a.Op == model.OpField && a.Field == model.FieldAt && c.isSelf(a.Args[0], v, self) {
			return c.standingOn(table[e.Int])
		}
	case model.OpCall:
		pre, inner := c.call(e, v)
		if m := c.filterMaskOf(e.Let.Body, inner, self); m != nil && c.faultFreeAll(pre) && !ir.Uses(pre, self.Local) {
			return ir.With(pre, m)
		}
	}
	return nil
}

// maxUnion is the most places whose pieces are joined into one set. Beyond it, a test per piece is faster.
const maxUnion = 4

// standingOn is the bitset of pieces on the places that have a flag in a table. It is nil if both the places with the flag
// and those without are many.
func (c *compiler) standingOn(table int) *ir.Expr {
	var sets [2]*ir.Expr
	var n [2]int
	for place := range c.layout.Places {
		k := int(c.prog.Tables[table+place])
		n[k]++
		if sets[k] == nil {
			sets[k] = ir.K(0)
		}
		if n[k] <= maxUnion {
			sets[k] = union(sets[k], derived(code.DerivedPlaces+place))
		}
	}
	switch {
	case n[1] <= maxUnion && sets[1] != nil:
		return sets[1]
	case n[0] <= maxUnion && sets[0] != nil:
		return andNot(ir.K(-1), sets[0])
	}
	return nil
}

// allOrNone reports whether an expression selects between the full and the empty set.
func allOrNone(x *ir.Expr) bool { return x.Op == ir.Pick && x.B.Is(-1) && x.C.Is(0) }

// equalMask is the bitset of pieces for which a, which depends on the element, equals the loop-invariant b.
func (c *compiler) equalMask(a, b *model.Expr, v *env, self *ir.Expr) *ir.Expr {
	if c.dependsOn(b, v, self) {
		return nil
	}
	table := func(k int) *ir.Expr {
		x := c.expr(b, v)
		if !c.faultFree(x) {
			return nil
		}
		return at(ir.Masks, k, x)
	}
	if c.isSelf(a, v, self) {
		return table(c.masks.piece)
	}
	if a.Op == model.OpVar {
		if x := c.expr(b, v); c.faultFree(x) {
			return c.varMask(a, x, v, self)
		}
	}
	if a.Op != model.OpField || !c.isSelf(a.Args[0], v, self) {
		return nil
	}
	if b.Op == model.OpField && b.Field == a.Field && b.Args[0].Type.Kind == model.Piece { // of the same colour, player or team as another piece
		p := c.expr(b.Args[0], v)
		table, ok := map[model.Field]int{model.FieldColour: c.masks.mates, model.FieldPlayer: c.masks.fellows, model.FieldTeam: c.masks.allies}[a.Field]
		if ok && c.faultFree(p) && c.nonNil(p) {
			return at(ir.Masks, table, p)
		}
	}
	switch a.Field {
	case model.FieldAt:
		if x := c.expr(b, v); c.faultFree(x) {
			return piecesOn(x)
		}
	case model.FieldColour:
		return table(c.masks.colour)
	case model.FieldPlayer:
		return table(c.masks.player)
	case model.FieldTeam:
		return table(c.masks.team)
	}
	return nil
}

// varMask is the bitset of pieces whose variable has a value. It is nil unless the variable belongs to the element itself.
func (c *compiler) varMask(e *model.Expr, value *ir.Expr, v *env, self *ir.Expr) *ir.Expr {
	if e.Var.Scope != model.ScopePiece || e.Var.Type.List || !c.isSelf(e.Args[0], v, self) {
		return nil
	}
	return &ir.Expr{Op: ir.Having, K: c.slots[e.Var.Index].Cell, A: ir.K(-1), B: value}
}

// isSelf reports whether an expression is the element itself.
func (c *compiler) isSelf(e *model.Expr, v *env, self *ir.Expr) bool {
	return e.Op == model.OpElem && v.elem == self || e.Op == model.OpLocal && !e.Type.List && v.lookup(e.Local) == self
}

// dependsOn reports whether an expression depends on the element, through any name.
func (c *compiler) dependsOn(e *model.Expr, v *env, self *ir.Expr) bool {
	switch e.Op {
	case model.OpElem:
		return v.elem == self
	case model.OpLocal:
		if e.Type.List {
			list, where := v.listOf(e.Local)
			return list != nil && c.dependsOn(list, where, self)
		}
		if arg, where := v.argOf(e.Local); arg != nil {
			return c.dependsOn(arg, where, self)
		}
		return v.lookup(e.Local) == self
	}
	for i, a := range e.Args {
		w := v
		if i == 1 && e.OverElements() {
			w = v.withElem(nil)
		}
		if c.dependsOn(a, w, self) {
			return true
		}
	}
	return false
}

// faultFree reports whether an expression can never fault. Such an expression may be evaluated where the plain form would
// skip it.
func (c *compiler) faultFree(e *ir.Expr) bool { return c.faultFreeAll(ir.Body{{Op: ir.Set, A: e}}) }

func (c *compiler) faultFreeAll(stmts ir.Body) bool {
	sound := true
	ir.Walk(stmts, func(s *ir.Stmt) bool {
		switch s.Op {
		case ir.Set, ir.Declare, ir.If, ir.Block, ir.Loop, ir.Break, ir.Continue:
		default:
			sound = false
		}
		return sound
	}, func(e *ir.Expr) bool {
		switch e.Op {
		case ir.Present, ir.Offer, ir.Result:
			sound = false
		case ir.Div, ir.Mod:
			sound = sound && e.B.Op == ir.Const && e.B.K != 0
		case ir.CellAt, ir.Table, ir.Scratch:
			sound = sound && c.nonNil(e.A)
		}
		return sound
	})
	return sound
}

// reduceMask reduces a list of pieces by its bitset, nil if that needs a loop.
func (c *compiler) reduceMask(e *model.Expr, v *env) *ir.Expr {
	list := e.Args[0]
	if list.Type.Kind != model.Piece {
		return nil
	}
	set := c.mask(list, v)
	if set == nil {
		return nil
	}
	if len(e.Args) > 1 {
		w := c.filterMask(e.Args[1], v)
		if w == nil {
			return nil
		}
		switch {
		case e.Op != model.OpAll:
			set = c.narrowed(set, w)
		case w.Op == ir.AndNot && w.A.Is(-1):
			set = c.narrowed(set, w.B)
		default:
			set = andNot(set, w)
		}
	}
	switch e.Op {
	case model.OpAny:
		return ir.Op2(ir.Ne, set, ir.K(0))
	case model.OpNone, model.OpAll:
		return ir.Op2(ir.Eq, set, ir.K(0))
	case model.OpCount:
		return &ir.Expr{Op: ir.Bits, A: set}
	}
	if c.ascending(list, v) {
		return &ir.Expr{Op: ir.Lowest, A: set}
	}
	return nil
}

// ascending reports whether a list of pieces is in ascending order.
func (c *compiler) ascending(e *model.Expr, v *env) bool {
	switch e.Op {
	case model.OpMine:
		return c.ordered
	case model.OpFilter:
		return c.ascending(e.Args[0], v)
	case model.OpCall:
		_, inner := c.call(e, v)
		return c.ascending(e.Let.Body, inner)
	case model.OpIf:
		return c.ascending(e.Args[1], v) && c.ascending(e.Args[2], v)
	case model.OpLocal:
		list, where := v.listOf(e.Local)
		return list != nil && c.ascending(list, where)
	case model.OpSet:
		switch e.Set {
		case model.SetPieces:
			return true
		case model.SetPiecesOf:
			return e.Args[0].Type.Kind == model.Colour || e.Args[0].Type.Kind != model.Place && c.ordered
		}
	}
	return false
}
