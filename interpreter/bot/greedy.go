package bot

import (
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// weights say what a greedy bot likes, each for one of what it counts.
type weights struct {
	Progress float64            // a step of one's own pieces, or a point of the lead that the rules declare
	Others   float64            // the same lost by the other sides, on average
	Acts     float64            // an act of one's own side against a piece of another one, or the other way round
	Act      map[string]float64 // the same of single acts, by name
	Home     float64            // a piece that has come to where its track ends
	Earned   float64            // a step that has been earned and waits to be counted
	Again    float64            // the next throw
}

// greedy looks one decision ahead: it takes the option whose outcome is worth most by its weights. To win is worth more
// than anything, to lose less. Equal options are taken by chance.
type greedy struct {
	weights weights
	look
	deeds deeds
}

func newGreedy(v values) *greedy {
	return &greedy{weights: weights{
		Progress: v.of["progress"], Others: v.of["others"], Acts: v.of["acts"], Act: v.acts, Home: v.of["home"], Earned: v.of["earned"], Again: v.of["again"],
	}}
}

// fit says which weight is of an act that the rules do not have.
func (w *weights) fit(known []string) error {
	var names []string
	for name := range w.Act {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if slices.Contains(known, name) {
			continue
		}
		hint := "the rules have no acts"
		if near := diag.Nearest(name, known); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		} else if len(known) > 0 {
			hint = fmt.Sprintf("they have: %s", known)
		}
		return refuse(hint, "bot greedy: acts.%s: the rules have no act %q", name, name)
	}
	return nil
}

// decide tries each way on and takes one of the best.
func (b *greedy) decide(p *interpreter.Position, r *interpreter.Random, n int) int {
	b.clear(n)
	times := 1
	if p.Hides(p.Player()) {
		times = guesses
	}
	for range times {
		b.guess(p, r)
		for i := range n {
			b.worth[i] += b.try(i)
		}
	}
	return b.pick(r)
}

// What the end of the game is worth.
const (
	winning = 1e12
	broken  = -1e13 // rules that fail
)

// try is what way i is worth.
func (b *greedy) try(i int) float64 {
	w, q := &b.weights, b.next
	team := b.team(b.root)
	b.measure(b.root)
	own, ahead, home := b.far[team], b.ahead(team), b.atHome(b.root, team)
	q.CopyFrom(b.root)
	b.deeds = deeds{game: b.game, team: team, weights: w}
	q.Watch(&b.deeds)
	fine := b.take(q, i)
	q.Watch(nil)
	if !fine {
		return broken
	}
	b.measure(q)
	worth := b.deeds.worth + w.Home*float64(b.atHome(q, team)-home)
	worth += w.Progress * (b.far[team] - own)
	if len(b.far) > 1 {
		worth += w.Others * ((b.ahead(team) - b.far[team]) - (ahead - own))
	}
	if winner := b.winner(q); winner == team {
		return worth + winning
	} else if winner >= 0 {
		return worth - winning
	}
	if q.Kind() == interpreter.Over {
		return worth
	}
	if b.game.Rules().Seats[q.Turn()].Team == team {
		for _, n := range q.Waiting() {
			worth += w.Earned * float64(n)
		}
		if q.Kind() == interpreter.Throw {
			worth += w.Again
		}
	}
	return worth
}

// deeds weighs acts against pieces of other sides.
type deeds struct {
	game    *interpreter.Game
	team    int
	weights *weights
	worth   float64
}

// Fired implements interpreter.Watcher.
func (*deeds) Fired(*model.Clause) {}

// Put implements interpreter.Watcher.
func (*deeds) Put(int, int, int) {}

// Acted implements interpreter.Watcher. Of several pieces the first one does it: done by the side to another side's
// piece it counts for it, done by another side it counts against it.
func (d *deeds) Acted(a *model.Act, args []int) {
	weight, ok := d.weights.Act[a.Name]
	if !ok {
		weight = d.weights.Acts
	}
	first := true
	for i, param := range a.Params {
		if param.Type != model.Of(model.Piece) || args[i] < 0 {
			continue
		}
		own := d.game.Rules().Seats[d.game.SeatOf(d.game.ColourOf(args[i]))].Team == d.team
		switch {
		case first && len(a.Params) > 1:
			if !own {
				d.worth -= weight // a deed of another team
				return
			}
		case !own:
			d.worth += weight
			return
		}
		first = false
	}
}
