package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards"
)

// sheet is the board's own picture, read from the SVG that package boards writes. It knows the elements that occur
// there and no others; what it does not know is an error, so that a board is never drawn half.
type sheet struct {
	x, y, width, height float64 // its window, in its own units
	shapes              []shape
}

// shape is one thing drawn: a closed or open path, or a text.
type shape struct {
	points       []point
	closed       bool
	radius       float64 // of a circle round the only point
	breaks       []int   // where a path begins anew
	fill, stroke *colour
	pen          float64
	text         string
	size         float64
	from         anchor
	above        bool // it lies over the squares: an arrow between them
}

// readSheet draws a board with no pieces on it and reads what came of it.
func readSheet(b *boards.Board) (*sheet, error) {
	var out bytes.Buffer
	if err := boards.SVG(&out, b, nil); err != nil {
		return nil, err
	}
	s := &sheet{}
	d := xml.NewDecoder(&out)
	var groups []map[string]string // the attributes of the elements around
	skip := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return s, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the drawing of the board: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			attr := map[string]string{}
			if len(groups) > 0 {
				for k, v := range groups[len(groups)-1] {
					if k == "fill" || k == "stroke" || k == "opacity" || k == "text-anchor" {
						attr[k] = v
					}
				}
			}
			for _, a := range t.Attr {
				attr[a.Name.Local] = a.Value
			}
			groups = append(groups, attr)
			if t.Name.Local == "defs" || t.Name.Local == "title" || skip > 0 {
				skip++
				continue
			}
			if err := s.element(t.Name.Local, attr); err != nil {
				return nil, err
			}
		case xml.EndElement:
			groups = groups[:len(groups)-1]
			skip = max(0, skip-1)
		case xml.CharData:
			if n := len(s.shapes); n > 0 && skip == 0 && s.shapes[n-1].size > 0 {
				s.shapes[n-1].text += strings.TrimSpace(string(t))
			}
		}
	}
}

// element takes down one element.
func (s *sheet) element(name string, attr map[string]string) error {
	num := func(key string) float64 {
		v, _ := strconv.ParseFloat(attr[key], 64)
		return v
	}
	x := shape{fill: paint(attr, "fill", "#000000"), stroke: paint(attr, "stroke", "none"), pen: 1, above: attr["opacity"] != ""}
	if _, ok := attr["stroke-width"]; ok {
		x.pen = num("stroke-width")
	}
	switch name {
	case "svg":
		if _, err := fmt.Sscan(attr["viewBox"], &s.x, &s.y, &s.width, &s.height); err != nil || !(s.width > 0) || !(s.height > 0) {
			return fmt.Errorf("the drawing of the board has no window: %q", attr["viewBox"])
		}
		return nil
	case "g":
		return nil
	case "polygon":
		x.closed = true
		for _, pair := range strings.Fields(attr["points"]) {
			var q point
			if _, err := fmt.Sscanf(pair, "%g,%g", &q.x, &q.y); err != nil {
				return fmt.Errorf("the drawing of the board has a bad point %q", pair)
			}
			x.points = append(x.points, q)
		}
	case "rect":
		x.closed = true
		x.points = rounded(num("x"), num("y"), num("width"), num("height"), num("rx"))
		var turn, cx, cy float64
		if _, err := fmt.Sscanf(attr["transform"], "rotate(%g %g %g)", &turn, &cx, &cy); err == nil {
			turnRound(x.points, turn, point{cx, cy})
		}
	case "circle":
		x.points, x.radius = []point{{num("cx"), num("cy")}}, num("r")
	case "line":
		x.points = []point{{num("x1"), num("y1")}, {num("x2"), num("y2")}}
		x.fill = nil
	case "path":
		if err := x.path(attr["d"]); err != nil {
			return err
		}
	case "text":
		x.points, x.size, x.from = []point{{num("x"), num("y")}}, num("font-size"), start
		if attr["text-anchor"] == "middle" {
			x.from = middle
		}
	default:
		return fmt.Errorf("the drawing of the board has an element %q, which is not known here", name)
	}
	s.shapes = append(s.shapes, x)
	return nil
}

