package boards

import (
	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Stage is a board for a page that moves the pieces itself: its scene without pieces, and the spots on which pieces
// stand. It is immutable.
type Stage struct {
	board *Board
	scene *scene.Scene
	left  float64 // of the trays
	right float64
	below float64 // the middle of the first tray
}

// TrayHeight is how much higher the scene of a Stage is for each tray that is shown.
const TrayHeight = 1.3

// Spot is where a piece stands: its middle and its radius, in units of the scene.
type Spot struct {
	X, Y, Radius float64
}

// Stage is the board without pieces. Its scene has the groups that Scene describes, but for pieces and trays. The text
// on squares and zones is in a layer of its own, "labels", in groups of the class label; Item.Place says whose it is.
// Zones that are not on the board get a tray below it, which is not part of the scene.
func (b *Board) Stage() *Stage {
	s := b.Scene(nil)
	out := &Stage{board: b, scene: s}
	p := &painter{board: b}
	_, low, high := p.extent()
	out.left, out.right = b.sides(low, high)
	out.below = s.Top + s.Height + 0.1
	labels := &scene.Group{ID: "labels"}
	for _, layer := range s.Nodes {
		for _, n := range layer.(*scene.Group).Nodes {
			if g, ok := n.(*scene.Group); ok && (g.Is("square") || g.Is("zone")) {
				labels.Nodes = append(labels.Nodes, takeText(g)...)
			}
		}
	}
	s.Nodes = append(s.Nodes, labels)
	return out
}

func takeText(g *scene.Group) []scene.Node {
	var rest, taken []scene.Node
	for _, n := range g.Nodes {
		if t, ok := n.(*scene.Text); ok {
			classes := []string{"label"}
			if g.Is("square") && outside(t, g.Item) { // on the ground, which is plain
				classes = append(classes, "plain")
			}
			taken = append(taken, &scene.Group{Classes: classes, Item: scene.Item{Place: g.Item.Place}, Nodes: []scene.Node{t}})
		} else {
			rest = append(rest, n)
		}
	}
	g.Nodes = rest
	return taken
}

// Scene is the drawing of the board. The caller must not change it.
func (s *Stage) Scene() *scene.Scene { return s.scene }

// Tray reports whether a place is a zone that is not on the board.
func (s *Stage) Tray(place int) bool { return s.board.tray(place) }

// Owned reports whether each colour has an area of its own in a zone.
func (s *Stage) Owned(place int) bool {
	zones := s.board.drawing.zones[place]
	return len(zones) > 0 && zones[0].Owner != None
}

// Spots are the spots of n pieces of a colour on a place, the oldest arrival first. The colour matters only where Owned.
// Of a tray they are those in the first row. There are none on a place that is not drawn.
func (s *Stage) Spots(place, colour, n int) []Spot {
	if s.Tray(place) {
		return s.traySpots(place, n)
	}
	here, ok := s.board.areaOf(place, colour)
	if !ok {
		return nil
	}
	return seq.Map(here.spots(n), func(at spot) Spot { return Spot{at.X, at.Y, at.radius} })
}

// traySpots are spots in a row, right of the name of the tray.
func (s *Stage) traySpots(place, n int) []Spot {
	begin := s.left + besides(s.board.Places[place].Words)
	apart := min(0.95, max(0.1, s.right-begin)/float64(max(1, n)))
	var out []Spot
	for i := range n {
		out = append(out, Spot{begin + float64(i)*apart, s.below, 0.4})
	}
	return out
}

// Size is the size of a square: its longer and its shorter side, and the angle of the longer one in degrees, clockwise.
func (s *Stage) Size(place int) (long, short, angle float64) {
	a := s.board.drawing.squares[place]
	if a.Height > a.Width {
		return a.Height, a.Width, a.Angle + 90
	}
	return a.Width, a.Height, a.Angle
}
