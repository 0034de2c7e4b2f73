package boards

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
)

// Compact is a board on a small screen of characters: a cell for each square, without frames. Cells do not overlap.
type Compact struct {
	Width, Height int

	layout layout
	cells  []cell
	zones  []zoneCell
	askew  float64 // layoutSnap: the mean distance of squares from their place on the drawing, in rows
}

// layout is how Compact arranges the squares of a board.
type layout uint8

// The layouts, in the order in which Compact tries them.
const (
	layoutGrid   layout = iota // the rows and columns of the drawing, unused space squeezed out
	layoutSnap                 // each square in the free cell nearest to its place on the drawing
	layoutArms                 // the arms of a cross side by side, each with its tip down
	layoutTracks               // lines for each colour's track; shared squares appear once for each colour
)

// cell is the rectangle of characters in which a square is drawn.
type cell struct {
	Place         int
	Colour        int // in layoutTracks the colour whose track this is, else None
	X, Y          int // the top left character, from 0
	Width, Height int
}

// zoneCell is a free stretch of a row where the name of a zone can be written.
type zoneCell struct {
	Place, Owner int // Owner is the colour the zone is drawn for, None for all
	X, Y, Width  int
}

// cellSizes are the sizes of a square in characters that Compact tries, the most readable first.
var cellSizes = []cellSize{{8, 3}, {6, 3}, {6, 2}, {4, 2}, {4, 1}, {3, 1}, {2, 1}}

type cellSize struct{ width, height int }

// cellSizes are the sizes to try for this board: at first those that have room for its longest name.
func (t *textRenderer) cellSizes() []cellSize {
	longest := 0
	for _, place := range t.board.squares() {
		longest = max(longest, utf8.RuneCountInString(t.shortName(place)))
	}
	if wide := longest + 3; longest > 6 {
		return append([]cellSize{{wide, 3}, {wide, 2}, {wide, 1}}, cellSizes...)
	}
	return cellSizes
}

// shortName is the name of a square without its colour: 3 for "yellow-3".
func (t *textRenderer) shortName(place int) string {
	label := t.label(place)
	if before, rest, ok := strings.Cut(label, "-"); ok && t.board.Colour(before) != None {
		return rest
	}
	return label
}

// Compact arranges the board for a screen of columns by rows characters, with the largest squares that fit. It returns nil if
// no layout fits.
func (b *Board) Compact(columns, rows int) *Compact {
	t := newTextRenderer(b, nil, TextOptions{})
	layouts := [...]func(columns, rows int) *Compact{
		t.compactGrid,
		func(columns, rows int) *Compact { return t.compactSnap(columns, rows, littleAskew) },
		t.compactArms,
		func(columns, rows int) *Compact { return t.compactSnap(columns, rows, mostAskew) },
		t.compactTracks,
	}
	for _, layout := range layouts {
		if c := layout(columns, rows); c != nil {
			return c
		}
	}
	return nil
}

// span is a half-open range of the strips between grid lines.
type span struct{ from, to int }

// squeeze gives each strip the fewest characters with which every span has at least want: in order of their ends, spans widen
// their last strips. Strips outside all spans keep one character if they show a gap.
func squeeze(lines []float64, spans []span, want int) []int {
	out := make([]int, len(lines)-1)
	for i := range out {
		inside := slices.ContainsFunc(spans, func(s span) bool { return s.from <= i && i < s.to })
		if !inside && lines[i+1]-lines[i] > 0.4 {
			out[i] = 1
		}
	}
	spans = slices.SortedFunc(slices.Values(spans), func(a, b span) int { return cmp.Compare(a.to, b.to) })
	for _, s := range spans {
		if s.to > s.from {
			out[s.to-1] += max(0, want-total(out[s.from:s.to]))
		}
	}
	return out
}

func total(list []int) int {
	n := 0
	for _, x := range list {
		n += x
	}
	return n
}

