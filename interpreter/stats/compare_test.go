package stats

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// smallRace is over after a few throws; who is behind catches up now and then.
const smallRace = `ruleset small "A small race"

option need = 6 of 1..20 "ticks to win"
option die_of = 2 of 2..6 "sides of the die"

board   cross68
players 2 of 1..4
pieces  1 at home
dice    two = d2
dice    three = d3

var player ticks = 0

turn {
  if die_of == 2 { throw two; play two }
  if die_of != 2 { throw three; play three }
}

move tick(p in mine) stay
act  hurry(piece p) {}

rule race "Ticks add up" {
  may tick(p)
  on  tick(p) { p.player.ticks += steps }
  on  tick(p) when steps == 2 && p.player.ticks == 4 { do hurry(p) }
  win player x when x.ticks >= need
}

count twos "twos thrown" on tick(p) when steps == 2
`

func small(tb testing.TB, options map[string]string) *interpreter.Game {
	tb.Helper()
	rules := testbook.Rules(tb, "small.rules", smallRace, nil, dsl.Setting{Options: options})
	g, err := interpreter.Compile(rules)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

// TestFalseAlarms compares a rule book with itself again and again, with chance of its own on either side, and peeks at
// every look. Somewhere in a comparison some interval may leave out 0 in no more than one comparison of twenty.
func TestFalseAlarms(t *testing.T) {
	const comparisons = 300
	g := small(t, nil)
	alarms, looks := 0, 0
	for i := range comparisons {
		alarm := false
		_, err := Compare(t.Context(), g, g, CompareOptions{
			Games: 1500, Seed: uint64(i), Precision: 1e-9, apart: 1 << 40,
			look: func(list []Difference) {
				looks++
				for _, d := range list {
					alarm = alarm || d.Sign() != 0
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		alarms += yes(alarm)
	}
	if float64(alarms) > (1-Confidence)*comparisons {
		t.Errorf("%d of %d comparisons of a rule book with itself find a difference", alarms, comparisons)
	}
	if looks < 10*comparisons {
		t.Errorf("only %d looks", looks)
	}
	t.Logf("%d false alarms in %d comparisons with %d looks", alarms, comparisons, looks)
}

// TestOneSequence is the same for a single sequence that spends all of its probability, so that the test above is not kept by
// Bonferroni alone, with numbers that are rare and large. It also shows that the sequence is not wider than it must be.
func TestOneSequence(t *testing.T) {
	const sequences, length, alpha = 200, 5000, 0.05
	for _, rare := range []int{2, 10, 200, 2000} {
		r := interpreter.NewRandom(uint64(rare), 1)
		wrong := 0
		for range sequences {
			var s Sum
			off := false
			for n, at := 1, 10; n <= length; n++ {
				if r.IntN(rare) == 0 { // a number with mean 1
					s.Add(rare)
				} else {
					s.Add(0)
				}
				if n == at {
					in := sequence(n, s, float64(rare), alpha)
					off = off || in.Low > 1 || in.High < 1
					at = min(length, max(n+1, int(float64(n)*lookGrowth)))
				}
			}
			wrong += yes(off)
		}
		if share := float64(wrong) / sequences; share > alpha {
			t.Errorf("one in %d: %.3f of the sequences leave the mean at some look, want %.2f at most", rare, share, alpha)
		}
	}
	for _, n := range []int{2000, 20_000, 200_000} { // of numbers that are 3 or -3, in the middle of a wider range
		s := Sum{low: uint64(9 * n)}
		in := sequence(n, s, 10, alpha)
		if w := in.High / (deviate(alpha) * 3 / math.Sqrt(float64(n))); w < 1.2 || w > 2.2 || math.Abs(in.Low+in.High) > 1e-9 {
			t.Errorf("after %d numbers the sequence is %.2f times as wide as a single look: %v", n, w, in)
		}
	}
	if in := sequence(0, Sum{}, 5, alpha); in != (Interval{-5, 5}) {
		t.Errorf("of nothing: %v", in)
	}
	if in := sequence(3, Sum{total: 15, low: 75}, 5, alpha); in.High != 5 || in.Low >= 5 {
		t.Errorf("at the end of the range: %v", in)
	}
}

// TestQuantileSequence draws numbers whose quantiles are known, and peeks.
func TestQuantileSequence(t *testing.T) {
	const sequences, length, alpha = 100, 3000, 0.05
	for _, x := range []struct {
		q    float64
		want float64
	}{{0.5, 50}, {0.9, 90}, {0.005, 1}} { // of 1 to 100
		r := interpreter.NewRandom(uint64(1000*x.q), 1)
		wrong, width := 0, 0.0
		for range sequences {
			var h Histogram
			off := false
			var in Interval
			for n, at := 1, 10; n <= length; n++ {
				h.Add(1 + r.IntN(100))
				if n == at {
					in = quantileSequence(&h, x.q, 1000, alpha)
					off = off || in.Low > x.want || in.High < x.want
					at = min(length, max(n+1, int(float64(n)*lookGrowth)))
				}
			}
			wrong += yes(off)
			width += in.High - in.Low
		}
		if share := float64(wrong) / sequences; share > alpha {
			t.Errorf("%g: %.3f of the sequences leave the quantile at some look", x.q, share)
		}
		if width /= sequences; width > 10 {
			t.Errorf("%g: %.1f wide", x.q, width)
		}
	}
	var h Histogram
	if in := quantileSequence(&h, 0.5, 7, alpha); in != (Interval{0, 7}) {
		t.Errorf("of nothing: %v", in)
	}
	h.add(3, 1000)
	if in := quantileSequence(&h, 0.5, 7, alpha); in != (Interval{3, 3}) {
		t.Errorf("of nothing but 3: %v", in)
	}
}

// throwsToWin is the mean number of throws of a game for two that need some ticks, with a die of n sides, worked out.
func throwsToWin(need, n int) float64 {
	memo := map[[2]int]float64{}
	var mean func(mine, other int) float64
	mean = func(mine, other int) float64 {
		key := [2]int{mine, other}
		if v, ok := memo[key]; ok {
			return v
		}
		sum := 1.0
		for k := 1; k <= n; k++ {
			if mine+k < need {
				sum += mean(other, mine+k) / float64(n)
			}
		}
		memo[key] = sum
		return sum
	}
	return mean(0, 0)
}

// TestRealDifference finds a difference that can be worked out, and says how large it is.
func TestRealDifference(t *testing.T) {
	a, b := small(t, nil), small(t, map[string]string{"need": "7", "die_of": "3"})
	c, err := Compare(t.Context(), a, b, CompareOptions{Games: 40_000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := throwsToWin(7, 3) - throwsToWin(6, 2)
	var seen []string
	for _, d := range c.Differences {
		seen = append(seen, d.Group+" "+d.Name)
		if d.Interval.Low > d.Value || d.Interval.High < d.Value || math.Abs(d.B.Mean-d.A.Mean-d.Value) > 1e-9 {
			t.Errorf("%+v", d)
		}
		if d.Name == MeasureThrows && (d.Verdict != Less || want < d.Interval.Low || want > d.Interval.High || !d.Sure()) {
			t.Errorf("want %.3f, got %+v", want, d)
		}
		if d.Name == MeasureUnfinished && d.Verdict != Same {
			t.Errorf("%+v", d)
		}
	}
	if !c.Sure || c.Stopped || c.Alike || c.Games >= 40_000 || c.Games%2 != 0 {
		t.Errorf("%+v", c)
	}
	for _, name := range []string{"game turns", "wins yellow", "wins blue", "acts hurry", "counts twos", "game edge"} {
		if !strings.Contains(strings.Join(seen, ","), name) {
			t.Errorf("no %s in %v", name, seen)
		}
	}
	if first := c.Differences[0]; first.Verdict == Same || !first.Main {
		t.Errorf("first comes %+v", first)
	}
}

// TestOrdinaryEffects does so with many seeds, where every game is longer: hardly an interval misses, and every comparison is sure.
func TestOrdinaryEffects(t *testing.T) {
	a := small(t, nil)
	for _, need := range []int{7, 8, 12} {
		b := small(t, map[string]string{"need": strconv.Itoa(need)})
		want := throwsToWin(need, 2) - throwsToWin(6, 2)
		missed, games := 0, 0
		const seeds = 24
		for seed := range uint64(seeds) {
			c, err := Compare(t.Context(), a, b, CompareOptions{Games: 40_000, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			games += c.Games
			for _, d := range c.Differences {
				if d.Name == MeasureThrows {
					if missed += yes(want < d.Interval.Low || want > d.Interval.High); !c.Sure || d.Verdict != More {
						t.Errorf("need %d, seed %d: %v, %+v", need, seed, c.Sure, d)
					}
				}
			}
		}
		t.Logf("need %d: %d of %d intervals miss, after %d games on average", need, missed, seeds, games/seeds)
		if missed > 1 {
			t.Errorf("need %d: %d of %d intervals miss", need, missed, seeds)
		}
	}
}

// TestSmall calls a certain difference small if the caller's thresholds say so, and keeps all lengths.
func TestSmall(t *testing.T) {
	a, b := small(t, nil), small(t, map[string]string{"need": "7"})
	c, err := Compare(t.Context(), a, b, CompareOptions{Games: 20_000, Seed: 1, Small: Small{Number: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range c.Differences {
		if d.Name == MeasureThrows && (d.Verdict != Same || d.Sign() != 1 || d.Small != 0.5*d.size()) {
			t.Errorf("%+v", d)
		}
		if d.Name == MeasureEdge && d.Small != DefaultSmallShare {
			t.Errorf("%+v", d)
		}
	}
	if n, mean := c.Throws[1].N(), c.Throws[1].Mean().Mean; n != c.Games || math.Abs(mean-throwsToWin(7, 2)) > 0.5 {
		t.Errorf("lengths of %d games of %d, with mean %g", n, c.Games, mean)
	}
}

// TestStarters compares a game that one seat begins with one that the other begins: each wins more often when it begins.
func TestStarters(t *testing.T) {
	g := small(t, nil)
	c, err := Compare(t.Context(), g, g, CompareOptions{Games: 2000, Seed: 1, Precision: 0.0001, First: [2]*int{new(0), new(1)}})
	if err != nil {
		t.Fatal(err)
	}
	if c.A.Starter != g.SeatName(0) || c.B.Starter != g.SeatName(1) || c.A.Rotate {
		t.Errorf("%+v and %+v", c.A, c.B)
	}
	want := map[string]Verdict{g.SeatName(0): Less, g.SeatName(1): More}
	for _, d := range c.Differences {
		if v, ok := want[d.Name]; ok && d.Group == GroupWins && d.Verdict != v {
			t.Errorf("%+v", d)
		}
	}
}

// TestSameGame compares a rule book with itself, with the same chance: nothing differs, ever.
func TestSameGame(t *testing.T) {
	g := small(t, nil)
	c, err := Compare(t.Context(), g, g, CompareOptions{Games: 100_000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !c.Alike || !c.Sure || c.Games > 2000 {
		t.Errorf("%+v", c)
	}
	for _, d := range c.Differences {
		if d.Value != 0 || d.Interval.Low > 0 || d.Interval.High < 0 || d.Interval.Low == 0 && d.Quantile == 0 || d.Main && d.Verdict != Same {
			t.Errorf("%+v", d)
		}
	}
}

// TestCompareThreads: neither the number of threads nor being stopped changes what is seen.
func TestCompareThreads(t *testing.T) {
	a, b := small(t, nil), small(t, map[string]string{"need": "7"})
	run := func(ctx context.Context, o CompareOptions) *Comparison {
		c, err := Compare(ctx, a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	o := CompareOptions{Games: 3000, Seed: 4, Precision: 1e-9, Threads: 1}
	one := run(t.Context(), o)
	o.Threads = 5
	five := run(t.Context(), o)
	if len(one.Differences) != len(five.Differences) || one.Games != 3000 || one.Sure || five.Games != 3000 {
		t.Fatalf("%+v %+v", one, five)
	}
	for i := range one.Differences {
		if one.Differences[i] != five.Differences[i] {
			t.Errorf("%+v\n%+v", one.Differences[i], five.Differences[i])
		}
	}
	o.Among = 20
	for i, d := range run(t.Context(), o).Differences {
		if in := one.Differences[i].Interval; d.Interval.Low > in.Low || d.Interval.High < in.High || d.Main && d.Interval == in {
			t.Errorf("among many comparisons %s has the interval %+v, alone %+v", d.Name, d.Interval, in)
		}
	}
	o.Among = 0
	ctx, stop := context.WithCancel(t.Context())
	o.Progress = func(done int) {
		if done > 1000 {
			stop()
		}
	}
	if c := run(ctx, o); !c.Stopped || c.Sure || c.Games == 0 || c.Games > 1200 || len(c.Differences) == 0 {
		t.Errorf("%+v", c)
	}
	if c := run(ctx, o); !c.Stopped || c.Games != 0 || c.Differences != nil {
		t.Errorf("%+v", c)
	}
}

// TestOtherPlayers compares games of other numbers of players, and one with an act the other does not have.
func TestOtherPlayers(t *testing.T) {
	three, err := interpreter.Compile(testbook.Rules(t, "small.rules", smallRace, nil, dsl.Setting{Players: 3}))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compare(t.Context(), small(t, nil), three, CompareOptions{Games: 1, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range c.Differences {
		if d.Group == GroupWins {
			t.Errorf("seats of two and of three are compared: %+v", d)
		}
		if d.Name == MeasureEdge && (math.Abs(d.B.Mean-d.A.Mean-d.Value) > 1e-9 || math.Abs(d.A.Mean) > 0.3) {
			t.Errorf("the edge is not over a fair share: %+v", d)
		}
	}
	if c.Games != firstBlocks*6 {
		t.Errorf("%d games, want %d: whole blocks, as many as the first look wants", c.Games, firstBlocks*6)
	}
}

// TestKept compares one game with several others: its games are kept, and the results are the same.
func TestKept(t *testing.T) {
	a, kept := small(t, nil), &Kept{}
	for _, need := range []string{"6", "7", "9"} {
		o := CompareOptions{Games: 2000, Seed: 3, Threads: 3, Precision: 0.001}
		b := small(t, map[string]string{"need": need})
		want, err := Compare(t.Context(), a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Kept = kept
		got, err := Compare(t.Context(), a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(Sum{}, Histogram{})); diff != "" {
			t.Error(diff)
		}
		if n := len(kept.games); n != got.Games+trialGames {
			t.Errorf("need %s: %d games are kept of %d", need, n, got.Games)
		}
	}
}
