// Package table is the table people sit round: it runs a game with people and bots, shows it, takes orders, and keeps
// the record.
//
// It stands between the command and the engine. It reads lines and writes text, and knows no files: where a game is
// saved or gone on with is the command's business. What a newcomer gets wrong: chance is drawn anew for every event
// from the seed and the number of the event, so that a game gone on with, or taken back, has the same future as one
// played in one go.
package table

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
)

// Table is a game with those who play it.
type Table struct {
	Game   *interpreter.Game
	Header *record.Header
	Events []record.Event // of a game that is gone on with
	Before []string       // lines said before the first
	// Bots decides for each seat; nil where a person does.
	Bots []bot.Bot
	// Log is told every event; nil where there is none.
	Log *record.Writer
	// Lines are what people type. It is closed at the end of input.
	Lines <-chan string
	// Echo repeats what was typed, for input that nobody sees.
	Echo bool
	// Screen is what they see.
	Screen *Screen
	// AutoThrow throws for people.
	AutoThrow bool
	// Explain tells the rules that took effect.
	Explain bool
	// Save writes the game to a file that people named.
	Save func(name string, text []byte) error
	// CanResume says why a game that people named cannot be gone on with.
	CanResume func(name string) error

	pos    *interpreter.Position
	events []event
	tell   Teller
	news   []string
	next   string // the record to go on with
	moved  bool
}

// event is an event of the game, and whether a person decided it.
type event struct {
	record.Event
	person bool
}

// End says why a game is no longer played.
type End uint8

// The ways a game ends at the table.
const (
	Over        End = iota // it has a result
	Quit                   // somebody had enough
	InputEnds              // there is nobody to ask
	Interrupted            // the program was told to stop
	Resume                 // another game is gone on with
)

// maxEvents ends a game of bots that goes on and on.
const maxEvents = 200_000

// Outcome is how play ended.
type Outcome struct {
	End    End
	Resume string             // the record to go on with
	Moved  bool               // whether a person threw or decided anything
	Result interpreter.Result // of a game that is over
}

// Play plays until the game is over or people stop. The error is a fault of the rules, or a record that does not fit
// them.
func (t *Table) Play(ctx context.Context) (Outcome, error) {
	if err := t.sitDown(); err != nil {
		return Outcome{}, err
	}
	t.news = append(append(t.news, t.Before...), t.welcome())
	t.passing()
	for {
		if ctx.Err() != nil {
			return t.outcome(Interrupted), nil
		}
		if len(t.events) >= maxEvents {
			t.flush()
			return t.outcome(Quit), fmt.Errorf("the game goes on and on: nobody has won after %d throws and choices", maxEvents)
		}
		var end *End
		var err error
		switch t.pos.Kind() {
		case interpreter.Over:
			return t.over()
		case interpreter.Broken:
			t.flush()
			return t.outcome(Quit), t.pos.Err()
		case interpreter.Throw:
			end, err = t.throw(ctx)
		default:
			end, err = t.choose(ctx)
		}
		if err != nil {
			return t.outcome(Quit), err
		}
		if end != nil {
			return t.outcome(*end), nil
		}
	}
}

// ending is how a reply ends the game, nil where it does not.
func (t *Table) ending(r reply) *End {
	if r.end != nil && *r.end == Resume {
		t.next = r.text
	}
	return r.end
}

func (t *Table) outcome(e End) Outcome {
	o := Outcome{End: e, Resume: t.next, Moved: t.moved}
	if e == Over {
		o.Result = t.pos.Result()
	}
	return o
}

// welcome says what is played and by whom.
func (t *Table) welcome() string {
	var who []string
	for seat, name := range t.Header.Seats {
		who = append(who, t.Game.SeatName(seat)+" "+name)
	}
	text := fmt.Sprintf("%s: %s. Seed %d.", t.Game.Rules().Title, strings.Join(who, ", "), t.Header.Seed)
	if t.people() {
		text += " Type help for what can be typed."
		if t.Screen.terminal() && !t.Screen.fits(strings.Count(t.Screen.Board(t.pos, nil), "\n"), 0) {
			text += " The board needs more room than there is here: type board to see it."
		}
	}
	return text
}

