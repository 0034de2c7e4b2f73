// Package fullscreen plays and replays games on a whole terminal: the board, the players, what can be chosen and what happened, with
// keys and the mouse.
//
// It stands between the command and the door, which knows the game; package boards lays the board out. It is the owner of Bubble Tea
// and Lip Gloss. What a newcomer gets wrong: Update must return quickly, so whatever takes long (a bot, a hint) runs in a command, and
// the session belongs to that command until its message comes back.
package fullscreen

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// The smallest terminal that a game is shown on.
const (
	MinColumns = 60
	MinRows    = 20
)

// Game is a game to play on the screen.
type Game struct {
	Session   *door.Session
	Before    []string // lines said before the first
	AutoThrow bool     // throws for people
	Explain   bool     // tells the rules that took effect
	// Save writes the game to a file that a player named.
	Save func(name string, text []byte) error
	// Kept says where the game is kept, "" where it is not.
	Kept string
	// Changed brings the game anew whenever its rules have changed; nil where they are not watched.
	Changed <-chan Change
	// Pace is the time between two events of bots; 0 is the usual one.
	Pace time.Duration
}

// Change is a game whose rules have changed, or why they cannot be used.
type Change struct {
	Game *interpreter.Game
	Err  error
}

// Terminal is where a screen is shown.
type Terminal struct {
	In    io.Reader
	Out   io.Writer
	Env   []string
	Color bool
	// Columns and Rows fix the size; 0 asks the terminal. For tests.
	Columns, Rows int
}

// usualPace lets people follow what bots do.
const usualPace = 350 * time.Millisecond

// Play plays a game until it is over and its players leave, or they stop. moved reports whether a person threw or chose anything. The
// error is a fault of the rules, or of the terminal. The result of a game stays on the terminal.
func Play(ctx context.Context, t Terminal, g *Game) (moved bool, err error) {
	m := newModel(g, t.Color)
	if _, err := t.run(ctx, m); err != nil {
		return m.moved, err
	}
	if p := m.session.Position(); p.Kind() == interpreter.Over {
		for _, line := range door.ResultLines(p) { // the screen is gone
			fmt.Fprintln(t.Out, line)
		}
	}
	return m.moved, m.err
}

// run shows a model until it quits.
func (t Terminal) run(ctx context.Context, m tea.Model) (tea.Model, error) {
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(t.In), tea.WithOutput(t.Out), tea.WithEnvironment(t.Env)}
	if !t.Color {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	if t.Columns > 0 {
		options = append(options, tea.WithWindowSize(t.Columns, t.Rows))
	}
	out, err := tea.NewProgram(m, options...).Run()
	if ctx.Err() != nil { // told to stop: the game is kept
		err = nil
	}
	return out, err
}

// model is a game on the screen.
type model struct {
	game    *Game
	session *door.Session
	seat    int // whose view this is, None for an onlooker
	color   bool

	columns, rows int
	layout        *boards.Compact
	layoutFor     [2]int

	state  *door.State
	log    []string
	thrown []door.Event // from the last throw on
	before int          // lines of the log before those
	told   int          // events that are in the log
	last   []door.Event // of the latest event: its way is shown
	cursor int          // the option pointed at
	typed  string       // digits of an option's number
	note   string       // an answer to a key

	keys  []string // at the foot of a game played again
	where string   // in its title

	page    *page        // what covers the board, nil for nothing
	prompt  *entry       // a line being typed, nil for none
	alone   bool         // the player asked in secret has said to be alone
	busy    bool         // a command has the session
	waiting *Change      // of the rules, until the command is done
	hurry   func() error // to be done as soon as the command is
	moved   bool
	err     error // of the rules
}

// page is text that covers the board, to be scrolled.
type page struct {
	title string
	lines []string
	top   int
}

// entry is a line being typed.
type entry struct {
	ask, text string
	done      func(text string) tea.Cmd
}

func newModel(g *Game, color bool) *model {
	m := &model{game: g, session: g.Session, seat: interpreter.None, color: color, moved: g.Session.At() > 0}
	if people := m.session.People(); len(people) == 1 {
		m.seat = people[0]
	}
	m.log = append(m.log, g.Before...)
	m.log = append(m.log, m.session.Welcome())
	m.refresh()
	return m
}

