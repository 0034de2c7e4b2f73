package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/table"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/mutation"
	"github.com/rulerun/rulerun/interpreter/suite"
)

type testOptions struct {
	paths    []string
	verbose  bool
	noBoard  bool
	whole    bool
	list     bool
	failFast bool
	parallel int
	run      string
	clauses  []string
	watch    bool
	out      outputFlags
	cover    coverFlags
	mutate   mutateFlags
}

// loaded is a rule book, and the argument that names it.
type loaded struct {
	arg  string
	book *dsl.Book
}

func (s *session) testVerb() *cobra.Command {
	o := &testOptions{}
	cmd := verb("test", completeExt("rules", "txt"), mode{low: 1, high: -1, what: "a FILE, a folder or a RULESET", run: func(cmd *cobra.Command, args []string) error {
		o.paths = args
		return s.test(cmd.Context(), o)
	}})
	f := cmd.Flags()
	f.BoolVarP(&o.verbose, "verbose", "v", false, "name the tests that pass too, and the time of each")
	f.StringVar(&o.run, "run", "", "only tests whose name matches a `REGEXP`")
	f.StringSliceVar(&o.clauses, "clause", nil, "only tests that name one of these clauses: `IDS`")
	f.BoolVar(&o.list, "list", false, "list the tests and run none")
	f.BoolVar(&o.failFast, "fail-fast", false, "stop at the first test that fails")
	f.IntVar(&o.parallel, "threads", 0, "")
	oldSpelling(cmd, "parallel", "threads")
	f.BoolVar(&o.noBoard, "no-board", false, "do not draw the board where a test fails")
	f.BoolVar(&o.whole, "whole-board", false, "draw the board in full size where a test fails")
	o.out.bind(cmd)
	o.cover.bind(f)
	o.mutate.bind(f)
	f.BoolVar(&o.watch, "watch", false, "")
	return cmd
}

func (s *session) test(ctx context.Context, o *testOptions) error {
	_, format, err := o.out.run()
	if err != nil {
		return err
	}
	filter := suite.Filter{Clauses: o.clauses}
	if o.run != "" {
		match, err := regexp.Compile(o.run)
		if err != nil {
			return usagef("flag --run: %q is not a regular expression", o.run)
		}
		filter.Name = match
	}
	if o.parallel < 0 {
		return usagef("flag --threads: got %d, want 1 or more", o.parallel)
	}
	if err := cmp.Or(o.cover.check(), o.mutate.check(o.run != "" || len(o.clauses) > 0)); err != nil {
		return err
	}
	extensions := append([]string{".rules", recordExtension}, boards.Endings...)
	return s.looked(ctx, o.watch, format, o.paths, extensions, func(t *trail) error { return s.testOnce(ctx, o, filter, t) })
}

// testOnce runs the tests that are meant. The files they are read from go on the trail.
func (s *session) testOnce(ctx context.Context, o *testOptions, filter suite.Filter, t *trail) error {
	run, format, err := o.out.run()
	if err != nil {
		return err
	}
	if run.Files, err = s.testPaths(o.paths); err != nil {
		return err
	}
	all, books, err := s.testsOf(run, t)
	if err != nil {
		return err
	}
	if (o.cover.wanted() || o.mutate.wanted()) && len(books)+len(run.Broken) == 0 && len(run.Files) > 0 {
		return usagef("flags --cover and --mutate look at rule files: name one beside the recorded games")
	}
	tests := filter.Keep(all)
	if len(tests) == 0 && len(all) > 0 {
		return noTest(o, all)
	}
	if o.list {
		return s.listTests(tests, run)
	}
	text := format == report.Text
	if text {
		if err := s.report(run.Findings); err != nil && err != errFailed {
			return err
		}
	}
	style := report.Style{Color: text && s.color(s.out), Verbose: o.verbose}
	var failure error
	options := suite.Options{Parallel: o.parallel, FailFast: o.failFast, Note: o.cover.wanted()}
	told := map[source.Span]bool{}
	results := suite.Run(ctx, tests, options, func(r *suite.Result) {
		c := s.testCase(o, r, style.Color)
		if r.Outcome == suite.Broken && repeated(r.Faults, told) {
			c.Failures, c.Skipped = nil, "the mistake of a row before concerns it too"
		}
		run.Tests = append(run.Tests, c)
		if text && (c.Skipped == "" || o.verbose) && failure == nil {
			_, failure = io.WriteString(s.out, c.Text(style))
		}
	})
	if failure != nil {
		return failure
	}
	if text {
		fmt.Fprintln(s.out, report.Summary(run))
	}
	to := s.err // beside the tests, where they were printed as text
	if text {
		to = s.out
	}
	err = s.measure(ctx, o, books, results, run, to)
	if !text { // with what has been measured
		if err := report.Write(s.out, format, run, style); err != nil {
			return err
		}
	}
	return cmp.Or(err, failIf(ctx.Err() != nil || run.Failed()))
}

