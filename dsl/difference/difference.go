// Package difference says what one rule book says otherwise than another: rules, options, numbers, squares.
//
// It stands beside package check and works on joined books: what a file extends, changes, renames and sets has its
// effect already, so that a house rule is held against what it changes, and two files that say the same in other words,
// another order or with other names for their own things do not differ. It compares what is said, not what follows from
// it: two rules that are different and come to the same are told. What a newcomer gets wrong: declarations are not
// compared as text; they are written anew from the tree, part by part, with marks round names.
package difference

import (
	"slices"

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

// Difference is what one rule book says otherwise than another. It is plain data.
type Difference struct {
	Changes []Change // by section; within one what changed, what is gone and what is new, in the order of the books
	Renamed []Renamed
}

// None reports whether the books say the same.
func (d *Difference) None() bool { return len(d.Changes) == 0 }

// Renamed is a thing that has another name and is otherwise the same. It is no difference.
type Renamed struct {
	Kind, Old, New string
}

// Section is what a change is about.
type Section uint8

// The sections, in the order they are told.
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

// What says what became of a thing.
type What uint8

// What can become of a thing.
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
	Name     string // "" where there is one of the kind
	OldWords string // of rules, acts, options and counts; both are the same where the words are
	NewWords string
	Note     string // what the lines do not show: "it holds now, by default"; often ""
	// Lines are what it says: lines taken away and added, with others about them. All of what is gone or added.
	Lines   []Line
	Numbers []Number    // where nothing but numbers differs, which
	OldAt   source.Span // where the old book says it; zero if it does not, or not in a file
	NewAt   source.Span
}

// Number is a number that has become another.
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
	d.Changes = append(d.Changes, c.order()...)
	d.Changes = append(d.Changes, boardChanges(old.Rules, new.Rules)...)
	if old.Rules != nil && new.Rules != nil {
		if a, b := len(old.Rules.Seats), len(new.Rules.Seats); a != b && (old.Setting.Players != 0 || new.Setting.Players != 0) {
			d.Changes = append(d.Changes, Change{
				Section: Players, Kind: "number of players", Lines: []Line{{'-', plain(a)}, {'+', plain(b)}}, Numbers: []Number{{a, b}},
			})
		}
	}
	slices.SortStableFunc(d.Changes, func(a, b Change) int {
		if a.Section != b.Section {
			return int(a.Section) - int(b.Section)
		}
		return int(a.What) - int(b.What)
	})
	return d
}
