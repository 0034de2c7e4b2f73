package door

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
)

// The kinds of request.
const (
	DoList    = "list"    // list the rule books
	DoBook    = "book"    // what a rule book can be played with
	DoNew     = "new"     // begin a game; on a shared screen DoGo lets bots that are first act, so that people see it
	DoState   = "state"   // the game as the seat sees it, and the events since At
	DoAct     = "act"     // throw, choose a number or take an option; then bots play until a person has to act, see botEvents
	DoGo      = "go"      // let the bots go on
	DoUndo    = "undo"    // undo up to the last decision of a person
	DoWhy     = "why"     // why moves are not offered: all, or those that Text names
	DoFind    = "find"    // the option that Text names, or why there is none
	DoHint    = "hint"    // an option that a good bot would take
	DoRules   = "rules"   // the rules in words
	DoRecord  = "record"  // the game written down
	DoBoard   = "board"   // the drawing of the board
	DoLoad    = "load"    // continue a recorded game, Text or the replay Game, from event At if it is given
	DoReplay  = "replay"  // show a recorded game from its beginning
	DoStep    = "step"    // of a replay: the game after At events
	DoSource  = "source"  // the text of a rule book
	DoTest    = "test"    // what was played last, as a test, called Text
	DoCompare = "compare" // how games by a rule book differ from those by the one it changes; it takes some seconds
)

// Request is a request of a client. Do says which fields are used; others must be absent.
type Request struct {
	Do   string `json:"do"`
	Game string `json:"game,omitempty"` // from the answer to new or load
	Seat string `json:"seat,omitempty"` // who asks, "" for an onlooker
	// Lang is the language of the answer, "es" or "es-MX"; a game goes on in it. Without it a game stays in its language, and
	// everything else is in English.
	Lang string `json:"lang,omitempty"`
	At   *int   `json:"at,omitempty"` // number of events the client has seen; required for act, go and undo
	// Shared says that all people at the game look at one screen: the person asked acts, and the answer has the options of
	// the person asked, but no secrets. Then Seat is absent.
	Shared bool `json:"shared,omitempty"`

	Throw  bool `json:"throw,omitempty"`  // act: throw the dice
	Number *int `json:"number,omitempty"` // act: this number
	Option *int `json:"option,omitempty"` // act: this option, from 0

	Text string `json:"text,omitempty"` // why, find: places or words; load, replay: the record

	Rules   string            `json:"rules,omitempty"` // a rule book
	With    []string          `json:"with,omitempty"`  // and the changes applied to it
	Options map[string]string `json:"options,omitempty"`
	Players int               `json:"players,omitempty"`
	Seats   []string          `json:"seats,omitempty"` // "human" or the name of a bot; without it a person plays the first seat
	Seed    *uint64           `json:"seed,omitempty"`

	// Files are texts of rule files and boards by name, for book, new, load and replay. Rules is then the name of one of
	// them, or of a rule book that may build on them.
	Files map[string]string `json:"files,omitempty"`
	From  string            `json:"from,omitempty"` // new: a game, whose position the new one begins with
}

// Pick names a rule book, and the changes applied to it.
type Pick struct {
	Rules string   `json:"rules,omitempty"`
	With  []string `json:"with,omitempty"`
}

func (r *Request) pick() Pick { return Pick{r.Rules, r.With} }

// Say is a text in the language of the request.
func (r *Request) Say(key string, args ...any) string {
	return locale.For(locale.Choose(r.Lang)).Say(key, args...)
}

// said is an error in the language of the request.
func (r *Request) said(err error) string { return Said(locale.Choose(r.Lang), err) }

// refused is an answer that says in the language of the request why it is refused.
func (r *Request) refused(err error) *Answer { return fault(FaultRefused, "%s", r.said(err)) }

