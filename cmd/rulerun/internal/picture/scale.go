package picture

import (
	"math"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards/scene"
)

// scale maps numbers to coordinates of a figure.
type scale struct{ low, high, from, to float64 }

func (s scale) at(v float64) float64 {
	if s.high == s.low {
		return (s.from + s.to) / 2
	}
	return s.from + (v-s.low)/(s.high-s.low)*(s.to-s.from)
}

// span widens the range from low to high by a share on each side; a single number gets some room.
func span(low, high, share float64) (float64, float64) {
	room := (high - low) * share
	if room == 0 {
		room = max(math.Abs(high)*0.1, 0.5)
	}
	return low - room, high + room
}

// ticks are round numbers between low and high, about n of them, and how many decimals they need.
func ticks(low, high float64, n int) ([]float64, int) {
	if !(high > low) || math.IsInf(high-low, 0) {
		return []float64{low}, 0
	}
	raw := (high - low) / float64(n)
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := unit * 10
	for _, k := range []float64{1, 2, 5} {
		if unit*k >= raw {
			step = unit * k
			break
		}
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	var out []float64
	for k := math.Ceil(low/step - 1e-9); k*step <= high+step*1e-9; k++ {
		out = append(out, k*step)
	}
	return out, decimals
}

// Number formats a number with a typographic minus sign and spaces between thousands.
func Number(v float64, decimals int) string {
	whole, part, fraction := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', decimals, 64), ".")
	if len(whole) > 4 {
		var groups []string
		for len(whole) > 3 {
			groups = append([]string{whole[len(whole)-3:]}, groups...)
			whole = whole[:len(whole)-3]
		}
		whole = strings.Join(append([]string{whole}, groups...), " ")
	}
	if fraction {
		whole += "." + part
	}
	if v < 0 && strings.Trim(whole, "0. ") != "" {
		return "−" + whole
	}
	return whole
}

// Decimals is the number of decimals that shows differences of about d.
func Decimals(d float64) int {
	if d <= 0 || math.IsInf(d, 0) || math.IsNaN(d) {
		return 0
	}
	return max(0, min(4, int(math.Ceil(-math.Log10(d)))))
}

// below draws an axis below a stretch, with lines up across it, and what it counts.
func (p *pen) below(s scale, top, bottom float64, words string) {
	marks, decimals := ticks(s.low, s.high, max(2, int((s.to-s.from)/60)))
	for _, v := range marks {
		x := s.at(v)
		if top < bottom {
			p.line(x, top, x, bottom, 0.7, p.theme.Grid)
		}
		p.text(x, bottom+14, sizeSmall+0.5, plain, middle, p.theme.Soft, Number(v, decimals))
	}
	if words != "" {
		p.text((s.from+s.to)/2, bottom+31, sizeText, plain, middle, p.theme.Ink, words)
	}
}

// beside draws an axis to the left of a stretch, with lines across it, and what it counts.
func (p *pen) beside(s scale, left, right float64, words string) {
	marks, decimals := ticks(s.low, s.high, max(2, int(math.Abs(s.to-s.from)/45)))
	for _, v := range marks {
		y := s.at(v)
		p.line(left, y, right, y, 0.7, p.theme.Grid)
		p.text(left-6, y+3.5, sizeSmall+0.5, plain, end, p.theme.Soft, Number(v, decimals))
	}
	if words != "" {
		at := scene.Pt(left-42, (s.from+s.to)/2) // it reads upwards
		length := p.width(words, sizeText, plain)
		p.add(&scene.Text{Fill: p.theme.Ink, At: at, Anchor: middle, Size: sizeText, Angle: -90, Length: length, Text: words})
	}
}

// heading writes a title, if there is one, and returns its height.
func (p *pen) heading(title string, x, y float64) float64 {
	if title == "" {
		return 0
	}
	p.text(x, y+11, sizeWords, bold, start, p.theme.Ink, title)
	return 20
}

// keys draws which colour belongs to which name, in one or more rows, and returns their height.
func (p *pen) keys(names []string, x, y, width float64) float64 {
	if len(names) < 2 {
		return 0
	}
	const row = 18
	at, rows := 0.0, 1
	for i, name := range names {
		name = p.cut(name, sizeText, plain, width-20)
		w := p.width(name, sizeText, plain) + 36
		if at > 0 && at+w-18 > width {
			at = 0
			rows++
		}
		base := y + float64(rows-1)*row
		p.box(x+at, base+2, 11, 11, p.theme.series(i))
		p.text(x+at+17, base+11.5, sizeText, plain, start, p.theme.Ink, name)
		at += w
	}
	return float64(rows)*row + 6
}
