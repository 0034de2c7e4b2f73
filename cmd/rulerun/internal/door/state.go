package door

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/interpreter/review"
	"github.com/rulerun/rulerun/interpreter/solve"
)

// What a game waits for.
const (
	WaitsThrow  = "throw"  // the player asked throws
	WaitsNumber = "number" // the player asked chooses one of Numbers
	WaitsOption = "option" // the player asked chooses one of Options
	WaitsOther  = "other"  // another player, or a bot
	WaitsOver   = "over"   // nothing: the game is over
)

// State is a game as a player may see it.
type State struct {
	Title    string   `json:"title"`             // with the titles of the changes applied
	Changes  []string `json:"changes,omitempty"` // their names
	Pick              // what the game's record calls its rule book and the changes
	At       int      `json:"at"` // how many events there have been: what the next request names
	Waits    string   `json:"waits"`
	Turn     string   `json:"turn,omitempty"`     // the seat in turn, "" before that is determined
	Asked    string   `json:"asked,omitempty"`    // the seat that throws or chooses
	Question string   `json:"question,omitempty"` // what the player asked is to do, in words
	Hidden   bool     `json:"hidden,omitempty"`   // the answer to the present question is secret
	Thrown   []Thrown `json:"thrown,omitempty"`   // the last throw, or the number chosen instead
	Threw    string   `json:"threw,omitempty"`    // the same in words: "yellow threw 2"
	Numbers  []int    `json:"numbers,omitempty"`
	Options  []Option `json:"options,omitempty"`
	Earned   []int    `json:"earned,omitempty"` // numbers that wait to be counted
	Seats    []Seat   `json:"seats"`
	Pieces   []Piece  `json:"pieces"` // of each place the oldest arrival first
	Figures  []Figure `json:"figures,omitempty"`
	Result   []string `json:"result,omitempty"` // how the game ended, in lines
	Winners  []string `json:"winners,omitempty"`
	Worth    int      `json:"worth,omitempty"` // what the win counts
	Undo     bool     `json:"undo,omitempty"`  // a decision can be taken back
}

// Thrown is the last value of a device.
type Thrown struct {
	Die   string `json:"die"`
	Value int    `json:"value"`
}

// Seat is a player.
type Seat struct {
	Name    string   `json:"name"`
	Colours []string `json:"colours"`
	Plays   string   `json:"plays"` // "human", or the name of a bot
	Playing bool     `json:"playing"`
	Place   int      `json:"place,omitempty"` // in the ranking, from 1
}

// Piece is where a piece stands. ID is its number in the game.
type Piece struct {
	ID     int    `json:"id"`
	Colour string `json:"colour"`
	At     string `json:"at"`
}

// Figure is a public value that the rules store, or one of the player who has to act.
type Figure struct {
	Name  string `json:"name"`
	Of    string `json:"of,omitempty"` // the seat or colour, "" for the game
	Value string `json:"value"`
}

// Text is a figure without its name: "yellow 17".
func (f Figure) Text() string { return strings.TrimSpace(f.Of + " " + f.Value) }

// Alike reports whether figures have one name.
func (f Figure) Alike(other Figure) bool { return f.Name == other.Name }

// Option is something a player may choose.
type Option struct {
	Key   string   `json:"key,omitempty"` // its number in the list, "" where it has none and is chosen by its words
	Words string   `json:"words"`
	Does  string   `json:"does,omitempty"` // what it brings about besides, in words
	Puts  []Piece  `json:"puts,omitempty"` // where it puts other pieces
	Piece *int     `json:"piece,omitempty"`
	From  string   `json:"from,omitempty"`
	To    string   `json:"to,omitempty"`
	Way   []string `json:"way,omitempty"`
	Steps int      `json:"steps,omitempty"`
}

