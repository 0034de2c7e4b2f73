package interpreter_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/rulesets"
)

// TestRemarks wants a failure to say what was offered, which clauses refuse what was expected, and the row it is about.
func TestRemarks(t *testing.T) {
	const barred = "Nothing passes or joins a barrera, a barrier of two pieces of one colour (barriers_block, P4A-18)"
	for _, c := range []struct {
		name, lines   string
		message       string
		remarks       []string
		clausesQuoted int // remarks with the place of a clause
	}{
		{"a move that is barred", "given yellow 10 20 home home | red 12 12 home home\n throw 3\n expect moves 10 -> 13, 20 -> 23",
			"not offered: 10 -> 13", []string{"offered: 20 -> 23", "red is to throw; the decision meant was yellow's, counting 3", "yellow 10 → 13: " + barred}, 1},
		{"a move of no piece", "given yellow 10 20 home home | red 12 12 home home\n throw 3\n expect moves red 30 -> 33, 20 -> 23",
			"not offered: red 30 -> 33", []string{"offered: 20 -> 23", "red is to throw; the decision meant was yellow's, counting 3", "30 → 33: no piece of red stands on 30"}, 0},
		{"a place too far", "given yellow 10 home home home | red home home home home\n throw 3\n expect moves 10 -> 14",
			"not offered: 10 -> 14; offered as well: 10 -> 13", []string{"offered: 10 -> 13", "red is to throw; the decision meant was yellow's, counting 3", "10 → 14: no move leads there with this number"}, 0},
		{"a choice already made", "given yellow 10 home home home | red home home home home\n throw 3\n play 10 -> 13\n play 10 -> 13",
			"there is nothing to choose here: red is to throw", []string{"10 -> 13 was the only option and was taken automatically: leave this line out"}, 0},
		{"a choice of nothing", "given yellow 10 home home home | red 12 12 home home\n throw 3\n play 10 -> 13",
			"there is nothing to choose here: red is to throw", []string{"nothing was offered", "yellow 10 → 13: " + barred}, 1},
		{"another rule", "given yellow 10 20 home home | red 12 12 home home\n throw 3\n expect refused 10 -> 13 by goal_exact",
			"this move is refused by barriers_block, not by goal_exact",
			[]string{"yellow 10 → 13: " + barred, "red is to throw; the decision meant was yellow's, counting 3"}, 1},
		{"a row", "cases n to\n 3 33\n given yellow 10 home home home | red home home home home\n throw n\n expect yellow to home home home",
			"yellow stands on 13 home home home", []string{"in the row where n is 3, to is 33"}, 1},
	} {
		text := "change says \"What a failure says\" for parchis4a\ntest \"it fails\" {\n " + c.lines + "\n}\n"
		book, faults := dsl.Load(source.New("says.rules", text), dsl.Library{Shipped: rulesets.FS})
		if book == nil {
			t.Fatal(c.name, faults)
		}
		rules, faults := book.Scenarios()[0].Rules()
		if rules == nil {
			t.Fatal(c.name, faults)
		}
		game, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		failures := game.RunTest(rules.Tests[0])
		if len(failures) != 1 || failures[0].Message != c.message {
			t.Errorf("%s: %v", c.name, failures)
			continue
		}
		var got []string
		quoted := 0
		for _, r := range failures[0].Remarks {
			got = append(got, r.Message)
			if !r.Span.IsZero() {
				quoted++
			}
		}
		if diff := cmp.Diff(c.remarks, got); diff != "" || quoted != c.clausesQuoted {
			t.Errorf("%s: %d clauses quoted\n%s", c.name, quoted, diff)
		}
	}
}
