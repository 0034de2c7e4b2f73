package boards

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/source"
)

// screens are the sizes that are left for a board on screens of 80×24, 120×40 and 200×60 characters.
var screens = [...]struct{ columns, rows int }{{57, 19}, {90, 35}, {160, 55}}

// TestLayout compares layouts with golden files: read them, they are meant to be looked at. Every square is drawn inside the
// screen, and no two cells overlap.
func TestLayout(t *testing.T) {
	for name, b := range drawn(t) {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			for _, screen := range screens {
				c := b.Layout(screen.columns, screen.rows)
				if c == nil {
					t.Fatalf("%v: no layout", screen)
				}
				fits(t, b, c, screen.columns, screen.rows)
				fmt.Fprintf(&out, "%d×%d: layout %d, %d×%d\n", screen.columns, screen.rows, c.arrangement, c.Width, c.Height)
				var signs []Sign
				for i, n := range b.Tracks[0].Runs[0].Nodes[2:6] {
					signs = append(signs, Sign{Place: n.Place, Mark: [...]string{"▶", "", "", "▸"}[i], Text: [...]string{"1", "•", "•", "2"}[i], Focus: i == 0})
				}
				for _, line := range append(c.Draw(b, nil, signs, false), c.Draw(b, crowd(b), nil, false)...) {
					if n := utf8.RuneCountInString(line); n != c.Width {
						t.Errorf("a line of %d characters in a layout of %d", n, c.Width)
					}
					fmt.Fprintln(&out, strings.TrimRight(line, " "))
				}
				for i, line := range c.Draw(b, crowd(b), signs, true) {
					if plain := plain(line); utf8.RuneCountInString(plain) != c.Width {
						t.Errorf("line %d in colour: %q", i, line)
					}
				}
			}
			golden(t, filepath.Join("testdata", "drawings", name+".compact.txt"), out.String())
		})
	}
}

// fits checks that every square has a cell on the screen and that cells do not overlap.
func fits(t *testing.T, b *Board, c *Layout, columns, rows int) {
	t.Helper()
	if c.Width > columns || c.Height > rows {
		t.Errorf("%d×%d does not fit %d×%d", c.Width, c.Height, columns, rows)
	}
	used, shown := map[[2]int]string{}, map[int]bool{}
	take := func(place, x, y, width, height int) {
		if width < 1 || height < 1 || x < 0 || y < 0 || x+width > c.Width || y+height > c.Height {
			t.Fatalf("%q lies at %d, %d and is %d×%d", b.Places[place].Name, x, y, width, height)
		}
		for row := range height {
			for column := range width {
				at := [2]int{x + column, y + row}
				if other, ok := used[at]; ok {
					t.Fatalf("%q lies on %q", b.Places[place].Name, other)
				}
				used[at] = b.Places[place].Name
			}
		}
	}
	for _, q := range c.cells {
		shown[q.Place] = true
		take(q.Place, q.X, q.Y, q.Width, q.Height)
	}
	for _, z := range c.zones {
		take(z.Place, z.X, z.Y, z.Width, 1)
	}
	for _, place := range b.squares() {
		if !shown[place] {
			t.Errorf("%q is not shown", b.Places[place].Name)
		}
	}
}

// TestLayoutSmall asks for layouts on every small screen: each fits, or there is none.
func TestLayoutSmall(t *testing.T) {
	for name, b := range drawn(t) {
		t.Run(name, func(t *testing.T) {
			for columns := range 30 {
				for rows := range 12 {
					if c := b.Layout(columns, rows); c != nil {
						fits(t, b, c, columns, rows)
						c.Draw(b, crowd(b), nil, false)
					}
				}
			}
		})
	}
}

// small reads a board of a test.
func small(t *testing.T, text string) *Board {
	t.Helper()
	b, faults := Read(source.New("small.yaml", text), nil, nil)
	if b == nil {
		t.Fatal(faults)
	}
	return b
}

// TestLayoutSigns puts a sign at the zone of one colour: the zones of others do not show it.
func TestLayoutSigns(t *testing.T) {
	b := drawn(t)["cross4"]
	goal, _ := b.Place("goal")
	signs := []Sign{{Place: goal, Owner: b.Colour("red"), Mark: "▶", Text: "7", Focus: true}}
	for _, screen := range screens {
		c := b.Layout(screen.columns, screen.rows)
		if n := strings.Count(strings.Join(c.Draw(b, nil, signs, false), "\n"), "▶7"); n != 1 {
			t.Errorf("%v: %d zones have the sign, want 1", screen, n)
		}
	}
	first := b.Tracks[0].Runs[0].Nodes[2].Place
	c := b.Layout(35, 13)
	if c == nil || c.arrangement != tracksArrangement {
		t.Fatal("the tracks are not shown")
	}
	for owner, want := range map[int]int{b.Colour("red"): 1, None: 4} {
		signs := []Sign{{Place: first, Owner: owner, Mark: "▸", Text: "!"}}
		if n := strings.Count(strings.Join(c.Draw(b, nil, signs, false), ""), "!"); n != want {
			t.Errorf("owner %d: %d tracks have the sign, want %d", owner, n, want)
		}
	}
}

// TestLayoutNames shows long names whole where there is room, else cut; squares apart have a dotted line between them.
func TestLayoutNames(t *testing.T) {
	b := small(t, `board: town
colours: [green, tartan, red]
squares:
  station:
    closed: false
    list: {depot: [0, 0], old-cathedral: [4, 0], end: [4, 4]}
tracks:
  ride: [{station: all}]
`)
	for columns, want := range map[int]string{80: "old-cathedral", 20: "old-cat…"} {
		if text := strings.Join(b.Layout(columns, 12).Draw(b, nil, nil, false), "\n"); !strings.Contains(text, want) || !strings.Contains(text, "·") {
			t.Errorf("%q or a line is not there:\n%s", want, text)
		}
	}
	links, _ := b.Scene(nil).Nodes[1].(*scene.Group)
	want := [][]scene.Point{{scene.Pt(0, 0), scene.Pt(4, 0)}, {scene.Pt(4, 0), scene.Pt(4, 4)}}
	if links == nil || links.ID != "links" {
		t.Errorf("no lines are drawn between squares apart")
	} else if diff := cmp.Diff(want, links.Nodes[0].(*scene.Path).Lines); diff != "" {
		t.Error(diff)
	}
	var hues []string
	for _, c := range b.Colours {
		hues = append(hues, c.Hue)
	}
	if got, want := strings.Join(hues, " "), "#2e9e4f #f5c21b #d93a32"; got != want {
		t.Errorf("got the hues %s, want %s", got, want)
	}
}

// TestArmsAround: the arm after the last one is the first.
func TestArmsAround(t *testing.T) {
	draw := func(next string) string {
		return text(t, small(t, `board: wheel
colours: [red, blue]
squares:
  ring:
    for: {a: 0..5, k: 1..8}
    closed: true
    name: string(a * 8 + k)
    draw: {arm: "k <= 4 ? a : `+next+`", lane: "k <= 4 ? 1 : -1", row: "k <= 4 ? k : 9 - k"}
tracks: {race: [{ring: all}]}
drawing: {kind: arms, count: 6, rows: 4, lanes: 2}
`), nil, TextOptions{})
	}
	want := draw("(a + 1) % 6")
	for _, next := range []string{"a + 1", "a - 5"} {
		same(t, next, draw(next), want)
	}
}
