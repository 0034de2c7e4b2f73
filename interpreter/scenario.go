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

// RunTest plays a scenario of the game's rules. It goes on after a failed expectation and ends at a line it cannot
// carry out. No failures means that it passed.
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
	stood     *Position // p, or what was refused as a position
	failures  []Failure
	refused   *model.TestLine // the position is expected to be refused
	decisions []*Decision     // since the last line that fed the game
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

// Given is the position a scenario begins with, before its throws, choices and expectations. The error says why it cannot be.
func (g *Game) Given(t *model.Test) (*Position, error) {
	r := &scenario{g: g}
	r.arrange(t)
	if len(r.failures) > 0 {
		return nil, r.failures[0]
	}
	if r.p == nil {
		return nil, fmt.Errorf("the test %q is of a position that the rules refuse", t.Name)
	}
	return r.p, nil
}

func (r *scenario) run(t *model.Test) {
	rest := r.arrange(t)
	if r.p == nil || len(r.failures) > 0 {
		return
	}
	stop := r.p.Decisions(func(d *Decision) { r.decisions = append(r.decisions, d) })
	defer stop()
	for _, l := range rest {
		if !r.line(l) {
			return
		}
	}
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

// begin sets the position up, or starts a new game where none is given: with the colour in turn, or by the rules where
// the scenario does not say.
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
		r.p = g.Start(first)
		r.stood = r.p
		r.sound(at)
		return
	}
	for c, x := range g.rules.Colours { // colours not named wait where pieces begin
		if _, ok := s.Pieces[x.Name]; !ok {
			for range g.rules.PieceCount {
				s.Pieces[g.ColourName(c)] = append(s.Pieces[g.ColourName(c)], g.PlaceName(g.rules.PiecesAt))
			}
		}
	}
	s.Turn = g.ColourName(0)
	if first >= 0 {
		s.Turn = g.ColourName(first)
	}
	p := &Position{game: g, m: vm.New(g.prog)}
	r.stood = p
	err := p.setup(s)
	if r.refused != nil { // the one thing expected of this position
		r.expectRefusedPosition(err)
		return
	}
	if err != nil {
		r.fail(at, "this position cannot be: %v", err)
		return
	}
	r.p = p
	r.sound(at)
}

