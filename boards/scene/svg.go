package scene

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// Options say how SVG writes. The zero value is a file of its own.
type Options struct {
	// Variables writes paints that have a CSS variable as this variable, for a page that defines them.
	Variables bool
	// Classes gives shapes the classes fill-NAME and stroke-NAME for paints with the CSS variable --NAME, for a page whose
	// style sheet may replace these colours.
	Classes bool
	// Under is the id of an element of the page that is drawn under the scene, such as a board that several drawings share.
	Under string
}

// SVG writes a scene as SVG. The same scene gives the same bytes.
func SVG(w io.Writer, s *Scene, opt Options) error {
	p := &printer{opt: opt}
	// The roles are those of WAI-ARIA's graphics module, each followed by one that older screen readers know. An image
	// hides its parts, a document does not.
	role := "img"
	if titled(s.Nodes) {
		role = "graphics-document document"
	}
	width, height := number(s.Width*s.Unit), number(s.Height*s.Unit)
	p.begin("svg", "xmlns", "http://www.w3.org/2000/svg",
		"viewBox", number(s.Left*s.Unit)+" "+number(s.Top*s.Unit)+" "+width+" "+height, "width", width, "height", height,
		"role", role, "font-family", s.Font, "fill", "none", "stroke-linejoin", "round")
	p.words("title", s.Title)
	p.words("desc", s.Desc)
	p.balls(s.Nodes, map[string]bool{})
	if opt.Under != "" {
		p.shape("use", "href", "#"+opt.Under)
	}
	p.nodes(s.Nodes, s.View())
	p.out.WriteString("</svg>\n")
	_, err := w.Write(p.out.Bytes())
	return err
}

