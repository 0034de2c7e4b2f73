// Package ladder pits players against one another and says how strong they are, and from that how much skill matters in
// a game.
//
// A duel is one player alone against copies of another one. It is played in rounds: in a round the one that is alone plays
// for every team once, with the same dice, so that neither the seat nor luck favours a player: equals win exactly their
// share, one game in as many as there are teams. Fit works out strengths from duels, Skill how much of the advantage there
// could be the better player has.
//
// What a newcomer gets wrong: games of a round are not independent. Intervals are worked out from how much rounds differ.
package ladder

import (
	"context"
	"fmt"
	"math"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Entrant is a player of a ladder.
type Entrant struct {
	Name string
	Make func() interpreter.Chooser // one for a thread
}

// Options says how duels are played.
type Options struct {
	Games     int // of each duel, rounded up to whole rounds
	Seed      uint64
	Threads   int // 0 is one a processor; no effect on the result
	MaxThrows int // ends a game that goes on and on; 0 is interpreter.DefaultMaxThrows
	// Progress, if not nil, is called now and then with the number of games that are done, on the goroutine of the caller.
	Progress func(done int)
}

// Duel is what came of one entrant alone against copies of another.
type Duel struct {
	Alone, Others int // numbers of entrants
	Teams         int
	Games         int
	Won           int    // by the one that was alone
	NoWinner      int    // games without a winner; each counts as much as among equals
	Decisions     uint64 // moments at which a player had several things to choose from
	Throws        uint64
	rounds        []round
}

// round is what came of the games of a round.
type round struct {
	won, noWinner     int
	decisions, throws uint64
}

// ErrAlone says that a game has one side only.
var ErrAlone = fmt.Errorf("there is one side only, and no opponent")

// All lists the duels of a round robin of n entrants: each pair once where there are two teams, and where there are more
// each of a pair alone against the other.
func All(n, teams int) []Duel {
	var out []Duel
	for i := range n {
		for j := range n {
			if i < j || i > j && teams > 2 {
				out = append(out, Duel{Alone: i, Others: j})
			}
		}
	}
	return out
}

// Rounds is how many rounds are played for a number of games, and Total how many games that makes of so many duels.
func Rounds(games, teams int) int { return (games + teams - 1) / teams }

// Total is how many games are played in so many duels.
func Total(games, teams, duels int) int { return Rounds(games, teams) * teams * duels }

// Play plays the given duels: the rounds of all of them in turn. When ctx is done it ends early, and the duels have the first
// of the rounds. The result depends on the game, the entrants, the duels and the seed alone. The error is a fault of the rules,
// or ErrAlone.
func Play(ctx context.Context, g *interpreter.Game, entrants []Entrant, duels []Duel, o Options) error {
	teams := len(g.Rules().Teams)
	if teams < 2 {
		return ErrAlone
	}
	rounds := Rounds(o.Games, teams)
	for i := range duels {
		duels[i] = Duel{Alone: duels[i].Alone, Others: duels[i].Others, Teams: teams}
	}
	total := rounds * len(duels)
	workers, err := parallel.Workers(o.Threads, total, func() (*worker, error) { return newWorker(ctx, g, entrants, o) })
	if err != nil {
		return err
	}
	_, err = parallel.Run(ctx, workers, parallel.Tasks[*worker, *round]{
		To: total,
		Work: func(w *worker, k, _ int) (*round, error) {
			return w.round(&duels[k%len(duels)], o.Seed, uint64(k/len(duels)))
		},
		Collect: func(k, _ int, r *round) bool {
			if r == nil {
				return false
			}
			duels[k%len(duels)].add(*r)
			if o.Progress != nil {
				o.Progress((k + 1) * teams)
			}
			return true
		},
	})
	return err
}

// add counts a round.
func (d *Duel) add(r round) {
	d.rounds = append(d.rounds, r)
	d.Games += d.Teams
	d.Won += r.won
	d.NoWinner += r.noWinner
	d.Decisions += r.decisions
	d.Throws += r.throws
}

// worker plays rounds on one thread.
type worker struct {
	ctx       context.Context
	game      *interpreter.Game
	runner    *interpreter.Runner
	entrants  []*asked
	players   []interpreter.Chooser
	decisions uint64
}

func newWorker(ctx context.Context, g *interpreter.Game, entrants []Entrant, o Options) (*worker, error) {
	w := &worker{ctx: ctx, game: g, players: make([]interpreter.Chooser, g.Players())}
	for _, e := range entrants {
		w.entrants = append(w.entrants, &asked{e.Make(), w})
	}
	var err error
	w.runner, err = interpreter.NewRunner(g, interpreter.RunOptions{MaxThrows: o.MaxThrows, Players: w.players})
	return w, err
}

// round plays round k of a duel: the entrant that is alone plays once for each team. It is nil when the context is done.
func (w *worker) round(d *Duel, seed, k uint64) (*round, error) {
	var r round
	w.decisions = 0
	seats := w.game.Rules().Seats
	for team := range d.Teams {
		for seat := range w.players {
			w.players[seat] = w.entrants[d.Others]
			if seats[seat].Team == team {
				w.players[seat] = w.entrants[d.Alone]
			}
		}
		x, err := w.runner.Play(seed, k)
		if err != nil {
			return nil, err
		}
		if w.ctx.Err() != nil { // the players may have stopped thinking
			return nil, nil
		}
		r.throws += uint64(x.Throws)
		noWinner := true
		for seat, won := range x.Won {
			if !won {
				continue
			}
			noWinner = false
			if seats[seat].Team == team {
				r.won++
				break
			}
		}
		if noWinner {
			r.noWinner++
		}
	}
	r.decisions = w.decisions
	return &r, nil
}

// asked is a player that counts when it had several things to choose from. When everything is to end it thinks no more,
// and the game, which does not count, is soon over.
type asked struct {
	interpreter.Chooser
	w *worker
}

// Choose implements interpreter.Chooser.
func (a *asked) Choose(p *interpreter.Position, r *interpreter.Random) int {
	if a.w.ctx.Err() != nil {
		return r.IntN(p.OptionCount())
	}
	if p.OptionCount() > 1 {
		a.w.decisions++
	}
	return a.Chooser.Choose(p, r)
}

// Number implements interpreter.Chooser.
func (a *asked) Number(p *interpreter.Position, r *interpreter.Random) int {
	outcomes := p.Outcomes(nil, 0)
	if a.w.ctx.Err() != nil {
		return outcomes[r.IntN(len(outcomes))].Value
	}
	if len(outcomes) > 1 {
		a.w.decisions++
	}
	return a.Chooser.Number(p, r)
}

// Equal is the share of games that the one that is alone wins among equals.
func (d *Duel) Equal() float64 { return 1 / float64(d.Teams) }

// Share is the share of its games that the one that is alone has won; a game without a winner counts as among equals. Of no
// games it is that too.
func (d *Duel) Share() float64 {
	if d.Games == 0 {
		return d.Equal()
	}
	return (float64(d.Won) + d.Equal()*float64(d.NoWinner)) / float64(d.Games)
}

// The least rounds from which it is said how much they differ, and how little that may be.
const (
	fewRounds   = 10
	leastEffect = 0.2
)

// effective is how many independent games would say as much as those there are. Games of a round have the same dice, so
// that two may say more than two others, or less: the variance of the rounds says which (it is their design effect).
func (d *Duel) effective() float64 {
	n, p := float64(len(d.rounds)), d.Share()
	if n < fewRounds || p <= 0 || p >= 1 {
		return float64(d.Games)
	}
	sum := 0.0
	for _, r := range d.rounds {
		x := (float64(r.won)+d.Equal()*float64(r.noWinner))/float64(d.Teams) - p
		sum += x * x
	}
	effect := sum / (n - 1) / (p * (1 - p) / float64(d.Teams))
	return float64(d.Games) / max(leastEffect, effect)
}

// Interval is the 95 % interval of the share: Wilson's, with the effective number of games.
func (d *Duel) Interval() stats.Interval { return stats.Wilson(d.Share(), d.effective()) }

// Skill is how much of the advantage there could be the one that is alone has: 0 where it wins as much as among equals, as
// in a game of pure luck, 1 where it always wins, below 0 where it wins less. If it wins a share s of its games, and equals
// win e, that is (s − e) / (1 − e).
func (d *Duel) Skill() float64 { return d.skill(d.Share()) }

// SkillInterval is the 95 % interval of Skill. Where no player ever had anything to decide it is nothing but 0.
func (d *Duel) SkillInterval() stats.Interval {
	if d.Games > 0 && d.Decisions == 0 {
		return stats.Interval{}
	}
	i := d.Interval()
	return stats.Interval{Low: d.skill(i.Low), High: d.skill(i.High)}
}

func (d *Duel) skill(share float64) float64 {
	v := (share - d.Equal()) / (1 - d.Equal())
	if math.Abs(v) < 1e-12 { // rounding
		return 0
	}
	return v
}
