package dsl

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// TestJoined joins files that build on one another in several ways. Each case names the files beside the last one, which is checked, and
// what is said about it: codes with words of the message, none if it is sound.
func TestJoined(t *testing.T) {
	const game = `ruleset game "A game"
board cross68
players 2
pieces 2 at home
dice die, other = d6
option bonus = 20
let five = thrown && die == 5
turn { step first_step { throw die }; step counting { play die } }
move enter(p in mine) from home to p.start
move advance(p in mine) from squares walk steps
move pass(p in mine) from home
act catch(piece p, place s) "p is caught" { send p to home }
rule moving "Moving" {
  may enter(p) when five || other == 6
  may advance(p)
  may pass(p) otherwise
  on pass(p, s) when s.safe { do catch(p, s) }
  on pass(p) { earn bonus }
  on land(p, s) when s.safe { again }
  step beyond: bar
}
rule finish "All in the goal" { win player x when all(x.pieces, .at == goal) }
`
	one := "change one \"One\" for game\nreplace rule finish \"Any\" { win player x when any(x.pieces, .at == goal) }\n"
	two := "change two \"Two\" for one\nset bonus = 5\n"
	three := "change three \"Three\" for two\nreplace rule finish \"The first\" { win player x when x.pieces[0].at == goal }\n"
	inner := "change inner \"Inner\" for game\nreplace step counting { step within { play die } }\n"
	for _, c := range []struct {
		says string
		with []string
		text string
	}{
		{"", []string{one, two, three}, "ruleset last extends game with one, two, three \"A change of a change of a change\"\n"},
		{`changes-clash changes "one" and "three" both touch rule "finish"`, []string{one, two, strings.Replace(three, "for two", "for game", 1)},
			"ruleset last extends game with one, two, three \"Not built on it\"\n"},
		{"", []string{inner}, "change last \"The step within has its name again\" for inner\nreplace turn { throw die; step within { play die } }\n"},
		{`unknown-name there is no step "within"`, []string{inner}, "change last \"Gone\" for inner\nreplace turn { throw die; play die }\nbefore step within { end turn }\n"},
		{`unknown-name there is no step "within"`, []string{inner}, "change last \"Gone\" for inner\nwithout step counting\nbefore step within { end turn }\n"},
		{`declared-twice step "counting" is there already`, []string{inner}, "change last \"In one another\" for inner\nreplace step within { step counting { play die } }\n"},
		{`declared-twice step "counting" is there already`, nil, "change last \"In itself\" for game\nreplace step counting { step counting { play die } }\n"},
		{`declared-twice step "counting" is there already`, nil, "change last \"Before itself\" for game\nbefore step counting { step counting { play die } }\n"},
		{`declared-twice step "one_more" is there already`, nil, "change last \"In the turn\" for game\nreplace turn { throw die; step one_more { step one_more { play die } } }\n"},
		{"", []string{"change more \"A step more\" for game\nbefore step counting { step more { throw die; play die } }\n"},
			"change last \"It is there\" for more\nreplace step more { throw other; play die }\n"},
		{`changes-clash what change "inner" makes of step "counting" is lost`, []string{inner, "change whole \"Whole\" for game\nreplace turn { throw die; play die }\n"},
			"ruleset last extends game with inner, whole \"The turn is replaced\"\n"},
		{"", nil, "change last \"Both names of a line of dice\" for game\nwithout die, other\ndice die, other = d8\n"},
		{`declared-twice "die" is taken away twice`, nil, "change last \"One of them twice\" for game\nwithout die, die\ndice die, other = d8\n"},
		{"", nil, "change last \"One die of a line\" for game\nreplace dice die = d8\nrename other to second\n"},
		{"", []string{"change six \"No other\" for game\nreplace let five = thrown\nreplace rule moving \"Moving\" { may enter(p) when die == 6; may advance(p) }\n"},
			"change last \"One die of a line\" for six\nwithout other\nrename die to first_die\n"},
		{`changes-clash changes "eight" and "four" both touch "other"`, []string{"change eight \"D8\" for game\nreplace dice die, other = d8\n",
			"change four \"D4\" for game\nreplace dice other = d4\n"}, "ruleset last extends game with eight, four \"Two of them\"\n"},
		{`declared-twice step "counting" was taken away elsewhere in the turn`, nil,
			"change last \"It would be done twice\" for game\nwithout step counting\nreplace step first_step { throw die; step counting { play die } }\n"},
		{"", []string{inner}, "change last \"It was within what is gone\" for inner\nwithout step counting\nreplace step first_step { throw die; step within { play die } }\n"},
		{"", nil, "change last \"A new turn\" for game\nwithout step counting\nreplace turn { throw die; step counting { play die } }\n"},
		{"", nil, "change last \"The event keeps its name\" for game\nrename pass to stand_by\n"},
		{"", nil, "change last \"A move of one parameter\" for game\nrename enter to land\n"},
		{`declared-twice "land" is an event`, nil, "change last \"Added\" for game\nact land(piece p, place s) \"p lands\" { send p to home }\n"},
		{`declared-twice "land" is an event`, nil, "change last \"Added\" for game\nmove land(p in mine, s in mine) from home\n"},
		{"", nil, "change last \"Its own reaction\" for game\nact stuck(piece p) \"p is stuck\" { send p to home }\nrule tired \"Tired\" { on stuck(p) { again } }\n"},
		{`declared-twice "land" is an event`, nil, "change last \"An act would take the reactions\" for game\nrename catch to land\n"},
	} {
		beside := fstest.MapFS{"game.rules": {Data: []byte(game)}}
		for _, text := range c.with {
			beside[strings.Fields(text)[1]+".rules"] = &fstest.MapFile{Data: []byte(text)}
		}
		book, diags := Load(source.New("last.rules", c.text), near(beside))
		if book != nil && len(diags) > 0 && !slices.ContainsFunc(Check(book), func(d diag.Diagnostic) bool { return d.Message == diags[0].Message }) {
			t.Errorf("%s\nCheck does not say what joining warns of", c.text)
		}
		got := ""
		for _, d := range diags {
			got += d.Code + " " + d.Message + "\n"
		}
		if !strings.HasPrefix(got, c.says) || (c.says == "") != (got == "") {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.says)
		}
	}
}
