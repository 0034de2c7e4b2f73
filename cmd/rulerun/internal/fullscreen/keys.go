package fullscreen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// entry is the line editor.
type entry struct {
	ask, text string
	done      func(text string) tea.Cmd
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// key handles a key.
func (m *model) key(k tea.Key) tea.Cmd {
	switch {
	case k.Keystroke() == "ctrl+c":
		return tea.Quit
	case k.Keystroke() == "ctrl+z":
		return tea.Suspend
	case m.small():
		if k.Keystroke() == "q" || m.err != nil {
			return tea.Quit
		}
		return nil
	case m.prompt != nil:
		return m.typeKey(k)
	case m.page != nil:
		return m.pageKey(k)
	}
	m.note = ""
	switch k.Keystroke() {
	case "q", "esc":
		if len(m.session.People()) == 0 || m.state.Waits == door.WaitsOver || !m.moved {
			return tea.Quit
		}
		kept := "It is kept and can be gone on with."
		if m.game.Kept == "" {
			kept = "It is not kept."
		}
		m.ask("Leave the game? "+kept+" y or n: ", func(text string) tea.Cmd {
			if strings.HasPrefix(strings.ToLower(text), "y") {
				return tea.Quit
			}
			return nil
		})
	case "enter", "space":
		return m.act()
	case "up", "left", "shift+tab", "k":
		m.point(-1)
	case "down", "right", "tab", "j":
		m.point(1)
	case "home":
		m.cursor = 0
	case "end":
		m.cursor = max(0, len(m.state.Options)+len(m.state.Numbers)-1)
	case "backspace":
		m.typed = ""
	case "f":
		m.moved = m.moved || len(m.session.People()) > 0 // it makes their throws
		switch {
		case m.state.Waits == door.WaitsOver:
			m.note = m.overNote()
		case m.busy:
			m.hurry = m.onward
		default:
			return m.step(m.onward)
		}
	case "h":
		return m.hint()
	case "u":
		if !m.busy {
			return m.undo()
		}
		m.note = "Wait until you are asked, then press u."
	case "s":
		m.ask("Save the game as: ", m.save)
	case "r":
		m.rules()
	case "l":
		m.open("What happened", m.log)
		m.page.top = pageEnd
	case "g", ":", "/":
		if m.note = "There is nothing to choose now."; m.state.Waits == door.WaitsOption && m.shown() {
			m.note = ""
			m.ask("From where to where, say 12 17: ", m.find)
		}
	default:
		switch {
		case k.Text == "?":
			m.why()
		case m.state.Waits == door.WaitsOption && m.shown() && door.YesNo(m.words(), k.Text) >= 0:
			return m.take(door.YesNo(m.words(), k.Text))
		case len(k.Text) == 1 && k.Text >= "0" && k.Text <= "9":
			return m.digit(k.Text)
		case k.Text != "":
			m.note = "Press F1 or * for help."
			if k.Text == "*" {
				m.help()
			}
		case k.Keystroke() == "f1":
			m.help()
		}
	}
	return nil
}

// words are the texts of the options.
func (m *model) words() []string {
	out := make([]string, len(m.state.Options))
	for i, o := range m.state.Options {
		out[i] = o.Words
	}
	return out
}

func (m *model) point(by int) {
	if n := len(m.state.Options) + len(m.state.Numbers); n > 0 {
		m.cursor = (m.cursor + by + n) % n
		m.typed = ""
	}
}

// act executes the default action: it throws, takes the selected option, or skips the delay of bots.
func (m *model) act() tea.Cmd {
	if m.busy {
		if m.state.Waits == door.WaitsOther {
			m.hurry = m.catchUp
		}
		return nil
	}
	switch m.state.Waits {
	case door.WaitsThrow:
		m.moved = true
		return m.step(m.session.Throw)
	case door.WaitsNumber, door.WaitsOption:
		if !m.shown() {
			m.alone = true
			return nil
		}
		return m.take(m.cursor)
	case door.WaitsOver: // not quit: an Enter that hurries bots may come too late
		m.note = m.overNote()
	}
	return nil
}

// overNote describes the keys after the end of the game.
func (m *model) overNote() string {
	if m.game.More {
		return "The game is over: press q for the next one."
	}
	return "The game is over: press q to leave."
}

// take chooses an option or number, counted from 0.
func (m *model) take(i int) tea.Cmd {
	if m.busy || i < 0 || i >= len(m.state.Options)+len(m.state.Numbers) {
		return nil
	}
	m.moved = true
	if m.state.Waits == door.WaitsNumber {
		n := m.state.Numbers[i]
		return m.step(func() error { return m.session.Number(n) })
	}
	return m.step(func() error { return m.session.Choose(i) })
}

// digit takes the option with a number, as soon as no other number has this prefix.
func (m *model) digit(d string) tea.Cmd {
	if m.state.Waits == door.WaitsNumber {
		if n, err := strconv.Atoi(m.typed + d); err == nil {
			if i := slices.Index(m.state.Numbers, n); i >= 0 {
				return m.take(i)
			}
			m.typed += d
		}
		return nil
	}
	count := len(m.state.Options)
	if m.state.Waits != door.WaitsOption || !m.shown() {
		switch m.state.Waits {
		case door.WaitsThrow:
			m.note = "Nothing to choose yet: press Enter to throw."
		case door.WaitsOther:
			m.note = "Nothing to choose yet: the computer plays."
		}
		return nil
	}
	n, _ := strconv.Atoi(m.typed + d)
	if n < 1 || n > count {
		m.typed, m.note = "", fmt.Sprintf("There are %d to choose from.", count)
		return nil
	}
	m.cursor = n - 1
	if n*10 > count {
		return m.take(n - 1)
	}
	m.typed = strconv.Itoa(n)
	m.note = fmt.Sprintf("%d: press Enter, or another digit.", n)
	return nil
}

// undo undoes the last decision of a person.
func (m *model) undo() tea.Cmd {
	if !m.state.Undo {
		m.note = "There is nothing to take back: no player has decided anything yet."
		return nil
	}
	return m.step(m.session.Undo)
}

func (m *model) hint() tea.Cmd {
	if m.busy || m.state.Waits != door.WaitsOption || !m.shown() {
		m.note = "There is nothing to choose now."
		return nil
	}
	m.busy, m.note = true, "Thinking…"
	return func() tea.Msg {
		b, err := bot.New("strong")
		if err != nil {
			return hinted{0}
		}
		return hinted{m.session.Hint(b)}
	}
}

// find takes a move by the names of its squares.
func (m *model) find(text string) tea.Cmd {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	i, fault := m.session.Find(strings.TrimSpace(text), nil)
	if fault != "" {
		if strings.Contains(fault, "\n") {
			m.open("Why not", strings.Split(fault, "\n"))
		} else {
			m.note = fault
		}
		return nil
	}
	return m.take(i)
}

// save writes the game to a file.
func (m *model) save(name string) tea.Cmd {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil
	}
	if m.busy { // a running command owns the session
		m.note = "Wait until you are asked, then press s."
		return nil
	}
	text, err := m.session.Record(m.session.Header())
	if err == nil {
		err = m.game.Save(name, text)
	}
	if err != nil {
		m.note = "The game could not be saved: " + err.Error()
	} else {
		m.note = "Saved. Go on with: rulerun play --resume " + name
	}
	return nil
}

