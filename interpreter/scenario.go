package interpreter

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// RunTest plays a scenario of the game's rules. It continues after a failed expectation and ends at a line it cannot
// execute. No failures means that the scenario passed.
func (g *Game) RunTest(t *model.Test) []Failure { return g.FollowTest(t, nil, nil) }

// FollowTest is RunTest, and calls each with the position after every line that plays or expects something; at first, with no line, with the
// position the scenario begins with. The position belongs to the scenario. The watcher gets its events.
func (g *Game) FollowTest(t *model.Test, w Watcher, each func(l *model.TestLine, p *Position)) []Failure {
	r := &scenario{g: g, watcher: w, each: each}
	r.run(t)
	return r.failures
}

// scenario is a test being played.
type scenario struct {
	g         *Game
	watcher   Watcher                          // of FollowTest, or nil
	each      func(*model.TestLine, *Position) // likewise
	test      *model.Test
	p         *Position
	stood     *Position // p, or the refused position
	failures  []Failure
	refused   []*model.TestLine // the position is expected to be refused
	decisions []*Decision       // of moves and questions, since the last line that fed the game
	thrown    []int             // the dice of the last throw
	full      bool              // there were more than it records
	named     int               // how many of them lie before what follows: up to the last that a line names which plays what was taken already
}

func (r *scenario) fail(l *model.TestLine, format string, args ...any) *Failure {
	f := Failure{Span: l.Span, Message: fmt.Sprintf(format, args...)}
	if r.p != nil {
		f.Position = r.p.Copy()
	}
	switch {
	case r.p == nil || r.p.Kind() != Throw:
	case r.p.Opening():
		what := "it is still open who begins"
		if r.g.rules.Setup != nil {
			what += ", and setup has not run"
		}
		f.remark(source.Span{}, "%s: throw for it, or write before this line: turn %s", what, r.g.ColourName(0))
	case r.p.m.State()[code.CellPlays] < 0:
		f.remark(source.Span{}, "setup has not ended, and waits for a throw: write its numbers before this line: throw N …")
	}
	if r.test != nil && !r.test.Row.IsZero() {
		f.remark(r.test.Row, "in the row where %s", r.test.Words)
	}
	r.failures = append(r.failures, f)
	return &r.failures[len(r.failures)-1]
}

// Given is the initial position of a scenario, before its throws, choices and expectations. The error says why it is
// not possible.
func (g *Game) Given(t *model.Test) (*Position, error) {
	r := &scenario{g: g}
	r.arrange(t)
	if len(r.failures) > 0 {
		return nil, r.failures[0]
	}
	if r.p == nil {
		return nil, catalogue.Sentence{Key: "position.test", Text: "the test {{.test}} is of a position that the rules refuse", Args: []any{"test", strconv.Quote(t.Name)}}
	}
	r.p.Watch(nil)
	return r.p, nil
}

func (r *scenario) run(t *model.Test) {
	if err := r.traced(t); err != nil {
		r.fail(t.Lines[0], "%v", err)
		return
	}
	rest := r.arrange(t)
	if r.p == nil || len(r.failures) > 0 {
		return
	}
	follow := func(l *model.TestLine) {
		if r.each != nil {
			r.each(l, r.p)
		}
	}
	follow(nil)
	for _, l := range rest {
		if !r.line(l) {
			return
		}
		follow(l)
	}
}

// traced makes the game one whose options know their way, where a line asks for that.
func (r *scenario) traced(t *model.Test) error {
	asked := slices.ContainsFunc(t.Lines, func(l *model.TestLine) bool {
		return slices.ContainsFunc(l.Options, func(o model.TestOption) bool { return o.Via >= 0 })
	})
	if !asked {
		return nil
	}
	g, err := r.g.Traced()
	if err == nil {
		r.g = g
	}
	return err
}

