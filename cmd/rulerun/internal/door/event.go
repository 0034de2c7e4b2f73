package door

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// The kinds of event.
const (
	EventThrow   = "throw"   // Seat throws Numbers
	EventNumber  = "number"  // Seat chooses a number instead
	EventLot     = "lot"     // the lot selects Seat
	EventBegins  = "begins"  // Seat begins
	EventMove    = "move"    // Piece of Colour goes from From to To, by Way
	EventPick    = "pick"    // Seat answers a question
	EventNothing = "nothing" // Seat can do nothing with a number
	EventAct     = "act"     // an act of the rules
	EventPut     = "put"     // Piece is moved by a rule, not by its own move
	EventGiven   = "given"   // Piece is Colour's from now on
	EventRule    = "rule"    // a rule has an effect that the board does not show
	EventFired   = "fired"   // a clause of Rule, in line Line of the rules, takes effect
	EventRanked  = "ranked"  // Seat finishes
	EventOut     = "out"     // Seat is out of the game
	EventOver    = "over"    // the game is over
)

// Event is something that players see. Words describes it; the other fields are for drawing it.
type Event struct {
	Kind    string   `json:"kind"`
	At      int      `json:"at"` // the number of the throw or choice that it comes from, from 0
	Words   string   `json:"words"`
	Seat    string   `json:"seat,omitempty"`
	Numbers []int    `json:"numbers,omitempty"`
	Piece   *int     `json:"piece,omitempty"`
	Colour  string   `json:"colour,omitempty"`
	From    string   `json:"from,omitempty"`
	To      string   `json:"to,omitempty"`
	Way     []string `json:"way,omitempty"`    // the squares of a move, including From and To
	Forced  bool     `json:"forced,omitempty"` // the move was the only one
	Rule    string   `json:"rule,omitempty"`   // the name of the rule that did it
	Line    string   `json:"line,omitempty"`   // the place of its clause: "house.rules:12"

	turn    string // the seat in turn
	fresh   bool   // the first event of its turn
	act     string // of an act: its text alone
	brief   string // of a move: its text without a note that it was the only one
	changes []interpreter.ValueChange
}

// Begins reports whether an event begins a line of the log: a throw, a number chosen instead, the lot, and the first event of a turn.
func (e Event) Begins() bool {
	return e.fresh || e.Kind == EventThrow || e.Kind == EventNumber || e.Kind == EventLot
}

// collector converts the engine's events to Events.
type collector struct {
	s       *Session
	out     []Event
	mover   *int // the piece of the reported move, until it is set down
	to      int
	playing []bool
	opening bool
	over    bool                  // the game was over before the event
	before  *interpreter.Position // at the last comparison of variables
	acting  *acting
	earned  int  // the earned number that a player counts next, 0 for none
	fresh   bool // the next event is the first of a turn
	thrown  bool // something was thrown in this turn
}

// acting is the current act: changes of variables belong to it until the next event.
type acting struct {
	event Event
	at    int // index in the events, -1 if the act is not reported yet
}

// maxChanges limits the changes of one act that an event lists.
const maxChanges = 6

// settle reports the changes of variables since the current act began. An act without public changes, moves of pieces
// or other effects is not reported.
func (c *collector) settle() {
	changes := c.s.pos.ValueChanges(c.before, c.s.words)
	c.before.CopyFrom(c.s.pos)
	if c.acting == nil || len(changes) == 0 {
		return
	}
	if c.acting.at < 0 {
		c.add(c.acting.event)
		c.acting.at = len(c.out) - 1
	}
	e := &c.out[c.acting.at]
	e.act, e.changes = cmp.Or(e.act, e.Words), append(e.changes, changes...)
	e.Words = c.s.words.changed(e.act, e.changes)
}

// changed is the text of an act with its changes.
func (w wording) changed(words string, changes []interpreter.ValueChange) string {
	for i, x := range changes {
		if i == maxChanges {
			return w.Say("changes.more", "text", words, "n", len(changes)-i)
		}
		words = w.Say("changes.value", "text", words, "name", x.Name, "from", x.From, "to", x.To)
	}
	return words
}

