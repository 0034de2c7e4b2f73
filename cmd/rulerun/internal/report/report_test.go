package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// file has places worth quoting: a character outside the basic plane, a name that needs escaping, a line twice.
var file = source.New("rules/a b,ä%.rules", "ruleset x \"X\"\nlet 😀a = nobody\nlet b = nobody\nlet b = nobody\n")

// at is the place of the nth occurrence of text, counted from 0.
func at(text string, nth int) source.Span {
	from := 0
	for range nth {
		from += strings.Index(file.Text()[from:], text) + len(text)
	}
	from += strings.Index(file.Text()[from:], text)
	return file.Span(from, from+len(text))
}

// checked is a run of check with a finding of every kind.
func checked() *Run {
	return &Run{
		Verb: "check", Version: "v1.2.3", Files: []string{file.Name(), "rules/fine.rules"},
		Findings: diag.List{
			{Severity: diag.Error, Code: "unknown-name", Span: at("nobody", 0), Message: "there is no \"nobody\"\x1b", Hint: "did you mean: \"body\"?",
				Fixes: []diag.Fix{{Title: "replace it", Edits: []diag.Edit{{Span: at("nobody", 0), New: "body"}, {Span: at("ruleset", 0), New: ""}}}}},
			{Severity: diag.Warning, Code: "unused", Span: at("let b = nobody\nlet b", 0), Message: "100% ::error:: <b> & ]]>",
				Notes: []diag.Note{{Span: at("nobody", 2), Message: "the other"}, {Message: "nowhere"}}},
			{Severity: diag.Info, Code: "no-place", Message: "about nothing"},
		},
		Silenced: []diag.Silenced{{Diagnostic: diag.Diagnostic{Severity: diag.Warning, Code: "unused", Span: at("nobody", 2), Message: "nothing uses it"}, By: diag.Silence{Reason: "for later"}}},
	}
}

// tested is a run of test with a case of every kind.
func tested() *Run {
	return &Run{
		Verb: "test", Version: "v1.2.3", Files: []string{file.Name(), "rules/broken.rules"}, Broken: []string{"rules/broken.rules"},
		Findings: diag.List{{Severity: diag.Error, Code: "syntax", Span: source.New("rules/broken.rules", "oh\n").Span(0, 2), Message: "not like any"}},
		Tests: []Case{
			{Suite: file.Name(), Name: "it passes", Cites: []string{"X-01"}, Span: at("ruleset", 0)},
			{Suite: file.Name(), Name: "it fails", Span: at("let", 0), Failures: []Failure{
				{Finding: diag.Diagnostic{Code: "test-failed", Span: at("nobody", 0), Message: "want 1, got 2"}, Detail: "red  home\nblue 5\n"}}},
			{Suite: file.Name(), Name: "it is left out", Span: at("let", 1), Skipped: "not asked for"},
		},
	}
}

func written(t *testing.T, format Format, r *Run, style Style) string {
	t.Helper()
	var b strings.Builder
	if err := Write(&b, format, r, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	got := written(t, Text, tested(), Style{Verbose: true})
	wanted := `rules/broken.rules:1:1: error: not like any [syntax]
 1 | oh
   | ^^

ok   rules/a b,ä%.rules: it passes [X-01]
FAIL rules/a b,ä%.rules: it fails
rules/a b,ä%.rules:2:10: error: want 1, got 2 [test-failed]
 2 | let 😀a = nobody
   |          ^^^^^^
    red  home
    blue 5

skip rules/a b,ä%.rules: it is left out: not asked for
1 passed, 1 failed, 1 skipped, 1 file with mistakes
rulerun check --explain syntax says more
`
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Error(diff)
	}
	if got := Summary(checked()); got != "2 files: 1 error, 1 warning, 1 note, 1 silenced" {
		t.Error(got)
	}
}

func TestThresholds(t *testing.T) {
	for i, name := range Thresholds() {
		th, ok := ThresholdOf(name)
		if !ok || th != Threshold(i) {
			t.Errorf("%s is %d, %v", name, th, ok)
		}
		for severity := diag.Error; severity <= diag.Info; severity++ {
			r := &Run{FailOn: th, Findings: diag.List{{Severity: severity}}}
			if want := name != "never" && int(severity) <= i; r.Failed() != want {
				t.Errorf("%s with a %s: failed is %v", name, severity, r.Failed())
			}
		}
	}
	if _, ok := ThresholdOf("all"); ok {
		t.Error("there is no threshold \"all\"")
	}
	if r := tested(); !r.Failed() {
		t.Error("a failed test is no failure")
	}
}

// TestNotes: the remarks of a finding reach the readers of every format.
func TestNotes(t *testing.T) {
	for _, name := range Formats("check") {
		format, _ := FormatOf("check", name)
		text := written(t, format, checked(), Style{})
		for _, note := range []string{"the other", "nowhere"} {
			if !strings.Contains(text, note) {
				t.Errorf("%s lacks %q:\n%s", format, note, text)
			}
		}
	}
}
