package picture

import (
	"math"

	"github.com/rulerun/rulerun/boards/scene"
)

// Curve shows how shares of a whole change with time, one line for each series; its dots mark moments.
type Curve struct {
	Title string
	X, Y  string
	Keys  []string
	At    []float64   // along X, ascending
	Lines [][]float64 // by series, one number for each of At, in per cent
	Dots  []Dot
}

// Dot is a moment of a curve: the index along At, the series, and a number that a text refers to.
type Dot struct {
	At, Series int
	Name       string
}

func (c *Curve) draw(p *pen, x, y, width float64) float64 {
	above := y
	y += p.heading(c.Title, x, y)
	y += p.keys(c.Keys, x, y, width) + 8
	bottom := y + plotHigh
	if len(c.At) > 0 {
		across := scale{c.At[0], math.Max(c.At[len(c.At)-1], c.At[0]+1), x + 52, x + width - 8}
		up := scale{0, 100, bottom, y}
		p.beside(up, across.from, across.to, c.Y)
		p.below(across, bottom, bottom, c.X)
		for k, line := range c.Lines {
			var points []scene.Point
			for i, v := range line {
				points = append(points, scene.Pt(across.at(c.At[i]), up.at(v)))
			}
			p.lines(p.theme.series(k), 1.6, points...)
		}
		for _, d := range c.Dots {
			at, v := across.at(c.At[d.At]), up.at(c.Lines[d.Series][d.At])
			p.dot(at, v, 3.6, p.theme.series(d.Series))
			p.text(at, max(y+8, v-7), sizeSmall, bold, middle, p.theme.Ink, d.Name)
		}
	}
	return bottom + 38 - above
}
