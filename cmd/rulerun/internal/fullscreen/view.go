package fullscreen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
)

// The rows above and below the board: the title, and the log, the note and the keys.
const (
	titleRows = 1
	footRows  = 4
)

// The panel beside the board: the narrowest one, and the widest that is read at a glance.
const (
	panelColumns = 22
	mostPanel    = 56
)

var (
	bold = lipgloss.NewStyle().Bold(true)
	dim  = lipgloss.NewStyle().Faint(true)
	mark = lipgloss.NewStyle().Bold(true).Reverse(true)
)

// View draws the screen.
func (m *model) View() tea.View {
	v := tea.NewView(strings.Join(m.lines(), "\n"))
	v.AltScreen, v.MouseMode, v.WindowTitle = true, tea.MouseModeCellMotion, m.state.Title
	return v
}

// lines are the rows of the screen.
func (m *model) lines() []string {
	if m.columns == 0 {
		return nil
	}
	if m.columns < MinColumns || m.rows < MinRows {
		return []string{fmt.Sprintf("The terminal is %d×%d.", m.columns, m.rows), fmt.Sprintf("The board needs %d×%d;", MinColumns, MinRows), "make it larger, or leave with q."}
	}
	out := []string{m.title()}
	height := m.rows - titleRows - footRows
	if m.page != nil {
		out = append(out, m.pageLines(height)...)
	} else {
		out = append(out, m.middle(height)...)
	}
	out = append(out, m.foot()...)
	for i := range out {
		out[i] = cut(out[i], m.columns)
	}
	return out
}

// title is the name of the game, and whose turn it is.
func (m *model) title() string {
	left, right := " "+m.state.Title, m.status()+" "
	gap := max(1, m.columns-lipgloss.Width(left)-lipgloss.Width(right))
	return bold.Render(left) + strings.Repeat(" ", gap) + m.named(right)
}

func (m *model) status() string {
	switch {
	case m.where != "":
		return m.where
	case m.state.Waits == door.WaitsOver:
		return "the game is over"
	case m.state.Asked == "":
		return "who begins?"
	case m.state.Waits == door.WaitsOther:
		return m.state.Asked + " plays"
	case m.state.Waits == door.WaitsThrow:
		return m.state.Asked + ": throw"
	case m.state.Options != nil && m.state.Options[0].Steps == 0:
		return m.state.Asked + ": your choice"
	}
	return m.state.Asked + ": your move"
}

// arrange lays the board out for the size of the terminal.
func (m *model) arrange(height int) *boards.Compact {
	if size := [2]int{m.columns, height}; m.layout == nil || m.layoutFor != size {
		m.layout = m.session.Game().Rules().Board.Compact(m.columns-panelColumns-1, height)
		m.layoutFor = size
	}
	return m.layout
}

// middle is the board with the panel beside it.
func (m *model) middle(height int) []string {
	c := m.arrange(height)
	var board []string
	width := 0
	if c != nil {
		board, width = c.Draw(m.session.Game().Rules().Board, standings(m.session), m.signs(), m.color), c.Width
	} else {
		board = []string{"", "  The board does not fit here.", "  Make the terminal larger."}
		width = 30
	}
	left, top := m.boardAt(width, len(board), height)
	panel := m.panel(min(mostPanel, m.columns-left-width-1), height)
	out := make([]string, height)
	for y := range out {
		line := strings.Repeat(" ", left)
		if y >= top && y < top+len(board) {
			line += board[y-top]
		}
		if y < len(panel) {
			line += strings.Repeat(" ", max(1, left+width+1-lipgloss.Width(line))) + panel[y].text
		}
		out[y] = line
	}
	return out
}

// boardAt is where the board stands in its part of the screen.
func (m *model) boardAt(width, high, height int) (left, top int) {
	return max(0, min(m.columns-panelColumns-1-width, 3)/2), max(0, (height-high)/2)
}

// standings are the pieces as boards are drawn with.
func standings(s *door.Session) []boards.Standing {
	g, p := s.Game(), s.Position()
	var out []boards.Standing
	for place := range g.Rules().Board.Places {
		for _, piece := range p.PiecesOn(nil, place) {
			out = append(out, boards.Standing{Place: place, Colour: g.Rules().Colours[g.ColourOf(piece)].Board})
		}
	}
	return out
}

