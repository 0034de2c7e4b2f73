package boards

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Layout is a board on a screen of characters: a cell for each square. Cells do not overlap.
type Layout struct {
	Width, Height int

	framed bool // each cell has a frame, whose right and lower sides are those of the next cells

	arrangement arrangement
	cells       []cell
	zones       []zoneCell
	askew       float64 // snapArrangement: the mean distance of squares from their place on the drawing, in rows
}

// arrangement is how a Layout has the squares of a board.
type arrangement uint8

// The arrangements, in the order in which they are tried.
const (
	gridArrangement   arrangement = iota // the rows and columns of the drawing, unused space squeezed out
	snapArrangement                      // each square in the free cell nearest to its place on the drawing
	armsArrangement                      // the arms of a cross side by side, each with its tip down
	tracksArrangement                    // lines for each colour's track; shared squares appear once for each colour
)

// cell is the rectangle of characters in which a square is drawn.
type cell struct {
	Place         int
	Colour        int // in tracksArrangement the colour whose track this is, else None
	X, Y          int // the top left character, from 0
	Width, Height int
}

// zoneCell is a free stretch of a row where the name of a zone can be written.
type zoneCell struct {
	Place, Owner int // Owner is the colour the zone is drawn for, None for all
	X, Y, Width  int
	frame        []int // the left, upper, right and lower side of its frame; nil for none
}

// cellSizes are the sizes of a square in characters that are tried, the most readable first.
var cellSizes = [][2]int{{8, 3}, {6, 3}, {6, 2}, {4, 2}, {4, 1}, {3, 1}, {2, 1}}

// cellSize is a size of squares to try.
type cellSize struct {
	of      func(tile) (width, height int) // the characters that a square has at least, with one side of its frame
	framed  bool
	toScale bool // all lengths are in proportion to the drawing, or greater
}

// cellSizes are the sizes to try for this board: at first those that have room for its longest name.
func (t *textRenderer) cellSizes() []cellSize {
	longest := t.longest()
	sizes := cellSizes
	if wide := longest + 3; longest > 6 {
		sizes = append([][2]int{{wide, 3}, {wide, 2}, {wide, 1}}, sizes...)
	}
	return seq.Map(sizes, func(s [2]int) cellSize { return cellSize{of: func(tile) (int, int) { return s[0], s[1] }} })
}

// framedSizes are sizes of squares with frames: in proportion to the drawing with whole names, and as small as short names allow.
func (t *textRenderer) framedSizes() []cellSize {
	small := max(4, t.longest()+2)
	return []cellSize{
		{of: func(q tile) (int, int) { return max(4, utf8.RuneCountInString(t.label(q.place))+2), 2 }, framed: true, toScale: true},
		{of: func(tile) (int, int) { return small, 2 }, framed: true},
	}
}

// longest is the number of characters of the longest short name of a square.
func (t *textRenderer) longest() int {
	return seq.Most(t.board.squares(), func(place int) int { return utf8.RuneCountInString(t.shortName(place)) })
}

// shortName is the name of a square without its colour: 3 for "yellow-3".
func (t *textRenderer) shortName(place int) string {
	label := t.label(place)
	if before, rest, ok := strings.Cut(label, "-"); ok && t.board.Colour(before) != None {
		return rest
	}
	return label
}

// Layout arranges the board for a screen of columns by rows characters, with the largest squares that fit. It returns nil if
// no layout fits.
func (b *Board) Layout(columns, rows int) *Layout {
	t := newTextRenderer(b, nil, false)
	return t.arrange(columns, rows, t.cellSizes())
}

// arrange is Layout with the sizes of squares to try.
func (t *textRenderer) arrange(columns, rows int, sizes []cellSize) *Layout {
	layouts := [...]func() *Layout{
		func() *Layout { return t.onGrid(columns, rows, sizes) },
		func() *Layout { return t.snapped(columns, rows, littleAskew) },
		func() *Layout { return t.inArms(columns, rows, sizes) },
		func() *Layout { return t.snapped(columns, rows, mostAskew) },
		func() *Layout { return t.inLines(t.board.trackLines(), columns, rows) },
	}
	for _, layout := range layouts {
		if c := layout(); c != nil {
			return c
		}
	}
	return nil
}

