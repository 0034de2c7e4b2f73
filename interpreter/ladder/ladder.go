// Package ladder plays matches between players, estimates their ratings, and from them how much skill matters in a
// game.
//
// A duel is one player alone against copies of another one. It is played in rounds: in a round the single player
// plays for every team once, with the same dice, so that neither the seat nor luck favours a player. Equal players
// win exactly their share, one game in as many as there are teams. Fit estimates ratings from duels. Skill is the
// advantage of the better player, relative to the largest possible one.
//
// Note: games of a round are not independent. Intervals use the variance between rounds.
package ladder

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/parallel"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Entrant is a player of a ladder.
type Entrant struct {
	Name string
	Make func() interpreter.Chooser // called once per thread
	// Moves is the number of its decisions with several options, Spent the time they took, and Longest that of the
	// longest, if Options.Now is given: set by Play.
	Moves          int
	Spent, Longest time.Duration
}

// Options says how duels are played.
type Options struct {
	Games     int // of each duel, rounded up to whole rounds
	Seed      uint64
	Threads   int // 0 is one per processor; no effect on the result
	MaxThrows int // ends an endless game; 0 is interpreter.DefaultMaxThrows
	// Progress, if not nil, is called from time to time with the number of games played, on the goroutine of the
	// caller.
	Progress func(done int)
	Now      func() time.Time // for Entrant.Spent and Longest; nil measures nothing
}

// Duel is the result of one entrant alone against copies of another.
type Duel struct {
	Alone, Others int // indices of entrants
	Teams         int
	Games         int
	Won           int    // games won by the single entrant
	NoWinner      int    // games without a winner; each counts as the share of equal players
	Decisions     uint64 // decisions with several options
	Throws        uint64
	rounds        []round
}

// round is the result of the games of a round.
type round struct {
	won, noWinner     int
	decisions, throws uint64
}

// ErrAlone means that a game has only one side.
var ErrAlone = fmt.Errorf("there is one side only, and no opponent")

// All lists the duels of a round robin of n entrants: each pair once if there are two teams; otherwise twice, each of
// a pair alone against the other.
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

// Rounds is the number of rounds for a number of games.
func Rounds(games, teams int) int { return (games + teams - 1) / teams }

// Total is the number of games in a number of duels.
func Total(games, teams, duels int) int { return Rounds(games, teams) * teams * duels }

// Play plays the given duels, round by round. When ctx is done it ends early, and the duels have a prefix of the
// rounds. The result depends only on the game, the entrants, the duels and the seed. The error is a fault of the
// rules, or ErrAlone.
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
	defer func() {
		for _, w := range workers {
			for i, x := range w.entrants {
				entrants[i].Moves += x.moves
				entrants[i].Spent += x.spent
				entrants[i].Longest = max(entrants[i].Longest, x.longest)
			}
		}
	}()
	_, err = parallel.Run(ctx, workers, parallel.Tasks[*worker, *round]{
		To: total,
		Work: func(w *worker, k, _ int) (*round, error) {
			return w.round(&duels[k%len(duels)], o.Seed, uint64(k/len(duels)))
		},
		Collect: func(k, _ int, r *round) bool {
			if r == nil {
				return false
			}
			d := &duels[k%len(duels)]
			d.rounds = append(d.rounds, *r)
			d.Games += d.Teams
			d.Won += r.won
			d.NoWinner += r.noWinner
			d.Decisions += r.decisions
			d.Throws += r.throws
			if o.Progress != nil {
				o.Progress((k + 1) * teams)
			}
			return true
		},
	})
	return err
}

// worker plays rounds on one thread.
type worker struct {
	ctx       context.Context
	game      *interpreter.Game
	runner    *interpreter.Runner
	entrants  []*countingPlayer
	players   []interpreter.Chooser
	decisions uint64
	now       func() time.Time
}

func newWorker(ctx context.Context, g *interpreter.Game, entrants []Entrant, o Options) (*worker, error) {
	w := &worker{ctx: ctx, game: g, players: make([]interpreter.Chooser, g.Players()), now: o.Now}
	w.entrants = seq.Map(entrants, func(e Entrant) *countingPlayer { return &countingPlayer{Chooser: e.Make(), w: w} })
	var err error
	w.runner, err = interpreter.NewRunner(g, interpreter.RunOptions{MaxThrows: o.MaxThrows, Players: w.players})
	return w, err
}

