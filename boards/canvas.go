package boards

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// ink is the style of a character; the zero value is the default of the terminal.
type ink struct {
	fore, back scene.Paint
	hasFore    bool
	hasBack    bool
	bold, dim  bool
}

func (i ink) on(back scene.Paint) ink { i.back, i.hasBack = back, true; return i }
func (i ink) in(fore scene.Paint) ink { i.fore, i.hasFore = fore, true; return i }
func (i ink) begin() string {
	codes := []string{"0"}
	if i.bold {
		codes = append(codes, "1")
	}
	if i.dim {
		codes = append(codes, "2")
	}
	if i.hasFore {
		codes = append(codes, "38;5;"+strconv.Itoa(terminalColour(i.fore)))
	}
	if i.hasBack {
		codes = append(codes, "48;5;"+strconv.Itoa(terminalColour(i.back)))
	}
	return "\x1b[" + strings.Join(codes, ";") + "m"
}

// canvas is a sheet of characters. Lines drawn on it join where they meet.
type canvas struct {
	width, height int
	cells         []glyph
}

type glyph struct {
	char  rune // 0 for nothing
	lines uint8
	ink   ink
}

// Directions a line leaves a character in.
const (
	up uint8 = 1 << iota
	right
	down
	left
)

// joints are the characters for every set of directions.
var joints = [16]rune{
	0: ' ', up: '╵', right: '╶', down: '╷', left: '╴',
	up | down: '│', left | right: '─',
	up | right: '└', up | left: '┘', down | right: '┌', down | left: '┐',
	up | down | right: '├', up | down | left: '┤', left | right | down: '┬', left | right | up: '┴',
	up | right | down | left: '┼',
}

// maxCanvas limits the size of a sheet.
const maxCanvas = 1 << 18

func newCanvas(width, height int) *canvas {
	width, height = max(0, width), max(0, height)
	if height > 0 && width > maxCanvas/height {
		width, height = 0, 0
	}
	return &canvas{width, height, make([]glyph, width*height)}
}

func (c *canvas) at(x, y int) *glyph {
	if x < 0 || y < 0 || x >= c.width || y >= c.height {
		return &glyph{}
	}
	return &c.cells[y*c.width+x]
}

// box draws a frame with its corners at the given characters.
func (c *canvas) box(x0, y0, x1, y1 int, in ink) {
	join := func(one, next *glyph, on, back uint8) {
		one.lines, next.lines = one.lines|on, next.lines|back
		one.char, one.ink, next.char, next.ink = 0, in, 0, in
	}
	for x := x0; x < x1; x++ {
		for _, y := range [2]int{y0, y1} {
			join(c.at(x, y), c.at(x+1, y), right, left)
		}
	}
	for y := y0; y < y1; y++ {
		for _, x := range [2]int{x0, x1} {
			join(c.at(x, y), c.at(x, y+1), down, up)
		}
	}
}

// fill paints a rectangle's characters, both corners included.
func (c *canvas) fill(x0, y0, x1, y1 int, in ink) {
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			*c.at(x, y) = glyph{ink: in}
		}
	}
}

// phrase is text in several inks.
type phrase []piece

type piece struct {
	text string
	ink  ink
}

func (p phrase) width() int {
	return seq.Sum(p, func(s piece) int { return utf8.RuneCountInString(s.text) })
}

func (p phrase) and(text string, in ink) phrase {
	if text == "" {
		return p
	}
	return append(p[:len(p):len(p)], piece{text, in})
}

// write puts a phrase on the sheet from x on. Text without a background keeps that of the sheet.
func (c *canvas) write(x, y int, p phrase) {
	for _, s := range p {
		for _, r := range s.text {
			g := c.at(x, y)
			in := s.ink
			if !in.hasBack && g.ink.hasBack {
				in = in.on(g.ink.back)
				if !in.hasFore {
					in = in.in(g.ink.fore)
				}
			}
			*g = glyph{char: r, ink: in}
			x++
		}
	}
}

// text is the sheet as lines, without trailing blanks, with ANSI colours if color is true.
func (c *canvas) text(color bool) string {
	var out strings.Builder
	for y := range c.height {
		last := c.width - 1
		for last >= 0 && c.at(last, y).blank(color) {
			last--
		}
		c.line(&out, y, last+1, color)
		out.WriteByte('\n')
	}
	return out.String()
}

// rows are the lines of the sheet, with trailing blanks.
func (c *canvas) rows(color bool) []string {
	out := make([]string, c.height)
	for y := range out {
		var line strings.Builder
		c.line(&line, y, c.width, color)
		out[y] = line.String()
	}
	return out
}

// line writes the first characters of a row, with ANSI colours if color is true.
func (c *canvas) line(out *strings.Builder, y, width int, color bool) {
	now := ink{}
	for x := range width {
		g := c.at(x, y)
		if color && g.ink != now && (g.rune() != ' ' || g.ink.hasBack || now.hasBack) {
			out.WriteString(g.ink.begin())
			now = g.ink
		}
		out.WriteRune(g.rune())
	}
	if now != (ink{}) {
		out.WriteString("\x1b[0m")
	}
}

func (g *glyph) rune() rune {
	if g.char != 0 {
		return g.char
	}
	return joints[g.lines]
}

func (g *glyph) blank(color bool) bool { return g.rune() == ' ' && !(color && g.ink.hasBack) }
