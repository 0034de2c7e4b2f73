package diag_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

func sample() diag.List {
	f := source.New("x.rules", "\uFEFFlet ä = b\r\n\tlet \x1b[31m = 1\n"+strings.Repeat("long ", 100)+"\n")
	var l diag.List
	l.Warnf("unused", f.Span(f.LineStart(2)+1, f.LineStart(2)+4), "nobody uses it")
	l.Errorf("unknown-name", f.Span(12, 13), "there is no %q here", "b").DidYouMean("a").WithNote(f.Span(7, 9), "declared here")
	l.Errorf("too-long", f.Span(f.LineStart(3)+250, f.LineStart(3)+254), "this goes on and on")
	l.Errorf("unknown-name", f.Span(12, 13), "there is no %q here", "b")
	l.Errorf("unknown-option", source.Span{}, "there is no option %q", "x")
	l.Sort()
	return l
}

func TestWrite(t *testing.T) {
	got := sample().Text(diag.Style{})
	const want = `error: there is no option "x" [unknown-option]

x.rules:1:9: error: there is no "b" here [unknown-name]
 1 | let ä = b
   |         ^
  note: declared here (x.rules:1:5)
  help: did you mean "a"?

x.rules:2:2: warning: nobody uses it [unused]
 2 | 	let �[31m = 1
   | 	^^^

x.rules:3:251: error: this goes on and on [too-long]
 3 | … long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long long
   |                                          ^^^^
`
	lines, wants := strings.Split(got, "\n"), strings.Split(want, "\n")
	if diff := cmp.Diff(wants[:12], lines[:12]); diff != "" {
		t.Error(diff)
	}
	if len(lines) != len(wants) || len(lines[13]) > 200 || !strings.Contains(lines[14], "^^^^") {
		t.Error(got)
	}
}

func TestNearest(t *testing.T) {
	known := []string{"barriers", "captures", "die", "home", "x"}
	for name, want := range map[string]string{
		"barrier": "barriers", "Captures": "captures", "dei": "die", "hoem": "home", "entirely": "", "": "", "y": "", "die": "",
	} {
		if got := diag.Nearest(name, known); got != want {
			t.Errorf("nearest to %q is %q, want %q", name, got, want)
		}
	}
}

// TestRefSurvivesGrowth: what is added through a reference stays in the list, however much the list grows in between.
func TestRefSurvivesGrowth(t *testing.T) {
	var l diag.List
	first := l.Errorf("unknown-name", source.Span{}, "the first")
	for range 100 {
		l.Errorf("unknown-name", source.Span{}, "another")
	}
	first.WithNote(source.Span{}, "a note").Suggest("hoem", []string{"home"}, "there is: home")
	if d := l[0]; len(d.Notes) != 1 || d.Hint != `did you mean "home"?` {
		t.Errorf("the first finding has %d notes and the hint %q", len(d.Notes), d.Hint)
	}
}
