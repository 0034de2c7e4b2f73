package dsl

import (
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/difference"
	"github.com/rulerun/rulerun/dsl/internal/check"
)

// Base is the name of what the book's last file builds on: what a change or a file of tests is for, what a ruleset extends. It is "" where
// the file builds on nothing.
func (b *Book) Base() string {
	top := b.joined.Top()
	if top.Change || top.Tests {
		return top.For
	}
	if r := top.File.Header.Ruleset; r.Extends != nil {
		return r.Extends.Text
	}
	return ""
}

// TestsOnly reports whether the book's last file has tests only. Nothing can build on it, and it has nothing to compare.
func (b *Book) TestsOnly() bool { return b.joined.Top().Tests }

// Heading is what the book's last file calls itself, be it a ruleset or a change.
func (b *Book) Heading() string { return b.joined.Top().Title }

// FileName is the name the book's last file gives itself: it must be called so, with .rules behind it, for others to
// find it.
func (b *Book) FileName() string { return b.joined.Top().Name }

// Compare says what a rule book in a setting says otherwise than another. It is nil when the list has errors: a setting
// that cannot be, or a fault in the rules.
func Compare(old *Book, oldSetting Setting, new *Book, newSetting Setting) (*difference.Difference, diag.List) {
	var diags diag.List
	side := func(b *Book, s Setting) difference.Side {
		setting := check.Setting{Options: s.Options, Players: s.Players}
		return difference.Side{Book: b.joined, Setting: setting, Rules: check.Make(b.joined, setting, &diags)}
	}
	was, is := side(old, oldSetting), side(new, newSetting)
	diags.Sort()
	if diags.HasErrors() {
		return nil, diags
	}
	return difference.Of(was, is), diags
}
