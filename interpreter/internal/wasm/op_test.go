package wasm_test

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
	"github.com/rulerun/rulerun/interpreter/internal/wasm"
)

// lowered is a program written by hand, on the state of a small rule book with some additional cells.
type lowered struct {
	p     *code.Program
	s     *wasm.Source
	body  ir.Body
	want  []int
	names []string
}

func byTree(t *testing.T, book string) *lowered {
	g := studied(t, books[book])
	p := *g.unit.Program
	p.Code, p.Points, p.Ranges, p.Templates, p.Entries, p.Rows, p.Tracks = nil, nil, nil, nil, nil, nil, nil
	p.Initial = slices.Clone(p.Initial)
	return &lowered{p: &p, s: g.s}
}

// add adds an expression with its expected value.
func (x *lowered) add(name string, e *ir.Expr, want int) {
	x.body = append(x.body, &ir.Stmt{Op: ir.Store, K: x.p.Layout.Size + len(x.want), A: e})
	x.want, x.names = append(x.want, want), append(x.names, name)
}

// run runs the program in both back ends and compares the results with the expected values.
func (x *lowered) run(t *testing.T) {
	t.Helper()
	p, l := x.p, &x.p.Layout
	first := l.Size
	l.Size += len(x.want)
	l.Frame, l.FrameEnd = l.Size, l.Size // locals are behind the cells
	main := &ir.Proc{Name: "main", Body: append(x.body, &ir.Stmt{Op: ir.Suspend, K: int(code.NodeOver)})}
	if err := code.Generate(p, main, nil, nil); err != nil {
		t.Fatal(err)
	}
	l.Size = l.FrameEnd
	p.Initial = append(p.Initial, make([]int16, l.Size-len(p.Initial))...)
	s := *x.s
	s.Program, s.Main, s.Entries, s.Lead, s.Scalars = p, main, nil, 0, nil
	b, err := wasm.Compile(&s)
	if err != nil {
		t.Fatal(err)
	}
	play, err := b.NewPlayer()
	if err != nil {
		t.Fatal(err)
	}
	interpreted, module := vm.New(p), vm.New(p)
	if !interpreted.Start(0) {
		t.Fatalf("fault %d", interpreted.Fault.Kind)
	}
	if err := play.Play(wasm.Request{MaxThrows: 1}); err != nil {
		t.Fatal(err)
	}
	play.Final(module)
	for i, want := range x.want {
		if got := int(interpreted.State()[first+i]); got != want {
			t.Errorf("%s is %d in the interpreter, want %d", x.names[i], got, want)
		}
		if got := int(module.State()[first+i]); got != want {
			t.Errorf("%s is %d in the module, want %d", x.names[i], got, want)
		}
	}
}

