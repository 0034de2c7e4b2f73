package interpreter

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// CompileTraced is Compile for a game that records the way of each walk: see Position.Way. It plays the same, more slowly.
func CompileTraced(rules *model.Rules) (*Game, error) {
	return compiled(compile.Traced(rules))
}

// Traced is the game as CompileTraced makes it: g itself, or another game, whose positions are not interchangeable with
// those of g.
func (g *Game) Traced() (*Game, error) {
	if g.prog.Traced {
		return g, nil
	}
	t, err := CompileTraced(g.rules)
	if err == nil {
		t.keeps = g.keeps
	}
	return t, err
}

// Way appends to dst the places on the way of option i of the present choice, from the place of its piece to its end,
// a place for each step. It appends nothing at other nodes, for options that move no piece, and for walks in a game
// that is not Traced. It cuts a walk off after 256 steps.
func (p *Position) Way(dst []int, i int) []int {
	if p.Kind() != Choice || p.m.Node != code.NodeOption || i < 0 || i >= p.OptionCount() {
		return dst
	}
	return p.game.way(dst, p.m, &p.m.Options()[i])
}

// Way appends to dst the way of option i, as Position.Way does.
func (d *Decision) Way(dst []int, i int) []int { return d.position().Way(dst, i) }

func (g *Game) way(dst []int, m *vm.Machine, o *vm.Option) []int {
	if !g.prog.MovesPiece[o.Move] || o.From < 0 || o.To < 0 {
		return dst
	}
	if o.Walk == 0 { // not a walk
		return append(dst, int(o.From), int(o.To))
	}
	if !g.prog.Traced {
		return dst
	}
	colour := g.colourIn(m.State(), int(o.Params[0]))
	nodes := g.rules.Track.Runs[g.rules.Colours[colour].Board].Nodes
	at := int(m.State()[g.prog.Layout.Node+int(o.Params[0])]) - g.prog.Nodes[colour]
	dst = append(dst, int(o.From))
	back := o.Walk < 0
	for _, step := range m.PathOf(o) {
		if step == code.PathTurn {
			back = !back
			continue
		}
		ways := nodes[at].Next
		if back {
			ways = nodes[at].Prev
		}
		at = ways[step-1]
		dst = append(dst, nodes[at].Place)
	}
	return dst
}