// arrange sets up the position of a scenario and returns the lines that play it. Where that fails there is a failure; where the position was
// expected to be refused there is none, and no position either.
func (r *scenario) arrange(t *model.Test) []*model.TestLine {
	r.test = t
	var rest []*model.TestLine
	setup := &Setup{Pieces: map[string][]string{}, Arrived: map[string][]string{}, Vars: map[string]any{}}
	given, first := false, None
	var at *model.TestLine
	for _, l := range t.Lines {
		if at == nil {
			at = l
		}
		switch l.Kind {
		case model.LineGiven:
			given, at = true, l
			for colour, places := range l.Places {
				for _, p := range places {
					setup.Pieces[r.g.ColourName(colour)] = append(setup.Pieces[r.g.ColourName(colour)], r.g.spotText(p))
				}
			}
		case model.LineTurn:
			first = l.Colour
		case model.LineArrived:
			for i, c := range l.Colours {
				name := r.g.ColourName(c)
				if n := l.Ordinals[i]; n > 0 {
					name += "#" + strconv.Itoa(n)
				}
				setup.Arrived[r.g.PlaceName(l.Place)] = append(setup.Arrived[r.g.PlaceName(l.Place)], name)
			}
		case model.LineSet:
			r.variable(setup, l)
		case model.LineRanked:
			setup.Ranking = append(setup.Ranking, r.g.ColourName(l.Colour))
		case model.LineDropped:
			setup.Dropped = append(setup.Dropped, r.g.ColourName(l.Colour))
		case model.ExpectRefusedPosition:
			r.refused = append(r.refused, l)
		default:
			rest = append(rest, l)
		}
	}
	r.begin(setup, given, first, at)
	return rest
}

// begin sets the position up. Without a given position it starts a new game: with the colour in turn, or by the rules
// if the scenario names none.
func (r *scenario) begin(s *Setup, given bool, first int, at *model.TestLine) {
	g := r.g
	if !given {
		if len(s.Vars)+len(s.Arrived)+len(s.Dice)+len(s.Decks)+len(s.Ranking)+len(s.Dropped) > 0 {
			r.fail(at, "variables are set, but no position is given")
			return
		}
		if len(r.refused) > 0 {
			r.fail(r.refused[0], "no position is given that could be refused")
			return
		}
		if first >= 0 {
			first = g.SeatOf(first)
		}
		r.p = g.empty()
		r.record(r.p)
		r.p.Restart(first)
		r.stood = r.p
		r.sound(at)
		return
	}
	for c, x := range g.rules.Colours { // pieces of colours not named are at their beginning
		if _, ok := s.Pieces[x.Name]; !ok {
			for range g.rules.PieceCount {
				s.Pieces[g.ColourName(c)] = append(s.Pieces[g.ColourName(c)], g.PlaceName(g.rules.PiecesAt[c]))
			}
		}
	}
	s.Turn = g.ColourName(0)
	if first >= 0 {
		s.Turn = g.ColourName(first)
	}
	p := g.empty()
	r.stood = p
	r.record(p)
	err := p.setup(s)
	if len(r.refused) > 0 { // the only thing expected of this position
		for _, l := range r.refused {
			r.expectRefusedPosition(l, err)
		}
		return
	}
	if err != nil {
		r.fail(r.sets(err, at), "this position is not possible: %v", err)
		return
	}
	r.p = p
	r.sound(at)
}

// sets is the line that sets what is wrong with a position, if it is the only one, otherwise the line given.
func (r *scenario) sets(err error, given *model.TestLine) *model.TestLine {
	var found *SetupError
	var fault catalogue.Sentence
	if !errors.As(err, &found) || !errors.As(found.faults[0], &fault) {
		return given
	}
	says := func(l *model.TestLine) bool {
		return l.Die != nil && slices.Contains(fault.Args, any(l.Die.Name)) ||
			l.Var != nil && (slices.Contains(fault.Args, any(l.Var.Name)) || slices.Contains(fault.Args, any("vars: "+l.Var.Name)))
	}
	lines := seq.Filter(r.test.Lines, func(l *model.TestLine) bool { return l.Kind == model.LineSet && says(l) })
	if len(lines) != 1 {
		return given
	}
	return lines[0]
}

// maxDecisions limits the decisions that a scenario records between two of its lines: each holds a whole position.
const maxDecisions = 1000

// record keeps the decisions of a position, up to maxDecisions.
func (r *scenario) record(p *Position) {
	p.Watch(r.watcher)
	var stop func()
	stop = p.follow(func(d *Decision) {
		if len(r.decisions) == maxDecisions {
			r.full = true
			stop()
			return
		}
		r.decisions = append(r.decisions, d)
	}, true)
}

func (r *scenario) sound(l *model.TestLine) bool {
	if err := r.p.Err(); err != nil {
		r.fail(l, "the rules fail: %v", err)
		return false
	}
	if r.full {
		r.fail(l, "the game goes on for more than %d decisions here before it waits for a throw or a player", maxDecisions)
		return false
	}
	return true
}