// Answer is the result of a request: an error, or the requested data.
type Answer struct {
	Error  *Fault     `json:"error,omitempty"`
	Game   string     `json:"game,omitempty"`
	State  *State     `json:"state,omitempty"`
	Events []Event    `json:"events,omitempty"` // since At
	Log    []Entry    `json:"log,omitempty"`    // of these events
	Lines  []string   `json:"lines,omitempty"`  // why, find, rules
	Option *int       `json:"option,omitempty"` // find: from 0
	Rules  []RuleText `json:"rules,omitempty"`
	Hint   *int       `json:"hint,omitempty"`
	Record string     `json:"record,omitempty"`
	Books  []Book     `json:"books,omitempty"`
	Book   *Details   `json:"book,omitempty"`
	Board  *Board     `json:"board,omitempty"`
	Replay *Replay    `json:"replay,omitempty"`
	Source *Source    `json:"source,omitempty"`
	Text   string     `json:"text,omitempty"`   // test
	Played *Played    `json:"played,omitempty"` // rules, if no texts of a client are among them
}

// Played is what a game is played by. Unusual means that some option is not the usual one.
type Played struct {
	Pick
	Unusual bool `json:"unusual,omitempty"`
}

// Fault says why a request was refused. A refused request changes nothing.
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// The codes of faults.
const (
	FaultMalformed = "malformed" // the request cannot be read
	FaultUnknown   = "unknown"   // unknown game, seat, rule book or request
	FaultLate      = "late"      // the game has changed since At, or the request was sent twice
	FaultSeat      = "seat"      // another seat has to act
	FaultNotNow    = "not-now"   // the game waits for something else
	FaultRefused   = "refused"   // not allowed
	FaultRules     = "rules"     // the rules of the game fail
)

// Book is a rule book that can be played.
type Book struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	For   string `json:"for,omitempty"`   // the rule book that it changes
	Group string `json:"group,omitempty"` // where it is from
}

// The groups of rule books.
const (
	GroupGiven   = "given"   // files of the players
	GroupBooks   = "books"   // shipped
	GroupChanges = "changes" // shipped house rules
)

// Details say what a rule book can be played with. Players, seats and bots are those of some options.
type Details struct {
	Book
	Changes []string     `json:"changes,omitempty"` // the titles of the changes
	Options []BookOption `json:"options,omitempty"`
	Players []int        `json:"players"` // the usual number first
	Seats   []string     `json:"seats"`   // of the number of players asked for
	Called  []string     `json:"called"`  // what players call the seats
	Bots    []Bot        `json:"bots"`    // that can play it
	Usual   string       `json:"usual"`   // the one of them that is meant if none is named
}

// BookOption is an option of a rule book.
type BookOption struct {
	Name    string   `json:"name"`
	Words   string   `json:"words,omitempty"`
	Default string   `json:"default"`
	Values  []string `json:"values,omitempty"` // the possible values; without them it is as Wants says
	Said    []string `json:"said,omitempty"`   // what players call the values
	Wants   string   `json:"wants"`
	Number  bool     `json:"number,omitempty"`
}

// Bot is a computer player.
type Bot struct {
	Name  string `json:"name"`
	Words string `json:"words"`
}

// Books is a source of games for a host. It is safe for several goroutines.
type Books interface {
	// List lists the rule books.
	List() []Book
	// Details says what a rule book can be played with. Seats and Bots are left to the host. A rule book, like a change, has
	// the name that List says, or, in a record, the path of its file.
	Details(p Pick, options map[string]string) (*Details, error)
	// Rules are the rules of a rule book for options and a number of players, 0 for the usual one.
	Rules(p Pick, options map[string]string, players int) (*model.Rules, error)
	// With is the same with texts of rule files and boards by name, which come first.
	With(files map[string]string) (Books, error)
	// Source is the text of a rule book.
	Source(p Pick) (*Source, error)
	// Base is the rule book that a rule book changes.
	Base(p Pick) (Pick, error)
	// In is the same with texts in a language, "" for English.
	In(lang string) Books
}

// Source is the text of a rule book and of its changes, with the files they build on. Rules and With of Pick are names of
// files.
type Source struct {
	Pick
	Files map[string]string `json:"files"`
}

