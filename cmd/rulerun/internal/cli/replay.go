package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/fullscreen"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// replayOptions say how a recorded game is shown.
type replayOptions struct {
	ruleset    string
	step, draw bool
}

func (o *replayOptions) bind(s *session, cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.step, "step", false, "")
	f.BoolVar(&o.draw, "draw", false, "")
	f.Lookup("draw").Hidden = true
	stringFlag(cmd, &o.ruleset, "ruleset", "", "", s.completeRuleset)
	oldSpelling(cmd, "board", "draw")
}

func (s *session) readRecord(path, ruleset string) (*record.Record, *interpreter.Game, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, nil, told("usage.folder_record", "path", strconv.Quote(path))
	}
	f, err := files.Open(path, files.Max)
	if err != nil {
		return nil, nil, fileError(path, err)
	}
	defer f.Close()
	rec, err := record.Read(f, path)
	if err != nil {
		return nil, nil, err
	}
	g, err := s.recordedGame(path, rec, ruleset, &gameFlags{})
	if err != nil {
		return nil, nil, err
	}
	if print := record.Fingerprint(g); rec.Header.Print != "" && rec.Header.Print != print {
		fmt.Fprintln(s.err, s.say("replay.other_rules"))
	}
	if door.OtherSeed(g, rec) {
		fmt.Fprintln(s.err, s.say("replay.other_seed", "seed", rec.Header.Seed, "file", path))
	}
	if rec.Cut {
		fmt.Fprintln(s.err, s.say("replay.cut", "file", path))
	}
	return rec, g, nil
}

// recordedGame makes the game of a record, by the rules it names or others. flags say nothing but who reads along.
func (s *session) recordedGame(path string, rec *record.Record, ruleset string, flags *gameFlags) (*interpreter.Game, error) {
	h := &rec.Header
	for _, name := range append(slices.Clip(h.With), h.Rules) {
		if isPath(name) && filepath.Ext(name) != ".rules" {
			return nil, recordFault(path, "record.no_rule_file", "name", strconv.Quote(name))
		}
	}
	flags.players = h.Players
	flags.set = append(flags.set, seq.Map(h.Options, model.OptionValue.String)...)
	for _, w := range h.With {
		flags.with = append(flags.with, besideRecord(path, w))
		flags.trail.add(flags.with[len(flags.with)-1])
	}
	arg := cmp.Or(ruleset, besideRecord(path, h.Rules))
	if isPath(arg) {
		flags.trail.add(arg)
	}
	_, g, err := s.loadGame(arg, flags)
	return g, err
}

// besideRecord finds a rule file that a record names: as it was named, or else beside the record.
func besideRecord(path, arg string) string {
	if !isPath(arg) || filepath.IsAbs(arg) {
		return arg
	}
	for _, file := range []string{arg, filepath.Join(filepath.Dir(path), arg)} {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return arg
}

func (s *session) again(ctx context.Context, options *playOptions, file string) error {
	if options.web {
		return s.againInBrowser(ctx, options, file)
	}
	o, plain, why := &options.replay, options.plain, options.why
	rec, g, err := s.readRecord(file, o.ruleset)
	if err != nil {
		return err
	}
	if !plain && !o.step && !o.draw && s.wholeScreen() {
		misfit, err := fullscreen.Step(ctx, s.screen(), &fullscreen.Replay{Game: g, Record: rec, Open: door.Complete(g, rec), Explain: why})
		if err != nil || misfit == nil {
			return err
		}
		return s.misfit(misfit)
	}
	game, err := door.Again(g, rec, door.Complete(g, rec))
	if err != nil {
		return err
	}
	pos := game.Position()
	screen := s.lineScreen()
	if !o.step {
		screen.Size = nil // nothing is drawn anew
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	lines := readLines(ctx, s.in)
	shown := 0
	show := func() (goesOn bool) {
		news := game.Lines(game.Happened(shown), why)
		if shown = game.At(); len(news) == 0 {
			return true
		}
		screen.Show(game, news, nil, 1)
		if o.draw {
			fmt.Fprint(s.out, screen.Board(pos, nil, 0))
		}
		if !o.step {
			return true
		}
		fmt.Fprint(s.out, s.say("replay.go_on")+" ")
		select {
		case line, ok := <-lines:
			goesOn = ok && !strings.HasPrefix(strings.TrimSpace(line), "q")
		case <-ctx.Done():
		}
		if !goesOn {
			fmt.Fprintln(s.out)
		}
		return goesOn
	}
	for _, e := range rec.Live() {
		if ctx.Err() != nil || (e.Kind == record.Throw || e.Kind == record.Lot) && !show() {
			return nil
		}
		if err := game.Next(e); err != nil {
			screen.Say(game.Lines(append(game.Happened(shown), game.Failed()...), why)...)
			return s.misfit(err)
		}
		if (o.step || o.draw) && !show() {
			return nil
		}
	}
	if !show() {
		return nil
	}
	switch seat := pos.Turn(); {
	case pos.Kind() == interpreter.Over:
	case seat == interpreter.None:
		screen.Say(game.Say("replay.ends_before"))
	default:
		screen.Say(game.Say("replay.ends", "who", game.Called(g.SeatName(seat))))
	}
	screen.Say(game.Say("replay.by_the_rules", "n", game.At()))
	return nil
}

// misfit prints an event that does not fit the rules with the rules that have to do with it.
func (s *session) misfit(err error) error {
	m, ok := errors.AsType[*record.MisfitError](err)
	if !ok {
		return err
	}
	fmt.Fprintln(s.err, door.Said(s.lang, m))
	for _, line := range door.Grounds(m) {
		fmt.Fprintf(s.err, "  %s\n", line)
	}
	return errFailed
}
