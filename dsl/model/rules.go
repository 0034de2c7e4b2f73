// Package model is a checked rule book for one setting of its options and one number of players: every name is
// resolved, every expression typed, and declarations whose condition is false are left out.
//
// It is the interface between the language and the engine: package check builds it, the interpreter compiles it. It
// is plain data and immutable once built. Note: it has no options; they have become constants.
package model

import (
	"iter"
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Rules is a checked rule book for one setting.
type Rules struct {
	Name    string
	Title   string
	Lang    string   // the language of the texts, "" for English
	Sources []string // the texts of the rule files, base files first
	Changes []string // names of the changes applied
	// ChangeTitles are the titles of these changes.
	ChangeTitles []string
	Options      []OptionValue
	Board        *boards.Board
	Track        *boards.Track // the runs the pieces use
	Seats        []Seat
	Teams        [][]int // seats of each team
	// Colours are the board's colours in use, in turn order. Every colour index in the rules is an index of this
	// list.
	Colours       []ColourInUse
	TurnsByColour bool
	TurnsTo       *Expr // the player, or the colour with TurnsByColour, whose turn comes next; nil for the usual one
	PieceCount    int   // of each colour
	PiecesAt      []int // for each colour the place where its pieces begin
	First         First
	Dice          []*Die
	Vars          []*Var
	Throws        *Var // of the turn: how many throws it has had; nil where nothing asks
	Later         *Var // of a player: the queue of the next turn; nil where nothing is earned for one
	Taken         *Var // of the turn: how many numbers of its queue were earned before it; nil as Later
	Mover, From   *Var // of the turn: the piece of the move that is carried out, and where it began; nil where nothing asks
	Carried       *Var // of the turn: the pieces that the move takes along; nil where nothing asks
	Worth         *Var // of the turn: what the win counts; nil where every win counts 1
	Owner         *Var // of each piece: the colour it belongs to; nil where no piece changes hands. It begins with the piece's first colour
	Moves         []*Move
	Acts          []*Act
	Rules         []*Rule
	Setup         *Block // nil if there is none
	Turn          *Block
	Mine          *Let // nil: the pieces of the colours in hand
	Lead          *Let // how far ahead a player or team is; nil if the rules do not declare it
	Counts        []*Count
	Tests         []*Test
	Decided       []Decided
}

// Decided is a condition, or part of one, with a constant value in this setting; for a let, whether it is a constant.
type Decided struct {
	Span  source.Span
	Holds bool
}

// OptionValue is an option with its value in a setting.
type OptionValue struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default bool   `json:"default"` // the value is the usual one
}

// String is the option as a command line sets it: "capture_count=20".
func (o OptionValue) String() string { return o.Name + "=" + o.Value }

// Seat is a player.
type Seat struct {
	Colours []int // in Rules.Colours
	Team    int
}

// ColourInUse is a colour that plays.
type ColourInUse struct {
	Name  string
	Board int // its index on the board
	Seat  int
}

// FirstKind says how the first player is determined.
type FirstKind uint8

// The ways to determine the first player.
const (
	FirstSeat FirstKind = iota
	FirstLot
	FirstLoser  // of the game before; the first game of a series by lot
	FirstWinner // likewise
	FirstHighest
	FirstLowest
)

// First determines the first player.
type First struct {
	Kind FirstKind
	Seat int
	Dice []*Die
}

// DieKind is the kind of a device that gives numbers.
type DieKind uint8

// The kinds of device.
const (
	DieFaces  DieKind = iota // drawn with weights
	DieDeck                  // drawn without putting back
	DieChoice                // picked by the player
)

// Die is a device that gives numbers.
type Die struct {
	Name   string
	Words  string // in the language of the rules, "" in English
	Index  int
	Kind   DieKind
	Faces  []Face // distinct values, ascending
	Choice *Expr
	Span   source.Span
}

// Face is a value with its weight, or the number of cards of that value.
type Face struct {
	Value, Weight int
}

// Scope is the owner or the lifetime of a variable.
type Scope uint8

// The scopes.
const (
	ScopeGame Scope = iota
	ScopeTeam
	ScopePlayer
	ScopeColour
	ScopePiece
	ScopeTurn
	ScopeGo
)

