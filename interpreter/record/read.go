package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/interpreter"
)

// Mark is the beginning of every record.
const Mark = "rulerun record "

// Limits of a record.
const (
	maxBytes  = 32 << 20
	maxLine   = 1 << 20
	maxEvents = 1 << 20
)

// SyntaxError is a line that is not in the notation.
type SyntaxError struct {
	Name    string // of the record
	Line    int    // from 1
	Message string
}

// Error is the fault on one line, with its place.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Message) }

// Read reads a record; name is what messages call it. The error is a *SyntaxError, or one of the reader's.
func Read(r io.Reader, name string) (*Record, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxBytes {
		return nil, &SyntaxError{name, 1, fmt.Sprintf("the record is longer than %d bytes", maxBytes)}
	}
	rd := &reader{rec: &Record{name: name, Whole: bytes.LastIndexByte(data, '\n') + 1}}
	rd.rec.Cut = rd.rec.Whole < len(data)
	lines := strings.Split(string(data[:rd.rec.Whole]), "\n")
	for i, line := range lines[:len(lines)-1] {
		rd.n = i + 1
		if fault := rd.line(strings.TrimSuffix(line, "\r")); fault != "" {
			return nil, &SyntaxError{name, rd.n, fault}
		}
	}
	if !rd.begun {
		return nil, &SyntaxError{name, 1, "this is not a record: its first line is not \"rulerun record 2\""}
	}
	if h := &rd.rec.Header; h.Players > 0 && len(h.Seats) > 0 && len(h.Seats) != h.Players {
		return nil, &SyntaxError{name, rd.seats, fmt.Sprintf("seats: got %d, want %d", len(h.Seats), h.Players)}
	}
	if rd.rec.Header.Rules == "" {
		return nil, &SyntaxError{name, max(1, rd.n), "the head does not say which rules were played: \"rules NAME\""}
	}
	return rd.rec, nil
}

// reader reads line after line.
type reader struct {
	rec   *Record
	n     int
	begun bool // the first line has been read
	body  bool // the head has ended
	live  int  // events not undone
	ended bool
	seen  map[string]bool
	seats int // the line that names the seats
}

// line reads one line and returns an error message, or "".
func (r *reader) line(s string) string {
	switch {
	case len(s) > maxLine:
		return fmt.Sprintf("the line is longer than %d bytes", maxLine)
	case !utf8.ValidString(s):
		return "the line is not UTF-8"
	case !r.begun:
		return r.first(s)
	case strings.HasPrefix(s, "#"):
		return ""
	case s == "":
		r.body = true
		return ""
	case !r.body:
		return r.head(s)
	case strings.HasPrefix(s, "= ") && r.rec.Version > 1:
		return r.after(strings.TrimPrefix(s, "= "))
	}
	if len(r.rec.Events) == maxEvents {
		return fmt.Sprintf("the record has more than %d events", maxEvents)
	}
	e, fault := parse(s)
	if fault != "" {
		return fault
	}
	e.Line = r.n
	switch {
	case e.Kind == Undo && e.Count > r.live:
		return fmt.Sprintf("%d events are taken back, but there are only %d", e.Count, r.live)
	case e.Kind == Undo:
		r.live -= e.Count
		r.ended = false
	case r.ended:
		return "the game has ended already"
	default:
		r.live++
		r.ended = e.Kind == End
	}
	r.rec.Events = append(r.rec.Events, e)
	return ""
}

// after reads the effect of the previous event.
func (r *reader) after(s string) string {
	n := len(r.rec.Events)
	switch {
	case n == 0 || r.rec.Events[n-1].Kind == Undo || r.rec.Events[n-1].Kind == End:
		return "there is no event before this that could have brought it about"
	case r.rec.Events[n-1].After != "":
		return "what the event brought about is said already"
	case strings.TrimSpace(s) == "":
		return "this says nothing: leave the line out"
	}
	r.rec.Events[n-1].After = s
	return ""
}

func (r *reader) first(s string) string {
	version, ok := strings.CutPrefix(s, Mark)
	if !ok {
		return "this is not a record: its first line is not \"rulerun record 2\""
	}
	n, err := strconv.Atoi(version)
	if err != nil || n < 1 || n > Version || version != strconv.Itoa(n) {
		return fmt.Sprintf("this is a record of version %q; the versions up to %d can be read", version, Version)
	}
	r.rec.Version = n
	r.begun, r.seen = true, map[string]bool{}
	return ""
}

