package fullscreen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl/seq"
)

// The rows above and below the board: the title, and the log, the note and the keys.
const (
	titleRows = 1
	footRows  = 4
	moreLog   = 10 // further rows of the log, if the board leaves them
)

// The minimum width of the panel beside the board, and the maximum that is easy to read.
const (
	panelColumns = 22
	mostPanel    = 56
	mostPlayers  = 34 // width of the table of players
	usualDice    = 4  // rows of the dice and the question
	usualChoices = 5
	usualFigures = 5
	noBoard      = 30 // width of the message if the board does not fit
)

var (
	bold = lipgloss.NewStyle().Bold(true)
	dim  = lipgloss.NewStyle().Faint(true)
	mark = lipgloss.NewStyle().Bold(true).Reverse(true)
)

// View implements tea.Model.
func (m *model) View() tea.View {
	v := tea.NewView(strings.Join(m.lines(), "\n"))
	v.AltScreen, v.MouseMode, v.WindowTitle = true, tea.MouseModeCellMotion, door.TitleOf(m.session.Game())
	return v
}

// lines are the rows of the screen.
func (m *model) lines() []string {
	if m.columns == 0 {
		return nil
	}
	if m.small() {
		return strings.Split(m.say("screen.small", "size", fmt.Sprintf("%d×%d", m.columns, m.rows), "least", fmt.Sprintf("%d×%d", MinColumns, MinRows)), "\n")
	}
	out := []string{m.title()}
	if m.page != nil {
		out = append(out, m.pageLines(m.rows-titleRows-1)...)
		out = append(out, dim.Render(" "+m.keyLine()))
	} else {
		c, height := m.arrange()
		out = append(out, m.middle(c, height)...)
		out = append(out, m.foot(m.rows-titleRows-height, m.doesNote(c, height))...)
	}
	return seq.Map(out, func(line string) string { return ansi.Truncate(line, m.columns, "") })
}

// small reports whether the terminal is too small to show the game.
func (m *model) small() bool { return m.columns > 0 && (m.columns < MinColumns || m.rows < MinRows) }

// title is the name of the game, and whose turn it is.
func (m *model) title() string {
	left, right := " "+door.TitleOf(m.session.Game()), m.status()+" "
	if room := m.columns - lipgloss.Width(right) - 1; lipgloss.Width(left) > room {
		left = " " + wrap(left, room-3)[0] + " …"
	}
	gap := max(1, m.columns-lipgloss.Width(left)-lipgloss.Width(right))
	return bold.Render(left) + strings.Repeat(" ", gap) + m.named(right)
}

func (m *model) status() string {
	switch {
	case m.where != "":
		return m.where
	case m.state.Waits == door.WaitsOver:
		return m.say("screen.over")
	case m.state.Asked == "":
		return m.say("screen.who_begins")
	case m.state.Waits == door.WaitsOther:
		return m.say("screen.plays", "who", m.asked())
	case m.state.Waits == door.WaitsThrow:
		return m.say("screen.throw", "who", m.asked())
	case m.state.Waits == door.WaitsNumber, m.state.Options[0].Steps == 0:
		return m.say("screen.your_choice", "who", m.asked())
	}
	return m.say("screen.your_move", "who", m.asked())
}

// say is a text in the language of the game.
func (m *model) say(key string, args ...any) string { return m.session.Say(key, args...) }

// asked is what the player to act is called.
func (m *model) asked() string { return m.session.Called(m.state.Asked) }

// arrange lays the board out for the size of the terminal; c is nil if it does not fit. height is the number of rows
// for it and the panel.
func (m *model) arrange() (c *boards.Layout, height int) {
	height = m.rows - titleRows - footRows
	if size := [2]int{m.columns, height}; m.layout == nil || m.layoutFor != size {
		m.layout = m.session.Game().Rules().Board.Layout(m.columns-panelColumns-1, height)
		m.layoutFor = size
	}
	if m.layout == nil {
		return nil, height
	}
	need := max(m.layout.Height+1, m.panelRows(m.panelWidth(m.layout.Width)))
	return m.layout, height - min(moreLog, max(0, height-need))
}

// middle is the board with the panel beside it.
func (m *model) middle(c *boards.Layout, height int) []string {
	board, width := append([]string{""}, strings.Split(m.say("screen.no_board"), "\n")...), noBoard
	if c != nil {
		board, width = c.Keep(m.usedZone()).Draw(m.session.Game().Rules().Board, m.standings(), m.signs(), m.color), c.Width
	}
	left, top := m.boardAt(width, len(board), height)
	panel := m.panel(m.panelWidth(width), height)
	return seq.Of(height, func(y int) string {
		line := strings.Repeat(" ", left)
		if y >= top && y < top+len(board) {
			line += board[y-top]
		}
		if y < len(panel) {
			line += strings.Repeat(" ", max(1, left+width+1-lipgloss.Width(line))) + panel[y].text
		}
		return line
	})
}

// boardAt is the position of the board in its part of the screen.
func (m *model) boardAt(width, high, height int) (left, top int) {
	return max(0, min(m.columns-panelColumns-1-width, 3)/2), max(0, (height-high)/2)
}

