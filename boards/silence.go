package boards

import (
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

var comment = pattern.Of(`(?m)(?:^|[ \t])(#[ \t]*allow[ \t].*)$`)

// Silence removes the findings that comments in a board's file allow, and returns them. It adds warnings for comments that
// allow none.
func Silence(file *source.File, found *diag.List) []diag.Silenced {
	var comments []diag.Silence
	if strings.Contains(file.Text(), "allow") { // looking for the pattern takes long
		for _, m := range comment().FindAllStringSubmatchIndex(file.Text(), -1) {
			if s, ok := diag.ReadSilence(file.Span(m[2], m[3])); ok {
				comments = append(comments, s)
			}
		}
	}
	silenced := found.Silence(file, comments, func(string) bool { return false })
	found.Sort()
	return silenced
}
