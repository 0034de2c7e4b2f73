package boards

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// TextOptions say how Text draws. The zero value is plain text at most 100 columns wide.
type TextOptions struct {
	Color     bool  // ANSI colours
	Highlight []int // places to point at
	Width     int   // columns there are, 0 for 100
	Rows      int   // rows there are, 0 for 64; if they are too few for any drawing, it has more
}

// Text draws a board for a terminal, with pieces as the first letter of their colour, and explains its letters and marks below. Squares
// are where the drawing has them, each in a frame if there is room; those of a drawing that does not fit are listed along the tracks.
func Text(w io.Writer, b *Board, pieces []Standing, opt TextOptions) error {
	width := cmp.Or(max(0, opt.Width), 100)
	t := newTextRenderer(b, pieces, opt.Color)
	zones := seq.Filter(b.Places, func(p Place) bool { return p.Zone })
	c := t.arrange(width, cmp.Or(opt.Rows, mostTextRows)-len(zones)-1, append(t.framedSizes(), t.cellSizes()...))
	if c == nil {
		c = t.inLines(b.trackLines(), width, math.MaxInt)
	}
	if c == nil || c.Height > maxCanvas/c.Width { // too much for a sheet: each square once
		c = cmp.Or(t.inLines([]trackLine{{None, b.squares()}}, width, math.MaxInt), &Layout{})
	}
	signs := seq.Map(opt.Highlight, func(place int) Sign { return Sign{Place: place, Owner: None, Text: pointer, Focus: true} })
	_, err := io.WriteString(w, c.sheet(t, signs).text(opt.Color)+t.below(c, opt.Highlight))
	return err
}

// mostTextRows is how high Text draws a board without a screen, unless it lists the squares.
const mostTextRows = 64

// textRenderer draws the squares and zones of a board's scene with characters.
type textRenderer struct {
	board   *Board
	color   bool
	letters []string
	on      map[int][]int // the colours of the pieces on each place
	squares map[int]*scene.Item
	zones   map[int][]*scene.Group
}

func newTextRenderer(b *Board, pieces []Standing, color bool) *textRenderer {
	t := &textRenderer{board: b, color: color, letters: Letters(b), on: map[int][]int{}, squares: map[int]*scene.Item{}}
	for place, here := range b.standings(pieces) {
		t.on[place] = seq.Map(here, func(i int) int { return pieces[i].Colour })
	}
	s := b.Scene(nil)
	for _, g := range s.Groups("square") {
		t.squares[b.places[g.Item.Place]] = &g.Item
	}
	t.zones = seq.Group(s.Groups("zone"), func(g *scene.Group) int { return b.places[g.Item.Place] })
	return t
}

