package interpreter

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulerun/rulerun/dsl/model"
)

// TestPositionsAreWhole writes positions at the beginning of turns as JSON, reads them back, and wants the same position: equal, the
// same text, and the same number of ways to go on. It holds for every rule file.
func TestPositionsAreWhole(t *testing.T) {
	everyGame(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Start(ByTheRules)
		r := NewRandom(31, 7)
		looked, want := 0, 60
		small := rules.Name == "laps" || rules.Name == "fork" || rules.Name == "stack"
		if small {
			want = 300
		}
		for node := 0; node < 6000 && looked < want; node++ {
			switch p.Kind() {
			case Throw:
				p.ThrowRandom(&r)
			case Choice:
				p.ChooseRandom(&r)
			default:
				p.Restart(node % g.Players())
			}
			if p.AtTurn() && r.IntN(4) == 0 && len(p.Forbidding()) == 0 {
				looked++
				depth := 0
				if looked%25 == 0 {
					depth = 1
				}
				if small {
					depth = min(2, looked%20)
				}
				readBack(t, p, depth)
			}
		}
		if looked < 20 && rules.Name != "naming" { // which asks a question before all else
			t.Errorf("only %d beginnings of turns", looked)
		}
	})
}

var (
	schemaOnce sync.Once
	schema     *jsonschema.Schema
)

// positionSchema is the schema of positions that the command prints.
func positionSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schemaOnce.Do(func() {
		text, err := os.ReadFile("../cmd/rulerun/internal/report/schema/position.schema.json")
		if err != nil {
			t.Error(err)
			return
		}
		parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
		if err != nil {
			t.Error(err)
			return
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("schema.json", parsed); err != nil {
			t.Error(err)
			return
		}
		if schema, err = c.Compile("schema.json"); err != nil {
			t.Error(err)
		}
	})
	if schema == nil {
		t.FailNow()
	}
	return schema
}

// readBack writes a position and reads it back.
func readBack(t *testing.T, p *Position, depth int) {
	t.Helper()
	text, err := json.Marshal(p.Setup())
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if err := positionSchema(t).Validate(document); err != nil {
		t.Fatalf("%s: %#v", text, err)
	}
	var s Setup
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	q, err := p.game.Setup(&s)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if !p.Equal(q) || !q.AtTurn() || !slices.Equal(p.AppendKey(nil), q.AppendKey(nil)) {
		t.Fatalf("%s: the position read back is another one\n%s", text, cmp.Diff(p.m.State(), q.m.State()))
	}
	again, err := json.Marshal(q.Setup())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), string(again)); diff != "" {
		t.Fatal(diff)
	}
	if depth == 0 {
		return
	}
	a, err := Perft(p, depth)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Perft(q, depth)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a, b) {
		t.Fatalf("%s: %v ways to go on, read back %v", text, a, b)
	}
}
