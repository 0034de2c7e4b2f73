package reference

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// play is a decision about one number, or about one of several numbers.
type play struct {
	numbers []int
	with    int // the piece that must use it, or none
	list    bool
	most    bool
	first   bool // stop after the first option
	ahead   bool // looks ahead: how many numbers can be used after an option
}

// option is a legal move.
type option struct {
	may      *model.Clause
	args     [4]int
	from, to int
	node     int // the node of the track where it ends
	number   int // index of its number in the play
	steps    int
	walk     int // the number of steps of its walk
	heading  int
	path     []leg
	duties   []bool          // the duties it meets, of all in file order
	reasons  []*model.Clause // for explanations: the clauses that refuse it
	fewer    bool
}

// play plays one number or several.
func (r *run) play(s *model.Stmt, v *env) {
	if s.Play != model.PlayEarned {
		r.thrown, r.earned = true, false
	}
	switch s.Play {
	case model.PlayNumber:
		r.steps = number(r.eval(s.Value, v), s.Value.Span)
		r.tick(s.Span)
		r.decide(&play{numbers: []int{r.steps}, with: none})
	case model.PlayEarned:
		for len(r.queue) > 0 {
			r.thrown, r.earned = false, true
			r.tick(s.Span)
			next := r.queue[0]
			r.queue = slices.Clone(r.queue[1:])
			r.steps = next.number
			r.decide(&play{numbers: []int{next.number}, with: next.with})
		}
	default:
		r.playList(s, v)
	}
}

func (r *run) playList(s *model.Stmt, v *env) {
	p := &play{with: none, list: true, most: s.Play == model.PlayMost}
	for n := range r.list(s.Value, v) {
		if len(p.numbers) == maxNumbers {
			fail(faultOptions, s.Span)
		}
		p.numbers = append(p.numbers, number(n, s.Value.Span))
	}
	for len(p.numbers) > 0 {
		r.tick(s.Span)
		o := r.decide(p)
		if o == nil || s.Play == model.PlayAny {
			return
		}
		p = p.after(o)
	}
}

// after is the rest of a play of several numbers, after one has been counted.
func (p *play) after(o *option) *play {
	rest := *p
	rest.numbers = slices.Delete(slices.Clone(p.numbers), o.number, o.number+1)
	return &rest
}

// decide lists the options, chooses one and executes it. It is nil if there is none.
func (r *run) decide(p *play) *option {
	options := r.decision(p)
	taken := 0
	switch len(options) {
	case 0:
		r.raise(event{kind: model.EventStuck, outer: true})
		return nil
	case 1:
	default:
		taken = r.input(1, func() *node { return &node{choice: true, options: options, play: p, player: r.me} })[0]
	}
	r.offered = options
	r.carry(options[taken])
	return options[taken]
}

// found is the cached result of a search for options: it is the same when the phase runs again.
type found struct {
	options []*option
	usable  int
	fired   []uint64
	work    int
}

// decision is legal, or its cached result from an earlier run.
func (r *run) decision(p *play) []*option {
	if len(r.before) > 0 {
		f := r.before[0]
		r.before, r.usable, r.fired, r.work = r.before[1:], f.usable, slices.Clone(f.fired), f.work
		return f.options
	}
	options := r.legal(p)
	r.decisions = append(r.decisions, &found{options, r.usable, slices.Clone(r.fired), r.work})
	return options
}

// legal lists the legal options of a decision.
func (r *run) legal(p *play) []*option {
	if p.most {
		r.usable = 0 // during the look-ahead
	}
	options := r.offers(p, false)
	if p.most {
		used := r.uses(options, p)
		if len(used) > 0 {
			r.usable = slices.Max(used)
		}
		again := r.offers(p, false) // once more, with the value of usable
		options = slices.DeleteFunc(again, func(o *option) bool {
			i := slices.IndexFunc(options, func(x *option) bool { return x.equal(o) })
			return i < 0 || used[i] < r.usable
		})
	}
	return r.distinct(r.dutiful(options, nil))
}

