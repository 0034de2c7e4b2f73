package code

import "github.com/rulerun/rulerun/interpreter/internal/ir"

// NativeOp is an operation of the machine on pieces, options and choices.
type NativeOp uint8

// The natives, with their arguments.
const (
	Lift        NativeOp = iota // piece: off its place, to be put back by Relink (LiftOp)
	TakeUp                      // piece: off its place into the hand
	Relink                      // piece: back to where it was lifted from
	SetDown                     // piece, place, node: out of the hand, or from where it stands
	PutAt                       // piece, place: the same at the first node of its track there
	Give                        // piece, colour: the piece belongs to that colour, at the first node of its new track; out of the hand
	OptReset                    // begin a list of options
	PathReset                   // begin a path
	PathPush                    // code: one more step of it
	PathCut                     // length: back to that many steps
	PathLen                     // → length
	Reason                      // K: a clause that speaks against the option being tried
	Unreasoned                  // forget the clauses that speak against an option that came to nothing
	ReasonsKeep                 // what speaks against the option being tried is kept for a branch that waits
	ReasonsBack                 // and is what speaks against the option now: that of the branch kept last
	Emit                        // move, p0, p1, p2, p3, to, node, steps, heading, number, duties, walk: an option; K is its clause
	Filter                      // number of duties, play or -1 when explaining, whether each number is for itself: keep options by duty (their counters from Duties[K] on), drop equal ones
	Most                        // K: play; how many of its numbers can be used from each option, and at most (CellUsable)
	FewerOut                    // 1 when explaining: options from which fewer numbers can be used go
	MostEnds                    // K: play; no number of it is left
	Take                        // number: the option to carry out goes to the cells
	PathAt                      // index → code of the path being carried out
	PickReset                   // begin a list of candidates
	PickAdd                     // value: a candidate; K is 1 for pieces
	PickBits                    // word → how many: the candidates are the numbers of its bits, from K on
	PickCount                   // → how many, equal ones counted once
	PickGet                     // number → candidate
	Fire                        // K: counter (FireOp)
	ActBegins                   // its arguments: act K is done
	Sort                        // count: the scratch from K on, keys first, by the keys; Sorts[K]
	Snapshot                    // the state as it is now is kept
	Undo                        // the state becomes what was kept
	ClearTurn                   // what lives only within a turn is 0 again: the frame, and what is being counted
	Stride                      // i, node, back: steps of the path being carried out that no reaction waits for → i | node<<16; K: table of places that matter
	StrideAll                   // → 1, with all steps of the path taken, if no reaction waits for any of them, else 0; K likewise
	WalkEnd                     // piece, number → the node a walk comes to that the sets of squares allow
	Later                       // set: K is a counter, to count once for each element when the options stand
	Tick                        // one more count or throw of the turn; too many are a fault (TickOp)
	Count                       // steps, piece or nil: a number is about to be counted; K is 1 where it was thrown, 0 where it was earned. It is a tick (CountOp)
	TakeNote                    // K: note, in programs that take them
	numberNatives
)

// NativeInfo describes a native: its name, how many arguments it has (-1: any number), how many of the first must not be nil, which the machine
// does not check, and whether it gives a result.
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
	Emit: {"emit", 12, 0, false}, Filter: {"filter", 3, 0, false}, Most: {"most", 0, 0, false}, FewerOut: {"fewer-out", 1, 0, false}, MostEnds: {"most-ends", 0, 0, false},
	Take: {"take", 1, 0, false}, PathAt: {"path-at", 1, 0, true},
	PickReset: {"picks-reset", 0, 0, false}, PickAdd: {"pick-add", 1, 0, false}, PickBits: {"pick-bits", 1, 0, true}, PickCount: {"pick-count", 0, 0, true}, PickGet: {"pick-get", 1, 0, true},
	Fire: {"fire", 0, 0, false}, ActBegins: {"act", -1, 0, false}, Sort: {"sort", 1, 0, false},
	Snapshot: {"snapshot", 0, 0, false}, Undo: {"undo", 0, 0, false}, ClearTurn: {"clear-turn", 0, 0, false},
	Stride: {"stride", 3, 0, true}, StrideAll: {"stride-all", 0, 0, true}, WalkEnd: {"walk-end", 2, 1, true},
	Later: {"fire-later", 1, 0, false}, Tick: {"tick", 0, 0, false}, Count: {"count", 2, 0, false}, TakeNote: {"note", 0, 0, false},
}

// Of is the description of the native.
func (n NativeOp) Of() *NativeInfo { return &natives[n] }

// String is the name of the native.
func (n NativeOp) String() string { return natives[n].Name }

// NonNil reports whether argument i of a native must not be nil: the machine does not look.
func NonNil(native, i int) bool { return i < natives[native].NonNil }

// Effect is what a native changes of what expressions read.
func Effect(native int) ir.Effect {
	switch NativeOp(native) {
	case OptReset, PathReset, PathPush, PathCut, PathLen, Reason, Unreasoned, ReasonsKeep, ReasonsBack, Emit, PathAt, PickReset, PickAdd, PickCount, PickGet, Fire, Later, TakeNote:
		return ir.Harmless
	case Lift, Relink:
		return ir.Lists
	}
	return ir.Anything
}

// Listed reports whether a cell is among those that say which pieces stand where, and in which order.
func (l *Layout) Listed(k int) bool { return k >= l.Count && k < l.At }
