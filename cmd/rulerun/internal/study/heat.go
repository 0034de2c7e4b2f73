package study

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/heat"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// HeatMap has the counts per place of a board.
type HeatMap struct {
	Game    *interpreter.Game
	Map     *heat.Map
	Subject *stats.Subject
}

// counted describes what was counted.
func (m *HeatMap) counted() (title, unit string) {
	switch m.Map.Of {
	case heat.Waits:
		return "Where pieces wait", "pieces there at a throw, on average"
	case heat.Landings:
		return "Where pieces are set down", "pieces set down there in a game, on average"
	}
	return "Where " + m.Map.Of + " is done", "times in a game, on average"
}

// listed is the number of places in a table for people.
const listed = 20

// Result is the result of a heat map.
func (m *HeatMap) Result() *Result {
	s := m.Subject
	title, unit := m.counted()
	r := &Result{
		Title: title, Lead: []string{phrase.Heading(s)}, Data: m.table(), Object: m.object(), Parts: []picture.Part{m.part()},
		Head:  []string{fmt.Sprintf("%s: %s, %s %s", title, phrase.Heading(s), phrase.Plural(m.Map.Games, "game"), phrase.ByWhom(s))},
		Small: []string{played(s, m.Map.Games)},
		Facts: append(factsOf(s, ""), Fact{"games", phrase.Thousands(float64(m.Map.Games))}, Fact{"seed", strconv.FormatUint(s.Seed, 10)}, Fact{"beginning", phrase.Beginning(s)}),
	}
	order := seq.Indexes(m.Map.Counts, func(byColour []uint64) bool { return seq.Total(byColour) > 0 }) // the largest first
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.Map.At(b), m.Map.At(a)) })
	if len(order) == 0 {
		r.Lead = append(r.Lead, "It never happened.")
		r.Sections = []Section{{In: inText, Lines: []string{"it never happened"}}}
		return r
	}
	var bars []string
	g := &grid{}
	g.add(append([]string{"place", "all"}, m.colours()...)...)
	most := float64(m.Map.At(order[0]))
	for _, place := range order[:min(len(order), listed)] {
		n := m.Map.At(place)
		bars = append(bars, fmt.Sprintf("  %-12s %9s  %s", m.Game.PlaceName(place), m.number(n), bar(int(float64(n)/most*8*30))))
		g.add(append([]string{m.Game.PlaceName(place), m.number(n)}, seq.Map(m.Map.Counts[place], m.number)...)...)
	}
	note := ""
	if more := len(order) - listed; more > 0 {
		rest := seq.Sum(order[listed:], m.Map.At)
		bars = append(bars, fmt.Sprintf("  %-12s %9s  on %s", "elsewhere", m.number(rest), phrase.Plural(more, "place")))
		note = fmt.Sprintf("%s more have less; --format csv has them all.", phrase.Plural(more, "place"))
	}
	r.Sections = []Section{{In: inText, Title: unit, Lines: bars}, {In: inPage, Title: unit, Table: g, Note: note}}
	return r
}

func (m *HeatMap) colours() []string {
	return seq.Map(m.Game.Rules().Colours, func(c model.ColourInUse) string { return c.Name })
}

func (m *HeatMap) table() Table {
	t := Table{Columns: columns(append([]string{"place", "count", "value"}, m.colours()...)...)}
	for place, counts := range m.Map.Counts {
		n := m.Map.At(place)
		t.add(append([]Cell{words(m.Game.PlaceName(place)), count(n), number(m.Map.Value(n), unitMean)}, seq.Map(counts, count)...)...)
	}
	return t
}

// number prints a count for people, with the decimals that the largest count needs.
func (m *HeatMap) number(n uint64) string {
	most := seq.Most(m.Map.Counts, seq.Total[uint64])
	return strconv.FormatFloat(m.Map.Value(n), 'f', picture.Decimals(m.Map.Value(most)/1000), 64)
}

func (m *HeatMap) object() object.Fields {
	_, unit := m.counted()
	places := []object.Fields{}
	for place := range m.Map.Counts {
		row := m.Map.Counts[place]
		by := object.Fields(seq.Of(len(row), func(colour int) object.Field { return object.Field{m.Game.ColourName(colour), row[colour]} }))
		n := m.Map.At(place)
		places = append(places, object.Fields{{"place", m.Game.PlaceName(place)}, {"count", n}, {"value", m.Map.Value(n)}, {"colours", by}})
	}
	return object.Fields{
		{"version", 1}, {"tool", "rulerun"}, {"kind", "heat"}, {"of", m.Map.Of}, {"unit", unit}, {"subject", subjectFields(m.Subject)},
		{"games", m.Map.Games}, {"throws", m.Map.Throws}, {"nowhere", m.Map.Nowhere}, {"places", places},
	}
}

// part draws the board with the numbers as colours.
func (m *HeatMap) part() picture.Part {
	rules := m.Game.Rules()
	_, unit := m.counted()
	h := &picture.Heat{Board: rules.Board, Unit: unit}
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
	return h
}
