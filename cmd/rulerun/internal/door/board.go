package door

import (
	"bytes"
	"math"
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Board is the drawing of a game's board for a page that moves the pieces itself. Coordinates are those of the SVG.
type Board struct {
	Name    string   `json:"name"`
	SVG     string   `json:"svg"` // without pieces; see boards.Stage for its groups
	Left    float64  `json:"left"`
	Top     float64  `json:"top"`
	Width   float64  `json:"width"`
	Height  float64  `json:"height"`
	Tray    float64  `json:"tray"` // how much higher it is for each tray that is shown
	Colours []Colour `json:"colours"`
	Places  []Place  `json:"places"`
	Legend  []string `json:"legend,omitempty"` // the signs of squares: "★ rosette"
}

// Colour is a colour of pieces. A letter tells it from the others.
type Colour struct {
	Name   string `json:"name"`
	Words  string `json:"words,omitempty"` // what players call it, if that is not its name
	Hue    string `json:"hue"`             // "#f5c21b"
	Letter string `json:"letter"`

	Forms map[string]string `json:"forms,omitempty"` // of Words, see the catalogue of the board
}

// Place is where pieces stand on the drawing. A zone with areas for each colour is listed once for each.
type Place struct {
	Name   string      `json:"name"`
	Words  string      `json:"words,omitempty"`  // what players call it, if that is not its name
	Colour string      `json:"colour,omitempty"` // the colour whose area it is
	Zone   bool        `json:"zone,omitempty"`
	Tray   bool        `json:"tray,omitempty"`  // the zone is not on the board: a row below it
	Shown  bool        `json:"shown,omitempty"` // the tray is shown even if it is empty
	Long   float64     `json:"long,omitempty"`  // of a square: its longer and shorter side, and the angle of the longer one
	Short  float64     `json:"short,omitempty"`
	Angle  float64     `json:"angle,omitempty"`
	Spots  [][]float64 `json:"spots"` // of 1, 2, … pieces: x, y and radius of each, the oldest arrival first
}

// mostOnSquare is the largest number of pieces on a square that has spots of its own.
const mostOnSquare = 6

// Board is the drawing of the game's board.
func (s *Session) Board() *Board {
	rules := s.game.Rules()
	b := rules.Board
	stage := b.Stage()
	drawing := stage.Scene()
	var text bytes.Buffer
	_ = scene.SVG(&text, drawing, scene.Options{Classes: true}) // a buffer takes all
	at := func(v float64) float64 { return math.Round(v*drawing.Unit*100) / 100 }
	out := &Board{
		Name: b.Name, SVG: text.String(), Tray: at(boards.TrayHeight), Legend: b.Legend(),
		Left: at(drawing.Left), Top: at(drawing.Top), Width: at(drawing.Width), Height: at(drawing.Height),
	}
	letters := boards.Letters(b)
	for _, c := range rules.Colours {
		x := b.Colours[c.Board]
		out.Colours = append(out.Colours, Colour{c.Name, s.foreign(c.Name), x.Hue, letters[c.Board], x.Forms})
	}
	pieces := len(rules.Colours) * rules.PieceCount
	used := s.Zones(nil)
	for place := range b.Places {
		p := Place{Name: b.Places[place].Name, Words: s.foreign(b.Places[place].Name), Zone: b.Places[place].Zone, Tray: stage.Tray(place)}
		p.Shown = p.Tray && slices.Contains(used, place)
		most := min(pieces, mostOnSquare)
		if p.Zone {
			most = pieces
		} else {
			long, short, angle := stage.Size(place)
			p.Long, p.Short, p.Angle = at(long), at(short), angle
		}
		add := func(colour int) { // unless the drawing has no spots there
			p.Spots = seq.Of(most, func(n int) []float64 {
				return seq.Flat(stage.Spots(place, colour, n+1), func(s boards.Spot) []float64 { return []float64{at(s.X), at(s.Y), at(s.Radius)} })
			})
			if !slices.ContainsFunc(p.Spots, func(row []float64) bool { return row == nil }) {
				out.Places = append(out.Places, p)
			}
		}
		if !stage.Owned(place) {
			add(0)
			continue
		}
		for _, c := range rules.Colours {
			p.Colour = c.Name
			add(c.Board)
		}
	}
	return out
}

// foreign is what players call a colour or place, "" if that is its name.
func (s *Session) foreign(name string) string {
	if said := s.Called(name); said != name {
		return said
	}
	return ""
}

// Zones lists the zones that pieces can be in, those in which they begin or that a track has, and those of further places.
func (s *Session) Zones(further []int) []int {
	rules := s.game.Rules()
	places := append(slices.Clone(further), rules.PiecesAt...)
	for _, run := range rules.Track.Runs {
		places = append(places, seq.Map(run.Nodes, func(n boards.Node) int { return n.Place })...)
	}
	return seq.Filter(slices.Compact(slices.Sorted(slices.Values(places))), func(place int) bool { return rules.Board.Places[place].Zone })
}

// Entry is a line of the log and what follows from it.
type Entry struct {
	At    int      `json:"at"` // the event it begins with, from 0; -1 is before the first
	Lines []string `json:"lines"`
}

// Entries are the log of the events after the first from ones, each with all its lines: an entry that was there before
// may have grown. An entry begins with a throw, a number chosen instead, the lot, or a turn.
func (s *Session) Entries(from int) []Entry {
	var out []Entry
	if from <= 0 {
		out = append(out, Entry{-1, []string{s.Welcome()}})
	}
	first := min(max(0, from), len(s.events))
	for first > 0 && (first == len(s.events) || !s.events[first].begins()) {
		first--
	}
	for _, run := range seq.Runs(s.events[first:], func(_, next happened) bool { return !next.begins() }) {
		events := seq.Flat(run, func(e happened) []Event { return e.shown })
		if lines := s.Lines(events, false); len(lines) > 0 {
			out = append(out, Entry{first, lines})
		}
		first += len(run)
	}
	return out
}

// RuleText is a rule in words.
type RuleText struct {
	Name  string   `json:"name"`
	Words string   `json:"words"`
	From  string   `json:"from"` // the rule book or change that has it
	Cites []string `json:"cites,omitempty"`
	Lines []string `json:"lines,omitempty"` // the places of its clauses: "house.rules:12"
}

// RuleTexts are the rules of the game.
func (s *Session) RuleTexts() []RuleText {
	return seq.Map(s.game.Rules().Rules, func(r *model.Rule) RuleText {
		lines := seq.Filter(seq.Map(r.Clauses, Where), func(line string) bool { return line != "" })
		return RuleText{Name: r.Name, Words: r.Words, From: r.Origin, Cites: r.Cites, Lines: seq.Distinct(lines)}
	})
}

// answered is the game as an answer has it: as the seat sees it, or as it is on a screen that all people at it share. That has
// the options of the person asked and public figures. Nothing of a secret question is in it but that it is one, and a person who plays
// alone has no secrets from the screen.
func (s *Session) answered(r *Request, seat int) *State {
	people, asked := s.People(), s.Asks()
	switch {
	case !r.Shared:
		return s.State(seat)
	case len(people) == 1:
		return s.State(people[0])
	case asked == interpreter.None || s.pos.Secret():
		return s.State(interpreter.None)
	}
	out := s.State(asked)
	out.Figures = s.Figures()
	return out
}
