package boards

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

var (
	paper  = themed("--paper", 0xfffdf6)
	wood   = themed("--wood", 0xf3e8d0)
	edging = themed("--edging", 0xc4aa7c)
	line   = themed("--line", 0x685842)
	shade  = themed("--shade", 0xe2d3b2)
	dark   = themed("--ink", 0x3a2e22)
)

// themed is a paint that a page may replace.
func themed(variable string, v uint32) scene.Paint {
	p := scene.RGB(v)
	p.Variable = variable
	return p
}

// SVG writes the scene of a board with pieces as a picture. It needs no fonts but the viewer's own.
func SVG(w io.Writer, b *Board, pieces []Standing) error {
	return scene.SVG(w, b.Scene(pieces), scene.Options{})
}

// Scene draws a board with pieces. One unit of the scene is about the depth of a square. Each call makes a new scene,
// which the caller may change.
//
// Groups can be found by id, or with scene.Scene.Groups by class:
//
//	links              lines between squares that follow one another and lie apart
//	square-NAME        square, family-NAME, tag-NAME, landmark-NAME, colour-NAME of what fills it
//	zone-NAME[-COLOUR] zone, its shape (box, disc, wedge or bay), colour-NAME
//	mark-FORM          a class: a mark on the square it is in
//	arrow-NAME-SQUARE  arrow, arrow-NAME: from a square to the place of its attribute
//	track-NAME-COLOUR  track, track-NAME, colour-NAME: a path through the middles of its squares, not painted
//	piece-N            piece, colour-NAME: N counts pieces from 1, so it stays with a piece that moves
//	tray-NAME          tray: a zone that is not on the board, with a piece and a number for each colour
//
// The ids of a board are the same with any pieces. Item.Place is the name of the square or zone of a group.
func (b *Board) Scene(pieces []Standing) *scene.Scene {
	p := &painter{board: b, pieces: pieces, on: b.standings(pieces)}
	points, low, high := p.extent()
	trays := p.trays()
	left, right := b.sides(low, high)
	const margin = 1.1
	bottom := high.Y + margin
	if len(trays) > 0 {
		bottom += 0.3 + 1.3*float64(len(trays))
	}
	s := &scene.Scene{
		Title: cmp.Or(b.Title, b.Name), Desc: p.description(), Font: "Helvetica, Arial, 'DejaVu Sans', sans-serif", Unit: 32,
		Left: left - margin, Top: low.Y - margin, Width: right - left + 2*margin, Height: bottom - low.Y + margin,
	}
	layer := func(id string, nodes []scene.Node) {
		if len(nodes) > 0 {
			s.Nodes = append(s.Nodes, &scene.Group{ID: id, Nodes: nodes})
		}
	}
	layer("ground", p.ground(points, low, high))
	layer("links", p.links())
	layer("zones", p.zones())
	layer("squares", seq.Map(p.board.squares(), func(place int) scene.Node { return p.square(place) }))
	layer("arrows", p.arrows())
	layer("tracks", p.tracks())
	layer("pieces", p.standing())
	var rows []scene.Node
	for i, place := range trays {
		rows = append(rows, p.tray(place, scene.Pt(left, high.Y+margin+0.9+1.3*float64(i)), right))
	}
	layer("trays", rows)
	return s
}

// nearby is how far squares may lie apart that are seen to follow one another.
const nearby = 0.2

// painter draws a board into a scene.
type painter struct {
	board  *Board
	pieces []Standing
	on     map[int][]int // by place, indices of pieces
}

// extent lists points around everything drawn, and the corners of the rectangle around them and the ground, but for its rim.
func (p *painter) extent() (points []scene.Point, low, high scene.Point) {
	b := p.board
	for _, i := range b.squares() {
		s := b.drawing.squares[i]
		points = append(points, s.corners()...)
		if s.Label == "" {
			continue
		}
		if t := p.labelOf(i, paper); outside(t, p.item(i, s)) {
			points = append(points, ends(t)...)
		}
	}
	for _, a := range p.arrows() {
		for _, n := range a.(*scene.Group).Nodes {
			if t, ok := n.(*scene.Text); ok {
				points = append(points, ends(t)...)
			}
		}
	}
	for place := range b.Places {
		for _, s := range b.drawing.zones[place] {
			points = append(points, s.around()...)
		}
	}
	if len(points) == 0 {
		points = []scene.Point{{}}
	}
	low, high = corners(points)
	if b.drawing.ground == groundDisc {
		center, radius := around(points, low, high)
		low, high = scene.Pt(center.X-radius, center.Y-radius), scene.Pt(center.X+radius, center.Y+radius)
	}
	return points, low, high
}

