// Package record writes games to a text format and reads them.
//
// A record has one line per event: what was thrown and what was chosen, in the words of the board. It begins with a
// header that says which rules were played. It is only appended to, a line at a time, so a crash of the program loses
// nothing before the last line:
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
// The events are the inputs of the game. A line that begins with "=" has the effect of the event before it: what the
// rules made of it at that time. An event without such a line had no effect. Lines that begin with "#" are comments.
//
// Begin and Apply replay a record on a game of the same rules. A record that does not fit them is refused at the
// first event that is impossible or has another effect. Version 1 had no "=" lines; for such a record only the events
// are compared. Note: "undo 3" undoes the three events before it, so the game consists of the
// events of Live, not of all events in the file.
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

// Version is the version of the format that is written; earlier versions can be read.
const Version = 2

// Header says what was played. It is plain data.
type Header struct {
	Rules    string              // the name of the rule book: a shipped one, or the path of its file
	With     []string            // the changes applied, named in the same way
	Print    string              // fingerprint of the game
	Options  []model.OptionValue // all options with an effect: a default may change later
	Players  int
	Seats    []string // the players, to continue the game
	Seed     uint64   // of the random numbers
	First    string   // the seat chosen to begin, "" if the rules decided
	Position *interpreter.Setup
}

// Kind is the kind of an event.
type Kind uint8

// The kinds of event.
const (
	Throw  Kind = iota // Seat throws Numbers
	Lot                // a lot says that Seat begins
	Play               // Seat plays the move called Words
	Choice             // Seat picks Words
	Undo               // the last Count events are undone
	End                // the game is over, with the result Words
)

// Number is what a device gave.
type Number struct {
	Die   string
	Value int
}

// Event is one line of a record. Kind says which fields are used.
type Event struct {
	Kind    Kind
	Seat    string
	Numbers []Number
	Words   string
	Count   int
	Line    int // its line in the file, from 1; 0 for a new event
	// After is its effect, as returned by Position.Changes, joined by "; ". It is empty in records of version 1.
	After string
}

// String is the event in the format of a record.
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
	if first, _, several := strings.Cut(e.Words, " "); several && slices.Contains(verbs, first) {
		return "end  " + e.Words // the result, and not what a seat called "end" does
	}
	return strings.TrimSuffix("end "+e.Words, " ")
}

// Record is a recorded game.
type Record struct {
	Header  Header
	Events  []Event
	Version int
	// Whole is the length of the text in complete lines. An incomplete last line is ignored.
	Whole int
	// Cut reports whether there was such a line.
	Cut bool

	name string
}

// Live lists the events that were not undone.
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

// Fingerprint is a hash of the texts of all files of the rules. Equal fingerprints mean equal rules; different ones
// may differ only in a comment.
func Fingerprint(g *interpreter.Game) string {
	r := g.Rules()
	texts := slices.Clone(r.Sources)
	add := func(s source.Span) {
		if s.File != nil {
			texts = append(texts, s.File.Text())
		}
	}
	add(r.Board.Span)
	for _, p := range r.Board.Places {
		add(p.Span)
	}
	slices.Sort(texts)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(texts), "\x00")))
	return hex.EncodeToString(sum[:8])
}
