package door

import (
	"context"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Limits of a comparison.
const (
	compareTime  = 5 * time.Second
	compareGames = 20_000
)

// until is a context that ends at a time. In a browser no timer fires while the engine computes, so it looks at the clock.
type until struct {
	context.Context
	end time.Time
}

// Err implements context.Context.
func (u until) Err() error {
	if time.Now().After(u.end) {
		return context.DeadlineExceeded
	}
	return nil
}

// measured is what people call what a difference is of, and its words where they say more.
func (w wording) measured(d *stats.Difference) (name, words string) {
	switch {
	case d.Group == stats.GroupWins && w.Lang != "": // in English it is the name, which people type
		return w.called(d.Name).text, d.Words
	case d.Group == stats.GroupCounts && d.Words != "":
		return d.Words, ""
	case d.Group == stats.GroupActs:
		for _, a := range w.Rules().Acts {
			if a.Name == d.Name {
				return w.Say("compare.act", "act", a.Any(w.Say("any.piece"), w.Say("any.player"))), ""
			}
		}
	}
	return d.Name, d.Words
}

// compare plays games by a rule book and by the one it changes, and says how they differ.
func compare(books Books, r *Request) *Answer {
	base, err := books.Base(r.pick())
	if err != nil {
		return r.refused(err)
	}
	b, err := game(books, r.pick(), r.Options, r.Players, interpreter.Compile)
	if err != nil {
		return r.refused(err)
	}
	a, err := game(books, base, known(books, base, r.Options), b.Players(), interpreter.Compile)
	if err != nil {
		return fault(FaultRefused, "%s", r.Say("fault.base", "book", base.Rules, "why", r.said(err)))
	}
	ctx := until{context.Background(), time.Now().Add(compareTime)}
	c, err := stats.Compare(ctx, a, b, stats.CompareOptions{Games: compareGames, Seed: 1, Threads: 1})
	if err != nil {
		return fault(FaultRules, "%s", r.said(err))
	}
	w := phrase.In(locale.Choose(r.Lang))
	lines := []string{w.Say("compare.games", "games", phrase.Thousands(float64(c.Games)), "n", b.Players()) + " " + w.Verdict(c)}
	if !c.Alike {
		for _, d := range phrase.Listed(c) {
			if !d.Main && (d.Verdict == stats.More || d.Verdict == stats.Less) {
				named := *d
				named.Name, named.Words = in(b).measured(d)
				lines = append(lines, phrase.Capital(w.Sentence(&named))+".")
			}
		}
	}
	return &Answer{Lines: lines}
}
