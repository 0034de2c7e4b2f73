package interpreter

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestWithout: a game without a clause plays as one whose rules never apply it, and one with all of them as the rules say.
func TestWithout(t *testing.T) {
	folder := os.DirFS("../examples/house")
	for _, name := range []string{"parchis", "ludoteka_teams", "patolli", "hunter", "huff", "credits", "undo_sixes", "overtaking"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rules *model.Rules
			if _, err := os.Stat("../examples/house/" + name + ".rules"); err == nil {
				rules = testbook.In(t, folder, name+".rules", dsl.Setting{})
			} else {
				rules = testbook.Shipped(t, name, dsl.Setting{})
			}
			switched := func(rules *model.Rules, which func(*model.Clause) bool) *Game {
				g, err := CompileSwitched(rules, which)
				if err != nil {
					t.Fatal(err)
				}
				return g
			}
			played := func(c *model.Clause) bool {
				return c.Kind != model.ClauseAlways && !(c.Kind == model.ClauseBeyond && c.First == model.VerdictBar)
			}
			none := func(*model.Clause) bool { return false }
			g := switched(rules, played)
			if n := differAt(g, switched(rules, none)); n >= 0 {
				t.Errorf("with all clauses: node %d differs", n)
			}
			differs := 0
			for i, r := range rules.Rules {
				for k, c := range r.Clauses {
					if !played(c) {
						continue
					}
					less, rule, never := *rules, *r, *c
					never.When, never.Or = &model.Expr{Op: model.OpConst, Type: model.Of(model.Flag)}, nil
					rule.Clauses, less.Rules = slices.Clone(r.Clauses), slices.Clone(rules.Rules)
					rule.Clauses[k], less.Rules[i] = &never, &rule
					without := g.Without(c)
					if n := differAt(without, switched(&less, none)); n >= 0 {
						t.Errorf("without %q: node %d differs", strings.Join(strings.Fields(c.Span.Text()), " "), n)
					}
					if differAt(without, g) >= 0 {
						differs++
					}
				}
			}
			if differs == 0 {
				t.Error("no clause made a difference")
			}
		})
	}
}

// differAt is the first node at which the states of two games with the same luck and choices differ, -1 if those of the first do not.
func differAt(g, h *Game) int {
	l := &g.prog.Layout
	state := func(p *Position) []int16 {
		cells := slices.Clone(p.m.State()[code.HeaderCells:l.Frame])
		cells[g.off()-code.HeaderCells] = 0
		return cells
	}
	r := NewRandom(7, 7)
	p, q := g.Start(ByTheRules), h.Start(ByTheRules)
	for node := range 400 {
		switch {
		case p.Kind() != q.Kind(), !slices.Equal(state(p), state(q)), p.Kind() == Choice && p.OptionCount() != q.OptionCount():
			return node
		case p.Kind() == Throw:
			s := r
			p.ThrowRandom(&r)
			q.ThrowRandom(&s)
		case p.Kind() == Choice:
			i := r.IntN(p.OptionCount())
			p.Choose(i)
			q.Choose(i)
		default:
			return -1
		}
	}
	return -1
}

// TestFailsWithout: a test can fail in a game without a clause, of which the state has a cell that the rules do not know.
func TestFailsWithout(t *testing.T) {
	b := testbook.Book(t, "ours.rules", "change ours \"Ours\" for patolli\n\ntest \"the reserve\" {\n  given yellow home home home home home 12 | blue home home home home 14 30\n"+
		"  turn  yellow\n  throw 2\n  expect that yellow.reserve == 99 && blue.reserve == 19\n}\n", nil)
	rules, _ := b.Scenarios()[0].Rules()
	g, err := CompileSwitched(rules, func(*model.Clause) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	if len(g.RunTest(rules.Tests[0])) == 0 {
		t.Error("the test does not fail")
	}
}
