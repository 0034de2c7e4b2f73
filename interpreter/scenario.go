package interpreter

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// RunTest plays a scenario of the game's rules. It continues after a failed expectation and ends at a line it cannot
// execute. No failures means that the scenario passed.
func (g *Game) RunTest(t *model.Test) []Failure {
	r := &scenario{g: g}
	r.run(t)
	return r.failures
}

// scenario is a test being played.
type scenario struct {
	g         *Game
	test      *model.Test
	p         *Position
	stood     *Position // p, or the refused position
	failures  []Failure
	refused   *model.TestLine // the position is expected to be refused
	decisions []*Decision     // since the last line that fed the game
	full      bool            // there were more than it records
	named     int             // how many of them lines have named that play what was taken already
}

func (r *scenario) fail(l *model.TestLine, format string, args ...any) *Failure {
	f := Failure{Span: l.Span, Message: fmt.Sprintf(format, args...)}
	if r.p != nil {
		f.Position = r.p.Copy()
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
		return nil, fmt.Errorf("the test %q is of a position that the rules refuse", t.Name)
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
	for _, l := range rest {
		if !r.line(l) {
			return
		}
	}
}

// traced makes the game one whose options know their way, where a line asks for that.
func (r *scenario) traced(t *model.Test) error {
	asked := slices.ContainsFunc(t.Lines, func(l *model.TestLine) bool {
		return slices.ContainsFunc(l.Options, func(o model.TestOption) bool { return o.Via >= 0 })
	})
	if !asked || r.g.prog.Traced {
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
		case model.ExpectRefusedPosition:
			r.refused = l
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
		if len(s.Vars) > 0 || len(s.Arrived) > 0 || len(s.Dice) > 0 || len(s.Decks) > 0 {
			r.fail(at, "variables are set, but no position is given")
			return
		}
		if first >= 0 {
			first = g.SeatOf(first)
		}
		r.p = &Position{game: g, m: vm.New(g.prog)}
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
	p := &Position{game: g, m: vm.New(g.prog)}
	r.stood = p
	r.record(p)
	err := p.setup(s)
	if r.refused != nil { // the only thing expected of this position
		r.expectRefusedPosition(err)
		return
	}
	if err != nil {
		r.fail(at, "this position is not possible: %v", err)
		return
	}
	r.p = p
	r.sound(at)
}

// maxDecisions limits the decisions that a scenario records between two of its lines: each holds a whole position.
const maxDecisions = 1000

// record keeps the decisions of a position, up to maxDecisions.
func (r *scenario) record(p *Position) {
	var stop func()
	stop = p.Decisions(func(d *Decision) {
		if len(r.decisions) == maxDecisions {
			r.full = true
			stop()
			return
		}
		r.decisions = append(r.decisions, d)
	})
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
	var value any
	switch {
	case v.Type.List:
		list := []any{}
		for _, n := range l.Values {
			list = append(list, float64(n))
		}
		value = list
	case v.Type.Kind == model.Number:
		value = float64(l.Values[0])
	case v.Type.Kind == model.Flag:
		value = l.Values[0] != 0
	case v.Type.Kind == model.Colour:
		value = g.ColourName(l.Values[0])
	case v.Type.Kind == model.Player:
		value = g.SeatName(l.Values[0])
	case v.Type.Kind == model.Place:
		value = g.PlaceName(l.Values[0])
	case v.Type.Kind == model.Piece:
		value = g.ColourName(l.Values[0]) + "@" + g.spotText(l.Piece)
	}
	key := ""
	switch v.Scope {
	case model.ScopeTeam:
		key = g.SeatName(g.rules.Teams[l.Owner][0])
	case model.ScopePlayer:
		key = g.SeatName(l.Owner)
	case model.ScopeColour:
		key = g.ColourName(l.Owner)
	case model.ScopePiece:
		key = g.ColourName(l.Owner) + "@" + g.spotText(l.Spot)
	default:
		s.Vars[g.varKey(v)] = value
		return
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
		if s.Dice == nil {
			s.Dice = map[string]int{}
		}
		s.Dice[l.Die.Name] = l.Values[0]
		return
	}
	if s.Decks == nil {
		s.Decks = map[string]map[string]int{}
	}
	s.Decks[l.Die.Name] = map[string]int{}
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
		if err := r.p.Choose(i); err != nil {
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
			r.fail(l, "the throw at hand is not one of %q", l.Die.Name)
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
		if r.p.Err() != nil {
			return true
		}
		numbers = numbers[n:]
	}
	return true
}

// waits describes the present node.
func (r *scenario) waits() string {
	switch r.p.Kind() {
	case Over:
		return "it is over"
	case Throw:
		switch seat := r.p.Player(); {
		case seat == None:
			return "a lot decides who begins"
		case r.p.Opening():
			return r.g.SeatName(seat) + " is to throw for the first turn"
		}
		return r.g.ColourName(r.p.TurnColour()) + " is to throw"
	case Broken:
		return "the rules have failed"
	}
	return r.g.SeatName(r.p.Player()) + " chooses among " + listed(r.p.OptionNames())
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
	for i, arg := range t.Args {
		v := o.Params[first+i]
		if !arg.Piece {
			if v != arg.Value {
				return false
			}
			continue
		}
		if v < 0 || arg.Colour >= 0 && p.game.ColourOf(v) != arg.Colour {
			return false
		}
		if spot := p.where(v); !at(arg.Spot, spot.Place, spot.Passage) || arg.Spot.Ordinal > 0 && p.ordinal(v) != arg.Spot.Ordinal {
			return false
		}
	}
	return true
}

// at reports whether a spot matches a place and passage; a spot without a passage matches all.
func at(s model.Spot, place, passage int) bool {
	return s.Place == place && (s.Passage == model.AnyPassage || s.Passage == passage)
}

// stands reports whether the piece of an option is on a spot.
func (p *Position) stands(o Option, s model.Spot) bool {
	if !at(s, o.From, o.FromPassage) {
		return false
	}
	if s.Ordinal == 0 {
		return true
	}
	if o.Piece == None {
		return false
	}
	return p.ordinal(o.Piece) == s.Ordinal
}

// meant lists the options of the present choice that a line names. If several fit and one has exactly this name, it is that one.
func (p *Position) meant(t *model.TestOption) []int {
	var found []int
	for i, o := range p.Options() {
		if p.fits(o, t, p.Way(nil, i)) {
			found = append(found, i)
		}
	}
	if len(found) > 1 {
		if i := slices.Index(p.OptionNames(), p.game.testText(t)); i >= 0 {
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
	case r.p.Kind() != Choice:
		f := r.fail(l, "there is nothing to choose here: %s", r.waits())
		if len(r.decisions) > 0 {
			f.chosen(r.decisions[0], t)
		}
	case len(found) == 0:
		f := r.fail(l, "this is not offered; there is: %s", listed(r.p.OptionNames()))
		if !r.p.asks() {
			f.why(r.p, r.p.refusalsOf(r.p.refusals(), t), t)
		}
	default:
		names := r.p.OptionNames()
		texts := make([]string, len(found))
		for i, n := range found {
			texts[i] = names[n]
		}
		r.fail(l, "this fits %d options; write one of: %s", len(found), strings.Join(texts, ", "))
	}
	return 0, false
}

// forced reports whether an option is one that was taken as the only one since the last line that fed the game, behind those that lines
// have named already.
func (r *scenario) forced(t *model.TestOption) bool {
	for i, d := range r.decisions[r.named:] {
		if d.Taken != None && d.fits(d.Taken, t) {
			r.named += i + 1
			return true
		}
	}
	return false
}

// named reports whether every word speaks of the option: its move, colour, place or value.
func (p *Position) named(o Option, words []string) bool {
	for _, w := range words {
		spot := p.game.readSpot(w)
		ok := o.Word != "" && (o.Word == w || answers[w] == o.Word) ||
			o.Move != None && p.game.rules.Moves[o.Move].Name == w ||
			o.Colour != None && p.game.ColourName(o.Colour) == w ||
			spot.Place != None && (p.stands(o, spot) || spot.Ordinal == 0 && (o.OtherAt == spot.Place || at(spot, o.To, o.ToPassage))) ||
			o.Move == None && o.Piece == None && o.Colour == None && o.To == None && p.game.OptionText(o) == w
		if !ok {
			return false
		}
	}
	return true
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
	var out []Refusal
	for _, f := range all {
		o := f.Option
		if o.To == None && t.Arrow() {
			o.To, o.ToPassage = t.To.Place, t.To.Passage
		}
		if p.fits(o, t, f.way) {
			out = append(out, f)
		}
	}
	return out
}

// decision is the decision that an expectation is about: the present choice, or the first decision since the last
// line with an input.
func (r *scenario) decision(l *model.TestLine) *Decision {
	if r.p.Kind() == Choice && len(r.decisions) > 0 {
		return r.decisions[len(r.decisions)-1]
	}
	switch {
	case len(r.decisions) > 0:
		return r.decisions[0]
	case r.p.asks():
		r.fail(l, "a question is asked, and no move: expect choices %s", listed(r.p.OptionNames()))
	default:
		r.fail(l, "no move has been asked for yet: %s", r.waits())
	}
	return nil
}

// meant remarks whose decision a failure speaks of, where it is not the choice at hand.
func (r *scenario) meant(f *Failure, d *Decision) {
	if r.p.Kind() != Choice || r.p.asks() || d != r.decisions[len(r.decisions)-1] {
		f.remark(source.Span{}, "%s; the decision meant was %s's, counting %d", r.waits(), r.g.SeatName(d.Player), d.Steps)
	}
}

func (r *scenario) expect(l *model.TestLine) {
	g := r.g
	switch l.Kind {
	case model.ExpectMoves:
		if d := r.decision(l); d != nil {
			r.expectMoves(l, d)
		}
	case model.ExpectRefused:
		if o := &l.Options[0]; r.p.asks() && !o.Arrow() && o.Move == nil && !r.g.movesNamed(o.Words) {
			r.expectNoChoice(l)
		} else if d := r.decision(l); d != nil {
			r.expectRefused(l, d)
		}
	case model.ExpectChoices:
		r.expectChoices(l)
	case model.ExpectChance:
		r.expectChance(l)
	case model.ExpectDraw:
		if r.p.Kind() != Over {
			r.fail(l, "the game goes on: %s", r.waits())
		} else if winners := r.p.Result().Winners; len(winners) > 0 {
			r.fail(l, "the winner is %s", g.seatList(winners))
		}
	case model.ExpectEarned:
		r.expectEarned(l)
	case model.ExpectTurn:
		if got := r.p.TurnColour(); got == None {
			r.fail(l, "no player is in turn yet: %s", r.waits())
		} else if got != l.Colour && (g.rules.TurnsByColour || g.SeatOf(got) != g.SeatOf(l.Colour)) {
			r.fail(l, "it is %s's turn, not %s's", g.ColourName(got), g.ColourName(l.Colour))
		} else if r.p.Kind() == Over {
			r.fail(l, "the game is over")
		}
	case model.ExpectRefusedThrow:
		if r.p.Kind() != Throw {
			r.fail(l, "the game does not wait for a throw here: %s", r.waits())
		} else if n := max(1, len(r.p.Dice())); len(l.Numbers) != n {
			r.fail(l, "this throw takes %s, got %d", count(n, "number"), len(l.Numbers))
		} else if r.p.Copy().Throw(l.Numbers...) == nil {
			r.fail(l, "this can be thrown")
		}
	case model.ExpectAsks:
		if r.p.Kind() != Choice {
			r.fail(l, "no player has a choice: %s", r.waits())
		} else if seat := r.p.Player(); seat != g.SeatOf(l.Colour) {
			r.fail(l, "%s is asked, not %s", g.SeatName(seat), g.ColourName(l.Colour))
		}
	case model.ExpectWinner:
		r.expectWinner(l)
	case model.ExpectRanking:
		var want []int
		for _, c := range l.Colours {
			want = append(want, g.SeatOf(c))
		}
		if got := r.p.Result().Ranking; len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			r.fail(l, "the ranking is %s", g.seatList(got))
		}
	case model.ExpectThat:
		entry := g.unit.Probes[l.Probe]
		q := r.p.Copy()
		v, ok := q.m.Eval(entry)
		switch {
		case !ok:
			r.fail(l, "the condition fails: %v", g.ruleError(q.m))
		case v == 0:
			f := r.fail(l, "this does not hold: %s", strings.Join(strings.Fields(l.Cond.Span.Text()), " "))
			for _, part := range g.parts(r.p, l.Cond) {
				f.remark(source.Span{}, "%s", part)
			}
		}
	case model.ExpectOver:
		if r.p.Kind() != Over {
			r.fail(l, "the game goes on: %s", r.waits())
		}
	case model.ExpectPieces:
		r.expectPieces(l)
	}
}

func (g *Game) seatList(seats []int) string {
	if len(seats) == 0 {
		return "empty"
	}
	names := make([]string, len(seats))
	for i, s := range seats {
		names[i] = g.SeatName(s)
	}
	return strings.Join(names, " ")
}

// expectRefusedPosition expects a position to be refused, by a rule if the line names one.
func (r *scenario) expectRefusedPosition(err error) {
	l := r.refused
	var refused *SetupError
	switch {
	case err == nil:
		r.fail(l, "this position is not refused")
	case l.Rule != nil && (!errors.As(err, &refused) || !slices.Contains(refused.Rules, l.Rule)):
		r.fail(l, "this position is refused, but not by %s: %v", l.Rule.Name, err)
	}
}

// count is "1 number", "2 numbers".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// matched are the options of a list that lines name, and the lines that name none.
func (r *scenario) matched(l *model.TestLine, options []Option, fits func(i int, t *model.TestOption) bool) (found []bool, absent []*model.TestOption) {
	found = make([]bool, len(options))
	for i := range l.Options {
		t, any := &l.Options[i], false
		for k := range options {
			if fits(k, t) {
				found[k], any = true, true
			}
		}
		if !any {
			absent = append(absent, t)
		}
	}
	return found, absent
}

// differ fails where what is offered is not what lines name.
func (r *scenario) differ(l *model.TestLine, names []string, found []bool, absent []*model.TestOption) *Failure {
	var missing, extra []string
	for _, t := range absent {
		missing = append(missing, r.g.testText(t))
	}
	for i, ok := range found {
		if !ok {
			extra = append(extra, names[i])
		}
	}
	var f *Failure
	switch {
	case len(missing) > 0 && len(extra) > 0:
		f = r.fail(l, "not offered: %s; offered as well: %s", listed(missing), listed(extra))
	case len(missing) > 0:
		f = r.fail(l, "not offered: %s", listed(missing))
	case len(extra) > 0:
		f = r.fail(l, "offered as well: %s", listed(extra))
	default:
		return nil
	}
	if len(missing) > 0 {
		f.remark(source.Span{}, "offered: %s", listed(names))
	}
	return f
}

func (r *scenario) expectMoves(l *model.TestLine, d *Decision) {
	found, absent := r.matched(l, d.Options, func(i int, t *model.TestOption) bool { return d.fits(i, t) })
	f := r.differ(l, d.names(), found, absent)
	if f == nil {
		return
	}
	r.meant(f, d)
	all := d.refusals()
	for _, t := range absent {
		f.why(d.position(), d.position().refusalsOf(all, t), t)
	}
}

func (r *scenario) expectChoices(l *model.TestLine) {
	if !r.p.asks() {
		r.fail(l, "no question is asked: %s", r.waits())
		return
	}
	options := r.p.Options()
	found, absent := r.matched(l, options, func(i int, t *model.TestOption) bool { return r.p.fits(options[i], t, nil) })
	r.differ(l, r.p.OptionNames(), found, absent)
}

// expectNoChoice wants something not to be a candidate of the question at hand.
func (r *scenario) expectNoChoice(l *model.TestLine) {
	if l.Rule != nil {
		r.fail(l, "a question is asked: what cannot be chosen is refused by no rule")
		return
	}
	if slices.ContainsFunc(r.p.Options(), func(o Option) bool { return r.p.fits(o, &l.Options[0], nil) }) {
		r.fail(l, "this can be chosen")
	}
}

// movesNamed reports whether one of some words is the name of a move.
func (g *Game) movesNamed(words []string) bool {
	return slices.ContainsFunc(g.rules.Moves, func(m *model.Move) bool { return slices.Contains(words, m.Name) })
}

// expectChance wants a number of a device to have a weight, or to come up so many times of so many.
func (r *scenario) expectChance(l *model.TestLine) {
	d := &r.g.prog.Dice[l.Die.Index]
	weights, total, weight := d.Weights, 0, 0
	if left := r.p.deck(d); left != nil {
		weights = nil
		for _, n := range left {
			weights = append(weights, int(n))
		}
	}
	for i, w := range weights {
		total += w
		if d.Values[i] == l.Numbers[0] {
			weight = w
		}
	}
	switch {
	case len(l.Numbers) == 2 && weight != l.Numbers[1], len(l.Numbers) == 3 && weight*l.Numbers[2] != l.Numbers[1]*total:
		r.fail(l, "%s gives %d with weight %d, of %d", l.Die.Name, l.Numbers[0], weight, total)
	}
}

func (r *scenario) expectRefused(l *model.TestLine, d *Decision) {
	t := &l.Options[0]
	for i := range d.Options {
		if d.fits(i, t) {
			r.meant(r.fail(l, "this move is offered"), d)
			return
		}
	}
	refusals := d.position().refusalsOf(d.refusals(), t)
	if len(refusals) == 0 {
		f := r.fail(l, "no rule is about this move; offered: %s", listed(d.names()))
		f.why(d.position(), nil, t)
		r.meant(f, d)
		return
	}
	if l.Rule == nil {
		return
	}
	var rules []string
	for _, f := range refusals {
		for _, x := range f.Reasons {
			if x != nil && x.Rule == l.Rule {
				return
			}
			if x != nil && !slices.Contains(rules, x.Rule.Name) {
				rules = append(rules, x.Rule.Name)
			}
		}
	}
	what := "the end of the track"
	if len(rules) > 0 {
		what = strings.Join(rules, " and ")
	}
	f := r.fail(l, "this move is refused by %s, not by %s", what, l.Rule.Name)
	f.why(d.position(), refusals, t)
	r.meant(f, d)
}

func (r *scenario) expectEarned(l *model.TestLine) {
	n := l.Numbers[0]
	var counts []string
	for _, d := range r.decisions {
		if d.Earned && d.Steps == n {
			return
		}
		if d.Earned {
			counts = append(counts, strconv.Itoa(d.Steps))
		}
	}
	waiting := r.p.Waiting()
	if slices.Contains(waiting, n) {
		return
	}
	for _, w := range waiting {
		counts = append(counts, strconv.Itoa(w))
	}
	if len(counts) == 0 {
		r.fail(l, "nothing has been earned")
		return
	}
	r.fail(l, "earned: %s", strings.Join(counts, ", "))
}

func (r *scenario) expectWinner(l *model.TestLine) {
	g := r.g
	if r.p.Kind() != Over {
		r.fail(l, "the game goes on: %s", r.waits())
		return
	}
	winners := r.p.Result().Winners
	for _, c := range l.Colours {
		if !slices.Contains(winners, g.SeatOf(c)) {
			if len(winners) == 0 {
				r.fail(l, "no player has won")
			} else {
				r.fail(l, "the winner is %s", g.seatList(winners))
			}
			return
		}
	}
}

func (r *scenario) expectPieces(l *model.TestLine) {
	g, n := r.g, r.g.rules.PieceCount
	left := []int{}
	for piece := l.Colour * n; piece < (l.Colour+1)*n; piece++ {
		left = append(left, piece)
	}
	places, nodes := r.p.Places(nil), r.p.m.State()[g.prog.Layout.Node:]
	for _, said := range []bool{true, false} { // first those with a passage
		for _, want := range l.Places[l.Colour] {
			if (want.Passage != model.AnyPassage) != said {
				continue
			}
			i := slices.IndexFunc(left, func(q int) bool { return at(want, places[q], g.passage(l.Colour, int(nodes[q]))) })
			if i < 0 {
				var names []string
				for piece := l.Colour * n; piece < (l.Colour+1)*n; piece++ {
					names = append(names, r.p.spot(piece))
				}
				r.fail(l, "%s stands on %s", g.ColourName(l.Colour), strings.Join(names, " "))
				return
			}
			left = slices.Delete(left, i, i+1)
		}
	}
}
