package stats_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/stats"
	"github.com/rulerun/rulerun/rulesets"
)

// load makes a game of a rule file in a folder.
func load(tb testing.TB, dir fs.FS, name string, s dsl.Setting) *interpreter.Game {
	tb.Helper()
	data, err := fs.ReadFile(dir, name)
	if err != nil {
		tb.Fatal(err)
	}
	return made(tb, dir, name, string(data), s)
}

func made(tb testing.TB, dir fs.FS, name, text string, s dsl.Setting) *interpreter.Game {
	tb.Helper()
	rules := testbook.Rules(tb, name, text, dir, s)
	g, err := interpreter.Compile(rules)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func snakes(tb testing.TB, players int) *interpreter.Game {
	return load(tb, os.DirFS("../../examples/games"), "snakes.rules", dsl.Setting{Players: players})
}

func run(t *testing.T, g *interpreter.Game, o stats.Options) *stats.Tally {
	t.Helper()
	tally, err := stats.Run(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return tally
}

func text(t *testing.T, tally *stats.Tally) string {
	t.Helper()
	data, err := tally.Write()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestAlone plays a game for one whose length is known exactly: the chain of its squares has been solved.
func TestAlone(t *testing.T) {
	const games = 20_000
	tally := run(t, snakes(t, 1), stats.Options{To: games, Seed: 1})
	m := tally.Throws.Mean()
	if off := math.Abs(m.Mean - 39.2251223082); off > 4*m.SE || m.SE > 0.2 || m.N != games {
		t.Errorf("mean %v, want 39.225", m)
	}
	if math.Abs(m.SD-25.22495711) > 0.6 {
		t.Errorf("standard deviation %.3f, want 25.22", m.SD)
	}
	if tally.Throws.Quantile(0) != 7 || tally.Wins[0] != games || tally.LeadChanges.Sum().Total() != 0 {
		t.Errorf("the shortest game takes %d throws, %d are won", tally.Throws.Quantile(0), tally.Wins[0])
	}
}

// TestSplits cuts a run in many ways, plays it on several threads and by other players, and gets the same bytes.
func TestSplits(t *testing.T) {
	const games = 210
	g := load(t, rulesets.FS, "patolli.rules", dsl.Setting{})
	for _, who := range [][]string{nil, {"greedy", stats.Chance}} {
		o := stats.Options{To: games, Seed: 5, Threads: 1, Rotate: true, Seats: who, MaxThrows: 60}
		if who != nil {
			o.To = 21
			o.Players = func() []interpreter.Chooser {
				eager, err := bot.New("greedy:progress=1,others=0,acts=100,home=0,earned=0,again=0")
				if err != nil {
					panic(err)
				}
				return []interpreter.Chooser{eager, nil}
			}
		}
		want := text(t, run(t, g, o))
		whole := o.To
		o.Threads = 3
		if diff := cmp.Diff(want, text(t, run(t, g, o))); diff != "" {
			t.Error("three threads play something else", diff)
		}
		for _, n := range []int{1, 2, 3, 7} {
			parts := make([]*stats.Tally, n)
			for i := range n {
				o.From, o.To, o.Of = whole*i/n, whole*(i+1)/n, whole
				back, err := stats.Read([]byte(text(t, run(t, g, o))))
				if err != nil {
					t.Fatal(err)
				}
				parts[(n-1-i+n/3)%n] = back
			}
			all, err := stats.Join(parts...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, text(t, all)); diff != "" {
				t.Errorf("%d parts: %s", n, diff)
			}
			if _, err := stats.Join(append(parts[1:], parts[1:]...)...); err == nil {
				t.Errorf("%d parts: the first is missing, the others are there twice, and there is no error", n)
			}
		}
	}
}

// TestRefusedParts joins what does not belong together.
func TestRefusedParts(t *testing.T) {
	g := snakes(t, 2)
	o := stats.Options{To: 10, Of: 30, Seed: 1}
	part := func(change func(o *stats.Options)) *stats.Tally {
		x := o
		change(&x)
		return run(t, g, x)
	}
	first := part(func(*stats.Options) {})
	rest := func(o *stats.Options) { o.From, o.To = 10, 30 }
	for want, parts := range map[string][]*stats.Tally{
		"games 11 to 30 of the 30 are missing":                                {first},
		"there are no parts":                                                  {},
		"game 1 of the 30 is missing":                                         {part(func(o *stats.Options) { o.From, o.To = 1, 30 })},
		"both have game 1":                                                    {first, first},
		"both have game 10":                                                   {first, part(func(o *stats.Options) { o.From, o.To = 9, 30 })},
		"they differ in the seed: 1 and 2":                                    {first, part(func(o *stats.Options) { rest(o); o.Seed = 2 })},
		"they differ in how many games the run has: 30 and 31":                {first, part(func(o *stats.Options) { rest(o); o.Of = 31 })},
		"they differ in who begins: red and thrown":                           {first, part(func(o *stats.Options) { rest(o); o.First = interpreter.ByTheRules })},
		"they differ in whether the seats take turns in beginning":            {first, part(func(o *stats.Options) { rest(o); o.Rotate = true })},
		"they differ in the limit of throws: 100000 and 9":                    {first, part(func(o *stats.Options) { rest(o); o.MaxThrows = 9 })},
		"they differ in who plays: [random random] and [greedy random]":       {first, part(func(o *stats.Options) { rest(o); o.Seats = []string{"greedy", "random"} })},
		"they differ in the number of players: 2 and 3":                       {first, run(t, snakes(t, 3), stats.Options{From: 10, To: 30, Seed: 1})},
		"they differ in the rule book: snakes and ludo":                       {first, run(t, load(t, os.DirFS("../../examples/games"), "ludo.rules", dsl.Setting{Players: 2}), stats.Options{From: 10, To: 12, Of: 30, Seed: 1})},
		"they differ in the texts of the rules: 0 and " + first.Subject.Rules: {with(first, func(t *stats.Tally) { t.Subject.Rules = "0" }), first},
	} {
		_, err := stats.Join(parts...)
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func with(t *stats.Tally, change func(*stats.Tally)) *stats.Tally {
	x := *t
	change(&x)
	return &x
}

// TestRefusedFiles reads what no run has written.
func TestRefusedFiles(t *testing.T) {
	good := text(t, run(t, snakes(t, 2), stats.Options{To: 20, Seed: 1}))
	if _, err := stats.Read([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, x := range [][3]string{
		{good, "", "it is no JSON"},
		{`"kind":"tally"`, `"kind":"other"`, "it is not a part of a run, as sim"},
		{`"version":3`, `"version":2`, "it has version 2, want 3"},
		{`"to":20`, `"to":21`, "do not fit together"},
		{`"to":20`, `"to":-1`, "do not fit together"},
		{`"to":20`, `"to":1e99`, "cannot be a JSON number"},
		{`"players":2`, `"players":3`, "do not fit together"},
		{`"players":2`, `"players":1000000000`, "do not fit together"},
		{`"wins":[`, `"wins":[1,`, "do not fit together"},
		{`"wins_from":[[`, `"wins_from":[[],[`, "do not fit together"},
		{`"moves":[[`, `"moves":[[1,1],[`, "do not fit together"},
		{`"moves":[[`, `"moves":[[1`, "do not fit together"}, // the sum ten times and more what the squares allow
		{`"moves":[[`, `"moves":[[x,`, "it is no JSON"},
		{`"moves":[[`, `"moves":[[1,2,`, "a sum is a list of two whole numbers"},
		{`"throws":[[`, `"throws":[[900,1],[`, "a histogram is a list of pairs"},
		{`"throws":[[`, `"throws":[[1,-1],[`, "a histogram is a list of pairs"},
		{`"unfinished"`, `"onfinished"`, "a key is unknown"},
	} {
		if !strings.Contains(good, x[0]) {
			t.Fatalf("there is no %s in %s", x[0], good)
		}
		if _, err := stats.Read([]byte(strings.Replace(good, x[0], x[1], 1))); err == nil || !strings.Contains(err.Error(), x[2]) {
			t.Errorf("%s for %s: got %v, want %s", x[1], x[0], err, x[2])
		}
	}
}

// TestStops ends a run early: it has the first games, and no others.
func TestStops(t *testing.T) {
	g := snakes(t, 2)
	ctx, stop := context.WithCancel(t.Context())
	got, err := stats.Run(ctx, g, stats.Options{To: 1 << 30, Seed: 3, Threads: 4, Progress: func(done int) {
		if done > 300 {
			stop()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if n := got.Games(); n < 300 || n > 100_000 || got.Whole() {
		t.Fatalf("it stopped after %d games", n)
	}
	want := run(t, g, stats.Options{To: got.Games(), Of: 1 << 30, Seed: 3, Threads: 1})
	if text(t, want) != text(t, got) {
		t.Error("what was played is not the beginning of the run")
	}
}

// TestStopsInside ends a run in the middle of games that never end.
func TestStopsInside(t *testing.T) {
	g := made(t, nil, "odd.rules", strings.Replace(faulty, "total > 50", "total > 1000", 1), dsl.Setting{})
	endless := made(t, nil, "odd.rules", strings.NewReplacer("total > 50", "die > 6", "total += die", "total = die").Replace(faulty), dsl.Setting{})
	ctx, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	got, err := stats.Run(ctx, endless, stats.Options{To: 10, Seed: 3, MaxThrows: 1 << 30, Threads: 3})
	if err != nil || got.Games() != 0 {
		t.Errorf("%v %v", got, err)
	}
	c, err := stats.Compare(ctx, endless, g, stats.CompareOptions{Games: 10, MaxThrows: 1 << 30})
	if err != nil || c.Games != 0 || !c.Stopped {
		t.Errorf("%v %v", c, err)
	}
}

// TestTalliesAddUp holds a tally against the games of a runner.
func TestTalliesAddUp(t *testing.T) {
	g := load(t, rulesets.FS, "parchis.rules", dsl.Setting{Players: 2})
	const games = 40
	got := run(t, g, stats.Options{To: games, Seed: 2, First: interpreter.ByTheRules})
	r, err := interpreter.NewRunner(g, interpreter.RunOptions{First: interpreter.ByTheRules, Leads: true})
	if err != nil {
		t.Fatal(err)
	}
	var throws, forced, firsts, settled int64
	var act float64
	for k := range uint64(games) {
		x, err := r.Play(2, k)
		if err != nil {
			t.Fatal(err)
		}
		throws += int64(x.Throws)
		forced += int64(x.Forced)
		act += float64(x.Acts[0])
		settled += int64(math.Round(1000 * float64(x.Settled) / float64(x.Throws)))
		if x.First == 0 {
			firsts++
		}
		if x.First != 0 && x.First != 1 {
			t.Errorf("seat %d began", x.First)
		}
	}
	if got.Throws.Sum().Total() != throws || got.Forced.Sum().Total() != forced || int64(got.Began[0]) != firsts || firsts == 0 || firsts == games ||
		got.Settled.Sum().Total() != settled || got.Acts[0].Over(games).Mean != act/games {
		t.Errorf("the tally does not have what happened: %s", text(t, got))
	}
	if s := got.StarterWon(); s.N != games || s.K != got.WinsFrom[0][0]+got.WinsFrom[1][1] {
		t.Errorf("%+v", s)
	}
}

// TestNothingIsAllocated plays and counts with everything warm.
func TestNothingIsAllocated(t *testing.T) {
	for _, name := range []string{"parchis4a", "patolli", "cicloparchis"} {
		g := load(t, rulesets.FS, name+".rules", dsl.Setting{})
		r, err := interpreter.NewRunner(g, interpreter.RunOptions{Leads: true, MaxThrows: 2000})
		if err != nil {
			t.Fatal(err)
		}
		tally := stats.NewTally(g, stats.Options{})
		play := func() {
			x, err := r.Play(1, 7)
			if err != nil {
				t.Fatal(err)
			}
			tally.Add(x)
		}
		play()
		if n := testing.AllocsPerRun(5, play); n > 0 {
			t.Errorf("%s: %.1f allocations a game", name, n)
		}
	}
}

// TestFaults: the fault that is reported is that of the first game that has one, for any number of threads.
func TestFaults(t *testing.T) {
	g := made(t, nil, "odd.rules", strings.Replace(faulty, "\n\t", "\n", -1), dsl.Setting{})
	var first string
	for _, threads := range []int{1, 4} {
		_, err := stats.Run(t.Context(), g, stats.Options{To: 200, Seed: 1, Threads: threads})
		if err == nil {
			t.Fatal("nothing failed")
		}
		if first == "" {
			first = err.Error()
		}
		if err.Error() != first {
			t.Errorf("got %v, want %s", err, first)
		}
	}
}

const faulty = `ruleset odd "A count that grows too large"

board   cross68
players 2
pieces  1 at home
dice    die = d6

var game total: 0..40 = 0

turn { throw die; play die }

move tick(p in mine) stay

rule race "Everything adds up" {
  may tick(p)
  on  tick(p) { total += die }
  win player x when die == 6 && total > 50
}
`

// TestHistogram holds sums, quantiles and bins against simple ones.
func TestHistogram(t *testing.T) {
	var h stats.Histogram
	if h.N() != 0 || h.Quantile(0.5) != 0 || h.Bins(5, 1) != nil || h.Mean() != (stats.Mean{}) {
		t.Error("an empty histogram has something in it")
	}
	var all []int
	r := interpreter.NewRandom(1, 1)
	for range 999 {
		v := r.IntN(90) - 5
		if r.IntN(50) == 0 {
			v = 1<<17 + v
		}
		all = append(all, v)
		h.Add(v)
	}
	sum, square := 0.0, 0.0
	for _, v := range all {
		sum += float64(v)
	}
	mean := sum / 999
	for _, v := range all {
		square += (float64(v) - mean) * (float64(v) - mean)
	}
	sd := math.Sqrt(square / 998)
	if m := h.Mean(); m.N != 999 || math.Abs(m.Mean-mean) > 1e-9*mean || math.Abs(m.SD-sd) > 1e-9*sd || math.Abs(m.SE-sd/math.Sqrt(999)) > 1e-9*sd {
		t.Errorf("got %v, want %v %v", m, mean, sd)
	}
	for _, q := range []float64{0, 0.05, 0.25, 0.5, 0.75, 0.95, 1} {
		v := h.Quantile(q)
		below, upTo := 0, 0
		for _, x := range all {
			if x < v {
				below++
			}
			if x <= v {
				upTo++
			}
		}
		if float64(below) > q*999 || float64(upTo) < q*999 || upTo == below {
			t.Errorf("quantile %v is %d: %d below, %d up to it", q, v, below, upTo)
		}
	}
	for n := 1; n < 40; n++ {
		bins := h.Bins(n, 1)
		total := uint64(0)
		for i, b := range bins {
			total += b.N
			if i > 0 && b.From != bins[i-1].To+1 {
				t.Fatalf("%v", bins)
			}
		}
		if len(bins) > max(n, 2) || total != 999 { // there are numbers below 0
			t.Errorf("%d bins: %v", n, bins)
		}
	}
}

// TestBins cuts numbers with a long tail.
func TestBins(t *testing.T) {
	var h stats.Histogram
	for v := range 100 {
		h.Add(v + 3)
	}
	h.Add(5000)
	want := []stats.Bin{{0, 19, 17}, {20, 39, 20}, {40, 59, 20}, {60, 79, 20}, {80, 99, 20}, {100, 119, 3}, {120, 5000, 1}}
	if diff := cmp.Diff(want, h.Bins(8, 0.98)); diff != "" {
		t.Error(diff)
	}
	if got := h.Bins(1000, 0); len(got) != 2 || got[0] != (stats.Bin{From: 3, To: 3, N: 1}) || got[1].N != 100 {
		t.Error(got)
	}
}

// TestLargeSums adds up numbers whose squares do not fit in 64 bits.
func TestLargeSums(t *testing.T) {
	var s stats.Sum
	for range 5 {
		s.Add(1 << 31)
		s.Add(-(1 << 31))
	}
	if got := s.Squares().String(); got != "46116860184273879040" || s.Total() != 0 {
		t.Errorf("got %s", got)
	}
	data, err := s.MarshalJSON()
	var back stats.Sum
	if err != nil || back.UnmarshalJSON(data) != nil || back != s {
		t.Errorf("%s is read as %v", data, back)
	}
	if m := s.Over(10); math.Abs(m.SD-math.Sqrt(10.0/9)*(1<<31)) > 1 || m.Mean != 0 {
		t.Errorf("%v", m)
	}
}

// TestWilson holds intervals against what defines them: the shares for which what was seen is just 1.96 standard errors off.
func TestWilson(t *testing.T) {
	for _, x := range []stats.Share{{0, 10}, {10, 10}, {5, 20}, {500, 1000}, {1, 100_000}} {
		got, n := x.Interval(), float64(x.N)
		for _, p := range []float64{got.Low, got.High} {
			off, se := math.Abs(x.Value()-p), math.Sqrt(p*(1-p)/n)
			if math.Abs(off-1.959963984540054*se) > 1e-9 {
				t.Errorf("%v: %v is %v off, with an error of %v", x, p, off, se)
			}
		}
		if got.Low == got.High {
			t.Errorf("%v: %v", x, got)
		}
	}
	if got := (stats.Share{}).Interval(); got != (stats.Interval{Low: 0, High: 1}) {
		t.Errorf("of nothing: %v", got)
	}
}

// TestReadNeverPanics cuts a part off everywhere.
func TestReadNeverPanics(t *testing.T) {
	good := []byte(text(t, run(t, snakes(t, 2), stats.Options{To: 3, Seed: 1})))
	for i := range len(good) - 2 {
		if _, err := stats.Read(good[:i]); err == nil {
			t.Fatalf("%s was read", good[:i])
		}
		if i%7 == 0 {
			_, _ = stats.Read(bytes.Replace(good, good[i:i+2], []byte(fmt.Sprint(i)), 1))
		}
	}
}

// TestIntervalsHold plays a game of known length again and again: about one interval in twenty leaves the truth out, with few
// games too, and of shares as well.
func TestIntervalsHold(t *testing.T) {
	g := snakes(t, 1)
	const runs = 400
	for _, games := range []int{10, 150} {
		means, shares := 0, 0
		long := run(t, g, stats.Options{To: 60_000, Seed: 99})
		above := func(h *stats.Histogram) int {
			n := 0
			for v, c := range h.All() {
				if v > 60 {
					n += int(c)
				}
			}
			return n
		}
		truth := float64(above(&long.Throws)) / 60_000
		for seed := range uint64(runs) {
			x := run(t, g, stats.Options{To: games, Seed: 1000 + seed})
			if i := x.Throws.Mean().Interval(); i.Low > 39.2251223082 || i.High < 39.2251223082 {
				means++
			}
			if i := (stats.Share{K: above(&x.Throws), N: games}).Interval(); i.Low > truth || i.High < truth {
				shares++
			}
		}
		// 20 are expected, with a deviation of 4.4; lengths are skewed, which costs some where games are few.
		if most := map[int]int{10: 48, 150: 34}[games]; means > most || means < 6 {
			t.Errorf("%d games: %d of %d intervals of a mean do not hold", games, means, runs)
		}
		if shares > 36 || shares < 4 {
			t.Errorf("%d games: %d of %d intervals of a share do not hold", games, shares, runs)
		}
		t.Logf("%d games: %d means, %d shares of %d", games, means, shares, runs)
	}
}
