package compile

import (
	"fmt"
	"io"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// treePass transforms the tree of a program in place. ir.Verify holds after each pass; without a watcher, the last alone is verified.
type treePass struct {
	name string
	run  func(c *compiler, procs []*ir.Proc)
}

// treePasses are the passes over the tree, in order. The passes of package code follow.
var treePasses = []treePass{
	{"lower", func(*compiler, []*ir.Proc) {}}, // no transformation: this stage shows the lowered rules
	{"hoist", func(c *compiler, procs []*ir.Proc) {
		for _, p := range ir.Reached(procs) {
			ir.Hoist(p, ir.Machine{Effect: code.Effect, Listed: c.layout.Listed})
		}
	}},
}

// Stage observes a program after each stage: its tree, then its instructions. Either function may be nil.
type Stage struct {
	Tree func(stage string, procs []*ir.Proc)
	Code code.Watcher
}

func (c *compiler) reached(stage string, procs []*ir.Proc) {
	if c.watch.Tree != nil {
		c.watch.Tree(stage, ir.Reached(procs))
	}
}

// Stages are the names of the stages of a program, in order: those of the tree, then those of the instructions.
func Stages() []string {
	out := seq.Map(treePasses, func(p treePass) string { return p.name })
	return append(out, code.Stages()...)
}

// Each compiles rules, in the plain form or not, and shows the program after each stage.
func Each(rules *model.Rules, plain bool, see Stage) error {
	return each(rules, plain, func(*compiler) Stage { return see })
}

func each(rules *model.Rules, plain bool, see func(c *compiler) Stage) error {
	_, err := compileRules(rules, func(c *compiler) {
		c.plain = c.plain || plain
		c.watch = see(c)
	}, func(*compiler) {})
	return err
}

// Print compiles rules, in the plain form or not, and writes the program after one stage: procedures of statements, or
// instructions. where formats the source position of each.
func Print(w io.Writer, rules *model.Rules, plain bool, stage string, where func(u *Unit, site int) string) error {
	var err error
	found := false
	failed := each(rules, plain, func(c *compiler) Stage {
		at := func(site int) string { return where(c.unit, site) }
		names := ir.Names{Cell: c.prog.CellName, Native: func(k int) string { return code.NativeOp(k).String() }, Where: at}
		return Stage{
			Tree: func(now string, procs []*ir.Proc) {
				if now == stage {
					found, err = true, ir.Print(w, procs, names)
				}
			},
			Code: func(now string, p *code.Program) {
				if now == stage {
					found, err = true, p.Print(w, at)
				}
			},
		}
	})
	switch {
	case failed != nil:
		return failed
	case !found:
		return fmt.Errorf("there is no stage %q", stage)
	}
	return err
}
