package interpreter

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Kind is the kind of the node of a position.
type Kind uint8

// The kinds of node.
const (
	Throw  Kind = iota // numbers of dice: Dice, Outcomes, Throw
	Choice             // a player's choice: Player, Options, Choose
	Over               // nothing: the game has ended, see Result
	Broken             // nothing: the rules failed, see Err
)

// ByTheRules lets the rules decide who begins.
const ByTheRules = -1

// Position is a game being played. It belongs to one goroutine.
type Position struct {
	game    *Game
	m       *vm.Machine
	err     *RuleError
	options []Option
	fresh   bool // options are those of the present node
	throws  int
	chance  vm.Chance
	secrets []secret // secret choices, see Guess
	cells   []int16  // buffer, see Restore
}

// Start begins a new game. first is the seat that begins, or ByTheRules: then the first nodes may be throws that
// determine it. An invalid seat means ByTheRules too.
func (g *Game) Start(first int) *Position {
	p := &Position{game: g, m: vm.New(g.prog)}
	p.Restart(first)
	return p
}

// Restart begins a new game in the same memory.
func (p *Position) Restart(first int) {
	if !p.game.isSeat(first) {
		first = ByTheRules
	}
	p.m.Reset()
	p.err, p.fresh, p.throws, p.secrets = nil, false, 0, p.secrets[:0]
	p.m.State()[code.CellMe] = int16(first)
	p.after(p.m.Start(0))
}

// after updates the position after a run of the machine.
func (p *Position) after(ok bool) {
	p.fresh = false
	if !ok {
		p.err = p.game.ruleError(p.m)
	}
}

// Game is the game the position belongs to.
func (p *Position) Game() *Game { return p.game }

// Copy is an independent copy of p.
func (p *Position) Copy() *Position {
	q := &Position{game: p.game, m: vm.New(p.game.prog)}
	q.CopyFrom(p)
	return q
}

// CopyFrom copies o into p. Both must be of the same game. It does not allocate if p has held as many options as o
// before.
func (p *Position) CopyFrom(o *Position) {
	p.m.CopyFrom(o.m)
	p.err, p.fresh, p.throws = o.err, false, o.throws
	p.secrets = append(p.secrets[:0], o.secrets...)
}

// Kind is the kind of the present node.
func (p *Position) Kind() Kind {
	switch {
	case p.err != nil:
		return Broken
	case p.m.Node == code.NodeThrow:
		return Throw
	case p.m.Node == code.NodeOver:
		return Over
	}
	return Choice
}

// Err is the fault of the rules, nil unless Kind is Broken.
func (p *Position) Err() error {
	if p.err == nil {
		return nil
	}
	return p.err
}

// Turn is the seat in turn. It is None in the opening, before the first turn. During the setup of the rules it is the
// seat that begins; at Over and Broken it is the seat in whose turn the game ended.
func (p *Position) Turn() int {
	if p.Opening() {
		return None
	}
	return int(p.m.State()[code.CellMe])
}

// TurnColour is the colour in turn: if turns go by colour the colour whose turn it is, otherwise the first colour of
// the seat in turn. It is None if Turn is.
func (p *Position) TurnColour() int {
	seat := p.Turn()
	switch {
	case seat == None:
		return None
	case p.game.rules.TurnsByColour:
		return int(p.m.State()[code.CellColour])
	}
	return p.game.rules.Seats[seat].Colours[0]
}

// Player is the seat that throws or chooses: in the opening the one that throws, None if a lot decides. At Over and
// Broken it is None.
func (p *Position) Player() int {
	switch k := p.Kind(); {
	case k == Over || k == Broken:
		return None
	case k == Choice && p.m.Node == code.NodePick:
		return int(p.m.State()[code.CellDecider])
	case k == Throw && p.game.prog.Throws[p.m.Site].Lot:
		return None
	}
	return int(p.m.State()[code.CellMe])
}

// Dice are the indices, in Game.Dice, of the devices of the present throw. It is empty if a lot decides which seat
// begins, and unless Kind is Throw. The slice belongs to the game.
func (p *Position) Dice() []int {
	if p.Kind() != Throw {
		return nil
	}
	return p.game.prog.Throws[p.m.Site].Dice
}

