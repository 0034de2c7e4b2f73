package picture

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Heat shows numbers on a board: the larger the number, the darker the square.
type Heat struct {
	Board *boards.Board
	// Values are indexed by place and by colour of the board. A square shows the sum over the colours, a zone drawn for
	// one colour the value of this colour.
	Values   [][]float64
	Decimals int
	Unit     string // what the numbers are: "pieces on average"
}

// scaleOf is the number with the darkest colour: the largest of a square, or of a zone if all squares have zero.
func (h *Heat) scaleOf() float64 {
	squares, zones := 0.0, 0.0
	for place, row := range h.Values {
		if h.Board.Places[place].Zone {
			zones = max(zones, seq.Total(row))
		} else {
			squares = max(squares, seq.Total(row))
		}
	}
	return cmp.Or(squares, zones)
}

// boardWide is how wide and high boards are at most.
const boardWide = 560

func (h *Heat) draw(p *pen, x, y, width float64) float64 {
	s := h.Board.Scene(nil)
	k := min(width/s.Width, boardWide/s.Width, boardWide/s.Height)
	most, over := h.scaleOf(), false
	for _, g := range s.Groups("square") {
		v := seq.Total(h.valuesOf(g))
		h.square(g, v, ramp(v/max(most, math.SmallestNonzeroFloat64)), k)
		h.title(g, v)
	}
	beside := map[int]bool{}
	for place, row := range h.Values {
		beside[place] = h.Board.Places[place].Zone && seq.Total(row) > 0
	}
	for _, g := range s.Groups("zone") {
		v := seq.Total(h.valuesOf(g))
		if c := h.Board.Colour(g.Item.Owner); c != boards.None {
			v = h.valuesOf(g)[c]
		}
		if v > 0 {
			h.zone(p, g, v, ramp(v/max(most, math.SmallestNonzeroFloat64)), k)
		}
		h.title(g, v)
		over = over || v > most
		place, _ := h.Board.Place(g.Item.Place)
		beside[place] = false
	}
	p.measure(s.Nodes, k)
	p.add(&scene.Group{Scale: k, Move: scene.Pt(x+(width-s.Width*k)/2-s.Left*k, y-s.Top*k), Nodes: s.Nodes})
	bottom := y + s.Height*k + 46
	label := h.Unit
	if over {
		label += "; some zones have more than the scale"
	}
	p.key(x, bottom-34, 220, 0, most, h.Decimals, label)
	for place, row := range h.Values {
		if beside[place] {
			p.text(x, bottom+6, sizeText, plain, start, p.theme.Ink,
				fmt.Sprintf("%s, beside the board: %s", h.Board.Places[place].Name, Number(seq.Total(row), h.Decimals)))
			bottom += 16
		}
	}
	return bottom - y
}

func (h *Heat) valuesOf(g *scene.Group) []float64 {
	place, _ := h.Board.Place(g.Item.Place)
	return h.Values[place]
}

// title adds the number of a place to what a screen reader says.
func (h *Heat) title(g *scene.Group, v float64) {
	g.Title += "; " + Number(v, h.Decimals) + " " + h.Unit
}

// readable is the least size of a number on a square, in points.
const readable = 6

// square covers a square with a colour, and leaves a rim of the board's own. Its label moves above the colour, and its
// number stands below the label if it can be read; k is how many points are one unit of the board.
func (h *Heat) square(g *scene.Group, v float64, c scene.Paint, k float64) {
	i := &g.Item
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n scene.Node) bool { _, is := n.(*scene.Text); return is })
	switch body := g.Nodes[0].(type) {
	case *scene.Rect:
		const rim = 0.07
		g.Nodes = append(g.Nodes, &scene.Rect{
			Style: scene.Style{Fill: c}, X: body.X + rim, Y: body.Y + rim, Width: body.Width - 2*rim, Height: body.Height - 2*rim,
			Round: 0.12, Angle: body.Angle,
		})
	case *scene.Polygon:
		inner := &scene.Polygon{Style: scene.Style{Fill: c}}
		for _, q := range body.Points {
			const share = 0.86
			inner.Points = append(inner.Points, scene.Pt(i.Center.X+(q.X-i.Center.X)*share, i.Center.Y+(q.Y-i.Center.Y)*share))
		}
		g.Nodes = append(g.Nodes, inner)
	default:
		panic(fmt.Sprintf("picture: a square begins with a %T", body))
	}
	write := func(text string, size, below float64) {
		g.Nodes = append(g.Nodes, &scene.Text{Fill: on(c), At: scene.Pt(i.Center.X, i.Center.Y+below*size), Anchor: middle, Size: size, Text: text})
	}
	fits := func(text string, high float64) float64 {
		return min(high, high*min(i.Width, i.Height), 1.4*i.Width/float64(len(text)))
	}
	number := Number(v, h.Decimals)
	switch size := fits(number, 0.36); {
	case v > 0 && size*k >= readable && i.Label != "":
		write(i.Label, min(size, fits(i.Label, 0.36)), -0.25)
		write(number, size, 0.86)
	case v > 0 && size*k >= readable:
		write(number, size, 0.36)
	case i.Label != "":
		write(i.Label, fits(i.Label, 0.42), 0.36)
	}
}

// zone writes its number on a zone, on a disc of a colour; k is how many points are one unit of the board.
func (h *Heat) zone(p *pen, g *scene.Group, v float64, c scene.Paint, k float64) {
	r, at, text := discOf(g), g.Item.Center, Number(v, h.Decimals)
	g.Nodes = slices.DeleteFunc(g.Nodes, func(n scene.Node) bool {
		t, is := n.(*scene.Text)
		return is && math.Hypot(t.At.X-at.X, t.At.Y-at.Y) < r
	})
	size := min(13/k, r*0.75)
	if w := p.width(text, size*k, bold) / k; w > 1.5*r {
		size *= 1.5 * r / w
	}
	g.Nodes = append(g.Nodes,
		&scene.Circle{Style: scene.Style{Fill: c, Stroke: scene.RGB(0x685842), StrokeWidth: 1 / k}, Center: at, Radius: r},
		&scene.Text{Fill: on(c), At: scene.Pt(at.X, at.Y+0.36*size), Anchor: middle, Size: size, Bold: true, Text: text})
}

// discOf is the radius of the disc a zone's number stands on, in units of the board.
func discOf(g *scene.Group) float64 {
	room := min(g.Item.Width, g.Item.Height)
	switch {
	case g.Is("bay"):
		room *= 0.6
	case !(room > 0):
		room = 1.6
	}
	return min(room*0.42, 1.1)
}

// measure gives texts the width that they have in the font that comes along, where k points are one unit.
func (p *pen) measure(nodes []scene.Node, k float64) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *scene.Group:
			p.measure(n.Nodes, k)
		case *scene.Text:
			n.Length = p.width(n.Text, n.Size*k, weight(n.Bold)) / k
		}
	}
}
