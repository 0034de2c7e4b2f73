// Package picture draws what studies of games found: distributions, differences with their intervals, shares by seat,
// what an option does, and numbers laid over a board.
//
// It stands between the verbs, which know what was played, and files. One drawing serves SVG and PNG: everything goes
// through the canvas of the plotting library, whose types stop here. The same figure gives the same bytes: fonts are
// part of the program, and no picture says when it was made.
//
// What a newcomer gets wrong: a figure is data and words. It works out no statistics but the widths of its bars; means
// and intervals are given to it.
package picture

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Width is how wide figures are, in points; a PNG has two pixels for each.
const Width = 720

const margin = 24

// Figure is one picture: a heading, parts below one another, and small print.
type Figure struct {
	Title string
	bare  bool     // only the parts are drawn
	Words []string // sentences below the title, each wrapped
	Parts []Part
	Small []string // what was played, how often, from which seed
}

// Part is a drawing in a figure: Distribution, Dots, Lines, Grid or Heat.
type Part interface {
	// height is how much room the part takes at a width.
	height(p *pen, width float64) float64
	// draw draws it with its upper left corner at a point.
	draw(p *pen, x, y, width float64)
}

// Sizes of texts, in points.
const (
	sizeTitle = 17
	sizeWords = 12
	sizeText  = 11
	sizeSmall = 9.5
)

// SVG writes a figure as SVG. Its text stays text.
func SVG(w io.Writer, f *Figure, t *Theme) error {
	p := newPen(t)
	p.marked = true
	height := f.lay(p, nil)
	canvas := vgsvg.New(Width, vg.Length(height))
	p.onto(canvas, height)
	f.lay(p, p)
	if p.err != nil {
		return p.err
	}
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	_, err := io.WriteString(w, p.tidy(out.String(), f.Title, height))
	return err
}

var texts = regexp.MustCompile(`<text (x="[^"]*" y="[^"]*" transform="scale\(1, -1\)") style="(font-weight:bold;)?font-size:([0-9.]+)px(;fill:[^"]*)?">([\x{e000}-\x{e002}])([^<]*)</text>`)

// tidy gives what the library wrote a title for those who cannot see it, families of fonts to choose from, and round
// joins; styles that say what is so anyway go. Texts get the place they hang on, and their width: a viewer without the
// fonts then keeps to the room there is.
func (p *pen) tidy(text, title string, height float64) string {
	_, body, _ := strings.Cut(text, "<svg")
	_, body, _ = strings.Cut(body, ">\n")
	body = strings.NewReplacer(
		"\n\tstyle=", " style=",
		"font-family:Liberation Sans;font-variant:normal;", "",
		"font-weight:normal;", "",
		"font-style:normal;", "",
	).Replace(body)
	body = texts.ReplaceAllStringFunc(body, func(element string) string {
		m := texts.FindStringSubmatch(element)
		size, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return element
		}
		w := plain
		if m[2] != "" {
			w = bold
		}
		hang := ""
		switch m[5] {
		case middle.mark():
			hang = ` text-anchor="middle"`
		case end.mark():
			hang = ` text-anchor="end"`
		}
		return fmt.Sprintf(`<text %s%s textLength="%.1f" lengthAdjust="spacingAndGlyphs" style="%sfont-size:%spx%s">%s</text>`,
			m[1], hang, p.width(html.UnescapeString(m[6]), size, w), m[2], m[3], m[4], m[6])
	})
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%.0f" viewBox="0 0 %d %.0f" role="img" font-family="'Liberation Sans',Arial,Helvetica,sans-serif" stroke-linejoin="round">`+
		"\n<title>%s</title>\n", Width, height, Width, height, html.EscapeString(title)) + body
}

// PNG writes a figure as PNG, two pixels a point.
func PNG(w io.Writer, f *Figure, t *Theme) error {
	p := newPen(t)
	height := f.lay(p, nil)
	canvas := vgimg.NewWith(vgimg.UseWH(Width, vg.Length(height)), vgimg.UseDPI(144), vgimg.UseBackgroundColor(t.Paper))
	p.onto(canvas, height)
	f.lay(p, p)
	if p.err != nil {
		return p.err
	}
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(w); err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	return nil
}

// lay puts the parts of a figure below one another and says how high it is. Where on is nil, it only measures.
func (f *Figure) lay(p *pen, on *pen) float64 {
	const width = Width - 2*margin
	if on != nil {
		on.box(0, 0, Width, on.high, p.theme.Paper)
	}
	y := float64(margin)
	if f.bare {
		y = 0
	}
	write := func(text string, size float64, weight weight, c colour, gap float64) {
		for _, line := range p.wrap(text, size, weight, width) {
			y += size * 1.3
			if on != nil {
				on.text(margin, y-size*0.3, size, weight, start, c, line)
			}
		}
		y += gap
	}
	if f.Title != "" && !f.bare {
		write(f.Title, sizeTitle, bold, p.theme.Ink, 4)
	}
	for _, s := range f.Words {
		write(s, sizeWords, plain, p.theme.Soft, 2)
	}
	for _, part := range f.Parts {
		y += 14
		h := part.height(p, width)
		if on != nil {
			part.draw(on, margin, y, width)
		}
		y += h
	}
	if len(f.Small) > 0 {
		y += 12
	}
	for _, s := range f.Small {
		write(s, sizeSmall, plain, p.theme.Soft, 1)
	}
	return float64(int(y + margin))
}

// Inline writes the parts of a figure as SVG that stands in a page: without title and words, and with the theme's colours
// as custom properties of CSS (see Theme.Variables), so that the page chooses them.
func Inline(w io.Writer, f *Figure) error {
	marks := markers()
	var out bytes.Buffer
	if err := SVG(&out, &Figure{Title: f.Title, bare: true, Parts: f.Parts}, marks); err != nil {
		return err
	}
	text := colours.ReplaceAllStringFunc(out.String(), func(s string) string {
		for _, v := range marks.Variables() {
			if near(s[1:], v.Value) {
				return ":var(" + v.Name + ")"
			}
		}
		return s
	})
	_, err := io.WriteString(w, text)
	return err
}

var colours = regexp.MustCompile(`:#[0-9A-F]{6}`)

// near reports whether two colours are the same but for what the library loses on the way of one that is seen through.
func near(a, b string) bool {
	x, err1 := strconv.ParseUint(a[1:], 16, 32)
	y, err2 := strconv.ParseUint(b[1:], 16, 32)
	if err1 != nil || err2 != nil {
		return false
	}
	for shift := 0; shift < 24; shift += 8 {
		if d := int(x>>shift&255) - int(y>>shift&255); d < -3 || d > 3 {
			return false
		}
	}
	return true
}
