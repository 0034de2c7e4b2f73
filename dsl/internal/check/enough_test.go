package check_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/source"
)

// optional makes a rule book of options, lets and rules that hang on each other, in which nothing else is wrong than that a number cannot be
// worked out with some values of the options.
func optional(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("ruleset optional \"With options\"\n\nboard cross68\nplayers 2..4\npieces 2 at home\ndice die = d6\n\n")
	names := []string{"one", "two", "three", "four", "five"}
	for _, name := range names {
		fmt.Fprintf(&b, "option %s = false \"it is %s\"\n", name, name)
	}
	options := len(names)
	flag := func() string { return []string{"", "!"}[r.IntN(2)] + names[r.IntN(len(names))] }
	for i := range 3 {
		name := fmt.Sprintf("both%d", i)
		fmt.Fprintf(&b, "let %s = %s && %s\n", name, flag(), flag())
		names = append(names, name)
	}
	fmt.Fprintf(&b, "let parts = %s && %s && players %s 3 ? 0 : 1\nlet share = int(6 / parts)\n", flag(), flag(), []string{"==", "<", ">"}[r.IntN(3)])
	b.WriteString("\nturn { throw die; play die }\n\nmove enter(p in mine) from home to p.start\nmove advance(p in mine) from squares walk steps\n\n")
	b.WriteString("rule counting \"Pieces come in and walk\" { may enter(p) when die > 2; may advance(p); step beyond: bar }\n")
	for i, number := range []string{"2", "share", "3"} {
		fmt.Fprintf(&b, "rule more%d \"Another throw\" if %s { on enter(p) when die == %s && %s { again } }\n", i, names[r.IntN(options)], number, flag())
	}
	b.WriteString("rule finish \"All in the goal win\" { win player x when all(x.pieces, .at == goal) }\n")
	return b.String()
}

// TestEnough: where some setting has an error, some of the settings that are looked at first have one.
func TestEnough(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	lib := dsl.Library{Shared: &dsl.Shared{}}
	faulty, fewer := 0, 0
	for range 150 {
		text := optional(r)
		var faults diag.List
		b := book.Load(source.New("optional.rules", text), nil, lib, &faults)
		if b == nil || faults.HasErrors() {
			t.Fatalf("%v\n%s", faults, text)
		}
		some, k := check.InSome(b)
		all, n := check.InAll(b)
		if all.HasErrors() {
			faulty++
		}
		if k < n {
			fewer++
		}
		if all.HasErrors() && !some.HasErrors() {
			t.Errorf("%d of %d settings do not find %v in\n%s", k, n, all[0].Message, text)
		}
	}
	if faulty < 50 || fewer < 50 {
		t.Errorf("only %d books have errors, and %d are looked at in fewer settings", faulty, fewer)
	}
}

// TestLeavesOut: a value of a flag only leaves something out where conditions of rules, variables and counters ask for the other one, and
// nothing else asks for either.
func TestLeavesOut(t *testing.T) {
	const rest = `
ruleset flagged "With a flag"
board cross68
players 2..4
pieces 2 at home
dice die = d6
option flag = false "it is so"
option other = 2 of 1..3 "another number"
turn { throw die; play die }
move enter(p in mine) from home to p.start
rule counting "Pieces come in" { may enter(p) when die > 2 }
rule finish "All in the goal win" { win player x when all(x.pieces, .at == goal) }
`
	lib := dsl.Library{Shared: &dsl.Shared{}}
	for _, x := range []struct{ more, value string }{
		{`rule more "More" if flag { on enter(p) when die == 6 { again } }`, "false"},
		{`rule more "More" if !flag { on enter(p) { again } }`, "true"},
		{`rule more "More" if flag && other > 1 { on enter(p) { again } }` + "\n" + `rule most "flag" if flag { on enter(p) when die == 5 { again } }`, "false"},
		{`rule more "More" if flag { on enter(p) when seen == 0 { again; seen = 1 } }` + "\nvar turn seen = 0 if flag", "false"},
		{`rule more "More" if flag { on enter(p) { again } }` + "\n" + `rule less "Less" if !flag { on enter(p) when die == 5 { again } }`, ""},
		{`rule more "More" if flag { on enter(p) when die == 6 && flag { again } }`, ""},
		{`rule more "More" if flag || other > 1 { on enter(p) { again } }`, ""},
		{`rule more "More" if flag { on enter(p) when die > least { again } }` + "\nlet least = flag ? 3 : 4", ""},
		{`teams if flag { yellow red | blue green }`, ""},
		{`rule more "More" if other > 1 { on enter(p) { again } }`, ""},
	} {
		var faults diag.List
		b := book.Load(source.New("flagged.rules", strings.TrimSpace(rest)+"\n"+x.more+"\n"), nil, lib, &faults)
		if b == nil || faults.HasErrors() {
			t.Fatalf("%s: %v", x.more, faults)
		}
		if got := check.LeavesOut(b, "flag"); got != x.value {
			t.Errorf("with %s, %q leaves something out and nothing else, want %q", x.more, got, x.value)
		}
	}
}