// ScopeNames are the words for the scopes.
var ScopeNames = [...]string{"game", "team", "player", "colour", "piece", "turn", "go"}

// Owned reports whether variables of the scope are fields of an owner.
func (s Scope) Owned() bool { return s >= ScopeTeam && s <= ScopePiece }

var ownerKinds = [...]Kind{ScopeTeam: Team, ScopePlayer: Player, ScopeColour: Colour, ScopePiece: Piece}

// Owner is the kind of what owns a variable of the scope, if anything does.
func (s Scope) Owner() Kind { return ownerKinds[s] }

// MaxCopies is how often a bag holds a number at most.
const MaxCopies = 1<<15 - 1

// Var is a variable.
type Var struct {
	Name    string
	Words   string // the name for people
	Index   int
	Scope   Scope
	Type    Type // of its values; for a set or bag, a list of its elements' type
	Bag     bool // its elements may occur several times
	Queue   bool // its elements have an order; of the engine's own
	Low     int  // range of a number, or of the numbers of a set or bag
	High    int
	Initial []int // one value; for a set or bag, its elements
	Secret  bool
	Span    source.Span
}

// Displacement is what a move does with its first piece.
type Displacement uint8

// The displacements.
const (
	MoveNothing Displacement = iota
	MoveTo
	MoveWalk
	MoveStay
)

// Move is a declared move; a may clause offers it.
type Move struct {
	Name     string
	Words    string // the name for people
	Index    int
	Params   []*Local
	Sets     []*Expr // the domain of each parameter
	From     *Expr   // flag over the parameters, nil for anywhere
	Kind     Displacement
	Where    *Expr // place of MoveTo, number of MoveWalk
	Carrying *Expr
	Span     source.Span
}

// Exprs are the expressions of the move. Some may be nil.
func (m *Move) Exprs() []*Expr { return append([]*Expr{m.From, m.Where, m.Carrying}, m.Sets...) }

// Act is a named act of the file.
type Act struct {
	Name   string
	Index  int
	Words  string
	Says   string // Words in another language, as Saying
	Params []*Local
	Block  *Block
	Cites  []string
	Span   source.Span
}

// Saying is what the act says, with holes for its parameters: "{{.p}} sends {{.q}} back".
func (a *Act) Saying() string {
	if a.Says != "" {
		return a.Says
	}
	return catalogue.Saying(a.Name, a.Words, seq.Map(a.Params, func(p *Local) string { return p.Name }))
}

// Any is what the act says of any pieces and players, in words for one of each: of several they are A and B.
func (a *Act) Any(piece, player string) string {
	words := map[Kind]string{Piece: piece, Player: player}
	seen := map[string]bool{}
	return catalogue.Fill(a.Saying(), func(name, _ string) string {
		i := slices.IndexFunc(a.Params, func(p *Local) bool { return p.Name == name })
		if i < 0 || words[a.Params[i].Type.Kind] == "" {
			return name
		}
		kind, before, several := a.Params[i].Type.Kind, 0, false
		for j, p := range a.Params {
			if j != i && p.Type.Kind == kind {
				several = true
				if j < i {
					before++
				}
			}
		}
		letter := string(rune('A' + before))
		switch {
		case !several:
			return words[kind]
		case seen[name]:
			return letter
		}
		seen[name] = true
		return words[kind] + " " + letter
	})
}

// NoRule is the index of a counter, which is no rule of the game.
const NoRule = -1

// Rule is a named rule.
type Rule struct {
	Name    string
	Index   int
	Words   string
	Cites   []string
	Clauses []*Clause
	Origin  string // name of the ruleset or change that declares it
	Span    source.Span
}

// Count is a number that studies of the game report. It has no effect on the game.
type Count struct {
	Name   string
	Words  string
	Clause *Clause // a reaction without an effect, outside the list of rules; nil if Value is used
	Value  *Expr   // a number or flag, evaluated when the game is over
	Each   bool    // one of several, a value of each player
	Seat   int     // of which player, where there is one of each
	Title  string  // what is counted, without the player; only with Each
	Worth  bool    // what the wins of the player Seat count
	Span   source.Span
}

// Called is the name that the file gives the count: of each of several the same.
func (n *Count) Called() string {
	if n.Each {
		return n.Value.Let.Name
	}
	return n.Name
}

