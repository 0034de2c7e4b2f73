package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// scenario makes tests of the book. They need not pass: only the checker reads them.
func (g *gen) scenario() string {
	numbered := slices.ContainsFunc(g.moves, func(m move) bool { return slices.Contains(m.params, number) })
	if !g.chance(15) && !(numbered && g.chance(60)) { // moves with a number are few
		return ""
	}
	given := seq.Map(g.colours, func(c string) string { return c + strings.Repeat(" home", g.pieces) })
	c, square := pick(g, g.colours), pick(g, []string{"1", "2"})
	lines := []string{"given " + strings.Join(given, " | ")}
	setting := func(text string) { lines = append(lines, text) }
	for _, o := range g.options {
		switch o.kind {
		case "number":
			setting("set   " + o.name + " = " + o.values[0])
		case "flag":
			setting("set   " + o.name + " = true")
		case "word":
			setting("set   " + o.name + fmt.Sprintf(" = %q", o.values[0]))
		}
	}
	for _, v := range g.vars {
		value := ""
		switch {
		case v.typ == listOf(number):
			value = "[1, 2]"
		case v.typ == one(number):
			value = "2"
		case v.typ == one(flag):
			value = "true"
		case v.typ == one(place):
			value = square
		case v.typ == one(colour):
			value = c
		case v.typ == one(piece):
			value = c + "@home"
		default:
			continue
		}
		switch v.scope {
		case "game":
			setting("set   " + v.name + " = " + value)
		case "piece":
			setting("set   " + c + "@home." + v.name + " = " + value)
		case "colour", "player", "team":
			setting("set   " + c + "." + v.name + " = " + value)
		}
	}
	lines = append(lines, "turn  "+c)
	more := []string{
		"throw 1", "throw 1 2", "throw " + g.dice[0].name + " 1", "play home -> " + square, "play home -> " + square + " counting 2",
		"play " + c + " home -> " + square, "play advance", "play " + c, "expect moves home -> " + square, "expect no moves",
		"expect refused home -> " + square, "expect refused home -> " + square + " by counting", "expect refused throw 1", "expect asks " + c,
		"expect earned 2", "expect turn " + c, "expect winner " + c, "expect ranking " + c, "expect " + c + strings.Repeat(" home", g.pieces),
		"expect over", "expect not over", "expect no choices", "expect draw", "expect winner " + g.colours[0] + " counting 2", "expect choices " + square + ", none", "expect choices yes, -3", "expect chance " + g.dice[0].name + " 1 == 1/6",
		"expect moves " + c + " home -> " + square + " via " + square + " by advance, advance", "expect refused advance by counting",
		"expect that " + g.expr(one(flag), 1),
	}
	for _, m := range g.moves {
		var args []string
		for _, k := range m.params {
			args = append(args, map[kind]string{
				number: pick(g, []string{"1", "-1"}), flag: "yes", piece: c + " home", place: square, colour: c, player: c, team: c,
			}[k])
		}
		refused := "expect refused " + m.name + "(" + strings.Join(args, ", ") + ")"
		if more = append(more, refused); slices.Contains(m.params, number) {
			lines = append(lines, refused)
		}
		if len(args) > 1 && m.params[0] == piece {
			more = append(more, "expect refused home -> "+square+" by "+m.name+"("+strings.Join(args[1:], ", ")+")")
		}
	}
	lines = append(lines, seq.Of(g.between(3, 9), func(int) string { return pick(g, more) })...)
	out := "\ntest \"as it begins\"" + pick(g, []string{"", " [G-1]"}) + " {\n" + indent(strings.Join(lines, "\n")) + "\n}\n"
	if g.chance(40) {
		out += fmt.Sprintf("\ntest \"some cases\" {\n  cases many where\n        1    %s\n        -1   home\n        2    \"%s\"\n  given %s\n  arrived %s: %s\n  players %d\n  turn  %s\n  throw 1\n  expect that square(where) == %s || many == -1\n}\n",
			square, square, strings.Replace(strings.Join(given, " | "), "home", square, 1), square, g.colours[0], g.seats, c, g.square())
	}
	if g.chance(40) {
		out += fmt.Sprintf("\ntest \"nothing is as it should be\" {\n  given %s\n  expect refused position by counting\n}\n", strings.Join(given, " | "))
	}
	return out
}
