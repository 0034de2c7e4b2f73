package reference

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of node.
const (
	Throw  Kind = iota // numbers
	Choice             // an option
	Over               // nothing: the game has ended
	Broken             // nothing: the rules failed
)

// Outcome is one value of a device, or one seat of a lot, with its weight.
type Outcome struct {
	Value, Weight int
}

// Option is an option of a choice. Unused fields are -1. Move -1 is a pick of Value.
type Option struct {
	Move, Piece, Other, From, To, Steps, Value int
}

// Refusal is a move that is not offered. A nil reason means that the track ends; Fewer means that another option can
// use more numbers.
type Refusal struct {
	Option  Option
	Reasons []*model.Clause
	Fewer   bool
}

// Result is the result of a game: the seats of the winning side, and all seats by rank if any was ranked or dropped.
type Result struct {
	Winners, Ranking []int
	Worth            int
}

// Position is a game being played. It belongs to one goroutine.
type Position struct {
	g         *Game
	base      *state   // at the beginning of the phase; immutable
	inputs    []int    // since then
	decisions []*found // since then
	live      *state   // at the node
	node      *node    // nil if the game is over or broken
	err       *Error
}

// Start begins a game. first is the seat that begins; with -1 the rules decide.
func (g *Game) Start(first int) *Position {
	st := g.initial()
	st.me = first
	return g.from(st)
}

// Setup is a game at the beginning of a turn.
type Setup struct {
	Turn   int   // colour in turn
	Places []int // of each piece
	Order  []int // the pieces in order of arrival
	Ranked []int // the first seats of the ranking; other ranked players follow in turn order
	Vars   []Value
}

// Value is the value of a variable for an owner: one value, or the elements of a set.
type Value struct {
	Var    *model.Var
	Owner  int
	Values []int
}

// Setup makes a position at the beginning of a turn. Endings that already apply take effect, without reactions.
func (g *Game) Setup(s Setup) *Position {
	st := g.initial()
	st.me, st.colour, st.phase = g.seatOf(s.Turn), s.Turn, turnBegins
	r := &run{g: g, state: st}
	for _, p := range s.Order {
		r.arrive(p, s.Places[p])
	}
	for _, x := range s.Vars {
		st.vars[g.slots[x.Var.Index]+x.Owner] = x.Values
	}
	p := &Position{g: g, base: st, live: st}
	switch why := stopped(func() { r.derive(s.Ranked) }).(type) {
	case gameOver:
		return p
	case *Error:
		p.err = why
		return p
	}
	return g.from(st)
}

// derive finds the endings that already apply: the ranked players, and the consequences.
func (r *run) derive(first []int) {
	for _, seat := range append(slices.Clone(first), upTo(0, len(r.standing))...) {
		for _, x := range r.g.clauses[model.ClauseEnding] {
			if x.Ending == model.EndRank && x.Scope == model.ScopePlayer && r.standing[seat] == playing && r.holds(x.When, (*env)(nil).bind(x.Params[0], seat)) {
				r.standing[seat] = ranked
				r.ranking = append(r.ranking, seat)
			}
		}
	}
	quiet := *r.g
	quiet.clauses = map[model.ClauseKind][]*model.Clause{model.ClauseEnding: r.g.clauses[model.ClauseEnding]}
	q := *r
	q.g = &quiet
	q.lookAfter()
}

func (g *Game) from(st *state) *Position {
	p := &Position{g: g, base: st}
	p.run()
	return p
}

// run continues from the base through the inputs to the next node.
func (p *Position) run() {
	r := &run{g: p.g, state: p.base.clone(), inputs: p.inputs, decisions: slices.Clip(p.decisions), before: p.decisions}
	p.node, p.live = nil, r.state
	for {
		switch why := stopped(r.advance).(type) {
		case nil:
			p.base, p.inputs = r.clone(), nil
			r.offered, r.decisions, r.before = nil, nil, nil
		case *node:
			p.node, p.decisions = why, r.decisions
			return
		case *Error:
			p.err = why
			return
		case gameOver:
			return
		default:
			panic(why)
		}
	}
}

// Copy is an independent copy of p.
func (p *Position) Copy() *Position {
	q := *p
	q.inputs = slices.Clone(p.inputs)
	return &q
}

// Kind is the kind of the present node.
func (p *Position) Kind() Kind {
	switch {
	case p.err != nil:
		return Broken
	case p.node == nil:
		return Over
	case p.node.choice:
		return Choice
	}
	return Throw
}

