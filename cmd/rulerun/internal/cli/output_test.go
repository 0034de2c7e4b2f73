package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
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

// TestFaultsInEachFormat prints the faults of all broken files, found once.
func TestFaultsInEachFormat(t *testing.T) {
	schemas := outputSchemas(t)
	run := &report.Run{Verb: "check"}
	var out bytes.Buffer
	s := &session{in: strings.NewReader(""), out: &out, err: &out, getenv: func(string) string { return "" }, now: time.Now}
	if err := s.findFaults(t.Context(), run, &checkOptions{paths: []string{brokenRules, brokenBoards}}, nil); err != nil {
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
