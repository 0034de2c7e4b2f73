// Package record writes games down and reads them back.
//
// A record is a text, one line an event: what was thrown and what was chosen, in the words of the board. It begins
// with a head that says which rules were played, and is only ever added to, a line at a time, so that whatever stops
// the program, the game up to there is on paper:
//
//	rulerun record 2
//	rules ludo
//	print 58c1fdd2a6e90b34
//	set laps 2
//	players 2
//	seats human random
//	seed 7
//
//	yellow throws die 5
//	yellow plays 12 -> 17
//	= yellow 12 -> 17; yellow 20 -> 25; points yellow 3
//	blue throws die 3
//	undo 1
//	end yellow blue
//
// The events are what the outside gave. A line that begins with "=" says what the event before it brought about, by
// whatever decision: it is what the rules made of it then. An event without such a line changed nothing. Lines that begin
// with "#" are comments.
//
// A record is played again by Begin and Apply on a game of the same rules; one that does not fit them is refused at the
// first event that cannot be, or that brings about something else. Version 1 had no "=" lines; of such a record only the
// events are compared. What a newcomer gets wrong: "undo 3" takes back the three events before it, so the game is Events
// of Live, not of the file.
package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// Version is the version of the notation that is written; those before it can be read.
const Version = 2

// Option is an option of the rules with its value.
type Option struct {
	Name, Value string
}

// Header says what was played. It is plain data.
type Header struct {
	Rules    string   // the rule book as it was named: a shipped one, or the path of its file
	With     []string // the changes applied, named likewise
	Print    string   // Fingerprint of the game
	Options  []Option // all that matter: a default may be another one tomorrow
	Players  int
	Seats    []string // who sits there, for those who go on with the game
	Seed     uint64   // of the chance that was used
	First    string   // the seat that was told to begin, "" where the rules decided
	Position *interpreter.Setup
}

// Kind says what an event is.
type Kind uint8

// The events.
const (
	Throw  Kind = iota // Seat throws Numbers
	Lot                // a lot says that Seat begins
	Play               // Seat takes the move called Words
	Choice             // Seat picks Words
	Undo               // the last Count events are taken back
	End                // the game is over, with the result Words
)

// Number is what a device gave.
type Number struct {
	Die   string
	Value int
}

// Event is one line of a record. Which fields count depends on Kind.
type Event struct {
	Kind    Kind
	Seat    string
	Numbers []Number
	Words   string
	Count   int
	Line    int // where it was read, from 1; 0 for one just made
	// After is what it brought about, as Position.Changes says it, joined by "; ". It is empty in records of version 1.
	After string
}

// String is the event as it is written.
func (e Event) String() string {
	switch e.Kind {
	case Throw:
		var b strings.Builder
		fmt.Fprintf(&b, "%s throws", e.Seat)
		for _, n := range e.Numbers {
			fmt.Fprintf(&b, " %s %d", n.Die, n.Value)
		}
		return b.String()
	case Lot:
		return "lot " + e.Seat
	case Play:
		return e.Seat + " plays " + e.Words
	case Choice:
		return e.Seat + " picks " + e.Words
	case Undo:
		return fmt.Sprintf("undo %d", e.Count)
	}
	return strings.TrimSuffix("end "+e.Words, " ")
}

// Record is a game written down.
type Record struct {
	Header  Header
	Events  []Event
	Version int
	// Whole is how many bytes of the text are whole lines. What follows is the beginning of a line that was never
	// finished; it is left out.
	Whole int
	// Cut reports whether there was such a line.
	Cut bool

	name string
}

// Live lists the events that hold once everything taken back is left out.
func (r *Record) Live() []Event {
	var out []Event
	for _, e := range r.Events {
		if e.Kind == Undo {
			out = out[:max(0, len(out)-e.Count)]
			continue
		}
		out = append(out, e)
	}
	return out
}

// Fingerprint tells texts of rules apart: it is made of the texts of all files that have a part in the game. Equal
// prints mean equal rules; different ones may mean no more than another comment.
func Fingerprint(g *interpreter.Game) string {
	r := g.Rules()
	seen := map[*source.File]bool{}
	var texts []string
	add := func(s source.Span) {
		if f := s.File; f != nil && !seen[f] {
			seen[f] = true
			texts = append(texts, f.Text())
		}
	}
	add(r.Board.Span)
	for _, p := range r.Board.Places {
		add(p.Span)
	}
	for _, d := range r.Dice {
		add(d.Span)
	}
	for _, v := range r.Vars {
		add(v.Span)
	}
	for _, m := range r.Moves {
		add(m.Span)
	}
	for _, a := range r.Acts {
		add(a.Span)
	}
	for _, x := range r.Rules {
		add(x.Span)
		for _, c := range x.Clauses {
			c.When.Walk(func(e *model.Expr) bool {
				if e.Let != nil {
					add(e.Let.Span)
				}
				return true
			})
		}
	}
	for _, s := range r.Turn.Stmts {
		add(s.Span)
	}
	for _, c := range r.Counts {
		add(c.Span)
	}
	if r.Lead != nil {
		add(r.Lead.Span)
	}
	slices.Sort(texts)
	texts = slices.Compact(texts)
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
