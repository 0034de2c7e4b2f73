package interpreter

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/model"
)

// TestWay plays every rule file in the form that keeps ways beside the usual one: both play the same, and each way leads from
// where the piece stands to where the option ends, along its track.
func TestWay(t *testing.T) {
	everyGame(t, func(t *testing.T, rules *model.Rules) {
		g, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		traced, err := g.Traced()
		if err != nil {
			t.Fatal(err)
		}
		p, q := g.Start(0), traced.Start(0)
		r := NewRandom(21, 1)
		for node := range 1500 {
			if p.Kind() != q.Kind() || p.Player() != q.Player() {
				t.Fatalf("node %d: got kind %d of %d, the traced form has %d of %d", node, p.Kind(), p.Player(), q.Kind(), q.Player())
			}
			if diff := cmp.Diff(p.Options(), q.Options()); diff != "" {
				t.Fatalf("node %d: options\n%s", node, diff)
			}
			if p.Kind() == Choice {
				for i := range q.Options() {
					wayHolds(t, q, i)
				}
			}
			s := r
			switch p.Kind() {
			case Throw:
				p.ThrowRandom(&r)
				q.ThrowRandom(&s)
			case Choice:
				p.ChooseRandom(&r)
				q.ChooseRandom(&s)
			case Broken:
				return
			default:
				p.Restart(0)
				q.Restart(0)
			}
		}
	})
}

// wayHolds checks the way of an option.
func wayHolds(t *testing.T, p *Position, i int) {
	t.Helper()
	o, rules := p.Options()[i], p.game.rules
	way := p.Way(nil, i)
	if o.Move == None || o.Piece == None || o.To == None {
		if len(way) > 0 {
			t.Fatalf("option %v goes a way: %v", o, way)
		}
		return
	}
	if way[0] != o.From || way[len(way)-1] != o.To {
		t.Fatalf("%s goes the way %v", p.game.OptionText(o), way)
	}
	m := rules.Moves[o.Move]
	if m.Kind != model.MoveWalk {
		return
	}
	nodes := rules.Track.Runs[rules.Colours[o.Colour].Board].Nodes
	for k := range len(way) - 1 {
		joined := false
		for _, n := range nodes {
			for _, next := range n.Next {
				a, b := n.Place, nodes[next].Place
				joined = joined || a == way[k] && b == way[k+1] || b == way[k] && a == way[k+1]
			}
		}
		if !joined {
			t.Fatalf("%s goes from %s to %s", p.game.OptionText(o), p.game.PlaceName(way[k]), p.game.PlaceName(way[k+1]))
		}
	}
}