// corners are those of the rectangle around points, of which there is one at least.
func corners(points []scene.Point) (low, high scene.Point) {
	low, high = points[0], points[0]
	for _, p := range points {
		low, high = scene.Pt(min(low.X, p.X), min(low.Y, p.Y)), scene.Pt(max(high.X, p.X), max(high.Y, p.Y))
	}
	return low, high
}

// around is a circle around points, with the middle of the rectangle around them.
func around(points []scene.Point, low, high scene.Point) (center scene.Point, radius float64) {
	center = scene.Pt((low.X+high.X)/2, (low.Y+high.Y)/2)
	return center, seq.Most(points, func(q scene.Point) float64 { return math.Hypot(q.X-center.X, q.Y-center.Y) })
}

// description lists the pieces of each colour, for people who do not see the picture.
func (p *painter) description() string {
	var colours []string
	for c, colour := range p.board.Colours {
		var places []string
		for place := range p.board.Places {
			if n := p.board.tally(p.colours(p.on[place]))[c]; n > 1 {
				places = append(places, fmt.Sprintf("%s (%d)", p.board.Places[place].Words, n))
			} else if n == 1 {
				places = append(places, p.board.Places[place].Words)
			}
		}
		if len(places) > 0 {
			colours = append(colours, colour.Words+": "+strings.Join(places, ", "))
		}
	}
	return strings.Join(colours, "; ")
}

func (p *painter) colours(pieces []int) []int {
	return seq.Map(pieces, func(n int) int { return p.pieces[n].Colour })
}

// nameOf is the name of a colour, "" for None.
func (p *painter) nameOf(colour int) string {
	if colour == None {
		return ""
	}
	return p.board.Colours[colour].Name
}

// ground draws what lies under everything.
func (p *painter) ground(points []scene.Point, low, high scene.Point) []scene.Node {
	const rim = 0.5
	style := scene.Style{Fill: wood, Stroke: edging, StrokeWidth: 0.14}
	switch p.board.drawing.ground {
	case groundBox:
		return []scene.Node{&scene.Rect{Style: style, X: low.X - rim, Y: low.Y - rim, Width: high.X - low.X + 2*rim, Height: high.Y - low.Y + 2*rim, Round: 0.8}}
	case groundDisc:
		center, radius := around(points, low, high)
		return []scene.Node{&scene.Circle{Style: style, Center: center, Radius: radius + rim}}
	case groundHull:
		// The same outline twice, with a broad stroke: a rim with round corners.
		outline := hull(points)
		return []scene.Node{
			&scene.Polygon{Style: scene.Style{Fill: edging, Stroke: edging, StrokeWidth: 2*rim + 0.28}, Points: outline},
			&scene.Polygon{Style: scene.Style{Fill: wood, Stroke: wood, StrokeWidth: 2 * rim}, Points: outline},
		}
	}
	return nil
}

// centered is a text whose middle is at x.
func centered(text string, x, y, size float64, fill scene.Paint) *scene.Text {
	return &scene.Text{Fill: fill, At: scene.Pt(x, y), Anchor: scene.Middle, Size: size, Text: text}
}

func (p *painter) item(place int, s area) scene.Item {
	return scene.Item{
		Place: p.board.Places[place].Name, Owner: p.nameOf(s.Owner), Fill: p.nameOf(s.Fill), Label: s.Label,
		Center: scene.Pt(s.X, s.Y), Width: s.Width, Height: s.Height, Angle: s.Angle,
	}
}

func (p *painter) zones() []scene.Node {
	var out []scene.Node
	for place := range p.board.Places {
		for _, s := range p.board.drawing.zones[place] {
			out = append(out, p.zone(place, s))
		}
	}
	return out
}

