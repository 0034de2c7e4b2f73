package picture

import (
	"fmt"
	"image/color"
	"io"
	"math"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	face "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// fonts are the embedded fonts, used for all fonts of a scene.
type fonts struct{ cache *face.Cache }

func newFonts() *fonts {
	var all face.Collection
	for w, data := range map[weight][]byte{plain: liberationsansregular.TTF, bold: liberationsansbold.TTF} {
		f, err := opentype.Parse(data)
		if err != nil {
			panic("the fonts that come along cannot be read: " + err.Error())
		}
		all = append(all, face.Face{Font: fontOf(w), Face: f})
	}
	return &fonts{face.NewCache(all)}
}

func fontOf(w weight) face.Font {
	f := face.Font{Typeface: "Liberation", Variant: "Sans", Weight: font.WeightNormal}
	if w == bold {
		f.Weight = font.WeightBold
	}
	return f
}

func (f *fonts) face(size float64, w weight) face.Face {
	return f.cache.Lookup(fontOf(w), vg.Length(size))
}

// maxPixels limits the size of a picture: each takes 4 bytes.
const maxPixels = 50_000_000

// dots is the resolution for a picture of a size, in dots per inch of 72 units: 144, or fewer for a very large one.
func dots(width, height float64) int {
	return max(1, min(144, int(72*math.Sqrt(maxPixels/(width*height)))))
}

// ScenePNG writes a scene as PNG, two pixels a unit of its SVG, or fewer where it is very large. Where nothing is drawn it is transparent.
func ScenePNG(w io.Writer, s *scene.Scene) error {
	width, height := s.Width*s.Unit, s.Height*s.Unit
	canvas := vgimg.NewWith(vgimg.UseWH(vg.Length(width), vg.Length(height)), vgimg.UseDPI(dots(width, height)), vgimg.UseBackgroundColor(color.Transparent))
	r := &raster{on: canvas, fonts: newFonts(), high: height}
	v := s.View()
	v.Shift = scene.Pt(-s.Left*s.Unit, -s.Top*s.Unit)
	r.nodes(s.Nodes, v)
	if _, err := (vgimg.PngCanvas{Canvas: canvas}).WriteTo(w); err != nil {
		return fmt.Errorf("drawing: %w", err)
	}
	return nil
}

// raster draws a scene with the plotting library, whose y grows upwards and whose types stop here.
type raster struct {
	on    vg.Canvas
	fonts *fonts
	high  float64
}

func (r *raster) nodes(nodes []scene.Node, v scene.View) {
	for _, n := range nodes {
		r.node(n, v)
	}
}

func (r *raster) node(n scene.Node, v scene.View) {
	switch n := n.(type) {
	case *scene.Group:
		r.nodes(n.Nodes, v.Inside(n))
	case *scene.Rect:
		r.polygon(rounded(n, v.Scale), &n.Style, v)
	case *scene.Polygon:
		r.polygon(n.Points, &n.Style, v)
	case *scene.Circle:
		r.circle(n, v)
	case *scene.Path:
		for _, line := range n.Lines {
			r.stroke(line, &n.Style, v)
		}
	case *scene.Text:
		r.text(n, v)
	default:
		panic(fmt.Sprintf("picture: PNG cannot draw a %T", n))
	}
}

func (r *raster) at(q scene.Point, v scene.View) vg.Point {
	q = v.At(q)
	return vg.Point{X: vg.Length(short(q.X)), Y: vg.Length(short(r.high - q.Y))}
}

// short keeps two decimals, as SVG does.
func short(v float64) float64 { return math.Round(v*100) / 100 }

// paint chooses a colour; it reports false where nothing is painted.
func (r *raster) paint(c scene.Paint) bool {
	r.on.SetColor(c.NRGBA)
	return c.A > 0
}

func (r *raster) pen(s *scene.Style, v scene.View) {
	dash := seq.Map(s.Dash, func(d float64) vg.Length { return vg.Length(d * v.Scale) })
	r.on.SetLineWidth(vg.Length(s.StrokeWidth * v.Scale))
	r.on.SetLineDash(dash, 0)
}

func (r *raster) path(points []scene.Point, v scene.View) vg.Path {
	var path vg.Path
	for i, q := range points {
		at := r.at(q, v)
		switch {
		case i == 0:
			path.Move(at)
		case at != path[len(path)-1].Pos:
			path.Line(at)
		}
	}
	return path
}

func (r *raster) polygon(points []scene.Point, s *scene.Style, v scene.View) {
	if len(points) < 2 {
		return
	}
	if r.paint(s.Fill) {
		path := r.path(points, v)
		path.Close()
		r.on.Fill(path)
	}
	// The library joins no line where a path begins: the path begins on a side.
	first, last := points[0], points[len(points)-1]
	outline := append([]scene.Point{scene.Pt((first.X+last.X)/2, (first.Y+last.Y)/2)}, points...)
	if !r.paint(s.Stroke) {
		return
	}
	r.pen(s, v)
	path := r.path(outline, v)
	path.Close()
	r.on.Stroke(path)
	r.joins(points, s, v)
}

// stroke draws an open line.
func (r *raster) stroke(points []scene.Point, s *scene.Style, v scene.View) {
	if len(points) < 2 || !r.paint(s.Stroke) {
		return
	}
	r.pen(s, v)
	r.on.Stroke(r.path(points, v))
	r.joins(points, s, v)
}

// joins makes the corners of broad lines round, which the library does not.
func (r *raster) joins(points []scene.Point, s *scene.Style, v scene.View) {
	width := s.StrokeWidth * v.Scale
	if width <= 4 || s.Stroke.A < 255 {
		return
	}
	for _, q := range points {
		r.on.Fill(r.round(r.at(q, v), width/2))
	}
}

func (r *raster) round(at vg.Point, radius float64) vg.Path {
	var path vg.Path
	path.Move(vg.Point{X: at.X + vg.Length(short(radius)), Y: at.Y})
	path.Arc(at, vg.Length(short(radius)), 0, 2*math.Pi)
	path.Close()
	return path
}

func (r *raster) circle(c *scene.Circle, v scene.View) {
	path := r.round(r.at(c.Center, v), c.Radius*v.Scale)
	switch {
	case c.Fill.Ball:
		r.ball(c, v)
	case r.paint(c.Fill):
		r.on.Fill(path)
	}
	if r.paint(c.Stroke) {
		r.pen(&c.Style, v)
		r.on.Stroke(path)
	}
}

// ball fills a circle with rings around its light spot, each cut off at the circle.
func (r *raster) ball(c *scene.Circle, v scene.View) {
	const rings, sides = 24, 60
	x, y := 2*c.Radius*(scene.BallX-0.5), 2*c.Radius*(scene.BallY-0.5) // the spot, from the center
	for ring := rings; ring > 0; ring-- {
		distance := float64(ring) / rings
		var points []scene.Point
		for k := range sides {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / sides)
			// How far the rim is from the spot in this direction.
			along := x*cos + y*sin
			rim := math.Sqrt(along*along+c.Radius*c.Radius-x*x-y*y) - along
			far := min(distance*scene.BallReach*2*c.Radius, rim)
			points = append(points, scene.Pt(c.Center.X+x+far*cos, c.Center.Y+y+far*sin))
		}
		r.polygon(points, &scene.Style{Fill: c.Fill.BallAt(distance - 0.5/rings)}, v)
	}
}

