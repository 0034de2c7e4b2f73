package boards

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// TestOdd: what is unlike all others is reported, and nothing else.
func TestOdd(t *testing.T) {
	const ring = "board: b\ncolours: [red, blue, green, white]\nzones: [edge]\nsquares:\n  ring:\n    for: {i: 1..24}\n    name: string(i)\n" +
		"    draw: {x: 0, y: -4, turned: 15 * i}\n    %\n" +
		"landmarks: {start: \"ring[6 * c.seat + 1]\"}\ntracks: {race: [edge, {ring: all}]}\n"
	const list = "board: b\ncolours: [red, blue, green]\nsquares:\n  isle:\n    tags: {near: i <= 2}\n    list:\n" +
		"      a: {x: 0, y: 0, tags: [inn]}\n      b: {x: 2, y: 0, attributes: {road: c1}}\n      c1: {x: 4, y: 0, attributes: {road: d}}\n" +
		"      d: {x: 6, y: 0, attributes: {road: e}}\n      e: {x: 8, y: 0, tags: [inn], attributes: {road: %}}\n      f: {x: 10, y: 0}\n" +
		"  sea: {for: {i: 1..9}, name: \"'s' + string(i)\", draw: {x: 2 * i, y: 4}, attributes: {wave: \"i < 9 ? sea[i] : isle[1]\"}}\n" +
		"tracks: {race: [{isle: all}, {sea: all}]}\n"
	const own = "board: b\nextends: cross68\nsquares:\n  ring: {tags: {%}}\n"
	row := "board: b\ncolours: [red, blue, green]\nlandmarks: {gate: \"isle[4 * c.seat + 1]\"}\ntracks: {race: [{isle: all}]}\nsquares:\n  isle:\n" +
		"    tags: {inn: \"i in [%]\"}\n    list:\n"
	for i := range 12 {
		tags := ""
		if i == 0 || i == 4 {
			tags = ", tags: [inn]"
		}
		row += fmt.Sprintf("      s%d: {x: %d, y: 0%s}\n", i+1, 2*i, tags)
	}
	const round = "board: b\ncolours: [red, blue]\nsquares:\n  ring:\n    for: {i: 1..24}\n    name: string(i)\n    draw: {x: 0, y: -4, turned: 15 * i}\n" +
		"landmarks: {start: \"%\"}\ntracks: {race: [{ring: {from: start, around: true}}]}\ndrawing: {marks: {start: fill}}\n"
	const parts = "board: b\ncolours: [red, blue]\nsquares:\n  ring:\n    for: {c: colours, k: 1..6}\n    closed: true\n    name: c.name + string(k)\n    draw: {x: k, y: 4 * c.seat}\n" +
		"landmarks: {start: \"%\"}\ntracks: {race: [{ring: {from: start, around: true}}]}\n"
	for _, test := range []struct{ board, change, want string }{
		{round, "ring[1]", `all colours go round from "1", which is drawn in the colour of red alone`},
		{round, "ring[12 * c.seat + 1]", ""},
		{parts, "ring[1]", `all colours go round from "red1", which is in the part of red alone`},
		{parts, "ring[6 * c.seat + 1]", ""},
		{strings.Replace(parts, "from: start", "from: 1", 1), "ring[1]", ""},
		{strings.Replace(round, "start: fill", "start: star", 1), "ring[1]", ""},
		{strings.Replace(round, "from: start", "from: 1", 1), "ring[1]", ""},
		{strings.Replace(round, "[red, blue]", "[red]", 1), "ring[1]", ""},
		{ring, "attributes: {up: {3: 15, 5: 14, 8: 3, 12: 21}}", `up leads from "8" back to "3"; the other 3 lead ahead`},
		{ring, "attributes: {up: {15: 3, 14: 5, 3: 8, 21: 12}}", `up leads from "3" ahead to "8"; the other 3 lead back`},
		{ring, "attributes: {up: {3: 15, 5: 14, 8: 3}}", ""},
		{ring, "attributes: {up: {3: 15, 5: 14, 8: 3, 12: 9}}", ""},
		{ring, "attributes: {up: {3: 15, 5: 14, 8: edge, 12: 21}}", ""},
		{ring, "attributes: {up: {3: 15, 15: 20, 20: 24, 24: 3}}", ""}, // a circle
		{ring, "attributes: {up: \"i < 24 ? ring[i + 1] : ring[2]\"}", ""},
		{strings.Replace(ring, "{ring: all}", "{ring: {from: start, around: once}}", 1), "attributes: {up: {3: 15, 5: 14, 8: 3, 12: 18}}", ""},
		{ring[:len(ring)-2] + ", loop: [{ring: {around: true}}]}\n", "attributes: {up: {3: 15, 5: 14, 8: 3, 12: 21}}", ""},
		{strings.Replace(ring, "{ring: all}", "{fork: [[{ring: {from: 1, to: 6}}], [{ring: {from: 7, to: 12}}]]}, {ring: {from: 13, to: 24}}", 1),
			"attributes: {up: {3: 15, 5: 14, 8: 3, 12: 21}}", ""},
		{ring, "attributes: {up: {3: 15, 5: 5}}", `up leads from "5" to itself; no other does`},
		{ring, "attributes: {up: {3: 3, 5: 5, 8: 9}}", ""},
		{ring, "attributes: {up: {3: 15, 5: 14, 8: 13}, down: {8: 3, 14: 2, 20: 1}}", `both up and down lead from "8", to "13" and to "3"; they share no other square`},
		{ring, "attributes: {up: {3: 15, 5: 14, 8: 13}, down: {8: 3, 14: 2}}", ""},
		{ring, "attributes: {up: {3: 15, 5: 14, 8: 13}, down: {5: 1, 8: 3, 14: 2}}", ""},
		{ring, "tags: {safe: \"i in [1, 7, 13, 18]\"}", `the start of white, "19", is not safe; those of the other colours are`},
		{ring, "tags: {safe: \"i in [1, 7, 13]\"}", `the start of white, "19", is not safe; those of the other colours are`},
		{ring, "tags: {safe: \"i in [1, 7, 12, 18]\"}", ""},
		{ring, "tags: {safe: \"i in [1, 2, 3, 7, 8, 9, 13]\"}", ""},
		{ring, "tags: {safe: \"i in [1, 7, 13, 18] && white.seat == 3\"}", ""},
		{ring, "let: {own: red.seat * 6}\n    tags: {safe: \"i in [own + 1, 7, 13, 18]\"}", ""},
		{strings.Replace(ring, ", green, white", "", 1), "tags: {safe: \"i in [1, 2, 3]\"}", ""},
		{strings.Replace(ring, "6 * c.seat + 1", "c == white ? 19 : 1", 1), "tags: {safe: \"i in [1, 2, 3]\"}", ""},
		{list, "f", ""},
		{strings.Replace(list, "{wave", "{road", 1), "a", ""}, // another family computes it
		{list, "a", `road leads from "e" back to "a"; the other 3 lead ahead`},
		{list, "e", `road leads from "e" to itself; no other does`},
		{list, "b", ""}, // a circle
		{row, "10", `the gate of green, "s9", is not inn; those of the other colours are`},
		{row, "9", ""},
		{row, "1", ""},
		{row, "8, 10", ""},
		{own, `inn: "i in [3, 71]"`, `"i" is never 71: it is 1 to 68`},
		{own, `inn: "n in [3, 0]"`, `"n" is never 0: it is 1 to 17`},
		{own, `inn: "i in [3, 20, 68]"`, ""},
		{strings.Replace(own, "cross68", "cross", 1), `inn: "i in [3, 71]"`, ""}, // with six arms there is one
		{strings.Replace(own, "cross68\n", "cross\nlet: {more: \"[3, 99]\"}\n", 1), `inn: "i in more"`, ""},
		{strings.Replace(own, "ring", "corridor", 1), `inn: "k in [3, 8]"`, `"k" is never 8: it is 1 to 7`},
		{strings.Replace(own, "cross68", "{board: cross, arms: 3}", 1), `inn: "i in [3, 54]"`, `"i" is never 54: it is 1 to 51`},
		{strings.Replace(strings.Replace(own, "ring", "corridor", 1), "cross68", "cross", 1), `inn: "k in [3, arms + 4]"`, ""},
		{ring, "attributes: {up: \"i == 25 ? ring[1] : nil\"}", `"i" is never 25: it is 1 to 24`},
		{ring, "let: {m: i % 5}\n    tags: {safe: \"m in [1, 5]\"}", `"m" is never 5: it is 0 to 4`},
		{strings.Replace(ring, "board:", "parameters: {arms: {from: 2, to: 4, default: 4}}\nboard:", 1), "let: {m: i % 5}\n    tags: {safe: \"m in [1, 5]\", near: \"i <= arms\"}", `"m" is never 5: it is 0 to 4`},
		{ring, "let: {m: \"i > 3 ? i : nil\"}\n    tags: {safe: \"m == 4 || m == 99\"}", `"m" is never 99`},
		{ring, "tags: {safe: \"i == 1 || 12 / (i - 1) == 7\"}", ""}, // it is not asked of 1
	} {
		_, found := Read(source.New("b.yaml", strings.Replace(test.board, "%", test.change, 1)), nil, nil)
		if test.want == "" && len(found) > 0 || test.want != "" && (len(found) != 1 || found[0].Message != test.want) {
			t.Errorf("%s: got %v, want %q", test.change, found, test.want)
		}
	}
}

// TestOddBelow: what a board has from the one that it uses or extends is not reported again.
func TestOddBelow(t *testing.T) {
	file, _ := openBroken("odd-one-out")
	for _, text := range []string{"board: b\nextends: hill\n", "board: b\nuse: {board: hill}\n"} {
		_, found := Read(source.New("b.yaml", text), nil, func(string) (*source.File, bool) {
			return source.New("hill.yaml", strings.Replace(file.Text(), "13, 18]", "13, 18, 25]", 1)), true
		})
		if len(found) > 0 {
			t.Error(found)
		}
	}
}