func titled(nodes []Node) bool {
	return slices.ContainsFunc(nodes, func(n Node) bool {
		g, ok := n.(*Group)
		return ok && (g.Title != "" || titled(g.Nodes))
	})
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

type printer struct {
	out bytes.Buffer
	opt Options
}

// number writes a length with up to two decimals.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

// open writes a tag without its end; attributes come in pairs, those without a value are left out.
func (p *printer) open(tag string, attributes ...string) {
	p.out.WriteString("<" + tag)
	for i := 0; i < len(attributes); i += 2 {
		if attributes[i+1] != "" {
			p.out.WriteString(" " + attributes[i] + `="` + escape.Replace(attributes[i+1]) + `"`)
		}
	}
}

func (p *printer) begin(tag string, attributes ...string) {
	p.open(tag, attributes...)
	p.out.WriteString(">\n")
}

// shape writes an element that has no content.
func (p *printer) shape(tag string, attributes ...string) {
	p.open(tag, attributes...)
	p.out.WriteString("/>\n")
}

// words writes an element that has nothing but text, unless the text is empty.
func (p *printer) words(tag, text string, attributes ...string) {
	if text == "" {
		return
	}
	p.open(tag, attributes...)
	p.out.WriteString(">" + escape.Replace(text) + "</" + tag + ">\n")
}

func (p *printer) nodes(nodes []Node, v View) {
	for _, n := range nodes {
		p.node(n, v)
	}
}

func (p *printer) node(n Node, v View) {
	switch n := n.(type) {
	case *Group:
		p.group(n, v)
	case *Rect:
		turn := ""
		if n.Angle != 0 {
			middle := v.At(Point{n.X + n.Width/2, n.Y + n.Height/2})
			turn = rotate(n.Angle, middle)
		}
		at := v.At(Point{n.X, n.Y})
		p.shape("rect", slices.Concat([]string{"x", number(at.X), "y", number(at.Y), "width", number(n.Width * v.Scale), "height", number(n.Height * v.Scale),
			"rx", length(n.Round * v.Scale), "transform", turn}, p.style(&n.Style, v))...)
	case *Circle:
		at := v.At(n.Center)
		p.shape("circle", slices.Concat([]string{"cx", number(at.X), "cy", number(at.Y), "r", number(n.Radius * v.Scale)}, p.style(&n.Style, v))...)
	case *Polygon:
		p.shape("polygon", slices.Concat([]string{"points", points(n.Points, v, ',', " ")}, p.style(&n.Style, v))...)
	case *Path:
		var d strings.Builder
		for _, line := range n.Lines {
			d.WriteString("M" + points(line, v, ' ', "L"))
		}
		p.shape("path", slices.Concat([]string{"d", d.String()}, p.style(&n.Style, v))...)
	case *Text:
		p.text(n, v)
	default:
		panic(fmt.Sprintf("scene: SVG cannot write a %T", n))
	}
}

func (p *printer) group(g *Group, v View) {
	role := ""
	if g.Title != "" {
		role = "graphics-symbol img"
	}
	p.begin("g", "id", g.ID, "class", strings.Join(g.Classes, " "), "data-place", g.Item.Place, "role", role)
	p.words("title", g.Title)
	p.nodes(g.Nodes, v.Inside(g))
	p.out.WriteString("</g>\n")
}

func (p *printer) text(t *Text, v View) {
	anchor, weight, turn, adjust := "", "", "", ""
	switch t.Anchor {
	case Middle:
		anchor = "middle"
	case End:
		anchor = "end"
	}
	if t.Bold {
		weight = "bold"
	}
	at := v.At(t.At)
	if t.Angle != 0 {
		turn = rotate(t.Angle, at)
	}
	if t.Length > 0 {
		adjust = "spacingAndGlyphs"
	}
	p.words("text", t.Text, slices.Concat([]string{"x", number(at.X), "y", number(at.Y), "font-size", number(t.Size * v.Scale), "font-weight", weight,
		"text-anchor", anchor, "textLength", length(t.Length * v.Scale), "lengthAdjust", adjust, "transform", turn}, p.style(&Style{Fill: t.Fill}, v))...)
}

// length is a number, nothing for 0.
func length(v float64) string {
	if v == 0 {
		return ""
	}
	return number(v)
}

func rotate(degrees float64, about Point) string {
	return fmt.Sprintf("rotate(%s %s %s)", strconv.FormatFloat(degrees, 'g', 6, 64), number(about.X), number(about.Y))
}

func points(list []Point, v View, comma byte, between string) string {
	var b strings.Builder
	for i, q := range list {
		if i > 0 {
			b.WriteString(between)
		}
		q = v.At(q)
		b.WriteString(number(q.X) + string(comma) + number(q.Y))
	}
	return b.String()
}

// style are the attributes of a style. What is not painted has none: the whole drawing begins with fill="none".
func (p *printer) style(s *Style, v View) []string {
	fill, fillOpacity, fillVariable := p.paint("fill", s.Fill)
	out := []string{"fill", fill, "fill-opacity", fillOpacity}
	style := fillVariable
	if s.Stroke.A > 0 {
		stroke, opacity, variable := p.paint("stroke", s.Stroke)
		out = append(out, "stroke", stroke, "stroke-opacity", opacity, "stroke-width", number(s.StrokeWidth*v.Scale))
		dash := seq.Map(s.Dash, func(d float64) string { return number(d * v.Scale) })
		out = append(out, "stroke-dasharray", strings.Join(dash, " "))
		style += variable
	}
	return append(out, "style", style, "class", p.classes(s))
}

func (p *printer) classes(s *Style) string {
	var out []string
	if name := strings.TrimPrefix(s.Fill.Variable, "--"); name != "" && s.Fill.A > 0 {
		out = append(out, "fill-"+name)
	}
	if name := strings.TrimPrefix(s.Stroke.Variable, "--"); name != "" && s.Stroke.A > 0 {
		out = append(out, "stroke-"+name)
	}
	if !p.opt.Classes {
		return ""
	}
	return strings.Join(out, " ")
}

// paint is a paint as attributes. CSS variables work in declarations only.
func (p *printer) paint(key string, c Paint) (value, opacity, declaration string) {
	switch {
	case c.A == 0:
		return "", "", ""
	case c.A < 255:
		opacity = number(float64(c.A) / 255)
	}
	switch {
	case p.opt.Variables && c.Variable != "":
		return "", opacity, key + ":var(" + c.Variable + ");"
	case c.Ball:
		return "url(#" + ballID(c) + ")", opacity, ""
	}
	return c.Hex(), opacity, ""
}

// ballID names the gradient of a colour: the same name for the same colour, so that several drawings fit on one page.
func ballID(c Paint) string { return "ball-" + c.Hex()[1:] }

// balls defines the gradients of all Balls.
func (p *printer) balls(nodes []Node, done map[string]bool) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Group:
			p.balls(n.Nodes, done)
		case *Circle:
			if c := n.Fill; c.Ball && !done[ballID(c)] {
				done[ballID(c)] = true
				p.begin("radialGradient", "id", ballID(c), "cx", number(BallX), "cy", number(BallY), "r", number(BallReach))
				for _, at := range [...]float64{0, ballMiddle, 1} {
					p.shape("stop", "offset", number(at), "stop-color", c.BallAt(at).Hex())
				}
				p.out.WriteString("</radialGradient>\n")
			}
		}
	}
}
