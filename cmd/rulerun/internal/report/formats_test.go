package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/source"
)

// valid holds a document against a JSON schema.
func valid(t *testing.T, schema, document string) {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", parsed); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	instance, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err != nil {
		t.Fatalf("%v in\n%s", err, document)
	}
	if err := compiled.Validate(instance); err != nil {
		t.Errorf("%#v in\n%s", err, document)
	}
}

// runs are the runs every format is tried on.
func runs() map[string]*Run {
	failing := checked()
	failing.FailOn = OnNote
	return map[string]*Run{
		"nothing": {Verb: "check"},
		"checked": checked(),
		"failing": failing,
		"tested":  tested(),
		"clauses": {Verb: "clauses", Files: []string{"x.clauses"}, Clauses: []Clause{{ID: "X-01", Text: "As it is", Rules: []string{"x"}, Tests: []string{}}}},
		"outside": {Verb: "check", Root: "/home/x", Findings: diag.List{
			{Code: "syntax", Span: source.New("/home/x/a/b.rules", "x").Span(0, 1), Message: "inside"},
			{Code: "syntax", Span: source.New("/home/y.rules", "x").Span(0, 1), Message: "outside"},
			{Code: "syntax", Span: source.New("../y.rules", "x").Span(0, 1), Message: "above"},
			{Code: "syntax", Span: source.New("./a:b\n.rules", "x\xff\x00\r\n").Span(1, 5), Message: "odd \xff\x00"},
		}},
	}
}

func TestJSON(t *testing.T) {
	for name, r := range runs() {
		t.Run(name, func(t *testing.T) { valid(t, Schema("output"), written(t, JSON, r, Style{})) })
	}
	var doc struct {
		Findings []struct {
			File      string
			Line      int
			Column    int
			EndColumn int `json:"end_column"`
		}
		Summary map[string]any
	}
	if err := json.Unmarshal([]byte(written(t, JSON, checked(), Style{})), &doc); err != nil {
		t.Fatal(err)
	}
	if f := doc.Findings[0]; f.File != file.Name() || f.Line != 2 || f.Column != 10 || f.EndColumn != 16 {
		t.Errorf("the place is %+v", f)
	}
	want := map[string]any{"failed": true, "errors": 1., "warnings": 1., "notes": 1., "silenced": 1.,
		"tests_passed": 0., "tests_failed": 0., "tests_skipped": 0., "files_broken": 0.}
	if diff := cmp.Diff(want, doc.Summary); diff != "" {
		t.Error(diff)
	}
}

// What readers find in SARIF, without what the tests do not look at.
type (
	sarifWords  struct{ Text string }
	sarifRegion struct{ StartLine, StartColumn, EndLine, EndColumn int }
	sarifFile   struct{ URI, URIBaseID string }
	sarifPlace  struct {
		PhysicalLocation struct {
			ArtifactLocation sarifFile
			Region           sarifRegion
		}
		Message *sarifWords
	}
	sarifReplacement struct {
		DeletedRegion   sarifRegion
		InsertedContent sarifWords
	}
	sarifRun struct {
		Tool struct {
			Driver struct {
				Version string
				Rules   []struct {
					ID, HelpURI                       string
					ShortDescription, FullDescription sarifWords
				}
			}
		}
		Results []struct {
			RuleID                      string
			RuleIndex                   int
			Suppressions                []any
			Locations, RelatedLocations []sarifPlace
			Fixes                       []struct {
				ArtifactChanges []struct {
					ArtifactLocation sarifFile
					Replacements     []sarifReplacement
				}
			}
		}
	}
)

