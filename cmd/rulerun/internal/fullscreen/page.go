package fullscreen

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// page is a scrollable text that covers the board.
type page struct {
	title string
	lines []string
	top   int
}

// pageEnd is larger than the number of lines of any page: drawing stops at its end.
const pageEnd = 1 << 20

func (m *model) why() {
	if m.busy {
		m.note = "Wait until you are asked, then press ?."
		return
	}
	lines := m.session.Why("")
	title := "Why the other moves are not there"
	if m.session.Position().Asking() != nil {
		title = "What is asked"
	}
	m.open(title, lines)
}

func (m *model) open(title string, lines []string) {
	m.page = &page{title: title, lines: slices.Clone(lines)}
}

// rules shows the texts of the rules. The clause ids come last, one word each, so that lines break between them.
func (m *model) rules() {
	var lines []string
	for _, r := range m.session.Game().Rules().Rules {
		line := r.Words
		if n := len(r.Cites); n > 0 {
			cites := slices.Clone(r.Cites)
			cites[0] = "[" + cites[0]
			cites[n-1] += "]"
			for _, c := range cites {
				line += " " + dim.Render(c)
			}
		}
		lines = append(lines, line)
	}
	m.open("The rules", lines)
}

func (m *model) help() {
	lines := []string{
		"Enter        throw; take the move pointed at; wait no longer",
		"1 to 9       take the move of that number",
		"arrows, Tab  point at another move and show its way",
		"y, n         answer a question of yes and no",
		"g            name the squares of a move: 12 17",
		"mouse        click a square or a move, again to take it",
		"?            why other moves are not there; what a question is about",
		"h            a hint",
		"f            throw and go on to the next choice",
		"u            take back",
		"r            the rules",
		"l            what happened",
		"s            save the game",
		"q            leave; the game is kept",
		"Ctrl-Z       suspend",
		"",
		"On the board a move has its number where it ends: ▸1. The one pointed at, ▶1, comes from ◂ by the squares with a dot. " +
			"A star, 1 5 → 9 *, says that a move does more: the foot says what, once it is pointed at.",
		"",
		"Capital letters are pieces: Y is one of yellow, Y2 or YY are two.",
	}
	if !m.color {
		lines[len(lines)-1] += " Small letters mark the squares of a colour: y1."
	}
	if legend := m.session.Game().Rules().Board.Legend(); len(legend) > 0 {
		lines = append(lines, "Signs of squares: "+strings.ReplaceAll(strings.Join(legend, ", "), "_", " ")+". The rules say what they are for.")
	}
	m.open("Keys", append(lines, "",
		"Before the players ▶ is in turn, 1 has won, 2 came second, × is out of the game.", "",
		"rulerun play --plain plays by lines."))
}

// pageKey handles a key while a page covers the board.
func (m *model) pageKey(k tea.Key) tea.Cmd {
	p := m.page
	switch k.Keystroke() {
	case "up", "k":
		p.top--
	case "down", "j", "enter":
		p.top++
	case "pgup", "b":
		p.top -= max(1, m.rows-titleRows-4)
	case "pgdown", "space":
		p.top += max(1, m.rows-titleRows-4)
	case "home":
		p.top = 0
	case "end":
		p.top = pageEnd
	default:
		if m.err != nil {
			return tea.Quit
		}
		m.page = nil
	}
	return nil
}

func (m *model) pageLines(height int) []string {
	var lines []string
	for _, l := range m.page.lines {
		lines = append(lines, hang(l, m.columns-4)...)
	}
	m.page.top = max(0, min(m.page.top, len(lines)-(height-2)))
	end := min(len(lines), m.page.top+height-2)
	title := " " + bold.Render(m.page.title)
	if end-m.page.top < len(lines) {
		title += dim.Render(fmt.Sprintf("   lines %d to %d of %d", m.page.top+1, end, len(lines)))
	}
	out := []string{title, ""}
	for i := m.page.top; i < end; i++ {
		out = append(out, "  "+m.named(lines[i]))
	}
	for len(out) < height {
		out = append(out, "")
	}
	return out
}
