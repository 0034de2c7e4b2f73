// Package index holds the meaning of the names of a rule book: for every use in a file its declaration, its kind and
// the type of its value. Package check records it while it resolves names, so an editor and the checker always agree.
// It is public because the answers of package assist hold its names: the language server shows them by kind.
//
// Note: a place is a file and an offset, never a pointer, since an editor's file is parsed
// again after every keystroke. And one thing can have several declarations, because one may replace another.
package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Kind is the kind of thing that a name refers to.
type Kind uint8

// The kinds of name: of the language, of rule files, of boards.
const (
	Word     Kind = iota // me, steps
	Function             // all, len
	Field                // .at of a piece
	Event                // land, stuck
	Type                 // number, piece
	Local                // a parameter, a loop variable, a variable bound by a clause
	Option
	Let
	Var
	Die
	Move
	Act
	Rule
	Step // of the turn
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
	Var: "variable", Die: "die", Move: "move", Act: "act", Rule: "rule", Step: "step", Count: "count", Book: "rule book", Board: "board", Parameter: "parameter",
	Track: "track", Zone: "zone", Square: "square", Colour: "colour", Tag: "tag", Family: "family", Attribute: "attribute", Landmark: "landmark",
}

// String is the word for the kind.
func (k Kind) String() string { return kindNames[k] }

// OfLanguage reports whether the language itself declares names of the kind.
func (k Kind) OfLanguage() bool { return k <= Type }

// OfBoard reports whether boards declare names of the kind.
func (k Kind) OfBoard() bool { return k >= Board }

// Place is a range of a file by its name; it is equal for all versions of a parsed file.
type Place struct {
	File       string
	Start, End int
}

// PlaceOf is the place of a span.
func PlaceOf(s source.Span) Place { return Place{File: s.Name(), Start: s.Start, End: s.End} }

// Name is a name and its meaning, independent of its uses.
type Name struct {
	Text string
	Kind Kind
	Type model.Type  // of its value; Invalid if it has none
	Of   model.Kind  // of a field, tag, landmark or owned variable: its owner
	Decl source.Span // the name in its declaration; zero for names of the language
}

// Ref is one use of a name.
type Ref struct {
	Name
	Use source.Span
}

// IsDecl reports whether the use is the declaration itself.
func (r Ref) IsDecl() bool { return r.Use == r.Decl }

// OfBoard lists the names that a board declares. One line can declare many squares, so squares have no declaration.
func OfBoard(b *boards.Board) []Name {
	var out []Name
	add := func(kind Kind, name string, typed, of model.Kind, at source.Span) {
		out = append(out, Name{Text: name, Kind: kind, Type: model.Of(typed), Of: of, Decl: at})
	}
	add(Board, b.Name, model.Invalid, model.Invalid, b.Span)
	for _, p := range b.Parameters {
		add(Parameter, p.Name, model.Number, model.Invalid, b.DeclaredParameter(p.Name))
	}
	each := func(kind Kind, names []string, typed, of model.Kind) {
		for _, name := range names {
			add(kind, name, typed, of, b.Declared(name))
		}
	}
	each(Colour, b.DeclaredColours(), model.Colour, model.Invalid)
	for _, p := range b.Places {
		if p.Zone {
			add(Zone, p.Name, model.Place, model.Invalid, p.Span)
		}
	}
	each(Family, b.Families, model.Flag, model.Place)
	each(Tag, b.Tags, model.Flag, model.Place)
	each(Attribute, seq.Map(b.Attributes, func(a boards.Attribute) string { return a.Name }), model.Place, model.Place)
	each(Landmark, seq.Map(b.Landmarks, func(l boards.Landmark) string { return l.Name }), model.Place, model.Colour)
	for _, t := range b.Tracks {
		add(Track, t.Name, model.Invalid, model.Invalid, t.Span)
	}
	return out
}

