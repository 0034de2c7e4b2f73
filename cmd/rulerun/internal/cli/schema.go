package cli

import (
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
)

func schemaNames() []string { return slices.Sorted(slices.Values(append(report.Schemas(), "board"))) }

func (s *session) schemaVerb() *cobra.Command {
	known := schemaNames()
	return verb("schema", completeWords(known...), mode{low: 1, high: 1, what: "the NAME of a format", run: func(_ *cobra.Command, args []string) error {
		text := report.Schema(args[0])
		switch {
		case args[0] == "board":
			text = boards.Schema()
		case text == "":
			return usagef("there is no schema %q", args[0]).nearest(args[0], known)
		}
		_, err := io.WriteString(s.out, text)
		return err
	}})
}
