// Package door is the API between a game and user interfaces, with requests and answers as plain data and text: what
// a player sees, what can be done, the effect of each choice, and the events.
//
// All user interfaces use it: lines, a full screen, a page. Host answers requests in JSON; a program in the same
// process uses Session directly. Note: the random numbers of an event depend only on the seed
// and the index of the event. So a game that was loaded, or in which something was undone, has the same future as one
// without interruption.
package door

import (
	"bytes"
	"errors"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/interpreter/review"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// maxEvents limits the throws and choices of a game.
const maxEvents = 200_000

// Session is a game being played, with its players. It belongs to one goroutine.
type Session struct {
	game   *interpreter.Game
	words  wording
	header *record.Header
	bots   []bot.Bot // by seat, nil for a person
	pos    *interpreter.Position
	before *interpreter.Position // the position before the last event
	events []happened
	watch  *collector
	again  *record.Replay        // the record being replayed, nil in a game being played
	news   []Event               // of an event that was only partly executed
	open   bool                  // secret choices are shown: the recorded game is complete
	turn   *interpreter.Position // at the beginning of the turn
	turnAt int                   // the number of events before it, -1 before the first turn
	last   *interpreter.Decision // the last automatic decision of a person, nil if a person chose since
	judge  *review.Judge         // what is learned of the game, nil for nothing and before it is asked for
	judged bool                  // it has been asked for

	// Brief omits names of rules and clauses from the results of Why and Find; only their texts remain.
	Brief bool
	// Log, if not nil, gets every event in the format of a record. LogError stores an error; after it nothing more is
	// written.
	Log      *record.Writer
	LogError error
}

// happened is an event of the record with the Events it produced.
type happened struct {
	record.Event
	person bool // a person decided it
	shown  []Event
}

// begins reports whether it begins an entry of the log.
func (h happened) begins() bool { return len(h.shown) > 0 && h.shown[0].Begins() }

// Open begins a game, or continues one after past events. The seats are those of the header: the name of a bot, or
// anything else for a person. The error is an event that does not fit the rules (*record.MisfitError), or a fault of
// the rules.
func Open(g *interpreter.Game, header *record.Header, past []record.Event) (*Session, error) {
	traced, err := g.Traced()
	if err != nil {
		return nil, err
	}
	s := &Session{game: traced, words: in(traced), header: header, bots: make([]bot.Bot, g.Players())}
	for i, who := range header.Seats {
		if b, err := bot.New(who); err == nil && i < len(s.bots) {
			s.bots[i] = b
			go bot.Prepare(b, g) // while people look at the board
		}
	}
	if err := s.begin(); err != nil {
		return nil, err
	}
	for _, e := range past {
		if e.Kind == record.End {
			continue
		}
		if err := s.apply(e, s.decides()); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Again starts the replay of a record: Next executes its events one by one. open shows secret choices too.
func Again(g *interpreter.Game, rec *record.Record, open bool) (*Session, error) {
	s, err := Open(g, &rec.Header, nil)
	if err != nil {
		return nil, err
	}
	s.open, s.again = open, rec.Replay(s.pos)
	return s, nil
}

// Next executes the next event of a replayed record. The error is a *record.MisfitError if the event does not fit the
// rules; Failed has the events up to there.
func (s *Session) Next(e record.Event) error { return s.apply(e, s.decides()) }

// Failed returns the events of a record entry that Next could execute only in part.
func (s *Session) Failed() []Event { return s.news }

// begin sets the game up.
func (s *Session) begin() error {
	pos, err := record.Begin(s.game, s.header)
	if err != nil {
		return err
	}
	s.pos, s.before, s.turn, s.turnAt = pos, pos.Copy(), pos.Copy(), -1
	s.events, s.last = s.events[:0], nil
	if pos.AtTurn() {
		s.turnAt = 0
	}
	s.watch = collect(s)
	return nil
}

// Say is a text of the command in the language of the game.
func (s *Session) Say(key string, args ...any) string { return s.words.Say(key, args...) }

// Said is an error in the language of the game.
func (s *Session) Said(err error) string { return s.words.said(err) }

// optionWords are the options of the present choice, for people.
func (s *Session) optionWords() []string {
	return s.pos.Worded(s.words, s.pos.Player(), s.pos.Options())
}

// Called is what players call a seat, a colour or a place of a name.
func (s *Session) Called(name string) string { return s.words.called(name).text }

// Game is the game played. It is immutable.
func (s *Session) Game() *interpreter.Game { return s.game }

// Header is the header of the game's record. It belongs to the session.
func (s *Session) Header() *record.Header { return s.header }

// Position is the present position. It belongs to the session: do not modify it, play on a copy.
func (s *Session) Position() *interpreter.Position { return s.pos }

// At is the number of events so far. A request contains it, so that a late or repeated one is detected.
func (s *Session) At() int { return len(s.events) }

// Person reports whether the player of a seat is a person.
func (s *Session) Person(seat int) bool {
	return seat >= 0 && seat < len(s.bots) && s.bots[seat] == nil
}

// People lists the seats of persons.
func (s *Session) People() []int {
	return seq.Indexes(s.bots, func(b bot.Bot) bool { return b == nil })
}

// Asks is the seat of the person who has to throw or to choose a number or an option. It is None if a bot has to act,
// before a throw without a seat, and when the game is over.
func (s *Session) Asks() int {
	if seat := s.pos.Player(); s.Person(seat) && !s.lot() {
		return seat
	}
	return interpreter.None
}

func (s *Session) lot() bool { return s.pos.Kind() == interpreter.Throw && len(s.pos.Dice()) == 0 }

// decides reports whether the next event is a person's decision.
func (s *Session) decides() bool {
	return (s.pos.Kind() == interpreter.Choice || s.pos.ChosenNumber()) && s.Person(s.pos.Player())
}

// ErrOver means that the game is over, or cannot continue.
var ErrOver = errors.New("the game is over")

// random is the source of random numbers for the next event.
func (s *Session) random() interpreter.Random {
	return interpreter.NewRandom(s.header.Seed, uint64(len(s.events)))
}

// Throw makes the present throw for any seat. It fails without any change if the game waits for something else.
func (s *Session) Throw() error {
	if s.pos.Kind() != interpreter.Throw || s.pos.ChosenNumber() {
		return interpreter.ErrNotNow
	}
	r := s.random()
	return s.apply(record.ThrowEvent(s.pos, s.pos.Draw(&r)), false)
}

// Number chooses a number instead of throwing. It fails without any change if the number is not possible.
func (s *Session) Number(n int) error {
	if !s.pos.ChosenNumber() {
		return interpreter.ErrNotNow
	}
	if !slices.ContainsFunc(s.pos.Outcomes(nil, 0), func(o interpreter.Outcome) bool { return o.Value == n }) {
		return errors.New(s.Say("fault.number", "number", n))
	}
	return s.apply(record.ThrowEvent(s.pos, []int{n}), s.Person(s.pos.Player()))
}

// Choose takes an option, counted from 0. It fails without any change if there is no such option.
func (s *Session) Choose(i int) error {
	if s.pos.Kind() != interpreter.Choice {
		return interpreter.ErrNotNow
	}
	if i < 0 || i >= s.pos.OptionCount() {
		return errors.New(s.Say("fault.option", "option", i+1, "n", s.pos.OptionCount()))
	}
	return s.apply(record.ChoiceEvent(s.pos, i), s.Person(s.pos.Player()))
}

// Bot executes the next event that no person decides: a throw of a bot, the lot, a bot's choice. It fails if a person
// has to act, the game is over or its rules have failed.
func (s *Session) Bot() error {
	switch {
	case s.pos.Kind() == interpreter.Broken:
		return s.pos.Err()
	case s.pos.Kind() == interpreter.Over:
		return ErrOver
	case s.Asks() != interpreter.None:
		return interpreter.ErrNotNow
	case len(s.events) >= maxEvents:
		return errors.New(s.Say("fault.endless", "n", maxEvents))
	case s.pos.Kind() == interpreter.Throw && !s.pos.ChosenNumber():
		return s.Throw()
	}
	r, b := s.random(), s.bots[s.pos.Player()]
	if s.pos.Kind() == interpreter.Throw {
		return s.Number(b.Number(s.pos, &r))
	}
	return s.Choose(b.Choose(s.pos, &r))
}

// Act does what the game waits for: the event of a bot, a throw, or the answer of a person, an option counted from 0 or a number.
func (s *Session) Act(answer int) error {
	switch {
	case s.Asks() == interpreter.None:
		return s.Bot()
	case s.pos.Kind() == interpreter.Choice:
		return s.Choose(answer)
	case s.pos.ChosenNumber():
		return s.Number(answer)
	}
	return s.Throw()
}

// End is the reason why play at a terminal or a page ended.
type End uint8

// The reasons why play ended.
const (
	Over        End = iota // it has a result
	Quit                   // a player quit
	InputEnds              // end of input
	Interrupted            // the program was interrupted
	Resume                 // to continue another game
)

// Outcome is the result of play.
type Outcome struct {
	End    End
	Resume string             // the record to continue with
	Moved  bool               // whether a person threw or decided anything
	Result interpreter.Result // of a finished game
}

// Outcome is the result of play that has ended for a reason, or because the game is over.
func (s *Session) Outcome(end End, moved bool) Outcome {
	if s.pos.Kind() != interpreter.Over {
		return Outcome{End: end, Moved: moved}
	}
	return Outcome{End: Over, Moved: moved, Result: s.pos.Result()}
}

// SaveTo writes the game to a file that a player named.
func (s *Session) SaveTo(name string, save func(name string, text []byte) error) error {
	text, err := s.Record(s.header)
	if err != nil {
		return err
	}
	return save(name, text)
}

// apply carries out an event.
func (s *Session) apply(e record.Event, person bool) error {
	s.before.CopyFrom(s.pos)
	s.watch.begin(e)
	carry := record.Apply
	if s.again != nil {
		carry = func(_ *interpreter.Position, e record.Event) error { return s.again.Next(e) }
	} else {
		e.After = ""
		s.log(func(w *record.Writer) error { return w.Add(e) })
	}
	if err := carry(s.pos, e); err != nil {
		s.news = s.watch.end()
		return err
	}
	e.After = record.Changes(s.before, s.pos)
	s.log(func(w *record.Writer) error { return w.After(e.After) })
	shown := s.watch.end()
	for i := range shown {
		shown[i].At = len(s.events)
	}
	s.events = append(s.events, happened{e, person, shown})
	if s.pos.AtTurn() {
		s.turn.CopyFrom(s.pos)
		s.turnAt = len(s.events)
	}
	if s.pos.Kind() == interpreter.Over {
		s.log(func(w *record.Writer) error { return w.Add(record.EndEvent(s.pos)) })
	}
	return s.pos.Err()
}

func (s *Session) log(write func(*record.Writer) error) {
	if s.Log == nil {
		return
	}
	if err := write(s.Log); err != nil {
		s.Log, s.LogError = nil, err
	}
}

// TurnBegan is the position at the last beginning of a turn that Setup can describe; nil before the first.
func (s *Session) TurnBegan() *interpreter.Setup {
	if s.turnAt < 0 {
		return nil
	}
	return s.turn.Setup()
}

// decision is the index of the last event that a person decided, -1 if there is none.
func (s *Session) decision() int {
	for i, e := range slices.Backward(s.events) {
		if e.person {
			return i
		}
	}
	return -1
}

// Undo restores the position before the last decision of a person. It fails without any change if there is none.
func (s *Session) Undo() error {
	at := s.decision()
	if at < 0 {
		return errors.New(s.Say("fault.undo"))
	}
	keep, count := slices.Clone(s.events[:at]), len(s.events)-at
	s.log(func(w *record.Writer) error { return w.Add(record.Event{Kind: record.Undo, Count: count}) })
	defer func(log *record.Writer) { s.Log = log }(s.Log)
	s.Log = nil // the replayed events are in the record already
	if err := s.begin(); err != nil {
		return err
	}
	return seq.Do(keep, func(e happened) error { return s.apply(e.Event, e.person) })
}

// Speak goes on in another language: g has the same rules in it. The session stays as it is on an error.
func (s *Session) Speak(g *interpreter.Game) error {
	next, err := Open(g, s.header, nil)
	if err != nil {
		return err
	}
	if err := seq.Do(s.events, func(e happened) error { return next.apply(e.Event, e.person) }); err != nil {
		return err
	}
	if t := solve.TableOf(s.game); t != nil {
		t.Use(next.game)
	}
	next.Brief, next.Log, next.LogError = s.Brief, s.Log, s.LogError
	*s = *next
	s.watch.s = s
	return nil
}

// Record writes the game so far as a record, with a header: the game's own, or a copy without private data. It
// contains secret choices.
func (s *Session) Record(header *record.Header) ([]byte, error) {
	var b bytes.Buffer
	w, err := record.NewWriter(&b, header)
	if err == nil {
		err = seq.Do(s.events, func(e happened) error { return w.Add(e.Event) })
	}
	if err == nil && s.pos.Kind() == interpreter.Over {
		err = w.Add(record.EndEvent(s.pos))
	}
	return b.Bytes(), err
}

// Happened lists the events after the first from ones. The slices belong to the session.
func (s *Session) Happened(from int) []Event {
	return seq.Flat(s.events[min(max(0, from), len(s.events)):], func(e happened) []Event { return e.shown })
}
