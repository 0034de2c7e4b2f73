package explore

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// Bounds on looking for a way out.
const (
	maxStates   = 4000 // positions looked at
	maxOutcomes = 2000 // of one throw
	maxRounds   = 6    // own turns of a player who can do nothing
)

// stuckForEver reports whether, whatever is thrown and picked from a position on, no piece ever moves, no player ever has a
// move to choose and the game does not end: it looks at every position that can follow, and gives up, with no, where
// they are many or giveUp says so. Of a position that is stuck it lists the clauses that refuse moves, those that refuse most first.
func stuckForEver(p *interpreter.Position, giveUp func() bool) (bool, []*model.Clause) {
	root := p.Places(nil)
	refusing := map[*model.Clause]int{}
	start := p.Copy()
	known := map[string]bool{string(start.AppendKey(nil)): true}
	open := []*interpreter.Position{start}
	var places []int
	var name []byte
	for len(open) > 0 {
		q := open[len(open)-1]
		open = open[:len(open)-1]
		next, ok := followers(q, refusing)
		if !ok || giveUp() {
			return false, nil
		}
		for _, n := range next {
			places = n.Places(places[:0])
			if n.Kind() == interpreter.Over || n.Kind() == interpreter.Broken || !slices.Equal(places, root) {
				return false, nil
			}
			name = n.AppendKey(name[:0])
			if known[string(name)] {
				continue
			}
			if len(known) >= maxStates {
				return false, nil
			}
			known[string(name)] = true
			open = append(open, n)
		}
	}
	return true, most(refusing)
}

// followers are the positions that come after a throw, or after a pick; not where there is a move to choose.
func followers(q *interpreter.Position, refusing map[*model.Clause]int) ([]*interpreter.Position, bool) {
	var out []*interpreter.Position
	if q.Kind() == interpreter.Throw {
		ok := everyThrow(q, func(numbers []int) bool {
			n := q.Copy()
			stop := n.Decisions(func(d *interpreter.Decision) {
				if len(d.Options) > 0 || refusing == nil {
					return
				}
				for _, r := range d.Explain() {
					for _, c := range r.Reasons {
						if c != nil {
							refusing[c]++
						}
					}
				}
			})
			err := n.Throw(numbers...)
			stop()
			out = append(out, n)
			return err == nil
		})
		return out, ok
	}
	for i, o := range q.Options() {
		if o.Move != interpreter.None {
			return nil, false
		}
		n := q.Copy()
		n.Choose(i)
		out = append(out, n)
	}
	return out, true
}

// everyThrow calls f with everything the throw at hand can give, until f says no. It reports false where f did or there
// is too much of it.
func everyThrow(p *interpreter.Position, f func(numbers []int) bool) bool {
	if p.Opening() {
		return false
	}
	dice := len(p.Dice())
	outcomes := make([][]interpreter.Outcome, dice)
	total := 1
	for i := range dice {
		outcomes[i] = p.Outcomes(nil, i)
		if total *= len(outcomes[i]); total > maxOutcomes {
			return false
		}
	}
	numbers := make([]int, dice)
	for n := range total {
		for i := range dice {
			numbers[i] = outcomes[i][n%len(outcomes[i])].Value
			n /= len(outcomes[i])
		}
		if !f(slices.Clone(numbers)) {
			return false
		}
	}
	return true
}

// most lists the clauses counted, the largest count first, equals as they stand in the files.
func most(counts map[*model.Clause]int) []*model.Clause {
	list := slices.Collect(maps.Keys(counts))
	slices.SortFunc(list, func(a, b *model.Clause) int {
		if n := counts[b] - counts[a]; n != 0 {
			return n
		}
		return a.Index - b.Index
	})
	return list
}

// nothingToDo reports whether the player in turn has nothing to do for ever by its own fault: with the pieces of the
// other sides back where they begin no throw gives it anything, and neither does any in its next turns, whatever the
// others do meanwhile. Merely waiting behind pieces of others is not meant: that passes.
func nothingToDo(p *interpreter.Position, seat, play int) bool {
	if !hasNothing(p) {
		return false
	}
	g := p.Game()
	rules := g.Rules()
	s := p.Setup()
	s.Arrived = nil
	for _, c := range rules.Colours {
		if rules.Seats[c.Seat].Team != rules.Seats[seat].Team {
			for i := range s.Pieces[c.Name] {
				s.Pieces[c.Name][i] = g.PlaceName(rules.PiecesAt)
			}
		}
	}
	mend(s)
	q, err := g.Setup(s)
	if err != nil {
		return false
	}
	r := interpreter.NewRandom(0, uint64(play))
	for range maxRounds {
		if !q.TurnBegins() || q.Turn() != seat {
			return false
		}
		if !hasNothing(q) || !toNextTurn(q, seat, &r) {
			return false
		}
	}
	return true
}

// hasNothing reports whether no throw at hand gives the player in turn a move, a choice or any change.
func hasNothing(p *interpreter.Position) bool {
	if p.Kind() != interpreter.Throw {
		return false
	}
	before := persistent(p)
	ok := everyThrow(p, func(numbers []int) bool {
		q := p.Copy()
		w := &doing{}
		q.Watch(w)
		if q.Throw(numbers...) != nil {
			return false
		}
		for range maxNodes {
			if w.done || q.Kind() != interpreter.Throw {
				return false
			}
			if q.TurnBegins() {
				break
			}
			everyThrow(q, func(n []int) bool { // any will do: the first throw is what counts
				q.Throw(n...)
				return false
			})
		}
		return !w.done && persistent(q) == before
	})
	return ok
}

// persistent is what lasts beyond a turn, but for whose turn it is.
func persistent(p *interpreter.Position) string {
	s := p.Setup()
	s.Turn = ""
	text, err := json.Marshal(s)
	if err != nil {
		return ""
	}
	return string(text)
}

// toNextTurn plays on by chance to the next turn of a seat; false where there may be none.
func toNextTurn(p *interpreter.Position, seat int, r *interpreter.Random) bool {
	for n := range maxNodes * p.Game().Players() {
		if n > 0 && p.TurnBegins() && p.Turn() == seat {
			return true
		}
		if k := p.Kind(); k != interpreter.Throw && k != interpreter.Choice {
			return false
		}
		if p.Kind() == interpreter.Throw {
			p.ThrowRandom(r)
		} else {
			p.ChooseRandom(r)
		}
	}
	return false
}

// doing notes whether there was anything to do.
type doing struct{ done bool }

// Fired implements interpreter.Watcher.
func (w *doing) Fired(c *model.Clause) { w.done = w.done || c.Kind == model.ClauseMay }

// Acted implements interpreter.Watcher.
func (w *doing) Acted(*model.Act, []int) { w.done = true }

// Put implements interpreter.Watcher.
func (w *doing) Put(int, int, int) { w.done = true }
