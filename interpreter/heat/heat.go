// Package heat plays many games and counts events per place of the board: where pieces wait, where they are set down,
// where an act is done.
//
// It is a counter for stats.Collect that watches the games; package stats counts over whole games. Note: counts are per place of the board, not per node of a track; a square that two colours share is one
// place.
package heat

import (
	"context"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// What can be counted apart from acts of the rules.
const (
	Waits    = "waits"    // the pieces on a place, at every throw
	Landings = "landings" // pieces that are set down on a place, by whatever sets them down
)

// Options says what is counted, and in which games. The zero value plays none.
type Options struct {
	// Of is Waits, Landings, or the name of an act.
	Of string
	stats.Options
}

// Map has the counts per place. It belongs to one goroutine while it is added to.
type Map struct {
	Of    string
	Games int
	// Throws is the number of throws at which pieces were counted, without those that determine who begins.
	Throws uint64
	// Counts are by place of the board and by colour of the rules: the colour of the piece on the place, or of the
	// piece an act was done to.
	Counts [][]uint64
	// Nowhere counts acts without a place: those with no piece and no place among their arguments.
	Nowhere uint64
}

// Total is the sum of the counts over all places.
func (m *Map) Total() uint64 {
	return m.Nowhere + seq.Sum(m.Counts, seq.Total[uint64])
}

// At is the sum of the counts on a place over all colours.
func (m *Map) At(place int) uint64 {
	return seq.Total(m.Counts[place])
}

// Value converts a count to a mean: for Waits the pieces on the place per throw, otherwise the frequency per game.
func (m *Map) Value(n uint64) float64 {
	per := uint64(m.Games)
	if m.Of == Waits {
		per = m.Throws
	}
	if per == 0 {
		return 0
	}
	return float64(n) / float64(per)
}

// Acts lists the acts of a game that have a place: those with a piece or a place among their arguments.
func Acts(g *interpreter.Game) []string {
	has := func(p *model.Local) bool { return p.Type == model.Of(model.Piece) || p.Type == model.Of(model.Place) }
	acts := seq.Filter(g.Rules().Acts, func(a *model.Act) bool { return slices.ContainsFunc(a.Params, has) })
	return seq.Map(acts, func(a *model.Act) string { return a.Name })
}

// placeCounter watches the games of one runner. It implements stats.Counter and interpreter.Watcher.
type placeCounter struct {
	interpreter.Unwatched
	game  *interpreter.Game
	of    string
	where []int // the place of each piece
	whose []int // its colour
	seen  *Map  // since the last Take
}

// Add implements stats.Counter.
func (e *placeCounter) Add(*interpreter.Played) { e.seen.Games++ }

// Take implements stats.Counter.
func (e *placeCounter) Take() *Map {
	seen := e.seen
	e.seen = &Map{Of: e.of, Counts: newCounts(e.game)}
	return seen
}

// look counts the waiting pieces before each throw of a turn.
func (e *placeCounter) look(p *interpreter.Position) {
	e.where, e.whose = p.Places(e.where[:0]), e.whose[:0]
	for piece := range e.where {
		e.whose = append(e.whose, p.ColourOf(piece))
	}
	if p.Opening() {
		return
	}
	e.seen.Throws++
	if e.of == Waits {
		for piece, place := range e.where {
			if place >= 0 {
				e.seen.Counts[place][e.whose[piece]]++
			}
		}
	}
}

// Put implements interpreter.Watcher.
func (e *placeCounter) Put(piece, _, to int) {
	e.where[piece] = to
	if e.of == Landings && to >= 0 {
		e.seen.Counts[to][e.whose[piece]]++
	}
}

// Given implements interpreter.GiveWatcher.
func (e *placeCounter) Given(piece, _, to int) { e.whose[piece] = to }

// Acted implements interpreter.Watcher. The place of an act is its place argument; without one, the place of its last
// piece argument when the act begins: of two pieces, the one it is done to.
func (e *placeCounter) Acted(a *model.Act, args []int) {
	if a.Name != e.of {
		return
	}
	place, piece := interpreter.None, interpreter.None
	for i, p := range a.Params {
		switch p.Type {
		case model.Of(model.Place):
			place = args[i]
		case model.Of(model.Piece):
			if args[i] >= 0 {
				piece = args[i]
			}
		}
	}
	if place < 0 && piece >= 0 {
		place = e.where[piece]
	}
	if place < 0 {
		e.seen.Nowhere++
		return
	}
	colour := 0
	if piece >= 0 {
		colour = e.whose[piece]
	}
	e.seen.Counts[place][colour]++
}

// Run plays games and counts. When ctx is done it ends early: the map then covers a prefix of the games, and Games is
// its length. The error is a fault of the rules, that of the first game that has one.
func Run(ctx context.Context, g *interpreter.Game, o Options) (*Map, error) {
	m := &Map{Of: o.Of, Counts: newCounts(g)}
	counter := func(ro *interpreter.RunOptions) stats.Counter[*Map] {
		where := g.Start(0).Places(nil)
		e := &placeCounter{game: g, of: o.Of, where: where, whose: seq.Of(len(where), g.ColourOf)}
		e.Take()
		ro.Watch, ro.Look = e, e.look
		return e
	}
	_, err := stats.Collect(ctx, g, o.Options, counter, m.join)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func newCounts(g *interpreter.Game) [][]uint64 {
	return seq.Of(len(g.Rules().Board.Places), func(int) []uint64 { return make([]uint64, len(g.Rules().Colours)) })
}

// join adds the counts of more games.
func (m *Map) join(o *Map) {
	m.Games += o.Games
	m.Throws += o.Throws
	m.Nowhere += o.Nowhere
	for place, row := range o.Counts {
		for colour, n := range row {
			m.Counts[place][colour] += n
		}
	}
}
