package boards

import (
	"math"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// geometry converts the coordinates of a board file to areas.
type geometry struct {
	arms                 bool
	count, rows, lanes   int
	width, reach, turned float64
	clockwise            bool
}

// draft is a parsed "draw": an expression for each key.
type draft struct {
	node *node
	keys map[string]*expression
	form form
}

func (d *geometry) want() string {
	if d.arms {
		return "arm: …, lane: …, row: …"
	}
	return "x: …, y: …"
}

// drawing reads the settings of the whole drawing, without the marks: these need all tags.
func (r *reader) drawing(n *node) {
	r.draw = geometry{width: 1, count: 4, rows: 1, lanes: 1}
	r.readPalette(n.get("palette"))
	if n == nil {
		return
	}
	if !r.keys(n, &drawingKeys) {
		return
	}
	d := &r.draw
	d.arms = r.choice(n.get("kind"), kindNames) == 1
	r.board.drawing.arms = d.arms
	r.board.drawing.ground = ground(max(0, r.choice(n.get("ground"), groundNames[:])))
	r.measureInt(n.get("count"), &d.count, 2, 24)
	r.measureInt(n.get("rows"), &d.rows, 1, 1000)
	r.measureInt(n.get("lanes"), &d.lanes, 1, 100)
	r.measure(n.get("width"), &d.width, 0.1, 10)
	r.measure(n.get("reach"), &d.reach, 0, 10)
	r.measure(n.get("turned"), &d.turned, -360, 360)
	if c := n.get("clockwise"); c != nil {
		v, _ := r.want(r.expression(c, r.global), r.global, flagValue)
		d.clockwise = v.num == 1
		r.board.drawing.clockwise = d.clockwise
	}
	for _, key := range []string{"count", "rows", "lanes"} {
		if d.arms && n.get(key) == nil {
			r.fault("missing-key", r.head(n), "a drawing in arms needs a key %q", key)
		}
	}
	d.reach = min(d.reach, d.apothem()*0.9)
	r.board.drawing.turned = d.turned
}

// choice is the index of a word among those allowed, -1 when it is absent or wrong. An expression over the
// parameters may choose; it has its words in quotes.
func (r *reader) choice(n *node, known []string) int {
	if n == nil {
		return -1
	}
	word := nodeText(n)
	if n.kind == scalarNode && !isWord(word) {
		v, ok := r.want(r.expression(n, r.global), r.global, textValue)
		if !ok {
			return -1
		}
		word = v.text
	}
	i := slices.Index(known, word)
	if i < 0 {
		r.suggest(r.fault("wrong-kind", n.span, "got %q, want %s", shorten(word), strings.Join(known, " or ")), word, known)
	}
	return i
}

func (r *reader) measure(n *node, to *float64, from, upto float64) {
	if n == nil {
		return
	}
	v, ok := r.want(r.expression(n, r.global), r.global, numValue)
	if ok && (v.num < from || v.num > upto) {
		r.fault("out-of-range", n.span, "got %s, want %s..%s", formatNumber(v.num), formatNumber(from), formatNumber(upto))
	} else if ok {
		*to = v.num
	}
}

func (r *reader) measureInt(n *node, to *int, from, upto float64) {
	f := float64(*to)
	r.measure(n, &f, from, upto)
	if f != math.Trunc(f) {
		r.fault("type-mistake", n.span, "got %s, want a whole number", formatNumber(f))
		return
	}
	*to = int(f)
}

type namedHue struct{ name, hue string }

// defaultPalette has the hues of boards without a palette: a colour with one of these names gets its hue, other colours get
// the hues that are left, in turn order.
var defaultPalette = []namedHue{
	{"yellow", "#f5c21b"}, {"blue", "#2b6fd6"}, {"red", "#d93a32"}, {"green", "#2e9e4f"}, {"orange", "#f08a24"}, {"purple", "#8a4fc0"},
	{"teal", "#17a2a2"}, {"pink", "#d6539b"}, {"brown", "#7a5a3a"}, {"grey", "#5b6770"}, {"white", "#c9c4b8"}, {"black", "#333333"},
}

// defaultHues chooses a hue from defaultPalette for each colour.
func defaultHues(colours []Colour) []string {
	called := seq.Set(colours, func(c Colour) string { return c.Name })
	left := seq.Filter(defaultPalette, func(p namedHue) bool { return !called[p.name] })
	if len(left) == 0 {
		left = defaultPalette
	}
	next := -1
	return seq.Map(colours, func(c Colour) string {
		if own := seq.First(defaultPalette, func(p namedHue) bool { return p.name == c.Name }); own.hue != "" {
			return own.hue
		}
		next++
		return left[next%len(left)].hue
	})
}

func (r *reader) readPalette(n *node) {
	for i, hue := range defaultHues(r.board.Colours) {
		r.board.Colours[i].Hue = hue
	}
	if !r.mapping(n, "a map from colours to \"#rrggbb\"") {
		return
	}
	r.distinct(n, "colour")
	for _, e := range n.entries {
		i := slices.Index(r.colours, e.key.text)
		if i < 0 && !r.inBase(e.key.span) { // a board with fewer colours than the one it extends has that one's palette
			r.suggest(r.fault("unknown-colour", e.key.span, "there is no colour %q", shorten(e.key.text)), e.key.text, r.colours)
		}
		if !isHex(nodeText(e.value)) {
			r.fault("wrong-kind", e.value.span, "got %q, want a colour such as \"#f5c21b\"", shorten(nodeText(e.value)))
			continue
		}
		r.palette[e.key.text] = e.value
		if i >= 0 && i < len(r.board.Colours) {
			r.board.Colours[i].Hue = strings.ToLower(e.value.text)
		}
	}
}

func isHex(s string) bool {
	return len(s) == 7 && s[0] == '#' && strings.Trim(strings.ToLower(s[1:]), digits+"abcdef") == ""
}

// draft parses a "draw" whose keys are known.
func (d *geometry) draft(r *reader, n *node, s *scope, known *keySet) *draft {
	if n == nil {
		return nil
	}
	if n.kind != mappingNode {
		r.wrongKind(n, "a map: {"+d.want()+"}")
		return nil
	}
	r.keys(n, known)
	out := &draft{node: n, keys: map[string]*expression{}}
	for _, e := range n.entries {
		switch {
		case !slices.Contains(known.all(), e.key.text) || e.key.text == "shape":
		case e.key.text == "around":
			if e.value.kind != listNode || len(e.value.items) != 2 {
				r.wrongKind(e.value, "a point: [x, y]")
				continue
			}
			out.keys["around x"], out.keys["around y"] = r.expression(e.value.items[0], s), r.expression(e.value.items[1], s)
		default:
			out.keys[e.key.text] = r.expression(e.value, s)
		}
	}
	return out
}

func (r *reader) coordinate(d *draft, key string, s *scope, otherwise float64) (float64, bool) {
	x, said := d.keys[key]
	if !said {
		return otherwise, true
	}
	v, ok := r.want(x, s, numValue)
	if ok && math.Abs(v.num) > 10000 {
		r.fault("out-of-range", x.span(x.root), "got %s, want at most 10000", formatNumber(v.num))
		return 0, false
	}
	return v.num, ok
}

func (d *geometry) square(r *reader, place int, what *draft, s *scope) {
	shapes := &r.board.drawing.squares
	*shapes = append(*shapes, make([]area, place+1-len(*shapes))...)
	if what == nil {
		return
	}
	needed := []string{"x", "y"}
	if d.arms && what.keys["x"] == nil && what.keys["y"] == nil {
		needed = []string{"arm", "lane", "row"}
	}
	for _, key := range needed {
		if _, said := what.keys[key]; !said {
			f := r.fault("missing-coordinates", r.head(what.node), "the drawing lacks %q", key)
			if f.Get().Hint = "write draw: {" + d.want() + "}"; what.keys["arm"] != nil {
				f.Get().Hint = "coordinates by arm need a drawing of kind: arms"
			}
			return
		}
	}
	shape, ok := d.shape(r, what, s)
	if !ok {
		return
	}
	p := r.board.Places[place]
	shape.Owner = None
	if what.keys["label"] == nil {
		shape.Label = p.Name
	}
	(*shapes)[place] = shape
}

// shape evaluates a draft as an area.
func (d *geometry) shape(r *reader, what *draft, s *scope) (area, bool) {
	shape := area{Fill: None, Owner: None, Form: what.form}
	good := true
	get := func(key string, otherwise float64) float64 {
		v, ok := r.coordinate(what, key, s, otherwise)
		good = good && ok
		return v
	}
	width := 1.0
	_, byArm := what.keys["arm"]
	if byArm {
		width = d.width
	}
	shape.Width = get("width", width)
	if shape.Height = get("height", 1); what.form == discForm {
		shape.Height = shape.Width
	}
	if shape.Width < 0.05 || shape.Height < 0.05 {
		if good {
			r.fault("out-of-range", r.head(what.node), "this is drawn too small to be seen")
		}
		return shape, false
	}
	if byArm {
		shape.Arm, shape.Lane, shape.Row = get("arm", 0), get("lane", 0), get("row", 0)
		if shape.Arm = math.Mod(shape.Arm, float64(d.count)); shape.Arm < 0 {
			shape.Arm += float64(d.count)
		}
		d.place(&shape)
	} else {
		shape.X, shape.Y = get("x", 0), get("y", 0)
	}
	shape.Angle += get("angle", 0)
	if turn := get("turned", 0); turn != 0 {
		about := scene.Pt(get("around x", 0), get("around y", 0))
		at := []scene.Point{scene.Pt(shape.X, shape.Y)}
		scene.Turn(at, turn, about)
		scene.Turn(shape.Outline, turn, about)
		shape.X, shape.Y = round(at[0].X), round(at[0].Y)
		shape.Angle += turn
	}
	shape.Angle = math.Mod(math.Mod(shape.Angle, 360)+360, 360)
	if x := what.keys["fill"]; x != nil {
		if v := r.eval(x, s); v.kind != nilValue && r.wantKind(v, colourValue, x.span(x.root)) && v.index < len(r.board.Colours) {
			shape.Fill = v.index
		}
	}
	if x := what.keys["label"]; x != nil {
		if v := r.eval(x, s); v.isWhole() {
			shape.Label = formatNumber(v.num)
		} else if r.wantKind(v, textValue, x.span(x.root)) {
			shape.Label = shorten(v.text)
		}
	}
	return shape, good && !math.IsNaN(shape.X+shape.Y)
}

// apothem is the distance from the center to the foot of the arms: they stand on the sides of a polygon.
func (d *geometry) apothem() float64 {
	if d.count < 3 {
		return 0
	}
	return float64(d.lanes) * d.width / 2 / math.Tan(math.Pi/float64(d.count))
}

// axes are the directions outwards along an arm and sideways, to the next arm. Arm 0 points down.
func (d *geometry) axes(arm float64) (out, side scene.Point) {
	turn := 2 * math.Pi * arm / float64(d.count)
	sign := 1.0
	if d.clockwise {
		turn, sign = -turn, -1
	}
	turn -= d.turned * math.Pi / 180
	sin, cos := math.Sincos(turn)
	return scene.Pt(sin, cos), scene.Pt(sign*cos, -sign*sin)
}

// at is the point at a distance along an arm, and at a distance to its side.
func (d *geometry) at(arm, out, side float64) scene.Point {
	o, s := d.axes(arm)
	return scene.Pt(round(o.X*out+s.X*side), round(o.Y*out+s.Y*side))
}

func round(f float64) float64 { return math.Round(f*1e6) / 1e6 }

// place computes the center of an area from its arm, lane and row.
func (d *geometry) place(s *area) {
	lane := s.Lane
	if d.lanes%2 == 0 && lane != 0 {
		lane -= math.Copysign(0.5, lane)
	}
	lane *= d.width
	p := d.at(s.Arm, d.apothem()+s.Row-0.5, lane)
	s.X, s.Y = p.X, p.Y
	o, _ := d.axes(s.Arm)
	s.Angle = round(math.Mod(math.Atan2(-o.X, o.Y)*180/math.Pi+360, 360))
	if d.reach > 0 && s.Row == 1 && s.Form == boxForm {
		foot := d.apothem()
		corners := []scene.Point{
			scene.Pt(lane-d.width/2, foot+1), scene.Pt(lane+d.width/2, foot+1),
			scene.Pt(lane+d.width/2, foot-d.reach), scene.Pt(lane-d.width/2, foot-d.reach),
		}
		slope := math.Tan(math.Pi / float64(d.count))
		corners = clip(corners, func(p scene.Point) float64 { return p.Y*slope - p.X })
		corners = clip(corners, func(p scene.Point) float64 { return p.Y*slope + p.X })
		s.Outline = seq.Map(corners, func(c scene.Point) scene.Point { return d.at(s.Arm, c.Y, c.X) })
	}
}

// clip returns the part of a convex polygon where inside is not negative.
func clip(polygon []scene.Point, inside func(scene.Point) float64) []scene.Point {
	var out []scene.Point
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		a, b := inside(p), inside(q)
		if a >= -1e-9 {
			out = append(out, p)
		}
		if a > 1e-9 && b < -1e-9 || a < -1e-9 && b > 1e-9 {
			t := a / (a - b)
			out = append(out, scene.Pt(p.X+t*(q.X-p.X), p.Y+t*(q.Y-p.Y)))
		}
	}
	return out
}

