package difference_test

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/difference"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/rulesets"
)

var update = flag.Bool("update", false, "rewrite the expected differences")

// load reads a rule book of some files, which see each other and the shipped ones.
func load(t *testing.T, files fs.FS, name string) *dsl.Book {
	t.Helper()
	lib := dsl.Library{Beside: files, Shipped: rulesets.FS}
	file, ok := lib.Rules(name, nil)
	if !ok {
		t.Fatalf("there is no %s", name)
	}
	book, faults := dsl.Load(file, lib)
	if book == nil {
		t.Fatal(faults.Error())
	}
	return book
}

func compare(t *testing.T, old, new *dsl.Book, s dsl.Setting) *difference.Difference {
	t.Helper()
	d, faults := dsl.Compare(old, dsl.Setting{}, new, s)
	if d == nil {
		t.Fatal(faults.Error())
	}
	return d
}

// print writes a difference down, everything in it.
func print(d *difference.Difference) string {
	var b bytes.Buffer
	for _, c := range d.Changes {
		fmt.Fprintf(&b, "%s: %s %s %s", c.Section, c.What, c.Kind, c.Name)
		for _, n := range c.Numbers {
			fmt.Fprintf(&b, " (%d → %d)", n.Old, n.New)
		}
		if c.Note != "" {
			fmt.Fprintf(&b, " (%s)", c.Note)
		}
		b.WriteByte('\n')
		if c.OldWords != c.NewWords {
			fmt.Fprintf(&b, "  words %q, %q\n", c.OldWords, c.NewWords)
		}
		for _, l := range c.Lines {
			fmt.Fprintf(&b, "  %c %s\n", l.Mark, l.Text)
		}
	}
	for _, r := range d.Renamed {
		fmt.Fprintf(&b, "same: %s %s is %s\n", r.Kind, r.Old, r.New)
	}
	if d.None() {
		b.WriteString("none\n")
	}
	return b.String()
}

// TestGolden compares the rule books in testdata: each archive has an old one, a new one and what differs.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 8 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := fstest.MapFS{}
			setting := dsl.Setting{Options: map[string]string{}}
			want := ""
			for _, f := range archive.Files {
				switch f.Name {
				case "want":
					want = string(f.Data)
				case "setting":
					for _, line := range strings.Fields(string(f.Data)) {
						name, value, _ := strings.Cut(line, "=")
						setting.Options[name] = value
					}
				default:
					files[f.Name] = &fstest.MapFile{Data: f.Data}
				}
			}
			old, new := load(t, files, "old"), load(t, files, "new")
			got := print(compare(t, old, new, setting))
			if *update {
				i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "want" })
				archive.Files[i].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// houses is every rule file of a folder.
func houses(t *testing.T, folder string) map[string]*dsl.Book {
	t.Helper()
	out := map[string]*dsl.Book{}
	paths, err := filepath.Glob(filepath.Join("..", "..", folder, "*.rules"))
	if err != nil || len(paths) == 0 {
		t.Fatal(folder, err)
	}
	for _, p := range paths {
		name := strings.TrimSuffix(filepath.Base(p), ".rules")
		out[name] = load(t, os.DirFS(filepath.Dir(p)), name)
	}
	return out
}

// TestItself: no rule book differs from itself.
func TestItself(t *testing.T) {
	for _, folder := range []string{"rulesets", "examples/games"} {
		for name, book := range houses(t, folder) {
			if d := compare(t, book, book, dsl.Setting{}); !d.None() || len(d.Renamed) > 0 {
				t.Errorf("%s differs from itself:\n%s", name, print(d))
			}
		}
	}
}

// TestHouses: every house rule of the examples changes something, both ways alike.
func TestHouses(t *testing.T) {
	lib := os.DirFS("../../examples/house")
	for name, book := range houses(t, "examples/house") {
		base := load(t, lib, book.Base())
		if d := compare(t, book, book, dsl.Setting{}); !d.None() || len(d.Renamed) > 0 {
			t.Errorf("%s differs from itself:\n%s", name, print(d))
		}
		there, back := compare(t, base, book, dsl.Setting{}), compare(t, book, base, dsl.Setting{})
		if there.None() {
			t.Errorf("%s changes nothing", name)
		}
		count := func(d *difference.Difference, w difference.What) (n int) {
			for _, c := range d.Changes {
				if c.What == w {
					n++
				}
			}
			return n
		}
		if count(there, difference.Added) != count(back, difference.Gone) || count(there, difference.Gone) != count(back, difference.Added) ||
			count(there, difference.Changed) != count(back, difference.Changed) {
			t.Errorf("%s: there\n%sand back\n%s", name, print(there), print(back))
		}
	}
}

// TestEachAlone takes each rule and option of the shipped rule books away, one at a time, and sees that one told.
func TestEachAlone(t *testing.T) {
	for name, book := range houses(t, "rulesets") {
		if name != "parchis4a" && name != "patolli" {
			continue // the others take long
		}
		rules, faults := book.Rules(dsl.Setting{})
		if rules == nil {
			t.Fatal(faults.Error())
		}
		for _, r := range rules.Rules {
			text := fmt.Sprintf("change less \"Less\" for %s\n\nreplace rule %s %q { on turn ends { end turn } }\n", name, r.Name, r.Words)
			lib := dsl.Library{Shipped: rulesets.FS}
			less, faults := dsl.Load(source.New("less.rules", text), lib)
			if less == nil {
				t.Fatal(faults.Error())
			}
			d, _ := dsl.Compare(book, dsl.Setting{}, less, dsl.Setting{})
			if d == nil {
				continue // the others do not go without it
			}
			for _, c := range d.Changes {
				if c.Kind != "order" && (c.Kind != "rule" || c.Name != r.Name || c.What != difference.Changed) {
					t.Errorf("%s without what %s says:\n%s", name, r.Name, print(d))
					break
				}
			}
			if d.None() {
				t.Errorf("%s without what %s says does not differ", name, r.Name)
			}
		}
	}
}