// measure finds what the tests exercise and notice, as far as flags ask for it, and adds it to the run.
func (s *session) measure(ctx context.Context, o *testOptions, books []loaded, done []*suite.Result, run *report.Run, to io.Writer) error {
	passed := !run.Failed()
	if o.cover.wanted() {
		enough, err := s.coverage(o, books, done, to)
		if err != nil {
			return err
		}
		run.Short = !enough
	}
	if !o.mutate.wanted() || ctx.Err() != nil {
		return nil
	}
	if !passed {
		return mutation.ErrFailing
	}
	return s.mutate(ctx, o, books, run, to)
}

// testsOf lists the tests of the files of a run; files with mistakes add their findings
// to the run instead.
func (s *session) testsOf(run *report.Run, t *trail) ([]*suite.Test, []loaded, error) {
	var out []*suite.Test
	var books []loaded
	shared := &dsl.Shared{}
	for _, path := range run.Files {
		if isRecord(path) {
			test, err := s.recordTest(path, run, gameFlags{trail: t, shared: shared})
			if err != nil {
				return nil, nil, err
			}
			if test != nil {
				out = append(out, test)
			}
			continue
		}
		file, lib, err := s.rulesFile(path)
		if err != nil {
			return nil, nil, err
		}
		lib = t.library(lib)
		lib.Shared = shared
		book, faults := dsl.Load(file, lib)
		if book == nil {
			run.Findings = append(run.Findings, faults...)
			run.Broken = append(run.Broken, path)
			continue
		}
		out = append(out, suite.Of(book)...)
		books = append(books, loaded{path, book})
	}
	return out, books, nil
}

// noTest says that flags leave none of the tests.
func noTest(o *testOptions, all []*suite.Test) error {
	if len(o.clauses) == 0 {
		return usagef("flag --run: no test's name matches %q", o.run)
	}
	if o.run != "" {
		return usagef("no test names a clause of --clause and matches --run")
	}
	ids := seq.Flat(all, func(t *suite.Test) []string { return t.Cites })
	return usagef("flag --clause: no test names %s", strings.Join(o.clauses, " or ")).nearest(o.clauses[0], ids)
}

func (s *session) listTests(tests []*suite.Test, run *report.Run) error {
	if err := s.report(run.Findings); err != nil && err != errFailed {
		return err
	}
	for _, t := range tests {
		name := t.Name
		if len(t.Cites) > 0 {
			name += " [" + strings.Join(t.Cites, " ") + "]"
		}
		fmt.Fprintf(s.out, "%s:%d: %s\n", t.Span.Name(), t.Span.Position().Line, name)
	}
	return failIf(len(run.Broken) > 0)
}

// testCase is a result as it is reported. The board is drawn once a test; where it has changed since, a line a colour says
// how.
func (s *session) testCase(o *testOptions, r *suite.Result, color bool) report.Case {
	c := report.Case{Suite: r.Test.Span.Name(), Name: r.Test.Name, Cites: r.Test.Cites, Span: r.Test.Span, Duration: r.Took}
	if r.Outcome == suite.Skipped {
		c.Skipped = "a test before it failed"
		if !o.failFast {
			c.Skipped = "interrupted"
		}
		return c
	}
	screen := &table.Screen{Out: s.out, Color: color}
	var before *interpreter.Position
	for i, d := range r.Findings() {
		f := report.Failure{Finding: d}
		if r.Outcome == suite.Failed {
			f.Detail = o.drawn(screen, r.Failures[i].Position, &before)
		}
		c.Failures = append(c.Failures, f)
	}
	return c
}

// repeated reports whether faults are all in lines of a table that a row before has told of, and takes note of them.
func repeated(faults diag.List, told map[source.Span]bool) bool {
	all := true
	for _, d := range faults {
		all = all && told[d.Span]
		told[d.Span] = true
	}
	return all
}

// maxDrawn is how many lines show where a test failed.
const maxDrawn = 24

// drawn draws the position, unless it is the one drawn before: with the board, if a piece stands on a square of it.
func (o *testOptions) drawn(screen *table.Screen, p *interpreter.Position, before **interpreter.Position) string {
	if p == nil || *before != nil && p.Equal(*before) {
		return ""
	}
	text := screen.Standing(p)
	onSquare := func(at int) bool { return at >= 0 && !p.Game().Rules().Board.Places[at].Zone }
	if *before == nil && !o.noBoard && (o.whole || slices.ContainsFunc(p.Places(nil), onSquare)) {
		rows := max(1, maxDrawn-strings.Count(text, "\n"))
		if o.whole {
			rows = 0
		}
		text = screen.Board(p, nil, rows) + text
	}
	*before = p
	return text
}