// wedge computes the outline of the part of the middle that faces an arm.
func (d *geometry) wedge(s *area) {
	out := d.apothem() - d.reach
	half := out * math.Tan(math.Pi/float64(d.count))
	s.Outline = []scene.Point{{}, d.at(s.Arm, out, -half), d.at(s.Arm, out, half)}
	// Pieces stand in the circle that touches the three sides.
	radius := 0.0
	if out > 0 {
		radius = out * half / (half + math.Hypot(out, half))
	}
	p := d.at(s.Arm, out-radius, 0)
	s.X, s.Y = p.X, p.Y
	s.Width, s.Height = 2*radius, 2*radius
}

// bay computes the outline of the room between two arms; s.Arm points into its middle. It is a kite, cut off where few arms
// would make it too long.
func (d *geometry) bay(s *area) {
	phi := math.Pi / float64(d.count)
	sin, cos := math.Sincos(phi)
	foot, rows := d.apothem(), float64(d.rows)
	apex, tip := foot/cos, foot+rows
	outer := min(tip/cos, 1.42*tip)
	away := min(rows/(sin+cos), (outer-apex)/(1+sin))
	s.Outline = []scene.Point{d.at(s.Arm, apex, 0), d.at(s.Arm, apex+rows*cos, rows*sin)}
	if outer < tip/cos-1e-6 {
		aside := (tip/cos - outer) / math.Tan(phi)
		s.Outline = append(s.Outline, d.at(s.Arm, outer, aside), d.at(s.Arm, outer, -aside))
	} else {
		s.Outline = append(s.Outline, d.at(s.Arm, outer, 0))
	}
	s.Outline = append(s.Outline, d.at(s.Arm, apex+rows*cos, -rows*sin))
	p := d.at(s.Arm, apex+away, 0)
	s.X, s.Y = p.X, p.Y
	s.Width = 2 * away * sin
	s.Height = s.Width
}
