package assist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Candidate is a completion: something that can be written at a place.
type Candidate struct {
	Label   string
	Keyword bool       // a keyword of the grammar; Name is then empty
	Name    index.Name // what it means
	Detail  string     // one line: the type, or the form
	Rank    int        // lower ranks come first
}

// completer collects the candidates for one place.
type completer struct {
	draft  *Draft
	offset int // start of the name being typed
	w      where
	out    []Candidate
}

// Complete lists what may be written at an offset of the draft's file, and the span of the partial name before the
// offset.
func (d *Draft) Complete(offset int) ([]Candidate, source.Span) {
	part := word(d.File, offset)
	c := &completer{draft: d, offset: part.Start}
	c.w = c.draft.where(part.Start)
	switch {
	case c.w.mute:
		return nil, part
	case c.w.text:
		part = c.quoted(offset)
	case c.w.depth == 0:
		c.top()
	case c.w.kind == "test":
		c.test()
	case c.w.kind == "seats" || c.w.kind == "teams":
		c.kinds(0, index.Colour)
	case c.w.kind == "dice":
	case c.w.kind == "rule" && c.w.depth == 1:
		c.clause()
	default:
		c.statement()
	}
	slices.SortStableFunc(c.out, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), strings.Compare(a.Label, b.Label))
	})
	c.out = slices.CompactFunc(c.out, func(a, b Candidate) bool { return a.Label == b.Label && a.Name.Kind == b.Name.Kind })
	return c.out, part
}

func (c *completer) add(rank int, n index.Name) {
	detail := n.Kind.String()
	if n.Type.Kind != model.Invalid {
		detail = n.Kind.String() + ": " + n.Type.String()
	}
	c.out = append(c.out, Candidate{Label: n.Text, Name: n, Detail: detail, Rank: rank})
}

func (c *completer) keywords(rank int, words ...string) {
	for _, w := range words {
		c.out = append(c.out, Candidate{Label: w, Keyword: true, Detail: syntax.Form(w, c.w.depth > 0, c.w.kind == "test"), Rank: rank})
	}
}

// meanings adds words of the language as names of one kind.
func (c *completer) meanings(rank int, kind index.Kind, words ...syntax.Word) {
	for _, w := range words {
		c.out = append(c.out, Candidate{Label: w.Text, Name: index.Name{Text: w.Text, Kind: kind}, Detail: cmp.Or(w.Form, w.Doc), Rank: rank})
	}
}

// kinds adds all names of some kinds that the files and the board declare.
func (c *completer) kinds(rank int, kinds ...index.Kind) {
	for _, r := range c.draft.Names.All() {
		if r.IsDecl() && slices.Contains(kinds, r.Kind) {
			c.add(rank, index.Name{Text: r.Text, Kind: r.Kind, Type: r.Type, Of: r.Of, Decl: r.Decl})
		}
	}
}

// places adds the squares of the board, and its zones if zones is true.
func (c *completer) places(rank int, zones bool) {
	if c.draft.Names == nil {
		return
	}
	for _, p := range c.draft.Names.Board.Places {
		kind := index.Square
		if p.Zone {
			kind = index.Zone
		}
		if zones || !p.Zone {
			c.add(rank, index.Name{Text: p.Name, Kind: kind, Type: model.Of(model.Place), Decl: p.Span})
		}
	}
}

// before is the n-th token before the place in its line, counted from 1; "" if there is none.
func (c *completer) before(n int) string {
	if i := len(c.w.line) - n; i >= 0 && n > 0 {
		return c.w.line[i].Text
	}
	return ""
}

// has reports whether a word occurs in the line before the place.
func (c *completer) has(word string) bool {
	return slices.ContainsFunc(c.w.line, func(t syntax.Token) bool { return t.Text == word })
}

// brackets is the number of round and square brackets open before the place.
func (c *completer) brackets() int {
	n := 0
	for _, t := range c.w.line {
		switch t.Text {
		case "(", "[":
			n++
		case ")", "]":
			n--
		}
	}
	return n
}

// quoted completes inside quotes: names of squares, values of options.
func (c *completer) quoted(offset int) source.Span {
	last := c.w.line[len(c.w.line)-1]
	c.w.line = c.w.line[:len(c.w.line)-1]
	part := c.draft.File.Span(last.Start+1, offset)
	if c.before(1) == "(" && c.before(2) == "square" {
		c.places(0, false)
		return part
	}
	for n := 1; n <= 3; n++ {
		c.optionWords(c.before(n), false)
	}
	return part
}