// tile is a square on a sheet of straight rows and columns.
type tile struct {
	place          int
	x0, y0, x1, y1 float64
}

// alignedTiles returns the squares as tiles, without the turn of the whole drawing, or nil if some are not aligned with the axes.
func (t *textRenderer) alignedTiles() []tile {
	var tiles []tile
	for _, i := range t.board.squares() {
		s := t.squares[i]
		turn := math.Mod(s.Angle-t.board.drawing.turned+3600, 180)
		w, h := s.Width, s.Height
		switch {
		case turn < 1 || turn > 179:
		case turn > 89 && turn < 91:
			w, h = h, w
		default:
			return nil
		}
		p := t.unturned(s.Center)
		tiles = append(tiles, tile{i, p.X - w/2, p.Y - h/2, p.X + w/2, p.Y + h/2})
	}
	for i, a := range tiles {
		for _, b := range tiles[i+1:] {
			if min(a.x1, b.x1)-max(a.x0, b.x0) > 0.05 && min(a.y1, b.y1)-max(a.y0, b.y0) > 0.05 {
				return nil
			}
		}
	}
	return tiles
}

// unturned undoes the turn of the whole drawing for a point.
func (t *textRenderer) unturned(p scene.Point) scene.Point {
	sin, cos := math.Sincos(-t.board.drawing.turned * math.Pi / 180)
	return scene.Pt(p.X*cos-p.Y*sin, p.X*sin+p.Y*cos)
}

// lines sorts values and merges those that are nearly equal.
func lines(values []float64) []float64 {
	slices.Sort(values)
	var out []float64
	for _, v := range values {
		if len(out) == 0 || v-out[len(out)-1] > 0.05 {
			out = append(out, v)
		}
	}
	return out
}

func lineAt(lines []float64, v float64) int {
	i, _ := slices.BinarySearchFunc(lines, v-0.06, cmp.Compare[float64])
	return min(i, len(lines)-1)
}

// span is a half-open range of the strips between grid lines.
type span struct{ from, to, want int }

// squeeze gives each strip the fewest characters with which every span has at least what it wants: in order of their ends, spans
// widen their last strips. Strips outside all spans keep one character if they show a gap; all have at least per characters for a unit
// of the drawing.
func squeeze(lines []float64, spans []span, per float64) []int {
	out := make([]int, len(lines)-1)
	for i := range out {
		length := lines[i+1] - lines[i]
		out[i] = min(int(math.Round(per*length)), 40)
		inside := slices.ContainsFunc(spans, func(s span) bool { return s.from <= i && i < s.to })
		if !inside && length > 0.4 {
			out[i] = max(1, out[i])
		}
	}
	spans = slices.SortedFunc(slices.Values(spans), func(a, b span) int { return cmp.Compare(a.to, b.to) })
	for _, s := range spans {
		if s.to > s.from {
			out[s.to-1] += max(0, s.want-seq.Total(out[s.from:s.to]))
		}
	}
	return out
}

// scale converts points of the drawing to characters, and reports whether they are beside the squares.
type scale func(scene.Point) (x, y int, beside bool)

