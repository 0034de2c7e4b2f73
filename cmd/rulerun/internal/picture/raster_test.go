package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/boards/scene"
)

// pixels draws nodes on a sheet of 20 by 10, ten pixels a unit.
func pixels(t *testing.T, nodes ...scene.Node) image.Image {
	t.Helper()
	return decoded(t, &scene.Scene{Unit: 5, Left: -10, Top: -5, Width: 20, Height: 10, Nodes: nodes})
}

func decoded(t *testing.T, s *scene.Scene) image.Image {
	t.Helper()
	var out bytes.Buffer
	if err := ScenePNG(&out, s); err != nil {
		t.Fatal(err)
	}
	im, err := png.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	return im
}

// TestRaster looks at single pixels of each kind of node: those it covers have its colour, those beside it have none.
func TestRaster(t *testing.T) {
	red, blue := scene.RGB(0xff0000), scene.RGB(0x0000ff)
	line := scene.Style{Stroke: blue, StrokeWidth: 1}
	type at struct {
		x, y float64
		want scene.Paint // the zero paint for nothing
	}
	for name, c := range map[string]struct {
		node   scene.Node
		pixels []at
	}{
		"rectangle": {&scene.Rect{Style: scene.Style{Fill: red}, X: -2, Y: -2, Width: 4, Height: 2},
			[]at{{-1.5, -1.5, red}, {1.5, -0.5, red}, {0, 0.5, scene.Paint{}}, {-2.5, -1, scene.Paint{}}}},
		"round corners": {&scene.Rect{Style: scene.Style{Fill: red}, X: -2, Y: -2, Width: 4, Height: 4, Round: 2},
			[]at{{0, 0, red}, {0, 1.8, red}, {1.8, 1.8, scene.Paint{}}}},
		"turned": {&scene.Rect{Style: scene.Style{Fill: red}, X: -4, Y: -1, Width: 8, Height: 2, Angle: 90},
			[]at{{0, 3.5, red}, {3.5, 0, scene.Paint{}}}},
		"circle": {&scene.Circle{Style: scene.Style{Fill: red, Stroke: blue, StrokeWidth: 1}, Radius: 3},
			[]at{{0, 0, red}, {3, 0, blue}, {0, -3, blue}, {3, 3, scene.Paint{}}}},
		"polygon": {&scene.Polygon{Style: line, Points: []scene.Point{scene.Pt(-3, -3), scene.Pt(3, -3), scene.Pt(3, 3), scene.Pt(-3, 3)}},
			[]at{{-3, 0, blue}, {0, 3, blue}, {0, 0, scene.Paint{}}}},
		"path": {&scene.Path{Style: line, Lines: [][]scene.Point{{scene.Pt(-5, -3), scene.Pt(5, -3)}, {scene.Pt(-5, 3), scene.Pt(5, 3)}}},
			[]at{{0, -3, blue}, {0, 3, blue}, {5, 0, scene.Paint{}}}},
		"path without a stroke": {&scene.Path{Lines: [][]scene.Point{{scene.Pt(-5, 0), scene.Pt(5, 0)}}},
			[]at{{0, 0, scene.Paint{}}}},
		"dashes": {&scene.Path{Style: scene.Style{Stroke: blue, StrokeWidth: 1, Dash: []float64{2, 2}}, Lines: [][]scene.Point{{scene.Pt(-8, 0), scene.Pt(8, 0)}}},
			[]at{{-7, 0, blue}, {-5, 0, scene.Paint{}}, {-3, 0, blue}}},
		"group": {&scene.Group{Scale: 2, Move: scene.Pt(-4, 0), Nodes: []scene.Node{&scene.Circle{Style: scene.Style{Fill: red}, Center: scene.Pt(4, 0), Radius: 1}}},
			[]at{{4, 0, red}, {5.5, 0, red}, {2.5, 0, red}, {1.5, 0, scene.Paint{}}}},
	} {
		im := pixels(t, c.node)
		for _, p := range c.pixels {
			got := color.NRGBAModel.Convert(im.At(int((p.x+10)*10), int((p.y+5)*10)))
			if got != p.want.NRGBA {
				t.Errorf("%s: the pixel at %v, %v is %v, want %v", name, p.x, p.y, got, p.want.NRGBA)
			}
		}
	}
}

