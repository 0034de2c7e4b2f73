package check

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Options as the lines of a test name them.

func (c *checker) testOptions(refs []*syntax.OptionRef) ([]model.TestOption, bool) {
	var out []model.TestOption
	ok := true
	for _, r := range refs {
		o, fine := c.testOption(r)
		out, ok = append(out, o), ok && fine
	}
	return out, ok
}

func (c *checker) testOption(d *syntax.OptionRef) (model.TestOption, bool) {
	out := model.TestOption{Colour: -1, Via: -1, From: model.Spot{Place: -1}, To: model.Spot{Place: -1}, Span: d.Span(c.file)}
	ok := true
	and := func(fine bool) { ok = ok && fine }
	switch {
	case d.Move != nil:
		out.Called = true
		and(c.called(d.Move, d.Args, 0, &out))
	case d.Number != nil:
		n, _ := d.Number.Value()
		out.Words = []string{strconv.Itoa(n)}
	case d.To != nil:
		and(c.arrow(d, &out))
	default:
		and(c.optionWords(d.Words, &out))
	}
	if d.Counting != nil {
		counts, number := c.numbers([]*syntax.Amount{d.Counting})
		out.Counting, out.Steps = true, counts[0]
		and(number)
	}
	if d.Via != nil {
		s, fine := c.spotNamed(d.Via, out.Colour)
		out.Via = s.Place
		and(fine)
	}
	if d.By != nil {
		out.Called = d.Paren
		and(c.called(d.By, d.ByArgs, 1, &out))
	}
	return out, ok
}

// arrow reads FROM -> TO.
func (c *checker) arrow(d *syntax.OptionRef, out *model.TestOption) bool {
	from, ok := d.Words, true
	if len(from) > 2 {
		return wrong(c.errorf("syntax", out.Span, "a move is written FROM -> TO, or COLOUR FROM -> TO"))
	}
	if len(from) == 2 {
		out.Colour, ok = c.colourNamed(from[0].At, from[0].Text)
		from = from[1:]
	}
	var fine bool
	out.From, fine = c.spotNamed(from[0], out.Colour)
	ok = ok && fine
	out.To, fine = c.spotNamed(d.To, out.Colour)
	if fine && out.To.Ordinal > 0 {
		c.errorf("syntax", d.To.Span(c.file), "a move ends on a place, not on a piece of it")
		fine = false
	}
	return ok && fine
}

// called reads the name of a move and its parameters from one on.
func (c *checker) called(name *syntax.Name, args []*syntax.OptionArg, from int, out *model.TestOption) bool {
	m := c.moves[name.Text]
	if m == nil {
		return wrong(c.errorf("unknown-name", name.Span(c.file), "there is no move %q", name.Text).Suggest(name.Text, slices.Sorted(maps.Keys(c.moves)), ""))
	}
	c.means(name.Span(c.file), index.Move, m.Name, m.Span, model.Type{})
	if out.Move = m; !out.Called {
		return true
	}
	if want := max(0, len(m.Params)-from); len(args) != want {
		after := ""
		if from > 0 {
			after = " beside its piece"
		}
		return wrong(c.errorf("wrong-arguments", name.Span(c.file), "move %q has %s%s, got %d", m.Name, plural(want, "parameter"), after, len(args)))
	}
	if slices.Contains(m.Params, nil) {
		return false // the move has a fault
	}
	ok := true
	for i, a := range args {
		arg, fine := c.optionArg(a, m.Params[from+i].Type)
		out.Args, ok = append(out.Args, arg), ok && fine
	}
	return ok
}

