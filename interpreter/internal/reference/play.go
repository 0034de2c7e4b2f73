package reference

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
)

// play is a decision about one number, or about one of several numbers.
type play struct {
	numbers []int
	with    int   // the piece that must count it, or none
	lists   []int // which of several lists each number is of; nil where there is one
	ahead   bool  // the options depend on what can be counted after them
	trial   bool  // looks ahead: what can be counted after an option
	all     bool  // of numbers that cannot all be counted none is
	apart   bool  // duties look at the options of each number by themselves
	bag     int   // the slot of the bag the numbers are of, or none
	first   bool  // stop after the first option
}

// option is a legal move.
type option struct {
	may      *model.Clause
	args     [4]int
	from, to int
	node     int // of the track, where it ends
	number   int // which of the numbers of the play it counts
	counts   int // that number
	bag      int // the slot of the bag it comes from, or none
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
		r.decide(&play{numbers: []int{r.steps}, with: none, bag: none})
	case model.PlayEarned:
		for len(r.queue) > 0 {
			r.thrown, r.earned = false, true
			r.tick(s.Span)
			next := r.queue[0]
			r.queue = slices.Clone(r.queue[1:])
			r.steps = next.number
			r.decide(&play{numbers: []int{next.number}, with: next.with, bag: none})
		}
	default:
		r.playList(s, v)
	}
}

func (r *run) playList(s *model.Stmt, v *env) {
	p := &play{with: none, ahead: s.Play.LooksAhead(), all: s.Play == model.PlayAll, apart: s.Apart, bag: none}
	if s.Target != nil {
		if p.bag = r.slot(s.Target, v); !p.ahead {
			r.playBag(p, s)
			return
		}
		p.numbers = r.vars[p.bag]
	} else {
		for i, list := range append([]*model.Expr{s.Value}, s.Args...) {
			before := len(p.numbers)
			for n := range r.list(list, v) {
				if len(p.numbers)-before == maxNumbers || len(s.Args) > 0 && len(p.numbers) == 2*maxNumbers {
					fail(faultOptions, s.Span)
				}
				p.numbers, p.lists = append(p.numbers, number(n, list.Span)), append(p.lists, i)
			}
		}
	}
	if s.Target != nil && len(p.numbers) > maxNumbers {
		fail(faultOptions, s.Span)
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

// playBag counts numbers of a bag as it is meanwhile.
func (r *run) playBag(p *play, s *model.Stmt) {
	for len(r.vars[p.bag]) > 0 {
		now := *p
		now.numbers = slices.Compact(slices.Clone(r.vars[p.bag]))
		r.tick(s.Span)
		if r.decide(&now) == nil || s.Play == model.PlayAny {
			return
		}
	}
}

// after is a play of several numbers when one has been counted: of several lists those are left that have it. Where one of them has no other
// number, none is left.
func (p *play) after(o *option) *play {
	rest := *p
	rest.numbers, rest.lists = nil, nil
	for _, list := range p.each() {
		if i := slices.Index(list, o.counts); i >= 0 {
			left := slices.Delete(list, i, i+1)
			if len(left) == 0 {
				rest.numbers, rest.lists = nil, nil
				break
			}
			for range left {
				rest.lists = append(rest.lists, len(rest.numbers))
			}
			rest.numbers = append(rest.numbers, left...)
		}
	}
	return &rest
}

// each is the lists of a play.
func (p *play) each() [][]int {
	if len(p.lists) == 0 && len(p.numbers) > 0 {
		return [][]int{slices.Clone(p.numbers)}
	}
	var out [][]int
	for i, n := range p.numbers {
		if i == 0 || p.lists[i] != p.lists[i-1] {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], n)
	}
	return out
}

// longest is how many numbers the longest list has; shortest is how many are left over where the play ends.
func (p *play) longest() int {
	return seq.Most(p.each(), func(list []int) int { return len(list) })
}

func (p *play) shortest() int {
	n := p.longest()
	for _, list := range p.each() {
		n = min(n, len(list))
	}
	return n
}

// decide finds the options, lets one be chosen and carries it out. It is nil where there is none.
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
	if p.ahead {
		r.usable = 0 // while it looks ahead
	}
	options := r.offers(p)
	if p.ahead {
		used := r.uses(options, p)
		if len(used) > 0 {
			r.usable = slices.Max(used)
		}
		again := r.offers(p) // once more, with the value of usable
		options = slices.DeleteFunc(again, func(o *option) bool {
			i := slices.IndexFunc(options, func(x *option) bool { return x.equal(o) })
			return i < 0 || used[i] < r.usable || p.all && r.usable < p.longest()
		})
		if p.all && r.usable < p.longest() {
			r.usable = 0
		}
	}
	return r.distinct(r.dutiful(options, p.apart, nil))
}

func (o *option) equal(x *option) bool {
	return o.may == x.may && o.args == x.args && o.number == x.number && o.steps == x.steps && o.to == x.to && o.node == x.node && slices.Equal(o.path, x.path)
}

