package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// testSet resolves: set NAME = V, set DIE = V, set OWNER.NAME = V, set COLOUR@SQUARE.NAME = V.
func (c *checker) testSet(d *syntax.TestSet, x *model.TestLine) bool {
	if d.Field == nil && d.Square == nil && slices.ContainsFunc(c.rules.Dice, func(x *model.Die) bool { return x.Name == d.Name.Text }) {
		x.Die = c.diceNamed([]*syntax.Name{{At: d.Name.At, Text: d.Name.Text}})[0]
		return c.testDie(d.Value, x)
	}
	if d.Field == nil {
		v := c.vars[d.Name.Text]
		if v == nil || v.Scope != model.ScopeGame {
			diagnostic := c.errorf("unknown-name", d.Name.Span(c.file), "there is no option or game variable %q to set", d.Name.Text)
			var known []string
			for name, v := range c.vars {
				if v.Scope == model.ScopeGame {
					known = append(known, name)
				}
			}
			known = append(known, c.optionNames()...)
			hint := ""
			if v != nil {
				diagnostic.Get().Message = fmt.Sprintf("%q is a variable of the %s: it begins anew there, and cannot be set", d.Name.Text, model.ScopeNames[v.Scope])
				diagnostic.WithHint("play the throws and moves that change it")
				return false
			}
			if len(c.fields[d.Name.Text]) > 0 {
				hint = "write whose it is: set COLOUR." + d.Name.Text + " = …"
			}
			diagnostic.Suggest(d.Name.Text, sorted(known), "%s", hint)
			return false
		}
		x.Var = v
		c.meansVar(d.Name.Span(c.file), v)
		return c.testValue(d.Value, x)
	}
	colour, ok := c.colourNamed(d.Name.At, d.Name.Text)
	if !ok {
		return false
	}
	for _, v := range c.fields[d.Field.Text] {
		if (v.Scope == model.ScopePiece) != (d.Square != nil) {
			continue
		}
		x.Var = v
		c.meansVar(d.Field.Span(c.file), v)
		seat := c.rules.Colours[colour].Seat
		switch v.Scope {
		case model.ScopeTeam:
			x.Owner = c.rules.Seats[seat].Team
		case model.ScopePlayer:
			x.Owner = seat
		case model.ScopeColour:
			x.Owner = colour
		case model.ScopePiece:
			x.Owner = colour
			if x.Spot, ok = c.spotNamed(d.Square, colour); !ok {
				return false
			}
		}
		return c.testValue(d.Value, x)
	}
	if f := languageFields[fieldOf{model.Player, d.Field.Text}]; d.Square == nil && (d.Field.Text == "ranked" || d.Field.Text == "playing") {
		c.names.Use(d.Field.Span(c.file), index.Name{Text: d.Field.Text, Kind: index.Field, Type: f.typed, Of: model.Player})
		x.Kind, x.Colour = model.LineRanked, colour
		want := "true"
		if d.Field.Text == "playing" {
			x.Kind, want = model.LineDropped, "false"
		}
		if d.Value.Ref == nil || d.Value.Ref.Text != want || d.Value.Square != nil {
			c.errorf("wrong-type", d.Value.Span(c.file), "%q can only be set to %s, got %s", d.Field.Text, want, quoteSpan(d.Value.Span(c.file))).
				WithHint("the rules and the position say who else is ranked or plays")
			return false
		}
		return true
	}
	diagnostic := c.errorf("unknown-name", d.Field.Span(c.file), "there is no variable %q to set there", d.Field.Text)
	hint := ""
	if of := c.fields[d.Field.Text]; len(of) > 0 {
		hint = "it belongs to a " + model.ScopeNames[of[0].Scope]
	}
	diagnostic.Suggest(d.Field.Text, slices.Sorted(maps.Keys(c.fields)), "%s", hint)
	return false
}

