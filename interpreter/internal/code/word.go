package code

// Word is an instruction as the machine reads it, in one number, so that it is loaded at once and taken apart in registers:
// the operation in the lowest byte, then A, B and C, and in the upper half K; of a fused operation K and T, sixteen bits
// each.
//
//	63      48 47      32 31  24 23  16 15   8 7    0
//	[   T    | K        |  C   |  B   |  A   |  op  ]
type Word uint64

// Op is the operation.
func (w Word) Op() Op { return Op(w) }

// A is the first byte.
func (w Word) A() uint8 { return uint8(w >> 8) }

// B is the second byte.
func (w Word) B() uint8 { return uint8(w >> 16) }

// C is the third byte.
func (w Word) C() uint8 { return uint8(w >> 24) }

// Small is the third byte as a number with a sign.
func (w Word) Small() int { return int(int8(w >> 24)) }

// BC is the second and third byte as one number with a sign.
func (w Word) BC() int16 { return int16(w >> 16) }

// K is the immediate.
func (w Word) K() int { return int(int64(w) >> 32) }

// Low is K of a fused operation.
func (w Word) Low() int { return int(uint16(w >> 32)) }

// Signed is the same as a number with a sign.
func (w Word) Signed() int { return int(int16(w >> 32)) }

// T is the target, or the second immediate, of a fused operation.
func (w Word) T() int { return int(w >> 48) }

// words packs the instructions of a program.
func words(code []Instr) []Word {
	out := make([]Word, len(code))
	for i, in := range code {
		w := Word(in.Op) | Word(in.A)<<8 | Word(in.B)<<16 | Word(in.C)<<24
		if in.Op >= firstFused {
			w |= Word(uint16(in.K))<<32 | Word(uint16(in.T))<<48
		} else {
			w |= Word(uint32(in.K)) << 32
		}
		out[i] = w
	}
	return out
}

// packs reports whether the immediates of a fused operation fit a word.
func packs(in Instr) bool {
	low, high := int32(0), int32(1<<16-1)
	switch in.Op {
	case AddEq, AddNe, AddLt, AddLess:
		low, high = -1<<15, 1<<15-1
	}
	return in.Op < firstFused || low <= in.K && in.K <= high && 0 <= in.T && in.T < 1<<16
}
