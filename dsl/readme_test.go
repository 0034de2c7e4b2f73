package dsl

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// wrapped is what stands around an example that is no whole file, so that it can be read and checked.
var wrapped = map[string]string{
	"part":       "%s",
	"clauses":    "rule example \"Example\" {\n%s}\n",
	"statements": "act example() {\n%s}\n",
}

// context declares what the examples speak of.
const context = `ruleset example "Example"

board   cross68
players 4
pieces  4 at home
dice    die = d6
option  bonus = 20
turn { throw die; play die; play earned }
move advance(p in mine) from squares walk steps
move stand(p in mine) stay
var game   protected = true
var team   named: colour
var player purse: 0..99 = 20
var player seen: set of 0..6 = [1, 2]
var colour points = 0
var piece  tired: flag
var turn   sixes = 0
var turn   kept: bag of 1..6
var go     mover: piece
act catch(piece p, piece q) { send q to home }
`

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeExamples reads every example of the reference, and checks all that can be checked by itself.
func TestReadmeExamples(t *testing.T) {
	blocks := regexp.MustCompile("(?s)```rules ?(\\w*)\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) < 15 {
		t.Fatalf("%d examples", len(blocks))
	}
	files := fstest.MapFS{}
	for _, b := range blocks {
		if name := regexp.MustCompile(`^(?:ruleset|change|tests) (\w+)`).FindStringSubmatch(b[2]); b[1] == "" && name != nil {
			files[name[1]+".rules"] = &fstest.MapFile{Data: []byte(b[2])}
		}
	}
	for i, b := range blocks {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			kind, text := b[1], b[2]
			var diags diag.List
			switch kind {
			case "":
				name := strings.Fields(text)[1]
				diags = findings(name+".rules", text, files)
			case "part":
				if !strings.HasPrefix(text, "ruleset") {
					text = "ruleset example \"Example\"\n" + text
				}
				syntax.Parse(source.New("example.rules", text), &diags)
			case "expressions":
				var lets strings.Builder
				lets.WriteString(context)
				for j, line := range strings.Split(strings.TrimSpace(text), "\n") {
					fmt.Fprintf(&lets, "let e%d(piece p, place s, colour c, player x, team t) = %s\n", j, line)
				}
				text = lets.String()
				diags = errorsOf(findings("example.rules", text, files))
			default:
				text = context + fmt.Sprintf(wrapped[kind], "  "+strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")+"\n")
				diags = errorsOf(findings("example.rules", text, files))
			}
			for _, d := range diags {
				t.Error(d)
			}
			formatted, _ := Format(source.New("example.rules", text))
			if kind == "" && formatted != text {
				t.Error(gocmp.Diff(formatted, text))
			}
		})
	}
}

func errorsOf(l diag.List) diag.List {
	return slices.DeleteFunc(l, func(d diag.Diagnostic) bool { return d.Severity != diag.Error })
}

// TestPagesIndex: the page of codes lists every code, group by group, with what its page says first; -update writes it.
func TestPagesIndex(t *testing.T) {
	path := filepath.Join("pages", "README.md")
	want := index()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// index is the page of codes.
func index() string {
	var b strings.Builder
	b.WriteString("# What the checker says\n\nEach finding of `rulerun check` has one of these codes. `rulerun check --explain CODE` prints its page.\n")
	for _, group := range pages.Groups() {
		head := "\n## " + group + "\n\n| code | | |\n|---|---|---|\n"
		for _, code := range pages.Codes() {
			if p, _ := pages.Find(code); p.Group == group {
				fmt.Fprintf(&b, "%s| [`%s`](%s.md) | %s | %s |\n", head, code, code, p.Severity, p.Title)
				head = ""
			}
		}
	}
	return b.String()
}

// codes lists the codes the sources report.
func codes(t *testing.T) map[string]bool {
	t.Helper()
	used := map[string]bool{}
	call := regexp.MustCompile(`(?:[eE]rrorf|Warnf)\("([a-z-]+)"|Code: *"([a-z-]+)"|, "(no-[a-z]+)", "`)
	for _, pattern := range []string{"*.go", "*/*.go", "internal/*/*.go"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range call.FindAllStringSubmatch(string(text), -1) {
				used[m[1]+m[2]+m[3]] = true
			}
		}
	}
	return used
}