// onTiles arranges aligned tiles with squares of a size.
func onTiles(tiles []tile, size cellSize) (*Layout, scale) {
	var xs, ys []float64
	for _, q := range tiles {
		xs, ys = append(xs, q.x0, q.x1), append(ys, q.y0, q.y1)
	}
	xs, ys = lines(xs), lines(ys)
	across, down := make([]span, len(tiles)), make([]span, len(tiles))
	for i, q := range tiles {
		width, height := size.of(q)
		across[i] = span{lineAt(xs, q.x0), lineAt(xs, q.x1), width}
		down[i] = span{lineAt(ys, q.y0), lineAt(ys, q.y1), height}
	}
	perColumn, perRow := 0.0, 0.0
	if size.toScale {
		perColumn, perRow = 4, 1.5
	}
	widths, heights := squeeze(xs, across, perColumn), squeeze(ys, down, perRow)
	c := &Layout{Width: seq.Total(widths), Height: seq.Total(heights), framed: size.framed}
	if c.framed { // the last frames on the right and below
		c.Width, c.Height = c.Width+1, c.Height+1
	}
	for i, q := range tiles {
		a, d := across[i], down[i]
		c.cells = append(c.cells, cell{
			Place: q.place, Colour: None, X: seq.Total(widths[:a.from]), Y: seq.Total(heights[:d.from]),
			Width: seq.Total(widths[a.from:a.to]), Height: seq.Total(heights[d.from:d.to]),
		})
	}
	return c, func(p scene.Point) (x, y int, beside bool) {
		beside = p.X < xs[0] || p.X > xs[len(xs)-1] || p.Y < ys[0] || p.Y > ys[len(ys)-1]
		return onStrips(xs, widths, p.X, c.framed), onStrips(ys, heights, p.Y, c.framed), beside
	}
}

// onStrips is the character at a coordinate, the nearest one for coordinates outside. With frames, lines are characters.
func onStrips(lines []float64, sizes []int, v float64, framed bool) int {
	at := 0.0
	for i, n := range sizes {
		if v < lines[i+1] {
			at += float64(n) * max(0, v-lines[i]) / (lines[i+1] - lines[i])
			break
		}
		at += float64(n)
	}
	if framed {
		return int(math.Round(at))
	}
	return min(int(at), seq.Total(sizes)-1)
}

// onGrid keeps the rows and columns of a board whose squares line up.
func (t *textRenderer) onGrid(columns, rows int, sizes []cellSize) *Layout {
	tiles := t.alignedTiles()
	if len(tiles) == 0 {
		return nil
	}
	for _, size := range sizes {
		c, scale := onTiles(tiles, size)
		if c.Width > columns || c.Height > rows || slices.ContainsFunc(c.cells, func(q cell) bool { return q.Width == 0 || q.Height == 0 }) {
			continue
		}
		oneRow := !slices.ContainsFunc(c.cells, func(q cell) bool { return q.Y > 0 })
		if oneRow && slices.ContainsFunc(c.cells, func(q cell) bool { return q.Width <= utf8.RuneCountInString(t.shortName(q.Place)) }) {
			continue // names would touch: several lines are easier to read
		}
		c.arrangement = gridArrangement
		t.putZones(c, scale)
		return c
	}
	return nil
}

// Limits on the mean distance in rows between squares and their places on the drawing, in snapArrangement: the first for a picture
// as good as the drawing, the second for one in which a board without arms can be recognised.
const (
	littleAskew = 0.45
	mostAskew   = 0.9
)

// snapped puts each square into the free cell next to its place on the drawing, from the middle outwards, at the largest scale
// that fits.
func (t *textRenderer) snapped(columns, rows int, askew float64) *Layout {
	squares := t.board.squares()
	if len(squares) == 0 {
		return nil
	}
	points := seq.Map(squares, func(place int) scene.Point { return t.unturned(t.squares[place].Center) })
	low, high := corners(points)
	for _, width := range [...]int{4, 3} {
		if c := snap(squares, points, low, high, width, columns, rows); c != nil && c.askew <= askew && (c.Height == 1 || high.Y-low.Y > 0.05) { // one row stays one
			c.arrangement = snapArrangement
			down := float64(c.Height-1) / max(high.Y-low.Y, 1e-9)
			across := float64(c.Width-width) / max(high.X-low.X, 1e-9)
			t.putZones(c, func(p scene.Point) (int, int, bool) {
				x, y := int(math.Round((p.X-low.X)*across))+width/2, int(math.Round((p.Y-low.Y)*down))
				return min(max(0, x), c.Width-1), min(max(0, y), c.Height-1), false
			})
			return c
		}
	}
	return nil
}

