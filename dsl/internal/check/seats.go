package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Limits on a game. The checker rejects a larger one.
const (
	MaxPieces   = 64 // of all colours
	MaxSetRange = 1024
	MaxBagRange = 64
)

// makeSeats assigns colours to players, and sets up teams and pieces.
func (c *checker) makeSeats(entries []*book.Entry) {
	sides := c.sidesFor(entries)
	if sides == nil {
		return
	}
	seatOf := map[string]int{}
	for i, side := range sides {
		for _, name := range side {
			seatOf[name] = i
		}
	}
	c.rules.Seats = make([]model.Seat, len(sides))
	for i, colour := range c.board.Colours {
		if seat, plays := seatOf[colour.Name]; plays {
			c.rules.Colours = append(c.rules.Colours, model.ColourInUse{Name: colour.Name, Board: i, Seat: seat})
		}
	}
	// The colours of a seat keep the order of the file: the first one names the seat.
	for i, side := range sides {
		c.rules.Seats[i].Colours = seq.Map(side, c.colour)
	}
	c.makeTeams(entries)
	turns := of(entries, "turns", "")
	c.rules.TurnsByColour = seq.Any(slices.Values(turns), func(e *book.Entry) bool { return e.Decl.Kind.Turns.By != "" })
	c.makePieces()
}

func (c *checker) colour(name string) int {
	return slices.IndexFunc(c.rules.Colours, func(x model.ColourInUse) bool { return x.Name == name })
}

// sidesFor lists the colours of each seat.
func (c *checker) sidesFor(entries []*book.Entry) [][]string {
	seats := of(entries, "seats", strconv.Itoa(c.players))
	switch {
	case c.twoLines(seats, fmt.Sprintf("who sits where with %d players", c.players)):
		return nil
	case len(seats) == 0:
		if c.players > len(c.board.Colours) {
			e := c.single("players")
			c.in(e)
			_, all, _ := c.playerNumbers(e.Decl.Kind.Players)
			c.errorf("too-many-players", declSpan(e), "%d players, but board %q has %s", slices.Max(all), c.board.Name,
				plural(len(c.board.Colours), "colour")).WithHint("let fewer play, take a larger board, or say with seats who has which colours")
			return nil
		}
		return seq.Of(c.players, func(i int) []string { return []string{c.board.Colours[i].Name} })
	}
	c.in(seats[0])
	decl := seats[0].Decl.Kind.Seats
	c.used(seats[0].NameSpan())
	sides := c.sides(decl.Sides, func(name string) bool { return c.board.Colour(name) >= 0 })
	if sides != nil && len(sides) != c.players {
		c.errorf("bad-seats", decl.Span(c.file), "these are seats for %d players, but %d are listed", c.players, len(sides))
		return nil
	}
	return sides
}

// twoLines reports two entries of a setting that say the same.
func (c *checker) twoLines(entries []*book.Entry, what string) bool {
	if len(entries) > 1 {
		c.errorf("declared-twice", declSpan(entries[1]), "two lines say %s in this setting", what).WithNote(declSpan(entries[0]), "the other one")
	}
	return len(entries) > 1
}

// sides reads lists of colours and reports unknown and repeated ones.
func (c *checker) sides(sides []*syntax.Side, known func(string) bool) [][]string {
	var out [][]string
	seen := map[string]*syntax.Name{}
	fine := true
	for _, s := range sides {
		var side []string
		for _, n := range s.Colours {
			if !known(n.Text) {
				d := c.errorf("unknown-colour", n.Span(c.file), "there is no colour %q here", n.Text)
				if c.board.Colour(n.Text) >= 0 {
					named := seq.Sum(sides, func(s *syntax.Side) int { return len(s.Colours) })
					d.Get().Message = "the colour \"" + n.Text + "\" does not play with every number of players"
					d.WithHint("say for which number this holds: teams if players == %d { … }", named)
					return nil // of others that do not play the same would be said
				}
				d.Suggest(n.Text, c.boardColours(), "board %q has: %s", c.board.Name, strings.Join(c.boardColours(), ", "))
				fine = false
			}
			if seen[n.Text] != nil {
				c.errorf("declared-twice", n.Span(c.file), "%q is listed twice", n.Text).WithNote(seen[n.Text].Span(c.file), "the first time")
				fine = false
			}
			seen[n.Text] = n
			c.meansColour(n.Span(c.file), n.Text)
			side = append(side, n.Text)
		}
		out = append(out, side)
	}
	if !fine {
		return nil
	}
	return out
}

