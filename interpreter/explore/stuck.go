package explore

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Limits of the search for a way out.
const (
	maxStates   = 1000 // positions searched
	maxOutcomes = 2000 // of one throw
	maxRounds   = 6    // own turns of a player who cannot act
)

// stuckForEver reports whether the game can never go on: in no position reachable by throws and picks does a piece
// stand elsewhere, a player have a move to choose, or the game end. It searches all of them, and returns false if there are too
// many, which it says, or giveUp returns true. For a stuck position it returns why.
func stuckForEver(p *interpreter.Position, giveUp func() bool) (stuck, many bool, why causes) {
	if stuck, many = staysPut(p, nil, giveUp); !stuck {
		return false, many, causes{}
	}
	asked := newReasons(p) // asked only now, since it takes longer than the search
	staysPut(p, asked, giveUp)
	return true, false, asked.causes()
}

// staysPut is the search of stuckForEver. It collects the causes, unless why is nil.
func staysPut(p *interpreter.Position, why *reasons, giveUp func() bool) (stuck, many bool) {
	root := p.Places(nil)
	var spare spares
	start := spare.copyOf(p)
	known := map[string]bool{string(start.AppendKey(nil)): true}
	open := []*interpreter.Position{start}
	var places []int
	var name []byte
	for len(open) > 0 {
		q := open[len(open)-1]
		open = open[:len(open)-1]
		next, ok := followers(q, why, &spare)
		if !ok || giveUp() {
			return false, false
		}
		spare = append(spare, q)
		for _, n := range next {
			places = n.Places(places[:0])
			if n.Kind() == interpreter.Over || n.Kind() == interpreter.Broken || !slices.Equal(places, root) {
				return false, false
			}
			name = n.AppendKey(name[:0])
			if known[string(name)] {
				spare = append(spare, n)
				continue
			}
			if len(known) >= maxStates {
				return false, true
			}
			known[string(name)] = true
			open = append(open, n)
		}
	}
	return true, false
}

// spares are positions that are no longer needed.
type spares []*interpreter.Position

// copyOf copies a position, into a spare one if there is one.
func (s *spares) copyOf(p *interpreter.Position) *interpreter.Position {
	last := len(*s) - 1
	if last < 0 {
		return p.Copy()
	}
	q := (*s)[last]
	*s = (*s)[:last]
	q.CopyFrom(p)
	return q
}

// causes say why no piece comes to another place: clauses that refuse moves, those that refuse most first, or, where moves are carried out
// and come to nothing, reactions that set pieces down elsewhere.
type causes struct {
	refuse, undo []*model.Clause
}

// main lists the clauses that say most: those that undo moves, if there are any.
func (c causes) main() []*model.Clause {
	if len(c.undo) > 0 {
		return c.undo
	}
	return c.refuse
}

// reasons collects causes: how often each clause refuses or undoes moves.
type reasons struct {
	interpreter.Unwatched
	refuse, undo map[*model.Clause]int
	places       []int         // where the pieces stand at first
	reaction     *model.Clause // the last one that ran
}

func newReasons(p *interpreter.Position) *reasons {
	return &reasons{refuse: map[*model.Clause]int{}, undo: map[*model.Clause]int{}, places: p.Places(nil)}
}

// Fired implements interpreter.Watcher.
func (r *reasons) Fired(c *model.Clause) {
	if c.Block != nil {
		r.reaction = c
	}
}

// Put implements interpreter.Watcher.
func (r *reasons) Put(piece, from, to int) {
	if r.reaction != nil && from != to && to == r.places[piece] {
		r.undo[r.reaction]++
	}
}

// watch collects causes in a position until stop is called.
func (r *reasons) watch(p *interpreter.Position) (stop func()) {
	if r == nil {
		return func() {}
	}
	r.reaction = nil
	p.Watch(r)
	unasked := p.Decisions(func(d *interpreter.Decision) {
		if len(d.Options) > 0 {
			return
		}
		for _, x := range d.Explain() {
			for _, c := range x.Reasons {
				if c != nil {
					r.refuse[c]++
				}
			}
		}
	})
	return func() {
		unasked()
		p.Watch(nil)
	}
}

func (r *reasons) causes() causes { return causes{most(r.refuse), most(r.undo)} }

// followers lists the successor positions of a throw or a pick, and collects why no piece moves, unless why is nil; ok is false if there is a
// move to choose.
func followers(q *interpreter.Position, why *reasons, spare *spares) ([]*interpreter.Position, bool) {
	var out []*interpreter.Position
	if q.Kind() == interpreter.Throw {
		throws, ok := q.EveryThrow(maxOutcomes)
		if !ok || q.Opening() {
			return nil, false
		}
		for numbers := range throws {
			n := spare.copyOf(q)
			stop := why.watch(n)
			err := n.Throw(numbers...)
			stop()
			if err != nil {
				return nil, false
			}
			out = append(out, n)
		}
		return out, true
	}
	for i, o := range q.Options() {
		if o.Move != interpreter.None {
			return nil, false
		}
		n := spare.copyOf(q)
		n.Choose(i)
		out = append(out, n)
	}
	return out, true
}

