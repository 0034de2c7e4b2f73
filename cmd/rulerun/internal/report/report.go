// Package report prints what a verb found, for people and for the programs that read it: a terminal, a hosting service's
// log, an editor, a dashboard of tests.
//
// A verb gathers everything into one Run and hands it to Write. What a newcomer gets wrong: nothing here decides what
// is a fault. The verb says what it found and from which severity on it fails, a format only says how that is written
// down.
package report

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// Run is everything a verb found. The zero value is a run that looked at nothing and found nothing. It belongs to one
// goroutine; Write does not change it.
type Run struct {
	Verb    string // "check"
	Version string // of the program
	// Root is the folder relative to which machine formats name files, an absolute path; names outside it,
	// and all where it is "", stay as they are.
	Root string
	// Files are the names of the files looked at, as messages show them.
	Files []string
	// Findings are in the order they are printed.
	Findings diag.List
	// Silenced are findings that a comment in the file silences. They never make a run fail.
	Silenced []diag.Silenced
	// Broken are those of Files whose tests could not be run for the errors among Findings.
	Broken []string
	// Tests are the tests that were run or skipped, in the order they are printed.
	Tests []Case
	// Clauses say what stands behind each clause of a written rule book.
	Clauses []Clause
	// FailOn is the mildest severity of a finding that makes the run fail.
	FailOn Threshold
}

// Case is one test that was run.
type Case struct {
	Suite    string // the file it stands in, as messages show it
	Name     string
	Cites    []string    // ids of the clauses it names
	Span     source.Span // where its name stands
	Duration time.Duration
	Skipped  string // why it was not run; "" when it was
	Failures []Failure
}

// Failed reports whether the test was run and did not pass.
func (c *Case) Failed() bool { return c.Skipped == "" && len(c.Failures) > 0 }

// Failure is one reason why a test did not pass.
type Failure struct {
	Finding diag.Diagnostic
	Detail  string // several lines shown below it, say how the pieces stood; may be ""
}

// Clause is a clause of a written rule book with what stands behind it.
type Clause struct {
	ID    string   `json:"id"`
	Text  string   `json:"text"`
	Rules []string `json:"rules"` // rulesets whose declarations name it
	Tests []string `json:"tests"` // passing tests that name it, as FILE:LINE
}

// Open reports whether no rule or no passing test stands behind the clause.
func (c *Clause) Open() bool { return len(c.Rules) == 0 || len(c.Tests) == 0 }

// Threshold is the mildest severity that makes a run fail. The zero value is OnError.
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
	switch t {
	case OnError:
		return s == diag.Error
	case OnWarning:
		return s <= diag.Warning
	case OnNote:
		return s <= diag.Info
	}
	return false
}

// Failed reports whether the run failed: a finding reaches the threshold, a test failed, a file with tests has mistakes,
// or a clause is open.
func (r *Run) Failed() bool {
	return slices.ContainsFunc(r.Findings, func(d diag.Diagnostic) bool { return r.FailOn.Fails(d.Severity) }) ||
		slices.ContainsFunc(r.Tests, func(c Case) bool { return c.Failed() }) ||
		slices.ContainsFunc(r.Clauses, func(c Clause) bool { return c.Open() }) ||
		len(r.Broken) > 0
}

// counts are the tests of a run by how they ended.
type counts struct{ passed, failed, skipped int }

func (r *Run) counts() counts {
	var n counts
	for i := range r.Tests {
		switch c := &r.Tests[i]; {
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

// all is every finding of the run, those of failed tests after the others.
func (r *Run) all() diag.List {
	out := slices.Clone(r.Findings)
	for i := range r.Tests {
		if c := &r.Tests[i]; c.Failed() {
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

// Format is a way to write a run down.
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

// formats are the ways to write down what each verb found.
var formats = map[string][]Format{
	"check":   {Text, JSON, SARIF, GitHub, GitLab, JUnit},
	"fmt":     {Text, JSON, SARIF, GitHub, GitLab},
	"clauses": {Text, JSON, SARIF, GitHub, GitLab},
	"test":    {Text, JSON, SARIF, GitHub, GitLab, JUnit},
}

// Formats lists the words for the formats that make sense for a verb, text first.
func Formats(verb string) []string {
	var out []string
	for _, f := range formats[verb] {
		out = append(out, string(f))
	}
	return out
}

// FormatOf is the format of that name, if it makes sense for the verb.
func FormatOf(verb, name string) (Format, bool) {
	f := Format(name)
	return f, slices.Contains(formats[verb], f)
}

// Write writes a run down. Of the same run it always writes the same, durations of tests in JUnit apart.
func Write(w io.Writer, format Format, r *Run, style Style) error {
	switch format {
	case Text:
		return writeText(w, r, style)
	case JSON:
		return writeJSON(w, r)
	case SARIF:
		return writeSARIF(w, r)
	case GitHub:
		return writeGitHub(w, r)
	case GitLab:
		return writeGitLab(w, r)
	case JUnit:
		return writeJUnit(w, r)
	}
	return fmt.Errorf("there is no format %q", format)
}
