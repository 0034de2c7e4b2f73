package explore

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// How much is played with something and without it before it is said that it makes no difference.
const (
	comparedSettings = 40     // of a book; of more no option is compared, since some go together with values of others
	shortGame        = 50     // throws of the first play; of each further one twice as many
	comparedGame     = 1000   // throws of a play
	comparedThrows   = 20_000 // of a comparison
	comparedPlays    = 20
	firstPlays       = 4       // of the first setting, before another is compiled
	mostPlays        = 2000    // of a comparison, where plays are short
	mostThrows       = 500_000 // of all comparisons: later ones are not made
	firedTimes       = 500     // times that a clause took effect, in at least
	firedThrows      = 4000
	idleThrows       = 1000 // after which one that takes effect so rarely that this is far off is given up
)

// pair is a game and another one that should differ from it, with the number of the clause that the second lacks, or -1.
type pair struct {
	with, without *interpreter.Game
	clause        int
	setting       int // of with
}

// playKey says which play with all clauses it is.
type playKey struct{ setting, play int }

// effects is what takes effect in a play.
type effects struct {
	interpreter.Unwatched

	throws int
	times  []int // by clause
}

// Fired implements interpreter.Watcher.
func (f *effects) Fired(c *model.Clause) {
	f.times = append(f.times, make([]int, max(0, c.Index+1-len(f.times)))...)
	f.times[c.Index]++
}

func (f *effects) of(clause int) int {
	if clause < 0 || clause >= len(f.times) {
		return 0
	}
	return f.times[clause]
}

// comparison plays a book beside others that should differ from it.
type comparison struct {
	*Games
	ctx      context.Context
	seed     uint64
	defaults map[string]string // of the options
	compared []int             // the settings that are compared
	effects  map[playKey]*effects

	plays, throws, fired int // of the last comparison
	before               int // throws of those before it
}

// NoDifference reports what of the last file takes effect and yet makes no difference to a play: clauses, options, or
// the file as a change. It leaves out what explained holds of, and what a test of the file fails without; noticed says that one fails
// without the whole change.
func (gs *Games) NoDifference(ctx context.Context, seed uint64, explained func(source.Span) bool, noticed bool) diag.List {
	b := gs.book
	if b.TestsOnly() {
		return nil
	}
	x := &comparison{Games: gs, ctx: ctx, seed: seed, defaults: map[string]string{}, effects: map[playKey]*effects{}}
	for _, o := range b.Options() {
		x.defaults[o.Name] = o.Default
	}
	all, some := len(x.settings), min(len(x.settings), comparedSettings)
	usual := gs.usual() // which most plays of the book have made
	x.compared = append(x.compared, usual)
	for i := range some {
		if i = i * all / some; i != usual {
			x.compared = append(x.compared, i)
		}
	}
	var out diag.List
	report := func(at source.Span, format string, args ...any) {
		out.Add(diag.Diagnostic{Severity: diag.Info, Code: "no-difference", Span: at, Message: fmt.Sprintf(format, args...)})
		out.Last().WithNote(source.Span{}, "played at random with it and without it: %s in %s, all alike", diag.Plural(x.throws, "throw"), diag.Plural(x.plays, "play"))
	}
	checks, plays := false, false // an always changes no play, and may be all that a change adds
	for _, group := range b.Parts() {
		for _, p := range group.Parts {
			checks, plays = checks || p.Kind == model.PartAlways, plays || p.Kind < model.PartAlways
			if p.Kind.Clause() && !explained(p.Span) && x.withoutClause(p.Span) {
				seen := ""
				if x.fired > 0 {
					seen = fmt.Sprintf(", though it took effect %d times", x.fired)
				}
				report(p.Span, "this made no difference%s", seen)
			}
		}
	}
	for _, o := range b.Options() {
		if all > comparedSettings || o.Span.File != b.Header().File || explained(o.Span) {
			continue
		}
		alike := seq.Filter(o.Values, func(v string) bool { return v != o.Default && x.withOption(o.Name, v) })
		if len(alike) > 0 {
			report(o.Span, "option %q made no difference: with %s the game went as with %s", o.Name, strings.Join(alike, " and with "), o.Default)
		}
	}
	whole := b.File().Span(0, len(b.File().Text()))
	if base := b.Unchanged(); base != nil && !noticed && len(out) == 0 && !explained(whole) && (plays || !checks) && x.onBase(base) {
		report(b.Header(), "what this file changes made no difference")
	}
	return out
}

