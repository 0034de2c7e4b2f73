// Package fullscreen plays and replays games in a full-screen terminal interface: the board, the players, the options
// and the events, with keys and the mouse.
//
// It uses package door, which knows the game; package boards lays the board out. It owns Bubble Tea and Lip Gloss.
// Note: Update must return quickly. Everything slow (a bot, a hint) runs in a command, and the
// session belongs to that command until its message arrives.
package fullscreen

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/interpreter"
)

// The minimum size of the terminal.
const (
	MinColumns = 60
	MinRows    = 20
)

// Game is a game to play on the screen.
type Game struct {
	Session   *door.Session
	Before    []string // lines printed before the first
	AutoThrow bool     // throws for people
	Explain   bool     // shows the rules that took effect
	// Save writes the game to a file that a player named.
	Save func(name string, text []byte) error
	// Kept is the name of the file with the record, "" if there is none.
	Kept string
	// More says that another game of a series follows.
	More bool
	// Changed sends a new game whenever its rules have changed; nil if they are not watched.
	Changed <-chan Change
	// Pace is the time between two events of bots; 0 is the default.
	Pace time.Duration
}

// Change is a game with changed rules, or the reason why they cannot be used.
type Change struct {
	Game *interpreter.Game
	Err  error
}

// Terminal is the terminal for a screen.
type Terminal struct {
	In    io.Reader
	Out   io.Writer
	Env   []string
	Color bool
	// Columns and Rows fix the size; 0 asks the terminal. For tests.
	Columns, Rows int
}

// usualPace is slow enough to follow the bots.
const usualPace = 350 * time.Millisecond

// Play plays a game until it is over and the players leave, or until they quit. The error is a fault of the rules, or of the
// terminal. The result of a game stays on the terminal.
func Play(ctx context.Context, t Terminal, g *Game) (door.Outcome, error) {
	m := newModel(g, t.Color)
	if err := t.run(ctx, m); err != nil {
		return m.session.Outcome(door.Quit, m.moved), err
	}
	if p := m.session.Position(); p.Kind() == interpreter.Over {
		for _, line := range door.ResultLines(p) { // after the screen is closed
			fmt.Fprintln(t.Out, line)
		}
	}
	return m.session.Outcome(door.Quit, m.moved), m.err
}

// run shows a model until it quits.
func (t Terminal) run(ctx context.Context, m tea.Model) error {
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(t.In), tea.WithOutput(t.Out), tea.WithEnvironment(t.Env)}
	if !t.Color {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	if t.Columns > 0 {
		options = append(options, tea.WithWindowSize(t.Columns, t.Rows))
	}
	_, err := tea.NewProgram(m, options...).Run()
	if ctx.Err() != nil { // interrupted: the game is saved
		return nil
	}
	return err
}

// model is a game on the screen.
type model struct {
	game    *Game
	session *door.Session
	seat    int // the seat that sees the screen, None for a spectator
	color   bool

	columns, rows int
	layout        *boards.Layout
	layoutFor     [2]int

	state  *door.State
	log    []string
	thrown []door.Event // events since the last throw, or since the turn began
	before int          // lines of the log before these
	told   int          // number of events in the log
	last   []door.Event // the latest event, which the board highlights
	cursor int          // index of the selected option
	typed  string       // digits of an option's number
	note   string       // the answer to a key

	keys  []string // keys to show below a replay
	where string   // its position in the title

	page    *page        // covers the board if not nil
	prompt  *entry       // the active line editor, or nil
	alone   bool         // the player with a secret choice has confirmed to be alone
	busy    bool         // a running command owns the session
	waiting *Change      // changed rules, pending until the command ends
	hurry   func() error // to do after the command
	moved   bool
	err     error // of the rules
}

func newModel(g *Game, color bool) *model {
	g.Session.Brief = true
	m := &model{game: g, session: g.Session, seat: interpreter.None, color: color, moved: g.Session.At() > 0}
	if people := m.session.People(); len(people) == 1 {
		m.seat = people[0]
	}
	m.log = append(m.log, g.Before...)
	m.log = append(m.log, m.session.Welcome())
	m.refresh()
	return m
}

// refresh reads the state of the session.
func (m *model) refresh() {
	asked := m.session.Asks()
	if asked != interpreter.None && m.session.Person(asked) {
		m.seat = asked
	}
	before := m.state
	m.state = m.session.State(m.seat)
	m.state.Figures = m.session.Figures()
	if before == nil || before.At != m.state.At {
		m.cursor, m.typed, m.alone = 0, "", false
	}
	events := m.session.Happened(m.told)
	m.last = m.session.Happened(m.session.At() - 1)
	if m.session.At() < m.told { // after an undo
		m.last, m.log = nil, append(m.log, m.session.TakenBack())
	}
	m.told = m.session.At()
	m.tell(events)
	if m.session.LogError != nil {
		m.note = m.say("screen.log_fails", "why", m.session.LogError)
	}
}

// longLog is the maximum number of lines in the log.
const longLog = 500

// tell adds events to the log; the effects of a throw extend its line.
func (m *model) tell(events []door.Event) {
	if len(m.log) != m.before+len(m.session.Lines(m.thrown, m.game.Explain)) { // another line was added in between
		m.thrown, m.before = nil, len(m.log)
	}
	events = append(m.thrown, events...)
	m.log = append(m.log[:m.before], m.session.Lines(events, m.game.Explain)...)
	if n := len(m.log); n > longLog {
		m.log = slices.Clone(m.log[n-longLog*4/5:])
	}
	for i, e := range slices.Backward(events) {
		if e.Begins() {
			events = events[i:]
			break
		}
	}
	m.thrown = slices.Clone(events)
	m.before = len(m.log) - len(m.session.Lines(m.thrown, m.game.Explain))
}

