package difference

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// block finds the examples of the reference.
var block = regexp.MustCompile("(?ms)^```rules ?(\\w*)\n(.*?)^```$")

// wrapped is what stands around an example that is no declaration.
var wrapped = map[string]string{"part": "%s", "": "%s", "clauses": "rule example \"Example\" {\n%s}\n", "statements": "act example() {\n%s}\n"}

// constructs are the declarations of the reference, which has every construct of the language.
func constructs(t *testing.T) []*book.Entry {
	t.Helper()
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []*book.Entry
	for _, m := range block.FindAllStringSubmatch(string(page), -1) {
		text := m[2]
		if m[1] == "expressions" {
			text = "rule example \"Example\" {\n"
			for line := range strings.Lines(m[2]) {
				text += "  always " + line
			}
			text += "}\n"
		} else {
			if m[1] == "statements" {
				text = "  " + strings.ReplaceAll(text, "\n", "\n  ") // in the first column a let is a declaration
			}
			text = fmt.Sprintf(wrapped[m[1]], text)
		}
		var diags diag.List
		file := syntax.Parse(source.New("README.md", text), &diags)
		for _, d := range diags {
			if d.Code != "no-header" && d.Code != "late-header" {
				t.Fatal(d, text)
			}
		}
		for _, d := range file.Decls {
			if d.Kind != nil {
				out = append(out, &book.Entry{Decl: d})
			}
		}
	}
	return out
}

// TestEverythingIsPrinted changes every word, number and flag of the trees of the reference, one at a time, and sees the
// declaration written otherwise: what is not written is not compared.
func TestEverythingIsPrinted(t *testing.T) {
	tried := 0
	p := &printer{book: &book.Book{}}
	for _, e := range constructs(t) {
		if e.Decl.Kind.Option != nil {
			continue // compared by what they are, not as they are written
		}
		write := func() string {
			var out []string
			for _, u := range p.declaration(e) {
				out = append(out, u.text()...)
			}
			return strings.Join(out, "\n")
		}
		was := write()
		vary(reflect.ValueOf(e.Decl.Kind), "", func(what string, put, undo func()) {
			put()
			tried++
			if write() == was {
				t.Errorf("%s is not written in\n%s", what, was)
			}
			undo()
		})
	}
	if tried < 800 {
		t.Errorf("only %d words tried", tried)
	}
}

// vary goes through what a tree says and offers each to be changed.
func vary(v reflect.Value, path string, try func(what string, put, undo func())) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			vary(v.Elem(), path, try)
		}
	case reflect.Slice:
		for i := range v.Len() {
			vary(v.Index(i), path, try)
		}
	case reflect.Struct:
		switch v.Interface().(type) {
		case syntax.At, syntax.Cites, source.Span:
			return
		}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			switch owner := v.Addr().Interface().(type) {
			case *syntax.Rule:
				if f.Name != "Clauses" && f.Name != "If" {
					continue // its name is its key, its words are compared apart, its place too
				}
				if f.Name == "If" {
					continue // the entry has it
				}
			case *syntax.Act:
				if f.Name == "Words" {
					continue
				}
			case *syntax.Count:
				if f.Name == "Words" || f.Name == "If" {
					continue
				}
			case *syntax.Dice:
				if f.Name == "Names" {
					continue
				}
			case *syntax.Var, *syntax.Secret, *syntax.Seats, *syntax.Teams, *syntax.Turns, *syntax.Setup:
				if f.Name == "If" || f.Name == "By" {
					continue
				}
			case *syntax.Step, *syntax.Event:
				if f.Name == "Beyond" || f.Name == "Call" {
					continue // said by what else is there
				}
			case *syntax.Put:
				if f.Name == "Word" || f.Name == "Send" {
					continue // put and send are two words for one thing
				}
			case *syntax.Ending:
				if f.Name == "Over" {
					continue // all else would be missing
				}
			case *expr.Node:
				if f.Name == "Kind" || f.Name == "Name" && (owner.Kind == expr.Int || owner.Kind == expr.Bool) || f.Name == "Int" && owner.Kind != expr.Int && owner.Kind != expr.Bool {
					continue
				}
				if f.Name == "Name" && (owner.Kind == expr.Nil || owner.Kind == expr.Element || owner.Kind == expr.Index || owner.Kind == expr.Ternary || owner.Kind == expr.Array) {
					continue
				}
			}
			vary(v.Field(i), path+"."+f.Name, try)
		}
	case reflect.String:
		if was := v.String(); was != "" {
			changed := was + "9"
			if strings.HasPrefix(was, "\"") {
				changed = "\"changed\""
			}
			try(path+" "+was, func() { v.SetString(changed) }, func() { v.SetString(was) })
		}
	case reflect.Int:
		was := v.Int()
		try(path, func() { v.SetInt(1 - was) }, func() { v.SetInt(was) })
	case reflect.Bool:
		if was := v.Bool(); was {
			try(path, func() { v.SetBool(false) }, func() { v.SetBool(was) })
		}
	}
}
