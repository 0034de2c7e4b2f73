package check

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// ScenarioSetting returns the setting of a scenario: its options and its number of players. Without a stated number
// it is the one whose colours match the given colours, otherwise the usual one.
func ScenarioSetting(b *book.Book, t *syntax.Test, file *source.File) Setting {
	s := Setting{Options: map[string]string{}, Test: t, File: file}
	options := OptionNames(b)
	var given []string
	for _, l := range t.Lines {
		switch {
		case l.Players != nil:
			s.Players, _ = l.Players.Value()
		case l.Set != nil && l.Set.Field == nil && l.Set.Square == nil && slices.Contains(options, l.Set.Name.Text):
			switch v := l.Set.Value; {
			case v.Number != nil:
				n, _ := v.Number.Value()
				s.Options[l.Set.Name.Text] = strconv.Itoa(n)
			case v.Text != nil:
				s.Options[l.Set.Name.Text] = v.Text.String()
			case v.Ref != nil && v.Square == nil:
				s.Options[l.Set.Name.Text] = v.Ref.Text
			}
		case l.Given != nil:
			given = append(given, seq.Map(l.Given, func(g *syntax.Given) string { return g.Refs[0].Text })...)
		}
	}
	if s.Players == 0 && len(given) > 0 {
		s.Players = playersOf(b, s.Options, given)
	}
	return s
}

// playersOf is the number of players for which exactly these colours play, 0 if there is none.
func playersOf(b *book.Book, options map[string]string, colours []string) int {
	for _, n := range numbersOf(b, options) {
		playing := playing(b, options, n)
		if playing == nil {
			return 0
		}
		if len(playing) == len(colours) && !slices.ContainsFunc(colours, func(name string) bool { return !slices.Contains(playing, name) }) {
			return n
		}
	}
	return 0
}

// playing is coloursOf, computed once.
func playing(b *book.Book, options map[string]string, players int) []string {
	return memoize(b, memoKey{ofColours, [2]any{optionsKey(b, options), players}}, func() []string { return coloursOf(b, options, players) })
}

// coloursOf lists the colours in the game; nil if they cannot be determined.
func coloursOf(b *book.Book, options map[string]string, players int) []string {
	c := newChecker(b, Setting{Options: options, Players: players}, &diag.List{}, NewUsage())
	if !c.readOptions() || !c.countPlayers() {
		return nil
	}
	entries := c.existing()
	if !c.makeBoard() {
		return nil
	}
	c.makeSeats(entries)
	return seq.Map(c.rules.Colours, func(x model.ColourInUse) string { return x.Name })
}

// scenario resolves the test of the setting.
func (c *checker) scenario(d *syntax.Test) {
	c.entry, c.file = nil, c.setting.File
	c.scopes, c.elems, c.where = nil, nil, context{}
	t := &model.Test{Name: d.Name.String(), Cites: d.Cites.IDs(), Span: d.Name.Span(c.file)}
	if d.Case != nil {
		t.Row, t.Words = d.Case.Row.Span(c.file), d.Case.Words
		c.columns(d.Cases)
	}
	asserts := false
	for _, l := range d.Lines {
		before := len(*c.diags)
		x := c.testLine(l)
		if d.Case != nil {
			c.inRow(t, l, before)
		}
		if x != nil {
			x.Span = l.Span(c.file)
			if x.Cond != nil {
				x.Probe = c.probes
				c.probes++
			}
			t.Lines = append(t.Lines, x)
		}
		asserts = asserts || l.Expect != nil
	}
	if !asserts {
		c.diags.Warnf("no-expectation", t.Span, "this test expects nothing").WithHint("add a line that begins with expect")
	}
	c.rules.Tests = append(c.rules.Tests, t)
}

// columns reports columns whose names have another meaning in the tests of this game.
func (c *checker) columns(d *syntax.Cases) {
	for _, n := range d.Columns {
		what := c.globalMeaning(n.Text)
		if _, place := c.board.Place(n.Text); place && what == "" {
			what = "a place of the board"
		}
		if c.board.Colour(n.Text) >= 0 {
			what = "a colour of the board"
		}
		if what != "" {
			c.errorf("declared-twice", n.Span(c.file), "%q is %s; give the column another name", n.Text, what)
		}
	}
}