// snap is snapArrangement with cells of one width, nil if there are too few cells.
func snap(squares []int, points []scene.Point, low, high scene.Point, width, columns, rows int) *Layout {
	slots := columns / width
	if slots*rows < len(squares) {
		return nil
	}
	// A character is about twice as high as it is wide.
	wide, tall := max(high.X-low.X, 1e-9), max(high.Y-low.Y, 1e-9)
	perRow := min(float64(rows-1)/tall, float64(columns-width)/wide/2)
	middle := scene.Pt((low.X+high.X)/2, (low.Y+high.Y)/2)
	order := seq.Of(len(squares), func(i int) int { return i })
	far := func(i int) float64 { return math.Hypot(points[i].X-middle.X, points[i].Y-middle.Y) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(far(a), far(b)) })
	taken := make([]bool, slots*rows)
	c := &Layout{cells: make([]cell, len(squares))}
	askew := 0.0
	for _, i := range order {
		x, y := (points[i].X-low.X)*perRow*2/float64(width), (points[i].Y-low.Y)*perRow
		best, at := math.Inf(1), -1
		for s := range taken {
			dx, dy := (float64(s%slots)-x)*float64(width)/2, float64(s/slots)-y
			if d := math.Hypot(dx, dy); !taken[s] && d < best {
				best, at = d, s
			}
		}
		taken[at] = true
		askew += best
		c.cells[i] = cell{Place: squares[i], Colour: None, X: at % slots * width, Y: at / slots, Width: width, Height: 1}
	}
	c.askew = askew / float64(len(squares))
	c.trim()
	return c
}

// trim moves everything to the top left corner and sizes the layout.
func (c *Layout) trim() {
	x, y := math.MaxInt, math.MaxInt
	for _, q := range c.cells {
		x, y = min(x, q.X), min(y, q.Y)
	}
	for i := range c.cells {
		q := &c.cells[i]
		q.X, q.Y = q.X-x, q.Y-y
		c.Width, c.Height = max(c.Width, q.X+q.Width), max(c.Height, q.Y+q.Height)
	}
}

// arms are the squares of a cross by arm, in the order of play, each arm turned so that its tip
// points down. It is nil for other drawings.
func (t *textRenderer) arms() [][]tile {
	arms := map[int][]tile{}
	for _, i := range t.board.squares() {
		s := t.board.drawing.squares[i]
		arm := int(math.Round(s.Arm))
		if !t.board.drawing.arms || s.Row == 0 || float64(arm) != s.Arm {
			return nil
		}
		q := tile{i, (s.Lane - 0.5) * s.Width, s.Row - 0.5, (s.Lane + 0.5) * s.Width, s.Row + 0.5}
		if t.board.drawing.clockwise {
			q.x0, q.x1 = -q.x1, -q.x0
		}
		arms[arm] = append(arms[arm], q)
	}
	numbers := slices.Sorted(maps.Keys(arms))
	if t.board.drawing.clockwise {
		slices.Reverse(numbers)
	}
	return seq.Map(numbers, func(a int) []tile { return arms[a] })
}

// inArms puts the arms of a cross side by side, in one row or two.
func (t *textRenderer) inArms(columns, rows int, sizes []cellSize) *Layout {
	arms := t.arms()
	if len(arms) == 0 {
		return nil
	}
	for _, size := range sizes {
		for _, perRow := range [...]int{len(arms), (len(arms) + 1) / 2} {
			c := &Layout{arrangement: armsArrangement, framed: size.framed}
			x, y, high := 0, 0, 0
			for i, tiles := range arms {
				block, _ := onTiles(tiles, size)
				if i > 0 && i%perRow == 0 {
					x, y, high = 0, y+high+1, 0
				}
				if x > 0 {
					x += 4
				}
				for _, q := range block.cells {
					q.X, q.Y = q.X+x, q.Y+y
					c.cells = append(c.cells, q)
				}
				x, high = x+block.Width, max(high, block.Height)
				c.Width, c.Height = max(c.Width, x), max(c.Height, y+high)
			}
			if c.Width <= columns && c.Height <= rows {
				return c
			}
		}
	}
	return nil
}

