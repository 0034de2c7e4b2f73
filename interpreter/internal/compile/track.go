package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// judge is the part of a step clause's condition that depends only on the square, the colours of the pieces there, and the
// walker's colour. The squares where it holds are a bitset along the tracks.
type judge struct {
	clause *model.Clause
	set    int
	cond   *model.Expr // nil: always; for the sets of hard squares it may be weaker than the full condition
}

// findJudges decides whether bitsets of squares can judge walks, and creates the judges.
func (c *compiler) findJudges() {
	if !c.masked() || c.notes != nil || c.layout.Colours > code.MaxTrackColours || !c.linear() {
		return
	}
	t := &code.Tracks{Beyond: -1, Loop: c.loops()}
	c.pastEnd = c.beyond(t)
	goes := false // a clause says go, which takes precedence over later clauses
	for _, x := range c.clauses(model.ClauseStep, model.ClauseEnd) {
		if x.First == model.VerdictGo && x.Second == model.NoVerdict {
			goes = true
			if c.faultless(x, x.When) {
				continue
			}
		}
		j := judge{clause: x, set: code.SetHard}
		exact, last := false, false
		j.cond, exact, last = c.spatial(x)
		step := x.Kind == model.ClauseStep
		switch {
		case exact && x.First == model.VerdictBar && step:
			j.set = code.SetStops
		case exact && x.First == model.VerdictBar:
			j.set = code.SetEnds
		case exact && x.First == model.VerdictTurn && x.Second == model.NoVerdict && step:
			j.set = code.SetTurns
		case last || !step:
			j.set = code.SetHardLast
		}
		t.Early = t.Early || !step
		c.judges = append(c.judges, j)
	}
	for i := range c.judges {
		if j := &c.judges[i]; goes && j.set == code.SetTurns {
			j.set = code.SetHard
		}
	}
	if len(c.judges) > code.MaxJudges {
		c.judges = nil
		return
	}
	c.layTracks(t)
}

// beyond is the set for the squares past the end of the track.
func (c *compiler) beyond(t *code.Tracks) int {
	set := code.SetStops
	for _, x := range c.clauses(model.ClauseBeyond) {
		switch {
		case x.When != nil || x.Second != model.NoVerdict:
			return code.SetHard
		case x.First == model.VerdictBar && (t.Beyond < 0 || set != code.SetStops):
			t.Beyond, set = x.Index, code.SetStops
		case x.First == model.VerdictTurn && t.Beyond < 0:
			t.Beyond, set = x.Index, code.SetTurns
		case t.Beyond < 0:
			return code.SetHard
		}
	}
	return set
}

// linear reports whether every track is a single line of consecutive nodes.
func (c *compiler) linear() bool {
	for _, x := range c.rules.Colours {
		run := c.rules.Track.Runs[x.Board]
		nodes := run.Nodes
		for i, n := range nodes {
			if len(n.Next) > 1 || len(n.Prev) > 1 {
				return false
			}
			last := i == len(nodes)-1
			switch {
			case last && (len(n.Next) == 0 || n.Next[0] == 0 && len(nodes) > code.MaxStraight):
			case !last && len(n.Next) == 1 && n.Next[0] == i+1:
			default:
				return false
			}
		}
		if run.Revisits() || c.loopsAt(x.Board) != c.loops() {
			return false
		}
	}
	return true
}

// loops reports whether the tracks are cycles. If linear holds, either all are or none.
func (c *compiler) loops() bool { return c.loopsAt(c.rules.Colours[0].Board) }

func (c *compiler) loopsAt(board int) bool {
	nodes := c.rules.Track.Runs[board].Nodes
	return len(nodes[len(nodes)-1].Next) > 0
}

// layTracks assigns bit positions to the squares of the tracks.
func (c *compiler) layTracks(t *code.Tracks) {
	l := c.layout
	t.Keys = 1 + l.Colours + l.Colours*l.Colours
	t.Base = c.prog.Nodes
	for colour, x := range c.rules.Colours {
		nodes := c.rules.Track.Runs[x.Board].Nodes
		t.Length = append(t.Length, len(nodes))
		of := make([]int16, l.Places)
		for i, n := range nodes {
			of[n.Place] = int16(t.Base[colour] + i)
		}
		t.Nodes = append(t.Nodes, of...)
	}
	for p := range l.Pieces {
		colour := p / l.PerColour
		t.Walker[p] = code.Walker{Node: t.Base[colour], End: t.Base[colour] + t.Length[colour]}
	}
	end := len(t.Base) - 1
	c.prog.Squares = make([]byte, t.Base[end]+t.Length[end]+code.NodeGap)
	if !t.Loop {
		t.Has[c.pastEnd] = true
	}
	for _, j := range c.judges {
		t.Has[j.set] = true
	}
	c.tracks = t
}

