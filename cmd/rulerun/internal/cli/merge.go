package cli

import (
	"errors"
	"fmt"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// merge joins the files of the parts of a run.
func (s *session) merge(paths []string, o *simFlags) error {
	if err := errors.Join(o.formFlags.check(), o.pictureFlags.check()); err != nil {
		return err
	}
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
	if refused, ok := errors.AsType[*stats.JoinError](err); ok && refused.Part >= 0 {
		return fmt.Errorf("%s and %s cannot be joined: %w", paths[refused.Other], paths[refused.Part], err)
	}
	if err != nil {
		return err
	}
	if o.out != "" {
		if err := s.writeTally(o.out, t); err != nil {
			return err
		}
	}
	return s.printStudy(study.Sim(t, study.Timing{}, o.again), &o.formFlags, &o.pictureFlags)
}
