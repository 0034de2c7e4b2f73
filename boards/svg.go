package boards

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"
)

// unit is how many pixels a picture has for one unit of a drawing.
const unit = 32

var (
	paper  = hue{255, 253, 246}
	wood   = hue{243, 232, 208}
	edging = hue{196, 170, 124}
	line   = hue{104, 88, 66}
	shade  = hue{226, 211, 178}
)

// SVG draws a board as a picture, pieces in the order given. It needs no fonts but the viewer's own.
func SVG(w io.Writer, b *Board, pieces []Standing) error {
	p := &picture{board: b, on: b.standings(pieces)}
	p.draw()
	_, err := io.WriteString(w, p.out.String())
	return err
}

type picture struct {
	board *Board
	on    map[int][]int
	out   strings.Builder
}

func (p *picture) printf(format string, args ...any) { fmt.Fprintf(&p.out, format, args...) }

// px converts units to pixels.
func px(v float64) string {
	s := fmt.Sprintf("%.2f", v*unit)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func pathOf(points []Point) string {
	var b strings.Builder
	for i, q := range points {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(px(q.X) + "," + px(q.Y))
	}
	return b.String()
}

func (p *picture) draw() {
	b := p.board
	var points []Point
	for _, i := range b.squares() {
		points = append(points, b.Drawing.Squares[i].corners()...)
	}
	for place := range b.Places {
		for _, s := range b.Drawing.Zones[place] {
			if s.Form == Disc {
				for k := range 24 {
					sin, cos := math.Sincos(float64(k) * math.Pi / 12)
					points = append(points, Point{round(s.X + cos*s.Width/2), round(s.Y + sin*s.Width/2)})
				}
				continue
			}
			points = append(points, s.corners()...)
		}
	}
	if len(points) == 0 {
		points = []Point{{0, 0}}
	}
	lo, hi := points[0], points[0]
	for _, q := range points {
		lo = Point{min(lo.X, q.X), min(lo.Y, q.Y)}
		hi = Point{max(hi.X, q.X), max(hi.Y, q.Y)}
	}
	trays := b.trays(p.on)
	const margin = 1.1
	bottom := hi.Y + margin
	if len(trays) > 0 {
		bottom += 0.3 + 1.3*float64(len(trays))
	}
	p.printf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" width="%s" height="%s" font-family="Helvetica, Arial, 'DejaVu Sans', sans-serif" text-anchor="middle">`+"\n",
		px(lo.X-margin), px(lo.Y-margin), px(hi.X-lo.X+2*margin), px(bottom-lo.Y+margin), px(hi.X-lo.X+2*margin), px(bottom-lo.Y+margin))
	if b.Title != "" {
		p.printf("<title>%s</title>\n", html.EscapeString(b.Title))
	}
	p.gradients()
	p.ground(points, lo, hi)
	for place := range b.Places {
		for _, s := range b.Drawing.Zones[place] {
			p.zone(s, len(p.in(place, s)) > 0)
		}
	}
	for _, i := range b.squares() {
		p.square(i)
	}
	p.arrows()
	for _, i := range b.squares() {
		p.pieces(b.Drawing.Squares[i], p.on[i])
	}
	for place := range b.Places {
		p.zonePieces(place)
	}
	for i, place := range trays {
		p.tray(place, Point{lo.X, hi.Y + margin + 0.9 + 1.3*float64(i)}, hi.X)
	}
	p.printf("</svg>\n")
}

// gradients make pieces look round.
func (p *picture) gradients() {
	p.printf("<defs>\n")
	for c := range p.board.Colours {
		h := p.board.hue(c)
		p.printf(`<radialGradient id="piece%d" cx="0.38" cy="0.32" r="0.75"><stop offset="0" stop-color="%s"/><stop offset="0.55" stop-color="%s"/><stop offset="1" stop-color="%s"/></radialGradient>`+"\n",
			c, h.mix(white, 0.45), h, h.mix(black, 0.28))
	}
	p.printf("</defs>\n")
}

