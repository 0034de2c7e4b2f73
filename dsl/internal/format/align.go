package format

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Limits of alignment: a longer cell is not padded, and the cells after it are not aligned.
const (
	maxCell = 60
	maxTail = 100
)

// heads are the declarations of one short line each.
var heads = []string{"board", "players", "seats", "teams", "turns", "pieces", "first", "dice", "setup", "set", "without", "replace"}

// table is a kind of table: consecutive lines of one kind are aligned in columns.
type table uint8

const (
	noTable table = iota
	headTable
	optionTable
	varTable
	letTable
	moveTable
	ruleTable // rules on one line
	renameTable
	offerTable // may, must, never
	endTable   // win, rank, drop
	turnTable
	testTable
	casesTable // the rows of the table of a test
)

// tableOf returns the table of a line, and the items at which its columns begin.
func tableOf(l *line) (table, []int) {
	first := l.word(0)
	at := func(words ...string) []int { return topLevel(l, words...) }
	if l.depth > 0 {
		switch {
		case l.continued:
		case l.row:
			return casesTable, seq.Which(len(l.items), func(i int) bool { return i > 0 && l.items[i].space })
		case l.declaration == "test" && slices.Contains([]string{"given", "turn", "throw", "set", "play", "arrived", "players"}, first):
			return testTable, []int{1}
		case l.declaration == "turn" && (first == "throw" || first == "play"):
			return turnTable, []int{1}
		case l.declaration == "rule" && (first == "may" || first == "must" || first == "never"):
			return offerTable, append([]int{1}, at("when")...)
		case l.declaration == "rule" && (first == "win" || first == "rank" || first == "drop") && len(at("when")) > 0:
			return endTable, []int{1}
		}
		return noTable, nil
	}
	kind, skip := first, 0
	if first == "replace" {
		kind, skip = l.word(1), 1
	}
	switch {
	case l.continued || l.closers > 0:
	case kind == "let":
		return letTable, at("=")
	case first == "option" || first == "set":
		return optionTable, append(append([]int{1}, at("=")...), lastText(l)...)
	case kind == "var":
		return varTable, append([]int{1 + skip, 2 + skip}, at("=")...)
	case first == "secret":
		return varTable, []int{1}
	case first == "move":
		return moveTable, at("from", "to", "walk", "stay", "carrying")
	case first == "rule" && !l.endsOpen():
		return ruleTable, []int{2}
	case first == "rename":
		return renameTable, []int{2, 4}
	case first == "dice":
		return headTable, append([]int{1}, at("=")...)
	case first == "seats" || first == "teams":
		return headTable, append([]int{1}, at("{")...)
	case slices.Contains(heads, first) && !(l.endsOpen() && first != "replace"):
		return headTable, []int{1}
	}
	return noTable, nil
}