// TestExpressions compares each expression of the tree, as instructions and as WebAssembly, with its expected value.
func TestExpressions(t *testing.T) {
	x := byTree(t, "weights")
	l := &x.p.Layout
	number := func(v int) *ir.Expr { // not a constant, so that it is computed at run time
		n := &ir.Local{Name: "number"}
		x.body = append(x.body, &ir.Stmt{Op: ir.Store, K: l.Queue, A: ir.K(v)}, ir.Assign(n, &ir.Expr{Op: ir.Cell, K: l.Queue}))
		return ir.Get(n)
	}
	bit := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	ops := map[ir.Op]struct {
		name string
		of   func(a, b int) int
	}{
		ir.Add: {"+", func(a, b int) int { return a + b }}, ir.Sub: {"-", func(a, b int) int { return a - b }}, ir.Mul: {"*", func(a, b int) int { return a * b }},
		ir.Div: {"/", func(a, b int) int { return a / b }}, ir.Mod: {"%", func(a, b int) int { return a % b }},
		ir.And: {"&", func(a, b int) int { return a & b }}, ir.Or: {"|", func(a, b int) int { return a | b }}, ir.AndNot: {"&^", func(a, b int) int { return a &^ b }},
		ir.Shl: {"<<", func(a, b int) int { return a << b }}, ir.Shr: {">>", func(a, b int) int { return a >> b }},
		ir.Eq: {"==", func(a, b int) int { return bit(a == b) }}, ir.Ne: {"!=", func(a, b int) int { return bit(a != b) }},
		ir.Lt: {"<", func(a, b int) int { return bit(a < b) }}, ir.Le: {"<=", func(a, b int) int { return bit(a <= b) }},
	}
	numbers := []int{-7, -1, 0, 1, 2, 5, 30}
	for op, o := range ops {
		for _, a := range numbers {
			for _, b := range numbers {
				switch op {
				case ir.Div, ir.Mod:
					if b == 0 {
						continue
					}
				case ir.Shl, ir.Shr:
					if a < 0 || b < 0 || b > 5 {
						continue
					}
				}
				name := fmt.Sprint(a, " ", o.name, " ", b)
				x.add(name, &ir.Expr{Op: op, A: number(a), B: number(b)}, o.of(a, b))
				x.add(name+", a constant", &ir.Expr{Op: op, A: number(a), B: ir.K(b)}, o.of(a, b))
				if op >= ir.Eq && op <= ir.Le {
					x.add("where "+name, ir.Choose(&ir.Expr{Op: op, A: number(a), B: number(b)}, ir.K(3), ir.K(4)), 4-o.of(a, b))
					x.add("not "+name, ir.Negate(&ir.Expr{Op: op, A: number(a), B: ir.K(b)}), 1-o.of(a, b))
				}
			}
		}
	}
	for a := range 2 {
		for b := range 2 {
			x.add(fmt.Sprint(a, " and ", b), ir.AndAlso(number(a), number(b)), a&b)
			x.add(fmt.Sprint(a, " or ", b), ir.OrElse(number(a), number(b)), a|b)
			x.add(fmt.Sprint(a, " and ", b, ", chosen"), ir.Choose(ir.AndAlso(number(a), number(b)), ir.K(7), ir.K(8)), 8-a&b)
			x.add(fmt.Sprint(a, " or ", b, ", chosen"), ir.Choose(ir.OrElse(number(a), number(b)), ir.K(7), ir.K(8)), 8-(a|b))
		}
		x.add(fmt.Sprint("not ", a), &ir.Expr{Op: ir.Not, A: number(a)}, 1-a)
	}
	for _, v := range []int{0, 1, 2, 12, 1 << 14, 0x7fff, -1} {
		want := -1
		if v != 0 {
			want = bits.TrailingZeros64(uint64(v))
		}
		x.add(fmt.Sprintf("bits of %b", v), &ir.Expr{Op: ir.Bits, A: number(v)}, bits.OnesCount64(uint64(v)))
		x.add(fmt.Sprintf("lowest of %b", v), &ir.Expr{Op: ir.Lowest, A: number(v)}, want)
	}
	// Elements of the state, of tables, of sets of pieces.
	node := l.NodeNext
	for i := range 12 {
		x.add(fmt.Sprint("table ", i), &ir.Expr{Op: ir.Table, K: node, A: number(i)}, int(x.p.Tables[node+i]))
	}
	x.body = append(x.body, &ir.Stmt{Op: ir.Store, K: l.Queue + 3, A: ir.K(-9)}, &ir.Stmt{Op: ir.Store, K: l.Queue + 1, B: number(3), A: number(77)})
	x.add("cell at 3", &ir.Expr{Op: ir.CellAt, K: l.Queue, A: number(3)}, -9)
	x.add("cell at 1+3", &ir.Expr{Op: ir.Cell, K: l.Queue + 4}, 77)
	for i := range min(6, len(x.p.Masks)) {
		x.add(fmt.Sprint("mask ", i), &ir.Expr{Op: ir.Bits, A: &ir.Expr{Op: ir.Masks, A: number(i)}}, bits.OnesCount64(x.p.Masks[i]))
	}
	for i, w := range x.p.Derived {
		if place := i - code.DerivedPlaces; place >= -1 { // only places are looked up
			x.add(fmt.Sprint("place ", place), &ir.Expr{Op: ir.Bits, A: &ir.Expr{Op: ir.Derived, K: code.DerivedPlaces, A: number(place)}}, bits.OnesCount64(w))
		}
		x.add(fmt.Sprint("word ", i, ", constant"), &ir.Expr{Op: ir.Bits, A: &ir.Expr{Op: ir.Derived, K: i, A: ir.K(0)}}, bits.OnesCount64(w))
	}
	tired := x.p.PieceVars[0]
	x.body = append(x.body, &ir.Stmt{Op: ir.Store, K: tired + 2, A: ir.K(1)}, &ir.Stmt{Op: ir.Store, K: tired + 5, A: ir.K(1)})
	for value, sets := range map[int]map[int]int{1: {-1: 2, 0b111: 1, 0b11: 0}, 0: {-1: l.Pieces - 2, 0b111: 2, 0b11: 2}} {
		for set, want := range sets {
			x.add(fmt.Sprintf("having %d of %b", value, set), &ir.Expr{Op: ir.Bits, A: &ir.Expr{Op: ir.Having, K: tired, A: number(set), B: ir.K(value)}}, want)
		}
	}
	yes, no := ir.NewBlock(), ir.NewBlock()
	for v, want := range map[int]int{1: 1, 2: 0, 3: 1} {
		search := &ir.Expr{Op: ir.Search, K: 1, Yes: yes, No: no}
		n := number(v)
		search.Body = append(ir.When(ir.Op2(ir.Eq, n, ir.K(1)), ir.Body{ir.BreakTo(yes)}, nil), ir.When(ir.Op2(ir.Eq, n, ir.K(2)), ir.Body{ir.BreakTo(no)}, nil)...)
		x.add(fmt.Sprint("searched ", v), search, want)
		yes, no = ir.NewBlock(), ir.NewBlock()
	}
	x.run(t)
}

