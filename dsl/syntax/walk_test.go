package syntax

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/source"
)

// trees are the declarations of the rule files the tests of the language share.
func trees(t *testing.T) []*Decl {
	t.Helper()
	paths, err := filepath.Glob("../testdata/rules/*.rules")
	if err != nil || len(paths) < 20 {
		t.Fatal(len(paths), err)
	}
	var out []*Decl
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var faults diag.List
		out = append(out, Parse(source.New(path, string(text)), &faults).Decls...)
	}
	return out
}

// TestWalkInOrder: a walk comes to every name of a declaration in the order of the text, and leaves out what the caller skips.
func TestWalkInOrder(t *testing.T) {
	for _, d := range trees(t) {
		if d.Test != nil {
			continue // a table has its lines several times
		}
		last, inBlocks := -1, 0
		Walk(d, func(node any) bool {
			switch n := node.(type) {
			case *Name:
				if n.Pos.Offset <= last {
					t.Errorf("%s: %q comes after what follows it", d.File.Name(), n.Text)
				}
				last = n.Pos.Offset
			case *Stmt:
				inBlocks++
			}
			return true
		})
		Walk(d, func(node any) bool {
			if _, ok := node.(*Stmt); ok {
				t.Error("a statement in a block that is left out")
			}
			_, block := node.(*Block)
			return !block
		})
		if strings.Contains(d.Span(d.File).Text(), "again") && inBlocks == 0 {
			t.Errorf("no statements in %s", d.Span(d.File).Text())
		}
	}
}

// TestCopy: a copy says the same and shares no node; what stands instead of a node is in the copy alone.
func TestCopy(t *testing.T) {
	for _, d := range trees(t) {
		own := map[any]bool{}
		Walk(d, func(node any) bool { own[node] = true; return true })
		c := Copy(d, nil)
		if !Same(d, c) {
			t.Fatalf("the copy of %q differs", d.Span(d.File).Text())
		}
		Walk(c, func(node any) bool {
			if own[node] {
				t.Errorf("a %T is shared", node)
			}
			return true
		})
		replaced := 0
		other := Copy(d, func(node any) any {
			if n, ok := node.(*Name); ok {
				replaced++
				return &Name{At: n.At, Text: n.Text + "_too"}
			}
			return nil
		})
		if Same(d, other) != (replaced == 0) {
			t.Errorf("with %d other names %q is taken for the same", replaced, d.Span(d.File).Text())
		}
	}
}

// TestSame: places and blanks make no difference, words do.
func TestSame(t *testing.T) {
	parse := func(text string) *Decl {
		var faults diag.List
		d := ParseDecl(source.New("x.rules", text), &faults)
		if d == nil {
			t.Fatal(faults)
		}
		return d
	}
	base := parse(`rule r "R" [A-01] { may go(p) when p.at == home }`)
	for text, want := range map[string]bool{
		"rule r \"R\"  [ A-01 ] {\n  may go(p)   when p.at==home\n}": true,
		`rule r "R" [A-02] { may go(p) when p.at == home }`:          false,
		`rule r "R" [A-01] { may go(p) when p.at != home }`:          false,
		`rule r "R" [A-01] { may go(p) }`:                            false,
		`rule r "R" [A-01] { may go(p, q) when p.at == home }`:       false,
	} {
		if got := Same(base, parse(text)); got != want {
			t.Errorf("the same as %q: %v", text, got)
		}
	}
}

// TestExprs: the expressions of a statement are those before its blocks, in order.
func TestExprs(t *testing.T) {
	var faults diag.List
	d := ParseDecl(source.New("x.rules", "turn {\n if 1 == 2 { earn 3 }\n choose q from mine by next(me)\n}"), &faults)
	if d == nil {
		t.Fatal(faults)
	}
	var got []string
	for _, s := range d.Kind.Turn.Block.Stmts {
		name, _ := Variant(s)
		var list []string
		for _, e := range Exprs(s) {
			list = append(list, e.Span(d.File).Text())
		}
		got = append(got, fmt.Sprint(name, list))
	}
	if want := []string{"If[1 == 2]", "Choose[mine next(me)]"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNodesAreOpen: the walk reads every field of every node, so none may be hidden from it.
func TestNodesAreOpen(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var look func(x reflect.Type)
	look = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice:
			if x != fileType {
				look(x.Elem())
			}
		case reflect.Struct:
			if seen[x] || x == placeType || x == spanType {
				return
			}
			seen[x] = true
			for i := range x.NumField() {
				f := x.Field(i)
				if f.Type.Kind() == reflect.Struct && f.Type != placeType && f.Type != spanType {
					t.Errorf("%s.%s holds a node by value, which no walk comes to", x, f.Name)
				}
				if k := f.Type.Kind(); !f.IsExported() && (k == reflect.Pointer || k == reflect.Slice) {
					t.Errorf("%s.%s is hidden", x, f.Name)
				}
				look(f.Type)
			}
		}
	}
	look(reflect.TypeFor[Decl]())
	if !seen[reflect.TypeFor[expr.Node]()] || !seen[reflect.TypeFor[Row]()] {
		t.Error("not everything was looked at")
	}
}

// TestLineWords: no column of a table is called like a keyword of the lines that follow it.
func TestLineWords(t *testing.T) {
	keyword := regexp.MustCompile(`'([a-z]+)'`)
	seen := map[reflect.Type]bool{reflect.TypeFor[Expr](): true}
	var look func(x reflect.Type)
	look = func(x reflect.Type) {
		for x.Kind() == reflect.Pointer || x.Kind() == reflect.Slice {
			x = x.Elem()
		}
		if x.Kind() != reflect.Struct || seen[x] {
			return
		}
		seen[x] = true
		for i := range x.NumField() {
			f := x.Field(i)
			for _, m := range keyword.FindAllStringSubmatch(f.Tag.Get("parser"), -1) {
				if !slices.Contains(lineWords, m[1]) {
					t.Errorf("%s.%s: %q may be the name of a column", x, f.Name, m[1])
				}
			}
			look(f.Type)
		}
	}
	look(reflect.TypeFor[TestLine]())
}