// devices is how many numbers the present throw has: one for each device, and one for a lot.
func (p *Position) devices() int { return max(1, len(p.Dice())) }

// Opening reports whether the present throw, or a lot, determines who begins.
func (p *Position) Opening() bool {
	if p.Kind() != Throw {
		return false
	}
	t := &p.game.prog.Throws[p.m.Site]
	return t.Lot || t.Start
}

// ChosenNumber reports whether the present throw is a number that the player chooses.
func (p *Position) ChosenNumber() bool {
	d := p.Dice()
	return len(d) == 1 && p.game.prog.Dice[d[0]].Choice
}

// Outcome is one value of a device, or one seat of a lot.
type Outcome struct {
	Value, Weight int
}

// Outcomes appends to dst the possible values of device i of the present throw, ascending; a lot is device 0. It
// appends nothing if there is no such device, and unless Kind is Throw.
func (p *Position) Outcomes(dst []Outcome, i int) []Outcome {
	if p.Kind() != Throw {
		return dst
	}
	t := &p.game.prog.Throws[p.m.Site]
	if t.Lot && i == 0 {
		for seat := range p.game.Players() {
			dst = append(dst, Outcome{seat, 1})
		}
		return dst
	}
	if i < 0 || i >= len(t.Dice) {
		return dst
	}
	d := &p.game.prog.Dice[t.Dice[i]]
	if d.Choice {
		for _, v := range p.m.Picks() {
			dst = append(dst, Outcome{int(v), 1})
		}
		return dst
	}
	left := p.deck(d)
	for j, v := range d.Values {
		w := d.Weights[j]
		if left != nil {
			w = int(left[j])
		}
		if w > 0 {
			dst = append(dst, Outcome{v, w})
		}
	}
	return dst
}

// EveryThrow goes through the outcomes of the present throw, each with its weight among all; the numbers are valid until
// the next outcome. It reports false, and goes through none, if there are more than most.
func (p *Position) EveryThrow(most int) (iter.Seq2[[]int, float64], bool) {
	devices := p.devices()
	outcomes, n := make([][]Outcome, devices), 1
	for i := range outcomes {
		outcomes[i] = p.Outcomes(nil, i)
		if n *= len(outcomes[i]); n > most {
			return func(func([]int, float64) bool) {}, false
		}
	}
	return func(yield func([]int, float64) bool) {
		numbers := make([]int, devices)
		for k := range n {
			weight := 1.0
			for i, list := range outcomes {
				o := list[k%len(list)]
				k /= len(list)
				numbers[i] = o.Value
				weight *= float64(o.Weight)
			}
			if !yield(numbers, weight) {
				return
			}
		}
	}, true
}

// deck is the number of cards left of each value; nil for an empty deck, which is full after shuffling, and for other
// devices.
func (p *Position) deck(d *code.Die) []int16 { return deck(p.m.State(), d) }

func deck(st []int16, d *code.Die) []int16 {
	if d.Deck < 0 {
		return nil
	}
	left := st[d.Deck : d.Deck+len(d.Values)]
	if !slices.ContainsFunc(left, func(n int16) bool { return n > 0 }) {
		return nil
	}
	return left
}

// draw removes a card from a deck, and shuffles an empty deck first.
func (p *Position) draw(d *code.Die, card int) {
	left := p.m.State()[d.Deck : d.Deck+len(d.Values)]
	if p.deck(d) == nil {
		for i, w := range d.Weights {
			left[i] = int16(w)
		}
	}
	left[slices.Index(d.Values, card)]--
}

// ErrNotNow means that the position does not wait for this.
var ErrNotNow = errors.New("the game does not wait for this now")