// sitDown sets the game up and carries out the events there are.
func (t *Table) sitDown() error {
	t.tell.Explain = t.Explain
	t.tell.Note = t.note
	t.tell.Keeps = func(seat int) bool { return t.Bots[seat] == nil }
	t.events = t.events[:0]
	events := t.Events
	t.Events = nil
	if err := t.start(); err != nil {
		return err
	}
	for i, e := range events {
		if e.Kind == record.End {
			continue
		}
		person := t.decides()
		before := t.pos.Copy()
		if err := record.Apply(t.pos, e); err != nil {
			return err
		}
		said := e.After
		e.After = record.Changes(before, t.pos) // the record may be an old one
		t.events = append(t.events, event{e, person})
		if i == len(events)-1 && said == "" { // or may have ended before that was said
			t.log(func(w *record.Writer) error { return w.After(e.After) })
		}
	}
	t.moved = len(t.events) > 0
	t.tell.Follow(t.pos)
	return nil
}

func (t *Table) start() error {
	pos, err := record.Begin(t.Game, t.Header)
	if err != nil {
		return err
	}
	t.pos = pos
	return nil
}

// decides reports whether what the game waits for is a person's decision.
func (t *Table) decides() bool {
	switch t.pos.Kind() {
	case interpreter.Choice:
		return t.Bots[t.pos.Player()] == nil
	case interpreter.Throw:
		return t.pos.ChosenNumber() && t.Bots[t.pos.Player()] == nil
	}
	return false
}

// add notes an event that has been carried out.
func (t *Table) add(e record.Event, person bool) {
	t.events = append(t.events, event{e, person})
	t.moved = t.moved || person
	t.log(func(w *record.Writer) error { return w.Add(e) })
}

// after notes what the last event brought about.
func (t *Table) after(before *interpreter.Position) {
	changes := record.Changes(before, t.pos)
	t.events[len(t.events)-1].After = changes
	t.log(func(w *record.Writer) error { return w.After(changes) })
}

func (t *Table) note(words string) { t.log(func(w *record.Writer) error { return w.Note(words) }) }

func (t *Table) log(write func(*record.Writer) error) {
	if t.Log == nil {
		return
	}
	if err := write(t.Log); err != nil {
		t.Log = nil
		t.news = append(t.news, fmt.Sprintf("The record is not kept any longer: %v. Type: save FILE", err))
	}
}

// random is the chance for the next event.
func (t *Table) random() interpreter.Random {
	return interpreter.NewRandom(t.Header.Seed, uint64(len(t.events)))
}

// flush prints what happened.
func (t *Table) flush() {
	t.gather()
	t.Screen.Show(t.pos, t.news, t.tell.Moved(), 0)
	t.news = nil
}

// gather collects what happened.
func (t *Table) gather() { t.news = append(t.news, t.tell.Lines()...) }

// passing prints what happened so far where nobody is going to be asked soon.
func (t *Table) passing() {
	t.gather()
	if t.people() && t.Screen.terminal() {
		return // it is shown with the next question
	}
	t.Screen.Say(t.news...)
	t.news = nil
}

// people reports whether anybody at the table is one.
func (t *Table) people() bool { return slices.Contains(t.Bots, nil) }

// crowd reports whether several people share the screen.
func (t *Table) crowd() bool {
	n := 0
	for _, b := range t.Bots {
		if b == nil {
			n++
		}
	}
	return n > 1
}

func (t *Table) over() (Outcome, error) {
	t.gather()
	t.log(func(w *record.Writer) error { return w.Add(record.EndEvent(t.pos)) })
	t.news = append(t.news, ResultLines(t.pos)...)
	if t.people() || !t.Screen.terminal() {
		t.flush()
		return t.outcome(Over), nil
	}
	fmt.Fprint(t.Screen.Out, t.Screen.Board(t.pos, nil)) // what the bots did stays in view
	t.Screen.Say(t.news...)
	return t.outcome(Over), nil
}

