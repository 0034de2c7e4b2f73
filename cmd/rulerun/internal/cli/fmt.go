package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

type fmtOptions struct {
	paths       []string
	check, diff bool
	out         outputFlags
}

func (s *session) fmtVerb() *cobra.Command {
	o := &fmtOptions{}
	cmd := &cobra.Command{
		Use:  "fmt",
		Args: arguments(1, -1, "a FILE or folder, or - for the standard input"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.paths = args
			run, format, err := o.out.run()
			switch {
			case err != nil:
				return err
			case format == report.Text:
				return s.fmt(o)
			case !o.check || o.diff:
				return usagef("flag --format goes with --check alone")
			}
			if err := s.findUnformatted(run, o.paths); err != nil {
				return err
			}
			return s.print(format, run)
		},
		ValidArgsFunction: s.completeRules,
	}
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; fail if a file would change")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "write nothing; print what would change")
	o.out.bind(s, cmd)
	return cmd
}

func (s *session) fmt(o *fmtOptions) error {
	if len(o.paths) == 1 && o.paths[0] == "-" {
		file, err := readStdin(s.in)
		if err != nil {
			return err
		}
		formatted, faults := dsl.Format(file)
		if err := s.report(faults); err != nil {
			return err
		}
		if !o.check && !o.diff {
			_, err = io.WriteString(s.out, formatted)
			return err
		}
		return s.changed(o, file.Name(), file.Text(), formatted)
	}
	paths, err := collect(o.paths, ".rules")
	if err != nil {
		return err
	}
	failed := false
	for _, path := range paths {
		file, err := readSource(path, dsl.MaxRules)
		if err != nil {
			return err
		}
		text := file.Text()
		formatted, faults := dsl.Format(file)
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
			if err := save(path, []byte(formatted)); err != nil {
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
		// The library's first line, "diff OLD NEW", says nothing that the next two do not.
		_, hunks, _ := strings.Cut(string(diff.Diff(path, []byte(text), path+" (formatted)", []byte(formatted))), "\n")
		fmt.Fprint(s.out, hunks)
	} else {
		fmt.Fprintln(s.out, path)
	}
	if o.check {
		return errFailed
	}
	return nil
}

// findUnformatted adds to a run the files that would change, or cannot be read.
func (s *session) findUnformatted(run *report.Run, args []string) error {
	add := func(file *source.File) {
		run.Files = append(run.Files, file.Name())
		formatted, faults := dsl.Format(file)
		run.Findings = append(run.Findings, faults...)
		if !faults.HasErrors() && formatted != file.Text() {
			run.Findings.Add(unformatted(file, formatted))
		}
	}
	if len(args) == 1 && args[0] == "-" {
		file, err := readStdin(s.in)
		if err != nil {
			return err
		}
		add(file)
		return nil
	}
	paths, err := collect(args, ".rules")
	if err != nil {
		return err
	}
	for _, path := range paths {
		file, err := readSource(path, dsl.MaxRules)
		if err != nil {
			return err
		}
		add(file)
	}
	return nil
}

// unformatted is the finding that a file is not written the usual way, at the first line that would change, with the
// remedy that writes the whole file anew.
func unformatted(file *source.File, formatted string) diag.Diagnostic {
	was, now := strings.SplitAfter(file.Text(), "\n"), strings.SplitAfter(formatted, "\n")
	line := 0
	for line < len(was)-1 && line < len(now) && was[line] == now[line] {
		line++
	}
	from := file.LineStart(line + 1)
	d := diag.Diagnostic{
		Code: "not-formatted", Span: file.Span(from, from+len(file.Line(line+1))), Message: "this is not written the usual way",
	}
	d.WithHint("run: rulerun fmt %s", file.Name())
	return *d.WithFix(file.Span(0, len(file.Text())), formatted, "write the file the usual way")
}