// withoutClause reports whether a clause took effect often and made no difference, and no test fails without it.
func (x *comparison) withoutClause(at source.Span) bool {
	unseen := false // it does not signal that it takes effect
	pairOf := func(i int) *pair {
		c := clauseAt(x.rules(i), at)
		if c == nil || !omits(c) {
			return nil
		}
		g, _ := x.of(i)
		if g == nil {
			return nil
		}
		p := &pair{g, g.Without(c), c.Index, i}
		if lets(c) {
			p.clause, unseen = -1, true
		}
		return p
	}
	enough := func() bool {
		return unseen && x.muchPlayed() || !unseen && x.fired >= firedTimes && x.throws >= firedThrows
	}
	few := len(x.book.Scenarios()) <= FewTests // which take no longer than a play
	return !(few && x.testsWithout(at) != passing) && x.same(pairOf, enough) && x.testsWithout(at) == passing
}

// withOption reports whether a value of an option plays as the default does.
func (x *comparison) withOption(name, value string) bool {
	return x.same(func(i int) *pair {
		s := x.settings[i]
		if s.Options[name] != x.defaults[name] {
			return nil
		}
		options := maps.Clone(s.Options)
		options[name] = value
		j := slices.IndexFunc(x.settings, func(o dsl.Setting) bool { return o.Players == s.Players && maps.Equal(o.Options, options) })
		if j < 0 {
			return nil
		}
		with, _ := x.of(i)
		without, _ := x.of(j)
		return &pair{with, without, -1, i}
	}, x.muchPlayed)
}

