package compile_test

import (
	"testing"

	"github.com/rulerun/rulerun/dsl/model"
)

// TestLetInBlock: the value is taken once, where the let stands, and is there to the end of the block.
func TestLetInBlock(t *testing.T) {
	const once = "turn { throw die }\n"
	const out = `put yellow.pieces[0] on square("2"); `
	for _, c := range []struct{ name, text, script, want string }{
		{"a number, before a variable in it changes", once + `setup { n = 4; let k = n + 1; n = 7; LOG(k); LOG(n) }`, "", "log=57 turn 0"},
		{"a die that is thrown again", `turn { throw die; let k = die; throw die; LOG(k); LOG(die) }`, "3 5", "log=35 turn 1"},
		{"a flag", once + `setup { let f = n == 0; n = 1; if f { LOG(1) }; if n == 0 { LOG(2) } }`, "", "log=1 turn 0"},
		{"a place that its piece leaves", once + `setup { ` + out + `let s = yellow.pieces[0].at; put yellow.pieces[0] on square("5"); put blue.pieces[0] on s }`, "", "log=0 2:b0 5:y0 turn 0"},
		{"a piece that a list loses", once + `setup { let q = find(mine, .at == home); put q on square("3"); let r = find(mine, .at == home); put r on square("4"); put q on square("5") }`, "", "log=0 4:y1 5:y0 turn 0"},
		{"a player, a team and a colour", once + `setup { let x = next(me); let t = x.team; let c = x.colours[0]; if x.team == t && c.player == x && x != me { LOG(1) } }`, "", "log=1 turn 0"},
		{"nil", once + `setup { let q = find(mine, .at == goal); let s = q ?? yellow.pieces[0]; put s on square("3"); if q == nil { LOG(1) } }`, "", "log=1 3:y0 turn 0"},
		{"its block ends", once + `setup { if n == 0 { let k = 1; LOG(k) }; let k = 2; LOG(k) }`, "", "log=12 turn 0"},
		{"anew in each round", once + `setup { for i in 1..3 { let k = i * 2; n += 1; LOG(k + n) } }`, "", "log=369 turn 0"},
		{"with one that uses another", once + `setup { let a = 2; let b = a * a; let c = a + b; LOG(c) }`, "", "log=6 turn 0"},
		{"kept while others choose and throw", `turn { let k = n + 1; throw die; n = die; choose q from [7, 8]; LOG(k); LOG(q) }`, "3 ?1", "[7 8] log=18 turn 1"},
		{"after a question", once + `setup { choose q from [7, 8, 9]; let k = q - 5; LOG(k) }`, "?1", "[7 8 9] log=3 turn 0"},
		{"in an act, its reactions and before it", once + `act a(number k) { let j = k + 1; n = 3; LOG(j) }
rule a "A" { on throw { let j = die; do a(j); LOG(j) }; before a(k) { let j = k - 1; LOG(j) }; on a(k) { let j = n; LOG(j) } }`, "5", "log=4635 turn 1"},
		{"in a step of the turn", `turn { step one { throw die; let k = die; LOG(k) }; step two { let k = 1; LOG(k) } }`, "3", "log=31 turn 1"},
		{"another go", `turn { throw die; let k = die; LOG(k); if k == 6 { again } }`, "6 2", "log=62 turn 1"},
		{"the end of the turn drops the rest", `turn { throw die; let k = die; if k == 1 { end turn }; LOG(k) }`, "1", "log=0 turn 1"},
		{"an ending is looked at in the rest", `turn { throw die; let k = die; n = k; LOG(1) }
rule a "A" { win player x when n == 6 && x == me }`, "6", "log=0 over, winner 0"},
		{"a number that does not fit", once + `setup { n = 30000; let k = n * 2; if k > 5 { LOG(1) } }`, "", "fault 3"},
		{"a number that fits again too late", once + `setup { n = 30000; let k = n * 2; n = int(k / 2) }`, "", "fault 3"},
		{"nil where a piece must be", once + `setup { let q = find(mine, .at == goal); LOG(1); put q on square("3") }`, "", "fault 1"},
	} {
		means(t, c.name, c.text, c.script, c.want)
	}
}

// TestLetIsLoop: a let means what a loop over a list with the value alone means.
func TestLetIsLoop(t *testing.T) {
	for let, loop := range map[string]string{
		"let k = die + 1; LOG(k)": "for k in [die + 1] { LOG(k) }",
		"n = 2; let q = mine[n - 1]; let s = q.at; put q on square(\"3\"); if s == home { LOG(1) }": "n = 2; for q in [mine[n - 1]] { for s in [q.at] { put q on square(\"3\"); if s == home { LOG(1) } } }",
		"if n == 0 { let f = die == 3; if f { again } }; LOG(2)":                                    "if n == 0 { for f in [die == 3] { if f { again } } }; LOG(2)",
	} {
		var digests []model.Digest
		for _, block := range []string{let, loop} {
			rules := small(t, "turn { throw die }\nrule a \"A\" { on throw { "+block+" } }")
			digests = append(digests, model.DigestOfClause(rules.Rules[0].Clauses[0]))
		}
		if digests[0] != digests[1] {
			t.Errorf("%s is not %s", let, loop)
		}
	}
}
