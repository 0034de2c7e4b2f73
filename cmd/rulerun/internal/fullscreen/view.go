package fullscreen

import (
	"cmp"
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
	moreLog   = 10 // rows that the log gets besides, where the board leaves them
)

// The panel beside the board: the narrowest one, and the widest that is read at a glance.
const (
	panelColumns = 22
	mostPanel    = 56
	mostPlayers  = 34 // of the table of players
	leastName    = 10 // of that, for the names of colours
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
	if m.small() {
		return []string{fmt.Sprintf("The terminal is %d×%d.", m.columns, m.rows), fmt.Sprintf("The board needs %d×%d;", MinColumns, MinRows), "make it larger, or leave with q."}
	}
	out := []string{m.title()}
	c, height := m.arrange()
	if m.page != nil {
		out = append(out, m.pageLines(height)...)
	} else {
		out = append(out, m.middle(c, height)...)
	}
	out = append(out, m.foot(m.rows-titleRows-height)...)
	for i := range out {
		out[i] = cut(out[i], m.columns)
	}
	return out
}

// small reports whether the terminal is too small to show the game.
func (m *model) small() bool { return m.columns > 0 && (m.columns < MinColumns || m.rows < MinRows) }

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
	case m.state.Waits == door.WaitsNumber, m.state.Options[0].Steps == 0:
		return m.state.Asked + ": your choice"
	}
	return m.state.Asked + ": your move"
}

// arrange lays the board out for the size of the terminal, nil where it does not fit, and says how many rows are for it and the panel.
func (m *model) arrange() (c *boards.Compact, height int) {
	height = m.rows - titleRows - footRows
	if size := [2]int{m.columns, height}; m.layout == nil || m.layoutFor != size {
		m.layout = m.session.Game().Rules().Board.Compact(m.columns-panelColumns-1, height)
		m.layoutFor = size
	}
	if m.layout == nil {
		return nil, height
	}
	return m.layout, height - min(moreLog, max(0, height-max(m.layout.Height+1, MinRows)))
}

// middle is the board with the panel beside it.
func (m *model) middle(c *boards.Compact, height int) []string {
	var board []string
	width := 0
	if c != nil {
		used := *c
		used.Zones = m.usedZones(c.Zones)
		board, width = used.Draw(m.session.Game().Rules().Board, m.standings(), m.signs(), m.color), c.Width
	} else {
		board = []string{"", "  The board does not fit here.", "  Make the terminal larger."}
		width = 30
	}
	left, top := m.boardAt(width, len(board), height)
	panel := m.panel(m.panelWidth(left+width), height)
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

// usedZones are those that pieces of this game come to.
func (m *model) usedZones(zones []boards.ZoneCell) []boards.ZoneCell {
	places, owners := m.zones(), []int{boards.None}
	for _, c := range m.session.Game().Rules().Colours {
		owners = append(owners, c.Board)
	}
	return slices.DeleteFunc(slices.Clone(zones), func(z boards.ZoneCell) bool {
		return !slices.Contains(places, z.Place) || !slices.Contains(owners, z.Owner)
	})
}

// panelWidth is how wide the panel is beside a board that ends there; a column stays free at the edge.
func (m *model) panelWidth(end int) int { return min(mostPanel, m.columns-end-2) }

// boardAt is where the board stands in its part of the screen.
func (m *model) boardAt(width, high, height int) (left, top int) {
	return max(0, min(m.columns-panelColumns-1-width, 3)/2), max(0, (height-high)/2)
}

// standings are the pieces as boards are drawn with.
func (m *model) standings() []boards.Standing {
	b := m.session.Game().Rules().Board
	var out []boards.Standing
	for _, p := range m.state.Pieces {
		place, _ := b.Place(p.At)
		out = append(out, boards.Standing{Place: place, Colour: b.Colour(p.Colour)})
	}
	return out
}

// signs are the numbers of the options where they lead, the way of the one pointed at, or what happened last.
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
			sign.Owner = g.Rules().Colours[g.ColourOf(*piece)].Board
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
			add(cmp.Or(o.To, o.From), o.Piece, toMark, strconv.Itoa(i+1))
		}
	}
	add(cmp.Or(pointed.To, pointed.From), pointed.Piece, pointedMark, strconv.Itoa(m.cursor+1))
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

// row is a line of the panel, and the option it stands for: -1 for none.
type row struct {
	text   string
	option int
}