// TestRasterBall: a ball is lighter at the upper left than at the lower right, and stays inside its circle.
func TestRasterBall(t *testing.T) {
	c := scene.RGB(0x2b6fd6)
	c.Ball = true
	im := pixels(t, &scene.Circle{Style: scene.Style{Fill: c}, Radius: 4})
	at := func(x, y float64) color.NRGBA {
		return color.NRGBAModel.Convert(im.At(int((x+10)*10), int((y+5)*10))).(color.NRGBA)
	}
	spot, rim := at(-1, -1.4), at(2.5, 2.5)
	if spot.R <= c.R || rim.R >= c.R || spot.A != 255 || rim.A != 255 {
		t.Errorf("the spot is %v, the rim %v, the colour %v", spot, rim, c.NRGBA)
	}
	if out := at(2.95, 2.95); out.A != 0 {
		t.Errorf("outside the circle is %v", out)
	}
}

// TestRasterText: a text stands where its anchor says, and turned where it is turned.
func TestRasterText(t *testing.T) {
	inked := func(t *scene.Text, im image.Image) (r image.Rectangle) {
		for y := range im.Bounds().Dy() {
			for x := range im.Bounds().Dx() {
				if _, _, _, a := im.At(x, y).RGBA(); a > 0x8000 {
					r = r.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		return r
	}
	for name, c := range map[string]struct {
		text scene.Text
		ok   func(r image.Rectangle) bool
	}{
		"start":  {scene.Text{Anchor: scene.Start}, func(r image.Rectangle) bool { return r.Min.X >= 98 }},
		"middle": {scene.Text{Anchor: scene.Middle}, func(r image.Rectangle) bool { return r.Min.X+r.Max.X > 196 && r.Min.X+r.Max.X < 204 }},
		"end":    {scene.Text{Anchor: scene.End}, func(r image.Rectangle) bool { return r.Max.X <= 102 }},
		"upward": {scene.Text{Anchor: scene.Start, Angle: -90}, func(r image.Rectangle) bool { return r.Dy() > r.Dx() && r.Max.Y <= 52 }},
	} {
		c.text.Fill, c.text.Size, c.text.Text = scene.RGB(0), 2, "HHH"
		if r := inked(&c.text, pixels(t, &c.text)); r.Empty() || !c.ok(r) {
			t.Errorf("%s: the text covers %v", name, r)
		}
	}
}

// TestRasterBoard draws a board with pieces: the middle of a piece has its colour, and the PNG has two pixels a unit.
func TestRasterBoard(t *testing.T) {
	b := cross(t, "cross68")
	place, _ := b.Place("1")
	s := b.Scene([]boards.Standing{{Place: place, Colour: 1}})
	im := decoded(t, s)
	if w, h := im.Bounds().Dx(), im.Bounds().Dy(); w != int(2*s.Width*s.Unit+0.5) || h != int(2*s.Height*s.Unit+0.5) {
		t.Errorf("the PNG is %d×%d", w, h)
	}
	center := s.Groups("piece")[0].Item.Center
	x, y := (center.X-s.Left)*2*s.Unit, (center.Y-s.Top)*2*s.Unit
	if c := color.NRGBAModel.Convert(im.At(int(x), int(y))).(color.NRGBA); !(c.B > c.R && c.B > c.G) {
		t.Errorf("a blue piece is %v", c)
	}
}

type stranger struct{ scene.Node }

// TestRasterLarge: a very large scene makes a picture of a size that fits in memory.
func TestRasterLarge(t *testing.T) {
	size := decoded(t, &scene.Scene{Unit: 32, Width: 10000, Height: 5000}).Bounds().Size()
	if pixels := size.X * size.Y; pixels > maxPixels || pixels < maxPixels/4 {
		t.Errorf("%v", size)
	}
}

// TestRasterUnknown: the renderer says that it does not know a node, it does not leave it out.
func TestRasterUnknown(t *testing.T) {
	defer func() {
		if r, ok := recover().(string); !ok || !strings.Contains(r, "picture.stranger") {
			t.Errorf("got the panic %q", r)
		}
	}()
	pixels(t, stranger{})
}