// inRow adds the row of the table to faults of a line, those from an index on, and the place of use to faults of a
// cell. It keeps only the first fault of a cell.
func (c *checker) inRow(t *model.Test, l *syntax.TestLine, from int) {
	faults := (*c.diags)[from:]
	*c.diags = (*c.diags)[:from]
	for _, d := range faults {
		if d.Span.File != t.Row.File || d.Span.Start < t.Row.Start || d.Span.End > t.Row.End {
			d.WithNote(t.Row, "in the row where %s", t.Words)
		} else if d.WithNote(l.Span(c.file), "used in this line"); slices.ContainsFunc(*c.diags, func(x diag.Diagnostic) bool { return x.Span == d.Span }) {
			continue
		}
		c.diags.Add(d)
	}
}

// canFall reports numbers of a throw that no die has: the named die, otherwise any die of the game.
func (c *checker) canFall(l *syntax.TestLine, x *model.TestLine) bool {
	dice := c.rules.Dice
	switch {
	case x.Die != nil:
		dice = []*model.Die{x.Die}
	case c.rules.First.Kind == model.FirstLot || c.rules.First.Kind == model.FirstLoser || c.rules.First.Kind == model.FirstWinner:
		return true // a lot assigns seats
	}
	for _, n := range x.Numbers {
		if onNoDie(dice, n) {
			d := c.errorf("bad-throw", l.Span(c.file), "no die of this game gives %d", n)
			if x.Die != nil {
				d.Get().Message = fmt.Sprintf("die %q never gives %d", x.Die.Name, n)
			}
			numbers := seq.Flat(dice, func(d *model.Die) []int { return seq.Map(d.Faces, func(f model.Face) int { return f.Value }) })
			if len(numbers) > 0 {
				d.WithHint("it gives %d to %d", slices.Min(numbers), slices.Max(numbers))
			}
			return false
		}
	}
	return true
}

func (c *checker) testLine(l *syntax.TestLine) *model.TestLine {
	x := &model.TestLine{}
	ok := true
	switch {
	case l.Given != nil:
		x.Kind, x.Places = model.LineGiven, map[int][]model.Spot{}
		for _, g := range l.Given {
			colour, places, fine := c.given(g)
			if ok = ok && fine; fine {
				if _, twice := x.Places[colour]; twice {
					c.errorf("declared-twice", g.Span(c.file), "the pieces of %q are given twice", c.rules.Colours[colour].Name)
				}
				x.Places[colour] = places
			}
		}
	case l.Turn != nil:
		x.Kind = model.LineTurn
		x.Colour, ok = c.colourNamed(l.Turn.At, l.Turn.Text)
	case l.Players != nil:
		c.numbers([]*syntax.Amount{l.Players})
		return nil
	case l.Arrived != nil:
		x.Kind = model.LineArrived
		x.Place, ok = c.placeNamed(l.Arrived.Square)
		for _, r := range l.Arrived.Colours {
			name, passage, ordinal, read := model.ReadSpot(r.Text)
			if !read || passage != model.AnyPassage {
				c.errorf("syntax", r.Span(c.file), "write the colour, or COLOUR#2 for the second of its pieces there")
				ok = false
				continue
			}
			i, fine := c.colourNamed(r.At, name)
			x.Colours, x.Ordinals, ok = append(x.Colours, i), append(x.Ordinals, ordinal), ok && fine
		}
	case l.Set != nil:
		if o := c.options[l.Set.Name.Text]; l.Set.Field == nil && l.Set.Square == nil && o != nil {
			c.means(l.Set.Name.Span(c.file), index.Option, l.Set.Name.Text, o.entry.NameSpan(), model.Of(o.kind))
			if v := l.Set.Value; v.Open || v.Square != nil {
				c.errorf("wrong-type", v.Span(c.file), "option %q is %s, got %s", l.Set.Name.Text, model.Of(o.kind).With(), quoteSpan(v.Span(c.file)))
			}
			return nil
		}
		x.Kind = model.LineSet
		ok = c.testSet(l.Set, x)
	case l.Throw != nil:
		x.Kind = model.LineThrow
		if n := l.Throw.Device(); n != nil {
			dice := c.diceNamed([]*syntax.Name{n})
			if len(dice) == 0 {
				return nil
			}
			x.Die = dice[0]
		}
		x.Numbers, ok = c.numbers(l.Throw.Numbers())
		ok = ok && c.canFall(l, x)
	case l.Play != nil:
		x.Kind = model.LinePlay
		x.Options, ok = c.testOptions([]*syntax.OptionRef{l.Play.Option})
	case l.Expect != nil:
		ok = c.expectation(l.Expect, x)
	}
	return sound(ok, x)
}

