package code

import "github.com/rulerun/rulerun/interpreter/internal/ir"

// NativeOp is a native operation on pieces, options and choices.
type NativeOp uint8

// The natives, with their arguments.
const (
	Lift        NativeOp = iota // piece: take it off its place until Relink (LiftOp)
	TakeUp                      // piece: take it off its place into the hand
	Relink                      // piece: put it back to where it was lifted
	SetDown                     // piece, place, node: move the piece from the hand or from its place
	PutAt                       // piece, place: SetDown at the first node of its track there
	Give                        // piece, colour: give the piece to that colour, at the first node of its new track; from the hand
	OptReset                    // start an option list
	PathReset                   // start a path
	PathPush                    // code: append a step
	PathCut                     // length: truncate the path
	PathLen                     // → length
	Reason                      // K: a clause that refuses the current option
	Unreasoned                  // drop the reasons of an option that was not added
	ReasonsKeep                 // push the reasons of the current option, for an unfinished branch of the walk
	ReasonsBack                 // pop the reasons of the last branch
	Emit                        // move, p0, p1, p2, p3, to, node, steps, heading, number, duties, walk: add an option; K is its clause
	Filter                      // play or -1 when explaining, whether duties compare per number: keep the options that meet duties, drop equal ones
	Most                        // 1 if the options are listed again; K: play; compute how many of its numbers can be used after each option, and the maximum (CellUsable)
	Times                       // n: from now on what a clause counts counts n times
	FewerOut                    // 1 when explaining: drop options from which fewer numbers can be used
	MostEnds                    // K: play; none of its numbers is left
	Take                        // number: write the option to the state
	PathAt                      // index → code of a step of the path being carried out
	PickReset                   // start a candidate list
	PickAdd                     // value: add a candidate; K is 1 for pieces
	PickBits                    // word → count: the candidates are K plus the numbers of the set bits
	PickCount                   // → count without duplicates; K is 1 + the number of a question whose candidates are complete, or 0
	PickGet                     // number → candidate
	Fire                        // K: increment a counter (FireOp)
	ActBegins                   // arguments of act K, which begins
	Sort                        // count: sort area Sorts[K] by its keys
	Snapshot                    // save the state for Undo
	Undo                        // restore the saved state
	ClearTurn                   // clear the frame and the count state at the end of a turn
	Stride                      // i, node, back: take the steps of the path that trigger no reaction → i | node<<16; K: table of reacting nodes
	StrideAll                   // → 1 after taking all steps of the path if none triggers a reaction, otherwise 0; K as in Stride
	WalkEnd                     // piece, number → end node of a walk that the track sets permit
	Later                       // set: add its size to the pending count of counter K, committed with the options
	Tick                        // one more count or throw of the turn; too many are a fault (TickOp)
	Count                       // steps, piece or nil: start counting a number; K is 1 if it was thrown, 0 if it was earned. Includes a Tick (CountOp)
	TakeNote                    // K: take a note, in a program with notes
	numberNatives
)

// NativeInfo describes a native: its name, its number of arguments (-1: any), the number of leading arguments that must not be nil
// (unchecked by the machine), and whether it has a result.
type NativeInfo struct {
	Name         string
	Args, NonNil int
	Result       bool
}

var natives = [numberNatives]NativeInfo{
	Lift: {"lift", 1, 1, false}, TakeUp: {"take-up", 1, 1, false}, Relink: {"relink", 1, 1, false},
	SetDown: {"set-down", 3, 2, false}, PutAt: {"put-at", 2, 0, false}, Give: {"give", 2, 0, false},
	OptReset: {"options-reset", 0, 0, false}, PathReset: {"path-reset", 0, 0, false}, PathPush: {"path-push", 1, 0, false},
	PathCut: {"path-cut", 1, 0, false}, PathLen: {"path-length", 0, 0, true},
	Reason: {"reason", 0, 0, false}, Unreasoned: {"reasons-drop", 0, 0, false}, ReasonsKeep: {"reasons-keep", 0, 0, false}, ReasonsBack: {"reasons-back", 0, 0, false},
	Emit: {"emit", 12, 0, false}, Filter: {"filter", 2, 0, false}, Times: {"times", 1, 0, false}, Most: {"most", 1, 0, false}, FewerOut: {"fewer-out", 1, 0, false}, MostEnds: {"most-ends", 0, 0, false},
	Take: {"take", 1, 0, false}, PathAt: {"path-at", 1, 0, true},
	PickReset: {"picks-reset", 0, 0, false}, PickAdd: {"pick-add", 1, 0, false}, PickBits: {"pick-bits", 1, 0, true}, PickCount: {"pick-count", 0, 0, true}, PickGet: {"pick-get", 1, 0, true},
	Fire: {"fire", 0, 0, false}, ActBegins: {"act", -1, 0, false}, Sort: {"sort", 1, 0, false},
	Snapshot: {"snapshot", 0, 0, false}, Undo: {"undo", 0, 0, false}, ClearTurn: {"clear-turn", 0, 0, false},
	Stride: {"stride", 3, 0, true}, StrideAll: {"stride-all", 0, 0, true}, WalkEnd: {"walk-end", 2, 1, true},
	Later: {"fire-later", 1, 0, false}, Tick: {"tick", 0, 0, false}, Count: {"count", 2, 0, false}, TakeNote: {"note", 0, 0, false},
}

// Of returns the description of the native.
func (n NativeOp) Of() *NativeInfo { return &natives[n] }

// String returns the name of the native.
func (n NativeOp) String() string { return natives[n].Name }

// NonNil reports whether argument i of a native must not be nil; the machine does not check it.
func NonNil(native, i int) bool { return i < natives[native].NonNil }

// Effect is the side effect of a native on what expressions read.
func Effect(native int) ir.Effect {
	switch NativeOp(native) {
	case OptReset, PathReset, PathPush, PathCut, PathLen, Reason, Unreasoned, ReasonsKeep, ReasonsBack, Emit, PathAt, PickReset, PickAdd, PickCount, PickGet, Fire, Later, Times, TakeNote:
		return ir.Harmless
	case Lift, Relink:
		return ir.Lists
	}
	return ir.Anything
}

// Listed reports whether a cell is part of the linked lists of pieces on places.
func (l *Layout) Listed(k int) bool { return k >= l.Count && k < l.At }
