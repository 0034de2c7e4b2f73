package boards

import (
	"fmt"
	"math"
	"slices"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// deepest is how far two drawings may reach into one another, as a part of the smaller one's shorter side.
const deepest = 0.12

// shape is an area as a polygon, with a circle around it.
type shape struct {
	area
	place   int
	outline []scene.Point
	middle  scene.Point
	radius  float64
}

// drawnOver warns of squares and zones whose drawings overlap. Squares on the same spot have been reported already.
func (r *reader) drawnOver() {
	b := r.board
	var all []shape
	add := func(place int, s area) {
		outline := s.around()
		radius := seq.Most(outline, func(p scene.Point) float64 { return math.Hypot(p.X-s.X, p.Y-s.Y) })
		all = append(all, shape{area: s, place: place, outline: outline, middle: scene.Pt(s.X, s.Y), radius: radius})
	}
	for place := range b.Places {
		for _, s := range b.drawing.zones[place] {
			add(place, s)
		}
	}
	for _, place := range b.squares() {
		add(place, b.drawing.squares[place])
	}
	said := diagsOf(r, "overlap")
	var pairs [][2]int
	for j, t := range all {
		for i, s := range all[:j] {
			if math.Hypot(s.middle.X-t.middle.X, s.middle.Y-t.middle.Y) < s.radius+t.radius &&
				depth(s.outline, t.outline) > deepest*min(s.Width, s.Height, t.Width, t.Height) && !said[b.Places[t.place].Span] {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	r.eachFirst(pairs, func(i int) int { return all[i].place }, func(first, second int, at source.Span) diag.Ref {
		s, t := all[first], all[second]
		what, hint := fmt.Sprintf("%q and %q", b.Places[s.place].Name, b.Places[t.place].Name), "draw them farther apart, or smaller with width and height"
		if s.place == t.place {
			what = fmt.Sprintf("%q for %s and for %s", b.Places[s.place].Name, b.Colours[s.Owner].Name, b.Colours[t.Owner].Name)
			hint = "say with c where each colour's is, as in x: 3 * c.seat"
		}
		return r.warn("drawn-over", at, "the drawings of %s overlap", what).WithHint("%s", hint)
	})
}

// diagsOf are the places of findings with a code.
func diagsOf(r *reader, code string) map[source.Span]bool {
	return seq.Set(seq.Filter(*r.diags, func(d diag.Diagnostic) bool { return d.Code == code }), func(d diag.Diagnostic) source.Span { return d.Span })
}

// depth is how far two convex polygons reach into one another: by how much one would have to move to be free of the other. It
// is 0 or less if they do not overlap.
func depth(a, b []scene.Point) float64 {
	least := math.Inf(1)
	for _, polygon := range [][]scene.Point{a, b} {
		for i, p := range polygon {
			q := polygon[(i+1)%len(polygon)]
			length := math.Hypot(q.X-p.X, q.Y-p.Y)
			if length < 1e-9 {
				continue
			}
			normal := scene.Pt((q.Y-p.Y)/length, (p.X-q.X)/length)
			lowA, highA := along(a, normal)
			lowB, highB := along(b, normal)
			least = min(least, highA-lowB, highB-lowA)
		}
	}
	return least
}

// along is the extent of points in a direction.
func along(points []scene.Point, direction scene.Point) (low, high float64) {
	list := seq.Map(points, func(p scene.Point) float64 { return p.X*direction.X + p.Y*direction.Y })
	return slices.Min(list), slices.Max(list)
}