// refresh looks at the session anew.
func (m *model) refresh() {
	asked := m.session.Asks()
	if asked != interpreter.None && m.session.Person(asked) {
		m.seat = asked
	}
	before := m.state
	if m.state = m.session.State(m.seat); len(m.session.People()) > 1 { // others look at the screen, too
		m.state.Figures = m.session.State(interpreter.None).Figures
	}
	if before == nil || before.At != m.state.At {
		m.cursor, m.typed, m.alone = 0, "", false
	}
	events := m.session.Happened(m.told)
	m.last = m.session.Happened(m.session.At() - 1)
	if m.session.At() < m.told { // taken back
		m.last, m.log = nil, append(m.log, m.session.TakenBack())
	}
	m.told = m.session.At()
	m.tell(events)
	if m.session.LogError != nil {
		m.note = fmt.Sprintf("The game is not kept any longer: %v. Press s to save it.", m.session.LogError)
	}
}

// longLog is how many lines the log keeps.
const longLog = 500

// tell adds events to the log; what follows from a throw goes on in its line.
func (m *model) tell(events []door.Event) {
	if len(m.log) != m.before+len(door.Lines(m.thrown, m.game.Explain)) { // something else has been said
		m.thrown, m.before = nil, len(m.log)
	}
	events = append(m.thrown, events...)
	m.log = append(m.log[:m.before], door.Lines(events, m.game.Explain)...)
	if n := len(m.log); n > longLog {
		m.log = slices.Clone(m.log[n-longLog*4/5:])
	}
	for i, e := range slices.Backward(events) {
		if e.Kind == door.EventThrow || e.Kind == door.EventNumber || e.Kind == door.EventLot {
			events = events[i:]
			break
		}
	}
	m.thrown = slices.Clone(events)
	m.before = len(m.log) - len(door.Lines(m.thrown, m.game.Explain))
}

// The messages of commands.
type (
	stepped struct{ err error } // a bot has played, or a player's act is done
	pause   struct{}            // it is time for the next event
	hinted  struct{ option int }
	changed Change // the rules have changed
)

// Init begins.
func (m *model) Init() tea.Cmd {
	return tea.Batch(m.next(), m.listen())
}

// listen waits for a change of the rules.
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

// reload goes on by other rules, from the beginning of the turn where the position can still be.
func (m *model) reload(c Change) tea.Cmd {
	if c.Err != nil {
		m.open("The rules cannot be used as they are now", strings.Split(c.Err.Error(), "\n"))
		return m.listen()
	}
	header := *m.session.Header()
	header.First = ""
	note := "The rules have changed: the turn begins again by the new ones."
	if header.Position = m.session.TurnBegan(); header.Position == nil {
		note = "The rules have changed: the game begins again."
	}
	s, err := door.Open(c.Game, &header, nil)
	if err != nil {
		m.open("The position cannot be by the new rules; the game goes on by the old ones", strings.Split(err.Error(), "\n"))
		return m.listen()
	}
	m.session, m.game.Session, m.layout, m.state, m.page = s, s, nil, nil, nil
	m.told, m.thrown, m.before = 0, nil, len(m.log)
	m.refresh()
	m.note = note
	return tea.Batch(m.next(), m.listen())
}

// next is what happens by itself: bots play at a pace, and throws are made for people who want that.
func (m *model) next() tea.Cmd {
	if m.busy || m.session.Position().Kind() > interpreter.Choice {
		return nil
	}
	if m.session.Asks() == interpreter.None || m.game.AutoThrow && m.state.Waits == door.WaitsThrow {
		m.busy = true
		pace := m.game.Pace
		if pace == 0 {
			pace = usualPace
		}
		return tea.Tick(pace, func(time.Time) tea.Msg { return pause{} })
	}
	return nil
}

// step lets the session do something in a command.
func (m *model) step(do func() error) tea.Cmd {
	m.busy, m.note = true, ""
	return func() tea.Msg { return stepped{do()} }
}