// head reads a line of the header.
func (r *reader) head(s string) string {
	key, value, _ := strings.Cut(s, " ")
	h := &r.rec.Header
	if key != "set" && key != "with" {
		if r.seen[key] {
			return fmt.Sprintf("the head says %q twice", key)
		}
		r.seen[key] = true
	}
	if strings.TrimSpace(value) == "" {
		return fmt.Sprintf("%q is not a line of the head: it says nothing", s)
	}
	fault := ""
	switch key {
	case "rules":
		h.Rules, fault = unquoted(value)
	case "with":
		var w string
		w, fault = unquoted(value)
		h.With = append(h.With, w)
	case "print":
		if h.Print = value; !isPrint(value) {
			fault = fmt.Sprintf("this is no fingerprint of rules: %q", value)
		}
	case "set":
		name, text, ok := strings.Cut(value, " ")
		if !ok {
			return fmt.Sprintf("option %q has no value", name)
		}
		for _, o := range h.Options {
			if o.Name == name {
				return fmt.Sprintf("option %q is set twice", name)
			}
		}
		text, fault = unquoted(text)
		h.Options = append(h.Options, Option{name, text})
	case "players":
		h.Players, fault = number(value)
	case "seats":
		h.Seats, r.seats = strings.Fields(value), r.n
	case "seed":
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			fault = fmt.Sprintf("the seed is not a number: %q", value)
		}
		h.Seed = seed
	case "first":
		h.First = value
	case "position":
		d := json.NewDecoder(strings.NewReader(value))
		d.DisallowUnknownFields()
		h.Position = &interpreter.Setup{}
		if err := d.Decode(h.Position); err != nil || d.More() {
			fault = "the position is not the JSON of one"
		}
	default:
		return fmt.Sprintf("%q is not a line of the head; before the first event stands an empty line", key)
	}
	return fault
}

// isPrint reports whether a text is what Fingerprint returns.
func isPrint(s string) bool {
	sum, err := hex.DecodeString(s)
	return err == nil && len(sum) == 8
}

func unquoted(s string) (string, string) {
	if !strings.HasPrefix(s, `"`) {
		return s, ""
	}
	out, err := strconv.Unquote(s)
	if err != nil {
		return "", fmt.Sprintf("the quotes do not match: %s", s)
	}
	return out, ""
}

func number(s string) (int, string) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 1<<20 {
		return 0, fmt.Sprintf("got %q, want a number above 0", s)
	}
	return n, ""
}

// parse reads an event.
func parse(s string) (Event, string) {
	first, rest, _ := strings.Cut(s, " ")
	switch {
	case first == "undo":
		n, fault := number(rest)
		return Event{Kind: Undo, Count: n}, fault
	case first == "end":
		return Event{Kind: End, Words: rest}, ""
	case first == "lot" && rest != "":
		return Event{Kind: Lot, Seat: rest}, ""
	}
	verb, words, _ := strings.Cut(rest, " ")
	if words == "" {
		return Event{}, fmt.Sprintf("%q is not an event: write \"SEAT throws DIE N\", \"SEAT plays FROM -> TO\", \"SEAT picks WORD\", \"undo N\" or \"end\"", s)
	}
	e := Event{Seat: first, Words: words}
	switch verb {
	case "throws":
		parts := strings.Split(words, " ")
		if len(parts)%2 != 0 {
			return e, "a throw is the name of each die with its number"
		}
		e.Words = ""
		for i := 0; i < len(parts); i += 2 {
			n, err := strconv.Atoi(parts[i+1])
			if err != nil {
				return e, fmt.Sprintf("%q is not a number", parts[i+1])
			}
			e.Numbers = append(e.Numbers, Number{parts[i], n})
		}
		e.Kind = Throw
	case "plays":
		e.Kind = Play
	case "picks":
		e.Kind = Choice
	default:
		return e, fmt.Sprintf("%q is not an event: want throws, plays or picks", first+" "+verb)
	}
	return e, ""
}
