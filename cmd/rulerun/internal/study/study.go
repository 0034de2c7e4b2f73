// Package study writes down what studies of a game found: tallies of many games, comparisons and sweeps, as text for
// people, as JSON and as CSV.
//
// It plays nothing and reads nothing; package stats does the counting. What a newcomer gets wrong: the same tally must
// give the same bytes wherever and however fast it was counted, so times stand only where they are given.
package study

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Timing says how long something took; the zero value says nothing.
type Timing struct {
	Seconds float64
}

// fields is a JSON object whose keys keep their order.
type (
	fields = object.Fields
	field  = object.Field
)

// writeCSV writes rows as RFC 4180 has them.
func writeCSV(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	return c.WriteAll(rows)
}

// exact writes a number for programs, with as many digits as it has.
func exact(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// bound writes the end of an interval for programs: nothing where there is none.
func bound(v float64) string {
	if math.IsInf(v, 0) {
		return ""
	}
	return exact(v)
}

// Number writes a mean for people, with as many decimals as it needs.
func Number(v float64) string {
	switch a := math.Abs(v); {
	case a >= 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.9995 || v == 0:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// percent writes a share for people.
func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 1, 64) + " %" }

// Thousands writes a large number with blanks between its thousands.
func Thousands(v float64) string {
	text := strconv.FormatFloat(v, 'f', 0, 64)
	var parts []string
	for len(text) > 3 {
		parts = append([]string{text[len(text)-3:]}, parts...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, parts...), " ")
}

// plural is "1 game", "2 games".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(float64(n)) + " " + noun + "s"
}

// table is rows of cells; the first column stands at the left, the others at the right.
type table struct{ rows [][]string }

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write writes the rows, indented, columns two blanks apart. least is how wide the first column is at least.
func (t *table) write(b *strings.Builder, least int) {
	var width []int
	for _, row := range t.rows {
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
	for _, row := range t.rows {
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

// fold breaks lines at blanks where they are wider than some columns, and indents what follows; 0 columns are any number.
func fold(text string, columns int, indent string) string {
	if columns <= 0 {
		return text
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		runes := []rune(line)
		for len(runes) > columns {
			at := columns
			for at > len(indent)+1 && runes[at] != ' ' {
				at--
			}
			if runes[at] != ' ' {
				break // a word wider than the line
			}
			out = append(out, strings.TrimRight(string(runes[:at]), " "))
			runes = append([]rune(indent), runes[at+1:]...)
		}
		out = append(out, string(runes))
	}
	return strings.Join(out, "\n")
}

// fit cuts a table into tables that are no wider than some columns, each with the first few cells of every row again; 0
// columns are any number.
func (t *table) fit(columns, again int) []*table {
	if columns <= 0 || len(t.rows) == 0 {
		return []*table{t}
	}
	width := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell)+2)
		}
	}
	head := 0
	for _, w := range width[:again] {
		head += w
	}
	var out []*table
	for from := again; from < len(width); {
		to, used := from, head
		for to < len(width) && (to == from || used+width[to] <= columns) {
			used += width[to]
			to++
		}
		part := &table{}
		for _, row := range t.rows {
			part.add(slices.Concat(row[:again], row[from:to])...)
		}
		out = append(out, part)
		from = to
	}
	return out
}

// bar is a bar of blocks, some eighths of one long.
func bar(eighths int) string {
	s := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		s += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return s
}

// heading names what was played: the title, the changes applied and the options that are not as usual.
func heading(s *stats.Subject) string {
	text := s.Title
	var with []string
	with = append(with, s.Changes...)
	for _, o := range s.Options {
		if !o.Default {
			with = append(with, o.Name+"="+o.Value)
		}
	}
	if len(with) > 0 {
		text += " with " + strings.Join(with, ", ")
	}
	return text
}

// byWhom names who played.
func byWhom(seats []string) string {
	for _, who := range seats {
		if who != stats.Chance {
			return "by " + strings.Join(seats, ", ")
		}
	}
	return "by chance"
}

// subjectFields is what was played, as programs read it.
func subjectFields(s *stats.Subject) fields {
	options := fields{}
	for _, o := range s.Options {
		options = append(options, field{o.Name, o.Value})
	}
	return fields{
		{"ruleset", s.Ruleset}, {"title", s.Title}, {"changes", s.Changes}, {"options", options}, {"players", s.Players}, {"rules_print", s.Rules},
		{"seed", s.Seed}, {"starter", s.Starter}, {"rotate", s.Rotate}, {"max_throws", s.MaxThrows}, {"seats", s.Seats},
	}
}
