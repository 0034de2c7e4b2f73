package dsl

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// TestOptions reads options of every kind, as declared and as a change sets them.
func TestOptions(t *testing.T) {
	text := `ruleset every extends gentle "Options of every kind"

option low    = 3 of 1..6 "a range"
option odd    = 3 of 1, 3, 5
option any    = 20
option flag   = false "a flag"
option where  = "out" of "out", "home"
option spoken = "hello"

set low = 2 of 2..4
set odd = 5
`
	lib := Library{Beside: fstest.MapFS{"gentle.rules": {Data: []byte("ruleset gentle \"Base\"\n\noption first_one = true\n")}}}
	book, diags := Load(source.New("every.rules", text), lib)
	if book == nil {
		t.Fatal(diags)
	}
	want := []model.Option{
		{Name: "first_one", Kind: model.Flag, Default: "true", Declared: "true", Values: []string{"true", "false"}, Origin: "gentle"},
		{Name: "low", Words: "a range", Kind: model.Number, Default: "2", Declared: "3", Low: 2, High: 4, Origin: "every"},
		{Name: "odd", Kind: model.Number, Default: "5", Declared: "3", Values: []string{"1", "3", "5"}, Origin: "every"},
		{Name: "any", Kind: model.Number, Default: "20", Declared: "20", Origin: "every"},
		{Name: "flag", Words: "a flag", Kind: model.Flag, Default: "false", Declared: "false", Values: []string{"true", "false"}, Origin: "every"},
		{Name: "where", Kind: model.Word, Default: "out", Declared: "out", Values: []string{"out", "home"}, Said: []string{"out", "home"}, Origin: "every"},
		{Name: "spoken", Kind: model.Word, Default: "hello", Declared: "hello", Origin: "every"},
	}
	for i := range want {
		if want[i].High == 0 {
			want[i].Low, want[i].High = model.MinNumber, model.MaxNumber
		}
	}
	got := book.Options()
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(model.Option{}, "Span", "Set")); diff != "" {
		t.Error(diff)
	}
	wants := []string{"true or false", "a number from 2 to 4", "one of 1, 3, 5", "a number", "true or false", "one of out, home", "a word"}
	lists := [][]string{{"true", "false"}, {"2", "3", "4"}, {"1", "3", "5"}, nil, {"true", "false"}, {"out", "home"}, nil}
	for i, o := range got {
		if o.Wants() != wants[i] {
			t.Errorf("%s is %q, want %q", o.Name, o.Wants(), wants[i])
		}
		if diff := cmp.Diff(lists[i], o.List()); diff != "" {
			t.Errorf("%s: %s", o.Name, diff)
		}
		if o.Span.Text() != o.Name {
			t.Errorf("%s is declared at %q", o.Name, o.Span.Text())
		}
		if set := o.Set.Text(); (set != "") != (o.Name == "low" || o.Name == "odd") {
			t.Errorf("%s is set by %q", o.Name, set)
		}
	}
}
