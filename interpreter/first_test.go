package interpreter

import (
	"sync/atomic"
	"testing"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// TestFirstRanked looks at each position before a throw, and at the last one, when the first player is ranked.
func TestFirstRanked(t *testing.T) {
	var ranked, earlier atomic.Int64
	t.Run("games", func(t *testing.T) { firstRanked(t, &ranked, &earlier) })
	if ranked.Load() < 50 || earlier.Load() < 50 {
		t.Errorf("only in %d games a player is ranked, in %d before the end", ranked.Load(), earlier.Load())
	}
}

func firstRanked(t *testing.T, ranked, earlier *atomic.Int64) {
	everyGame(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		want, before, decisions := -1, 0, 0
		look := func(p *Position) {
			switch {
			case p.Ranked() == 0:
				want = -1
			case want < 0:
				want, before = p.Throws(), decisions
			}
		}
		for _, most := range []int{0, 300} {
			decide := func(p *Position, _ int) {
				if p.m.State()[code.CellPlays] >= 0 {
					decisions++
				}
			}
			r, err := NewRunner(g, RunOptions{Rotate: true, Leads: true, Look: look, Decide: decide, MaxThrows: most})
			if err != nil {
				t.Fatal(err)
			}
			plain, err := NewRunner(g, RunOptions{Rotate: true, Leads: true, MaxThrows: most})
			if err != nil {
				t.Fatal(err)
			}
			for k := range uint64(2) {
				want, decisions = -1, 0
				x, err := r.Play(3, k)
				if err != nil {
					return
				}
				y, err := plain.Play(3, k)
				if err != nil || x.FirstDecisions != y.FirstDecisions {
					t.Fatalf("game %d: %d decisions before the first is ranked, and %d without observers (%v)", k, x.FirstDecisions, y.FirstDecisions, err)
				}
				look(r.p) // after the last throw
				if r.p.m.State()[code.CellWinner] >= 0 {
					want = -1
				}
				if want < 0 {
					if x.FirstRanked != 0 || x.FirstWinner() != x.Throws {
						t.Fatalf("game %d: the first is ranked after %d throws, want none to be", k, x.FirstRanked)
					}
					continue
				}
				if ranked.Add(1); x.FirstRanked != want || x.FirstWinner() != want {
					t.Fatalf("game %d: the first is ranked after %d throws, want %d", k, x.FirstRanked, want)
				}
				if x.FirstDecisions != before {
					t.Fatalf("game %d: %d decisions before the first is ranked, want %d", k, x.FirstDecisions, before)
				}
				if want < x.Throws {
					earlier.Add(1)
				}
			}
		}
	})
}
