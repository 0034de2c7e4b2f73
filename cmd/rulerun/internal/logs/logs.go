// Package logs writes the games of a study as Parquet, for programs that analyse or learn: a row for each decision in one
// file, a row for each game in another. README.md lists the columns.
//
// Rows are in the order of the games, whatever the number of threads, so that the same games make the same files. They are
// written as the games are played, in groups of GroupRows rows.
//
// Note: the row of a decision is complete only when its game is over, because it has the outcome. So a
// worker keeps the rows of one game, and the caller's goroutine alone writes.
package logs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/interpreter/review"
	"github.com/rulerun/rulerun/interpreter/stats"
)

const ending = ".parquet"

// Limits of memory: batches of games that wait for an earlier game to be over, and decisions of one game.
const (
	openBatches   = 32
	mostDecisions = 100_000
)

// GamesFile is the name of the file of games beside a file of decisions.
func GamesFile(decisions string) string {
	return strings.TrimSuffix(decisions, ending) + ".games" + ending
}

// Run plays the games of a study as stats.Run does, and writes them. When ctx is done it ends early: the files then have the
// games of the tally. The error is a fault of the rules or of a writer.
func Run(ctx context.Context, g *interpreter.Game, o stats.Options, decisions, games io.Writer) (*stats.Tally, error) {
	outer := ctx
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s, err := newStudy(g, o)
	if err != nil {
		return nil, err
	}
	what, err := s.describe()
	if err != nil {
		return nil, err
	}
	d, m := newFile(decisions, "decisions", s.decisionColumns(), what), newFile(games, "games", s.gameColumns(), what)
	counter := func(ro *interpreter.RunOptions) stats.Counter[[]game] {
		c := &counter{study: s, read: s.features.NewReader(), cancel: cancel}
		c.judge, _ = review.Known(g) // it was made before
		ro.Decide = c.decide
		return c
	}
	o.Open = openBatches
	var failed error
	next := o.From
	t, err := stats.RunWith(ctx, g, o, counter, func(games []game) {
		for i := range games {
			x := &games[i]
			x.number = next
			next++
			for j := range x.decisions {
				x.decisions[j].game = x
				if failed == nil {
					failed = d.add(&x.decisions[j])
				}
			}
			if failed == nil {
				failed = x.err
			}
			if failed == nil {
				failed = m.add(x)
			}
		}
		if failed != nil {
			cancel(failed)
		}
	})
	if err = cmp.Or(err, failed); err == nil && outer.Err() == nil {
		err = context.Cause(ctx) // of a game that is not over
	}
	if err == nil {
		err = cmp.Or(d.close(), m.close())
	}
	return t, err
}

// study is what all workers share.
type study struct {
	subject  stats.Subject
	names    stats.Names
	judge    string // how chances are estimated, "" if they are not
	features *learn.Features
	seats    []string
	teams    []int // by seat
}

func (s *study) players(x *interpreter.Played) []string {
	if x.Dealt == nil {
		return s.subject.Seats
	}
	return seq.Map(x.Dealt, func(who int) string { return s.subject.Dealt[who] })
}

func newStudy(g *interpreter.Game, o stats.Options) (*study, error) {
	t := stats.NewTally(g, o)
	s := &study{subject: t.Subject, names: t.Names, features: learn.NewFeatures(g), seats: t.Names.Seats}
	for _, seat := range g.Rules().Seats {
		s.teams = append(s.teams, seat.Team)
	}
	e, err := learn.For(g)
	if err != nil {
		return nil, err
	}
	if e != nil {
		s.features = e.Features
	}
	j, err := review.Known(g)
	if err != nil {
		return nil, err
	}
	if j != nil {
		s.judge = j.By.Error()
	}
	return s, nil
}

// game is a game with its decisions.
type game struct {
	number    int
	played    *interpreter.Played
	decisions []decision
	err       error // of the judge
}

// decision is a decision. All but the game is known when it is made.
type decision struct {
	game        *game
	seat        int
	throw, turn int
	pick        bool
	dice        []int
	options     []string
	chosen      int
	chances     []float64
	features    []float32
}

// counter collects the games of a worker.
type counter struct {
	*study
	judge *review.Judge // nil: nothing estimates chances
	read  *learn.Reader
	open  game
	done  []game
	// cancel ends the run with an error.
	cancel context.CancelCauseFunc
}

// decide notes a decision.
func (c *counter) decide(p *interpreter.Position, i int) {
	if len(c.open.decisions) == mostDecisions {
		c.cancel(fmt.Errorf("a game has over %d decisions, which a log keeps in memory until it is over: --max-throws gives games up earlier", mostDecisions))
		return
	}
	seat := p.Player()
	d := decision{seat: seat, throw: p.Throws(), turn: p.TurnsBegun(), pick: p.Options()[i].Move == interpreter.None, dice: p.Numbers(), options: record.Words(p), chosen: i}
	team := c.teams[seat]
	if c.judge != nil && c.open.err == nil && !review.Decided(p) {
		list, _, err := c.judge.Options(p)
		c.open.err = err
		d.chances = seq.Map(list, func(by []float64) float64 { return by[team] })
	}
	d.features = make([]float32, len(c.features.Names()))
	for _, t := range c.read.Read(p)[team] {
		d.features[t.Feature] += t.Value
	}
	c.open.decisions = append(c.open.decisions, d)
}

// Add implements stats.Counter.
func (c *counter) Add(x *interpreter.Played) {
	c.open.played = x.Copy()
	c.done = append(c.done, c.open)
	c.open = game{decisions: make([]decision, 0, len(c.open.decisions))}
}

// Take implements stats.Counter.
func (c *counter) Take() []game {
	done := c.done
	c.done = nil
	return done
}
