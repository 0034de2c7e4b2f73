package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
)

// schemaOf compiles a JSON schema.
func schemaOf(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// outputSchemas are the schemas of the formats that have one.
func outputSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	sarif, err := os.ReadFile(filepath.Join("..", "report", "testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*jsonschema.Schema{"json": schemaOf(t, report.Schema("output")), "sarif": schemaOf(t, string(sarif))}
}

// conforms holds a document against a schema, if there is one.
func conforms(schema *jsonschema.Schema, out *bytes.Buffer) error {
	if schema == nil {
		return nil
	}
	document, err := jsonschema.UnmarshalJSON(out)
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

var (
	brokenRules  = filepath.Join("..", "..", "..", "..", "dsl", "testdata", "broken")
	brokenBoards = filepath.Join("..", "..", "..", "..", "boards", "testdata", "broken")
)

// TestOutputs holds what the verbs print about real files, broken and sound, against the schemas, and makes sure that all
// formats end with the same exit code.
func TestOutputs(t *testing.T) {
	schemas := outputSchemas(t)
	dir := t.TempDir()
	put(t, dir, "lap.yaml", lapBoard)
	failing := put(t, dir, "lap.rules", lapRules+"test \"it fails\" [LAP-01] {\n  turn red\n  throw 3\n  expect red 4\n}\n")
	put(t, dir, "lap.clauses", "LAP-01 One goes round.\nLAP-02 No piece sleeps.\n")
	badLines := filepath.Join(brokenRules, "bad_lines.rules")
	for _, test := range []struct {
		code int
		args []string
	}{
		{exitFailed, []string{"check", badLines, brokenBoards, dir}},
		{exitFine, []string{"check", filepath.Join("..", "..", "..", "..", "examples", "house", "coin.rules")}},
		{exitFailed, []string{"fmt", "--check", brokenRules}},
		{exitFailed, []string{"test", failing, badLines}},
		{exitFailed, []string{"clauses", dir}},
	} {
		for _, format := range report.Formats(test.args[0]) {
			var out, notes bytes.Buffer
			s := &session{in: strings.NewReader(""), out: &out, err: &notes, getenv: func(string) string { return "" }, now: time.Now}
			args := append([]string{test.args[0], "--format", format}, test.args[1:]...)
			if code := s.run(t.Context(), args); code != test.code {
				t.Errorf("%v: exit code %d, want %d; %s", args, code, test.code, &notes)
			}
			if err := conforms(schemas[format], &out); err != nil {
				t.Errorf("%v: %v", args, err)
			}
		}
	}
}

var everyBroken = flag.Bool("output.all", false, "print the faults of every broken file; without it each kind of finding has the first file that has it")

var findingLine = regexp.MustCompile(`(?m)^\S+: (error|warning|note): .* \[([a-z-]+)\]$`)

// brokenKinds are the broken files: all of them, or those that have a kind of finding first. Two findings are of one kind if severity and
// code are the same, and both have notes and hints or not, as their golden files show.
func brokenKinds(t *testing.T) []string {
	t.Helper()
	goldens, err := filepath.Glob(filepath.Join(brokenRules, "*.golden"))
	if err != nil || len(goldens) < 200 {
		t.Fatal(len(goldens), err)
	}
	if *everyBroken {
		return []string{brokenRules}
	}
	paths, err := filepath.Glob(filepath.Join(brokenRules, "*.clauses"))
	if err != nil {
		t.Fatal(err)
	}
	paths = append(paths, filepath.Join(brokenRules, "with_unknown.rules")) // others of its kind build on files that the command does not find
	seen := map[string]bool{}
	for _, golden := range goldens {
		text, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		before := len(seen)
		for _, finding := range strings.Split(string(text), "\n\n") {
			if m := findingLine.FindStringSubmatch(finding); m != nil {
				seen[fmt.Sprint(m[1:], strings.Contains(finding, "\n  note:"), strings.Contains(finding, "\n  help:"))] = true
			}
		}
		if path := strings.TrimSuffix(golden, ".golden") + ".rules"; len(seen) > before && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	if len(seen) < 200 {
		t.Fatalf("only %d kinds of findings", len(seen))
	}
	return paths
}

// TestFaultsInEachFormat prints the faults of broken files with each kind of finding, found once.
func TestFaultsInEachFormat(t *testing.T) {
	schemas := outputSchemas(t)
	run := &report.Run{Verb: "check"}
	var out bytes.Buffer
	s := &session{in: strings.NewReader(""), out: &out, err: &out, getenv: func(string) string { return "" }, now: time.Now}
	if err := s.findFaults(t.Context(), run, &checkOptions{paths: append(brokenKinds(t), brokenBoards)}, nil); err != nil {
		t.Fatal(err)
	}
	for _, format := range report.Formats("check") {
		out.Reset()
		if err := s.print(report.Format(format), run); !errors.Is(err, errFailed) {
			t.Errorf("%s: %v", format, err)
		}
		if err := conforms(schemas[format], &out); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}
