package assist_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
	"github.com/rulerun/rulerun/rulesets"
)

// ruleFiles lists the shipped and example rule files, and those of tests.
func ruleFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../../rulesets/*.rules", "../../examples/*/*.rules", "../testdata/rules/*.rules", "../../interpreter/testdata/*/*.rules"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		out = append(out, paths...)
	}
	return out
}

// libraries caches the library of each folder of rule files: those of one folder build on the same files.
var libraries sync.Map

// library is what a rule file of a folder finds.
func library(folder string) dsl.Library {
	lib, _ := libraries.LoadOrStore(folder, dsl.Library{Beside: os.DirFS(folder), Shipped: rulesets.FS, Shared: &dsl.Shared{}})
	return lib.(dsl.Library)
}

// open reads a rule file with its neighbours.
func open(t *testing.T, path string) *assist.Draft {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	name, lib := filepath.Base(path), library(filepath.Dir(path))
	if strings.HasPrefix(name, "part_") { // others have read it, and what is said of it would be about their file
		lib.Shared = nil
	}
	return assist.Read(source.New(name, string(text)), lib)
}

// unnamed are words that mean no thing: a name that is not used, a die's sides, what expr-lang reads.
var unnamed = regexp.MustCompile(`^(_|d[0-9]+|squares|true|false|and|or|not|in|yes|no|none|outer)$`)

// TestEveryName: every word of a sound rule file is a word of the grammar or has a meaning, which a hover shows.
func TestEveryName(t *testing.T) {
	grammar := map[string]bool{}
	for _, m := range regexp.MustCompile(`"([a-z]+)"`).FindAllStringSubmatch(syntax.Grammar(), -1) {
		grammar[m[1]] = true
	}
	for _, word := range []string{"game", "turn", "go", "piece", "team", "player", "colour"} { // scopes
		grammar[word] = true
	}
	seen := 0
	for _, path := range ruleFiles(t) {
		d := open(t, path)
		if d.Names == nil {
			t.Fatal(path, "has no names")
		}
		for _, token := range d.Tree.Tokens() {
			if token.Kind != syntax.TokenWord || grammar[token.Text] || unnamed.MatchString(token.Text) {
				continue
			}
			seen++
			if text, _ := d.Hover(d.File.Name(), token.Start); text == "" {
				p := d.File.Position(token.Start)
				if line := d.File.Line(p.Line); !regexp.MustCompile(`^ *set .*= *` + token.Text).MatchString(line) { // a word an option can be
					t.Errorf("%s:%d:%d: %q means nothing: %s", path, p.Line, p.Column, token.Text, line)
				}
			}
		}
	}
	if seen < 10000 {
		t.Errorf("only %d names were seen", seen)
	}
}

// TestBrokenFiles asks everything at some places of every file with faults.
func TestBrokenFiles(t *testing.T) {
	paths, err := filepath.Glob("../testdata/broken/*.rules")
	if err != nil || len(paths) < 60 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		d := open(t, path)
		size := len(d.File.Text())
		if size > 20000 {
			continue
		}
		for i := range 4 {
			at := size * i / 4
			d.Complete(at)
			assist.References([]*assist.Draft{d}, d.File.Name(), at)
		}
		laws(t, d)
	}
}

const (
	caught = "ruleset caught \"Caught\"\n\nboard cross68\nplayers 2..4\npieces 2 at home\ndice die = d6\n\nturn { throw die; play die }\n\n" +
		"move advance(q in mine) walk steps\n\nact catch(piece a, piece b) { send b to home }\n\n" +
		"rule catching \"Caught\" {\n  may advance(q)\n  on land(q, s) { for r in s.pieces { do catch(q, r) } }\n  win player x when all(x.pieces, .at == goal)\n}\n"
	renamed = "change renamed \"Renamed\" for caught\n\nrename catch to grab\nrename catching to grabbing\n\n" +
		"rule more \"More\" {\n  on grab(a, b) { again }\n}\n\nreplace rule grabbing \"Now\" {\n  may advance(q)\n  on land(q, s) { for r in s.pieces { do grab(q, r) } }\n}\n"
)

// TestRenamed: what a rename line has renamed has two names, and each is changed where it is said.
func TestRenamed(t *testing.T) {
	beside := fstest.MapFS{"caught.rules": {Data: []byte(caught)}, "renamed.rules": {Data: []byte(renamed)}}
	lib := dsl.Library{Beside: beside, Shipped: rulesets.FS}
	drafts := []*assist.Draft{
		assist.Read(source.New("caught.rules", caught), lib), assist.Read(source.New("renamed.rules", renamed), lib),
	}
	never := func(string) string { return "" }
	for _, c := range []struct {
		file, text, at, to  string
		inCaught, inRenamed int
	}{
		{"caught.rules", caught, "act catch", "take", 2, 1},
		{"renamed.rules", renamed, "rename catch", "take", 2, 1},
		{"renamed.rules", renamed, "on grab", "take", 0, 3},
		{"caught.rules", caught, "rule catching", "taking", 1, 1},
		{"renamed.rules", renamed, "replace rule grabbing", "taking", 0, 2},
	} {
		r, err := assist.PrepareRename(drafts, c.file, strings.Index(c.text, c.at)+len(c.at), never)
		if err != nil {
			t.Errorf("%q: %v", c.at, err)
			continue
		}
		edits, err := r.To(c.to)
		if err != nil {
			t.Errorf("%q: %v", c.at, err)
			continue
		}
		count := map[string]int{}
		for _, e := range edits {
			count[e.Span.Name()]++
		}
		if count["caught.rules"] != c.inCaught || count["renamed.rules"] != c.inRenamed {
			t.Errorf("%q: %v", c.at, count)
		}
	}
	if r, err := assist.PrepareRename(drafts, "renamed.rules", strings.Index(renamed, "on grab")+4, never); err == nil {
		if _, err := r.To("advance"); err == nil {
			t.Error("an act has the name of a move")
		}
	}
}

