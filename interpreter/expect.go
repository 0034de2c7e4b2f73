package interpreter

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// expect fails where a line does not hold, and says what is still to be decided.
func (r *scenario) expect(l *model.TestLine) {
	before := len(r.failures)
	r.compare(l)
	if len(r.failures) == before {
		return
	}
	switch l.Kind {
	case model.ExpectPieces, model.ExpectThat, model.ExpectTurn, model.ExpectEarned, model.ExpectRanking:
		f := &r.failures[before]
		if r.p.chooses() {
			f.remark(source.Span{}, "a decision is still open: %s", r.waits())
		}
		r.whichThrow(f)
	}
}

func (r *scenario) compare(l *model.TestLine) {
	g := r.g
	switch l.Kind {
	case model.ExpectMoves:
		if d := r.decision(l); d != nil {
			r.expectMoves(l, d)
		}
	case model.ExpectRefused:
		if q := r.question(); q != nil && (r.p.Kind() != Choice || r.p.asks()) && r.g.namesCandidate(&l.Options[0]) {
			r.expectNoChoice(l, q)
		} else if d := r.decision(l); d != nil {
			r.expectRefused(l, d)
		}
	case model.ExpectChoices:
		r.expectChoices(l)
	case model.ExpectNoChoices:
		if r.p.chooses() {
			r.fail(l, "a player has to choose: %s", r.waits())
		}
	case model.ExpectChance:
		r.expectChance(l)
	case model.ExpectOver, model.ExpectDraw:
		if r.p.Kind() != Over {
			r.fail(l, "the game goes on: %s", r.waits())
		} else if winners := r.p.Result().Winners; l.Kind == model.ExpectDraw && len(winners) > 0 {
			r.fail(l, "the winner is %s", g.seatList(winners))
		}
	case model.ExpectEarned:
		r.expectEarned(l)
	case model.ExpectTurn:
		if got := r.p.TurnColour(); got == None {
			r.fail(l, "no player is in turn yet: %s", r.waits())
		} else if got != l.Colour && (g.rules.TurnsByColour || g.SeatOf(got) != g.SeatOf(l.Colour)) {
			r.fail(l, "it is %s's turn, not %s's", g.ColourName(got), g.ColourName(l.Colour))
		} else if r.p.Kind() == Over {
			r.fail(l, "the game is over")
		}
	case model.ExpectRefusedThrow:
		if r.p.Kind() != Throw {
			r.fail(l, "the game does not wait for a throw here: %s", r.waits())
		} else if n := r.p.devices(); len(l.Numbers) != n {
			r.fail(l, "this throw takes %s, got %d", count(n, "number"), len(l.Numbers))
		} else if r.p.Copy().Throw(l.Numbers...) == nil {
			who := "a lot"
			if seat := r.p.Player(); seat != None {
				who = g.SeatName(seat)
			}
			r.fail(l, "%s can throw this", who)
		}
	case model.ExpectAsks:
		if !r.p.chooses() {
			r.fail(l, "no player has a choice: %s", r.waits())
		} else if seat := r.p.Player(); seat != g.SeatOf(l.Colour) {
			r.fail(l, "%s is asked, not %s", g.SeatName(seat), g.ColourName(l.Colour))
		}
	case model.ExpectWinner:
		r.expectWinner(l)
	case model.ExpectRanking:
		want := seq.Map(l.Colours, g.SeatOf)
		if got := r.p.Result().Ranking; len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			r.fail(l, "the ranking is %s", r.p.rankingText(got))
		}
	case model.ExpectThat:
		q := r.p.Copy()
		v, ok := q.m.Eval(g.unit.Probes[l.Probe])
		unite(r.p.m.Notes, q.m.Notes) // of what only tests ask
		if ok && v != 0 {
			return
		}
		f := r.fail(l, "this does not hold: %s", textOf(l.Cond))
		if !ok {
			f.Message = fmt.Sprintf("the condition fails: %v", g.ruleError(q.m))
		}
		for _, part := range g.parts(r.p, l.Cond) {
			f.remark(source.Span{}, "%s", part)
		}
	case model.ExpectNotOver:
		if r.p.Kind() == Over {
			r.fail(l, "the game is over")
		}
	case model.ExpectPieces:
		r.expectPieces(l)
	}
}

// rankingText lists the seats of a ranking, with those together that share a place.
func (p *Position) rankingText(ranking []int) string {
	var places []string
	shared := false
	for i := 0; i < len(ranking); {
		n := seq.Count(ranking, func(seat int) bool { return p.Place(seat) == p.Place(ranking[i]) })
		words := p.game.seatList(ranking[i : i+n])
		if n > 1 {
			words, shared = words+" share a place", true
		}
		places, i = append(places, words), i+n
	}
	if !shared {
		return p.game.seatList(ranking)
	}
	return strings.Join(places, ", ") + "; those who share a place are named in turn order"
}

func (g *Game) seatList(seats []int) string {
	if len(seats) == 0 {
		return "empty"
	}
	return strings.Join(seq.Map(seats, g.SeatName), " ")
}