func TestSARIF(t *testing.T) {
	schema, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	logs := map[string]sarifRun{}
	for name, r := range runs() {
		text := written(t, SARIF, r, Style{})
		valid(t, string(schema), text)
		var log struct{ Runs []sarifRun }
		if err := json.Unmarshal([]byte(text), &log); err != nil {
			t.Fatal(err)
		}
		logs[name] = log.Runs[0]
	}
	run := logs["checked"]
	results := run.Results
	if len(results) != 4 || len(run.Tool.Driver.Rules) != 3 {
		t.Fatalf("%d results of %d rules, want 4 of 3", len(results), len(run.Tool.Driver.Rules))
	}
	for i, x := range results {
		if run.Tool.Driver.Rules[x.RuleIndex].ID != x.RuleID {
			t.Errorf("result %d points at rule %d", i, x.RuleIndex)
		}
		if silenced := i == 3; silenced != (len(x.Suppressions) == 1) || x.Suppressions == nil {
			t.Errorf("result %d has suppressions %v", i, x.Suppressions)
		}
	}
	if logs["tested"].Results[0].Suppressions != nil {
		t.Error("suppressions where nothing is silenced")
	}
	place := results[0].Locations[0].PhysicalLocation
	if want := "rules/a%20b,%C3%A4%25.rules"; place.ArtifactLocation.URI != want {
		t.Errorf("the file is %s, want %s", place.ArtifactLocation.URI, want)
	}
	before, _, _ := strings.Cut(file.Line(2), "nobody")
	from := len(utf16.Encode([]rune(before))) + 1
	if want := (sarifRegion{2, from, 2, from + len("nobody")}); place.Region != want || from != 11 {
		t.Errorf("the region is %v, want %v", place.Region, want)
	}
	if n := results[1].RelatedLocations; len(n) != 1 || n[0].Message.Text != "the other" {
		t.Errorf("the related places are %v", n)
	}
	if rule := run.Tool.Driver.Rules[0]; rule.ShortDescription.Text != pages.Title("unknown-name")+"." || !strings.HasSuffix(rule.HelpURI, "/dsl/pages/unknown-name.md") {
		t.Errorf("the first rule is %+v", rule)
	} else if full := rule.FullDescription.Text; full == rule.ShortDescription.Text || strings.Contains(full, "\n") {
		t.Errorf("the full description is %q", full)
	}
	if driver := run.Tool.Driver; driver.Version != "1.2.3" {
		t.Errorf("the version is %q", driver.Version)
	}
	fix := results[0].Fixes[0].ArtifactChanges
	if len(fix) != 1 || fix[0].ArtifactLocation != place.ArtifactLocation || fix[0].Replacements[0] != (sarifReplacement{place.Region, sarifWords{"body"}}) {
		t.Errorf("the fix is %+v", fix)
	}
	var uris []string
	for _, x := range logs["outside"].Results {
		a := x.Locations[0].PhysicalLocation.ArtifactLocation
		uris = append(uris, a.URIBaseID+" "+a.URI)
	}
	if diff := cmp.Diff([]string{"%SRCROOT% a/b.rules", " file:///home/y.rules", " ../y.rules", "%SRCROOT% ./a:b%0A.rules"}, uris); diff != "" {
		t.Error(diff)
	}
}

// TestFingerprints: a finding keeps its fingerprint when its line moves or is spaced anew, and no two have the same.
func TestFingerprints(t *testing.T) {
	fingerprints := func(text string) []string {
		f := source.New("x.rules", text)
		marks := (&Run{}).prints()
		var out []string
		for _, m := range regexp.MustCompile(`nobody`).FindAllStringIndex(text, -1) {
			out = append(out, marks.of(diag.Diagnostic{Code: "unknown-name", Span: f.Span(m[0], m[1]), Message: fmt.Sprint("seen in line ", m[0])}))
		}
		return out
	}
	was := fingerprints("let a = nobody\nlet b = nobody\nlet b = nobody\n")
	now := fingerprints("// moved\n\nlet a  =  nobody\nlet b = nobody\nlet c = 1\nlet b = nobody\n")
	if diff := cmp.Diff(was, now); diff != "" {
		t.Error(diff)
	}
	if was[0] == was[1] || was[1] == was[2] {
		t.Errorf("the same fingerprint twice: %v", was)
	}
}

