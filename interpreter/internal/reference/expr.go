package reference

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Error is a fault of the rules found while playing.
type Error struct {
	Span    source.Span
	Message string
	Limit   bool // the rules exceed a limit, and would have a meaning otherwise
}

// Error is the fault on one line, with its place.
func (e *Error) Error() string { return e.Span.Say(e.Message) }

// The faults, and the limits in the language reference. Some limits are not in the reference: the number of options
// and elements, of pending branches of a walk, and the work between two nodes, which the engine measures differently.
const (
	faultNil     = "got nil, want a piece, place, colour or player"
	faultIndex   = "the list has no such element"
	faultRange   = "this number does not fit here"
	faultZero    = "this divides by zero"
	faultCounts  = "a turn has more than 600 throws and counts"
	faultQueue   = "more than 16 earned counts wait"
	faultWork    = "the rules do too much between two decisions"
	faultOptions = "there are too many options or elements here"
	faultPath    = "a walk has more than 256 steps or ways"
	faultEmpty   = "there is no number to choose from"

	maxCounts   = 600
	maxQueue    = 16
	maxNumbers  = 8
	maxOptions  = 4096
	maxPath     = 256
	maxBranches = 64
	maxWork     = 2_000_000
)

func fail(message string, span source.Span) {
	limit := message == faultCounts || message == faultQueue || message == faultWork || message == faultOptions || message == faultPath
	panic(&Error{span, message, limit})
}

// there returns x, and fails if it is nil.
func there(x int, span source.Span) int {
	if x < 0 {
		fail(faultNil, span)
	}
	return x
}

// fits returns n, and fails if it is out of range.
func fits(n, low, high int, span source.Span) int {
	if n < low || n > high {
		fail(faultRange, span)
	}
	return n
}

func number(n int, span source.Span) int { return fits(n, model.MinNumber, model.MaxNumber, span) }

// env is the scope of an expression: a linked list of bindings. It is immutable.
type env struct {
	outer *env
	local *model.Local
	value int
	list  *model.Expr // of a list parameter: the list and its scope
	where *env
	elem  int // the value of #
}

// bind binds a name to a value; a nil name binds nothing.
func (v *env) bind(l *model.Local, value int) *env {
	switch {
	case l == nil:
		return v
	case v == nil:
		return &env{local: l, value: value}
	}
	return &env{outer: v, local: l, value: value, elem: v.elem}
}

func (v *env) bindAll(params []*model.Local, args []int) *env {
	for i, l := range params {
		if i < len(args) {
			v = v.bind(l, args[i])
		}
	}
	return v
}

func (v *env) looking(elem int) *env { return &env{outer: v, elem: elem} }

