package scene

import (
	"fmt"
	"image/color"
)

// Paint is a colour. The zero value paints nothing.
type Paint struct {
	color.NRGBA
	// Variable is the CSS custom property that may replace the colour: "--ink". See Options.
	Variable string
	// Ball makes the colour of a circle lighter at the upper left and darker at the rim. See BallAt.
	Ball bool
}

// RGB is the opaque paint of a number such as 0xf5c21b.
func RGB(v uint32) Paint {
	return Paint{NRGBA: color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 255}}
}

// Hex is the colour as "#rrggbb", without its opacity.
func (c Paint) Hex() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Mix is c with a share of other, from 0 to 1.
func (c Paint) Mix(other Paint, share float64) Paint {
	mix := func(a, b uint8) uint8 { return uint8(int(a) + int(float64(int(b)-int(a))*share)) }
	return Paint{NRGBA: color.NRGBA{R: mix(c.R, other.R), G: mix(c.G, other.G), B: mix(c.B, other.B), A: c.A}}
}

// Faint is c with an opacity from 0 to 1.
func (c Paint) Faint(opacity float64) Paint {
	c.A = uint8(opacity*255 + 0.5)
	return c
}

// The light on a Ball comes from a spot in the square around the circle: BallX and BallY, each a share of the square's
// side. It fades over BallReach sides.
const (
	BallX, BallY = 0.38, 0.32
	BallReach    = 0.75
)

// ballMiddle is the distance from the spot at which a Ball has its own colour.
const ballMiddle = 0.55

// BallAt is the colour of a Ball at a distance from its spot, in units of BallReach.
func (c Paint) BallAt(distance float64) Paint {
	own := Paint{NRGBA: c.NRGBA}
	light, dark := own.Mix(RGB(0xffffff), 0.45), own.Mix(RGB(0), 0.28)
	if distance < ballMiddle {
		return light.Mix(own, distance/ballMiddle)
	}
	return own.Mix(dark, (distance-ballMiddle)/(1-ballMiddle))
}
