package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/interpreter/heat"
	"github.com/rulerun/rulerun/interpreter/stats"
)

type heatFlags struct {
	studyFlags
	of string
}

func (s *session) heatVerb() *cobra.Command {
	o := &heatFlags{}
	cmd := verb("heat", s.completeRuleset, mode{low: 1, high: 1, what: "a RULESET", run: func(cmd *cobra.Command, args []string) error {
		o.ruleset = args[0]
		return s.heat(cmd.Context(), o)
	}})
	stringFlag(cmd, &o.of, "of", heat.Waits, "`what` is counted: waits, landings or an act of the rules",
		completeWords("waits\twhere pieces stand", "landings\twhere pieces are set down"))
	o.bind(s, cmd, 1000)
	o.bindSeats(cmd)
	o.bindBeginning(cmd)
	return cmd
}

func (s *session) heat(ctx context.Context, o *heatFlags) error {
	if err := o.check(); err != nil {
		return err
	}
	o.seatPlayers()
	_, g, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return err
	}
	known := append([]string{heat.Waits, heat.Landings}, heat.Acts(g)...)
	if !slices.Contains(known, o.of) {
		return usagef("flag --of: there is nothing called %q to count", o.of).hintf("there are %s", door.Join(known)).nearest(o.of, known)
	}
	ho := heat.Options{Of: o.of, Options: stats.Options{To: o.games, Seed: o.seed, Threads: o.threads, Rotate: o.rotate, MaxThrows: o.maxThrows}}
	if err := o.seating(g, &ho.Options); err != nil {
		return err
	}
	p := s.progress("games", o.games, 0)
	ho.Progress = p.at
	m, err := heat.Run(ctx, g, ho)
	p.end()
	if err != nil {
		return err
	}
	subject := stats.SubjectOf(g, ho.Options)
	r := (&study.HeatMap{Game: g, Map: m, Subject: &subject}).Result()
	return cmp.Or(s.printStudy(r, &o.resultFlags), stoppedIf(m.Games < o.games, "%s", phrase.Plural(m.Games, "game")))
}
