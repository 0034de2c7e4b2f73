package reference

import (
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/model"
)

// offering is the evaluation of a may clause.
type offering struct {
	*run
	play    *play
	may     *model.Clause
	number  int
	explain bool // collect refused options too, with the reasons
	args    [4]int
	reasons []*model.Clause
	out     *[]*option
}

// offers lists every option that a may clause offers and no never clause forbids, with the duties it meets.
func (r *run) offers(p *play) (out []*option) {
	r.offersTo(&out, p, false)
	return out
}

// offersTo appends to out what offers lists, with explain refused ones too.
func (r *run) offersTo(out *[]*option, p *play, explain bool) {
	r.clausesTo(out, p, explain, false)
	free := slices.ContainsFunc(*out, func(o *option) bool { return len(o.reasons) == 0 })
	if explain || !free && !p.trial {
		r.others = free
		r.clausesTo(out, p, explain, true)
	}
}

// clausesTo lists what the clauses offer that say otherwise, or the others.
func (r *run) clausesTo(out *[]*option, p *play, explain, otherwise bool) {
	before := r.steps
	for i, n := range p.numbers {
		if slices.Contains(p.numbers[:i], n) {
			continue
		}
		for _, x := range r.g.clauses[model.ClauseMay] {
			if x.Otherwise != otherwise {
				continue
			}
			r.steps = n
			o := &offering{run: r, play: p, may: x, number: i, explain: explain, args: [4]int{none, none, none, none}, out: out}
			o.params(0, nil)
		}
	}
	r.steps = before
}

// params enumerates the values of the parameters.
func (o *offering) params(i int, v *env) {
	m := o.may.Move
	if i < len(m.Params) {
		for x := range o.list(m.Sets[i], v) {
			o.args[i] = x
			o.params(i+1, v.bind(m.Params[i], x))
		}
		return
	}
	if o.play.with != none && (!movesPiece(m) || o.args[0] != o.play.with) || !o.holds(m.From, v) {
		return
	}
	v = v.bindAll(o.may.Params, o.args[:])
	played := o.steps
	switch by := o.may.By; {
	case by == nil:
		o.condition(v)
	case by.Type.List:
		for n := range o.list(by, v) {
			o.steps = number(n, by.Span)
			o.condition(v)
			o.steps = played
		}
	default:
		o.steps = number(o.eval(by, v), by.Span)
		o.condition(v)
		o.steps = played
	}
}

// condition evaluates the clause's own condition, and finds the destination.
func (o *offering) condition(v *env) {
	o.reasons = nil
	if o.may.To == nil && !o.holds(o.may.When, v) {
		if !o.explain {
			return
		}
		o.reasons = append(o.reasons, o.may)
	}
	if o.explain && o.may.Otherwise && o.others {
		o.reasons = append(o.reasons, o.may)
	}
	m, p := o.may.Move, o.args[0]
	if movesPiece(m) {
		there(p, o.may.Span)
	}
	switch m.Kind {
	case model.MoveTo:
		to := there(o.eval(m.Where, v), m.Where.Span)
		o.option(v, end{place: to, node: o.g.nodes[o.colourOf(o.g, p)][to], heading: 1, reasons: o.reasons}, 0)
	case model.MoveStay:
		o.option(v, end{place: o.at[p], node: o.node[p], heading: 1, reasons: o.reasons}, 0)
	case model.MoveWalk:
		if o.node[p] == none { // off its track a piece does not walk
			return
		}
		n := o.eval(m.Where, v)
		o.walk(m, v, n)
	case model.MoveNothing:
		to := none
		if movesPiece(m) {
			to = o.at[p]
		}
		o.option(v, end{place: to, node: none, heading: 1, reasons: o.reasons}, 0)
	}
}

// option applies the never clauses, evaluates the duties, and adds the option. A walk without an end is used for
// explanations only.
func (o *offering) option(v *env, e end, walk int) {
	nowhere := o.explain && e.place == none
	speaks := func(x *model.Clause) bool {
		if x.Move != o.may.Move && (x.Move != nil || !movesPiece(o.may.Move)) || x.To != nil && nowhere {
			return false
		}
		return o.holds(x.When, v.bindAll(x.Params, o.args[:]).bind(x.To, e.place))
	}
	if o.may.To != nil && !nowhere && !o.holds(o.may.When, v.bind(o.may.To, e.place)) {
		if !o.explain {
			return
		}
		e.reasons = append(e.reasons, o.may)
	}
	for _, x := range o.g.clauses[model.ClauseNever] {
		if !speaks(x) {
			continue
		}
		if !o.explain {
			o.fired[x.Index]++
			return
		}
		e.reasons = append(e.reasons, x)
	}
	out := &option{
		may: o.may, args: o.args, from: none, to: e.place, node: e.node, number: o.number, counts: o.play.numbers[o.number], bag: o.play.bag, steps: o.steps, walk: walk, heading: e.heading,
		path: e.path, reasons: e.reasons,
	}
	if movesPiece(o.may.Move) {
		out.from = o.at[o.args[0]]
	}
	for _, x := range o.g.clauses[model.ClauseMust] {
		out.duties = append(out.duties, slices.ContainsFunc(x.Likes(), speaks))
	}
	if len(e.reasons) == 0 && nowhere && movesPiece(o.may.Move) {
		return
	}
	if len(*o.out) == maxOptions {
		fail(faultOptions, o.may.Span)
	}
	*o.out = append(*o.out, out)
	if o.play.first {
		panic(enough{})
	}
}