// Host stores games and answers requests. It is safe for several goroutines; requests for one game are serialised.
type Host struct {
	books  Books
	random func() uint64 // for seeds and the names of games
	limit  int

	mu    sync.Mutex
	games map[string]*hosted
	order []string // oldest first
}

type hosted struct {
	sync.Mutex
	*Session
	replay *replay           // nil for a game that is played
	files  map[string]string // texts of a client that its rule book is made of
}

// NewHost makes a host with a limit on its games; the oldest ones are dropped for new ones. random gives random
// numbers.
func NewHost(books Books, limit int, random func() uint64) *Host {
	return &Host{books: books, random: random, limit: max(1, limit), games: map[string]*hosted{}}
}

// maxRequest is the largest request in bytes: a record fits.
const maxRequest = 4 << 20

// Serve answers one request in JSON. It never fails: errors are answers.
func (h *Host) Serve(request []byte) []byte {
	out, err := json.Marshal(h.answer(request))
	if err != nil { // plain data can always be encoded
		panic(err)
	}
	return out
}

func (h *Host) answer(text []byte) *Answer {
	if len(text) > maxRequest {
		return fault(FaultMalformed, "the request has %d bytes, want at most %d", len(text), maxRequest)
	}
	var r Request
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return fault(FaultMalformed, "the request cannot be read: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fault(FaultMalformed, "the request goes on after its end")
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(text, &keys); err != nil {
		return fault(FaultMalformed, "the request cannot be read: %v", err)
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if takes := fieldsOf(r.Do); takes != nil && key != "do" && key != "lang" && !slices.Contains(takes, key) {
			return fault(FaultMalformed, "%q takes no %q", r.Do, key)
		}
	}
	return h.Do(&r)
}

// fieldsOf lists the fields that a request uses apart from "do" and "lang", nil for an unknown request.
func fieldsOf(do string) []string {
	switch do {
	case DoList:
		return []string{}
	case DoBook, DoCompare:
		return []string{"rules", "with", "options", "players", "files"}
	case DoSource:
		return []string{"rules", "with", "files"}
	case DoNew:
		return []string{"seat", "shared", "rules", "with", "options", "players", "seats", "seed", "files", "from"}
	case DoLoad:
		return []string{"game", "seat", "shared", "text", "at", "files"}
	case DoReplay:
		return []string{"text", "files"}
	case DoAct:
		return []string{"game", "seat", "shared", "at", "throw", "number", "option"}
	case DoWhy, DoFind, DoTest:
		return []string{"game", "seat", "shared", "text"}
	case DoState, DoUndo, DoGo, DoHint, DoRules, DoRecord, DoBoard, DoStep:
		return []string{"game", "seat", "shared", "at"}
	}
	return nil
}

func fault(code, format string, args ...any) *Answer {
	return &Answer{Error: &Fault{code, fmt.Sprintf(format, args...)}}
}

// Do answers a request. Error in the answer means that nothing has changed.
func (h *Host) Do(r *Request) *Answer {
	books, err := h.booksOf(r.Files, r.Lang)
	if err != nil {
		return r.refused(err)
	}
	switch r.Do {
	case DoList:
		return &Answer{Books: books.List()}
	case DoBook:
		return details(books, r)
	case DoSource:
		source, err := books.Source(r.pick())
		if err != nil {
			return r.refused(err)
		}
		return &Answer{Source: source}
	case DoCompare:
		return compare(books, r)
	case DoNew, DoLoad:
		return h.open(books, r)
	case DoReplay:
		return h.replay(books, r)
	case DoState, DoAct, DoGo, DoUndo, DoWhy, DoFind, DoHint, DoRules, DoRecord, DoBoard, DoStep, DoTest:
	default:
		return fault(FaultUnknown, "there is no request %q", r.Do)
	}
	s := h.game(r.Game)
	if s == nil {
		return fault(FaultUnknown, "%s", r.Say("fault.no_game"))
	}
	s.Lock()
	defer s.Unlock()
	if r.Lang != "" {
		h.speak(s, r.Lang)
	}
	seat := interpreter.None
	switch {
	case r.Shared && r.Seat != "":
		return fault(FaultMalformed, "a shared screen has no seat of its own")
	case r.Shared:
		if seat = s.Asks(); seat == interpreter.None && len(s.People()) > 0 {
			seat = s.People()[0]
		}
	case r.Seat != "":
		if seat = s.game.Seat(r.Seat); seat == interpreter.None {
			return fault(FaultUnknown, "there is no seat %q", r.Seat)
		}
	}
	if (r.Do == DoStep) != (s.replay != nil && r.Do != DoRules && r.Do != DoBoard && r.Do != DoState) {
		return fault(FaultNotNow, "%q is not for this game", r.Do)
	}
	if r.Do == DoStep {
		return s.step(r)
	}
	out := s.answer(r, seat)
	if out.Error == nil {
		out.Game = r.Game
		if r.Do == DoRules && len(s.files) == 0 {
			set := func(o model.OptionValue) bool { return !o.Default }
			out.Played = &Played{Pick{s.header.Rules, s.header.With}, slices.ContainsFunc(s.game.Rules().Options, set)}
		}
	}
	return out
}

// booksOf are the rule books in a language, with texts of a client.
func (h *Host) booksOf(files map[string]string, lang string) (Books, error) {
	h.mu.Lock()
	books := h.books.In(locale.Choose(lang))
	h.mu.Unlock()
	if len(files) == 0 {
		return books, nil
	}
	return books.With(files)
}

// speak goes on with a game in a language. It stays in its own if its rules have changed since it began.
func (h *Host) speak(s *hosted, lang string) {
	if locale.Choose(lang) == s.game.Rules().Lang {
		return
	}
	books, err := h.booksOf(s.files, lang)
	if err != nil {
		return
	}
	g, err := game(books, Pick{s.header.Rules, s.header.With}, optionsOf(s.header), s.header.Players, interpreter.CompileTraced)
	if err != nil || record.Fingerprint(g) != record.Fingerprint(s.game) {
		return
	}
	if s.replay == nil {
		_ = s.Speak(g) // on an error it stays as it is
		return
	}
	at := s.At()
	s.replay.game = g
	if s.rewind() == nil {
		s.forward(at)
	}
}

// open begins a game, or continues one.
func (h *Host) open(books Books, r *Request) *Answer {
	if r.From != "" {
		return h.goOn(books, r)
	}
	var g *interpreter.Game
	var past []record.Event
	header := &record.Header{Rules: r.Rules, With: r.With, Players: r.Players, Seats: r.Seats}
	if r.Do == DoNew {
		var err error
		if g, err = game(books, r.pick(), r.Options, r.Players, interpreter.CompileTraced); err != nil {
			return r.refused(err)
		}
		if a := h.seat(header, g, r); a != nil {
			return a
		}
	} else {
		rec, game, a := h.recorded(books, r)
		if a != nil {
			return a
		}
		g, header, past = game, &rec.Header, rec.Live()
		if r.At != nil {
			past = past[:min(max(0, *r.At), len(past))]
		}
		header.Seed = h.random() % 1_000_000_000 // the past is in the record; only future events use the seed
	}
	s, err := Open(g, header, past)
	if err != nil {
		return r.refused(err)
	}
	if r.Do == DoLoad || !r.Shared {
		if err := s.run(); err != nil {
			return s.failed(FaultRules, err)
		}
	}
	return h.opened(s, r)
}

func (h *Host) opened(s *Session, r *Request) *Answer {
	out := &Answer{Events: s.Happened(0), Log: s.Entries(0), State: s.answered(r, s.viewer(r.Seat))}
	out.Game = h.add(&hosted{Session: s, files: r.Files})
	return out
}

// Restock replaces the rule books, for new games.
func (h *Host) Restock(books Books) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.books = books
}

