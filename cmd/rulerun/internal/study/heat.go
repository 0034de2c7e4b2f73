package study

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/heat"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// HeatMap is what happened where on the board of a game.
type HeatMap struct {
	Game    *interpreter.Game
	Map     *heat.Map
	Subject *stats.Subject
	Again   string // the command line that gives it again
}

// title and unit say what was counted.
func (m *HeatMap) title() string {
	switch m.Map.Of {
	case heat.Waits:
		return "Where pieces wait"
	case heat.Landings:
		return "Where pieces are set down"
	}
	return "Where " + m.Map.Of + " is done"
}

func (m *HeatMap) unit() string {
	switch m.Map.Of {
	case heat.Waits:
		return "pieces there at a throw, on average"
	case heat.Landings:
		return "pieces set down there in a game, on average"
	}
	return "times in a game, on average"
}

// order is the places with anything on them, those with the most first.
func (m *HeatMap) order() []int {
	var out []int
	for place := range m.Map.Counts {
		if m.Map.At(place) > 0 {
			out = append(out, place)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(m.Map.At(b), m.Map.At(a)) })
	return out
}

// listed is how many places a table for people has.
const listed = 20

// Text writes the places with the most, for people.
func (m *HeatMap) Text(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s %s\n", m.title(), heading(m.Subject), plural(m.Map.Games, "game"), byWhom(m.Subject.Seats))
	order := m.order()
	if len(order) == 0 {
		b.WriteString("\nit never happened\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	fmt.Fprintf(&b, "\n%s\n", m.unit())
	most := float64(m.Map.At(order[0]))
	for i, place := range order {
		if i == listed {
			rest := uint64(0)
			for _, p := range order[i:] {
				rest += m.Map.At(p)
			}
			fmt.Fprintf(&b, "  %-12s %9s  on %s\n", "elsewhere", m.number(rest), plural(len(order)-i, "place"))
			break
		}
		n := m.Map.At(place)
		fmt.Fprintf(&b, "  %-12s %9s  %s\n", m.Game.PlaceName(place), m.number(n), bar(int(float64(n)/most*8*30)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// number writes a count for people, with as many decimals as the largest of any place wants.
func (m *HeatMap) number(n uint64) string {
	most := uint64(0)
	for place := range m.Map.Counts {
		most = max(most, m.Map.At(place))
	}
	return strconv.FormatFloat(m.Map.Value(n), 'f', picture.Decimals(m.Map.Value(most)/1000), 64)
}

// JSON writes all places for programs.
func (m *HeatMap) JSON(w io.Writer) error {
	places := []fields{}
	for place := range m.Map.Counts {
		by := fields{}
		for colour, n := range m.Map.Counts[place] {
			by = append(by, field{m.Game.ColourName(colour), n})
		}
		n := m.Map.At(place)
		places = append(places, fields{{"place", m.Game.PlaceName(place)}, {"count", n}, {"value", m.Map.Value(n)}, {"colours", by}})
	}
	return object.Line(w, fields{
		{"version", 1}, {"tool", "rulerun"}, {"kind", "heat"}, {"of", m.Map.Of}, {"unit", m.unit()}, {"subject", subjectFields(m.Subject)},
		{"games", m.Map.Games}, {"throws", m.Map.Throws}, {"nowhere", m.Map.Nowhere}, {"places", places},
	})
}

// CSV writes all places as a table.
func (m *HeatMap) CSV(w io.Writer) error {
	head := []string{"place", "count", "value"}
	for colour := range m.Game.Rules().Colours {
		head = append(head, m.Game.ColourName(colour))
	}
	rows := [][]string{head}
	for place, counts := range m.Map.Counts {
		n := m.Map.At(place)
		row := []string{m.Game.PlaceName(place), strconv.FormatUint(n, 10), exact(m.Map.Value(n))}
		for _, c := range counts {
			row = append(row, strconv.FormatUint(c, 10))
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

// Figure draws the board with the numbers as colours.
func (m *HeatMap) Figure() *picture.Figure {
	rules := m.Game.Rules()
	h := &picture.Heat{Board: rules.Board, Unit: m.unit()}
	most := 0.0
	for place, counts := range m.Map.Counts {
		row := make([]float64, len(rules.Board.Colours))
		for colour, n := range counts {
			row[rules.Colours[colour].Board] += m.Map.Value(n)
		}
		h.Values = append(h.Values, row)
		most = max(most, m.Map.Value(m.Map.At(place)))
	}
	h.Decimals = picture.Decimals(most / 200)
	return &picture.Figure{
		Title: m.title(),
		Words: []string{heading(m.Subject)},
		Parts: []picture.Part{h},
		Small: []string{played(m.Subject, m.Map.Games), m.Again},
	}
}

// played says in small print what was played: how often, by whom, who began, from which seed.
func played(s *stats.Subject, games int) string {
	return fmt.Sprintf("%s %s, %s, %s, seed %d", plural(games, "game"), byWhom(s.Seats), plural(s.Players, "player"), beginning(s), s.Seed)
}