// ground draws what lies under everything.
func (p *picture) ground(points []Point, lo, hi Point) {
	const rim = 0.5
	style := fmt.Sprintf(`fill="%s" stroke="%s"`, wood, edging)
	switch p.board.Drawing.Ground {
	case GroundNone:
	case GroundBox:
		p.printf(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" %s stroke-width="%s"/>`+"\n",
			px(lo.X-rim), px(lo.Y-rim), px(hi.X-lo.X+2*rim), px(hi.Y-lo.Y+2*rim), px(0.8), style, px(0.14))
	case GroundDisc:
		centre, radius := Point{(lo.X + hi.X) / 2, (lo.Y + hi.Y) / 2}, 0.0
		for _, q := range points {
			radius = max(radius, math.Hypot(q.X-centre.X, q.Y-centre.Y))
		}
		p.printf(`<circle cx="%s" cy="%s" r="%s" %s stroke-width="%s"/>`+"\n",
			px(centre.X), px(centre.Y), px(radius+rim), style, px(0.14))
	case GroundHull:
		// Twice the same outline with a broad round pen: a rim with round corners.
		outline := pathOf(hull(points))
		p.printf(`<polygon points="%s" fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>`+"\n",
			outline, edging, edging, px(2*rim+0.28))
		p.printf(`<polygon points="%s" fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>`+"\n",
			outline, wood, wood, px(2*rim))
	}
}

// zone draws where a zone is. held tells that pieces are in it.
func (p *picture) zone(s Shape, held bool) {
	fill, rim := wood.mix(white, 0.5), edging
	if s.Fill != None {
		fill, rim = p.board.hue(s.Fill), p.board.hue(s.Fill).mix(black, 0.25)
	}
	label := func(y float64, on hue) {
		if s.Label != "" && (s.Form == Bay || !held) {
			p.printf(`<text x="%s" y="%s" font-size="%s" fill="%s" fill-opacity="0.75">%s</text>`+"\n",
				px(s.X), px(y), px(0.42), on.ink(), html.EscapeString(s.Label))
		}
	}
	switch s.Form {
	case Bay:
		p.printf(`<polygon points="%s" fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>`+"\n",
			pathOf(shrink(s.Outline, s.X, s.Y, 0.22)), fill, fill, px(0.3))
		r := s.Width / 2 * 0.74
		p.printf(`<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>`+"\n",
			px(s.X), px(s.Y), px(r), paper, rim, px(0.12))
		p.printf(`<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="%s" stroke-opacity="0.5"/>`+"\n",
			px(s.X), px(s.Y), px(r*0.9), fill, px(0.06))
		label(s.Y+r*0.8, paper)
	case Wedge:
		p.printf(`<polygon points="%s" fill="%s" stroke="%s" stroke-width="%s" stroke-linejoin="round"/>`+"\n",
			pathOf(s.Outline), fill, line, px(0.06))
	case Disc:
		p.printf(`<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>`+"\n",
			px(s.X), px(s.Y), px(s.Width/2), fill.mix(paper, 0.72), fill, px(0.1))
		label(s.Y+max(0.15, s.Width/2-0.85), paper)
	default:
		p.box(s, fill.mix(paper, 0.72), fill, 0.15)
		label(s.Y+max(0.15, s.Height/2-0.3), paper)
	}
}

// shrink moves an outline's corners towards a point by about d.
func shrink(points []Point, x, y, d float64) []Point {
	out := make([]Point, len(points))
	for i, q := range points {
		away := math.Hypot(q.X-x, q.Y-y)
		k := max(0, 1-d*1.4/max(away, 0.01))
		out[i] = Point{x + (q.X-x)*k, y + (q.Y-y)*k}
	}
	return out
}

func (p *picture) box(s Shape, fill, stroke hue, rounded float64) {
	style := fmt.Sprintf(`fill="%s" stroke="%s" stroke-width="%s"`, fill, stroke, px(0.05))
	if len(s.Outline) > 0 {
		p.printf(`<polygon points="%s" %s stroke-linejoin="round"/>`+"\n", pathOf(s.Outline), style)
		return
	}
	turn := ""
	if s.Angle != 0 {
		turn = fmt.Sprintf(` transform="rotate(%.4g %s %s)"`, s.Angle, px(s.X), px(s.Y))
	}
	p.printf(`<rect x="%s" y="%s" width="%s" height="%s" rx="%s" %s%s/>`+"\n",
		px(s.X-s.Width/2), px(s.Y-s.Height/2), px(s.Width), px(s.Height), px(rounded), style, turn)
}

