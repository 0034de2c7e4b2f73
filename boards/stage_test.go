package boards

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/boards/scene"
)

// TestStage: pieces stand on the spots where the scene with pieces has them, no label is left in a square, and every zone that is not on the
// board has a tray below it.
func TestStage(t *testing.T) {
	for name, b := range drawn(t) {
		pieces := crowd(b)
		pieces = pieces[:len(pieces)-2] // without those that there are not
		centers := map[string]scene.Point{}
		walk(b.Scene(pieces).Nodes, func(g *scene.Group) {
			if g.Is("piece") && g.ID != "" {
				centers[g.ID] = g.Item.Center
			}
		})
		stage := b.Stage()
		type where struct{ place, colour int }
		here := map[where][]int{} // indices of pieces
		for i, p := range pieces {
			at := where{p.Place, None}
			if stage.Owned(p.Place) {
				at.colour = p.Colour
			}
			here[at] = append(here[at], i)
		}
		for at, list := range here {
			for i, spot := range stage.Spots(at.place, at.colour, len(list)) {
				center, ok := centers[fmt.Sprintf("piece-%d", list[i]+1)]
				if stage.Tray(at.place) {
					if bottom := stage.Scene().Top + stage.Scene().Height; spot.Y < bottom || spot.Y > bottom+TrayHeight {
						t.Errorf("%s: a piece in the tray %s stands at %v, the board ends at %v", name, b.Places[at.place].Name, spot, bottom)
					}
					continue
				}
				if !ok || center != scene.Pt(spot.X, spot.Y) {
					t.Errorf("%s: piece %d on %s stands at %v, want %v", name, list[i], b.Places[at.place].Name, spot, center)
				}
			}
		}
		labels := 0
		walk(stage.Scene().Nodes, func(g *scene.Group) {
			if g.Is("label") {
				labels++
			}
			if g.Is("piece") || g.Is("tray") {
				t.Errorf("%s: there is a piece: %s", name, g.ID)
			}
			for _, n := range g.Nodes {
				if _, ok := n.(*scene.Text); ok && (g.Is("square") || g.Is("zone")) {
					t.Errorf("%s: %s has its label still", name, g.ID)
				}
			}
		})
		if labels < len(b.squares()) {
			t.Errorf("%s: %d labels for %d squares", name, labels, len(b.squares()))
		}
		var text bytes.Buffer
		if err := scene.SVG(&text, stage.Scene(), scene.Options{Classes: true}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), `class="fill-paper stroke-line"`) {
			t.Errorf("%s: squares have no classes for their colours", name)
		}
	}
}
