package boards

import (
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

// TestDrawnOver moves a square towards others and a zone.
func TestDrawnOver(t *testing.T) {
	for x, want := range map[string]string{
		"5":          "",
		"4":          "",
		"3.95":       "",
		"3.7":        `the drawings of "3" and "a" overlap`,
		"6.1":        `the drawings of "pond" and "a" overlap`,
		"'5.2'":      "",
		"\"11 / 2\"": `the drawings of "pond" and "a" overlap`,
	} {
		text := "board: over\ncolours: [red]\nzones: {pond: {draw: {shape: disc, x: 7, y: 0, width: 2.4}}}\n" +
			"squares:\n  lane: {for: {i: 1..3}, name: string(i), draw: {x: i, y: 0}}\n  one: {list: {a: {x: " + x + ", y: 0}}}\n" +
			"tracks: {race: [{lane: all}, {one: all}, pond]}\n"
		_, found := Read(source.New("over.yaml", text), nil, nil)
		if want == "" && len(found) > 0 || want != "" && (len(found) != 1 || found[0].Code != "drawn-over" || !strings.Contains(found[0].Message, want)) {
			t.Errorf("x = %s: got %v, want %q", x, found, want)
		}
	}
	_, found := Read(source.New("same.yaml", `board: same
colours: [red, blue]
zones: {home: {draw: {x: 0, y: 4, fill: c}}}
squares: {ring: {for: {i: 1..4}, name: string(i), draw: {x: i, y: 0}}}
tracks: {race: [home, {ring: all}]}
`), nil, nil)
	if want := `the drawings of "home" for red and for blue overlap`; len(found) != 1 || found[0].Message != want {
		t.Errorf("got %v, want %s", found, want)
	}
}