// dutiful narrows options by each duty that some of them meet, apart those of each number by themselves. lost, if not nil, gets the
// others with the duty as reason.
func (r *run) dutiful(options []*option, apart bool, lost func(*option)) []*option {
	for i, x := range r.g.clauses[model.ClauseMust] {
		unlike := seq.Filter(options, func(o *option) bool {
			rival := func(x *option) bool { return x.duties[i] && (!apart || x.number == o.number) }
			return !o.duties[i] && !o.may.Despite && slices.ContainsFunc(options, rival)
		})
		if len(unlike) == 0 {
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

// uses is how many numbers of the longest list can be used at most, beginning with each of the options: all but those that are left over
// at least. In a trial only the most is asked for: with an option that uses all, the others are not tried.
func (r *run) uses(options []*option, p *play) []int {
	var out []int
	for i, o := range options {
		if p.trial && slices.Contains(out, p.longest()) {
			break
		}
		if like := slices.IndexFunc(options[:i], func(x *option) bool { return x.number == o.number && r.same(x, o) }); like >= 0 {
			out = append(out, out[like])
			continue
		}
		if p.longest() == 1 { // nothing to look for
			out = append(out, 1)
			continue
		}
		out = append(out, p.longest()-r.leftAfter(o, options, p.after(o), nil))
	}
	return out
}

// leftAfter is how many numbers are left over after an option at least, and after what is picked while it is carried out.
func (r *run) leftAfter(o *option, options []*option, rest *play, picked []int) int {
	t, why := r.trial(o, options, picked)
	least := rest.shortest()
	switch why := why.(type) {
	case nil:
		// For the last number, one option is enough.
		rest.first, rest.trial = len(rest.numbers) == 1, true
		var next []*option
		switch why := stopped(func() { t.offersTo(&next, rest, false) }).(type) {
		case nil, enough:
		default:
			panic(why)
		}
		if used := t.uses(next, rest); len(used) > 0 {
			least = rest.longest() - slices.Max(used)
		}
		r.work = t.work
	case *node:
		for i := range why.picks {
			n := r.leftAfter(o, options, rest, append(slices.Clip(picked), i))
			if least = min(least, n); i == 0 {
				least = n
			}
		}
	case *Error:
		panic(why)
	}
	return least
}

// carry executes an option.
func (r *run) carry(o *option) {
	m := o.may.Move
	r.fired[o.may.Index]++
	r.steps, r.heading = o.steps, o.heading
	if o.bag != none {
		if i := slices.Index(r.vars[o.bag], o.counts); i >= 0 {
			r.vars[o.bag] = slices.Delete(slices.Clone(r.vars[o.bag]), i, i+1)
		}
		r.look()
	}
	args := append(slices.Clone(o.args[:len(m.Params)]), o.to)
	begins, colour := none, none
	if movesPiece(m) {
		colour = r.colourOf(r.g, o.args[0])
	}
	if m.Kind == model.MoveWalk {
		begins = r.node[o.args[0]] // the walk is as it was offered, even if an earlier reaction moves the piece
	}
	if r.g.rules.Mover != nil && movesPiece(m) {
		r.vars[r.g.slots[r.g.rules.Mover.Index]] = []int{args[0]}
		r.vars[r.g.slots[r.g.rules.From.Index]] = []int{r.at[args[0]]}
	}
	r.raise(event{kind: model.EventMove, before: true, outer: true, move: m, args: args})
	switch {
	case m.Kind == model.MoveStay:
		r.look()
		r.landing(o)
	case m.Kind == model.MoveNothing, r.colourOf(r.g, o.args[0]) != colour: // given away, it does not go
	default:
		r.displace(o, begins)
	}
	r.raise(event{kind: model.EventMove, outer: true, move: m, args: args})
	r.noMove()
	r.carries()
}

// noMove says that no move is carried out.
func (r *run) noMove() {
	if x := r.g.rules.Mover; x != nil {
		r.vars[r.g.slots[x.Index]] = []int{none}
	}
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
	r.carries(load...)
	r.lift(p)
	r.left(p)
	arrived := r.hand[p]
	if arrived {
		for _, q := range load {
			r.lift(q)
			r.carries(append(r.carried(), q)...)
			r.left(q)
		}
		if arrived = r.way(o, begins); arrived {
			r.arriveAt(p, o.to, o.node)
		}
	}
	if !arrived {
		r.carries()
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

// carries sets the pieces that the move takes along.
func (r *run) carries(pieces ...int) {
	if x := r.g.rules.Carried; x != nil {
		r.vars[r.g.slots[x.Index]] = held(x, pieces)
	}
}

// carried are the pieces that the move takes along.
func (r *run) carried() []int {
	if x := r.g.rules.Carried; x != nil {
		return slices.Clone(r.vars[r.g.slots[x.Index]])
	}
	return nil
}

// left runs the reactions to a piece's being lifted.
func (r *run) left(p int) {
	from := r.at[p]
	r.raise(event{kind: model.EventLeave, zone: from < r.g.squares, outer: true, args: []int{p, from}})
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