// TestCodes: every code is reported for some broken file.
func TestCodes(t *testing.T) {
	reported := map[string]bool{
		"unknown-option":     true, // of a setting, not of a file
		"too-many-faults":    true, // TestLimits
		"missing-expression": true, // boards have them
		"format-failed":      true, // FuzzFormat looks for it
		"bad-clause":         true, // TestReadClausesFaults
		"uncited-clause":     true, // a folder has it, not a file
		"unreadable-file":    true, // TestUnreadable
		"untranslated":       true, // TestCheckWords, and those of other languages below
		"outdated-words":     true,
		"unused-words":       true,
		"bad-catalogue":      true,
	}
	paths, err := filepath.Glob(filepath.Join("testdata", "broken", "*.golden"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m) \[([a-z-]+)\]$`).FindAllStringSubmatch(string(text), -1) {
			reported[m[1]] = true
		}
	}
	for code := range codes(t) {
		if !reported[code] {
			t.Errorf("no broken file shows %s", code)
		}
	}
}

// TestReadmeWords: the tables of words are those of the table of package syntax; -update writes them.
func TestReadmeWords(t *testing.T) {
	for _, table := range []struct {
		head string
		role syntax.Role
	}{
		{"| statement | does |", syntax.StatementWord}, {"| event | when |", syntax.EventWord}, {"| word | type | is |", syntax.ValueWord},
		{"| field | type | is |", syntax.FieldWord}, {"| function | type | gives |", syntax.FunctionWord},
	} {
		text := readme(t)
		columns := strings.Count(table.head, "|") - 1
		head := table.head + "\n" + strings.Repeat("|---", columns) + "|\n"
		from := strings.Index(text, head) + len(head)
		to := from + strings.Index(text[from:], "\n\n") + 1
		var want strings.Builder
		for _, w := range syntax.Words(table.role) {
			form := strings.ReplaceAll(strings.ReplaceAll(cmp.Or(w.Form, w.Text), "|", `\|`), ", or ", "`, `")
			if w.Of != "" {
				form = w.Of + "." + form
			}
			cells := []string{"`" + form + "`", w.Type, w.Doc}
			if columns == 2 {
				cells = slices.Delete(cells, 1, 2)
			}
			want.WriteString("| " + strings.Join(cells, " | ") + " |\n")
		}
		if *update {
			if err := os.WriteFile("README.md", []byte(text[:from]+want.String()+text[to:]), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if diff := gocmp.Diff(want.String(), text[from:to]); diff != "" {
			t.Error(diff)
		}
	}
}

// TestGrammarPage: the page of the grammar has the one the parser reads by; -update writes it.
func TestGrammarPage(t *testing.T) {
	page, err := os.ReadFile("GRAMMAR.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(page)
	const begin, end = "```ebnf\n", "```\n"
	from := strings.LastIndex(text, begin) + len(begin)
	to := from + strings.Index(text[from:], end)
	want := grammar()
	if *update {
		if err := os.WriteFile("GRAMMAR.md", []byte(text[:from]+want+text[to:]), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := gocmp.Diff(want, text[from:to]); diff != "" {
		t.Error(diff)
	}
}

// TestReadmeLength: a person reads the first part of the reference in half an hour, and looks things up in the rest.
func TestReadmeLength(t *testing.T) {
	text := readme(t)
	first, _, _ := strings.Cut(text, "\n# Part two")
	if n := len(strings.Fields(first)); n > 4000 {
		t.Errorf("part one has %d words", n)
	}
	if n := len(strings.Fields(text)); n > 10_000 {
		t.Errorf("the reference has %d words", n)
	}
}

// grammar is the parser's grammar with the names of tokens a reader knows, in lines that fit a page.
func grammar() string {
	g := regexp.MustCompile(`\(\(\?= .*?->"\) (\w+)\)`).ReplaceAllString(syntax.Grammar(), "$1") // looking ahead is the parser's own affair
	g = regexp.MustCompile(`\(\?! [^()]*\) `).ReplaceAllString(g, "")
	for from, to := range map[string]string{"<newline>": "newline", "<name>": "name", "<int>": "digits", "<string>": "text", "<cite>": "ids"} {
		g = strings.ReplaceAll(g, from, to)
	}
	var b strings.Builder
	b.WriteString("File = (Decl | TestDecl)* .\nName = name .\nText = text .\nNumber = \"-\"? digits .\nCites = ids .\n")
	for _, line := range strings.Split(g, "\n") {
		width := 0
		for i, word := range strings.Fields(line) {
			switch {
			case i > 0 && width+len(word) > 110:
				b.WriteString("\n    ")
				width = 4
			case i > 0:
				b.WriteByte(' ')
				width++
			}
			b.WriteString(word)
			width += len(word)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestReadmeShowsEverything: every kind of declaration, clause and statement stands in an example of the reference. The tests of the
// stages behind the parser go through these examples, so that a stage that forgets a kind stops them with its name.
func TestReadmeShowsEverything(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range regexp.MustCompile("(?s)```rules ?(\\w*)\n(.*?)```").FindAllStringSubmatch(readme(t), -1) {
		text := b[2]
		if around := wrapped[b[1]]; around != "" {
			text = fmt.Sprintf(around, "  "+strings.ReplaceAll(text, "\n", "\n  "))
		}
		var diags diag.List
		syntax.Walk(syntax.Parse(source.New("example.rules", text), &diags).Decls, func(node any) bool {
			switch n := node.(type) {
			case *syntax.Kind, *syntax.Clause, *syntax.Stmt:
				name, _ := syntax.Variant(n)
				seen[fmt.Sprintf("%T.%s", n, name)] = true
			case *syntax.Decl:
				if n.Kind != nil && n.Head().Word == "" {
					t.Errorf("%s has no head", n.Span(n.File).Text())
				}
			}
			return true
		})
	}
	for _, x := range []reflect.Type{reflect.TypeFor[*syntax.Kind](), reflect.TypeFor[*syntax.Clause](), reflect.TypeFor[*syntax.Stmt]()} {
		for i := range x.Elem().NumField() {
			if f := x.Elem().Field(i); f.Name != "At" && f.Name != "Cites" && !seen[fmt.Sprintf("%s.%s", x, f.Name)] {
				t.Errorf("no example of the reference has a %s.%s", x, f.Name)
			}
		}
	}
	for _, w := range syntax.Texts(syntax.StatementWord) {
		if !regexp.MustCompile(`(?m)(^|[{;])[ ]*` + w + `\b`).MatchString(readme(t)) {
			t.Errorf("no statement of the reference begins with %q", w)
		}
	}
}