func (o *option) equal(x *option) bool {
	return o.may == x.may && o.args == x.args && o.number == x.number && o.steps == x.steps && o.to == x.to && o.node == x.node && slices.Equal(o.path, x.path)
}

// dutiful applies the duties in order: each keeps the options that meet it, if there are any. lost, if not nil, gets
// the removed ones with the duty as reason.
func (r *run) dutiful(options []*option, lost func(*option)) []*option {
	for i, x := range r.g.clauses[model.ClauseMust] {
		var like, unlike []*option
		for _, o := range options {
			if o.duties[i] {
				like = append(like, o)
			} else if !o.may.Despite {
				unlike = append(unlike, o)
			}
		}
		if len(like) == 0 || len(unlike) == 0 {
			continue
		}
		options = slices.DeleteFunc(slices.Clone(options), func(o *option) bool { return slices.Contains(unlike, o) })
		if lost == nil {
			r.fired[x.Index]++
			continue
		}
		for _, o := range unlike {
			o.reasons = append(o.reasons, x)
			lost(o)
		}
	}
	return options
}

// distinct removes equivalent options and keeps the first of each.
func (r *run) distinct(options []*option) []*option {
	var out []*option
	for _, o := range options {
		one := func(x *option) bool { return r.same(x, o) || r.partTooLate(x, o) }
		if !slices.ContainsFunc(out, one) {
			out = append(out, o)
		}
	}
	return out
}

// same reports whether two options are equivalent: equal move, number, beginning and end, and interchangeable pieces.
func (r *run) same(a, b *option) bool {
	m := a.may.Move
	if m != b.may.Move || a.steps != b.steps || a.from != b.from || a.to != b.to || a.node != b.node {
		return false
	}
	for i, p := range m.Params {
		if a.args[i] != b.args[i] && (p.Type != model.Of(model.Piece) || !r.alike(a.args[i], b.args[i])) {
			return false
		}
	}
	return true
}

// partTooLate reports whether two ways of one piece are equivalent because the game ends on both, with the piece
// still in the hand, in the same state.
func (r *run) partTooLate(a, b *option) bool {
	if a.may.Move != b.may.Move || a.may.Move.Kind != model.MoveWalk || a.steps != b.steps || a.walk != b.walk || a.args != b.args {
		return false
	}
	x, y := r.fate(a), r.fate(b)
	return x != nil && y != nil && x.winner == y.winner && slices.Equal(x.standing, y.standing) && slices.Equal(x.ranking, y.ranking) &&
		slices.Equal(x.at, y.at) && slices.Equal(x.node, y.node) && slices.Equal(x.hand, y.hand) &&
		slices.EqualFunc(x.on, y.on, slices.Equal) && slices.EqualFunc(x.vars, y.vars, slices.Equal)
}

// fate is the final state if the game ends on the way of an option, otherwise nil.
func (r *run) fate(o *option) *state {
	t, why := r.trial(o, []*option{o}, nil)
	if _, over := why.(gameOver); over && t.hand[o.args[0]] {
		return t.state
	}
	return nil
}

// trial executes one of some options on a copy.
func (r *run) trial(o *option, options []*option, inputs []int) (t *run, why any) {
	t = &run{g: r.g, state: r.clone(), inputs: inputs, work: r.work, offered: options}
	why = stopped(func() { t.carry(o) })
	r.work = t.work
	return t, why
}

// uses is the maximum number of numbers that can be used in a play, for each of the options as the first.
func (r *run) uses(options []*option, p *play) []int {
	var out []int
	for i, o := range options {
		if like := slices.IndexFunc(options[:i], func(x *option) bool { return x.number == o.number && r.same(x, o) }); like >= 0 {
			out = append(out, out[like])
			continue
		}
		if len(p.numbers) == 1 { // no search is needed
			out = append(out, 1)
			continue
		}
		out = append(out, 1+r.usesAfter(o, options, p.after(o), nil))
	}
	return out
}