// signs are the numbers of options on the squares they lead to, the way of the one pointed at, and what happened last.
func (m *model) signs() map[int]boards.Sign {
	out := map[int]boards.Sign{}
	b := m.session.Game().Rules().Board
	at := func(name string) int {
		if place, ok := b.Place(name); ok {
			return place
		}
		return boards.None
	}
	if m.state.Waits != door.WaitsOption || !m.shown() {
		for _, e := range m.last {
			if e.Kind == door.EventMove {
				for _, name := range e.Way {
					out[at(name)] = boards.Sign{Text: "•"}
				}
				out[at(e.From)] = boards.Sign{Text: "◂"}
			}
			if e.Kind == door.EventMove || e.Kind == door.EventPut {
				out[at(e.To)] = boards.Sign{Text: "▸"}
			}
		}
		for place := range b.Places {
			if b.Places[place].Zone {
				delete(out, place)
			}
		}
		delete(out, boards.None)
		return out
	}
	for i, o := range slices.Backward(m.state.Options) {
		target := at(o.To)
		if o.To == "" {
			target = at(o.From)
		}
		out[target] = boards.Sign{Text: strconv.Itoa(i + 1)}
	}
	o := m.state.Options[m.cursor]
	for _, name := range o.Way {
		if place := at(name); out[place].Text == "" {
			out[place] = boards.Sign{Text: "•"}
		}
	}
	if o.To != "" && o.From != "" && at(o.From) != at(o.To) {
		out[at(o.From)] = boards.Sign{Text: "◂"}
	}
	target := at(o.To)
	if o.To == "" {
		target = at(o.From)
	}
	out[target] = boards.Sign{Text: "▸" + strconv.Itoa(m.cursor+1), Focus: true}
	delete(out, boards.None)
	return out
}

// row is a line of the panel, and the option it stands for: -1 for none.
type row struct {
	text   string
	option int
}

// panel is what stands beside the board: the players, the dice, and what can be chosen.
func (m *model) panel(width, height int) []row {
	var out []row
	add := func(text string) { out = append(out, row{text, -1}) }
	for _, line := range m.players(width) {
		add(line)
	}
	for _, line := range m.figures(width) {
		add(line)
	}
	for _, line := range m.dice(width) {
		add(line)
	}
	return append(out, m.choices(width, height-len(out))...)
}

// players are the seats with how many of their pieces are in each zone.
func (m *model) players(width int) []string {
	g := m.session.Game()
	b := g.Rules().Board
	zones := m.zones()
	each := min(8, max(3, (width-12)/max(1, len(zones))))
	if len(zones) > 4 {
		zones, each = nil, 0
	}
	name := width - each*len(zones)
	head := strings.Repeat(" ", max(0, name))
	for _, z := range zones {
		head += fmt.Sprintf("%*s", each, short(b.Places[z].Name, each-1))
	}
	out := []string{dim.Render(head)}
	letters := boards.Letters(b)
	counts := map[[2]int]int{}
	for _, s := range standings(m.session) {
		counts[[2]int{s.Place, s.Colour}]++
	}
	for seat, x := range g.Rules().Seats {
		for i, c := range x.Colours {
			board := g.Rules().Colours[c].Board
			sign := " "
			if i == 0 && m.state.Asked == g.SeatName(seat) {
				sign = "▶"
			}
			text := " " + g.ColourName(c)
			if i > 0 {
				text = " +" + g.ColourName(c)
			}
			if i == 0 && m.state.Seats[seat].Place > 0 {
				text += fmt.Sprintf(" %d.", m.state.Seats[seat].Place)
			} else if i == 0 && !m.state.Seats[seat].Playing {
				text += " out"
			}
			line := sign + m.piece(letters[board], board) + fit(text, max(0, name-2))
			for _, z := range zones {
				line += fmt.Sprintf("%*d", each, counts[[2]int{z, board}])
			}
			out = append(out, line)
		}
	}
	return out
}

