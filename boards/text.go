package boards

import (
	"cmp"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// TextOptions say how Text draws. The zero value is plain text at most 100 columns wide.
type TextOptions struct {
	Color     bool  // ANSI colours
	Highlight []int // places to point at
	Width     int   // columns there are, 0 for 100
}

// Text draws a board for a terminal, with pieces as the first letter of their colour. Squares are where the drawing
// has them if they form a grid. For a board whose arms are not aligned with the axes, it draws the arms side by side.
func Text(w io.Writer, b *Board, pieces []Standing, opt TextOptions) error {
	if opt.Width <= 0 {
		opt.Width = 100
	}
	t := newTextRenderer(b, pieces, opt)
	sheet := t.grid()
	if sheet == nil {
		sheet = t.unrolled()
	}
	if sheet == nil {
		sheet = t.listed()
	}
	_, err := io.WriteString(w, sheet.text(opt.Color)+t.below())
	return err
}

// textRenderer draws the squares and zones of a board's scene with characters.
type textRenderer struct {
	board   *Board
	opt     TextOptions
	letters []string
	on      map[int][]int // the colours of the pieces on each place
	squares map[int]*scene.Item
	zones   map[int][]*scene.Group
	shown   map[int]bool // zones drawn on the sheet
}

func newTextRenderer(b *Board, pieces []Standing, opt TextOptions) *textRenderer {
	t := &textRenderer{board: b, opt: opt, letters: Letters(b), on: map[int][]int{}, squares: map[int]*scene.Item{}, zones: map[int][]*scene.Group{}}
	for place, here := range b.standings(pieces) {
		for _, i := range here {
			t.on[place] = append(t.on[place], pieces[i].Colour)
		}
	}
	s := b.Scene(nil)
	for _, g := range s.Groups("square") {
		t.squares[b.places[g.Item.Place]] = &g.Item
	}
	for _, g := range s.Groups("zone") {
		place := b.places[g.Item.Place]
		t.zones[place] = append(t.zones[place], g)
	}
	return t
}

// Letters chooses a letter for the pieces of each colour: the first letter of what it is called that no other colour has.
func Letters(b *Board) []string {
	var out []string
	for _, c := range b.Colours {
		found := "?"
		for _, r := range strings.ToUpper(c.Words) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
			if 'A' <= r && r <= 'Z' && !slices.Contains(out, string(r)) {
				found = string(r)
				break
			}
		}
		out = append(out, found)
	}
	return out
}

// pointer stands before highlighted places.
const pointer = "▸"

// tile is a square on a sheet of straight rows and columns.
type tile struct {
	place          int
	x0, y0, x1, y1 float64
}

