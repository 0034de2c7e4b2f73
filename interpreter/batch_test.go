package interpreter

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/model"
)

// TestBatchesAgree plays the same games in the interpreter and as WebAssembly and wants the same of all that is taken down.
func TestBatchesAgree(t *testing.T) {
	everyGame(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		for _, first := range []int{0, ByTheRules} {
			plain, err := NewRunner(g, RunOptions{First: first, Rotate: true, Leads: true, MaxThrows: 2000, Interpret: true})
			if err != nil {
				t.Fatal(err)
			}
			fast, err := NewRunner(g, RunOptions{First: first, Rotate: true, Leads: true, MaxThrows: 2000})
			if err != nil {
				t.Fatal(err)
			}
			fast.study.batches.throws.Store(batchAfter)
			throws := 0
			for k := uint64(0); k < 40 && throws < 30_000; k++ {
				want, err := plain.Play(23, k)
				if err != nil {
					t.Skip(err)
				}
				got, err := fast.Play(23, k)
				if err != nil {
					t.Fatal(err)
				}
				if fast.player == nil {
					t.Skip("the interpreter plays this")
				}
				if fast.troubles > 0 {
					t.Fatalf("game %d is in trouble", k)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("first %d, game %d, the interpreter before, the batch after\n%s", first, k, diff)
				}
				throws += want.Throws
			}
		}
	})
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
		file := strings.Split(t.Name(), "/")[1]
		want := !slices.Contains([]string{"cicloparchis", "parcheesi", "numbers", "deeds", "huff"}, file)
		if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
			want = false
		}
		if _, err := x.newBatch(); (err == nil) != want {
			t.Errorf("WebAssembly is there: %v, want %v: %v", err == nil, want, err)
		}
	})
}