// numbers are amounts after the table has filled them in.
func (c *checker) numbers(list []*syntax.Amount) ([]int, bool) {
	var out []int
	ok := true
	for _, a := range list {
		if a.Column != nil {
			c.errorf("wrong-type", a.Span(c.file), "got %q, want a number", a.Column.Text)
			ok = false
		}
		v, _ := a.Value()
		out = append(out, v)
	}
	return out, ok
}

// sameOption reports whether two options of a line are written alike, or are the same where one of them names its colour.
func (c *checker) sameOption(a, b model.TestOption) bool {
	if a.Span.Text() == b.Span.Text() {
		return true
	}
	several := slices.ContainsFunc(c.rules.Seats, func(s model.Seat) bool { return len(s.Colours) > 1 })
	if several || a.Colour >= 0 && b.Colour >= 0 && a.Colour != b.Colour {
		return false
	}
	a.Span, b.Span, a.Colour, b.Colour = source.Span{}, source.Span{}, -1, -1
	return reflect.DeepEqual(a, b)
}

// warnListedTwice warns of what an expectation lists a second time.
func (c *checker) warnListedTwice(options []model.TestOption) {
	for i, o := range options {
		if slices.ContainsFunc(options[:i], func(p model.TestOption) bool { return c.sameOption(p, o) }) {
			c.diags.Warnf("declared-twice", o.Span, "%q is listed twice", o.Span.Text())
		}
	}
}

func (c *checker) expectation(d *syntax.Expectation, x *model.TestLine) bool {
	ok := true
	switch {
	case d.Moves != nil:
		x.Kind = model.ExpectMoves
		x.Options, ok = c.testOptions(d.Moves)
		c.warnListedTwice(x.Options)
		for _, o := range x.Options {
			if ok && !o.Arrow() && o.Move == nil && !slices.ContainsFunc(o.Words, func(w string) bool { return c.moves[w] != nil }) {
				c.errorf("syntax", o.Span, "a move is written FROM -> TO, or by its name").WithHint("what a question offers: expect choices %s", o.Span.Text())
				ok = false
			}
		}
	case d.Choices != nil:
		x.Kind = model.ExpectChoices
		x.Options, ok = c.testOptions(d.Choices)
		c.warnListedTwice(x.Options)
	case d.Chance != nil:
		x.Kind = model.ExpectChance
		ok = c.chance(d.Chance, x)
	case d.NoMoves:
		x.Kind = model.ExpectMoves
	case d.NoChoices:
		x.Kind = model.ExpectNoChoices
	case d.Asks != nil:
		x.Kind = model.ExpectAsks
		x.Colour, ok = c.colourNamed(d.Asks.At, d.Asks.Text)
	case d.Throw != nil:
		x.Kind = model.ExpectRefusedThrow
		x.Numbers, ok = c.numbers(d.Throw)
		if d.By != nil {
			c.errorf("out-of-place", d.By.Span(c.file), "a throw is refused by its dice, not by a rule")
			ok = false
		}
	case d.Never:
		x.Kind = model.ExpectRefusedPosition
		x.Rule, ok = c.ruleNamed(d.By)
	case d.Refused != nil:
		x.Kind = model.ExpectRefused
		o, by := *d.Refused, d.By
		if by == nil && o.By != nil && !o.Paren && (c.ruleCalled(o.By.Text) != nil || c.moves[o.By.Text] == nil) {
			by, o.By = o.By, nil
		}
		x.Options, ok = c.testOptions([]*syntax.OptionRef{&o})
		var known bool
		x.Rule, known = c.ruleNamed(by)
		ok = ok && known
	case d.Earned != nil:
		x.Kind = model.ExpectEarned
		x.Numbers, ok = c.numbers([]*syntax.Amount{d.Earned})
	case d.Turn != nil:
		x.Kind = model.ExpectTurn
		x.Colour, ok = c.colourNamed(d.Turn.At, d.Turn.Text)
	case d.Winner != nil, d.Ranking != nil:
		x.Kind = model.ExpectWinner
		list := d.Winner
		if d.Ranking != nil {
			x.Kind, list = model.ExpectRanking, d.Ranking
		}
		for _, n := range list {
			i, fine := c.colourNamed(n.At, n.Text)
			x.Colours, ok = append(x.Colours, i), ok && fine
		}
		if d.Worth != nil {
			var fine bool
			x.Numbers, fine = c.numbers([]*syntax.Amount{d.Worth})
			ok = ok && fine
		}
	case d.That != nil:
		x.Kind = model.ExpectThat
		c.push()
		c.where.test = true
		x.Cond = c.flag(d.That)
		c.where.test = false
		c.pop()
		ok = x.Cond != nil
	case d.Over:
		x.Kind = model.ExpectOver
	case d.NotOver:
		x.Kind = model.ExpectNotOver
	case d.Draw:
		x.Kind = model.ExpectDraw
	case d.Given != nil:
		x.Kind = model.ExpectPieces
		var places []model.Spot
		x.Colour, places, ok = c.given(d.Given)
		x.Places = map[int][]model.Spot{x.Colour: places}
	}
	return ok
}

