package sense

import (
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
)

// tooFar says that a number is larger than what any move can count, "" where one may.
func (x *setting) tooFar(n int) string {
	if n <= x.lastIndex() || !x.ahead() || x.did.stops || x.did.turns || x.reactsToStuck() {
		return ""
	}
	defer x.setSteps(x.steps)
	steps := x.ofCell(model.Number, model.CellSteps)
	for _, f := range x.may {
		if m := f.x.Move; m.Kind == model.MoveWalk && f.x.By == nil && x.intern(m.Where, nil, 0) == steps {
			continue
		}
		x.counting(f.x)
		if f.x.By != nil || x.possibleAfter(x.assume(x.equal(steps, x.number(n)), true, x.open()), f.terms...) {
			return ""
		}
	}
	return "no move counts " + strconv.Itoa(n) + ": the longest way has " + strconv.Itoa(x.lastIndex()) + " steps"
}

// farOptions notes the options that are earned, and are too large with their default.
func (x *setting) farOptions() {
	for _, o := range x.r.Options {
		why, earned := "", false
		for s := range x.r.Stmts() {
			if o.Default && s.Kind == model.StmtEarn && s.Value.Op == model.OpConst && words(s.Value.Span) == o.Name {
				if now := x.tooFar(s.Value.Int); !earned || now == "" {
					why = now
				}
				earned = true
			}
		}
		if was, known := x.far[o.Name]; earned && (!known || was != "") {
			x.far[o.Name] = why
		}
	}
}

// TooFar says of an option why no move counts its default wherever it is earned, "" where one may.
func (s *Study) TooFar(option string) string { return s.far[option] }