// zones are the zones that pieces can be in: those of the tracks, the one they begin in, and any that holds one.
func (m *model) zones() []int {
	rules := m.session.Game().Rules()
	counts := map[int]bool{rules.PiecesAt: true}
	for _, run := range rules.Track.Runs {
		for _, n := range run.Nodes {
			counts[n.Place] = true
		}
	}
	for _, at := range m.session.Position().Places(nil) {
		counts[at] = true
	}
	var out []int
	for place := range rules.Board.Places {
		if rules.Board.Places[place].Zone && counts[place] {
			out = append(out, place)
		}
	}
	return out
}

// piece is the letter of a colour, painted like its pieces.
func (m *model) piece(letter string, colour int) string {
	if !m.color {
		return letter
	}
	return boards.PieceText(m.session.Game().Rules().Board, colour, letter)
}

// figures are the values that the rules keep, a line for each name.
func (m *model) figures(width int) []string {
	var out []string
	line, name := "", ""
	for _, f := range append(m.state.Figures, door.Figure{}) {
		if f.Name != name && line != "" {
			out = append(out, wrap(line, width)...)
			line = ""
		}
		if name = f.Name; line == "" {
			line = f.Name + ":"
		}
		line += strings.TrimRight(" "+strings.TrimSpace(f.Of+" "+f.Value), " ")
	}
	return out
}

// dice are boxes with what was thrown last, and the question beside them.
func (m *model) dice(width int) []string {
	var values []string
	for _, d := range m.state.Thrown {
		values = append(values, strconv.Itoa(d.Value))
	}
	question := m.state.Question
	switch m.state.Waits {
	case door.WaitsThrow:
		question = "Press Enter to throw."
	case door.WaitsOther:
		if question = "…"; m.where != "" {
			question = ""
		}
	case door.WaitsOver:
		question = strings.Join(m.state.Result, " ")
	}
	if !m.shown() && m.state.Waits == door.WaitsOption {
		question = m.state.Asked + " alone looks now: press Enter."
	}
	if len(values) == 0 {
		return append([]string{""}, wrap(question, width)...)
	}
	inner := " " + strings.Join(values, " ") + " "
	n := lipgloss.Width(inner)
	if n+6 > width {
		return append([]string{"Thrown:" + inner}, wrap(question, width)...)
	}
	box := []string{"╭" + strings.Repeat("─", n) + "╮", "│" + bold.Render(inner) + "│", "╰" + strings.Repeat("─", n) + "╯"}
	text := wrap(question, width-n-3)
	for i := len(box); i < len(text); i++ {
		box = append(box, strings.Repeat(" ", n+2))
	}
	for i, line := range text {
		box[i] += " " + line
	}
	return box
}

// choices are the options, or numbers, in so many rows; the one pointed at is among them.
func (m *model) choices(width, height int) []row {
	if !m.shown() || height < 1 {
		return nil
	}
	var lines []string
	for _, n := range m.state.Numbers {
		lines = append(lines, strconv.Itoa(n))
	}
	digits := len(strconv.Itoa(len(m.state.Options)))
	for i, o := range m.state.Options {
		line := fmt.Sprintf("%*d %s", digits, i+1, o.Words)
		if o.Does != "" {
			if room := width - 2 - lipgloss.Width(line); room >= lipgloss.Width(o.Does)+2 {
				line += "  " + o.Does
			} else {
				line += " *"
			}
		}
		lines = append(lines, line)
	}
	top := 0
	if len(lines) > height {
		top = min(max(0, m.cursor-height/2), len(lines)-height)
	}
	var out []row
	for i := top; i < min(len(lines), top+height); i++ {
		text := " " + fit(lines[i], width-1)
		if i == m.cursor {
			text = "▸" + mark.Render(strings.TrimRight(fit(lines[i], width-1), " "))
		}
		out = append(out, row{text, i})
	}
	return out
}

