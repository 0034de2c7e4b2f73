package stats

import (
	"flag"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

var everySeed = flag.Bool("every-seed", false, "compare with 300 seeds and up to 60,000 games rather than a few")

// effect is what the second of two invented games has that the first has not: in one game of a number so many throws more.
type effect struct {
	name     string
	one      int
	more     int  // throws, and decisions
	always   int  // throws more in all games
	skewed   bool // the games differ in length a lot
	unpaired bool // the chance of the two is not the same
	on       bool // the comparison goes on when it is sure
}

// invented plays invented games: what is true of them is known.
type invented struct {
	effect
	second bool
	played interpreter.Played
}

func (p *invented) Play(seed, k uint64) (*interpreter.Played, error) {
	from := seed
	if p.unpaired && p.second {
		from = ^seed
	}
	r := interpreter.NewRandom(from, k)
	x := &p.played
	x.Throws = 30
	for range 4 {
		x.Throws += r.IntN(11)
	}
	if p.skewed {
		for r.IntN(20) != 0 {
			x.Throws++
		}
	}
	x.Turns, x.Forced, x.Decisions = x.Throws, 0, x.Throws/2
	x.First = int(k % 2)
	winner := r.IntN(2)
	own := interpreter.NewRandom(^seed, k)
	rare := own.IntN(p.one) == 0
	if p.second {
		x.Throws += p.always
		if rare {
			x.Throws += p.more
			x.Decisions += p.more
			winner = x.First
		}
	}
	x.Won[0], x.Won[1] = winner == 0, winner == 1
	x.Settled = x.Throws / 2
	x.Counts[0] = x.Throws - 60 // below 0, too
	return x, nil
}

// distribution is how likely each number of throws is before the effect.
func (e *effect) distribution() []float64 {
	p := make([]float64, 3000)
	p[30] = 1
	for range 4 {
		q := make([]float64, len(p))
		for v, x := range p {
			for i := 0; i < 11 && v+i < len(q); i++ {
				q[v+i] += x / 11
			}
		}
		p = q
	}
	if e.skewed {
		q, carry := make([]float64, len(p)), 0.0
		for v, x := range p {
			carry = carry*19/20 + x/20
			q[v] = carry
		}
		p = q
	}
	return p
}

// truth is what is true of a difference.
func (e *effect) truth(d *Difference) (value float64, known bool) {
	one := 1 / float64(e.one)
	counted := func(v int) float64 { return float64(min(max(v, d.Least), d.Limit)) }
	mean := func(of func(throws, more, rare int) float64) float64 {
		sum := 0.0
		for v, p := range e.distribution() {
			sum += p * ((1-one)*(of(v, e.always, 0)-of(v, 0, 0)) + one*(of(v, e.always+e.more, 1)-of(v, 0, 0)))
		}
		return sum
	}
	quantile := func(more, rare int) float64 {
		share := 0.0
		p := e.distribution()
		for v := 0; ; v++ {
			if v-more >= 0 && v-more < len(p) {
				share += p[v-more] * (1 - one)
			}
			if v-more-rare >= 0 && v-more-rare < len(p) {
				share += p[v-more-rare] * one
			}
			if share >= d.Quantile-1e-12 {
				return float64(v)
			}
		}
	}
	switch d.Group + " " + d.Name {
	case "game throws":
		return mean(func(v, more, _ int) float64 { return counted(v + more) }), true
	case "game turns", "game forced", "game lead_changes", "game unfinished", "acts hurry":
		return 0, true
	case "game decisions":
		return mean(func(v, _, rare int) float64 { return counted(v/2 + rare*e.more) }), true
	case "counts twos":
		return mean(func(v, more, _ int) float64 { return counted(v + more - 60) }), true
	case "game half_throws", "game nine_tenths_throws":
		return quantile(e.always, e.more) - quantile(0, 0), true
	case "game long":
		return mean(func(v, more, _ int) float64 { return float64(yes(v+more > d.Limit)) }), true
	case "game edge":
		return one / 2, true
	case "wins yellow", "wins blue":
		return 0, true
	}
	return 0, false
}

// TestRareEffects compares games that differ in a game of 200, of 2,000 or of 20,000, and others that differ all the time. With
// many seeds hardly any comparison has an interval without the truth, at any look; and what is called sure is true.
func TestRareEffects(t *testing.T) {
	seeds, most := 5, 10_000
	if *everySeed {
		seeds, most = 300, 60_000
	}
	for _, e := range []effect{
		{name: "one in 200", one: 200, more: 5000},
		{name: "one in 2,000", one: 2000, more: 5000},
		{name: "one in 20,000", one: 20_000, more: 5000},
		{name: "one in 200, to the end", one: 200, more: 5000, on: true},
		{name: "one in 2,000, to the end", one: 2000, more: 5000, on: true},
		{name: "one in 20,000, to the end", one: 20_000, more: 5000, on: true},
		{name: "one in 200, a little", one: 200, more: 100, skewed: true},
		{name: "one in 2,000, unpaired", one: 2000, more: 5000, skewed: true, unpaired: true},
		{name: "all a little, one in 2,000 a lot", one: 2000, more: 5000, always: 1, skewed: true, unpaired: true},
		{name: "all", one: 1, more: 3, skewed: true},
		{name: "none", one: 2000, skewed: true, unpaired: true},
	} {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			cache := map[string]float64{}
			precision := 0.0
			if e.on {
				precision = 1e-9
			}
			misses, figures, intervals, wrong, sure, games, mean := 0, 0, 0, 0, 0, 0, 0.0
			for seed := range seeds {
				miss := false
				c, err := Compare(t.Context(), small(t, nil), small(t, nil), CompareOptions{
					Games: most, Seed: uint64(seed), Threads: 1, Precision: precision,
					made: func() [2]player {
						var out [2]player
						for side := range out {
							out[side] = &invented{effect: e, second: side == 1, played: interpreter.Played{
								Won: make([]bool, 2), Acts: make([]uint64, 1), Counts: make([]int, 1),
							}}
						}
						return out
					},
					look: func(list []Difference) {
						for i := range list {
							d := &list[i]
							key := fmt.Sprint(d.Group, d.Name, d.Least, d.Limit)
							want, known := cache[key]
							if !known {
								if want, known = e.truth(d); known {
									cache[key] = want
								}
							}
							if !known {
								continue
							}
							intervals++
							if want < d.Interval.Low-1e-9 || want > d.Interval.High+1e-9 {
								miss = true
								figures++
							}
						}
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				misses += yes(miss)
				games += c.Games
				sure += yes(c.Sure)
				for i := range c.Differences {
					d := &c.Differences[i]
					want, known := e.truth(d)
					if d.Name == MeasureThrows {
						mean += float64(d.Limit) / float64(seeds)
					}
					if known && (d.Verdict == Same && math.Abs(want) > d.Small || d.Verdict == More && want <= 0 || d.Verdict == Less && want >= 0) {
						wrong++
						t.Logf("seed %d: %s is %v, but the truth is %g: %+v", seed, d.Name, d.Verdict, want, d)
					}
				}
			}
			t.Logf("%d of %d comparisons miss at some look (%d of %d intervals), %d sure, %d wrong verdicts; %d games on average, throws up to %.0f",
				misses, seeds, figures, intervals, sure, wrong, games/seeds, mean)
			if float64(misses) > (1-Confidence)*float64(seeds) || float64(wrong) > (1-Confidence)*float64(seeds) {
				t.Errorf("%d misses and %d wrong verdicts in %d comparisons", misses, wrong, seeds)
			}
		})
	}
}

// fridge is a change of Snakes and Ladders in which one game of a number may take 5,000 throws more; what happens then is left out
// of the other form.
const fridge = `change fridge "The die rolls under the fridge" for snakes
dice fate = {0: %d, 1: 1}
var game waiting: 0..6000 = 0
var game asked = false
replace turn {
  if !asked { throw fate; asked = true %s }
  throw die
  if waiting > 0 { waiting -= 1 } else { play die }
}
`

func underTheFridge(t *testing.T, one int, waits string) *interpreter.Game {
	t.Helper()
	text := fmt.Sprintf(fridge, one-1, waits)
	rules := testbook.Rules(t, "fridge.rules", text, os.DirFS("../../examples/games"), dsl.Setting{})
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRareRules does the same with rule files.
func TestRareRules(t *testing.T) {
	seeds := 5
	if *everySeed {
		seeds = 100
	}
	for _, one := range []int{200, 2000} {
		a, b := underTheFridge(t, one, ""), underTheFridge(t, one, "; if fate == 1 { waiting = 5000 }")
		usual, err := Run(t.Context(), a, Options{To: 40_000, Seed: 12345, Rotate: true})
		if err != nil {
			t.Fatal(err)
		}
		games, misses, beyond := 0, 0, 0
		for seed := range uint64(seeds) {
			c, err := Compare(t.Context(), a, b, CompareOptions{Games: 10_000, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			games += c.Games
			for i := range c.Differences {
				d := &c.Differences[i]
				if d.Group != GroupGame {
					continue
				}
				want := 0.0
				for v, n := range usual.Throws.All() {
					p := float64(n) / float64(usual.Games()) / float64(one)
					switch d.Name {
					case MeasureThrows:
						want += p * float64(min(v+5000, d.Limit)-min(v, d.Limit))
					case MeasureLong:
						want += p * float64(yes(v+5000 > d.Limit)-yes(v > d.Limit))
					}
				}
				switch d.Name {
				case MeasureThrows:
					beyond += d.Beyond[1] - d.Beyond[0]
				case MeasureLong, MeasureForced, MeasureDecisions:
				default:
					continue
				}
				misses += yes(want < d.Interval.Low || want > d.Interval.High)
				if d.Verdict == Same && math.Abs(want) > d.Small || d.Verdict == More && want <= 0 || d.Verdict == Less && want >= 0 {
					t.Errorf("one in %d, seed %d: the truth is %g: %+v", one, seed, want, d)
				}
			}
		}
		t.Logf("one in %d: %d of %d intervals miss, after %d games on average; %d games of the second beyond the limit", one, misses, 4*seeds, games/seeds, beyond)
		if float64(misses) > (1-Confidence)*float64(seeds) || beyond == 0 {
			t.Errorf("one in %d: %d of %d intervals miss, %d games beyond", one, misses, 4*seeds, beyond)
		}
	}
}
