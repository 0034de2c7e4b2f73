package generate

import (
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// board is a generated board, and the names that rules can use.
type board struct {
	name       string
	text       string
	parameters string // the arguments in the rules: "(size = 8)"
	colours    []string
	zones      []string
	squares    []string
	ring       int      // the first so many squares are on every colour's track
	flags      []string // tags and families
	attributes []string
	landmarks  []string
	tracks     []string
	homeFirst  bool // the track begins with the zone home
}

var hues = []string{"yellow", "blue", "red", "green", "orange", "purple"}

// makeBoard makes a ring, with random lanes, paths, forks and second laps.
func (g *gen) makeBoard() {
	b := &g.board
	*b = board{name: "ring"}
	b.colours = hues[:g.between(2, 4)]
	if g.chance(20) {
		b.colours = hues[:g.between(4, 6)]
	}
	b.zones = []string{"home", "shore"}
	if g.chance(40) {
		b.zones = append(b.zones, "nest")
	}
	n := g.between(len(b.colours)+1, 10)
	long := g.ordinary && g.chance(20) // a cyclic track longer than any walk
	if long {
		n = g.between(65, 68)
	}
	var out strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	say("board: %s", b.name)
	say("title: \"A ring\"")
	size := fmt.Sprint(n)
	if g.chance(15) {
		say("parameters:\n  size: {from: %d, to: %d, default: %d}", n, n+3, n+1)
		b.parameters = fmt.Sprintf("(size = %d)", n)
		size = "size"
	}
	say("colours: [%s]", strings.Join(b.colours, ", "))
	say("zones: [%s]", strings.Join(b.zones, ", "))
	say("squares:\n  ring:\n    for: {i: 1..%s}\n    name: string(i)", size)
	b.squares, b.ring = append(b.squares, seq.Of(n, func(i int) string { return fmt.Sprint(i + 1) })...), n
	b.flags = []string{"ring", "calm"}
	say("    tags: {calm: i %% %d == %d%s}", g.between(2, 4), g.n(2), func() string {
		if g.chance(50) {
			b.flags = append(b.flags, "dark")
			return fmt.Sprintf(", dark: \"i in [%d, %d]\"", g.between(1, n), g.between(1, n))
		}
		return ""
	}())
	if g.chance(50) {
		b.attributes = append(b.attributes, "link")
		from := g.between(1, n)
		say("    attributes: {link: {%d: %d, %d: %d}}", from, g.between(1, n), from%n+1, g.between(1, n))
	}
	say("    draw: {x: i, y: 0}")
	lanes := 0
	if g.chance(45) {
		lanes = g.between(1, 3)
		b.flags = append(b.flags, "lane")
		say("  lane:\n    for: {c: colours, k: 1..%d}\n    name: c.name + \"-\" + string(k)", lanes)
		if g.chance(50) {
			b.flags = append(b.flags, "rich")
			say("    tags: {rich: \"c in [%s] && k == 1\"}", b.colours[g.n(2)])
		}
		say("    draw: {x: k, y: 2 + c.seat}")
		for _, c := range b.colours {
			for k := range lanes {
				b.squares = append(b.squares, fmt.Sprintf("%s-%d", c, k+1))
			}
		}
	}
	fork := !g.ordinary && g.chance(45)
	if fork {
		b.flags = append(b.flags, "path")
		say("  path:\n    list:\n      p1: [2, 20]\n      p2: {x: 3, y: 20, tags: [calm]}")
		b.squares = append(b.squares, "p1", "p2")
	}
	gap := max(1, n/len(b.colours))
	say("landmarks:\n  start: \"ring[(%d * c.seat) %% %d + 1]\"", gap, n)
	b.landmarks = []string{"start"}
	if g.chance(40) {
		b.landmarks = append(b.landmarks, "mouth")
		say("  mouth: \"ring[(%d * c.seat + %d) %% %d + 1]\"", gap, n-1, n)
	}
	// Every colour's track contains the whole ring, so that every landmark is on it.
	lane, end := "", ""
	if lanes > 0 {
		lane = ", {lane: c}"
	}
	if g.chance(80) {
		end = ", shore"
	}
	first := ""
	if b.homeFirst = g.chance(15); b.homeFirst {
		first = "home, "
	}
	once := "{ring: {from: start, around: once}}"
	third := max(2, n/3)
	var shapes []string
	if long {
		shapes = append(shapes, "[{ring: {from: start, around: true}}]")
	} else if fork {
		shapes = append(shapes,
			fmt.Sprintf("[%s{ring: {from: 1, to: %d}}, {fork: [[{ring: {from: %d, to: %d}}], [{path: all}]]}%s%s]", first, third, third+1, n, lane, end),
			fmt.Sprintf("[%s%s, {fork: [[{path: all}], []]}%s%s]", first, once, lane, end),
			fmt.Sprintf("[%s%s, {fork: [[shore], [{path: all}, {back: start}]]}]", first, once),
			fmt.Sprintf("[%s%s, {fork: [[{path: all}], [{path: {backwards: true}}]]}, {ring: {from: start, around: true}}]", first, once))
	} else {
		shapes = append(shapes,
			fmt.Sprintf("[%s%s%s%s]", first, once, lane, end),
			fmt.Sprintf("[%s%s%s%s]", first, once, lane, end),
			fmt.Sprintf("[%s{ring: {from: start, around: once, backwards: true}}%s%s]", first, lane, end))
		if !g.ordinary {
			shapes = append(shapes,
				fmt.Sprintf("[%s{ring: {from: start, around: true}}]", first),
				fmt.Sprintf("[%s%s, {ring: {from: start, around: once}}%s%s]", first, once, lane, end))
		}
	}
	b.tracks = []string{"race"}
	say("tracks:\n  race: %s", pick(g, shapes))
	if !g.ordinary && g.chance(40) {
		b.tracks = append(b.tracks, "loop")
		say("  loop: [{ring: {from: start, around: true}}]")
	}
	b.text = out.String()
}