// variable writes a set line into the setup.
func (r *scenario) variable(s *Setup, l *model.TestLine) {
	g, v := r.g, l.Var
	if l.Die != nil {
		r.die(s, l)
		return
	}
	list := seq.Of(len(l.Values), func(i int) any {
		return g.scalar(v.Type.Kind, l.Values[i], func(colour int) string { return g.ColourName(colour) + "@" + g.spotText(l.Pieces[i]) })
	})
	var value any = list
	if !v.Type.List {
		value = list[0]
	}
	if !v.Scope.Owned() {
		s.Vars[g.varKey(v)] = value
		return
	}
	key := ""
	if v.Scope == model.ScopePiece {
		key = g.ColourName(l.Owner) + "@" + g.spotText(l.Spot)
	} else {
		key = g.nameOf(v.Scope.Owner(), l.Owner)
	}
	owned, ok := s.Vars[g.varKey(v)].(map[string]any)
	if !ok {
		owned = map[string]any{}
		s.Vars[g.varKey(v)] = owned
	}
	owned[key] = value
}

// die writes the last number of a die, or the rest of a deck, into the setup.
func (r *scenario) die(s *Setup, l *model.TestLine) {
	if !l.Left {
		put(&s.Dice, l.Die.Name, l.Values[0])
		return
	}
	put(&s.Decks, l.Die.Name, map[string]int{})
	for _, n := range l.Values {
		s.Decks[l.Die.Name][strconv.Itoa(n)]++
	}
}

// spotText is a spot in the format of positions.
func (g *Game) spotText(s model.Spot) string {
	text := g.PlaceName(s.Place)
	if s.Passage != model.AnyPassage {
		text += "/" + strconv.Itoa(s.Passage)
	}
	if s.Ordinal > 0 {
		text += "#" + strconv.Itoa(s.Ordinal)
	}
	return text
}

// line executes one line; false ends the scenario.
func (r *scenario) line(l *model.TestLine) bool {
	switch l.Kind {
	case model.LineThrow:
		r.decisions, r.named = nil, 0
		return r.throw(l) && r.sound(l)
	case model.LinePlay:
		i, ok := r.find(l)
		if !ok || i < 0 {
			return ok
		}
		r.decisions, r.named = nil, 0
		if err := r.p.pick(i); err != nil {
			r.fail(l, "%v", err)
			return false
		}
		return r.sound(l)
	}
	r.expect(l)
	return true
}

// throw gives the numbers, as many as each throw takes.
func (r *scenario) throw(l *model.TestLine) bool {
	numbers := l.Numbers
	for len(numbers) > 0 {
		if r.p.Kind() != Throw {
			r.fail(l, "the game does not wait for a throw here: %s", r.waits())
			return false
		}
		dice := r.p.Dice()
		n := max(1, len(dice))
		if l.Die != nil && !slices.Contains(dice, l.Die.Index) {
			r.fail(l, "the throw at hand is one of %s, not of %q", r.diceNames(dice), l.Die.Name)
			return false
		}
		if len(numbers) < n {
			r.fail(l, "this throw takes %d numbers", n)
			return false
		}
		if err := r.p.Throw(numbers[:n]...); err != nil {
			r.fail(l, "%v", err)
			return false
		}
		r.thrown = dice
		if r.p.Err() != nil {
			return true
		}
		numbers = numbers[n:]
	}
	return true
}

// diceNames names dice as they are declared.
func (r *scenario) diceNames(dice []int) string {
	if len(dice) == 0 {
		return "a lot"
	}
	return strings.Join(seq.Map(dice, func(d int) string { return strconv.Quote(r.g.prog.Dice[d].Name) }), " and ")
}

// whichThrow remarks that the throw at hand is one of other dice than the last.
func (r *scenario) whichThrow(f *Failure) {
	if now := r.p.Dice(); r.p.Kind() == Throw && len(r.thrown) > 0 && !slices.Equal(r.thrown, now) {
		f.remark(source.Span{}, "the last throw was one of %s; what comes next is one of %s", r.diceNames(r.thrown), r.diceNames(now))
	}
}

// waits describes the present node.
func (r *scenario) waits() string {
	switch kind := r.p.Kind(); {
	case kind == Over:
		return "it is over"
	case kind == Throw && !r.p.ChosenNumber():
		switch seat := r.p.Player(); {
		case seat == None:
			return "a lot decides who begins"
		case r.p.Opening():
			return r.g.SeatName(seat) + " is to throw for the first turn"
		}
		return r.g.ColourName(r.p.TurnColour()) + " is to throw"
	case kind == Broken:
		return "the rules have failed"
	}
	return r.g.SeatName(r.p.Player()) + " chooses among " + listed(r.p.menuNames())
}

