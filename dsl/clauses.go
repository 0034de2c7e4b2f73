package dsl

import (
	"regexp"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// Clause is one clause of a written rule book: what rules and tests cite by its id.
type Clause struct {
	ID      string
	Text    string
	Settled string // what is played where the text is open; often ""
	Span    source.Span
}

var clauseHead = regexp.MustCompile(`^([A-Z][A-Z0-9]*-[0-9A-Za-z]+)[ \t]+(.*)$`)

// ReadClauses reads a .clauses file: each clause begins in the first column with its id, its words may go on in
// indented lines, and an indented "settled:" begins what is settled. Lines that begin with # are remarks.
func ReadClauses(file *source.File) ([]Clause, diag.List) {
	var out []Clause
	var diags diag.List
	seen := map[string]source.Span{}
	settled := false
	for n := 1; n <= file.LineCount(); n++ {
		line := file.Line(n)
		span := file.Span(file.LineStart(n), file.LineStart(n)+len(line))
		text := strings.TrimSpace(line)
		switch {
		case text == "" || strings.HasPrefix(line, "#"):
		case line[0] != ' ' && line[0] != '\t':
			m := clauseHead.FindStringSubmatch(line)
			if m == nil {
				diags.Errorf("bad-clause", span, "a clause begins with its id and its words").WithHint("write: ABC-01 The words of the clause")
				continue
			}
			if first, twice := seen[m[1]]; twice {
				diags.Errorf("declared-twice", span, "clause %s is there already", m[1]).WithNote(first, "the first one")
			}
			seen[m[1]], settled = span, false
			out = append(out, Clause{ID: m[1], Text: strings.TrimSpace(m[2]), Span: span})
		case len(out) == 0:
			diags.Errorf("bad-clause", span, "this belongs to no clause").WithHint("a clause begins in the first column, with its id")
		case strings.HasPrefix(text, "settled:"):
			settled = true
			out[len(out)-1].Settled = strings.TrimSpace(strings.TrimPrefix(text, "settled:"))
		case settled:
			out[len(out)-1].Settled += " " + text
		default:
			out[len(out)-1].Text += " " + text
		}
	}
	return out, diags
}