// ClauseKind is the kind of a clause.
type ClauseKind uint8

// The kinds of clause.
const (
	ClauseMay ClauseKind = iota
	ClauseMust
	ClauseNever
	ClauseStep   // a verdict on every step of a walk
	ClauseBeyond // a verdict on a step past the end of the track
	ClauseEnd    // a verdict on the last step
	ClauseOn
	ClauseBefore
	ClauseEnding
	ClauseAlways
)

// Verdict is the result of a step clause.
type Verdict uint8

// The verdicts.
const (
	NoVerdict Verdict = iota
	VerdictGo
	VerdictBar
	VerdictTurn
	VerdictStop
	VerdictBack // of an end clause alone
)

// EventKind is the event that a reaction handles.
type EventKind uint8

// The events, with the parameters their clauses get.
const (
	EventThrow  EventKind = iota // none
	EventLeave                   // piece, place
	EventStep                    // piece, place, place
	EventPass                    // piece, place
	EventTurned                  // piece, place (nil at the track's end)
	EventLand                    // piece, place
	EventMove                    // the move's
	EventAct                     // the act's
	EventStuck                   // none
	EventTurnBegins
	EventTurnEnds
	EventDrop // player
	EventRank // player
	EventGameEnds
)

// EndingKind is how a game ends, or a player's part in it.
type EndingKind uint8

// The endings.
const (
	EndWin EndingKind = iota
	EndRank
	EndDrop
	EndOver
	EndDraw
)

// Clauses goes through the clauses of all rules, in their order.
func (r *Rules) Clauses() iter.Seq[*Clause] {
	return func(yield func(*Clause) bool) {
		for _, rule := range r.Rules {
			for _, c := range rule.Clauses {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// WithCounts goes through the clauses of all rules, and after them those of counts.
func (r *Rules) WithCounts() iter.Seq[*Clause] {
	return func(yield func(*Clause) bool) {
		for c := range r.Clauses() {
			if !yield(c) {
				return
			}
		}
		for _, n := range r.Counts {
			if n.Clause != nil && !yield(n.Clause) {
				return
			}
		}
	}
}

// Nodes goes through the nodes of the tracks of the colours in use.
func (r *Rules) Nodes() iter.Seq[*boards.Node] {
	return func(yield func(*boards.Node) bool) {
		for _, c := range r.Colours {
			nodes := r.Track.Runs[c.Board].Nodes
			for i := range nodes {
				if !yield(&nodes[i]) {
					return
				}
			}
		}
	}
}

// Own reports whether the engine itself writes a variable.
func (r *Rules) Own(v *Var) bool {
	return v != nil && (v == r.Throws || v == r.Later || v == r.Taken || v == r.Mover || v == r.From || v == r.Carried || v == r.Worth)
}

// About reports whether a clause that names a move, or any move of a piece, may be about a move.
func (x *Clause) About(m *Move) bool {
	return x.Move == m || x.Move == nil && len(m.Params) > 0 && m.Params[0].Type == Of(Piece)
}

// Likes are the kinds of option a duty is content with; of other clauses the clause itself.
func (x *Clause) Likes() []*Clause { return append([]*Clause{x}, x.Or...) }

// Clause is one line of a rule. Kind says which fields are used.
type Clause struct {
	Kind   ClauseKind
	Index  int // among all clauses of the rule book
	Rule   *Rule
	Cites  []string
	Params []*Local // of the pattern or event, in order; nil for those without a name
	Move   *Move    // of may, must, never and move events; in the latter two nil means any move
	To     *Local   // the destination of an option, nil if unnamed
	By     *Expr    // may: number or list of numbers; win: what it counts, nil for the usual 1
	// May: no duty takes away what it offers; it offers where nothing else is.
	Despite, Otherwise bool
	// Must: more kinds of option it is content with, clauses with their own Params, Move, To and When.
	Or     []*Clause
	When   *Expr // nil is always; the condition of an ending or an always too
	First  Verdict
	Second Verdict
	Event  EventKind
	Zones  bool   // of a leave event: of zones too
	Dice   []*Die // of a throw event; nil means any
	Act    *Act
	Block  *Block
	Ending EndingKind
	Scope  Scope // of the ending's Params[0]: ScopePlayer, ScopeTeam or ScopeColour
	Span   source.Span
}