// Update takes a message.
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
		switch {
		case m.hurry != nil:
			return m, m.hurried()
		case m.session.Asks() == interpreter.None:
			return m, m.step(m.session.Bot)
		}
		return m, m.step(m.session.Throw)
	case changed:
		if m.busy { // a command has the session
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
			m.note = "A good player might take " + m.state.Options[msg.option].Words + "."
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

func printable(r rune) rune {
	if r < ' ' || r == 0x7f {
		return -1
	}
	return r
}

// fault shows why something could not be done; a fault of the rules ends the game.
func (m *model) fault(err error) {
	if m.session.Position().Kind() == interpreter.Broken {
		m.err = err
		m.page = &page{title: "The rules fail here", lines: []string{err.Error(), "", "Press q to leave."}}
		return
	}
	m.note = sentence(err.Error())
}

// key does what a key says.
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
		kept := "It is kept, for rulerun play --resume."
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
		m.moved = m.moved || len(m.session.People()) > 0 // it throws for them
		switch {
		case m.state.Waits == door.WaitsOver:
			m.note = "The game is over."
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
		m.open("The rules", m.session.RuleLines())
	case "l":
		m.open("What happened", m.log)
		m.page.top = len(m.log)
	case "g", ":", "/":
		if m.note = "There is nothing to choose now."; m.state.Waits == door.WaitsOption && m.shown() {
			m.note = ""
			m.ask("From where to where, say 12 17: ", m.find)
		}
	default:
		switch {
		case k.Text == "?":
			m.why()
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

// shown reports whether the options at hand are on the screen: a hidden question waits until its player is alone.
func (m *model) shown() bool { return !m.state.Hidden || m.alone || len(m.session.People()) < 2 }

func (m *model) point(by int) {
	if n := len(m.state.Options) + len(m.state.Numbers); n > 0 {
		m.cursor = (m.cursor + by + n) % n
		m.typed = ""
	}
}

// act does the obvious: throws, takes what is pointed at, or does not wait any longer for bots.
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
	case door.WaitsOver:
		return tea.Quit
	}
	return nil
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

// digit takes the option of a number, as soon as no other number begins like it.
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

// hurried does what a player does not want to wait for.
func (m *model) hurried() tea.Cmd {
	do := m.hurry
	m.hurry = nil
	return m.step(do)
}

// catchUp lets bots play until a person is asked, or the game is over.
func (m *model) catchUp() error {
	for m.session.Position().Kind() <= interpreter.Choice && m.session.Asks() == interpreter.None {
		if err := m.session.Bot(); err != nil {
			return err
		}
	}
	return nil
}

// onward throws and lets bots play up to the next choice of a person, or the end.
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

// undo takes back the last decision of a person.
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
		b, err := bot.New("expectimax")
		if err != nil || bot.Fits(b, m.session.Game()) != nil {
			return hinted{0}
		}
		return hinted{m.session.Hint(b)}
	}
}

func (m *model) why() {
	if m.busy {
		m.note = "Wait until you are asked, then press ?."
		return
	}
	lines := m.session.Why("")
	m.open("Why the other moves are not there", lines)
}

func (m *model) open(title string, lines []string) {
	m.page = &page{title: title, lines: slices.Clone(lines)}
}

func (m *model) help() {
	m.open("Keys", []string{
		"Enter        throw; take the move pointed at; wait no longer",
		"1 to 9       take the move of that number",
		"arrows, Tab  point at another move and show its way",
		"g            name the squares of a move: 12 17",
		"mouse        click a square or a move, again to take it",
		"?            why other moves are not there",
		"h            a hint",
		"f            throw and go on to the next choice",
		"u            take back",
		"r            the rules",
		"l            what happened",
		"s            save the game",
		"q            leave; the game is kept",
		"Ctrl-Z       suspend",
		"",
		"On the board a move has its number where it ends: ▸1. The one",
		"pointed at, ▶1, comes from ◂ by the squares with a dot. Letters",
		"are pieces: Y2 are two of yellow. Before a player ▶ is in turn,",
		"1 has won, × is out. Other signs are marks of the game: the rules",
		"say what they mean.",
		"",
		"rulerun play --plain plays by lines.",
	})
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
	if m.busy { // a command has the session
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

// typeKey is a key while a line is typed.
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

// pageKey is a key while a page covers the board.
func (m *model) pageKey(k tea.Key) tea.Cmd {
	p := m.page
	switch k.Keystroke() {
	case "up", "k":
		p.top--
	case "down", "j", "enter":
		p.top++
	case "pgup", "b":
		p.top -= max(1, m.rows-6)
	case "pgdown", "space":
		p.top += max(1, m.rows-6)
	case "home":
		p.top = 0
	case "end":
		p.top = len(p.lines)
	default:
		if m.err != nil {
			return tea.Quit
		}
		m.page = nil
	}
	return nil
}

// click points at a square's option, or takes it where it is pointed at already.
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

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