func (p *painter) zone(place int, s area) *scene.Group {
	name := p.board.Places[place].Name
	g := &scene.Group{ID: "zone-" + name, Classes: []string{"zone", formNames[s.Form]}, Title: p.board.Places[place].Words, Item: p.item(place, s)}
	if s.Owner != None {
		g.ID += "-" + g.Item.Owner
		g.Classes = append(g.Classes, "colour-"+g.Item.Owner)
		g.Title = p.board.phrase("drawing.of", s.Owner, "what", g.Title)
	}
	fill, rim, inside, edge := wood, edging, paper, edging
	if s.Fill != None {
		own := p.board.paint(s.Fill)
		fill, rim, inside, edge = own, own.Mix(black, 0.25), own.Mix(paper, 0.72), own
	}
	label := func(y float64) {
		if s.Label != "" && (s.Form == bayForm || len(p.in(place, s)) == 0) {
			size := min(0.42, 1.45*s.Width/float64(utf8.RuneCountInString(s.Label)))
			g.Nodes = append(g.Nodes, centered(s.Label, s.X, y, size, readableOn(paper).Faint(0.75)))
		}
	}
	switch s.Form {
	case bayForm:
		r, at := s.Width/2*0.74, g.Item.Center
		g.Nodes = []scene.Node{
			&scene.Polygon{Style: scene.Style{Fill: fill, Stroke: fill, StrokeWidth: 0.3}, Points: shrink(s.Outline, s.X, s.Y, 0.22)},
			&scene.Circle{Style: scene.Style{Fill: paper, Stroke: rim, StrokeWidth: 0.12}, Center: at, Radius: r},
			&scene.Circle{Style: scene.Style{Stroke: fill.Faint(0.5), StrokeWidth: 0.06}, Center: at, Radius: r * 0.9},
		}
		label(s.Y + r*0.8)
	case wedgeForm:
		g.Nodes = []scene.Node{&scene.Polygon{Style: scene.Style{Fill: fill, Stroke: line, StrokeWidth: 0.06}, Points: s.Outline}}
	case discForm:
		style := scene.Style{Fill: inside, Stroke: edge, StrokeWidth: 0.1}
		g.Nodes = []scene.Node{&scene.Circle{Style: style, Center: g.Item.Center, Radius: s.Width / 2}}
		label(s.Y + max(0.15, s.Width/2-0.85))
	case boxForm:
		g.Nodes = []scene.Node{box(s, inside, edge, 0.15)}
		label(s.Y + max(0.15, s.Height/2-0.3))
	default:
		panic(fmt.Sprintf("boards: no drawing for form %d", s.Form))
	}
	return g
}

// shrink moves an outline's corners towards a point by about d.
func shrink(points []scene.Point, x, y, d float64) []scene.Point {
	return seq.Map(points, func(q scene.Point) scene.Point {
		k := max(0, 1-d*1.4/max(math.Hypot(q.X-x, q.Y-y), 0.01))
		return scene.Pt(x+(q.X-x)*k, y+(q.Y-y)*k)
	})
}

// box is the outline of a square or of a zone that is a box.
func box(s area, fill, stroke scene.Paint, rounded float64) scene.Node {
	style := scene.Style{Fill: fill, Stroke: stroke, StrokeWidth: 0.05}
	if len(s.Outline) > 0 {
		return &scene.Polygon{Style: style, Points: s.Outline}
	}
	return &scene.Rect{Style: style, X: s.X - s.Width/2, Y: s.Y - s.Height/2, Width: s.Width, Height: s.Height, Round: rounded, Angle: s.Angle}
}

// square draws a square: its box first, then its marks and its label.
func (p *painter) square(place int) *scene.Group {
	b, s := p.board, p.board.drawing.squares[place]
	marks, landmark, shaded := b.marks(place)
	g := &scene.Group{ID: "square-" + b.Places[place].Name, Item: p.item(place, s)}
	g.Classes, g.Title = b.classes(place)
	fill, rounded := paper, 0.06
	switch {
	case landmark != None:
		g.Item.Fill = p.nameOf(landmark)
		fill = b.paint(landmark)
	case s.Fill != None:
		fill = b.paint(s.Fill).Mix(white, 0.12)
	case shaded:
		fill = shade
	}
	if g.Item.Fill != "" {
		g.Classes = append(g.Classes, "colour-"+g.Item.Fill)
	}
	under, size := fill, min(s.Width, s.Height) // what the label is on
	stamp := stamp{s.middle(), size, fill}
	var signs []scene.Node
	for _, m := range marks {
		g.Item.Glyphs += markTable[m].glyph
		switch m {
		case markRound:
			rounded = 0.45 * size
		case markCircle:
			under = disc(fill)
		}
		if draw := markTable[m].draw; draw != nil {
			signs = append(signs, &scene.Group{Classes: []string{"mark", "mark-" + markTable[m].name}, Nodes: []scene.Node{draw(stamp)}})
		}
	}
	if shaded {
		g.Item.Glyphs += markTable[markFill].glyph
	}
	g.Nodes = append([]scene.Node{box(s, fill, line, rounded)}, signs...)
	if s.Label != "" {
		g.Nodes = append(g.Nodes, p.labelOf(place, under))
	}
	return g
}

