package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

type fmtOptions struct {
	paths       []string
	check, diff bool
}

func (s *session) fmtVerb() *cobra.Command {
	o := &fmtOptions{}
	cmd := &cobra.Command{
		Use:   "fmt FILE|DIR…|-",
		Short: "Write rule files the usual way",
		Long: `fmt rewrites rule files with the usual spacing and alignment and prints the names of
those it changed. What a file says stays the same; a file with syntax errors is left
alone. "-" reads the standard input and writes the standard output.`,
		Example: s.examples("fmt house.rules", "fmt --check rules/", "fmt --diff house.rules"),
		Args:    arguments(1, -1, "a FILE or folder, or - for the standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.paths = args
			return s.fmt(o)
		},
		ValidArgsFunction: completeRules,
	}
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; fail if a file would change")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "write nothing; print what would change")
	return cmd
}

func (s *session) fmt(o *fmtOptions) error {
	if len(o.paths) == 1 && o.paths[0] == "-" {
		text, err := readAll(s.in, "standard input")
		if err != nil {
			return err
		}
		formatted, faults := dsl.Format(source.New("<stdin>", text))
		if err := s.report(faults); err != nil {
			return err
		}
		if !o.check && !o.diff {
			_, err = io.WriteString(s.out, formatted)
			return err
		}
		return s.changed(o, "<stdin>", text, formatted)
	}
	paths, err := collect(o.paths, ".rules")
	if err != nil {
		return err
	}
	failed := false
	for _, path := range paths {
		text, err := readText(path)
		if err != nil {
			return err
		}
		formatted, faults := dsl.Format(source.New(path, text))
		if faults.HasErrors() {
			if err := diag.Write(s.err, faults, diag.Style{Color: s.color(s.err)}); err != nil {
				return err
			}
			failed = true
			continue
		}
		switch {
		case formatted == text:
		case o.check || o.diff:
			if err := s.changed(o, path, text, formatted); err != nil {
				failed = true
			}
		default:
			write := func(w io.Writer) error {
				_, err := io.WriteString(w, formatted)
				return err
			}
			if err := writeFile(path, write); err != nil {
				return err
			}
			fmt.Fprintln(s.out, path)
		}
	}
	if failed {
		return errFailed
	}
	return nil
}

// changed shows that a file would change. It is a failure where that was the question.
func (s *session) changed(o *fmtOptions, path, text, formatted string) error {
	if text == formatted {
		return nil
	}
	if o.diff {
		fmt.Fprint(s.out, unified(path, text, formatted))
	} else {
		fmt.Fprintln(s.out, path)
	}
	if o.check {
		return errFailed
	}
	return nil
}
