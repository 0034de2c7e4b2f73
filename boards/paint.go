package boards

import (
	"strconv"

	"github.com/rulerun/rulerun/boards/scene"
)

var (
	white = scene.RGB(0xffffff)
	black = scene.RGB(0)
)

// paint is the paint of a colour's pieces, grey for None.
func (b *Board) paint(colour int) scene.Paint {
	if colour < 0 || colour >= len(b.Colours) {
		return scene.RGB(0x808080)
	}
	hue := b.Colours[colour].Hue
	if !isHex(hue) {
		return black
	}
	v, _ := strconv.ParseUint(hue[1:], 16, 32)
	return scene.RGB(uint32(v))
}

// readableOn is a paint for text on c.
func readableOn(c scene.Paint) scene.Paint {
	if light := 299*int(c.R)+587*int(c.G)+114*int(c.B) > 150*1000; light {
		return dark
	}
	return white
}

// terminalColour is the nearest of the 256 colours that most terminals have.
func terminalColour(c scene.Paint) int {
	step := func(v uint8) int {
		switch {
		case v < 62:
			return 0
		case v < 115:
			return 1
		}
		return min(5, (int(v)-35)/40)
	}
	return 16 + 36*step(c.R) + 6*step(c.G) + step(c.B)
}
