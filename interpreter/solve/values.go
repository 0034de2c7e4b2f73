package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
)

// solution holds the values of a layer: for each position a row of numbers, see values.
type solution struct {
	rows              []float64
	solved            bool
	hopeless, lasting []bool // by position: no end is reachable; the deciding sides together could play forever; nil if there are none
	// bounds on the errors of probabilities and lengths, and the largest residual of each
	error, lengthError, residual, lengthResidual float64
	components                                   int
	largest                                      int
}

// values computes the value of each position. A row has the win probability of each side, then, if games can end without a
// winner, the probability of that. In a duel, a game of two sides that always ends with a winner, it has only the first. The
// expected numbers of throws and turns follow, unless lengths are skipped.
type values struct {
	g         *graph
	keep      *keeper
	o         Options
	sides     int
	duel      bool
	wins, row int // number of probabilities in a row, and length of a row
	avoidable bool
	sweeps    int
	hopeless  int
	stopped   bool // cancelled by the context, in one of the last layers
}

// errNotDuel reports that a game does not always end.
var errNotDuel = errors.New("the game need not end")

// Constants of the iteration.
const (
	// gain is the least improvement for which an option replaces the chosen one. Smaller differences are rounding errors.
	gain = 1e-13
	// shorter is the least relative reduction in length for which an equally good option replaces the chosen one.
	shorter   = 1e-9
	maxSweeps = 200_000
	// testEvery is the interval, in sweeps, between tests of reachesEnd.
	testEvery = 20_000
	// unit is the relative rounding error of one operation.
	unit = 1.0 / (1 << 53)
)

// A component of at least shared positions is swept in parallel shares. Within a share, a sweep is Gauss-Seidel: it reads
// updated rows. Between shares it is Jacobi: it reads the rows from before the sweep. The result does not depend on the
// number of cores.
var shared uint32 = 1 << 15 // a variable for tests

const shares = 4 // number of shares

// A component of more positions reports its progress, and stores values while they are computed.
var large uint32 = 1 << 12 // a variable for tests

// form describes the rows.
func (v *values) form() string { return fmt.Sprintf("%t %d", v.duel, v.row) }

// solveLayers computes the values of all layers in reverse topological order, except those already in the store.
func (g *graph) solveLayers(ctx context.Context, o Options, sides int, keep *keeper) (*values, error) {
	order := slices.Clone(g.layers)
	slices.SortFunc(order, func(a, b *layer) int { return b.compare(a) })
	for _, duel := range []bool{true, false} {
		if duel && (sides != 2 || g.drawn) {
			continue
		}
		v := &values{g: g, keep: keep, o: o, sides: sides, duel: duel, wins: sides}
		switch {
		case duel:
			v.wins = 1
		case g.drawn:
			v.wins++
		}
		v.row = v.wins
		if !o.Wins {
			v.row += 2
		}
		if err := keep.begin(v); err != nil {
			return nil, err
		}
		settled := 0
		for _, l := range order {
			err := v.layer(ctx, l, settled)
			if err == errNotDuel {
				break
			}
			if err != nil {
				return nil, err
			}
			if v.stopped {
				ctx = context.WithoutCancel(ctx)
			}
			settled += l.count
		}
		if settled == g.states {
			return v, nil
		}
	}
	panic("no form fits")
}

// layer computes the values of a layer.
func (v *values) layer(ctx context.Context, l *layer, settled int) error {
	if l.solved {
		_, err := v.keep.rows(l.n, v.row)
		return err
	}
	if err := v.keep.open(l.n); err != nil {
		return err
	}
	line, parts := v.g.order(l)
	l.solution = solution{components: len(parts) - 1}
	ok, err := v.keep.rows(l.n, v.row)
	if err != nil {
		return err
	}
	if !ok {
		l.rows = make([]float64, l.count*v.row)
		for i := 0; v.duel && i < len(l.rows); i += v.row {
			l.rows[i] = 0.5
		}
	}
	l.places = v.arrange(l, line)
	if err := v.keep.compact(l, v.g); err != nil {
		return err
	}
	err = v.solveArranged(ctx, l, parts, settled)
	v.arrange(l, l.places)
	l.places = nil
	if err == errNotDuel {
		return err
	}
	if err != nil {
		return errors.Join(err, v.keep.solved(l.n, true))
	}
	if err := v.keep.solved(l.n, v.stopped); err != nil {
		return err
	}
	v.keep.drop(l)
	return nil
}

// solveArranged computes the values of a layer whose positions are in evaluation order. Component c is the range from
// parts[c] to parts[c+1].
func (v *values) solveArranged(ctx context.Context, l *layer, parts []uint32, settled int) error {
	v.endings(l, parts)
	if v.duel && (l.hopeless != nil || l.lasting != nil) {
		return errNotDuel
	}
	for c := range len(parts) - 1 {
		from, to := parts[c], parts[c+1]
		l.largest = max(l.largest, int(to-from))
		err := v.solveComponent(ctx, l, from, to, settled)
		if left := v.g.states - settled - int(to); err != nil && ctx.Err() != nil && left*8 <= v.g.states {
			v.stopped, err = true, nil // the remaining layers do not take long, and any values have an error bound
			ctx = context.WithoutCancel(ctx)
		}
		if err != nil {
			return err
		}
		if c&0xfff == 0 || to-from > large {
			v.report(settled + int(to))
		}
	}
	if v.stopped { // the bounds take some time, which may not be given
		if err := v.keep.saveRows(l, false); err != nil {
			return err
		}
	}
	return v.errorBounds(ctx, l, parts, settled)
}

// report calls Progress with the number of solved positions.
func (v *values) report(settled int) {
	if v.o.Progress != nil {
		v.o.Progress(Progress{States: v.g.states, Looked: v.g.states, Settled: settled, Sweeps: v.sweeps})
	}
}