// optionWords adds the values of an option; quotes means that words need quotes.
func (c *completer) optionWords(name string, quotes bool) {
	if c.draft.Book == nil || name == "" {
		return
	}
	for _, e := range c.draft.Book.Entries {
		o := e.Decl.Kind.Option
		if o == nil || o.Name.Text != name || e.Key.Name != name {
			continue
		}
		values := []*syntax.Literal{o.Value}
		if o.Values != nil {
			values = append([]*syntax.Literal{o.Values.First, o.Values.Last}, o.Values.More...)
		}
		for _, v := range values {
			switch {
			case v == nil:
			case v.Text != nil && quotes:
				c.keywords(0, v.Text.Quoted)
			case v.Text != nil:
				c.keywords(0, v.Text.String())
			case v.Number != nil && quotes:
				c.keywords(0, v.Span(e.Decl.File).Text())
			case quotes:
				c.keywords(0, "true", "false")
			}
		}
	}
}

// named are the declarations of which several have names, and what they declare.
var named = map[string][]index.Kind{
	"rule": {index.Rule}, "step": {index.Step}, "let": {index.Let}, "act": {index.Act}, "move": {index.Move}, "dice": {index.Die}, "var": {index.Var}, "option": {index.Option},
	"count": {index.Count},
}

// top completes declarations outside braces.
func (c *completer) top() {
	first := c.before(len(c.w.line))
	replaced := first == "replace"
	if replaced && len(c.w.line) > 1 {
		first = c.before(len(c.w.line) - 1)
	}
	last := c.before(1)
	switch {
	case len(c.w.line) == 0:
		c.keywords(0, syntax.Starters("", false)...)
		return
	case replaced && len(c.w.line) == 1:
		c.keywords(0, "rule", "step", "let", "act", "move", "dice", "var", "option", "count", "turn", "setup", "players", "seats", "teams", "turns", "first", "board", "pieces")
		return
	case replaced && len(c.w.line) == 2 && named[first] != nil:
		c.kinds(0, named[first]...)
		return
	case len(c.w.line) > 1 && c.has("if"):
		c.expression()
		return
	}
	switch first {
	case "ruleset", "change", "tests":
		if last == "extends" || last == "for" || last == "with" || last == "," {
			for _, name := range c.draft.finder.RulesNames() {
				c.add(0, index.Name{Text: name, Kind: index.Book})
			}
			return
		}
		c.keywords(0, map[string][]string{"ruleset": {"extends", "with"}, "change": {"for"}, "tests": {"for", "with"}}[first]...)
	case "before", "after":
		if len(c.w.line) == 1 {
			c.keywords(0, "step")
		} else if last == "step" {
			c.kinds(0, index.Step)
		}
	case "without":
		if c.before(len(c.w.line)-1) == "step" {
			c.kinds(0, index.Step)
			return
		}
		if len(c.w.line) == 1 {
			c.keywords(0, "step")
		}
		c.kinds(0, index.Rule, index.Let, index.Act, index.Move, index.Die, index.Var, index.Option, index.Count)
		c.keywords(4, "if")
	case "rename":
		if last == "rename" {
			c.kinds(0, index.Rule, index.Step, index.Let, index.Act, index.Move, index.Die, index.Var, index.Option, index.Count)
			return
		}
		c.keywords(0, "to")
	case "set":
		switch {
		case last == "set":
			c.kinds(0, index.Option)
		case last == "=" || last == "of" || last == "," || last == "..":
			c.optionWords(c.before(len(c.w.line)-1), true)
		default:
			c.keywords(0, "of")
		}
	case "board":
		switch {
		case last == "board":
			for _, name := range c.draft.finder.BoardNames() {
				c.add(0, index.Name{Text: name, Kind: index.Board})
			}
		case last == "track":
			c.kinds(0, index.Track)
		case last == "(" || last == ",":
			c.kinds(0, index.Parameter)
		case c.brackets() > 0:
			c.expression()
		default:
			c.keywords(0, "track")
		}
	case "pieces":
		if last == "at" {
			c.kinds(0, index.Zone)
			c.kinds(1, index.Landmark)
			return
		}
		c.keywords(0, "at")
	case "first":
		if last == "first" {
			c.keywords(0, "highest", "lowest", "lot", "loser", "winner")
			c.kinds(1, index.Colour)
			return
		}
		c.kinds(0, index.Die)
	case "secret":
		c.kinds(0, index.Var)
		c.keywords(4, "if")
	case "turns":
		if c.has("to") {
			c.expression()
			c.keywords(4, "if")
			return
		}
		c.keywords(0, "by", "colour", "to", "if")
	case "seats", "teams", "setup", "turn":
		c.keywords(0, "if")
	case "players":
		c.expression()
		c.keywords(4, "of")
	case "dice":
		switch {
		case last == "=":
			c.keywords(0, "d6", "deck", "choice")
		case last == "deck" || last == "choice":
			c.keywords(0, "of")
		case c.has("of"):
			c.expression()
		case c.has("="):
			c.keywords(0, "x")
		}
	case "var":
		switch {
		case last == "var":
			c.meanings(0, index.Type, syntax.Words(syntax.ScopeWord)...)
		case last == ":" || last == "of":
			c.meanings(0, index.Type, syntax.Words(syntax.TypeWord)...)
			c.keywords(0, "set", "bag")
		case last == "set" || last == "bag":
			c.keywords(0, "of")
		default:
			c.expression()
			c.keywords(4, "if")
		}
	case "let", "act":
		if c.brackets() > 0 && !c.has("=") {
			if last == "(" || last == "," {
				c.meanings(0, index.Type, syntax.Words(syntax.TypeWord)...)
			}
			return
		}
		c.expression()
	case "move":
		c.expression()
		c.keywords(3, "from", "to", "walk", "stay", "carrying")
		if last == "from" {
			c.keywords(0, "squares")
		}
	case "rule":
		if last == "before" || last == "after" {
			c.kinds(0, index.Rule)
			return
		}
		c.keywords(0, "before", "after", "if")
	case "count":
		switch {
		case last == "on":
			c.events(1)
		case last == "turn" || last == "game":
			c.halves(last)
		case c.brackets() > 0 && !c.has("=") && !c.has("on"):
			c.keywords(0, "player")
		default:
			c.expression()
			c.keywords(4, "on", "when", "if")
		}
	case "option":
		c.keywords(0, "of", "true", "false")
	case "test":
	default:
		c.expression()
	}
}

