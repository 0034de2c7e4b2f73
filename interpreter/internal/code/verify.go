package code

import (
	"errors"
	"fmt"
	"slices"
)

// Verify checks what the machine relies on: each operand lies within the program, as the table of operations describes. It catches compiler
// bugs before they become wrong games. VerifyFlow checks the registers.
func Verify(p *Program) error {
	for at := range p.Code {
		if err := p.verifyInstr(at); err != nil {
			return err
		}
	}
	if n := len(p.Code); n == 0 || !p.Code[n-1].Op.Of().Stops {
		return errors.New("the program goes on after its last instruction")
	}
	if err := p.verifyAddresses(); err != nil {
		return err
	}
	return verifyTracks(p)
}

// verifyInstr checks one instruction.
func (p *Program) verifyInstr(at int) error {
	in := &p.Code[at]
	if in.Op >= numberOps {
		return fmt.Errorf("instruction %d: %s is no operation", at, in.Op)
	}
	d := in.Op.Of()
	for _, x := range []struct {
		kind  Kind
		value int32
	}{{d.K, in.K}, {d.T, in.T}} {
		if low, high, ok := p.limits(x.kind); ok && (x.value < low || x.value >= high) {
			return fmt.Errorf("instruction %d: %s: %d is not between %d and %d", at, p.Text(at), x.value, low, high-1)
		}
	}
	switch {
	case d.Tracks && p.Tracks == nil:
		return fmt.Errorf("instruction %d: %s: there are no sets of squares", at, in.Op)
	case d.Asks && int(in.C) >= len(p.Tracks.Questions):
		return fmt.Errorf("instruction %d: %s: there is no question %d", at, in.Op, in.C)
	case in.Op == NativeCall:
		if in.C >= uint8(numberNatives) || int(in.A)+int(in.B) > 256 {
			return fmt.Errorf("instruction %d: no such native", at)
		}
		n := NativeOp(in.C)
		if args := n.Of().Args; args >= 0 && args != int(in.B) {
			return fmt.Errorf("instruction %d: %s takes %d arguments, not %d", at, n, args, in.B)
		}
		if n == TakeNote && (in.K < 0 || int(in.K) >= p.Notes) {
			return fmt.Errorf("instruction %d: there is no note %d", at, in.K)
		}
	}
	return nil
}

// limits is the valid range of an immediate: low <= value < high.
func (p *Program) limits(k Kind) (low, high int32, ok bool) {
	n := 0
	switch k {
	case Cell:
		n = p.Layout.Size
	case TableAt:
		n = len(p.Tables)
	case ScratchAt:
		n = p.Scratch
	case WordAt:
		n = len(p.Derived)
	case WordBase:
		return 1, int32(len(p.Derived)) + 1, true
	case MaskBase:
		return 1, int32(len(p.Masks)) + 1, true
	case PieceCells:
		n = p.Layout.Size - p.Layout.Pieces + 1
	case Target:
		n = len(p.Code)
	case PointAt:
		n = len(p.Points)
	case RangeAt:
		n = len(p.Ranges)
	case RowsAt:
		n = len(p.Rows)
	case TemplateAt:
		n = len(p.Templates)
	case CounterAt:
		n = p.Counters
	case Sixteen:
		return -1 << 15, 1 << 15, true
	case FaultKind:
		n = int(numberFaults)
	default:
		return 0, 0, false
	}
	return 0, int32(n), true
}

// verifyAddresses checks the addresses outside instructions.
func (p *Program) verifyAddresses() (err error) {
	p.addresses(func(at *int32) {
		if *at < 0 || int(*at) >= len(p.Code) {
			err = fmt.Errorf("address %d is not in the program", *at)
		}
	})
	if err != nil {
		return err
	}
	for i := range p.Rows {
		x := &p.Rows[i]
		if x.Point < 0 || x.Point >= len(p.Points) || x.Play < 0 || x.Play >= len(p.Plays) || len(x.Rows) > MaxRows {
			return fmt.Errorf("rows %d lead nowhere, or are too many", i)
		}
		if list := p.Plays[x.Play].List; list < 0 || int(list) >= len(p.Entries) {
			return fmt.Errorf("the options of rows %d cannot be listed", i)
		}
	}
	return nil
}