// classes are the classes of a square, and its title: its name, its family and tags, and whose landmark it is. In another
// language it has those that Legend explains.
func (b *Board) classes(place int) (classes []string, title string) {
	var words []string
	add := func(class, name string, owner int) {
		classes = append(classes, class)
		said := name
		if b.signs != nil {
			said = b.signs[name]
		}
		if said != "" && owner != None {
			said = b.phrase("drawing.of", owner, "what", said)
		}
		if said != "" {
			words = append(words, said)
		}
	}
	family := b.Families[b.Places[place].Family]
	classes = []string{"square"}
	add("family-"+family, family, None)
	for i, tag := range b.Tags {
		if b.Places[place].Tags[i] {
			add("tag-"+tag, tag, None)
		}
	}
	for i, l := range b.Landmarks {
		if c := b.landmarkOf(i, place); c >= 0 {
			add("landmark-"+l.Name, l.Name, c)
		}
	}
	title = b.Places[place].Words
	if len(words) > 0 {
		title += ": " + strings.Join(words, ", ")
	}
	return classes, title
}

// arrows lead from squares to the places of their attributes, where a mark asks for them.
func (p *painter) arrows() []scene.Node {
	b := p.board
	var out []scene.Node
	for _, m := range b.drawing.marks {
		if m.Form != markArrow || m.Attribute < 0 {
			continue
		}
		a := b.Attributes[m.Attribute]
		for _, from := range b.squares() {
			to := a.Values[from]
			if to < 0 || to == from {
				continue
			}
			start := b.Places[from].Name
			at := b.drawing.squares[from].middle()
			tip, beside := p.target(to, at)
			outline := arrow(at, tip, b.Places[to].Zone || from < to)
			if outline == nil {
				continue
			}
			nodes := []scene.Node{outline}
			if beside {
				nodes = append(nodes, centered(b.Places[to].Words, tip.X, tip.Y+0.12, 0.3, line))
			}
			out = append(out, &scene.Group{
				ID: "arrow-" + a.Name + "-" + start, Classes: []string{"arrow", "arrow-" + a.Name},
				Title: b.phrase("drawing.to", None, "what", cmp.Or(b.signs[a.Name], a.Name), "from", b.Places[from].Words, "to", b.Places[to].Words),
				Item:  scene.Item{Place: start}, Nodes: nodes,
			})
		}
	}
	return out
}

// target is where an arrow from a point to a place ends: of a zone that is drawn for each colour, in the nearest. A zone that
// is not on the board lies beside it: such an arrow is short and leads down, with the name of the zone at its tip.
func (p *painter) target(place int, from scene.Point) (at scene.Point, beside bool) {
	if !p.board.Places[place].Zone {
		return p.board.drawing.squares[place].middle(), false
	}
	at, beside = scene.Pt(from.X, from.Y+1.1), true
	nearest := math.Inf(1)
	for _, s := range p.board.drawing.zones[place] {
		m := s.middle()
		if away := math.Hypot(m.X-from.X, m.Y-from.Y); away < nearest {
			at, beside, nearest = m, false, away
		}
	}
	return at, beside
}

