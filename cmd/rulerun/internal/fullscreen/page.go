package fullscreen

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/rulerun/rulerun/dsl/seq"
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
		m.note = m.say("screen.wait", "key", "?")
		return
	}
	title := m.say("screen.why")
	if m.session.Position().Asking() != nil {
		title = m.say("screen.what_is_asked")
	}
	m.open(title, m.session.Why(""))
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
	m.open(m.say("screen.rules"), lines)
}

func (m *model) help() {
	lines := append(strings.Split(m.say("help.keys"), "\n"), "", m.say("help.board"), "", m.say("help.letters"))
	if !m.color {
		lines[len(lines)-1] += " " + m.say("help.small_letters")
	}
	if legend := m.session.Game().Rules().Board.Legend(); len(legend) > 0 {
		lines = append(lines, m.say("help.signs", "signs", strings.ReplaceAll(strings.Join(legend, ", "), "_", " ")))
	}
	m.open(m.say("screen.keys"), append(lines, "", m.say("help.players"), "", m.say("help.plain")))
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
	lines := seq.Flat(m.page.lines, func(l string) []string { return hang(l, m.columns-4) })
	m.page.top = max(0, min(m.page.top, len(lines)-(height-2)))
	end := min(len(lines), m.page.top+height-2)
	title := " " + bold.Render(m.page.title)
	if end-m.page.top < len(lines) {
		title += dim.Render("   " + m.say("screen.lines", "from", m.page.top+1, "to", end, "n", len(lines)))
	}
	out := append([]string{title, ""}, seq.Map(lines[m.page.top:end], func(line string) string { return "  " + m.named(line) })...)
	return append(out, make([]string, max(0, height-len(out)))...)
}