// trackLine is a line of squares, of a colour or None.
type trackLine struct {
	colour int
	places []int
}

// trackLines are the squares along the track of each colour, and those on none of them.
func (b *Board) trackLines() (out []trackLine) {
	rest := b.squares()
	for colour, run := range b.Tracks[0].Runs {
		line := trackLine{colour: colour}
		for n := range mainWay(run) {
			if !b.Places[n.Place].Zone {
				line.places = append(line.places, n.Place)
			}
		}
		if !slices.ContainsFunc(out, func(l trackLine) bool { return slices.Equal(l.places, line.places) }) {
			out = append(out, line)
		}
		rest = slices.DeleteFunc(rest, func(place int) bool { return slices.Contains(line.places, place) })
	}
	return append(out, trackLine{None, rest})
}

// inLines draws squares in lines, the widest that fit.
func (t *textRenderer) inLines(lines []trackLine, columns, rows int) *Layout {
	for _, width := range [...]int{max(4, t.longest()+1), 4, 3, 2, 1} {
		c := &Layout{arrangement: tracksArrangement}
		perRow := columns / width
		if perRow == 0 {
			continue
		}
		y := 0
		for _, line := range lines {
			for i, place := range line.places {
				c.cells = append(c.cells, cell{Place: place, Colour: line.colour, X: i % perRow * width, Y: y + i/perRow, Width: width, Height: 1})
			}
			y += (len(line.places) + perRow - 1) / perRow
			if width > 1 {
				y++ // a blank line between tracks
			}
		}
		if c.trim(); c.Height <= rows && len(c.cells) > 0 {
			return c
		}
	}
	return nil
}

// mainWay goes through the nodes of a run: along main ways first, then those of other branches, each once.
func mainWay(run Run) func(yield func(Node) bool) {
	return func(yield func(Node) bool) {
		done := make([]bool, len(run.Nodes))
		for i := 0; i < len(run.Nodes); i++ {
			for n := i; !done[n]; {
				done[n] = true
				if !yield(run.Nodes[n]) {
					return
				}
				if len(run.Nodes[n].Next) > 0 {
					n = run.Nodes[n].Next[0]
				}
			}
		}
	}
}

// putZones finds room for the names of zones near where they are drawn, on characters that no square uses: with room for a
// sign and a number of pieces, unless names alone come much nearer.
func (t *textRenderer) putZones(c *Layout, scale scale) {
	used := make([]bool, c.Width*c.Height)
	for _, q := range c.cells {
		frame := 0
		if c.framed {
			frame = 1
		}
		for row := range q.Height + frame {
			c.use(used, q.X, q.Y+row, q.Width+frame)
		}
	}
	for place := range t.board.Places {
		wide, far := t.placeZone(c, used, place, scale, 3)
		narrow, less := t.placeZone(c, used, place, scale, 0)
		if less+2 < far {
			wide = narrow
		}
		for _, z := range wide {
			c.use(used, z.X, z.Y, z.Width)
		}
		c.zones = append(c.zones, wide...)
	}
	for i := range c.zones { // names that touch move apart
		for j := range c.zones {
			a, b := &c.zones[i], &c.zones[j]
			if a.Y != b.Y || a.X+a.Width != b.X {
				continue
			}
			if end := b.X + b.Width; end < c.Width && !used[b.Y*c.Width+end] {
				b.X++
				c.use(used, end, b.Y, 1)
			} else if a.X > 0 && !used[a.Y*c.Width+a.X-1] {
				a.X--
				c.use(used, a.X, a.Y, 1)
			}
		}
	}
}

