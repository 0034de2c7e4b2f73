package picture

import (
	"math"
	"strings"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	face "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

type weight = font.Weight

const (
	plain = font.WeightNormal
	bold  = font.WeightBold
)

// anchor says which part of a text stands at its point.
type anchor float64

const (
	start  anchor = 0
	middle anchor = 0.5
	end    anchor = 1
)

// mark is a letter for private use that stands before a text in SVG until tidy has made an attribute of it: the library
// has no anchors.
func (a anchor) mark() string { return string(rune(0xe000 + int(2*a))) }

type point struct{ x, y float64 }

// pen draws with the origin at the upper left, y growing downwards, in points. Before it is put onto a canvas it can
// only measure.
type pen struct {
	theme  *Theme
	faces  *face.Cache
	on     vg.Canvas
	high   float64
	marked bool  // texts are marked with their anchors
	err    error // the first that went wrong
}

func newPen(t *Theme) *pen {
	var fonts face.Collection
	for w, data := range map[weight][]byte{plain: liberationsansregular.TTF, bold: liberationsansbold.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic("the fonts that come along cannot be read: " + err.Error())
		}
		fonts = append(fonts, face.Face{Font: fontOf(w), Face: f})
	}
	return &pen{theme: t, faces: face.NewCache(fonts)}
}

func fontOf(w weight) face.Font { return face.Font{Typeface: "Liberation", Variant: "Sans", Weight: w} }

func (p *pen) onto(c vg.Canvas, height float64) { p.on, p.high = c, height }

func (p *pen) face(size float64, w weight) face.Face {
	return p.faces.Lookup(fontOf(w), vg.Length(size))
}

// width is how wide a text is.
func (p *pen) width(text string, size float64, w weight) float64 {
	f := p.face(size, w)
	return float64(f.Width(text))
}

// wrap cuts a text into lines that are no wider than width.
func (p *pen) wrap(text string, size float64, w weight, width float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimPrefix(line+" "+word, " ")
		if line != "" && p.width(longer, size, w) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}

// cut shortens a text until it is no wider than width.
func (p *pen) cut(text string, size float64, w weight, width float64) string {
	if p.width(text, size, w) <= width {
		return text
	}
	letters := []rune(text)
	for len(letters) > 1 && p.width(string(letters)+"…", size, w) > width {
		letters = letters[:len(letters)-1]
	}
	return strings.TrimRight(string(letters), " ") + "…"
}

func (p *pen) text(x, y, size float64, w weight, a anchor, c colour, text string) {
	f := p.face(size, w)
	p.on.SetColor(c)
	at := p.at(point{x, y})
	if p.marked {
		p.on.FillString(f, at, a.mark()+text)
		return
	}
	at.X -= vg.Length(a) * f.Width(text)
	p.on.FillString(f, at, text)
}

// sideways writes a text that reads upwards, its middle at a point.
func (p *pen) sideways(x, y, size float64, c colour, text string) {
	f := p.face(size, plain)
	p.on.Push()
	p.on.Translate(p.at(point{x, y}))
	p.on.Rotate(math.Pi / 2)
	p.on.SetColor(c)
	if p.marked {
		p.on.FillString(f, vg.Point{}, middle.mark()+text)
	} else {
		p.on.FillString(f, vg.Point{X: -f.Width(text) / 2}, text)
	}
	p.on.Pop()
}

func (p *pen) at(q point) vg.Point {
	return vg.Point{X: vg.Length(short(q.x)), Y: vg.Length(short(p.high - q.y))}
}

// short keeps two decimals: more cannot be seen and makes files longer.
func short(v float64) float64 { return math.Round(v*100) / 100 }

func (p *pen) path(points []point, closed bool) vg.Path {
	var path vg.Path
	for i, q := range points {
		at := p.at(q)
		switch {
		case i == 0:
			path.Move(at)
		case at != path[len(path)-1].Pos:
			path.Line(at)
		}
	}
	if closed {
		path.Close()
	}
	return path
}

func (p *pen) fill(c colour, points ...point) {
	p.on.SetColor(c)
	p.on.Fill(p.path(points, true))
}

func (p *pen) box(x, y, w, h float64, c colour) {
	p.fill(c, point{x, y}, point{x + w, y}, point{x + w, y + h}, point{x, y + h})
}

func (p *pen) stroke(c colour, width float64, dash []float64, closed bool, points ...point) {
	if len(points) < 2 {
		return
	}
	if closed {
		// The library joins no line where a path begins: let it begin on a side.
		last := points[len(points)-1]
		points = append([]point{{(points[0].x + last.x) / 2, (points[0].y + last.y) / 2}}, points...)
	}
	p.on.SetColor(c)
	p.on.SetLineWidth(vg.Length(width))
	lengths := make([]vg.Length, len(dash))
	for i, d := range dash {
		lengths[i] = vg.Length(d)
	}
	p.on.SetLineDash(lengths, 0)
	p.on.Stroke(p.path(points, closed))
	if !p.marked && width > 4 && c.A == 255 {
		for _, q := range points[1:] { // joins of pixels are not round by themselves
			p.dot(q.x, q.y, width/2, c)
		}
	}
}

func (p *pen) line(x1, y1, x2, y2, width float64, c colour, dash ...float64) {
	p.stroke(c, width, dash, false, point{x1, y1}, point{x2, y2})
}

func (p *pen) round(x, y, r float64) vg.Path {
	var path vg.Path
	at := p.at(point{x, y})
	path.Move(vg.Point{X: at.X + vg.Length(short(r)), Y: at.Y})
	path.Arc(at, vg.Length(short(r)), 0, 2*math.Pi)
	path.Close()
	return path
}

func (p *pen) dot(x, y, r float64, c colour) {
	p.on.SetColor(c)
	p.on.Fill(p.round(x, y, r))
}

func (p *pen) ring(x, y, r, width float64, c colour) {
	p.on.SetColor(c)
	p.on.SetLineWidth(vg.Length(width))
	p.on.SetLineDash(nil, 0)
	p.on.Stroke(p.round(x, y, r))
}
