package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// solution holds the values of the positions of a layer: of each a row of numbers, see values.
type solution struct {
	rows              []float64
	solved            bool
	hopeless, lasting []bool // no end is reachable; the deciding sides together could go on for ever; nil for none
	// bounds on the errors of probabilities and lengths, and the largest change that one more update makes to them
	error, lengthError, residual, lengthResidual float64
	components                                   int
	largest                                      int
}

// values computes the value of each position. Its row has the probability that each side wins, then that none does;
// in a duel, a game of two sides that always ends with a winner, only the first. After that come the expected numbers of
// throws and turns, unless only wins are asked for.
type values struct {
	g         *graph
	keep      *keeper
	o         Options
	sides     int
	duel      bool
	wins, row int // numbers of a row that are probabilities, and all of them
	avoidable bool
	sweeps    int
	hopeless  int
	stopped   bool // by the context, in one of the last layers
}

// errNotDuel says that a game does not always end.
type errNotDuel struct{}

func (errNotDuel) Error() string { return "the game need not end" }

// Constants of the iteration.
const (
	// gain is how much better an option must be than the one taken before; smaller differences are rounding errors.
	gain = 1e-13
	// shorter is how much shorter, relatively, an equally good option must be.
	shorter   = 1e-9
	maxSweeps = 200_000
	// lookEvery is the interval, in sweeps, of the test whether the chosen options lead to an end at all.
	lookEvery = 20_000
	// unit is the relative rounding error of one operation.
	unit = 1.0 / (1 << 53)
)

// A component of at least shared positions is worked on in parts at once: each sees what the others had before the
// sweep, so that the result does not depend on the number of cores.
var shared uint32 = 1 << 15 // a variable for tests

const shares = 4 // the parts

// form says what the rows are.
func (v *values) form() string { return fmt.Sprintf("%t %d", v.duel, v.row) }

// settle computes the values of all layers, from the last to the first, but those that the store has.
func (g *graph) settle(ctx context.Context, o Options, sides int, keep *keeper) (*values, error) {
	order := slices.Clone(g.layers)
	slices.SortFunc(order, func(a, b *layer) int {
		if b.before(a) {
			return -1
		}
		return 1
	})
	for _, duel := range []bool{true, false} {
		if duel && (sides != 2 || g.drawn) {
			continue
		}
		v := &values{g: g, keep: keep, o: o, sides: sides, duel: duel, wins: sides + 1}
		if duel {
			v.wins = 1
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
			if err == (errNotDuel{}) {
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
	back := v.arrange(l, line)
	if err := v.keep.compact(l, v.g); err != nil {
		return err
	}
	err = v.arranged(ctx, l, parts, settled)
	v.arrange(l, back)
	if err == (errNotDuel{}) {
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

// arranged computes the values of a layer whose positions are in the order of their evaluation. Component c has those
// from parts[c] up to parts[c+1].
func (v *values) arranged(ctx context.Context, l *layer, parts []uint32, settled int) error {
	v.endings(l, parts)
	if v.duel && (l.hopeless != nil || l.lasting != nil) {
		return errNotDuel{}
	}
	for c := range len(parts) - 1 {
		from, to := parts[c], parts[c+1]
		l.largest = max(l.largest, int(to-from))
		err := v.part(ctx, l, from, to, settled)
		if left := v.g.states - settled - int(to); err != nil && ctx.Err() != nil && left*8 <= v.g.states {
			v.stopped, err = true, nil // the rest does not take long, and there is a bound on the error of any values
			ctx = context.WithoutCancel(ctx)
		}
		if err != nil {
			return err
		}
		if c&0xfff == 0 || to-from > 0xfff {
			v.report(settled + int(to))
		}
	}
	return v.judge(ctx, l, parts)
}

// report says how many positions are worked out.
func (v *values) report(settled int) {
	if v.o.Progress != nil {
		v.o.Progress(Progress{States: v.g.states, Looked: v.g.states, Settled: settled, Sweeps: v.sweeps})
	}
}

// arrange numbers the positions of a layer in the order of line, so that what is read together lies together: value
// iteration waits mostly for memory. It returns the line that makes the old order.
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

// part computes the values of one component. It stops when the change in a sweep is a small part of the tolerance, or when only
// rounding errors are left.
func (v *values) part(ctx context.Context, l *layer, from, to uint32, settled int) error {
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
		if to-from > 0xfff && change > enough && first > enough {
			v.report(settled + int(from) + int(float64(to-from)*math.Log(first/least)/math.Log(first/enough))) // the change falls by about the same factor in each sweep
		}
		if change < enough || least < 1e-13 && since > 20 { // at the last, rounding errors alternate
			return nil
		}
		stuck := sweep%lookEvery == 0 && !v.leads(l, from, to)
		if stuck || sweep >= maxSweeps {
			return &UnsettledError{States: int(to - from), Sweeps: sweep, Change: change, Endless: stuck}
		}
		if l.lasting == nil && sweep > window { // where play can last, values are the limit of the sweeps alone
			ahead.next(l.rows[int(from)*v.row : int(to)*v.row])
		}
	}
}

// evaluator makes an evaluator of trees that belong to no layer.
func (v *values) evaluator() *evaluator {
	e := &evaluator{values: v, fixed: true, to: math.MaxUint32}
	for _, l := range v.g.layers {
		e.rows = append(e.rows, l.rows)
	}
	return e
}

// sweeper updates the positions of a layer from one number up to another, again and again.
type sweeper struct {
	l        *layer
	from, to uint32
	reach    []float32
	before   []float64
	past     []float32
	shares   []*evaluator
}

func (v *values) sweeper(l *layer, from, to uint32, reach []float32) *sweeper {
	whole := *v.evaluator()
	whole.of, whole.reach, whole.own, whole.fixed = l, reach, uint16(l.n), false
	w := &sweeper{l: l, from: from, to: to, reach: reach, shares: []*evaluator{&whole}}
	if to-from < shared {
		return w
	}
	if reach == nil {
		w.before = slices.Clone(l.rows)
	}
	w.past, w.shares = slices.Clone(reach), nil
	for s := range uint64(shares) {
		e := whole
		e.before, e.past = w.before, w.past
		e.from, e.to = from+uint32(s*uint64(to-from)/shares), from+uint32((s+1)*uint64(to-from)/shares)
		w.shares = append(w.shares, &e)
	}
	return w
}

// sweep calls an update for each position once. It returns the largest result.
func (w *sweeper) sweep(ctx context.Context, update func(e *evaluator, i uint32, out []float64) float64) (change float64, err error) {
	work := func(e *evaluator, from, to uint32) (most float64) {
		out := make([]float64, max(e.row, e.sides))
		for i := from; i < to; i++ {
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
	if w.reach == nil {
		row := len(w.l.rows) / w.l.count
		from, to := int(w.from)*row, int(w.to)*row
		copy(w.before[from:to], w.l.rows[from:to])
	}
	if w.reach != nil {
		from, to := int(w.from)*w.shares[0].sides, int(w.to)*w.shares[0].sides
		copy(w.past[from:to], w.reach[from:to])
	}
	var all sync.WaitGroup
	most := make([]float64, shares)
	for s, e := range w.shares {
		all.Go(func() { most[s] = work(e, e.from, e.to) })
	}
	all.Wait()
	return slices.Max(most), ctx.Err()
}