// State is the game as a seat may see it; None sees only public data. Options are included only for the seat that has
// to act.
func (s *Session) State(seat int) *State {
	p, g := s.pos, s.game
	out := &State{
		Title: TitleOf(g), Changes: g.Rules().Changes, Pick: Pick{s.header.Rules, s.header.With}, At: len(s.events), Waits: WaitsOther,
		Turn: g.SeatName(p.Turn()), Earned: p.Waiting(), Undo: s.decision() >= 0, Seats: s.seats(),
	}
	for place := range g.Rules().Board.Places {
		for _, piece := range p.PiecesOn(nil, place) {
			out.Pieces = append(out.Pieces, Piece{piece, g.ColourName(p.ColourOf(piece)), g.PlaceName(place)})
		}
	}
	out.Figures = s.figures(seat)
	thrower := s.thrown(out)
	switch p.Kind() {
	case interpreter.Over:
		r := p.Result()
		out.Waits, out.Result, out.Worth, out.Winners = WaitsOver, ResultLines(p), r.Worth, seq.Map(r.Winners, g.SeatName)
		return out
	case interpreter.Broken:
		out.Waits = WaitsOver
		return out
	}
	if !s.lot() && p.Player() >= 0 {
		out.Asked = g.SeatName(p.Player())
	}
	out.Hidden = p.Secret()
	if asked := s.Asks(); asked == interpreter.None || asked != seat {
		return out
	}
	switch {
	case p.Kind() == interpreter.Choice:
		out.Waits, out.Question, out.Options = WaitsOption, s.question(out, thrower), s.options(seat)
	case p.ChosenNumber():
		out.Waits, out.Question = WaitsNumber, s.Say("ask.number", "who", s.words.called(out.Asked))
		out.Numbers = seq.Map(p.Outcomes(nil, 0), func(o interpreter.Outcome) int { return o.Value })
	default:
		out.Waits, out.Question = WaitsThrow, s.Say("ask.throw", "who", s.words.called(out.Asked))
		if p.Opening() {
			out.Question = s.Say("ask.throw_first", "who", s.words.called(out.Asked))
		}
	}
	return out
}

func (s *Session) seats() []Seat {
	p, g := s.pos, s.game
	ranking := p.Result().Ranking[:min(p.Ranked(), len(p.Result().Ranking))]
	var out []Seat
	for seat, x := range g.Rules().Seats {
		plays := "human"
		if s.bots[seat] != nil {
			plays = s.header.Seats[seat]
		}
		colours := seq.Map(x.Colours, g.ColourName)
		out = append(out, Seat{g.SeatName(seat), colours, plays, p.Playing(seat), slices.Index(ranking, seat) + 1})
	}
	return out
}

// thrown says what was thrown last, and by which seat.
func (s *Session) thrown(out *State) string {
	for _, e := range slices.Backward(s.events) {
		if e.Kind != record.Throw {
			continue
		}
		out.Thrown = seq.Map(e.Numbers, func(n record.Number) Thrown { return Thrown{n.Die, n.Value} })
		key := "event.threw"
		if e.shown[0].Kind == EventNumber {
			key = "event.chose"
		}
		out.Threw = s.Say(key, "who", s.words.called(e.Seat), "numbers", s.words.thrown(e.Event))
		return e.Seat
	}
	return ""
}

// Figures are the values that all people at one screen may see: with the secrets of a person who plays alone.
func (s *Session) Figures() []Figure {
	if people := s.People(); len(people) == 1 {
		return s.figures(people[0])
	}
	return s.figures(interpreter.None)
}

// figures lists the stored values that a seat may see and that no game begins with. Of numbers that do not begin with nothing, such as
// money, all are there from the beginning.
func (s *Session) figures(seat int) []Figure {
	var out []Figure
	for _, all := range seq.Runs(s.pos.Values(seat, s.words), func(x, next interpreter.Value) bool { return x.Var == next.Var }) {
		v := all[0].Var
		flag, number := v.Type.Kind == model.Flag, v.Type.Kind == model.Number
		shown := seq.Filter(all, func(x interpreter.Value) bool { return x.Changed })
		switch {
		case v.Scope == model.ScopePiece && (flag || number):
			out = append(out, s.ofPieces(shown)...)
			continue
		case v.Scope == model.ScopePiece: // what the rules remember of a piece
			continue
		case number && !v.Secret && slices.ContainsFunc(v.Initial, func(n int) bool { return n != 0 }):
			shown = all
		case flag && len(shown) == len(all): // yes or no, of all owners
			shown = []interpreter.Value{{Var: v, Owner: interpreter.None, Text: all[0].Text}}
		}
		for _, x := range shown {
			f := Figure{s.words.VarName(v), s.words.owner(v.Scope, x.Owner), x.Text}
			if f.Of != "" && !number {
				f.Value = s.words.beside(x)
			}
			out = append(out, f)
		}
	}
	return out
}

// ofPieces lists values of one variable, each colour's pieces together: "12 (3) 20 (1)". Values of pieces on one square that are the
// same stand there once.
func (s *Session) ofPieces(values []interpreter.Value) []Figure {
	places := s.pos.Places(nil)
	return seq.Flat(colourNames(s.game), func(colour string) []Figure {
		own := seq.Filter(values, func(x interpreter.Value) bool { return s.game.ColourName(s.pos.ColourOf(x.Owner)) == colour })
		texts := seq.Distinct(seq.Map(own, func(x interpreter.Value) string {
			return strings.TrimSpace(s.words.place(places[x.Owner]).text + " " + s.words.beside(x))
		}))
		if len(texts) == 0 {
			return nil
		}
		return []Figure{{s.words.VarName(own[0].Var), s.words.called(colour).text, strings.Join(texts, " ")}}
	})
}

