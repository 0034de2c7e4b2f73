package syntax

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/dsl/source"
)

// A node of the tree is a pointer to a struct: a declaration, a statement, a name, an expression and its expr.Node.
// Only the functions of this file traverse nodes, by reflection; a new field or a new kind of node needs no line
// here.

var (
	placeType = reflect.TypeFor[At]()
	spanType  = reflect.TypeFor[source.Span]()
	fileType  = reflect.TypeFor[*source.File]()
)

// Walk calls visit for a node and all nodes below it, parents first, children in the order of the grammar. It skips
// the children if visit returns false. The root may be a slice of nodes.
func Walk(root any, visit func(node any) bool) {
	if v := reflect.ValueOf(root); v.IsValid() {
		walk(v, shapeOf(nodeType(v.Type())), visit)
	}
}

// walk visits a node, or a list of nodes, of a shape.
func walk(v reflect.Value, is *shape, visit func(node any) bool) {
	if v.Kind() == reflect.Slice {
		for i := range v.Len() {
			walk(v.Index(i), is, visit)
		}
		return
	}
	if v.IsNil() || !visit(v.Interface()) {
		return
	}
	node := v.Elem()
	for _, f := range is.below {
		walk(node.Field(f.index), f.is, visit)
	}
}

// nodeType is the type of the nodes that a type points to or lists, nil if it does neither.
func nodeType(t reflect.Type) reflect.Type {
	switch {
	case t == fileType:
		return nil
	case t.Kind() == reflect.Slice:
		return nodeType(t.Elem())
	case t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct:
		return t.Elem()
	}
	return nil
}

// shape is what is known of a type of node.
type shape struct {
	names []string // of its fields
	below []below  // the fields that may hold nodes
}

type below struct {
	index int
	is    *shape
}

var shapes struct {
	sync.Mutex
	known map[reflect.Type]*shape
}

// shapeOf is the shape of a type of node, which is worked out once.
func shapeOf(node reflect.Type) *shape {
	shapes.Lock()
	defer shapes.Unlock()
	if shapes.known == nil {
		shapes.known = map[reflect.Type]*shape{}
	}
	return shapeFrom(shapes.known, node)
}

func shapeFrom(known map[reflect.Type]*shape, node reflect.Type) *shape {
	if is := known[node]; is != nil {
		return is
	}
	out := &shape{}
	known[node] = out
	for i := range node.NumField() {
		field := node.Field(i)
		out.names = append(out.names, field.Name)
		if of := nodeType(field.Type); of != nil {
			out.below = append(out.below, below{i, shapeFrom(known, of)})
		}
	}
	return out
}

// Has reports whether something holds for a node or one below it.
func Has(root any, is func(node any) bool) bool {
	found := false
	Walk(root, func(node any) bool {
		found = found || is(node)
		return !found
	})
	return found
}

// All goes through the nodes of one type among a node and those below it, parents first.
func All[T any](root any) iter.Seq[T] {
	return func(yield func(T) bool) {
		Has(root, func(node any) bool {
			n, ok := node.(T)
			return ok && !yield(n)
		})
	}
}

// Copy is a deep copy of a tree. If replace returns a node for an original one, the copy contains that node instead.
// Without replace, or if it returns nil, Copy copies the node and its children. Source files are shared.
func Copy[T any](root T, replace func(node any) any) T {
	return copyOf(reflect.ValueOf(root), replace).Interface().(T)
}

func copyOf(v reflect.Value, replace func(node any) any) reflect.Value {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type() == fileType {
			return v
		}
		if replace != nil {
			if other := replace(v.Interface()); other != nil {
				return reflect.ValueOf(other)
			}
		}
		out := reflect.New(v.Type().Elem())
		out.Elem().Set(v.Elem())
		for i := range v.Elem().NumField() {
			if k := v.Elem().Field(i).Kind(); k == reflect.Pointer || k == reflect.Slice {
				out.Elem().Field(i).Set(copyOf(v.Elem().Field(i), replace))
			}
		}
		return out
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(copyOf(v.Index(i), replace))
		}
		return out
	}
	return v
}

// Same reports whether two trees are equal, ignoring their places in files.
func Same(a, b any) bool { return same(reflect.ValueOf(a), reflect.ValueOf(b)) }

func same(a, b reflect.Value) bool {
	switch a.Type() {
	case placeType, spanType, fileType:
		return true
	case reflect.TypeFor[*Cites]():
		return slices.Equal(a.Interface().(*Cites).IDs(), b.Interface().(*Cites).IDs())
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		return same(a.Elem(), b.Elem())
	case reflect.Struct:
		for i := range a.NumField() {
			if !same(a.Field(i), b.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !same(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.String:
		return strings.TrimSpace(a.String()) == strings.TrimSpace(b.String())
	}
	return a.Equal(b)
}

// Exprs lists the expressions of a node in order, without those in its blocks.
func Exprs(node any) []*Expr {
	var out []*Expr
	Walk(node, func(n any) bool {
		switch n := n.(type) {
		case *Block:
			return false
		case *Expr:
			out = append(out, n)
			return false
		}
		return true
	})
	return out
}

// Variant returns the name and the node of the alternative that a sum node holds: for a Stmt "Put" and the *Put; for
// the statement again "Again" and nil. Clause ids and the like are not alternatives. It panics if there is none,
// which the parser never makes.
func Variant(node any) (name string, inner any) {
	v := reflect.ValueOf(node).Elem()
	for i, name := range shapeOf(v.Type()).names {
		switch f := v.Field(i); {
		case name == "Cites":
		case f.Kind() == reflect.Pointer && !f.IsNil():
			return name, f.Interface()
		case f.Kind() == reflect.Bool && f.Bool():
			return name, nil
		}
	}
	panic(fmt.Sprintf("%T without an alternative", node))
}