// game finds a game by its name; nil if there is none.
func (h *Host) game(name string) *hosted {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.games[name]
}

// Header says what a game is played by, nil if there is no such game.
func (h *Host) Header(game string) *record.Header {
	s := h.game(game)
	if s == nil {
		return nil
	}
	s.Lock()
	defer s.Unlock()
	return new(*s.header)
}

// Add gives a game to the host, which names it. From then on the session belongs to the host.
func (h *Host) Add(s *Session) string { return h.add(&hosted{Session: s}) }

func (h *Host) add(s *hosted) string {
	id := fmt.Sprintf("%016x", h.random())
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.order) >= h.limit {
		delete(h.games, h.order[0])
		h.order = h.order[1:]
	}
	h.games[id], h.order = s, append(h.order, id)
	return id
}

func (h *Host) recorded(books Books, r *Request) (*record.Record, *interpreter.Game, *Answer) {
	if r.Game != "" {
		s := h.game(r.Game)
		if s == nil {
			return nil, nil, fault(FaultUnknown, "%s", r.Say("fault.no_game"))
		}
		if s.replay == nil {
			return nil, nil, fault(FaultNotNow, "this game is not a recorded one")
		}
		return new(*s.replay.rec), s.replay.game, nil
	}
	rec, err := record.Read(strings.NewReader(r.Text), r.Say("record.this"))
	if err != nil {
		return nil, nil, r.refused(err)
	}
	g, err := game(books, Pick{rec.Header.Rules, rec.Header.With}, optionsOf(&rec.Header), rec.Header.Players, interpreter.CompileTraced)
	if err != nil {
		return nil, nil, r.refused(err)
	}
	return rec, g, nil
}

