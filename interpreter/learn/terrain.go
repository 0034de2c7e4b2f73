package learn

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// terrain holds the properties of a game that features are computed from: the layout of the tracks, the reach of a throw,
// and what pieces do to each other on each place. The rules do not state them directly. Random games measure the reach of a
// throw. For the rest, probes set up two or three pieces and read the options that the engine offers.
type terrain struct {
	game     *interpreter.Game
	rules    *model.Rules
	teamOf   []int    // by colour
	begins   []string // by colour: the place where its pieces begin
	explored sync.Once
	// A class is the location of a piece: a node of its track, or off the track, waiting or in some other zone. It means the
	// same for all colours.
	classes  []string
	nodes    int         // the classes below this number are nodes
	zone     []int       // by place: the class of pieces off their track
	progress [][]float32 // by colour and class: the fraction of the track behind a piece
	steps    [][][]uint8 // by colour, node and place: the steps to that place; 0 if it is too far or behind
	toEnd    [][]int     // by colour and node: the steps to the end
	observed
	maxReach int // the longest reach of a throw with probability minReach or more
}

// observed holds what random games and probes showed.
type observed struct {
	reach  []float32   // by number of steps: the probability that a throw lets a piece go that far
	entry  [][]float32 // by colour and place: the probability that a throw lets a waiting piece enter there
	hits   [][][]bool  // by colour, number of pieces minus 1, and place: whether another colour captures that many pieces of it
	bars   [][][]bool  // by the same: whether that many pieces of the colour block the others
	open   [][]bool    // by colour and place: whether it is a square that colours of other teams can reach
	maxAbs []int32     // by variable: its largest absolute value in random games
	ends   []bool      // by class: whether it is a zone where the winners of games have pieces
}

// Limits of the random games and probes.
const (
	sampleSeed   = 20_260_102
	sampleGames  = 24
	sampleThrows = 300 // per game
	maxSteps     = 32  // steps in one throw
	minReach     = 0.02
	maxOutcomes  = 64 // outcomes of the throw in a probed position
	maxTries     = 3  // positions set up per probe
)

func newTerrain(g *interpreter.Game) *terrain {
	rules := g.Rules()
	t := &terrain{game: g, rules: rules}
	t.reach, t.maxAbs = make([]float32, maxSteps+1), make([]int32, len(rules.Vars))
	places := len(rules.Board.Places)
	for colour := range rules.Colours {
		t.teamOf = append(t.teamOf, rules.Seats[g.SeatOf(colour)].Team)
		t.begins = append(t.begins, rules.Board.Places[rules.PiecesAt[colour]].Name)
		t.nodes = max(t.nodes, len(t.run(colour)))
		t.entry = append(t.entry, make([]float32, places))
		t.hits = append(t.hits, [][]bool{make([]bool, places), make([]bool, places)})
		t.bars = append(t.bars, [][]bool{make([]bool, places), make([]bool, places)})
		t.open = append(t.open, make([]bool, places))
	}
	t.classify()
	t.ends = make([]bool, len(t.classes))
	for colour := range rules.Colours {
		t.measureTrack(colour)
	}
	return t
}

// explore plays and probes, unless the results are from a file.
func (t *terrain) explore() {
	t.explored.Do(func() {
		t.play()
		t.probe()
		t.derive()
	})
}

// derive computes what depends on the observed values.
func (t *terrain) derive() {
	for d, p := range t.reach {
		if p >= minReach {
			t.maxReach = d
		}
	}
	for colour := range t.progress {
		for c, ends := range t.ends {
			if ends {
				t.progress[colour][c] = 1
			}
		}
	}
}

func (t *terrain) run(colour int) []boards.Node {
	return t.rules.Track.Runs[t.rules.Colours[colour].Board].Nodes
}

func (t *terrain) classify() {
	t.classes = append(seq.Of(t.nodes, func(i int) string { return fmt.Sprint(i + 1) }), "waiting")
	for place, p := range t.rules.Board.Places {
		t.zone = append(t.zone, t.nodes)
		if p.Zone && !slices.Contains(t.rules.PiecesAt, place) {
			t.zone[place] = len(t.classes)
			t.classes = append(t.classes, p.Name)
		}
	}
}