// round plays round k of a duel: the single entrant plays once for each team. It is nil when the context is done.
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
		if w.ctx.Err() != nil { // the players may have stopped searching
			return nil, nil
		}
		r.throws += uint64(x.Throws)
		switch winner := slices.Index(x.Won, true); {
		case winner < 0:
			r.noWinner++
		case seats[winner].Team == team:
			r.won++
		}
	}
	r.decisions = w.decisions
	return &r, nil
}

// countingPlayer is a player that counts its decisions with several options. After cancellation it chooses without a search,
// so that the game, which does not count, ends soon.
type countingPlayer struct {
	interpreter.Chooser
	w              *worker
	moves          int
	spent, longest time.Duration
}

// decide counts a decision with several options, and measures it.
func (a *countingPlayer) decide(choose func(p *interpreter.Position, r *interpreter.Random) int, p *interpreter.Position, r *interpreter.Random) int {
	a.w.decisions++
	a.moves++
	if a.w.now == nil {
		return choose(p, r)
	}
	begun := a.w.now()
	i := choose(p, r)
	took := a.w.now().Sub(begun)
	a.spent += took
	a.longest = max(a.longest, took)
	return i
}

// Choose implements interpreter.Chooser.
func (a *countingPlayer) Choose(p *interpreter.Position, r *interpreter.Random) int {
	if a.w.ctx.Err() != nil {
		return r.IntN(p.OptionCount())
	}
	if p.OptionCount() > 1 {
		return a.decide(a.Chooser.Choose, p, r)
	}
	return a.Chooser.Choose(p, r)
}

// Number implements interpreter.Chooser.
func (a *countingPlayer) Number(p *interpreter.Position, r *interpreter.Random) int {
	outcomes := p.Outcomes(nil, 0)
	if a.w.ctx.Err() != nil {
		return outcomes[r.IntN(len(outcomes))].Value
	}
	if len(outcomes) > 1 {
		return a.decide(a.Chooser.Number, p, r)
	}
	return a.Chooser.Number(p, r)
}

// Equal is the share of games that the single entrant wins among equal players.
func (d *Duel) Equal() float64 { return 1 / float64(d.Teams) }

// Share is the share of games that the single entrant has won; a game without a winner counts as Equal. Without games
// it is Equal.
func (d *Duel) Share() float64 {
	if d.Games == 0 {
		return d.Equal()
	}
	return (float64(d.Won) + d.Equal()*float64(d.NoWinner)) / float64(d.Games)
}

// Limits for estimating the variance between rounds.
const (
	fewRounds   = 10
	leastEffect = 0.2
)

// effective is the effective sample size: the number of independent games with the same information. Games of a round
// have the same dice, so they may be correlated; the variance between rounds measures this (the design effect).
func (d *Duel) effective() float64 {
	n, p := float64(len(d.rounds)), d.Share()
	if n < fewRounds || p <= 0 || p >= 1 {
		return float64(d.Games)
	}
	sum := seq.Sum(d.rounds, func(r round) float64 {
		x := (float64(r.won)+d.Equal()*float64(r.noWinner))/float64(d.Teams) - p
		return x * x
	})
	effect := sum / (n - 1) / (p * (1 - p) / float64(d.Teams))
	return float64(d.Games) / max(leastEffect, effect)
}

// Interval is the 95 % confidence interval of the share: Wilson's, with the effective sample size.
func (d *Duel) Interval() stats.Interval { return stats.Wilson(d.Share(), d.effective()) }

// Skill is the advantage of the single entrant relative to the largest possible one: 0 if it wins as often as an
// equal player, as in a game of pure luck, 1 if it always wins, negative if it wins less. For a share s of wins, and
// e among equal players, it is (s − e) / (1 − e).
func (d *Duel) Skill() float64 { return d.skill(d.Share()) }

// SkillInterval is the 95 % confidence interval of Skill. It is exactly 0 if there were no decisions.
func (d *Duel) SkillInterval() stats.Interval {
	if d.Games > 0 && d.Decisions == 0 {
		return stats.Interval{}
	}
	i := d.Interval()
	return stats.Interval{Low: d.skill(i.Low), High: d.skill(i.High)}
}

func (d *Duel) skill(share float64) float64 {
	v := (share - d.Equal()) / (1 - d.Equal())
	if math.Abs(v) < 1e-12 { // rounding error
		return 0
	}
	return v
}
