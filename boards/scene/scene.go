// Package scene describes a drawing as data: groups of simple shapes, listed from back to front.
//
// Package boards draws a board as a scene, and the command draws its figures as scenes. Renderers read scenes and
// nothing else: SVG in this package, PNG in the command, text for terminals in package boards. A player in a browser
// finds every square, zone, piece and track by the id or the classes of its group.
//
// Note: a scene has no units. The renderer multiplies all coordinates, lengths and text sizes by
// Scene.Unit and by the scales of the groups around; SVG shows the products, not the numbers in the scene.
package scene

import (
	"math"
	"slices"
)

// Scene is a whole drawing. Coordinates grow to the right and downwards.
type Scene struct {
	Title  string  // the name of the drawing, for screen readers
	Desc   string  // what it shows, in sentences, for screen readers; may be empty
	Font   string  // CSS font families
	Unit   float64 // one unit of the scene in SVG units, which are pixels on a plain screen
	Left   float64 // Left, Top, Width and Height are the part of the plane that is shown
	Top    float64
	Width  float64
	Height float64
	Nodes  []Node
}

// Node is a part of a scene: *Group, *Rect, *Circle, *Polygon, *Path or *Text. There are no others.
type Node interface{ node() }

// Group holds nodes together. A group with an id or classes can be addressed.
type Group struct {
	ID      string   // unique in the scene and the same in every position; may be empty
	Classes []string // what the group shows: "square", "tag-safe"
	Title   string   // what a screen reader says, and what a pointer that rests on it shows
	Item    Item
	Nodes   []Node
	Scale   float64 // its nodes are made larger by Scale, then moved by Move; 0 means 1
	Move    Point
}

// Item describes what a group shows to renderers that draw it in another way: as characters, or with a number on it.
type Item struct {
	Place  string  // the square or zone it shows, or on which a piece stands
	Owner  string  // the colour it belongs to
	Fill   string  // the colour it is filled with
	Label  string  // what is written on it
	Glyphs string  // its marks, one character each
	Center Point   // its middle before its shape is cut to the outline
	Width  float64 // its size before it is turned
	Height float64
	Angle  float64 // degrees, clockwise
}

// Point is a point of a scene.
type Point struct{ X, Y float64 }

// Pt is the point at x and y.
func Pt(x, y float64) Point { return Point{x, y} }

// Style says how a shape is painted.
type Style struct {
	Fill, Stroke Paint
	StrokeWidth  float64
	Dash         []float64 // lengths of dashes and gaps, in turn; none for a solid line
}

// Rect is a rectangle, turned about its middle.
type Rect struct {
	Style
	X, Y, Width, Height float64
	Round               float64 // the radius of its corners
	Angle               float64 // degrees, clockwise
}

// Circle is a circle.
type Circle struct {
	Style
	Center Point
	Radius float64
}

// Polygon is a closed outline.
type Polygon struct {
	Style
	Points []Point
}

// Path is open lines of straight stretches. Only its stroke is painted.
type Path struct {
	Style
	Lines [][]Point
}

// Text is one line of text.
type Text struct {
	Fill   Paint
	At     Point // on the base line
	Anchor Anchor
	Size   float64 // of the font
	Bold   bool
	Angle  float64 // degrees, clockwise, about At
	Length float64 // the width the text is fitted to where the font is another one; 0 leaves it as it is
	Text   string
}

// Anchor says which part of a text stands at its point.
type Anchor uint8

// The anchors.
const (
	Start Anchor = iota
	Middle
	End
)

func (*Group) node()   {}
func (*Rect) node()    {}
func (*Circle) node()  {}
func (*Polygon) node() {}
func (*Path) node()    {}
func (*Text) node()    {}

// Groups lists the groups of a class in the scene, from back to front, those inside others included.
func (s *Scene) Groups(class string) []*Group { return groups(nil, s.Nodes, class) }

func groups(found []*Group, nodes []Node, class string) []*Group {
	for _, n := range nodes {
		if g, ok := n.(*Group); ok {
			if g.Is(class) {
				found = append(found, g)
			}
			found = groups(found, g.Nodes, class)
		}
	}
	return found
}

// Is reports whether the group has a class.
func (g *Group) Is(class string) bool { return slices.Contains(g.Classes, class) }

// View is the transformation of nested groups so far: a scale, then a shift.
type View struct {
	Scale float64
	Shift Point
}

// View is the view of the scene's nodes.
func (s *Scene) View() View { return View{Scale: s.Unit} }

// Inside is the view of a group's nodes, where v is that of the group.
func (v View) Inside(g *Group) View {
	scale := g.Scale
	if scale == 0 {
		scale = 1
	}
	return View{v.Scale * scale, v.At(g.Move)}
}

// At is where a point lies.
func (v View) At(p Point) Point { return Point{v.Shift.X + v.Scale*p.X, v.Shift.Y + v.Scale*p.Y} }

// Turn turns points about a center, in degrees, clockwise.
func Turn(points []Point, degrees float64, center Point) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for i, q := range points {
		dx, dy := q.X-center.X, q.Y-center.Y
		points[i] = Point{center.X + dx*cos - dy*sin, center.Y + dx*sin + dy*cos}
	}
}
