package boards

import (
	"math"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
)

// Sizes of names, in units of the drawing.
const (
	smallName  = 0.28 // a smaller one cannot be read: it stands under or over its square, where there is room
	besideName = 0.36
	letter     = 0.56 // the width of a letter, for a size of 1
	widestName = 3.0
)

// labelOf is the text of a square, which stands in it if it can be read there.
func (p *painter) labelOf(place int, fill scene.Paint) *scene.Text {
	s := p.board.drawing.squares[place]
	length, middle := float64(utf8.RuneCountInString(s.Label)), s.middle()
	size := min(0.46, 0.46*min(s.Width, s.Height), 1.5*s.Width/length)
	if beside := min(besideName, widestName/(letter*length)); size < smallName && beside >= smallName && s.Form == boxForm {
		for _, over := range []float64{1, -1} {
			y := s.Y + over*(s.Height/2+0.1+beside/2)
			if p.free(place, scene.Pt(s.X, y), letter*length*beside, beside) {
				return centered(s.Label, s.X, y+0.36*beside, beside, readableOn(wood))
			}
		}
	}
	return centered(s.Label, middle.X, middle.Y+0.36*size, size, readableOn(fill))
}

// outside reports whether a text is over or under a square.
func outside(t *scene.Text, middle, height float64) bool { return math.Abs(t.At.Y-middle) > height/2 }

// free reports whether nothing but the ground lies near a rectangle, and no square whose own name would reach into it.
func (p *painter) free(place int, middle scene.Point, width, height float64) bool {
	far := func(s area, width float64) bool {
		reach := max(s.Width, s.Height, width) / 2
		return math.Abs(s.X-middle.X) >= reach+width/2 || math.Abs(s.Y-middle.Y) >= max(s.Width, s.Height)/2+height
	}
	for _, other := range p.board.squares() {
		if s := p.board.drawing.squares[other]; other != place && (len(s.Outline) > 0 || !far(s, width)) {
			return false
		}
	}
	for _, zones := range p.board.drawing.zones {
		for _, z := range zones {
			if !far(z, width) {
				return false
			}
		}
	}
	return true
}
