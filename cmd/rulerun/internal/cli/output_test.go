package cli

import (
	"bytes"
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

// TestOutputs holds what the verbs print about real files, broken and sound, against the schemas, and makes sure that all
// formats end with the same exit code.
func TestOutputs(t *testing.T) {
	sarif, err := os.ReadFile(filepath.Join("..", "report", "testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]*jsonschema.Schema{"json": schemaOf(t, report.Schema("output")), "sarif": schemaOf(t, string(sarif))}
	dsl := filepath.Join("..", "..", "..", "..", "dsl", "testdata")
	dir := t.TempDir()
	put(t, dir, "lap.yaml", lapBoard)
	failing := put(t, dir, "lap.rules", lapRules+"test \"it fails\" [LAP-01] {\n  turn red\n  throw 3\n  expect red 4\n}\n")
	put(t, dir, "lap.clauses", "LAP-01 One goes round.\nLAP-02 No piece sleeps.\n")
	for _, test := range []struct {
		code int
		args []string
	}{
		{exitFailed, []string{"check", filepath.Join(dsl, "broken"), filepath.Join("..", "..", "..", "..", "boards", "testdata", "broken")}},
		{exitFine, []string{"check", filepath.Join("..", "..", "..", "..", "examples", "house")}},
		{exitFailed, []string{"fmt", "--check", filepath.Join(dsl, "broken")}},
		{exitFailed, []string{"test", failing, filepath.Join(dsl, "broken", "bad_lines.rules")}},
		{exitFailed, []string{"clauses", dir}},
	} {
		for _, format := range report.Formats(test.args[0]) {
			var out, notes bytes.Buffer
			s := &session{in: strings.NewReader(""), out: &out, err: &notes, getenv: func(string) string { return "" }, now: time.Now}
			args := append([]string{test.args[0], "--format", format}, test.args[1:]...)
			if code := s.run(t.Context(), args); code != test.code {
				t.Errorf("%v: exit code %d, want %d; %s", args, code, test.code, &notes)
			}
			schema := schemas[format]
			if schema == nil {
				continue
			}
			document, err := jsonschema.UnmarshalJSON(&out)
			if err == nil {
				err = schema.Validate(document)
			}
			if err != nil {
				t.Errorf("%v: %v", args, err)
			}
		}
	}
}
