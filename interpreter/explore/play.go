package explore

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// Lengths of plays, in throws. Random games of the rule books we know end within a thousand.
const (
	maxGame  = 20_000 // from the beginning: a longer game counts as endless
	maxLucky = 2000   // from the beginning, when only faults matter
	maxBrief = 400    // likewise, of a brief exploration of a book with more than a few tests
	maxSpell = 60     // from an odd position
	maxNodes = 64     // nodes per throw: choices between throws count too
)

// fromOdd is the first of 16 kinds of play that begin in an odd position.
const fromOdd = 5

// luck is a distribution of throws.
type luck uint8

const (
	fair   luck = iota
	even        // uniform
	sticky      // mostly the previous number
)

// run is one play.
type run struct {
	interpreter.Unwatched

	w    *worker
	seen *played
	k    int
	a    *arena
	p    *interpreter.Position
	r    interpreter.Random
	odd  bool
	luck
	limit int

	base  *interpreter.Position // at the beginning of the turn
	based bool
	from  *interpreter.Setup // the odd position
	path  path

	places, before []int
	stood          []bool // by place: a piece has stood there when a turn began
	nearer         nearer
	turns          int           // turns begun
	still          int           // turns without a move of a piece
	idle           []int         // by seat: its turns in a row without a possible action
	acted          bool          // there was a possible action in this turn
	last           *model.Clause // the last reaction in this turn, or nil
	looked, asked  int           // number of searches for a way out of the game, and for something to do
	outcomes       []interpreter.Outcome
}

// play plays game k; nil if time ran out.
func (w *worker) play(k int) (*played, error) {
	i, first := k, k < len(w.x.arenas)
	if w.x.o.Enough { // it may soon be: one setting after the other
		i, first = k/inTurn, k%inTurn == 0
	}
	a := w.x.arenas[i%len(w.x.arenas)]
	if !a.ready(w.x) {
		return &played{}, a.err
	}
	if w.bases[a] == nil {
		w.bases[a] = a.game.Start(0)
	}
	t := &run{w: w, seen: &played{arena: a}, k: k, a: a, r: interpreter.NewRandom(w.x.o.Seed, uint64(k)), limit: maxGame, base: w.bases[a]}
	t.idle, t.stood = make([]int, a.game.Players()), make([]bool, len(a.game.Rules().Board.Places))
	if need := 1 + slices.Max(append([]int{0}, a.numbers...)) - len(w.fired); need > 0 {
		w.fired = append(w.fired, make([]bool, need)...)
	}
	kind := t.r.IntN(16)
	switch {
	case first || w.x.o.Brief:
		kind = 0
	case w.x.o.Enough && k < lookEvery:
		kind %= fromOdd
	}
	if w.x.o.Brief {
		if kind, t.limit = 0, maxLucky; !w.x.few {
			t.limit = maxBrief
		}
	}
	if kind >= fromOdd {
		if !a.haveSurvey(w.x) {
			return nil, nil
		}
		t.from, t.p = a.odd(&t.r)
	}
	if t.p != nil {
		t.odd, t.seen.odd, t.limit, t.luck = true, true, maxSpell, luck(t.r.IntN(3))
	} else {
		t.p = a.game.Start(interpreter.ByTheRules)
		if kind > 0 {
			t.limit, t.luck = maxLucky, luck(t.r.IntN(3))
		}
	}
	for _, c := range t.p.Effects() { // before the first throw too
		t.Fired(c)
	}
	t.p.Watch(t)
	if !t.on() {
		return nil, nil
	}
	t.seen.throws = t.p.Throws()
	t.note()
	return t.seen, nil
}

// note reports what the play has executed and none of the worker before.
func (t *run) note() {
	before := t.w.noted[t.a]
	now := make([]bool, len(t.a.notes))
	copy(now, before)
	t.p.Noted(now)
	for i, n := range t.a.notes {
		if now[i] && (before == nil || !before[i]) {
			t.seen.noted = append(t.seen.noted, n)
		}
	}
	t.w.noted[t.a] = now
}