func (r *raster) text(t *scene.Text, v scene.View) {
	if !r.paint(t.Fill) || t.Text == "" {
		return
	}
	f := r.fonts.face(t.Size*v.Scale, weight(t.Bold))
	left := f.Width(t.Text) * vg.Length(t.Anchor) / 2
	at := r.at(t.At, v)
	if t.Angle == 0 {
		r.on.FillString(f, vg.Point{X: at.X - left, Y: at.Y}, t.Text)
		return
	}
	r.on.Push()
	r.on.Translate(at)
	r.on.Rotate(-t.Angle * math.Pi / 180)
	r.on.FillString(f, vg.Point{X: -left}, t.Text)
	r.on.Pop()
}

// rounded is the outline of a rectangle, its corners round, in a view of the given scale.
func rounded(n *scene.Rect, scale float64) []scene.Point {
	x, y, w, h := n.X, n.Y, n.Width, n.Height
	r := min(n.Round, w/2, h/2)
	out := []scene.Point{scene.Pt(x, y), scene.Pt(x+w, y), scene.Pt(x+w, y+h), scene.Pt(x, y+h)}
	if r > 0 {
		out = nil
		stretches := 3
		if r*scale > 8 {
			stretches = 9
		}
		for i, c := range [...]scene.Point{scene.Pt(x+w-r, y+r), scene.Pt(x+w-r, y+h-r), scene.Pt(x+r, y+h-r), scene.Pt(x+r, y+r)} {
			for k := range stretches + 1 {
				sin, cos := math.Sincos((float64(i-1) + float64(k)/float64(stretches)) * math.Pi / 2)
				out = append(out, scene.Pt(c.X+r*cos, c.Y+r*sin))
			}
		}
	}
	scene.Turn(out, n.Angle, scene.Pt(x+w/2, y+h/2))
	return out
}
