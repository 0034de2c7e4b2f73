package cli

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
)

// schemas are the JSON Schemas of what the command reads and prints, by name.
var schemas = map[string]func() string{
	"board":    boards.Schema,
	"coverage": func() string { return report.CoverageSchema },
	"mutation": func() string { return report.MutationSchema },
	"output":   func() string { return report.Schema },
	"diff":     func() string { return report.DiffSchema },
	"sim":      func() string { return report.SimSchema },
	"compare":  func() string { return report.CompareSchema },
	"each":     func() string { return report.EachSchema },
	"sweep":    func() string { return report.SweepSchema },
	"review":   func() string { return report.ReviewSchema },
	"ladder":   func() string { return report.LadderSchema },
	"skill":    func() string { return report.SkillSchema },
	"heat":     func() string { return report.HeatSchema },
	"solve":    func() string { return report.SolveSchema },
	"policy":   func() string { return report.PolicySchema },
	"position": func() string { return report.PositionSchema },
	"tally":    func() string { return report.TallySchema },
}

func (s *session) schemaVerb() *cobra.Command {
	known := slices.Sorted(maps.Keys(schemas))
	return &cobra.Command{
		Use:   "schema NAME",
		Short: "Print the JSON Schema of a format",
		Long: `schema prints the JSON Schema (draft 2020-12) of a format: of board files, of
what check, fmt and test print with --format json (output), of what studies
print (sim, compare, sweep, ladder, skill, heat, solve), of files that test
(coverage, mutation), sim (tally) and solve (policy) write, of positions.
The names are
` + strings.TrimSpace(wrap(known, helpWidth, "")) + ".",
		Example: s.examples("schema board > board.schema.json"),
		Args:    arguments(1, 1, "the NAME of a format"),
		RunE: func(_ *cobra.Command, args []string) error {
			text, ok := schemas[args[0]]
			if !ok {
				return usagef("there is no schema %q", args[0]).nearest(args[0], known)
			}
			_, err := io.WriteString(s.out, text())
			return err
		},
		ValidArgsFunction: completeWords(known...),
	}
}
