package study

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Table has the measures of a study: typed rows that all output formats use. Programs get exact numbers; people get
// them in their unit.
type Table struct {
	Columns []Column
	Rows    [][]Cell
}

// Column is a column of a table. CSV leaves out hidden columns: they are for people.
type Column struct {
	Name   string
	Hidden bool
}

// Cell is a word, or a number with its unit. The zero value is a cell without a value.
type Cell struct {
	Text   string
	Number float64
	Unit   *Unit // nil for words
}

// Unit formats a number for people.
type Unit struct {
	write func(v float64) string
}

// The units.
var (
	unitMean   = &Unit{func(v float64) string { return infinite(v, phrase.Number) }}
	unitCount  = &Unit{func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }}
	unitShare  = &Unit{phrase.Percent}                                                           // from 0 to 1
	unitPoints = &Unit{func(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) }} // a share without the percent sign
	unitPart   = &Unit{func(v float64) string { return phrase.Percent(v / 1000) }}               // thousandths of a game
	unitElo    = &Unit{func(v float64) string {
		text := strconv.FormatFloat(v, 'f', 0, 64)
		if text[0] != '-' {
			text = "+" + text
		}
		return text
	}}
	unitEdge  = &Unit{func(v float64) string { return phrase.Signed(unitPoints.write(v)) }} // a share less another one, in points
	unitSkill = &Unit{func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }}
)

// within is a mean with the digits that half the width of its interval justifies.
func within(half float64) *Unit {
	return &Unit{func(v float64) string { return infinite(v, phrase.Digits(half)) }}
}

func words(text string) Cell            { return Cell{Text: text} }
func number(v float64, unit *Unit) Cell { return Cell{Number: v, Unit: unit} }
func count[N int | uint64](n N) Cell    { return Cell{Number: float64(n), Unit: unitCount} }
func truth(b bool) Cell                 { return Cell{Text: strconv.FormatBool(b)} }
func bounds(i stats.Interval, unit *Unit) []Cell {
	return []Cell{number(i.Low, unit), number(i.High, unit)}
}

// exact prints a cell for programs, with full precision; "" without a value or for an infinite end of an interval.
func (c *Cell) exact() string {
	switch {
	case c.Unit == nil:
		return c.Text
	case math.IsInf(c.Number, 0):
		return ""
	case c.Unit == unitCount:
		return unitCount.write(c.Number)
	}
	return exact(c.Number)
}

// exact prints a number with full precision.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (c *Cell) people() string {
	if c.Unit == nil {
		return c.Text
	}
	return c.Unit.write(c.Number)
}

// add adds a row; missing cells at the end are empty.
func (t *Table) add(cells ...Cell) {
	t.Rows = append(t.Rows, append(cells, make([]Cell, len(t.Columns)-len(cells))...))
}

// columns are columns with names.
func columns(names ...string) []Column {
	return seq.Map(names, func(name string) Column { return Column{Name: name} })
}

// cell is the cell of a row in the column of a name.
func (t *Table) cell(row int, name string) *Cell {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
	if i < 0 {
		panic("study: no column " + name)
	}
	return &t.Rows[row][i]
}

// writeCSV writes all visible columns as CSV, RFC 4180.
func (t *Table) writeCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	visible := seq.Indexes(t.Columns, func(c Column) bool { return !c.Hidden })
	_ = c.Write(seq.Map(visible, func(i int) string { return t.Columns[i].Name })) // Error has what is wrong with it
	for _, row := range t.Rows {
		_ = c.Write(seq.Map(visible, func(i int) string { return row[i].exact() }))
	}
	c.Flush()
	return c.Error()
}

// shown is a column for people: a head, and the column it shows; with to, an interval of two columns.
type shown struct{ head, column, to string }

// view makes the table for people, with the rows that keep selects, nil for all.
func (t *Table) view(keep func(row int) bool, list ...shown) *grid {
	g := &grid{}
	g.add(seq.Map(list, func(s shown) string { return s.head })...)
	for i := range t.Rows {
		if keep != nil && !keep(i) {
			continue
		}
		g.add(seq.Map(list, func(s shown) string {
			text := t.cell(i, s.column).people()
			if s.to != "" {
				text += " to " + t.cell(i, s.to).people()
			}
			return text
		})...)
	}
	return g
}

// grid is a table of texts, its head first. The first column is aligned to the left, the others to the right.
type grid struct{ rows [][]string }

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

// Head and Body are the parts of a table, for the page.
func (g *grid) Head() []string   { return g.rows[0] }
func (g *grid) Body() [][]string { return g.rows[1:] }

// write writes the rows, indented, columns two blanks apart. least is the minimum width of the first column.
func (g *grid) write(b *strings.Builder, least int) {
	var width []int
	for _, row := range g.rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	if len(width) > 0 {
		width[0] = max(width[0], least)
	}
	for _, row := range g.rows {
		line := "  "
		for i, cell := range row {
			blanks := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line += cell + blanks
			} else {
				line += "  " + blanks + cell
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// fit splits a table into tables of a maximum width, each with the first columns repeated, or if these take over half of it,
// with the number of the row; a width of 0 means no limit.
func (g *grid) fit(columns, again int) []*grid {
	if columns <= 0 || len(g.rows) == 0 {
		return []*grid{g}
	}
	width := make([]int, len(g.rows[0]))
	for _, row := range g.rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell)+2)
		}
	}
	head := seq.Total(width[:again])
	if again > 1 && head > columns/2 {
		names, rest := &grid{}, &grid{}
		for i, row := range g.rows {
			number := strconv.Itoa(i)
			if i == 0 {
				number = "row"
			}
			names.add(slices.Concat([]string{number}, row[:again])...)
			rest.add(slices.Concat([]string{number}, row[again:])...)
		}
		return append(names.fit(columns, 1), rest.fit(columns, 1)...)
	}
	var out []*grid
	for from := again; from < len(width); {
		to, used := from, head
		for to < len(width) && (to == from || used+width[to] <= columns) {
			used += width[to]
			to++
		}
		part := &grid{}
		for _, row := range g.rows {
			part.add(slices.Concat(row[:again], row[from:to])...)
		}
		out = append(out, part)
		from = to
	}
	return out
}
