package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/interpreter"
)

type programOptions struct {
	gameFlags
	stage, form, rule string
}

var programForms = map[string]interpreter.Form{"sets": interpreter.FormSets, "plain": interpreter.FormPlain}

func (s *session) programVerb() *cobra.Command {
	o := &programOptions{}
	stages := interpreter.Stages()
	cmd := verb("program", s.completeRuleset, mode{low: 1, high: 1, what: "a RULESET", run: func(cmd *cobra.Command, args []string) error {
		form, ok := programForms[o.form]
		if !ok {
			return usagef("flag --form: got %q, want sets or plain", o.form)
		}
		if !slices.Contains(stages, o.stage) {
			return usagef("flag --stage: got %q, want one of %s", o.stage, strings.Join(stages, ", ")).nearest(o.stage, stages)
		}
		_, g, err := s.loadGame(args[0], &o.gameFlags)
		if err != nil {
			return err
		}
		if err := g.WriteProgram(s.out, form, o.stage, o.rule); err != nil {
			return usagef("%s: %v", args[0], err)
		}
		return nil
	}})
	f := cmd.Flags()
	f.StringVar(&o.stage, "stage", stages[len(stages)-1], "the `STAGE` after which the program is printed")
	f.StringVar(&o.form, "form", "sets", "the `FORM`: sets or plain")
	f.StringVar(&o.rule, "rule", "", "only what comes from the rule with this `NAME`")
	o.bind(s, cmd)
	return cmd
}
