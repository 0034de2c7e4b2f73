package interpreter_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
)

// most bounds the counts that are checked here; the command's perft --verify checks them all.
var most = flag.Uint64("perft.most", 5_000, "largest count to verify")

// TestPerft counts the trees of the tables in testdata/perft, which other implementations of the same clauses made.
func TestPerft(t *testing.T) {
	tables, err := filepath.Glob("testdata/perft/*.json")
	if err != nil || len(tables) == 0 {
		t.Fatal("no tables", err)
	}
	for _, path := range tables {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".json"), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var entries []struct {
				Position interpreter.Setup
				Perft    []uint64
			}
			if err := json.Unmarshal(data, &entries); err != nil {
				t.Fatal(err)
			}
			for i, e := range entries {
				g := shipped(t, e.Position.Ruleset, dsl.Setting{Options: e.Position.OptionTexts(), Players: e.Position.Players})
				p, err := g.Setup(&e.Position)
				if err != nil {
					t.Errorf("entry %d: %v", i, err)
					continue
				}
				depth := slices.IndexFunc(e.Perft, func(n uint64) bool { return n > *most })
				if depth < 0 {
					depth = len(e.Perft)
				}
				got, err := interpreter.Perft(p, depth)
				if err != nil || !slices.Equal(got, e.Perft[:depth]) {
					t.Errorf("entry %d: got %v (%v), want %v", i, got, err, e.Perft[:depth])
				}
			}
		})
	}
}
