package interpreter

import (
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// node is the node of a colour's track at a place, on a passage: the first if none is given. It is -1 off the track;
// ok is false if the track has no such passage.
func (g *Game) node(colour, place, passage int) (int, bool) {
	if passage == 0 {
		return -1, true
	}
	n := 0
	for i, x := range g.run(colour) {
		if x != place {
			continue
		}
		if n++; n == passage || passage == model.AnyPassage {
			return g.prog.Nodes[colour] + i, true
		}
	}
	return -1, passage == model.AnyPassage && g.rules.Board.Places[place].Zone
}

// passage is the passage of a node of a colour's track, 0 off the track.
func (g *Game) passage(colour, node int) int {
	if node < 0 {
		return 0
	}
	run := g.run(colour)
	at := node - g.prog.Nodes[colour]
	return seq.Count(run[:at+1], func(place int) bool { return place == run[at] })
}

// run lists the places of a colour's track, node by node.
func (g *Game) run(colour int) []int {
	g.running.Do(func() {
		g.runs = seq.Map(g.rules.Colours, func(c model.ColourInUse) []int { return g.rules.Track.Runs[c.Board].Places() })
	})
	return g.runs[colour]
}

// SpotName names the place of a piece of a colour, or the end of an option, in the format of tests and positions: the
// name of the place, and the passage if it is not the first: "39/2". Passage 0 is off the track, see Option. It is ""
// for None.
func (g *Game) SpotName(colour, place, passage int) string {
	return g.spot(g.PlaceName(place), colour, passage)
}

func (g *Game) spot(name string, colour, passage int) string {
	if name == "" || passage < 2 || colour < 0 || colour >= len(g.rules.Colours) {
		return name
	}
	return name + "/" + strconv.Itoa(passage)
}

// spot is the place of a piece in the format of a position: as in SpotName, and "39/0" for a piece off its track on a
// square, or in a zone that is on its track.
func (p *Position) spot(piece int) string {
	g := p.game
	l, st := &g.prog.Layout, p.m.State()
	colour, place, node := p.ColourOf(piece), int(st[l.At+piece]), int(st[l.Node+piece])
	if first, ok := g.node(colour, place, model.AnyPassage); node < 0 && (!ok || first >= 0) {
		return g.PlaceName(place) + "/0"
	}
	return g.SpotName(colour, place, g.passage(colour, node))
}

// ordinal is the ordinal of a piece among those of its colour on its place, from 1, by their numbers.
func (p *Position) ordinal(piece int) int {
	at := p.m.State()[p.game.prog.Layout.At:]
	return len(seq.Which(piece+1, func(q int) bool { return at[q] == at[piece] && p.ColourOf(q) == p.ColourOf(piece) }))
}

// Ordinal is the ordinal of a piece among those of its colour on its place, from 1, as tests and positions count
// them. It is 0 for no piece.
func (p *Position) Ordinal(piece int) int {
	if p.ColourOf(piece) == None {
		return 0
	}
	return p.ordinal(piece)
}

// pieceName is a piece in the format of positions: "red@39", "red@39#2" for the second of red there.
func (p *Position) pieceName(piece int) string {
	name := p.game.ColourName(p.ColourOf(piece)) + "@" + p.game.PlaceName(int(p.m.State()[p.game.prog.Layout.At+piece]))
	if n := p.ordinal(piece); n > 1 {
		name += "#" + strconv.Itoa(n)
	}
	return name
}

// where is the place and passage of a piece.
func (p *Position) where(piece int) model.Spot {
	l, st := &p.game.prog.Layout, p.m.State()
	return model.Spot{Place: int(st[l.At+piece]), Passage: p.game.passage(p.ColourOf(piece), int(st[l.Node+piece]))}
}