// leg is an element of a path: a step, or a turn before one.
type leg struct {
	turn bool
	way  int // which of the ways at a fork it takes, or would have taken
}

// end is where an option ends.
type end struct {
	place, node, heading int
	path                 []leg
	reasons              []*model.Clause
}

// walker enumerates the paths of a walk.
type walker struct {
	*offering
	v       *env
	waiting int       // number of pending branches
	ended   func(end) // called with each end, in order
}

// stand is the end of a partial path.
type stand struct {
	node, left    int
	prior         int // the node before
	back          bool
	taken, turned bool // a step has been taken; the last leg is a turn
	steps         int
	before, rest  *stand // after the step before; after the last one, if a turn has followed
	path          []leg
	reasons       []*model.Clause
}

// walk enumerates the ends of a walk of n steps. During the walk the piece is in the hand, with those it carries;
// they are back while the conditions at an end are evaluated.
func (o *offering) walk(m *model.Move, v *env, n int) {
	p := o.args[0]
	if n == 0 && !o.explain {
		return
	}
	on := o.on
	load := o.load(m, v, p)
	lifted := append(slices.Clip(load), p)
	lift := func() {
		o.run.on = slices.Clone(on)
		o.carries(load...)
		for _, q := range lifted {
			o.lift(q)
		}
	}
	back := func() {
		for _, q := range lifted {
			o.hand[q] = false
		}
		o.run.on = on
		o.carries()
	}
	w := &walker{offering: o, v: v, ended: func(e end) {
		back()
		o.option(v, e, n)
		lift()
	}}
	lift()
	w.follow(stand{node: o.node[p], left: max(n, -n), back: n < 0, reasons: o.reasons})
	back()
}

// ways lists the nodes one step on from a node of a piece's track, or one step back.
func (r *run) ways(p, node int, back bool) []int {
	n := r.nodesOf(p)[node]
	if back {
		return n.Prev
	}
	return n.Next
}

func (r *run) nodesOf(p int) []boards.Node {
	return r.g.rules.Track.Runs[r.g.rules.Colours[r.colourOf(r.g, p)].Board].Nodes
}

func (r *run) placeOf(p, node int) int { return r.nodesOf(p)[node].Place }

// follow continues a path. At a fork it follows the first way first, then the others from the last on.
func (w *walker) follow(s stand) {
	w.spend()
	if s.left == 0 {
		w.stop(s)
		return
	}
	ways := w.ways(w.args[0], s.node, s.back)
	if len(ways) == 0 {
		w.judge(s, none, 0)
		return
	}
	w.branch(len(ways) - 1)
	w.judge(s, ways[0], 0)
	for i := len(ways) - 1; i > 0; i-- {
		w.waiting--
		w.judge(s, ways[i], i)
	}
}

// branch counts pending branches.
func (w *walker) branch(n int) {
	if w.waiting += n; w.waiting > maxBranches {
		fail(faultPath, w.may.Span)
	}
}

// judge evaluates the verdict on the next step and follows it; if the verdict leaves a choice, both ways.
func (w *walker) judge(s stand, next, way int) {
	first, second, reasons, by := w.verdict(s, next)
	if s.reasons = slices.Concat(s.reasons, reasons); first == model.VerdictBar {
		if w.explain {
			w.nowhere(s)
		}
		return
	}
	without := s
	if stops := first == model.VerdictStop || first == model.VerdictBack; w.explain && stops && second == model.NoVerdict && by != nil && next != none { // what would be without it is refused by it
		without.reasons = slices.Concat(s.reasons, []*model.Clause{by})
		first, second = model.VerdictGo, first
	}
	if second != model.NoVerdict {
		w.branch(1)
	}
	w.take(without, next, way, first)
	if second != model.NoVerdict {
		w.waiting--
		w.take(s, next, way, second)
	}
}

