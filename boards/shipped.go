package boards

import (
	"embed"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/source"
)

//go:embed *.yaml
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

// Names lists the boards that come with rulerun, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	slices.Sort(names)
	return names
}