// beside is a value as it stands beside its owner: in brackets, since two names side by side would read as one; nothing for a flag that
// is set.
func (w wording) beside(x interpreter.Value) string {
	if x.Var.Type.Kind == model.Flag && x.Text == w.Answer("yes") {
		return ""
	}
	return "(" + x.Text + ")"
}

// owner is what the owner of a variable is called, "" of the game.
func (w wording) owner(scope model.Scope, owner int) string {
	switch {
	case owner == interpreter.None:
		return ""
	case scope == model.ScopeTeam:
		return w.seat(w.Rules().Teams[owner][0]).text
	case scope == model.ScopePlayer:
		return w.seat(owner).text
	case scope == model.ScopeColour:
		return w.colour(owner).text
	}
	return ""
}

func colourNames(g *interpreter.Game) []string {
	return seq.Map(g.Rules().Colours, func(c model.ColourInUse) string { return c.Name })
}

// question is the subject of the present options.
func (s *Session) question(of *State, thrower string) string {
	who := s.words.called(of.Asked)
	asks := func(question string) string {
		if q := s.pos.Question(); q == "" && thrower == of.Asked {
			return s.Say("ask.after_throw", "threw", of.Threw, "question", question)
		}
		return s.Say("ask.question", "who", who, "question", question)
	}
	if q := s.pos.Question(); q != "" {
		return asks(q)
	}
	options := s.pos.Options()
	if options[0].Move == interpreter.None {
		return asks(s.Say("ask.which"))
	}
	steps := options[0].Steps
	if slices.ContainsFunc(options, func(o interpreter.Option) bool { return o.Steps != steps }) {
		return asks(s.Say("ask.move"))
	}
	switch thrown := func(t Thrown) bool { return t.Value == steps }; {
	case !slices.ContainsFunc(of.Thrown, thrown):
		return s.Say("ask.counts", "who", who, "steps", steps)
	case len(of.Thrown) > 1:
		return asks(s.Say("ask.piece_goes", "steps", steps))
	}
	return asks(s.Say("ask.piece"))
}

// options lists the present options, for the seat that has to act.
func (s *Session) options(seat int) []Option {
	p, g := s.pos, s.game
	words := s.menu()
	out := make([]Option, p.OptionCount())
	numbered := numbered(record.Words(p))
	for i, o := range p.Options() {
		one := Option{Words: words[i], From: g.PlaceName(o.From), To: g.PlaceName(o.To)}
		if numbered {
			one.Key = strconv.Itoa(i + 1)
		}
		one.Does, one.Puts = s.preview(seat, i)
		if o.Move != interpreter.None {
			one.Steps = o.Steps
		}
		if o.Piece != interpreter.None {
			one.Piece = new(o.Piece)
			if o.Move == interpreter.None {
				one.From = g.PlaceName(p.Places(nil)[o.Piece])
			}
		}
		one.Way = seq.Map(p.Way(nil, i), g.PlaceName)
		out[i] = one
	}
	return out
}

// menu are the present options as a menu shows them.
func (s *Session) menu() []string {
	words := seq.Map(s.optionWords(), arrows)
	if !s.fromBag() {
		return words
	}
	for i, o := range s.pos.Options() {
		if !s.words.counts(words[i], o.Steps) {
			words[i] = s.words.Counting(words[i], o.Steps)
		}
	}
	return words
}

// numbered reports whether options have numbers in a list: not where one is called by the number of another, as of 2, 3 and 1.
func numbered(words []string) bool {
	for i := range words {
		if at := slices.Index(words, strconv.Itoa(i+1)); at >= 0 && at != i {
			return false
		}
	}
	return true
}

// fromBag reports whether the options at hand count different numbers of a bag: which of them is used up matters.
func (s *Session) fromBag() bool {
	bag := seq.Any(s.game.Rules().Turn.All(), func(x *model.Stmt) bool { return x.Kind == model.StmtPlay && x.Target != nil })
	options := s.pos.Options()
	return bag && slices.ContainsFunc(options, func(o interpreter.Option) bool {
		return o.Move != interpreter.None && options[0].Move != interpreter.None && o.Steps != options[0].Steps
	})
}

// guesses is the number of samples of hidden values that must agree about the effect of an option before it is shown.
const guesses = 6

// preview describes the effects of an option apart from its own move, up to the next throw or choice, and the other
// pieces that it moves; nothing if they depend on values that the player may not see.
func (s *Session) preview(seat, i int) (does string, puts []Piece) {
	if s.pos.Secret() {
		return "", nil
	}
	if !s.pos.Hides(seat) {
		return s.after(s.pos.Copy(), i)
	}
	for n := range guesses {
		q := s.pos.Copy()
		r := interpreter.NewRandom(1, uint64(n))
		q.Guess(seat, &r)
		text, moved := s.after(q, i)
		if n > 0 && (text != does || !slices.Equal(moved, puts)) {
			return "", nil
		}
		does, puts = text, moved
	}
	return does, puts
}

