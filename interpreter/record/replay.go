package record

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/interpreter"
)

// MisfitError is an event that does not fit the game: the rules have changed, or the record was edited.
type MisfitError struct {
	Name  string // of the record
	Event Event
	// Reason says why it is impossible.
	Reason string
	// Offered lists the possible events, in the words of a record; empty if there is no choice.
	Offered []string
	// Position is the position before the event. If Other is set it belongs to the error, otherwise to the caller.
	Position *interpreter.Position
	// Other means that the event is possible, but has another effect than in the record.
	Other bool

	before *interpreter.Position // the position before the previous event, nil if there was none
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

// Begin returns the initial position of the record, in a game of its rules.
func (r *Record) Begin(g *interpreter.Game) (*interpreter.Position, error) {
	h := &r.Header
	if h.Players != 0 && h.Players != g.Players() {
		return nil, fmt.Errorf("%s: the record is of %d players, the game for %d", r.name, h.Players, g.Players())
	}
	return Begin(g, h)
}

// Begin returns the initial position of a game with the given header.
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
	return nil, fmt.Errorf("there is no player %q", h.First)
}

// Replay is a record being replayed. It belongs to one goroutine.
type Replay struct {
	rec    *Record
	p      *interpreter.Position
	before *interpreter.Position // the position before the last event, nil before the first
	last   Event
}

// Replay starts a replay on the record's initial position.
func (r *Record) Replay(p *interpreter.Position) *Replay { return &Replay{rec: r, p: p} }

// Next plays the next event of the record, and compares its effect with the recorded one. The error is a
// *MisfitError. The position is then as before the event, unless the rules themselves failed or the event had another
// effect.
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

// says reports whether the record contains the effect of an event. A crash may have cut off the effect of the last
// one.
func (r *Record) says(e Event) bool {
	return r.Version > 1 && e.Kind != End && (e.After != "" || e.Line != r.Events[len(r.Events)-1].Line)
}

// difference describes how the effect of an event differs from the recorded one.
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

// Apply plays an event.
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
		return misfit(nil, "there is no player %q", e.Seat)
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
		if i < 0 { // older records answer a question by a number
			i = slices.IndexFunc(p.Options(), func(o interpreter.Option) bool { return o.Word != "" && e.Words == strconv.Itoa(o.Value) })
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

// wrongNode says why an event is impossible at the present node.
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

// spots matches the passages and ordinals of pieces, which older records lack.
var spots = regexp.MustCompile(`[#/][0-9]+`)
