package fullscreen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl/seq"
)

// usedZone reports whether pieces of this game can be in a zone, as drawn for a colour.
func (m *model) usedZone() func(place, owner int) bool {
	places, owners := m.zones(), []int{boards.None}
	for _, c := range m.session.Game().Rules().Colours {
		owners = append(owners, c.Board)
	}
	return func(place, owner int) bool { return slices.Contains(places, place) && slices.Contains(owners, owner) }
}

// panelWidth is the width of the panel beside a board of a width; one column at the edge stays free.
func (m *model) panelWidth(board int) int {
	left, _ := m.boardAt(board, 0, 0)
	return min(mostPanel, m.columns-left-board-2)
}

// standings are the pieces in the form for drawing boards.
func (m *model) standings() []boards.Standing {
	b := m.session.Game().Rules().Board
	return seq.Map(m.state.Pieces, func(p door.Piece) boards.Standing {
		place, _ := b.Place(p.At)
		return boards.Standing{Place: place, Colour: b.Colour(p.Colour)}
	})
}

// row is a line of the panel, and the index of its option: -1 for none.
type row struct {
	text   string
	option int
}

// panel is the text beside the board: the players, the dice, the options, and the legend of squares.
func (m *model) panel(width, height int) []row {
	out := seq.Map(m.panelHead(width, height), func(line string) row { return row{line, -1} })
	out = append(out, m.choices(width, height-len(out))...)
	if legend := m.legend(width); len(out)+len(legend) < height {
		out = append(out, slices.Repeat([]row{{"", -1}}, height-len(out)-len(legend))...)
		out = append(out, seq.Map(legend, func(line string) row { return row{dim.Render(line), -1} })...)
	}
	return out
}

// panelHead is the part of the panel above the options. Figures that leave too few rows for these end with …
func (m *model) panelHead(width, height int) []string {
	players, figures, dice := m.players(min(width, mostPlayers)), m.figures(width), m.dice(width)
	left, choices := height-len(players)-len(dice), len(slices.Concat(m.blocks(width, false)...))
	if room := max(1, left-max(choices, usualChoices), min(usualFigures, left-usualChoices)); len(figures) > room {
		figures = figures[:room]
		figures[room-1] = ansi.Truncate(figures[room-1], width-2, "") + " …"
	}
	return slices.Concat(players, figures, dice)
}

// panelRows is the number of rows that the panel usually needs.
func (m *model) panelRows(width int) int {
	return len(m.players(min(width, mostPlayers))) + len(m.figures(width)) + usualDice + usualChoices + len(m.legend(width))
}

// legend explains the signs of squares.
func (m *model) legend(width int) []string {
	var out []string
	for _, text := range m.session.Game().Rules().Board.Legend() {
		text = strings.ReplaceAll(text, "_", " ")
		if n := len(out); n > 0 && lipgloss.Width(out[n-1])+2+lipgloss.Width(text) <= width {
			out[n-1] += "  " + text
		} else {
			out = append(out, hang(text, width)...)
		}
	}
	return out
}

// players lists the seats with the number of their pieces in each zone.
func (m *model) players(width int) []string {
	g := m.session.Game()
	b := g.Rules().Board
	zones := m.zones()
	if len(zones) > 4 {
		zones = nil
	}
	least := 3 // columns for the letter of a colour, and for its name
	for c := range g.Rules().Colours {
		least = max(least, 3+lipgloss.Width(m.session.Called(g.ColourName(c))))
	}
	headings := seq.Map(zones, func(z int) string { return m.session.Called(b.Places[z].Name) })
	widths, head := columns(headings, width, least, len(strconv.Itoa(g.Rules().PieceCount)))
	name := width - seq.Total(widths)
	out := seq.Map(head, func(line string) string { return dim.Render(line) })
	letters := boards.Letters(b)
	counts := map[[2]int]int{}
	for _, s := range m.standings() {
		counts[[2]int{s.Place, s.Colour}]++
	}
	for seat, x := range g.Rules().Seats {
		for i, c := range x.Colours {
			board := g.Rules().Colours[c].Board
			sign := " "
			if i == 0 && m.state.Asked == g.SeatName(seat) {
				sign = "▶"
			}
			text := " " + m.session.Called(g.ColourName(c))
			switch seat := m.state.Seats[seat]; {
			case i > 0:
				text = " +" + m.session.Called(g.ColourName(c))
			case seat.Place > 0:
				sign = strconv.Itoa(seat.Place)
			case slices.Contains(m.state.Winners, seat.Name): // of a game without a ranking
				sign = "1"
			case !seat.Playing:
				sign = "×"
			}
			line := sign + m.piece(letters[board], board) + fit(text, max(0, name-2))
			for i, z := range zones {
				line += fmt.Sprintf("%*d", widths[i], counts[[2]int{z, board}])
			}
			out = append(out, line)
		}
	}
	return out
}

