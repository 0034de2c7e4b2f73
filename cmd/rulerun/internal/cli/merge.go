package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/interpreter/stats"
)

func (s *session) mergeVerb() *cobra.Command {
	var form formFlags
	var pictures pictureFlags
	var out string
	cmd := &cobra.Command{
		Use:   "merge PART…",
		Short: "Join what sim has counted in parts",
		Long: `merge reads the files that sim --shard I/N --out has written, in any order, and joins
them into what one run of all games would have given: it prints the same, and --out writes
the same file, byte for byte. Only the time it took is left out. Parts that are missing,
there twice, or of another run are refused with the reason.`,
		Example: s.examples("merge part1.json part2.json part3.json", "merge part*.json --json", "merge part*.json --out whole.json"),
		Args:    arguments(1, -1, "the files of the PARTs"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := errors.Join(form.check(), pictures.check()); err != nil {
				return err
			}
			pictures.again = again(cmd, args)
			return s.merge(args, out, &form, &pictures)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "write the whole to a `file`, as sim --out does")
	form.bind(cmd)
	pictures.bind(s, cmd)
	return cmd
}

func (s *session) merge(paths []string, out string, form *formFlags, pictures *pictureFlags) error {
	parts := make([]*stats.Tally, len(paths))
	for i, path := range paths {
		text, err := readText(path)
		if err != nil {
			return err
		}
		if parts[i], err = stats.Read([]byte(text)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	t, err := stats.Join(parts...)
	var refused *stats.JoinError
	if errors.As(err, &refused) && refused.Part >= 0 {
		return fmt.Errorf("%s and %s cannot be joined: %w", paths[refused.Other], paths[refused.Part], err)
	}
	if err != nil {
		return err
	}
	if out != "" {
		if err := s.writeTally(out, t); err != nil {
			return err
		}
	}
	return s.printStudy(study.Sim(t, study.Timing{}, pictures.again), form, pictures)
}
