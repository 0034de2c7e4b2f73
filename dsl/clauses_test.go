package dsl

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rulerun/rulerun/dsl/source"
)

func TestReadClauses(t *testing.T) {
	file := source.New("x.clauses", "# remarks\n\nAB-01 One word\n  and more.\n  settled: This\n  is played.\n\nAB-02 Another.\n")
	got, diags := ReadClauses(file)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	want := []Clause{{ID: "AB-01", Text: "One word and more.", Settled: "This is played."}, {ID: "AB-02", Text: "Another."}}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Clause{}, "Span")); diff != "" {
		t.Error(diff)
	}
}

func TestReadClausesFaults(t *testing.T) {
	_, diags := ReadClauses(source.New("x.clauses", "  lost\nno id here\nAB-01 One.\nAB-01 Again.\n"))
	var got []string
	for _, d := range diags {
		got = append(got, d.Error())
	}
	want := []string{
		"x.clauses:1:1: error: this belongs to no clause; a clause begins in the first column, with its id",
		"x.clauses:2:1: error: a clause begins with its id and its words; write: ABC-01 The words of the clause",
		"x.clauses:4:1: error: clause AB-01 is there already",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff, strings.Join(got, "\n"))
	}
}

// FuzzClauses looks for lists of clauses that panic, or are read otherwise with other line ends.
func FuzzClauses(f *testing.F) {
	f.Add("# remarks\n\nAB-01 One word\n  and more.\n  settled: This\n  is played.\n\nAB-02 Another.\n")
	f.Add("  lost\nno id here\nAB-01 One.\nAB-01 Again.\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		got, diags := ReadClauses(source.New("x.clauses", text))
		if strings.Contains(text, "\r") {
			return
		}
		other, faults := ReadClauses(source.New("x.clauses", strings.ReplaceAll(text, "\n", "\r\n")))
		if diff := cmp.Diff(got, other, cmpopts.IgnoreFields(Clause{}, "Span")); diff != "" || len(diags) != len(faults) {
			t.Errorf("%d faults, with other line ends %d\n%s", len(diags), len(faults), diff)
		}
	})
}