// game is the game of a rule book, as compile makes it: sessions play one with ways.
func game(books Books, p Pick, options map[string]string, players int, compile func(*model.Rules) (*interpreter.Game, error)) (*interpreter.Game, error) {
	r, err := books.Rules(p, options, players)
	if err != nil {
		return nil, err
	}
	return compile(r)
}

func optionsOf(h *record.Header) map[string]string {
	out := map[string]string{}
	for _, o := range h.Options {
		out[o.Name] = o.Value
	}
	return out
}

// details says what a rule book can be played with.
func details(books Books, r *Request) *Answer {
	d, err := books.Details(r.pick(), r.Options)
	if err != nil {
		return r.refused(err)
	}
	rules, err := books.Rules(r.pick(), r.Options, r.Players)
	if err != nil {
		return r.refused(err)
	}
	for _, seat := range rules.Seats {
		colour := rules.Colours[seat.Colours[0]]
		called := colour.Name
		if rules.Lang != "" {
			called = rules.Board.Colours[colour.Board].Words
		}
		d.Seats, d.Called = append(d.Seats, colour.Name), append(d.Called, called)
	}
	d.Usual = bot.Usual(rules)
	for _, b := range Bots(locale.For(locale.Choose(r.Lang))) {
		if x, err := bot.New(b.Name); err == nil && bot.Offered(x, rules) == nil {
			d.Bots = append(d.Bots, b)
		}
	}
	return &Answer{Book: d}
}

// seat assigns players to the seats of a new game.
func (h *Host) seat(header *record.Header, g *interpreter.Game, r *Request) *Answer {
	header.Players, header.Print, header.Options = g.Players(), record.Fingerprint(g), g.Rules().Options
	header.Seed = h.random() % 1_000_000_000
	if r.Seed != nil {
		header.Seed = *r.Seed
	}
	if len(header.Seats) == 0 {
		header.Seats = append([]string{"human"}, slices.Repeat([]string{bot.Usual(g.Rules())}, g.Players()-1)...)
	}
	if len(header.Seats) != g.Players() {
		return fault(FaultRefused, "%s", r.Say("fault.seats", "got", len(header.Seats), "want", g.Players()))
	}
	for _, who := range header.Seats {
		if who == "human" {
			continue
		}
		b, err := bot.New(who)
		if err == nil {
			err = bot.Fits(b, g)
		}
		if err != nil {
			return fault(FaultRefused, "seats: %v", err)
		}
	}
	return nil
}
