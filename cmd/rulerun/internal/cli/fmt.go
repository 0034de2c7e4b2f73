package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

type fmtOptions struct {
	paths       []string
	check, diff bool
	out         outputFlags
}

func (s *session) fmtVerb() *cobra.Command {
	o := &fmtOptions{}
	cmd := verb("fmt", s.completeRules, mode{low: 1, high: -1, what: "a FILE or folder, or - for the standard input", run: func(_ *cobra.Command, args []string) error {
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
	}})
	cmd.Flags().BoolVar(&o.check, "check", false, "write nothing; fail if a file would change")
	cmd.Flags().BoolVar(&o.diff, "diff", false, "write nothing; print what would change")
	o.out.bind(cmd)
	return cmd
}

// stdinArgument is the argument that stands for the standard input.
const stdinArgument = "-"

// eachFormatted formats the files that arguments name, or the standard input.
func (s *session) eachFormatted(args []string, do func(file *source.File, formatted string, faults diag.List) error) error {
	one := func(file *source.File, err error) error {
		if err != nil {
			return err
		}
		formatted, faults := dsl.Format(file)
		return do(file, formatted, faults)
	}
	if slices.Equal(args, []string{stdinArgument}) {
		return one(readStdin(s.in))
	}
	paths, err := collect(args, ".rules")
	if err != nil {
		return err
	}
	return seq.Do(paths, func(path string) error { return one(readSource(path, dsl.MaxRules)) })
}

func (s *session) fmt(o *fmtOptions) error {
	var failed error
	err := s.eachFormatted(o.paths, func(file *source.File, formatted string, faults diag.List) error {
		if faults.HasErrors() {
			failed = errFailed
			_, err := io.WriteString(s.err, faults.Text(diag.Style{Color: s.color(s.err)}))
			return err
		}
		switch {
		case o.paths[0] == stdinArgument && !o.check && !o.diff:
			_, err := io.WriteString(s.out, formatted)
			return err
		case formatted == file.Text():
		case o.diff:
			// The library's first line, "diff OLD NEW", says nothing that the next two do not.
			name := file.Name()
			_, hunks, _ := strings.Cut(string(diff.Diff(name, []byte(file.Text()), name+" (formatted)", []byte(formatted))), "\n")
			fmt.Fprint(s.out, hunks)
		default:
			if !o.check {
				if err := save(file.Name(), []byte(formatted)); err != nil {
					return err
				}
			}
			fmt.Fprintln(s.out, file.Name())
		}
		if o.check && formatted != file.Text() {
			failed = errFailed
		}
		return nil
	})
	return cmp.Or(err, failed)
}

// findUnformatted adds to a run the files that would change, or cannot be read.
func (s *session) findUnformatted(run *report.Run, args []string) error {
	return s.eachFormatted(args, func(file *source.File, formatted string, faults diag.List) error {
		run.Files = append(run.Files, file.Name())
		run.Findings = append(run.Findings, faults...)
		if !faults.HasErrors() && formatted != file.Text() {
			run.Findings.Add(unformatted(file, formatted))
		}
		return nil
	})
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
