package generate

import (
	"fmt"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// books is how many books the tests make.
const books = 250

// TestChecks wants most books to pass check, and the same seed to make the same book.
func TestChecks(t *testing.T) {
	for seed := range uint64(books) {
		if !reflect.DeepEqual(New(seed), New(seed)) {
			t.Fatalf("seed %d makes two books", seed)
		}
	}
	if passed := len(sound()); passed < books*9/10 {
		t.Errorf("%d of %d books pass check", passed, books)
	}
}

// sound are the books that pass check, made once for all tests.
var sound = sync.OnceValue(func() (out []*Book) {
	all := make([]*Book, books)
	var wait sync.WaitGroup
	for part := range runtime.NumCPU() {
		wait.Go(func() {
			for seed := part; seed < books; seed += runtime.NumCPU() {
				b := New(uint64(seed))
				if book, _ := b.Check(); book != nil {
					all[seed] = b
				}
			}
		})
	}
	wait.Wait()
	return slices.DeleteFunc(all, func(b *Book) bool { return b == nil })
})

// seen is what comes up in files that check passes.
type seen struct {
	grammar map[string]bool // "Stmt.If", and "Step.First go" for a word that is captured
	words   map[string]bool // names, fields, functions and operators of expressions
	events  map[string]bool
}

func look(t *testing.T) *seen {
	s := &seen{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, b := range sound() {
		for name, text := range b.Files {
			if !strings.HasSuffix(name, ".rules") {
				continue
			}
			var faults diag.List
			f := syntax.Parse(source.New(name, text), &faults)
			if f == nil || faults.HasErrors() {
				t.Fatal(faults)
			}
			s.visit(reflect.ValueOf(f.Header), name)
			s.visit(reflect.ValueOf(f.Decls), name)
		}
	}
	return s
}

func (s *seen) visit(v reflect.Value, at string) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || v.Type() == reflect.TypeFor[*source.File]() {
			return
		}
		switch x := v.Interface().(type) {
		case *expr.Node:
			s.expression(x)
			return
		case *syntax.Event:
			s.event(x)
		}
		s.visit(v.Elem(), at)
	case reflect.Slice:
		for i := range v.Len() {
			s.visit(v.Index(i), at)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() || v.Field(i).IsZero() {
				continue
			}
			name := v.Type().Name() + "." + f.Name
			s.grammar[name] = true
			if v.Field(i).Kind() == reflect.String {
				s.grammar[name+" "+v.Field(i).String()] = true
			}
			s.visit(v.Field(i), name)
		}
	}
}

func (s *seen) expression(n *expr.Node) {
	switch n.Kind {
	case expr.Element:
		s.words["#"] = true
	case expr.Nil:
		s.words["nil"] = true
	case expr.Bool:
		s.words[fmt.Sprint(n.Int != 0)] = true
	case expr.Ternary:
		s.words["?"] = true
	case expr.Index:
		s.words["list[0]"] = true
	case expr.Unary:
		s.words[n.Name] = true
		if a := n.Args[0]; n.Name == "!" && a.Kind == expr.Binary && a.Name == "in" {
			s.words["not in"] = true
		}
	case expr.Builtin, expr.Call:
		s.words[fmt.Sprintf("%s/%d", n.Name, len(n.Args))] = true
		s.words[n.Name] = true
	default:
		s.words[n.Name] = true
	}
	for _, a := range n.Args {
		if n.Kind == expr.Field && a.Kind == expr.Name && (a.Name == "game" || a.Name == "board") {
			s.words[a.Name+"."+n.Name] = true
		}
		s.expression(a)
	}
}

func (s *seen) event(e *syntax.Event) {
	switch {
	case e.Turn != "":
		s.events["turn "+e.Turn] = true
	case e.Game != "":
		s.events["game "+e.Game] = true
	case e.Name.Text == "throw" && e.Call:
		s.events["throw(DICE)"] = true
	case strings.HasPrefix(e.Name.Text, "effect"):
		s.events["act"] = true
	case strings.HasPrefix(e.Name.Text, "hop"), e.Name.Text == "advance":
		s.events["a move"] = true
		s.events["a move to s"] = s.events["a move to s"] || e.To != nil
	default:
		s.events[e.Name.Text] = true
	}
}

// TestGrammar wants every part of the grammar to come up: every field of every node of the parser's tree, and every word
// that one of them captures.
func TestGrammar(t *testing.T) {
	s := look(t)
	literal := regexp.MustCompile(`'([^']+)'`)
	captured := regexp.MustCompile(`@(\([^()]*\)|'[^']+')`)
	known := map[reflect.Type]bool{}
	var walk func(n reflect.Type)
	walk = func(n reflect.Type) {
		for n.Kind() == reflect.Pointer || n.Kind() == reflect.Slice {
			n = n.Elem()
		}
		if n.Kind() != reflect.Struct || known[n] || n == reflect.TypeFor[expr.Node]() || n == reflect.TypeFor[source.File]() {
			return
		}
		known[n] = true
		for i := range n.NumField() {
			f := n.Field(i)
			if f.Tag.Get("parser") == "" {
				continue
			}
			name := n.Name() + "." + f.Name
			if !s.grammar[name] {
				t.Errorf("%s never comes up", name)
			}
			if f.Type.Kind() == reflect.String {
				for _, c := range captured.FindAllString(f.Tag.Get("parser"), -1) {
					for _, l := range literal.FindAllStringSubmatch(c, -1) {
						if name == "Step.Second" && l[1] == "bar" { // no choice, so the checker says
							continue
						}
						if !s.grammar[name+" "+l[1]] {
							t.Errorf("%s never is %q", name, l[1])
						}
					}
				}
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[syntax.Decl]())
}

// TestWords wants every word, field, operator, function and event of the language to come up.
func TestWords(t *testing.T) {
	s := look(t)
	var words []string
	for _, role := range []syntax.Role{syntax.ValueWord, syntax.FunctionWord, syntax.FieldWord} {
		for _, w := range syntax.Words(role) {
			switch {
			case role == syntax.ValueWord && w.Text == "p": // a name like others elsewhere
			case w.Of == "game" || w.Of == "board":
				words = append(words, w.Of+"."+w.Text)
			default:
				words = append(words, w.Text)
			}
		}
	}
	operators := []string{"==", "!=", "<", "<=", ">", ">=", "in", "not in", "..", "+", "-", "*", "/", "%", "!", "??", "?", "&&", "||", "#", "list[0]"}
	for _, w := range append(words, operators...) {
		if !s.words[w] {
			t.Errorf("%q never comes up", w)
		}
	}
	for _, f := range []string{"count/1", "count/2", "sum/1", "sum/2", "min/1", "min/2", "max/1", "max/2"} {
		if !s.words[f] {
			t.Errorf("%q never comes up", f)
		}
	}
	for _, e := range append(syntax.Texts(syntax.EventWord), "throw(DICE)", "a move", "a move to s", "act") {
		if !s.events[e] {
			t.Errorf("the event %q never comes up", e)
		}
	}
}