// merged combines repetitions of an act into one event, if each continues the changes of the one before.
func (w wording) merged(events []Event) []Event {
	return seq.Map(seq.Runs(events, Event.goesOn), func(run []Event) Event {
		e := run[0]
		if n := len(run); n > 1 {
			e.changes = slices.Clone(e.changes)
			for i, x := range run[n-1].changes {
				e.changes[i].To = x.To
			}
			e.Words = w.changed(w.Say("times", "text", e.act, "n", n), e.changes)
		}
		return e
	})
}

// goesOn reports whether the next event is the same act and continues the changes of this one.
func (e Event) goesOn(next Event) bool {
	return e.act != "" && e.act == next.act && !next.fresh &&
		slices.EqualFunc(e.changes, next.changes, func(x, y interpreter.ValueChange) bool { return x.Name == y.Name && x.To == y.From })
}

func collect(s *Session) *collector {
	c := &collector{s: s, playing: seq.Of(s.game.Players(), s.pos.Playing), before: s.pos.Copy()}
	s.pos.Watch(c)
	s.pos.Decisions(c.decided)
	return c
}

// add adds an event; without a seat it belongs to the seat in turn.
func (c *collector) add(e Event) {
	if turn := c.s.pos.Turn(); turn >= 0 && e.Kind != EventOver {
		e.turn = c.s.game.SeatName(turn)
		e.Seat = cmp.Or(e.Seat, e.turn)
		e.fresh, c.fresh = c.fresh, false
	}
	c.out = append(c.out, e)
}

// begin reports an event before its execution.
func (c *collector) begin(e record.Event) {
	p, w := c.s.pos, c.s.words
	c.out, c.mover, c.acting = nil, nil, nil
	c.opening, c.over = p.Opening(), p.Kind() == interpreter.Over
	switch e.Kind {
	case record.Throw:
		c.thrown = true
		kind := EventThrow
		if p.ChosenNumber() {
			kind = EventNumber
		}
		numbers := seq.Map(e.Numbers, func(n record.Number) int { return n.Value })
		c.add(Event{Kind: kind, Seat: e.Seat, Numbers: numbers, Words: w.event(p, e)})
	case record.Lot:
		c.add(Event{Kind: EventLot, Seat: e.Seat, Words: w.event(p, e)})
	case record.Play, record.Choice:
		i := slices.Index(record.Words(p), e.Words)
		if i < 0 {
			return
		}
		o := &p.Options()[i]
		if c.s.Person(p.Player()) {
			c.s.last = nil
		}
		if o.Move == interpreter.None {
			words := w.event(p, e)
			if p.Secret() && !c.s.open {
				words = w.Say("event.secret", "who", w.called(e.Seat))
			}
			c.add(Event{Kind: EventPick, Seat: e.Seat, Words: words})
			return
		}
		c.move(e.Seat, o, p.Way(nil, i), c.s.optionWords()[i], false, false)
	}
}

// event is the text of a throw or a choice before its execution.
func (w wording) event(p *interpreter.Position, e record.Event) string {
	who := w.called(e.Seat)
	switch e.Kind {
	case record.Throw:
		key := "event.throws"
		if p.ChosenNumber() {
			key = "event.chooses"
		}
		return w.Say(key, "who", who, "numbers", w.thrown(e))
	case record.Lot:
		return w.Say("event.lot", "who", who)
	case record.Play, record.Choice:
		i := slices.Index(record.Words(p), e.Words)
		if i < 0 {
			break
		}
		key, o := "event.plays", p.Options()[i]
		switch {
		case o.Move == interpreter.None && o.Piece != interpreter.None:
			key = "event.picks_piece"
		case o.Move == interpreter.None || o.From == interpreter.None && o.To == interpreter.None: // it is named by a word
			key = "event.picks"
		}
		text := w.Say(key, "who", who, "what", w.options(p)[i])
		if q := p.Question(); q != "" {
			text = w.Say("event.asked", "text", text, "question", q)
		}
		return text
	}
	return e.String()
}

// options are the options of the present choice, for people.
func (w wording) options(p *interpreter.Position) []string {
	return seq.Map(p.Worded(w, p.Player(), p.Options()), arrows)
}