func (r *scenario) sound(l *model.TestLine) bool {
	if err := r.p.Err(); err != nil {
		r.fail(l, "the rules fail: %v", err)
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

// die writes the last number of a die, or what is left of a deck, into the setup.
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

// spotText is a spot as positions are written.
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

// line carries out one line; false ends the scenario.
func (r *scenario) line(l *model.TestLine) bool {
	switch l.Kind {
	case model.LineThrow:
		r.decisions = nil
		return r.throw(l) && r.sound(l)
	case model.LinePlay:
		i, ok := r.find(l)
		if !ok {
			return false
		}
		r.decisions = nil
		if err := r.p.Choose(i); err != nil {
			r.fail(l, "%v", err)
			return false
		}
		return r.sound(l)
	}
	r.expect(l)
	return true
}

// throw feeds the numbers, as many as each throw takes.
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

// waits says what the game waits for.
func (r *scenario) waits() string {
	switch r.p.Kind() {
	case Over:
		return "it is over"
	case Throw:
		switch seat := r.p.Player(); {
		case seat == None:
			return "a lot decides who begins"
		case r.p.Opening():
			return r.g.SeatName(seat) + " throws for who begins"
		}
		return r.g.ColourName(r.p.TurnColour()) + " throws"
	case Broken:
		return "the rules have failed"
	}
	return r.g.SeatName(r.p.Player()) + " chooses among " + r.g.OptionTexts(r.p.Options())
}

// OptionText is an option in squares: "12 -> 17"; for a move of two pieces its name with their places, "swap 5 9"; for one
// of no piece its name; for a pick what is picked: "yellow 22", "yellow", "22".
func (g *Game) OptionText(o Option) string {
	switch {
	case o.Move == None && o.Piece != None:
		return g.ColourName(o.Colour) + " " + g.from(o)
	case o.Move == None && o.Colour != None:
		return g.ColourName(o.Colour)
	case o.Move == None && o.To != None:
		return g.PlaceName(o.To)
	case o.Move == None:
		return strconv.Itoa(o.Value)
	case o.From == None:
		return g.rules.Moves[o.Move].Name
	case o.Other != None:
		return g.rules.Moves[o.Move].Name + " " + g.from(o) + " " + g.PlaceName(o.OtherAt)
	case o.To == None:
		return g.from(o) + " -> nowhere"
	}
	return g.from(o) + " -> " + g.SpotName(o.Colour, o.To, o.ToPassage)
}

// from is where the piece of an option stands.
func (g *Game) from(o Option) string { return g.SpotName(o.Colour, o.From, o.FromPassage) }

// OptionTexts lists options by OptionText: "nothing" where there is none.
func (g *Game) OptionTexts(options []Option) string {
	if len(options) == 0 {
		return "nothing"
	}
	texts := make([]string, len(options))
	for i, o := range options {
		texts[i] = g.OptionText(o)
	}
	return strings.Join(texts, ", ")
}

// fits reports whether an option of the decision at hand is the move a line names.
func (p *Position) fits(o Option, m model.TestMove) bool {
	return p.stands(o, m.From) && at(m.To, o.To, o.ToPassage) && (m.Colour < 0 || o.Colour == m.Colour) && (!m.Counting || o.Steps == m.Steps)
}

// at reports whether a spot is a place on a passage, as far as it says.
func at(s model.Spot, place, passage int) bool {
	return s.Place == place && (s.Passage == model.AnyPassage || s.Passage == passage)
}

// stands reports whether the piece of an option stands on a spot.
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

// find is the number of the option a play line names.
func (r *scenario) find(l *model.TestLine) (int, bool) {
	if r.p.Kind() != Choice {
		f := r.fail(l, "there is nothing to choose here: %s", r.waits())
		if len(l.Moves) > 0 && len(r.decisions) > 0 {
			f.chosen(r.decisions[0], l.Moves[0])
		}
		return 0, false
	}
	var found []int
	for i, o := range r.p.Options() {
		if len(l.Moves) > 0 && r.p.fits(o, l.Moves[0]) || len(l.Moves) == 0 && r.named(o, l.Words) {
			found = append(found, i)
		}
	}
	switch len(found) {
	case 1:
		return found[0], true
	case 0:
		f := r.fail(l, "this is not offered; there is: %s", r.g.OptionTexts(r.p.Options()))
		if len(l.Moves) > 0 {
			f.why(r.p, r.p.refusals(l.Moves[0]), l.Moves[0])
		}
	default:
		r.fail(l, "this fits %d options; add the colour, counting NUMBER, or which of the pieces: PLACE#2", len(found))
	}
	return 0, false
}

// named reports whether every word speaks of the option: its move, colour, place or value.
func (r *scenario) named(o Option, words []string) bool {
	for _, w := range words {
		spot := r.g.readSpot(w)
		ok := o.Move != None && r.g.rules.Moves[o.Move].Name == w ||
			o.Colour != None && r.g.ColourName(o.Colour) == w ||
			spot.Place != None && (r.p.stands(o, spot) || spot.Ordinal == 0 && (o.OtherAt == spot.Place || at(spot, o.To, o.ToPassage))) ||
			o.Move == None && o.Piece == None && o.Colour == None && o.To == None && strconv.Itoa(o.Value) == w
		if !ok {
			return false
		}
	}
	return true
}

// readSpot is the spot of a text, with place None where it is none.
func (g *Game) readSpot(text string) model.Spot {
	name, passage, ordinal, ok := model.ReadSpot(text)
	place, known := g.rules.Board.Place(name)
	if !ok || !known {
		return model.Spot{Place: None}
	}
	return model.Spot{Place: place, Passage: passage, Ordinal: ordinal}
}

// refusals are those of a move, at the choice at hand.
func (p *Position) refusals(m model.TestMove) []Refusal { return p.refusalsOf(p.Explain(), m) }

func (p *Position) refusalsOf(all []Refusal, m model.TestMove) []Refusal {
	var out []Refusal
	for _, f := range all {
		o := f.Option
		if o.To == None {
			o.To, o.ToPassage = m.To.Place, m.To.Passage
		}
		if p.fits(o, m) {
			out = append(out, f)
		}
	}
	return out
}

// decision is the one expectations speak of: the choice at hand, or the first one made since the last line that fed
// the game.
func (r *scenario) decision(l *model.TestLine) *Decision {
	if r.p.Kind() == Choice && len(r.decisions) > 0 {
		return r.decisions[len(r.decisions)-1]
	}
	if len(r.decisions) == 0 {
		r.fail(l, "no move has been asked for yet")
		return nil
	}
	return r.decisions[0]
}

func (r *scenario) expect(l *model.TestLine) {
	g := r.g
	switch l.Kind {
	case model.ExpectMoves:
		if d := r.decision(l); d != nil {
			r.expectMoves(l, d)
		}
	case model.ExpectRefused:
		if d := r.decision(l); d != nil {
			r.expectRefused(l, d)
		}
	case model.ExpectEarned:
		r.expectEarned(l)
	case model.ExpectTurn:
		if got := r.p.TurnColour(); got == None {
			r.fail(l, "it is nobody's turn yet: %s", r.waits())
		} else if got != l.Colour && (g.rules.TurnsByColour || g.SeatOf(got) != g.SeatOf(l.Colour)) {
			r.fail(l, "it is %s's turn, not %s's", g.ColourName(got), g.ColourName(l.Colour))
		} else if r.p.Kind() == Over {
			r.fail(l, "the game is over")
		}
	case model.ExpectRefusedThrow:
		if r.p.Kind() != Throw {
			r.fail(l, "the game does not wait for a throw here: %s", r.waits())
		} else if r.p.Copy().Throw(l.Numbers...) == nil {
			r.fail(l, "this can be thrown")
		}
	case model.ExpectAsks:
		if r.p.Kind() != Choice {
			r.fail(l, "nobody is asked anything: %s", r.waits())
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

// expectRefusedPosition wants a position to be refused, by a rule where the line names one.
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

func (r *scenario) expectMoves(l *model.TestLine, d *Decision) {
	var missing []string
	var absent []model.TestMove
	matched := make([]bool, len(d.Options))
	for _, m := range l.Moves {
		found := false
		for i, o := range d.Options {
			if d.position().fits(o, m) {
				matched[i], found = true, true
			}
		}
		if !found {
			missing, absent = append(missing, r.g.moveText(m)), append(absent, m)
		}
	}
	var extra []Option
	for i, ok := range matched {
		if !ok {
			extra = append(extra, d.Options[i])
		}
	}
	var f *Failure
	switch {
	case len(missing) > 0 && len(extra) > 0:
		f = r.fail(l, "not offered: %s; offered as well: %s", strings.Join(missing, ", "), r.g.OptionTexts(extra))
	case len(missing) > 0:
		f = r.fail(l, "not offered: %s", strings.Join(missing, ", "))
	case len(extra) > 0:
		f = r.fail(l, "offered as well: %s", r.g.OptionTexts(extra))
	default:
		return
	}
	if len(missing) > 0 {
		f.remark(source.Span{}, "offered: %s", r.g.OptionTexts(d.Options))
	}
	all := d.Explain()
	for _, m := range absent {
		f.why(d.position(), d.position().refusalsOf(all, m), m)
	}
}

func (r *scenario) expectRefused(l *model.TestLine, d *Decision) {
	m := l.Moves[0]
	for _, o := range d.Options {
		if d.position().fits(o, m) {
			r.fail(l, "this move is offered")
			return
		}
	}
	refusals := d.position().refusalsOf(d.Explain(), m)
	if len(refusals) == 0 {
		r.fail(l, "no rule speaks of this move at all; offered: %s", r.g.OptionTexts(d.Options)).why(d.position(), nil, m)
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
	r.fail(l, "this move is refused by %s, not by %s", what, l.Rule.Name).why(d.position(), refusals, m)
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
				r.fail(l, "nobody has won")
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
	for _, said := range []bool{true, false} { // those that say the passage first
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
