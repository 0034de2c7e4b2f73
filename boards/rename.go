package boards

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

// Rename returns the edits that give a name in a board file another one: a colour, zone, landmark, tag and the like. It reports
// false where the board would not be the same up to this name: the new one is taken, or the old one is a word of the format too.
func Rename(file *source.File, open Opener, old, new string) ([]diag.Edit, bool) {
	root := document(file, &diag.List{})
	if root == nil {
		return nil, false
	}
	var edits []diag.Edit
	var visit func(n *node)
	visit = func(n *node) {
		if n == nil {
			return
		}
		if n.kind == scalarNode {
			text := n.inner.Text()
			for _, at := range nameIn().FindAllStringIndex(text, -1) {
				if text[at[0]:at[1]] == old {
					edits = append(edits, diag.Edit{Span: file.Span(n.inner.Start+at[0], n.inner.Start+at[1]), New: new})
				}
			}
		}
		for _, e := range n.entries {
			if n != root || e.key.text != "title" && e.key.text != "board" && e.key.text != "extends" {
				visit(e.key)
				visit(e.value)
			}
		}
		for _, item := range n.items {
			visit(item)
		}
	}
	visit(root)
	slices.SortFunc(edits, func(a, b diag.Edit) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	after := source.New(file.Name(), diag.Fix{Edits: edits}.Apply(file))
	known, _ := Parameters(file, open)
	for _, value := range []func(Parameter) int{
		func(p Parameter) int { return p.Value }, func(p Parameter) int { return p.From }, func(p Parameter) int { return p.To },
	} {
		was, is := map[string]int{}, map[string]int{}
		for _, p := range known {
			was[p.Name] = value(p)
			is[Renamed(p.Name, old, new)] = value(p)
		}
		a, faults := Read(file, was, open)
		b, more := Read(after, is, open)
		if a == nil || b == nil || len(faults) != len(more) {
			return nil, false
		}
		same := likeness{old: old, new: new, seen: map[[2]uintptr]bool{}}
		if !same.of(reflect.ValueOf(a), reflect.ValueOf(b)) {
			return nil, false
		}
	}
	return edits, true
}

var nameIn = pattern.Of(`[\p{L}_][\p{L}\p{N}_]*`)

// Renamed is a text with one name in it replaced.
func Renamed(text, old, new string) string {
	return nameIn().ReplaceAllStringFunc(text, func(word string) string {
		if word == old {
			return new
		}
		return word
	})
}

// likeness compares two boards, places in files apart, where a name of the first has become another.
type likeness struct {
	old, new string
	seen     map[[2]uintptr]bool
}

func (l *likeness) of(a, b reflect.Value) bool {
	if a.IsValid() != b.IsValid() {
		return false
	}
	if !a.IsValid() || a.Type() == reflect.TypeFor[source.Span]() || a.Kind() == reflect.Func {
		return true
	}
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		pair := [2]uintptr{a.Pointer(), b.Pointer()}
		if a.Type() == reflect.TypeFor[*source.File]() || l.seen[pair] {
			return true
		}
		l.seen[pair] = true
		return l.of(a.Elem(), b.Elem())
	case reflect.Interface:
		return l.of(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			switch a.Type().Field(i).Name {
			case "Words", "Forms": // they follow from the names
				continue
			}
			if !l.of(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !l.of(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		if a.Len() != b.Len() {
			return false
		}
		for _, key := range a.MapKeys() {
			other := key
			if key.Kind() == reflect.String {
				other = reflect.ValueOf(Renamed(key.String(), l.old, l.new)).Convert(key.Type())
			}
			if value := b.MapIndex(other); !value.IsValid() || !l.of(a.MapIndex(key), value) {
				return false
			}
		}
		return true
	case reflect.String:
		return b.String() == a.String() || b.String() == Renamed(a.String(), l.old, l.new)
	}
	return a.Equal(b)
}
