package picture

import (
	"strings"

	"github.com/rulerun/rulerun/boards/scene"
)

type weight bool

const (
	plain weight = false
	bold  weight = true
)

// The anchors of texts, in short.
const (
	start  = scene.Start
	middle = scene.Middle
	end    = scene.End
)

// pen draws into a scene whose unit is a point, with the origin at the upper left.
type pen struct {
	theme *Theme
	fonts *fonts
	nodes []scene.Node
}

func newPen(t *Theme) *pen { return &pen{theme: t, fonts: newFonts()} }

func (p *pen) add(n scene.Node) { p.nodes = append(p.nodes, n) }

func (p *pen) width(text string, size float64, w weight) float64 {
	f := p.fonts.face(size, w)
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

// text writes a text with the width it has in the embedded font, so that a viewer with another font fits it to the
// same width.
func (p *pen) text(x, y, size float64, w weight, a scene.Anchor, c scene.Paint, text string) {
	p.add(&scene.Text{Fill: c, At: scene.Pt(x, y), Anchor: a, Size: size, Bold: bool(w), Length: p.width(text, size, w), Text: text})
}

func (p *pen) fill(c scene.Paint, points ...scene.Point) {
	p.add(&scene.Polygon{Style: scene.Style{Fill: c}, Points: points})
}

func (p *pen) box(x, y, w, h float64, c scene.Paint) {
	p.add(&scene.Rect{Style: scene.Style{Fill: c}, X: x, Y: y, Width: w, Height: h})
}

func (p *pen) lines(c scene.Paint, width float64, points ...scene.Point) {
	p.add(&scene.Path{Style: scene.Style{Stroke: c, StrokeWidth: width}, Lines: [][]scene.Point{points}})
}

func (p *pen) line(x1, y1, x2, y2, width float64, c scene.Paint, dash ...float64) {
	p.add(&scene.Path{Style: scene.Style{Stroke: c, StrokeWidth: width, Dash: dash}, Lines: [][]scene.Point{{scene.Pt(x1, y1), scene.Pt(x2, y2)}}})
}

func (p *pen) dot(x, y, r float64, c scene.Paint) {
	p.add(&scene.Circle{Style: scene.Style{Fill: c}, Center: scene.Pt(x, y), Radius: r})
}