// sheet is a canvas with the coordinates of its grid lines.
type sheet struct {
	*canvas
	xs, ys       []float64
	columns, row []int
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

// lay makes a sheet for tiles: each interval between two lines gets characters in proportion to its length, and enough for
// the labels there.
func (t *textRenderer) lay(tiles []tile) *sheet {
	var xs, ys []float64
	for _, q := range tiles {
		xs, ys = append(xs, q.x0, q.x1), append(ys, q.y0, q.y1)
	}
	if len(tiles) == 0 {
		return nil
	}
	s := &sheet{xs: lines(xs), ys: lines(ys)}
	widths, heights := stretches(s.xs, 4, -1), stretches(s.ys, 1, 0)
	for _, q := range tiles {
		a, z := lineAt(s.xs, q.x0), lineAt(s.xs, q.x1)
		room := z - a - 1
		for _, w := range widths[a:z] {
			room += w
		}
		if need := max(3, 1+utf8.RuneCountInString(t.label(q.place))); room < need && z > a {
			widths[z-1] += need - room
		}
	}
	s.columns, s.row = positions(widths), positions(heights)
	s.canvas = newCanvas(s.columns[len(s.columns)-1]+1, s.row[len(s.row)-1]+1)
	return s
}

// stretches returns the number of characters for each interval between two lines.
func stretches(lines []float64, per, less float64) []int {
	var out []int
	for i := range len(lines) - 1 {
		out = append(out, int(max(1, min(40, math.Round((lines[i+1]-lines[i])*per)+less))))
	}
	return out
}

func positions(stretches []int) []int {
	out := []int{0}
	for i, n := range stretches {
		out = append(out, out[i]+n+1)
	}
	return out
}

// beside reports whether a point of the drawing lies outside the sheet.
func (s *sheet) beside(p scene.Point) bool {
	return p.X < s.xs[0] || p.X > s.xs[len(s.xs)-1] || p.Y < s.ys[0] || p.Y > s.ys[len(s.ys)-1]
}

// spot is the character nearest to a point of the drawing.
func (s *sheet) spot(p scene.Point) (x, y int) {
	return between(s.xs, s.columns, p.X, 4), between(s.ys, s.row, p.Y, 2)
}

func between(lines []float64, positions []int, v, per float64) int {
	last := len(lines) - 1
	switch {
	case v <= lines[0]:
		return positions[0] - int(math.Round((lines[0]-v)*per))
	case v >= lines[last]:
		return positions[last] + int(math.Round((v-lines[last])*per))
	}
	i := 0
	for v > lines[i+1] {
		i++
	}
	share := (v - lines[i]) / (lines[i+1] - lines[i])
	return positions[i] + int(math.Round(share*float64(positions[i+1]-positions[i])))
}

// grid draws the squares where the board draws them. It returns nil if they form no grid, or one that is too wide.
func (t *textRenderer) grid() *canvas {
	s := t.lay(t.alignedTiles())
	if s == nil || s.width > t.opt.Width || s.width == 0 {
		return nil
	}
	t.shown = map[int]bool{}
	for place := range t.board.Places {
		zones := t.zones[place]
		if slices.ContainsFunc(zones, func(z *scene.Group) bool { return s.beside(t.unturned(z.Item.Center)) }) {
			continue // outside the sheet: below lists it
		}
		for _, z := range zones {
			t.zone(s, place, z)
		}
	}
	t.tiles(s, t.alignedTiles())
	return s.canvas
}

func (t *textRenderer) tiles(s *sheet, tiles []tile) {
	for _, q := range tiles {
		x0, x1 := s.columns[lineAt(s.xs, q.x0)], s.columns[lineAt(s.xs, q.x1)]
		y0, y1 := s.row[lineAt(s.ys, q.y0)], s.row[lineAt(s.ys, q.y1)]
		back := t.ground(q.place)
		if t.opt.Color && back.hasBack {
			s.fill(x0+1, y0+1, x1-1, y1-1, back)
		}
		s.box(x0, y0, x1, y1, ink{dim: true})
		for i, l := range t.compose(q.place, x1-x0-1, y1-y0-1) {
			s.centred((x0+x1+1)/2, y0+1+i, l)
		}
	}
}

// ground is the background of a square.
func (t *textRenderer) ground(place int) ink {
	fill := t.fillOf(place)
	if fill == None {
		return ink{}
	}
	h := t.board.paint(fill).Mix(black, 0.4)
	return ink{}.on(h).in(white)
}

// fillOf is the colour a square is filled with, or None.
func (t *textRenderer) fillOf(place int) int {
	return t.board.Colour(t.squares[place].Fill)
}

func (t *textRenderer) label(place int) string { return t.squares[place].Label }

// compose chooses the lines of text on a square of the given size: the most detailed ones that fit.
func (t *textRenderer) compose(place, width, height int) []phrase {
	if width < 1 || height < 1 {
		return nil
	}
	name, letters := t.label(place), t.pieceLetters(t.on[place], width)
	var point, fill string
	if slices.Contains(t.opt.Highlight, place) {
		point = pointer
	}
	if f := t.fillOf(place); f != None && !t.opt.Color {
		fill = strings.ToLower(t.letters[f])
		if name != "" && isWord(strings.ToLower(name)) {
			fill += " "
		}
	}
	marks := t.squares[place].Glyphs
	plain, quiet, loud := ink{}, ink{dim: t.fillOf(place) == None}, ink{bold: true}.in(focusPaint)
	if t.fillOf(place) != None && t.opt.Color {
		loud = loud.in(white)
	}
	text := func(parts ...string) phrase {
		var p phrase
		return p.and(parts[0], loud).and(parts[1], quiet).and(parts[2], plain)
	}
	var tries [][]phrase
	full, brief := text(point, fill+marks, name), text(point, "", name)
	switch {
	case len(letters) == 0:
		tries = append(tries, []phrase{full})
		if height > 1 {
			tries = append(tries, []phrase{brief, text("", fill+marks, "")})
		}
		tries = append(tries, []phrase{text(point, fill, name)}, []phrase{brief})
	case height > 1:
		tries = append(tries, []phrase{full, letters}, []phrase{brief, letters})
	default:
		gap := phrase{}.and(" ", plain)
		tries = append(tries, []phrase{slices.Concat(full, gap, letters)}, []phrase{slices.Concat(brief, gap, letters)},
			[]phrase{slices.Concat(text(point, "", ""), letters)})
	}
	for _, try := range tries {
		if !slices.ContainsFunc(try, func(p phrase) bool { return p.width() > width }) {
			return try
		}
	}
	if len(letters) > 0 {
		return []phrase{letters}
	}
	runes := []rune(name)
	return []phrase{text("", "", string(runes[max(0, len(runes)-width):]))}
}

// pieceLetters shows pieces as letters; where they do not fit, as letters with counts.
func (t *textRenderer) pieceLetters(pieces []int, width int) phrase {
	var p phrase
	for _, c := range pieces {
		p = p.and(t.letters[c], t.board.pieceInk(c))
	}
	if p.width() <= width {
		return p
	}
	p = nil
	for c, n := range t.board.tally(pieces) {
		if n == 0 {
			continue
		}
		p = p.and(t.letters[c], t.board.pieceInk(c))
		if n > 1 {
			p = p.and(strconv.Itoa(n), t.board.pieceInk(c))
		}
	}
	if p.width() > width {
		return phrase{}.and("#", ink{bold: true})
	}
	return p
}

func (t *textRenderer) zone(s *sheet, place int, z *scene.Group) {
	item, owner, fill, wedge := &z.Item, t.board.Colour(z.Item.Owner), t.board.Colour(z.Item.Fill), z.Is("wedge")
	t.shown[place] = true
	here := t.inZone(place, owner)
	in := ink{}
	if fill != None {
		in = in.in(t.board.paint(fill))
	}
	p := t.unturned(item.Center)
	x, y := s.spot(p)
	size := item.Width / 2
	if z.Is("bay") || z.Is("disc") {
		size *= 0.72 // the square inside the circle
	}
	x0, y0 := s.spot(scene.Pt(p.X-size, p.Y-size))
	x1, y1 := s.spot(scene.Pt(p.X+size, p.Y+size))
	x0, y0, x1, y1 = max(0, x0), max(0, y0), min(s.width-1, x1), min(s.height-1, y1)
	room := 12
	if !wedge && x1-x0 >= 5 && y1-y0 >= 2 {
		s.frame(x0, y0, x1, y1, in)
		x, y, room = (x0+x1+1)/2, (y0+y1)/2, x1-x0-1
	}
	name := phrase{}
	if slices.Contains(t.opt.Highlight, place) {
		name = name.and(pointer, ink{bold: true})
	}
	if owner != None && !t.opt.Color && !wedge {
		name = name.and(strings.ToLower(t.letters[owner])+" ", ink{})
	}
	if name = name.and(item.Label, in); name.width() > room {
		name = phrase{}.and(item.Label, in)
	}
	letters := t.pieceLetters(here, room)
	switch {
	case len(here) == 0:
		s.centred(x, y, name)
	case y1-y0 >= 4 && !wedge:
		s.centred(x, y-1, name)
		s.centred(x, y+1, t.spacedLetters(here, room))
	default:
		s.centred(x, y, letters)
	}
}

// inZone lists the colours of the pieces in a zone, as it is drawn for an owner.
func (t *textRenderer) inZone(place, owner int) []int {
	return slices.DeleteFunc(slices.Clone(t.on[place]), func(c int) bool { return owner != None && owner != c })
}

func (t *textRenderer) spacedLetters(pieces []int, room int) phrase {
	var p phrase
	for i, c := range pieces {
		if i > 0 {
			p = p.and(" ", ink{})
		}
		p = p.and(t.letters[c], t.board.pieceInk(c))
	}
	if p.width() > room {
		return t.pieceLetters(pieces, room)
	}
	return p
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

// unrolled draws arm beside arm. It is nil for drawings without arms.
func (t *textRenderer) unrolled() *canvas {
	arms := t.arms()
	if len(arms) == 0 {
		return nil
	}
	var blocks []*canvas
	for i, tiles := range arms {
		s := t.lay(tiles)
		if s.width > t.opt.Width || s.width == 0 {
			return nil
		}
		t.tiles(s, tiles)
		block := newCanvas(s.width+5, s.height+1)
		block.paste(s.canvas, 0, 1)
		if i < len(arms)-1 { // its last lane continues in the first lane of the next arm
			block.write(s.width-3, 0, phrase{}.and("╭"+strings.Repeat("─", 8), ink{dim: true}))
		}
		if i > 0 {
			block.write(0, 0, phrase{}.and("──╮", ink{dim: true}))
		}
		blocks = append(blocks, block)
	}
	return t.rows(blocks)
}

// rows puts blocks side by side, in as many rows as the width requires.
func (t *textRenderer) rows(blocks []*canvas) *canvas {
	x, y, high, width := 0, 0, 0, 0
	type spot struct{ x, y int }
	var spots []spot
	for _, b := range blocks {
		if x > 0 && x+b.width-5 > t.opt.Width {
			x, y, high = 0, y+high+1, 0
		}
		spots = append(spots, spot{x, y})
		x += b.width
		high, width = max(high, b.height), max(width, x)
	}
	out := newCanvas(width, y+high)
	for i, b := range blocks {
		out.paste(b, spots[i].x, spots[i].y)
	}
	return out
}

// listed draws the squares in the file's order, row by row: it works for every board.
func (t *textRenderer) listed() *canvas {
	squares := t.board.squares()
	widest := 3
	for _, i := range squares {
		widest = max(widest, 1+utf8.RuneCountInString(t.label(i)))
	}
	per := max(1, (t.opt.Width-1)/(widest+1))
	var tiles []tile
	for k, i := range squares {
		x, y := float64(k%per), float64(k/per)
		tiles = append(tiles, tile{i, x, y, x + 1, y + 1})
	}
	s := t.lay(tiles)
	if s == nil {
		return newCanvas(0, 0)
	}
	t.tiles(s, tiles)
	return s.canvas
}

// below lists the zones that are not on the sheet, and explains letters and marks.
func (t *textRenderer) below() string {
	var lines []phrase
	for i, p := range t.board.Places {
		if !p.Zone || t.shown[i] || len(t.zones[i]) == 0 && len(t.on[i]) == 0 && !slices.Contains(t.opt.Highlight, i) {
			continue
		}
		l := phrase{}
		if slices.Contains(t.opt.Highlight, i) {
			l = l.and(pointer, ink{bold: true})
		}
		l = l.and(p.Words, ink{})
		counts := t.board.tally(t.on[i])
		for c, n := range counts {
			if n > 0 {
				l = l.and("  ", ink{}).and(strings.Repeat(t.letters[c], min(n, 8)), t.board.pieceInk(c))
			}
			if n > 8 {
				l = l.and("×"+strconv.Itoa(n), ink{})
			}
		}
		lines = append(lines, l)
	}
	legend := phrase{}
	for c, colour := range t.board.Colours {
		legend = legend.and(t.letters[c], t.board.pieceInk(c)).and(" "+colour.Words+"  ", ink{})
	}
	for _, text := range t.board.Legend() {
		legend = legend.and(text+"  ", ink{})
	}
	lines = append(lines, legend)
	width := 0
	for _, l := range lines {
		width = max(width, l.width())
	}
	c := newCanvas(width, len(lines))
	for y, l := range lines {
		c.write(0, y, l)
	}
	return c.text(t.opt.Color)
}
