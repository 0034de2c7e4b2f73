// Package interpreter is the public API of the engine: it compiles checked rules into a game and plays it.
//
// A Game is made once by Compile and shared. A Position is one game being played. It is always at a node: at a throw
// the caller gives the numbers, at a choice the index of an option, and the position goes on to the next node. All
// callers (a user interface, a bot, perft, statistics) use the same nodes.
//
//	rules, faults := book.Rules(dsl.Setting{})
//	game, err := interpreter.Compile(rules)
//	pos := game.Start(interpreter.ByTheRules)
//	for pos.Kind() != interpreter.Over { … }
//
// Note: the options of a position belong to it and change as soon as it goes on.
package interpreter

import (
	"slices"
	"sync"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
)

// Game is a compiled rule book for one setting of its options and one number of players. It is immutable and safe
// for several goroutines.
type Game struct {
	unit    *compile.Unit
	prog    *code.Program
	rules   *model.Rules
	secrets []*model.Var // the variables that are hidden
	// counted says what the program counts, in the form of a game that counts for studies; nil in others.
	counted *compile.Studied

	asking     sync.Once
	leading    *leadForm // see Lead
	studying   sync.Once
	study      *study // see studied
	studyError error
	running    sync.Once
	runs       [][]int // see run
	asked      sync.Once
	asks       *beginning // see beginning
	keeps      *keeps     // shared by all forms
}

// keeps are things that are made once for a game.
type keeps struct {
	sync.Mutex
	of map[any]any
}

func newKeeps() *keeps { return &keeps{of: map[any]any{}} }

// Once is what make has made for a key, at the first call for the game in any of its forms. It is for what other packages
// find out about a game, and lives as long as the game.
func (g *Game) Once(key any, make func() any) any {
	g.keeps.Lock()
	defer g.keeps.Unlock()
	x, ok := g.keeps.of[key]
	if !ok {
		x = make()
		g.keeps.of[key] = x
	}
	return x
}

// Compile makes a game of checked rules. It fails only if the rules are too large for a program.
func Compile(rules *model.Rules) (*Game, error) { return compiled(compile.Compile(rules)) }

// compiled is the game of what the compiler has made.
func compiled(unit *compile.Unit, err error) (*Game, error) {
	if err != nil {
		return nil, err
	}
	return &Game{unit: unit, prog: unit.Program, rules: unit.Rules, secrets: secretVars(unit.Rules), keeps: newKeeps()}, nil
}

// CompileStudy makes a game as Compile does, in the form that runners play, which is then made but once.
func CompileStudy(rules *model.Rules) (*Game, error) {
	x, err := newStudy(&Game{rules: rules, secrets: secretVars(rules), keeps: newKeeps()})
	if err != nil {
		return nil, err
	}
	x.studying.Do(func() { x.study = x })
	return x.Game, nil
}

// Rules returns what the game was compiled from.
func (g *Game) Rules() *model.Rules { return g.rules }

// Players is the number of players. A player is named by its seat, from 0 in turn order.
func (g *Game) Players() int { return len(g.rules.Seats) }

// isSeat reports whether a seat number is valid.
func (g *Game) isSeat(seat int) bool { return seat >= 0 && seat < len(g.rules.Seats) }

// SeatName is the name of a seat: its first colour. It is "" for None.
func (g *Game) SeatName(seat int) string {
	if !g.isSeat(seat) {
		return ""
	}
	return g.rules.Colours[g.rules.Seats[seat].Colours[0]].Name
}

// Seat is the seat with a name, None if there is none.
func (g *Game) Seat(name string) int {
	return slices.IndexFunc(g.rules.Seats, func(s model.Seat) bool { return g.rules.Colours[s.Colours[0]].Name == name })
}

// ColourName is the name of a colour of the game, counted from 0 in turn order. It is "" for None.
func (g *Game) ColourName(colour int) string {
	if colour < 0 || colour >= len(g.rules.Colours) {
		return ""
	}
	return g.rules.Colours[colour].Name
}

// PlaceName is the name of a place of the board, "" for None.
func (g *Game) PlaceName(place int) string {
	if place < 0 || place >= len(g.rules.Board.Places) {
		return ""
	}
	return g.rules.Board.Places[place].Name
}

// None means no player, no piece or no place.
const None = -1

// ColourOf is the colour that a piece begins with, None for None. Pieces are numbered from 0, colour by colour. Where pieces change hands
// Position.ColourOf is the colour it has now.
func (g *Game) ColourOf(piece int) int {
	if piece < 0 || piece >= g.prog.Layout.Pieces {
		return None
	}
	return piece / g.rules.PieceCount
}

// colourIn is the colour of a piece in a state.
func (g *Game) colourIn(st []int16, piece int) int {
	if at := g.prog.Layout.Owner; at >= 0 && piece >= 0 && piece < g.prog.Layout.Pieces {
		return int(st[at+piece])
	}
	return g.ColourOf(piece)
}

// piecesIn lists the pieces of a colour in a state, by their numbers.
func (g *Game) piecesIn(st []int16, colour int) []int {
	return seq.Which(g.prog.Layout.Pieces, func(piece int) bool { return g.colourIn(st, piece) == colour })
}

// SeatOf is the seat that holds a colour, None for None.
func (g *Game) SeatOf(colour int) int {
	if colour < 0 || colour >= len(g.rules.Colours) {
		return None
	}
	return g.rules.Colours[colour].Seat
}

// Die is a device of a throw.
type Die struct {
	Name    string
	Values  []int // distinct, ascending; empty if the player chooses
	Weights []int // relative probability of each value; for a deck the initial number of cards
	Chosen  bool  // the player chooses the number
}

// Dice are the devices of the rule book. The slice belongs to the game.
func (g *Game) Dice() []Die {
	return seq.Map(g.prog.Dice, func(d code.Die) Die { return Die{Name: d.Name, Values: d.Values, Weights: d.Weights, Chosen: d.Choice} })
}

// FirstAfter is the seat that begins the next game of a series, after one with a result: the loser or winner if the
// rules say so, otherwise ByTheRules. If several have lost, it is the one ranked last, otherwise the first of them in
// turn order. A single player has not lost.
func (g *Game) FirstAfter(r Result) int {
	switch g.rules.First.Kind {
	case model.FirstLoser:
		for _, seat := range slices.Backward(r.Ranking) {
			if !slices.Contains(r.Winners, seat) {
				return seat
			}
		}
		for seat := range g.Players() {
			if len(r.Winners) > 0 && !slices.Contains(r.Winners, seat) {
				return seat
			}
		}
	case model.FirstWinner:
		if len(r.Winners) > 0 {
			return r.Winners[0]
		}
	}
	return ByTheRules
}

// StateSize is the size of a position's state in bytes.
func (g *Game) StateSize() int { return 2 * g.prog.Layout.Size }

// ProgramSize is the number of instructions of the program.
func (g *Game) ProgramSize() int { return len(g.prog.Code) }
