package solve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// memory is a store in memory. It cancels a context after a number of saves.
type memory struct {
	files map[string][]byte
	left  int
	stop  func()
}

func (m *memory) Load(name string) ([]byte, error) {
	if b, ok := m.files[name]; ok {
		return bytes.Clone(b), nil
	}
	return nil, fs.ErrNotExist
}

func (m *memory) Save(name string, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	m.files[name] = b.Bytes()
	if m.left--; m.left == 0 {
		m.stop()
	}
	return nil
}

func ur(t *testing.T, pieces string) *interpreter.Game {
	t.Helper()
	text, err := os.ReadFile("../../examples/games/ur.rules")
	if err != nil {
		t.Fatal(err)
	}
	setting := dsl.Setting{Options: map[string]string{"pieces_each": pieces}}
	g, err := interpreter.Compile(testbook.Rules(t, "ur.rules", string(text), os.DirFS("../../examples/games"), setting))
	if err == nil {
		g, err = g.Counted()
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestResume cancels the work at many moments, and resumes it from the store. The result is the same.
func TestResume(t *testing.T) {
	g := ur(t, "2")
	for _, wins := range []bool{true, false} {
		whole, err := Solve(t.Context(), g.Start(0), Options{Wins: wins})
		if err != nil {
			t.Fatal(err)
		}
		store := &memory{files: map[string][]byte{}}
		var r *Result
		stops := 0
		for calls := 3; ; calls += 25 { // a later moment each time
			ctx, cancel := context.WithCancel(t.Context())
			store.left, store.stop = stops%7+1, cancel
			n := 0
			r, err = Solve(ctx, g.Start(0), Options{Wins: wins, Store: store, Progress: func(Progress) {
				if n++; n == calls {
					cancel()
				}
			}})
			cancel()
			if err == nil {
				break
			}
			if stops++; !errors.Is(err, context.Canceled) || stops > 100 {
				t.Fatal(err)
			}
		}
		if stops < 5 || r.States != whole.States || r.Choices != whole.Choices || r.Components != whole.Components || math.Abs(r.Wins[0]-whole.Wins[0]) > 1e-12 ||
			!wins && math.Abs(r.Throws-whole.Throws) > 1e-9 || !(r.Error < 1e-9) {
			t.Errorf("after %d stops %+v\nwant %+v", stops, r, whole)
		}
		met := [2]int{}
		for i, r := range []*Result{r, whole} {
			if err := r.Decisions(t.Context(), g.Start(0), func(*Decision) error { met[i]++; return nil }); err != nil {
				t.Fatal(err)
			}
		}
		if met[0] != met[1] || met[0] < whole.Choices { // ways with equal numbers share one choice in the tree
			t.Errorf("%v decisions, want %d", met, whole.Choices)
		}
		again, err := Solve(t.Context(), g.Start(0), Options{Wins: wins, Store: store})
		if err != nil || again.Wins[0] != r.Wins[0] || again.Throws != r.Throws && !wins {
			t.Errorf("read again: %+v %v", again, err)
		}
		if _, err := Solve(t.Context(), ur(t, "1").Start(0), Options{Store: store}); !errors.Is(err, ErrStored) {
			t.Errorf("another game: %v", err)
		}
	}
}

// TestTable looks up positions of a game in a table, in all forms of the game. It compares each choice with the decisions of
// the solution.
func TestTable(t *testing.T) {
	g := ur(t, "2")
	store := &memory{files: map[string][]byte{}}
	if _, err := Open(g, store); !errors.Is(err, ErrUnsolved) {
		t.Errorf("of an empty store: %v", err)
	}
	r, err := Solve(t.Context(), g.Start(0), Options{Store: store})
	if err != nil {
		t.Fatal(err)
	}
	traced, err := g.Traced()
	if err != nil {
		t.Fatal(err)
	}
	table, err := Open(traced, store)
	if err != nil {
		t.Fatal(err)
	}
	table.Use(traced)
	if TableOf(g) != table {
		t.Error("the forms of a game have different tables")
	}
	if win, ok := table.Chance(traced.Start(1), 0); !ok || math.Abs(win-r.Wins[1]) > 1e-12 {
		t.Errorf("if the other begins: %g %t, want %g", win, ok, r.Wins[1])
	}
	random := interpreter.NewRandom(3, 0)
	p, q := traced.Start(0), g.Start(0)
	for looked := 0; looked < 300; {
		switch {
		case p.Kind() == interpreter.Over:
			p.Restart(0)
			q.Restart(0)
		case p.Kind() == interpreter.Throw:
			q.ThrowRandom(&random)
			if err := p.Throw(q.Numbers()...); err != nil {
				t.Fatal(err)
			}
		default:
			looked++
			_, a, ok := table.Best(p)
			_, b, also := table.Best(q)
			if !ok || !also || math.Abs(a[0]+a[1]-1) > 1e-12 || a[0] != b[0] {
				t.Fatalf("%v %t, %v %t at %v", a, ok, b, also, q.Setup())
			}
			i := random.IntN(p.OptionCount())
			if p.Choose(i) != nil || q.Choose(i) != nil {
				t.Fatal("no option")
			}
		}
	}
	n := 0
	err = r.Decisions(t.Context(), g.Start(0), func(d *Decision) error {
		_, by, ok := table.Best(d.Position)
		own := g.Rules().Seats[d.Position.Player()].Team
		if n++; n%50 == 0 && (!ok || math.Abs(by[own]-d.Win) > 1e-9) {
			t.Errorf("%v %t, want %g", by, ok, d.Win)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestKilled takes up the work from a store as it was shortly before the values of the last layer were complete: most were
// stored in the order of the positions, and few sweeps are left.
func TestKilled(t *testing.T) {
	defer func(d time.Duration, n uint32) { rowsEvery, large = d, n }(rowsEvery, large)
	rowsEvery, large = 0, 200
	g := ur(t, "2")
	sweeps := 0
	count := func(p Progress) {
		if p.Settled > 0 && !p.Bounding {
			sweeps++
		}
	}
	store := &recorded{memory: memory{files: map[string][]byte{}}}
	if _, err := Solve(t.Context(), g.Start(0), Options{Store: store, Progress: count}); err != nil {
		t.Fatal(err)
	}
	whole, last := sweeps, store.files[store.name]
	if len(store.before) != len(last) || bytes.Equal(store.before, last) {
		t.Fatal("the values were not stored before they were complete")
	}
	if bytes.Contains(store.first, []byte(`"Form":""`)) {
		t.Error("the form of the values is not stored with the first of them: they would be dropped")
	}
	same := 0
	for i := 0; i < len(last); i += 8 {
		was, is := math.Float64frombits(little.Uint64(store.before[i:])), math.Float64frombits(little.Uint64(last[i:]))
		if math.Abs(was-is) < 1e-9*max(1, is) {
			same++
		}
	}
	if 2*same < len(last)/8 {
		t.Errorf("of %d values %d are those stored before the end", len(last)/8, same)
	}
	sweeps = 0
	if _, err := Solve(t.Context(), g.Start(0), Options{Store: &memory{files: store.then}, Progress: count}); err != nil {
		t.Fatal(err)
	}
	if sweeps == 0 || 4*sweeps > whole {
		t.Errorf("%d sweeps are left of %d", sweeps, whole)
	}
}

// recorded is a store in memory that remembers the values stored last but one, and all that was stored then.
type recorded struct {
	memory
	name   string
	first  []byte // the index when the first values were stored
	before []byte
	then   map[string][]byte
}

func (r *recorded) Save(name string, write func(io.Writer) error) error {
	was := r.files[name]
	if strings.HasSuffix(name, ".rows") && len(was) > 0 {
		r.name, r.before, r.then = name, was, maps.Clone(r.files)
	}
	r.left = 0
	err := r.memory.Save(name, write)
	if r.first == nil && strings.HasSuffix(name, ".rows") && len(r.files[name]) > 0 {
		r.first = r.files["index"]
	}
	return err
}