func (v *env) find(l *model.Local) *env {
	for ; v != nil; v = v.outer {
		if v.local == l {
			return v
		}
	}
	return nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// holds evaluates a condition; nil is true.
func (r *run) holds(e *model.Expr, v *env) bool { return e == nil || r.eval(e, v) != 0 }

// eval evaluates an expression that is not a list: a number, flag, or the index of a place, piece, colour, player or
// team; -1 is nil.
func (r *run) eval(e *model.Expr, v *env) int {
	arg := func(i int) int { return r.eval(e.Args[i], v) }
	switch e.Op {
	case model.OpConst:
		return e.Int
	case model.OpLocal:
		if x := v.find(e.Local); x != nil {
			return x.value
		}
		return none
	case model.OpElem:
		return v.elem
	case model.OpCell:
		return r.cell(e.Cell)
	case model.OpDie:
		return r.dice[e.Die.Index]
	case model.OpVar:
		return r.vars[r.slot(e, v)][0]
	case model.OpField:
		return r.field(e, arg(0))
	case model.OpTag:
		tags := r.g.rules.Board.Places[there(arg(0), e.Span)].Tags
		return truth(e.Int < len(tags) && tags[e.Int])
	case model.OpFamily:
		p := r.g.rules.Board.Places[there(arg(0), e.Span)]
		return truth(!p.Zone && p.Family == e.Int)
	case model.OpAttr:
		return r.g.rules.Board.Attributes[e.Int].Values[there(arg(0), e.Span)]
	case model.OpMark:
		return r.g.rules.Board.Landmarks[e.Int].Values[r.g.rules.Colours[there(arg(0), e.Span)].Board]
	case model.OpCall:
		return r.eval(e.Let.Body, r.call(e, v))
	case model.OpAll, model.OpAny, model.OpNone, model.OpCount, model.OpFind, model.OpFirst, model.OpLast, model.OpIndex, model.OpSum:
		return r.ofList(e, v)
	case model.OpMin, model.OpMax:
		return r.extreme(e, v)
	case model.OpIndexOf:
		i, x := 0, arg(1)
		for y := range r.list(e.Args[0], v) {
			if x == y {
				return i
			}
			i++
		}
		return -1
	case model.OpIn:
		x := arg(0)
		return truth(seq.Any(r.list(e.Args[1], v), func(y int) bool { return x == y }))
	case model.OpAdd, model.OpSub, model.OpMul, model.OpDiv, model.OpMod, model.OpEq, model.OpNe, model.OpLt, model.OpLe, model.OpGt, model.OpGe:
		return binary(e, arg(0), arg(1))
	case model.OpInt: // of a division, which is cut already
		return arg(0)
	case model.OpNeg:
		return -arg(0)
	case model.OpAbs:
		x := arg(0)
		return max(x, -x)
	case model.OpNot:
		return 1 - arg(0)
	case model.OpAnd:
		return truth(arg(0) != 0 && arg(1) != 0)
	case model.OpOr:
		return truth(arg(0) != 0 || arg(1) != 0)
	case model.OpIf:
		return arg(2 - truth(arg(0) != 0))
	case model.OpCoalesce:
		if x := arg(0); x >= 0 {
			return x
		}
		return arg(1)
	}
	panic(fmt.Sprintf("no such expression: %d", e.Op))
}

func binary(e *model.Expr, a, b int) int {
	switch e.Op {
	case model.OpAdd:
		return bounded(float64(a)+float64(b), a+b)
	case model.OpSub:
		return bounded(float64(a)-float64(b), a-b)
	case model.OpMul:
		return product(product(a, e.Span)*product(b, e.Span), e.Span)
	case model.OpDiv, model.OpMod:
		if b == 0 {
			fail(faultZero, e.Span)
		}
		if e.Op == model.OpDiv {
			return a / b
		}
		return a % b
	}
	order := cmp.Compare(a, b)
	return truth(order < 0 && (e.Op == model.OpLt || e.Op == model.OpLe || e.Op == model.OpNe) ||
		order == 0 && (e.Op == model.OpEq || e.Op == model.OpLe || e.Op == model.OpGe) ||
		order > 0 && (e.Op == model.OpGt || e.Op == model.OpGe || e.Op == model.OpNe))
}

// product returns n, an operand or result of a product, and fails if it is too large.
func product(n int, span source.Span) int { return fits(n, -1<<30+1, 1<<30, span) }

// bounded returns n, or a number outside every range of the language if n overflows a machine word; about is the
// approximate value.
func bounded(about float64, n int) int {
	if math.Abs(about) < 1<<62 {
		return n
	}
	return int(math.Copysign(1<<62, about))
}

func (r *run) cell(c model.Cell) int {
	return [...]int{
		model.CellMe: r.me, model.CellSteps: r.steps, model.CellThrown: truth(r.thrown), model.CellEarned: truth(r.earned),
		model.CellHeading: r.heading, model.CellRemaining: r.remaining, model.CellUsable: r.usable,
		model.CellHere: r.here - 1,
	}[c]
}

// slot is the index of a variable's value.
func (r *run) slot(e *model.Expr, v *env) int {
	owner := 0
	if len(e.Args) > 0 {
		owner = there(r.eval(e.Args[0], v), e.Span)
	}
	return r.g.slots[e.Var.Index] + owner
}

func (r *run) field(e *model.Expr, x int) int {
	if x < 0 {
		fail(faultNil, e.Span)
	}
	seat := x // the player, if the owner is one
	switch e.Args[0].Type.Kind {
	case model.Piece:
		seat = r.g.seatOf(r.colourOf(r.g, x))
	case model.Colour:
		seat = r.g.seatOf(x)
	}
	switch e.Field {
	case model.FieldAt:
		return r.at[x]
	case model.FieldColour:
		return r.colourOf(r.g, x)
	case model.FieldPlayer:
		return seat
	case model.FieldTeam:
		return r.g.teamOf(seat)
	case model.FieldIndex:
		return r.indexOf(r.g, x)
	case model.FieldSeat:
		return x
	case model.FieldSquare:
		return truth(x >= r.g.squares)
	case model.FieldPlaying:
		return truth(r.standing[x] == playing)
	case model.FieldRanked:
		return truth(r.standing[x] == ranked)
	case model.FieldWon:
		team := x
		if e.Args[0].Type.Kind != model.Team {
			team = r.g.teamOf(seat)
		}
		return truth(r.phase == finished && r.side(r.g) == team)
	case model.FieldMove:
		return r.offered[x].may.Move.Index
	case model.FieldPiece:
		if o := r.offered[x]; movesPiece(o.may.Move) {
			return o.args[0]
		}
		return none
	case model.FieldTo:
		return r.offered[x].to
	case model.FieldSteps:
		return r.offered[x].steps
	}
	panic(fmt.Sprintf("no such field: %d", e.Field))
}

// call binds the parameters of a let. A list argument is evaluated lazily.
func (r *run) call(e *model.Expr, v *env) *env {
	var inner *env
	for i, p := range e.Let.Params {
		if p.Type.List {
			inner = &env{outer: inner, local: p, list: e.Args[i], where: v}
			continue
		}
		inner = inner.bind(p, r.eval(e.Args[i], v))
	}
	return inner
}

// ofList evaluates an operation that reduces a list to one value.
func (r *run) ofList(e *model.Expr, v *env) int {
	n, last := 0, none
	if e.Op == model.OpIndex {
		n = r.eval(e.Args[1], v)
	}
	for x := range r.list(e.Args[0], v) {
		value := x // or the value of the expression for it
		if e.OverElements() {
			value = r.eval(e.Args[1], v.looking(x))
		}
		holds := !e.OverElements() || value != 0
		switch e.Op {
		case model.OpAll:
			if !holds {
				return 0
			}
		case model.OpAny, model.OpNone:
			if holds {
				return truth(e.Op == model.OpAny)
			}
		case model.OpFind, model.OpFirst:
			if holds {
				return x
			}
		case model.OpIndex:
			if n == 0 {
				return x
			}
			n--
		case model.OpCount:
			n += truth(holds)
		case model.OpSum:
			n = bounded(float64(n)+float64(value), n+value)
		case model.OpLast:
			last = x
		}
	}
	switch e.Op {
	case model.OpAll, model.OpNone:
		return 1
	case model.OpAny:
		return 0
	case model.OpCount, model.OpSum:
		return n
	case model.OpIndex:
		fail(faultIndex, e.Span)
	}
	return last
}

func (r *run) extreme(e *model.Expr, v *env) int {
	var all []int
	if e.Args[0].Type.List {
		all = slices.Collect(r.list(e.Args[0], v))
	} else {
		all = seq.Map(e.Args, func(a *model.Expr) int { return r.eval(a, v) })
	}
	switch {
	case len(all) == 0:
		fail(faultIndex, e.Span)
	case e.Op == model.OpMin:
		return slices.Min(all)
	}
	return slices.Max(all)
}

// list iterates over the elements of a list. It evaluates them lazily.
func (r *run) list(e *model.Expr, v *env) iter.Seq[int] {
	switch e.Op {
	case model.OpSet:
		return r.each(r.set(e, v))
	case model.OpMine:
		if r.g.rules.TurnsByColour {
			return r.each(r.g.owned[ofColour][r.colour])
		}
		return r.each(r.g.owned[ofPlayer][r.me])
	case model.OpCall:
		return r.list(e.Let.Body, r.call(e, v))
	case model.OpLocal:
		x := v.find(e.Local)
		return r.list(x.list, x.where)
	case model.OpIf:
		return r.list(e.Args[2-truth(r.eval(e.Args[0], v) != 0)], v)
	case model.OpRange:
		return func(yield func(int) bool) {
			last := r.eval(e.Args[1], v)
			for n := r.eval(e.Args[0], v); n <= last; n++ {
				if r.spend(); !yield(n) {
					return
				}
			}
		}
	case model.OpList:
		return func(yield func(int) bool) {
			for _, a := range e.Args {
				if r.spend(); !yield(r.eval(a, v)) {
					return
				}
			}
		}
	case model.OpFilter:
		return func(yield func(int) bool) {
			for x := range r.list(e.Args[0], v) {
				if r.holds(e.Args[1], v.looking(x)) && !yield(x) {
					return
				}
			}
		}
	case model.OpMap:
		return func(yield func(int) bool) {
			for x := range r.list(e.Args[0], v) {
				if !yield(r.eval(e.Args[1], v.looking(x))) {
					return
				}
			}
		}
	case model.OpSortBy:
		var list, keys []int
		for x := range r.list(e.Args[0], v) {
			key := number(r.eval(e.Args[1], v.looking(x)), e.Args[1].Span)
			at := len(keys)
			for at > 0 && keys[at-1] > key {
				at--
			}
			list, keys = slices.Insert(list, at, x), slices.Insert(keys, at, key)
		}
		return r.each(list)
	}
	panic(fmt.Sprintf("no such list: %d", e.Op))
}

func (r *run) each(list []int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, x := range list {
			if r.spend(); !yield(x) {
				return
			}
		}
	}
}

