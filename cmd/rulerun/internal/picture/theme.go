package picture

import (
	"fmt"
	"image/color"
	"math"
)

type colour = color.NRGBA

// Theme is the colours of a figure. Those of the series can be distinguished by people who see few colours too: they are those
// of Okabe and Ito, "Color Universal Design" (2008), lighter ones on a dark ground.
type Theme struct {
	Paper, Ink, Soft, Grid colour
	Series                 []colour
}

// Light is for paper and light screens.
func Light() *Theme {
	return &Theme{
		Paper: hex(0xffffff), Ink: hex(0x1f2430), Soft: hex(0x596171), Grid: hex(0xdfe3e8),
		Series: []colour{hex(0x0072b2), hex(0xd55e00), hex(0x009e73), hex(0xb8609a), hex(0xc98a00), hex(0x3d3d3d)},
	}
}

// Dark reads on dark screens.
func Dark() *Theme {
	return &Theme{
		Paper: hex(0x15181e), Ink: hex(0xe9ebee), Soft: hex(0xa7afbc), Grid: hex(0x303743),
		Series: []colour{hex(0x5ab4ec), hex(0xf39237), hex(0x2fc79c), hex(0xe19bc6), hex(0xf0c54a), hex(0xcfcfcf)},
	}
}

// markers is a theme in which each colour stands for its variable: kinds of magenta, which no board is drawn in, so that
// what belongs to a board keeps its colour.
func markers() *Theme {
	t := &Theme{Series: make([]colour, len(Light().Series))}
	list := []*colour{&t.Paper, &t.Ink, &t.Soft, &t.Grid}
	for i := range t.Series {
		list = append(list, &t.Series[i])
	}
	for i, c := range list {
		*c = colour{R: 255, G: uint8(20 * i), B: 255, A: 255}
	}
	return t
}

// series is the colour of a series.
func (t *Theme) series(i int) colour { return t.Series[i%len(t.Series)] }

// Variable is a colour of a theme by the name it has as a custom property of CSS.
type Variable struct {
	Name  string // "--paper"
	Value string // "#ffffff"
}

// Variables are the colours of a theme under the names that Styled gives them.
func (t *Theme) Variables() []Variable {
	out := []Variable{{"--paper", code(t.Paper)}, {"--ink", code(t.Ink)}, {"--soft", code(t.Soft)}, {"--grid", code(t.Grid)}}
	for i, c := range t.Series {
		out = append(out, Variable{fmt.Sprintf("--series%d", i+1), code(c)})
	}
	return out
}

func hex(v uint32) colour { return colour{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255} }

// code is a colour as SVG written by the library has it.
func code(c colour) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

func faint(c colour, alpha float64) colour {
	c.A = uint8(math.Round(255 * alpha))
	return c
}

// steps lead from little to much: the yellow, green and blue of ColorBrewer (Harrower and Brewer, 2003), which differ for
// people who see few colours, on paper, and in grey.
var steps = [...]colour{
	hex(0xffffe0), hex(0xedf8b1), hex(0xc7e9b4), hex(0x7fcdbb), hex(0x41b6c4), hex(0x1d91c0), hex(0x225ea8), hex(0x253494), hex(0x081d58),
}

// ramp is the colour of a share from 0 to 1.
func ramp(v float64) colour {
	if math.IsNaN(v) {
		v = 0
	}
	at := max(0, min(1, v)) * float64(len(steps)-1)
	i := min(int(at), len(steps)-2)
	f := at - float64(i)
	a, b := steps[i], steps[i+1]
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + f*(float64(y)-float64(x)))) }
	return colour{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// on is a colour that can be read on a colour.
func on(c colour) colour {
	if 0.299*float64(c.R)+0.587*float64(c.G)+0.114*float64(c.B) > 122 {
		return hex(0x14181f)
	}
	return hex(0xfdfdfd)
}
