package door

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// Test writes what was played last as a test of the rules: the position at the beginning of the turn of the last
// decision of a person, the throws and choices of that turn, and what they led to. No test can begin where players have
// finished or are out: then it begins with the last turn before that. It contains secret choices.
func (s *Session) Test(name string) (string, error) {
	if len(s.events) == 0 {
		return "", errors.New("nothing has been played yet")
	}
	last := s.decision()
	if last < 0 {
		last = len(s.events) - 1
	}
	// The position before is made again from the beginning, as an undo does.
	p, err := record.Begin(s.game, s.header)
	if err != nil {
		return "", err
	}
	first, from, before := 0, (*interpreter.Setup)(nil), p.Places(nil)
	next := 0
	for ; next <= last || next < len(s.events) && !p.AtTurn() && p.Kind() != interpreter.Over; next++ {
		if p.AtTurn() {
			before = p.Places(nil)
			if setup := p.Setup(); len(setup.Ranking)+len(setup.Dropped) == 0 {
				first, from = next, setup
			}
		}
		if err := record.Apply(p, s.events[next].Event); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "test %s {\n", strconv.Quote(name))
	s.writeGiven(&b, from)
	for _, e := range s.events[first:next] {
		switch e.Kind {
		case record.Lot:
			fmt.Fprintf(&b, "  throw %d\n", s.game.Seat(e.Seat))
		case record.Throw:
			b.WriteString("  throw")
			for _, n := range e.Numbers {
				if len(e.Numbers) == 1 && len(s.game.Dice()) > 1 {
					b.WriteString(" " + n.Die)
				}
				fmt.Fprintf(&b, " %d", n.Value)
			}
			b.WriteString("\n")
		default:
			fmt.Fprintf(&b, "  play %s\n", e.Words)
		}
	}
	s.writeExpected(&b, before, p)
	b.WriteString("}\n")
	return b.String(), nil
}

// writeGiven writes a position as the first lines of a test. Without one the test begins a new game.
func (s *Session) writeGiven(b *strings.Builder, from *interpreter.Setup) {
	rules := s.game.Rules()
	if from == nil {
		from = &interpreter.Setup{Options: s.pos.Setup().Options}
	} else {
		given := func(c model.ColourInUse) string { return c.Name + " " + strings.Join(from.Pieces[c.Name], " ") }
		fmt.Fprintf(b, "  given %s\n", strings.Join(seq.Map(rules.Colours, given), " | "))
		for _, place := range slices.Sorted(maps.Keys(from.Arrived)) {
			fmt.Fprintf(b, "  arrived %s: %s\n", place, strings.Join(from.Arrived[place], " "))
		}
	}
	fmt.Fprintf(b, "  players %d\n", s.game.Players())
	for _, o := range rules.Options {
		if v, ok := from.Options[o.Name]; ok {
			text := fmt.Sprint(v)
			if _, err := strconv.Atoi(text); err != nil && text != "true" && text != "false" {
				text = strconv.Quote(text)
			}
			fmt.Fprintf(b, "  set %s = %s\n", o.Name, text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(from.Dice)) {
		fmt.Fprintf(b, "  set %s = %d\n", name, from.Dice[name])
	}
	for _, name := range slices.Sorted(maps.Keys(from.Decks)) {
		deck := from.Decks[name]
		cards := seq.Flat(slices.Sorted(maps.Keys(deck)), func(value string) []string { return slices.Repeat([]string{value}, deck[value]) })
		fmt.Fprintf(b, "  set %s = [%s]\n", name, strings.Join(cards, ", "))
	}
	for _, key := range slices.Sorted(maps.Keys(from.Vars)) {
		name := key[strings.LastIndex(key, ".")+1:]
		owned, ok := from.Vars[key].(map[string]any)
		if !ok {
			fmt.Fprintf(b, "  set %s = %s\n", name, testValue(from.Vars[key]))
			continue
		}
		for _, owner := range slices.Sorted(maps.Keys(owned)) {
			fmt.Fprintf(b, "  set %s.%s = %s\n", owner, name, testValue(owned[owner]))
		}
	}
	if from.Turn != "" {
		fmt.Fprintf(b, "  turn %s\n", from.Turn)
	}
}

// testValue is a value of a position as a test writes it.
func testValue(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case []any:
		return "[" + strings.Join(seq.Map(v, testValue), ", ") + "]"
	case string:
		return v
	}
	text, _ := json.Marshal(v) // numbers and flags
	return string(text)
}

// mostMoves limits the moves that a test expects: more would hide what it is about.
const mostMoves = 8

// writeExpected writes what a test ends with: where the pieces stand that are elsewhere now, and what comes next.
func (s *Session) writeExpected(b *strings.Builder, before []int, p *interpreter.Position) {
	g, now := s.game, p.Places(nil)
	for c, colour := range g.Rules().Colours {
		moved := seq.Which(len(now), func(piece int) bool { return p.ColourOf(piece) == c && now[piece] != before[piece] })
		if len(moved) == 0 {
			continue
		}
		var at []string
		for place := range g.Rules().Board.Places {
			for _, piece := range p.PiecesOn(nil, place) {
				if p.ColourOf(piece) == c {
					at = append(at, g.PlaceName(place))
				}
			}
		}
		fmt.Fprintf(b, "  expect %s %s\n", colour.Name, strings.Join(at, " "))
	}
	switch {
	case p.Kind() == interpreter.Over:
		if names := seq.Map(p.Result().Winners, g.SeatName); len(names) > 0 {
			fmt.Fprintf(b, "  expect winner %s\n", strings.Join(names, " "))
		} else {
			b.WriteString("  expect over\n")
		}
	case p.Kind() == interpreter.Choice && p.Options()[0].Move != interpreter.None && p.OptionCount() <= mostMoves:
		fmt.Fprintf(b, "  expect moves %s\n", strings.Join(p.OptionNames(), ", "))
	case p.Turn() >= 0:
		fmt.Fprintf(b, "  expect turn %s\n", g.ColourName(p.TurnColour()))
	}
}
