package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// command runs the command and fails the test unless it ends as it should.
func command(t *testing.T, exit int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if got := Main(args, strings.NewReader(""), &out, &errs); got != exit {
		t.Fatalf("rulerun %s: exit code %d, want %d\n%s%s", strings.Join(args, " "), got, exit, out.String(), errs.String())
	}
	return out.String() + errs.String()
}

// sound holds a new rule file to its promise: it is formatted, checks without a finding, passes its tests and plays.
func sound(t *testing.T, path string) {
	t.Helper()
	command(t, 0, "fmt", "--check", path)
	if out := command(t, 0, "check", path, "--fail-on", "note"); !strings.Contains(out, "1 file: 0 errors, 0 warnings") {
		t.Errorf("%s: %s", path, out)
	}
	if out := command(t, 0, "test", path); strings.Contains(out, "0 passed") {
		t.Errorf("%s has no tests: %s", path, out)
	}
	command(t, 0, "sim", path, "--games", "2", "--seed", "1")
}

// TestNewHouseRules begins a house rule for every shipped rule book, and for those of the examples.
func TestNewHouseRules(t *testing.T) {
	var bases []string
	examples := t.TempDir()
	for _, pattern := range []string{"house/*.*", "games/*.*"} {
		paths, err := filepath.Glob(filepath.Join("../../../../examples", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			to := filepath.Join(examples, filepath.Base(path))
			if err := os.WriteFile(to, text, 0o644); err != nil {
				t.Fatal(err)
			}
			if name := filepath.Base(path); slices.Contains([]string{"casa.rules", "snakes.rules", "parcheesi.rules", "ur.rules"}, name) {
				bases = append(bases, to)
			}
		}
	}
	if len(bases) < 4 {
		t.Fatal(bases)
	}
	for _, base := range append(bases, shippedNames()...) {
		t.Run(strings.TrimSuffix(filepath.Base(base), ".rules"), func(t *testing.T) {
			path := "mine.rules"
			if isPath(base) {
				path = filepath.Join(filepath.Dir(base), "new_"+filepath.Base(base))
			} else {
				t.Chdir(t.TempDir())
			}
			name := strings.TrimSuffix(filepath.Base(path), ".rules")
			command(t, 0, "new", name, "--extends", base)
			sound(t, path)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), "replace rule ") || !strings.Contains(string(text), "\n  throw ") {
				t.Errorf("shows no rule or no moves:\n%s", text)
			}
			if out := command(t, 0, "diff", path); strings.Contains(out, "says the same") {
				t.Errorf("changes nothing:\n%s", text)
			}
			command(t, 2, "new", name, "--extends", base) // it is there already
			if again, err := os.ReadFile(path); err != nil || string(again) != string(text) {
				t.Errorf("written over: %v", err)
			}
		})
	}
}

// TestNewRuleBooks begins rule books of their own under short and long names.
func TestNewRuleBooks(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "sprint", "a_name_of_forty_letters_that_is_quite_lo", "año_ñandú"} {
		command(t, 0, "new", name)
		sound(t, name+".rules")
	}
	for _, name := range []string{"b", "pond", "b_name_of_forty_letters_that_is_quite_lo"} {
		command(t, 0, "new", name, "--board")
		sound(t, name+".rules")
		command(t, 0, "check", name+".yaml", "--fail-on", "note")
		command(t, 0, "board", name+".yaml")
	}
	board, err := os.ReadFile("pond.yaml")
	if err != nil || !strings.HasPrefix(string(board), "# yaml-language-server: $schema=board.schema.json\n") {
		t.Errorf("%v\n%s", err, board)
	}
	if schema, err := os.ReadFile("board.schema.json"); err != nil || string(schema) != command(t, 0, "schema", "board") {
		t.Error("the schema is not there", err)
	}
}

// TestNewWithoutOptions begins a house rule for a rule book that has nothing to set.
func TestNewWithoutOptions(t *testing.T) {
	t.Chdir(t.TempDir())
	command(t, 0, "new", "plain")
	text, err := os.ReadFile("plain.rules")
	if err != nil {
		t.Fatal(err)
	}
	without := strings.Replace(string(text), "option to_come_out = 6 of 1..6 \"the throw that brings a piece out\"\n", "", 1)
	without = strings.ReplaceAll(without, "to_come_out", "6")
	if err := os.WriteFile("plain.rules", []byte(without), 0o644); err != nil {
		t.Fatal(err)
	}
	out := command(t, 0, "new", "house", "--extends", "plain.rules")
	if !strings.Contains(out, "takes away the rule") {
		t.Error(out)
	}
	sound(t, "house.rules")
}
