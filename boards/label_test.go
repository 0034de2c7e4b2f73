package boards

import (
	"testing"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/source"
)

// TestLongNames: a name that is too long for its square stands beside it, where nothing else is.
func TestLongNames(t *testing.T) {
	b, faults := Read(source.New("city.yaml", `board: city
colours: [red, blue]
zones: [depot, end]
squares:
  stop:
    list:
      Castle_Street: [0, 0]
      Harbour: [4, 0]
      Old: [8, 0]
      Lower_Gate: [12, 0]
      Upper_Gate: [12, 1]
tracks:
  line: [depot, {stop: {from: 1, to: 5}}, end]
`), nil, nil)
	if b == nil {
		t.Fatal(faults)
	}
	below := map[string]bool{}
	walk(b.Stage().Scene().Nodes, func(g *scene.Group) {
		if !g.Is("label") {
			return
		}
		text := g.Nodes[0].(*scene.Text)
		below[text.Text] = text.At.Y > 0.5
		if g.Is("plain") != (text.Size == besideName) {
			t.Errorf("%s: size %g, plain %t", text.Text, text.Size, g.Is("plain"))
		}
	})
	for name, want := range map[string]bool{"Castle_Street": true, "Harbour": true, "Old": false, "Lower_Gate": false} {
		if below[name] != want {
			t.Errorf("%s stands below its square: %t", name, below[name])
		}
	}
}

// TestTextInside: names stand in their squares, however these are turned, and no text leaves the picture.
func TestTextInside(t *testing.T) {
	for _, text := range []string{`board: spokes
colours: [red, blue]
squares:
  ray: {for: {i: 1..12}, name: '"lane" + string(i)', draw: {x: 5, y: 0, width: 1.9, turned: 30 * i}}
  side: {for: {i: 1..6}, name: '"street" + string(i)', draw: {x: 10 + i, y: 0, width: 2, height: 19/20, angle: 90}}
  tall: {for: {i: 1..6}, name: '"gate" + string(i)', draw: {x: 10 + i, y: 4, height: 2}}
tracks: {race: [{ray: all}, {side: all}, {tall: all}]}
`, `board: jail
colours: [red, blue]
zones: [a_prison_for_all_of_them, goal]
squares:
  ring:
    for: {i: 1..4}
    closed: false
    name: string(i)
    attributes: {jail: {1: a_prison_for_all_of_them, 4: a_prison_for_all_of_them}}
    draw: {x: i, y: 0}
tracks: {race: [{ring: all}, goal]}
drawing: {marks: {jail: arrow}}
`} {
		b := small(t, text)
		var pieces []Standing
		for i := range 6 {
			pieces = append(pieces, Standing{0, i % 2}, Standing{1, i % 2})
		}
		s := b.Scene(pieces)
		inside := func(what string, points []scene.Point, left, top, width, height float64) {
			for _, p := range points {
				if p.X < left || p.X > left+width || p.Y < top || p.Y > top+height {
					t.Errorf("%s: %s leaves it at %.2f, %.2f", b.Name, what, p.X, p.Y)
				}
			}
		}
		walk(s.Nodes, func(g *scene.Group) {
			for _, n := range g.Nodes {
				switch n := n.(type) {
				case *scene.Circle:
					inside("a circle", []scene.Point{scene.Pt(n.Center.X-n.Radius, n.Center.Y), scene.Pt(n.Center.X+n.Radius, n.Center.Y)}, s.Left, s.Top, s.Width, s.Height)
				case *scene.Text:
					low, high := -letter*n.Size*float64(len(n.Text))/2, letter*n.Size*float64(len(n.Text))/2
					if n.Anchor == scene.Start {
						low, high = 0, high-low
					}
					x, y, up := n.At.X, n.At.Y, capital*n.Size
					corners := []scene.Point{scene.Pt(x+low, y), scene.Pt(x+high, y), scene.Pt(x+low, y-up), scene.Pt(x+high, y-up)}
					scene.Turn(corners, n.Angle, n.At)
					inside(n.Text, corners, s.Left, s.Top, s.Width, s.Height)
					if i := g.Item; g.Is("square") && !outside(n, i) {
						scene.Turn(corners, -i.Angle, i.Center)
						inside(n.Text, corners, i.Center.X-i.Width/2, i.Center.Y-i.Height/2, i.Width, i.Height)
						if n.Size < smallName-0.06 {
							t.Errorf("%s: %s is only %.2f high", b.Name, n.Text, n.Size)
						}
					}
				}
			}
		})
	}
}