// onBase reports whether a change plays as what it changes, with the defaults of the options that it does not name. One with other numbers
// of players or other values of options does not, nor one that counts.
func (x *comparison) onBase(base *dsl.Book) bool {
	known := base.OptionNames()
	values := map[string][]string{}
	for _, o := range x.book.Options() {
		values[o.Name] = o.Values
	}
	counts := func(n *model.Count) bool { return n.Span.File == x.book.File() }
	if !slices.Equal(base.PlayerNumbers(nil), x.book.PlayerNumbers(nil)) ||
		slices.ContainsFunc(base.Options(), func(o model.Option) bool { return !slices.Equal(o.Values, values[o.Name]) }) ||
		slices.ContainsFunc(x.compared, func(i int) bool { r := x.rules(i); return r != nil && slices.ContainsFunc(r.Counts, counts) }) {
		return false
	}
	words := strings.FieldsFunc(x.book.File().Text(), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	differs := false
	return x.same(func(i int) *pair {
		s := x.settings[i]
		s.Options = maps.Clone(s.Options)
		for name, v := range x.settings[i].Options {
			switch {
			case v == x.defaults[name]:
				delete(s.Options, name) // which may have another default there
			case !slices.Contains(words, name):
				return nil
			}
		}
		maps.DeleteFunc(s.Options, func(name, _ string) bool { return !slices.Contains(known, name) })
		g, _ := x.of(i)
		rules, _ := base.Rules(s)
		differs = differs || g != nil && rules == nil
		return &pair{g, complete(base, rules), -1, i}
	}, x.muchPlayed) && !differs
}

// rare reports whether the clause takes effect so rarely that it will not have often enough when the comparison ends.
func (x *comparison) rare() bool {
	return x.throws >= idleThrows && 2*x.fired*2*comparedThrows < firedTimes*x.throws
}

func (x *comparison) muchPlayed() bool { return x.throws >= comparedThrows && x.plays >= comparedPlays }

// complete is the game of some rules with all their clauses, nil where there is none.
func complete(b *dsl.Book, rules *model.Rules) *interpreter.Game {
	if rules == nil {
		return nil
	}
	return b.ForGame(rules, func() any {
		g, _ := interpreter.CompileSwitched(rules, func(*model.Clause) bool { return false })
		return g
	}).(*interpreter.Game)
}

// TestLines reports whether a test of the book's last file fails without some clause of it, and whether the file has nothing else that a test
// may notice. Of more than FewTests it asks only where the file has nothing else.
func (gs *Games) TestLines() (fails, only bool) {
	only = gs.book.AddsRules()
	if !only && len(gs.book.Scenarios()) > FewTests {
		return false, false
	}
	clauses := clausesOf(gs.book.Parts())
	for _, at := range clauses {
		with := gs.testsWithout(at)
		if with == failing {
			return true, only
		}
		only = only && with == passing
	}
	return false, only && len(clauses) > 0
}

// without says how the tests of a book do without a clause of it.
type without uint8

const (
	unknown without = iota // some of them cannot be run
	passing
	failing // one of them at least
)

// testsWithout says how the tests of the book do without the clause at a place.
func (gs *Games) testsWithout(at source.Span) (out without) {
	gs.testing.Lock()
	defer gs.testing.Unlock()
	if known, ok := gs.without[at]; ok {
		return known
	}
	defer func() { gs.without[at] = out }()
	out = passing
	for _, group := range gs.book.Groups() {
		rules, _ := group.Rules()
		if rules == nil {
			out = unknown
			continue
		}
		omitted := clauseAt(rules, at)
		if omitted == nil {
			continue
		}
		g, err := gs.Compile(rules)
		if err != nil || !omits(omitted) {
			out = unknown
			continue
		}
		g = g.Without(omitted)
		if slices.ContainsFunc(rules.Tests, func(t *model.Test) bool { return len(g.RunTest(t)) > 0 }) {
			return failing
		}
	}
	return out
}

// same plays the pair of one setting after the other until one differs, or it was enough. Where little took effect it gives up.
func (x *comparison) same(of func(i int) *pair, enough func() bool) bool {
	x.before += x.throws
	x.plays, x.throws, x.fired = 0, 0, 0
	pairs := make([]*pair, len(x.compared))
	for begun := false; x.ctx.Err() == nil && x.plays < mostPlays && x.throws < min(2*comparedThrows, mostThrows-x.before); begun = true {
		before := x.plays
		for i := range pairs {
			times := 1
			if !begun {
				pairs[i] = of(x.compared[i])
				if x.plays == 0 {
					times = firstPlays
				}
			}
			p := pairs[i]
			for range times {
				if p != nil && p.with != nil && p.without != nil && (!p.same(x) || p.clause >= 0 && x.rare()) {
					return false
				}
			}
		}
		if x.plays == before {
			return false
		}
		if enough() {
			return true
		}
	}
	return false
}

// same plays both games with the same luck and the same choices, and reports whether they stay alike. Without a clause that takes no
// effect in a play they do.
func (pair pair) same(x *comparison) bool {
	if len(pair.with.Rules().Vars) != len(pair.without.Rules().Vars) {
		return false
	}
	r, throws := interpreter.NewRandom(x.seed, uint64(x.plays)), min(comparedGame, shortGame<<min(x.plays, 10))
	var now *effects
	if pair.clause < 0 {
		now = &effects{}
		if !now.play(pair.with, pair.without, r, throws) {
			return false
		}
	} else {
		key := playKey{pair.setting, x.plays}
		if now = x.effects[key]; now == nil {
			now = &effects{}
			now.play(pair.with, nil, r, throws)
			x.effects[key] = now
		}
		if now.of(pair.clause) > 0 && !(&effects{}).play(pair.with, pair.without, r, throws) {
			return false
		}
	}
	x.plays++
	x.throws += now.throws
	x.fired += now.of(pair.clause)
	return true
}

// play plays a game, and beside it another one, if there is one, as long as they are alike, and reports whether they are to the end and
// have the same result.
func (f *effects) play(game, beside *interpreter.Game, r interpreter.Random, throws int) bool {
	p := game.Start(interpreter.ByTheRules)
	q := p
	if beside != nil {
		q = beside.Start(interpreter.ByTheRules)
	}
	for _, c := range p.Effects() { // before the first throw too
		f.Fired(c)
	}
	p.Watch(f)
	for nodes := 0; nodes < maxNodes*throws && p.Throws() < throws; nodes++ {
		if q != p && !p.Alike(q) {
			return false
		}
		if p.Kind() != interpreter.Throw && p.Kind() != interpreter.Choice {
			break
		}
		if p.Kind() == interpreter.Throw {
			s := r
			p.ThrowRandom(&r)
			if q != p {
				q.ThrowRandom(&s)
			}
			continue
		}
		n := p.OptionCount()
		if n != q.OptionCount() {
			return false
		}
		i := r.IntN(n)
		p.Choose(i)
		if q != p {
			q.Choose(i)
		}
	}
	f.throws = p.Throws()
	return q == p || reflect.DeepEqual(p.Result(), q.Result()) && reflect.DeepEqual(p.Figures(), q.Figures())
}
