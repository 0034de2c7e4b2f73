package picture

import (
	"math"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Lines shows how a number depends on an option, one line for each series, with the intervals as bands.
type Lines struct {
	Title  string
	X, Y   string
	Keys   []string
	Labels []string // of the steps along X
	// At is where the steps stand along X; nil stands them side by side.
	At    []float64
	Marks [][]Mark // by series, one a step
}

func (l *Lines) draw(p *pen, x, y, width float64) float64 {
	above := y
	y += p.heading(l.Title, x, y)
	y += p.keys(l.Keys, x, y, width) + 8
	low, high := math.Inf(1), math.Inf(-1)
	for _, row := range l.Marks {
		for _, m := range row {
			low, high = min(low, m.Low, m.Mid), max(high, m.High, m.Mid)
		}
	}
	bottom := y + plotHigh
	height := bottom + 38 - above
	if low > high {
		return height
	}
	low, high = span(low, high, 0.08)
	up := scale{low, high, bottom, y}
	at := l.At
	if at == nil {
		at = seq.Of(len(l.Labels), func(i int) float64 { return float64(i) })
	}
	across := scale{at[0], at[len(at)-1], x + 64, x + width - 28}
	p.beside(up, x+52, x+width-8, l.Y)
	p.line(x+52, bottom, x+width-8, bottom, 1, p.theme.Soft)
	every := l.every(p, func(i int) float64 { return across.at(at[i]) })
	for i, label := range l.Labels {
		where := across.at(at[i])
		p.line(where, bottom, where, bottom+4, 0.8, p.theme.Soft)
		if i%every == 0 {
			p.text(where, bottom+16, sizeSmall+0.5, plain, middle, p.theme.Soft, p.cut(label, sizeSmall+0.5, plain, labelWide))
		}
	}
	p.text((across.from+across.to)/2, bottom+33, sizeText, plain, middle, p.theme.Ink, l.X)
	for k, row := range l.Marks {
		c := p.theme.series(k)
		var band, line []scene.Point
		for i, m := range row {
			band = append(band, scene.Pt(across.at(at[i]), up.at(m.High)))
			line = append(line, scene.Pt(across.at(at[i]), up.at(m.Mid)))
		}
		for i := len(row) - 1; i >= 0; i-- {
			band = append(band, scene.Pt(across.at(at[i]), up.at(row[i].Low)))
		}
		p.fill(c.Faint(0.18), band...)
		p.lines(c, 1.8, line...)
		for i, q := range line {
			p.line(q.X, up.at(row[i].Low), q.X, up.at(row[i].High), 1.2, c)
			p.dot(q.X, q.Y, 3.2, c)
		}
	}
	return height
}

// labelWide is how wide a label of a step is at most.
const labelWide = 150

// every is the smallest number such that one label of so many is written and none overlaps the next.
func (l *Lines) every(p *pen, at func(step int) float64) int {
	half := func(i int) float64 {
		return p.width(p.cut(l.Labels[i], sizeSmall+0.5, plain, labelWide), sizeSmall+0.5, plain) / 2
	}
	free := func(every int) bool {
		for i := 0; i+every < len(l.Labels); i += every {
			if at(i)+half(i)+8 > at(i+every)-half(i+every) {
				return false
			}
		}
		return true
	}
	for every := 1; ; every++ {
		if free(every) {
			return every
		}
	}
}

// Grid shows how a number depends on two options: a table with coloured cells.
type Grid struct {
	Title         string
	X, Y          string
	Columns, Rows []string
	Values        [][]float64 // by row; NaN where there is none
	Decimals      int
	Unit          string // what the values are, for the key
}

const cellHigh = 26

func (g *Grid) draw(p *pen, x, y, width float64) float64 {
	above := y
	y += p.heading(g.Title, x, y)
	names := p.width(g.Y, sizeText, bold)
	low, high := math.Inf(1), math.Inf(-1)
	for i, r := range g.Rows {
		names = max(names, p.width(r, sizeText, plain))
		for _, v := range g.Values[i] {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	names = min(names, width*0.3)
	left, top := x+names+10, y+36
	cell := (x + width - left) / float64(max(1, len(g.Columns)))
	p.text((left+x+width)/2, y+11, sizeText, bold, middle, p.theme.Ink, g.X)
	p.text(x+names, y+28, sizeText, bold, end, p.theme.Ink, p.cut(g.Y, sizeText, bold, names))
	for k, name := range g.Columns {
		p.text(left+(float64(k)+0.5)*cell, y+28, sizeText, plain, middle, p.theme.Soft, p.cut(name, sizeText, plain, cell-4))
	}
	for i, name := range g.Rows {
		at := top + float64(i)*cellHigh
		p.text(x+names, at+cellHigh/2+4, sizeText, plain, end, p.theme.Soft, p.cut(name, sizeText, plain, names))
		for k, v := range g.Values[i] {
			if math.IsNaN(v) {
				continue
			}
			c := ramp(scale{low, high, 0, 1}.at(v))
			p.box(left+float64(k)*cell, at, cell-1.5, cellHigh-1.5, c)
			if text := Number(v, g.Decimals); p.width(text, sizeText, plain) < cell-4 {
				p.text(left+(float64(k)+0.5)*cell, at+cellHigh/2+3.5, sizeText, plain, middle, on(c), text)
			}
		}
	}
	bottom := top + float64(len(g.Rows))*cellHigh
	if low <= high {
		p.key(left, bottom+10, min(260, width-names-10), low, high, g.Decimals, g.Unit)
	}
	return bottom + 56 - above
}

// key draws the scale of colours.
func (p *pen) key(x, y, width, low, high float64, decimals int, unit string) {
	const pieces = 40
	for i := range pieces {
		p.box(x+float64(i)*width/pieces, y, width/pieces+0.3, 10, ramp((float64(i)+0.5)/pieces))
	}
	p.text(x, y+22, sizeSmall, plain, start, p.theme.Soft, Number(low, decimals))
	p.text(x+width, y+22, sizeSmall, plain, end, p.theme.Soft, Number(high, decimals))
	p.text(x+width+10, y+9, sizeSmall, plain, start, p.theme.Soft, unit)
}

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
			points := seq.Of(len(line), func(i int) scene.Point { return scene.Pt(across.at(c.At[i]), up.at(line[i])) })
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