// fits reports whether an option of the decision at hand is what a line names. way is the way of its walk.
func (p *Position) fits(o Option, t *model.TestOption, way []int) bool {
	if t.Arrow() {
		if o.To == None || !p.stands(o, t.From) || !at(t.To, o.To, o.ToPassage) || t.Colour >= 0 && o.Colour != t.Colour {
			return false
		}
	} else if len(t.Words) > 0 && !p.named(o, t.Words) {
		return false
	}
	return (!t.Counting || o.Move != None && o.Steps == t.Steps) &&
		(t.Move == nil || o.Move == t.Move.Index) && (!t.Called || p.takes(o, t)) &&
		(t.Via < 0 || len(way) > 1 && slices.Contains(way[1:], t.Via))
}

// takes reports whether the last parameters of an option are those a line names.
func (p *Position) takes(o Option, t *model.TestOption) bool {
	first := len(t.Move.Params) - len(t.Args)
	return len(seq.Which(len(t.Args), func(i int) bool { return !p.isArg(&t.Args[i], o.Params[first+i]) })) == 0
}

// isArg reports whether a value is the one that a line names.
func (p *Position) isArg(arg *model.TestArg, v int) bool {
	if !arg.Piece {
		return v == arg.Value
	}
	if v < 0 || arg.Colour >= 0 && p.ColourOf(v) != arg.Colour {
		return false
	}
	spot := p.where(v)
	return at(arg.Spot, spot.Place, spot.Passage) && (arg.Spot.Ordinal == 0 || p.ordinal(v) == arg.Spot.Ordinal)
}

// at reports whether a spot matches a place and passage; a spot without a passage matches all.
func at(s model.Spot, place, passage int) bool {
	return s.Place == place && (s.Passage == model.AnyPassage || s.Passage == passage)
}

// stands reports whether the piece of an option is on a spot.
func (p *Position) stands(o Option, s model.Spot) bool {
	return at(s, o.From, o.FromPassage) && (s.Ordinal == 0 || o.Piece != None && p.ordinal(o.Piece) == s.Ordinal)
}

// meant lists the options of the present choice that a line names. If several fit and one has exactly this name, it is that one.
func (p *Position) meant(t *model.TestOption) []int {
	options := p.menu()
	found := seq.Which(len(options), func(i int) bool { return p.fits(options[i], t, p.Way(nil, i)) })
	if len(found) > 1 {
		if i := slices.Index(p.menuNames(), p.game.testText(t)); i >= 0 {
			return []int{i}
		}
	}
	return found
}

// find is the index of the option that a play line names, -1 if the option was the only one and was taken automatically.
func (r *scenario) find(l *model.TestLine) (int, bool) {
	t := &l.Options[0]
	found := r.p.meant(t)
	if len(found) == 1 {
		return found[0], true
	}
	if len(found) == 0 && r.forced(t) {
		return -1, true
	}
	switch {
	case !r.p.chooses():
		f := r.fail(l, "there is nothing to choose here: %s", r.waits())
		switch d := r.decided(r.g.namesCandidate(t)); {
		case slices.ContainsFunc(r.decisions[:r.named], func(d *Decision) bool { return d.takes(t) }):
			f.remark(source.Span{}, "%s has been taken before: leave this line out, or write such lines in the order of the moves", r.g.testText(t))
		case d != nil && !slices.Contains(r.decisions[:r.named], d):
			f.chosen(d, t)
		}
	case len(found) == 0:
		f := r.fail(l, "%s is not offered this; there is: %s", r.g.SeatName(r.p.Player()), listed(r.p.menuNames()))
		if r.p.picks() {
			f.another(r.p, t)
		} else {
			f.why(r.p, r.p.refusalsOf(r.p.refusals(), t), t)
		}
	default:
		names := r.p.menuNames()
		texts := seq.Map(found, func(n int) string { return names[n] })
		r.fail(l, "this fits %d options of %s; write one of: %s", len(found), r.g.SeatName(r.p.Player()), strings.Join(texts, ", "))
	}
	return 0, false
}

// forced reports whether an option is one that was taken as the only one since the last line that fed the game, behind those that lines
// have named already.
func (r *scenario) forced(t *model.TestOption) bool {
	i := slices.IndexFunc(r.decisions[r.named:], func(d *Decision) bool { return d.takes(t) })
	r.named += i + 1
	return i >= 0
}