// EventText is the text of an event of a record before its execution, in the language of its game.
func EventText(p *interpreter.Position, e record.Event) string { return in(p.Game()).event(p, e) }

// OptionTexts are the options of the present choice, in the language of their game.
func OptionTexts(p *interpreter.Position) []string { return in(p.Game()).options(p) }

// SeatTexts are what players are called, by seats.
func SeatTexts(g *interpreter.Game) []string {
	return seq.Of(g.Players(), func(seat int) string { return in(g).seat(seat).text })
}

// move reports a move before its execution.
func (c *collector) move(seat string, o *interpreter.Option, way []int, words string, earned, forced bool) {
	g, w := c.s.game, c.s.words
	words = arrows(words)
	switch {
	case w.counts(words, o.Steps):
	case earned:
		words = w.Say("event.counts", "steps", o.Steps, "what", words)
	case !c.thrown || !slices.Contains(c.s.pos.Numbers(), o.Steps):
		words = w.Counting(words, o.Steps)
	}
	brief := words
	switch {
	case !forced || !c.s.Person(c.s.game.Seat(seat)):
	case earned: // it may follow a chosen move
		words = w.Say("event.only_way", "what", words)
	default:
		words = w.Say("event.only_move", "what", words)
	}
	e := Event{Kind: EventMove, Seat: seat, Words: words, brief: brief, From: g.PlaceName(o.From), To: g.PlaceName(o.To), Forced: forced}
	if o.Piece != interpreter.None {
		piece := o.Piece
		e.Piece, e.Colour = &piece, g.ColourName(o.Colour)
		c.mover, c.to = &piece, o.To
	}
	e.Way = seq.Map(way, g.PlaceName)
	c.add(e)
}

// TurnEnded implements interpreter.TurnWatcher.
func (c *collector) TurnEnded() {
	c.settle()
	c.acting = nil
	c.left()
	c.fresh, c.thrown = true, false
}

// end reports the end of the opening and of the game, and returns the events since begin.
func (c *collector) end() []Event {
	c.settle()
	c.acting = nil
	p, g := c.s.pos, c.s.game
	if c.opening && p.Kind() == interpreter.Throw && !p.Opening() && g.Players() > 1 {
		name := g.SeatName(p.Turn())
		c.add(Event{Kind: EventBegins, Seat: name, Words: c.s.words.Say("event.begins", "who", c.s.words.called(name))})
	}
	c.left()
	if p.Kind() == interpreter.Over && !c.over {
		for _, line := range ResultLines(p) {
			c.add(Event{Kind: EventOver, Words: line})
		}
	}
	return c.out
}

// left reports players who have left the game.
func (c *collector) left() {
	p, g := c.s.pos, c.s.game
	var ranking []int
	for seat := range c.playing {
		if !c.playing[seat] || p.Playing(seat) {
			continue
		}
		c.playing[seat] = false
		if ranking == nil {
			ranking = p.Result().Ranking[:p.Ranked()]
		}
		name := g.SeatName(seat)
		if i := slices.Index(ranking, seat); i >= 0 {
			c.add(Event{Kind: EventRanked, Seat: name, Words: c.s.words.Say("event.ranked", "who", c.s.words.seat(seat), "place", c.s.words.ordinal(i+1))})
		} else {
			c.add(Event{Kind: EventOut, Seat: name, Words: c.s.words.Say("event.out", "who", c.s.words.seat(seat))})
		}
	}
}

// decided gets decisions before their execution.
func (c *collector) decided(d *interpreter.Decision) {
	p, g, w := c.s.pos, c.s.game, c.s.words
	seat := d.Player
	if c.s.Person(seat) {
		c.s.last = d
	}
	switch {
	case len(d.Options) == 0:
		words := w.Say("event.no_move")
		if d.Earned {
			words = w.Say("event.counts", "steps", d.Steps, "what", words)
		}
		if why := onlyReason(d.Explain()); why != "" && c.s.Person(seat) {
			words = w.Say("colon", "text", words, "more", why)
		}
		c.add(Event{Kind: EventNothing, Seat: g.SeatName(seat), Words: words})
	case d.Taken != interpreter.None:
		words := p.Names(seat, d.Options)[d.Taken]
		c.s.log(func(w *record.Writer) error { return w.Note(words) })
		c.move(g.SeatName(seat), &d.Options[d.Taken], d.Way(nil, d.Taken), p.Worded(w, seat, d.Options)[d.Taken], d.Earned, true)
	case d.Earned:
		c.earned = d.Steps
	}
}

