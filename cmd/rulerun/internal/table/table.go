// Package table plays a game by lines: it prints what happens, asks people, and takes what they type.
//
// It stands between the command and the door, which knows the game. It reads lines and writes text, and knows no files: where a game
// is saved or gone on with is the command's business.
package table

import (
	"context"
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/interpreter"
)

// Table is a game with those who play it by lines.
type Table struct {
	Session *door.Session
	Before  []string // lines said before the first
	// Lines are what people type. It is closed at the end of input.
	Lines <-chan string
	// Echo repeats what was typed, for input that no person sees.
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

	news     []string
	reported int    // events whose words are in the news or were said
	shown    int    // events whose squares have been pointed at
	lost     bool   // that the record is not kept any longer has been said
	next     string // the record to go on with
	moved    bool
}

// End says why a game is no longer played.
type End uint8

// The ways a game ends at the table.
const (
	Over        End = iota // it has a result
	Quit                   // a player had enough
	InputEnds              // there is no input left
	Interrupted            // the program was asked to stop
	Resume                 // another game is gone on with
)

// Outcome is how play ended.
type Outcome struct {
	End    End
	Resume string             // the record to go on with
	Moved  bool               // whether a person threw or decided anything
	Result interpreter.Result // of a game that is over
}

// Play plays until the game is over or people stop. The error is a fault of the rules.
func (t *Table) Play(ctx context.Context) (Outcome, error) {
	s := t.Session
	t.reported, t.shown, t.moved = s.At(), s.At(), s.At() > 0
	t.news = append(append(t.news, t.Before...), t.welcome())
	t.passing()
	for {
		if ctx.Err() != nil {
			return t.outcome(Interrupted), nil
		}
		if s.Position().Kind() == interpreter.Over {
			t.over()
			return t.outcome(Over), nil
		}
		end, err := t.step(ctx)
		if err != nil {
			t.flush()
			return t.outcome(Quit), err
		}
		if end != nil {
			return t.outcome(*end), nil
		}
	}
}

// step carries out the next event.
func (t *Table) step(ctx context.Context) (*End, error) {
	s := t.Session
	p := s.Position()
	var err error
	switch {
	case s.Asks() == interpreter.None:
		err = s.Bot()
	case p.Kind() == interpreter.Choice:
		i, r, err := t.askOption(ctx)
		if r.end != nil || r.again || err != nil {
			return t.ending(r), err
		}
		t.moved = true
		if err := s.Choose(i); err != nil {
			return nil, err
		}
	case p.ChosenNumber():
		n, r, err := t.askNumber(ctx)
		if r.end != nil || r.again || err != nil {
			return t.ending(r), err
		}
		t.moved = true
		if err := s.Number(n); err != nil {
			return nil, err
		}
	default:
		if !t.AutoThrow {
			if r, err := t.askThrow(ctx); r.end != nil || r.again || err != nil {
				return t.ending(r), err
			}
			t.moved = true
		}
		err = s.Throw()
	}
	if err == nil && p.Kind() != interpreter.Choice {
		t.passing()
	}
	return nil, err
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
		o.Result = t.Session.Position().Result()
	}
	return o
}

// welcome says what is played and by whom.
func (t *Table) welcome() string {
	text := t.Session.Game().Rules().Title + ". " + t.Session.Welcome()
	if t.people() {
		text += " Type help for what can be typed."
		if t.Screen.terminal() && !t.Screen.fits(strings.Count(t.Screen.Board(t.Session.Position(), nil), "\n"), 0) {
			text += " The board needs more room than there is here: type board to see it."
		}
	}
	return text
}

// flush prints what happened.
func (t *Table) flush() {
	t.gather()
	t.Screen.Show(t.Session, t.news, t.landed(), 0)
	t.news = nil
}

// gather collects what happened since the last report.
func (t *Table) gather() {
	s := t.Session
	events := s.Happened(t.reported)
	t.reported = s.At()
	t.news = append(t.news, door.Lines(events, t.Explain)...)
	if s.LogError != nil && !t.lost {
		t.lost = true
		t.news = append(t.news, fmt.Sprintf("The record is not kept any longer: %v. Type: save FILE", s.LogError))
	}
}

// passing prints what happened so far where no person is going to be asked soon.
func (t *Table) passing() {
	t.gather()
	if t.people() && t.Screen.terminal() {
		return // it is shown with the next question
	}
	t.Screen.Say(t.news...)
	t.news = nil
}

// landed are the squares on which pieces were set down since the last call.
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

// people reports whether persons play.
func (t *Table) people() bool { return len(t.Session.People()) > 0 }

// crowd reports whether several people share the screen.
func (t *Table) crowd() bool { return len(t.Session.People()) > 1 }

// over shows how the game ended.
func (t *Table) over() {
	t.gather()
	if t.people() || !t.Screen.terminal() {
		t.flush()
		return
	}
	fmt.Fprint(t.Screen.Out, t.Screen.Board(t.position(), nil)) // what the bots did stays in view
	t.Screen.Say(t.news...)
}