func (c *checker) boardColours() []string {
	return seq.Map(c.board.Colours, func(x boards.Colour) string { return x.Name })
}

func (c *checker) makeTeams(entries []*book.Entry) {
	teams := of(entries, "teams", "")
	switch {
	case c.twoLines(teams, "who plays together"):
		return
	case len(teams) == 0:
		for i := range c.rules.Seats {
			c.rules.Seats[i].Team = i
			c.rules.Teams = append(c.rules.Teams, []int{i})
		}
		return
	}
	c.in(teams[0])
	decl := teams[0].Decl.Kind.Teams
	sides := c.sides(decl.Sides, func(name string) bool { return c.colour(name) >= 0 })
	if sides == nil {
		return
	}
	team := slices.Repeat([]int{-1}, len(c.rules.Seats))
	for t, side := range sides {
		var seats []int
		for _, name := range side {
			seat := c.rules.Colours[c.colour(name)].Seat
			if team[seat] >= 0 && team[seat] != t {
				c.errorf("bad-teams", decl.Span(c.file), "the colours of one player are in two teams (%q)", name)
				return
			}
			if team[seat] < 0 {
				seats = append(seats, seat)
			}
			team[seat] = t
		}
		slices.Sort(seats)
		c.rules.Teams = append(c.rules.Teams, seats)
	}
	for seat, t := range team {
		if t < 0 {
			c.errorf("bad-teams", decl.Span(c.file), "the colour %q is in no team", c.rules.Colours[c.rules.Seats[seat].Colours[0]].Name)
			return
		}
		c.rules.Seats[seat].Team = t
	}
}

func (c *checker) makePieces() {
	e := c.single("pieces")
	if e == nil {
		return
	}
	c.in(e)
	decl := e.Decl.Kind.Pieces
	list, ok := c.constants(decl.Count)
	if !ok {
		return
	}
	total := 0
	if len(list) == 1 {
		total = list[0] * len(c.rules.Colours)
	}
	if len(list) != 1 || list[0] < 1 || total > MaxPieces {
		c.errorf("bad-pieces", c.span(decl.Count.At), "a colour has at least one piece, and all have at most %d together", MaxPieces)
		return
	}
	c.rules.PieceCount = list[0]
	at := decl.Place.Span(c.file)
	if i := slices.IndexFunc(c.board.Landmarks, func(l boards.Landmark) bool { return l.Name == decl.Place.Text }); i >= 0 {
		c.rules.PiecesAt = seq.Map(c.rules.Colours, func(x model.ColourInUse) int { return c.board.Landmarks[i].Values[x.Board] })
		c.means(at, index.Landmark, decl.Place.Text, c.board.Declared(decl.Place.Text), model.Of(model.Place))
		return
	}
	p := c.zone(decl.Place.Text)
	if p < 0 {
		known := append(c.zoneNames(), seq.Map(c.board.Landmarks, func(l boards.Landmark) string { return l.Name })...)
		c.errorf("unknown-zone", at, "board %q has no zone and no landmark %q", c.board.Name, decl.Place.Text).
			Suggest(decl.Place.Text, known, "it has: %s", strings.Join(known, ", "))
		return
	}
	c.rules.PiecesAt = slices.Repeat([]int{p}, len(c.rules.Colours))
	c.meansPlace(at, p)
}
