package dsl

import (
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/format"
	"github.com/rulerun/rulerun/dsl/source"
)

// Format returns the text of a rule file in canonical form. It never changes the meaning of the file: a file with
// syntax errors is returned unchanged, with its faults.
func Format(file *source.File) (string, diag.List) { return format.File(file) }
