package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// arena is the game of one setting.
type arena struct {
	*Games
	setting  int
	once     sync.Once
	game     *interpreter.Game
	err      error
	cut      bool // time was over before the survey was complete
	surveyed sync.Once
	numbers  []int // of its clauses, by their index
	notes    []interpreter.Note
	counters []*model.Var // numbers, of pieces apart, that endings ask for
	stuck    bool         // the rules handle a player who cannot move
	finishes bool         // a statement ranks or drops players, which a position does not show
	returns  []bool       // by colour: whether a piece can come back to where it began
	survey   survey
}

// Limits of a survey.
const (
	surveyGames   = 6
	surveyThrows  = 3000
	surveySamples = 24
)

// survey is a sample of a few games from the beginning. Odd positions are made from it.
type survey struct {
	samples []*interpreter.Setup
	rests   [][]int          // by colour: the places of its pieces at the beginning of turns, while its player plays, in the order of its track
	most    [][]int          // by colour and place: how many of its pieces were there at once, likewise
	seen    map[string][]any // by variable: observed values
}

// ready makes the game; false if the setting has none.
func (a *arena) ready(x *explorer) bool {
	a.once.Do(func() {
		if a.game, a.err = a.of(a.setting); a.game == nil {
			return
		}
		rules := a.rules(a.setting)
		a.notes = a.game.Notes()
		for c := range rules.Clauses() {
			if need := c.Index + 1 - len(a.numbers); need > 0 {
				a.numbers = append(a.numbers, make([]int, need)...)
			}
			a.numbers[c.Index] = x.number(c)
			a.findCounters(c)
			a.stuck = a.stuck || c.Kind == model.ClauseOn && c.Event == model.EventStuck
		}
		a.finishes = seq.Any(rules.Stmts(), func(s *model.Stmt) bool {
			return s.Kind == model.StmtFinish && (s.Ending == model.EndRank || s.Ending == model.EndDrop)
		})
		a.returns = seq.Of(len(rules.Colours), func(c int) bool { return comesBack(rules, c) })
	})
	return a.game != nil
}

// haveSurvey makes the survey of a game that is ready; false if time was over before.
func (a *arena) haveSurvey(x *explorer) bool {
	a.surveyed.Do(func() { a.cut = !a.explore(x, interpreter.NewRandom(x.o.Seed, ^uint64(slices.Index(x.arenas, a)))) })
	return !a.cut
}

// ends is the first place in the last file that ends the game, otherwise the header.
func (a *arena) ends(header source.Span) source.Span {
	rules := a.game.Rules()
	for c := range rules.Clauses() {
		if c.Kind == model.ClauseEnding && c.Span.File == header.File {
			return c.Span
		}
	}
	for s := range rules.Stmts() {
		if s.Kind == model.StmtFinish && s.Span.File == header.File {
			return s.Span
		}
	}
	return header
}

// endsAtOnce plays a few games in the form that counts turns, and reports whether each is over in its first. Elsewhere only turns that begin at
// the first throw or move are counted: what is thrown as a turn begins comes before.
func (a *arena) endsAtOnce(seed uint64) bool {
	g, err := a.game.Counted()
	if err != nil {
		return false
	}
	const games = 4
	for k := range games {
		p, r := g.Start(interpreter.ByTheRules), interpreter.NewRandom(seed, uint64(k))
		for nodes := 0; p.Kind() != interpreter.Over; nodes++ {
			if p.TurnsBegun() > 1 || p.Kind() == interpreter.Broken || nodes > maxNodes*maxBrief {
				return false
			}
			goOn(p, &r)
		}
		if p.TurnsBegun() > 1 {
			return false
		}
	}
	return true
}

// goOn throws or chooses at random.
func goOn(p *interpreter.Position, r *interpreter.Random) {
	if p.Kind() == interpreter.Throw {
		p.ThrowRandom(r)
	} else {
		p.ChooseRandom(r)
	}
}

// wanted lists the places that endings ask for and where no piece has stood.
func (a *arena) wanted(stood []bool) []*model.Expr {
	var out []*model.Expr
	for c := range a.game.Rules().Clauses() {
		for e := range c.When.All() {
			if c.Kind == model.ClauseEnding && e.Op == model.OpConst && e.Type == model.Of(model.Place) && e.Int >= 0 && !stood[e.Int] {
				out = append(out, e)
			}
		}
	}
	return out
}

// assigned is the variable of the assignment that a place is in, or nil.
func (a *arena) assigned(at source.Span) *model.Var {
	var out *model.Var
	for s := range a.game.Rules().Stmts() {
		if s.Kind == model.StmtAssign && s.Span.File == at.File && s.Span.Start <= at.Start && at.End <= s.Span.End {
			out = s.Target.Var
		}
	}
	return out
}

// earns lists the statements that earn a number for the turn.
func (a *arena) earns() []source.Span {
	earn := seq.Filter(slices.Collect(a.game.Rules().Stmts()), func(s *model.Stmt) bool { return s.Kind == model.StmtEarn && !s.Later() })
	return seq.Map(earn, func(s *model.Stmt) source.Span { return s.Span })
}