// Fired implements interpreter.Watcher.
func (t *run) Fired(c *model.Clause) {
	t.acted = t.acted || c.Kind == model.ClauseMay
	if c.Block != nil {
		t.last = c
	}
	if n := t.a.numbers[c.Index]; !t.w.fired[n] {
		t.w.fired[n] = true
		t.seen.fired = append(t.seen.fired, n)
	}
}

// Put implements interpreter.Watcher.
func (t *run) Put(_, _, _ int) { t.acted = true }

// Ignored implements interpreter.DutyWatcher.
func (t *run) Ignored(c, by *model.Clause) {
	n := t.a.numbers[c.Index]
	if !slices.Contains(t.seen.lost, n) {
		t.seen.lost = append(t.seen.lost, n)
		t.saw(&sighting{key: key{dutiesClash, c.Span}, other: by})
	}
}

// on plays to the end; it returns false if time is over.
func (t *run) on() bool {
	for nodes := 0; nodes < maxNodes*t.limit; nodes++ {
		if t.w.x.stop.Load() {
			return false
		}
		switch t.p.Kind() {
		case interpreter.Over:
			t.seen.ended, t.seen.atOnce = true, t.turns < 2
			return true
		case interpreter.Broken:
			t.fault()
			return true
		}
		if t.p.TurnBegins() && !t.turn() {
			return true
		}
		if t.p.Throws() >= t.limit {
			t.seen.endless = !t.odd
			if t.limit == maxGame && t.nearer.last < maxGame/2 {
				t.saw(&sighting{key: key{gameWithoutEnd, t.a.ends(t.w.x.header)}, never: t.a.wanted(t.stood)})
			}
			return true
		}
		if t.p.Kind() == interpreter.Throw {
			t.throw()
			continue
		}
		i := t.r.IntN(t.p.OptionCount())
		t.path.choices = append(t.path.choices, i)
		t.acted = true
		t.p.Choose(i)
	}
	return true
}

// throw sets the numbers of the dice.
func (t *run) throw() {
	if t.p.Opening() {
		t.p.ThrowRandom(&t.r)
		return
	}
	dice := t.p.Dice()
	numbers := make([]int, len(dice))
	for i, d := range dice {
		t.outcomes = t.p.Outcomes(t.outcomes[:0], i)
		numbers[i] = t.number(t.p.Numbers()[d])
	}
	t.path.throws = append(t.path.throws, numbers)
	t.p.Throw(numbers...)
}

// number samples one of the outcomes.
func (t *run) number(before int) int {
	switch list := t.outcomes; {
	case t.luck == sticky && t.r.IntN(10) < 6 && slices.ContainsFunc(list, func(o interpreter.Outcome) bool { return o.Value == before }):
		return before
	case t.luck == fair:
		return interpreter.Draw(list, &t.r)
	}
	return t.outcomes[t.r.IntN(len(t.outcomes))].Value
}

// turn checks the position at the beginning of a turn, and reports whether the play goes on.
func (t *run) turn() bool {
	if t.based && !t.stands() {
		return false
	}
	t.turns++
	seat := t.p.Turn()
	t.places, t.before = t.p.Places(t.before[:0]), t.places
	if t.still++; !slices.Equal(t.places, t.before) {
		t.still = 0
		for _, at := range t.places {
			t.stood[at] = true
		}
	}
	if t.based {
		last := t.base.Turn()
		if t.idle[last]++; t.acted {
			t.idle[last] = 0
		}
	}
	if t.limit == maxGame {
		t.nearer.look(t.a.counters, t.p)
	}
	t.base.CopyFrom(t.p)
	t.based, t.acted, t.last = true, false, nil
	t.path = path{t.path.throws[:0], t.path.choices[:0]}
	if t.w.x.o.Enough && (t.odd || t.k >= lookedPlays) {
		return true // nothing that only odd positions lead to is reported
	}
	if t.looked < maxLooks && t.still >= 3*t.a.game.Players()<<t.looked {
		t.looked++
		stuck, many, why := stuckForEver(t.p, t.w.x.stop.Load)
		if many {
			t.looked += maxLooks / 2 // there will be again
		}
		if stuck {
			t.saw(&sighting{key: key{stuckInPlace, t.blame(why.main())}, why: why})
			return false
		}
	}
	rules := t.a.game.Rules()
	acts := func(seat int) bool { return t.idle[seat] < 4<<t.asked }
	if !t.a.stuck && t.asked < maxLooks && !slices.ContainsFunc(rules.Teams[rules.Seats[seat].Team], acts) {
		t.asked++
		if nothingToDo(t.p, seat, t.k) {
			why := newReasons(t.p)
			followers(t.p, why, &spares{})
			t.saw(&sighting{key: key{idle, t.w.x.header}, seat: seat, why: why.causes()})
		}
	}
	return true
}

