package cli

import (
	"io"
	"maps"
	"slices"

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
	"sweep":    func() string { return report.SweepSchema },
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
		Long: `schema prints the JSON Schema (draft 2020-12) of a format: "board" is that of board files,
"output" that of what check, fmt, test and clauses print with --format json, "coverage"
and "mutation" those of what test writes with --cover-json and --mutate-json, "sim", "compare",
"sweep", "ladder", "skill", "heat" and "solve" those of what these verbs print with --json,
"tally" that of a part of a run that sim writes with --out, "policy" that of a line of what
solve writes with --policy, "position" that of a position, as play, perft and others read it. An editor with a YAML language server completes and checks a board that
begins with "# yaml-language-server: $schema=PATH", where PATH leads to the schema.`,
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