// ruleNamed finds a rule by name, nil for an empty name.
func (c *checker) ruleNamed(n *syntax.Name) (*model.Rule, bool) {
	if n == nil {
		return nil, true
	}
	if r := c.ruleCalled(n.Text); r != nil {
		c.means(n.Span(c.file), index.Rule, n.Text, r.Span, model.Type{})
		return r, true
	}
	known := seq.Map(c.rules.Rules, func(r *model.Rule) string { return r.Name })
	c.errorf("unknown-name", n.Span(c.file), "there is no rule %q", n.Text).Suggest(n.Text, known, "")
	return nil, false
}

func (c *checker) ruleCalled(name string) *model.Rule {
	return seq.First(c.rules.Rules, func(r *model.Rule) bool { return r.Name == name })
}

// given reads a colour and the places of its pieces.
func (c *checker) given(g *syntax.Given) (colour int, places []model.Spot, ok bool) {
	head := g.Refs[0]
	colour, ok = c.colourNamed(head.At, head.Text)
	if !ok {
		return 0, nil, false
	}
	for _, r := range g.Refs[1:] {
		p, fine := c.spotNamed(r, colour)
		if fine && p.Ordinal > 0 {
			c.errorf("syntax", r.Span(c.file), "every piece stands here by its place alone")
			fine = false
		}
		if fine && p.Passage == model.AnyPassage && !c.board.Places[p.Place].Zone && c.passages(colour, p.Place) == 0 {
			c.errorf("off-track", r.Span(c.file), "square %q is not on the track of %q", r.Text, head.Text)
			fine = false
		}
		places, ok = append(places, p), ok && fine
	}
	if n := len(g.Refs) - 1; ok && c.rules.Owner == nil && c.rules.PieceCount > 0 && n != c.rules.PieceCount {
		c.errorf("wrong-pieces", g.Span(c.file), "%q has %s here, got %s", head.Text, plural(c.rules.PieceCount, "piece"), plural(n, "place"))
		return 0, nil, false
	}
	return colour, places, ok
}

// passages is how often the track of a colour visits a place.
func (c *checker) passages(colour, place int) int {
	nodes := c.rules.Track.Runs[c.rules.Colours[colour].Board].Nodes
	return seq.Count(nodes, func(n boards.Node) bool { return n.Place == place })
}