// judgeEntries adds the entries that evaluate the judges.
func (c *compiler) judgeEntries() {
	if c.tracks == nil {
		return
	}
	defer func(was bool) { c.handFree = was }(c.handFree)
	c.handFree = false
	for i := range c.judges {
		j := &c.judges[i]
		cond := c.judgeAt(j, cell(code.CellP0), cell(code.CellTo))
		if !c.harmless(cond) { // places where the condition may fault are hard
			c.tracks.Has[code.SetHard] = true
		}
		c.tracks.Speaks[j.set] |= 255 << (8 * len(c.tracks.Judges))
		c.tracks.Judges = append(c.tracks.Judges, code.Judge{Set: j.set, Counter: j.clause.Index, Entry: c.value("judge", cond)})
	}
	if c.tracks.Has[code.SetHard] || c.tracks.Has[code.SetHardLast] {
		c.askEntry()
	}
	c.questionEntries()
}

// askEntry adds the entry that evaluates all clauses about a step, in the order of the plain form: first any bar, then the
// first other clause that applies. It is the slow path for hard squares, which the sets do not decide.
func (c *compiler) askEntry() {
	clauses := append(c.clauses(model.ClauseStep), c.clauses(model.ClauseEnd)...)
	for _, x := range clauses {
		if asksSteps(x.When) || asksCell(x.When, model.CellHere) || asksVar(x.When, c.rules.Carried) { // options may have numbers other than the one being played
			return
		}
		if x.First == model.VerdictGo && x.Second == model.NoVerdict && !c.faultless(x, x.When) { // a straight walk evaluates this clause before those that bar its end
			return
		}
	}
	defer func(judging, free bool) { c.judging, c.handFree = judging, free }(c.judging, c.handFree)
	c.judging, c.handFree = true, false
	left := cell(code.CellP1)
	v := (&env{}).withCells(map[model.Cell]*ir.Expr{model.CellRemaining: left})
	var body ir.Body
	for _, bars := range []bool{true, false} {
		for _, x := range clauses {
			if bars != (x.First == model.VerdictBar) {
				continue
			}
			said := code.SaidOther
			switch {
			case x.Second != model.NoVerdict:
			case x.First == model.VerdictGo:
				said = code.SaidGo
			case x.First == model.VerdictBar:
				said = code.SaidBar
			case x.First == model.VerdictTurn:
				said = code.SaidTurn
			}
			cond := c.holds(x.When, v.with(x.Params[0], cell(code.CellP0)).with(x.To, cell(code.CellTo)))
			if x.Kind == model.ClauseEnd {
				cond = ir.AndAlso(ir.Op2(ir.Eq, left, ir.K(0)), cond)
			}
			body = append(body, ir.When(cond, ir.Body{{Op: ir.Return, A: ir.K(int(code.SayingOf(said, x.Index)))}}, nil)...)
		}
	}
	body = append(body, &ir.Stmt{Op: ir.Return, A: ir.K(int(code.SaidGo))})
	c.entries = append(c.entries, &ir.Proc{Name: "step", Entry: true, Body: body})
	c.tracks.Ask = len(c.entries)
}

// harmless reports whether a judge never faults, if its piece and its place are not nil.
func (c *compiler) harmless(cond *ir.Expr) bool {
	defer func(was bool) { c.judging = was }(c.judging)
	c.judging = true
	return c.faultFree(cond)
}

func (c *compiler) judgeAt(j *judge, p, place *ir.Expr) *ir.Expr {
	return c.holds(j.cond, (&env{}).with(j.clause.Params[0], p).with(j.clause.To, place))
}

// tabulate evaluates the judges for everything that can stand on a place, and fills the sets for the initial state. The
// program is complete except for its tracks.
func (c *compiler) tabulate() {
	t, p, l := c.tracks, c.prog, c.layout
	if t == nil {
		return
	}
	t.Has[code.SetStops] = t.Has[code.SetStops] || t.Has[code.SetHard] || t.Has[code.SetTurns]
	t.Has[code.SetEnds] = t.Has[code.SetEnds] || t.Has[code.SetHardLast]
	t.Holds, t.Says, t.Told = make([]uint64, l.Places*t.Keys), make([]uint64, l.Places*t.Keys), make([]uint64, l.Places*t.Keys)
	m := vm.New(p)
	for place := range l.Places {
		t.Quiet[place] = 1 << 14
		if c.onTrack(place) {
			c.tabulatePlace(m, place)
		}
	}
	c.walls()
	p.Tracks = t
	p.Squares = vm.New(p).Settled()
}