// expectRefusedPosition expects a position to be refused, by a rule if the line names one.
func (r *scenario) expectRefusedPosition(l *model.TestLine, err error) {
	var refused *SetupError
	switch {
	case err == nil:
		r.fail(l, "this position is not refused")
	case l.Rule != nil && (!errors.As(err, &refused) || !slices.Contains(refused.Rules, l.Rule)):
		r.fail(l, "this position is refused, but not by %s: %v", l.Rule.Name, err)
	}
}

// count is "1 number", "2 numbers".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// matched are the options of a list that lines name, and the lines that name none.
func (r *scenario) matched(l *model.TestLine, options []Option, fits func(i int, t *model.TestOption) bool) (found []bool, absent []*model.TestOption) {
	found = make([]bool, len(options))
	for i := range l.Options {
		t, any := &l.Options[i], false
		for k := range options {
			if fits(k, t) {
				found[k], any = true, true
			}
		}
		if !any {
			absent = append(absent, t)
		}
	}
	return found, absent
}

// differ fails where what is offered is not what lines name.
func (r *scenario) differ(l *model.TestLine, player int, names []string, found []bool, absent []*model.TestOption) *Failure {
	missing := seq.Map(absent, r.g.testText)
	extra := seq.Map(seq.Indexes(found, func(ok bool) bool { return !ok }), func(i int) string { return names[i] })
	var f *Failure
	switch who := r.who(player); {
	case len(missing) > 0 && len(extra) > 0:
		f = r.fail(l, "%s is not offered: %s; is offered as well: %s", who, listed(missing), listed(extra))
	case len(missing) > 0:
		f = r.fail(l, "%s is not offered: %s", who, listed(missing))
	case len(extra) > 0:
		f = r.fail(l, "%s is offered as well: %s", who, listed(extra))
	default:
		return nil
	}
	if len(missing) > 0 {
		f.remark(source.Span{}, "%s is offered: %s", r.who(player), listed(names))
	}
	return f
}

func (r *scenario) expectMoves(l *model.TestLine, d *Decision) {
	found, absent := r.matched(l, d.Options, func(i int, t *model.TestOption) bool { return d.fits(i, t) })
	if f := r.differ(l, d.Player, d.names(), found, absent); f != nil {
		r.meant(f, d)
		all := d.refusals()
		for _, t := range absent {
			if !r.later(f, d, t) {
				f.why(d.position(), d.position().refusalsOf(all, t), t)
			}
		}
	}
}

// later remarks that a decision after the one meant offered what a line names, and how to speak of that one.
func (r *scenario) later(f *Failure, d *Decision, t *model.TestOption) bool {
	for _, x := range r.decisions[slices.Index(r.decisions, d)+1:] {
		switch {
		case x.asks():
		case d.Taken != None && x.offers(t):
			f.remark(source.Span{}, "%s was offered after that: write before this line: play %s", r.g.testText(t), d.names()[d.Taken])
			return true
		case x.Taken != None:
			d = x
		}
	}
	return false
}

func (r *scenario) expectChoices(l *model.TestLine) {
	q := r.question()
	if q == nil {
		r.fail(l, "no question is asked: %s", r.waits())
		return
	}
	options := q.menu()
	found, absent := r.matched(l, options, func(i int, t *model.TestOption) bool { return q.fits(options[i], t, nil) })
	if f := r.differ(l, q.Player(), q.menuNames(), found, absent); f != nil {
		r.asked(f, q)
		for _, t := range absent {
			f.another(q, t)
		}
	}
}

// asked remarks that a failure speaks of a question that is not at hand.
func (r *scenario) asked(f *Failure, q *Position) {
	if q != r.p {
		f.remark(source.Span{}, "%s; the question meant was %s's, and had %s", r.waits(), r.who(q.Player()), count(q.OptionCount(), "candidate"))
	}
}

// expectNoChoice wants something not to be a candidate of a question.
func (r *scenario) expectNoChoice(l *model.TestLine, q *Position) {
	var f *Failure
	switch t, who := &l.Options[0], r.who(q.Player()); {
	case l.Rule != nil:
		f = r.fail(l, "%s is asked a question: what cannot be chosen is refused by no rule", who)
	case slices.ContainsFunc(q.menu(), func(o Option) bool { return q.fits(o, t, nil) }):
		f = r.fail(l, "%s can choose this", who)
	case !q.takesAt(t):
		f = r.fail(l, "%s is no answer to this question: it takes %s", r.g.testText(t), q.asksFor())
		f.Moot = r.g.testText(t) + " is no answer to the question, which takes " + q.asksFor()
		f.remark(source.Span{}, "%s is offered: %s", who, listed(q.menuNames()))
	default:
		return
	}
	r.asked(f, q)
}

// namesCandidate reports whether a line names what can be a candidate of a question: no move.
func (g *Game) namesCandidate(t *model.TestOption) bool {
	return !t.Arrow() && t.Move == nil && !slices.ContainsFunc(g.rules.Moves, func(m *model.Move) bool { return slices.Contains(t.Words, m.Name) })
}

