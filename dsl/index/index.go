// Package index holds what the names of a rule book mean: for every use in a file the declaration it means, its kind
// and the type of its value. Package check records it while it resolves the names, so that what an editor shows is what
// the checker thinks.
//
// What a newcomer gets wrong: a place is a file and an offset, never a pointer, since the same file is read anew with
// every keystroke; and one thing may have several declarations, where one replaces another.
package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// Kind says what a name names.
type Kind uint8

// The kinds of name: of the language, of rule files, of boards.
const (
	Word     Kind = iota // me, steps
	Function             // all, len
	Field                // .at of a piece
	Event                // land, stuck
	Type                 // number, piece
	Local                // a parameter, a loop variable, what a clause binds
	Option
	Let
	Var
	Die
	Move
	Act
	Rule
	Count
	Book // a ruleset or change
	Board
	Parameter
	Track
	Zone
	Square
	Colour
	Tag
	Family
	Attribute
	Landmark
)

var kindNames = [...]string{
	Word: "word", Function: "function", Field: "field", Event: "event", Type: "type", Local: "name", Option: "option", Let: "let",
	Var: "variable", Die: "die", Move: "move", Act: "act", Rule: "rule", Count: "count", Book: "rule book", Board: "board", Parameter: "parameter",
	Track: "track", Zone: "zone", Square: "square", Colour: "colour", Tag: "tag", Family: "family", Attribute: "attribute", Landmark: "landmark",
}

// String is the word for the kind.
func (k Kind) String() string { return kindNames[k] }

// OfLanguage reports whether names of the kind belong to the language, so that no file declares them.
func (k Kind) OfLanguage() bool { return k <= Type }

// OfBoard reports whether boards declare names of the kind.
func (k Kind) OfBoard() bool { return k >= Board }

// Place is a stretch of a file by its name, the same for every reading of the file.
type Place struct {
	File       string
	Start, End int
}

// PlaceOf is the place of a span.
func PlaceOf(s source.Span) Place { return Place{File: s.Name(), Start: s.Start, End: s.End} }

// Name is a name and what it means, wherever it may stand.
type Name struct {
	Text string
	Kind Kind
	Type model.Type  // of its value; Invalid where it has none
	Of   model.Kind  // of a field, tag, landmark or owned variable: what has it
	Decl source.Span // its declaration's name, no place for the language's own
}

// Ref is one place where a name stands.
type Ref struct {
	Name
	Use source.Span
}

// IsDecl reports whether the place is the declaration itself.
func (r Ref) IsDecl() bool { return r.Use == r.Decl }

// Recorder gathers what names mean. A nil recorder gathers nothing, so that the checker need not ask. It belongs to one
// goroutine.
type Recorder struct {
	refs []Ref
	same map[Place]Place // of a declaration that replaces another: the other
	// Board is the board of the setting, nil if there is none.
	Board *boards.Board
	// Spot asks what may be written at one place; nil asks nothing.
	Spot *Spot
}

// Spot is what may be written where an expression stands.
type Spot struct {
	File   string
	Offset int

	Found bool
	Names []Name     // that have a meaning there
	Of    model.Type // behind a dot: of what stands before it
	Dot   bool
}

// At reports whether a span is the place asked about, for the first time.
func (r *Recorder) At(s source.Span) bool {
	return r != nil && r.Spot != nil && !r.Spot.Found && s.Name() == r.Spot.File && s.Start <= r.Spot.Offset && r.Spot.Offset <= s.End
}

// Use records that a name stands at a place.
func (r *Recorder) Use(use source.Span, n Name) {
	if r != nil && !use.IsZero() {
		r.refs = append(r.refs, Ref{Name: n, Use: use})
	}
}

// Declare records a declaration.
func (r *Recorder) Declare(n Name) { r.Use(n.Decl, n) }

// Replace records that the declaration at one place goes on with what stands at another.
func (r *Recorder) Replace(later, earlier source.Span) {
	if r == nil || later.IsZero() || earlier.IsZero() {
		return
	}
	if r.same == nil {
		r.same = map[Place]Place{}
	}
	r.same[PlaceOf(later)] = PlaceOf(earlier)
}

// Index is what the names of a book mean. It is immutable and safe for several goroutines.
type Index struct {
	// Board is the board in the setting of the defaults; an empty one where it could not be read.
	Board *boards.Board

	refs []Ref // by file and place
	same map[Place]Place
}

// Index orders what was recorded. The recorder is not used afterwards.
func (r *Recorder) Index() *Index {
	slices.SortStableFunc(r.refs, func(a, b Ref) int {
		return cmp.Or(strings.Compare(a.Use.Name(), b.Use.Name()), cmp.Compare(a.Use.Start, b.Use.Start), cmp.Compare(a.Use.End, b.Use.End))
	})
	refs := slices.CompactFunc(r.refs, func(a, b Ref) bool {
		return PlaceOf(a.Use) == PlaceOf(b.Use) && a.Kind == b.Kind && PlaceOf(a.Decl) == PlaceOf(b.Decl)
	})
	return &Index{Board: r.Board, refs: refs, same: r.same}
}

// In lists the names of a file, in order.
func (x *Index) In(file string) []Ref {
	from, _ := slices.BinarySearchFunc(x.refs, file, func(r Ref, f string) int { return strings.Compare(r.Use.Name(), f) })
	to := from
	for to < len(x.refs) && x.refs[to].Use.Name() == file {
		to++
	}
	return x.refs[from:to]
}

// All lists the names of every file, by file and place. The list is not to be changed.
func (x *Index) All() []Ref { return x.refs }

// At lists what the name around an offset of a file means, the best first: several where a name stands for several
// things. An offset just behind a name is still at it.
func (x *Index) At(file string, offset int) []Ref {
	var out []Ref
	for _, r := range x.In(file) {
		if r.Use.Start <= offset && offset <= r.Use.End && r.Use.Start < r.Use.End {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b Ref) int { return cmp.Compare(a.Use.End-a.Use.Start, b.Use.End-b.Use.Start) })
	return out
}

// Origin is the first declaration of a thing: what a declaration replaces, and what that replaces.
func (x *Index) Origin(decl source.Span) Place {
	p := PlaceOf(decl)
	for range len(x.same) + 1 {
		earlier, ok := x.same[p]
		if !ok {
			break
		}
		p = earlier
	}
	return p
}
