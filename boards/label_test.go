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
