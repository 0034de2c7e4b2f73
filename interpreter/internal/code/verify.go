package code

import (
	"errors"
	"fmt"
	"slices"
)

// Verify checks what the machine relies on: every jump, table, cell and point lies within the program. It catches
// mistakes of the compiler before they become wrong games.
func Verify(p *Program) error {
	n := int32(len(p.Code))
	size := int32(p.Layout.Size)
	for pc := range p.Code {
		in := &p.Code[pc]
		bad := func(what string) error {
			return fmt.Errorf("instruction %d (%s): %s %d out of range", pc, in.Op, what, in.K)
		}
		switch in.Op {
		case Jump, JumpZ, JumpNZ, JumpEq, JumpNe, JumpLt, JumpLe, JumpEqK, JumpNeK, JumpLtK, JumpLeK, JumpGtK, JumpGeK, JumpTold, JumpNotTold, Call, Goto:
			if in.K < 0 || in.K >= n {
				return bad("target")
			}
			if in.Op >= JumpTold && in.Op <= JumpNotTold && (p.Tracks == nil || int(in.C) >= len(p.Tracks.Questions)) {
				return bad("question")
			}
		case ToldOp:
			if p.Tracks == nil || int(in.C) >= len(p.Tracks.Questions) {
				return bad("question")
			}
		case Load, Store, PutOp, StoreC, ReturnIn, LoadX, StoreX:
			if in.K < 0 || in.K >= size {
				return bad("cell")
			}
		case LoadT:
			if in.K < 0 || int(in.K) >= len(p.Tables) {
				return bad("table")
			}
		case LoadD:
			if in.K < 1 || int(in.K) > len(p.Derived) {
				return bad("derived word")
			}
		case LoadW:
			if in.K < 0 || int(in.K) >= len(p.Derived) {
				return bad("derived word")
			}
		case LoadM:
			if in.K < 1 || int(in.K) > len(p.Masks) {
				return bad("mask")
			}
		case AndW, AndNotW, AndWZ, AndWNZ, AndNotWZ, AndNotWNZ:
			if in.K < 0 || int(in.K) >= len(p.Derived) {
				return bad("derived word")
			}
			if targetIn(in.Op) && (in.T < 0 || in.T >= n) {
				return bad("fused target")
			}
		case LoadLoadM:
			if in.K < 1 || int(in.K) > len(p.Masks) || in.T < 0 || in.T >= size {
				return bad("mask")
			}
		case AddCell:
			if in.K < 0 || in.K >= size {
				return bad("cell")
			}
		case LoadLoad, Copy, StoreCC, StoreXC:
			if in.K < 0 || in.K >= size || in.T < 0 || in.T >= size {
				return bad("cell")
			}
		case FireStoreC, FireStore:
			if in.T < 0 || in.T >= size {
				return bad("cell")
			}
		case MuchStore, MuchNode, MuchTry, MuchOp, TestsOp, TestsFar, MineWalkOp:
			if in.Many == nil || !in.Many.fits(p) || targetIn(in.Op) && (in.T < 0 || in.T >= n) {
				return bad("many")
			}
			if e := in.Many; in.Op == MineWalkOp && (e.Mask < 1 || int(e.Mask) > len(p.Masks) || e.Owner >= HeaderCells || e.Steps >= HeaderCells ||
				e.Word >= DerivedPlaces || len(p.Derived) == 0 || p.Tracks == nil) {
				return bad("walk")
			}
			if in.Op == MuchNode && in.Many.Node == nil {
				return bad("node")
			}
		case SwitchOp:
			if in.K < 0 || in.K >= Near || in.T < 0 || in.T >= n || slices.ContainsFunc(in.Many.Ways, func(way int32) bool { return way < 0 || way >= n }) {
				return bad("way")
			}
		case PutIn, PutInNe:
			if in.K < 0 || in.K>>16 >= Near || targetIn(in.Op) && (in.T < 0 || in.T >= n) {
				return bad("cell")
			}
		case LoadS, StoreS:
			if in.K < 0 || int(in.K) >= p.Scratch {
				return bad("scratch")
			}
		case Check:
			if in.K < 0 || int(in.K) >= len(p.Ranges) {
				return bad("range")
			}
		case Suspend:
			if in.K < 0 || int(in.K) >= len(p.Points) {
				return bad("point")
			}
		case TryOp, TryZero:
			if in.K < 0 || in.K >= n {
				return bad("target")
			}
		case WalkersIn:
			if p.Tracks == nil || in.K < 0 || in.K >= size {
				return bad("cell")
			}
		case HavingOp:
			if in.K < 0 || int(in.K)+p.Layout.Pieces > int(size) || p.Layout.Pieces > 64 {
				return bad("cell")
			}
		case WalkersOp:
			if p.Tracks == nil {
				return bad("track")
			}
		case RowsOp:
			if in.K < 0 || int(in.K) >= len(p.Rows) {
				return bad("rows")
			}
		case EmitOp:
			if in.K < 0 || int(in.K) >= len(p.Templates) {
				return bad("template")
			}
		case Native:
			if int(in.A)+int(in.B) > 256 || in.C >= uint8(numberNatives) {
				return bad("native")
			}
			if NativeOp(in.C) == TakeNote && (in.K < 0 || int(in.K) >= p.Notes) {
				return bad("note")
			}
		default:
			if targetIn(in.Op) && (in.T < 0 || in.T >= n) {
				return bad("fused target")
			}
			if in.Op >= numberOps {
				return bad("operation")
			}
		}
	}
	switch last := p.Code[n-1]; last.Op {
	case Jump, Return, ReturnIn, End, Goto, Fail, Suspend:
	default:
		return fmt.Errorf("the program goes on after its last instruction (%s)", last.Op)
	}
	if err := verifySets(p); err != nil {
		return err
	}
	for i, point := range p.Points {
		if point.PC < 0 || point.PC >= n {
			return fmt.Errorf("point %d leads nowhere", i)
		}
	}
	return nil
}

