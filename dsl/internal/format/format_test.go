package format_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/format"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func formatted(t *testing.T, name, text string) string {
	t.Helper()
	out, diags := format.File(source.New(name, text))
	if len(diags) > 0 {
		t.Fatalf("%v\n%s", diags, text)
	}
	return out
}

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func glob(t testing.TB, pattern string, least int) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) < least {
		t.Fatalf("%d files for %s, want %d: %v", len(paths), pattern, least, err)
	}
	return paths
}

// TestGolden formats untidy files.
func TestGolden(t *testing.T) {
	for _, path := range glob(t, "../../testdata/format/*.rules", 3) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			got := formatted(t, path, read(t, path))
			golden := strings.TrimSuffix(path, ".rules") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(read(t, golden), got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(got, formatted(t, path, got)); diff != "" {
				t.Errorf("formatting it again changes it:\n%s", diff)
			}
		})
	}
}

// TestRuleFiles: the rule files stand as the formatter writes them, and it finds its way back from other blanks.
func TestRuleFiles(t *testing.T) {
	for _, path := range glob(t, "../../testdata/rules/*.rules", 20) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			want := read(t, path)
			if diff := cmp.Diff(want, formatted(t, path, want)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(want, formatted(t, path, scramble(want))); diff != "" {
				t.Errorf("from other blanks:\n%s", diff)
			}
		})
	}
}

// scramble changes every blank that says nothing.
func scramble(text string) string {
	var b strings.Builder
	b.WriteString("\uFEFF\r\n\r\n")
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if line == "" {
			b.WriteString("\t\r\n \r\n")
			continue
		}
		if line[0] == ' ' || line[0] == '/' {
			b.WriteString("\t ")
		}
		quoted, blank := false, false
		line = strings.TrimLeft(line, " ")
		for i := range len(line) {
			c := line[i]
			if c == '"' {
				quoted = !quoted
			}
			if !quoted && strings.HasPrefix(line[i:], "//") {
				b.WriteString(line[i:])
				break
			}
			if c == ' ' && !quoted {
				if blank {
					continue
				}
				b.WriteString(" \t ")
			} else {
				b.WriteByte(c)
			}
			blank = c == ' ' && !quoted
		}
		b.WriteString("  \r\n")
	}
	return b.String()
}

// TestComments puts a comment into every gap between two tokens. Where the file can still be read, the comment stays,
// and the second time nothing changes.
func TestComments(t *testing.T) {
	text := read(t, "../../testdata/format/messy.golden")
	var diags diag.List
	tokens := syntax.Parse(source.New("messy.rules", text), &diags).Tokens()
	read, tried := 0, 0
	for i, token := range tokens {
		if i%3 != 0 { // every gap takes ten seconds
			continue
		}
		tried++
		with := text[:token.Start] + " // here\n  " + text[token.Start:]
		var faults diag.List
		if syntax.Parse(source.New("messy.rules", with), &faults); faults.HasErrors() {
			continue
		}
		read++
		out := formatted(t, "messy.rules", with)
		if !strings.Contains(out, "// here\n") {
			t.Errorf("the comment is gone:\n%s", out)
		}
		if diff := cmp.Diff(out, formatted(t, "messy.rules", out)); diff != "" {
			t.Errorf("formatting it again changes it:\n%s", diff)
		}
	}
	if read < tried/3 {
		t.Errorf("a comment could stand in %d of %d gaps", read, tried)
	}
}

// TestFaults: a file that cannot be read comes back as it is.
func TestFaults(t *testing.T) {
	const text = "ruleset x \"X\"\n\nrule   y \"Y\" {\n  may enter(\n}\n"
	out, diags := format.File(source.New("x.rules", text))
	if out != text || !diags.HasErrors() {
		t.Errorf("got %q with %v", out, diags)
	}
}

func FuzzFormat(f *testing.F) {
	for _, pattern := range []string{"../../testdata/rules/*.rules", "../../testdata/format/*.rules", "../../testdata/broken/*.rules"} {
		for _, path := range glob(f, pattern, 0) {
			f.Add(read(f, path))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		out, diags := format.File(source.New("fuzz.rules", text))
		if diags.HasErrors() {
			for _, d := range diags {
				if d.Code == "format-failed" {
					t.Fatal(d)
				}
			}
			if out != text {
				t.Fatal("a file with faults was changed")
			}
			return
		}
		again, diags := format.File(source.New("fuzz.rules", out))
		if len(diags) > 0 {
			t.Fatal(diags)
		}
		if diff := cmp.Diff(out, again); diff != "" {
			t.Fatalf("formatting it again changes it:\n%s", diff)
		}
	})
}
