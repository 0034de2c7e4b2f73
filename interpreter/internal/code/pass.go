package code

import (
	"reflect"
	"slices"
)

// A pass changes a program in place and leaves it well-formed: Verify holds between any two.
type pass struct {
	name string
	run  func(p *Program)
}

// Watcher sees a program after a stage: what generating made, then after each pass.
type Watcher func(stage string, p *Program)

const generated = "generate"

// Stages are the names of the stages, in their order.
func Stages() []string {
	out := []string{generated}
	for _, x := range passes {
		out = append(out, x.name)
	}
	return out
}

// passes are what follows generating, in this order.
var passes = []pass{{"thread", thread}, {"drop", drop}, {"fuse", Fuse}, {"link", Link}}

// thread lets jumps to jumps lead where those lead. A jump backwards is counted when it is taken, so it stays.
func thread(p *Program) {
	for i := range p.Code {
		in := &p.Code[i]
		if in.Op == Call || in.Op == TryOp {
			continue
		}
		in.leads(p, func(at *int32) {
			for range 8 {
				next := &p.Code[*at]
				if next.Op != Jump || next.T <= *at {
					break
				}
				*at = next.T
			}
		})
	}
}

// drop leaves out what does nothing: assumptions, and jumps to the next instruction.
func drop(p *Program) {
	p.rewrite(func(at int, _ []bool) (Instr, int) {
		in := p.Code[at]
		if in.Op == Nop || in.Op == Assume || in.Op == Jump && int(in.T) == at+1 {
			return Instr{}, 1
		}
		return in, 1
	})
}

// rewrite makes the program anew from its beginning to its end. one gives the instruction that replaces the n at an address, Nop for none; led says of each
// address whether something leads there other than the instruction before.
func (p *Program) rewrite(one func(at int, led []bool) (in Instr, n int)) {
	led := p.led()
	moved := make([]int32, len(p.Code)+1)
	out := make([]Instr, 0, len(p.Code))
	for at := 0; at < len(p.Code); {
		in, n := one(at, led)
		for i := range n {
			moved[at+i] = int32(len(out))
		}
		if in.Op != Nop {
			out = append(out, in)
		}
		at += n
	}
	moved[len(p.Code)] = int32(len(out))
	p.Code = out
	p.addresses(func(at *int32) { *at = moved[*at] })
}

// addresses calls f for every address that a program holds.
func (p *Program) addresses(f func(at *int32)) {
	for i := range p.Code {
		if in := &p.Code[i]; in.Op != RowsOp {
			in.leads(p, f)
		}
	}
	for i := range p.Rows {
		f(&p.Rows[i].None)
		f(&p.Rows[i].One)
	}
	for i := range p.Points {
		f(&p.Points[i].PC)
	}
	for i := range p.Entries {
		f(&p.Entries[i])
	}
}

// led says of each address whether something leads there other than the instruction before.
func (p *Program) led() []bool {
	led := make([]bool, len(p.Code)+1)
	p.addresses(func(at *int32) { led[*at] = true })
	for i := range p.Code {
		if p.Code[i].Op == Call { // comes back behind it
			led[i+1] = true
		}
	}
	return led
}

// Link lets instructions point to one another. Where one jumps backwards stands an instruction of its own that counts the jump, so that no program runs
// for ever and no other jump asks.
func Link(p *Program) {
	target := func(from int, to int32) *Instr {
		if int(to) <= from {
			return &Instr{Op: Round, To: &p.Code[to], T: to, Site: p.Code[from].Site}
		}
		return &p.Code[to]
	}
	for i := range p.Code {
		in := &p.Code[i]
		if i+1 < len(p.Code) {
			in.Next = &p.Code[i+1]
		}
		switch {
		case in.Op == Goto, in.Op == Call: // a Goto is counted by itself
			in.To = &p.Code[in.T]
		case in.Op.Of().T == Target:
			in.To = target(i, in.T)
		case in.Op == RowsOp:
			in.Rows = &p.Rows[in.K]
		}
	}
	for i := range p.Points {
		p.Points[i].To = &p.Code[p.Points[i].PC]
	}
	for i := range p.Rows {
		x := &p.Rows[i]
		x.ToNone, x.ToOne = &p.Code[x.None], &p.Code[x.One]
	}
}

// Same reports whether two programs do the same: all but where in the files their instructions come from is equal.
func (p *Program) Same(o *Program) bool { return reflect.DeepEqual(p.bare(), o.bare()) }

// bare is a copy of a program without sites, and without what Link made.
func (p *Program) bare() *Program {
	out := *p
	out.Code, out.Points, out.Rows = slices.Clone(p.Code), slices.Clone(p.Points), slices.Clone(p.Rows)
	for i := range out.Code {
		in := &out.Code[i]
		in.Next, in.To, in.Rows, in.Site = nil, nil, nil, 0
	}
	for i := range out.Points {
		out.Points[i].To = nil
	}
	for i := range out.Rows {
		out.Rows[i].ToNone, out.Rows[i].ToOne = nil, nil
	}
	return &out
}
