package pages_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/explore"
	"github.com/rulerun/rulerun/interpreter/suite"
	"github.com/rulerun/rulerun/rulesets"
)

// exempt says why the examples of a page are not run.
var exempt = map[string]string{
	"too-many-faults": "it takes thousands of faults",
	"unreadable-file": "it is about what a file is, not what is in it",
	"format-failed":   "it would be a fault of the program",
	"not-formatted":   "it is found by fmt --check",
	"open-clause":     "it is found by clauses",
	"unnoticed":       "it is found by test --mutate",
	"uncited-clause":  "it is found in a folder",
	"bad-record":      "it is found by test, of recorded games",
	"unknown-option":  "it is about a setting, not about a file",
}

// The calls that report a code in Go sources, and those after which "duplicate-" and their last word is one.
var (
	reporting = regexp.MustCompile(`(?:\b\w*(?:[eE]rrorf|[wW]arnf|[iI]nfof|[nN]otef|fault|warn|harm)\(|\bCode: *)"([a-z]+(?:-[a-z]+)*)"|, "(no-[a-z]+)", "\w+ `)
	doubling  = regexp.MustCompile(`\.(?:distinct|claim|claimShared)\([^()"]*, "([a-z]+)"\)`)
)

// TestCodes: every code the sources report has a page, and every page a code.
func TestCodes(t *testing.T) {
	var reported []string
	for _, folder := range []string{"boards", "dsl", "interpreter", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, m := range reporting.FindAllStringSubmatch(string(text), -1) {
				reported = append(reported, m[1]+m[2])
			}
			for _, m := range doubling.FindAllStringSubmatch(string(text), -1) {
				reported = append(reported, "duplicate-"+m[1])
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(reported)
	if diff := cmp.Diff(slices.Compact(reported), pages.Codes()); diff != "" {
		t.Errorf("codes in the sources (-) and pages (+): %s", diff)
	}
}

// example is a part of a page with files; the first is the one to check.
type example struct {
	with  bool     // it has the fault
	also  []string // codes it may have besides
	names []string
	files fstest.MapFS
}

var (
	fence  = regexp.MustCompile("(?ms)^```(\\w+) ?([^\n]*)\n(.*?)^```$")
	naming = regexp.MustCompile(`(?m)^(?:ruleset|change|tests|board:) *([\w-]+)`)
	link   = regexp.MustCompile(`\]\(([^)]*)\)`)
)

// examples takes a page apart: the sections that begin with "With it" and "Without it" and the files in them.
func examples(text string) []example {
	var out []example
	for _, section := range strings.Split(text, "\n## ")[1:] {
		head, body, _ := strings.Cut(section, "\n")
		with, without := strings.HasPrefix(head, "With it"), strings.HasPrefix(head, "Without it")
		if !with && !without {
			continue
		}
		x := example{with: with, files: fstest.MapFS{}}
		for i, m := range fence.FindAllStringSubmatch(body, -1) {
			name := m[2]
			if name == "" {
				name = fmt.Sprintf("example%d", i)
				if n := naming.FindStringSubmatch(m[3]); n != nil {
					name = n[1]
				}
				name += "." + m[1]
			}
			x.names = append(x.names, name)
			x.files[name] = &fstest.MapFile{Data: []byte(m[3])}
		}
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(body, ""), -1) {
			x.also = append(x.also, strings.TrimSuffix(m[1], ".md"))
		}
		out = append(out, x)
	}
	return out
}

// check finds what there is to say about an example's first file, and runs its tests.
func (x example) check(t *testing.T, played bool) diag.List {
	name := x.names[0]
	file := source.New(name, string(x.files[name].Data))
	lib := dsl.Library{Beside: x.files, Shipped: rulesets.FS}
	switch filepath.Ext(name) {
	case ".clauses":
		_, l := dsl.ReadClauses(file)
		return l
	case ".yaml":
		_, l := boards.Read(file, nil, func(name string) (*source.File, bool) { return lib.Board(name, nil) })
		return l
	}
	b, l := dsl.Load(file, lib)
	if b == nil {
		return l
	}
	l = dsl.Check(b)
	if len(x.names) > 1 && filepath.Ext(x.names[1]) == ".json" {
		l = append(l, b.CheckWords("es")...)
	}
	if !l.HasErrors() {
		for _, r := range suite.Run(context.Background(), suite.Of(b), suite.Options{}, nil) {
			l = append(l, r.Findings()...)
		}
	}
	if played && !l.HasErrors() {
		games := explore.Of(b)
		unnoticed, noticed := suite.Prove(context.Background(), b, games.Compile).UnnoticedChange(games.TestLines)
		l = append(l, unnoticed...)
		r, err := games.Explore(context.Background(), explore.Options{Seed: 1, Plays: 200})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			l = append(l, f.Diagnostic)
		}
		if !l.HasErrors() {
			l = append(l, games.NoDifference(context.Background(), 1, l.Overlaps, noticed)...)
		}
	}
	return l
}

// TestPages: every page has its parts, its links lead somewhere, and its examples show what it says and nothing else.
func TestPages(t *testing.T) {
	for _, code := range pages.Codes() {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			p, ok := pages.Find(code)
			if !ok || !strings.HasPrefix(p.Text, "# "+code+"\n\n"+p.Title+".\n\n") || !slices.Contains(pages.Groups(), p.Group) {
				t.Fatalf("the page does not begin as it should: %+v", p)
			}
			at := 0
			for _, part := range []string{"\n## What it means\n", "\n## How to mend it\n", "\n## Related\n"} {
				i := strings.Index(p.Text, part)
				if i < at {
					t.Errorf("%q is missing or out of order", strings.TrimSpace(part))
				}
				at = i
			}
			if strings.Contains(p.Text, "\n- ") {
				t.Error("it has a list, which a terminal shows as one paragraph")
			}
			for _, m := range link.FindAllStringSubmatch(p.Text, -1) {
				path, _, _ := strings.Cut(m[1], "#")
				if _, err := os.Stat(path); err != nil && path != "" {
					t.Errorf("the link to %s leads nowhere", m[1])
				}
			}
			if exempt[code] == "" {
				testExamples(t, p)
			}
		})
	}
}

func testExamples(t *testing.T, p pages.Page) {
	xs := examples(p.Text)
	if len(xs) < 2 || len(xs)%2 != 0 {
		t.Fatalf("%d examples", len(xs))
	}
	for i, x := range xs {
		if x.with != (i%2 == 0) || len(x.names) == 0 {
			t.Fatalf("example %d is out of order or has no file", i)
		}
		found := 0
		l := x.check(t, p.Group == "Found by playing")
		text := l.Text(diag.Style{})
		for _, d := range l {
			switch {
			case !x.with:
				t.Errorf("the mended example has a fault:\n%s", text)
			case d.Code == p.Code && slices.Contains(strings.Split(p.Severity, " or "), d.Severity.String()):
				found++
			case !slices.Contains(x.also, d.Code):
				t.Errorf("the example has another fault:\n%s", text)
			}
		}
		if x.with && found == 0 {
			t.Errorf("the example does not have it:\n%s", text)
		}
		if testing.Verbose() {
			t.Logf("%s", text)
		}
	}
}

// TestFind: what is no code has no page.
func TestFind(t *testing.T) {
	for _, code := range []string{"", "none", "../pages", "pages.go"} {
		if p, ok := pages.Find(code); ok || pages.Title(code) != "" {
			t.Errorf("%q has a page: %+v", code, p)
		}
	}
}
