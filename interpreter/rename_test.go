package interpreter_test

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// corpus is a folder with all shipped rule books, house rules and games, and their boards.
func corpus(t *testing.T) (fstest.MapFS, []string) {
	t.Helper()
	files := fstest.MapFS{}
	var rules []string
	for _, pattern := range []string{"../rulesets/*.rules", "../examples/*/*.rules", "../examples/*/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(path)
			if files[name] != nil {
				t.Fatalf("two files are called %s", name)
			}
			files[name] = &fstest.MapFile{Data: text}
			if strings.HasSuffix(name, ".rules") {
				rules = append(rules, name)
			}
		}
	}
	return files, rules
}

var renameEach = flag.Int("rename.each", 7, "rename one of so many names, of two books; with 1 every name of all books, which takes a minute")

// TestRenameEveryName gives names that the shipped rule files declare others, all of them different, and wants the same
// games.
func TestRenameEveryName(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads the books hundreds of times")
	}
	files, rules := corpus(t)
	if *renameEach != 1 {
		rules = slices.DeleteFunc(rules, func(name string) bool { return name != "patolli.rules" && name != "ur.rules" })
	}
	lib := dsl.Library{Beside: files, Shared: &dsl.Shared{}}
	var drafts []*assist.Draft
	for _, name := range rules {
		drafts = append(drafts, assist.Read(source.New(name, string(files[name].Data)), lib))
	}
	var edits []diag.Edit
	back := map[string]string{}
	met := 0
	for _, d := range drafts {
		for _, ref := range d.Names.In(d.File.Name()) {
			if !named(ref) || !ref.IsDecl() || d.Names.Origin(ref.Use) != index.PlaceOf(ref.Use) {
				continue
			}
			if met++; met%*renameEach != 0 {
				continue
			}
			using := drafts
			if ref.Kind == index.Local { // in one file alone
				using = []*assist.Draft{d}
			}
			r, err := assist.PrepareRename(using, ref.Use.Name(), ref.Use.Start, func(string) string { return "" })
			if err != nil {
				t.Fatalf("%s:%d: %s %s: %v", ref.Use.Name(), ref.Use.Position().Line, ref.Kind, ref.Text, err)
			}
			name := fmt.Sprintf("name_%d", len(back)+1)
			some, err := r.To(name)
			if err != nil {
				t.Errorf("%s:%d: %s %s: %v", ref.Use.Name(), ref.Use.Position().Line, ref.Kind, ref.Text, err)
			}
			back[name] = ref.Text
			edits = append(edits, some...)
		}
	}
	if *renameEach == 1 && met < 600 {
		t.Errorf("only %d names", met)
	}
	after := fstest.MapFS{}
	for name, file := range files {
		var own []diag.Edit
		for _, e := range edits {
			if e.Span.Name() == name {
				own = append(own, e)
			}
		}
		slices.SortFunc(own, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
		text := string(file.Data)
		if len(own) > 0 {
			text = diag.Fix{Edits: own}.Apply(own[0].Span.File)
		}
		after[name] = &fstest.MapFile{Data: []byte(text)}
	}
	lib.Beside = after
	lib.Shared = &dsl.Shared{}
	for _, d := range drafts {
		name := d.File.Name()
		file := source.New(name, string(after[name].Data))
		for _, ref := range assist.Read(file, lib).Names.In(name) {
			if use := ref.Use.Text(); *renameEach == 1 && named(ref) && back[use] == "" {
				t.Errorf("%s:%d: %s %s has its old name", name, ref.Use.Position().Line, ref.Kind, use)
			}
		}
	}
	for _, name := range rules {
		lib.Beside, lib.Shared = files, nil
		want := program(t, name, lib)
		lib.Beside = after
		got := renamedName.ReplaceAllStringFunc(program(t, name, lib), func(s string) string { return back[s] })
		if got != want {
			t.Errorf("%s: %s", name, cmp.Diff(want, got))
		}
	}
}

var (
	renamedName = regexp.MustCompile(`\bname_[0-9]+\b`)
	blanks      = regexp.MustCompile(` +`)
)

// named reports whether a name is declared by a rule file, and may have any other.
func named(r index.Ref) bool {
	return !r.Kind.OfLanguage() && !r.Kind.OfBoard() && r.Kind != index.Book && r.Text != "mine" && r.Text != "lead"
}

// program is the program of a rule book as text; "" for tests alone.
func program(t *testing.T, name string, lib dsl.Library) string {
	t.Helper()
	text, err := fs.ReadFile(lib.Beside, name)
	if err != nil {
		t.Fatal(err)
	}
	book, faults := dsl.Load(source.New(name, string(text)), lib)
	if book == nil {
		t.Fatalf("%s: %v", name, faults)
	}
	if l := dsl.Check(book); l.HasErrors() {
		t.Fatalf("%s: %v", name, l)
	}
	if book.TestsOnly() {
		return ""
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatalf("%s: %v", name, faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	stages := interpreter.Stages()
	if err := g.WriteProgram(&b, interpreter.FormSets, stages[len(stages)-1], ""); err != nil {
		t.Fatal(err)
	}
	return blanks.ReplaceAllString(b.String(), " ") // columns depend on the lengths of names
}

// TestRenameBoardNames gives every name of a board another one, from the rules that use it, and wants the same game.
func TestRenameBoardNames(t *testing.T) {
	files, rules := corpus(t)
	lib := dsl.Library{Beside: files, Shared: &dsl.Shared{}}
	fixed := func(file string) string {
		if strings.HasPrefix(file, "boards/") {
			return "is fixed"
		}
		return ""
	}
	renamed := 0
	for _, name := range rules {
		d := assist.Read(source.New(name, string(files[name].Data)), lib)
		done := map[string]bool{}
		want := sync.OnceValue(func() string { return program(t, name, dsl.Library{Beside: files}) })
		for _, ref := range d.Names.All() {
			if testing.Short() && renamed > 5 || !ref.Kind.OfBoard() || ref.Kind == index.Board || ref.Kind == index.Square || fixed(ref.Decl.Name()) != "" || done[ref.Text] {
				continue
			}
			done[ref.Text] = true
			r, err := assist.PrepareRename([]*assist.Draft{d}, ref.Use.Name(), ref.Use.Start, fixed)
			if err != nil {
				t.Fatalf("%s: %s %s: %v", name, ref.Kind, ref.Text, err)
			}
			edits, err := r.To("name_0")
			if err != nil {
				t.Errorf("%s: %s %s: %v", name, ref.Kind, ref.Text, err)
				continue
			}
			renamed++
			after := maps.Clone(files)
			for _, file := range []*source.File{d.File, ref.Decl.File} {
				after[file.Name()] = &fstest.MapFile{Data: []byte(diag.Fix{Edits: edits}.Apply(file))}
			}
			got := strings.ReplaceAll(program(t, name, dsl.Library{Beside: after}), "name_0", ref.Text)
			if got != want() {
				t.Errorf("%s: %s %s: %s", name, ref.Kind, ref.Text, cmp.Diff(want(), got))
			}
			taken := d.Names.Board.Colours[0].Name
			if _, err := r.To(taken); err == nil && ref.Kind == index.Zone {
				t.Errorf("%s: zone %s becomes %s", name, ref.Text, taken)
			}
		}
	}
	if renamed < 40 && !testing.Short() {
		t.Errorf("only %d names", renamed)
	}
}
