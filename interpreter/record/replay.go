package record

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// MisfitError is an event that does not fit the game: the rules have changed, or the record was edited.
type MisfitError struct {
	Name  string // of the record
	Event Event
	// Reason says why it is impossible, or what it did otherwise.
	Reason error
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
func (e *MisfitError) Error() string { return e.Worded(error.Error) }

// Worded is the fault on one line as a function says it, with its place.
func (e *MisfitError) Worded(say func(error) string) string {
	return placed(e.Name, e.Event.Line) + say(e.fault(say(e.Reason)))
}

func (e *MisfitError) fault(reason string) error {
	return say("misfit", "{{.event}} does not fit the rules: {{.reason}}", "event", strconv.Quote(e.Event.String()), "reason", reason)
}

// Seat is the name of a player in a sentence.
type Seat string

// Offer is options in a sentence, in the words of a record.
type Offer struct {
	Options []interpreter.Option
	words   string
}

// String is the options, with commas between them.
func (o Offer) String() string { return o.words }

// Begin returns the initial position of the record, in a game of its rules.
func (r *Record) Begin(g *interpreter.Game) (*interpreter.Position, error) {
	h := &r.Header
	if h.Players != 0 && h.Players != g.Players() {
		return nil, &SyntaxError{Name: r.name, Fault: say("players", "the record is of {{.n}} players, the game for {{.want}}", "n", h.Players, "want", g.Players())}
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
	seat := g.Seat(h.First)
	if seat == interpreter.None {
		return nil, noPlayer(h.First)
	}
	return g.Start(seat), nil
}

func noPlayer(name string) error {
	return say("no_player", "there is no player {{.name}}", "name", strconv.Quote(name))
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
		if now := Changes(at, x.p); now != e.After && spots().ReplaceAllString(now, "") != e.After {
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

// Lost returns the effect of the last event if the record lacks it. It has to be written before the next event.
func (x *Replay) Lost() string {
	if x.before == nil || x.rec.says(x.last) {
		return ""
	}
	return Changes(x.before, x.p)
}

// difference describes how the effect of an event differs from the recorded one.
func difference(record, now string) error {
	was, is := strings.Split(record, "; "), strings.Split(now, "; ")
	without := func(list, other []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" || slices.Contains(other, s) }), "; ")
	}
	gone, more := without(was, is), without(is, was)
	if gone == "" && more == "" {
		gone, more = record, now
	}
	switch {
	case more == "":
		return say("gone", "in the record it brought about {{.was}}, by these rules it does not", "was", gone)
	case gone == "":
		return say("added", "by these rules it brings about {{.is}}, in the record it did not", "is", more)
	}
	return say("changed", "in the record it brought about {{.was}}, by these rules {{.is}}", "was", gone, "is", more)
}

// Apply plays an event.
func Apply(p *interpreter.Position, e Event) error {
	misfit := func(offered []string, reason error) error {
		return &MisfitError{Event: e, Reason: reason, Offered: offered, Position: p}
	}
	if fault := wrongNode(p, e); fault != nil {
		return misfit(nil, fault)
	}
	switch e.Kind {
	case Lot:
		seat := p.Game().Seat(e.Seat)
		if seat == interpreter.None {
			return misfit(nil, noPlayer(e.Seat))
		}
		return p.Throw(seat)
	case Throw:
		numbers, fault := throwNumbers(p, e)
		if fault == nil {
			fault = p.Throw(numbers...)
		}
		if fault != nil {
			return misfit(nil, fault)
		}
	case Play, Choice:
		words := Words(p)
		i := slices.Index(words, e.Words)
		for _, names := range older(p) {
			if i < 0 {
				i = slices.Index(names, e.Words)
			}
		}
		if i < 0 { // older records answer a question, also one for a team, by a number
			i = slices.IndexFunc(p.Options(), func(o interpreter.Option) bool {
				return o.Move == interpreter.None && o.Piece == interpreter.None && o.To == interpreter.None && e.Words == strconv.Itoa(o.Value)
			})
		}
		if i < 0 {
			return misfit(words, say("offer", "the rules offer {{.options}}", "options", offer(p)))
		}
		if (p.Options()[i].Move == interpreter.None) != (e.Kind == Choice) {
			return misfit(words, say("picked", "moves are played, anything else is picked"))
		}
		return p.Choose(i)
	case End:
		if want := EndEvent(p); want.Words != e.Words {
			return misfit(nil, say("end", "the game ends with {{.event}}", "event", strconv.Quote(want.String())))
		}
	}
	return nil
}

// offer is the options of the choice at hand.
func offer(p *interpreter.Position) Offer {
	return Offer{p.Options(), strings.Join(Words(p), ", ")}
}

// wrongNode says why an event is impossible at the present node.
func wrongNode(p *interpreter.Position, e Event) error {
	seat := func() string { return p.Game().SeatName(p.Player()) }
	switch p.Kind() {
	case interpreter.Broken:
		return p.Err()
	case interpreter.Over:
		if e.Kind != End {
			return say("over", "the game is over")
		}
	case interpreter.Throw:
		switch {
		case len(p.Dice()) == 0:
			if e.Kind != Lot {
				return say("lot", "a lot decides who begins")
			}
		case e.Kind != Throw || e.Seat != seat():
			return say("throws", "{{.who}} is to throw", "who", Seat(seat()))
		}
	case interpreter.Choice:
		if e.Kind != Play && e.Kind != Choice || e.Seat != seat() {
			return say("chooses", "{{.who}} is to choose among {{.options}}", "who", Seat(seat()), "options", offer(p))
		}
	}
	return nil
}

func throwNumbers(p *interpreter.Position, e Event) ([]int, error) {
	dice, names := p.Dice(), p.Game().Dice()
	want := seq.Map(dice, func(d int) string { return names[d].Name })
	if got := seq.Map(e.Numbers, func(n Number) string { return n.Die }); !slices.Equal(got, want) {
		return nil, say("dice", "what is thrown is {{.dice}}", "dice", strings.Join(want, " "))
	}
	return seq.Map(e.Numbers, func(n Number) int { return n.Value }), nil
}

// spots matches the passages and ordinals of pieces, which older records lack.
var spots = pattern.Of(`[#/][0-9]+`)