// foot is the log, the note and the keys.
func (m *model) foot() []string {
	room := footRows - 2
	var tail []string
	for i := len(m.log) - 1; i >= 0 && len(tail) < room; i-- {
		lines := wrap(strings.TrimLeft(m.log[i], " "), m.columns-4)
		if left := room - len(tail); len(lines) > left {
			lines = lines[:left]
			lines[left-1] += " …"
		}
		tail = append(lines, tail...)
	}
	for len(tail) < room {
		tail = append(tail, "")
	}
	for i := range tail {
		tail[i] = " " + m.named(tail[i])
	}
	note := m.note
	switch {
	case m.prompt != nil:
		note = bold.Render(m.prompt.ask) + m.prompt.text + "█"
	case note == "" && m.shown() && m.cursor < len(m.state.Options) && m.state.Options[m.cursor].Does != "":
		note = "* " + m.state.Options[m.cursor].Does
	}
	keys := "Enter throw"
	switch {
	case m.keys != "" && m.page == nil:
		return append(tail, " "+m.named(note), dim.Render(" "+m.keys))
	case m.page != nil:
		keys = "↑↓ scroll   any other key goes back"
		return append(tail, " "+note, dim.Render(" "+keys))
	case m.state.Waits == door.WaitsOption || m.state.Waits == door.WaitsNumber:
		keys = "↑↓ 1-9 point   Enter take   ? why not   h hint"
	case m.state.Waits == door.WaitsOver:
		keys = "Enter leave"
	case m.state.Waits == door.WaitsOther:
		keys = "f go on fast"
	default:
		keys += "   f on to my choice"
	}
	keys += "   u undo   r rules   F1 keys   q leave"
	return append(tail, " "+m.named(note), dim.Render(" "+keys))
}

func (m *model) pageLines(height int) []string {
	var lines []string
	for _, l := range m.page.lines {
		lines = append(lines, wrap(l, m.columns-4)...)
	}
	m.page.top = max(0, min(m.page.top, len(lines)-(height-2)))
	out := []string{" " + bold.Render(m.page.title), ""}
	for i := m.page.top; i < min(len(lines), m.page.top+height-2); i++ {
		out = append(out, "  "+m.named(lines[i]))
	}
	for len(out) < height {
		out = append(out, "")
	}
	return out
}

// named paints the names of colours.
func (m *model) named(line string) string {
	if !m.color {
		return line
	}
	b := m.session.Game().Rules().Board
	return door.EachWord(line, func(w string) string {
		if c := b.Colour(w); c != boards.None {
			return boards.PieceText(b, c, w)
		}
		return w
	})
}

// optionAt is the option at a point of the screen, -1 for none: in the list, or on the board, where the one pointed at comes first.
func (m *model) optionAt(x, y int) int {
	height := m.rows - titleRows - footRows
	c := m.arrange(height)
	y -= titleRows
	if c == nil || y < 0 || y >= height {
		return -1
	}
	left, top := m.boardAt(c.Width, c.Height, height)
	if panel := m.panel(min(mostPanel, m.columns-left-c.Width-1), height); x > left+c.Width && y < len(panel) {
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

// onDice reports whether a point of the screen is beside the board, where the dice are.
func (m *model) onDice(x, y int) bool {
	return m.layout != nil && x > m.layout.Width && y >= titleRows && y < m.rows-footRows
}

// short is a name in at most so many characters.
func short(name string, most int) string {
	if r := []rune(name); len(r) > most {
		return string(r[:max(0, most)])
	}
	return name
}

// fit cuts or fills a text to a width.
func fit(s string, width int) string {
	if n := lipgloss.Width(s); n <= width {
		return s + strings.Repeat(" ", width-n)
	}
	r := []rune(s)
	return string(r[:max(0, min(len(r), width-1))]) + "…"
}

// cut ends a painted line where the screen does.
func cut(s string, width int) string {
	if lipgloss.Width(s) <= width {
		return s
	}
	return lipgloss.NewStyle().MaxWidth(width).Render(s)
}

// wrap breaks a text at spaces into lines of a width.
func wrap(s string, width int) []string {
	if width < 1 || s == "" {
		return nil
	}
	var out []string
	line := ""
	for _, w := range strings.Fields(s) {
		for len([]rune(w)) > width {
			if line != "" {
				out, line = append(out, line), ""
			}
			out = append(out, string([]rune(w)[:width]))
			w = string([]rune(w)[width:])
		}
		switch {
		case line == "":
			line = w
		case len([]rune(line))+1+len([]rune(w)) > width:
			out, line = append(out, line), w
		default:
			line += " " + w
		}
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}
