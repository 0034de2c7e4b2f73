package boards

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

//go:embed *.yaml *.*.json
var files embed.FS

// Opener finds the file of the board called name, or reports false. A caller that keeps boards beside
// its rules looks there first and asks Shipped then.
type Opener func(name string) (*source.File, bool)

// Shipped is the file of a board that comes with rulerun. It is an Opener.
func Shipped(name string) (*source.File, bool) {
	if !isSquareName(name) {
		return nil, false
	}
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return nil, false
	}
	return source.New("boards/"+name+".yaml", string(text)), true
}

// Endings are the endings of the names of files with boards.
var Endings = []string{".yaml", ".yml"}

// Catalogues is the folder of the boards that come with rulerun, with the catalogues of their texts: NAME.LANG.json each.
func Catalogues() fs.FS { return files }

// Names lists the boards that come with rulerun, sorted.
func Names() []string {
	found, _ := fs.Glob(files, "*.yaml") // the pattern is well formed
	names := seq.Map(found, func(file string) string { return strings.TrimSuffix(file, ".yaml") })
	slices.Sort(names)
	return names
}

//go:embed board.schema.json
var schema string

// SchemaFile is the name of the schema's file, in the folder of the boards that come with rulerun.
const SchemaFile = "board.schema.json"

// Schema is the JSON Schema (draft 2020-12) of board files. Editors complete and check with it what can be seen
// without reading expressions; Read finds the rest.
func Schema() string { return schema }
