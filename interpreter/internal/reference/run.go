package reference

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// run is one execution: from the beginning of a phase through the available inputs to the next node.
type run struct {
	g *Game
	*state
	inputs    []int // numbers of throws and indices of options, in order
	work      int   // loop iterations since the last input
	others    bool  // explaining: there are options besides those offered otherwise
	remaining int   // see model.CellRemaining
	here      int   // see model.CellHere; one more, as 0 is none
	offered   []*option
	decisions []*found // of this run, in order
	before    []*found // the rest of the decisions of the previous run
}

// Non-local exits of a run or a part of it. They are panics, and only stopped recovers them.
type (
	turnEnded struct{}
	gameOver  struct{}
	enough    struct{} // the iteration over a list can stop
)

// node is the point at which a run needs an input.
type node struct {
	choice   bool
	dice     []*model.Die
	opening  bool        // the throw determines who begins
	outcomes [][]Outcome // of each device; for a lot, of the seats
	options  []*option   // of a choice between moves
	play     *play
	pick     *model.Stmt // of a choice between other things
	picks    []int
	player   int
}

// stopped runs f and returns its non-local exit, nil if it returned normally.
func stopped(f func()) (why any) {
	defer func() {
		why = recover()
		switch why.(type) {
		case nil, turnEnded, gameOver, enough, *node, *Error:
		default:
			panic(why)
		}
	}()
	f()
	return nil
}

// broken runs f, and reports whether the turn ended in it.
func broken(f func()) bool {
	switch why := stopped(f).(type) {
	case nil:
		return false
	case turnEnded:
		return true
	default:
		panic(why)
	}
}

// spend counts one iteration of a loop.
func (r *run) spend() {
	if r.work++; r.work > maxWork {
		fail(faultWork, r.g.turnSpan())
	}
}

// input returns the next n inputs. If there are not enough, the run stops at the node.
func (r *run) input(n int, at func() *node) []int {
	if len(r.inputs) == 0 {
		panic(at())
	}
	out := r.inputs[:n]
	r.inputs, r.work = r.inputs[n:], 0
	return out
}

// advance runs the present phase and continues with the next.
func (r *run) advance() {
	switch r.work += 10; r.phase {
	case opening:
		r.begin()
		r.phase = settingUp
	case settingUp:
		r.phase = turnBegins
		r.aside(func() { r.block(r.g.rules.Setup, nil, false) })
		r.lookAside()
		r.clearTurn()
		if r.standing[r.me] != playing { // no turn has begun: none ends
			r.nextTurn()
		}
	case turnBegins:
		r.reset(r.g, model.ScopeTurn)
		r.reset(r.g, model.ScopeGo)
		if r.g.undoes {
			r.kept = nil
			r.kept = r.clone()
		}
		r.takeLater()
		r.phase = procedure
		r.endTurn(broken(func() { r.raise(event{kind: model.EventTurnBegins, outer: true}) }))
	case procedure:
		r.again = false
		r.reset(r.g, model.ScopeGo)
		ended := broken(func() {
			r.tick(r.g.turnSpan())
			r.block(r.g.rules.Turn, nil, true)
		})
		r.endTurn(ended || !r.again)
	case turnFinal:
		r.noMove()
		r.carries()
		r.handBack()
		r.lookAside()
		r.raise(event{kind: model.EventTurnEnds, ends: true})
		r.clearTurn()
		if !r.turnTo() {
			r.nextTurn()
		}
		r.phase = turnBegins
	}
}

// takeLater begins the queue of a turn with the numbers that were earned for it.
func (r *run) takeLater() {
	if x := r.g.rules.Later; x != nil {
		at := r.g.slots[x.Index] + r.me
		r.queue = append(r.queue, seq.Map(r.vars[at], func(n int) waiting { return waiting{n, none} })...)
		r.vars[r.g.slots[r.g.rules.Taken.Index]] = []int{len(r.queue)}
		r.vars[at] = nil
	}
}

func (r *run) endTurn(ended bool) {
	if ended {
		r.phase = turnFinal
	}
}

// clearTurn resets the state of a turn.
func (r *run) clearTurn() {
	r.again, r.thrown, r.earned, r.counts, r.queue = false, false, false, 0, nil
	r.steps, r.heading, r.usable = 0, 1, 0
}

// aside runs f outside any turn. An exit that would end the turn ends f only. It reports whether there was one.
func (r *run) aside(f func()) bool {
	ended := broken(f)
	if ended {
		r.handBack()
	}
	return ended
}

