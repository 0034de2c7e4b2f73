package dsl

import (
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/format"
	"github.com/rulerun/rulerun/dsl/source"
)

// Format returns the text of a rule file written the usual way. It never changes what the file says: a file with
// syntax errors comes back as it is, with its faults.
func Format(file *source.File) (string, diag.List) { return format.File(file) }