// Throw gives the numbers of the present throw, one per device. It fails without any change if the position waits for
// something else or a number is not possible.
func (p *Position) Throw(numbers ...int) error {
	if p.Kind() != Throw {
		return ErrNotNow
	}
	t := &p.game.prog.Throws[p.m.Site]
	if want := p.devices(); len(numbers) != want {
		if want == 1 {
			return catalogue.Sentence{Key: "throw.one", Text: "this throw has one number, got {{.got}}", Args: []any{"got", len(numbers)}}
		}
		return catalogue.Sentence{Key: "throw.several", Text: "this throw has {{.want}} numbers, got {{.got}}", Args: []any{"want", want, "got", len(numbers)}}
	}
	for i, n := range numbers {
		var few [16]Outcome
		outcomes := p.Outcomes(few[:0], i)
		if !slices.ContainsFunc(outcomes, func(o Outcome) bool { return o.Value == n }) {
			if t.Lot {
				return fmt.Errorf("there is no seat %d", n)
			}
			return catalogue.Sentence{Key: "throw.number", Text: "{{.die}} cannot give {{.n}} now", Args: []any{"die", p.game.prog.Dice[t.Dice[i]].Name, "n", n}}
		}
	}
	p.give(t, numbers)
	return nil
}

// give sets the numbers and continues.
func (p *Position) give(t *code.Throw, numbers []int) {
	st := p.m.State()
	if t.Lot {
		st[code.CellMe] = int16(numbers[0])
	}
	for i, die := range t.Dice {
		d := &p.game.prog.Dice[die]
		st[p.game.prog.Layout.Dice+die] = int16(numbers[i])
		if d.Deck >= 0 {
			p.draw(d, numbers[i])
		}
	}
	if !t.Lot && !t.Start {
		p.throws++
	}
	p.after(p.m.Resume(0))
}

// Draw draws the numbers of the present throw at random, by the weights, and does not throw. It returns none unless Kind is Throw.
func (p *Position) Draw(r *Random) []int {
	if p.Kind() != Throw {
		return nil
	}
	return seq.Of(p.devices(), func(i int) int { return Draw(p.Outcomes(nil, i), r) })
}

// Draw draws one of some outcomes, of which there is at least one, at random, by the weights.
func Draw(outcomes []Outcome, r *Random) int {
	n := r.IntN(seq.Sum(outcomes, func(o Outcome) int { return o.Weight }))
	i := slices.IndexFunc(outcomes, func(o Outcome) bool { n -= o.Weight; return n < 0 })
	return outcomes[i].Value
}

// ThrowRandom throws at random, by the weights; a chosen number is chosen uniformly. If the position waits for
// something else it does nothing.
func (p *Position) ThrowRandom(r *Random) {
	if p.m.Node != code.NodeThrow || p.err != nil {
		return
	}
	t := &p.game.prog.Throws[p.m.Site]
	if t.Fair == nil {
		p.throwRandom(t, r)
		return
	}
	p.throws++ // one ordinary die
	p.after(p.m.Thrown(t.Cell, t.Fair[r.IntN(len(t.Fair))]))
}

// throwRandom is ThrowRandom for anything but one ordinary die.
func (p *Position) throwRandom(t *code.Throw, r *Random) {
	var numbers [16]int
	if t.Lot {
		numbers[0] = r.IntN(p.game.Players())
		p.give(t, numbers[:1])
		return
	}
	for i, die := range t.Dice {
		numbers[i] = p.random(&p.game.prog.Dice[die], r)
	}
	p.give(t, numbers[:len(t.Dice)])
}

func (p *Position) random(d *code.Die, r *Random) int {
	if d.Choice {
		picks := p.m.Picks()
		return int(picks[r.IntN(len(picks))])
	}
	if left := p.deck(d); left != nil {
		total := 0
		for _, n := range left {
			total += int(n)
		}
		at := r.IntN(total)
		for i, n := range left {
			if at -= int(n); at < 0 {
				return d.Values[i]
			}
		}
	}
	at := r.IntN(d.Total)
	if d.Total == len(d.Values) {
		return d.Values[at]
	}
	for i, w := range d.Weights {
		if at -= w; at < 0 {
			return d.Values[i]
		}
	}
	return d.Values[len(d.Values)-1]
}

// Throws is the number of throws so far, including chosen numbers, without those that determined who begins. It is
// valid at every node.
func (p *Position) Throws() int { return p.throws }

