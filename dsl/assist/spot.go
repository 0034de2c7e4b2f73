package assist

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// stand is the placeholder inserted for the name being typed, so that the rest can be parsed. No file uses such a
// name.
const stand = "zzstandin"

// expression adds what can continue an expression: the names in scope, or after a dot the fields of the value before
// it. It inserts a placeholder and asks the checker. If the line does not parse, it tries the usual ways to complete
// the line after the place.
func (c *completer) expression() {
	c.operators()
	text := c.draft.File.Text()
	end := c.offset
	for end < len(text) && isNamePart(text[end]) {
		end++
	}
	line, rest := text[end:], ""
	if i := slices.IndexFunc(c.draft.Tree.Tokens(), func(t syntax.Token) bool { return t.Kind == syntax.TokenLineEnd && t.Start >= end }); i >= 0 {
		at := c.draft.Tree.Tokens()[i].Start
		line, rest = text[end:at], text[at:]
	}
	closers, braces := c.closers(), ""
	if i := strings.IndexAny(line, "{}"); i >= 0 {
		braces = " " + line[i:]
	}
	usual := []string{"", " { }", " = 0", " on home", " to home", " from mine", ", mine[0]"}
	ways := seq.Map(usual, func(more string) string { return closers + more + braces })
	for _, way := range append([]string{line}, ways...) {
		if c.reads(stand + way) {
			spot := &index.Spot{File: c.draft.File.Name(), Offset: c.offset + 1}
			read(source.New(spot.File, text[:c.offset]+stand+way+rest), c.draft.finder, spot)
			c.found(spot)
			return
		}
	}
}

// operators adds the words between two values, if a value may end before the place.
func (c *completer) operators() {
	if n := len(c.w.line); n > 1 {
		switch t := c.w.line[n-1]; {
		case t.Text == "not":
			c.keywords(0, "in")
		case t.Kind != syntax.TokenMark || t.Text == ")" || t.Text == "]":
			c.keywords(4, "in", "not in")
		}
	}
}

// reads reports whether the declaration around the place parses up to the end of its line, with a text inserted.
func (c *completer) reads(text string) bool {
	start := 0
	if len(c.w.whole) > 0 {
		start = c.w.whole[0].Start
	}
	head := c.draft.File.Text()[start:c.offset]
	var faults diag.List
	file := source.New("", head+text+strings.Repeat("\n}", max(0, c.w.depth+strings.Count(text, "{")-strings.Count(text, "}"))))
	tree := syntax.Parse(file, &faults)
	line := file.Position(len(head)).Line
	return !tree.Lost[stand] && !slices.ContainsFunc(faults, func(d diag.Diagnostic) bool {
		return d.Code != "no-header" && d.Span.Position().Line >= line
	})
}

// closers are the closing brackets for those open before the place.
func (c *completer) closers() string {
	var open []byte
	for _, t := range c.w.line {
		if t.Kind != syntax.TokenMark {
			continue
		}
		switch t.Text {
		case "(":
			open = append(open, ')')
		case "[":
			open = append(open, ']')
		case ")", "]":
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	slices.Reverse(open)
	return string(open)
}

func (c *completer) found(s *index.Spot) {
	for _, n := range s.Names {
		rank := 1
		switch {
		case s.Dot || n.Kind == index.Local:
			rank = 0
		case n.Kind == index.Word:
			rank = 2
			m, ok := syntax.FindWord(syntax.ValueWord, n.Text)
			if !ok {
				continue // and, or
			}
			if n.Type.Kind == 0 {
				c.meanings(rank, index.Word, m)
				continue
			}
		}
		c.add(rank, n)
	}
	if !s.Dot && slices.ContainsFunc(s.Names, func(n index.Name) bool { return n.Kind != index.Option && n.Text != "players" }) {
		c.meanings(3, index.Function, syntax.Words(syntax.FunctionWord)...)
	}
}
