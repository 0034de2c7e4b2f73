package coverage

import (
	"fmt"
	"io"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/mutation"
)

// Mutations has the results of mutation tests. It belongs to one goroutine; writing does not change it.
type Mutations struct {
	Version string // of the program
	Seed    uint64
	Reports []*mutation.Report
}

// Score is the share of detected mutants in all files together, in percent.
func (m *Mutations) Score() int {
	all := mutation.Report{Results: seq.Flat(m.Reports, func(r *mutation.Report) []mutation.Result { return r.Results })}
	return all.Score()
}

// Unnoticed lists the undetected mutants as findings.
func (m *Mutations) Unnoticed() diag.List {
	var l diag.List
	for _, r := range m.Reports {
		for _, x := range r.Results {
			if x.Outcome == mutation.Unnoticed {
				d := diag.Diagnostic{Severity: diag.Info, Code: "unnoticed", Span: x.Mutant.Span, Message: unnoticedWords(&x)}
				if x.Mutant.New != "" {
					d.Hint = "the change: " + short(x.Mutant.New)
				}
				l.Add(d)
			}
		}
	}
	return l
}

func unnoticedWords(x *mutation.Result) string {
	return fmt.Sprintf("no test notices: %s, %s", x.Mutant.In, x.Mutant.Words)
}

// WriteText lists the undetected mutants, each with its place and the lines before and after, then the score.
func (m *Mutations) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, r := range m.Reports {
		for i := range r.Results {
			if x := &r.Results[i]; x.Outcome == mutation.Unnoticed {
				unnoticed(&b, r, x)
			}
		}
		score(&b, r)
	}
	if len(m.Reports) > 1 {
		fmt.Fprintf(&b, "all files: %d %%\n", m.Score())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func unnoticed(b *strings.Builder, r *mutation.Report, x *mutation.Result) {
	at := x.Mutant.Span.Position()
	fmt.Fprintf(b, "%s:%d:%d: %s", r.File.Name(), at.Line, at.Column, unnoticedWords(x))
	if x.Near > 0 {
		fmt.Fprintf(b, " (%s here)", diag.Plural(x.Near, "test")+map[bool]string{true: " comes", false: " come"}[x.Near == 1])
	}
	b.WriteString("\n")
	before, after := lines2(x.Mutant)
	for _, l := range before {
		fmt.Fprintf(b, "  - %s\n", l)
	}
	for _, l := range after {
		fmt.Fprintf(b, "  + %s\n", l)
	}
	b.WriteString("\n")
}

// maxLines limits the lines of a mutant that are shown.
const maxLines = 6

// lines2 are the lines that a mutant changes, before and after.
func lines2(m dsl.Mutant) (before, after []string) {
	f := m.Span.File
	first, last := m.Span.Position().Line, f.Position(max(m.Span.Start, m.Span.End-1)).Line
	start, end := f.LineStart(first), f.LineStart(last)+len(f.Line(last))
	text := f.Text()
	before = cutLines(text[start:end])
	if changed := text[start:m.Span.Start] + m.New + text[min(m.Span.End, end):end]; strings.TrimSpace(changed) != "" {
		after = cutLines(changed)
	}
	return before, after
}

func cutLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, " \t\n"), "\n")
	if len(lines) > maxLines {
		lines = append(lines[:maxLines-1], "…")
	}
	return seq.Map(lines, func(l string) string { return strings.TrimRight(l, " \t\r") })
}

// score writes how many mutants were detected, and how many were left out.
func score(b *strings.Builder, r *mutation.Report) {
	noticed, missed := r.Count(mutation.Noticed), r.Count(mutation.Unnoticed)
	if noticed+missed == 0 {
		fmt.Fprintf(b, "%s: nothing to change", r.File.Name())
	} else {
		fmt.Fprintf(b, "%s: %d of %d changes noticed by %s, %d %%", r.File.Name(), noticed, noticed+missed, diag.Plural(r.Tests, "test"), r.Score())
	}
	var left []string
	for _, x := range []struct {
		o     mutation.Outcome
		words string
	}{{mutation.Unfit, "faulty"}, {mutation.Same, "of the same game"}, {mutation.Untried, "not tried"}} {
		if n := r.Count(x.o); n > 0 {
			left = append(left, fmt.Sprintf("%d %s", n, x.words))
		}
	}
	if len(left) > 0 {
		fmt.Fprintf(b, " (left out: %s)", strings.Join(left, ", "))
	}
	b.WriteString("\n")
}

// WriteJSON writes every mutant with its result, as schema/mutation.schema.json of package report describes it.
func (m *Mutations) WriteJSON(w io.Writer) error {
	files := []object.Fields{}
	for _, r := range m.Reports {
		outcomes, mutants := []mutation.Outcome{mutation.Noticed, mutation.Unnoticed, mutation.Same, mutation.Unfit, mutation.Untried}, []object.Fields{}
		counts := object.Fields(seq.Map(outcomes, func(o mutation.Outcome) object.Field { return object.Field{o.String(), r.Count(o)} }))
		for _, x := range r.Results {
			at, end := x.Mutant.Span.Position(), r.File.Position(x.Mutant.Span.End)
			f := object.Fields{
				{"kind", x.Mutant.Kind}, {"outcome", x.Outcome.String()}, {"line", at.Line}, {"column", at.Column}, {"end_line", end.Line}, {"end_column", end.Column},
				{"declaration", x.Mutant.In}, {"words", x.Mutant.Words}, {"new", x.Mutant.New},
			}
			mutants = append(mutants, append(f.Some("by", x.By), object.Field{"near", x.Near}))
		}
		files = append(files, object.Fields{{"file", r.File.Name()}, {"tests", r.Tests}, {"score", r.Score()}, {"counts", counts}, {"mutants", mutants}})
	}
	return object.Indented(w, append(object.Head(1, m.Version), object.Fields{{"seed", m.Seed}, {"score", m.Score()}, {"files", files}}...))
}
