package picture

import (
	"fmt"
	"math"

	"github.com/rulerun/rulerun/boards"
)

// Heat lays numbers over a board: the more, the darker the square.
type Heat struct {
	Board *boards.Board
	// Values are by place and by colour of the board. A square shows the sum, a zone drawn for one colour that
	// colour's.
	Values   [][]float64
	Decimals int
	Unit     string // what the numbers are: "pieces on average"
}

// unit is how many units of a board's picture make one of its drawing.
const unit = 32

// scaleOf is the number the darkest colour stands for: the largest of a square. Where squares have nothing, that of a zone.
func (h *Heat) scaleOf() float64 {
	squares, zones := 0.0, 0.0
	for place, row := range h.Values {
		total := 0.0
		for _, v := range row {
			total += v
		}
		if h.Board.Places[place].Zone {
			zones = max(zones, total)
		} else {
			squares = max(squares, total)
		}
	}
	if squares > 0 {
		return squares
	}
	return zones
}

func (h *Heat) height(p *pen, width float64) float64 {
	s, err := readSheet(h.Board)
	if err != nil {
		p.err = err
		return 0
	}
	return s.height*h.fit(s, width) + 46 + 16*float64(len(h.beside()))
}

// boardWide is how wide and high boards are at most.
const boardWide = 560

// fit is how much a sheet is made larger or smaller.
func (h *Heat) fit(s *sheet, width float64) float64 {
	return min(width/s.width, boardWide/s.width, boardWide/s.height)
}

// beside are the zones that are not on the picture but have numbers.
func (h *Heat) beside() []int {
	var out []int
	for place, row := range h.Values {
		if h.Board.Places[place].Zone && len(h.Board.Drawing.Zones[place]) == 0 && sum(row) > 0 {
			out = append(out, place)
		}
	}
	return out
}

func sum(row []float64) float64 {
	total := 0.0
	for _, v := range row {
		total += v
	}
	return total
}

func (h *Heat) draw(p *pen, x, y, width float64) {
	s, err := readSheet(h.Board)
	if err != nil {
		p.err = err
		return
	}
	k := h.fit(s, width)
	m := placed{x: x + (width-s.width*k)/2 - s.x*k, y: y - s.y*k, k: k}
	most := h.scaleOf()
	s.draw(p, m, false, h.covered)
	over := false
	for place, row := range h.Values {
		if h.Board.Places[place].Zone {
			for _, shape := range h.Board.Drawing.Zones[place] {
				v := h.inZone(place, &shape)
				over = over || v > most
				if v > 0 {
					h.zone(p, m, &shape, v, most)
				}
			}
			continue
		}
		h.square(p, m, &h.Board.Drawing.Squares[place], sum(row), most)
	}
	s.draw(p, m, true, h.covered)
	y += s.height*k + 12
	label := h.Unit
	if over {
		label += "; some zones have more than the scale"
	}
	p.key(x, y, 220, 0, most, h.Decimals, label)
	for i, place := range h.beside() {
		p.text(x, y+40+16*float64(i), sizeText, plain, start, p.theme.Ink,
			fmt.Sprintf("%s, beside the board: %s", h.Board.Places[place].Name, Number(sum(h.Values[place]), h.Decimals)))
	}
}

// square covers a square with its colour, and leaves a rim of the board's own.
func (h *Heat) square(p *pen, m placed, s *boards.Shape, v, most float64) {
	c := ramp(v / max(most, math.SmallestNonzeroFloat64))
	var points []point
	if len(s.Outline) > 0 {
		for _, q := range s.Outline {
			// A little towards the middle.
			points = append(points, point{(s.X + (q.X-s.X)*0.86) * unit, (s.Y + (q.Y-s.Y)*0.86) * unit})
		}
	} else {
		const rim = 0.07
		w, high := s.Width-2*rim, s.Height-2*rim
		points = rounded((s.X-w/2)*unit, (s.Y-high/2)*unit, w*unit, high*unit, 0.12*unit)
		turnRound(points, s.Angle, point{s.X * unit, s.Y * unit})
	}
	for i, q := range points {
		points[i] = m.at(q)
	}
	p.fill(c, points...)
	if s.Label != "" {
		at := m.at(point{s.X * unit, s.Y * unit})
		size := min(0.42, 0.42*min(s.Width, s.Height), 1.4*s.Width/float64(len(s.Label))) * unit * m.k
		p.text(at.x, at.y+0.36*size, size, plain, middle, on(c), s.Label)
	}
}

// zone writes its number on a zone, on a disc of its colour.
func (h *Heat) zone(p *pen, m placed, s *boards.Shape, v, most float64) {
	at := m.at(point{s.X * unit, s.Y * unit})
	text := Number(v, h.Decimals)
	r := discOf(s) * unit * m.k
	c := ramp(v / max(most, math.SmallestNonzeroFloat64))
	p.dot(at.x, at.y, r, c)
	p.ring(at.x, at.y, r, 1, hex(0x685842))
	size := min(13, r*0.75)
	if w := p.width(text, size, bold); w > 1.5*r {
		size *= 1.5 * r / w
	}
	p.text(at.x, at.y+0.36*size, size, bold, middle, on(c), text)
}

// inZone is the number of a zone at one of its shapes.
func (h *Heat) inZone(place int, s *boards.Shape) float64 {
	if s.Owner != boards.None {
		return h.Values[place][s.Owner]
	}
	return sum(h.Values[place])
}

// discOf is the radius of the disc a zone's number stands on, in units of the drawing.
func discOf(s *boards.Shape) float64 {
	room := min(s.Width, s.Height)
	switch {
	case s.Form == boards.Bay:
		room *= 0.6
	case len(s.Outline) > 0 && !(room > 0):
		room = 1.6
	}
	return min(room*0.42, 1.1)
}

// covered reports whether a point of the board's picture lies under a zone's number.
func (h *Heat) covered(q point) bool {
	for place := range h.Values {
		for _, s := range h.Board.Drawing.Zones[place] {
			if h.inZone(place, &s) > 0 && math.Hypot(q.x-s.X*unit, q.y-s.Y*unit) < discOf(&s)*unit {
				return true
			}
		}
	}
	return false
}
