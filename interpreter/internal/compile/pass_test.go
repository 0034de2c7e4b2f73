package compile_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

var books = []string{"parchis", "parchis4a", "ludoteka", "ludoteka_teams", "ludoteka_sin_dados", "cicloparchis", "patolli"}

// TestStages compiles the shipped rule books and verifies the program after each stage.
func TestStages(t *testing.T) {
	for _, name := range books {
		for _, plain := range []bool{false, true} {
			rules := testbook.Shipped(t, name, dsl.Setting{})
			err := compile.Each(rules, plain, compile.Stage{
				Tree: func(stage string, procs []*ir.Proc) {
					if err := ir.Verify(procs, code.NonNil); err != nil {
						t.Errorf("%s, plain %v, after %s: %v", name, plain, stage, err)
					}
				},
				Code: func(stage string, p *code.Program) {
					if stage == "generate" || stage == "thread" { // later the assumptions are gone
						if err := code.VerifyFlow(p); err != nil {
							t.Errorf("%s, plain %v, after %s: %v", name, plain, stage, err)
						}
					}
				},
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestPrint prints every stage of a rule book, with the source position of each line. It rejects an unknown stage.
func TestPrint(t *testing.T) {
	rules := testbook.Shipped(t, "parchis4a", dsl.Setting{})
	where := func(u *compile.Unit, site int) string {
		if site == 0 || u.Sites[site].IsZero() {
			return ""
		}
		return fmt.Sprintf("%s:%d", u.Sites[site].Name(), u.Sites[site].Position().Line)
	}
	for _, stage := range compile.Stages() {
		var b strings.Builder
		if err := compile.Print(&b, rules, false, stage, where); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"@steps", "parchis4a.rules:"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: there is no %q", stage, want)
			}
		}
	}
	if err := compile.Print(&strings.Builder{}, rules, false, "no such", where); err == nil {
		t.Error("a stage that is none is printed")
	}
}

// TestLowerLeavesOut tests that the plain form of a decision omits needless code. A walker leaves its square only if a
// clause reads which pieces stand where; for end clauses alone, only at its end. A loop over constants is unrolled.
func TestLowerLeavesOut(t *testing.T) {
	for _, x := range []struct {
		game       string
		has, hasNo []string
	}{
		{"yut", []string{"n = (n + @results+0)"}, []string{"lift(", "relink(", "loop L1 {\n          n = (n +"}}, // no clause on steps reads the board, and lists of numbers are constants
		{"senet", []string{"end.2 = table", "block L5 {\n              lift(p)"}, []string{"loop L2 {\n            lift("}},
	} {
		var b strings.Builder
		rules := testbook.In(t, os.DirFS("../../../examples/games"), x.game+".rules", dsl.Setting{})
		if err := compile.Print(&b, rules, false, "lower", func(*compile.Unit, int) string { return "" }); err != nil {
			t.Fatal(err)
		}
		for _, want := range x.has {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: there is no %q", x.game, want)
			}
		}
		for _, not := range x.hasNo {
			if strings.Contains(b.String(), not) {
				t.Errorf("%s: there is %q", x.game, not)
			}
		}
	}
}