// Letters chooses a letter for the pieces of each colour: the first letter of what it is called that no other colour has.
func Letters(b *Board) []string {
	var out []string
	for _, c := range b.Colours {
		found := "?"
		for _, r := range strings.ToUpper(c.Words) + capitals {
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

// The alternating backgrounds of squares without a fill, and the colour of text on them. They do not depend on the colours of
// the terminal: the board is readable on light and on dark screens. All are among the 256 colours of terminals.
var (
	groundEven = scene.RGB(0xffffd7)
	groundOdd  = scene.RGB(0xd7d7af)
	groundInk  = scene.RGB(0x281e14)
	focusPaint = scene.RGB(0xffd700)
	signPaint  = scene.RGB(0x5f00af) // of the numbers of options
)

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

// inZone lists the colours of the pieces in a zone, as it is drawn for an owner.
func (t *textRenderer) inZone(place, owner int) []int {
	return slices.DeleteFunc(slices.Clone(t.on[place]), func(c int) bool { return owner != None && owner != c })
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
func (c *Layout) Draw(b *Board, pieces []Standing, signs []Sign, color bool) []string {
	return c.sheet(newTextRenderer(b, pieces, color), signs).rows(color)
}

// sheet draws a layout.
func (c *Layout) sheet(t *textRenderer, signs []Sign) *canvas {
	sheet := newCanvas(c.Width, c.Height)
	signs = slices.Clone(signs)
	for i := range signs {
		if s := &signs[i]; !c.drawnFor(s.Place, s.Owner) {
			s.Owner = None
		}
	}
	if !t.board.drawing.arms && (c.arrangement == gridArrangement || c.arrangement == snapArrangement) {
		c.links(sheet, t.board)
	}
	for _, z := range c.zones {
		t.zoneText(sheet, z, signFor(signs, z.Place, z.Owner))
	}
	for _, q := range c.cells {
		t.cell(sheet, q, c.framed, signFor(signs, q.Place, q.Colour))
	}
	return sheet
}

// links draws a dotted line between squares that follow one another on a track and do not touch.
func (c *Layout) links(sheet *canvas, b *Board) {
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

func (c *Layout) drawnFor(place, owner int) bool {
	return slices.ContainsFunc(c.cells, func(q cell) bool { return q.Place == place && q.Colour == owner }) ||
		slices.ContainsFunc(c.zones, func(z zoneCell) bool { return z.Place == place && z.Owner == owner })
}

// cell draws a square.
func (t *textRenderer) cell(sheet *canvas, q cell, framed bool, sign Sign) {
	back := ink{}
	if t.color {
		back = t.ground(q.Place)
		if !back.hasBack && !framed {
			back = back.on(groundEven).in(groundInk)
			if (q.X/max(1, q.Width)+q.Y/max(1, q.Height))%2 == 1 {
				back = back.on(groundOdd)
			}
		}
		if sign.Focus {
			back = ink{bold: true}.on(focusPaint).in(black)
		}
	}
	if framed {
		sheet.box(q.X, q.Y, q.X+q.Width, q.Y+q.Height, ink{dim: true})
		q.X, q.Y, q.Width, q.Height = q.X+1, q.Y+1, q.Width-1, q.Height-1
	}
	if back.hasBack {
		sheet.fill(q.X, q.Y, q.X+q.Width-1, q.Y+q.Height-1, back)
	}
	lines := t.content(q, framed, sign)
	for i, line := range lines {
		left := max(0, q.Width-line.width())
		if framed || q.Width > 5 {
			left /= 2
		}
		sheet.write(q.X+left, q.Y+(q.Height-len(lines))/2+i, line)
	}
}

// content is what is written on a square: its sign, then its pieces, or its mark and name, as far as there is room. In a frame there is a
// name beside the pieces or over them.
func (t *textRenderer) content(q cell, framed bool, sign Sign) []phrase {
	line := sign.write(q.Width, t.color)
	room, here := q.Width-line.width(), t.on[q.Place]
	switch {
	case room == 0:
		return []phrase{line}
	case len(here) == 0:
		name := t.named(q.Place, room, framed || room == q.Width)
		out := []phrase{append(line, name...)}
		if f := t.fillLetter(q.Place); framed && q.Height > 1 && !strings.HasPrefix(name[0].text, f) {
			out = append(out, phrase{}.and(f, ink{}))
		}
		return out
	case framed && q.Height > 1:
		return []phrase{append(line, t.named(q.Place, room, true)...), t.pieceLetters(here, q.Width)}
	case !framed && room == q.Width && room > 2:
		room-- // a character between squares
	}
	letters := t.pieceLetters(here, room)
	if free := room - letters.width() - 1; framed && free >= utf8.RuneCountInString(t.shortName(q.Place)) {
		line = append(line, t.named(q.Place, free, true).and(" ", ink{})...)
	}
	return []phrase{append(line, letters...)}
}

// named is the marks of a square, or one of them, and its name if name is true and the whole name fits.
func (t *textRenderer) named(place, room int, name bool) phrase {
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
	mark := ""
	for _, m := range t.marks(place) {
		words := label != "" && isWord(m) && isWord(label[:1])
		spare := room - utf8.RuneCountInString(m+label)
		if !words && (spare > 0 || spare == 0 && utf8.RuneCountInString(m) == 1) {
			mark = m
			break
		}
	}
	if mark+label == "" && name {
		label = "·"
	}
	return phrase{}.and(mark, ink{}).and(label, ink{})
}

// marks are what may stand for the marks of a square: all of them after the letter of the colour that fills it, the signs alone, and
// the first sign.
func (t *textRenderer) marks(place int) []string {
	signs := t.squares[place].Glyphs
	_, first := utf8.DecodeRuneInString(signs)
	return []string{t.fillLetter(place) + signs, signs, signs[:first]}
}

// fillLetter is the letter of the colour that fills a square, where there are no colours.
func (t *textRenderer) fillLetter(place int) string { return t.ownerLetter(t.fillOf(place)) }

// ownerLetter is the letter of a colour as an owner, where there are no colours.
func (t *textRenderer) ownerLetter(colour int) string {
	if colour == None || t.color {
		return ""
	}
	return strings.ToLower(t.letters[colour])
}

// zoneText writes a zone's name and how many pieces of each colour it holds.
func (t *textRenderer) zoneText(sheet *canvas, z zoneCell, sign Sign) {
	in := ink{}
	if z.Owner != None && t.color {
		in = t.board.pieceInk(z.Owner)
		in.bold = false
	}
	if f := z.frame; f != nil {
		sheet.box(f[0], f[1], f[2], f[3], ink{dim: true})
	}
	if sign.Focus {
		in = ink{bold: true}.on(focusPaint).in(black)
	}
	here := t.inZone(z.Place, z.Owner)
	line := sign.write(z.Width, t.color)
	name := t.board.Places[z.Place].Words
	room := z.Width - line.width()
	if owned := t.ownerLetter(z.Owner) + " " + name; len(here) == 0 && owned[0] != ' ' && utf8.RuneCountInString(owned) <= room {
		name = owned
	}
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

// below lists the zones that are not in a layout, and explains letters and marks.
func (t *textRenderer) below(c *Layout, highlight []int) string {
	var lines []phrase
	for i, p := range t.board.Places {
		pointed := slices.Contains(highlight, i)
		shown := seq.Count(c.zones, func(z zoneCell) bool { return z.Place == i })
		if !p.Zone || shown > 0 && shown == len(t.zones[i]) || len(t.zones[i]) == 0 && len(t.on[i]) == 0 && !pointed {
			continue
		}
		l := phrase{}
		if pointed {
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
	sheet := newCanvas(seq.Most(lines, phrase.width), len(lines))
	for y, l := range lines {
		sheet.write(0, y, l)
	}
	return sheet.text(t.color)
}

// PieceText is a text with the ANSI colours of a colour's pieces.
func PieceText(b *Board, colour int, text string) string {
	return b.pieceInk(colour).begin() + text + "\x1b[0m"
}

func (b *Board) pieceInk(colour int) ink {
	h := b.paint(colour)
	return ink{bold: true}.on(h).in(readableOn(h))
}
