package boards

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/source"
)

// drawn are the boards whose pictures are looked at.
func drawn(t *testing.T) map[string]*Board {
	t.Helper()
	return map[string]*Board{
		"cross3": shipped(t, "cross", map[string]int{"arms": 3}),
		"cross4": shipped(t, "cross68", nil),
		"cross5": shipped(t, "cross", map[string]int{"arms": 5}),
		"cross6": shipped(t, "cross", map[string]int{"arms": 6}),
		"x52":    shipped(t, "x52", map[string]int{"players": 2}),
		"x52all": shipped(t, "x52", map[string]int{"players": 4}),
		"ur":     sample(t, "ur"), "snakes100": sample(t, "snakes100"), "tangle": sample(t, "tangle"),
	}
}

// crowd is a position with pieces alone, together and in every zone.
func crowd(b *Board) []Standing {
	var out []Standing
	for c := range b.Colours {
		run := b.Tracks[0].Runs[c].Nodes
		for i := range 4 {
			out = append(out, Standing{run[(i*i*7+c*5)%len(run)].Place, c})
		}
		for range 2 {
			out = append(out, Standing{run[(10+2*c)%len(run)].Place, c})
		}
		for i, z := range b.Places {
			for range 1 + (c+i)%4 {
				if z.Zone {
					out = append(out, Standing{i, c})
				}
			}
		}
	}
	return append(out, Standing{-1, 0}, Standing{0, 99}) // of these there are none
}

func text(t *testing.T, b *Board, pieces []Standing, opt TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	if err := Text(&out, b, pieces, opt); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// plain removes the colours of a terminal.
func plain(s string) string {
	for {
		before, rest, found := strings.Cut(s, "\x1b[")
		if !found {
			return s
		}
		_, after, _ := strings.Cut(rest, "m")
		s = before + after
	}
}

// TestDrawings compares drawings with golden files: read them, they are meant to be looked at.
func TestDrawings(t *testing.T) {
	for name, b := range drawn(t) {
		var points []int
		for _, n := range b.Track("").Runs[0].Nodes[2:5] {
			points = append(points, n.Place)
		}
		got := text(t, b, nil, TextOptions{Highlight: points}) + "\n" + text(t, b, crowd(b), TextOptions{})
		golden(t, filepath.Join("testdata", "drawings", name+".txt"), got)
		lines := strings.Split(text(t, b, crowd(b), TextOptions{}), "\n")
		if len(lines) > mostTextRows {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l) > 100 {
				t.Errorf("%s: %d columns", name, utf8.RuneCountInString(l))
			}
		}
		for _, i := range b.squares() {
			if label := b.drawing.squares[i].Label; !strings.Contains(text(t, b, nil, TextOptions{}), label) {
				t.Errorf("%s: square %q is not shown", name, label)
			}
		}
		if colour := text(t, b, crowd(b), TextOptions{Color: true}); !strings.Contains(colour, "\x1b[") {
			t.Errorf("%s: no colours", name)
		}
	}
}

func TestTextNarrow(t *testing.T) {
	for name, b := range drawn(t) {
		for width, names := range map[int]bool{6: false, 20: false, 60: true, 79: true} {
			drawing, _, _ := strings.Cut(plain(text(t, b, nil, TextOptions{Width: width, Color: true})), "\n"+Letters(b)[0]+" ")
			for _, line := range strings.Split(drawing, "\n") {
				if n := utf8.RuneCountInString(line); n > width {
					t.Errorf("%s at %d: a line has %d characters", name, width, n)
				}
			}
			for _, i := range b.squares() {
				label := b.drawing.squares[i].Label
				if number := label[strings.LastIndex(label, "-")+1:]; names && !strings.Contains(drawing, number) {
					t.Errorf("%s at %d: square %q is not shown", name, width, b.Places[i].Name)
				}
			}
		}
	}
}