func (m *model) ask(text string, done func(string) tea.Cmd) { m.prompt = &entry{ask: text, done: done} }

// typeKey handles a key in the line editor.
func (m *model) typeKey(k tea.Key) tea.Cmd {
	e := m.prompt
	switch k.Keystroke() {
	case "enter":
		m.prompt = nil
		return e.done(e.text)
	case "esc":
		m.prompt = nil
	case "backspace":
		if r := []rune(e.text); len(r) > 0 {
			e.text = string(r[:len(r)-1])
		}
	case "ctrl+u":
		e.text = ""
	default:
		if e.text += k.Text; strings.HasSuffix(e.ask, "y or n: ") {
			m.prompt = nil
			return e.done(e.text)
		}
	}
	return nil
}

// click selects the option of a square, or takes it if it is selected already.
func (m *model) click(x, y int) tea.Cmd {
	if m.prompt != nil || m.busy {
		return nil
	}
	if m.page != nil {
		m.page = nil
		return nil
	}
	if !m.shown() {
		return nil
	}
	if i := m.optionAt(x, y); i >= 0 {
		if i == m.cursor {
			return m.take(i)
		}
		m.cursor = i
		return nil
	}
	if m.state.Waits == door.WaitsThrow && m.onDice(x, y) {
		return m.act()
	}
	return nil
}