// Numbers are the last values of the devices, in the order of Game.Dice: 0 for one not thrown yet. At a throw they
// are the values before it.
func (p *Position) Numbers() []int {
	return seq.Of(len(p.game.prog.Dice), func(i int) int { return int(p.m.State()[p.game.prog.Layout.Dice+i]) })
}

// Option is an option of a choice: a move, or a candidate of a pick (a piece, place, colour, player or number).
type Option struct {
	// Move is the index of the move in Rules.Moves, None for a pick.
	Move int
	// Piece is the piece moved or picked, or None.
	Piece int
	// Other is the second piece of a move with two pieces, OtherAt its place and OtherColour its colour, or None.
	Other, OtherAt, OtherColour int
	// Colour is the colour of the piece, or the colour picked, or None.
	Colour int
	// From and To are the places of the piece before and after the move, or None. A place picked is To.
	From, To int
	// FromPassage and ToPassage are the passages of the piece's track at From and To, from 1; 0 off the track, and
	// without a piece.
	FromPassage, ToPassage int
	// Params are the parameters of the move, as values; a pick has none.
	Params [4]int
	// Steps is the number the option counts.
	Steps int
	// Value is the candidate of a pick: the index of a piece, place, colour or player, or a number itself.
	Value int
	// Word is the answer to a question, "yes" or "no", or "none" where the player picks none of the candidates; else "".
	Word string
}

// OptionCount is the number of options of the present choice, 0 unless Kind is Choice.
func (p *Position) OptionCount() int {
	switch {
	case p.Kind() != Choice:
		return 0
	case p.m.Node == code.NodePick:
		return len(p.m.Picks())
	}
	return p.m.OptionCount()
}

// Options lists the options of the present choice, none unless Kind is Choice. The slice belongs to the position and
// is valid until it goes on.
func (p *Position) Options() []Option {
	if p.fresh {
		return p.options
	}
	p.fresh, p.options = true, p.options[:0]
	switch {
	case p.Kind() != Choice:
	case p.m.Node == code.NodePick:
		for _, v := range p.m.Picks() {
			p.options = append(p.options, p.candidate(p.Asking(), int(v)))
		}
	default:
		for i := range p.m.Options() {
			p.options = append(p.options, p.game.option(p.m, &p.m.Options()[i]))
		}
	}
	return p.options
}

// option is an option of a machine.
func (g *Game) option(m *vm.Machine, o *vm.Option) Option {
	out := Option{Move: int(o.Move), Piece: None, Other: None, OtherAt: None, OtherColour: None, Colour: None, From: int(o.From), To: int(o.To), Steps: int(o.Steps), Value: None}
	for i, v := range o.Params {
		out.Params[i] = int(v)
	}
	if g.prog.MovesPiece[o.Move] {
		out.Piece = int(o.Params[0])
		out.Colour = g.colourIn(m.State(), out.Piece)
		out.FromPassage = g.passage(out.Colour, int(m.State()[g.prog.Layout.Node+out.Piece]))
		if o.To >= 0 {
			out.ToPassage = g.passage(out.Colour, int(o.Node))
		}
	}
	if g.prog.PieceParams[o.Move]&2 != 0 {
		out.Other = int(o.Params[1])
		out.OtherAt = int(m.State()[g.prog.Layout.At+out.Other])
		out.OtherColour = g.colourIn(m.State(), out.Other)
	}
	return out
}

// Choose takes an option of the present choice, by its index in Options. It fails without any change if there is no
// such option.
func (p *Position) Choose(i int) error {
	if p.Kind() != Choice {
		return ErrNotNow
	}
	if i < 0 || i >= p.OptionCount() {
		return fmt.Errorf("there is no option %d among %d", i+1, p.OptionCount())
	}
	p.take(i)
	return nil
}

// ChooseRandom takes one of the options, uniformly. Without a choice it does nothing.
func (p *Position) ChooseRandom(r *Random) {
	switch {
	case p.m.Node == code.NodeOption && p.err == nil:
		p.after(p.m.Resume(r.IntN(p.m.OptionCount())))
	case p.Kind() == Choice:
		p.take(r.IntN(p.OptionCount()))
	}
}

