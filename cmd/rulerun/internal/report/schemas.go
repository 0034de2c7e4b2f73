package report

import (
	"embed"
	"io/fs"
	"path"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

//go:embed schema
var schemas embed.FS

const schemaEnding = ".schema.json"

// Schemas names the JSON Schemas of what the command prints, writes and reads: output is of check, fmt and test; policy is of a line
// of what solve writes, tally of a part of a run, position of what the commands that take one read. Others have the name of what
// prints or writes them.
func Schemas() []string {
	files, _ := fs.Glob(schemas, "schema/*"+schemaEnding) // embedded files can be read
	return seq.Map(files, func(file string) string { return strings.TrimSuffix(path.Base(file), schemaEnding) })
}

// Schema is the JSON Schema of a name, "" if there is none.
func Schema(name string) string {
	text, _ := schemas.ReadFile("schema/" + name + schemaEnding)
	return string(text)
}
