package boards

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/boards/scene"
)

// walk calls f with every group of a scene.
func walk(nodes []scene.Node, f func(*scene.Group)) {
	for _, n := range nodes {
		if g, ok := n.(*scene.Group); ok {
			f(g)
			walk(g.Nodes, f)
		}
	}
}

// TestScene: every square, zone, piece and track has a group of its own, which screen readers can name.
func TestScene(t *testing.T) {
	for name, b := range drawn(t) {
		ids := map[string]*scene.Group{}
		s := b.Scene(crowd(b))
		walk(s.Nodes, func(g *scene.Group) {
			if g.ID != "" && ids[g.ID] != nil {
				t.Errorf("%s: two groups have the id %q", name, g.ID)
			}
			ids[g.ID] = g
		})
		want := func(id, class string, titled bool) {
			t.Helper()
			switch g := ids[id]; {
			case g == nil:
				t.Errorf("%s: there is no group %q", name, id)
			case !g.Is(class):
				t.Errorf("%s: %q has the classes %q, not %q", name, id, g.Classes, class)
			case titled && g.Title == "":
				t.Errorf("%s: %q has no title", name, id)
			}
		}
		for i, p := range b.Places {
			if !p.Zone {
				want("square-"+p.Name, "family-"+b.Families[p.Family], true)
				continue
			}
			for _, z := range b.drawing.zones[i] {
				if id := "zone-" + p.Name; z.Owner == None {
					want(id, "zone", true)
				} else {
					want(id+"-"+b.Colours[z.Owner].Name, "colour-"+b.Colours[z.Owner].Name, true)
				}
			}
		}
		for _, track := range b.Tracks {
			for _, c := range b.Colours {
				want("track-"+track.Name+"-"+c.Name, "track", false)
			}
		}
		if s.Title == "" || s.Desc == "" {
			t.Errorf("%s: the scene says %q and %q", name, s.Title, s.Desc)
		}
	}
}

// TestSceneSquare pins what there is to know about one square, and about a zone.
func TestSceneSquare(t *testing.T) {
	b := shipped(t, "cross68", nil)
	var square, zone *scene.Group
	walk(b.Scene(nil).Nodes, func(g *scene.Group) {
		switch g.ID {
		case "square-5":
			square = g
		case "zone-home-blue":
			zone = g
		}
	})
	if square == nil || zone == nil {
		t.Fatal("a group is missing")
	}
	same(t, "classes of a square", strings.Join(square.Classes, " "), "square family-ring tag-safe landmark-start colour-yellow")
	same(t, "title of a square", square.Title, "5: ring, safe, start of yellow")
	same(t, "item of a square", square.Item, scene.Item{Place: "5", Fill: "yellow", Label: "5", Glyphs: "○", Center: scene.Pt(2, 6.5), Width: 2, Height: 1})
	same(t, "classes of a zone", strings.Join(zone.Classes, " "), "zone bay colour-blue")
	same(t, "title of a zone", zone.Title, "home of blue")
	same(t, "owner of a zone", zone.Item.Owner, "blue")
}

// TestSceneMoves: the ids and classes of a board are the same in every position, and a piece keeps its id when it moves.
func TestSceneMoves(t *testing.T) {
	b := shipped(t, "cross68", nil)
	at := func(pieces []Standing) (board []string, places map[string]string) {
		places = map[string]string{}
		walk(b.Scene(pieces).Nodes, func(g *scene.Group) {
			if g.Is("piece") {
				places[g.ID] = g.Item.Place
			} else if g.ID != "pieces" {
				board = append(board, g.ID+" "+strings.Join(g.Classes, " "))
			}
		})
		return board, places
	}
	place := func(name string) int { p, _ := b.Place(name); return p }
	empty, _ := at(nil)
	one, before := at([]Standing{{place("5"), 0}, {place("5"), 1}})
	two, after := at([]Standing{{place("9"), 0}, {place("5"), 1}})
	if !slices.Equal(empty, one) || !slices.Equal(one, two) {
		t.Error("pieces change the groups of the board")
	}
	if diff := cmp.Diff([]map[string]string{before, after}, []map[string]string{{"piece-1": "5", "piece-2": "5"}, {"piece-1": "9", "piece-2": "5"}}); diff != "" {
		t.Error(diff)
	}
}

