package interpreter

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestBatchesAgree plays the same games in the interpreter and as WebAssembly and wants the same of all that is taken down.
func TestBatchesAgree(t *testing.T) {
	everySetting(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		for _, first := range []int{0, ByTheRules} {
			if !batchesAgree(t, g, first, 23, 30_000) {
				t.Skip("the interpreter plays this")
			}
		}
	})
}

// batchesAgree plays some games both ways, as many throws as said; false where the interpreter has to play, or the rules fail.
func batchesAgree(t testing.TB, g *Game, first int, seed uint64, most int) bool {
	t.Helper()
	o := RunOptions{First: first, Rotate: true, Leads: true, MaxThrows: 2000}
	fast, err := NewRunner(g, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Interpret = true
	plain, err := NewRunner(g, o)
	if err != nil {
		t.Fatal(err)
	}
	fast.study.batches.spent.Store(int64(batchAfter))
	if fast.batched() == nil {
		return false
	}
	throws := 0
	for k := uint64(0); k < 40 && throws < most; k++ {
		want, err := plain.Play(seed, k)
		if err != nil {
			return false
		}
		got, err := fast.Play(seed, k)
		if err != nil {
			t.Fatal(err)
		}
		if fast.player == nil || fast.troubles > 0 && !fast.player.Long {
			if leadFails(g, seed) {
				return false
			}
			t.Fatalf("game %d is in trouble", k)
		}
		fast.troubles = 0
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("first %d, game %d, the interpreter before, the batch after\n%s", first, k, diff)
		}
		throws += max(want.Throws, want.Decisions)
	}
	return true
}

// leadFails reports whether the let that says who leads fails at some nodes: what fails counts nothing, and the interpreter plays.
func leadFails(g *Game, seed uint64) bool {
	l := NewLead(g)
	p, r := g.Start(ByTheRules), NewRandom(seed, 0)
	for node := 0; l != nil && node < 200 && p.Kind() <= Choice; node++ {
		copy(l.m.State(), p.m.State())
		for seat := range g.Players() {
			l.m.State()[code.CellP0] = int16(seat)
			if _, fine := l.m.Eval(l.entry); !fine {
				return true
			}
		}
		if p.ThrowRandom(&r); p.Kind() == Choice {
			p.ChooseRandom(&r)
		}
	}
	return false
}

// TestBatchesThere wants WebAssembly for the rule books that it is for, where this machine can have it.
func TestBatchesThere(t *testing.T) {
	everyGame(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		x, err := g.studied()
		if err != nil {
			t.Fatal(err)
		}
		want := runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
		if _, err := x.newBatch(); (err == nil) != want {
			t.Errorf("WebAssembly is there: %v, want %v: %v", err == nil, want, err)
		}
	})
}

// TestForeseen: a long run is played as WebAssembly from its second game on, a short one never, and both in the form made for studies.
func TestForeseen(t *testing.T) {
	rules := ruleBook(t, "parchis")
	batchedRunner(t, rules, RunOptions{})
	for games, want := range map[int]bool{2: false, 1_000_000: true} {
		g, err := CompileStudy(rules)
		if err != nil {
			t.Fatal(err)
		}
		r, err := NewRunner(g, RunOptions{Games: games})
		if err != nil {
			t.Fatal(err)
		}
		if r.Game() != g {
			t.Error("the game was compiled again")
		}
		for k := range uint64(2) {
			if _, err := r.Play(1, k); err != nil {
				t.Fatal(err)
			}
		}
		if got := r.player != nil; got != want {
			t.Errorf("of %d games the second is played as WebAssembly: %v, want %v", games, got, want)
		}
	}
}

// batchedRunner is a runner whose games are played as WebAssembly from the first on.
func batchedRunner(t *testing.T, rules *model.Rules, o RunOptions) *Runner {
	t.Helper()
	g, err := Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRunner(g, o)
	if err != nil {
		t.Fatal(err)
	}
	r.study.batches.spent.Store(int64(batchAfter))
	if _, err := r.Play(1, 0); err != nil {
		t.Fatal(err)
	}
	if r.player == nil {
		t.Skip("this machine has no compiler for WebAssembly")
	}
	return r
}