// tabulatePlace evaluates the judges and the questions for everything that can stand on a place.
func (c *compiler) tabulatePlace(m *vm.Machine, place int) {
	t, row := c.tracks, place*c.tracks.Keys
	tell := c.tell
	constant := c.constant(place)
	if constant {
		c.tell(m, place, 0)
		for k := range t.Keys {
			t.Holds[row+k], t.Says[row+k] = t.Holds[row], t.Says[row]
		}
		if tell = c.answer; len(c.questions) == 0 {
			return
		}
	}
	t.Tabled[place] = 1<<len(t.Questions) - 1
	c.eachCrowd(m, place, func(key int) { tell(m, place, key) })
	var yes uint64
	held := false
	for k := row + 1; k <= row+c.layout.Colours; k++ {
		yes |= t.Told[k] & (code.Every << (k - row - 1))
		held = held || t.Holds[k] != 0
	}
	for q := range t.Questions {
		if t.Tabled[place]>>q&1 != 0 && uint8(yes>>(8*q)) == 0 {
			t.Alone[place] |= 1 << q
		}
	}
	switch {
	case constant:
	case t.Holds[row] != 0: // even if the place is empty
		t.Quiet[place] = -1
	case held:
		t.Quiet[place] = 0
	default:
		t.Quiet[place] = 1
	}
}

// eachCrowd puts on a place no piece, one of each colour, and two of each pair of colours, and calls tell with the key of each.
func (c *compiler) eachCrowd(m *vm.Machine, place int, tell func(key int)) {
	l := c.layout
	home := func(q int) int { return c.rules.PiecesAt[q/l.PerColour] }
	away := func(q int) { // pieces that start here would occupy the place
		if at := home(q); at != place {
			m.Place(q, at)
		} else {
			m.Place(q, 1-min(1, place))
		}
	}
	for q := range l.Pieces {
		if home(q) == place {
			away(q)
		}
	}
	tell(0)
	for a := range l.Colours {
		first := a * l.PerColour
		m.Place(first, place)
		tell(1 + a)
		for b := range l.Colours {
			second := b * l.PerColour
			if a == b {
				second++
			}
			if a == b && l.PerColour == 1 {
				continue
			}
			m.Place(second, place)
			tell(1 + l.Colours + a*l.Colours + b)
			away(second)
		}
		away(first)
	}
	for q := range l.Pieces {
		if home(q) == place {
			m.Place(q, place)
		}
	}
}

func (c *compiler) tell(m *vm.Machine, place, key int) {
	c.answer(m, place, key)
	says, holds := m.Spoken(c.tracks, place)
	c.tracks.Says[place*c.tracks.Keys+key], c.tracks.Holds[place*c.tracks.Keys+key] = says, holds
}

// onTrack reports whether a place is on the track of any colour.
func (c *compiler) onTrack(place int) bool {
	return len(seq.Which(len(c.tracks.Base), func(colour int) bool { return c.tracks.Nodes[colour*c.layout.Places+place] > 0 })) > 0
}

// constant reports whether the judges fold to constants for a place.
func (c *compiler) constant(place int) bool {
	p := &ir.Local{Name: "piece", NonNil: true}
	return !slices.ContainsFunc(c.judges, func(j judge) bool { return c.judgeAt(&j, ir.Get(p), ir.K(place)).Op != ir.Const })
}

// walls makes a walk stop at sentinel squares: those past the end of a track, and those off the tracks.
func (c *compiler) walls() {
	t, p := c.tracks, c.prog
	for i := range code.NodeFirst {
		p.Squares[i] = byte(code.In(code.SetStops))
	}
	if t.Loop {
		return
	}
	for colour, n := range t.Length {
		past := p.Squares[t.Base[colour]+n:]
		for i := range past[:code.NodeGap] {
			past[i] = byte(code.In(code.SetStops) | code.In(c.pastEnd))
		}
	}
}

// usual marks the squares where a single piece does not change the sets of squares. The machine then skips the update.
func (c *compiler) usual() {
	l, t := c.layout, c.prog.Tracks
	for place := l.FirstSquare; place < min(l.Places, code.MaxListed); place++ {
		if t == nil || t.Quiet[place] > 0 {
			c.prog.Unaffected[place] = 1
		}
	}
	if t != nil {
		copy(c.prog.PlaceOf[:], c.prog.Tables[l.NodePlace:])
	}
}
