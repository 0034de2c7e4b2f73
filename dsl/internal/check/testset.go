package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
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
			ofGame := func(name string) bool { return c.vars[name].Scope == model.ScopeGame }
			known := append(c.optionNames(), seq.Filter(slices.Collect(maps.Keys(c.vars)), ofGame)...)
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
		x.Owner = c.sideOf(colour, v.Scope.Owner())
		if v.Scope == model.ScopePiece {
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
		form := d.Name.Text
		if of[0].Scope == model.ScopePiece {
			form += "@SQUARE"
		}
		hint = "it belongs to a " + model.ScopeNames[of[0].Scope] + ": set " + form + "." + d.Field.Text + " = …"
	} else if v := c.vars[d.Field.Text]; v != nil && v.Scope == model.ScopeGame {
		hint = "it belongs to the game: set " + v.Name + " = …"
	}
	diagnostic.Suggest(d.Field.Text, slices.Sorted(maps.Keys(c.fields)), "%s", hint)
	return false
}

// testDie resolves the last number of a die, or the cards left in a deck.
func (c *checker) testDie(d *syntax.TestLiteral, x *model.TestLine) bool {
	values, ok := []int(nil), true
	switch {
	case d.Open && x.Die.Kind == model.DieDeck:
		for _, e := range d.Items {
			if e.Number == nil {
				ok = false
				c.errorf("wrong-type", e.Span(c.file), "got %s, want a number", quoteSpan(e.Span(c.file)))
				continue
			}
			n, fine := e.Number.Value()
			values, ok = append(values, n), ok && fine
		}
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
		if onNoDie([]*model.Die{x.Die}, n) {
			c.errorf("bad-throw", d.Span(c.file), "die %q never gives %d", x.Die.Name, n)
			ok = false
		}
	}
	x.Values, x.Left = values, d.Open
	return ok
}

// valueForms are what a test sets a variable of a kind to: one value, and the elements of a set as they are written.
var valueForms = map[model.Kind]struct{ one, many string }{
	model.Number: {"a number", "1, 2, 3"},
	model.Flag:   {"true or false", "true, false"},
	model.Place:  {"a place", "12, home"},
	model.Piece:  {"a piece, written COLOUR@SQUARE", "COLOUR@SQUARE, …"},
	model.Colour: {"a colour", "COLOUR, …"},
	model.Player: {"a player, written as its colour", "COLOUR, …"},
	model.Team:   {"a team, written as a colour of it", "COLOUR, …"},
}

// testValue resolves the value of a variable, or the elements of a set or bag.
func (c *checker) testValue(d *syntax.TestLiteral, x *model.TestLine) bool {
	v, form := x.Var, valueForms[x.Var.Type.Kind]
	want, written, values := form.one, "", []*syntax.TestLiteral{d}
	if v.Type.List {
		want, written, values = "a set of "+v.Type.Kind.String()+"s", ", written ["+form.many+"]", d.Items
		if v.Bag {
			want = "a bag of numbers"
		}
	}
	fault := func(more string) bool {
		return wrong(c.errorf("wrong-type", d.Span(c.file), "%q is %s%s, got %s", v.Name, want, more, quoteSpan(d.Span(c.file))))
	}
	if d.Open != v.Type.List {
		return fault(written)
	}
	for _, e := range values {
		if e.Open || (e.Square != nil) != (v.Type.Kind == model.Piece) && !isNil(e, v) {
			return fault(written)
		}
		var n int
		at, ok := model.Spot{}, true
		switch kind := v.Type.Kind; {
		case isNil(e, v):
			n = -1
		case kind == model.Number && e.Number != nil:
			if n, ok = e.Number.Value(); !ok || n < v.Low || n > v.High {
				return fault(" in " + strconv.Itoa(v.Low) + ".." + strconv.Itoa(v.High))
			}
		case kind == model.Flag && e.Ref != nil && (e.Ref.Text == "true" || e.Ref.Text == "false"):
			if e.Ref.Text == "true" {
				n = 1
			}
		case kind == model.Place && e.Number != nil:
			n, ok = c.placeNamed(&syntax.Ref{At: e.At, Text: e.Number.Digits})
		case kind == model.Place && e.Ref != nil:
			n, ok = c.placeNamed(e.Ref)
		case kind.Ref() && e.Ref != nil:
			n, ok = c.colourNamed(e.Ref.At, e.Ref.Text)
			switch {
			case ok && kind == model.Piece:
				at, ok = c.spotNamed(e.Square, n)
			case ok:
				n = c.sideOf(n, kind)
			}
		default:
			return fault(written)
		}
		if !ok {
			return false
		}
		x.Values, x.Pieces = append(x.Values, n), append(x.Pieces, at)
	}
	return true
}

// isNil reports whether a test sets a variable to nil, one that can be nil.
func isNil(d *syntax.TestLiteral, v *model.Var) bool {
	return d.Ref != nil && d.Ref.Text == "nil" && d.Square == nil && v.Type.Kind.Ref() && !v.Type.List
}
