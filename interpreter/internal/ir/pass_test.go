package ir_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// Natives in the programs of these tests.
const (
	quiet  = iota // no side effect
	lifts         // changes the lists of pieces
	sure          // its argument must not be nil
	strong        // may change anything
)

var machine = ir.Machine{
	Effect: func(native int) ir.Effect {
		return [...]ir.Effect{ir.Harmless, ir.Lists, ir.Harmless, ir.Anything}[native]
	},
	Listed: func(cell int) bool { return cell >= 100 },
}

func text(t *testing.T, procs ...*ir.Proc) string {
	t.Helper()
	var b strings.Builder
	err := ir.Print(&b, procs, ir.Names{
		Cell:   func(k int) string { return fmt.Sprintf("@%d", k) },
		Native: func(k int) string { return [...]string{"quiet", "lifts", "sure", "strong"}[k] },
		Where:  func(int) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func cell(k int) *ir.Expr { return &ir.Expr{Op: ir.Cell, K: k} }

func cellAt(k int, i *ir.Expr) *ir.Expr { return &ir.Expr{Op: ir.CellAt, K: k, A: i} }

// heavy is a condition on a cell with enough weight to be cached.
func heavy(x *ir.Expr) *ir.Expr {
	sum := x
	for k := range 6 {
		sum = ir.Op2(ir.Add, sum, cellAt(k, x))
	}
	return ir.Op2(ir.Lt, ir.K(0), sum)
}

// many is a value of large weight that reads only x of the state.
func many(x *ir.Expr) *ir.Expr {
	for range 12 {
		x = &ir.Expr{Op: ir.And, A: x, B: ir.K(7)}
	}
	return x
}

// counting is a loop over i from 0 to 4 with a body.
func counting(i *ir.Local, body ...*ir.Stmt) ir.Body {
	loop := ir.NewLoop()
	stmts := ir.When(ir.Op2(ir.Le, ir.K(4), ir.Get(i)), ir.Body{ir.BreakTo(loop)}, nil)
	stmts = append(stmts, body...)
	stmts = append(stmts, ir.Assign(i, ir.Op2(ir.Add, ir.Get(i), ir.K(1))))
	return ir.Body{ir.Assign(i, ir.K(0)), ir.LoopOf(loop, stmts)}
}

func native(k int, args ...*ir.Expr) *ir.Stmt { return &ir.Stmt{Op: ir.Native, K: k, Args: args} }

// TestHoist moves a condition out of a loop in which it is invariant, and leaves it otherwise.
func TestHoist(t *testing.T) {
	i, j, x := &ir.Local{Name: "i"}, &ir.Local{Name: "j"}, &ir.Local{Name: "x"}
	when := func(c *ir.Expr) *ir.Stmt { return ir.When(c, ir.Body{native(quiet)}, nil)[0] }
	for _, c := range []struct {
		name  string
		body  ir.Body
		known int // number of cached conditions
	}{
		{"it reads a cell that nothing writes", counting(i, when(heavy(cell(7)))), 1},
		{"it reads the counter", counting(i, when(heavy(ir.Get(i)))), 0},
		{"it reads a local that the round sets", counting(i, ir.Assign(x, ir.Get(i)), when(heavy(ir.Get(x)))), 0},
		{"it reads a local set before", append(ir.Body{ir.Assign(x, ir.K(1))}, counting(i, when(heavy(ir.Get(x))))...), 1},
		{"the round writes the cell", counting(i, when(heavy(cell(7))), &ir.Stmt{Op: ir.Store, K: 7, A: ir.Get(i)}), 0},
		{"the round writes a cell by an index", counting(i, when(heavy(cell(7))), &ir.Stmt{Op: ir.Store, K: 50, B: ir.Get(i), A: ir.K(1)}), 0},
		{"a native may change anything", counting(i, when(heavy(cell(7))), native(strong)), 0},
		{"a native changes where pieces stand, it asks for something else", counting(i, when(heavy(cell(7))), native(lifts)), 1},
		{"and it asks for that", counting(i, when(heavy(cell(107))), native(lifts)), 0},
		{"a procedure is called", counting(i, when(heavy(cell(7))), &ir.Stmt{Op: ir.Call, Proc: &ir.Proc{Name: "act"}}), 0},
		{"a node comes", counting(i, when(heavy(cell(7))), &ir.Stmt{Op: ir.Suspend}), 0},
		{"it is cheap", counting(i, when(ir.Op2(ir.Lt, cell(7), ir.K(3)))), 0},
		{"out of two loops at once", counting(i, counting(j, when(heavy(cell(7))))...), 1},
		{"out of the inner loop only", counting(i, counting(j, when(heavy(ir.Get(i))))...), 1},
		{"the round writes the scratch, and it reads that", counting(i, &ir.Stmt{Op: ir.StoreScr, B: ir.K(0), A: ir.Get(i)}, when(heavy(&ir.Expr{Op: ir.Scratch, A: ir.K(0)}))), 0},
		{"it reads the scratch, which nothing writes", counting(i, when(heavy(&ir.Expr{Op: ir.Scratch, A: ir.K(0)}))), 1},
		{"a native changes where pieces stand, and it asks for the set of a place", counting(i, native(lifts), when(ir.Op2(ir.Eq, many(&ir.Expr{Op: ir.Derived, A: ir.K(4)}), ir.K(0)))), 0},
		{"it asks for the set of a place", counting(i, when(ir.Op2(ir.Eq, many(&ir.Expr{Op: ir.Derived, A: ir.K(4)}), ir.K(0)))), 1},
		{"the round writes a cell, and it asks which pieces have a value", counting(i, &ir.Stmt{Op: ir.Store, K: 50, A: ir.K(1)}, when(ir.Op2(ir.Eq, many(&ir.Expr{Op: ir.Having, K: 50, A: ir.K(-1), B: ir.K(1)}), ir.K(0)))), 0},
		{"it asks which pieces have a value", counting(i, when(ir.Op2(ir.Eq, many(&ir.Expr{Op: ir.Having, K: 50, A: ir.K(-1), B: ir.K(1)}), ir.K(0)))), 1},
		{"the round writes a cell, and it reads one by an index", counting(i, &ir.Stmt{Op: ir.Store, K: 50, A: ir.K(1)}, when(ir.Op2(ir.Eq, many(cellAt(50, ir.K(0))), ir.K(0)))), 0},
		{"a native gives what it reads", append(ir.Body{ir.Assign(x, ir.K(1))}, counting(i, when(heavy(ir.Get(x))), &ir.Stmt{Op: ir.Native, K: quiet, Local: x})...), 0},
		{"it counts options", counting(i, when(heavy(&ir.Expr{Op: ir.Offers}))), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &ir.Proc{Name: "p", Body: c.body}
			before := text(t, p)
			ir.Hoist(p, machine)
			after := text(t, p)
			if got := strings.Count(after, " = -1\n"); got != c.known {
				t.Errorf("%d conditions are remembered, want %d\n%s", got, c.known, after)
			}
			if c.known == 0 && before != after {
				t.Errorf("it changed\n%s", after)
			}
			if err := ir.Verify([]*ir.Proc{p}, func(int, int) bool { return false }); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestHoistText shows the program before and after.
func TestHoistText(t *testing.T) {
	i := &ir.Local{Name: "i"}
	p := &ir.Proc{Name: "options", Body: counting(i, ir.When(heavy(cell(7)), ir.Body{native(quiet, ir.Get(i))}, nil)...)}
	const sum = "(0 < ((((((@7 + @0[@7]) + @1[@7]) + @2[@7]) + @3[@7]) + @4[@7]) + @5[@7]))"
	if got, want := text(t, p), `proc options() {
  i = 0
  loop L1 {
    if (4 <= i) {
      break L1
    }
    if `+sum+` {
      quiet(i)
    }
    i = (i + 1)
  }
}
`; got != want {
		t.Errorf("before:\n%s", got)
	}
	ir.Hoist(p, machine)
	if got, want := text(t, p), `proc options() {
  i = 0
  known = -1
  loop L1 {
    if (4 <= i) {
      break L1
    }
    if { if (known < 0) { known = `+sum+` }; known } {
      quiet(i)
    }
    i = (i + 1)
  }
}
`; got != want {
		t.Errorf("after:\n%s", got)
	}
}

// TestVerify finds programs that later stages do not accept.
func TestVerify(t *testing.T) {
	x, brief := &ir.Local{Name: "x"}, &ir.Local{Name: "brief", Brief: true}
	there := &ir.Local{Name: "there", NonNil: true}
	loop := ir.NewLoop()
	for _, c := range []struct {
		name, want string // part of the message, "" if the program is valid
		body       ir.Body
	}{
		{"written first", "", ir.Body{ir.Assign(x, ir.K(1)), native(quiet, ir.Get(x))}},
		{"never written", `"x" is read`, ir.Body{native(quiet, ir.Get(x))}},
		{"written on one path", `"x" is read`, ir.Body{
			{Op: ir.Declare, Local: x}, {Op: ir.If, A: cell(1), Body: ir.Body{ir.Assign(x, ir.K(1))}}, native(quiet, ir.Get(x)),
		}},
		{"written on both paths", "", ir.Body{
			{Op: ir.Declare, Local: x}, {Op: ir.If, A: cell(1), Body: ir.Body{ir.Assign(x, ir.K(1))}, Else: ir.Body{ir.Assign(x, ir.K(2))}}, native(quiet, ir.Get(x)),
		}},
		{"written in a body that ends", `"x" is read`, ir.Body{{Op: ir.If, A: cell(1), Body: ir.Body{ir.Assign(x, ir.K(1))}}, native(quiet, ir.Get(x))}},
		{"declared as sure", "", ir.Body{{Op: ir.Declare, Local: x, Sure: true}, native(quiet, ir.Get(x))}},
		{"written before the exit of a loop", "", ir.Body{
			{Op: ir.Declare, Local: x}, ir.LoopOf(loop, ir.Assign(x, ir.K(1)), ir.BreakTo(loop)), native(quiet, ir.Get(x)),
		}},
		{"written after the exit of a loop", `"x" is read`, ir.Body{
			{Op: ir.Declare, Local: x}, ir.LoopOf(loop, &ir.Stmt{Op: ir.If, A: cell(1), Body: ir.Body{ir.BreakTo(loop)}}, ir.Assign(x, ir.K(1))), native(quiet, ir.Get(x)),
		}},
		{"brief behind a node", `"brief" is read`, ir.Body{ir.Assign(brief, ir.K(1)), {Op: ir.Suspend}, native(quiet, ir.Get(brief))}},
		{"a piece that may be nil", "may be nil", ir.Body{ir.Assign(x, ir.K(-1)), native(sure, ir.Get(x))}},
		{"a piece that is there", "", ir.Body{ir.Assign(there, ir.Must(cell(1))), native(sure, ir.Get(there))}},
		{"nil where none may be", "must not be nil", ir.Body{ir.Assign(there, ir.K(-1))}},
	} {
		err := ir.Verify([]*ir.Proc{{Name: "p", Body: c.body}}, func(native, _ int) bool { return native == sure })
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !errors.Is(err, ir.ErrIllFormed) || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

// TestReached lists each procedure once, callers first.
func TestReached(t *testing.T) {
	leaf := &ir.Proc{Name: "leaf"}
	mid := &ir.Proc{Name: "mid", Body: ir.Body{{Op: ir.Call, Proc: leaf}}}
	top := &ir.Proc{Name: "top", Body: ir.Body{{Op: ir.Call, Proc: mid}, {Op: ir.If, A: ir.K(1), Body: ir.Body{{Op: ir.Call, Proc: leaf}}}}}
	var names []string
	for _, p := range ir.Reached([]*ir.Proc{top, leaf}) {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "top mid leaf" {
		t.Errorf("got %s", got)
	}
}

// TestProcedureOfNative visits a procedure referenced only by a native, which contains that native again.
func TestProcedureOfNative(t *testing.T) {
	x := &ir.Local{Name: "x"}
	ahead := &ir.Proc{Name: "ahead"}
	again := &ir.Stmt{Op: ir.Native, K: quiet, Proc: ahead}
	ahead.Body = ir.Body{native(quiet, ir.Get(x)), again}
	top := &ir.Proc{Name: "top", Body: ir.Body{again}}
	if got := ir.Reached([]*ir.Proc{top}); len(got) != 2 || got[1] != ahead {
		t.Errorf("%d procedures are reached, want 2", len(got))
	}
	never := func(int, int) bool { return false }
	if err := ir.Verify([]*ir.Proc{top}, never); err == nil || !strings.Contains(err.Error(), `procedure "ahead": "x" is read`) {
		t.Errorf("got %v", err)
	}
	ahead.Body = append(ir.Body{ir.Assign(x, ir.K(1))}, ahead.Body...)
	if err := ir.Verify([]*ir.Proc{top}, never); err != nil {
		t.Error(err)
	}
}

// TestUses finds a local that only an Asks references: the piece, the place, and the set.
func TestUses(t *testing.T) {
	x := &ir.Local{Name: "x"}
	asking := func(a *ir.Asks) *ir.Expr { return &ir.Expr{Op: ir.Not, A: cell(1), Asks: a} }
	for name, s := range map[string]*ir.Stmt{
		"the piece": ir.When(asking(&ir.Asks{Piece: ir.Get(x), Place: ir.K(0)}), ir.Body{native(quiet)}, nil)[0],
		"the place": ir.When(asking(&ir.Asks{Piece: ir.K(0), Place: ir.Get(x)}), ir.Body{native(quiet)}, nil)[0],
		"the set":   {Op: ir.Block, Label: ir.NewBlock(), Asks: &ir.Asks{Set: x}},
	} {
		if !ir.Uses(ir.Body{s}, x) {
			t.Errorf("%s is used", name)
		}
		if ir.Uses(ir.Body{s}, &ir.Local{Name: "other"}) {
			t.Errorf("%s: another local is used", name)
		}
	}
}