func TestGitHub(t *testing.T) {
	got := written(t, GitHub, checked(), Style{})
	for _, want := range []string{
		"::error file=rules/a b%2Cä%25.rules,line=2,endLine=2,col=10,endColumn=16,title=rulerun check%3A unknown-name::" +
			"there is no \"nobody\"\x1b%0Ahelp: did you mean: \"body\"?\n",
		"::warning file=rules/a b%2Cä%25.rules,line=3,endLine=4,title=rulerun check%3A unused::" +
			"100%25 ::error:: <b> & ]]>%0Anote: the other (rules/a b,ä%25.rules:4:9)%0Anote: nowhere\n",
		"::notice title=rulerun check%3A no-place::about nothing\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in\n%s", want, got)
		}
	}
	// Commands that a file's own text holds stay behind the stop.
	r := &Run{Verb: "check"}
	for i := range 25 {
		severity := diag.Severity(i % 2)
		r.Findings.Add(diag.Diagnostic{Severity: severity, Code: "odd", Message: fmt.Sprintf("number %d\n::error::not ours", i)})
	}
	got = written(t, GitHub, r, Style{})
	stop := regexp.MustCompile(`^::stop-commands::(rulerun-[0-9a-f]{64})\n`).FindStringSubmatch(got)
	if stop == nil {
		t.Fatalf("no stop in\n%s", got)
	}
	text, commands, ok := strings.Cut(strings.TrimPrefix(got, stop[0]), "::"+stop[1]+"::\n")
	if !ok || !strings.Contains(text, "number 24\n::error::not ours") {
		t.Errorf("the text is not whole:\n%s", got)
	}
	if n, m := strings.Count(commands, "::error "), strings.Count(commands, "::warning "); n != 10 || m != 10 {
		t.Errorf("%d errors and %d warnings, want 10 each", n, m)
	}
	if want := "3 more errors, 2 more warnings above, not among the annotations\n"; !strings.HasSuffix(commands, want) {
		t.Errorf("the end is %q, want %q", commands[len(commands)-80:], want)
	}
}

func TestGitLab(t *testing.T) {
	for name, r := range runs() {
		var issues []map[string]any
		if err := json.Unmarshal([]byte(written(t, GitLab, r, Style{})), &issues); err != nil {
			t.Fatal(err)
		}
		if issues == nil || len(issues) != len(r.all()) {
			t.Errorf("%s: %d issues, want %d", name, len(issues), len(r.all()))
		}
		seen := map[any]bool{}
		for _, x := range issues {
			place := x["location"].(map[string]any)
			if begin := place["lines"].(map[string]any)["begin"].(float64); begin < 1 || place["path"] == "" || x["description"] == "" || x["check_name"] == "" {
				t.Errorf("%s: %v", name, x)
			}
			if !regexp.MustCompile(`^(info|minor|major|critical|blocker)$`).MatchString(fmt.Sprint(x["severity"])) {
				t.Errorf("%s: severity %v", name, x["severity"])
			}
			if seen[x["fingerprint"]] {
				t.Errorf("%s: the fingerprint %v twice", name, x["fingerprint"])
			}
			seen[x["fingerprint"]] = true
		}
	}
}