// arrow is an arrow between two places, nil where they lie too close together; those that lead forward are green, those
// that lead back red.
func arrow(from, to scene.Point, forward bool) *scene.Polygon {
	length := math.Hypot(to.X-from.X, to.Y-from.Y)
	if length < 0.5 {
		return nil
	}
	paint := scene.RGB(0xb03e30)
	if forward {
		paint = scene.RGB(0x2e7d54)
	}
	const gap, head, wing, half = 0.2, 0.32, 0.19, 0.065
	along, across := scene.Pt((to.X-from.X)/length, (to.Y-from.Y)/length), scene.Pt((from.Y-to.Y)/length, (to.X-from.X)/length)
	var points []scene.Point
	at := func(far, aside float64) {
		points = append(points, scene.Pt(from.X+far*along.X+aside*across.X, from.Y+far*along.Y+aside*across.Y))
	}
	const stretches = 6 // of the round tail
	for k := range stretches + 1 {
		sin, cos := math.Sincos(math.Pi * float64(k) / stretches)
		at(gap-half*sin, half*cos)
	}
	neck := length - gap - head
	at(neck, -half)
	at(neck, -wing)
	at(length-gap, 0)
	at(neck, wing)
	at(neck, half)
	return &scene.Polygon{Style: scene.Style{Fill: paint.Faint(0.5)}, Points: points}
}

// tracks are the ways of all colours as paths that are not painted: a player in a browser moves pieces along them, or
// gives them a stroke.
func (p *painter) tracks() []scene.Node {
	var out []scene.Node
	for _, t := range p.board.Tracks {
		for c, run := range t.Runs {
			colour := p.board.Colours[c].Name
			out = append(out, &scene.Group{
				ID: "track-" + t.Name + "-" + colour, Classes: []string{"track", "track-" + t.Name, "colour-" + colour}, Item: scene.Item{Owner: colour},
				Nodes: []scene.Node{&scene.Path{Lines: p.ways(run, c)}},
			})
		}
	}
	return out
}

// links joins squares that follow one another and lie apart.
func (p *painter) links() []scene.Node {
	b := p.board
	var lines [][]scene.Point
	for _, pair := range b.following() {
		one, other := b.drawing.squares[pair[0]], b.drawing.squares[pair[1]]
		if one.Width == 0 || other.Width == 0 { // a zone, or not drawn
			continue
		}
		from, to := one.middle(), other.middle()
		if math.Hypot(to.X-from.X, to.Y-from.Y) > (max(one.Width, one.Height)+max(other.Width, other.Height))/2+nearby {
			lines = append(lines, []scene.Point{from, to})
		}
	}
	if lines == nil {
		return nil
	}
	return []scene.Node{&scene.Path{Style: scene.Style{Stroke: edging, StrokeWidth: 0.08}, Lines: lines}}
}

// ways are the lines of a colour's run: the main way, then each branch from its fork to where it joins another line.
func (p *painter) ways(run Run, colour int) [][]scene.Point {
	var lines [][]scene.Point
	done := make([]bool, len(run.Nodes))
	follow := func(way []scene.Point, n int) {
		for {
			if at, ok := p.middle(run.Nodes[n].Place, colour); ok {
				way = append(way, at)
			}
			if done[n] || len(run.Nodes[n].Next) == 0 {
				break
			}
			done[n] = true
			n = run.Nodes[n].Next[0]
		}
		if len(way) > 1 {
			lines = append(lines, way)
		}
	}
	follow(nil, 0)
	for _, n := range run.Nodes {
		for _, branch := range n.Next[min(1, len(n.Next)):] {
			var way []scene.Point
			if at, ok := p.middle(n.Place, colour); ok {
				way = append(way, at)
			}
			follow(way, branch)
		}
	}
	return lines
}

// middle is where pieces of a colour stand on a place, if it is on the picture.
func (p *painter) middle(place, colour int) (scene.Point, bool) {
	s, ok := p.board.areaOf(place, colour)
	return s.middle(), ok
}

// areaOf is where a place is drawn for the pieces of a colour, if it is on the picture.
func (b *Board) areaOf(place, colour int) (area, bool) {
	if !b.Places[place].Zone {
		return b.drawing.squares[place], b.drawing.squares[place].Width > 0
	}
	for _, s := range b.drawing.zones[place] {
		if s.Owner == None || s.Owner == colour {
			return s, true
		}
	}
	return area{}, false
}

// standing are the pieces on squares and in zones that are on the picture.
func (p *painter) standing() []scene.Node {
	var out []scene.Node
	put := func(s area, pieces []int) {
		if len(pieces) == 0 {
			return
		}
		for i, at := range s.spots(len(pieces)) {
			g := p.piece(at, p.pieces[pieces[i]])
			g.ID = "piece-" + strconv.Itoa(pieces[i]+1)
			out = append(out, g)
		}
	}
	for _, i := range p.board.squares() {
		put(p.board.drawing.squares[i], p.on[i])
	}
	for place := range p.board.Places {
		for _, s := range p.board.drawing.zones[place] {
			put(s, p.in(place, s))
		}
	}
	return out
}