// verifyTracks checks the track sets.
func verifyTracks(p *Program) error {
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
	entry := func(n int) bool { return n >= 0 && n < len(p.Entries) }
	for _, q := range t.Questions {
		if !entry(q.Entry) {
			return errors.New("a question asks nothing")
		}
	}
	if !entry(t.Ask) {
		return errors.New("the clauses about steps cannot be asked")
	}
	for _, j := range t.Judges {
		if !entry(j.Entry) || j.Set < 0 || j.Set >= TrackSets || j.Counter < 0 || j.Counter >= p.Counters {
			return errors.New("a judge asks nothing")
		}
	}
	return nil
}

// registers is a bitset of registers.
type registers [4]uint64

func (s *registers) add(r uint8)      { s[r>>6] |= 1 << (r & 63) }
func (s *registers) has(r uint8) bool { return s[r>>6]>>(r&63)&1 != 0 }

// VerifyFlow checks that on every path a register is written before it is read: a forward data-flow analysis with intersection at joins. No
// register is defined at nodes and entries; a procedure starts with the intersection of its callers. It requires the assumptions that the
// pass drop removes.
func VerifyFlow(p *Program) error {
	all := registers{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
	known := slices.Repeat([]registers{all}, len(p.Code)) // registers written on every path to an instruction
	var work []int32
	meet := func(at int32, s *registers) {
		was := known[at]
		for i := range s {
			known[at][i] &= s[i]
		}
		if known[at] != was {
			work = append(work, at)
		}
	}
	calls := map[int32][]int32{}      // call sites of each procedure
	written := map[int32]*registers{} // registers written at every return of a procedure
	owner := p.owners()
	for i := range p.Code {
		if in := &p.Code[i]; in.Op == Call {
			calls[in.T] = append(calls[in.T], int32(i))
			written[in.T] = &registers{all[0], all[0], all[0], all[0]}
		}
	}
	nothing := registers{}
	for i := range p.Points {
		meet(p.Points[i].PC, &nothing)
	}
	for _, e := range p.Entries {
		meet(e, &nothing)
	}
	for i := range p.Rows { // entered after a choice
		if one := p.Rows[i].One; one > 0 {
			meet(one, &nothing)
		}
	}
	for len(work) > 0 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		in := &p.Code[at]
		out := known[at]
		in.Registers(p, func(r uint8, use Use) {
			if use == Writes {
				out.add(r)
			}
		})
		switch in.Op {
		case Goto:
			meet(in.T, &nothing)
			continue
		case Return:
			for _, proc := range owner[at] {
				for i := range out {
					written[proc][i] &= out[i]
				}
				work = append(work, calls[proc]...)
			}
			continue
		case Call: // registers are shared: after the call those of the caller and of the procedure are defined
			meet(in.T, &out)
			for i := range out {
				out[i] |= written[in.T][i]
			}
			meet(at+1, &out)
			continue
		case Suspend:
			continue
		}
		in.eachTarget(p, func(to *int32) { meet(*to, &out) })
		if !in.Op.Of().Stops {
			meet(at+1, &out)
		}
	}
	for at := range p.Code {
		var bad error
		p.Code[at].Registers(p, func(r uint8, use Use) {
			if use == Reads && !known[at].has(r) && bad == nil {
				bad = fmt.Errorf("instruction %d: %s reads r%d, which may not have been written", at, p.Text(at), r)
			}
		})
		if bad != nil {
			return bad
		}
	}
	return nil
}

// owners maps each Return to the procedures whose start reaches it.
func (p *Program) owners() map[int32][]int32 {
	out := map[int32][]int32{}
	begins := map[int32]bool{}
	for i := range p.Code {
		if p.Code[i].Op == Call {
			begins[p.Code[i].T] = true
		}
	}
	for begin := range begins {
		seen := map[int32]bool{begin: true}
		work := []int32{begin}
		reach := func(at int32) {
			if int(at) < len(p.Code) && !seen[at] {
				seen[at] = true
				work = append(work, at)
			}
		}
		for len(work) > 0 {
			at := work[len(work)-1]
			work = work[:len(work)-1]
			in := &p.Code[at]
			if in.Op == Return {
				out[at] = append(out[at], begin)
				continue
			}
			if in.Op != Call { // the callee returns behind the call
				in.eachTarget(p, func(to *int32) { reach(*to) })
			}
			if !in.Op.Of().Stops {
				reach(at + 1)
			}
		}
	}
	return out
}