const scoped = `ruleset scoped "Scoped"

option far = 3 of 1..6

board   cross68
players 2
pieces  2 at home
dice    die = d6

var player purse = 0

let rivals(piece p, place s) = filter(s.pieces, .colour != p.colour)
let alone(piece p)           = len(rivals(p, p.at)) == 0

turn {
  step throwing { throw die }
  step counting { play die }
}

move advance(p in mine) walk steps

act catch(piece p, piece q) { send q to home }

rule catching "Caught" {
  may advance(p) when alone(p)
  on land(p, s) {
    for q in rivals(p, s) {
      for r in q.player.pieces { if r.at == s { do catch(p, r) } }
    }
    for q in rivals(p, s) { q.player.purse += 1 }; let seen = len(s.pieces); if seen > 1 { let half = int(seen / 2); earn half }
  }
  on catch(p, q) { p.player.purse += far }
  win player x when all(x.pieces, .at == goal)
}

rule never_far "Not too far" {
  never advance(p) to s when steps > far && s.ring
}

test "a table" {
  cases n who
        5 never_far
        6 never_far
  given yellow 10 home | blue home home
  turn  yellow
  throw n
  expect refused 10 -> 15 by who
}
`

const scopedMore = `change scoped_more "More" for scoped

set far = 4

before step counting { earn far }

replace rule never_far "Not at all" { never advance(p) when alone(p) }

rule after_it after never_far "Last" { on catch(p, q) { p.player.purse += 1 } }

test "it is refused" {
  given yellow 10 home | blue home home
  turn  yellow
  throw 5
  expect refused 10 -> 15 by never_far
  expect that yellow.purse == 0
}
`

// TestRenameScopes: a name is changed where it means the same thing, and nowhere else; a new name must mean nothing there.
func TestRenameScopes(t *testing.T) {
	texts := map[string]string{"scoped.rules": scoped, "scoped_more.rules": scopedMore}
	lib := dsl.Library{Beside: fstest.MapFS{}, Shipped: rulesets.FS}
	for name, text := range texts {
		lib.Beside.(fstest.MapFS)[name] = &fstest.MapFile{Data: []byte(text)}
	}
	drafts := []*assist.Draft{
		assist.Read(source.New("scoped.rules", scoped), lib), assist.Read(source.New("scoped_more.rules", scopedMore), lib),
	}
	for _, c := range []struct {
		before, at string // the name and what stands before it, in the first file
		to         string
		want       string // the lines that change, or why none does
	}{
		{"let rivals(piece ", "p", "mover", "12 12"},
		{"let rivals(piece p, place ", "s", "mover", "12 12"},
		{"let alone(piece ", "p", "s", "13 13 13"},
		{"    for ", "q", "other", "27 28"},
		{"      for ", "r", "other", "28 28 28"},
		{"    for q in rivals(p, s) { ", "q", "other", "30 30"},
		{"; let ", "seen", "there", "30 30 30"},
		{"{ let ", "half", "part", "30 30"},
		{"; let ", "seen", "half", "has a meaning"},
		{"{ let ", "half", "seen", "has a meaning"},
		{"{ let ", "half", "far", "is an option"},
		{"on land(", "p", "mover", "26 27 28 30"},
		{"on land(p, ", "s", "there", "26 27 28 30 30"},
		{"act catch(piece p, piece ", "q", "caught", "22 22"},
		{"on catch(", "p", "mover", "32 32"},
		{"move advance(", "p", "mover", "20"},
		{"may advance(", "p", "mover", "25 25"},
		{"never advance(p) to ", "s", "there", "37 37"},
		{"let ", "rivals", "others", "12 13 27 30"},
		{"let ", "alone", "solitary", "13 25 +7"},
		{"option ", "far", "limit", "3 32 37 +3 +5"},
		{"step ", "counting", "moving", "17 +5"},
		{"var player ", "purse", "money", "10 30 32 +9 +16"},
		{"rule ", "never_far", "near", "36 42 43 +7 +9 +15"},
		{"move ", "advance", "go_on", "20 25 37 +7"},
		{"act ", "catch", "take", "22 28 32 +9"},
		{"cases n ", "who", "rule_name", "41 47"},
		{"    for ", "q", "p", "has a meaning"},
		{"      for ", "r", "q", "has a meaning"},
		{"      for ", "r", "s", "has a meaning"},
		{"on land(", "p", "s", "has a meaning"},
		{"on land(", "p", "q", "has a meaning"},
		{"let rivals(piece ", "p", "far", "is an option"},
	} {
		offset := strings.Index(scoped, c.before+c.at) + len(c.before)
		r, err := assist.PrepareRename(drafts, "scoped.rules", offset, func(string) string { return "" })
		if err != nil {
			t.Errorf("%q%q: %v", c.before, c.at, err)
			continue
		}
		edits, err := r.To(c.to)
		var got []string
		for _, e := range edits {
			got = append(got, map[bool]string{true: "+"}[e.Span.Name() == "scoped_more.rules"]+fmt.Sprint(e.Span.Position().Line))
		}
		if text := strings.Join(got, " "); err == nil && text != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%s to %s: %s %v, want %s", c.before, c.at, c.to, text, err, c.want)
		}
	}
}
