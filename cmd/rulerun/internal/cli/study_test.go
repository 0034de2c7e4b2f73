package cli

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
)

// did runs the command and returns its exit code and what it printed.
func did(t *testing.T, ctx context.Context, args ...string) (code int, out, notes string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	s := &session{in: strings.NewReader(""), out: &stdout, err: &stderr, getenv: func(string) string { return "" }, now: time.Now}
	code = s.run(ctx, args)
	return code, stdout.String(), stderr.String()
}

// TestStudySchemas holds what studies of a game print against the schemas.
func TestStudySchemas(t *testing.T) {
	snakes := filepath.Join("..", "..", "..", "..", "examples", "games", "snakes.rules")
	part := filepath.Join(t.TempDir(), "part.json")
	endless := filepath.Join(t.TempDir(), "endless.rules")
	rest, best := filepath.Join(t.TempDir(), "rest.rules"), filepath.Join(t.TempDir(), "best.jsonl")
	counted := filepath.Join(t.TempDir(), "counted.rules")
	for path, text := range map[string]string{
		endless: "change endless \"Too much every time\" for snakes\nreplace dice die = {200: 1, 201: 1}\n",
		rest:    "change rest \"Who likes stays\" for snakes\nmove rest(p in mine) from squares stay\nrule resting \"A piece may stay\" { may rest(p) }\n",
		counted: "change counted \"Two counts\" for snakes\ncount climbs on climb(p, t)\ncount behind = 7 - 5000 * sum(game.pieces, .index)\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept := filepath.Join(t.TempDir(), "kept.game.txt")
	if code, _, notes := did(t, t.Context(), "play", "ur", "--seats", "greedy,random", "--seed", "1", "--plain", "--record", kept); code != exitFine {
		t.Fatal(notes)
	}
	valid := func(schema, text string) {
		t.Helper()
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err == nil {
			err = schemaOf(t, schema).Validate(document)
		}
		if err != nil {
			t.Errorf("%v: %s", err, text)
		}
	}
	for _, x := range []struct {
		schema string
		args   []string
	}{
		{report.Schema("sim"), []string{"sim", snakes, "--games", "30", "--format", "json", "--out", part}},
		{report.Schema("sim"), []string{"sim", snakes, "--games", "30", "--format", "json", "--with", counted}},
		{report.Schema("sim"), []string{"sim", "patolli", "--games", "2", "--max-throws", "20", "--format", "json", "--starter", "thrown"}},
		{report.Schema("sim"), []string{"sim", "ur", "--games", "5", "--judge", "5", "--format", "json"}},
		{report.Schema("compare"), []string{"compare", "ur", "--seats-a", "medium,medium", "--seats", "random,random", "--games", "400", "--judge", "5", "--format", "json"}},
		{report.Schema("sim"), []string{"sim", "--merge", part, "--format", "json"}},
		{report.Schema("compare"), []string{"compare", snakes, snakes, "--games", "100", "--format", "json", "--precision", "1"}},
		{report.Schema("compare"), []string{"compare", snakes, snakes, "--games", "1", "--format", "json", "--players", "3"}},
		{report.Schema("sweep"), []string{"compare", snakes, "--sweep", "players=1..2", "--games", "10", "--format", "json"}},
		{report.Schema("sweep"), []string{"compare", snakes, "--want", "throws<50, minutes=min", "--sweep", "players=1..3", "--with", counted, "--games", "50", "--format", "json"}},
		{report.Schema("each"), []string{"compare", snakes, "--each", "--games", "400", "--format", "json", "--with", counted}},
		{report.Schema("each"), []string{"compare", "parchis", "--each", "--games", "400", "--format", "json"}},
		{report.Schema("sweep"), []string{"compare", snakes, "--sweep", "players=1..2", "--games", "1", "--format", "json", "--with", counted}},
		{report.Schema("ladder"), []string{"bots", snakes, "--bots", "greedy,random", "--games", "10", "--format", "json", "--players", "3"}},
		{report.Schema("skill"), []string{"bots", "--skill", snakes, "--games", "10", "--format", "json"}},
		{report.Schema("skill"), []string{"bots", "--skill", "parchis4a", "--better", "greedy", "--against", "random", "--games", "4", "--format", "json", "--players", "2"}},
		{report.Schema("heat"), []string{"heat", "parchis", "--games", "3", "--format", "json", "--of", "capture", "--starter", "thrown"}},
		{report.Schema("heat"), []string{"heat", snakes, "--games", "3", "--format", "json", "--seats", "greedy,random", "--rotate"}},
		{report.Schema("review"), []string{"play", kept, "--analyse", "--format", "json"}},
		{report.Schema("solve"), []string{"solve", snakes, "--players", "1", "--format", "json"}},
		{report.Schema("solve"), []string{"solve", snakes, "--players", "1", "--format", "json", "--with", endless}},
	} {
		code, out, notes := did(t, t.Context(), x.args...)
		if want := strings.Contains(out, `"throws":null`); want != (code == exitFailed) || !want && code != exitFine {
			t.Errorf("%v: exit code %d: %s", x.args, code, notes)
		}
		valid(x.schema, out)
	}
	if code, _, notes := did(t, t.Context(), "sim", snakes, "--games", "5", "--with", counted, "--out", part+"2"); code != exitFine {
		t.Errorf("exit code %d: %s", code, notes)
	}
	if code, _, notes := did(t, t.Context(), "solve", snakes, "--players", "1", "--with", rest, "--policy", best); code != exitFine {
		t.Errorf("exit code %d: %s", code, notes)
	}
	lines, err := os.ReadFile(best)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		valid(report.Schema("policy"), line)
	}
	if n := strings.Count(string(lines), "\n"); n != 470 {
		t.Errorf("%d choices", n)
	}
	for _, path := range []string{part, part + "2"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		valid(report.Schema("tally"), string(text))
	}
}

