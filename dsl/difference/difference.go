// Package difference lists the differences between two rule books: rules, options, numbers, squares.
//
// It compares joined books, in which extensions, changes, renames and set lines are applied. So a house rule is
// compared with what it changes. Two files with the same meaning do not differ, even if their order or their local
// names do. It compares declarations, not their consequences: two different rules with the same effect do differ.
// Note: declarations are not compared as source text. They are printed from the tree in
// canonical form, part by part, with marks around names.
package difference

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// Side is one of two rule books to compare, in a setting. The book has no errors.
type Side struct {
	Book    *book.Book
	Setting check.Setting
	Rules   *model.Rules // made for the setting
}

// Difference is the list of differences between two rule books. It is plain data.
type Difference struct {
	Changes []Change // by section; in a section changed, removed and added things, in the order of the books
	Renamed []Renamed
}

// None reports whether the books are equal.
func (d *Difference) None() bool { return len(d.Changes) == 0 }

// Renamed is a declaration that differs in its name only. It does not count as a difference.
type Renamed struct {
	Kind, Old, New string
}

// Section is the subject of a change.
type Section uint8

// The sections, in the order of the report.
const (
	Options Section = iota
	Players
	Board
	Dice
	Variables
	Lets
	Moves
	Acts
	Turn
	Rules
	Counts
)

var sectionNames = [...]string{
	Options: "options", Players: "players", Board: "board", Dice: "dice", Variables: "variables", Lets: "lets", Moves: "moves",
	Acts: "acts", Turn: "turn", Rules: "rules", Counts: "counts",
}

// String is the section in one word: "rules".
func (s Section) String() string { return sectionNames[s] }

// What is the kind of a change.
type What uint8

// The kinds of change.
const (
	Changed What = iota
	Gone
	Added
)

var whatNames = [...]string{Changed: "changed", Gone: "gone", Added: "added"}

// String is the word for it: "added".
func (w What) String() string { return whatNames[w] }

// Change is one thing that differs.
type Change struct {
	Section  Section
	What     What
	Kind     string // the keyword of a declaration, "order", or what a board has: "tag", "squares"
	Name     string // "" if the kind occurs once
	OldWords string // of rules, acts, options and counts; equal if the words did not change
	NewWords string
	Note     string // what the lines do not show: "it holds now, by default"; often ""
	// Lines are removed and added lines with context; for a removed or added thing, all its lines.
	Lines   []Line
	Numbers []Number    // the changed numbers, if nothing else differs
	OldAt   source.Span // its place in the old book; zero if it has none
	NewAt   source.Span
}

// Number is a changed number.
type Number struct {
	Old, New int
}

// Of compares two rule books.
func Of(old, new Side) *Difference {
	c := &comparison{old: items(old), new: items(new)}
	c.findRenamed(old.Book, new.Book)
	d := &Difference{Renamed: c.renamed}
	for _, p := range c.pairs() {
		switch {
		case p.new == nil:
			d.Changes = append(d.Changes, p.old.whole(Gone, '-'))
		case p.old == nil:
			d.Changes = append(d.Changes, p.new.whole(Added, '+'))
		default:
			if change, differs := c.compare(p.old, p.new); differs {
				d.Changes = append(d.Changes, change)
			}
		}
	}
	d.Changes = slices.Concat(d.Changes, c.order(), boardChanges(old.Rules, new.Rules))
	if old.Rules != nil && new.Rules != nil {
		if a, b := len(old.Rules.Seats), len(new.Rules.Seats); a != b && (old.Setting.Players != 0 || new.Setting.Players != 0) {
			d.Changes = append(d.Changes, Change{
				Section: Players, Kind: "number of players", Lines: []Line{{'-', strconv.Itoa(a)}, {'+', strconv.Itoa(b)}}, Numbers: []Number{{a, b}},
			})
		}
	}
	slices.SortStableFunc(d.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.What, b.What))
	})
	return d
}
