package review

import (
	"bytes"
	"io"
	"io/fs"
	"math"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/solve"
)

func game(t *testing.T) *interpreter.Game {
	t.Helper()
	g, err := interpreter.Compile(testbook.Rules(t, "risk.rules", testbook.Risk, nil, dsl.Setting{}))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// memory is a store.
type memory map[string][]byte

func (m memory) Load(name string) ([]byte, error) {
	if data, ok := m[name]; ok {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

func (m memory) Save(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	err := write(&b)
	m[name] = b.Bytes()
	return err
}

// solved solves a game and gives it the table.
func solved(t *testing.T, g *interpreter.Game) {
	t.Helper()
	counted, err := g.Counted()
	if err != nil {
		t.Fatal(err)
	}
	store := memory{}
	if _, err := solve.Solve(t.Context(), counted.Start(0), solve.Options{Store: store}); err != nil {
		t.Fatal(err)
	}
	table, err := solve.Open(g, store)
	if err != nil {
		t.Fatal(err)
	}
	table.Use(g)
}

// played plays a game by a bot and returns its walk and steps.
func played(t *testing.T, j *Judge, g *interpreter.Game, who string, seed uint64) (*Walk, *interpreter.Position, []Step) {
	t.Helper()
	b, err := bot.New(who)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Start(0)
	w, err := NewWalk(j, p)
	if err != nil {
		t.Fatal(err)
	}
	r, own := interpreter.NewRandom(seed, 0), interpreter.NewRandom(seed, 1)
	var steps []Step
	for p.Kind() != interpreter.Over {
		s, ok, err := w.Next(func() error {
			if p.Kind() == interpreter.Throw {
				p.ThrowRandom(&r)
				return nil
			}
			return p.Choose(b.Choose(p, &own))
		})
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			steps = append(steps, s)
		}
	}
	return w, p, steps
}

// TestExact reviews games by the table: best play loses nothing, chance loses what it loses, throws are fair, and luck
// and decisions add up to the result.
func TestExact(t *testing.T) {
	g := game(t)
	solved(t, g)
	j, err := NewJudge(g, 1, 1)
	if err != nil || j.Doubt != 0 {
		t.Fatal(err, j.Doubt)
	}
	start := make([]float64, 2)
	if err := j.Value(g.Start(0), start); err != nil {
		t.Fatal(err)
	}
	const games = 3000
	for _, who := range []string{"exact", "random"} {
		luck, lost, stake, wins := 0.0, 0.0, 0.0, 0.0
		for seed := range uint64(games) {
			w, p, steps := played(t, j, g, who, seed)
			won := 0.0
			if p.Result().Winners[0] == 0 {
				won = 1
			}
			wins += won
			if got := start[0] + w.Luck[0] + w.Choices[0]; math.Abs(got-won) > 1e-9 {
				t.Fatalf("%s, seed %d: luck and decisions make %g of %g", who, seed, got, won)
			}
			luck += w.Luck[0]
			if math.Abs(w.Rest[0]) > 1e-9 {
				t.Fatalf("%s, seed %d: the table sees %g later", who, seed, w.Rest[0])
			}
			for _, s := range steps {
				if !s.Throw {
					lost -= s.Gain
					stake += s.Stake
					if s.Gain > 1e-9 || -s.Gain > s.Stake+1e-9 || (s.Taken == s.Best) && s.Gain < -1e-9 || s.Options != 2 {
						t.Fatalf("%s, seed %d: %+v", who, seed, s)
					}
				}
			}
		}
		if math.Abs(luck/games) > 0.03 {
			t.Errorf("%s: the throws give %g", who, luck/games)
		}
		if (lost/games > 1e-9) != (who == "random") || stake == 0 {
			t.Errorf("%s: decisions lose %g of %g", who, lost/games, stake/games)
		}
		if who == "exact" && math.Abs(wins/games-start[0]) > 0.03 {
			t.Errorf("%g wins, want %g", wins/games, start[0])
		}
	}
}

// TestPlayouts judges by games by chance, which decide between the options as the table does where much is at stake.
func TestPlayouts(t *testing.T) {
	g := game(t)
	j, err := NewJudge(g, 400, 1)
	if err != nil || math.Abs(j.Doubt-0.025) > 1e-9 {
		t.Fatal(err, j.Doubt)
	}
	w, p, steps := played(t, j, g, "random", 3)
	won := 0.0
	if p.Result().Winners[0] == 0 {
		won = 1
	}
	if last := steps[len(steps)-1]; last.Shares[0] != won || len(steps) != 12 {
		t.Errorf("%d steps, the last %+v", len(steps), last)
	}
	start := make([]float64, 2)
	if err := j.Value(g.Start(0), start); err != nil {
		t.Fatal(err)
	}
	if got := start[0] + w.Luck[0] + w.Choices[0] + w.Rest[0]; math.Abs(got-won) > 1e-9 {
		t.Errorf("luck, decisions and the rest make %g of %g", got, won)
	}
	luck := 0.0
	few, err := NewJudge(g, 40, 1)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(300) {
		w, _, _ := played(t, few, g, "random", seed)
		luck += w.Luck[0] / 300
	}
	if math.Abs(luck) > 0.05 {
		t.Errorf("the throws give %g", luck)
	}
	if w.Shares()[0] != won || w.Shares()[0]+w.Shares()[1] != 1 {
		t.Errorf("%v", w.Shares())
	}
}

// TestCount parts the result: with best play all of it is luck, with chance a part; half of the decisions that cost nothing
// do not matter. The threads make no difference.
func TestCount(t *testing.T) {
	g := game(t)
	solved(t, g)
	count := func(o Options) *Tally {
		o.To, o.Seed = 2000, max(1, o.Seed)
		c, err := Count(t.Context(), g, o)
		if err != nil || c.Games != 2000 || len(c.decided) != 2000 || c.decided[7].all != 6 {
			t.Fatal(err, c)
		}
		return c
	}
	var best Options
	best.Players = func() []interpreter.Chooser {
		b, err := bot.New("exact")
		if err != nil {
			t.Fatal(err)
		}
		return []interpreter.Chooser{b, b}
	}
	if p, d, known := count(best).Parts(); !known || math.Abs(p.Share-1) > 1e-9 || p.High-p.Low > 1e-9 || math.Abs(d.Share) > 1e-9 {
		t.Errorf("best play: %+v, %+v", p, d)
	}
	chance := count(Options{})
	p, d, known := chance.Parts()
	if math.Abs(p.Share+d.Share-1) > 1e-9 {
		t.Errorf("throws and decisions: %+v, %+v", p, d)
	}
	if !known || p.High > 0.95 || p.Low < 0.1 || p.High-p.Low > 0.2 {
		t.Errorf("by chance: %+v", p)
	}
	if d, known := chance.Matter(); !known || d.Low < 0.05 || d.High > 0.95 || d.High-d.Low > 0.1 {
		t.Errorf("decisions that matter: %+v", d)
	}
	one := Options{}
	one.Threads = 1
	if q, _, _ := count(one).Parts(); q.Share != p.Share || q.Low != p.Low || q.High != p.High {
		t.Errorf("with one thread %+v, with more %+v", q, p)
	}
	if d := p.Minus(p); d.Share != 0 || d.Low != 0 || d.High != 0 {
		t.Errorf("the same games differ by %+v", d)
	}
	other := Options{}
	other.Seed = 2
	if q, _, _ := count(best).Parts(); p.Minus(q).Share != p.Share-q.Share || math.Abs(p.Minus(q).Low-(p.Low-1)) > 1e-9 {
		t.Errorf("chance and best play differ by %+v", p.Minus(q))
	}
	if q, _, _ := count(other).Parts(); p.Minus(q).High-p.Minus(q).Low < 1.2*(p.High-p.Low) || p.Minus(q).Low > 0 || p.Minus(q).High < 0 {
		t.Errorf("other games by chance differ by %+v", p.Minus(q))
	}
	rotated := Options{}
	rotated.To, rotated.Rotate = 10, true
	if _, err := Count(t.Context(), g, rotated); err == nil {
		t.Error("the table has positions of the other player's beginning")
	}
}
