package boards

import (
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// readText reads a board that must have no findings; other are boards it may name.
func readText(t *testing.T, text string, params map[string]int, other ...string) *Board {
	t.Helper()
	b, found := Read(source.New("test.yaml", text), params, func(name string) (*source.File, bool) {
		for _, o := range other {
			if strings.HasPrefix(o, "board: "+name+"\n") {
				return source.New(name+".yaml", o), true
			}
		}
		return Shipped(name)
	})
	if len(found) > 0 {
		t.Fatalf("%s\n%v", text, found)
	}
	return b
}

// TestExtend changes one thing of a board at a time.
func TestExtend(t *testing.T) {
	const base = `board: base
parameters: {size: {from: 6, to: 20, default: 8}, lap: {from: 1, to: 4, default: 2}}
let: {half: int(size / 2)}
colours: [red, blue, green]
zones: {goal: {draw: {x: 0, y: 5}}, out: }
squares:
  ring:
    for: {i: 1..size}
    name: string(i)
    tags: {safe: i == lap}
    attributes: {link: {1: 3}}
    draw: {x: i, y: 0}
  isle: {list: {a: [1, 3], b: {x: 2, y: 3, tags: [deep]}}}
landmarks: {start: "ring[c.seat + half]"}
tracks: {race: [{ring: {from: start, around: once}}, {isle: all}, goal]}
drawing: {marks: {safe: star, deep: dot}, palette: {red: "#ff0000"}}
`
	// words says what the tests compare: squares, the tags of each, zones, links, colours, tracks of red, landmarks of red.
	words := func(b *Board) string {
		var out strings.Builder
		for _, p := range b.Places {
			out.WriteString(p.Name)
			for i, tag := range b.Tags {
				if p.Tags[i] {
					out.WriteString("(" + tag + ")")
				}
			}
			for _, a := range b.Attributes {
				if to := a.Values[b.places[p.Name]]; to != None {
					out.WriteString("->" + b.Places[to].Name)
				}
			}
			out.WriteString(" ")
		}
		for _, c := range b.Colours {
			out.WriteString("| " + c.Name + c.Hue + " ")
		}
		for _, l := range b.Landmarks {
			out.WriteString("| " + l.Name + " " + b.Places[l.Values[0]].Name + " ")
		}
		for _, tr := range b.Tracks {
			out.WriteString("| " + tr.Name)
			for _, n := range tr.Runs[0].Nodes {
				out.WriteString(" " + b.Places[n.Place].Name)
			}
			out.WriteString(" ")
		}
		for _, p := range b.Parameters {
			out.WriteString("| " + p.Name + " ")
		}
		return out.String()
	}
	plain := words(readText(t, base, nil))
	for _, test := range []struct{ name, own, from, to string }{
		{"nothing", "", "", ""},
		{"a tag", "squares: {ring: {tags: {wet: i == 5}}}", " 5 ", " 5(wet) "},
		{"a tag anew", "squares: {ring: {tags: {safe: i == 6}}}", "2(safe) 3 4 5 6 ", "2 3 4 5 6(safe) "},
		{"a link more", "squares: {ring: {attributes: {link: {4: 6}}}}", " 4 5", " 4->6 5"},
		{"a square of a list", "squares: {isle: {list: {a: {tags: [deep]}}}}", "8 a b", "8 a(deep) b"},
		{"a landmark", "landmarks: {last_one: 'ring[1]'}", "| race", "| last_one 1 | race"},
		{"a track in front", "tracks: {loop: [{ring: all}], race: [{ring: {from: start, around: once}}, {isle: all}, goal]}",
			"| race", "| loop 1 2 3 4 5 6 7 8 | race"},
		{"a track behind", "tracks: {loop: [{ring: all}]}", "b goal | size", "b goal | loop 1 2 3 4 5 6 7 8 | size"},
		{"a zone", "zones: [goal, pond]", "goal out 1", "goal out pond 1"},
		{"fewer colours", "colours: {take: 2}", "| green#2e9e4f ", ""},
		{"colours without one that has a hue", "colours: [blue, green]", "| red#ff0000 ", ""},
		{"a hue", "drawing: {palette: {red: '#00ff00'}}", "#ff0000", "#00ff00"},
		{"without a zone", "without: [out]", "goal out", "goal"},
		{"without a tag and its mark", "without: [safe]", "(safe)", ""},
		{"a value and one before it", "let: {more: 1, half: int(size / 2) + more}",
			"start 4 | race 4 5 6 7 8 1 2 3", "start 5 | race 5 6 7 8 1 2 3 4"},
		{"a parameter", "parameters: {more: {from: 1, to: 2, default: 2}}\nlet: {half: int(size / 2) - more}",
			"start 4 | race 4 5 6 7 8 1 2 3 a b goal | size | lap ", "start 2 | race 2 3 4 5 6 7 8 1 a b goal | more | size | lap "},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.from != "" && !strings.Contains(plain, test.from) {
				t.Fatalf("%q is not in %s", test.from, plain)
			}
			if got, want := words(readText(t, "board: own\nextends: base\n"+test.own, nil, base)), strings.Replace(plain, test.from, test.to, 1); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}

	fixed := readText(t, "board: own\nextends: {board: base, size: 6}", map[string]int{"lap": 3}, base)
	if n := len(fixed.squares()); n != 8 || len(fixed.Parameters) != 1 || !fixed.Places[fixed.places["3"]].Tags[0] {
		t.Errorf("%d squares, parameters %v", n, fixed.Parameters)
	}
	known, found := Parameters(source.New("own.yaml", "board: own\nextends: {board: base, size: 6}"), func(string) (*source.File, bool) {
		return source.New("base.yaml", base), true
	})
	if len(found) > 0 || len(known) != 1 || known[0].Name != "lap" {
		t.Error(known, found)
	}

	// A board that extends one that extends one that uses one.
	deep := readText(t, "board: deep\nextends: middle\nlandmarks: {third: 'ring[c.seat + 3]'}", nil,
		"board: middle\nextends: cross68\nlandmarks: {second: 'ring[c.seat + 2]'}\n")
	var names []string
	for _, l := range deep.Landmarks {
		names = append(names, l.Name)
	}
	if !slices.Equal(names, []string{"start", "lap", "mouth", "second", "third"}) || deep.Name != "deep" || len(deep.Parameters) > 0 {
		t.Error(names, deep.Name, deep.Parameters)
	}
	if cross := readText(t, "board: own\nextends: cross", map[string]int{"arms": 6}); len(cross.Colours) != 6 {
		t.Error(cross.Colours)
	}
	// A family goes together with a square of its list, in any order.
	without := readText(t, "board: own\nextends: base\nwithout: [isle, b, deep]\ntracks: {race: [{ring: {from: start, around: once}}, goal]}", nil, base)
	if len(without.squares()) != 8 || len(without.Tags) != 1 {
		t.Error(without.PlaceNames(), without.Tags)
	}
}
