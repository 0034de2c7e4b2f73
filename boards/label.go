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
	capital    = 0.72 // the height of a capital letter
	widestName = 3.0
)

// labelOf is the text of a square, which stands in it if it can be read there: upright, or else along the square.
func (p *painter) labelOf(place int, fill scene.Paint) *scene.Text {
	s := p.board.drawing.squares[place]
	length, middle := float64(utf8.RuneCountInString(s.Label)), s.middle()
	sin, cos := math.Sincos(s.Angle * math.Pi / 180)
	across, down := math.Abs(sin), math.Abs(cos)
	// The corners of a text of size 1 lie within a square with these sides:
	wide, high := letter*length*down+capital*across, letter*length*across+capital*down
	largest := min(0.46, 0.46*min(s.Width, s.Height))
	size, along := min(largest, 0.84*s.Width/wide, 0.84*s.Height/high), min(largest, 0.84*max(s.Width, s.Height)/(letter*length))
	if size < smallName && along >= smallName {
		turn := s.Angle
		if s.Height > s.Width {
			turn += 90
		}
		turn = math.Mod(turn+90, 180) - 90
		at := []scene.Point{scene.Pt(middle.X, middle.Y+0.36*along)}
		scene.Turn(at, turn, middle)
		t := centered(s.Label, at[0].X, at[0].Y, along, readableOn(fill))
		t.Angle = turn
		return t
	}
	if beside := min(besideName, widestName/(letter*length)); size < smallName && beside >= smallName && s.Form == boxForm {
		for _, over := range []float64{1, -1} {
			y := s.Y + over*((s.Width*across+s.Height*down)/2+0.1+beside/2)
			if p.free(place, scene.Pt(s.X, y), letter*length*beside, beside) {
				return centered(s.Label, s.X, y+0.36*beside, beside, readableOn(wood))
			}
		}
	}
	return centered(s.Label, middle.X, middle.Y+0.36*size, size, readableOn(fill))
}

// outside reports whether a text is over or under a square.
func outside(t *scene.Text, square scene.Item) bool {
	sin, cos := math.Sincos(square.Angle * math.Pi / 180)
	return math.Abs(t.At.Y-square.Center.Y) > (square.Width*math.Abs(sin)+square.Height*math.Abs(cos))/2
}

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

// ends are the ends of a centered text.
func ends(t *scene.Text) []scene.Point {
	half := t.Size * letter * float64(utf8.RuneCountInString(t.Text)) / 2
	return []scene.Point{scene.Pt(t.At.X-half, t.At.Y), scene.Pt(t.At.X+half, t.At.Y)}
}
