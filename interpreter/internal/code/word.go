package code

// Word is an instruction as the machine reads it: it points to the one after it and to the one it jumps to, so that the
// machine follows pointers, and keeps no address that must be checked.
type Word struct {
	Next, To *Word
	Op       Op
	A, B, C  uint8
	K, T     int32
	At       int32 // its address
	Many     *Many
	Rows     *RowSet // of RowsOp and RowOp
	Row      *Row    // of RowOp
	Alone    *Word   // of PutIn: where it goes on if the piece then stands alone and the answer to the question whose bit is T is no; T is 0 where none is asked
}

// Small is the third byte as a number with a sign.
func (w *Word) Small() int { return int(int8(w.C)) }

// BC is the second and third byte as one number with a sign.
func (w *Word) BC() int16 { return int16(uint16(w.B) | uint16(w.C)<<8) }

// link makes the instructions of a program ready to run. Where one jumps backwards stands a word of its own that counts the
// jump, so that no program runs for ever and no other jump asks.
func (p *Program) link() {
	out := make([]Word, len(p.Code))
	p.Words = out
	target := func(from int, to int32) *Word {
		if to < 0 || int(to) >= len(out) { // Verify will tell
			return nil
		}
		if in := &p.Code[to]; int(to) <= from && from >= int(p.copies) && in.Op != MuchNode && in.Op != Suspend { // nobody runs for ever past a node
			return &Word{Op: RoundOp, To: &out[to], At: int32(from)}
		}
		return &out[to]
	}
	for i, in := range p.Code {
		w := &out[i]
		*w = Word{Op: in.Op, A: in.A, B: in.B, C: in.C, K: in.K, T: in.T, At: int32(i), Many: in.Many}
		if i+1 < len(out) {
			w.Next = &out[i+1]
		}
		switch {
		case in.Op == JumpTold, in.Op == JumpNotTold:
			w.To, w.K = target(i, in.K), 1<<in.C
		case jumps(in.Op):
			w.To = target(i, in.K)
		case in.Op == PutIn:
			w.To = w.Next
		case targetIn(in.Op):
			w.To = target(i, in.T)
		case in.Op == Goto, in.Op == Call:
			if in.K >= 0 && int(in.K) < len(out) {
				w.To = &out[in.K]
			}
		}
		if in.Op == RowsOp && in.K >= 0 && int(in.K) < len(p.Rows) {
			if w.Rows = &p.Rows[in.K]; len(w.Rows.Rows) == 1 {
				w.Op, w.Row = RowOp, &w.Rows.Rows[0]
			}
		}
		if in.Op == SwitchOp {
			for _, way := range in.Many.Ways {
				in.Many.Begin = append(in.Many.Begin, target(i, way))
			}
		}
		if in.Op == TestsOp || in.Op == TestsFar {
			for j := range in.Many.Tests {
				t := &in.Many.Tests[j]
				t.To = target(i, t.Target)
			}
		}
	}
	for i := range p.Points {
		p.Points[i].To = target(-1, p.Points[i].PC)
	}
	for i := range out {
		if w := &out[i]; w.Op == PutIn || w.Op == PutInNe {
			w.askless()
		}
		if e := out[i].Many; e != nil {
			e.pack()
			e.Cast = p.cast(e.Node)
			if out[i].Op == MineWalkOp && e.Own == nil {
				e.own(p)
			}
		}
	}
	for i := range p.Rows {
		x := &p.Rows[i]
		x.ToNone = &out[x.None]
		for j := range x.Rows {
			r := &x.Rows[j]
			r.ToOne, r.Kept = &out[r.One], r.Steps == Source{Reg: -2, Const: CellSteps}
		}
	}
}

// askless lets what puts a piece down go past the question that follows. Where a piece stands alone, the machine knows
// the answer from a table of places.
func (w *Word) askless() {
	w.T = 0
	if q := w.To; q != nil && q.Op == JumpNotTold && q.A == w.A && q.B == w.B {
		w.Alone, w.T = q.To, q.K
	}
}

// packs reports whether the immediates of a fused operation fit a word.
func packs(in Instr) bool {
	low, high := int32(0), int32(1<<16-1)
	switch in.Op {
	case AddEq, AddNe, AddLt, AddLess:
		low, high = -1<<15, 1<<15-1
	}
	return in.Op < firstFused || in.Op >= MuchStore || low <= in.K && in.K <= high && 0 <= in.T && in.T < 1<<16
}
