package leaflet

import (
	"bytes"
	"math"
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// boardID is the id of the board's drawing, which all pictures of a page share.
const boardID = "leaflet-board"

// mark is a move to be drawn, one that is offered or refused.
type mark struct {
	model.TestOption
	refused bool
}

var (
	offeredPaint = scene.RGB(0x1f7a4d)
	refusedPaint = scene.RGB(0xb03e30)
	movedPaint   = scene.RGB(0x3a2e22)
)

// window is the part of a board that a picture shows.
type window struct{ left, top, width, height float64 }

// spot is where a place is drawn, for a colour.
func (m *maker) spot(place, colour int) (scene.Point, bool) {
	if place < 0 || m.stage.Tray(place) {
		return scene.Point{}, false
	}
	spots := m.stage.Spots(place, colour, 1)
	if len(spots) == 0 {
		return scene.Point{}, false
	}
	return scene.Pt(spots[0].X, spots[0].Y), true
}

// Pictures show a part of the board where that is much smaller than the whole.
const (
	around   = 1.7 // units of the board about what is shown
	smallest = 8
	worth    = 0.6 // of the board's area
)

// window is the part of the board on which something moves or is marked, or else stands.
func (m *maker) window(r *model.Rules, s seen, marks []mark, ways []way) window {
	whole := m.stage.Scene()
	all := window{whole.Left, whole.Top, whole.Width, whole.Height}
	low, high := scene.Pt(math.Inf(1), math.Inf(1)), scene.Pt(math.Inf(-1), math.Inf(-1))
	add := func(place, colour int) {
		if p, ok := m.spot(place, colour); ok {
			low, high = scene.Pt(min(low.X, p.X), min(low.Y, p.Y)), scene.Pt(max(high.X, p.X), max(high.Y, p.Y))
		}
	}
	reach := func(from, to, colour int) { // a zone is shown where it is near
		a, here := m.spot(from, colour)
		b, there := m.spot(to, colour)
		near := here && there && math.Hypot(b.X-a.X, b.Y-a.Y) < smallest
		for _, p := range []int{from, to} {
			if near || !m.rules.Board.Places[p].Zone {
				add(p, colour)
			}
		}
	}
	for _, x := range marks {
		if x.Arrow() {
			reach(x.From.Place, x.To.Place, s.colourOn(r, x.From.Place))
		}
	}
	for _, x := range ways {
		reach(x.from, x.to, x.colour)
	}
	if low.X > high.X {
		for i, p := range s.places {
			if !m.rules.Board.Places[p].Zone {
				add(p, r.Colours[s.colours[i]].Board)
			}
		}
	}
	if low.X > high.X {
		return all
	}
	out := window{low.X - around, low.Y - around, high.X - low.X + 2*around, high.Y - low.Y + 2*around}
	if grow := smallest - out.width; grow > 0 {
		out.left, out.width = out.left-grow/2, smallest
	}
	if grow := smallest - out.height; grow > 0 {
		out.top, out.height = out.top-grow/2, smallest
	}
	out.left = max(all.left, min(out.left, all.left+all.width-out.width))
	out.top = max(all.top, min(out.top, all.top+all.height-out.height))
	if out.width*out.height > worth*all.width*all.height || out.width > all.width || out.height > all.height {
		return all
	}
	return out
}

// colourOn is the board's colour of a piece on a place, the first where there is none.
func (s seen) colourOn(r *model.Rules, place int) int {
	if i := slices.Index(s.places, place); i >= 0 {
		return r.Colours[s.colours[i]].Board
	}
	return 0
}

// long is from how many units on a picture takes more room.
const long = 13

// picture draws a position over the board of the page, with moves marked, or the ways pieces have gone.
func (m *maker) picture(r *model.Rules, s seen, w window, marks []mark, ways []way) Picture {
	drawn := m.rules.Board.Scene(seq.Of(len(s.places), func(i int) boards.Standing {
		return boards.Standing{Place: s.places[i], Colour: r.Colours[s.colours[i]].Board}
	}))
	out := *drawn
	out.Left, out.Top, out.Width, out.Height = w.left, w.top, w.width, w.height
	out.Nodes = nil
	for _, n := range drawn.Nodes {
		if g := n.(*scene.Group); g.ID == "pieces" || g.ID == "trays" {
			for _, piece := range g.Nodes {
				if p, ok := piece.(*scene.Group); ok {
					p.ID = ""
				}
			}
			g.ID = ""
			if len(g.Nodes) > 0 {
				out.Nodes = append(out.Nodes, g)
			}
		}
	}
	if w.height == m.stage.Scene().Height { // the whole board: trays lie below it
		out.Height = drawn.Height
	}
	for _, x := range marks {
		if !x.Arrow() {
			continue
		}
		colour := s.colourOn(r, x.From.Place)
		paint := offeredPaint
		if x.refused {
			paint = refusedPaint
		}
		out.Nodes = append(out.Nodes, m.arrow(x.From.Place, x.To.Place, colour, paint, x.refused)...)
	}
	for _, x := range ways {
		out.Nodes = append(out.Nodes, m.arrow(x.from, x.to, x.colour, movedPaint, false)...)
	}
	text := m.pieces(r, s)
	out.Title, out.Desc = text, ""
	var svg bytes.Buffer
	_ = scene.SVG(&svg, &out, scene.Options{Under: boardID, Classes: true}) // a buffer takes all
	return Picture{Pieces: text, SVG: svg.String(), Wide: out.Width > long, Tall: out.Height > long}
}

// arrow leads from a place to another, nothing where one of them is not on the board. A refused one is crossed.
func (m *maker) arrow(from, to, colour int, paint scene.Paint, crossed bool) []scene.Node {
	a, ok := m.spot(from, colour)
	b, on := m.spot(to, colour)
	length := math.Hypot(b.X-a.X, b.Y-a.Y)
	if !ok || !on || length < 0.3 {
		return nil
	}
	ux, uy := (b.X-a.X)/length, (b.Y-a.Y)/length
	gap := min(0.35, length/4)
	start, end := scene.Pt(a.X+gap*ux, a.Y+gap*uy), scene.Pt(b.X-0.2*ux, b.Y-0.2*uy)
	style := scene.Style{Stroke: paint.Faint(0.85), StrokeWidth: 0.13}
	const head = 0.36
	wing := func(side float64) scene.Point {
		return scene.Pt(end.X-head*ux+side*head*0.7*uy, end.Y-head*uy-side*head*0.7*ux)
	}
	out := []scene.Node{&scene.Path{Style: style, Lines: [][]scene.Point{{start, end}, {wing(1), end, wing(-1)}}}}
	if crossed {
		mid := scene.Pt((start.X+end.X)/2, (start.Y+end.Y)/2)
		const x = 0.3
		out = append(out, &scene.Path{Style: scene.Style{Stroke: paint, StrokeWidth: 0.17}, Lines: [][]scene.Point{
			{scene.Pt(mid.X-x, mid.Y-x), scene.Pt(mid.X+x, mid.Y+x)}, {scene.Pt(mid.X-x, mid.Y+x), scene.Pt(mid.X+x, mid.Y-x)},
		}})
	}
	return out
}

// boardSVG is the drawing of the empty board, which the pictures of the page use.
func boardSVG(b *boards.Board) string {
	s := b.Scene(nil)
	s.Nodes = []scene.Node{&scene.Group{ID: boardID, Nodes: s.Nodes}}
	var out bytes.Buffer
	_ = scene.SVG(&out, s, scene.Options{Classes: true})
	return out.String()
}
