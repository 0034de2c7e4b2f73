package boards

import (
	"cmp"
	"math"
	"slices"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Standing is a piece of a colour on a place.
type Standing struct {
	Place, Colour int
}

// standings are the indices of the pieces on each place, without unknown places or colours.
func (b *Board) standings(pieces []Standing) map[int][]int {
	on := map[int][]int{}
	for i, p := range pieces {
		if p.Place >= 0 && p.Place < len(b.Places) && p.Colour >= 0 && p.Colour < len(b.Colours) {
			on[p.Place] = append(on[p.Place], i)
		}
	}
	return on
}

// squares lists the places that are drawn as squares.
func (b *Board) squares() []int {
	return seq.Indexes(b.drawing.squares, func(s area) bool { return s.Width > 0 })
}

// landmarkOf is the colour whose landmark a place is, or None.
func (b *Board) landmarkOf(landmark, place int) int {
	return slices.Index(b.Landmarks[landmark].Values, place)
}

// marks lists the marks of a square that are not fills. Fills are apart: filled is the colour of a landmark that fills
// the square, or None, and shaded reports whether a tag or an attribute shades it.
func (b *Board) marks(place int) (marks []markForm, filled int, shaded bool) {
	filled = None
	for _, m := range b.drawing.marks {
		tagged := m.Tag >= 0 && b.Places[place].Tags[m.Tag] || m.Attribute >= 0 && b.Attributes[m.Attribute].Values[place] != None
		landmark := m.Landmark >= 0 && b.landmarkOf(m.Landmark, place) >= 0
		switch {
		case (tagged || landmark) && m.Form != markFill:
			marks = append(marks, m.Form)
		case tagged:
			shaded = true
		case landmark:
			filled = b.landmarkOf(m.Landmark, place)
		}
	}
	return marks, filled, shaded
}

func (s area) corners() []scene.Point {
	if len(s.Outline) > 0 {
		return s.Outline
	}
	w, h := s.Width/2, s.Height/2
	out := []scene.Point{scene.Pt(s.X-w, s.Y-h), scene.Pt(s.X+w, s.Y-h), scene.Pt(s.X+w, s.Y+h), scene.Pt(s.X-w, s.Y+h)}
	scene.Turn(out, s.Angle, scene.Pt(s.X, s.Y))
	return out
}

// around lists points around the area: its corners, or points of its circle.
func (s area) around() []scene.Point {
	if s.Form != discForm {
		return s.corners()
	}
	return seq.Of(24, func(k int) scene.Point {
		sin, cos := math.Sincos(float64(k) * math.Pi / 12)
		return scene.Pt(round(s.X+cos*s.Width/2), round(s.Y+sin*s.Width/2))
	})
}

// middle is the centroid of the area, where its text and pieces stand.
func (s area) middle() scene.Point {
	if s.Form != boxForm || len(s.Outline) == 0 {
		return scene.Pt(s.X, s.Y)
	}
	var twice float64
	var p scene.Point
	for i, a := range s.Outline {
		b := s.Outline[(i+1)%len(s.Outline)]
		cross := a.X*b.Y - b.X*a.Y
		twice += cross
		p.X += (a.X + b.X) * cross
		p.Y += (a.Y + b.Y) * cross
	}
	if math.Abs(twice) < 1e-9 {
		return scene.Pt(s.X, s.Y)
	}
	return scene.Pt(p.X/(3*twice), p.Y/(3*twice))
}

// spot is where a piece stands.
type spot struct {
	scene.Point
	radius float64
}

// bayRoom is the part of a bay in which pieces stand.
const bayRoom = 0.66

// spots places n pieces on an area.
func (s area) spots(n int) []spot {
	if s.Form == bayForm {
		s.Width *= bayRoom
		s.Height *= bayRoom
	}
	middle := s.middle()
	if s.Form == boxForm && !(s.Owner != None || n > 6) {
		return s.row(middle, n)
	}
	// Rings of eight, one inside the other; a large zone has room for larger pieces, farther apart.
	room := min(s.Width, s.Height) / 2
	largest := max(0.42, min(0.55, room*0.28))
	if n == 1 {
		return []spot{{middle, min(largest, room*0.6)}}
	}
	sin := math.Sin(math.Pi / float64(min(n, 8)))
	radius := min(largest, room*0.9*sin/(1+sin))
	away := max(min(room*0.95-radius, radius*1.12/sin), min(room*0.5, radius*1.6/sin))
	return seq.Of(n, func(i int) spot {
		ring, at, size := float64(i/8), i%8, min(8, n-i/8*8)
		turn := 2 * math.Pi * (float64(at)/float64(size) + ring/16)
		if size == 2 || size == 4 {
			turn += math.Pi / float64(size)
		}
		sin, cos := math.Sincos(turn)
		d := away / (1 + ring)
		return spot{scene.Pt(middle.X+sin*d, middle.Y-cos*d), radius}
	})
}

// row places pieces side by side along the longer side of a square. They overlap where the side is short.
func (s area) row(middle scene.Point, n int) []spot {
	long, short, angle := s.Width, s.Height, s.Angle
	if short > long {
		long, short, angle = short, long, angle+90
	}
	radius := min(0.41*short, max(long*0.94/float64(2*n), 0.3*short))
	sin, cos := math.Sincos(angle * math.Pi / 180)
	if long-short < 0.1 && n > 1 { // equal sides: along the diagonal
		sin, cos = math.Sincos((angle - 45) * math.Pi / 180)
	}
	apart := 0.0
	if n > 1 {
		apart = min(2.1*radius, (long*0.94-2*radius)/float64(n-1))
	}
	return seq.Of(n, func(i int) spot {
		d := (float64(i) - float64(n-1)/2) * apart
		return spot{scene.Pt(middle.X+d*cos, middle.Y+d*sin), radius}
	})
}

// hull is the smallest convex outline around points.
func hull(points []scene.Point) []scene.Point {
	slices.SortFunc(points, func(a, b scene.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	points = slices.Compact(points)
	if len(points) < 3 {
		return points
	}
	half := func(points []scene.Point) []scene.Point {
		var out []scene.Point
		for _, p := range points {
			for len(out) >= 2 {
				a, b := out[len(out)-2], out[len(out)-1]
				if (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) > 1e-9 {
					break
				}
				out = out[:len(out)-1]
			}
			out = append(out, p)
		}
		return out[:len(out)-1]
	}
	lower := half(points)
	slices.Reverse(points)
	return append(lower, half(points)...)
}

func (b *Board) tally(pieces []int) []int {
	counts := make([]int, len(b.Colours))
	for _, c := range pieces {
		counts[c]++
	}
	return counts
}
