package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// writeJSON prints a run as schema/output.schema.json describes it.
func writeJSON(w io.Writer, r *Run) error {
	n := r.counts()
	files := append([]string{}, seq.Map(r.Files, r.path)...)
	findings := append([]object.Fields{}, seq.Map(slices.Concat(r.Findings, r.Unnoticed), r.findingFields)...)
	silenced := seq.Map(r.Silenced, func(s diag.Silenced) object.Fields {
		return append(r.findingFields(s.Diagnostic), object.Field{"reason", s.By.Reason})
	})
	doc := append(object.Head(1, r.Version), object.Fields{{"verb", r.Verb}, {"files", files}, {"findings", findings}}...)
	doc = doc.Some("silenced", silenced).Some("tests", seq.Map(r.Tests, r.caseFields)).Some("clauses", r.Clauses)
	return object.Indented(w, append(doc, object.Field{"summary", object.Fields{
		{"failed", r.Failed()}, {"errors", r.Findings.Count(diag.Error)}, {"warnings", r.Findings.Count(diag.Warning)},
		{"notes", r.Findings.Count(diag.Info) + len(r.Unnoticed)}, {"silenced", len(r.Silenced)},
		{"tests_passed", n.passed}, {"tests_failed", n.failed}, {"tests_skipped", n.skipped}, {"files_broken", len(r.Broken)},
	}}))
}

// place is a range of a file, with lines and columns from 1, columns in characters.
type place struct {
	File                             string
	Line, Column, EndLine, EndColumn int
}

func (p place) fields() object.Fields {
	return object.Fields{}.Some("file", p.File).Some("line", p.Line).Some("column", p.Column).Some("end_line", p.EndLine).Some("end_column", p.EndColumn)
}

func (r *Run) place(s source.Span) place {
	if s.IsZero() {
		return place{}
	}
	from, to := s.File.Position(s.Start), s.File.Position(s.End)
	return place{r.path(s.Name()), from.Line, from.Column, to.Line, to.Column}
}

// placed is a place with one more field.
func (r *Run) placed(s source.Span, key, value string) object.Fields {
	return append(r.place(s).fields(), object.Field{key, value})
}

func (r *Run) findingFields(d diag.Diagnostic) object.Fields {
	f := append(object.Fields{{"severity", d.Severity.String()}, {"code", d.Code}}, r.placed(d.Span, "message", d.Message)...)
	notes := seq.Map(d.Notes, func(n diag.Note) object.Fields { return r.placed(n.Span, "message", n.Message) })
	fixes := seq.Map(d.Fixes, func(x diag.Fix) object.Fields {
		edits := seq.Of(len(x.Edits), func(i int) object.Fields { return r.placed(x.Edits[i].Span, "new", x.Edits[i].New) })
		return object.Fields{{"title", x.Title}, {"edits", edits}}
	})
	return f.Some("hint", d.Hint).Some("notes", notes).Some("fixes", fixes)
}

func (r *Run) caseFields(c Case) object.Fields {
	outcome := "passed"
	var failures []object.Fields
	if c.Skipped != "" {
		outcome = "skipped"
	} else if c.Failed() {
		outcome = "failed"
		failures = seq.Map(c.Failures, func(f Failure) object.Fields { return r.findingFields(f.Finding).Some("detail", f.Detail) })
	}
	f := append(object.Fields{{"suite", r.path(c.Suite)}, {"name", c.Name}}, r.place(c.Span).fields()...)
	f = append(f.Some("cites", c.Cites), object.Field{"outcome", outcome})
	return f.Some("reason", c.Skipped).Some("failures", failures)
}

// path is the name of a file for machines: with forward slashes, and relative to the root if it is inside.
func (r *Run) path(name string) string {
	if r.Root != "" && filepath.IsAbs(name) {
		if rel, err := filepath.Rel(r.Root, name); err == nil && filepath.IsLocal(rel) {
			name = rel
		}
	}
	return strings.TrimPrefix(filepath.ToSlash(name), "./")
}

// prints makes fingerprints of findings. A fingerprint identifies a finding across runs: it depends on the code, the
// file, the text of the line and the marked part of it, not on the line number or on spaces. Findings with equal
// values are numbered in order.
type prints struct {
	run  *Run
	seen map[string]int
}

func (r *Run) prints() *prints { return &prints{run: r, seen: map[string]int{}} }

func (p *prints) of(d diag.Diagnostic) string {
	key := d.Code + "\x00"
	if d.Span.IsZero() {
		key += d.Message
	} else {
		line := d.Span.File.Line(d.Span.Position().Line)
		key += p.run.path(d.Span.Name()) + "\x00" + squeeze(line) + "\x00" + squeeze(d.Span.Text())
	}
	p.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d", key, p.seen[key]))
	return hex.EncodeToString(sum[:16])
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// words is a finding as one text: its message, and the hint below it.
func words(d diag.Diagnostic) string {
	if d.Hint == "" {
		return d.Message
	}
	return d.Message + "\nhelp: " + d.Hint
}
