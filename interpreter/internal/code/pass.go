package code

import (
	"reflect"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
)

// A pass transforms a program in place. Verify must hold after each pass.
type pass struct {
	name string
	run  func(p *Program)
}

// Watcher receives the program after each stage: after code generation, then after each pass.
type Watcher func(stage string, p *Program)

const generated = "generate"

// Stages are the names of the stages, in order.
func Stages() []string {
	return append([]string{generated}, seq.Map(passes, func(x pass) string { return x.name })...)
}

// passes are run after code generation, in this order.
var passes = []pass{{"thread", thread}, {"drop", drop}, {"fuse", Fuse}, {"link", Link}}

// thread is jump threading: a jump to a jump goes to the final target. Backward jumps stay, because each one taken is counted.
func thread(p *Program) {
	for i := range p.Code {
		in := &p.Code[i]
		if in.Op == Call || in.Op == TryOp {
			continue
		}
		in.eachTarget(p, func(at *int32) {
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

// drop removes instructions without effect: assumptions, and jumps to the next instruction.
func drop(p *Program) {
	p.rewrite(func(out []Instr, at int) []Instr {
		in := p.Code[at]
		if in.Op == Nop || in.Op == Assume || in.Op == Jump && int(in.T) == at+1 {
			return out
		}
		return append(out, in)
	})
}

// rewrite rebuilds the program in place. add adds the instruction at an address to those that stand for the ones before it. It may put
// another one instead of it and some of these, down to the last that is a target.
func (p *Program) rewrite(add func(out []Instr, at int) []Instr) {
	moved := make([]int32, len(p.Code)+1)
	out := p.Code[:0] // never longer than what is read
	for at := range p.Code {
		moved[at] = int32(len(out))
		out = add(out, at)
	}
	moved[len(p.Code)] = int32(len(out))
	clear(p.Code[len(out):])
	p.Code = out
	p.addresses(func(at *int32) { *at = moved[*at] })
}

// addresses calls f for every address in a program.
func (p *Program) addresses(f func(at *int32)) {
	for i := range p.Code {
		if in := &p.Code[i]; in.Op != RowsOp {
			in.eachTarget(p, f)
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

// targets reports for each address whether it has a predecessor other than the previous instruction.
func (p *Program) targets() []bool {
	targets := make([]bool, len(p.Code)+1)
	p.addresses(func(at *int32) { targets[*at] = true })
	for i := range p.Code {
		if p.Code[i].Op == Call { // the return address
			targets[i+1] = true
		}
	}
	return targets
}

// Link sets the pointers between instructions. A backward jump goes through a Round instruction of its own, which counts the jump: no
// program runs for ever, and forward jumps need no counter.
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
		case in.Op == Goto, in.Op == Call: // a Goto counts itself
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

// Same reports whether two programs are equal except for sites.
func (p *Program) Same(o *Program) bool { return reflect.DeepEqual(p.bare(), o.bare()) }

// bare copies a program without sites and links.
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