// cell reports whether a number is that of a cell of the state.
func (p *Program) cell(at int) bool { return at >= 0 && at < p.Layout.Size }

// fits reports whether all that an instruction for many mentions lies within the program.
func (e *Many) fits(p *Program) bool {
	n := int32(len(p.Code))
	cell := func(at int16) bool { return p.cell(int(at)) }
	if e.Fire < -1 || int(e.Fire) >= p.Counters || !cell(e.From) || !cell(e.To) {
		return false
	}
	for _, c := range e.Stores {
		if !cell(c.At) {
			return false
		}
	}
	for _, t := range e.Tests {
		if !p.cell(int(t.At)) || t.Target < 0 || t.Target >= n {
			return false
		}
	}
	if e.Node != nil && (e.Node.K < 0 || int(e.Node.K) >= len(p.Points)) {
		return false
	}
	return e.Try >= 0 && e.Try < n
}

// verifySets checks the sets of squares, and the decisions that work with sets of pieces.
func verifySets(p *Program) error {
	n := int32(len(p.Code))
	for i := range p.Rows {
		x := &p.Rows[i]
		if x.None < 0 || x.None >= n || x.One < 0 || x.One >= n || x.Point < 0 || x.Point >= len(p.Points) || x.Play < 0 || x.Play >= len(p.Plays) {
			return fmt.Errorf("rows %d lead nowhere", i)
		}
		for _, r := range x.Rows {
			if r.One < 0 || r.One >= n {
				return fmt.Errorf("rows %d lead nowhere", i)
			}
		}
		if len(x.Rows) > MaxRows {
			return fmt.Errorf("rows %d are too many", i)
		}
		if list := p.Plays[x.Play].List; list < 0 || int(list) >= len(p.Entries) {
			return fmt.Errorf("the options of rows %d cannot be listed", i)
		}
	}
	t, l := p.Tracks, &p.Layout
	if len(p.Derived) > 0 && (len(p.Derived) < DerivedPlaces+l.Places || l.Pieces > 64 || l.Places > MaxListed) {
		return errors.New("the derived words do not fit the game")
	}
	if t == nil {
		return nil
	}
	colours := len(t.Base)
	if colours != l.Colours || len(t.Length) != colours {
		return errors.New("the tracks are not those of the colours")
	}
	if len(t.Nodes) != colours*l.Places || len(t.Holds) != l.Places*t.Keys || len(t.Says) != l.Places*t.Keys {
		return errors.New("the tables of the sets of squares have another size than the board")
	}
	if len(p.Squares) > MaxNodes {
		return errors.New("there are too many nodes")
	}
	for colour, length := range t.Length {
		if base := t.Base[colour]; base < NodeFirst || base+length+NodeGap > len(p.Squares) {
			return fmt.Errorf("the track of colour %d does not fit its squares", colour)
		}
	}
	if len(t.Questions) > MaxQuestions || len(t.Told) != l.Places*t.Keys {
		return errors.New("the table of answers has another size than the board")
	}
	for _, q := range t.Questions {
		if q.Entry < 0 || q.Entry >= len(p.Entries) {
			return errors.New("a question asks nothing")
		}
	}
	if t.Ask < 0 || t.Ask >= len(p.Entries) {
		return errors.New("the clauses about steps cannot be asked")
	}
	for _, j := range t.Judges {
		if j.Entry < 0 || j.Entry >= len(p.Entries) || j.Set < 0 || j.Set >= TrackSets || j.Counter < 0 || j.Counter >= p.Counters {
			return errors.New("a judge asks nothing")
		}
	}
	return nil
}