// compactTiles arranges aligned tiles with squares of one size; scale converts points of the drawing to characters.
func compactTiles(tiles []tile, width, height int) (c *Compact, scale func(scene.Point) (x, y int)) {
	var xs, ys []float64
	for _, q := range tiles {
		xs, ys = append(xs, q.x0, q.x1), append(ys, q.y0, q.y1)
	}
	xs, ys = lines(xs), lines(ys)
	across, down := make([]span, len(tiles)), make([]span, len(tiles))
	for i, q := range tiles {
		across[i] = span{lineAt(xs, q.x0), lineAt(xs, q.x1)}
		down[i] = span{lineAt(ys, q.y0), lineAt(ys, q.y1)}
	}
	widths, heights := squeeze(xs, across, width), squeeze(ys, down, height)
	c = &Compact{Width: total(widths), Height: total(heights)}
	for i, q := range tiles {
		a, d := across[i], down[i]
		c.cells = append(c.cells, cell{
			Place: q.place, Colour: None, X: total(widths[:a.from]), Y: total(heights[:d.from]),
			Width: total(widths[a.from:a.to]), Height: total(heights[d.from:d.to]),
		})
	}
	return c, func(p scene.Point) (int, int) { return onStrips(xs, widths, p.X), onStrips(ys, heights, p.Y) }
}

// onStrips is the character at a coordinate, the nearest one for coordinates outside.
func onStrips(lines []float64, sizes []int, v float64) int {
	at := 0.0
	for i, n := range sizes {
		if v < lines[i+1] {
			at += float64(n) * max(0, v-lines[i]) / (lines[i+1] - lines[i])
			break
		}
		at += float64(n)
	}
	return min(int(at), total(sizes)-1)
}

// compactGrid keeps the rows and columns of a board whose squares line up.
func (t *textRenderer) compactGrid(columns, rows int) *Compact {
	tiles := t.alignedTiles()
	if len(tiles) == 0 {
		return nil
	}
	for _, size := range t.cellSizes() {
		c, scale := compactTiles(tiles, size.width, size.height)
		if c.Width > columns || c.Height > rows || slices.ContainsFunc(c.cells, func(q cell) bool { return q.Width == 0 || q.Height == 0 }) {
			continue
		}
		c.layout = layoutGrid
		t.compactZones(c, scale)
		return c
	}
	return nil
}

// Limits on the mean distance in rows between squares and their places on the drawing, in layoutSnap: the first for a picture
// as good as the drawing, the second for one in which a board without arms can be recognised.
const (
	littleAskew = 0.45
	mostAskew   = 0.9
)

// compactSnap puts each square into the free cell next to its place on the drawing, from the middle outwards, at the largest scale
// that fits.
func (t *textRenderer) compactSnap(columns, rows int, askew float64) *Compact {
	squares := t.board.squares()
	if len(squares) == 0 {
		return nil
	}
	points := make([]scene.Point, len(squares))
	low, high := scene.Pt(math.Inf(1), math.Inf(1)), scene.Pt(math.Inf(-1), math.Inf(-1))
	for i, place := range squares {
		p := t.unturned(t.squares[place].Center)
		points[i] = p
		low, high = scene.Pt(min(low.X, p.X), min(low.Y, p.Y)), scene.Pt(max(high.X, p.X), max(high.Y, p.Y))
	}
	for _, width := range [...]int{4, 3} {
		if c := snap(squares, points, low, high, width, columns, rows); c != nil && c.askew <= askew {
			c.layout = layoutSnap
			down := float64(c.Height-1) / max(high.Y-low.Y, 1e-9)
			across := float64(c.Width-width) / max(high.X-low.X, 1e-9)
			t.compactZones(c, func(p scene.Point) (int, int) {
				x, y := int(math.Round((p.X-low.X)*across))+width/2, int(math.Round((p.Y-low.Y)*down))
				return min(max(0, x), c.Width-1), min(max(0, y), c.Height-1)
			})
			return c
		}
	}
	return nil
}

