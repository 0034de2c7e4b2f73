// Package reference is a reference interpreter: it plays checked rules as the language reference describes them, in
// the simplest way. It walks the tree of the rules with ordinary Go values. Tests compare every other form of a game
// with it.
//
// It shares no code with the engine. Speed is secondary. A decision can occur in the middle of any procedure, and a
// position must be easy to copy. So a position is the immutable state at the beginning of the present phase, and the
// list of inputs since then. Each new input runs that phase again from its beginning. Note: the
// fields of a run are not the position; a run is discarded at the next node.
package reference

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// The kinds of owner in Game.owned.
const (
	ofColour = iota
	ofPlayer
	ofTeam
)

// none means no piece, place, player or node.
const none = -1

// drawn is the winner of a game that the rules call a draw.
const drawn = -2

// Game is a rule book prepared for playing. It is immutable and safe for several goroutines.
type Game struct {
	rules   *model.Rules
	clauses map[model.ClauseKind][]*model.Clause // in the order of the file
	counted int                                  // clauses of the rule book
	pieces  int
	squares int   // the first place that is a square
	slots   []int // of each variable: the index of its first owner's value
	values  int
	nodes   [][]int    // of each colour and place: the first node of the track there
	tracks  [][]int    // of each colour: the places of its main way
	owned   [3][][]int // pieces of each colour, player, team
	colours [][]int    // of each team
	undoes  bool       // a turn can be undone
	watched bool       // a reaction handles the steps of walks
	returns bool       // an end clause takes walks back
}

// New prepares rules.
func New(rules *model.Rules) *Game {
	g := &Game{rules: rules, clauses: map[model.ClauseKind][]*model.Clause{}, pieces: len(rules.Colours) * rules.PieceCount}
	for _, r := range rules.Rules {
		for _, x := range r.Clauses {
			g.clauses[x.Kind] = append(g.clauses[x.Kind], x)
			g.counted = max(g.counted, x.Index+1)
			g.returns = g.returns || x.First == model.VerdictBack
			switch x.Event {
			case model.EventStep, model.EventPass, model.EventTurned:
				g.watched = g.watched || x.Kind == model.ClauseOn
			}
		}
	}
	for g.squares < len(rules.Board.Places) && rules.Board.Places[g.squares].Zone {
		g.squares++
	}
	for _, v := range rules.Vars {
		g.slots = append(g.slots, g.values)
		g.values += g.owners(v.Scope)
	}
	for _, c := range rules.Colours {
		first := slices.Repeat([]int{none}, len(rules.Board.Places))
		for i, n := range rules.Track.Runs[c.Board].Nodes {
			if first[n.Place] == none {
				first[n.Place] = i
			}
		}
		g.nodes = append(g.nodes, first)
	}
	for c := range rules.Colours {
		g.tracks = append(g.tracks, g.track(c))
		g.owned[ofColour] = append(g.owned[ofColour], g.piecesOf([]int{c}))
	}
	for _, s := range rules.Seats {
		g.owned[ofPlayer] = append(g.owned[ofPlayer], g.piecesOf(s.Colours))
	}
	for _, seats := range rules.Teams {
		colours := seq.Flat(seats, func(seat int) []int { return rules.Seats[seat].Colours })
		g.colours = append(g.colours, colours)
		g.owned[ofTeam] = append(g.owned[ofTeam], g.piecesOf(colours))
	}
	g.undoes = seq.Any(rules.Stmts(), func(s *model.Stmt) bool { return s.Kind == model.StmtUndo })
	return g
}

// owners is the number of owners for a scope.
func (g *Game) owners(s model.Scope) int {
	if !s.Owned() {
		return 1
	}
	return g.count(s.Owner())
}

// count is how many values a kind has.
func (g *Game) count(k model.Kind) int {
	switch k {
	case model.Place:
		return len(g.rules.Board.Places)
	case model.Piece:
		return g.pieces
	case model.Colour:
		return len(g.rules.Colours)
	case model.Player:
		return len(g.rules.Seats)
	}
	return len(g.rules.Teams)
}

// firstColour is the colour that a piece begins with.
func (g *Game) firstColour(piece int) int { return piece / g.rules.PieceCount }

func (st *state) colourOf(g *Game, piece int) int {
	if x := g.rules.Owner; x != nil {
		return st.vars[g.slots[x.Index]+piece][0]
	}
	return g.firstColour(piece)
}

func (g *Game) seatOf(colour int) int { return g.rules.Colours[colour].Seat }

func (g *Game) teamOf(seat int) int { return g.rules.Seats[seat].Team }

func (g *Game) piecesOf(colours []int) []int {
	n := g.rules.PieceCount
	return seq.Flat(colours, func(c int) []int { return upTo(c*n, (c+1)*n) })
}

