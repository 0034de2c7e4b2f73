package record

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
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

// SyntaxError is a line that is not in the notation, or a header that does not suit the game.
type SyntaxError struct {
	Name  string // of the record
	Line  int    // from 1; 0 for the header
	Fault error
}

// Error is the fault on one line, with its place.
func (e *SyntaxError) Error() string { return e.Worded(error.Error) }

// Worded is the fault on one line as a function says it, with its place.
func (e *SyntaxError) Worded(say func(error) string) string {
	return placed(e.Name, e.Line) + say(e.Fault)
}

// placed is a place before a fault.
func placed(name string, line int) string {
	switch {
	case name == "" && line > 0:
		return fmt.Sprintf("%d: ", line)
	case line > 0:
		return fmt.Sprintf("%s:%d: ", name, line)
	case name != "":
		return name + ": "
	}
	return ""
}

// say is a sentence of this package, which the command has in other languages by its key.
func say(key, text string, args ...any) error {
	return catalogue.Sentence{Key: "record." + key, Text: text, Args: args}
}

// noRecord is the fault of a text without the first line of a record.
func noRecord() error {
	return say("none", "this is not a record: its first line is not {{.line}}", "line", strconv.Quote(Mark+strconv.Itoa(Version)))
}

// Read reads a record; name is what messages call it. The error is a *SyntaxError, or one of the reader's.
func Read(r io.Reader, name string) (*Record, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxBytes {
		return nil, &SyntaxError{name, 1, say("long", "the record is longer than {{.most}} bytes", "most", maxBytes)}
	}
	rd := &reader{rec: &Record{name: name, Whole: bytes.LastIndexByte(data, '\n') + 1}}
	rd.rec.Cut = rd.rec.Whole < len(data)
	lines := strings.Split(string(data[:rd.rec.Whole]), "\n")
	for i, line := range lines[:len(lines)-1] {
		rd.n = i + 1
		if fault := rd.line(strings.TrimSuffix(line, "\r")); fault != nil {
			return nil, &SyntaxError{name, rd.n, fault}
		}
	}
	if !rd.begun {
		return nil, &SyntaxError{name, 1, noRecord()}
	}
	if h := &rd.rec.Header; h.Players > 0 && len(h.Seats) > 0 && len(h.Seats) != h.Players {
		return nil, &SyntaxError{name, rd.seats, say("seats", "seats: got {{.got}}, want {{.want}}", "got", len(h.Seats), "want", h.Players)}
	}
	if rd.rec.Header.Rules == "" {
		return nil, &SyntaxError{name, max(1, rd.n), say("no_rules", "the head does not say which rules were played: \"rules NAME\"")}
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

// line reads one line.
func (r *reader) line(s string) error {
	switch {
	case len(s) > maxLine:
		return say("long_line", "the line is longer than {{.most}} bytes", "most", maxLine)
	case !utf8.ValidString(s):
		return say("utf8", "the line is not UTF-8")
	case !r.begun:
		return r.first(s)
	case strings.HasPrefix(s, "#"):
		return nil
	case s == "":
		r.body = true
		return nil
	case !r.body:
		return r.head(s)
	case strings.HasPrefix(s, "= ") && r.rec.Version > 1:
		return r.after(strings.TrimPrefix(s, "= "))
	}
	if len(r.rec.Events) == maxEvents {
		return say("many", "the record has more than {{.most}} events", "most", maxEvents)
	}
	e, fault := parse(s)
	if fault != nil {
		return fault
	}
	e.Line = r.n
	switch {
	case e.Kind == Undo && e.Count > r.live:
		return say("undone", "{{.got}} events are taken back, but there are only {{.most}}", "got", e.Count, "most", r.live)
	case e.Kind == Undo:
		r.live -= e.Count
		r.ended = false
	case r.ended:
		return say("ended", "the game has ended already")
	default:
		r.live++
		r.ended = e.Kind == End
	}
	r.rec.Events = append(r.rec.Events, e)
	return nil
}

// after reads the effect of the previous event.
func (r *reader) after(s string) error {
	n := len(r.rec.Events)
	switch {
	case n == 0 || r.rec.Events[n-1].Kind == Undo || r.rec.Events[n-1].Kind == End:
		return say("no_event", "there is no event before this that could have brought it about")
	case r.rec.Events[n-1].After != "":
		return say("said", "what the event brought about is said already")
	case strings.TrimSpace(s) == "":
		return say("nothing", "this says nothing: leave the line out")
	}
	r.rec.Events[n-1].After = s
	return nil
}

func (r *reader) first(s string) error {
	version, ok := strings.CutPrefix(s, Mark)
	if !ok {
		return noRecord()
	}
	n, err := strconv.Atoi(version)
	if err != nil || n < 1 || n > Version || version != strconv.Itoa(n) {
		return say("version", "this is a record of version {{.got}}; the versions up to {{.most}} can be read", "got", strconv.Quote(version), "most", Version)
	}
	r.rec.Version = n
	r.begun, r.seen = true, map[string]bool{}
	return nil
}

// head reads a line of the header.
func (r *reader) head(s string) error {
	key, value, _ := strings.Cut(s, " ")
	h := &r.rec.Header
	if key != "set" && key != "with" {
		if r.seen[key] {
			return say("twice", "the head says {{.key}} twice", "key", strconv.Quote(key))
		}
		r.seen[key] = true
	}
	if strings.TrimSpace(value) == "" {
		return say("empty", "{{.line}} is not a line of the head: it says nothing", "line", strconv.Quote(s))
	}
	var fault error
	switch key {
	case "rules":
		h.Rules, fault = unquoted(value)
	case "with":
		var w string
		w, fault = unquoted(value)
		h.With = append(h.With, w)
	case "print":
		sum, err := hex.DecodeString(value)
		if h.Print = value; err != nil || len(sum) != 8 {
			fault = say("print", "this is no fingerprint of rules: {{.text}}", "text", strconv.Quote(value))
		}
	case "set":
		name, text, ok := strings.Cut(value, " ")
		if !ok {
			return say("no_value", "option {{.name}} has no value", "name", strconv.Quote(name))
		}
		if slices.ContainsFunc(h.Options, func(o model.OptionValue) bool { return o.Name == name }) {
			return say("set_twice", "option {{.name}} is set twice", "name", strconv.Quote(name))
		}
		text, fault = unquoted(text)
		h.Options = append(h.Options, model.OptionValue{Name: name, Value: text})
	case "players":
		h.Players, fault = number(value)
	case "seats":
		h.Seats, r.seats = strings.Fields(value), r.n
	case "seed":
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			fault = say("seed", "the seed is not a number: {{.text}}", "text", strconv.Quote(value))
		}
		h.Seed = seed
	case "first":
		h.First = value
	case "position":
		d := json.NewDecoder(strings.NewReader(value))
		d.DisallowUnknownFields()
		h.Position = &interpreter.Setup{}
		if err := d.Decode(h.Position); err != nil || d.More() {
			fault = say("position", "the position is not the JSON of one")
		}
	default:
		return say("head", "{{.word}} is not a line of the head; before the first event stands an empty line", "word", strconv.Quote(key))
	}
	return fault
}

func unquoted(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	out, err := strconv.Unquote(s)
	if err != nil {
		return "", say("quotes", "the quotes do not match: {{.text}}", "text", s)
	}
	return out, nil
}

func number(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 1<<20 {
		return 0, say("number", "got {{.text}}, want a number above 0", "text", strconv.Quote(s))
	}
	return n, nil
}

// verbs are what a seat does.
var verbs = []string{"throws", "plays", "picks"}

// parse reads an event.
func parse(s string) (Event, error) {
	first, rest, _ := strings.Cut(s, " ")
	verb, words, _ := strings.Cut(rest, " ")
	switch {
	case words != "" && slices.Contains(verbs, verb): // whatever the colour is called
	case first == "undo":
		n, fault := number(rest)
		return Event{Kind: Undo, Count: n}, fault
	case first == "end":
		return Event{Kind: End, Words: strings.TrimPrefix(rest, " ")}, nil
	case first == "lot" && rest != "":
		return Event{Kind: Lot, Seat: rest}, nil
	}
	if words == "" {
		return Event{}, say("event", "{{.text}} is not an event: write \"SEAT throws DIE N\", \"SEAT plays FROM -> TO\", \"SEAT picks WORD\", \"undo N\" or \"end\"", "text", strconv.Quote(s))
	}
	e := Event{Seat: first, Words: words}
	switch verb {
	case "throws":
		parts := strings.Split(words, " ")
		if len(parts)%2 != 0 {
			return e, say("throw", "a throw is the name of each die with its number")
		}
		e.Words = ""
		for i := 0; i < len(parts); i += 2 {
			n, err := strconv.Atoi(parts[i+1])
			if err != nil {
				return e, say("no_number", "{{.text}} is not a number", "text", strconv.Quote(parts[i+1]))
			}
			e.Numbers = append(e.Numbers, Number{parts[i], n})
		}
		e.Kind = Throw
	case "plays":
		e.Kind = Play
	case "picks":
		e.Kind = Choice
	default:
		return e, say("verb", "{{.text}} is not an event: want throws, plays or picks", "text", strconv.Quote(first+" "+verb))
	}
	return e, nil
}