// optionArg reads a parameter of a move.
func (c *checker) optionArg(d *syntax.OptionArg, t model.Type) (model.TestArg, bool) {
	words := d.Words
	fault := func(want string) (model.TestArg, bool) {
		c.errorf("wrong-type", d.Span(c.file), "this parameter is %s, got %s", want, quoteSpan(d.Span(c.file)))
		return model.TestArg{}, false
	}
	one := ""
	if len(words) == 1 {
		one = words[0].Text
	}
	switch t.Kind {
	case model.Piece:
		if len(words) == 0 || len(words) > 2 {
			return fault("a piece, written PLACE or COLOUR PLACE")
		}
		arg, ok := model.TestArg{Piece: true, Colour: -1}, true
		if len(words) == 2 {
			arg.Colour, ok = c.colourNamed(words[0].At, words[0].Text)
		}
		spot, fine := c.spotNamed(words[len(words)-1], arg.Colour)
		arg.Spot = spot
		return arg, ok && fine
	case model.Number:
		n, err := strconv.Atoi(one)
		if d.Number != nil {
			n, err = 0, nil
			n, _ = d.Number.Value()
		}
		if err != nil {
			return fault("a number")
		}
		return model.TestArg{Value: n}, true
	case model.Flag:
		v, ok := flagWords[one]
		if !ok {
			return fault("yes or no")
		}
		return model.TestArg{Value: v}, true
	case model.Place:
		if one == "" {
			return fault("a place")
		}
		p, ok := c.placeNamed(words[0])
		return model.TestArg{Value: p}, ok
	}
	if one == "" {
		return fault("a colour")
	}
	i, ok := c.colourNamed(words[0].At, one)
	if ok {
		i = c.sideOf(i, t.Kind)
	}
	return model.TestArg{Value: i}, ok
}

// sideOf is the player or team of a colour, or the colour itself.
func (c *checker) sideOf(colour int, k model.Kind) int {
	seat := c.rules.Colours[colour].Seat
	switch k {
	case model.Player:
		return seat
	case model.Team:
		return c.rules.Seats[seat].Team
	}
	return colour
}

// flagWords are the words for flags in menus and tests.
var flagWords = map[string]int{"yes": 1, "true": 1, "no": 0, "false": 0}

// optionWords reads words that speak of an option: its move, a colour, a place, a number.
func (c *checker) optionWords(refs []*syntax.Ref, out *model.TestOption) bool {
	c.nameChoice(refs)
	ok := true
	for _, r := range refs {
		out.Words = append(out.Words, r.Text)
		name, _, _, read := model.ReadSpot(r.Text)
		_, place := c.board.Place(name)
		_, flag := flagWords[r.Text]
		_, err := strconv.Atoi(r.Text)
		if read && place || flag || err == nil || r.Text == "none" || r.Text == "nil" || c.moves[r.Text] != nil || c.board.DeclaresColour(r.Text) {
			continue
		}
		known := slices.AppendSeq(append(c.boardColours(), c.board.PlaceNames()...), maps.Keys(c.moves))
		d := c.errorf("unknown-name", r.Span(c.file), "no move, place or colour is called %q", r.Text)
		if lower := strings.ToLower(r.Text); flagWords[lower] > 0 || lower == "no" || lower == "none" {
			known = []string{lower}
		}
		from, to, joined := strings.Cut(r.Text, "-")
		if joined {
			_, joined = c.board.Place(from)
		}
		switch {
		case joined:
			d.WithHint("write: %s -> %s", from, strings.TrimPrefix(to, ">"))
		case r.Text == "to":
			d.WithHint("a move is written with an arrow: 10 -> 13")
		default:
			d.Suggest(r.Text, sorted(known), "")
		}
		ok = false
	}
	return ok
}

// chance reads how likely a number of a device is.
func (c *checker) chance(d *syntax.Chance, x *model.TestLine) bool {
	dice := c.diceNamed([]*syntax.Name{d.Die})
	if len(dice) == 0 {
		return false
	}
	x.Die = dice[0]
	if x.Die.Kind == model.DieChoice {
		return wrong(c.errorf("wrong-type", d.Die.Span(c.file), "%q is chosen by a player, not by chance", d.Die.Text))
	}
	list := []*syntax.Amount{d.Number, d.Weight}
	if d.Of != nil {
		list = append(list, d.Of)
	}
	var ok bool
	if x.Numbers, ok = c.numbers(list); ok && d.Of != nil && x.Numbers[2] <= 0 {
		c.errorf("wrong-type", d.Of.Span(c.file), "a chance is a part of 1 or more, got %d", x.Numbers[2])
		ok = false
	}
	return ok
}
