package compile_test

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
	"github.com/rulerun/rulerun/rulesets"
)

var books = []string{"parchis", "parchis4a", "ludoteka", "ludoteka_teams", "ludoteka_sin_dados", "cicloparchis", "patolli"}

// TestStages compiles the shipped rule books and verifies the program after each stage.
func TestStages(t *testing.T) {
	for _, name := range books {
		for _, plain := range []bool{false, true} {
			rules := read(t, name)
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

// TestPrint prints every stage of a rule book, with the rule each line comes from, and knows no others.
func TestPrint(t *testing.T) {
	rules := read(t, "parchis4a")
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

// read is the checked rules of a shipped rule book.
func read(t *testing.T, name string) *model.Rules {
	t.Helper()
	data, err := fs.ReadFile(rulesets.FS, name+".rules")
	if err != nil {
		t.Fatal(err)
	}
	book, faults := dsl.Load(source.New(name+".rules", string(data)), dsl.Library{Shipped: rulesets.FS})
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	return rules
}
