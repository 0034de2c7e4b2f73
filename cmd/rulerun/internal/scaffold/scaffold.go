// Package scaffold generates the first version of rule files: a house rule for an existing rule book, a small rule
// book, or one with its own board.
//
// It returns texts; the verbs write them to files. Note: a house rule is not a filled template,
// it is tested. A candidate that has findings, or whose tests fail, is discarded.
package scaffold

import (
	_ "embed"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards"
)

// File is a file to write.
type File struct {
	Name string // without a folder
	Text string
	// Shared files are the same for all rule books: an existing one is not overwritten.
	Shared bool
}

var (
	//go:embed small.rules
	smallRules string
	//go:embed own.rules
	ownRules string
	//go:embed own.yaml
	ownBoard string
)

// RuleBook is a small rule book on a board that comes with rulerun.
func RuleBook(name string) []File {
	return []File{{Name: name + ".rules", Text: fill(smallRules, name)}}
}

// WithBoard is a small rule book with a board of its own, and the schema by which editors check the board.
func WithBoard(name string) []File {
	return []File{
		{Name: name + ".rules", Text: fill(ownRules, name)},
		{Name: name + ".yaml", Text: fill(ownBoard, name)},
		{Name: boards.SchemaFile, Text: boards.Schema(), Shared: true},
	}
}

func fill(template, name string) string {
	return strings.NewReplacer("NAME", name, "TITLE", Title(name)).Replace(template)
}

// Title is a name as the title of a rule book: "Three throws".
func Title(name string) string {
	text := strings.TrimSpace(strings.ReplaceAll(name, "_", " "))
	first, width := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[width:]
}