// most lists the keys by descending count, equal ones in file order.
func most(counts map[*model.Clause]int) []*model.Clause {
	return slices.SortedFunc(maps.Keys(counts), func(a, b *model.Clause) int {
		return cmp.Or(counts[b]-counts[a], a.Index-b.Index)
	})
}

// nothingToDo reports whether the player in turn can do nothing, independent of the others: no throw permits an action with the pieces of
// the other sides back at their beginning, neither now nor in its next turns, whatever the others do in a few random ones in between, nor
// with one or all pieces of another player's colour on any place of its track. It does not report waiting behind pieces of others, or for
// them, which is temporary, nor a player whose partner can do something.
func nothingToDo(p *interpreter.Position, seat, play int) bool {
	if !hasNothing(p) {
		return false
	}
	g := p.Game()
	rules := g.Rules()
	s := p.Setup()
	s.Arrived = nil
	var others, partners []int // colours
	for i, c := range rules.Colours {
		switch {
		case c.Seat == seat:
		case rules.Seats[c.Seat].Team == rules.Seats[seat].Team:
			partners = append(partners, i)
		default:
			others = append(others, i)
			for k := range s.Pieces[c.Name] {
				s.Pieces[c.Name][k] = g.PlaceName(rules.PiecesAt[i])
			}
		}
	}
	dropStale(s)
	q, err := g.Setup(s)
	if err != nil {
		return false
	}
	for _, c := range partners {
		turn := clone(s)
		turn.Turn = rules.Colours[c].Name
		if q, err := g.Setup(turn); err == nil && q.TurnBegins() && !hasNothing(q) {
			return false
		}
	}
	r := interpreter.NewRandom(0, uint64(play))
	for range maxRounds {
		if !q.TurnBegins() || q.Turn() != seat || !hasNothing(q) || !toNextTurn(q, seat, &r) {
			return false
		}
	}
	return !slices.ContainsFunc(append(others, partners...), func(c int) bool { return helped(g, s, c, seat) }) // last, since it takes longest
}

// helped reports whether a player who can do nothing can do something with one or all pieces of another colour on a place of its track.
func helped(g *interpreter.Game, s *interpreter.Setup, colour, seat int) bool {
	rules := g.Rules()
	name := rules.Colours[colour].Name
	for _, place := range seq.Distinct(rules.Track.Runs[rules.Colours[colour].Board].Places()) {
		for _, pieces := range []int{1, len(s.Pieces[name])} {
			next := clone(s)
			for k := range min(pieces, len(next.Pieces[name])) {
				next.Pieces[name][k] = g.PlaceName(place)
			}
			if q, err := g.Setup(next); err == nil && q.TurnBegins() && q.Turn() == seat && !hasNothing(q) {
				return true
			}
		}
	}
	return false
}

// hasNothing reports whether no outcome of the throws of this turn gives the player in turn a move, a choice or any change.
func hasNothing(p *interpreter.Position) bool {
	if p.Kind() != interpreter.Throw {
		return false
	}
	before := persistent(p)
	known := map[string]bool{}
	var key []byte
	var nothing func(p *interpreter.Position) bool
	nothing = func(p *interpreter.Position) bool {
		throws, ok := p.EveryThrow(maxOutcomes)
		if !ok || p.Opening() {
			return false
		}
		q, w := p.Copy(), &doing{}
		q.Watch(w)
		for numbers := range throws {
			q.CopyFrom(p)
			if q.Throw(numbers...) != nil || w.done || q.Kind() != interpreter.Throw {
				return false
			}
			key = q.AppendKey(key[:0])
			if known[string(key)] {
				continue
			}
			known[string(key)] = true
			switch {
			case len(known) >= maxStates:
				return false
			case q.TurnBegins():
				if persistent(q) != before {
					return false
				}
			case !nothing(q):
				return false
			}
		}
		return true
	}
	return nothing(p)
}

// persistent is a key of the state that lasts beyond a turn, without the player in turn.
func persistent(p *interpreter.Position) string {
	s := p.Setup()
	s.Turn = ""
	text, _ := json.Marshal(s)
	return string(text)
}

// toNextTurn plays at random to the next turn of a seat; false if there may be none.
func toNextTurn(p *interpreter.Position, seat int, r *interpreter.Random) bool {
	for n := range maxNodes * p.Game().Players() {
		if n > 0 && p.TurnBegins() && p.Turn() == seat {
			return true
		}
		if k := p.Kind(); k != interpreter.Throw && k != interpreter.Choice {
			return false
		}
		goOn(p, r)
	}
	return false
}

// doing records whether there was a possible action.
type doing struct{ done bool }

// Fired implements interpreter.Watcher.
func (w *doing) Fired(c *model.Clause) { w.done = w.done || c.Kind == model.ClauseMay }

// Acted implements interpreter.Watcher.
func (w *doing) Acted(*model.Act, []int) { w.done = true }

// Put implements interpreter.Watcher.
func (w *doing) Put(int, int, int) { w.done = true }