// named reports whether every word speaks of the option: its move, colour, place or value.
func (p *Position) named(o Option, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool {
		spot := p.game.readSpot(w)
		return !(o.Word != "" && (o.Word == w || answers[w] == o.Word) ||
			o.Move != None && p.game.rules.Moves[o.Move].Name == w ||
			o.Colour != None && p.game.ColourName(o.Colour) == w ||
			p.isTeam(o, w) ||
			spot.Place != None && (p.stands(o, spot) || spot.Ordinal == 0 && (o.OtherAt == spot.Place || at(spot, o.To, o.ToPassage))) ||
			o.Move == None && o.Piece == None && o.Colour == None && o.To == None && p.game.OptionText(o) == w)
	})
}

// answers are other words for the answers to a question.
var answers = map[string]string{"true": "yes", "false": "no"}

// readSpot parses a spot; its place is None if the text is not one.
func (g *Game) readSpot(text string) model.Spot {
	name, passage, ordinal, ok := model.ReadSpot(text)
	place, known := g.rules.Board.Place(name)
	if !ok || !known {
		return model.Spot{Place: None}
	}
	return model.Spot{Place: place, Passage: passage, Ordinal: ordinal}
}

// refusalsOf are those of an option among all.
func (p *Position) refusalsOf(all []Refusal, t *model.TestOption) []Refusal {
	return seq.Filter(all, func(f Refusal) bool {
		o := f.Option
		if o.To == None && t.Arrow() {
			o.To, o.ToPassage = t.To.Place, t.To.Passage
		}
		return p.fits(o, t, f.way)
	})
}

// decided is the move, or the question, that an expectation is about where it is not the one at hand: the first since the last line that fed
// the game, behind those that lines have played; the last of those where none follows, nil where there is none at all. With a choice at hand
// it is that of the last move.
func (r *scenario) decided(question bool) *Decision {
	of := func(list []*Decision) []*Decision {
		return seq.Filter(list, func(d *Decision) bool { return d.asks() == question })
	}
	before, next := of(r.decisions[:r.named]), of(r.decisions[r.named:])
	switch n := len(next); {
	case n > 0 && r.p.Kind() == Choice && !question && (!r.p.asks() || r.named == 0):
		return next[n-1]
	case n > 0:
		return next[0]
	case len(before) > 0:
		return before[len(before)-1]
	}
	return nil
}

// decision is the decision about moves that an expectation is about. Without one the line fails.
func (r *scenario) decision(l *model.TestLine) *Decision {
	d := r.decided(false)
	switch {
	case d != nil:
	case r.p.picks():
		r.fail(l, "%s is asked a question, and no move: expect choices %s", r.g.SeatName(r.p.Player()), listed(r.p.menuNames()))
	default:
		f := r.fail(l, "no move has been asked for yet: %s", r.waits())
		if r.p.Kind() == Throw {
			r.whichThrow(f)
			f.remark(source.Span{}, "write before this line what is thrown, such as: throw%s", r.someThrow())
		}
	}
	return d
}

// question is the position at the question that an expectation is about, nil if none has been asked.
func (r *scenario) question() *Position {
	if r.p.picks() {
		return r.p
	}
	if d := r.decided(true); d != nil {
		return d.position()
	}
	return nil
}

// someThrow is a throw that can come up, in the words of tests.
func (r *scenario) someThrow() string {
	text := ""
	for i := range r.p.devices() {
		text += " " + strconv.Itoa(r.p.Outcomes(nil, i)[0].Value)
	}
	return text
}

// meant remarks whose decision a failure speaks of, where it is not the choice at hand.
func (r *scenario) meant(f *Failure, d *Decision) {
	if r.p.Kind() == Choice && d == r.decisions[len(r.decisions)-1] {
		return
	}
	what := "; the decision meant was " + r.who(d.Player) + "'s"
	switch {
	case d.asks():
	case len(d.Options) > 0: // a play of several numbers has none of its own
		what += ", counting " + strconv.Itoa(d.Options[0].Steps)
	case d.Steps != 0:
		what += ", counting " + strconv.Itoa(d.Steps)
	}
	f.remark(source.Span{}, "%s%s", r.waits(), what)
}

// who names a seat, None for one that is not known.
func (r *scenario) who(seat int) string {
	if seat == None {
		return "a player"
	}
	return r.g.SeatName(seat)
}
