package boards

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
)

const (
	maxTried  = 32 // of a range that is not longer all values are tried, else its ends
	maxCorner = 4  // of that many parameters all pairs of an end each are tried
)

// trials makes a board with other values of its parameters, and warns of those with which it cannot be made. All trials together may do
// as much work as one board.
func (r *reader) trials() {
	params := r.board.Parameters
	left := maxWork
	fails := func(args map[string]argument) *diag.Diagnostic {
		if left <= 0 {
			return nil
		}
		var found diag.List
		t := newReader(r.file, r.open, &found)
		t.trial = true
		t.make(args)
		left -= t.work + 10*t.bytes
		found.Sort()
		i := slices.IndexFunc(found, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
		if i < 0 || t.exhausted {
			return nil
		}
		return &found[i]
	}
	known := map[string][]int{} // values with which the board cannot be made
	for _, p := range params {
		values := []int{p.From, p.To}
		if p.To-p.From < maxTried {
			values = seq.Of(p.To-p.From+1, func(i int) int { return p.From + i })
		}
		var first *diag.Diagnostic
		for _, v := range values {
			if v == p.Value {
				continue
			}
			if d := fails(map[string]argument{p.Name: {value: v}}); d != nil {
				known[p.Name] = append(known[p.Name], v)
				first = cmp.Or(first, d)
			}
		}
		if first != nil {
			r.unmade(p.Name, p.Name+" = "+r.board.Words(seq.Map(known[p.Name], strconv.Itoa)), *first)
		}
	}
	for i, p := range params[:min(len(params), maxCorner)] {
		for _, q := range params[:i] {
			for _, v := range []int{p.From, p.To} {
				for _, w := range []int{q.From, q.To} {
					if slices.Contains(known[p.Name], v) || slices.Contains(known[q.Name], w) || v == p.Value || w == q.Value {
						continue
					}
					if d := fails(map[string]argument{p.Name: {value: v}, q.Name: {value: w}}); d != nil {
						r.unmade(p.Name, fmt.Sprintf("%s = %d and %s = %d", q.Name, w, p.Name, v), *d)
					}
				}
			}
		}
	}
}

// unmade warns of values of parameters with which the board cannot be made, for a reason.
func (r *reader) unmade(parameter, values string, why diag.Diagnostic) {
	at := r.board.given[parameter]
	if !r.own(at) && r.own(why.Span) {
		at = r.extends
	}
	if r.own(at) {
		r.warn("bad-parameter", at, "with %s the board cannot be made: %s", values, why.Message).WithNote(why.Span, "it fails here").
			WithHint("make the range smaller, or let the board fit these values")
	}
}
