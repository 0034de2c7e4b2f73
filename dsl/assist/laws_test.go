package assist_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/assist"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/rulesets"
)

// TestLaws checks what holds for every answer, about files that are sound or end too early, with line ends of both kinds.
func TestLaws(t *testing.T) {
	for i, path := range ruleFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		switch i % 3 {
		case 1:
			text = strings.ReplaceAll(text, "\n", "\r\n")
		case 2:
			text = text[:len(text)*(i%97)/97]
		}
		lib := dsl.Library{Beside: os.DirFS(filepath.Dir(path)), Shipped: rulesets.FS}
		laws(t, assist.Read(source.New(filepath.Base(path), text), lib))
	}
}

// laws checks what holds for every answer about a draft.
func laws(t *testing.T, d *assist.Draft) {
	t.Helper()
	f := d.File
	bad := func(at int, format string, args ...any) {
		t.Helper()
		p := f.Position(at)
		t.Errorf("%s:%d:%d: "+format, append([]any{f.Name(), p.Line, p.Column}, args...)...)
	}
	for at := 0; at <= len(f.Text()); at += 1 + len(f.Text())/20 {
		text, span := d.Hover(f.Name(), at)
		if text == "" {
			continue
		}
		if span.File != f || at < span.Start || span.End < at || span.Start == span.End || strings.ContainsAny(span.Text(), " \t\r\n") {
			bad(at, "hover of %q", span.Text())
		}
	}
	if d.Names != nil {
		declared := map[source.Span]index.Name{}
		for _, r := range d.Names.All() {
			if r.IsDecl() {
				declared[r.Decl] = r.Name
			}
		}
		for _, r := range d.Names.In(f.Name()) {
			there, ok := declared[r.Decl]
			if there.Text = r.Text; ok && r.Kind != index.Square && r.Name != there && d.Describe(r.Name) != d.Describe(there) {
				bad(r.Use.Start, "%s %q is described as %q, its declaration as %q", r.Kind, r.Use.Text(), d.Describe(r.Name), d.Describe(there))
			}
		}
	}
	var before assist.Symbol
	for _, s := range assist.Outline(d.Tree) {
		if s.At.Start < s.Span.Start || s.Span.End < s.At.End || s.At.Start < before.At.Start || s.Span.Start < before.Span.End && s.Span != before.Span {
			bad(s.Span.Start, "symbol %q at %q behind %q", s.Name, s.At.Text(), before.Name)
		}
		if s.Word == "" || strings.ContainsAny(s.Word, "\t\r\n\"{") {
			bad(s.Span.Start, "symbol %q is a %q", s.Name, s.Word)
		}
		for _, part := range s.Parts {
			if part.Span.Start < s.Span.Start || s.Span.End < part.Span.End || part.At.Text() != part.Name {
				bad(part.Span.Start, "step %q at %q in %q", part.Name, part.At.Text(), s.Name)
			}
		}
		before = s
	}
	var around []assist.Fold
	for _, x := range assist.Folds(d.Tree) {
		around = slices.DeleteFunc(around, func(o assist.Fold) bool { return o.To <= x.From })
		if x.To <= x.From || x.To > f.LineCount() || len(around) > 0 && x.To > around[len(around)-1].To {
			bad(f.LineStart(x.From), "fold %v within %v", x, around)
		}
		around = append(around, x)
	}
	end := 0
	for _, x := range d.Tokens() {
		if x.Span.Start < end || x.Span.Start == x.Span.End || strings.Contains(x.Span.Text()+"\n", "\r\n") || strings.Contains(x.Span.Text(), "\n") {
			bad(x.Span.Start, "token %q", x.Span.Text())
		}
		end = x.Span.End
	}
}

// TestKeywords: a keyword has its form where it begins a line, not where the same word stands for something else.
func TestKeywords(t *testing.T) {
	const text = "change x \"X\" for parchis\r\n\r\nvar turn seen: set of place if colours == 4\r\nreplace turn {\r\n  if true { give p to q } else if x == nil { send p to q; end turn }\r\n}\r\n" +
		"rule y \"Y\" if true {\r\n  step into s: go or turn\r\n  on turn ends { again }\r\n}\r\n"
	d := assist.Read(source.New("x.rules", text), dsl.Library{Shipped: rulesets.FS})
	for _, c := range []struct{ after, want string }{
		{"", "change NAME"}, {"\"X\" ", ""}, {"var ", ""}, {"seen: ", ""}, {"place ", ""}, {"replace ", "turn { STATEMENTS }"}, {"turn {\r\n  ", "if CONDITION"},
		{"{\r\n  if ", "true: flag"}, {"true { ", "stays where it stands"}, {"else ", "if CONDITION"}, {"x == ", "no piece"}, {"nil { ", "like `put`"}, {"end ", ""},
		{"\"Y\" ", ""}, {"go or ", ""}, {"ends { ", "another one"},
	} {
		got, _ := d.Hover("x.rules", strings.Index(text, c.after)+len(c.after))
		if !strings.Contains(got, c.want) || c.want == "" && got != "" || strings.ContainsAny(got, "\r#") {
			t.Errorf("behind %q: %q, want %q", c.after, got, c.want)
		}
	}
}

// TestForeignChange: a change that is for another rule book has a hover too, which says so.
func TestForeignChange(t *testing.T) {
	const text = "ruleset x extends parchis with far \"X\"\n"
	beside := fstest.MapFS{"far.rules": {Data: []byte("change far \"Far\" for patolli // away\n")}}
	d := assist.Read(source.New("x.rules", text), dsl.Library{Beside: beside, Shipped: rulesets.FS})
	if got, _ := d.Hover("x.rules", strings.Index(text, "far")); !strings.Contains(got, "for patolli\n") {
		t.Errorf("%q", got)
	}
}

// TestOutline: a turn has its named steps; the keyword of a declaration ends where its letters do; a late header has its place; a board has all the
// colours it declares.
func TestOutline(t *testing.T) {
	d := assist.Read(source.New("x.rules", "board\tcross68\nruleset\tx \"X\"\nturn{\n  step rolling { throw die }\n  step more { if true { again } }\n}\nafter step more { again }\ntest\"t\" {\n}\n"), dsl.Library{})
	got := ""
	for _, s := range assist.Outline(d.Tree) {
		got += s.Word + " "
		for _, part := range s.Parts {
			got += part.Word + " " + part.Name + " "
		}
	}
	cross, _ := boards.Shipped("cross")
	b, _ := boards.Read(cross, nil, nil)
	for _, s := range assist.BoardOutline(b) {
		if s.Word == "colour" {
			got += s.Name + " "
		}
	}
	if want := "board ruleset turn step rolling step more after test yellow blue red green orange purple "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