// topLevel finds the first occurrence of each word outside brackets.
func topLevel(l *line, words ...string) []int {
	var out []int
	depth := 0
	seen := map[string]bool{}
	for i, x := range l.items {
		outside := depth == 0
		if x.kind == syntax.TokenMark {
			switch x.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
		if outside && i > 0 && x.kind != syntax.TokenText && !seen[x.text] && slices.Contains(words, x.text) && l.items[i-1].text != "." {
			seen[x.text] = true
			out = append(out, i)
		}
	}
	return out
}

// lastText finds the text at the end of an option.
func lastText(l *line) []int {
	n := len(l.items) - 1
	if n > 0 && l.items[n].kind == syntax.TokenIDs {
		n--
	}
	if n < 4 || l.items[n].kind != syntax.TokenText || slices.Contains([]string{"of", ",", "..", "="}, l.items[n-1].text) {
		return nil
	}
	return []int{n}
}

// row is a line split into cells.
type row struct {
	line  *line
	table table
	cells []string
}

// alignCells aligns the cells of consecutive lines of one table.
func alignCells(lines []*line) {
	var run []*row
	flush := func() {
		alignRun(run)
		run = nil
	}
	for i, l := range lines {
		if l.blank && (!l.row || l.word(0) == "cases") { // an empty line does not end the table of a test
			flush()
		}
		if l.bare() {
			continue
		}
		body := l.items
		if n := len(body) - 1; body[n].kind == syntax.TokenIDs && n > 0 {
			l.ids, body = body[n].text, body[:n]
		}
		t, cuts := tableOf(l)
		if t == optionTable && l.word(0) == "set" && !besideOption(lines, i) {
			t, cuts = headTable, []int{1}
		}
		r := &row{line: l, table: t}
		if l.row && l.word(0) != "cases" {
			r.cells = append(r.cells, "") // an empty cell in the column of the word
		}
		from := 0
		for _, c := range cuts {
			if c > from && c < len(body) {
				r.cells = append(r.cells, render(body[from:c]))
				from = c
			}
		}
		r.cells = append(r.cells, render(body[from:]))
		switch {
		case l.continued && l.closers == 0, t == noTable && l.declaration == "test" && l.word(0) == "expect":
			l.body = strings.Join(r.cells, " ") // it does not end the run of its neighbours
			continue
		case len(run) > 0 && (run[0].table != t || run[0].line.indent != l.indent) || t == noTable:
			flush()
		}
		run = append(run, r)
	}
	flush()
}

// besideOption reports whether a "set" line is between options, and so aligned with them.
func besideOption(lines []*line, at int) bool {
	for i := at; i > 0 && !lines[i].blank; i-- {
		if w := lines[i-1].word(0); w != "set" && w != "" {
			if w == "option" {
				return true
			}
			break
		}
	}
	for i := at + 1; i < len(lines) && !lines[i].blank; i++ {
		if w := lines[i].word(0); w != "set" && w != "" {
			return w == "option"
		}
	}
	return false
}

// alignRun pads the cells of rows. A cell that is not the last one gets the width of the widest cell in the adjacent
// rows.
func alignRun(rows []*row) {
	done := make([]strings.Builder, len(rows))
	widths := make([]int, len(rows))
	for column := 0; ; column++ {
		more := false
		for from := 0; from < len(rows); {
			if len(rows[from].cells) <= column+1 {
				from++
				continue
			}
			more = true
			to, widest := from, 0
			for ; to < len(rows) && len(rows[to].cells) > column+1 && (column == 0 || alike(rows[from], rows[to])); to++ {
				if w := widths[to] + width(rows[to].cells[column]); w <= maxCell {
					widest = max(widest, w)
				}
			}
			for i := from; i < to; i++ {
				cell := rows[i].cells[column]
				w := widths[i] + width(cell)
				pad := max(0, widest-w) + 1
				done[i].WriteString(cell + strings.Repeat(" ", pad))
				widths[i] = w + pad
			}
			from = to
		}
		if !more {
			break
		}
	}
	for i, r := range rows {
		r.line.body = done[i].String() + r.cells[len(r.cells)-1]
	}
}

// alike reports whether two rows share columns after the first.
func alike(a, b *row) bool { return a.table != headTable || a.cells[0] == b.cells[0] }

// alignTails aligns the clause ids, then the comments, at the ends of adjacent lines.
func alignTails(lines []*line) {
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && !lines[to].blank && lines[to].closers == 0 && lines[from].closers == 0 &&
			(lines[to].indent == lines[from].indent || lines[to].bare() || lines[to].continued) {
			to++
		}
		group := lines[from:to]
		column := 0
		for _, l := range group {
			if w := l.indent + width(l.body) + 2; l.ids != "" && w <= maxTail {
				column = max(column, w)
			}
		}
		for _, l := range group {
			if l.ids != "" {
				l.body += strings.Repeat(" ", max(2, column-l.indent-width(l.body)))
			}
		}
		column = 0
		trails := func(l *line) bool { return l.comment != "" && !l.bare() }
		for _, l := range group {
			if w := l.indent + width(l.body) + width(l.ids) + 2; trails(l) && w <= maxTail {
				column = max(column, w)
			}
		}
		for _, l := range group {
			if trails(l) {
				l.ids += strings.Repeat(" ", max(2, column-l.indent-width(l.body)-width(l.ids)))
			}
		}
		from = to
	}
}