// measureTrack measures the run of a colour.
func (t *terrain) measureTrack(colour int) {
	run := t.run(colour)
	queue := seq.Indexes(run, func(n boards.Node) bool { return len(n.Next) == 0 })
	toEnd := seq.Of(len(run), func(i int) int {
		switch {
		case len(queue) == 0: // a run without an end
			return len(run) - i
		case len(run[i].Next) == 0:
			return 0
		}
		return -1
	})
	for ; len(queue) > 0; queue = queue[1:] {
		for _, before := range run[queue[0]].Prev {
			if toEnd[before] < 0 {
				toEnd[before] = toEnd[queue[0]] + 1
				queue = append(queue, before)
			}
		}
	}
	t.toEnd = append(t.toEnd, toEnd)
	progress := make([]float32, len(t.classes))
	for i := range run {
		progress[i] = float32(len(run)-toEnd[i]) / float32(len(run))
	}
	t.progress = append(t.progress, progress)
	steps := make([][]uint8, len(run))
	for from := range run {
		steps[from] = make([]uint8, len(t.rules.Board.Places))
		seen, at := make([]bool, len(run)), []int{from}
		for d := 1; d <= maxSteps; d++ {
			var next []int
			for _, n := range at {
				for _, m := range run[n].Next {
					if seen[m] {
						continue
					}
					seen[m], next = true, append(next, m)
					if to := &steps[from][run[m].Place]; *to == 0 {
						*to = uint8(d)
					}
				}
			}
			at = next
		}
	}
	t.steps = append(t.steps, steps)
}

// play plays random games. It counts how often a throw offers each number of steps and each entry. It also records where the
// winners' pieces are that have left their track.
func (t *terrain) play() {
	var offered, able [maxSteps + 1]float32
	waits := make([]float32, len(t.rules.Colours))
	p := t.game.Start(0)
	for k := range uint64(sampleGames) {
		r := interpreter.NewRandom(sampleSeed, k)
		p.Restart(0)
		for choices := 0; p.Throws() < sampleThrows && choices < interpreter.MaxChoices; {
			if p.Kind() == interpreter.Choice {
				p.ChooseRandom(&r)
				choices++
				continue
			}
			if p.Kind() != interpreter.Throw {
				break
			}
			choices = 0
			if p.Opening() || p.ChosenNumber() {
				p.ThrowRandom(&r)
				continue
			}
			numbers := p.Draw(&r)
			options, _ := p.Offered(numbers...)
			t.count(p, options, offered[:], able[:], waits)
			for i, v := range t.rules.Vars {
				n := int32(p.Number(v, 0))
				t.maxAbs[i] = max(t.maxAbs[i], n, -n)
			}
			if p.Throw(numbers...) != nil {
				break
			}
		}
		for _, seat := range p.Result().Winners {
			for piece, place := range p.Places(nil) {
				if c := t.zone[place]; c > t.nodes && p.Node(piece) < 0 && t.game.SeatOf(p.ColourOf(piece)) == seat {
					t.ends[c] = true
				}
			}
		}
	}
	for d := range t.reach {
		if able[d] > 0 {
			t.reach[d] = offered[d] / able[d]
		}
	}
	for colour := range t.entry {
		for place := range t.entry[colour] {
			t.entry[colour][place] /= max(1, waits[colour])
		}
	}
}

// count counts the options that a throw offered.
func (t *terrain) count(p *interpreter.Position, options []interpreter.Option, offered, able, waits []float32) {
	waiting := -1
	type spot struct{ colour, node int }
	seen := map[spot]bool{} // of several equal pieces, options offer one
	for piece, place := range p.Places(nil) {
		colour, node := p.ColourOf(piece), p.Node(piece)
		if t.game.SeatOf(colour) != p.Player() || node >= 0 && seen[spot{colour, node}] {
			continue
		}
		seen[spot{colour, node}] = true
		if node < 0 && t.zone[place] == t.nodes && waiting != colour {
			waiting = colour
			waits[colour]++
		}
		var met [maxSteps + 1]bool
		for _, o := range options {
			if o.Piece < 0 || o.To < 0 || p.ColourOf(o.Piece) != colour || p.Node(o.Piece) != node {
				continue
			}
			if node >= 0 {
				met[t.steps[colour][node][o.To]] = true
			} else if o.ToPassage > 0 && waiting == colour {
				t.entry[colour][o.To]++
				waiting = -2 // once per throw
			}
		}
		for d := 1; d <= maxSteps && node >= 0 && d <= t.toEnd[colour][node]; d++ {
			able[d]++
			if met[d] {
				offered[d]++
			}
		}
	}
}