// TestTextRows draws boards on a screen of 24 rows.
func TestTextRows(t *testing.T) {
	for name, b := range drawn(t) {
		if n := strings.Count(text(t, b, crowd(b), TextOptions{Rows: 24}), "\n"); n > 24 {
			t.Errorf("%s: %d rows", name, n)
		}
	}
}

// TestTextMany: squares whose tracks are too much for one sheet are listed once.
func TestTextMany(t *testing.T) {
	var colours strings.Builder
	for i := range 100 {
		fmt.Fprintf(&colours, "k%d, ", i)
	}
	got := text(t, small(t, `board: many
colours: [`+colours.String()+`]
squares: {ring: {for: {i: 1..998}, name: string(i), draw: {x: 0, y: "-300 - (i % 2)", turned: i / 3}}}
landmarks: {start: "ring[c.seat + 1]"}
tracks: {race: [{ring: {from: start, around: once}}]}
`), nil, TextOptions{})
	if !strings.HasPrefix(got, "   1   2   3") || strings.Count(got, " 998") != 1 {
		t.Errorf("got %.300s", got)
	}
}

// TestTextRow: squares of a row that is too long stand in several lines, in their order.
func TestTextRow(t *testing.T) {
	for _, n := range []string{"34", "60"} {
		got := text(t, small(t, `board: street
colours: [red, blue]
squares: {ring: {for: {i: 1..`+n+`}, name: string(i), draw: {x: i, y: 0}}}
tracks: {race: [{ring: all}]}
`), nil, TextOptions{})
		if row, _, _ := strings.Cut(got, "\n"); !strings.HasSuffix(row, "  23  24  25") {
			t.Errorf("%s squares: got %s", n, got)
		}
	}
}

// TestSVG checks that pictures are well-formed and show every square, zone and piece.
func TestSVG(t *testing.T) {
	for name, b := range drawn(t) {
		var out bytes.Buffer
		if err := SVG(&out, b, crowd(b)); err != nil {
			t.Fatal(err)
		}
		if dir := os.Getenv("BOARDS_PICTURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".svg"), out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var words []string
		shapes, pieces := 0, 0
		decoder := xml.NewDecoder(&out)
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			switch token := token.(type) {
			case xml.CharData:
				words = append(words, strings.TrimSpace(string(token)))
			case xml.StartElement:
				for _, a := range token.Attr {
					if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
						t.Errorf("%s: %s has %s=%q", name, token.Name.Local, a.Name.Local, a.Value)
					}
					if a.Name.Local == "fill" && strings.HasPrefix(a.Value, "url(#ball-") {
						pieces++
					}
				}
				if token.Name.Local == "rect" || token.Name.Local == "polygon" {
					shapes++
				}
			}
		}
		for _, i := range b.squares() {
			if label := b.drawing.squares[i].Label; !slices.Contains(words, label) {
				t.Errorf("%s: square %q has no name", name, label)
			}
		}
		if shapes < len(b.squares()) {
			t.Errorf("%s: %d shapes for %d squares", name, shapes, len(b.squares()))
		}
		want, p := 0, &painter{board: b, pieces: crowd(b)}
		for place, here := range b.standings(p.pieces) {
			if b.Places[place].Zone && len(b.drawing.zones[place]) == 0 { // one a colour, with a count
				for _, n := range b.tally(p.colours(here)) {
					want += min(n, 1)
				}
			} else {
				want += len(here)
			}
		}
		same(t, name+": pieces", pieces, want)
	}
}

