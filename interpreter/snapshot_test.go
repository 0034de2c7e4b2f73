package interpreter_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
)

// TestSnapshots goes on from a snapshot wherever dice are thrown, beside the position it was taken of: the two must stay
// the same to the end of every game, in all rule books.
func TestSnapshots(t *testing.T) {
	paths, err := filepath.Glob("../rulesets/*.rules")
	if err != nil || len(paths) == 0 {
		t.Fatal("no rule books", err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".rules")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, err := shipped(t, name, dsl.Setting{}).Counted()
			if err != nil {
				t.Fatal(err)
			}
			p := g.Start(interpreter.ByTheRules)
			q := g.Start(interpreter.ByTheRules)
			r, same := interpreter.NewRandom(1, 0), interpreter.NewRandom(1, 0)
			var a, b []byte
			for step := 0; step < 3000 && p.Kind() != interpreter.Over; step++ {
				if p.Kind() == interpreter.Broken {
					t.Fatal(p.Err())
				}
				a, b = p.AppendSnapshot(a[:0]), q.AppendSnapshot(b[:0])
				if !bytes.Equal(a, b) && !p.AtTurn() {
					// Within a turn a restored position has not what the turn before left behind.
					if p.Kind() != q.Kind() || len(p.Options()) != len(q.Options()) {
						t.Fatalf("step %d: they part", step)
					}
				} else if !bytes.Equal(a, b) {
					t.Fatalf("step %d: they differ when a turn begins", step)
				}
				if p.Kind() == interpreter.Throw && !p.ChosenNumber() {
					if err := q.Restore(a); err != nil {
						t.Fatal(err)
					}
				}
				before, also := p.TurnsBegun(), q.TurnsBegun()
				if p.Kind() == interpreter.Throw {
					p.ThrowRandom(&r)
					q.ThrowRandom(&same)
				} else {
					p.ChooseRandom(&r)
					q.ChooseRandom(&same)
				}
				if n, m := p.TurnsBegun()-before, q.TurnsBegun()-also; n != m || n < 0 || n > 1 {
					t.Fatalf("step %d: %d turns begin, and %d", step, n, m)
				}
			}
			if q.Kind() != p.Kind() {
				t.Error("one is over")
			}
		})
	}
}

// TestRestoreRefuses gives Restore what is no snapshot of a throw.
func TestRestoreRefuses(t *testing.T) {
	g := shipped(t, "parchis", dsl.Setting{})
	p := g.Start(0)
	good := p.AppendSnapshot(nil)
	choice := bytes.Clone(good)
	choice[0] = 1
	site := bytes.Clone(good)
	site[1] = 200
	for _, bad := range [][]byte{nil, good[1:], choice, site} {
		if err := p.Restore(bad); err == nil {
			t.Errorf("%d bytes are taken", len(bad))
		}
	}
	if err := p.Restore(good); err != nil {
		t.Error(err)
	}
}

// TestEarnedBefore compares positions at the first choice of a turn, which differ only in the number earned for it.
func TestEarnedBefore(t *testing.T) {
	g := odd(t, `ruleset gift "A number for the next player"

board   cross68
players 2
pieces  1 at home

turn { play earned; play 0 }

move enter(p in mine) from home to p.start
move wait(p in mine)  stay
move one()
move two()

rule gifts "Each earns one or two for the next" {
  may enter(p) when earned
  may wait(p)  when earned
  may one()    when thrown
  may two()    when thrown
  on one() { earn 1 for next(me) }
  on two() { earn 2 for next(me) }
}
`)
	p, q := g.Start(0), g.Start(0)
	for i, x := range []*interpreter.Position{p, q} {
		if err := x.Choose(i); err != nil {
			t.Fatal(err)
		}
	}
	if !p.AtTurn() || !q.AtTurn() || p.Options()[0].Steps != 1 || q.Options()[0].Steps != 2 {
		t.Fatalf("the options are %v and %v", p.Options(), q.Options())
	}
	if p.Equal(q) || p.Alike(q) || bytes.Equal(p.AppendSnapshot(nil), q.AppendSnapshot(nil)) {
		t.Error("positions are equal that count different numbers")
	}
}
