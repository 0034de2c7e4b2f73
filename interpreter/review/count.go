package review

import (
	"cmp"
	"context"
	"math"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Matters is the least stake of a decision that matters: two points of the chance to win, and three standard errors of
// the judge.
func (j *Judge) Matters() float64 { return max(0.02, 3*j.Doubt) }

// Options says which games are judged.
type Options struct {
	stats.Options
	Playouts int // see NewJudge
}

// Tally is what judged games come to.
type Tally struct {
	Judge    *Judge
	Games    int
	Sides    int
	outcomes []outcome // by game and side
	decided  []decided // by game
	err      error     // the first of the judge
}

// outcome is a game for a side.
type outcome struct{ won, luck, choices float64 }

// decided counts the decisions of a game with two options or more, and those that matter.
type decided struct{ all, matter float64 }

// Part is a share with its 95 % interval.
type Part struct {
	Share, Low, High float64
	effects          []float64 // by game, what it adds to the error of the share
}

// Minus is the difference of two parts of games with the same chance, game by game.
func (p Part) Minus(q Part) Part {
	games := min(len(p.effects), len(q.effects))
	return partOf(p.Share-q.Share, seq.Of(games, func(game int) float64 { return p.effects[game] - q.effects[game] }))
}

func partOf(share float64, effects []float64) Part {
	spread := seq.Sum(effects, func(e float64) float64 { return e * e })
	const deviate = 1.96
	half := deviate * math.Sqrt(spread)
	return Part{share, share - half, share + half, effects}
}

// ratio is the share of some numbers in others, game by game, with an interval by linearization; known is false for a
// share of nothing.
func ratio(parts, wholes []float64) (p Part, known bool) {
	part, whole := seq.Total(parts), seq.Total(wholes)
	if len(parts) < 2 || whole == 0 {
		return p, false
	}
	share := part / whole
	return partOf(share, seq.Of(len(parts), func(game int) float64 { return (parts[game] - share*wholes[game]) / whole })), true
}

// Parts are the shares that the throws and the decisions have in who wins, as the judge sees it; what is missing to 1 it
// saw only later, which is nothing by a table. A share is the covariance of what the throws gave a side with its result,
// over the variance of the result, for all sides together. known is false without games, and if no result differs.
func (t *Tally) Parts() (throws, decisions Part, known bool) {
	wholes := make([]float64, t.Games)
	part := func(of func(o outcome) float64) (Part, bool) {
		won, mean := make([]float64, t.Sides), make([]float64, t.Sides)
		for i, o := range t.outcomes {
			won[i%t.Sides] += o.won / float64(t.Games)
			mean[i%t.Sides] += of(o) / float64(t.Games)
		}
		parts := make([]float64, t.Games)
		clear(wholes)
		for i, o := range t.outcomes {
			side, game := i%t.Sides, i/t.Sides
			w := o.won - won[side]
			parts[game] += w * (of(o) - mean[side])
			wholes[game] += w * w
		}
		return ratio(parts, wholes)
	}
	throws, known = part(func(o outcome) float64 { return o.luck })
	decisions, _ = part(func(o outcome) float64 { return o.choices })
	return throws, decisions, known
}

// Matter is the share of the decisions with two options or more that matter; known is false without decisions.
func (t *Tally) Matter() (p Part, known bool) {
	parts := seq.Map(t.decided, func(d decided) float64 { return d.matter })
	p, known = ratio(parts, seq.Map(t.decided, func(d decided) float64 { return d.all }))
	p.Low, p.High = max(0, p.Low), min(1, p.High)
	return p, known
}

// counter judges the games of a runner. It implements stats.Counter.
type counter struct {
	judge         *Judge
	sides         int
	now           []float64 // the last value; before a throw, the mean of those after it
	mean          []float64
	luck, choices []float64
	open          bool // the first winner is not known yet
	begun         bool
	made          decided // of the present game
	part          *Tally
}

// look values the position before a throw: what changed since the last value is luck, as a decision has the value of
// the option taken. The luck of the throw is measured from the mean over all throws.
func (c *counter) look(p *interpreter.Position) {
	if c.begun {
		c.lucky(p)
	} else {
		c.begun, c.open = true, true
		clear(c.luck)
		clear(c.choices)
		c.made = decided{}
		c.value(p)
	}
	if !c.open || p.ChosenNumber() {
		return
	}
	if ok, err := c.judge.expect(p, c.mean); !c.fails(err) && ok {
		copy(c.now, c.mean)
	}
}

// fails keeps an error of the judge, who values nothing more of the game.
func (c *counter) fails(err error) bool {
	if err != nil {
		c.open = false
		if c.part.err == nil {
			c.part.err = err
		}
	}
	return err != nil
}

func (c *counter) value(p *interpreter.Position) {
	c.fails(c.judge.Value(p, c.now))
}

// lucky adds the change since the last value to the luck.
func (c *counter) lucky(p *interpreter.Position) {
	if !c.open {
		return
	}
	for side, v := range c.now {
		c.luck[side] -= v
	}
	c.value(p)
	for side, v := range c.now {
		c.luck[side] += v
	}
	c.open = c.open && !Decided(p)
}

// decide judges a decision.
func (c *counter) decide(p *interpreter.Position, i int) {
	if !c.begun || !c.open || p.OptionCount() < 2 {
		return
	}
	if c.open = !Decided(p); !c.open {
		return
	}
	list, best, err := c.judge.Options(p)
	if c.fails(err) {
		return
	}
	for side := range c.now {
		c.luck[side] += list[best][side] - c.now[side]
		c.choices[side] += list[i][side] - list[best][side]
	}
	copy(c.now, list[i])
	c.made.all++
	if stake(list, best, p.Game().Rules().Seats[p.Player()].Team) >= c.judge.Matters() {
		c.made.matter++
	}
}

// Add implements stats.Counter.
func (c *counter) Add(x *interpreter.Played) {
	teams := make([]float64, c.sides)
	game := c.judge.game.Rules()
	for seat, won := range x.Won {
		if won && len(x.Ranking) == 0 {
			teams[game.Seats[seat].Team] = 1
		}
	}
	if len(x.Ranking) > 0 {
		teams[game.Seats[x.Ranking[0]].Team] = 1
	}
	for side, won := range teams {
		if c.open {
			c.luck[side] += won - c.now[side]
		}
		c.part.outcomes = append(c.part.outcomes, outcome{won, c.luck[side], c.choices[side]})
	}
	c.part.Games++
	c.part.decided = append(c.part.decided, c.made)
	c.begun = false
}

// Take implements stats.Counter.
func (c *counter) Take() *Tally {
	part := c.part
	c.part = &Tally{}
	return part
}

// Count plays games and judges them: how many decisions matter, and which share throws have in who wins. When ctx is
// done it ends early. The error is a fault of the rules, or of the judge.
func Count(ctx context.Context, g *interpreter.Game, o Options) (*Tally, error) {
	judge, err := NewJudge(g, o.Playouts, o.Seed)
	if err != nil {
		return nil, err
	}
	t := &Tally{Judge: judge, Sides: len(g.Rules().Teams)}
	made := func(ro *interpreter.RunOptions) stats.Counter[*Tally] {
		own, err := NewJudge(g, o.Playouts, o.Seed)
		if err != nil {
			panic(err) // it was made before
		}
		c := &counter{judge: own, sides: t.Sides, now: make([]float64, t.Sides), mean: make([]float64, t.Sides), luck: make([]float64, t.Sides), choices: make([]float64, t.Sides), part: &Tally{}}
		ro.Look, ro.Decide = c.look, c.decide
		return c
	}
	_, err = stats.Collect(ctx, g, o.Options, made, func(part *Tally) {
		t.Games += part.Games
		t.outcomes = append(t.outcomes, part.outcomes...)
		t.decided = append(t.decided, part.decided...)
		t.err = cmp.Or(t.err, part.err)
	})
	return t, cmp.Or(err, t.err)
}
