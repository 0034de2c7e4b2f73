package wasm

import "errors"

// Request describes the game to play.
type Request struct {
	Random    uint64 // state of the random number generator
	First     int    // the seat that begins, -1 if the rules choose
	MaxThrows int
	Leads     bool
}

// Result holds the figures of a game.
type Result struct {
	Throws      int
	Decisions   int  // choices within turns, questions included, that had two options or more
	First       int  // the seat that began, below 0 if the rules never determined it
	Unfinished  bool // the limit of throws ended the game
	Long        bool // the game ran out of fuel between two nodes, or of choices between two throws: the interpreter must play it
	LeadChanges int  // how often the lead passed to another team
	Leader      int  // the team that led at the end, -1 for none
	Since       int  // the number of throws after which it last took the lead
	Ranked      int  // the number of throws after which the first player was ranked, -1 if no player was
	Before      int  // the number of decisions up to that throw
}

// ErrTrouble says that a game needs the interpreter.
var ErrTrouble = errors.New("the interpreter must play this game")
