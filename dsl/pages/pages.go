// Package pages holds the reference page of every code a finding can have: what it means, how to mend it, and an
// example with it and one without.
//
// A page is a Markdown file named after its code. It is read by people on the web, printed by the command, and goes
// along with findings to programs that show help. Note: the examples are checked, so a page
// cannot promise what the checker does not do.
package pages

import (
	"embed"
	"io/fs"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

//go:embed [a-z]*.md
var files embed.FS

// Page is what there is to say about one code.
type Page struct {
	Code     string
	Title    string // one sentence without its full stop
	Severity string // "error", "warning", "note", or several of them joined by " or "
	Group    string // the title of the group it belongs to, one of Groups
	Text     string // the page as Markdown, whole
}

// ByPlaying is the title of the group of findings that playing makes, not reading.
const ByPlaying = "Found by playing"

// Groups lists the titles of the groups of codes, in the order of the reference.
func Groups() []string {
	return []string{
		"How a file is written",
		"Names",
		"Values",
		"What there is",
		"What happens",
		"Building on another file",
		"Tests and clauses",
		"Texts in other languages",
		"Boards",
		"What means nothing",
		ByPlaying,
	}
}

// Codes lists the codes that have a page, sorted.
func Codes() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil
	}
	return slices.Sorted(slices.Values(seq.Map(entries, func(e fs.DirEntry) string { return strings.TrimSuffix(e.Name(), ".md") })))
}

// Find returns the page of a code.
func Find(code string) (Page, bool) {
	data, err := files.ReadFile(code + ".md")
	if err != nil {
		return Page{}, false
	}
	p := Page{Code: code, Text: string(data)}
	head := strings.SplitN(p.Text, "\n", 6) // # code, blank, title, blank, severity and group, the rest
	if len(head) == 6 {
		p.Title = strings.TrimSuffix(head[2], ".")
		severity, group, _ := strings.Cut(head[4], " · ")
		p.Severity, p.Group = strings.ToLower(severity), group
	}
	return p, true
}

// Title is the sentence that sums a code up, without its full stop; "" for a code without a page.
func Title(code string) string {
	p, _ := Find(code)
	return p.Title
}
