package wasm

import "errors"

// Request describes the game to play.
type Request struct {
	Random    uint64 // state of the random number generator
	First     int    // the seat that begins, -1 if the rules choose
	MaxThrows int
	Leads     bool
}

// ErrTrouble says that a game needs the interpreter.
var ErrTrouble = errors.New("the interpreter must play this game")