// arrange renumbers the positions of a layer in the order of line, for locality: value iteration mostly waits for memory. It
// returns the inverse permutation.
func (v *values) arrange(l *layer, line []uint32) (back []uint32) {
	back = make([]uint32, len(line))
	at, rows := make([]uint64, len(line)), make([]float64, len(l.rows))
	for now, old := range line {
		back[old] = uint32(now)
		at[now] = l.at[old]
		copy(rows[now*v.row:][:v.row], l.rows[int(old)*v.row:])
	}
	l.at, l.rows = at, rows
	for _, flags := range [...]*[]bool{&l.hopeless, &l.lasting} {
		if *flags != nil {
			was := *flags
			*flags = make([]bool, len(was))
			for now, old := range line {
				(*flags)[now] = was[old]
			}
		}
	}
	for i := range uint32(len(line)) {
		t := l.of(i)
		for ways := (leaves{open: 1}); ; {
			by, to, ok := ways.next(v.g, t)
			if !ok {
				break
			}
			if !by.end && int(by.layer) == l.n {
				little.PutUint32(t[ways.at-4:], back[to])
			}
		}
	}
	return back
}

// solveComponent computes the values of one component. It stops when the change in a sweep is a small fraction of the
// tolerance, or when only rounding errors remain.
func (v *values) solveComponent(ctx context.Context, l *layer, from, to uint32, settled int) error {
	if l.hopeless != nil && l.hopeless[from] {
		for i := from; i < to; i++ {
			for c := v.wins; c < v.row; c++ {
				l.rows[int(i)*v.row+c] = math.Inf(1)
			}
		}
		return nil
	}
	w := v.sweeper(l, from, to, nil)
	least, since, first := math.Inf(1), 0, 0.0
	enough := max(4*unit, v.o.Tolerance*1e-4)
	var ahead extrapolation
	for sweep := 1; ; sweep++ {
		change, err := w.sweep(ctx, (*evaluator).update)
		if err != nil {
			return err
		}
		if sweep == 1 {
			first = change
		}
		v.sweeps = max(v.sweeps, sweep)
		if since++; change < least {
			least, since = change, 0
		}
		if to-from > large && change > enough && first > enough {
			if err := v.keep.saveRows(l, true); err != nil {
				return err
			}
			v.report(settled + int(from) + int(float64(to-from)*math.Log(first/least)/math.Log(first/enough))) // convergence is about linear: each sweep reduces the change by a constant factor
		}
		if change < enough || least < 1e-13 && since > 20 { // near the limit, rounding errors alternate
			return nil
		}
		stuck := sweep%testEvery == 0 && !v.reachesEnd(l, from, to)
		if stuck || sweep >= maxSweeps {
			return &UnsettledError{States: int(to - from), Sweeps: sweep, Change: change, Endless: stuck}
		}
		if l.lasting == nil && sweep > window { // if play can last forever, only the sweeps themselves converge to the right values
			ahead.next(l.rows[int(from)*v.row : int(to)*v.row])
		}
	}
}

// evaluator makes an evaluator for trees outside any layer.
func (v *values) evaluator() *evaluator {
	e := &evaluator{values: v, fixed: true, to: math.MaxUint32}
	e.rows = seq.Map(v.g.layers, func(l *layer) []float64 { return l.rows })
	return e
}

// sweeper sweeps over a range of positions of a layer.
type sweeper struct {
	l          *layer
	from, to   uint32
	exit       []float32
	before     []float64
	exitBefore []float32
	shares     []*evaluator
}

func (v *values) sweeper(l *layer, from, to uint32, exit []float32) *sweeper {
	whole := *v.evaluator()
	whole.of, whole.exit, whole.exits, whole.own, whole.fixed = l, exit, len(exit)/max(1, l.count), uint16(l.n), false
	w := &sweeper{l: l, from: from, to: to, exit: exit, shares: []*evaluator{&whole}}
	if to-from < shared {
		return w
	}
	if exit == nil {
		w.before = slices.Clone(l.rows)
	}
	w.exitBefore, w.shares = slices.Clone(exit), nil
	for s := range uint64(shares) {
		e := whole
		e.before, e.exitBefore = w.before, w.exitBefore
		e.from, e.to = from+uint32(s*uint64(to-from)/shares), from+uint32((s+1)*uint64(to-from)/shares)
		w.shares = append(w.shares, &e)
	}
	return w
}

// sweep calls update once for each position, and returns the largest result.
func (w *sweeper) sweep(ctx context.Context, update func(e *evaluator, i uint32, out []float64) float64) (change float64, err error) {
	work := func(e *evaluator, from, to uint32) (most float64) {
		out := make([]float64, max(e.row, e.exits))
		for i := from; i < to; i++ {
			if e.exit == nil && i+1 < to { // exit times are small
				e.prefetch(i + 1)
			}
			most = max(most, update(e, i, out))
			if i&0xffff == 0xffff && ctx.Err() != nil {
				break
			}
		}
		return most
	}
	if len(w.shares) == 1 {
		return work(w.shares[0], w.from, w.to), ctx.Err()
	}
	if w.exit == nil {
		row := len(w.l.rows) / w.l.count
		from, to := int(w.from)*row, int(w.to)*row
		copy(w.before[from:to], w.l.rows[from:to])
	} else {
		exits := w.shares[0].exits
		from, to := int(w.from)*exits, int(w.to)*exits
		copy(w.exitBefore[from:to], w.exit[from:to])
	}
	most := make([]float64, shares)
	seq.Each(shares, shares, func(s int) { most[s] = work(w.shares[s], w.shares[s].from, w.shares[s].to) })
	return slices.Max(most), ctx.Err()
}
