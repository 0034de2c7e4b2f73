package interpreter

import (
	"testing"

	"github.com/rulerun/rulerun/dsl/model"
)

// TestPlayoutAgrees wants a playout to come to what playing node by node comes to, with the same random numbers.
func TestPlayoutAgrees(t *testing.T) {
	everyGame(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(12) {
			playoutAgrees(t, g, seed)
		}
	})
}

// playoutAgrees plays out one game both ways, in three parts.
func playoutAgrees(t testing.TB, g *Game, seed uint64) {
	t.Helper()
	fast, slow := g.Start(ByTheRules), g.Start(ByTheRules)
	r, s := NewRandom(seed, 0), NewRandom(seed, 0)
	until := Until{Throws: 1 + int(seed%12)*37}
	if seed%3 == 0 {
		until.Ranked = 1
	}
	for range 3 { // from the middle of a game as well
		fast.Playout(&r, until)
		nodeByNode(slow, &s, until)
		if fast.Throws() != slow.Throws() || fast.Kind() != slow.Kind() || r != s || !fast.Equal(slow) && fast.Kind() != Broken {
			t.Fatalf("seed %d, until %+v: %d throws, node by node %d: %v", seed, until, fast.Throws(), slow.Throws(), fast.Changes(slow))
		}
		until = Until{Throws: until.Throws + 50}
	}
}

// nodeByNode is Playout as written with the public methods.
func nodeByNode(p *Position, r *Random, until Until) {
	for choices := 0; choices < MaxChoices && (until.Ranked == 0 || p.Ranked() < until.Ranked); {
		switch p.Kind() {
		case Throw:
			if p.Throws() >= until.Throws {
				return
			}
			choices = 0
			p.ThrowRandom(r)
		case Choice:
			choices++
			p.ChooseRandom(r)
		default:
			return
		}
	}
}

// TestPlayoutAllocates wants nothing allocated.
func TestPlayoutAllocates(t *testing.T) {
	g, err := Compile(ruleBook(t, "parchis4a"))
	if err != nil {
		t.Fatal(err)
	}
	p, r := g.Start(0), NewRandom(1, 0)
	if n := testing.AllocsPerRun(20, func() {
		p.Restart(0)
		p.Playout(&r, Until{})
	}); n > 0 {
		t.Errorf("%v allocations a game", n)
	}
}

// TestPlayoutEnds wants a playout of rules that never throw to end.
func TestPlayoutEnds(t *testing.T) {
	g, err := Compile(rulesOf(t, "ever", `ruleset ever "Nobody throws"

board   cross68
players 2 of 2..4
seats   2 { yellow | red }
pieces  2 at home
dice    die = d6

turn { play 1 }

move enter(p in mine) from home to p.start
move back(p in mine) from squares to home

rule all "In and out" {
  may enter(p)
  may back(p)
}

rule ends "Never" { over when false }
`))
	if err != nil {
		t.Fatal(err)
	}
	p, r := g.Start(0), NewRandom(1, 0)
	if p.Playout(&r, Until{}); p.Kind() != Choice {
		t.Errorf("the playout stands at kind %d: %v", p.Kind(), p.Err())
	}
}
