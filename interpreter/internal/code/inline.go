package code

import "github.com/rulerun/rulerun/interpreter/internal/ir"

// Small procedures, and those with few call sites, are inlined: a call costs as much as two or three other instructions, and passing the
// arguments as much again.
const (
	inlineSmall = 120
	inlineTwice = 1500
	inlineOnce  = 2000
)

// inlines reports whether calls of a procedure are replaced by its body.
func (g *generator) inlines(i *procInfo) bool {
	if g.noInline || i.suspends || i.proc.Entry || i.returns {
		return false
	}
	return i.size <= inlineSmall || i.callers <= 2 && i.size <= inlineTwice || i.callers == 1 && i.size <= inlineOnce
}

// measure computes the size of procedures with their inlined callees, and returns about the number of all instructions. Callees come first.
func (g *generator) measure() int {
	for _, i := range g.procs {
		for _, c := range i.calls {
			g.info[c].callers++
		}
	}
	all := 0
	for _, i := range g.procs {
		i.size = ir.Weight(i.proc.Body, nil)
		for _, c := range i.calls {
			if g.inlines(g.info[c]) {
				i.size += g.info[c].size
			}
		}
		if !g.inlines(i) {
			all += i.size
		}
	}
	return all
}

// inline generates the body of a procedure instead of a call.
func (g *generator) inline(i *procInfo, args []*ir.Expr) {
	mark := g.regs
	g.inExpr++
	for n, a := range args {
		p := i.proc.Params[n]
		if !ir.Uses(i.proc.Body, p) && (a.Op == ir.Const || a.Op == ir.Use || a.Op == ir.Cell) {
			continue
		}
		if a.Op == ir.Use {
			if h := g.homeOf(a.Local); !h.cell { // neither changes while the body runs
				g.locals[p] = h
				continue
			}
		}
		h := home{at: g.reg()}
		g.exprTo(a, h.at)
		g.locals[p] = h
	}
	g.body(i.proc.Body)
	for _, p := range i.proc.Params {
		delete(g.locals, p)
	}
	g.inExpr--
	g.release(mark)
}
