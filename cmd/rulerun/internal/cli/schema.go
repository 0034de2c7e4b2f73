package cli

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
)

func (s *session) schemaVerb() *cobra.Command {
	known := slices.Sorted(slices.Values(append(report.Schemas(), "board")))
	return &cobra.Command{
		Use: "schema NAME",
		Long: `schema prints the JSON Schema (draft 2020-12) of a format: of board files, of
what check, fmt and test print with --format json (output), of what studies
print (sim, compare, sweep, ladder, skill, heat, solve), of files that test
(coverage, mutation), sim (tally) and solve (policy) write, of positions.
The names are
` + strings.TrimSpace(wrap(known, helpWidth, "")) + ".",
		Example: s.examples("schema board > board.schema.json"),
		Args:    arguments(1, 1, "the NAME of a format"),
		RunE: func(_ *cobra.Command, args []string) error {
			text := report.Schema(args[0])
			switch {
			case args[0] == "board":
				text = boards.Schema()
			case text == "":
				return usagef("there is no schema %q", args[0]).nearest(args[0], known)
			}
			_, err := io.WriteString(s.out, text)
			return err
		},
		ValidArgsFunction: completeWords(known...),
	}
}
