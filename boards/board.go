// Package boards reads board topologies: squares with their tags, zones, the tracks the colours move
// along, and where everything is drawn. A board is a YAML file; the shipped ones are embedded.
//
// It stands beside the rule language: the checker of rules asks a Board which names exist, the compiler turns its tracks
// into tables, the command draws it. Read makes a Board of a file. Board.Scene draws it as data, which package
// boards/scene describes; SVG, Text and Board.Layout show it.
//
// Note: a Board is made for given parameters (the number of arms, say), so one file is many
// boards; and a track is a list of nodes, not of squares, because it may visit a square twice.
package boards

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// None means no place and no node.
const None = -1

// Board is a topology for given parameters. It is immutable and safe for several goroutines.
type Board struct {
	Name       string
	Title      string
	Span       source.Span // where the board is declared
	Parameters []Parameter
	Colours    []Colour    // in turn order; only those the parameters take
	Places     []Place     // zones first, then squares in the order of the file
	Families   []string    // names of the square families: "ring"; each is a flag of its squares
	Tags       []string    // every tag any square may have, in the order of the file
	Attributes []Attribute // maps from places to places
	Landmarks  []Landmark
	Tracks     []Track  // the first one is the default
	Bases      []string // names of the boards it uses or extends, the nearest first

	titled   source.Span       // its title
	phrases  map[string]string // of drawings, in another language
	signs    map[string]string // what Legend calls tags, attributes and landmarks in another language
	drawing  drawing
	places   map[string]int
	declared map[string]claimed
	given    map[string]source.Span // parameters
}

// Parameter is a numeric parameter of a board.
type Parameter struct {
	Name     string
	From, To int
	Value    int
}

// Colour is a set of pieces.
type Colour struct {
	Name  string
	Words string            // the name for people
	Forms map[string]string // of Words, see Form
	Hue   string            // its colour in drawings, "#rrggbb"
}

// Place is a square or a zone. Its identity is its index in Board.Places.
type Place struct {
	Name   string
	Words  string            // the name for people
	Forms  map[string]string // of Words, see Form
	Zone   bool
	Family int    // index in Board.Families, None for zones
	Tags   []bool // for each of Board.Tags
	Span   source.Span
}

// Attribute gives some places a place: the top of a ladder for its foot.
type Attribute struct {
	Name   string
	Values []int // for each place a place, or None
}

// Landmark is one place for each colour.
type Landmark struct {
	Name   string
	Values []int // for each colour
}

// Track is a run of places for each colour.
type Track struct {
	Name string
	Runs []Run       // for each colour
	Span source.Span // of its name
}

// Run is one colour's track: nodes joined by steps. Node 0 is where it begins.
type Run struct {
	Nodes []Node
}

// Node is one stop of a run. Next lists the nodes one step on (more than one where the track forks, none at
// its end), Prev those one step back; the first of each is the main way. Index is the number of steps from
// node 0 along main ways; where ways join, along the first of them.
type Node struct {
	Place int
	Index int
	Next  []int
	Prev  []int
}

// Places lists the places of a run, in the order of its nodes.
func (r Run) Places() []int { return seq.Map(r.Nodes, func(n Node) int { return n.Place }) }

// Revisits reports whether a run comes to a place twice.
func (r Run) Revisits() bool {
	places := r.Places()
	slices.Sort(places)
	return len(slices.Compact(places)) < len(r.Nodes)
}

// OnlyForward reports whether steps along a run lead only to later nodes, and never to a place again.
func (r Run) OnlyForward() bool {
	for i, n := range r.Nodes {
		if slices.ContainsFunc(n.Next, func(next int) bool { return next <= i }) {
			return false
		}
	}
	return !r.Revisits()
}

// Place returns the index of the place called name.
func (b *Board) Place(name string) (int, bool) {
	p, ok := b.places[name]
	return p, ok
}

// Colour returns the index of the colour called name, or None.
func (b *Board) Colour(name string) int {
	return slices.IndexFunc(b.Colours, func(c Colour) bool { return c.Name == name })
}

// SquaresOf lists the squares for which belongs is true.
func (b *Board) SquaresOf(belongs func(Place) bool) []int {
	return seq.Indexes(b.Places, func(p Place) bool { return !p.Zone && belongs(p) })
}

// Pairs lists the places of an attribute with theirs: "3 → 17".
func (b *Board) Pairs(a Attribute) []string {
	var out []string
	for from, to := range a.Values {
		if to != None {
			out = append(out, b.Places[from].Name+" → "+b.Places[to].Name)
		}
	}
	return out
}

// Declared is the span of the first declaration of the colour, zone, family, tag, attribute or landmark called name. It is the
// zero span if there is none.
func (b *Board) Declared(name string) source.Span { return b.declared[name].span }

// DeclaresColour reports whether name is a colour of the file, including colours that the parameters leave out.
func (b *Board) DeclaresColour(name string) bool { return b.declared[name].what == "colour" }

// DeclaredColours are the colours of the file in the order of the alphabet, including those that the parameters leave out.
func (b *Board) DeclaredColours() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(b.declared)), func(name string) bool { return !b.DeclaresColour(name) })
}

// DeclaredParameter is the span of the declaration of the parameter called name, the zero span if there is none.
func (b *Board) DeclaredParameter(name string) source.Span { return b.given[name] }

// Track returns the track called name, the first one for "", or nil.
func (b *Board) Track(name string) *Track {
	for i := range b.Tracks {
		if name == "" || b.Tracks[i].Name == name {
			return &b.Tracks[i]
		}
	}
	return nil
}

// PlaceWords lists the places, with ranges for consecutive numbers: "1 to 68, home, goal".
func (b *Board) PlaceWords() string { return b.Words(b.PlaceNames()) }

// Words lists names of places, with ranges for consecutive numbers.
func (b *Board) Words(names []string) string {
	out := Ranges(names, " to ")
	if len(out) > maxPlaceWords {
		out = append(out[:maxPlaceWords], "…")
	}
	return strings.Join(out, ", ")
}

// Ranges is a list of names in which three or more whose numbers follow one another are one range.
func Ranges(names []string, to string) []string {
	var out []string
	for i, last := 0, 0; i < len(names); i = last + 1 {
		for last = i; last+1 < len(names) && Follows(names[last], names[last+1]); {
			last++
		}
		if last > i+1 {
			out = append(out, names[i]+to+names[last])
		} else {
			out = append(out, names[i:last+1]...)
		}
	}
	return out
}

// Follows reports whether the second name is the first with the next number: 12 and 13, yellow-1 and yellow-2.
func Follows(first, second string) bool {
	stem, n := cutNumber(first)
	other, m := cutNumber(second)
	return n >= 0 && stem == other && m == n+1
}

// maxPlaceWords is the most places and ranges that PlaceWords lists.
const maxPlaceWords = 12

// cutNumber splits the number off the end of a name; n is -1 if there is none.
func cutNumber(name string) (stem string, n int) {
	stem = strings.TrimRight(name, "0123456789")
	n, err := strconv.Atoi(name[len(stem):])
	if err != nil || strings.HasPrefix(name[len(stem):], "0") && n > 0 {
		return name, -1
	}
	return stem, n
}

// PlaceNames lists all places, for messages that suggest a near name.
func (b *Board) PlaceNames() []string {
	return seq.Map(b.Places, func(p Place) string { return p.Name })
}
