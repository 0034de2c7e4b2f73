package mutate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/mutate"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// read parses a text that must have no fault.
func read(t *testing.T, text string) *syntax.File {
	t.Helper()
	var faults diag.List
	f := syntax.Parse(source.New("x.rules", text), &faults)
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	return f
}

// TestOf lists the changes to single declarations: the replacement of the whole declaration by each.
func TestOf(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"rule r \"R\" { may go(p) }", []string{"declaration: "}},
		{"replace rule r \"R\" { may go(p) }", []string{"declaration: "}},
		{"rule r \"R\" {\n  may go(p)\n  must go(p) when six\n}", []string{
			"declaration: ",
			"clause: rule r \"R\" {\n  \n  must go(p) when six\n}",
			"duty: rule r \"R\" {\n  may go(p)\n  \n}",
			"negation: rule r \"R\" {\n  may go(p)\n  must go(p) when !(six)\n}",
		}},
		{"rule r \"R\" { step into s: bar when a(s) && len(s.pieces) >= 2 }", []string{
			"declaration: ",
			`verdict: rule r "R" { step into s: go when a(s) && len(s.pieces) >= 2 }`,
			`negation: rule r "R" { step into s: bar when !(a(s) && len(s.pieces) >= 2) }`,
			`negation: rule r "R" { step into s: bar when !(a(s)) && len(s.pieces) >= 2 }`,
			`junction: rule r "R" { step into s: bar when a(s) || len(s.pieces) >= 2 }`,
			`comparison: rule r "R" { step into s: bar when a(s) && len(s.pieces) > 2 }`,
			`number: rule r "R" { step into s: bar when a(s) && len(s.pieces) >= 1 }`,
			`number: rule r "R" { step into s: bar when a(s) && len(s.pieces) >= 3 }`,
		}},
		{"rule r \"R\" { may pass() despite  duties when six }", []string{
			"declaration: ", `clause: rule r "R" { may pass() when six }`, `negation: rule r "R" { may pass() despite  duties when !(six) }`,
		}},
		{"turns to len(mine) > 1 ? me : next(me) if two", []string{"declaration: ", "comparison: turns to len(mine) >= 1 ? me : next(me) if two",
			"number: turns to len(mine) > 0 ? me : next(me) if two", "number: turns to len(mine) > 2 ? me : next(me) if two"}},
		{"rule r \"R\" { may pass() otherwise }", []string{"declaration: ", `clause: rule r "R" { may pass() }`}},
		{"rule r \"R\" { must go(p) to s or pass() or stand(p) when six }", []string{
			"declaration: ", `duty: rule r "R" { must go(p) to s or stand(p) when six }`, `duty: rule r "R" { must go(p) to s or pass() when six }`,
			`negation: rule r "R" { must go(p) to s or pass() or stand(p) when !(six) }`,
		}},
		{"act a(piece p) { choose q from mine or none by me; give q to p.colour }", []string{
			`statement: act a(piece p) { give q to p.colour }`, `statement: act a(piece p) { choose q from mine by me; give q to p.colour }`,
			`statement: act a(piece p) { choose q from mine or none by me }`,
		}},
		{"act a(piece p) { let q = mine[0]; give q to p.colour; let n = p.index }", []string{
			`number: act a(piece p) { let q = mine[-1]; give q to p.colour; let n = p.index }`,
			`number: act a(piece p) { let q = mine[1]; give q to p.colour; let n = p.index }`,
			`statement: act a(piece p) { let q = mine[0]; let n = p.index }`,
		}},
		{"rule r \"R\" { step beyond: stop or turn }", []string{
			"declaration: ", `verdict: rule r "R" { step beyond: stop }`, `verdict: rule r "R" { step beyond: turn }`,
		}},
		{"rule r \"R\" { on land(p, s) { earn 1; again } }", []string{
			"declaration: ",
			`statement: rule r "R" { on land(p, s) { again } }`,
			`number: rule r "R" { on land(p, s) { earn 0; again } }`,
			`number: rule r "R" { on land(p, s) { earn 2; again } }`,
			`statement: rule r "R" { on land(p, s) { earn 1 } }`,
		}},
		{"let l = p not in [a, b] or !(x == nil)", []string{
			"comparison: let l = p in [a, b] or !(x == nil)",
			"junction: let l = p not in [a, b] && !(x == nil)",
			"negation: let l = p not in [a, b] or (x == nil)",
			"comparison: let l = p not in [a, b] or !(x != nil)",
		}},
		{"turn { if a { throw die } else { play -1 } }", []string{
			"statement: turn {  }",
			"negation: turn { if !(a) { throw die } else { play -1 } }",
			"statement: turn { if a {  } else { play -1 } }",
			"statement: turn { if a { throw die } else {  } }",
			"number: turn { if a { throw die } else { play -2 } }",
			"number: turn { if a { throw die } else { play 0 } }",
		}},
		{"dice d = 5 x {0, 1: 2}", []string{
			"number: dice d = 4 x {0, 1: 2}", "number: dice d = 6 x {0, 1: 2}", "number: dice d = 5 x {-1, 1: 2}", "number: dice d = 5 x {1, 1: 2}",
			"number: dice d = 5 x {0, 0: 2}", "number: dice d = 5 x {0, 2: 2}", "number: dice d = 5 x {0, 1: 1}", "number: dice d = 5 x {0, 1: 3}",
		}},
		{"dice d = d6", []string{"number: dice d = d5", "number: dice d = d7"}},
		{"players 2..4", []string{"number: players 3..4", "number: players 2..3"}},
		{"players 2 of a ? 2..4 : 2..3", []string{
			"number: players 1 of a ? 2..4 : 2..3", "number: players 3 of a ? 2..4 : 2..3", "negation: players 2 of !(a) ? 2..4 : 2..3",
			"number: players 2 of a ? 3..4 : 2..3", "number: players 2 of a ? 2..3 : 2..3",
			"number: players 2 of a ? 2..4 : 3..3", "number: players 2 of a ? 2..4 : 2..2",
		}},
		{"without a, b", []string{"declaration: "}},
		{"set o = true", []string{"declaration: ", "flag: set o = false"}},
		{"option o = 3 of 1..6 \"o\"", []string{"number: option o = 2 of 1..6 \"o\"", "number: option o = 4 of 1..6 \"o\""}},
		{"var go g = false", []string{"flag: var go g = true"}},
		{"test \"t\" { given yellow 5; throw 6 }", nil},
	}
	for _, tt := range tests {
		f := read(t, "ruleset x \"X\"\n"+tt.text+"\n")
		var got []string
		for _, m := range mutate.Of(f) {
			got = append(got, fmt.Sprintf("%s: %s", m.Kind, m.Text))
			text := f.Source.Text()
			if whole := text[:m.Span.Start] + m.New + text[m.Span.End:]; !strings.Contains(whole, m.Text) {
				t.Errorf("%q: span and text of %q disagree", tt.text, m.Words)
			}
			if m.Words == "" || m.In == "" {
				t.Errorf("%q: a change without words", tt.text)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s\n%s", tt.text, diff)
		}
	}
}