// TestSceneTracks: the path of a track goes through the middles of its squares, and branches begin at their forks.
func TestSceneTracks(t *testing.T) {
	for name, b := range drawn(t) {
		for _, g := range b.Scene(nil).Groups("track") {
			middles := map[scene.Point]bool{}
			for _, s := range b.drawing.squares {
				middles[s.middle()] = true
			}
			for _, zones := range b.drawing.zones {
				for _, z := range zones {
					middles[z.middle()] = true
				}
			}
			lines := g.Nodes[0].(*scene.Path).Lines
			for i, line := range lines {
				for _, p := range line {
					if !middles[p] {
						t.Fatalf("%s: %s goes through %v, where no place is", name, g.ID, p)
					}
				}
				if i > 0 && !slices.ContainsFunc(lines[:i], func(l []scene.Point) bool { return slices.Contains(l, line[0]) }) {
					t.Errorf("%s: branch %d of %s begins at %v, where nothing forks", name, i, g.ID, line[0])
				}
			}
		}
	}
	b := small(t, `board: fork
colours: [red]
zones: [nest]
squares:
  lane: {for: {i: 1..4}, name: string(i), draw: {x: i, y: 0}}
  pass: {for: {i: 1..2}, name: "'p' + string(i)", draw: {x: i + 1, y: 1}}
tracks:
  race: [nest, {lane: {from: 1, to: 2}}, {fork: [["lane[3]"], [{pass: all}], []]}, "lane[4]"]
`)
	want := [][]scene.Point{
		{scene.Pt(1, 0), scene.Pt(2, 0), scene.Pt(3, 0), scene.Pt(4, 0)},
		{scene.Pt(2, 0), scene.Pt(2, 1), scene.Pt(3, 1), scene.Pt(4, 0)},
		{scene.Pt(2, 0), scene.Pt(4, 0)},
	}
	same(t, "lines of a track with a fork", b.Scene(nil).Groups("track-race")[0].Nodes[0].(*scene.Path).Lines, want)
}

// TestSceneInside: the window of a scene holds everything that is drawn.
func TestSceneInside(t *testing.T) {
	for name, b := range drawn(t) {
		s := b.Scene(crowd(b))
		inside := func(what string, points ...scene.Point) {
			for _, p := range points {
				if !(p.X >= s.Left && p.X <= s.Left+s.Width && p.Y >= s.Top && p.Y <= s.Top+s.Height) || math.IsNaN(p.X+p.Y) {
					t.Errorf("%s: %s lies at %v, outside the window", name, what, p)
				}
			}
		}
		walk(s.Nodes, func(g *scene.Group) {
			for _, n := range g.Nodes {
				switch n := n.(type) {
				case *scene.Rect:
					inside(g.ID, scene.Pt(n.X, n.Y), scene.Pt(n.X+n.Width, n.Y+n.Height))
				case *scene.Circle:
					inside(g.ID, scene.Pt(n.Center.X-n.Radius, n.Center.Y-n.Radius), scene.Pt(n.Center.X+n.Radius, n.Center.Y+n.Radius))
				case *scene.Polygon:
					inside(g.ID, n.Points...)
				case *scene.Path:
					inside(g.ID, slices.Concat(n.Lines...)...)
				case *scene.Text:
					inside(g.ID, n.At)
				}
			}
		})
	}
}

// TestMarks: every mark shows in the picture, as something drawn or as a change of the square, and in a terminal.
func TestMarks(t *testing.T) {
	square := func(mark string) *scene.Group {
		b := small(t, `board: marked
colours: [red, blue]
squares:
  lane: {for: {i: 1..4}, name: string(i), tags: {odd: i == 1}, attributes: {far: {1: 4}}, draw: {x: i, y: 0}}
tracks:
  race: [{lane: all}]
drawing:
  marks: {`+mark+`}
`)
		s := b.Scene(nil)
		if strings.Contains(mark, "arrow") && len(s.Groups("arrow-far")) != 1 {
			t.Error("arrow: there is none")
		}
		return s.Groups("square")[0]
	}
	none := square("")
	for _, mark := range markNames() {
		of := "odd"
		if mark == "arrow" {
			of = "far"
		}
		g := square(of + ": " + mark)
		if g.Item.Glyphs == "" {
			t.Errorf("%s: a terminal has no character for it", mark)
		}
		if mark != "arrow" && cmp.Equal(g.Nodes, none.Nodes) {
			t.Errorf("%s: the square looks as if it had no mark", mark)
		}
	}
}
