package scene

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

var (
	red   = RGB(0xd93a32)
	black = RGB(0)
)

// write writes nodes as SVG, without the elements around them, and fails where this is not XML.
func write(t *testing.T, s *Scene, opt Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := SVG(&out, s, opt); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	for d := xml.NewDecoder(&out); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return text
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
}

// TestShapes writes one node of each kind, in a scene of ten units a unit.
func TestShapes(t *testing.T) {
	line := Style{Stroke: black, StrokeWidth: 0.1}
	for name, c := range map[string]struct {
		node Node
		want string
	}{
		"a rectangle": {&Rect{Style: Style{Fill: red}, X: 1, Y: 2, Width: 3, Height: 4},
			`<rect x="10" y="20" width="30" height="40" fill="#d93a32"/>`},
		"round corners, turned about its middle": {&Rect{Style: line, Width: 2, Height: 1, Round: 0.25, Angle: 30},
			`<rect x="0" y="0" width="20" height="10" rx="2.5" transform="rotate(30 10 5)" stroke="#000000" stroke-width="1"/>`},
		"a circle one can see through": {&Circle{Style: Style{Fill: red.Faint(0.25)}, Center: Point{-1, 0.333}, Radius: 0.5},
			`<circle cx="-10" cy="3.33" r="5" fill="#d93a32" fill-opacity="0.25"/>`},
		"a polygon": {&Polygon{Style: line, Points: []Point{{0, 0}, {1, 0}, {0, 1}}},
			`<polygon points="0,0 10,0 0,10" stroke="#000000" stroke-width="1"/>`},
		"two lines": {&Path{Style: line, Lines: [][]Point{{{0, 0}, {1, 1}}, {{1, 0}, {0, 1}}}},
			`<path d="M0 0L10 10M10 0L0 10" stroke="#000000" stroke-width="1"/>`},
		"dashes": {&Path{Style: Style{Stroke: black, StrokeWidth: 0.2, Dash: []float64{0.5, 0.3}}, Lines: [][]Point{{{0, 0}, {1, 0}}}},
			`<path d="M0 0L10 0" stroke="#000000" stroke-width="2" stroke-dasharray="5 3"/>`},
		"text": {&Text{Fill: red, At: Point{1, 1}, Size: 1.2, Text: "a < b"},
			`<text x="10" y="10" font-size="12" fill="#d93a32">a &lt; b</text>`},
		"text in every way": {&Text{Fill: red, At: Point{1, 1}, Size: 1, Bold: true, Anchor: End, Angle: -90, Length: 3, Text: "x"},
			`<text x="10" y="10" font-size="10" font-weight="bold" text-anchor="end" textLength="30" lengthAdjust="spacingAndGlyphs" transform="rotate(-90 10 10)" fill="#d93a32">x</text>`},
		"no text": {&Text{Fill: red}, ``},
		"a group": {&Group{ID: "square-1", Classes: []string{"square", "tag-safe"}, Title: "1 & only", Item: Item{Place: "1"},
			Scale: 2, Move: Point{1, 0}, Nodes: []Node{&Circle{Style: line, Center: Point{1, 1}, Radius: 1}}},
			`<g id="square-1" class="square tag-safe" data-place="1" role="graphics-symbol img">
<title>1 &amp; only</title>
<circle cx="30" cy="20" r="20" stroke="#000000" stroke-width="2"/>
</g>`},
	} {
		t.Run(name, func(t *testing.T) {
			text := write(t, &Scene{Unit: 10, Width: 2, Height: 1, Nodes: []Node{c.node}}, Options{})
			_, got, _ := strings.Cut(text, ">\n")
			if got = strings.TrimSpace(strings.TrimSuffix(got, "</svg>\n")); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestHead: a scene says its size and its name, and whether its parts can be read out.
func TestHead(t *testing.T) {
	s := &Scene{Title: "A <board>", Desc: "Two squares.", Font: "'A',b", Unit: 10, Left: -1, Top: -2, Width: 3, Height: 4}
	const plain = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -20 30 40" width="30" height="40" role="img" font-family="'A',b" fill="none" stroke-linejoin="round">
<title>A &lt;board&gt;</title>
<desc>Two squares.</desc>
</svg>
`
	if got := write(t, s, Options{}); got != plain {
		t.Errorf("got\n%s\nwant\n%s", got, plain)
	}
	s.Nodes = []Node{&Group{Nodes: []Node{&Group{Title: "a square"}}}}
	if got := write(t, s, Options{}); !strings.Contains(got, `role="graphics-document document"`) {
		t.Errorf("a group inside has a title, but the drawing is an image:\n%s", got)
	}
}

// TestVariables: a page replaces the colours that have a variable, and no others.
func TestVariables(t *testing.T) {
	ink := Paint{NRGBA: black.NRGBA, Variable: "--ink"}
	s := &Scene{Unit: 1, Nodes: []Node{&Rect{Style: Style{Fill: ink.Faint(0.5), Stroke: ink, StrokeWidth: 1}}, &Circle{Style: Style{Fill: red}}}}
	got := write(t, s, Options{Variables: true})
	for _, want := range []string{`fill-opacity="0.5" stroke-width="1" style="fill:var(--ink);stroke:var(--ink);"`, `fill="#d93a32"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in\n%s", want, got)
		}
	}
	if got := write(t, s, Options{}); strings.Contains(got, "var(") {
		t.Errorf("a file of its own has variables:\n%s", got)
	}
}

// TestBall: balls of one colour share a gradient, which goes from light to dark.
func TestBall(t *testing.T) {
	ball := red
	ball.Ball = true
	s := &Scene{Unit: 1, Nodes: []Node{&Circle{Style: Style{Fill: ball}, Radius: 1}, &Group{Nodes: []Node{&Circle{Style: Style{Fill: ball}, Radius: 2}}}}}
	got := write(t, s, Options{})
	if n := strings.Count(got, "<radialGradient"); n != 1 {
		t.Errorf("%d gradients, want 1:\n%s", n, got)
	}
	if n := strings.Count(got, `fill="url(#ball-d93a32)"`); n != 2 {
		t.Errorf("%d circles have the gradient, want 2:\n%s", n, got)
	}
	light, own, dark := ball.BallAt(0), ball.BallAt(ballMiddle), ball.BallAt(1)
	if own.Hex() != red.Hex() || !(light.R > own.R && own.R > dark.R) {
		t.Errorf("a ball goes from %s over %s to %s", light.Hex(), own.Hex(), dark.Hex())
	}
}

// TestGroups finds groups by class, from back to front, at any depth.
func TestGroups(t *testing.T) {
	s := &Scene{Nodes: []Node{
		&Group{ID: "a", Classes: []string{"x"}, Nodes: []Node{&Group{ID: "b", Classes: []string{"y", "x"}}}}, &Group{ID: "c"}, &Group{ID: "d", Classes: []string{"x"}},
	}}
	var ids []string
	for _, g := range s.Groups("x") {
		ids = append(ids, g.ID)
	}
	if got := strings.Join(ids, " "); got != "a b d" {
		t.Errorf("got %q, want %q", got, "a b d")
	}
}

type stranger struct{ Node }

// TestUnknown: a renderer that does not know a node says so, it does not leave it out.
func TestUnknown(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "scene.stranger") {
			t.Errorf("got the panic %v", r)
		}
	}()
	SVG(io.Discard, &Scene{Nodes: []Node{stranger{}}}, Options{})
}
