package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/coverage"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/cover"
	"github.com/rulerun/rulerun/interpreter/suite"
	"github.com/rulerun/rulerun/rulesets"
)

// coverFlags ask what the tests of rule files exercise.
type coverFlags struct {
	text bool
	json string
	html string
	min  int
}

func (c *coverFlags) bind(f *pflag.FlagSet) {
	f.BoolVar(&c.text, "cover", false, "list what of the rules no test exercises")
	f.StringVar(&c.json, "cover-json", "", "write that to `FILE` as JSON")
	f.StringVar(&c.html, "cover-html", "", "write that to `FILE` as a page that shows the rules")
	f.IntVar(&c.min, "min", 0, "fail where less than `PERCENT` is exercised")
}

func (c *coverFlags) wanted() bool { return c.text || c.json != "" || c.html != "" || c.min != 0 }

func (c *coverFlags) check() error {
	if c.min < 0 || c.min > 100 {
		return usagef("flag --min: got %d, want a percentage from 0 to 100", c.min)
	}
	return nil
}

// sheet is the coverage of rule books by the tests that were run.
func (s *session) sheet(books []loaded, results []*suite.Result) (*coverage.Sheet, error) {
	var c cover.Collector
	for _, r := range results {
		if r.Noted != nil {
			at := r.Test.Span
			c.Add(cover.Test{
				Name: r.Test.Name, File: at.Name(), Line: at.Position().Line, Cites: r.Test.Cites, Passed: r.Outcome == suite.Passed,
			}, cover.TraceOf(r.Game, r.Noted))
		}
	}
	out := &coverage.Sheet{Version: version(), Tests: c.Tests()}
	seen := map[string]bool{}
	for _, l := range books {
		b := l.book
		if seen[b.File().Name()] { // files of tests for it
			continue
		}
		seen[b.File().Name()] = true
		ids, err := s.writtenClauses(l)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, c.Of(cover.Subject{
			Title: b.Title(), File: b.File(), Groups: b.Parts(), Options: b.Options(), Players: b.PlayerNumbers(nil), IDs: ids,
		}))
	}
	return out, nil
}

// writtenClauses are the clauses of the list kept beside a rule book, as NAME.clauses or clauses/NAME.clauses; none
// where there is no list.
func (s *session) writtenClauses(l loaded) ([]cover.ClauseID, error) {
	fsys, dir := fs.FS(rulesets.FS), ""
	if isPath(l.arg) {
		fsys, dir = beside(l.arg)
	}
	base := strings.TrimSuffix(path.Base(filepath.ToSlash(l.book.File().Name())), ".rules") + ".clauses"
	for _, name := range []string{base, "clauses/" + base} {
		text, err := fs.ReadFile(fsys, name)
		list := source.New(dir+name, string(text))
		if why, ok := errors.AsType[*source.Unreadable](err); ok {
			list = source.Unread(dir+name, why)
		} else if err != nil {
			continue
		}
		clauses, faults := dsl.ReadClauses(list)
		if faults.HasErrors() {
			return nil, s.report(faults)
		}
		return seq.Map(clauses, func(x dsl.Clause) cover.ClauseID { return cover.ClauseID{ID: x.ID, Text: x.Text, Span: x.Span} }), nil
	}
	return nil, nil
}

// coverage writes what the tests exercise in every form asked for. It reports whether that is as much as asked for.
func (s *session) coverage(o *testOptions, books []loaded, results []*suite.Result, to io.Writer) (enough bool, err error) {
	sheet, err := s.sheet(books, results)
	if err != nil {
		return false, err
	}
	if o.cover.text {
		if err := sheet.WriteText(to); err != nil {
			return false, err
		}
	}
	for _, f := range []drawing{{o.cover.json, sheet.WriteJSON}, {o.cover.html, sheet.WriteHTML}} {
		if f.path == "" {
			continue
		}
		if err := writeFile(f.path, f.draw); err != nil {
			return false, err
		}
	}
	below := sheet.Below(o.cover.min)
	fmt.Fprint(s.err, below)
	return below == "", nil
}