// nearer says when in a play a number that endings ask for was last greater or smaller than ever before: then the game is perhaps only slow.
type nearer struct {
	last      int // throws
	low, high []int
}

func (n *nearer) look(vars []*model.Var, p *interpreter.Position) {
	at := 0
	for _, v := range vars {
		for owner := range max(p.Game().Players(), len(p.Game().Rules().Colours)) {
			x := p.Number(v, owner)
			if at == len(n.low) {
				n.low, n.high = append(n.low, x), append(n.high, x)
			}
			if x < n.low[at] || x > n.high[at] {
				n.low[at], n.high[at], n.last = min(n.low[at], x), max(n.high[at], x), p.Throws()
			}
			at++
		}
	}
}

// Limits of the searches of either kind.
const (
	maxLooks    = 8  // in a play
	lookedPlays = 64 // where it ends when enough was played
)

// readEvery is the interval, in turns, at which a position is written and read back.
const readEvery = 48

// stands reports whether the rules accept the position at the beginning of a turn.
func (t *run) stands() bool {
	if bad := t.p.Forbidding(); len(bad) > 0 {
		_, words := refusal(t.a, t.p)
		t.saw(&sighting{key: key{refusedPosition, bad[0].Span}, words: words})
		return false
	}
	if t.r.IntN(readEvery) > 0 {
		return true
	}
	refused, words := refusal(t.a, t.p)
	if refused {
		t.saw(&sighting{key: key{refusedPosition, t.w.x.header}, words: words})
	}
	return !refused
}

// refusal reads a written position back, and says why the rules refuse it.
func refusal(a *arena, p *interpreter.Position) (bool, string) {
	_, err := a.game.Setup(p.Setup())
	refused, ok := err.(*interpreter.SetupError)
	if !ok || a.finishes && len(refused.Rules) == 0 {
		return false, ""
	}
	return true, strings.Join(refused.Reasons, "; ")
}

// fault records an error of the rules.
func (t *run) fault() {
	if err, ok := t.p.Err().(*interpreter.RuleError); ok {
		t.saw(&sighting{key: faultKey(err, t.w.x.header), words: err.Message, last: t.last})
	}
}

// faultKey identifies a fault.
func faultKey(err *interpreter.RuleError, header source.Span) key {
	k := key{fault, err.Span}
	if err.Limit {
		k.kind = turnWithoutEnd
	}
	if k.at.IsZero() {
		k.at = header
	}
	return k
}

// blame is the place to report a stuck position: the clause of the last file that undoes or refuses most moves, otherwise the
// header.
func (t *run) blame(under []*model.Clause) source.Span {
	if c := seq.First(under, func(c *model.Clause) bool { return c.Span.File == t.w.x.header.File }); c != nil {
		return c.Span
	}
	return t.w.x.header
}

// saw completes a sighting with the state of the play, and reports it if it is the worker's first of its kind.
func (t *run) saw(s *sighting) {
	s.play, s.arena, s.odd = t.k, t.a, t.odd
	found := t.w.found[t.odd]
	if found[s.key] {
		return
	}
	found[s.key] = true
	s.from = t.from
	if t.based {
		s.from = t.base.Setup()
	}
	s.path = path{seq.Map(t.path.throws, slices.Clone), slices.Clone(t.path.choices)}
	t.seen.found = append(t.seen.found, s)
}
