package examples

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
)

// TestPlayed: what games need is the whole without the clauses.
func TestPlayed(t *testing.T) {
	for _, pattern := range []string{"*.rules", "*.json", "*.learned", "*.yaml", "clauses/*"} {
		whole, err := fs.Glob(Shipped(), pattern)
		played, failed := fs.Glob(Played(), pattern)
		if err != nil || failed != nil || len(whole) == 0 || (pattern == "clauses/*") != (len(played) == 0) || len(played) > 0 && len(played) != len(whole) {
			t.Errorf("%s: %d files of %d, %v, %v", pattern, len(played), len(whole), err, failed)
		}
	}
}

// TestLearnedFits: what bots have learned fits the rule books beside it. After a change to the rules it must be learned
// again: rulerun train rulesets/NAME.rules.
func TestLearnedFits(t *testing.T) {
	names, err := fs.Glob(Shipped(), "*"+learn.Suffix)
	if err != nil || len(names) < 2 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := fs.ReadFile(Shipped(), name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := learn.Read(data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		rules := strings.TrimSuffix(name, learn.Suffix) + ".rules"
		text, err := fs.ReadFile(Shipped(), rules)
		if err != nil {
			t.Fatal(err)
		}
		book, faults := dsl.Load(source.New(rules, string(text)), dsl.Library{Beside: Shipped(), Shipped: Shipped()})
		if book == nil {
			t.Fatal(faults)
		}
		usual := false
		file.Settings(func(players int, options map[string]string) {
			rules, faults := book.Rules(dsl.Setting{Options: options, Players: players})
			if rules == nil {
				t.Fatalf("%s: %v", name, faults)
			}
			g, err := interpreter.Compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			if e, err := file.For(g); e == nil || err != nil {
				t.Errorf("%s, %d players, %v: it is for other rules, learn again: %v", name, players, options, err)
			}
			usual = usual || len(options) == 0
		})
		if !usual {
			t.Errorf("%s: nothing for the usual options", name)
		}
	}
}

// TestShipped: no two files that come with the program have the same name, and each can be found.
func TestShipped(t *testing.T) {
	seen := map[string]bool{}
	for _, name := range boards.Names() {
		seen[name+".yaml"] = true
	}
	all := 0
	for _, pattern := range []string{"*.rules", "*.yaml", "*.json", "*.learned"} {
		names, err := fs.Glob(Shipped(), pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if text, err := fs.ReadFile(Shipped(), name); err != nil || len(text) == 0 || seen[name] {
				t.Errorf("%s: %v, seen before %v", name, err, seen[name])
			}
			seen[name] = true
			all++
		}
	}
	files := 0
	_ = fs.WalkDir(folders, ".", func(string, fs.DirEntry, error) error { files++; return nil })
	if all < files-3 {
		t.Errorf("%d names of %d files", all, files)
	}
	if _, err := fs.Stat(Shipped(), "clauses"); err != nil {
		t.Error(err)
	}
	if _, err := fs.ReadFile(Shipped(), "nothing.rules"); err == nil {
		t.Error("a file that is not there is found")
	}
}