func (w *walker) nowhere(s stand) {
	w.ended(end{place: none, node: none, heading: 1, reasons: s.reasons})
}

func (w *walker) take(s stand, next, way int, verdict model.Verdict) {
	if verdict == model.VerdictStop || verdict == model.VerdictBack {
		w.stop(s)
		return
	}
	rest := s.rest
	if rest == nil {
		now := s
		rest = &now
	}
	s.path = append(slices.Clip(s.path), leg{verdict == model.VerdictTurn, way})
	if w.g.watched && len(s.path) > maxPath {
		fail(faultPath, w.may.Span)
	}
	if verdict == model.VerdictTurn {
		s.rest = rest
		s.back = !s.back
		if s.turned = !s.turned; !s.turned { // two turns without a step in between
			w.stop(s)
			return
		}
		w.follow(s)
		return
	}
	if w.g.returns && s.steps == maxPath {
		fail(faultPath, w.may.Span)
	}
	s.before, s.rest, s.steps = rest, nil, s.steps+1
	s.prior, s.node, s.left, s.taken, s.turned = s.node, next, s.left-1, true, false
	w.follow(s)
}

// stop ends a path. If it ends before its number is used up, the end clauses are evaluated now, and may take it back step by step.
func (w *walker) stop(s stand) {
	if !s.taken {
		if w.explain {
			w.nowhere(s)
		}
		return
	}
	place := w.placeOf(w.args[0], s.node)
	if s.left > 0 {
		bars, barred := w.bars(w.g.clauses[model.ClauseEnd], place, w.placeOf(w.args[0], s.prior), s.left)
		if s.reasons = slices.Concat(s.reasons, bars); barred {
			return
		}
		if w.goesBack(place, w.placeOf(w.args[0], s.prior), s.left) {
			earlier := *s.before
			earlier.reasons = s.reasons
			w.stop(earlier)
			return
		}
	}
	heading := 1 - 2*truth(s.back != s.turned) // of the last step, not of a turn after it
	w.ended(end{place, s.node, heading, s.path, s.reasons})
}

// goesBack reports whether the first end clause that applies takes a path back that ends early; bars have been evaluated.
func (w *walker) goesBack(place, here, left int) bool {
	if !w.g.returns {
		return false
	}
	for _, x := range w.g.clauses[model.ClauseEnd] {
		if x.First == model.VerdictBar || !w.applies(x, place, here, left) {
			continue
		}
		if x.First == model.VerdictBack && !w.explain {
			w.fired[x.Index]++
		}
		return x.First == model.VerdictBack
	}
	return false
}

// applies reports whether a clause applies to a step.
func (w *walker) applies(x *model.Clause, place, here, left int) bool {
	defer func(left, here int) { w.remaining, w.here = left, here }(w.remaining, w.here)
	w.remaining, w.here = left, here+1
	return w.holds(x.When, w.v.bindAll(x.Params, w.args[:1]).bind(x.To, place))
}

// bars evaluates the bar clauses. The first that applies ends the path; with explain all of them are collected, and
// the path continues.
func (w *walker) bars(clauses []*model.Clause, place, here, left int) (reasons []*model.Clause, barred bool) {
	for _, x := range clauses {
		if x.First != model.VerdictBar || !w.applies(x, place, here, left) {
			continue
		}
		if reasons = append(reasons, x); !w.explain {
			w.fired[x.Index]++
			return reasons, true
		}
	}
	return reasons, false
}

// verdict is the verdict on a step to a node, or past the end of the track: bars have priority, then the first clause
// that applies.
func (w *walker) verdict(s stand, next int) (first, second model.Verdict, reasons []*model.Clause, by *model.Clause) {
	here := w.placeOf(w.args[0], s.node)
	clauses, place, otherwise := w.g.clauses[model.ClauseBeyond], none, model.VerdictBar
	if next != none {
		clauses, place, otherwise = w.g.clauses[model.ClauseStep], w.placeOf(w.args[0], next), model.VerdictGo
		if s.left == 1 {
			clauses = slices.Concat(clauses, w.g.clauses[model.ClauseEnd])
		}
	}
	reasons, barred := w.bars(clauses, place, here, s.left-1)
	if barred || next == none && len(reasons) > 0 {
		return model.VerdictBar, model.NoVerdict, reasons, nil
	}
	for _, x := range clauses {
		if x.First == model.VerdictBar || !w.applies(x, place, here, s.left-1) {
			continue
		}
		if !w.explain && x.First != model.VerdictGo {
			w.fired[x.Index]++
		}
		return x.First, x.Second, reasons, x
	}
	if next == none {
		reasons = append(reasons, nil)
	}
	return otherwise, model.NoVerdict, reasons, nil
}
