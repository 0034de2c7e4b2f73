package boards

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/boards/scene"
)

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