// after describes the effects of an option, on its own copy of the position.
func (s *Session) after(q *interpreter.Position, i int) (does string, puts []Piece) {
	trial := &Session{game: s.game, words: s.words, header: s.header, bots: s.bots, pos: q}
	mover, who := q.Options()[i].Piece, s.game.SeatName(q.Player())
	told := q.Options()[i].Move == interpreter.None // an act says what pieces it moves; after an answer a move that was chosen before goes on
	c := collect(trial)
	c.thrown = s.watch.thrown
	if q.Choose(i) != nil {
		return "", nil
	}
	var phrases []string
	over := false
	for _, e := range s.words.merged(c.end()) {
		if e.Kind == EventAct || e.Kind == EventMove {
			told = e.Kind == EventAct
		}
		switch e.Kind {
		case EventAct, EventRanked, EventOut:
			phrases = append(phrases, e.Words)
		case EventOver: // the first line says who wins
			if !over {
				phrases = append(phrases, lowerFirst(strings.TrimSuffix(e.Words, ".")))
			}
			over = true
		case EventPut:
			if *e.Piece != mover {
				puts = append(puts, Piece{*e.Piece, e.Colour, e.To})
				if !told {
					phrases = append(phrases, e.Words)
				}
			}
		case EventMove:
			switch {
			case !e.Forced:
			case e.Seat == who:
				phrases = append(phrases, e.brief)
			default:
				phrases = append(phrases, s.Say("event.plays", "who", s.words.called(e.Seat), "what", e.brief))
			}
		}
	}
	waiting := q.Waiting()
	if c.earned > 0 {
		waiting = slices.Insert(waiting, 0, c.earned)
	}
	phrases = append(phrases, seq.Map(waiting, func(n int) string { return s.Say("option.counts", "steps", n) })...)
	return strings.Join(s.words.counted(phrases), "; "), puts
}

// Hint is an option that a good bot would take at the present choice, with its index; -1 if a person has nothing to
// choose. It is the best one if the table of the game has the position.
func (s *Session) Hint() int {
	if s.pos.Kind() != interpreter.Choice || s.Asks() == interpreter.None {
		return -1
	}
	if t := solve.TableOf(s.game); t != nil {
		if i, _, ok := t.Best(s.pos); ok {
			return i
		}
	}
	b, err := bot.New("strong")
	if err != nil { // it is one of bot.Names
		panic(err)
	}
	r := s.random()
	return b.Choose(s.pos.Copy(), &r)
}

// Chances says how likely the player who decides is to win with an option and with the best other, by best play if the table of
// the game has the position, else by estimate if one is known; "" if neither is.
func (s *Session) Chances(option int) string {
	wins, estimate := s.wins()
	if option < 0 || option >= len(wins) {
		return ""
	}
	one, several := "hint.chance", "hint.chances"
	if estimate {
		one, several = "hint.estimate", "hint.estimates"
	}
	win, others := s.words.perCent(wins[option], estimate), slices.Delete(slices.Clone(wins), option, option+1)
	if len(others) == 0 {
		return s.Say(one, "win", win)
	}
	return s.Say(several, "win", win, "next", s.words.perCent(slices.Max(others), estimate))
}

// wins lists, for each option of the present choice, how likely the player who decides is to win with it and best play
// afterwards: by the table of the game, or as an estimate by what is learned of it. It is nil if there is neither, and where
// the rules have secrets, which an estimate could tell.
func (s *Session) wins() (wins []float64, estimate bool) {
	if s.pos.Kind() != interpreter.Choice {
		return nil, false
	}
	var all [][]float64
	if t := solve.TableOf(s.game); t != nil {
		all, _ = t.Options(s.pos)
	} else if !review.Decided(s.pos) {
		if !s.judged {
			s.judge, _ = review.Known(s.game) // a file that cannot be read is as none
			s.judged = true
		}
		if s.judge != nil {
			all, _, _ = s.judge.Options(s.pos)
			estimate = true
		}
	}
	side := s.game.Rules().Seats[s.pos.Player()].Team
	wins = seq.Map(all, func(by []float64) float64 { return by[side] })
	return wins, estimate
}

// perCent is a share in per cent; an estimate has no decimals.
func (w wording) perCent(share float64, estimate bool) string {
	if estimate {
		return w.Decimal(100*share, 0)
	}
	return w.Decimal(100*share, 1)
}
