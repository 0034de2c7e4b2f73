package boards

import (
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// TestSilent: boards that come close to a finding and have none.
func TestSilent(t *testing.T) {
	const board = `board: b
parameters: {size: {from: 12, to: 24, default: 18}, seats: {from: 2, to: 3, default: 3}}
colours: {of: [red, blue, white], take: seats}
zones: [nest, mill]
squares:
  ring:
    for: {i: 1..size}
    name: string(i)
    draw: {x: i, y: 0}
  lane:
    for: {c: colours, k: 1..4}
    name: c.name + "-" + string(k)
    draw: {x: k, y: c.seat + 3}
landmarks:
  start: ring[4 * c.seat + 1]
tracks:
  race: [nest, {ring: {from: start, around: once}}, {lane: c}, mill]
`
	fixed := strings.NewReplacer("parameters: {size: {from: 12, to: 24, default: 18}, seats: {from: 2, to: 3, default: 3}}\n", "", "1..size", "1..18",
		"{of: [red, blue, white], take: seats}", "[red, blue, white]").Replace(board)
	ring := func(text string) string {
		return strings.Replace(fixed, "    draw: {x: i,", "    "+text+"\n    draw: {x: i,", 1)
	}
	lane := func(text string) string {
		return strings.Replace(fixed, "    draw: {x: k,", "    "+text+"\n    draw: {x: k,", 1)
	}
	for name, text := range map[string]string{
		"parameters":                    board,
		"no parameters":                 fixed,
		"a tag of all":                  ring("tags: {wet: true}"),
		"a tag of all but one":          ring("tags: {wet: i > 1}"),
		"a tag of one colour":           lane("tags: {wet: c == red}"),
		"ends of a range":               ring("tags: {wet: i >= 1 && i < 7}"),
		"a range in a choice":           ring("tags: {wet: \"i <= 9 && i > 3 || i > 12 && i <= 18\"}"),
		"a tag for other parameters":    strings.Replace(board, "    draw: {x: i,", "    tags: {wet: i <= 24}\n    draw: {x: i,", 1),
		"where for other parameters":    strings.Replace(board, "    draw: {x: i,", "    where: i <= size\n    draw: {x: i,", 1),
		"where leaves out one":          ring("where: i < 18"),
		"an attribute of one place":     ring("attributes: {jail: nest}"),
		"an attribute of two":           ring("attributes: {jail: \"i < 9 ? nest : mill\"}"),
		"a value of each":               lane("let: {n: int(k / 3)}\n    tags: {wet: n == 1}"),
		"a landmark of all":             strings.Replace(fixed, "landmarks:", "landmarks:\n  end: ring[18]", 1),
		"a landmark of two":             strings.Replace(fixed, "landmarks:", "landmarks:\n  end: \"ring[c == red ? 18 : 17]\"", 1),
		"one square":                    strings.Replace(fixed, "1..4", "1..1", 1),
		"one colour":                    strings.Replace(fixed, "[red, blue, white]", "[red]", 1),
		"one colour and its square":     strings.NewReplacer("[red, blue, white]", "[red]", "k: 1..4", "k: 1..1").Replace(lane("tags: {wet: c == red && k == 1}")),
		"hues":                          fixed + "drawing: {palette: {red: \"#d93a32\", blue: \"#8a4fc0\", white: \"#ffffff\"}}\n",
		"hues exchanged":                fixed + "drawing: {palette: {red: \"#2b6fd6\", blue: \"#d93a32\"}}\n",
		"two ways from a square":        ring("attributes: {left: {5: 9, 12: 3}, right: {5: 8, 12: 2}}") + "drawing: {marks: {left: arrow, right: arrow}}\n",
		"the only two from a square":    ring("attributes: {left: {5: 9}, right: {5: 8}}") + "drawing: {marks: {left: arrow, right: arrow}}\n",
		"attributes that are no arrows": ring("attributes: {road: {5: 9, 12: 3}, lord: {5: nest}}") + "drawing: {marks: {road: arrow, lord: dot}}\n",
		"ways there and back":           ring("attributes: {up: {5: 9, 12: 15}, down: {9: 5, 15: 12}}") + "drawing: {marks: {up: arrow, down: arrow}}\n",
		"the only way back":             ring("attributes: {up: {5: 9, 12: 15}, down: {9: 5}}") + "drawing: {marks: {up: arrow, down: arrow}}\n",
	} {
		if _, found := Read(source.New("b.yaml", text), nil, nil); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestTrials: the board below this one fails with some values of a parameter, and only it says so; given values are not tried.
func TestTrials(t *testing.T) {
	const hill = "board: hill\nparameters: {size: {from: 5, to: 12, default: 6}}\ncolours: [red]\nsquares: {ring: {for: {i: 1..size}, name: string(i), " +
		"draw: {x: i, y: 0}}}\nlandmarks: {start: \"ring[size / 2]\"}\ntracks: {race: [{ring: all}]}\n"
	open := func(string) (*source.File, bool) { return source.New("hill.yaml", hill), true }
	const want = "with size = 5, 7, 9, 11 the board cannot be made: got 2.5, want a whole number"
	for text, said := range map[string]string{
		hill:                        want,
		"board: b\nextends: hill\n": "",
		"board: b\nparameters: {size: {from: 5, to: 12, default: 6}}\nextends: hill\n":                   want,
		"board: b\nextends: {board: hill, size: 8}\n":                                                    "",
		"board: b\nparameters: {n: {from: 2, to: 4, default: 3}}\nuse: {board: hill, size: 2 * n + 2}\n": "",
	} {
		_, found := Read(source.New("b.yaml", text), nil, open)
		if said == "" && len(found) > 0 || said != "" && (len(found) != 1 || found[0].Message != said) {
			t.Errorf("%s\ngot %v, want %q", text, found, said)
		}
	}
	if _, found := Read(source.New("hill.yaml", hill), map[string]int{"size": 8}, nil); len(found) > 0 {
		t.Error(found)
	}
}
