package boards

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/seq"
)

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