// The messages of commands.
type (
	stepped struct{ err error } // a bot or a player has acted
	pause   struct{}            // it is time for the next event
	hinted  struct{ option int }
	changed Change // the rules have changed
)

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.next(), m.listen())
}

// listen waits for changed rules.
func (m *model) listen() tea.Cmd {
	if m.game.Changed == nil {
		return nil
	}
	return func() tea.Msg {
		c, ok := <-m.game.Changed
		if !ok {
			return nil
		}
		return changed(c)
	}
}

// reload continues with changed rules, from the beginning of the turn if its position is still valid.
func (m *model) reload(c Change) tea.Cmd {
	if c.Err != nil {
		m.open(m.say("screen.bad_rules"), strings.Split(c.Err.Error(), "\n"))
		return m.listen()
	}
	note := m.say("screen.turn_again")
	if m.session.TurnBegan() == nil {
		note = m.say("screen.game_again")
	}
	s, err := m.session.Under(c.Game)
	if err != nil {
		m.open(m.say("screen.old_rules"), strings.Split(m.session.Said(err), "\n"))
		return m.listen()
	}
	s.Brief = true
	m.session, m.game.Session, m.layout, m.state, m.page = s, s, nil, nil, nil
	m.told, m.thrown, m.before = 0, nil, len(m.log)
	m.refresh()
	m.note = note
	return tea.Batch(m.next(), m.listen())
}

// next starts automatic events: bots at a pace, and throws for people who want that.
func (m *model) next() tea.Cmd {
	if m.busy || m.session.Position().Kind() > interpreter.Choice {
		return nil
	}
	if m.session.Asks() == interpreter.None || m.game.AutoThrow && m.state.Waits == door.WaitsThrow {
		m.busy = true
		return tea.Tick(cmp.Or(m.game.Pace, usualPace), func(time.Time) tea.Msg { return pause{} })
	}
	return nil
}

// step runs an action of the session in a command.
func (m *model) step(do func() error) tea.Cmd {
	m.busy, m.note = true, ""
	return func() tea.Msg { return stepped{do()} }
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.columns, m.rows = msg.Width, msg.Height
	case tea.ResumeMsg:
		return m, tea.ClearScreen
	case pause:
		if c := m.waiting; c != nil {
			m.busy, m.waiting = false, nil
			return m, m.reload(*c)
		}
		if m.hurry != nil {
			return m, m.hurried()
		}
		return m, m.step(func() error { return m.session.Act(0) })
	case changed:
		if m.busy { // a running command owns the session
			m.waiting = (*Change)(&msg)
			return m, nil
		}
		return m, m.reload(Change(msg))
	case stepped:
		m.busy = false
		m.refresh()
		if c := m.waiting; c != nil {
			m.waiting = nil
			return m, m.reload(*c)
		}
		if msg.err != nil {
			m.fault(msg.err)
			return m, nil
		}
		if m.hurry != nil {
			return m, m.hurried()
		}
		return m, m.next()
	case hinted:
		m.busy, m.hurry = false, nil
		if msg.option >= 0 && msg.option < len(m.state.Options) {
			m.cursor = msg.option
			m.note = strings.TrimSpace(m.say("screen.hint", "option", m.state.Options[msg.option].Words) + " " + m.session.Chances(msg.option))
		}
	case tea.KeyPressMsg:
		return m, m.key(msg.Key())
	case tea.PasteMsg:
		if m.prompt != nil {
			m.prompt.text += strings.Map(printable, msg.Content)
		}
	case tea.MouseClickMsg:
		if msg.Button == tea.MouseLeft {
			return m, m.click(msg.X, msg.Y)
		}
	case tea.MouseWheelMsg:
		if m.page != nil {
			m.page.top += map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: 3}[msg.Button]
		}
	}
	return m, nil
}

// fault shows why an action failed; a fault of the rules ends the game.
func (m *model) fault(err error) {
	if m.session.Position().Kind() == interpreter.Broken {
		m.err = err
		m.page = &page{title: m.say("screen.rules_fail"), lines: []string{m.session.Said(err), "", m.say("screen.leave")}}
		return
	}
	m.note = sentence(m.session.Said(err))
}

// shown reports whether the present options are visible: a secret question waits until its player is alone.
func (m *model) shown() bool { return !m.state.Hidden || m.alone || len(m.session.People()) < 2 }

func (m *model) hurried() tea.Cmd {
	do := m.hurry
	m.hurry = nil
	return m.step(do)
}

// catchUp lets bots play until a person has to act, or the game is over.
func (m *model) catchUp() error {
	for m.session.Position().Kind() <= interpreter.Choice && m.session.Asks() == interpreter.None {
		if err := m.session.Bot(); err != nil {
			return err
		}
	}
	return nil
}

// onward throws and lets bots play until the next choice of a person, or the end.
func (m *model) onward() error {
	for {
		if err := m.catchUp(); err != nil {
			return err
		}
		p := m.session.Position()
		if p.Kind() != interpreter.Throw || p.ChosenNumber() {
			return nil
		}
		if err := m.session.Throw(); err != nil {
			return err
		}
	}
}

// sentence makes a sentence: with a capital letter and a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return phrase.Capital(s) + "."
}
