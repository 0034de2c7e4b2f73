package wasm

import "github.com/rulerun/rulerun/interpreter/internal/vm"

// Batch is a stub for browsers: the interpreter plays there. A module for a browser therefore contains neither a compiler nor the code that
// lowers programs for it.
type Batch struct{}

// Compile fails with ErrUnsupported.
func Compile(*Source) (*Batch, error) { return nil, ErrUnsupported }

// NewPlayer fails with ErrUnsupported.
func (*Batch) NewPlayer() (*Player, error) { return nil, ErrUnsupported }

// Player never exists.
type Player struct{ Result }

// Play fails with ErrTrouble.
func (*Player) Play(Request) error { return ErrTrouble }

// Final is never called.
func (*Player) Final(*vm.Machine) {}