// probe sets up pieces of two colours on each place, and tests for captures and blocks.
func (t *terrain) probe() {
	for one := range t.rules.Colours {
		hits, bars := map[[2]int]bool{}, map[[2]int]bool{} // the places answered for, with the number of pieces
		for other := range t.rules.Colours {
			if t.teamOf[one] == t.teamOf[other] {
				continue
			}
			theirs := seq.Set(t.run(other), func(n boards.Node) int { return n.Place })
			for node, n := range t.run(one) {
				if !theirs[n.Place] || t.rules.Board.Places[n.Place].Zone {
					continue
				}
				t.open[one][n.Place] = true
				for i := range min(2, t.rules.PieceCount) {
					key := [2]int{i, n.Place}
					if !hits[key] {
						t.hits[one][i][n.Place], hits[key] = t.probeHit(one, node, i+1, other)
					}
					if !bars[key] {
						t.bars[one][i][n.Place], bars[key] = t.probeBar(one, node, i+1, other)
					}
				}
			}
		}
	}
}

// probeHit tests for a capture: many pieces of colour one stand on a node, and a piece of colour other arrives. yes reports
// whether one of them leaves the place; shown is false if no position answered the question.
func (t *terrain) probeHit(one, node, many, other int) (yes, shown bool) {
	place := t.run(one)[node].Place
	reach := func(node int) float32 { return t.reach[t.steps[other][node][place]] }
	from := seq.Which(len(t.run(other)), func(n int) bool { return t.steps[other][n][place] > 0 && reach(n) > 0 })
	slices.SortStableFunc(from, func(a, b int) int { return cmp.Compare(reach(b), reach(a)) })
	for _, n := range from[:min(len(from), maxTries)] {
		p := t.set(one, node, many, other, n)
		if p == nil {
			continue
		}
		throws, _ := p.EveryThrow(maxOutcomes)
		for numbers := range throws {
			options, _ := p.Offered(numbers...)
			i := slices.IndexFunc(options, func(o interpreter.Option) bool {
				return o.To == place && o.Piece >= 0 && p.ColourOf(o.Piece) == other && p.Node(o.Piece) == n
			})
			if i < 0 {
				continue
			}
			q := p.Copy()
			if q.Throw(numbers...) != nil || len(options) > 1 && q.Kind() == interpreter.Choice && q.Choose(i) != nil {
				continue
			}
			places := q.Places(nil)
			return len(seq.Which(len(places), func(piece int) bool { return q.ColourOf(piece) == one && places[piece] == place })) < many, true
		}
	}
	return false, false
}

// probeBar tests for a block: whether many pieces of colour one on a node keep a piece of colour other from passing. The
// results are as for probeHit.
func (t *terrain) probeBar(one, node, many, other int) (yes, shown bool) {
	place := t.run(one)[node].Place
	for n := range t.run(other) {
		if t.steps[other][n][place] != 1 {
			continue
		}
		barred := t.set(one, node, many, other, n)
		if barred != nil && t.passes(t.set(one, -1, many, other, n), other, n) {
			return !t.passes(barred, other, n), true
		}
	}
	return false, false
}

// passes reports whether a throw lets the piece of a colour on a node go two steps or more.
func (t *terrain) passes(p *interpreter.Position, colour, node int) bool {
	if p == nil {
		return false
	}
	throws, _ := p.EveryThrow(maxOutcomes)
	for numbers := range throws {
		options, _ := p.Offered(numbers...)
		if slices.ContainsFunc(options, func(o interpreter.Option) bool {
			return o.Piece >= 0 && o.To >= 0 && p.ColourOf(o.Piece) == colour && p.Node(o.Piece) == node && t.steps[colour][node][o.To] > 1
		}) {
			return true
		}
	}
	return false
}

// set makes a position before a throw of colour other, with one of its pieces on node from, and many pieces of colour one on
// a node, unless that is -1. All other pieces are where they begin. It is nil if the rules do not allow that.
func (t *terrain) set(one, node, many, other, from int) *interpreter.Position {
	s := &interpreter.Setup{Turn: t.game.ColourName(other), Pieces: map[string][]string{}}
	for colour := range t.rules.Colours {
		s.Pieces[t.game.ColourName(colour)] = slices.Repeat([]string{t.begins[colour]}, t.rules.PieceCount)
	}
	if node >= 0 {
		for i := range many {
			s.Pieces[t.game.ColourName(one)][i] = t.spot(one, node)
		}
	}
	s.Pieces[t.game.ColourName(other)][0] = t.spot(other, from)
	p, err := t.game.Setup(s)
	if err != nil || p.Kind() != interpreter.Throw || p.ChosenNumber() {
		return nil
	}
	return p
}

// spot names a node of a colour's run.
func (t *terrain) spot(colour, node int) string {
	run := t.run(colour)
	passage := seq.Count(run[:node+1], func(n boards.Node) bool { return n.Place == run[node].Place })
	return t.game.SpotName(colour, run[node].Place, passage)
}