// throw carries out the throw at hand.
func (t *Table) throw(ctx context.Context) (*End, error) {
	seat := t.pos.Player()
	lot := len(t.pos.Dice()) == 0
	player := t.Bots[max(seat, 0)]
	r := t.random()
	var numbers []int
	switch {
	case lot:
		numbers = []int{r.IntN(t.Game.Players())}
	case t.pos.ChosenNumber() && player != nil:
		numbers = []int{player.Number(t.pos, &r)}
	case t.pos.ChosenNumber():
		n, r, err := t.askNumber(ctx)
		if r.end != nil || r.again || err != nil {
			return t.ending(r), err
		}
		numbers = []int{n}
	default:
		if player == nil && !t.AutoThrow {
			if r, err := t.askThrow(ctx); r.end != nil || r.again || err != nil {
				return t.ending(r), err
			}
			t.moved = true
		}
		for i := range t.pos.Dice() {
			numbers = append(numbers, draw(t.pos.Outcomes(nil, i), &r))
		}
	}
	person := player == nil && t.pos.ChosenNumber()
	e := record.ThrowEvent(t.pos, numbers)
	if lot {
		t.tell.Says("The lot falls on " + t.Game.SeatName(numbers[0]))
	} else {
		t.tell.Threw(seat, numbers, t.pos.ChosenNumber())
	}
	opening := t.pos.Opening()
	t.add(e, person)
	before := t.pos.Copy()
	if err := t.pos.Throw(numbers...); err != nil {
		return nil, err
	}
	t.after(before)
	if opening && t.pos.Kind() == interpreter.Throw && !t.pos.Opening() && t.Game.Players() > 1 {
		t.gather()
		t.tell.Says(t.Game.SeatName(t.pos.Turn()) + " begins")
	}
	t.tell.Ended()
	if t.pos.Kind() != interpreter.Choice {
		t.passing()
	}
	return nil, t.pos.Err()
}

func draw(outcomes []interpreter.Outcome, r *interpreter.Random) int {
	total := 0
	for _, o := range outcomes {
		total += o.Weight
	}
	at := r.IntN(total)
	for _, o := range outcomes {
		if at -= o.Weight; at < 0 {
			return o.Value
		}
	}
	return outcomes[len(outcomes)-1].Value
}

// choose carries out the choice at hand.
func (t *Table) choose(ctx context.Context) (*End, error) {
	seat := t.pos.Player()
	player := t.Bots[seat]
	var i int
	if player != nil {
		r := t.random()
		i = player.Choose(t.pos, &r)
	} else {
		n, r, err := t.askOption(ctx)
		if r.end != nil || r.again || err != nil {
			return t.ending(r), err
		}
		i = n
	}
	e := record.ChoiceEvent(t.pos, i)
	t.tell.Plays(seat, &t.pos.Options()[i], e.Words, t.pos.Secret())
	t.add(e, player == nil)
	before := t.pos.Copy()
	if err := t.pos.Choose(i); err != nil {
		return nil, err
	}
	t.after(before)
	t.tell.Ended()
	if t.pos.Kind() != interpreter.Choice {
		t.passing()
	}
	return nil, t.pos.Err()
}

// undo goes back to the last decision of a person.
func (t *Table) undo() (bool, error) {
	at := -1
	for i, e := range t.events {
		if e.person {
			at = i
		}
	}
	if at < 0 {
		return false, nil
	}
	count := len(t.events) - at
	keep := slices.Clone(t.events[:at])
	t.tell.Lines()
	t.news = nil
	t.log(func(w *record.Writer) error { return w.Add(record.Event{Kind: record.Undo, Count: count}) })
	if err := t.start(); err != nil {
		return false, err
	}
	t.events = t.events[:0]
	for _, e := range keep {
		if err := record.Apply(t.pos, e.Event); err != nil {
			return false, err
		}
		t.events = append(t.events, e)
	}
	t.tell.Last = nil
	t.tell.Follow(t.pos)
	t.news = append(t.news, fmt.Sprintf("Taken back: %s to decide again.", t.Game.SeatName(t.pos.Player())))
	return true, nil
}