// ruleBook is the rules of a shipped rule book as it is usually played.
func ruleBook(t *testing.T, name string) *model.Rules {
	t.Helper()
	return testbook.Shipped(t, name, dsl.Setting{})
}

func rulesOf(t *testing.T, name, text string) *model.Rules {
	t.Helper()
	return testbook.Rules(t, name+".rules", text, nil, dsl.Setting{})
}

// TestBatchAllocates wants nothing allocated for a game, in which options are listed or not.
func TestBatchAllocates(t *testing.T) {
	for _, name := range []string{"parchis4a", "ludoteka_two", "cicloparchis"} {
		r := batchedRunner(t, ruleBook(t, name), RunOptions{Leads: true})
		k := uint64(0)
		play := func() {
			if _, err := r.Play(2, k); err != nil {
				t.Fatal(err)
			}
			k++
		}
		for range 50 {
			play()
		}
		if n := testing.AllocsPerRun(50, play); n > 0 {
			t.Errorf("%s: %v allocations a game", name, n)
		}
	}
}

// TestBatchTrouble wants faults of the rules told as the interpreter tells them, and rules that never end stopped.
func TestBatchTrouble(t *testing.T) {
	const begin = "ruleset trouble \"Trouble\"\nboard cross68\nplayers 2\npieces 4 at home\ndice die = d6\nfirst yellow\n"
	for name, text := range map[string]string{
		"division": begin + `var game n = 0
turn {
  throw die
  if die == 6 { n = int(10 / (die - 6)) }
}
`,
		"range": begin + `var game n: 0..9 = 0
turn {
  throw die
  n += die
}
`,
		"endless": begin + `var game n = 0
turn {
  if n == 0 { throw die }
  if die == 6 { n = 1 }
}
`,
		"count": begin + `turn {
  throw die
  for a in 1..200 { for b in 1..200 { for c in 1..200 { if die == 6 && a + b + c == 0 { again } } } }
}
`,
	} {
		t.Run(name, func(t *testing.T) {
			rules := rulesOf(t, name, text)
			g, err := Compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			plain, err := NewRunner(g, RunOptions{Interpret: true})
			if err != nil {
				t.Fatal(err)
			}
			fast, err := NewRunner(g, RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			fast.study.batches.spent.Store(int64(batchAfter))
			for k := range uint64(3) {
				_, want := plain.Play(5, k)
				_, got := fast.Play(5, k)
				if want == nil || got == nil || got.Error() != want.Error() {
					t.Fatalf("got %v, the interpreter has %v", got, want)
				}
			}
			if fast.player == nil {
				t.Skip("this machine has no compiler for WebAssembly")
			}
			if fast.troubles == 0 {
				t.Error("WebAssembly has not noticed")
			}
		})
	}
}

// TestBatchesTogether lets several goroutines play the games of one run, each its own, and wants what one would have come to.
func TestBatchesTogether(t *testing.T) {
	rules := ruleBook(t, "ludoteka")
	one := batchedRunner(t, rules, RunOptions{Leads: true})
	want := make([]int, 60)
	for k := range want {
		x, err := one.Play(3, uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		want[k] = x.Throws*1000 + x.LeadChanges
	}
	var wait sync.WaitGroup
	for part := range 4 {
		r, err := NewRunner(one.study.Game, RunOptions{Leads: true})
		if err != nil {
			t.Fatal(err)
		}
		r.study = one.study
		wait.Go(func() {
			for k := part; k < len(want); k += 4 {
				x, err := r.Play(3, uint64(k))
				if err != nil || x.Throws*1000+x.LeadChanges != want[k] {
					t.Errorf("game %d: got %d, %v, want %d", k, x.Throws, err, want[k])
				}
			}
		})
	}
	wait.Wait()
}

// TestBatchChoices wants games without a throw, or in which too many choices follow one another, played as the interpreter plays them.
func TestBatchChoices(t *testing.T) {
	const rules = `ruleset choices "Choices"
board cross68
players 2
pieces 2 at home
dice die = d6
first yellow
var game n = 0
turn { play 1 }
move enter(p in mine) from home to p.start
move rest()
move nap()
rule all "A piece comes out, or none does" {
  may enter(p)
  may rest()
  may nap()
  on rest() { n += 1 }
  over when n == LIMIT
}
`
	for _, limit := range []string{"7", "30000"} {
		fast := batchedRunner(t, rulesOf(t, "choices", strings.Replace(rules, "LIMIT", limit, 1)), RunOptions{Leads: true})
		samePlays(t, fast, 5, 3)
	}
	const questions = `ruleset questions "Questions"
board cross68
players 2
pieces 1 at home
dice die = d6
first yellow
var game n = 0
turn {
  throw die
  for a in 1..2 * die { for b in 1..200 { for c in 1..20 {
    choose x "Which?" from [a, b, c]
    n = x
  } } }
}
rule end "On a high number" { over when n > 0 && die > 3 }
`
	samePlays(t, batchedRunner(t, rulesOf(t, "questions", questions), RunOptions{}), 5, 10)
}

// samePlays wants the games of a runner to come to what the interpreter says.
func samePlays(t *testing.T, fast *Runner, seed uint64, games int) {
	t.Helper()
	o := fast.o
	o.Interpret = true
	plain, err := NewRunner(fast.study.Game, o)
	if err != nil {
		t.Fatal(err)
	}
	for k := range uint64(games) {
		want, err := plain.Play(seed, k)
		if err != nil {
			t.Fatal(err)
		}
		got, err := fast.Play(seed, k)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("game %d, the interpreter before, the batch after\n%s", k, diff)
		}
	}
}

// TestBatchCut wants games cut short wherever they are: between turns, and in the middle of a move that throws.
func TestBatchCut(t *testing.T) {
	rules := ruleBook(t, "cicloparchis")
	for most := 60; most < 90; most += 3 {
		fast := batchedRunner(t, rules, RunOptions{Leads: true, MaxThrows: most})
		if samePlays(t, fast, 9, 20); fast.troubles > 0 {
			t.Fatalf("%d throws: %d games were in trouble", most, fast.troubles)
		}
	}
}

// TestBatchLooks wants looks ahead that pick and end the turn on the way, and what they come to, as the interpreter has them; and
// nothing that is only looked at counted.
func TestBatchLooks(t *testing.T) {
	const rules = `ruleset looks "Looks"
board cross68
players 2
pieces 4 at home
dice a, b = d6
first yellow
var game n: 0..6 = 0
var game wish: 0..4 = 0
var game passed: 0..9 = 0
turn {
  throw a, b
  play most of [a, b, a, 5]
}
move advance(p in mine) from squares walk steps
move enter(p in mine) from home to p.start
rule all "Pieces come out and go on" {
  may enter(p) when steps == 5
  may advance(p) when n != 4 || usable != 3
  never advance(p) to s when s.ring && p.index % 5 == n + 1
  must advance(p) to s when s.ring && p.index % 3 == n
  step into s: bar when len(s.pieces) > 1
  on land(p, s) when p.index % 4 != 0 {
    choose wish "How much?" from [1, 2, 3]
    n = (n + wish) % 7
    if wish == 1 || wish == 2 && n == 5 { end turn }
  }
  PASS
}
rule end "Never" { over when len(game.players) == 9 }
`
	for _, pass := range []string{"", "on pass(p, s) when p.index == 20 { passed = (passed + 1) % 10 }"} {
		fast := batchedRunner(t, rulesOf(t, "looks", strings.Replace(rules, "PASS", pass, 1)), RunOptions{Leads: true, MaxThrows: 200})
		if samePlays(t, fast, 5, 20); fast.troubles > 0 {
			t.Errorf("%d games were in trouble", fast.troubles)
		}
	}
}

// TestBatchPays checks when a batch is compiled: after enough time in the interpreter, or before, if the games still to come will take
// that long.
func TestBatchPays(t *testing.T) {
	for _, c := range []struct {
		name          string
		games, played int
		each          time.Duration
		want          bool
	}{
		{"a few quick games", 50, 50, time.Millisecond, false},
		{"many quick games, one is played", 1000, 1, time.Millisecond, true},
		{"a few slow games, one is played", 20, 1, 20 * time.Millisecond, true},
		{"an unknown number of games", 0, 50, time.Millisecond, false},
		{"an unknown number of games, some time ago", 0, 100, time.Millisecond, true},
	} {
		var b batches
		for range c.played {
			b.played(c.each, c.games)
		}
		if got := b.due(); got != c.want {
			t.Errorf("%s: due is %v", c.name, got)
		}
	}
}