// inHand lists the colours in hand.
func (r *run) inHand() []int {
	if r.g.rules.TurnsByColour {
		return []int{r.colour}
	}
	return r.g.rules.Seats[r.me].Colours
}

// upTo lists the numbers from from to n-1.
func upTo(from, n int) []int {
	return seq.Which(n, func(i int) bool { return i >= from })
}

// set evaluates a list that the game provides.
func (r *run) set(e *model.Expr, v *env) []int {
	owner, kind := none, model.Nothing
	if len(e.Args) > 0 && e.Set != model.SetVar && e.Set != model.SetCopies {
		owner, kind = there(r.eval(e.Args[0], v), e.Span), e.Args[0].Type.Kind
	}
	g := r.g
	switch e.Set {
	case model.SetPiecesOf:
		switch kind {
		case model.Place:
			return r.on[owner]
		case model.Colour:
			return g.owned[ofColour][owner]
		case model.Player:
			return g.owned[ofPlayer][owner]
		}
		return g.owned[ofTeam][owner]
	case model.SetColoursOf:
		if kind == model.Team {
			return g.colours[owner]
		}
		return g.rules.Seats[owner].Colours
	case model.SetPlayersOf:
		return g.rules.Teams[owner]
	case model.SetTrackOf:
		return g.tracks[owner]
	case model.SetPieces:
		return upTo(0, g.pieces)
	case model.SetColours:
		return upTo(0, len(g.rules.Colours))
	case model.SetPlayers:
		return upTo(0, len(g.rules.Seats))
	case model.SetTeams:
		return upTo(0, len(g.rules.Teams))
	case model.SetSquares:
		return upTo(g.squares, len(g.rules.Board.Places))
	case model.SetAfter:
		return r.after(owner, e.Type.Kind == model.Colour)
	case model.SetVar: // a bag's elements are all kept
		return slices.Compact(slices.Clone(r.vars[r.slot(e, v)]))
	case model.SetCopies:
		return r.vars[r.slot(e, v)]
	case model.SetHand:
		return r.inHand()
	case model.SetOffered:
		return upTo(0, len(r.offered))
	}
	panic(fmt.Sprintf("no such set: %d", e.Set))
}

// after lists the players, or colours, still in the game, in turn order after x, without x.
func (r *run) after(x int, colours bool) []int {
	n := len(r.g.rules.Seats)
	if colours {
		n = len(r.g.rules.Colours)
	}
	var out []int
	for i := 1; i < n; i++ {
		if y := (x + i) % n; r.standing[r.playerOf(y, colours)] == playing {
			out = append(out, y)
		}
	}
	return out
}

func (r *run) playerOf(x int, colours bool) int {
	if colours {
		return r.g.seatOf(x)
	}
	return x
}
