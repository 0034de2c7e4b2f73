package picture

import (
	"image/color"
	"math"
	"strconv"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Theme is the colours of a figure. Those of the series can be distinguished by people with colour vision deficiency:
// they are those of Okabe and Ito, "Color Universal Design" (2008), in lighter variants for dark backgrounds.
type Theme struct {
	Paper, Ink, Soft, Grid scene.Paint
	Series                 []scene.Paint
}

// Light is for paper and light screens.
func Light() *Theme {
	return newTheme(0xffffff, 0x1f2430, 0x596171, 0xdfe3e8, 0x0072b2, 0xd55e00, 0x009e73, 0xb8609a, 0xc98a00, 0x3d3d3d)
}

// Dark reads on dark screens.
func Dark() *Theme {
	return newTheme(0x15181e, 0xe9ebee, 0xa7afbc, 0x303743, 0x5ab4ec, 0xf39237, 0x2fc79c, 0xe19bc6, 0xf0c54a, 0xcfcfcf)
}

func newTheme(paper, ink, soft, grid uint32, series ...uint32) *Theme {
	paint := func(variable string, rgb uint32) scene.Paint {
		c := scene.RGB(rgb)
		c.Variable = variable
		return c
	}
	t := &Theme{Paper: paint("--paper", paper), Ink: paint("--ink", ink), Soft: paint("--soft", soft), Grid: paint("--grid", grid)}
	t.Series = seq.Of(len(series), func(i int) scene.Paint { return paint("--series"+strconv.Itoa(i+1), series[i]) })
	return t
}

// series is the colour of a series.
func (t *Theme) series(i int) scene.Paint { return t.Series[i%len(t.Series)] }

// Variable is a colour of a theme as a custom property of CSS.
type Variable struct {
	Name  string // "--paper"
	Value string // "#ffffff"
}

// Variables are the colours of a theme under the names that Inline gives them.
func (t *Theme) Variables() []Variable {
	all := append([]scene.Paint{t.Paper, t.Ink, t.Soft, t.Grid}, t.Series...)
	return seq.Map(all, func(c scene.Paint) Variable { return Variable{c.Variable, c.Hex()} })
}

// steps are the colours of a sequential scale, from small to large: the YlGnBu scheme of ColorBrewer (Harrower and Brewer,
// 2003), which also works with colour vision deficiency, in print, and in grey.
var steps = [...]uint32{0xffffe0, 0xedf8b1, 0xc7e9b4, 0x7fcdbb, 0x41b6c4, 0x1d91c0, 0x225ea8, 0x253494, 0x081d58}

// ramp is the colour of a share from 0 to 1.
func ramp(v float64) scene.Paint {
	if math.IsNaN(v) {
		v = 0
	}
	at := max(0, min(1, v)) * float64(len(steps)-1)
	i := min(int(at), len(steps)-2)
	f := at - float64(i)
	a, b := scene.RGB(steps[i]), scene.RGB(steps[i+1])
	mix := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + f*(float64(y)-float64(x)))) }
	return scene.Paint{NRGBA: color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}}
}

// on is a colour for text on c.
func on(c scene.Paint) scene.Paint {
	if 0.299*float64(c.R)+0.587*float64(c.G)+0.114*float64(c.B) > 122 {
		return scene.RGB(0x14181f)
	}
	return scene.RGB(0xfdfdfd)
}