func (c *Layout) use(used []bool, x, y, width int) {
	for column := x; column < x+width; column++ {
		used[y*c.Width+column] = true
	}
}

// farZone is the distance in rows at which a name is too far from its zone to be understood.
const farZone = 8

// placeZone finds cells for the name of a zone, one for each colour it is drawn for, each with room for further characters; far
// is the largest distance of a cell from its zone. With frames there are cells for all colours or none, and none for a zone beside the squares.
func (t *textRenderer) placeZone(c *Layout, used []bool, place int, scale scale, besides int) (zones []zoneCell, far float64) {
	taken, used := used, slices.Clone(used)
	for _, z := range t.zones[place] {
		width := min(utf8.RuneCountInString(t.board.Places[place].Words)+besides, c.Width)
		x, y, beside := scale(t.unturned(z.Item.Center))
		left, row, d := c.room(used, x-width/2, y, width)
		far = max(far, d)
		if c.framed && (beside || d == farZone) {
			return nil, farZone
		}
		if d < farZone {
			c.use(used, left, row, width)
			frame := c.zoneFrame(z, width, taken, t.unturned(z.Item.Center), scale)
			zones = append(zones, zoneCell{place, t.board.Colour(z.Item.Owner), left, row, width, frame})
		}
	}
	return zones, far
}

// zoneFrame is the frame of a zone in a layout with frames, nil if its area is a wedge, not free, or too narrow for its name.
func (c *Layout) zoneFrame(z *scene.Group, width int, used []bool, center scene.Point, scale scale) []int {
	half := z.Item.Width / 2
	if !z.Is("box") {
		half *= math.Sqrt2 / 2 // the square inside the circle
	}
	x0, y0, _ := scale(scene.Pt(center.X-half, center.Y-half))
	x1, y1, _ := scale(scene.Pt(center.X+half, center.Y+half))
	if !c.framed || z.Is("wedge") || x1-x0 <= width || y1-y0 < 2 {
		return nil
	}
	for y := y0; y <= y1; y++ {
		if slices.Contains(used[y*c.Width+x0:y*c.Width+x1+1], true) {
			return nil
		}
	}
	return []int{x0, y0, x1, y1}
}

// room finds the free stretch of a row nearest to x, y, and its distance in rows: farZone if there is none.
func (c *Layout) room(used []bool, x, y, width int) (left, row int, far float64) {
	far = farZone
	taken := func(column, row int) bool { return column >= 0 && column < c.Width && used[row*c.Width+column] }
	for at := max(0, y-3); at < min(c.Height, y+4); at++ {
		free := 0
		for column := range c.Width {
			if free++; used[at*c.Width+column] {
				free = 0
			}
			if free < width {
				continue
			}
			from := column - width + 1
			d := math.Hypot(float64(from-x)/2, float64(at-y))
			if taken(from-1, at) || taken(column+1, at) {
				d++ // prefer stretches with free neighbours
			}
			if d < far {
				left, row, far = from, at, d
			}
		}
	}
	return left, row, far
}

// At is the place whose square or zone covers a character, None where there is none.
func (c *Layout) At(x, y int) int {
	for _, q := range c.cells {
		if x >= q.X && x < q.X+q.Width && y >= q.Y && y < q.Y+q.Height {
			return q.Place
		}
	}
	for _, z := range c.zones {
		if y == z.Y && x >= z.X && x < z.X+z.Width {
			return z.Place
		}
	}
	return None
}

// Keep returns the layout without the zones for which keep is false. Owner is the colour a zone is drawn for, or None.
func (c *Layout) Keep(keep func(place, owner int) bool) *Layout {
	kept := *c
	kept.zones = slices.DeleteFunc(slices.Clone(c.zones), func(z zoneCell) bool { return !keep(z.Place, z.Owner) })
	return &kept
}
