package dsl

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// findings loads a file and checks it in every setting.
func findings(name, text string, beside fs.FS) diag.List { return found(near(beside), name, text) }

// near is what stands beside a file, for several files of one folder.
func near(beside fs.FS) Library {
	return Library{Beside: beside, Shipped: os.DirFS(filepath.Join("testdata", "rules")), Shared: &Shared{}}
}

// found is the same in a library.
func found(lib Library, name, text string) diag.List {
	b, diags := Load(source.New(name, text), lib)
	if b != nil {
		diags = Check(b)
		diags.Sort()
	}
	return diags
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// besideBroken is what stands beside the broken files.
var besideBroken = near(os.DirFS(filepath.Join("testdata", "broken")))

// foundIn caches the findings of the broken files, by path: two tests look at them.
var foundIn sync.Map

// agrees checks a text, and that what loads it, what checks it and what makes its rules say the same.
func agrees(t *testing.T, lib Library, name, text string) diag.List {
	t.Helper()
	b, diags := Load(source.New(name, text), lib)
	if (b == nil) != diags.HasErrors() {
		t.Errorf("%s: a book %v with %d errors", name, b != nil, diags.Count(diag.Error))
	}
	if b == nil {
		return diags
	}
	diags = Check(b)
	diags.Sort()
	rules, faults := b.Rules(Setting{})
	if (rules == nil) != faults.HasErrors() {
		t.Errorf("%s: rules %v with %d errors", name, rules != nil, faults.Count(diag.Error))
	}
	if !diags.HasErrors() && rules == nil {
		t.Errorf("%s: the check found nothing, and then: %v", name, faults)
	}
	return diags
}

// broken is the text of a broken file, with all that is found in it.
func broken(t *testing.T, path string) (string, diag.List) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	diags, _ := foundIn.LoadOrStore(path, sync.OnceValue(func() diag.List { return agrees(t, besideBroken, filepath.Base(path), string(text)) }))
	return string(text), diags.(func() diag.List)()
}

// TestBroken checks files with faults and compares everything that is said about them.
func TestBroken(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "broken", "*.rules"))
	if err != nil || len(paths) < 200 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			_, diags := broken(t, path)
			if len(diags) == 0 && !strings.HasPrefix(name, "part_") { // parts are used by others
				t.Error("nothing was found")
			}
			golden(t, strings.TrimSuffix(path, ".rules")+".golden", diags.Text(diag.Style{}))
		})
	}
}

// TestRules: the rule files of the language have no faults, and nothing in them is worth a warning.
func TestRules(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "rules", "*.rules"))
	if err != nil || len(paths) < 20 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range findings(name, string(text), os.DirFS(filepath.Dir(path))) {
				t.Error(d)
			}
		})
	}
}

// TestSoundChanges: nothing is found in changes of one line that are sound.
func TestSoundChanges(t *testing.T) {
	for _, line := range []string{
		"replace players 2",
		"replace players 2..3",
		"replace players 3 of 2..4",
		"let lead(player x) = count(x.pieces, .at == goal)",
		"rule bounced \"A turn at the end of the track counts five\" { on turned(p, s) when s == nil { earn 5 } }",
		"rule back_again \"Who ends on a 12 goes back\" { on advance(p) to s when s == square(\"12\") { put p on p.from } }",
	} {
		for _, d := range findings("ours.rules", "change ours \"Ours\" for parchis\n\n"+line+"\n", nil) {
			t.Errorf("%s: %v", line, d)
		}
	}
}

// TestClauses: the lines that take away and the header carry clauses too; what was taken away does not.
func TestClauses(t *testing.T) {
	lib := Library{Shipped: os.DirFS(filepath.Join("testdata", "rules"))}
	file, _ := lib.Rules("parchis", nil)
	b, diags := Load(file, lib)
	if b == nil {
		t.Fatal(diags)
	}
	got := map[string]bool{}
	for _, id := range b.Clauses() {
		got[id] = true
	}
	for id, want := range map[string]bool{"CLA-01": true, "CLA-02": true, "CLA-04": true, "CLA-08": true, "P4A-18": true, "P4A-23": false} {
		if got[id] != want {
			t.Errorf("%s: %v", id, got[id])
		}
	}
}

// TestUntested: without their tests, rules are the same, and faults in tests are not found.
func TestUntested(t *testing.T) {
	lib := Library{Shipped: os.DirFS(filepath.Join("testdata", "rules"))}
	with, _ := lib.Rules("parchis", nil)
	for _, text := range []string{with.Text(), with.Text() + "\ntest \"of nothing\" {\n  throw { 5\n"} {
		file := source.New("parchis.rules", text)
		bare := lib
		bare.Untested = true
		b, diags := Load(file, bare)
		if b == nil {
			t.Fatal(diags)
		}
		got, diags := b.Rules(Setting{})
		if got == nil {
			t.Fatal(diags)
		}
		tested, _ := Load(with, lib)
		want, _ := tested.Rules(Setting{})
		if len(b.Scenarios()) != 0 {
			t.Error("there are tests")
		}
		if len(got.Rules) != len(want.Rules) || len(got.Moves) != len(want.Moves) || len(got.Vars) != len(want.Vars) || got.Title != want.Title {
			t.Error("the rules differ")
		}
	}
}

// TestPlayedCodes holds the codes of what play finds against the pages.
func TestPlayedCodes(t *testing.T) {
	for _, code := range pages.Codes() {
		p, _ := pages.Find(code)
		if byPage := p.Group == pages.ByPlaying; byPage != byPlaying(code) {
			t.Errorf("%s: found by playing is %v on its page, %v here", code, byPage, byPlaying(code))
		}
	}
}

// TestUnchanged: what a change is held against, unless a play of one game cannot show it.
func TestUnchanged(t *testing.T) {
	lib := Library{Shipped: os.DirFS(filepath.Join("testdata", "rules"))}
	for line, shows := range map[string]bool{
		"set capture_count = 5":                  true,
		"replace first yellow":                   true,
		"without capture_counts":                 true,
		"without capture_counts if 1 > 0":        true,
		"without step earning":                   true,
		"let three = 3":                          false,
		"replace let worth = 3":                  true,
		"option three = 3":                       false,
		"count meals on capture(p, q)":           false,
		"replace first lot":                      false,
		"replace first loser":                    false,
		"secret first_five_done":                 false,
		"rename capture to eat":                  false,
		"rule six \"A\" { on throw { again } }":  true,
		"test \"nothing\" { expect that 1 > 0 }": false,
	} {
		b, diags := Load(source.New("ours.rules", "change ours \"Ours\" for parchis4a\n\n"+line+"\n"), lib)
		if b == nil {
			t.Fatal(line, diags)
		}
		if got := b.Unchanged() != nil; got != shows {
			t.Errorf("%s: %v", line, got)
		}
	}
}