// square draws a square with its marks and its name.
func (p *picture) square(place int) {
	s := p.board.Drawing.Squares[place]
	marks, filled, shaded := p.board.marks(place)
	fill, rounded := paper, 0.06
	switch {
	case filled != None:
		fill = p.board.hue(filled)
	case s.Fill != None:
		fill = p.board.hue(s.Fill).mix(white, 0.12)
	case shaded:
		fill = shade
	}
	for _, m := range marks {
		if m == MarkRound {
			rounded = 0.45 * min(s.Width, s.Height)
		}
	}
	p.box(s, fill, line, rounded)
	middle, size := s.middle(), min(s.Width, s.Height)
	for _, m := range marks {
		p.mark(m, middle, size, fill)
	}
	if s.Label != "" {
		height := min(0.46, 0.46*size, 1.5*s.Width/float64(len(s.Label)))
		p.printf(`<text x="%s" y="%s" font-size="%s" fill="%s">%s</text>`+"\n",
			px(middle.X), px(middle.Y+0.36*height), px(height), p.inkOn(marks, fill), html.EscapeString(s.Label))
	}
}

func (p *picture) inkOn(marks []MarkForm, fill hue) hue {
	for _, m := range marks {
		if m == MarkCircle {
			return fill.mix(white, 0.62).ink()
		}
	}
	return fill.ink()
}

// mark draws a mark round the middle of a square of the given size.
func (p *picture) mark(m MarkForm, at Point, size float64, on hue) {
	ink := on.mix(line, 0.55)
	pen := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round"`, ink, px(0.05))
	star := func(n int, outer, inner, turn float64) {
		var points []Point
		for k := range 2 * n {
			r := outer
			if k%2 == 1 {
				r = inner
			}
			sin, cos := math.Sincos(turn + float64(k)*math.Pi/float64(n))
			points = append(points, Point{at.X + sin*r*size, at.Y - cos*r*size})
		}
		p.printf(`<polygon points="%s" %s/>`+"\n", pathOf(points), pen)
	}
	switch m {
	case MarkCircle:
		p.printf(`<circle cx="%s" cy="%s" r="%s" fill="%s" stroke="%s" stroke-width="%s"/>`+"\n",
			px(at.X), px(at.Y), px(0.4*size), on.mix(white, 0.62).mix(line, 0.1), ink, px(0.05))
	case MarkDot:
		p.printf(`<circle cx="%s" cy="%s" r="%s" fill="%s"/>`+"\n", px(at.X), px(at.Y+0.33*size), px(0.06*size), ink)
	case MarkStar:
		star(5, 0.45, 0.2, 0)
	case MarkCross:
		d := 0.38 * size
		p.printf(`<path d="M%s %s L%s %s M%s %s L%s %s" %s stroke-opacity="0.6"/>`+"\n", px(at.X-d), px(at.Y-d), px(at.X+d), px(at.Y+d),
			px(at.X-d), px(at.Y+d), px(at.X+d), px(at.Y-d), pen)
	case MarkDiamond:
		star(2, 0.46, 0.46, 0)
	case MarkTriangle:
		star(3, 0.5, 0.25, 0)
	}
}

// arrows lead from squares to what their attributes name, where a mark says so.
func (p *picture) arrows() {
	b := p.board
	for _, m := range b.Drawing.Marks {
		if m.Form != MarkArrow || m.Attribute < 0 {
			continue
		}
		for _, from := range b.squares() {
			to := b.Attributes[m.Attribute].Values[from]
			if to < 0 || b.Places[to].Zone || to == from {
				continue
			}
			p.arrow(b.Drawing.Squares[from].middle(), b.Drawing.Squares[to].middle(), from < to)
		}
	}
}

