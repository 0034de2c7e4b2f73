package boards

import (
	"math"
	"strconv"

	"github.com/rulerun/rulerun/dsl/source"
)

// nearHue is how far apart two hues must be to be told apart, in CIELAB: those of any two colours without a palette are 22 or more.
const nearHue = 12

// sameHues warns of colours whose pieces look the same. Those that the parameters leave out take part if the palette has them.
func (r *reader) sameHues() {
	hues := map[string]string{}
	for _, c := range r.board.Colours {
		hues[c.Name] = c.Hue
	}
	for name, n := range r.palette {
		hues[name] = n.text
	}
	var left [][]string // pairs of which neither colour is in the palette: all for one reason
	for i, name := range r.colours {
		for _, other := range r.colours[:i] {
			if hues[name] != "" && hues[other] != "" && distance(hues[name], hues[other]) < nearHue {
				if pair := []string{name, other}; r.palette[name] == nil && r.palette[other] == nil {
					left = append(left, pair)
				} else {
					r.sameHue(pair, hues, 0)
				}
				break
			}
		}
	}
	if len(left) > 0 {
		r.sameHue(left[0], hues, len(left)-1)
	}
}

// sameHue warns of two colours; more is how many pairs there are like these.
func (r *reader) sameHue(two []string, hues map[string]string, more int) {
	at := r.board.declared[two[0]].span
	for _, name := range []string{two[1], two[0]} {
		if n := r.palette[name]; n != nil && r.own(n.span) {
			at = n.span
		}
	}
	if !r.own(at) {
		return
	}
	like := "the same"
	if distance(hues[two[0]], hues[two[1]]) > 0 {
		like = "nearly the same"
	}
	d := r.warn("same-hue", at, "%s and %s have %s hue", two[1], two[0], like).
		WithHint("their pieces look alike: give one of them another hue in the palette")
	for _, name := range two {
		if r.palette[name] == nil && len(r.palette) > 0 {
			d.WithNote(source.Span{}, "the palette has no hue for %s: it gets %s", name, hues[name])
		}
	}
	if more > 0 {
		d.WithNote(source.Span{}, "and %d more like these", more)
	}
}

// distance is how different two hues look: that of their places in CIELAB.
func distance(a, b string) float64 {
	p, q := lab(a), lab(b)
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// lab is a hue "#rrggbb" as lightness, green to red and blue to yellow, seen by daylight.
func lab(hue string) [3]float64 {
	var rgb [3]float64
	for i := range rgb {
		v, _ := strconv.ParseUint(hue[1+2*i:3+2*i], 16, 8)
		if rgb[i] = float64(v) / 255; rgb[i] > 0.04045 {
			rgb[i] = math.Pow((rgb[i]+0.055)/1.055, 2.4)
		} else {
			rgb[i] /= 12.92
		}
	}
	f := func(r, g, b float64) float64 {
		if t := r*rgb[0] + g*rgb[1] + b*rgb[2]; t > 0.008856 {
			return math.Cbrt(t)
		} else {
			return 7.787*t + 16.0/116
		}
	}
	x, y, z := f(0.4339, 0.3762, 0.1899), f(0.2126, 0.7152, 0.0722), f(0.0177, 0.1095, 0.8730)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}
