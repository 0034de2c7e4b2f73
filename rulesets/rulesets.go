// Package rulesets holds the rule books that come with the program. Each is a file of the rules language, with its
// tests beside its rules.
package rulesets

import "embed"

// FS holds the files, NAME.rules each.
//
//go:embed *.rules
var FS embed.FS
