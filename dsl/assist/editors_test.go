package assist

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// editors is where the colours for editors are kept.
const editors = "../../examples/editors/"

// spelt lists the words of a role; of "turn begins" both words.
func spelt(role syntax.Role) []string {
	var out []string
	for _, m := range syntax.Words(role) {
		out = append(out, strings.Fields(m.Text)...)
	}
	return out
}

// grammarWords lists the words the parser's own grammar has in quotes.
func grammarWords() []string {
	var out []string
	for _, m := range regexp.MustCompile(`"([a-z]+)"`).FindAllStringSubmatch(syntax.Grammar(), -1) {
		out = append(out, m[1])
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// languageWords lists all words of the language, by the part of a set of colours that must have them.
func languageWords() map[string][]string {
	values := slices.DeleteFunc(spelt(syntax.ValueWord), func(w string) bool { return w == "p" }) // the walker, a name like others elsewhere
	return map[string][]string{
		"declaration": syntax.Starters("", false),
		"clause":      append(syntax.Starters("rule", false), spelt(syntax.VerdictWord)...),
		"statement":   syntax.Starters("turn", false),
		"test-line":   syntax.Starters("test", false),
		"event":       spelt(syntax.EventWord),
		"function":    spelt(syntax.FunctionWord),
		"value":       append(values, "squares"),
		"type":        spelt(syntax.TypeWord),
		"scope":       spelt(syntax.ScopeWord),
		"joint":       spelt(syntax.JointWord),
		"operator":    spelt(syntax.OperatorWord),
		"":            grammarWords(),
	}
}

var update = flag.Bool("update", false, "add words that are missing to the colours for editors")

// golden holds the words of a set of colours, by their parts, against the language's. With -update add puts a word that is
// missing into a part of the file's text, which is written.
func golden(t *testing.T, path string, got map[string][]string, add func(text, part, word string) string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	language := languageWords()
	for _, part := range slices.Sorted(maps.Keys(language)) {
		for _, w := range language[part] {
			if slices.Contains(got[part], w) {
				continue
			}
			if *update {
				if part != "" {
					text = add(text, part, w)
				}
				continue
			}
			t.Errorf("%s does not have %q", part, w)
		}
	}
	if text != string(data) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for part, words := range got {
		for _, w := range words {
			known := expr.IsBuiltin(w) || w == "outer" || w == "yes" // of #outer, and an answer in tests
			for _, list := range language {
				known = known || slices.Contains(list, w)
			}
			if !known {
				t.Errorf("%s has %q, which is no word of the language", part, w)
			}
		}
	}
}

// patterns gathers the regular expressions of a TextMate rule and all within it.
func patterns(rule any) []string {
	var out []string
	switch rule := rule.(type) {
	case map[string]any:
		for key, v := range rule {
			if s, ok := v.(string); ok && (key == "match" || key == "begin" || key == "end") {
				out = append(out, s)
			} else if !ok {
				out = append(out, patterns(v)...)
			}
		}
	case []any:
		for _, v := range rule {
			out = append(out, patterns(v)...)
		}
	}
	return out
}

// escapes are the parts of a regular expression with letters that stand for themselves no more.
var escapes = regexp.MustCompile(`\\[pP]\{\w+\}|\\[a-zA-Z]|\[[^\]]*\]`)

// TestTextMateWords: the TextMate grammar has every word of the language in the part it belongs to, and no other.
func TestTextMateWords(t *testing.T) {
	data, err := os.ReadFile(editors + "vscode/syntaxes/rules.tmLanguage.json")
	if err != nil {
		t.Fatal(err)
	}
	var grammar struct{ Repository map[string]any }
	if err := json.Unmarshal(data, &grammar); err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for part, rule := range grammar.Repository {
		parts := []string{part}
		switch {
		case part == "declaration-var":
			parts = []string{"declaration", "scope"}
		case part == "constant":
			parts = []string{"value"}
		case strings.HasPrefix(part, "declaration-"):
			parts = []string{"declaration"}
		case part == "comment" || part == "number":
			continue // words that are no words of the language, d6
		}
		for _, p := range patterns(rule) {
			words := regexp.MustCompile(`[a-zA-Z]{2,}|\bx\b`).FindAllString(escapes.ReplaceAllString(p, " "), -1)
			for _, name := range append(parts, "") {
				got[name] = append(got[name], words...)
			}
		}
	}
	golden(t, editors+"vscode/syntaxes/rules.tmLanguage.json", got, func(text, part, word string) string {
		from := strings.Index(text, "\n    \""+part+"\": {")
		if from < 0 {
			return text
		}
		longest := []int{from, from} // the list of words of the part: (if|put|send)
		section := text[from:]
		if end := regexp.MustCompile(`\n    "[a-z-]+": \{`).FindAllStringIndex(section, 2); len(end) == 2 {
			section = section[:end[1][0]]
		}
		for _, at := range regexp.MustCompile(`\((?:\?:)?[a-zA-Z]+(?:\|[a-zA-Z]+)+\)`).FindAllStringIndex(section, -1) {
			if at[1]-at[0] > longest[1]-longest[0] {
				longest = []int{from + at[0], from + at[1]}
			}
		}
		return text[:longest[1]-1] + "|" + word + text[longest[1]-1:]
	})
}

// TestVimWords: the same of the colours for Vim, whose groups are called after the parts.
func TestVimWords(t *testing.T) {
	data, err := os.ReadFile(editors + "vim/syntax/rulerun.vim")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	line := regexp.MustCompile(`(?m)^syn keyword rulerun(\w+) contained (.*)$`)
	for _, m := range line.FindAllStringSubmatch(string(data), -1) {
		part := map[string]string{"TestLine": "test-line", "Constant": "value", "Verdict": "clause"}[m[1]]
		if part == "" {
			part = strings.ToLower(m[1])
		}
		words := strings.Fields(m[2])
		got[part] = append(got[part], words...)
		got[""] = append(got[""], words...)
	}
	golden(t, editors+"vim/syntax/rulerun.vim", got, func(text, part, word string) string {
		group := map[string]string{"test-line": "TestLine"}[part]
		if group == "" {
			group = strings.ToUpper(part[:1]) + part[1:]
		}
		lines := regexp.MustCompile(`(?m)^syn keyword rulerun`+group+` contained .*$`).FindAllStringIndex(text, -1)
		if len(lines) == 0 {
			return text
		}
		end := lines[len(lines)-1][1]
		return text[:end] + " " + word + text[end:]
	})
}

// TestEveryWordIsTried: the text the colours are tried on holds every word of the language, and is well written.
func TestEveryWordIsTried(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"everything", "change", "tests", "derived", "other"} {
		data, err := os.ReadFile(editors + "vscode/test/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
		var faults diag.List
		syntax.Parse(sourceOf(string(data)), &faults)
		for _, f := range faults {
			t.Errorf("%s: %v", name, f)
		}
	}
	for part, words := range languageWords() {
		for _, w := range words {
			if !regexp.MustCompile(`\b` + w + `\b`).MatchString(all.String()) {
				t.Errorf("%q, of %s, stands in none of them", w, part)
			}
		}
	}
}

// vimDump writes, for every line LINE COLUMN of the file "places", the group Vim colours that place of "text.rules" with.
const vimDump = `set nocompatible enc=utf-8
set runtimepath^=%s
filetype plugin indent on
syntax on
edit text.rules
let out = [&filetype, &makeprg]
for place in readfile('places')
  let [l, c] = split(place)
  call add(out, synIDattr(synID(l, c, 1), 'name'))
endfor
call writefile(out, 'groups')
cgetfile found
call writefile(map(getqflist(), {_, e -> bufname(e.bufnr) .. ' ' .. e.lnum .. ' ' .. e.col .. ' ' .. e.type .. ' ' .. e.text}), 'errors')
normal! gg=G
write! indented.rules
qall!
`

// TestVim starts Vim without a screen: every word the language server calls one of the language has a colour, what check
// prints is understood, and a well written file keeps its indentation.
func TestVim(t *testing.T) {
	vim, err := exec.LookPath("vim")
	if err != nil {
		t.Skip("there is no vim")
	}
	if out, err := exec.Command(vim, "--version").Output(); err != nil || !strings.Contains(string(out), "+syntax") || !strings.Contains(string(out), "+eval") {
		t.Skip("this vim knows no colours")
	}
	folder, err := filepath.Abs(editors + "vim")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vscode/test/everything.txt", "../../rulesets/cicloparchis.rules", "../../rulesets/ludoteka.rules", "../../rulesets/patolli.rules"} {
		data, err := os.ReadFile(editors + name)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		tokens := Read(sourceOf(string(data)), noFiles{}).Tokens()
		var places strings.Builder
		for _, x := range tokens {
			line := x.Span.Position().Line
			fmt.Fprintln(&places, line, x.Span.Start-x.Span.File.LineStart(line)+1) // Vim counts bytes
		}
		for file, text := range map[string]string{
			"text.rules": string(data), "places": places.String(), "dump.vim": fmt.Sprintf(vimDump, strings.ReplaceAll(folder, " ", `\ `)),
			"found": "text.rules:4:13: error: board \"b\" has no zone \"hme\" [unknown-zone]\n 4 | pieces 4 at hme\n   |             ^^^\n  help: did you mean \"home\"?\n\n1 file: 1 error, 0 warnings\n",
		} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command(vim, "-e", "-s", "-u", "NONE", "-i", "NONE", "-n", "-S", "dump.vim")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir, "TERM=dumb", "LC_ALL=C.UTF-8")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("vim: %v\n%s", err, out)
		}
		read := func(file string) string {
			data, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
		groups := strings.Split(read("groups"), "\n")
		if groups[0] != "rulerun" || groups[1] != "rulerun check %:S" {
			t.Fatalf("%s is of type %q and made by %q", name, groups[0], groups[1])
		}
		wrong := 0
		for i, x := range tokens {
			got := strings.TrimPrefix(groups[i+2], "rulerun")
			if !vimAgrees(x, got) {
				if wrong++; wrong <= 20 {
					at := x.Span.Position()
					t.Errorf("%s:%d:%d: %q is of group %q", name, at.Line, at.Column, x.Span.Text(), got)
				}
			}
		}
		if got, want := read("errors"), "text.rules 4 13 e board \"b\" has no zone \"hme\" [unknown-zone]\n"; got != want {
			t.Errorf("the errors are %q, want %q", got, want)
		}
		was, is := strings.Split(string(data), "\n"), strings.Split(read("indented.rules"), "\n")
		for i := range was {
			if was[i] != is[i] {
				t.Errorf("%s:%d: indented as %q", name, i+1, is[i])
			}
		}
	}
}

// vimAgrees reports whether a group of Vim's is one for a token.
func vimAgrees(x Token, group string) bool {
	word := slices.Contains([]string{
		"Declaration", "Statement", "Clause", "Verdict", "Event", "TestLine", "Expect", "Function", "Value", "Constant", "Type",
		"Scope", "Joint", "Operator", "Header", "Word",
	}, group)
	switch x.Kind {
	case KeywordToken:
		text := x.Span.Text()
		return word || text == "p" || text == "home" /* names it cannot look up */ || group == "Number" && regexp.MustCompile(`^d\d+$`).MatchString(text)
	case NumberToken:
		return group == "Number"
	case TextToken:
		return group == "Text"
	case CommentToken:
		return group == "Comment"
	case CiteToken:
		return group == "Cite"
	}
	return group != "Text" && group != "Comment" && group != "Declaration" && group != "Clause"
}