func (c *completer) clause() {
	first, last := c.before(len(c.w.line)), c.before(1)
	switch n := len(c.w.line); {
	case n == 0:
		c.keywords(0, syntax.Starters("rule", false)...)
	case last == ":" || last == "or" && (first == "step" || first == "end") && !c.has("when"):
		c.meanings(0, index.Word, slices.DeleteFunc(syntax.Words(syntax.VerdictWord), func(w syntax.Word) bool {
			return w.Text == "back" && (first == "step" || last == "or") || w.Text == "bar" && last == "or" || w.Text == "go" && c.has("beyond")
		})...)
	case n == 1 && (first == "may" || first == "must" || first == "never"):
		c.kinds(0, index.Move)
		if first != "may" {
			c.keywords(1, "move")
		}
	case n == 1 && first == "step":
		c.keywords(0, "into", "beyond")
	case n == 1 && first == "end":
		c.keywords(0, "on")
	case n == 1 && first == "on":
		c.events(1)
	case n == 1 && first == "before":
		c.kinds(0, index.Act, index.Move)
		c.keywords(1, "move")
	case n == 2 && first == "on" && (last == "turn" || last == "game"):
		c.halves(last)
	case n == 1 && (first == "win" || first == "rank" || first == "drop"):
		c.keywords(0, "player", "team", "colour")
	case c.has("when") || first == "always" || c.has("by") || c.has("counting"):
		c.expression()
		c.joints(first, last)
	case first == "on" && c.before(len(c.w.line)-1) == "throw" && c.brackets() > 0:
		c.kinds(0, index.Die)
	default:
		c.joints(first, last)
	}
}

// joints adds the words between the parts of a clause.
func (c *completer) joints(first, last string) {
	if c.brackets() == 0 && last != "when" && last != "by" && first != "always" {
		c.keywords(4, "by", "to", "from", "when")
		switch first {
		case "may":
			c.keywords(4, "despite duties", "otherwise")
		case "must", "step", "end":
			c.keywords(4, "or")
		case "win":
			c.keywords(4, "counting")
		}
	}
}

// events completes what is reacted to.
func (c *completer) events(rank int) {
	c.kinds(0, index.Act, index.Move)
	c.meanings(rank, index.Event, syntax.Words(syntax.EventWord)...)
}

// halves completes the second word of an event of two.
func (c *completer) halves(first string) {
	for _, w := range syntax.Words(syntax.EventWord) {
		if second, ok := strings.CutPrefix(w.Text, first+" "); ok {
			c.keywords(0, second)
		}
	}
}

func (c *completer) statement() {
	first, last := c.before(len(c.w.line)), c.before(1)
	switch {
	case len(c.w.line) == 0:
		c.keywords(1, syntax.Starters(c.w.kind, true)...)
		c.keywords(1, "else")
		c.expression()
		c.out = slices.DeleteFunc(c.out, func(x Candidate) bool {
			return !x.Keyword && x.Name.Kind != index.Var && x.Name.Kind != index.Local && x.Label != "me"
		})
		return
	case last == "do":
		c.kinds(0, index.Act)
		return
	case first == "throw":
		c.kinds(0, index.Die)
		return
	case last == "let":
		return // a new name
	case last == "end" || last == "undo":
		c.keywords(0, "turn")
		return
	case last == "play":
		c.keywords(0, "any of", "each of", "most of", "all of", "earned")
	case c.before(2) == "play" && slices.Contains([]string{"any", "each", "most", "all"}, last):
		c.keywords(0, "of")
	}
	c.expression()
	if w, ok := syntax.FindWord(syntax.StatementWord, first); ok && len(c.w.line) > 1 {
		c.keywords(4, w.Joints()...)
	}
	switch {
	case first == "choose" && c.has("from"):
		c.keywords(4, "or none")
	case first == "play" && c.has("of"):
		c.keywords(4, "or", "apart")
	case first == "earn" && len(c.w.line) > 1:
		c.keywords(4, "for")
	}
}