// TestGeometry pins the places of squares on the cross: a turned board would fail.
func TestGeometry(t *testing.T) {
	b := shipped(t, "cross68", nil)
	for name, want := range map[string][2]float64{
		"1": {2, 10.5}, "5": {2, 6.5}, "8": {2, 3.5}, "9": {3.5, 2}, "17": {10.5, 0}, "34": {0, -10.5},
		"51": {-10.5, 0}, "68": {0, 10.5}, "yellow-7": {0, 3.5}, "blue-1": {9.5, 0},
	} {
		p, _ := b.Place(name)
		s := b.drawing.squares[p]
		same(t, name, [2]float64{s.X, s.Y}, want)
	}
	for name, b := range drawn(t) {
		same(t, name+": shapes", len(b.drawing.squares), len(b.Places))
		for i, s := range b.drawing.squares {
			if (s.Width > 0) == b.Places[i].Zone {
				t.Errorf("%s: %s has width %v", name, b.Places[i].Name, s.Width)
			}
		}
	}
	home, _ := b.Place("home")
	same(t, "a zone's shapes", len(b.drawing.zones[home]), 4)
	if s := b.drawing.zones[home][0]; s.Owner != 0 || s.X < 3 || s.Y < 3 {
		t.Errorf("the first colour's room lies at %v,%v", s.X, s.Y)
	}
}

// TestTextBeside: a zone drawn beside the squares is listed below them, and covers none.
func TestTextBeside(t *testing.T) {
	b, diags := Read(source.New("lane.yaml", `board: lane
colours: [red, blue]
zones:
  nest: {draw: {x: 0.5, y: 3 * c.seat - 1, width: 3, fill: c}}
squares:
  lane: {for: {i: 1..4}, name: string(i), draw: {x: i, y: 0}}
tracks:
  race: [nest, {lane: all}]
`), nil, nil)
	if len(diags) > 0 {
		t.Fatal(diags.Error())
	}
	nest, _ := b.Place("nest")
	same(t, "drawing", text(t, b, []Standing{{nest, 0}, {nest, 1}}, TextOptions{}), `┌───┬───┬───┬───┐
│ 1 │ 2 │ 3 │ 4 │
└───┴───┴───┴───┘
nest  R  B
R red  B blue
`)
}

// TestTurned turns one square to the four sides of a board and along a circle about another point.
func TestTurned(t *testing.T) {
	b := small(t, `board: turned
colours: [red, blue, green, black]
squares:
  side: {for: {c: colours}, name: c.name, draw: {x: 1, y: -3, width: 1/2, turned: 90 * c.seat}}
  circle: {for: {i: 0..3}, name: string(i), draw: {x: 10, y: -2, turned: 120 * i, around: [10, 0], label: i}, where: i < 3}
tracks:
  race: [{side: all}, {circle: all}]
`)
	var got []string
	for _, place := range b.squares() {
		s := b.drawing.squares[place]
		got = append(got, fmt.Sprintf("%s %g %g %g", b.Places[place].Name, s.X, s.Y, s.Angle))
	}
	want := []string{"red 1 -3 0", "blue 3 1 90", "green -1 3 180", "black -3 -1 270", "0 10 -2 0", "1 11.732051 1 120", "2 8.267949 1 240"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestArrowToZone wants an arrow in the picture to a zone on the board, and a short one with its name to a zone beside it.
func TestArrowToZone(t *testing.T) {
	b := small(t, `board: arrows
colours: [red, blue]
zones: {pond: {draw: {x: 2, y: "3 + 2 * c.seat"}}, out: }
squares:
  lane: {for: {i: 1..4}, name: string(i), attributes: {far: {1: pond, 3: out, 4: 2}}, draw: {x: i, y: 0}}
tracks:
  race: [{lane: all}]
drawing: {marks: {far: arrow}}
`)
	var got []string
	for _, g := range b.Scene(nil).Groups("arrow-far") {
		got = append(got, g.Title)
		if g.ID == "arrow-far-1" {
			tip := scene.Pt(0, 0)
			for _, p := range g.Nodes[0].(*scene.Polygon).Points {
				if p.Y > tip.Y {
					tip = p
				}
			}
			if tip.Y < 2.5 || tip.Y > 3 {
				t.Errorf("the arrow to the pond of red ends at %v", tip)
			}
		}
		if g.ID == "arrow-far-3" && g.Nodes[len(g.Nodes)-1].(*scene.Text).Text != "out" {
			t.Error("the arrow that leads off the board does not say where")
		}
	}
	if want := []string{"far: 1 to pond", "far: 3 to out", "far: 4 to 2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