// spotNamed is a place and the index of a piece there: of one colour, or of any colour if colour is -1.
func (c *checker) spotNamed(r *syntax.Ref, colour int) (model.Spot, bool) {
	name, passage, ordinal, ok := model.ReadSpot(r.Text)
	if !ok {
		c.errorf("syntax", r.Span(c.file), "got %q, want a place, PLACE/2 for the second time a track comes there, or PLACE#2 for the second piece there", r.Text)
		return model.Spot{}, false
	}
	at := r.At
	at.EndPos.Offset = at.Pos.Offset + len(name)
	if len(name) == len(r.Text) || c.file.Span(at.Pos.Offset, at.EndPos.Offset).Text() != name {
		at = r.At // filled in from a table
	}
	place, ok := c.placeNamed(&syntax.Ref{At: at, Text: name})
	if !ok {
		return model.Spot{}, false
	}
	most := 1
	if passage > 1 {
		most = 0
		for i := range c.rules.Colours {
			if i == colour || colour < 0 {
				most = max(most, c.passages(i, place))
			}
		}
	}
	if passage > 1 && passage > most {
		c.errorf("off-track", r.Span(c.file), "got %q, but a track comes to %q %s", r.Text, name, times(most))
		return model.Spot{}, false
	}
	pieces := c.rules.PieceCount // that a colour may have
	if c.rules.Owner != nil {
		pieces *= len(c.rules.Colours)
	}
	if ordinal > pieces {
		c.errorf("wrong-pieces", r.Span(c.file), "got %q, but a colour has %s", r.Text, plural(pieces, "piece"))
		return model.Spot{}, false
	}
	return model.Spot{Place: place, Passage: passage, Ordinal: ordinal}, true
}

// times is a number of times in words: "once", "3 times".
func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return plural(n, "time")
}

// notColours are hints for words that tests name where a colour stands.
var notColours = map[string]string{
	"no":   "write: expect no moves, or where no player is to choose: expect no choices",
	"not":  "where the game goes on write: expect not over; of a condition: expect that !CONDITION",
	"none": "where no side wins write: expect draw",
	"me":   "a test names the colour, such as yellow",
}

func (c *checker) colourNamed(at syntax.At, name string) (int, bool) {
	i := c.colour(name)
	if i >= 0 {
		c.meansColour(c.span(at), name)
		return i, true
	}
	if c.names != nil && c.board.Colour(name) >= 0 && len(c.rules.Colours) > 0 { // a colour that plays in another setting only
		c.meansColour(c.span(at), name)
		return 0, true
	}
	d := c.errorf("unknown-colour", c.span(at), "there is no colour %q in this game", name)
	if c.board.Colour(name) >= 0 {
		d.Get().Message = "the colour \"" + name + "\" does not play here, with " + plural(c.players, "player")
		d.WithHint("a line \"seats\" of the rules says which colours play")
		for _, n := range numbersOf(c.book, c.setting.Options) {
			if slices.Contains(playing(c.book, c.setting.Options, n), name) {
				d.WithHint("add a line with the number of players, say: players %d", n)
				break
			}
		}
	} else if hint := notColours[name]; hint != "" {
		d.WithHint("%s", hint)
	} else {
		d.Suggest(name, c.boardColours(), "there is: %s", strings.Join(c.boardColours(), ", "))
	}
	return 0, false
}

func (c *checker) placeNamed(r *syntax.Ref) (int, bool) {
	p, ok := c.board.Place(r.Text)
	if !ok {
		unknown := c.errorf("unknown-square", r.Span(c.file), "board %q has no square or zone %q", c.board.Name, r.Text)
		if places := c.landmarks(r.Text); places != "" {
			unknown.WithHint("name the place itself: %s", places)
			return p, ok
		}
		unknown.Suggest(r.Text, c.board.PlaceNames(), "it has: %s", c.board.PlaceWords())
		return p, ok
	}
	c.meansPlace(r.Span(c.file), p)
	return p, ok
}

// landmarks says which place each colour has that plays as a landmark, "" if the board has no landmark of that name.
func (c *checker) landmarks(name string) string {
	i := slices.IndexFunc(c.board.Landmarks, func(l boards.Landmark) bool { return l.Name == name })
	if i < 0 {
		return ""
	}
	var each []string
	for _, colour := range c.rules.Colours {
		if at := c.board.Landmarks[i].Values[colour.Board]; at >= 0 {
			each = append(each, colour.Name+"'s "+name+" is "+c.board.Places[at].Name)
		}
	}
	return strings.Join(each, ", ")
}

func quoteSpan(s source.Span) string { return strconv.Quote(short(s.Text())) }
