package picture

import (
	"math"

	"github.com/rulerun/rulerun/dsl/seq"
)

// Mark is a number with its interval.
type Mark struct{ Low, Mid, High float64 }

// Row is one line of a panel: its marks, one for each series, and a note at the right.
type Row struct {
	Name  string
	Marks []Mark
	Note  string
	Mute  bool // no difference was found: it is drawn in grey
	// Band is the half width of a band around the reference: what lies in it does not matter; 0 for none.
	Band float64
}

// Dots shows numbers with their intervals, one row each on a common axis: differences with a line at zero, shares
// of the seats with a line at the even share, strengths of players.
type Dots struct {
	Title     string
	X         string // what the axis counts
	Keys      []string
	Rows      []Row
	Reference float64 // where a line stands; NaN for none
	Words     string  // the label of that line: "no difference"
}

const rowHigh = 24

func (d *Dots) draw(p *pen, x, y, width float64) float64 {
	above := y
	y += p.heading(d.Title, x, y)
	y += p.keys(d.Keys, x, y, width)
	names, notes := 0.0, 0.0
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range d.Rows {
		names = max(names, p.width(r.Name, sizeText, plain))
		notes = max(notes, p.width(r.Note, sizeText, plain))
		for _, m := range r.Marks {
			low, high = min(low, m.Low, m.Mid), max(high, m.High, m.Mid)
		}
	}
	if !math.IsNaN(d.Reference) {
		low, high = min(low, d.Reference), max(high, d.Reference)
	}
	if low > high {
		low, high = 0, 1
	}
	names, notes = min(names, width*0.4), min(notes, width*0.35)
	low, high = span(low, high, 0.06)
	across := scale{low, high, x + names + 14, x + width - notes - 16}
	if notes == 0 {
		across.to = x + width - 8
	}
	top := y
	if d.Words != "" {
		top += 14
	}
	most := max(1, seq.Most(d.Rows, func(r Row) int { return len(r.Marks) }))
	row := rowHigh + 9*float64(most-1) // marks of several series stand below one another
	bottom := top + float64(len(d.Rows))*row
	p.below(across, top, bottom, d.X)
	for i, r := range d.Rows {
		if left, right := max(across.from, across.at(d.Reference-r.Band)), min(across.to, across.at(d.Reference+r.Band)); r.Band > 0 {
			p.box(left, top+float64(i)*row, right-left, row, p.theme.Soft.Faint(0.18))
		}
	}
	if !math.IsNaN(d.Reference) {
		at := across.at(d.Reference)
		p.line(at, top-2, at, bottom, 1.2, p.theme.Ink, 4, 3)
		if half := p.width(d.Words, sizeSmall, plain) / 2; d.Words != "" {
			p.text(max(across.from+half, min(across.to-half, at)), top-6, sizeSmall, plain, middle, p.theme.Soft, d.Words)
		}
	}
	for i, r := range d.Rows {
		middleY := top + (float64(i)+0.5)*row
		p.text(x+names, middleY+4, sizeText, plain, end, p.theme.Ink, p.cut(r.Name, sizeText, plain, names))
		p.text(across.to+16, middleY+4, sizeText, plain, start, p.theme.Soft, p.cut(r.Note, sizeText, plain, notes))
		for k, m := range r.Marks {
			c := p.theme.series(k)
			if r.Mute {
				c = p.theme.Soft
			}
			at := middleY + (float64(k)-float64(len(r.Marks)-1)/2)*9
			p.line(across.at(m.Low), at, across.at(m.High), at, 2.2, c)
			for _, v := range []float64{m.Low, m.High} {
				p.line(across.at(v), at-3.5, across.at(v), at+3.5, 1.4, c)
			}
			p.dot(across.at(m.Mid), at, 4, c)
		}
	}
	return bottom + 44 - above
}
