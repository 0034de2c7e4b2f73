package boards

import (
	"fmt"
	"strconv"
)

// hue is a colour of a drawing.
type hue struct{ r, g, b int }

// parseHue reads "#rrggbb"; anything else is black.
func parseHue(s string) hue {
	if !isHex(s) {
		return hue{}
	}
	n, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return hue{}
	}
	return hue{int(n >> 16), int(n >> 8 & 255), int(n & 255)}
}

// String is the hue as "#rrggbb".
func (h hue) String() string { return fmt.Sprintf("#%02x%02x%02x", h.r, h.g, h.b) }

// mix is h with a share of other, from 0 to 1.
func (h hue) mix(other hue, share float64) hue {
	part := func(a, b int) int { return a + int(float64(b-a)*share) }
	return hue{part(h.r, other.r), part(h.g, other.g), part(h.b, other.b)}
}

func (h hue) light() bool { return 299*h.r+587*h.g+114*h.b > 150*1000 }

// ink is what can be read on h.
func (h hue) ink() hue {
	if h.light() {
		return hue{58, 46, 34}
	}
	return hue{255, 255, 255}
}

// terminal is the nearest colour of the 256 most terminals know.
func (h hue) terminal() int {
	step := func(v int) int {
		switch {
		case v < 62:
			return 0
		case v < 115:
			return 1
		}
		return min(5, (v-35)/40)
	}
	return 16 + 36*step(h.r) + 6*step(h.g) + step(h.b)
}

var (
	white = hue{255, 255, 255}
	black = hue{0, 0, 0}
)
