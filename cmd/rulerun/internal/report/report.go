// Package report prints the findings of a verb, for people and for programs: a terminal, the log of a hosting
// service, an editor, a dashboard of tests.
//
// A verb collects everything in one Run and passes it to Write. Note: this package does not
// decide what is a fault. The verb provides the findings and the severity from which it fails; a format only prints
// them.
package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Run has everything a verb found. The zero value is a run without files and findings. It belongs to one goroutine;
// Write does not change it.
type Run struct {
	Verb    string // "check"
	Version string // of the program
	// Root is the absolute path of the folder that names in machine formats are relative to. Names outside it are not
	// changed, and neither is any name if it is "".
	Root string
	// Files are the names of the files checked, as messages show them.
	Files []string
	// Findings are in the order they are printed.
	Findings diag.List
	// Silenced are findings that a comment in the file silences. They never make a run fail.
	Silenced []diag.Silenced
	// Broken are the files of Files whose tests could not be run because of errors in Findings.
	Broken []string
	// Tests are the tests that were run or skipped, in the order they are printed.
	Tests []Case
	// Unnoticed are small changes to the rules that no test notices. They do not make a run fail; Short does.
	Unnoticed diag.List
	// Short says that the tests exercise or notice less than was asked for.
	Short bool
	// Clauses has the coverage of each clause of a written rule book.
	Clauses []Clause
	// FailOn is the lowest severity of a finding that makes the run fail.
	FailOn Threshold
}

// Case is one test that was run.
type Case struct {
	Suite    string // its file, as messages show it
	Name     string
	Cites    []string    // ids of the clauses it cites
	Span     source.Span // its name
	Duration time.Duration
	Skipped  string // why it was not run; "" if it was
	Failures []Failure
}

// Failed reports whether the test was run and did not pass.
func (c *Case) Failed() bool { return c.Skipped == "" && len(c.Failures) > 0 }

// Failure is one reason why a test did not pass.
type Failure struct {
	Finding diag.Diagnostic
	Detail  string // several lines shown below it, such as the position of the pieces; may be ""
}

// Clause is a clause of a written rule book with the rules and tests that cite it.
type Clause struct {
	ID    string   `json:"id"`
	Text  string   `json:"text"`
	Rules []string `json:"rules"` // rulesets whose declarations name it
	Tests []string `json:"tests"` // passing tests that name it, as FILE:LINE
}

// Open reports whether no rule or no passing test cites the clause.
func (c *Clause) Open() bool { return len(c.Rules) == 0 || len(c.Tests) == 0 }

// Threshold is the lowest severity that makes a run fail, with the number that it has in package diag. The zero value is OnError.
type Threshold uint8

// The thresholds.
const (
	OnError Threshold = iota
	OnWarning
	OnNote
	Never
)

var thresholdNames = []string{OnError: "error", OnWarning: "warning", OnNote: "note", Never: "never"}

// Thresholds lists the words for the thresholds.
func Thresholds() []string { return slices.Clone(thresholdNames) }

// ThresholdOf is the threshold of that name.
func ThresholdOf(name string) (Threshold, bool) {
	i := slices.Index(thresholdNames, name)
	return Threshold(max(i, 0)), i >= 0
}

// Fails reports whether a finding of that severity makes a run fail.
func (t Threshold) Fails(s diag.Severity) bool {
	return t != Never && s <= diag.Severity(t)
}

// Failed reports whether the run failed: a finding reaches the threshold, a test failed, a file with tests has
// errors, a clause is open, or it falls short.
func (r *Run) Failed() bool {
	return slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return r.FailOn.Fails(d.Severity) }) ||
		slices.ContainsFunc(r.Tests, func(c Case) bool { return c.Failed() }) ||
		slices.ContainsFunc(r.Clauses, func(c Clause) bool { return c.Open() }) ||
		len(r.Broken) > 0 || r.Short
}

// counts are the numbers of tests by result.
type counts struct{ passed, failed, skipped int }

func (r *Run) counts() counts {
	var n counts
	for _, c := range r.Tests {
		switch {
		case c.Skipped != "":
			n.skipped++
		case c.Failed():
			n.failed++
		default:
			n.passed++
		}
	}
	return n
}

// all lists all findings of the run, those of failed tests last.
func (r *Run) all() diag.List {
	out := slices.Concat(r.Findings, r.Unnoticed)
	for _, c := range r.Tests {
		if c.Failed() {
			for _, f := range c.Failures {
				out.Add(f.Finding)
			}
		}
	}
	return out
}

// Style says how text is printed.
type Style struct {
	Color   bool // ANSI colours
	Verbose bool // name the tests that pass too
}

// Format is an output format for a run.
type Format string

// The formats.
const (
	Text   Format = "text"   // for people
	JSON   Format = "json"   // one versioned document, described by a JSON schema
	SARIF  Format = "sarif"  // findings of static analysis, version 2.1.0
	GitHub Format = "github" // commands for the log of a workflow, which annotate the lines
	GitLab Format = "gitlab" // a code quality report
	JUnit  Format = "junit"  // results of tests, as XML
)

// formats are the output formats of each verb.
var formats = map[string][]Format{
	"check":   {Text, JSON, SARIF, GitHub, GitLab, JUnit},
	"fmt":     {Text, JSON, SARIF, GitHub, GitLab},
	"clauses": {Text, JSON, SARIF, GitHub, GitLab},
	"test":    {Text, JSON, SARIF, GitHub, GitLab, JUnit},
}

// Formats lists the words for the formats that make sense for a verb, text first.
func Formats(verb string) []string {
	return seq.Map(formats[verb], func(f Format) string { return string(f) })
}

// FormatOf is the format of that name, if it makes sense for the verb.
func FormatOf(verb, name string) (Format, bool) {
	f := Format(name)
	return f, slices.Contains(formats[verb], f)
}

// Write writes a run. The output is deterministic, apart from durations of tests in JUnit.
func Write(w io.Writer, format Format, r *Run, style Style) error {
	var b bytes.Buffer
	switch format {
	case Text:
		writeText(&b, r, style)
	case JSON:
		return writeJSON(w, r)
	case SARIF:
		return writeSARIF(w, r)
	case GitHub:
		writeGitHub(&b, r)
	case GitLab:
		return writeGitLab(w, r)
	case JUnit:
		return writeJUnit(w, r)
	default:
		return fmt.Errorf("there is no format %q", format)
	}
	_, err := b.WriteTo(w)
	return err
}
