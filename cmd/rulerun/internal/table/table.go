// Package table plays a game in a line-oriented interface: it prints events, asks people, and reads their input.
//
// It uses package door, which knows the game. It reads lines and writes text, and does not access files: the command
// saves and loads games.
package table

import (
	"context"
	"fmt"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/interpreter"
)

// Table is a game and its players in the line interface.
type Table struct {
	Session *door.Session
	Before  []string // lines printed before the first
	// Lines are the input. It is closed at the end of input.
	Lines <-chan string
	// Echo repeats the input, for scripts.
	Echo bool
	// Screen is the output.
	Screen *Screen
	// AutoThrow throws for people.
	AutoThrow bool
	// Explain prints the rules that took effect.
	Explain bool
	// Save writes the game to a file that a player named.
	Save func(name string, text []byte) error
	// CanResume says why a game that a player named cannot be continued.
	CanResume func(name string) error

	news     []string
	figures  []string // those printed above the last question
	reported int      // number of events that are in the news or were printed
	shown    int      // number of events whose squares were highlighted
	lost     bool     // the failure to save the record was reported
	next     string   // the record to continue with
	moved    bool
}

// Play plays until the game is over or people stop. The error is a fault of the rules.
func (t *Table) Play(ctx context.Context) (door.Outcome, error) {
	s := t.Session
	t.reported, t.shown, t.moved = s.At(), s.At(), s.At() > 0
	t.news = append(append(t.news, t.Before...), t.welcome())
	t.passing()
	for {
		if ctx.Err() != nil {
			return t.outcome(door.Interrupted), nil
		}
		if s.Position().Kind() == interpreter.Over {
			t.over()
			return t.outcome(door.Over), nil
		}
		end, err := t.step(ctx)
		if err != nil {
			t.flush()
			return t.outcome(door.Quit), err
		}
		if end != nil {
			return t.outcome(*end), nil
		}
	}
}

// step executes the next event.
func (t *Table) step(ctx context.Context) (*door.End, error) {
	s := t.Session
	p := s.Position()
	ask := t.askThrow
	switch {
	case s.Asks() == interpreter.None:
		ask = nil
	case p.Kind() == interpreter.Choice:
		ask = t.askOption
	case p.ChosenNumber():
		ask = t.askNumber
	case t.AutoThrow:
		ask = nil
	}
	answer := 0
	if ask != nil {
		var r reply
		if answer, r = ask(ctx); r.end != nil || r.again {
			t.next = r.resume
			return r.end, nil
		}
		t.moved = true
	}
	if err := s.Act(answer); err != nil {
		return nil, err
	}
	if p.Kind() != interpreter.Choice {
		t.passing()
	}
	return nil, nil
}

func (t *Table) outcome(e door.End) door.Outcome {
	o := t.Session.Outcome(e, t.moved)
	o.Resume = t.next
	return o
}

// welcome describes the game and the players.
func (t *Table) welcome() string {
	text := t.Session.Say("table.welcome", "title", door.TitleOf(t.Session.Game()), "welcome", t.Session.Welcome())
	if t.people() {
		text += " " + t.Session.Say("table.type_help")
		if t.Screen.terminal() && t.Screen.fitting(t.Session, nil, 0) == "" {
			text += " " + t.Session.Say("table.type_board")
		}
	}
	return text
}

func (t *Table) flush() {
	t.gather()
	t.show(t.landed(), 0)
}

// gather collects the events since the last report.
func (t *Table) gather() {
	s := t.Session
	events := s.Happened(t.reported)
	t.reported = s.At()
	t.news = append(t.news, s.Lines(events, t.Explain)...)
	if s.LogError != nil && !t.lost {
		t.lost = true
		t.news = append(t.news, s.Say("table.log_fails", "why", s.LogError))
	}
}

// passing prints the news if no person has to act soon.
func (t *Table) passing() {
	t.gather()
	if t.people() && t.Screen.terminal() {
		return // printed with the next question
	}
	t.Screen.Say(t.news...)
	t.news = nil
}

// landed lists the squares on which pieces were set down since the last call.
func (t *Table) landed() []int {
	b := t.Session.Game().Rules().Board
	var out []int
	for _, e := range t.Session.Happened(t.shown) {
		if e.Kind != door.EventMove && e.Kind != door.EventPut {
			continue
		}
		if place, ok := b.Place(e.To); ok && !b.Places[place].Zone {
			out = append(out, place)
		}
	}
	t.shown = t.Session.At()
	return out
}

func (t *Table) position() *interpreter.Position { return t.Session.Position() }

func (t *Table) people() bool { return len(t.Session.People()) > 0 }

func (t *Table) over() {
	t.gather()
	if t.people() || !t.Screen.terminal() {
		t.flush()
		return
	}
	fmt.Fprint(t.Screen.Out, t.Screen.Board(t.position(), nil, 0)) // keep the bots' last moves visible
	t.Screen.Say(t.news...)
}