// Err is why the rules failed, an *Error; nil unless Kind is Broken.
func (p *Position) Err() error {
	if p.err == nil {
		return nil
	}
	return p.err
}

// Player is the seat that throws or chooses; at other nodes the seat in turn.
func (p *Position) Player() int {
	if p.node == nil {
		return p.live.me
	}
	return p.node.player
}

// Turn is the seat in turn, -1 before the first turn.
func (p *Position) Turn() int {
	if p.node != nil && p.node.opening {
		return none
	}
	return p.live.me
}

// TurnColour is the colour in turn if turns go by colour, otherwise the first colour of the seat.
func (p *Position) TurnColour() int {
	switch {
	case p.g.rules.TurnsByColour:
		return p.live.colour
	case p.live.me < 0:
		return none
	}
	return p.g.rules.Seats[p.live.me].Colours[0]
}

// Dice lists the indices of the dice of the present throw; nil for a lot over the seats.
func (p *Position) Dice() []int {
	var out []int
	if p.node != nil {
		out = seq.Map(p.node.dice, func(d *model.Die) int { return d.Index })
	}
	return out
}

// Outcomes lists the possible values of device i of the present throw, ascending.
func (p *Position) Outcomes(i int) []Outcome {
	if p.Kind() != Throw {
		return nil
	}
	return slices.Clone(p.node.outcomes[i])
}

var errNotNow = errors.New("the game does not wait for this now")

// Throw gives the numbers of the present throw, one per device.
func (p *Position) Throw(numbers ...int) error {
	if p.Kind() != Throw {
		return errNotNow
	}
	if len(numbers) != len(p.node.outcomes) {
		return fmt.Errorf("got %d numbers, want %d", len(numbers), len(p.node.outcomes))
	}
	for i, n := range numbers {
		if !slices.ContainsFunc(p.node.outcomes[i], func(o Outcome) bool { return o.Value == n }) {
			return fmt.Errorf("device %d cannot give %d now", i, n)
		}
	}
	p.inputs = append(slices.Clip(p.inputs), numbers...)
	p.run()
	return nil
}

// Options lists the options of the present choice.
func (p *Position) Options() []Option {
	if p.Kind() != Choice {
		return nil
	}
	out := seq.Map(p.node.options, p.option)
	for _, v := range p.node.picks {
		o := Option{Move: none, Piece: none, Other: none, From: none, To: none, Value: v}
		if p.node.pick.None && v == noPick {
			out = append(out, o)
			continue
		}
		switch p.node.pick.Value.Type.Kind {
		case model.Piece:
			if o.Piece = v; v >= 0 {
				o.From = p.live.at[v]
			}
		case model.Place:
			o.To = v
		}
		out = append(out, o)
	}
	return out
}

func (p *Position) option(o *option) Option {
	m := o.may.Move
	out := Option{Move: m.Index, Piece: none, Other: none, From: o.from, To: o.to, Steps: o.steps, Value: none}
	if movesPiece(m) {
		out.Piece = o.args[0]
	}
	if len(m.Params) > 1 && m.Params[1].Type == model.Of(model.Piece) {
		out.Other = o.args[1]
	}
	return out
}

// Choose takes an option by its index.
func (p *Position) Choose(i int) error {
	if p.Kind() != Choice {
		return errNotNow
	}
	if n := len(p.node.options) + len(p.node.picks); i < 0 || i >= n {
		return fmt.Errorf("there is no option %d among %d", i, n)
	}
	p.inputs = append(slices.Clip(p.inputs), i)
	p.run()
	return nil
}

// Refusals lists the moves that are not offered at the present choice, with the clauses that refuse them.
func (p *Position) Refusals() []Refusal {
	if p.Kind() != Choice || p.node.play == nil {
		return nil
	}
	r := &run{g: p.g, state: p.live.clone()}
	var out []Refusal
	var of []*option
	refuse := func(o *option) {
		n := Refusal{p.option(o), seq.Distinct(o.reasons), o.fewer}
		i := 0
		same := func(x Refusal) bool { // equal pieces have equal refusals
			a, b := x.Option, n.Option
			i++
			return p.sameParams(of[i-1], o) && a.Move == b.Move && p.colourOf(a.Piece) == p.colourOf(b.Piece) && a.From == b.From && a.To == b.To && a.Steps == b.Steps && slices.Equal(x.Reasons, n.Reasons)
		}
		if !slices.ContainsFunc(out, same) {
			out, of = append(out, n), append(of, o)
		}
	}
	var all, good []*option
	why := stopped(func() { r.offersTo(&all, p.node.play, true) })
	for _, o := range all { // a fault ends the list early
		if len(o.reasons) > 0 {
			refuse(o)
		} else {
			good = append(good, o)
		}
	}
	if why == nil {
		why = stopped(func() { r.narrowed(p.node.play, good, refuse) })
	}
	if _, fault := why.(*Error); why != nil && !fault {
		panic(why)
	}
	return out
}