// TestStatements compares the effects of statements of the tree, as instructions and as WebAssembly, with the expected ones.
func TestStatements(t *testing.T) {
	x := byTree(t, "weights")
	l := &x.p.Layout
	i, sum, kept := &ir.Local{Name: "i"}, &ir.Local{Name: "sum"}, &ir.Local{Name: "kept"}
	get, inc := ir.Get, func(l *ir.Local, by *ir.Expr) *ir.Stmt { return ir.Assign(l, ir.Op2(ir.Add, ir.Get(l), by)) }
	loop, out := ir.NewLoop(), ir.NewBlock()
	x.body = ir.Body{ // the odd numbers up to 9; the block is left at 7
		ir.Assign(i, ir.K(0)), ir.Assign(sum, ir.K(0)), ir.Assign(kept, ir.K(0)),
		ir.LoopOf(loop,
			ir.When(ir.Op2(ir.Le, ir.K(9), get(i)), ir.Body{ir.BreakTo(loop)}, nil)[0],
			inc(i, ir.K(1)),
			ir.When(ir.Op2(ir.Eq, &ir.Expr{Op: ir.Mod, A: get(i), B: ir.K(2)}, ir.K(0)), ir.Body{ir.ContinueTo(loop)}, nil)[0],
			inc(sum, get(i)),
		),
		ir.Assign(i, ir.K(0)),
		ir.BlockOf(out,
			inc(kept, ir.K(1)),
			ir.When(ir.Op2(ir.Eq, get(sum), ir.K(25)), ir.Body{inc(kept, ir.K(10)), ir.BreakTo(out)}, ir.Body{inc(kept, ir.K(100))})[0],
			inc(kept, ir.K(1000)),
		),
	}
	x.add("the odd numbers", get(sum), 25)
	x.add("a block that is left", get(kept), 11)
	param, other := &ir.Local{Name: "param"}, &ir.Local{Name: "other"}
	callee := &ir.Proc{Name: "callee", Params: []*ir.Local{param, other}, Body: ir.Body{
		ir.When(ir.Op2(ir.Lt, get(param), get(other)), ir.Body{{Op: ir.Store, K: l.Queue, A: get(other)}, {Op: ir.Return}}, nil)[0],
		{Op: ir.Store, K: l.Queue, A: get(param)},
	}}
	for _, c := range [][3]int{{1, 2, 2}, {5, 2, 5}, {3, 3, 3}, {-4, -5, -4}} {
		x.body = append(x.body, &ir.Stmt{Op: ir.Call, Proc: callee, Args: []*ir.Expr{ir.K(c[0]), ir.K(c[1])}})
		x.add(fmt.Sprint("a call with ", c[:2]), &ir.Expr{Op: ir.Cell, K: l.Queue}, c[2])
	}
	keys, values := 0, 6
	x.p.Scratch = 12
	x.p.Sorts = []code.SortArea{{Base: 0, Capacity: 6}}
	for k, v := range []int{3, -1, 3, 0, 3, -1} {
		x.body = append(x.body, &ir.Stmt{Op: ir.StoreScr, K: keys, B: ir.K(k), A: ir.K(v)}, &ir.Stmt{Op: ir.StoreScr, K: values, B: ir.K(k), A: ir.K(10 + k)})
	}
	x.body = append(x.body, &ir.Stmt{Op: ir.Native, K: int(code.Sort), Args: []*ir.Expr{ir.K(6)}})
	for k, want := range []int{11, 15, 13, 10, 12, 14} {
		x.add(fmt.Sprint("sorted ", k), &ir.Expr{Op: ir.Scratch, K: values, A: ir.K(k)}, want)
	}
	x.run(t)
}
