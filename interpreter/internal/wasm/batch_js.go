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
type Player struct{}

// Play fails with ErrTrouble.
func (*Player) Play(Request) error { return ErrTrouble }

// The other methods exist for the compiler only.

// Throws is never called.
func (*Player) Throws() int { return 0 }

// Long is never called.
func (*Player) Long() bool { return false }

// Decisions is never called.
func (*Player) Decisions() int { return 0 }

// First is never called.
func (*Player) First() int { return 0 }

// Unfinished is never called.
func (*Player) Unfinished() bool { return false }

// LeadChanges is never called.
func (*Player) LeadChanges() int { return 0 }

// Leader is never called.
func (*Player) Leader() int { return 0 }

// Since is never called.
func (*Player) Since(int) int { return 0 }

// Ranked is never called.
func (*Player) Ranked() int { return 0 }

// Before is never called.
func (*Player) Before() int { return 0 }

// Final is never called.
func (*Player) Final(*vm.Machine) {}