// TestStudiesStop interrupts studies: they say what there is, and that it is not all.
func TestStudiesStop(t *testing.T) {
	snakes := filepath.Join("..", "..", "..", "..", "examples", "games", "snakes.rules")
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"sim", snakes, "--games", "1000000000"}, "stopped after "},
		{[]string{"compare", snakes, "parchis4a", "--players", "2", "--games", "1000000000", "--precision", "0.00001"}, "stopped after "},
		{[]string{"compare", snakes, "--sweep", "players", "--games", "1000000000"}, "stopped after 0 of 6 rows"},
		{[]string{"bots", snakes, "--bots", "greedy,random", "--games", "10000000"}, "stopped after "},
		{[]string{"bots", "--skill", "parchis4a", "--better", "mcts:5000", "--games", "100"}, "stopped after 0 games"},
	} {
		ctx, stop := context.WithTimeout(t.Context(), 500*time.Millisecond)
		code, out, notes := did(t, ctx, x.args...)
		stop()
		if code != exitFailed || !strings.Contains(notes, x.want) || !slices.Contains(x.args, "--sweep") && !slices.Contains(x.args, "--skill") && !strings.Contains(out, "Snakes and Ladders") {
			t.Errorf("%v: exit code %d\n%s%s", x.args, code, out, notes)
		}
	}
}

// TestUpTo writes values with the digits that a bound leaves, and the bounds of stopped work rounded outwards.
func TestUpTo(t *testing.T) {
	for _, x := range []struct {
		v, bound, residual float64
		stopped            bool
		want               string
	}{
		{0.5186, 1.7e-3, 0, false, "0.519"}, {0.51857290750, 7e-12, 0, false, "0.5185729075"}, {0.5, math.Inf(1), 0.01, false, "0.50"},
		{0.5186, 1.7e-3, 0, true, "0.5168 to 0.5203"}, {0.5, 4, 0, true, "0.0 to 1.0"}, {0.5, math.Inf(1), 0.01, true, "0.000 to 1.000"},
	} {
		if got := upTo(x.bound, x.residual, 1, x.stopped)(x.v); got != x.want {
			t.Errorf("%+v: got %s", x, got)
		}
	}
}
