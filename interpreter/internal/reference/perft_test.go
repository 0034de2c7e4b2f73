package reference_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/reference"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// most bounds the counts that are checked.
var most = flag.Uint64("perft.most", 300, "largest count to verify")

// TestPerft counts the trees of the tables, which other implementations of the same rule books made.
func TestPerft(t *testing.T) {
	tables, err := filepath.Glob("../../testdata/perft/*.json")
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
				Position position
				Perft    []uint64
			}
			if err := json.Unmarshal(data, &entries); err != nil {
				t.Fatal(err)
			}
			deepest := 0
			games := map[string]*model.Rules{}
			for i, e := range entries {
				key := fmt.Sprint(e.Position.Ruleset, e.Position.Options, e.Position.Players)
				if games[key] == nil {
					games[key] = e.Position.rules(t)
				}
				p := e.Position.make(t, games[key])
				for n := 1; n <= len(e.Perft) && e.Perft[n-1] <= *most; n++ {
					deepest = max(deepest, n)
					if got := perft(t, p, n); got != e.Perft[n-1] {
						t.Errorf("entry %d, depth %d: got %d, want %d", i, n, got, e.Perft[n-1])
					}
				}
			}
			if deepest < 2 {
				t.Errorf("no entry is counted to depth 2")
			}
		})
	}
}

// perft counts the ways a game can go on through n throws.
func perft(t *testing.T, p *reference.Position, n int) uint64 {
	t.Helper()
	var sum uint64
	switch p.Kind() {
	case reference.Over:
		return 1
	case reference.Broken:
		t.Fatal(p.Err())
	case reference.Choice:
		for i := range p.Options() {
			q := p.Copy()
			if err := q.Choose(i); err != nil {
				t.Fatal(err)
			}
			sum += perft(t, q, n)
		}
		return sum
	}
	if n == 0 {
		return 1
	}
	for _, numbers := range throws(p, max(1, len(p.Dice()))) {
		q := p.Copy()
		if err := q.Throw(numbers...); err != nil {
			t.Fatal(err)
		}
		sum += perft(t, q, n-1)
	}
	return sum
}

// throws is what the first n devices of the throw at hand can give together.
func throws(p *reference.Position, n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var out [][]int
	for _, before := range throws(p, n-1) {
		for _, o := range p.Outcomes(n - 1) {
			out = append(out, append(slices.Clip(before), o.Value))
		}
	}
	return out
}

// position is a position as the tables have it.
type position struct {
	Ruleset string
	Options map[string]any
	Players int
	Turn    string
	Pieces  map[string][]string
	Arrived map[string][]string
	Ranking []string
	Vars    map[string]any
}

// rules is the rule book of the position.
func (x *position) rules(t *testing.T) *model.Rules {
	t.Helper()
	s := dsl.Setting{Options: map[string]string{}, Players: x.Players}
	for name, v := range x.Options {
		s.Options[name] = fmt.Sprint(v)
	}
	return testbook.Shipped(t, x.Ruleset, s)
}

// make sets the position up.
func (x *position) make(t *testing.T, rules *model.Rules) *reference.Position {
	t.Helper()
	colour := func(name string) int {
		return slices.IndexFunc(rules.Colours, func(c model.ColourInUse) bool { return c.Name == name })
	}
	place := func(name string) int {
		p, ok := rules.Board.Place(name)
		if !ok {
			t.Fatalf("no place %q", name)
		}
		return p
	}
	s := reference.Setup{Turn: colour(x.Turn)}
	for _, c := range rules.Colours {
		for _, name := range x.Pieces[c.Name] {
			s.Places = append(s.Places, place(name))
		}
	}
	for _, square := range slices.Sorted(maps.Keys(x.Arrived)) {
		for _, name := range x.Arrived[square] {
			for i := range rules.PieceCount {
				if p := colour(name)*rules.PieceCount + i; s.Places[p] == place(square) && !slices.Contains(s.Order, p) {
					s.Order = append(s.Order, p)
					break
				}
			}
		}
	}
	for p := range s.Places {
		if !slices.Contains(s.Order, p) {
			s.Order = append(s.Order, p)
		}
	}
	for _, name := range x.Ranking {
		s.Ranked = append(s.Ranked, rules.Colours[colour(name)].Seat)
	}
	scalar := func(v *model.Var, value any) int {
		switch value := value.(type) {
		case bool:
			if value {
				return 1
			}
			return 0
		case float64:
			return int(value)
		case string:
			c := colour(value)
			switch v.Type.Kind {
			case model.Colour:
				return c
			case model.Player:
				return rules.Colours[c].Seat
			case model.Team:
				return rules.Seats[rules.Colours[c].Seat].Team
			case model.Place:
				return place(value)
			}
		case nil:
			return -1
		}
		t.Fatalf("%s: %v", v.Name, value)
		return 0
	}
	set := func(v *model.Var, owner int, value any) {
		values := []int{}
		if list, ok := value.([]any); ok {
			for _, e := range list {
				values = append(values, scalar(v, e))
			}
			slices.Sort(values)
		} else {
			values = append(values, scalar(v, value))
		}
		s.Vars = append(s.Vars, reference.Value{Var: v, Owner: owner, Values: values})
	}
	for name, value := range x.Vars {
		i := slices.IndexFunc(rules.Vars, func(v *model.Var) bool { return v.Name == name })
		if i < 0 {
			t.Fatalf("no variable %q", name)
		}
		v := rules.Vars[i]
		if !v.Scope.Owned() {
			set(v, 0, value)
			continue
		}
		for key, value := range value.(map[string]any) {
			name, square, _ := strings.Cut(key, "@")
			owner := colour(name)
			switch v.Scope {
			case model.ScopePlayer:
				owner = rules.Colours[owner].Seat
			case model.ScopeTeam:
				owner = rules.Seats[rules.Colours[owner].Seat].Team
			case model.ScopePiece:
				for i := range rules.PieceCount {
					if p := owner*rules.PieceCount + i; s.Places[p] == place(square) {
						set(v, p, value)
					}
				}
				continue
			}
			set(v, owner, value)
		}
	}
	return reference.New(rules).Setup(s)
}
