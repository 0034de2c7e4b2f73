// Package rulesets holds the rule books that come with the program. Each is a file of the rules language, with its
// tests beside its rules.
package rulesets

import "embed"

// FS holds the files, NAME.rules each, the clauses they carry in clauses/NAME.clauses, catalogues of their texts in other
// languages, NAME.LANG.json, and what bots have learned of the games, NAME.learned.
//
//go:embed *.rules *.json *.learned clauses/*.clauses clauses/*.json
var FS embed.FS

// Played has those that games need, without the clauses: for browsers, which load all of them.
//
//go:embed *.rules *.json *.learned
var Played embed.FS