// signs are the numbers of the options at their destinations, the way of the selected one, or the last event.
func (m *model) signs() []boards.Sign {
	var out []boards.Sign
	g := m.session.Game()
	add := func(name string, piece *int, mark, text string) {
		place, ok := g.Rules().Board.Place(name)
		if !ok {
			return
		}
		sign := boards.Sign{Place: place, Owner: boards.None, Mark: mark, Text: text}
		if piece != nil {
			sign.Owner = g.Rules().Colours[m.session.Position().ColourOf(*piece)].Board
		}
		out = append(out, sign)
	}
	way := func(places []string, piece *int, from string) {
		for _, name := range places {
			add(name, piece, "", wayMark)
		}
		add(from, piece, "", fromMark)
	}
	if m.state.Waits != door.WaitsOption || !m.shown() {
		for _, e := range m.last {
			if e.Kind == door.EventMove {
				way(e.Way, e.Piece, e.From)
			}
			if e.Kind == door.EventMove || e.Kind == door.EventPut {
				add(e.To, e.Piece, "", toMark)
			}
		}
		return slices.DeleteFunc(out, func(s boards.Sign) bool { return g.Rules().Board.Places[s.Place].Zone })
	}
	pointed := m.state.Options[m.cursor]
	if pointed.To != "" {
		way(pointed.Way, pointed.Piece, pointed.From)
	}
	for i, o := range slices.Backward(m.state.Options) {
		if i != m.cursor {
			add(cmp.Or(o.To, o.From), o.Piece, toMark, o.Key)
		}
	}
	add(cmp.Or(pointed.To, pointed.From), pointed.Piece, pointedMark, pointed.Key)
	if n := len(out); n > 0 {
		out[n-1].Focus = true
	}
	return out
}

// The marks of moves on the board.
const (
	pointedMark = "▶" // where the option pointed at ends
	toMark      = "▸" // where another ends, or a piece was set down
	fromMark    = "◂" // where the way begins
	wayMark     = "•"
)

// doesNote describes the effects of the selected option, if the panel has only a star for them.
func (m *model) doesNote(c *boards.Layout, height int) string {
	if !m.shown() || m.cursor >= len(m.state.Options) || m.state.Options[m.cursor].Does == "" {
		return ""
	}
	width := m.panelWidth(noBoard)
	if c != nil {
		width = m.panelWidth(c.Width)
	}
	if m.inFull(width, height-len(m.panelHead(width, height))) {
		return ""
	}
	return "* " + m.state.Options[m.cursor].Does
}

// foot is the log, a note and the keys. The answer to a key has priority over the effects of the selected option.
func (m *model) foot(rows int, does string) []string {
	note := cmp.Or(m.note, does)
	var notes []string
	switch {
	case m.prompt != nil:
		notes = []string{bold.Render(m.prompt.ask) + m.prompt.text + "█"}
	case note != "":
		notes = m.atMost(rows-1, note)
	}
	room := rows - 1 - len(notes)
	var tail []string
	for i := len(m.log) - 1; i >= 0 && len(tail) < room; i-- {
		tail = append(m.atMost(room-len(tail), strings.TrimLeft(m.log[i], " ")), tail...)
	}
	tail = append(tail, make([]string, max(0, room-len(tail)))...)
	tail = seq.Map(append(tail, notes...), func(line string) string { return " " + m.named(line) })
	return append(tail, dim.Render(" "+m.keyLine()))
}

// atMost wraps a text to the width of the foot, and ends it with … if it has too many rows.
func (m *model) atMost(rows int, text string) []string {
	lines := hang(text, m.columns-4)
	if len(lines) > rows {
		lines = lines[:rows]
		lines[rows-1] += " …"
	}
	return lines
}

// keyLine lists the most important keys, as many as fit.
func (m *model) keyLine() string {
	if m.page != nil {
		return m.say("keys.page")
	}
	of := map[string]string{
		door.WaitsOption: "keys.choose", door.WaitsNumber: "keys.choose", door.WaitsOver: "keys.over", door.WaitsOther: "keys.wait", door.WaitsThrow: "keys.throw",
	}
	keys := m.keys
	if keys == nil {
		keys = strings.Split(m.say(of[m.state.Waits]), "\n")
		if m.state.Waits == door.WaitsOver && m.game.More {
			keys[0] = m.say("keys.next_game")
		}
	}
	line := ""
	for _, k := range keys {
		if lipgloss.Width(line)+len("   ")+lipgloss.Width(k)+2 <= m.columns {
			line += "   " + k
		}
	}
	return strings.TrimSpace(line)
}

// named colours the names of colours.
func (m *model) named(line string) string {
	if !m.color {
		return line
	}
	return door.Painted(m.session.Game(), line)
}

// optionAt is the option at a point of the screen, -1 for none: in the list, or on the board, where the selected one
// has priority.
func (m *model) optionAt(x, y int) int {
	c, height := m.arrange()
	y -= titleRows
	if c == nil || y < 0 || y >= height {
		return -1
	}
	left, top := m.boardAt(c.Width, c.Height, height)
	if panel := m.panel(m.panelWidth(c.Width), height); x > left+c.Width && y < len(panel) {
		return panel[y].option
	}
	place := c.At(x-left, y-top)
	if place == boards.None || m.state.Waits != door.WaitsOption {
		return -1
	}
	name := m.session.Game().PlaceName(place)
	found := -1
	for i, o := range m.state.Options {
		if o.To == name || o.From == name {
			switch {
			case i == m.cursor:
				return i
			case found < 0 || o.To == name && m.state.Options[found].To != name:
				found = i
			}
		}
	}
	return found
}

// onDice reports whether a point of the screen is in the area of the dice.
func (m *model) onDice(x, y int) bool {
	_, height := m.arrange()
	return m.layout != nil && x > m.layout.Width && y >= titleRows && y < titleRows+height
}
