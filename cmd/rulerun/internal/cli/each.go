package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// eachGames is how many games a variant is compared by at most, where the command line does not say.
const eachGames = 2000

// variant is a rule book with one thing changed, and what makes its game.
type variant struct {
	study.Variant
	game func() (*interpreter.Game, error)
}

// each compares a rule book with itself without each of its rules and house rules, and with each of its options turned.
func (s *session) each(ctx context.Context, o *compareFlags) error {
	if err := o.check(); err != nil {
		return err
	}
	o.seatPlayers()
	co, err := o.compareOptions()
	if err != nil {
		return err
	}
	l, g, err := s.loadGame(o.args[0], &o.gameFlags)
	if err != nil {
		return err
	}
	if co.Seats[0], co.Players[0], co.Deal[0], err = o.choosers(g); err != nil {
		return err
	}
	co.Seats[1], co.Players[1], co.Deal[1] = co.Seats[0], co.Players[0], co.Deal[0]
	variants, err := s.variants(l, o)
	if err != nil {
		return err
	}
	if co.Among = len(variants); co.Among == 0 {
		return usagef("%s has no rule or option to turn or to leave out", l.Name()).hintf("name a rule book, or a house rule")
	}
	co.Kept = &stats.Kept{}
	ctx, stop := within(ctx, o.time)
	defer stop()
	e := &study.Each{Base: stats.SubjectOf(g, co.Of(0)), Of: len(variants)}
	p := s.progress("games of each at most", o.games*len(variants), o.time)
	for i, v := range variants {
		co.Progress = func(done int) { p.at(i*o.games + done) }
		game, err := v.game()
		if err == nil && game.Players() != g.Players() {
			err = fmt.Errorf("%s play it", diag.Plural(game.Players(), "player"))
		}
		if err == nil {
			err = ends(ctx, game, co.Of(1))
		}
		if err == nil {
			v.Comparison, err = stats.Compare(ctx, g, game, co)
		}
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			v.Comparison, v.Fault = nil, reason(err)
		}
		e.Variants = append(e.Variants, v.Variant)
	}
	p.end()
	return cmp.Or(s.printStudy(e.Result(), &o.resultFlags),
		stoppedIf(len(e.Variants) < e.Of, "%d of %s", len(e.Variants), diag.Plural(e.Of, "variant")))
}

// ends is the error of a game that seldom ends: it would take hours, and its figures would be those of the limit of throws.
func ends(ctx context.Context, g *interpreter.Game, o stats.Options) error {
	o.To = 10
	t, err := stats.Run(ctx, g, o)
	if err == nil && 2*t.Unfinished > t.Games() {
		err = fmt.Errorf("%d of %d games reach the limit of throws", t.Unfinished, t.Games())
	}
	return err
}

// reason is the first line of an error, or the first fault of rules.
func reason(err error) string {
	if faults, ok := errors.AsType[diag.List](err); ok && faults.HasErrors() {
		return seq.First(faults, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }).Message
	}
	text, _, _ := strings.Cut(err.Error(), "\n")
	return text
}

// variants lists what can be turned or left out: options, house rules of the command line and, without these, the rules of the file.
func (s *session) variants(l *dsl.Book, o *compareFlags) ([]variant, error) {
	fixed, err := o.options()
	if err != nil {
		return nil, err
	}
	var out []variant
	for _, x := range l.Options() {
		if _, set := fixed[x.Name]; set {
			continue
		}
		for _, value := range others(&x) {
			setting := x.Name + "=" + value
			flags := gameFlags{set: append(slices.Clone(o.set), setting), players: o.players}
			out = append(out, variant{study.Variant{Kind: "option", What: setting}, func() (*interpreter.Game, error) { return s.game(l, &flags) }})
		}
	}
	for i, w := range o.with {
		flags := o.gameFlags
		flags.with = slices.Delete(slices.Clone(o.with), i, i+1)
		out = append(out, variant{study.Variant{Kind: "change", What: "without: " + w}, func() (*interpreter.Game, error) {
			_, g, err := s.loadGame(o.args[0], &flags)
			return g, err
		}})
	}
	if len(o.with) > 0 {
		return out, nil
	}
	for _, m := range dsl.Mutants(l.File()) {
		if m.Kind != dsl.LeftOut {
			continue
		}
		out = append(out, variant{study.Variant{Kind: "rule", What: "without: " + lineOf(m)}, func() (*interpreter.Game, error) {
			book, faults := l.Variant(m)
			if book == nil {
				return nil, faults
			}
			return s.game(book, &o.gameFlags)
		}})
	}
	return out, nil
}

// lineOf names what a mutant leaves out: a rule by its name, a line of a house rule by its beginning.
func lineOf(m dsl.Mutant) string {
	if strings.HasPrefix(m.In, "rule ") {
		return m.In
	}
	text, _, _ := strings.Cut(m.Span.Text(), "\n")
	text, _, _ = strings.Cut(strings.Join(strings.Fields(text), " "), " [")
	const most = 40
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most-1]) + "…"
	}
	return text
}

// others are the values of an option that are tried: all that are listed; of a range the ends and the neighbours of the usual one.
func others(o *model.Option) (values []string) {
	values = slices.Clone(o.Values)
	if usual, err := strconv.Atoi(o.Default); err == nil && o.Bounded() {
		for _, n := range []int{o.Low, usual - 1, usual + 1, o.High} {
			if text := strconv.Itoa(n); n >= o.Low && n <= o.High && !slices.Contains(values, text) {
				values = append(values, text)
			}
		}
	}
	return slices.DeleteFunc(values, func(v string) bool { return v == o.Default })
}
