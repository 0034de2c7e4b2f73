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
}

// Small is the third byte as a number with a sign.
func (w *Word) Small() int { return int(int8(w.C)) }

// BC is the second and third byte as one number with a sign.
func (w *Word) BC() int16 { return int16(uint16(w.B) | uint16(w.C)<<8) }

// link makes the instructions of a program ready to run.
func (p *Program) link() {
	out := make([]Word, len(p.Code))
	p.Words = out
	for i, in := range p.Code {
		w := &out[i]
		*w = Word{Op: in.Op, A: in.A, B: in.B, C: in.C, K: in.K, T: in.T, At: int32(i), Many: in.Many}
		if i+1 < len(out) {
			w.Next = &out[i+1]
		}
		to := int32(-1)
		switch {
		case jumps(in.Op), in.Op == Call, in.Op == Goto:
			to = in.K
		case targetIn(in.Op):
			to = in.T
		}
		if in.Op == TestsOp {
			for i := range in.Many.Tests {
				t := &in.Many.Tests[i]
				t.To = &out[t.Target]
			}
		}
		if to >= 0 && int(to) < len(out) { // else Verify will tell
			w.To = &out[to]
		}
	}
	for i := range p.Rows {
		x := &p.Rows[i]
		x.ToNone = &out[x.None]
		for j := range x.Rows {
			x.Rows[j].ToOne = &out[x.Rows[j].One]
		}
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