// path reads the straight paths that boards have.
func (x *shape) path(d string) error {
	fields := strings.Fields(strings.NewReplacer("M", " M ", "L", " L ").Replace(d))
	for i := 0; i < len(fields); i += 3 {
		if i+2 >= len(fields) || fields[i] != "M" && fields[i] != "L" {
			return fmt.Errorf("the drawing of the board has a path %q, which is not known here", d)
		}
		px, err1 := strconv.ParseFloat(fields[i+1], 64)
		py, err2 := strconv.ParseFloat(fields[i+2], 64)
		if err := errors.Join(err1, err2); err != nil {
			return fmt.Errorf("the drawing of the board: %w", err)
		}
		if fields[i] == "M" {
			x.breaks = append(x.breaks, len(x.points))
		}
		x.points = append(x.points, point{px, py})
	}
	return nil
}

// paint is a colour of an element, nil for none.
func paint(attr map[string]string, key, usual string) *colour {
	text := usual
	if v, ok := attr[key]; ok {
		text = v
	}
	v, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 16, 32)
	if err != nil || len(text) != 7 {
		return nil
	}
	c := hex(uint32(v))
	for _, name := range []string{key + "-opacity", "opacity"} {
		if o, err := strconv.ParseFloat(attr[name], 64); err == nil {
			c.A = uint8(math.Round(float64(c.A) * max(0, min(1, o))))
		}
	}
	return &c
}

// rounded is the outline of a box with round corners.
func rounded(x, y, w, h, r float64) []point {
	r = min(r, w/2, h/2)
	if r <= 0 {
		return []point{{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}}
	}
	var out []point
	corners := []point{{x + w - r, y + r}, {x + w - r, y + h - r}, {x + r, y + h - r}, {x + r, y + r}}
	pieces := 3
	if r > 8 {
		pieces = 9
	}
	for i, c := range corners {
		for k := range pieces + 1 {
			sin, cos := math.Sincos((float64(i-1) + float64(k)/float64(pieces)) * math.Pi / 2)
			out = append(out, point{c.x + r*cos, c.y + r*sin})
		}
	}
	return out
}

// turnRound turns points round a centre, in degrees, clockwise.
func turnRound(points []point, degrees float64, centre point) {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	for i, q := range points {
		dx, dy := q.x-centre.x, q.y-centre.y
		points[i] = point{centre.x + dx*cos - dy*sin, centre.y + dx*sin + dy*cos}
	}
}

// placed leads from a sheet's units to those of the figure.
type placed struct{ x, y, k float64 }

func (m placed) at(q point) point { return point{m.x + q.x*m.k, m.y + q.y*m.k} }

// draw draws what lies below the squares or above them where m places it, but for texts that something else covers.
func (s *sheet) draw(p *pen, m placed, above bool, covered func(point) bool) {
	for _, x := range s.shapes {
		if x.above != above || x.size > 0 && covered(x.points[0]) {
			continue
		}
		points := make([]point, len(x.points))
		for i, q := range x.points {
			points[i] = m.at(q)
		}
		switch {
		case x.size > 0:
			if x.fill != nil && x.text != "" {
				p.text(points[0].x, points[0].y, x.size*m.k, plain, x.from, *x.fill, x.text)
			}
		case x.radius > 0:
			if x.fill != nil {
				p.dot(points[0].x, points[0].y, x.radius*m.k, *x.fill)
			}
			if x.stroke != nil {
				p.ring(points[0].x, points[0].y, x.radius*m.k, x.pen*m.k, *x.stroke)
			}
		default:
			p.outline(&x, points, m.k)
		}
	}
}

func (p *pen) outline(x *shape, points []point, k float64) {
	if x.fill != nil && x.closed && len(points) > 2 {
		p.fill(*x.fill, points...)
	}
	if x.stroke == nil {
		return
	}
	if len(x.breaks) == 0 {
		p.stroke(*x.stroke, x.pen*k, nil, x.closed, points...)
		return
	}
	for i, from := range x.breaks {
		to := len(points)
		if i+1 < len(x.breaks) {
			to = x.breaks[i+1]
		}
		p.stroke(*x.stroke, x.pen*k, nil, false, points[from:to]...)
	}
}