// usesAfter is how many numbers can still be used after an option and the picks during its execution.
func (r *run) usesAfter(o *option, options []*option, rest *play, picked []int) int {
	t, why := r.trial(o, options, picked)
	best := 0
	switch why := why.(type) {
	case nil:
		// For the last number, one option is enough.
		rest.first, rest.ahead = len(rest.numbers) == 1, true
		var next []*option
		switch why := stopped(func() { t.offersTo(&next, rest, false) }).(type) {
		case nil, enough:
		default:
			panic(why)
		}
		for _, n := range t.uses(next, rest) {
			best = max(best, n)
		}
		r.work = t.work
	case *node:
		for i := range why.picks {
			best = max(best, r.usesAfter(o, options, rest, append(slices.Clip(picked), i)))
		}
	case *Error:
		panic(why)
	}
	return best
}

// carry executes an option.
func (r *run) carry(o *option) {
	m := o.may.Move
	r.fired[o.may.Index]++
	r.steps, r.heading = o.steps, o.heading
	args := append(slices.Clone(o.args[:len(m.Params)]), o.to)
	begins := none
	if m.Kind == model.MoveWalk {
		begins = r.node[o.args[0]] // the walk is as it was offered, even if an earlier reaction moves the piece
	}
	r.raise(event{kind: model.EventMove, before: true, outer: true, move: m, args: args})
	switch m.Kind {
	case model.MoveStay:
		r.look()
		r.landing(o)
	case model.MoveTo, model.MoveWalk:
		r.displace(o, begins)
	}
	r.raise(event{kind: model.EventMove, outer: true, move: m, args: args})
}

func (r *run) landing(o *option) {
	r.raise(event{kind: model.EventLand, outer: true, args: []int{o.args[0], o.to}})
}

// displace moves a piece, and those it carries, to the end of its option. If a reaction moves the walker away, the
// rest of the walk is dropped, and the carried pieces return to their places in the order of their numbers. A carried
// piece that a reaction moves is not carried any further.
func (r *run) displace(o *option, begins int) {
	p := o.args[0]
	load := r.load(o.may.Move, (*env)(nil).bindAll(o.may.Move.Params, o.args[:]), p)
	r.leave(p)
	arrived := r.hand[p]
	if arrived {
		for _, q := range load {
			r.leave(q)
		}
		if arrived = r.way(o, begins); arrived {
			r.arriveAt(p, o.to, o.node)
		}
	}
	if !arrived {
		r.handBack()
		return
	}
	for _, q := range load {
		if r.hand[q] { // no reaction has moved it
			r.arrive(q, o.to)
		}
	}
	r.look()
	r.landing(o)
}

// load lists the pieces that a move carries.
func (r *run) load(m *model.Move, v *env, p int) []int {
	if m.Carrying == nil {
		return nil
	}
	var out []int
	for q := range r.list(m.Carrying, v) {
		if there(q, m.Carrying.Span) != p && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// leave lifts a piece in a move, and runs the reactions.
func (r *run) leave(p int) {
	from := r.at[p]
	r.lift(p)
	if from >= r.g.squares {
		r.raise(event{kind: model.EventLeave, outer: true, args: []int{p, from}})
	}
}

// way takes the steps of an option from a node on. It reports whether its piece is still in the hand.
func (r *run) way(o *option, node int) bool {
	p, back := o.args[0], o.walk < 0
	steps, taken := 0, 0
	for _, l := range o.path {
		steps += truth(!l.turn)
	}
	r.heading = 1 - 2*truth(back)
	for _, l := range o.path {
		ahead, place := none, none
		if ways := r.ways(p, node, back); len(ways) > 0 {
			ahead = ways[l.way]
			place = r.placeOf(p, ahead)
		}
		if l.turn { // heading is still that of the previous step
			r.raise(event{kind: model.EventTurned, outer: true, args: []int{p, place}})
			back = !back
		} else {
			r.heading = 1 - 2*truth(back)
			r.raise(event{kind: model.EventStep, outer: true, args: []int{p, r.placeOf(p, node), place}})
			node = ahead
			if taken++; r.hand[p] && taken < steps {
				r.raise(event{kind: model.EventPass, outer: true, args: []int{p, place}})
			}
		}
		if !r.hand[p] {
			return false
		}
	}
	return true
}
