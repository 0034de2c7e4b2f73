package code

import "fmt"

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
		case Jump, JumpZ, JumpNZ, JumpEq, JumpNe, JumpLt, JumpLe, JumpEqK, JumpNeK, JumpLtK, JumpLeK, JumpGtK, JumpGeK, Call, Goto:
			if in.K < 0 || in.K >= n {
				return bad("target")
			}
		case Load, Store, StoreC, ReturnIn, LoadX, StoreX:
			if in.K < 0 || in.K >= size {
				return bad("cell")
			}
		case LoadT:
			if in.K < 0 || int(in.K) >= len(p.Tables) {
				return bad("table")
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
			if isFused(in.Op) && (in.T < 0 || in.T >= n) {
				return bad("fused target")
			}
			if in.Op >= numberOps {
				return bad("operation")
			}
		}
	}
	for i, point := range p.Points {
		if point.PC < 0 || point.PC >= n {
			return fmt.Errorf("point %d leads nowhere", i)
		}
	}
	return nil
}