// panel is what stands beside the board: the players, the dice, and what can be chosen.
func (m *model) panel(width, height int) []row {
	var out []row
	add := func(text string) { out = append(out, row{text, -1}) }
	for _, line := range m.players(min(width, mostPlayers)) {
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
	if len(zones) > 4 {
		zones = nil
	}
	name := width - leastName
	widths := make([]int, len(zones))
	for i, z := range zones {
		left := len(zones) - i
		widths[i] = max(3, min(name-4*(left-1), lipgloss.Width(b.Places[z].Name)+1))
		name -= widths[i]
	}
	name += leastName
	head := strings.Repeat(" ", max(0, name))
	for i, z := range zones {
		head += padded(short(b.Places[z].Name, widths[i]-1), widths[i])
	}
	out := []string{dim.Render(head)}
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
			text := " " + g.ColourName(c)
			switch seat := m.state.Seats[seat]; {
			case i > 0:
				text = " +" + g.ColourName(c)
			case seat.Place > 0:
				sign = strconv.Itoa(seat.Place)
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

// zones are the zones that pieces can be in: those of the tracks, the one they begin in, and any that holds one.
func (m *model) zones() []int {
	rules := m.session.Game().Rules()
	counts := map[int]bool{rules.PiecesAt: true}
	for _, run := range rules.Track.Runs {
		for _, n := range run.Nodes {
			counts[n.Place] = true
		}
	}
	for _, s := range m.standings() {
		counts[s.Place] = true
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

// figures are the values that the rules keep; those of one name follow one another.
func (m *model) figures(width int) []string {
	var out []string
	for i, f := range m.state.Figures {
		text := strings.TrimSpace(f.Of + " " + f.Value)
		if i+1 < len(m.state.Figures) && m.state.Figures[i+1].Name == f.Name {
			text += ","
		}
		if i == 0 || m.state.Figures[i-1].Name != f.Name {
			out = append(out, f.Name+":")
		}
		if last := len(out) - 1; lipgloss.Width(out[last])+1+lipgloss.Width(text) <= width {
			out[last] += " " + text
		} else {
			out = append(out, fit("  "+text, width))
		}
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
	switch {
	case !m.shown():
		question = m.state.Asked + " alone looks now: press Enter."
	case m.state.Waits == door.WaitsThrow:
		question += ": press Enter."
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
func (m *model) foot(rows int) []string {
	note := m.note
	if note == "" && m.shown() && m.cursor < len(m.state.Options) && m.state.Options[m.cursor].Does != "" {
		note = "* " + m.state.Options[m.cursor].Does
	}
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
	for len(tail) < room {
		tail = append(tail, "")
	}
	tail = append(tail, notes...)
	for i := range tail {
		tail[i] = " " + m.named(tail[i])
	}
	return append(tail, dim.Render(" "+m.keyLine()))
}

// atMost breaks a text into lines of the foot, and ends it with … where it is longer than the rows.
func (m *model) atMost(rows int, text string) []string {
	lines := hang(text, m.columns-4)
	if len(lines) > rows {
		lines = lines[:rows]
		lines[rows-1] += " …"
	}
	return lines
}

// keyLine are the keys that matter most now, as many as there is room for.
func (m *model) keyLine() string {
	var keys []string
	switch {
	case m.page != nil:
		return "↑↓ scroll   any other key goes back"
	case m.keys != nil:
		keys = m.keys
	case m.state.Waits == door.WaitsOption || m.state.Waits == door.WaitsNumber:
		keys = []string{"↑↓ point", "Enter or 1-9 take", "F1 keys", "q leave", "? why not", "h hint", "u undo", "r rules"}
	case m.state.Waits == door.WaitsOver:
		keys = []string{"Enter leave", "F1 keys", "u undo", "r rules", "l log"}
	case m.state.Waits == door.WaitsOther:
		keys = []string{"Enter skip", "f on to my choice", "F1 keys", "q leave", "u undo", "r rules", "l log"}
	default:
		keys = []string{"Enter throw", "f on to my choice", "F1 keys", "q leave", "u undo", "r rules", "l log"}
	}
	line := ""
	for _, k := range keys {
		if lipgloss.Width(line)+len("   ")+lipgloss.Width(k)+2 <= m.columns {
			line += "   " + k
		}
	}
	return strings.TrimSpace(line)
}

func (m *model) pageLines(height int) []string {
	var lines []string
	for _, l := range m.page.lines {
		lines = append(lines, hang(l, m.columns-4)...)
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
	c, height := m.arrange()
	y -= titleRows
	if c == nil || y < 0 || y >= height {
		return -1
	}
	left, top := m.boardAt(c.Width, c.Height, height)
	if panel := m.panel(m.panelWidth(left+c.Width), height); x > left+c.Width && y < len(panel) {
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
	_, height := m.arrange()
	return m.layout != nil && x > m.layout.Width && y >= titleRows && y < titleRows+height
}

// short is a name in at most so many columns.
func short(name string, most int) string {
	for r := []rune(name); lipgloss.Width(name) > max(0, most); name = string(r) {
		r = r[:len(r)-1]
	}
	return name
}

// padded is a text with blanks before it to a width.
func padded(s string, width int) string {
	return strings.Repeat(" ", max(0, width-lipgloss.Width(s))) + s
}

// fit cuts or fills a text to a width.
func fit(s string, width int) string {
	if lipgloss.Width(s) > width {
		s = short(s, max(0, width-1)) + "…"
	}
	return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s)))
}

// cut ends a painted line where the screen does.
func cut(s string, width int) string {
	if lipgloss.Width(s) <= width {
		return s
	}
	return lipgloss.NewStyle().MaxWidth(width).Render(s)
}

// hang breaks a text that is too long for a width; its further lines are set in.
func hang(s string, width int) []string {
	if lipgloss.Width(s) <= width {
		return []string{s}
	}
	lead := strings.Repeat(" ", len(s)-len(strings.TrimLeft(s, " ")))
	lines := wrap(s, width-len(lead)-2)
	for i := range lines {
		if lines[i] = lead + lines[i]; i > 0 {
			lines[i] = "  " + lines[i]
		}
	}
	return lines
}

// wrap breaks a text at spaces into lines of a width.
func wrap(s string, width int) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(s) {
		for width > 1 && lipgloss.Width(w) > width {
			if line != "" {
				out, line = append(out, line), ""
			}
			out = append(out, short(w, width))
			w = w[len(out[len(out)-1]):]
		}
		switch {
		case line == "":
			line = w
		case lipgloss.Width(line)+1+lipgloss.Width(w) > width:
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
