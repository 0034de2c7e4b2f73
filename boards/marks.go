package boards

import (
	"math"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// markForm is what a mark looks like: an index of markTable.
type markForm uint8

const (
	markCircle markForm = iota
	markDot
	markStar
	markCross
	markDiamond
	markTriangle
	markRound // the square's corners are rounded
	markFill  // the square is filled: a tag's in a shade, a landmark's in its colour
	markArrow // of an attribute: it leads from the square to the attribute's place
)

type markLook struct {
	name  string // in board files
	glyph string // in terminals
	draw  func(stamp) scene.Node
}

// markTable has all there is to know about marks. Marks without draw change the square itself, or lead to another one;
// see square and arrows in scene.go.
var markTable = [...]markLook{
	markCircle:   {"circle", "○", stamp.circle},
	markDot:      {"dot", "·", stamp.dot},
	markStar:     {"star", "★", func(s stamp) scene.Node { return s.star(5, 0.45, 0.2) }},
	markCross:    {"cross", "×", stamp.cross},
	markDiamond:  {"diamond", "◇", func(s stamp) scene.Node { return s.star(2, 0.46, 0.46) }},
	markTriangle: {"triangle", "△", func(s stamp) scene.Node { return s.star(3, 0.5, 0.25) }},
	markRound:    {"round", "◠", nil},
	markFill:     {"fill", "▒", nil},
	markArrow:    {"arrow", "→", nil},
}

// markNames lists the marks as board files call them.
func markNames() []string {
	return seq.Map(markTable[:], func(m markLook) string { return m.name })
}

// stamp draws marks on one square.
type stamp struct {
	at   scene.Point // the middle of the square
	size float64     // its shorter side
	on   scene.Paint // what it is filled with
}

func (s stamp) ink() scene.Paint { return s.on.Mix(line, 0.55) }

// pen is the style of marks that are lines.
func (s stamp) pen() scene.Style { return scene.Style{Stroke: s.ink(), StrokeWidth: 0.05} }

// disc is what a circle is filled with: a number is easy to read on it.
func disc(on scene.Paint) scene.Paint { return on.Mix(white, 0.62) }

func (s stamp) circle() scene.Node {
	style := s.pen()
	style.Fill = disc(s.on).Mix(line, 0.1)
	return &scene.Circle{Style: style, Center: s.at, Radius: 0.4 * s.size}
}

func (s stamp) dot() scene.Node {
	return &scene.Circle{Style: scene.Style{Fill: s.ink()}, Center: scene.Pt(s.at.X, s.at.Y+0.33*s.size), Radius: 0.06 * s.size}
}

func (s stamp) cross() scene.Node {
	style := s.pen()
	style.Stroke = style.Stroke.Faint(0.6)
	d, x, y := 0.38*s.size, s.at.X, s.at.Y
	return &scene.Path{Style: style, Lines: [][]scene.Point{
		{scene.Pt(x-d, y-d), scene.Pt(x+d, y+d)},
		{scene.Pt(x-d, y+d), scene.Pt(x+d, y-d)},
	}}
}

// star is an outline of n points with the given radii, the first point at the top.
func (s stamp) star(n int, outer, inner float64) scene.Node {
	points := seq.Of(2*n, func(k int) scene.Point {
		r := outer
		if k%2 == 1 {
			r = inner
		}
		sin, cos := math.Sincos(float64(k) * math.Pi / float64(n))
		return scene.Pt(s.at.X+sin*r*s.size, s.at.Y-cos*r*s.size)
	})
	return &scene.Polygon{Style: s.pen(), Points: points}
}

// Legend explains the signs of squares in a terminal: "★ rosette". A landmark that fills its square needs no sign:
// the fill is its colour.
func (b *Board) Legend() []string {
	var out []string
	for _, m := range b.drawing.marks {
		if m.Form != markFill || m.Landmark < 0 {
			out = append(out, markTable[m.Form].glyph+" "+b.Sign(b.markName(m)))
		}
	}
	return out
}

// markName is what a sign stands for.
func (b *Board) markName(m marking) string {
	switch {
	case m.Tag >= 0:
		return b.Tags[m.Tag]
	case m.Attribute >= 0:
		return b.Attributes[m.Attribute].Name
	}
	return b.Landmarks[m.Landmark].Name
}
