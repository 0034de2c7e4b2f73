package fullscreen

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl/seq"
)

// entry is the line editor.
type entry struct {
	ask, text string
	letter    bool // a letter answers it
	done      func(text string) tea.Cmd
}

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

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
		leave := m.say("screen.leave_kept")
		if m.game.Kept == "" {
			leave = m.say("screen.leave_unkept")
		}
		m.ask(leave+" ", func(text string) tea.Cmd {
			if yes := m.say("answer.yes"); text != "" && strings.HasPrefix(strings.ToLower(yes), strings.ToLower(text)) {
				return tea.Quit
			}
			return nil
		})
		m.prompt.letter = true
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
		m.note = m.say("screen.wait", "key", "u")
	case "s":
		m.ask(m.say("screen.save_as")+" ", m.save)
	case "r":
		m.rules()
	case "l":
		m.open(m.say("screen.log"), m.log)
		m.page.top = pageEnd
	case "v":
		if m.note = m.say("screen.no_values"); len(m.state.Figures) > 0 {
			m.note = ""
			m.open(m.say("screen.values"), m.figures(m.columns-4))
		}
	case "g", ":", "/":
		if m.note = m.say("screen.no_choice"); m.state.Waits == door.WaitsOption && m.shown() {
			m.note = ""
			m.ask(m.say("screen.from_to")+" ", m.find)
		}
	default:
		switch {
		case k.Text == "?":
			m.why()
		case m.state.Waits == door.WaitsOption && m.shown() && m.session.YesNo(k.Text) >= 0:
			return m.take(m.session.YesNo(k.Text))
		case len(k.Text) == 1 && k.Text >= "0" && k.Text <= "9":
			return m.digit(k.Text)
		case k.Text != "":
			m.note = m.say("screen.help")
			if k.Text == "*" {
				m.help()
			}
		case k.Keystroke() == "f1":
			m.help()
		}
	}
	return nil
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
		return m.answer(0)
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
		return m.say("screen.over_next")
	}
	return m.say("screen.over_leave")
}

// take chooses an option or number, counted from 0.
func (m *model) take(i int) tea.Cmd {
	if m.busy || i < 0 || i >= len(m.state.Options)+len(m.state.Numbers) {
		return nil
	}
	if m.state.Waits == door.WaitsNumber {
		i = m.state.Numbers[i]
	}
	return m.answer(i)
}

// answer does what a person is asked for.
func (m *model) answer(with int) tea.Cmd {
	m.moved = true
	return m.step(func() error { return m.session.Act(with) })
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
			m.note = m.say("table.throw_first")
		case door.WaitsOther:
			m.note = m.say("screen.computer_plays")
		}
		return nil
	}
	typed := strings.TrimLeft(m.typed+d, "0")
	if m.state.Options[0].Key == "" {
		typed = m.typed + d
	}
	keys := seq.Map(m.state.Options, func(o door.Option) string { return cmp.Or(o.Key, o.Words) })
	longer := slices.ContainsFunc(keys, func(k string) bool { return k != typed && strings.HasPrefix(k, typed) })
	at := slices.Index(keys, typed)
	if typed == "" || at < 0 && !longer {
		m.typed, m.note = "", m.say("screen.count", "n", count)
		return nil
	}
	if at >= 0 {
		m.cursor = at
	}
	if !longer {
		return m.take(at)
	}
	m.typed = typed
	m.note = m.say("screen.digit", "number", typed)
	return nil
}

// undo undoes the last decision of a person.
func (m *model) undo() tea.Cmd {
	if !m.state.Undo {
		m.note = m.say("table.undo")
		return nil
	}
	return m.step(m.session.Undo)
}

func (m *model) hint() tea.Cmd {
	if m.busy || m.state.Waits != door.WaitsOption || !m.shown() {
		m.note = m.say("screen.no_choice")
		return nil
	}
	m.busy, m.note = true, m.say("screen.thinking")
	return func() tea.Msg { return hinted{m.session.Hint()} }
}

// find takes a move by the names of its squares.
func (m *model) find(text string) tea.Cmd {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	i, fault := m.session.Find(strings.TrimSpace(text), nil)
	if fault != "" {
		if strings.Contains(fault, "\n") {
			m.open(m.say("screen.why_not"), strings.Split(fault, "\n"))
		} else {
			m.note = fault
		}
		return nil
	}
	return m.take(i)
}

func (m *model) save(name string) tea.Cmd {
	name = strings.TrimSpace(name)
	if name == "" {
		return nil
	}
	if m.busy { // a running command owns the session
		m.note = m.say("screen.wait", "key", "s")
		return nil
	}
	if err := m.session.SaveTo(name, m.game.Save); err != nil {
		m.note = m.say("table.save_fails", "why", err)
	} else {
		m.note = m.say("screen.saved", "file", name)
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
		if e.text += k.Text; e.letter {
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
