package fullscreen

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// Replay is a recorded game to step through.
type Replay struct {
	Game    *interpreter.Game
	Record  *record.Record
	Open    bool // shows secret choices: the game is complete
	Explain bool // shows the rules that took effect
}

// Step shows a recorded game, to step through forwards and backwards. misfit is the event that does not fit the
// rules, if the player has reached it (a *record.MisfitError); err is a fault of the terminal.
func Step(ctx context.Context, t Terminal, r *Replay) (misfit, err error) {
	m := &replayer{Replay: r, live: r.Record.Live(), color: t.Color}
	if err := m.to(0); err != nil {
		return nil, err
	}
	err = t.run(ctx, m)
	return m.misfit, err
}

// replayer is the model of a replay.
type replayer struct {
	*Replay
	*model
	live    []record.Event
	color   bool
	running bool // steps automatically
	turn    int  // generation of the timer, to ignore old ticks
	misfit  error
}

// beat is a tick of the timer.
type beat struct{ turn int }

// to moves to the position after n events.
func (m *replayer) to(n int) error {
	old := m.model
	if m.model == nil || n < m.session.At() {
		s, err := door.Again(m.Game, m.Record, m.Open)
		if err != nil {
			return err
		}
		m.model = newModel(&Game{Session: s, Explain: m.Explain}, m.color)
		m.log, m.seat = nil, interpreter.None
		if old != nil {
			m.columns, m.rows = old.columns, old.rows
		}
	}
	m.note, m.misfit = "", nil
	for m.session.At() < min(n, len(m.live)) {
		if err := m.session.Next(m.live[m.session.At()]); err != nil {
			m.misfit, m.note = err, sentence(door.Said(m.Game.Rules().Lang, err))
			break
		}
	}
	m.refresh()
	m.seat, m.state = interpreter.None, m.session.State(interpreter.None)
	m.where = m.say("replay.at", "at", m.session.At(), "n", len(m.live))
	m.keys = strings.Split(m.say("keys.replay"), "\n")
	return nil
}

// Init implements tea.Model.
func (m *replayer) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *replayer) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case beat:
		if !m.running || msg.turn != m.turn {
			return m, nil
		}
		return m, m.step(1)
	case tea.KeyPressMsg:
		if m.page == nil && m.prompt == nil {
			if cmd, done := m.stepKey(msg.Key()); done {
				return m, cmd
			}
		}
	}
	_, cmd := m.model.Update(msg)
	return m, cmd
}

func (m *replayer) stepKey(k tea.Key) (cmd tea.Cmd, done bool) {
	running := m.running
	m.running = false
	steps := map[string]int{
		"right": 1, "down": 1, "enter": 1, "n": 1, "left": -1, "up": -1, "p": -1, "pgdown": 10, "pgup": -10, "home": -len(m.live), "end": len(m.live),
	}
	if by, ok := steps[k.Keystroke()]; ok {
		return m.step(by), true
	}
	switch k.Keystroke() {
	case "space":
		if m.running = !running; m.running {
			return m.step(1), true
		}
		return nil, true
	case "q", "esc", "ctrl+c":
		return tea.Quit, true
	case "r", "l", "ctrl+z":
		return nil, false
	case "f1":
		m.open(m.say("screen.keys"), strings.Split(m.say("help.replay"), "\n"))
	default:
		m.note = m.say("replay.other_key")
	}
	return nil, true
}

// step moves some events on or back; a running replay continues after a delay.
func (m *replayer) step(by int) tea.Cmd {
	if err := m.to(max(0, m.session.At()+by)); err != nil {
		m.note = sentence(door.Said(m.Game.Rules().Lang, err))
	}
	if m.running = m.running && m.session.At() < len(m.live) && m.misfit == nil; !m.running {
		return nil
	}
	m.turn++
	turn := m.turn
	return tea.Tick(usualPace, func(time.Time) tea.Msg { return beat{turn} })
}