// expectChance wants a number of a device to have a weight, or to come up so many times of so many.
func (r *scenario) expectChance(l *model.TestLine) {
	d := &r.g.prog.Dice[l.Die.Index]
	weights, total, weight := d.Weights, 0, 0
	if left := r.p.deck(d); left != nil {
		weights = seq.Map(left, func(n int16) int { return int(n) })
	}
	for i, w := range weights {
		total += w
		if d.Values[i] == l.Numbers[0] {
			weight = w
		}
	}
	switch {
	case len(l.Numbers) == 2 && weight != l.Numbers[1], len(l.Numbers) == 3 && weight*l.Numbers[2] != l.Numbers[1]*total:
		r.fail(l, "%s gives %d with weight %d, of %d", l.Die.Name, l.Numbers[0], weight, total)
	}
}

func (r *scenario) expectRefused(l *model.TestLine, d *Decision) {
	g, t := r.g, &l.Options[0]
	if d.offers(t) {
		r.meant(r.fail(l, "%s is offered this move", g.SeatName(d.Player)), d)
		return
	}
	refusals := d.position().refusalsOf(d.refusals(), t)
	if out := d.position().leftOut(t); len(refusals) == 0 && out != nil && !out.ever {
		if l.Rule != nil {
			f := r.fail(l, "%s is refused this move by the list of the move, not by %s", g.SeatName(d.Player), l.Rule.Name)
			f.remark(out.list.Span, "%s", out.why)
			r.meant(f, d)
		}
		return
	}
	if len(refusals) == 0 {
		f := r.fail(l, "no rule is about this move; %s is offered: %s", g.SeatName(d.Player), listed(d.names()))
		f.why(d.position(), nil, t)
		f.Moot = g.unspoken(d.position(), t)
		r.meant(f, d)
		return
	}
	reasons := seq.Flat(refusals, func(f Refusal) []*model.Clause { return f.Reasons })
	reasons = slices.DeleteFunc(reasons, func(x *model.Clause) bool { return x == nil }) // the end of the track
	if l.Rule == nil || slices.ContainsFunc(reasons, func(x *model.Clause) bool { return x.Rule == l.Rule }) {
		return
	}
	rules := seq.Distinct(seq.Map(reasons, func(x *model.Clause) string { return x.Rule.Name }))
	what := cmp.Or(strings.Join(rules, " and "), "the end of the track")
	f := r.fail(l, "%s is refused this move by %s, not by %s", g.SeatName(d.Player), what, l.Rule.Name)
	f.why(d.position(), refusals, t)
	r.meant(f, d)
}

func (r *scenario) expectEarned(l *model.TestLine) {
	earned := seq.Filter(r.decisions, func(d *Decision) bool { return d.Earned })
	counts := append(seq.Map(earned, func(d *Decision) int { return d.Steps }), r.p.Waiting()...)
	switch {
	case len(counts) == 0:
		r.fail(l, "nothing has been earned")
	case !slices.Contains(counts, l.Numbers[0]):
		r.fail(l, "earned: %s", strings.Join(seq.Map(counts, strconv.Itoa), ", "))
	}
}

func (r *scenario) expectWinner(l *model.TestLine) {
	g, result := r.g, r.p.Result()
	lost := slices.ContainsFunc(l.Colours, func(c int) bool { return !slices.Contains(result.Winners, g.SeatOf(c)) })
	switch {
	case r.p.Kind() != Over:
		r.fail(l, "the game goes on: %s", r.waits())
	case lost && len(result.Winners) == 0:
		r.fail(l, "no player has won")
	case lost:
		r.fail(l, "the winner is %s", g.seatList(result.Winners))
	case len(l.Numbers) > 0 && l.Numbers[0] != result.Worth:
		r.fail(l, "the win counts %d", result.Worth)
	}
}

func (r *scenario) expectPieces(l *model.TestLine) {
	g := r.g
	all := g.piecesIn(r.p.m.State(), l.Colour)
	left, wanted := slices.Clone(all), slices.Clone(l.Places[l.Colour])
	places, nodes := r.p.Places(nil), r.p.m.State()[g.prog.Layout.Node:]
	slices.SortStableFunc(wanted, func(a, b model.Spot) int { return b.Passage - a.Passage }) // first those with a passage
	stand := len(wanted) == len(all) && !slices.ContainsFunc(wanted, func(want model.Spot) bool {
		i := slices.IndexFunc(left, func(q int) bool { return at(want, places[q], g.passage(l.Colour, int(nodes[q]))) })
		left = slices.Delete(left, max(0, i), i+1)
		return i < 0
	})
	switch {
	case stand:
	case len(all) == 0:
		r.fail(l, "%s has no pieces", g.ColourName(l.Colour))
	default:
		r.fail(l, "%s stands on %s", g.ColourName(l.Colour), strings.Join(seq.Map(all, r.p.spot), " "))
	}
}