func TestJUnit(t *testing.T) {
	for name, r := range runs() {
		text := written(t, JUnit, r, Style{})
		if strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' }) {
			t.Errorf("%s: control characters in\n%s", name, text)
		}
		var got junitSuites
		if err := xml.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, text)
		}
		inSchema(t, name, text)
		tests, bad := 0, 0
		for _, s := range got.Suites {
			if s.Tests != len(s.Cases) {
				t.Errorf("%s: suite %q counts %d, has %d", name, s.Name, s.Tests, len(s.Cases))
			}
			for _, c := range s.Cases {
				tests++
				if c.Name == "" || c.Class == "" || c.Time == "" {
					t.Errorf("%s: a case without its attributes: %+v", name, c)
				}
				if c.Failure != nil || c.Error != nil {
					bad++
				}
			}
		}
		if got.Tests != tests || got.Failures+got.Errors != bad || (bad > 0) != (r.Failed() && r.Verb != "clauses") {
			t.Errorf("%s: %d tests, %d failures, %d errors; found %d and %d", name, got.Tests, got.Failures, got.Errors, tests, bad)
		}
	}
	want := `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rulerun test" tests="4" failures="1" errors="1" time="0.000">
  <testsuite name="rules/broken.rules" tests="1" failures="0" errors="1" skipped="0" time="0.000">
    <testcase name="the file is read" classname="rules.broken" file="rules/broken.rules" line="1" time="0.000">
      <error message="not like any" type="syntax">rules/broken.rules:1:1: error: not like any [syntax]&#xA; 1 | oh&#xA;   | ^^&#xA;</error>
    </testcase>
  </testsuite>
  <testsuite name="rules/a b,ä%.rules" tests="3" failures="1" errors="0" skipped="1" time="0.000">
    <testcase name="it passes" classname="rules.a b,ä%" file="rules/a b,ä%.rules" line="1" time="0.000"></testcase>
    <testcase name="it fails" classname="rules.a b,ä%" file="rules/a b,ä%.rules" line="2" time="0.000">
      <failure message="want 1, got 2" type="test-failed">rules/a b,ä%.rules:2:10: error: want 1, got 2 [test-failed]&#xA; 2 | let 😀a = nobody&#xA;   |          ^^^^^^&#xA;red  home&#xA;blue 5&#xA;</failure>
    </testcase>
    <testcase name="it is left out" classname="rules.a b,ä%" file="rules/a b,ä%.rules" line="3" time="0.000">
      <skipped message="not asked for"></skipped>
    </testcase>
  </testsuite>
</testsuites>
`
	if diff := cmp.Diff(want, written(t, JUnit, tested(), Style{})); diff != "" {
		t.Error(diff)
	}
}

// junitParts are the parts of JUnit's XML that the schemas of both Jenkins (junit-10.xsd) and Surefire
// (surefire-test-report.xsd) know, testsuites apart, which Surefire does not: the attributes, of which those with an
// exclamation mark must be there, and the elements inside, in the order that Surefire wants. File and line are beyond them:
// GitLab and others link to them, and the plug-ins of Jenkins and Surefire pass over what they do not know.
var junitParts = map[string]struct{ attributes, inside []string }{
	"testsuites": {[]string{"name", "tests", "failures", "errors", "time"}, []string{"testsuite"}},
	"testsuite":  {[]string{"name!", "tests!", "failures!", "errors!", "skipped!", "time"}, []string{"testcase"}},
	"testcase":   {[]string{"name!", "classname", "file", "line", "time!"}, []string{"failure", "skipped", "error", "system-out"}},
	"failure":    {[]string{"message", "type!"}, nil},
	"error":      {[]string{"message", "type!"}, nil},
	"skipped":    {[]string{"message"}, nil},
	"system-out": {},
}

// surefireTime is a time as Surefire has it.
var surefireTime = regexp.MustCompile(`^[0-9]*(\.[0-9]{0,3})?$`)

// inSchema holds a document of JUnit against the table above.
func inSchema(t *testing.T, name, text string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(text))
	type level struct {
		name string
		last int // the place of the last element inside
	}
	stack := []level{{"", -1}}
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.StartElement:
			part, known := junitParts[x.Name.Local]
			around := &stack[len(stack)-1]
			at := slices.Index(junitParts[around.name].inside, x.Name.Local)
			if !known || around.name != "" && at < around.last || around.name == "testcase" && at == around.last || at < 0 && around.name != "" {
				t.Errorf("%s: %s inside %q, after number %d", name, x.Name.Local, around.name, around.last)
			}
			around.last = at
			given := map[string]bool{}
			for _, a := range x.Attr {
				given[a.Name.Local] = true
				if !slices.Contains(part.attributes, a.Name.Local) && !slices.Contains(part.attributes, a.Name.Local+"!") {
					t.Errorf("%s: %s has %s", name, x.Name.Local, a.Name.Local)
				}
				if a.Name.Local == "time" && !surefireTime.MatchString(a.Value) {
					t.Errorf("%s: the time is %s", name, a.Value)
				}
			}
			for _, a := range part.attributes {
				if must, ok := strings.CutSuffix(a, "!"); ok && !given[must] {
					t.Errorf("%s: %s lacks %s", name, x.Name.Local, must)
				}
			}
			stack = append(stack, level{x.Name.Local, -1})
		}
	}
}