// lookAside checks the endings outside any turn. If a reaction exits, the check starts again.
func (r *run) lookAside() {
	for r.aside(r.lookAfter) {
		r.spend()
	}
}

// handBack returns the pieces in the hand to their places after an interrupted move.
func (r *run) handBack() {
	for p, inHand := range r.hand {
		if inHand {
			r.arriveAt(p, r.at[p], r.node[p])
		}
	}
}

// turnTo passes the turn to whom the rules say comes next, if that one is still in the game.
func (r *run) turnTo() bool {
	rules := r.g.rules
	if rules.TurnsTo == nil {
		return false
	}
	x := r.eval(rules.TurnsTo, nil)
	if x < 0 || r.standing[r.playerOf(x, rules.TurnsByColour)] != playing {
		return false
	}
	if r.me = r.playerOf(x, rules.TurnsByColour); rules.TurnsByColour {
		r.colour = x
	}
	return true
}

// nextTurn passes the turn to the next player, or colour, still in the game.
func (r *run) nextTurn() {
	byColour := r.g.rules.TurnsByColour
	n, x := len(r.standing), r.me
	if byColour {
		n, x = len(r.g.rules.Colours), r.colour
	}
	for i := 1; i <= n; i++ {
		y := (x + i) % n
		if seat := r.playerOf(y, byColour); r.standing[seat] == playing {
			r.me = seat
			if byColour {
				r.colour = y
			}
			return
		}
	}
	r.over(none)
}

// over ends the game.
func (r *run) over(winner int) {
	r.winner, r.phase = winner, finished
	r.raise(event{kind: model.EventGameEnds})
	panic(gameOver{})
}

// begin determines who begins.
func (r *run) begin() {
	f := r.g.rules.First
	switch {
	case r.me >= 0:
	case f.Kind == model.FirstSeat:
		r.me = f.Seat
	case len(f.Dice) == 0:
		r.me = r.input(1, func() *node {
			seats := seq.Of(len(r.standing), func(seat int) Outcome { return Outcome{seat, 1} })
			return &node{opening: true, outcomes: [][]Outcome{seats}, player: none}
		})[0]
	default:
		in := r.round(upTo(0, len(r.standing)), f)
		for len(in) > 1 {
			in = r.round(in, f)
		}
		r.me = in[0]
	}
	if r.g.rules.TurnsByColour {
		r.colour = r.g.rules.Seats[r.me].Colours[0]
	}
}

// round lets some players throw, and returns those with the best throw.
func (r *run) round(in []int, f model.First) (best []int) {
	most := 0
	for _, seat := range in {
		r.me = seat
		r.cast(f.Dice, true, nil)
		sum := seq.Sum(f.Dice, func(d *model.Die) int { return r.dice[d.Index] })
		if f.Kind == model.FirstLowest {
			sum = -sum
		}
		if len(best) == 0 || sum > most {
			best, most = nil, sum
		}
		if sum == most {
			best = append(best, seat)
		}
	}
	return best
}

// cast throws dice; chosen are the candidates of a chosen number.
func (r *run) cast(dice []*model.Die, opening bool, chosen []int) {
	for _, d := range dice {
		left := r.decks[d.Index]
		if left == nil || slices.Max(left) > 0 {
			continue
		}
		for i, face := range d.Faces { // an empty deck is shuffled
			left[i] = face.Weight
		}
	}
	numbers := r.input(len(dice), func() *node {
		each := seq.Map(dice, func(d *model.Die) []Outcome { return r.outcomes(d, chosen) })
		return &node{dice: dice, opening: opening, player: r.me, outcomes: each}
	})
	for i, d := range dice {
		r.dice[d.Index] = numbers[i]
		if left := r.decks[d.Index]; left != nil {
			left[slices.IndexFunc(d.Faces, func(f model.Face) bool { return f.Value == numbers[i] })]--
		}
	}
	if !opening {
		r.throws++
	}
}

// outcomes lists the possible values of a device.
func (r *run) outcomes(d *model.Die, chosen []int) []Outcome {
	if d.Kind == model.DieChoice {
		return seq.Map(slices.Compact(slices.Sorted(slices.Values(chosen))), func(n int) Outcome { return Outcome{n, 1} })
	}
	var out []Outcome
	for i, f := range d.Faces {
		if left := r.decks[d.Index]; left != nil {
			f.Weight = left[i]
		}
		if f.Weight > 0 {
			out = append(out, Outcome{f.Value, f.Weight})
		}
	}
	return out
}