// take takes an existing option.
func (p *Position) take(i int) {
	if len(p.game.secrets) > 0 && p.m.Node == code.NodePick {
		p.remember()
	}
	p.after(p.m.Resume(i))
}

// Places appends to dst the place of each piece, in the order of pieces: a moving piece is at the place it came from.
// It is valid at every node.
func (p *Position) Places(dst []int) []int {
	l := &p.game.prog.Layout
	for _, at := range p.m.State()[l.At : l.At+l.Pieces] {
		dst = append(dst, int(at))
	}
	return dst
}

// PiecesOn appends to dst the pieces on a place, the oldest arrival first. A moving piece is on no place. It is valid
// at every node, and appends nothing for None.
func (p *Position) PiecesOn(dst []int, place int) []int {
	l, st := &p.game.prog.Layout, p.m.State()
	if place < 0 || place >= l.Places {
		return dst
	}
	for q := st[l.Head+place]; q >= 0; q = st[l.Next+int(q)] {
		dst = append(dst, int(q))
	}
	return dst
}

// Index is the index of a piece's node on its track, at every node: None if it is off the track, and for no piece.
func (p *Position) Index(piece int) int {
	node := p.Node(piece)
	if node == None {
		return None
	}
	return p.game.rules.Track.Runs[p.game.rules.Colours[p.ColourOf(piece)].Board].Nodes[node].Index
}

// Node is the number of a piece's node in the run of its colour, at every node of the game: None if it is off the track,
// and for no piece.
func (p *Position) Node(piece int) int {
	l := &p.game.prog.Layout
	if piece < 0 || piece >= l.Pieces || p.m.State()[l.Node+piece] < 0 {
		return None
	}
	return int(p.m.State()[l.Node+piece]) - p.game.prog.Nodes[p.ColourOf(piece)]
}

// Number is the value that a variable of the rules has for an owner, a number as in Watcher.Acted, at every node. It is
// 0 for sets and bags, and where there is no such owner.
func (p *Position) Number(v *model.Var, owner int) int {
	s := &p.game.unit.Vars[v.Index]
	if s.Words != 0 || owner < 0 || owner >= p.game.owners(v.Scope) {
		return 0
	}
	return int(p.m.State()[s.Cell+owner])
}

// ColourOf is the colour a piece belongs to, None for no piece.
func (p *Position) ColourOf(piece int) int { return p.game.colourIn(p.m.State(), piece) }

// Result is the result of a game.
type Result struct {
	// Winners are the seats of the winning side; empty in a draw.
	Winners []int
	// Worth is what the win counts: 1, or the number that the rules give; 0 in a draw.
	Worth int
	// Ranking are the seats by rank: those ranked, those still in the game in turn order, and those dropped in turn
	// order. It is empty if no player was ranked or dropped. See Position.Place.
	Ranking []int
}

// Result is the result so far; it is final when Kind is Over. Before that no team has won; if the rules fail, no team
// wins.
func (p *Position) Result() Result {
	g, st := p.game, p.m.State()
	out := Result{Ranking: g.ranking(nil, st)}
	if team := g.side(st); team >= 0 {
		out.Winners, out.Worth = slices.Clone(g.rules.Teams[team]), 1
		if x := g.rules.Worth; x != nil {
			out.Worth = int(st[g.unit.Vars[x.Index].Cell])
		}
	}
	return out
}

// Ranked is the number of seats ranked so far, at every node: the first ones in Result's ranking.
func (p *Position) Ranked() int { return int(p.m.State()[code.CellRanked]) }

// Playing reports whether a seat is still in the game, at every node: neither ranked nor dropped. It is false for None.
func (p *Position) Playing(seat int) bool {
	return p.game.isSeat(seat) && p.m.State()[p.game.prog.Layout.Status+seat] == code.Playing
}

// Waiting are the numbers in the queue: earned and not counted yet, the oldest first. It is empty at the beginning of
// a turn.
func (p *Position) Waiting() []int {
	st := p.m.State()
	return seq.Of(int(st[code.CellQueue]), func(i int) int { return int(st[p.game.prog.Layout.Queue+i]) })
}
