package report

import (
	_ "embed"
	"io"
	"slices"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// documentVersion is incremented when a key is removed or changes its meaning. New keys do not change it.
const documentVersion = 1

// document is what the format json prints; schema/output.schema.json describes it.
type document struct {
	Version     int            `json:"version"`
	Tool        string         `json:"tool"`
	ToolVersion string         `json:"tool_version"`
	Verb        string         `json:"verb"`
	Files       []string       `json:"files"`
	Findings    []jsonFinding  `json:"findings"`
	Silenced    []jsonSilenced `json:"silenced,omitempty"`
	Tests       []jsonCase     `json:"tests,omitempty"`
	Clauses     []Clause       `json:"clauses,omitempty"`
	Summary     jsonSummary    `json:"summary"`
}

type jsonPlace struct {
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	EndColumn int    `json:"end_column,omitempty"`
}

type jsonNote struct {
	jsonPlace
	Message string `json:"message"`
}

type jsonFix struct {
	Title string     `json:"title"`
	Edits []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	jsonPlace
	New string `json:"new"`
}

type jsonFinding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	jsonPlace
	Message string     `json:"message"`
	Hint    string     `json:"hint,omitempty"`
	Notes   []jsonNote `json:"notes,omitempty"`
	Fixes   []jsonFix  `json:"fixes,omitempty"`
}

type jsonSilenced struct {
	jsonFinding
	Reason string `json:"reason"`
}

type jsonFailure struct {
	jsonFinding
	Detail string `json:"detail,omitempty"`
}

type jsonCase struct {
	Suite string `json:"suite"`
	Name  string `json:"name"`
	jsonPlace
	Cites    []string      `json:"cites,omitempty"`
	Outcome  string        `json:"outcome"` // passed, failed or skipped
	Reason   string        `json:"reason,omitempty"`
	Failures []jsonFailure `json:"failures,omitempty"`
}

type jsonSummary struct {
	Failed       bool `json:"failed"`
	Errors       int  `json:"errors"`
	Warnings     int  `json:"warnings"`
	Notes        int  `json:"notes"`
	Silenced     int  `json:"silenced"`
	TestsPassed  int  `json:"tests_passed"`
	TestsFailed  int  `json:"tests_failed"`
	TestsSkipped int  `json:"tests_skipped"`
	FilesBroken  int  `json:"files_broken"`
}

func writeJSON(w io.Writer, r *Run) error {
	n := r.counts()
	doc := document{
		Version: documentVersion, Tool: "rulerun", ToolVersion: r.Version, Verb: r.Verb,
		Files: []string{}, Findings: []jsonFinding{}, Clauses: r.Clauses,
		Summary: jsonSummary{
			Failed: r.Failed(), Errors: r.Findings.Count(diag.Error), Warnings: r.Findings.Count(diag.Warning),
			Notes: r.Findings.Count(diag.Info) + len(r.Unnoticed), Silenced: len(r.Silenced),
			TestsPassed: n.passed, TestsFailed: n.failed, TestsSkipped: n.skipped, FilesBroken: len(r.Broken),
		},
	}
	for _, f := range r.Files {
		doc.Files = append(doc.Files, r.path(f))
	}
	for _, d := range slices.Concat(r.Findings, r.Unnoticed) {
		doc.Findings = append(doc.Findings, r.jsonFinding(d))
	}
	for _, s := range r.Silenced {
		doc.Silenced = append(doc.Silenced, jsonSilenced{r.jsonFinding(s.Diagnostic), s.By.Reason})
	}
	for i := range r.Tests {
		doc.Tests = append(doc.Tests, r.jsonCase(&r.Tests[i]))
	}
	return object.Indented(w, doc)
}

// place is a range of a file, with lines and columns from 1, columns in characters.
func (r *Run) place(s source.Span) jsonPlace {
	if s.IsZero() {
		return jsonPlace{}
	}
	from, to := s.File.Position(s.Start), s.File.Position(s.End)
	return jsonPlace{File: r.path(s.Name()), Line: from.Line, Column: from.Column, EndLine: to.Line, EndColumn: to.Column}
}

func (r *Run) jsonFinding(d diag.Diagnostic) jsonFinding {
	out := jsonFinding{Severity: d.Severity.String(), Code: d.Code, jsonPlace: r.place(d.Span), Message: d.Message, Hint: d.Hint}
	for _, n := range d.Notes {
		out.Notes = append(out.Notes, jsonNote{r.place(n.Span), n.Message})
	}
	for _, f := range d.Fixes {
		fix := jsonFix{Title: f.Title, Edits: []jsonEdit{}}
		for _, e := range f.Edits {
			fix.Edits = append(fix.Edits, jsonEdit{r.place(e.Span), e.New})
		}
		out.Fixes = append(out.Fixes, fix)
	}
	return out
}

func (r *Run) jsonCase(c *Case) jsonCase {
	out := jsonCase{
		Suite: r.path(c.Suite), Name: c.Name, jsonPlace: r.place(c.Span), Cites: slices.Clone(c.Cites),
		Outcome: "passed", Reason: c.Skipped,
	}
	if c.Skipped != "" {
		out.Outcome = "skipped"
	} else if c.Failed() {
		out.Outcome = "failed"
		for _, f := range c.Failures {
			out.Failures = append(out.Failures, jsonFailure{r.jsonFinding(f.Finding), f.Detail})
		}
	}
	return out
}