// columns are the widths of columns of numbers beside names in a table of a width, and the lines of their headings. Each heading ends
// where its column does, in whole words. Where the headings do not fit side by side, some stand higher than others.
func columns(headings []string, width, name, digits int) (widths []int, lines []string) {
	sum := 0
	for i, h := range headings {
		if i == 0 { // it also stands above the names
			h = ""
		}
		widths = append(widths, max(3, lipgloss.Width(h)+1))
		sum += widths[i]
	}
	if name+sum > width {
		widths = slices.Repeat([]int{digits + 1}, len(headings))
	}
	var rows [][]rune // the lowest first
	end := width
	for i, h := range slices.Backward(headings) {
		at := 0
		for _, words := range slices.Backward(wrap(h, end)) {
			text := []rune(words)
			from := end - len(text)
			for at < len(rows) && strings.TrimSpace(string(rows[at][max(0, from-1):min(end+1, width)])) != "" {
				at++
			}
			if at == len(rows) {
				rows = append(rows, []rune(strings.Repeat(" ", width)))
			}
			copy(rows[at][from:], text)
			at++
		}
		end -= widths[i]
	}
	if len(rows) == 0 {
		rows = [][]rune{[]rune(strings.Repeat(" ", width))}
	}
	slices.Reverse(rows)
	return widths, seq.Map(rows, func(row []rune) string { return string(row) })
}

// zones lists the zones that pieces can be in, and any that contains one.
func (m *model) zones() []int {
	return m.session.Zones(seq.Map(m.standings(), func(s boards.Standing) int { return s.Place }))
}

// piece is the letter of a colour in the style of its pieces.
func (m *model) piece(letter string, colour int) string {
	if !m.color {
		return letter
	}
	return boards.PieceText(m.session.Game().Rules().Board, colour, letter)
}

// figures are the public values of the rules, grouped by name.
func (m *model) figures(width int) []string {
	var out []string
	for i, f := range m.state.Figures {
		text := f.Text()
		if i+1 < len(m.state.Figures) && m.state.Figures[i+1].Name == f.Name {
			text += ","
		}
		if i == 0 || m.state.Figures[i-1].Name != f.Name {
			out = append(out, hang(f.Name+":", width)...)
		}
		if last := len(out) - 1; lipgloss.Width(out[last])+1+lipgloss.Width(text) <= width {
			out[last] += " " + text
		} else {
			out = append(out, hang("  "+text, width)...)
		}
	}
	return out
}

// dice are boxes with the last throw, with the question beside them.
func (m *model) dice(width int) []string {
	values := seq.Map(m.state.Thrown, func(d door.Thrown) string { return strconv.Itoa(d.Value) })
	question := m.state.Question
	switch {
	case !m.shown():
		question = m.say("screen.alone", "who", m.asked())
	case m.state.Waits == door.WaitsThrow:
		question = m.say("screen.press", "question", question)
	case m.state.Waits == door.WaitsOver:
		question = strings.Join(m.state.Result, " ")
	}
	if !strings.HasPrefix(question, m.state.Threw) {
		question = m.state.Threw + ". " + question
	}
	if len(values) == 0 {
		return append([]string{""}, wrap(question, width)...)
	}
	inner := " " + strings.Join(values, " ") + " "
	n := lipgloss.Width(inner)
	if n+6 > width {
		return append([]string{m.say("screen.thrown", "numbers", inner)}, wrap(question, width)...)
	}
	box := []string{"╭" + strings.Repeat("─", n) + "╮", "│" + bold.Render(inner) + "│", "╰" + strings.Repeat("─", n) + "╯"}
	text := wrap(question, width-n-3)
	box = append(box, slices.Repeat([]string{strings.Repeat(" ", n+2)}, max(0, len(text)-len(box)))...)
	for i, line := range text {
		box[i] += " " + line
	}
	return box
}

// choices are the options or numbers in a number of rows; the selected one is visible.
func (m *model) choices(width, height int) []row {
	if !m.shown() || height < 1 {
		return nil
	}
	blocks := m.blocks(width, true)
	if !m.inFull(width, height) {
		blocks = m.blocks(width, false)
	}
	var out []row
	for i, lines := range blocks {
		for n, line := range lines {
			switch {
			case n > 0:
				line = "   " + dim.Render(line)
			case i == m.cursor:
				line = "▸" + mark.Render(strings.TrimRight(line, " "))
			default:
				line = " " + line
			}
			out = append(out, row{line, i})
		}
	}
	if top := min(m.cursor-height/2, len(out)-height); len(out) > height && top > 0 {
		out = out[top:]
	}
	return out[:min(len(out), height)]
}

// inFull reports whether there is room for the effects of all options; otherwise a star marks options with effects.
func (m *model) inFull(width, height int) bool {
	return len(slices.Concat(m.blocks(width, true)...)) <= height
}

// blocks are the lines of each option or number: its text and, if full, its further effects below.
func (m *model) blocks(width int, full bool) [][]string {
	out := seq.Map(m.state.Numbers, func(n int) []string { return []string{strconv.Itoa(n)} })
	digits := len(strconv.Itoa(len(m.state.Options)))
	for _, o := range m.state.Options {
		lines := wrap(o.Words, width-digits-2)
		if o.Key != "" {
			for n, words := range lines {
				lines[n] = strings.Repeat(" ", digits+1) + words
			}
			lines[0] = fmt.Sprintf("%*s", digits, o.Key) + lines[0][digits:]
		}
		last := len(lines) - 1
		switch {
		case o.Does == "":
		case width-2-lipgloss.Width(lines[last]) >= lipgloss.Width(o.Does)+2:
			lines[last] += "  " + o.Does
		case full:
			lines = append(lines, wrap(o.Does, width-3)...)
		default:
			lines[last] += " *"
		}
		out = append(out, lines)
	}
	return out
}
