package format

import (
	"reflect"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// same reports whether text says what tree says, its comments included.
func same(tree *syntax.File, text string) bool {
	var diags diag.List
	again := syntax.Parse(source.New(tree.Source.Name(), text), &diags)
	if diags.HasErrors() || !slices.Equal(comments(tree), comments(again)) {
		return false
	}
	return equal(reflect.ValueOf(tree.Header), reflect.ValueOf(again.Header)) && equal(reflect.ValueOf(tree.Decls), reflect.ValueOf(again.Decls))
}

func comments(f *syntax.File) []string {
	var out []string
	for _, t := range f.Tokens() {
		if t.Kind == syntax.TokenComment {
			out = append(out, t.Text)
		}
	}
	return out
}

var (
	placeType = reflect.TypeFor[syntax.At]()
	spanType  = reflect.TypeFor[source.Span]()
	fileType  = reflect.TypeFor[*source.File]()
	idsType   = reflect.TypeFor[*syntax.Cites]()
)

// equal compares two trees without the places in them.
func equal(a, b reflect.Value) bool {
	switch t := a.Type(); {
	case t == placeType, t == spanType, t == fileType:
		return true
	case t == idsType:
		return slices.Equal(a.Interface().(*syntax.Cites).IDs(), b.Interface().(*syntax.Cites).IDs())
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return equal(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !equal(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.String:
		return strings.TrimSpace(a.String()) == strings.TrimSpace(b.String())
	}
	return a.Equal(b)
}
