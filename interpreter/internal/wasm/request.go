package wasm

import "errors"

// Request says which game is played.
type Request struct {
	Random    uint64 // where the source of random numbers stands
	First     int    // the seat that begins, -1 by the rules
	MaxThrows int
	Leads     bool
}

// ErrTrouble says that a game came to something that only the interpreter can settle.
var ErrTrouble = errors.New("the interpreter must play this game")
