package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/interpreter/review"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// analyseOptions say how a recorded game is analysed.
type analyseOptions struct {
	playouts int
	resultFlags
}

func (o *analyseOptions) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Bool("analyse", false, "")
	f.IntVar(&o.playouts, "playouts", usualPlayouts, "")
	f.Lookup("playouts").Hidden = true
	o.resultFlags.bind(cmd)
	for _, name := range []string{"format", "svg", "png", "dark"} { // the help has little room; "help records" names them
		f.Lookup(name).Hidden = true
	}
}

// usualPlayouts is the number of games by chance from a position.
const usualPlayouts = 200

// mostPlayouts is the largest number of games by chance from a position.
const mostPlayouts = 100_000

// useTable gives a game the table in a folder; "" is none.
func useTable(g *interpreter.Game, folder string) error {
	if folder == "" {
		return nil
	}
	t, err := solve.Open(g, folderStore(folder))
	if err != nil {
		if why, ok := errors.AsType[*catalogue.Sentence](err); ok {
			return told("usage.table", "fault", *why)
		}
		return told("usage.table", "fault", err)
	}
	t.Use(g)
	return nil
}

// analyse values the positions of a recorded game.
func (s *session) analyse(ctx context.Context, o *playOptions, file string) error {
	a := &o.analyse
	if err := cmp.Or(a.check(), numberIn("playouts", a.playouts, 1, mostPlayouts)); err != nil {
		return err
	}
	rec, g, err := s.readRecord(file, o.replay.ruleset)
	if err != nil {
		return err
	}
	if err := useTable(g, o.table); err != nil {
		return err
	}
	judge, err := review.NewJudge(g, a.playouts, 1)
	if err != nil {
		return err
	}
	p, err := rec.Begin(g)
	if err != nil {
		return err
	}
	walk, err := review.NewWalk(judge, p)
	if err != nil {
		return err
	}
	r := &study.Review{Locale: locale.For(s.lang), Game: g, Called: door.SeatTexts(g), Judge: judge, Start: append([]float64{}, walk.Shares()...)}
	again, events := rec.Replay(p), rec.Live()
	shown := s.progress(s.say("analyse.events"), len(events), 0)
	for i, e := range events {
		if ctx.Err() != nil {
			break
		}
		shown.at(i)
		var options, saidOptions []string
		if p.Kind() == interpreter.Choice {
			options, saidOptions = record.Words(p), door.OptionTexts(p)
		}
		said := door.EventText(p, e)
		step, ok, err := walk.Next(func() error { return again.Next(e) })
		if err != nil {
			shown.end()
			return s.misfit(err)
		}
		if !ok {
			continue
		}
		x := study.Reviewed{Step: step, Words: e.String(), Said: said}
		if !step.Throw {
			x.Best, x.SaidBest = options[step.Best], saidOptions[step.Best]
		}
		r.Steps = append(r.Steps, x)
	}
	shown.end()
	r.Whole = review.Decided(p)
	err = s.printStudy(r.Result(g.Rules().Title+", "+filepath.Base(file)), &a.resultFlags)
	if err == nil && ctx.Err() != nil {
		return errors.New(s.say("analyse.stopped"))
	}
	return err
}
