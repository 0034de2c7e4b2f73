package explore

import (
	"slices"
	"sync"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// Games are the games of a checked book, one for each of its settings, compiled on first use. All that is found out by playing about one
// book should be found out with the same Games. They are safe for several goroutines.
type Games struct {
	book     *dsl.Book
	settings []dsl.Setting
	games    []game // of the settings

	testing sync.Mutex
	without map[source.Span]without // how the tests do without a clause
}

// game is the game of one setting.
type game struct {
	tests             *dsl.Group // that have it, nil if there are none
	ruling, compiling sync.Once

	rules *model.Rules      // with these tests
	game  *interpreter.Game // nil if the setting has no rules, or too large ones
	err   error             // of the latter
}

// Of makes the games of a book.
func Of(b *dsl.Book) *Games {
	settings := b.Settings()
	gs := &Games{book: b, settings: settings, games: make([]game, len(settings)), without: map[source.Span]without{}}
	for i, s := range settings {
		gs.games[i].tests = b.GroupOf(s)
	}
	return gs
}

// usual is the setting that is played first: the usual number of players with all defaults, unless only others have tests, which are
// compiled for these too.
func (gs *Games) usual() int { return gs.played(false) }

// played is the usual setting or, unless whatever is set, that of tests if these are of others.
func (gs *Games) played(whatever bool) int {
	usual := 0
	if numbers := gs.book.PlayerNumbers(nil); len(numbers) > 0 { // none where a declaration is missing
		usual = max(0, slices.IndexFunc(gs.settings, func(s dsl.Setting) bool { return s.Players == numbers[0] }))
	}
	tested := seq.Which(len(gs.games), func(i int) bool { return gs.games[i].tests != nil })
	if !whatever && len(tested) > 0 && !slices.Contains(tested, usual) {
		return tested[0]
	}
	return usual
}

// rules are the rules of setting i, nil where there are none.
func (gs *Games) rules(i int) *model.Rules {
	g := &gs.games[i]
	g.ruling.Do(func() {
		if g.tests != nil {
			g.rules, _ = g.tests.Rules()
		}
		if g.rules == nil { // perhaps a test has a fault
			g.rules, _ = gs.book.Rules(gs.settings[i])
		}
	})
	return g.rules
}

// Compile makes the game of the rules of tests of the book, or returns the game of this setting that there is. It can be played without any
// clause of the book's last file that could be missed, and records coverage.
func (gs *Games) Compile(rules *model.Rules) (*interpreter.Game, error) {
	for i := range gs.games {
		if tests := gs.games[i].tests; tests != nil {
			if of, _ := tests.Rules(); of == rules {
				return gs.of(i)
			}
		}
	}
	return gs.compile(rules)
}

// compile is Compile for rules that have no game yet.
func (gs *Games) compile(rules *model.Rules) (*interpreter.Game, error) {
	return interpreter.CompileSwitched(rules, func(c *model.Clause) bool { return c.Span.File == gs.book.File() && omits(c) })
}

// of is the game of setting i, see Compile.
func (gs *Games) of(i int) (*interpreter.Game, error) {
	g, rules := &gs.games[i], gs.rules(i)
	g.compiling.Do(func() {
		if rules != nil {
			g.game, g.err = gs.compile(rules)
		}
	})
	return g.game, g.err
}

// clauseAt is the clause of some rules at a place, nil if there is none.
func clauseAt(rules *model.Rules, at source.Span) *model.Clause {
	if rules == nil {
		return nil
	}
	for _, r := range rules.Rules {
		if k := slices.IndexFunc(r.Clauses, func(c *model.Clause) bool { return c.Span == at }); k >= 0 {
			return r.Clauses[k]
		}
	}
	return nil
}

// clausesOf lists the places of the clauses among some parts.
func clausesOf(groups []model.PartGroup) []source.Span {
	parts := seq.Flat(groups, func(g model.PartGroup) []model.Part { return g.Parts })
	clauses := seq.Filter(parts, func(p model.Part) bool { return p.Kind.Clause() })
	return seq.Map(clauses, func(p model.Part) source.Span { return p.Span })
}

// omits reports whether a game without a clause may differ. An always is checked and not played; a walk that is barred beyond its track is
// so where nothing is said too, and may be said all the same.
func omits(c *model.Clause) bool {
	return (tells(c) || lets(c)) && !(c.Kind == model.ClauseBeyond && c.First == model.VerdictBar)
}

// lets reports whether a clause only lets a walk go on, where a later one may say otherwise.
func lets(c *model.Clause) bool { return c.Kind != model.ClauseAlways && !tells(c) }
