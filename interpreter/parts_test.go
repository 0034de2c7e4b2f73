package interpreter_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
)

// TestParts wants a condition that does not hold to be taken apart: what was looked at, outside first, each part once.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		cond string
		want []string
	}{
		{`sixes > 3`, []string{`sixes is 0`}},
		{`1 == 2`, nil},
		{`capture_count == 7`, []string{`capture_count is 20`}},
		{`yellow.pieces[0].at == nil && sixes == 0`, []string{
			`yellow.pieces[0].at == nil is false`, `yellow.pieces[0].at is 12`, `yellow.pieces[0] is yellow@12`,
			`yellow.pieces is [yellow@12, yellow@home, yellow@home, yellow@20]`}},
		{`sixes == 0 && sixes > 1`, []string{`sixes == 0 is true`, `sixes is 0`, `sixes > 1 is false`}},
		{`all(yellow.pieces, .at == home)`, []string{
			`all(yellow.pieces, .at == home) is false, as it does not hold for yellow@12, yellow@20`,
			`yellow.pieces is [yellow@12, yellow@home, yellow@home, yellow@20]`}},
		{`none(filter(red.pieces, .at == home), .at.square || any(.at.pieces, # == blue.pieces[1]))`, []string{
			`none(filter(red.pieces, .at == home), .at.square || any(.at.pieces, # == blue.pieces[1])) is false, as it holds for all`,
			`filter(red.pieces, .at == home) is [red@home, red@home, red@home, red@home]`,
			`red.pieces is [red@home, red@home, red@home, red@home]`}},
		{`any(goal.pieces, .at == home)`, []string{`goal.pieces is empty`}},
		{`first(goal.pieces) != nil`, []string{`first(goal.pieces) is nil`, `goal.pieces is empty`}},
		{`!(me == yellow.player)`, []string{`me == yellow.player is true`, `me is yellow`, `yellow.player is yellow`}},
		{`(sixes == 0 ? sixes : die) == 4`, []string{`sixes == 0 is true`, `sixes is 0`}},
		{`(find(home.pieces, .colour == blue) ?? goal.pieces[0]).at == goal`, []string{
			`(find(home.pieces, .colour == blue) ?? goal.pieces[0]).at is home`,
			`find(home.pieces, .colour == blue) ?? goal.pieces[0] is blue@home`, `find(home.pieces, .colour == blue) is blue@home`,
			`home.pieces is [yellow@home, yellow@home, blue@home, blue@home, blue@home, red@home, red@home, red@home, red@home, green@home, green@home, green@home, …]`}},
	} {
		text := `change cond "A condition" for parchis4a
test "it does not hold" {
  given yellow 12 home home 20 | blue 30 home home home | red home home home home | green home home home home
  turn  yellow
  expect that ` + c.cond + `
}
`
		rules := testbook.Tested(t, "cond.rules", text, nil)
		game, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		failures := game.RunTest(rules.Tests[0])
		if len(failures) != 1 || !strings.Contains(failures[0].Message, "this does not hold: "+c.cond) {
			t.Errorf("%s: %v", c.cond, failures)
			continue
		}
		var got []string
		for _, r := range failures[0].Remarks {
			got = append(got, r.Message)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.cond, diff)
		}
	}
}
