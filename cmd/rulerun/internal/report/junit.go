package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
)

// The subset of JUnit's XML that Jenkins, Surefire and their readers accept: only attributes that their schemas allow,
// and the file and line of a case, which other services link to.
type (
	junitSuites struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Time     string       `xml:"time,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Time     string      `xml:"time,attr"`
		Cases    []junitCase `xml:"testcase"`

		time time.Duration
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Time    string        `xml:"time,attr"`
		Skipped *junitSkipped `xml:"skipped"`
		Failure *junitFailure `xml:"failure"`
		Error   *junitFailure `xml:"error"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// writeJUnit prints tests as they are, each file as a suite. It prints findings as if every file were a test that
// fails when one of them reaches the threshold. Readers show only one failure of a test, so all failures of a test or
// file are joined.
func writeJUnit(w io.Writer, r *Run) error {
	all := junitSuites{Name: "rulerun " + r.Verb}
	if r.Verb == "test" {
		all.Suites = r.testSuites()
	} else {
		all.Suites = r.fileSuite()
	}
	var took time.Duration
	for _, s := range all.Suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Errors += s.Errors
		took += s.time
	}
	all.Time = seconds(took)
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	return err
}

func (s *junitSuite) add(c junitCase, took time.Duration) {
	c.Time = seconds(took)
	s.Cases = append(s.Cases, c)
	s.time += took
	s.Time = seconds(s.time)
	s.Tests++
	switch {
	case c.Skipped != nil:
		s.Skipped++
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	}
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// byFile groups findings by file, and lists the names: first those the run checked.
func (r *Run) byFile() (names []string, found map[string]diag.List) {
	names, found = seq.Distinct(seq.Map(r.Files, r.path)), map[string]diag.List{}
	for _, d := range r.Findings {
		name := r.path(d.Span.Name())
		if d.Span.IsZero() {
			name = "no file"
		}
		if len(found[name]) == 0 && !slices.Contains(names, name) {
			names = append(names, name)
		}
		found[name] = append(found[name], d)
	}
	return names, found
}

// fileSuite is one suite with a case for every file.
func (r *Run) fileSuite() []junitSuite {
	suite := junitSuite{Name: "rulerun " + r.Verb, Time: seconds(0)}
	names, found := r.byFile()
	for _, name := range names {
		c := junitCase{Name: name, Class: "rulerun." + r.Verb, File: name}
		if l := found[name]; len(l) > 0 {
			c.Line = r.place(l[0].Span).Line
			text := l.Text(diag.Style{})
			if i := slices.IndexFunc(l, func(d diag.Diagnostic) bool { return r.FailOn.Fails(d.Severity) }); i >= 0 {
				c.Failure = failureOf(l[i], len(l)-1, text)
			} else {
				c.Out = text
			}
		}
		suite.add(c, 0)
	}
	return []junitSuite{suite}
}

// testSuites are the suites of the tests by file. A file with mistakes is a suite of one error.
func (r *Run) testSuites() []junitSuite {
	var out []junitSuite
	suite := func(file string) *junitSuite {
		name := r.path(file)
		i := slices.IndexFunc(out, func(s junitSuite) bool { return s.Name == name })
		if i < 0 {
			i = len(out)
			out = append(out, junitSuite{Name: name, Time: seconds(0)})
		}
		return &out[i]
	}
	_, found := r.byFile()
	for _, file := range r.Broken {
		c := junitCase{Name: "the file is read", Class: className(r.path(file)), File: r.path(file)}
		if l := found[r.path(file)]; l.HasErrors() {
			i := slices.IndexFunc(l, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
			c.Error, c.Line = failureOf(l[i], len(l)-1, l.Text(diag.Style{})), r.place(l[i].Span).Line
		} else { // a fault in a file it builds on
			c.Error = &junitFailure{Message: "a file it builds on has mistakes", Type: "broken", Text: r.Findings.Text(diag.Style{})}
		}
		suite(file).add(c, 0)
	}
	for _, t := range r.Tests {
		c := junitCase{Name: t.Name, Class: className(r.path(t.Suite)), File: r.path(t.Suite), Line: r.place(t.Span).Line}
		if t.Skipped != "" {
			c.Skipped = &junitSkipped{t.Skipped}
		} else if t.Failed() {
			var text strings.Builder
			for _, f := range t.Failures {
				text.WriteString(diag.List{f.Finding}.Text(diag.Style{}) + f.Detail)
			}
			c.Failure = failureOf(t.Failures[0].Finding, len(t.Failures)-1, text.String())
		}
		suite(t.Suite).add(c, t.Duration)
	}
	for _, d := range r.Unnoticed { // no failure of a test, so passed
		at := r.place(d.Span)
		suite(d.Span.Name()).add(junitCase{
			Name: fmt.Sprintf("%d:%d: %s", at.Line, at.Column, d.Message), Class: className(at.File), File: at.File, Line: at.Line, Out: diag.List{d}.Text(diag.Style{}),
		}, 0)
	}
	return out
}

// className is a file name in the form of a Java class: packages separated by dots.
func className(file string) string {
	return strings.ReplaceAll(strings.Trim(strings.TrimSuffix(file, path.Ext(file)), "./"), "/", ".")
}

func failureOf(d diag.Diagnostic, others int, text string) *junitFailure {
	f := &junitFailure{Message: d.Message, Type: d.Code, Text: text}
	if others > 0 {
		f.Message += fmt.Sprintf(" (and %d more)", others)
	}
	return f
}