// Recorder collects uses of names. A nil recorder ignores them, so that the checker need not test for it. It belongs
// to one goroutine.
type Recorder struct {
	refs []Ref
	same map[Place]Place // from a replacing declaration to the replaced one
	// Board is the board of the setting, nil if there is none.
	Board *boards.Board
	// Spot is a request for the names in scope at one place; nil for none.
	Spot *Spot
}

// Spot is the result of a request for completion inside an expression.
type Spot struct {
	File   string
	Offset int

	Found bool
	Names []Name     // in scope there
	Of    model.Type // after a dot: the type of the value before it
	Dot   bool
}

// At reports whether a span is the place of the request, the first time.
func (r *Recorder) At(s source.Span) bool {
	return r != nil && r.Spot != nil && !r.Spot.Found && s.Name() == r.Spot.File && s.Start <= r.Spot.Offset && r.Spot.Offset <= s.End
}

// Use records a use of a name.
func (r *Recorder) Use(use source.Span, n Name) {
	if r != nil && !use.IsZero() {
		r.refs = append(r.refs, Ref{Name: n, Use: use})
	}
}

// Declare records a declaration.
func (r *Recorder) Declare(n Name) { r.Use(n.Decl, n) }

// Replace records that one declaration replaces another.
func (r *Recorder) Replace(later, earlier source.Span) {
	if r == nil || later.IsZero() || earlier.IsZero() {
		return
	}
	if r.same == nil {
		r.same = map[Place]Place{}
	}
	r.same[PlaceOf(later)] = PlaceOf(earlier)
}

// Index holds the names of a book, a nil one none. It is immutable and safe for several goroutines.
type Index struct {
	// Board is the board in the default setting; an empty one if it could not be read.
	Board *boards.Board

	refs []Ref // by file and place
	same map[Place]Place
}

// Index sorts the records, and gives a use without a type that of the declaration. Do not use the recorder afterwards.
func (r *Recorder) Index() *Index {
	types := map[Place]model.Type{}
	for _, x := range r.refs {
		if x.IsDecl() && x.Type.Kind != model.Invalid {
			types[PlaceOf(x.Decl)] = x.Type
		}
	}
	for i := range r.refs {
		if x := &r.refs[i]; x.Type.Kind == model.Invalid && !x.Decl.IsZero() {
			x.Type = types[PlaceOf(x.Decl)]
		}
	}
	slices.SortStableFunc(r.refs, func(a, b Ref) int {
		return cmp.Or(strings.Compare(a.Use.Name(), b.Use.Name()), cmp.Compare(a.Use.Start, b.Use.Start), cmp.Compare(a.Use.End, b.Use.End))
	})
	refs := slices.CompactFunc(r.refs, func(a, b Ref) bool {
		return PlaceOf(a.Use) == PlaceOf(b.Use) && a.Kind == b.Kind && PlaceOf(a.Decl) == PlaceOf(b.Decl)
	})
	return &Index{Board: r.Board, refs: refs, same: r.same}
}

// In lists the uses of names in a file, in order.
func (x *Index) In(file string) []Ref {
	refs := x.All()
	from, _ := slices.BinarySearchFunc(refs, file, func(r Ref, f string) int { return strings.Compare(r.Use.Name(), f) })
	to := from
	for to < len(refs) && refs[to].Use.Name() == file {
		to++
	}
	return refs[from:to]
}

// All lists the uses of names in all files, by file and place. Do not modify the list.
func (x *Index) All() []Ref {
	if x == nil {
		return nil
	}
	return x.refs
}

// At lists the meanings of the name at an offset of a file, the best first; a name can have several. An offset
// directly after a name counts as at the name.
func (x *Index) At(file string, offset int) []Ref {
	out := seq.Filter(x.In(file), func(r Ref) bool { return r.Use.Start <= offset && offset <= r.Use.End && r.Use.Start < r.Use.End })
	slices.SortStableFunc(out, func(a, b Ref) int { return cmp.Compare(a.Use.End-a.Use.Start, b.Use.End-b.Use.Start) })
	return out
}

// Origin is the first declaration of a thing: it follows the chain of replacements to its beginning.
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