func (p *painter) piece(at spot, piece Standing) *scene.Group {
	c, name, place := p.board.paint(piece.Colour), p.board.Colours[piece.Colour].Name, p.board.Places[piece.Place].Name
	ball := c
	ball.Ball = true
	return &scene.Group{
		Classes: []string{"piece", "colour-" + name}, Title: p.board.phrase("drawing.on", piece.Colour, "place", p.board.Places[piece.Place].Words),
		Item: scene.Item{Place: place, Owner: name, Center: at.Point, Width: 2 * at.radius, Height: 2 * at.radius},
		Nodes: []scene.Node{
			&scene.Circle{Style: scene.Style{Fill: black.Faint(0.22)}, Center: scene.Pt(at.X+0.04, at.Y+0.06), Radius: at.radius},
			&scene.Circle{Style: scene.Style{Fill: ball, Stroke: c.Mix(black, 0.5), StrokeWidth: 0.05}, Center: at.Point, Radius: at.radius},
			&scene.Circle{Style: scene.Style{Stroke: c.Mix(white, 0.6).Faint(0.7), StrokeWidth: 0.045}, Center: at.Point, Radius: at.radius * 0.6},
		},
	}
}

// in lists the pieces in a zone that belong to one of its areas.
func (p *painter) in(place int, s area) []int {
	return seq.Filter(p.on[place], func(i int) bool { return s.Owner == None || s.Owner == p.pieces[i].Colour })
}

// trays are the zones without an area that hold pieces: they stand below the board.
func (p *painter) trays() []int {
	return seq.Which(len(p.board.Places), func(i int) bool { return p.board.tray(i) && len(p.on[i]) > 0 })
}

// tray reports whether a place is a zone without an area.
func (b *Board) tray(place int) bool { return b.Places[place].Zone && len(b.drawing.zones[place]) == 0 }

// leastPiece is the scale of the smallest pieces in trays.
const leastPiece = 0.3

// besides is where the pieces of a tray begin, right of its name.
func besides(words string) float64 { return 0.8 + 0.3*float64(utf8.RuneCountInString(words)) }

// sides are the left and the right end of the trays: those of the drawing, or farther apart, where a tray has no room for its name and a
// piece of each colour with a number.
func (b *Board) sides(low, high scene.Point) (left, right float64) {
	more := 0.0
	for i, place := range b.Places {
		if b.tray(i) {
			more = max(more, besides(place.Words)+1.8*leastPiece*float64(len(b.Colours))-(high.X-low.X))
		}
	}
	return low.X - more/2, high.X + more/2
}

// tray draws a zone without an area as a row that ends before right: a piece of each colour, and how many there are.
func (p *painter) tray(place int, at scene.Point, right float64) scene.Node {
	name, words := p.board.Places[place].Name, p.board.Places[place].Words
	counts := p.board.tally(p.colours(p.on[place]))
	x, need := at.X+besides(words), 0.0
	for _, n := range counts {
		switch {
		case n == 1:
			need += 0.95
		case n > 1:
			need += 1.8
		}
	}
	k := max(leastPiece, min(1, (right-x+0.4)/max(need, 0.1)))
	g := &scene.Group{ID: "tray-" + name, Classes: []string{"tray"}, Item: scene.Item{Place: name, Label: words},
		Nodes: []scene.Node{&scene.Text{Fill: line, At: scene.Pt(at.X, at.Y+0.18), Size: 0.5, Text: words}}}
	for c, n := range counts {
		if n == 0 {
			continue
		}
		piece := p.piece(spot{scene.Pt(x, at.Y), 0.4 * k}, Standing{place, c})
		if g.Nodes = append(g.Nodes, piece); n > 1 {
			piece.Title = strconv.Itoa(n) + " " + piece.Title
		}
		if x += 0.95 * k; n > 1 {
			g.Nodes = append(g.Nodes, centered("×"+strconv.Itoa(n), x-0.05*k, at.Y+0.16*k, 0.46*k, line))
			x += 0.85 * k
		}
	}
	return g
}
