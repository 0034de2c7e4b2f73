package bot

import (
	"maps"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// weights are the weights of a greedy bot's evaluation, one per feature.
type weights struct {
	Progress float64            // a step of an own piece, or a point of the lead that the rules declare
	Others   float64            // the same lost by the other sides, on average
	Acts     float64            // an act of the own side on a piece of another one, or the reverse
	Act      map[string]float64 // the same for single acts, by name
	Home     float64            // a piece at the end of its track
	Earned   float64            // an earned step in the queue
	Again    float64            // the next throw
}

// greedy searches one decision deep: it takes the option with the best weighted sum. A win counts more than
// everything else, a loss less. Among equal options it chooses at random.
type greedy struct {
	weights weights
	look
	acts actScore
}

func newGreedy(v values) *greedy {
	return &greedy{weights: weights{
		Progress: v.of["progress"], Others: v.of["others"], Acts: v.of["acts"], Act: v.acts, Home: v.of["home"], Earned: v.of["earned"], Again: v.of["again"],
	}}
}

// fit returns an error for a weight of an act that the rules do not have.
func (w *weights) fit(known []string) error {
	for _, name := range slices.Sorted(maps.Keys(w.Act)) {
		if slices.Contains(known, name) {
			continue
		}
		says := catalogue.Sentence{Key: "usage.bot_no_acts", Text: "the rules have no acts"}
		if len(known) > 0 {
			says = hint(name, known, thereAre)
		}
		act := []any{"act", strconv.Quote(name)}
		return &Error{catalogue.Sentence{Key: "usage.bot_act", Text: "bot greedy: the rules have no act {{.act}}", Args: act}, says}
	}
	return nil
}

// decide evaluates each option and takes one of the best.
func (b *greedy) decide(p *interpreter.Position, r *interpreter.Random, n int) int {
	b.clear(n)
	times := guesses(p)
	for range times {
		b.guess(p, r)
		for i := range n {
			b.worth[i] += b.try(i)
		}
	}
	return b.pick(r)
}

// The values of the end of a game.
const (
	winning = 1e12
	broken  = -1e13 // the rules fail
)

func (b *greedy) try(i int) float64 {
	w, q := &b.weights, b.next
	team := b.team(b.root)
	b.measure(b.root)
	own, ahead, home := b.far[team], b.ahead(team), b.atHome(b.root, team)
	q.CopyFrom(b.root)
	b.acts = actScore{pos: q, team: team, weights: w}
	q.Watch(&b.acts)
	fine := b.take(q, i)
	q.Watch(nil)
	if !fine {
		return broken
	}
	b.measure(q)
	worth := b.acts.worth + w.Home*float64(b.atHome(q, team)-home)
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

// actScore adds up the weights of acts on pieces of other sides.
type actScore struct {
	interpreter.Unwatched
	pos     *interpreter.Position
	team    int
	weights *weights
	worth   float64
}

// Acted implements interpreter.Watcher. The first piece among the arguments is the one acted on. An act of the own
// side on a piece of another side counts as positive, the reverse as negative.
func (d *actScore) Acted(a *model.Act, args []int) {
	weight, ok := d.weights.Act[a.Name]
	if !ok {
		weight = d.weights.Acts
	}
	first := true
	for i, param := range a.Params {
		if param.Type != model.Of(model.Piece) || args[i] < 0 {
			continue
		}
		g := d.pos.Game()
		own := g.Rules().Seats[g.SeatOf(d.pos.ColourOf(args[i]))].Team == d.team
		switch {
		case first && len(a.Params) > 1:
			if !own {
				d.worth -= weight // an act of another team
				return
			}
		case !own:
			d.worth += weight
			return
		}
		first = false
	}
}