// track lists the places of the main way of a colour's track, one lap.
func (g *Game) track(colour int) []int {
	nodes := g.rules.Track.Runs[g.rules.Colours[colour].Board].Nodes
	var out []int
	for i := 0; len(out) < len(nodes); i = nodes[i].Next[0] {
		out = append(out, nodes[i].Place)
		if len(nodes[i].Next) == 0 || nodes[i].Next[0] == 0 {
			break
		}
	}
	return out
}

// movesPiece reports whether a move moves a piece: move(p) matches it.
func movesPiece(m *model.Move) bool {
	return len(m.Params) > 0 && m.Params[0].Type == model.Of(model.Piece)
}

// standing says whether a player is still in the game.
type standing uint8

const (
	playing standing = iota
	ranked
	dropped
)

// phase is a part of the game.
type phase uint8

const (
	opening    phase = iota // determine who begins
	settingUp               // run the setup
	turnBegins              // begin a turn
	procedure               // run the procedure of the turn
	turnFinal               // end the turn
	finished                // the game is over
)

// waiting is an earned number.
type waiting struct{ number, with int }

// state is the state of a game. The slices in on and vars are replaced, never modified.
type state struct {
	phase      phase
	me, colour int   // in turn
	at, node   []int // of each piece: its place, and the node of its track there
	hand       []bool
	on         [][]int // of each place: the pieces, the oldest arrival first
	vars       [][]int // see Game.slots: one value, or the sorted elements of a set
	dice       []int
	decks      [][]int // of each die that is a deck: cards left, by face
	queue      []waiting
	standing   []standing // of each player
	ranking    []int
	winner     int // the winning side, if a win names it
	steps      int
	heading    int
	usable     int
	thrown     bool
	earned     bool
	again      bool
	counts     int    // throws and counts of the turn
	kept       *state // the state at the beginning of the turn, if the turn can be undone
	fired      []uint64
	acts       []uint64
	throws     int
}

// initial is the state before a game.
func (g *Game) initial() *state {
	st := &state{
		me: none, winner: none, heading: 1, at: make([]int, g.pieces), node: make([]int, g.pieces), hand: make([]bool, g.pieces),
		on: make([][]int, len(g.rules.Board.Places)), vars: make([][]int, g.values), dice: make([]int, len(g.rules.Dice)),
		decks: make([][]int, len(g.rules.Dice)), standing: make([]standing, len(g.rules.Seats)),
		fired: make([]uint64, g.counted), acts: make([]uint64, len(g.rules.Acts)),
	}
	for p := range g.pieces {
		home := g.rules.PiecesAt[g.firstColour(p)]
		st.at[p], st.node[p] = home, g.nodes[g.firstColour(p)][home]
		st.on[home] = append(st.on[home], p)
	}
	for _, scope := range []model.Scope{model.ScopeGame, model.ScopeTeam, model.ScopePlayer, model.ScopeColour, model.ScopePiece, model.ScopeTurn, model.ScopeGo} {
		st.reset(g, scope)
	}
	for i, d := range g.rules.Dice {
		if d.Kind == model.DieDeck {
			st.decks[i] = make([]int, len(d.Faces))
		}
	}
	return st
}

// reset resets the variables of a scope to their initial values.
func (st *state) reset(g *Game, scope model.Scope) {
	for i, v := range g.rules.Vars {
		if v.Scope != scope {
			continue
		}
		value := v.Initial
		if v.Type.List {
			value = held(v, v.Initial)
		}
		for o := range g.owners(scope) {
			if st.vars[g.slots[i]+o] = value; v == g.rules.Owner {
				st.vars[g.slots[i]+o] = []int{g.firstColour(o)}
			}
		}
	}
}

// held is the values of a list as a set or bag stores them: sorted, for a set without duplicates.
func held(v *model.Var, list []int) []int {
	if v.Queue {
		return slices.Clone(list)
	}
	out := slices.Sorted(slices.Values(list))
	if v.Bag {
		return out
	}
	return slices.Compact(out)
}

func (st *state) clone() *state {
	out := *st
	out.at, out.node, out.hand = slices.Clone(st.at), slices.Clone(st.node), slices.Clone(st.hand)
	out.on, out.vars, out.dice = slices.Clone(st.on), slices.Clone(st.vars), slices.Clone(st.dice)
	out.decks, out.queue = slices.Clone(st.decks), slices.Clone(st.queue)
	for i, left := range out.decks {
		out.decks[i] = slices.Clone(left)
	}
	out.standing, out.ranking = slices.Clone(st.standing), slices.Clone(st.ranking)
	out.fired, out.acts = slices.Clone(st.fired), slices.Clone(st.acts)
	return &out
}

// without is a list without the elements equal to x.
func without(list []int, x int) []int {
	return slices.DeleteFunc(slices.Clone(list), func(y int) bool { return y == x })
}
