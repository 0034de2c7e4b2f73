package dsl

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl/source"
)

// FuzzCheck: no text makes the checker panic or hang, and a file in which it finds no error has rules in its default setting. Of the broken
// files, which TestBroken checks so too, some are seeds where nothing is fuzzed.
func FuzzCheck(f *testing.F) {
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	for _, folder := range []string{"rules", "broken"} {
		paths, err := filepath.Glob(filepath.Join("testdata", folder, "*.rules"))
		if err != nil {
			f.Fatal(err)
		}
		for i, path := range paths {
			if folder == "broken" && !fuzzing && i%10 != 0 {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	lib := near(nil)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10000 {
			return
		}
		begin := time.Now()
		agrees(t, lib, "fuzz.rules", text)
		if took := time.Since(begin); took > time.Minute {
			t.Errorf("took %v", took)
		}
	})
}

// TestLimits feeds files that would eat time or memory.
func TestLimits(t *testing.T) {
	const head = "ruleset big \"Big\"\nboard cross68\nplayers 2\npieces 4 at home\ndice die = d6\nturn { throw die }\n"
	var lets, unknown, options, doubles, rows strings.Builder
	for i := range 30 {
		fmt.Fprintf(&doubles, "let c%d = c%d + c%d\n", i+1, i, i)
	}
	for i := range 9000 {
		fmt.Fprintf(&lets, "let a%d = a%d\n", i, i+1)
		fmt.Fprintf(&unknown, "let b%d = nobody%d\n", i, i)
	}
	for i := range 500 {
		fmt.Fprintf(&options, "option o%d = false\n", i)
	}
	for i := range 20_000 {
		fmt.Fprintf(&rows, "%d\n", i)
	}
	for name, test := range map[string]struct{ text, code string }{
		"rows":          {head + "test \"t\" {\n  cases n\n" + rows.String() + "  expect that n == 1 // and more of it, so that there is much\n}\n", "too-large"},
		"a long row":    {head + "test \"t\" {\n  cases n\n" + strings.Repeat("1 ", 100_000) + "\n  throw n\n}\n", "bad-table"},
		"columns":       {head + "test \"t\" {\n  cases " + strings.Repeat("n ", 50_000) + "\n1\n  throw n\n}\n", "declared-twice"},
		"a long name":   {head + "test \"" + strings.Repeat("t", 60_000) + "\" {\n  cases n\n" + rows.String() + "  throw n\n}\n", "too-large"},
		"bytes":         {"// " + strings.Repeat("x", 10_000_000), "too-large"},
		"parens":        {head + "let a = " + strings.Repeat("(", 100_000), "too-large"},
		"lists":         {head + "let a = " + strings.Repeat("[", 3000), "too-deep"},
		"braces":        {head + "turn " + strings.Repeat("{", 100_000), "too-deep"},
		"blocks":        {head + "setup " + strings.Repeat("{ if true ", 20_000), "too-deep"},
		"branches":      {head + "setup { if true { again }" + strings.Repeat(" else if true { again }", 9000) + " }", "too-deep"},
		"signs":         {head + "let a = " + strings.Repeat("- ", 1500) + "1", "too-deep"},
		"operators":     {head + "let a = 1" + strings.Repeat(" + 1", 900), "too-deep"},
		"choices":       {head + "let a = " + strings.Repeat("true ? 1 : ", 300) + "1", "too-deep"},
		"zero bytes":    {strings.Repeat("\x00", 200_000), "bad-character"},
		"broken bytes":  {strings.Repeat("a\xff", 100_000), "bad-character"},
		"declarations":  {strings.Repeat("nonsense\n", 25_000), "too-many-faults"},
		"statements":    {head + "setup {\n" + strings.Repeat("  again again\n", 15_000) + "}\n", "syntax"},
		"types":         {head + "let a(" + strings.Repeat("set of ", 30_000) + "piece p) = 1", "too-deep"},
		"place":         {head + "test \"t\" {\n  given " + strings.Repeat("a-", 50_000) + "a\n}\n", "unknown-colour"},
		"chain of lets": {head + lets.String() + "let a9000 = 1\n", "too-deep"},
		"doubled lets":  {head + "let c0 = die\n" + doubles.String(), "too-large"},
		"unknown names": {head + unknown.String(), "unknown-name"},
		"options":       {head + options.String() + "let x = nobody\n", "unknown-name"},
		"dice":          {head + "dice " + strings.Repeat("a, ", 9000) + "b = d1000\n", "declared-twice"},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			diags := findings("big.rules", test.text, nil)
			found := false
			for _, d := range diags {
				found = found || d.Code == test.code
			}
			if !found {
				t.Errorf("want %s, got %.2000s", test.code, diags.Error())
			}
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestLineEnds: line ends of other systems and a byte order mark change nothing.
func TestLineEnds(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "rules", "parchis4a.rules"))
	if err != nil {
		t.Fatal(err)
	}
	other := "\uFEFF" + strings.ReplaceAll(string(text), "\n", "\r\n")
	for _, d := range findings("parchis4a.rules", other, nil) {
		t.Error(d)
	}
	formatted, diags := Format(source.New("parchis4a.rules", other))
	if formatted != string(text) || len(diags) > 0 {
		t.Error("formatting does not give the usual line ends", diags)
	}
	for _, d := range findings("x.rules", "\uFEFFrulset x \"X\"\r\nboard  5\r\n", nil) {
		if p := d.Span.Position(); d.Code == "unknown-declaration" && p.Column != 1 || d.Code == "syntax" && p.Column != 8 {
			t.Error(d)
		}
	}
}