// arrow draws an arrow between two squares; those that lead on are green, those that lead back red.
func (p *picture) arrow(from, to Point, on bool) {
	h := hue{176, 62, 48}
	if on {
		h = hue{46, 125, 84}
	}
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length < 0.5 {
		return
	}
	x, y := (to.X-from.X)/length, (to.Y-from.Y)/length
	start, tip := Point{from.X + 0.2*x, from.Y + 0.2*y}, Point{to.X - 0.2*x, to.Y - 0.2*y}
	neck := Point{tip.X - 0.32*x, tip.Y - 0.32*y}
	p.printf(`<g fill="%s" stroke="%s" opacity="0.5"><line x1="%s" y1="%s" x2="%s" y2="%s" stroke-width="%s" stroke-linecap="round"/>`,
		h, h, px(start.X), px(start.Y), px(neck.X), px(neck.Y), px(0.13))
	head := []Point{tip, {neck.X - 0.19*y, neck.Y + 0.19*x}, {neck.X + 0.19*y, neck.Y - 0.19*x}}
	p.printf(`<polygon points="%s" stroke="none"/></g>`+"\n", pathOf(head))
}

// pieces draws the pieces on a shape.
func (p *picture) pieces(s Shape, colours []int) {
	if len(colours) == 0 {
		return
	}
	for i, at := range s.spots(len(colours)) {
		p.piece(at, colours[i])
	}
}

func (p *picture) piece(at spot, colour int) {
	h := p.board.hue(colour)
	p.printf(`<circle cx="%s" cy="%s" r="%s" fill="#000000" fill-opacity="0.22"/>`+"\n",
		px(at.X+0.04), px(at.Y+0.06), px(at.radius))
	p.printf(`<circle cx="%s" cy="%s" r="%s" fill="url(#piece%d)" stroke="%s" stroke-width="%s"/>`+"\n",
		px(at.X), px(at.Y), px(at.radius), colour, h.mix(black, 0.5), px(0.05))
	p.printf(`<circle cx="%s" cy="%s" r="%s" fill="none" stroke="%s" stroke-width="%s" stroke-opacity="0.7"/>`+"\n",
		px(at.X), px(at.Y), px(at.radius*0.6), h.mix(white, 0.6), px(0.045))
}

// in lists the pieces in a zone that belong to one of its shapes.
func (p *picture) in(place int, s Shape) []int {
	var here []int
	for _, c := range p.on[place] {
		if s.Owner == None || s.Owner == c {
			here = append(here, c)
		}
	}
	return here
}

// zonePieces draws the pieces in a zone that has shapes.
func (p *picture) zonePieces(place int) {
	for _, s := range p.board.Drawing.Zones[place] {
		here := p.in(place, s)
		if s.Form == Bay {
			s.Width *= 0.66
			s.Height *= 0.66
		}
		if len(here) > 0 {
			p.pieces(s, here)
		}
	}
}

// trays are the zones without a shape that hold pieces: they stand below the board.
func (b *Board) trays(on map[int][]int) []int {
	var out []int
	for i, place := range b.Places {
		if place.Zone && len(b.Drawing.Zones[i]) == 0 && len(on[i]) > 0 {
			out = append(out, i)
		}
	}
	return out
}

// tray draws a zone without a shape as a row of pieces that ends before right.
func (p *picture) tray(place int, at Point, right float64) {
	name := p.board.Places[place].Name
	counts := p.board.tally(p.on[place])
	x, need := at.X+0.8+0.3*float64(len(name)), 0.0
	for _, n := range counts {
		switch {
		case n == 1:
			need += 0.95
		case n > 1:
			need += 1.8
		}
	}
	k := max(0.3, min(1, (right-x+0.4)/max(need, 0.1)))
	p.printf(`<text x="%s" y="%s" font-size="%s" text-anchor="start" fill="%s">%s</text>`+"\n",
		px(at.X), px(at.Y+0.18), px(0.5), line, html.EscapeString(name))
	for c, n := range counts {
		if n == 0 {
			continue
		}
		p.piece(spot{Point{x, at.Y}, 0.4 * k}, c)
		if x += 0.95 * k; n > 1 {
			p.printf(`<text x="%s" y="%s" font-size="%s" fill="%s">×%d</text>`+"\n", px(x-0.05*k), px(at.Y+0.16*k), px(0.46*k), line, n)
			x += 0.85 * k
		}
	}
}