// sameParams reports whether options of a move have the same parameters: of a second piece its colour and place matter, of others nothing.
func (p *Position) sameParams(a, b *option) bool {
	if a.may.Move != b.may.Move {
		return false
	}
	for i, param := range a.may.Move.Params {
		x, y := a.args[i], b.args[i]
		switch {
		case x == y:
		case param.Type != model.Of(model.Piece), i == 1 && (x == none || y == none || p.live.at[x] != p.live.at[y] || p.colourOf(x) != p.colourOf(y)):
			return false
		}
	}
	return true
}

// narrowed refuses the options that use fewer numbers than others, and those removed by a duty.
func (r *run) narrowed(p *play, good []*option, refuse func(*option)) {
	if p.ahead {
		usable := r.usable
		r.usable = 0 // during the look-ahead
		used := r.uses(good, p)
		r.usable = usable
		var most []*option
		for i, o := range good {
			if best := slices.Max(used); used[i] == best && !(p.all && best < p.longest()) {
				most = append(most, o)
				continue
			}
			o.fewer = true
			refuse(o)
		}
		good = most
	}
	r.dutiful(good, p.apart, refuse)
}

func (p *Position) colourOf(piece int) int {
	if piece < 0 {
		return none
	}
	return p.live.colourOf(p.g, piece)
}

// Places lists the place of each piece; for a piece in the hand the place it came from.
func (p *Position) Places() []int { return slices.Clone(p.live.at) }

// PiecesOn lists the pieces on a place, the oldest arrival first.
func (p *Position) PiecesOn(place int) []int { return slices.Clone(p.live.on[place]) }

// Index is the index of a piece's node on its track, -1 off it.
func (p *Position) Index(piece int) int { return p.live.indexOf(p.g, piece) }

// Var is the value of a variable, or the sorted elements of a set.
func (p *Position) Var(v *model.Var, owner int) []int {
	return slices.Clone(p.live.vars[p.g.slots[v.Index]+owner])
}

// Die is the last number of a die.
func (p *Position) Die(i int) int { return p.live.dice[i] }

// Waiting lists the numbers in the queue, the oldest first.
func (p *Position) Waiting() []int {
	return seq.Map(p.live.queue, func(w waiting) int { return w.number })
}

// Fired is how often each clause has taken effect, by Clause.Index. An option taken counts for its may clause; each
// refused option or path counts for the clause that refuses it.
func (p *Position) Fired() []uint64 { return slices.Clone(p.live.fired) }

// Acts is how often each act has been done.
func (p *Position) Acts() []uint64 { return slices.Clone(p.live.acts) }

// Playing reports whether a seat is still in the game.
func (p *Position) Playing(seat int) bool { return p.live.standing[seat] == playing }

// Throws is the number of throws so far, without those that determined who begins.
func (p *Position) Throws() int { return p.live.throws }

// side is the team that has won a game that is over; below 0 in a draw.
func (st *state) side(g *Game) int {
	if st.winner != none {
		return st.winner
	}
	if len(st.ranking) > 0 {
		return g.teamOf(st.ranking[0])
	}
	side, gone := none, false
	for seat, s := range st.standing {
		switch {
		case s == dropped:
			gone = true
		case s == playing && side == none:
			side = g.teamOf(seat)
		case s == playing && side != g.teamOf(seat):
			return drawn
		}
	}
	if !gone {
		return drawn
	}
	return side
}

// Result is the result so far; it is final when the game is over.
func (p *Position) Result() Result {
	var out Result
	st := p.live
	still := seq.Indexes(st.standing, func(s standing) bool { return s == playing })
	gone := seq.Indexes(st.standing, func(s standing) bool { return s == dropped })
	if len(still) < len(st.standing) {
		out.Ranking = slices.Concat(st.ranking, still, gone)
	}
	if p.Kind() != Over {
		return out
	}
	if side := st.side(p.g); side >= 0 {
		out.Winners, out.Worth = slices.Clone(p.g.rules.Teams[side]), 1
		if x := p.g.rules.Worth; x != nil {
			out.Worth = st.vars[p.g.slots[x.Index]][0]
		}
	}
	return out
}