// findCounters adds the numbers that an ending asks for.
func (a *arena) findCounters(c *model.Clause) {
	if c.Kind != model.ClauseEnding || c.When == nil {
		return
	}
	c.When.Has(func(e *model.Expr) bool {
		if v := e.Var; v != nil && v.Type == model.Of(model.Number) && v.Scope != model.ScopePiece && !slices.Contains(a.counters, v) {
			a.counters = append(a.counters, v)
		}
		return false
	})
}

// comesBack reports whether a piece of a colour may come to the place where its pieces begin: unless every place that statements and
// moves set a piece down on is another one, and its track does not lead there.
func comesBack(rules *model.Rules, colour int) bool {
	home := rules.PiecesAt[colour]
	to := func(place *model.Expr) bool {
		switch place.Op {
		case model.OpConst:
			return place.Int == home
		case model.OpMark:
			return slices.Contains(rules.Board.Landmarks[place.Int].Values, home)
		}
		return true
	}
	return seq.Any(rules.Stmts(), func(s *model.Stmt) bool {
		return s.Kind == model.StmtExchange || s.Kind == model.StmtPut && to(s.Other)
	}) ||
		slices.ContainsFunc(rules.Moves, func(m *model.Move) bool { return m.Kind == model.MoveTo && to(m.Where) }) ||
		slices.Contains(rules.Track.Runs[rules.Colours[colour].Board].Places(), home)
}

// explore plays the games of the survey; it returns false if time is over.
func (a *arena) explore(x *explorer, r interpreter.Random) bool {
	g := a.game
	rules := g.Rules()
	rests := seq.Map(rules.Colours, func(model.ColourInUse) map[int]bool { return map[int]bool{} })
	most := seq.Map(rules.Colours, func(model.ColourInUse) []int { return make([]int, len(rules.Board.Places)) })
	a.survey.most, a.survey.seen = most, map[string][]any{}
	p := g.Start(interpreter.ByTheRules)
	var places []int
	turns, games := 0, surveyGames
	if x.o.Enough {
		games = 2
	}
	for range games {
		p.Restart(interpreter.ByTheRules)
		for choices := 0; choices < interpreter.MaxChoices && p.Throws() < surveyThrows && p.Kind() != interpreter.Over && p.Kind() != interpreter.Broken; {
			if x.stop.Load() {
				return false
			}
			if p.TurnBegins() {
				places = p.Places(places[:0])
				for piece, at := range places {
					colour := p.ColourOf(piece)
					if !p.Playing(a.game.SeatOf(colour)) {
						continue
					}
					if at != rules.PiecesAt[colour] || a.returns[colour] {
						rests[colour][at] = true
					}
					together := len(seq.Which(len(places), func(other int) bool { return places[other] == at && p.ColourOf(other) == colour }))
					most[colour][at] = max(most[colour][at], together)
				}
				turns++
				switch i := r.IntN(turns); {
				case len(a.survey.samples) < surveySamples:
					a.survey.samples = append(a.survey.samples, p.Setup())
				case i < surveySamples:
					a.survey.samples[i] = p.Setup()
				}
			}
			if choices++; p.Kind() == interpreter.Throw {
				choices = 0
			}
			goOn(p, &r)
		}
	}
	a.survey.rests = seq.Of(len(rests), func(c int) []int { return a.inOrder(c, rests[c]) })
	for _, s := range a.survey.samples {
		for _, v := range rules.Vars {
			a.note(v, s.Vars[v.Name])
		}
	}
	return true
}

// inOrder sorts places of a colour: zones off its track first, then in track order.
func (a *arena) inOrder(colour int, places map[int]bool) []int {
	rules := a.game.Rules()
	track := rules.Track.Runs[rules.Colours[colour].Board].Places()
	out := seq.Filter(seq.Distinct(track), func(at int) bool { return places[at] })
	for at := range rules.Board.Places {
		if places[at] && !slices.Contains(out, at) {
			out = slices.Insert(out, 0, at)
		}
	}
	return out
}

// maxSeen limits the values kept for a variable.
const maxSeen = 32

// note records a value of a variable, or the values for its owners.
func (a *arena) note(v *model.Var, value any) {
	if value == nil {
		return
	}
	values := []any{value}
	if owned, ok := value.(map[string]any); ok {
		values = seq.Map(slices.Sorted(maps.Keys(owned)), func(k string) any { return owned[k] })
	}
	for _, x := range values {
		known := slices.ContainsFunc(a.survey.seen[v.Name], func(y any) bool { return fmt.Sprint(x) == fmt.Sprint(y) })
		if !known && len(a.survey.seen[v.Name]) < maxSeen {
			a.survey.seen[v.Name] = append(a.survey.seen[v.Name], x)
		}
	}
}

// words describes the setting.
func (a *arena) words() string {
	parts := []string{diag.Plural(a.game.Players(), "player")}
	for _, o := range a.game.Rules().Options {
		if !o.Default {
			parts = append(parts, o.Name+" = "+o.Value)
		}
	}
	return strings.Join(parts, ", ")
}