// snap is layoutSnap with cells of one width, nil if there are too few cells.
func snap(squares []int, points []scene.Point, low, high scene.Point, width, columns, rows int) *Compact {
	slots := columns / width
	if slots*rows < len(squares) {
		return nil
	}
	// A character is about twice as high as it is wide.
	wide, tall := max(high.X-low.X, 1e-9), max(high.Y-low.Y, 1e-9)
	perRow := min(float64(rows-1)/tall, float64(columns-width)/wide/2)
	middle := scene.Pt((low.X+high.X)/2, (low.Y+high.Y)/2)
	order := make([]int, len(squares))
	for i := range order {
		order[i] = i
	}
	far := func(i int) float64 { return math.Hypot(points[i].X-middle.X, points[i].Y-middle.Y) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(far(a), far(b)) })
	taken := make([]bool, slots*rows)
	c := &Compact{cells: make([]cell, len(squares))}
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
func (c *Compact) trim() {
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

// compactArms puts the arms of a cross side by side, in one row or two.
func (t *textRenderer) compactArms(columns, rows int) *Compact {
	arms := t.arms()
	if len(arms) == 0 {
		return nil
	}
	for _, size := range t.cellSizes() {
		for _, perRow := range [...]int{len(arms), (len(arms) + 1) / 2} {
			c := &Compact{layout: layoutArms}
			x, y, high := 0, 0, 0
			for i, tiles := range arms {
				block, _ := compactTiles(tiles, size.width, size.height)
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

// compactTracks draws the track of every colour as lines of squares, two characters a square where that fits, else one.
func (t *textRenderer) compactTracks(columns, rows int) *Compact {
	for _, width := range [...]int{4, 3, 2, 1} {
		c := &Compact{layout: layoutTracks}
		perRow := columns / width
		if perRow == 0 {
			return nil
		}
		y := 0
		for colour, run := range t.board.Tracks[0].Runs {
			if slices.ContainsFunc(t.board.Tracks[0].Runs[:colour], func(r Run) bool {
				return slices.EqualFunc(r.Nodes, run.Nodes, func(a, b Node) bool { return a.Place == b.Place })
			}) {
				continue
			}
			x := 0
			for n := range mainWay(run) {
				if t.board.Places[n.Place].Zone {
					continue
				}
				if x == perRow {
					x, y = 0, y+1
				}
				c.cells = append(c.cells, cell{Place: n.Place, Colour: colour, X: x * width, Y: y, Width: width, Height: 1})
				x++
			}
			y++
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

// compactZones finds room for the names of zones near where they are drawn, on characters that no square uses: with room for a
// sign and a number of pieces, unless names alone come much nearer.
func (t *textRenderer) compactZones(c *Compact, scale func(scene.Point) (x, y int)) {
	used := make([]bool, c.Width*c.Height)
	for _, q := range c.cells {
		for row := range q.Height {
			c.use(used, q.X, q.Y+row, q.Width)
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

func (c *Compact) use(used []bool, x, y, width int) {
	for column := x; column < x+width; column++ {
		used[y*c.Width+column] = true
	}
}

// farZone is the distance in rows at which a name is too far from its zone to be understood.
const farZone = 8

// placeZone finds cells for the name of a zone, one for each colour it is drawn for, each with room for further characters; far
// is the largest distance of a cell from its zone.
func (t *textRenderer) placeZone(c *Compact, used []bool, place int, scale func(scene.Point) (x, y int), besides int) (zones []zoneCell, far float64) {
	used = slices.Clone(used)
	for _, z := range t.zones[place] {
		width := min(utf8.RuneCountInString(t.board.Places[place].Words)+besides, c.Width)
		x, y := scale(t.unturned(z.Item.Center))
		left, row, d := c.room(used, x-width/2, y, width)
		if far = max(far, d); d < farZone {
			c.use(used, left, row, width)
			zones = append(zones, zoneCell{Place: place, Owner: t.board.Colour(z.Item.Owner), X: left, Y: row, Width: width})
		}
	}
	return zones, far
}

// room finds the free stretch of a row nearest to x, y, and its distance in rows: farZone if there is none.
func (c *Compact) room(used []bool, x, y, width int) (left, row int, far float64) {
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

// Sign is a temporary text on a place: the number of an option, a step of a move.
type Sign struct {
	Place int
	// Owner selects the zone, or the track, of one colour where a place is drawn for several colours; None selects all.
	Owner int
	Mark  string // written before Text where there is room for both
	Text  string // written before everything else
	Focus bool   // the place is highlighted
}

// signFor is the sign of a place as drawn for a colour: the last one there is for it.
func signFor(signs []Sign, place, owner int) (out Sign) {
	for _, s := range signs {
		if s.Place == place && (s.Owner == owner || s.Owner == None || owner == None) {
			out = s
		}
	}
	return out
}

// write begins a line of the given width with a sign, with ANSI colours if color is true.
func (s Sign) write(room int, color bool) phrase {
	in := ink{bold: true}
	if color && s.Mark != "" {
		in = in.on(signPaint).in(white)
	}
	if s.Focus {
		in = ink{bold: true}.on(focusPaint).in(black)
	}
	p := phrase{}.and(s.Mark+s.Text, in)
	if p.width() > room {
		p = phrase{}.and(s.Text, in)
	}
	if p.width() > room {
		p = phrase{}.and(s.Mark, in)
	}
	return p
}

// Draw draws a layout of the board with pieces, as lines of exactly Width characters, with ANSI colours if color is true.
// Of several signs for a place the last one shows.
func (c *Compact) Draw(b *Board, pieces []Standing, signs []Sign, color bool) []string {
	t := newTextRenderer(b, pieces, TextOptions{Color: color})
	sheet := newCanvas(c.Width, c.Height)
	signs = slices.Clone(signs)
	for i := range signs {
		if s := &signs[i]; !c.drawnFor(s.Place, s.Owner) {
			s.Owner = None
		}
	}
	if !b.drawing.arms && (c.layout == layoutGrid || c.layout == layoutSnap) {
		c.links(sheet, b)
	}
	for _, z := range c.zones {
		t.compactZone(sheet, z, signFor(signs, z.Place, z.Owner))
	}
	for _, q := range c.cells {
		t.cell(sheet, q, signFor(signs, q.Place, q.Colour))
	}
	return sheet.rows(color)
}

// links draws a dotted line between squares that follow one another on a track and do not touch.
func (c *Compact) links(sheet *canvas, b *Board) {
	cells := map[int]cell{}
	for _, q := range c.cells {
		cells[q.Place] = q
	}
	for _, pair := range b.following() {
		p, ok := cells[pair[0]]
		q, too := cells[pair[1]]
		if !ok || !too || p.X <= q.X+q.Width && q.X <= p.X+p.Width && p.Y <= q.Y+q.Height && q.Y <= p.Y+p.Height {
			continue
		}
		x, y := float64(p.X)+float64(p.Width-1)/2, float64(p.Y)+float64(p.Height-1)/2
		dx, dy := float64(q.X)+float64(q.Width-1)/2-x, float64(q.Y)+float64(q.Height-1)/2-y
		n := math.Ceil(max(math.Abs(dx)/2, math.Abs(dy))) // a character is about twice as high as it is wide
		for i := 1.0; i < n; i++ {
			sheet.write(int(math.Round(x+dx*i/n)), int(math.Round(y+dy*i/n)), phrase{}.and("·", ink{dim: true}))
		}
	}
	for _, q := range c.cells {
		sheet.fill(q.X, q.Y, q.X+q.Width-1, q.Y+q.Height-1, ink{})
	}
}

// following lists the places of which one follows the other on the first track, each pair once.
func (b *Board) following() (pairs [][2]int) {
	seen := map[[2]int]bool{}
	for _, run := range b.Tracks[0].Runs {
		for _, from := range run.Nodes {
			for _, next := range from.Next {
				a, z := from.Place, run.Nodes[next].Place
				if pair := [2]int{min(a, z), max(a, z)}; !seen[pair] {
					seen[pair] = true
					pairs = append(pairs, pair)
				}
			}
		}
	}
	return pairs
}

func (c *Compact) drawnFor(place, owner int) bool {
	return slices.ContainsFunc(c.cells, func(q cell) bool { return q.Place == place && q.Colour == owner }) ||
		slices.ContainsFunc(c.zones, func(z zoneCell) bool { return z.Place == place && z.Owner == owner })
}

// The alternating backgrounds of squares without a fill, and the colour of text on them. They do not depend on the colours of
// the terminal: the board is readable on light and on dark screens. All are among the 256 colours of terminals.
var (
	groundEven = scene.RGB(0xffffd7)
	groundOdd  = scene.RGB(0xd7d7af)
	groundInk  = scene.RGB(0x281e14)
	focusPaint = scene.RGB(0xffd700)
	signPaint  = scene.RGB(0x5f00af) // of the numbers of options
)

// cell draws a square: its sign, then its pieces, or its mark and name, as far as there is room.
func (t *textRenderer) cell(sheet *canvas, q cell, sign Sign) {
	back := ink{}
	if t.opt.Color {
		if back = t.ground(q.Place); !back.hasBack {
			back = back.on(groundEven).in(groundInk)
			if (q.X/max(1, q.Width)+q.Y/max(1, q.Height))%2 == 1 {
				back = back.on(groundOdd)
			}
		}
		if sign.Focus {
			back = ink{bold: true}.on(focusPaint).in(black)
		}
		sheet.fill(q.X, q.Y, q.X+q.Width-1, q.Y+q.Height-1, back)
	}
	line := sign.write(q.Width, t.opt.Color)
	room := q.Width - line.width()
	if len(t.on[q.Place]) > 0 && room > 0 {
		if room == q.Width && room > 2 {
			room-- // a character between squares
		}
		line = append(line, t.pieceLetters(t.on[q.Place], room)...)
	} else if room > 0 {
		line = append(line, t.named(q.Place, room, room == q.Width)...)
	}
	left := max(0, q.Width-line.width())
	if q.Width > 5 {
		left /= 2
	}
	sheet.write(q.X+left, q.Y+(q.Height-1)/2, line)
}

// named is the mark of a square, and its name if name is true and the whole name fits.
func (t *textRenderer) named(place, room int, name bool) phrase {
	mark := ""
	switch f, glyphs := t.fillOf(place), []rune(t.squares[place].Glyphs); {
	case len(glyphs) > 0:
		mark = string(glyphs[0])
	case f != None && !t.opt.Color:
		mark = strings.ToLower(t.letters[f])
	}
	label := t.label(place)
	if utf8.RuneCountInString(label) > room {
		label = t.shortName(place)
	}
	if long := []rune(label); len(long) > room && room > 2 && unicode.IsLetter(long[0]) {
		label = string(long[:room-1]) + "…"
	}
	if !name || utf8.RuneCountInString(label) > room {
		label = ""
	}
	if label != "" && (isWord(mark) && isWord(label[:1]) || utf8.RuneCountInString(mark+label) > room) {
		mark = ""
	}
	if mark+label == "" && name {
		label = "·"
	}
	return phrase{}.and(mark, ink{}).and(label, ink{})
}

// compactZone writes a zone's name and how many pieces of each colour it holds.
func (t *textRenderer) compactZone(sheet *canvas, z zoneCell, sign Sign) {
	in := ink{}
	if z.Owner != None && t.opt.Color {
		in = t.board.pieceInk(z.Owner)
		in.bold = false
	}
	if sign.Focus {
		in = ink{bold: true}.on(focusPaint).in(black)
	}
	here := t.inZone(z.Place, z.Owner)
	line := sign.write(z.Width, t.opt.Color)
	name := t.board.Places[z.Place].Words
	room := z.Width - line.width()
	spare := room - utf8.RuneCountInString(name)
	if spare >= 0 && (len(here) == 0 || spare > 2) {
		line = line.and(name, in)
		room = spare
		if len(here) > 0 {
			line, room = line.and(" ", ink{}), spare-1
		}
	}
	if len(here) > 0 && room > 0 {
		line = append(line, t.pieceLetters(here, room)...)
	}
	sheet.write(z.X+(z.Width-line.width())/2, z.Y, line)
}

// At is the place whose square or zone covers a character, None where there is none.
func (c *Compact) At(x, y int) int {
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
func (c *Compact) Keep(keep func(place, owner int) bool) *Compact {
	kept := *c
	kept.zones = slices.DeleteFunc(slices.Clone(c.zones), func(z zoneCell) bool { return !keep(z.Place, z.Owner) })
	return &kept
}

// PieceText is a text with the ANSI colours of a colour's pieces.
func PieceText(b *Board, colour int, text string) string {
	return b.pieceInk(colour).begin() + text + "\x1b[0m"
}

func (b *Board) pieceInk(colour int) ink {
	h := b.paint(colour)
	return ink{bold: true}.on(h).in(readableOn(h))
}
