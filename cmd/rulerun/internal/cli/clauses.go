package cli

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/suite"
	"github.com/rulerun/rulerun/rulesets"
)

// clauses lists the clauses of written rule books that no rule or no passing test names.
func (s *session) clauses(ctx context.Context, o *checkOptions) error {
	run, format, err := o.out.run()
	if err != nil {
		return err
	}
	files, lists, err := s.clauseSources(o.paths)
	if err != nil {
		return err
	}
	if len(lists) == 0 {
		return usagef("there is no .clauses file among these")
	}
	var all []*report.Clause
	spans := map[string]source.Span{}
	byID := map[string]*report.Clause{}
	for _, list := range lists {
		run.Files = append(run.Files, list.Name())
		clauses, faults := dsl.ReadClauses(list)
		run.Findings = append(run.Findings, faults...)
		for _, c := range clauses {
			x := &report.Clause{ID: c.ID, Text: c.Text, Rules: []string{}, Tests: []string{}}
			all = append(all, x)
			byID[c.ID], spans[c.ID] = x, c.Span
		}
	}
	for _, path := range files {
		if run.Findings.HasErrors() {
			break
		}
		name, faults, err := s.standBehind(ctx, path, byID)
		if err != nil {
			return err
		}
		run.Files = append(run.Files, name)
		run.Findings = append(run.Findings, faults...)
	}
	if run.Findings.HasErrors() {
		if format == report.Text {
			return s.report(run.Findings)
		}
		return s.print(format, run)
	}
	for _, x := range all {
		if x.Open() || o.all {
			run.Clauses = append(run.Clauses, *x)
		}
	}
	if format == report.Text {
		return s.printClauses(run, len(all))
	}
	for _, x := range run.Clauses {
		if x.Open() {
			run.Findings.Add(diag.Diagnostic{
				Code: "open-clause", Span: spans[x.ID],
				Message: fmt.Sprintf("%s: %s, %s", x.ID, none(len(x.Rules), "rule book"), none(len(x.Tests), "passing test")),
				Hint:    fmt.Sprintf("write [%s] behind the rules that carry it and the tests that show it", x.ID),
			})
		}
	}
	return s.print(format, run)
}

// clauseSources splits the arguments into rule files and lists of clauses.
func (s *session) clauseSources(args []string) (files []string, lists []*source.File, err error) {
	if len(args) == 0 {
		shipped, err := fs.Glob(rulesets.FS, "clauses/*.clauses")
		if err != nil {
			return nil, nil, err
		}
		lists, err = seq.Try(shipped, func(name string) (*source.File, error) {
			data, err := fs.ReadFile(rulesets.FS, name)
			return source.New(name, string(data)), err
		})
		return shippedNames(), lists, err
	}
	paths, err := s.rulePaths(args, ".rules", ".clauses")
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		if filepath.Ext(path) != ".clauses" {
			files = append(files, path)
			continue
		}
		list, err := readSource(path, dsl.MaxClauses)
		if err != nil {
			return nil, nil, err
		}
		lists = append(lists, list)
	}
	return files, lists, nil
}

// standBehind notes what a rule file and its passing tests name. It returns the name of the file, and its faults.
func (s *session) standBehind(ctx context.Context, path string, byID map[string]*report.Clause) (string, diag.List, error) {
	file, lib, err := s.rulesFile(path)
	if err != nil {
		return "", nil, err
	}
	book, faults := dsl.Load(file, lib)
	if book == nil {
		return file.Name(), faults, nil
	}
	for _, id := range book.Clauses() {
		if x := byID[id]; x != nil {
			x.Rules = append(x.Rules, book.Name())
		}
	}
	listed := func(id string) bool { return byID[id] != nil }
	tests := seq.Filter(suite.Of(book), func(t *suite.Test) bool { return slices.ContainsFunc(t.Cites, listed) })
	for _, r := range suite.Run(ctx, tests, suite.Options{}, nil) {
		switch r.Outcome {
		case suite.Broken:
			return file.Name(), r.Faults, nil
		case suite.Passed:
			for _, id := range r.Test.Cites {
				if x := byID[id]; x != nil {
					x.Tests = append(x.Tests, fmt.Sprintf("%s:%d", filepath.ToSlash(r.Test.Span.Name()), r.Test.Span.Position().Line))
				}
			}
		}
	}
	return file.Name(), nil, nil
}

func (s *session) printClauses(run *report.Run, n int) error {
	open := 0
	for _, x := range run.Clauses {
		if x.Open() {
			open++
		}
		fmt.Fprintf(s.out, "%-8s %s, %s  %s\n", x.ID, none(len(x.Rules), "rule book"), none(len(x.Tests), "test"), x.Text)
	}
	fmt.Fprintf(s.out, "%s, %d without a rule or a passing test\n", diag.Plural(n, "clause"), open)
	return failIf(open > 0)
}

func none(n int, word string) string {
	if n == 0 {
		return "no " + word
	}
	return diag.Plural(n, word)
}
