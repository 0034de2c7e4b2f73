package dsl

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/difference"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Base is the name of what the book's last file builds on: the book of a change or a file of tests, or what a ruleset
// extends. It is "" if the file builds on nothing.
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

// TestsOnly reports whether the book's last file has tests only. No file can build on it, and it cannot be compared.
func (b *Book) TestsOnly() bool { return b.joined.Top().Tests }

// IsChange reports whether the book's last file is a change, or a change was applied to it when it was loaded.
func (b *Book) IsChange() bool { return b.joined.Top().Change }

// Heading is the title of the book's last file, a ruleset or a change.
func (b *Book) Heading() string { return b.joined.Top().Title }

// FileName is the name in the header of the book's last file. Other files find it only if it is called so, with
// .rules after it.
func (b *Book) FileName() string { return b.joined.Top().Name }

// Unchanged is the rule book that the book's last file changes, with the tests of that file; of a file of tests the one without the changes
// that it names. It is nil if there are none, or the file has nothing that a play or a test can notice: only tests, other names, lets, counts,
// options, secrets, and who begins in a series.
func (b *Book) Unchanged() *Book {
	top := b.joined.Top()
	playing := func(k *syntax.Kind, replaces bool) bool { // it bears on the play of one game
		return k.Secret == nil && k.Count == nil && (replaces || k.Let == nil && k.Option == nil) && (k.First == nil || k.First.Last == "" && !k.First.Lot)
	}
	noticed := func(d *syntax.Decl) bool {
		if d.Without != nil {
			return d.Without.If != nil || slices.ContainsFunc(b.joined.Removed, func(r *book.Removal) bool { return r.By == d && playing(r.Entry.Decl.Kind, true) })
		}
		return d.Test == nil && d.Rename == nil && (d.Kind == nil || playing(d.Kind, d.Replace))
	}
	changes := top.Change && slices.ContainsFunc(top.File.Decls, noticed)
	if !changes && !(top.Tests && len(top.File.Header.Tests.With) > 0) {
		return nil
	}
	file, ok := b.joined.Finder.Rules(top.For, top.File.Source)
	if !ok {
		return nil
	}
	joined := b.lib.Remember(changedKey{b.lib.Prefix, file.Name(), file.Text()}, func() any {
		return book.Load(file, nil, b.joined.Finder, &diag.List{})
	}).(*book.Book)
	if joined == nil {
		return nil
	}
	out := &Book{joined: joined, lib: b.lib}
	for _, t := range b.tests {
		s := *t
		s.book = out
		out.tests = append(out.tests, &s)
	}
	return out
}

// WithoutSets is the book with those of its tests that set an option of its last file, which no longer set it, and where the last one did. It is
// nil if no test does, or a table does.
func (b *Book) WithoutSets(option string) (*Book, source.Span) {
	out, at := &Book{joined: b.joined, lib: b.lib}, source.Span{}
	sets := func(l *syntax.TestLine) bool {
		return l.Set != nil && l.Set.Field == nil && l.Set.Square == nil && l.Set.Name.Text == option
	}
	for _, t := range b.tests {
		i := slices.IndexFunc(t.test.Lines, sets)
		if i < 0 {
			continue
		}
		if t.test.Case != nil {
			return nil, at
		}
		s, test := *t, *t.test
		at = test.Lines[i].Span(s.Span.File)
		test.Lines = slices.DeleteFunc(slices.Clone(test.Lines), sets)
		s.book, s.test = out, &test
		out.tests = append(out.tests, &s)
	}
	own := func(e *book.Entry) bool {
		return e.Key.Kind == "option" && e.Key.Name == option && e.Layer == b.joined.Top()
	}
	if len(out.tests) == 0 || !slices.ContainsFunc(b.joined.Entries, own) {
		return nil, at
	}
	return out, at
}

// Asserts reports whether a rule of the book's last file says what always holds.
func (b *Book) Asserts() bool {
	always := func(c *syntax.Clause) bool { return c.Always != nil }
	return slices.ContainsFunc(b.joined.Top().File.Decls, func(d *syntax.Decl) bool {
		return d.Kind != nil && d.Kind.Rule != nil && slices.ContainsFunc(d.Kind.Rule.Clauses, always)
	})
}

// MayFail reports whether the book's last file asks, outside its tests, for an element of a list by its number, or of one that is searched
// for: where there is none, the rules fail.
func (b *Book) MayFail() bool { return check.MayFail(b.joined.Top().File) }

// AddsRules reports whether the book's last file is a change that adds rules, and otherwise only what rules need: nothing else in it bears on
// the play of a game.
func (b *Book) AddsRules() bool {
	top := b.joined.Top()
	adds := func(d *syntax.Decl) bool {
		k := d.Kind
		return k == nil || !d.Replace && (k.Rule != nil || k.Var != nil || k.Act != nil || k.Let != nil || k.Count != nil || k.Option != nil || k.Secret != nil)
	}
	keeps := func(d *syntax.Decl) bool { return d.Without == nil && d.Set == nil && adds(d) }
	return top.Change && !slices.ContainsFunc(top.File.Decls, func(d *syntax.Decl) bool { return !keeps(d) })
}

// changedKey is the cache key of a book that others in a folder change.
type changedKey struct{ prefix, file, text string }

// sameGame is the cache key of what is made of the rules of one game.
type sameGame struct{ digest model.Digest }

// ForGame returns the result of work for some rules of this book, which is made once for all books of one Shared with rules of the same
// game. The result may have been made of rules that say the same with other names and places. It is safe for several goroutines.
func (b *Book) ForGame(rules *model.Rules, work func() any) any {
	return b.lib.Remember(sameGame{check.DigestsOf(b.joined).Of(rules)}, work)
}

// Compare lists the differences between two rule books, each in a setting. It is nil if the list has errors: an
// impossible setting, or a fault in the rules.
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