// testDie resolves the last number of a die, or the cards left in a deck.
func (c *checker) testDie(d *syntax.TestLiteral, x *model.TestLine) bool {
	values, ok := []int(nil), true
	switch {
	case d.Open && x.Die.Kind == model.DieDeck:
		values, ok = c.numbers(d.Items)
	case d.Number != nil:
		n, fine := d.Number.Value()
		values, ok = []int{n}, fine
	default:
		ok = false
		want := "a number"
		if x.Die.Kind == model.DieDeck {
			want = "a number, or the cards left in it, written [1, 1, 2]"
		}
		c.errorf("wrong-type", d.Span(c.file), "die %q gives %s, got %s", x.Die.Name, want, quoteSpan(d.Span(c.file)))
	}
	for _, n := range values {
		if x.Die.Kind != model.DieChoice && !slices.ContainsFunc(x.Die.Faces, func(f model.Face) bool { return f.Value == n }) {
			c.errorf("bad-throw", d.Span(c.file), "die %q never gives %d", x.Die.Name, n)
			ok = false
		}
	}
	x.Values, x.Left = values, d.Open
	return ok
}

func (c *checker) testValue(d *syntax.TestLiteral, x *model.TestLine) bool {
	v := x.Var
	fault := func(want string) bool {
		c.errorf("wrong-type", d.Span(c.file), "%q is %s, got %s", v.Name, want, quoteSpan(d.Span(c.file)))
		return false
	}
	if d.Square != nil && (v.Type.List || v.Type.Kind != model.Piece) {
		words := map[model.Kind]string{model.Number: "a number", model.Flag: "true or false", model.Place: "a place", model.Colour: "a colour", model.Player: "a colour"}[v.Type.Kind]
		if words == "" || v.Type.List {
			words = "no piece"
		}
		return fault(words)
	}
	if v.Type.List {
		word := "set"
		if v.Bag {
			word = "bag"
		}
		if !d.Open || v.Type.Kind != model.Number {
			return fault("a " + word + " of numbers, written [1, 2, 3]")
		}
		var ok bool
		if x.Values, ok = c.numbers(d.Items); !ok {
			return false
		}
		for _, n := range x.Values {
			if n < v.Low || n > v.High {
				return fault("a " + word + " of numbers in " + strconv.Itoa(v.Low) + ".." + strconv.Itoa(v.High))
			}
		}
		return true
	}
	switch v.Type.Kind {
	case model.Number:
		if d.Number == nil {
			return fault("a number")
		}
		n, ok := d.Number.Value()
		if !ok || n < v.Low || n > v.High {
			return fault("a number in " + strconv.Itoa(v.Low) + ".." + strconv.Itoa(v.High))
		}
		x.Values = []int{n}
	case model.Flag:
		if d.Ref == nil || d.Ref.Text != "true" && d.Ref.Text != "false" {
			return fault("true or false")
		}
		x.Values = []int{0}
		if d.Ref.Text == "true" {
			x.Values[0] = 1
		}
	case model.Colour, model.Player:
		if d.Ref == nil {
			return fault("a colour")
		}
		i, ok := c.colourNamed(d.Ref.At, d.Ref.Text)
		if ok && v.Type.Kind == model.Player {
			i = c.rules.Colours[i].Seat
		}
		x.Values = []int{i}
		return ok
	case model.Place:
		if d.Ref == nil && d.Number == nil {
			return fault("a place")
		}
		ref := d.Ref
		if ref == nil {
			ref = &syntax.Ref{At: d.At, Text: d.Number.Digits}
		}
		p, ok := c.placeNamed(ref)
		x.Values = []int{p}
		return ok
	case model.Piece:
		if d.Ref == nil || d.Square == nil {
			return fault("a piece, written COLOUR@SQUARE")
		}
		i, ok := c.colourNamed(d.Ref.At, d.Ref.Text)
		if !ok {
			return false
		}
		x.Values = []int{i}
		x.Piece, ok = c.spotNamed(d.Square, i)
		return ok
	default:
		return fault("something a test cannot set")
	}
	return true
}
