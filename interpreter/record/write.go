package record

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Writer writes a record, one line per Write call. It belongs to one goroutine.
type Writer struct {
	w   io.Writer
	old bool // the record is of version 1
	err error
}

// NewWriter begins a record.
func NewWriter(w io.Writer, h *Header) (*Writer, error) {
	text, err := h.text()
	if err != nil {
		return nil, err
	}
	out := &Writer{w: w}
	out.line(text)
	return out, out.err
}

// Append continues a record of a version, which has its header already.
func Append(w io.Writer, version int) *Writer { return &Writer{w: w, old: version < 2} }

// Add writes an event, and its effect if that is known already. After an error it writes nothing more and returns
// that error.
func (w *Writer) Add(e Event) error {
	w.line(e.String() + "\n")
	return w.After(e.After)
}

// After writes the effect of the last event. It writes nothing if there is none, or if the version of the record does
// not include effects.
func (w *Writer) After(changes string) error {
	if changes != "" && !w.old {
		w.line("= " + changes + "\n")
	}
	return w.err
}

// Note writes a comment.
func (w *Writer) Note(text string) error {
	w.line("# " + strings.ReplaceAll(text, "\n", " ") + "\n")
	return w.err
}

func (w *Writer) line(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, s)
	}
}

func (h *Header) text() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%d\nrules %s\n", Mark, Version, quoted(h.Rules))
	for _, w := range h.With {
		fmt.Fprintf(&b, "with %s\n", quoted(w))
	}
	if h.Print != "" {
		fmt.Fprintf(&b, "print %s\n", h.Print)
	}
	for _, o := range h.Options {
		fmt.Fprintf(&b, "set %s %s\n", o.Name, quoted(o.Value))
	}
	if h.Players > 0 {
		fmt.Fprintf(&b, "players %d\n", h.Players)
	}
	if len(h.Seats) > 0 {
		fmt.Fprintf(&b, "seats %s\n", strings.Join(h.Seats, " "))
	}
	fmt.Fprintf(&b, "seed %d\n", h.Seed)
	if h.First != "" {
		fmt.Fprintf(&b, "first %s\n", h.First)
	}
	if h.Position != nil {
		data, err := json.Marshal(h.Position)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "position %s\n", data)
	}
	b.WriteByte('\n')
	return b.String(), nil
}

// quoted is a text of a header line, in quotes if it would be ambiguous without.
func quoted(s string) string {
	if s == "" || strings.HasPrefix(s, `"`) || strings.TrimSpace(s) != s || strconv.Quote(s) != `"`+s+`"` {
		return strconv.Quote(s)
	}
	return s
}

// ThrowEvent is the present throw with its numbers, one per device; for a lot, the number of the seat.
func ThrowEvent(p *interpreter.Position, numbers []int) Event {
	g := p.Game()
	dice := p.Dice()
	if len(dice) == 0 {
		return Event{Kind: Lot, Seat: g.SeatName(numbers[0])}
	}
	e := Event{Kind: Throw, Seat: g.SeatName(p.Player())}
	names := g.Dice()
	e.Numbers = seq.Of(len(dice), func(i int) Number { return Number{names[dice[i]].Name, numbers[i]} })
	return e
}

// ChoiceEvent is option i of the present choice.
func ChoiceEvent(p *interpreter.Position, i int) Event {
	e := Event{Kind: Play, Seat: p.Game().SeatName(p.Player()), Words: Words(p)[i]}
	if p.Options()[i].Move == interpreter.None {
		e.Kind = Choice
	}
	return e
}

// Changes is the difference from an earlier position, in the format of an event.
func Changes(before, now *interpreter.Position) string {
	return strings.Join(now.Changes(before), "; ")
}

// EndEvent is the end of a finished game.
func EndEvent(p *interpreter.Position) Event {
	g, r := p.Game(), p.Result()
	seats := r.Ranking
	if p.Ranked() == 0 {
		seats = r.Winners
	}
	return Event{Kind: End, Words: strings.Join(seq.Map(seats, g.SeatName), " ")}
}