func (c *completer) test() {
	first, last := c.before(len(c.w.line)), c.before(1)
	colours := func() { c.kinds(0, index.Colour) }
	c.cases()
	switch {
	case len(c.w.line) == 0:
		c.keywords(0, syntax.Starters("test", false)...)
	case first == "given":
		if last == "given" || last == "|" {
			colours()
			return
		}
		c.places(0, true)
	case first == "turn":
		colours()
	case first == "throw":
		c.kinds(0, index.Die)
		c.keywords(4, "later")
	case first == "arrived":
		if c.has(":") {
			colours()
			return
		}
		c.places(0, true)
	case first == "set":
		switch {
		case last == ".":
			c.kinds(0, index.Var)
			c.out = slices.DeleteFunc(c.out, func(x Candidate) bool { return x.Name.Of == model.Invalid })
			c.keywords(0, "ranked", "playing")
		case last == "=":
			c.optionWords(c.before(2), false)
			c.keywords(1, "true", "false", "nil")
			c.kinds(1, index.Colour)
		case last == "[" || last == ",":
			c.kinds(0, index.Colour)
			c.places(1, false)
		case last == "@":
			c.places(0, true)
		default:
			c.kinds(0, index.Option, index.Colour, index.Die, index.Var)
			c.out = slices.DeleteFunc(c.out, func(x Candidate) bool { return x.Name.Kind == index.Var && x.Name.Of != model.Invalid })
		}
	case first == "play":
		if last == "play" {
			colours()
			c.kinds(1, index.Move)
		}
		c.option(last, 2)
	case first == "expect":
		c.expectation(last)
	}
}

// option completes an option as tests name it.
func (c *completer) option(last string, rank int) {
	if last == "by" {
		c.kinds(0, index.Move)
		return
	}
	if last == "moves" || last == "," {
		c.kinds(rank+1, index.Move)
	}
	c.places(rank, true)
	c.kinds(rank+1, index.Colour)
	c.keywords(rank+3, "yes", "no", "none", "counting", "via", "by")
}

// cases adds what a table of cases brings: before all lines of the test the squares and colours of a cell, within a line the columns.
func (c *completer) cases() {
	at := slices.IndexFunc(c.w.whole, func(t syntax.Token) bool { return t.Text == "cases" })
	if at < 0 {
		return
	}
	rest, lines := c.w.whole[at+1:], syntax.Starters("test", false)
	if !slices.ContainsFunc(rest, func(t syntax.Token) bool { return slices.Contains(lines, t.Text) }) {
		c.kinds(0, index.Colour)
		c.places(1, true)
		return
	}
	for _, t := range rest {
		if len(c.w.line) == 0 || c.draft.File.Position(t.Start).Line != c.draft.File.Position(c.w.whole[at].Start).Line {
			return
		}
		c.out = append(c.out, Candidate{Label: t.Text, Name: index.Name{Text: t.Text, Kind: index.Local}, Detail: "column of the table"})
	}
}

func (c *completer) expectation(last string) {
	second := c.before(len(c.w.line) - 1)
	switch {
	case len(c.w.line) == 1:
		c.keywords(0, "moves", "no moves", "choices", "no choices", "refused", "asks", "earned", "turn", "winner", "ranking", "draw", "over", "not over", "chance", "that")
		c.kinds(1, index.Colour)
	case last == "@":
		c.places(0, true)
	case second == "that":
		c.expression()
	case last == "no":
		c.keywords(0, "moves", "choices")
	case last == "not":
		c.keywords(0, "over")
	case last == "by" && second == "refused":
		c.kinds(0, index.Rule)
		c.kinds(1, index.Move)
	case second == "asks" || second == "turn" || second == "winner" || second == "ranking":
		c.kinds(0, index.Colour)
	case second == "refused" && len(c.w.line) == 2:
		c.keywords(0, "position", "throw")
		c.kinds(1, index.Move)
		c.places(1, true)
	case second == "chance":
		c.kinds(0, index.Die)
	case second == "refused" || second == "moves" || second == "choices":
		c.option(last, 0)
	default:
		c.places(0, true)
	}
}
