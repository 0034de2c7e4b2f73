// Package picture draws the results of studies: distributions, differences with their intervals, shares by seat, the
// effect of an option, and numbers on a board.
//
// A verb makes a Figure and writes it to a file. A figure is drawn as a scene; SVG and PNG render it. The same figure
// gives the same bytes: fonts are part of the program, and pictures contain no time of creation.
//
// Note: a figure is data and text. It computes no statistics but the widths of its bars; the
// caller provides means and intervals.
package picture

import (
	"io"

	"github.com/rulerun/rulerun/boards/scene"
)

// Width is how wide figures are, in points; a PNG has two pixels for each.
const Width = 720

const margin = 24

// Figure is one picture: a heading, parts below one another, and small print.
type Figure struct {
	Title string
	Words []string // sentences below the title, each wrapped
	Parts []Part
	Small []string // what was played, how often, from which seed
}

// Part is a drawing in a figure: Distribution, Dots, Lines, Grid or Heat.
type Part interface {
	// draw draws it with its upper left corner at a point, and returns its height.
	draw(p *pen, x, y, width float64) (height float64)
}

// Sizes of texts, in points.
const (
	sizeTitle = 17
	sizeWords = 12
	sizeText  = 11
	sizeSmall = 9.5
)

// SVG writes a figure as SVG. Its text stays text.
func SVG(w io.Writer, f *Figure, t *Theme) error { return scene.SVG(w, f.scene(t), scene.Options{}) }

// PNG writes a figure as PNG, two pixels a point.
func PNG(w io.Writer, f *Figure, t *Theme) error { return ScenePNG(w, f.scene(t)) }

// Inline writes the parts of a figure as SVG that stands in a page: without title and words, and with the theme's
// colours as custom properties of CSS (see Theme.Variables), so that the page chooses them.
func Inline(w io.Writer, f *Figure) error {
	p := newPen(Light())
	height := p.parts(f.Parts, 0)
	return scene.SVG(w, p.scene(f.Title, height), scene.Options{Variables: true})
}

// scene draws a figure: its parts below one another, with the words above and below them.
func (f *Figure) scene(t *Theme) *scene.Scene {
	p := newPen(t)
	y := float64(margin)
	write := func(text string, size float64, weight weight, c scene.Paint, gap float64) {
		for _, line := range p.wrap(text, size, weight, Width-2*margin) {
			y += size * 1.3
			p.text(margin, y-size*0.3, size, weight, start, c, line)
		}
		y += gap
	}
	if f.Title != "" {
		write(f.Title, sizeTitle, bold, t.Ink, 4)
	}
	for _, s := range f.Words {
		write(s, sizeWords, plain, t.Soft, 2)
	}
	y = p.parts(f.Parts, y)
	if len(f.Small) > 0 {
		y += 12
	}
	for _, s := range f.Small {
		write(s, sizeSmall, plain, t.Soft, 1)
	}
	return p.scene(f.Title, y)
}

// parts draws parts below one another and returns where they end.
func (p *pen) parts(parts []Part, y float64) float64 {
	for _, part := range parts {
		y += 14
		y += part.draw(p, margin, y, Width-2*margin)
	}
	return y
}

// scene is what was drawn, on a sheet of paper that ends a margin below y.
func (p *pen) scene(title string, y float64) *scene.Scene {
	height := float64(int(y + margin))
	paper := &scene.Rect{Style: scene.Style{Fill: p.theme.Paper}, Width: Width, Height: height}
	return &scene.Scene{
		Title: title, Font: "'Liberation Sans', Arial, Helvetica, sans-serif", Unit: 1, Width: Width, Height: height,
		Nodes: append([]scene.Node{paper}, p.nodes...),
	}
}
