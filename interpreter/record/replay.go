package record

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/interpreter"
)

// MisfitError is an event that cannot be where the record has it: the rules are others, or the record was changed.
type MisfitError struct {
	Name  string // of the record
	Event Event
	// Reason says why it cannot be.
	Reason string
	// Offered are what could be instead, in the words of a record; empty where that is no choice.
	Offered []string
	// Position is where the game stood before the event. It belongs to the error where the event brought about something
	// else, and to the caller where it cannot be.
	Position *interpreter.Position
	// Other reports that the event can be, but brings about something else than it did.
	Other bool

	before *interpreter.Position // where the game stood before the event that came before, nil where there was none
	last   Event
}

// Error is the fault on one line, with its place.
func (e *MisfitError) Error() string {
	var b strings.Builder
	if e.Name != "" {
		fmt.Fprintf(&b, "%s:", e.Name)
	}
	if e.Event.Line > 0 {
		fmt.Fprintf(&b, "%d: ", e.Event.Line)
	} else if e.Name != "" {
		b.WriteByte(' ')
	}
	fmt.Fprintf(&b, "%q does not fit the rules: %s", e.Event.String(), e.Reason)
	return b.String()
}

// Begin is the position the record begins with, in a game of its rules.
func (r *Record) Begin(g *interpreter.Game) (*interpreter.Position, error) {
	h := &r.Header
	if h.Players != 0 && h.Players != g.Players() {
		return nil, fmt.Errorf("%s: the record is of %d players, the game for %d", r.name, h.Players, g.Players())
	}
	return Begin(g, h)
}

// Begin is the position a game begins with that has the given head.
func Begin(g *interpreter.Game, h *Header) (*interpreter.Position, error) {
	if h.Position != nil {
		return g.Setup(h.Position)
	}
	if h.First == "" {
		return g.Start(interpreter.ByTheRules), nil
	}
	for seat := range g.Players() {
		if g.SeatName(seat) == h.First {
			return g.Start(seat), nil
		}
	}
	return nil, fmt.Errorf("nobody is called %q", h.First)
}

// Replay is a record being played again. It belongs to one goroutine.
type Replay struct {
	rec    *Record
	p      *interpreter.Position
	before *interpreter.Position // where the last event began, nil before the first
	last   Event
}

// Replay plays the record again on a position that stands where it begins.
func (r *Record) Replay(p *interpreter.Position) *Replay { return &Replay{rec: r, p: p} }

// Next carries out the next event of the record, and compares what it brings about with what it did. The error is a
// *MisfitError; the position is as it was then, unless the rules themselves failed or the event brought about something
// else.
func (x *Replay) Next(e Event) error {
	at := x.p.Copy()
	err := Apply(x.p, e)
	if err == nil && x.rec.says(e) {
		if now := Changes(at, x.p); now != e.After && spots.ReplaceAllString(now, "") != e.After {
			err = &MisfitError{Event: e, Reason: difference(e.After, now), Position: at, Other: true}
		}
	}
	if m, ok := err.(*MisfitError); ok {
		m.Name, m.before, m.last = x.rec.name, x.before, x.last
	}
	x.before, x.last = at, e
	return err
}

// says reports whether the record says what an event brought about. The last one may have been cut off before that.
func (r *Record) says(e Event) bool {
	return r.Version > 1 && e.Kind != End && (e.After != "" || e.Line != r.Events[len(r.Events)-1].Line)
}

// difference says how what an event brings about differs from what it did.
func difference(record, now string) string {
	was, is := strings.Split(record, "; "), strings.Split(now, "; ")
	without := func(list, other []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" || slices.Contains(other, s) }), "; ")
	}
	gone, more := without(was, is), without(is, was)
	switch {
	case gone == "" && more == "":
		return fmt.Sprintf("in the record it brought about %s, by these rules %s", record, now)
	case more == "":
		return fmt.Sprintf("in the record it brought about %s, by these rules it does not", gone)
	case gone == "":
		return fmt.Sprintf("by these rules it brings about %s, in the record it did not", more)
	}
	return fmt.Sprintf("in the record it brought about %s, by these rules %s", gone, more)
}

// Apply carries out an event.
func Apply(p *interpreter.Position, e Event) error {
	misfit := func(offered []string, format string, args ...any) error {
		return &MisfitError{Event: e, Reason: fmt.Sprintf(format, args...), Offered: offered, Position: p}
	}
	if fault := wrongNode(p, e); fault != "" {
		return misfit(nil, "%s", fault)
	}
	switch e.Kind {
	case Lot:
		for seat := range p.Game().Players() {
			if p.Game().SeatName(seat) == e.Seat {
				return p.Throw(seat)
			}
		}
		return misfit(nil, "nobody is called %q", e.Seat)
	case Throw:
		numbers, fault := throwNumbers(p, e)
		if fault == "" {
			if err := p.Throw(numbers...); err != nil {
				fault = err.Error()
			}
		}
		if fault != "" {
			return misfit(nil, "%s", fault)
		}
	case Play, Choice:
		words := Words(p)
		i := slices.Index(words, e.Words)
		for _, names := range older(p) {
			if i < 0 {
				i = slices.Index(names, e.Words)
			}
		}
		if i < 0 {
			return misfit(words, "the rules offer %s", strings.Join(words, ", "))
		}
		if (p.Options()[i].Move == interpreter.None) != (e.Kind == Choice) {
			return misfit(words, "moves are played, anything else is picked")
		}
		return p.Choose(i)
	case End:
		if want := EndEvent(p); want.Words != e.Words {
			return misfit(nil, "the game ends with %q", want.String())
		}
	}
	return nil
}

// wrongNode says why an event cannot be what the position waits for.
func wrongNode(p *interpreter.Position, e Event) string {
	g := p.Game()
	waits := ""
	fits := false
	switch p.Kind() {
	case interpreter.Broken:
		return p.Err().Error()
	case interpreter.Over:
		waits, fits = "the game is over", e.Kind == End
	case interpreter.Throw:
		if len(p.Dice()) == 0 {
			waits, fits = "a lot decides who begins", e.Kind == Lot
			break
		}
		seat := g.SeatName(p.Player())
		waits, fits = seat+" is to throw", e.Kind == Throw && e.Seat == seat
	case interpreter.Choice:
		seat := g.SeatName(p.Player())
		waits = seat + " is to choose among " + strings.Join(Words(p), ", ")
		fits = (e.Kind == Play || e.Kind == Choice) && e.Seat == seat
	}
	if fits {
		return ""
	}
	return waits
}

func throwNumbers(p *interpreter.Position, e Event) ([]int, string) {
	dice, names := p.Dice(), p.Game().Dice()
	var want []string
	for _, d := range dice {
		want = append(want, names[d].Name)
	}
	var got []string
	var numbers []int
	for _, n := range e.Numbers {
		got = append(got, n.Die)
		numbers = append(numbers, n.Value)
	}
	if !slices.Equal(got, want) {
		return nil, "what is thrown is " + strings.Join(want, " ")
	}
	return numbers, ""
}

// spots are the passages and ordinals that tell pieces of one colour on one square apart: older records do not have them.
var spots = regexp.MustCompile(`[#/][0-9]+`)