// onlyReason is the text of the only rule that refuses all moves, "" if there are several.
func onlyReason(refusals []interpreter.Refusal) string {
	reasons := seq.Flat(refusals, func(r interpreter.Refusal) []*model.Clause { return r.Reasons })
	if len(reasons) == 0 || slices.ContainsFunc(reasons, func(x *model.Clause) bool { return x == nil || x.Rule != reasons[0].Rule }) {
		return ""
	}
	return lowerFirst(reasons[0].Rule.Words)
}

// Acted implements interpreter.Watcher.
func (c *collector) Acted(a *model.Act, args []int) {
	c.settle()
	c.acting = &acting{Event{Kind: EventAct, Words: lowerFirst(c.s.words.actWords(c.s.pos, a, args))}, -1}
	if c.s.shows(a) {
		c.add(c.acting.event)
		c.acting.at = len(c.out) - 1
	}
}

// shows reports whether an act has an effect of its own other than assigning variables: acts that it does are reported themselves.
func (s *Session) shows(a *model.Act) bool {
	return seq.Any(s.game.Rules().Clauses(), func(x *model.Clause) bool { return x.Event == model.EventAct && x.Act == a }) ||
		seq.Any(a.Block.All(), func(s *model.Stmt) bool {
			return !slices.Contains([]model.StmtKind{model.StmtAssign, model.StmtIf, model.StmtFor, model.StmtDo}, s.Kind)
		})
}

// Put implements interpreter.Watcher.
func (c *collector) Put(piece, from, to int) {
	c.settle()
	if c.mover != nil && *c.mover == piece && c.to == to {
		c.mover = nil
		return
	}
	if from == to {
		return
	}
	g, w := c.s.game, c.s.words
	colour := g.ColourName(c.s.pos.ColourOf(piece))
	c.add(Event{
		Kind: EventPut, Piece: &piece, Colour: colour, From: g.PlaceName(from), To: g.PlaceName(to),
		Words: w.Say("event.put", "colour", w.colour(c.s.pos.ColourOf(piece)), "from", w.place(from), "to", w.place(to)),
	})
}

// Given implements interpreter.GiveWatcher.
func (c *collector) Given(piece, from, to int) {
	c.settle()
	g, w := c.s.game, c.s.words
	at := c.s.pos.Places(nil)[piece]
	place := g.PlaceName(at)
	c.add(Event{
		Kind: EventGiven, Piece: &piece, Colour: g.ColourName(to), From: place, To: place,
		Words: w.Say("event.given", "colour", w.colour(from), "place", w.place(at), "to", w.colour(to)),
	})
}

// Fired implements interpreter.Watcher.
func (c *collector) Fired(x *model.Clause) {
	c.settle()
	c.acting = nil
	// What neither the board nor the next count shows.
	unseen := func(s *model.Stmt) bool {
		return s.Kind == model.StmtAgain || s.Kind == model.StmtEndTurn || s.Kind == model.StmtUndo
	}
	if (x.Kind == model.ClauseOn || x.Kind == model.ClauseBefore) && seq.Any(x.Block.All(), unseen) {
		c.add(Event{Kind: EventRule, Rule: x.Rule.Name, Words: lowerFirst(x.Rule.Words)})
	}
	c.add(Event{Kind: EventFired, Rule: x.Rule.Name, Line: Where(x), Words: interpreter.RuleText(x)})
}

// Lines prints events: a line for each throw and each turn, with its effects. A line begins with the player in turn, or the one who
// throws or answers, and names other players who move in it. With explain, the rules that took effect follow in separate lines.
func (s *Session) Lines(events []Event, explain bool) []string {
	w := s.words
	var out, phrases []string
	var fired []string                 // lines of rules that took effect: each rule once, with the places of all its clauses that did
	head, who, picked := "", "", false // the seat that the head names; whether the head is a choice
	bare := ""                         // the head of a turn of which only rules are reported
	flush := func() {
		if len(fired) > 0 && len(phrases) == 0 {
			head = cmp.Or(head, bare)
		}
		if head != "" || len(phrases) > 0 {
			line := strings.Join(w.counted(phrases), "; ")
			switch {
			case head == "":
			case line == "":
				line = head
			default:
				line = w.Say("colon", "text", head, "more", line)
			}
			if w.Lang != "" {
				line = phrase.Capital(line) // in English it begins with a name, which people type
			}
			out = append(out, line)
		}
		out = append(out, fired...)
		head, who, bare, phrases, fired, picked = "", "", "", nil, nil, false
	}
	begin := func(text, seat string) { head, who = text, seat }
	said := func(words string) { // a rule may be reported already as the reason why there is no move
		if !slices.ContainsFunc(phrases, func(s string) bool { return s == words || strings.HasSuffix(s, " "+words) }) {
			phrases = append(phrases, words)
		}
	}
	done := "" // the kind of the event before
	events = w.merged(events)
	for i, e := range events {
		before := done
		if e.Kind != EventFired && e.Kind != EventRule {
			done = e.Kind
		}
		turn := cmp.Or(e.turn, e.Seat)
		if e.fresh {
			flush()
			bare = w.called(turn).text
		}
		switch e.Kind {
		case EventThrow, EventNumber, EventLot, EventBegins:
			flush()
			begin(e.Words, e.Seat)
		case EventOver:
			flush()
			out = append(out, e.Words)
		case EventFired:
			i := slices.IndexFunc(fired, func(line string) bool { return strings.HasPrefix(line, "    "+e.Words) })
			switch {
			case !explain:
			case i < 0:
				fired = append(fired, strings.TrimSuffix("    "+e.Words+" "+e.Line, " "))
			case !slices.Contains(strings.Fields(fired[i]), e.Line):
				fired[i] += " " + e.Line
			}
		case EventMove:
			if picked && who != e.Seat {
				flush()
			}
			plays := w.Say("event.plays", "who", w.called(e.Seat), "what", e.Words)
			switch who {
			case "":
				begin(plays, e.Seat)
			case e.Seat:
				phrases = append(phrases, e.Words)
			default:
				phrases = append(phrases, plays)
			}
		case EventPick:
			switch {
			case who == "" && e.fresh && e.Seat != turn: // asked in the turn of another player
				begin(w.called(turn).text, turn)
				phrases = append(phrases, e.Words)
			case who == "", picked && before == EventPick && len(phrases) == 0: // one line after the other
				flush()
				begin(e.Words, e.Seat)
				picked = true
			default:
				phrases = append(phrases, e.Words)
			}
		case EventNothing:
			if who == "" {
				begin(w.called(e.Seat).text, e.Seat)
			}
			words := e.Words
			if who != e.Seat {
				words = w.Say("colon", "text", w.called(e.Seat), "more", words)
			}
			phrases = append(phrases, words)
		default:
			if who == "" {
				begin(w.called(turn).text, turn)
			}
			switch n := len(phrases); {
			case e.Kind == EventPut && n > 0 && before == EventAct && !putNext(events[i+1:]):
				phrases[n-1] = w.Say("event.with_put", "text", phrases[n-1], "from", w.called(e.From), "to", w.called(e.To))
			case e.Kind == EventRule:
				said(e.Words)
			default:
				phrases = append(phrases, e.Words)
			}
		}
	}
	flush()
	return out
}

// putNext reports whether the next event is a piece moved by a rule.
func putNext(events []Event) bool {
	i := slices.IndexFunc(events, func(e Event) bool { return e.Kind != EventFired && e.Kind != EventRule })
	return i >= 0 && events[i].Kind == EventPut
}

// counted are phrases, those that come several times one after the other once, with how often.
func (w wording) counted(phrases []string) []string {
	same := func(before, next string) bool { return before == next }
	return seq.Map(seq.Runs(phrases, same), func(run []string) string {
		if len(run) == 1 {
			return run[0]
		}
		return w.Say("times", "text", run[0], "n", len(run))
	})
}
