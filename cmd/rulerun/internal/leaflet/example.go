package leaflet

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Example is a test as a story: the position before, what is thrown, what may be done and what not, and the position after.
type Example struct {
	Title  string // of the test
	Cites  []string
	Before Picture
	Steps  []Step
	After  *Picture // nil where the test ends at the choice it speaks of
}

// Picture is a position.
type Picture struct {
	Pieces string
	SVG    string
	Wide   bool // too wide to stand beside text
	Tall   bool
}

// Step is something that happens in an example, or is said of it.
type Step struct {
	Text    string
	Refused bool
}

// example is a test that has been played.
type example struct {
	*Example
	test    *model.Test
	size    int             // what there is to read and see
	refused map[string]bool // by rules
	works   map[string]int  // how many clauses of rules took effect
	name    string          // of the test, in English
	used    bool
	draw    func() // draws the pictures
}

// use takes an example for the sheet.
func (x *example) use() *Example {
	x.used = true
	x.draw()
	return x.Example
}

// examples are the tests of the book, and those that stand beside rules.
type examples struct {
	of  map[string]*Example // by rule
	all []*example
}

// examples plays the tests that have the options of the sheet and chooses one for each of some rules.
func (m *maker) examples(rules []*model.Rule) (*examples, error) {
	out := &examples{of: map[string]*Example{}}
	for _, group := range m.book.Groups() {
		made, _ := group.Rules()
		if made == nil || !m.fits(made) {
			continue
		}
		g, err := interpreter.Compile(made)
		if err != nil {
			return nil, err
		}
		for i, t := range g.Rules().Tests {
			if x, err := m.play1(g, t); err == nil {
				x.name = group.Scenarios[i].Name
				x.Title = cmp.Or(m.title(x.name), x.Title)
				out.all = append(out.all, x)
			}
		}
	}
	english, _ := m.book.In("").Rules(m.options.Setting)
	alike := likeness(seq.Map(out.all, func(x *example) string { return x.name }))
	// Refusals are shown first, and rules with few examples choose first.
	for _, about := range []func(x *example, rule string) bool{
		func(x *example, rule string) bool { return x.refused[rule] },
		func(x *example, rule string) bool { return x.works[rule] > 0 },
	} {
		shows := map[*model.Rule]int{}
		for _, r := range rules {
			shows[r] = seq.Count(out.all, func(x *example) bool { return about(x, r.Name) })
		}
		byFew := slices.SortedStableFunc(slices.Values(rules), func(a, b *model.Rule) int { return cmp.Compare(shows[a], shows[b]) })
		for _, r := range byFew {
			var best *example
			words := ruleWords(english.Rules, r.Name)
			rank := func(x *example) float64 {
				size := float64(x.size-5*x.works[r.Name]) - 5*alike(words, x.name)
				if x.After != nil && len(x.Steps) < 3 { // nothing but a throw and its move
					size += 20
				}
				cites := m.declaration("rule", r.Name).Cites
				if len(cites) > 0 && !slices.ContainsFunc(x.Cites, func(id string) bool { return slices.Contains(cites, id) }) {
					return size + 40
				}
				return size
			}
			for _, x := range out.all {
				if !x.used && about(x, r.Name) && (best == nil || rank(x) < rank(best)) {
					best = x
				}
			}
			if best != nil && out.of[r.Name] == nil {
				out.of[r.Name] = best.use()
			}
		}
	}
	return out, nil
}

// likeness returns what says how much the words of a text are those of a name, words that few of the names have being worth more.
func likeness(names []string) func(text, name string) float64 {
	stems := func(text string) map[string]bool {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		return seq.Set(words, func(word string) string { return word[:min(len(word), 4)] })
	}
	in := map[string]int{}
	for _, name := range names {
		for stem := range stems(name) {
			in[stem]++
		}
	}
	return func(text, name string) float64 {
		said, sum := stems(text), 0.0
		for stem := range stems(name) {
			if said[stem] {
				sum += math.Log2(float64(len(names)) / float64(in[stem]))
			}
		}
		return sum
	}
}

// citing are unused examples that cite one of the ids.
func (e *examples) citing(ids []string, most int) []*Example {
	return e.take(most, func(x *example) bool {
		return slices.ContainsFunc(x.Cites, func(id string) bool { return slices.Contains(ids, id) })
	})
}

// take takes unused examples, of the cases of a table the last.
func (e *examples) take(most int, fits func(*example) bool) []*Example {
	var out []*Example
	for i, x := range e.all {
		if len(out) == most || x.used || !fits(x) || i+1 < len(e.all) && e.all[i+1].test.Span == x.test.Span {
			continue
		}
		out = append(out, x.use())
	}
	return out
}

func (m *maker) title(name string) string {
	name = values().ReplaceAllString(name, "")
	return m.book.Text("test."+name, name)
}

// values are the values that end the name of a case of a table.
var values = pattern.Of(` \[[^\[\]]*\]$`)

// fits reports whether a test's rules are those of the sheet: its options and its board.
func (m *maker) fits(r *model.Rules) bool {
	return r.Board.Name == m.rules.Board.Name &&
		slices.EqualFunc(r.Board.Parameters, m.rules.Board.Parameters, func(p, own boards.Parameter) bool { return p.Value == own.Value }) &&
		slices.EqualFunc(r.Options, m.rules.Options, func(o, own model.OptionValue) bool { return o.Value == own.Value })
}

var errPoor = errors.New("nothing to show")

// seen is a position as an example shows it.
type seen struct {
	places  []int
	colours []int
	vars    map[int][]int // by variable, for each owner
}

// way is where a piece of a colour of the board went.
type way struct{ colour, from, to int }

// puts is a watcher that keeps where pieces went.
type puts struct {
	interpreter.Unwatched
	news []struct{ piece, from, to int }
}

// Put implements interpreter.Watcher.
func (w *puts) Put(piece, from, to int) {
	if from != to {
		w.news = append(w.news, struct{ piece, from, to int }{piece, from, to})
	}
}

func (m *maker) see(p *interpreter.Position) seen {
	s := seen{places: p.Places(nil), vars: map[int][]int{}}
	r := p.Game().Rules()
	for _, v := range r.Vars {
		owners := len(r.Seats)
		if v.Scope == model.ScopeTeam {
			owners = len(r.Teams)
		}
		if shown(v) {
			s.vars[v.Index] = seq.Of(owners, func(owner int) int { return p.Number(v, owner) })
		}
	}
	s.colours = seq.Of(len(s.places), p.ColourOf)
	return s
}

// play1 plays a test and tells it. It fails for tests that show nothing: without a position or a throw, or that speak of rules that fail.
func (m *maker) play1(g *interpreter.Game, t *model.Test) (*example, error) {
	if !slices.ContainsFunc(t.Lines, func(l *model.TestLine) bool { return l.Kind == model.LineGiven }) ||
		!slices.ContainsFunc(t.Lines, func(l *model.TestLine) bool { return l.Kind == model.LineThrow }) {
		return nil, errPoor
	}
	x := &example{Example: &Example{Title: m.title(t.Name), Cites: t.Cites}, test: t, refused: map[string]bool{}, works: map[string]int{}}
	var before, after seen
	var marks []mark
	var effects []*model.Clause
	turn := interpreter.None
	var last *interpreter.Position
	puts := &puts{}
	var ways []way
	kept := 0 // how many of the news wait until after what could be chosen
	told := func(p *interpreter.Position, upTo int) {
		for _, w := range puts.news[:upTo] {
			colour := g.Rules().Colours[p.ColourOf(w.piece)].Board
			ways = append(ways, way{colour, w.from, w.to})
			x.Steps = append(x.Steps, Step{Text: phrase.Capital(m.Say("leaflet.step.goes",
				"who", m.rules.Board.Colours[colour].Words, "from", m.place(w.from), "to", m.place(w.to)))})
		}
		puts.news, kept = puts.news[upTo:], len(puts.news)-upTo
	}
	failures := g.FollowTest(t, puts, func(l *model.TestLine, p *interpreter.Position) {
		if l == nil {
			before = m.see(p)
			after = before
			turn, puts.news = p.Player(), nil
			return
		}
		if l.Kind == model.LineThrow || l.Kind == model.LinePlay {
			after = m.see(p)
		}
		switch l.Kind {
		case model.LineThrow, model.LinePlay:
			told(p, kept)
			kept = len(puts.news)
		case model.ExpectMoves, model.ExpectRefused, model.ExpectChoices:
		default:
			told(p, len(puts.news))
		}
		x.Steps = append(x.Steps, m.step(g, l, turn)...)
		last = p
		turn = p.Player()
		switch l.Kind {
		case model.ExpectRefused:
			if l.Rule != nil {
				x.refused[l.Rule.Name] = true
			}
			marks = append(marks, mark{l.Options[0], true})
		case model.ExpectMoves:
			marks = append(marks, seq.Map(l.Options, func(o model.TestOption) mark { return mark{o, false} })...)
		}
		effects = p.Effects()
	})
	if len(failures) > 0 {
		return nil, failures[0]
	}
	if last != nil {
		told(last, len(puts.news))
	}
	for _, c := range seq.Distinct(effects) {
		x.works[c.Rule.Name]++
	}
	changed := m.changes(g.Rules(), before, after)
	moved := !slices.Equal(before.places, after.places) || !slices.Equal(before.colours, after.colours)
	if !moved && len(marks) == 0 && len(changed) == 0 {
		return nil, errPoor
	}
	x.Steps = append(x.Steps, seq.Map(changed, func(text string) Step { return Step{Text: phrase.Capital(text)} })...)
	if moved {
		x.After = &Picture{}
	}
	x.draw = func() {
		window := m.window(g.Rules(), before, marks, ways)
		x.Before = m.picture(g.Rules(), before, window, marks, nil)
		if moved {
			*x.After = m.picture(g.Rules(), after, window, nil, ways)
		}
	}
	onSquares := seq.Count(before.places, func(p int) bool { return !g.Rules().Board.Places[p].Zone })
	x.size = len(t.Lines) + 2*len(x.Steps) + len(x.works) + onSquares
	return x, nil
}

// step tells a line of a test.
func (m *maker) step(g *interpreter.Game, l *model.TestLine, turn int) []Step {
	r := g.Rules()
	one := func(text string) []Step { return []Step{{Text: phrase.Capital(text)}} }
	switch l.Kind {
	case model.LineThrow:
		numbers := seq.Map(l.Numbers, number)
		if turn < 0 {
			return one(m.Say("leaflet.step.thrown", "numbers", strings.Join(numbers, ", ")))
		}
		return one(m.Say("leaflet.step.throws", "who", m.seatOf(r, turn), "numbers", strings.Join(numbers, ", ")))
	case model.LinePlay:
		if l.Options[0].Arrow() { // the piece that goes says it
			return nil
		}
		return one(m.Say("leaflet.step.plays", "option", m.optionOf(r, &l.Options[0])))
	case model.ExpectMoves:
		if len(l.Options) == 0 {
			return one(m.Say("leaflet.step.nothing"))
		}
		list := seq.Map(l.Options, func(o model.TestOption) string { return m.optionOf(r, &o) })
		return one(m.Say("leaflet.step.offered", "options", m.Either(list)))
	case model.ExpectRefused:
		text := m.Say("leaflet.step.refused", "option", m.optionOf(r, &l.Options[0]))
		if l.Rule != nil {
			text = m.Say("leaflet.step.refused_by", "option", m.optionOf(r, &l.Options[0]), "why", lowerFirst(cmp.Or(ruleWords(m.rules.Rules, l.Rule.Name), l.Rule.Words)))
		}
		return []Step{{Text: text, Refused: true}}
	case model.ExpectNoChoices:
		return one(m.Say("leaflet.step.no_choices"))
	case model.ExpectAsks:
		return one(m.Say("leaflet.step.asks", "who", m.colourOf(r, l.Colour)))
	case model.ExpectEarned:
		return one(m.Say("leaflet.step.earned", "n", l.Numbers[0]))
	case model.ExpectTurn:
		return one(m.Say("leaflet.step.turn", "who", m.colourOf(r, l.Colour)))
	case model.ExpectWinner:
		return one(m.Say("leaflet.step.winner", "who", m.coloursOf(r, l.Colours), "n", len(l.Colours)))
	case model.ExpectRanking:
		return one(m.Say("leaflet.step.ranking", "who", m.coloursOf(r, l.Colours)))
	case model.ExpectOver:
		return one(m.Say("leaflet.step.over"))
	case model.ExpectNotOver:
		return one(m.Say("leaflet.step.not_over"))
	case model.ExpectDraw:
		return one(m.Say("leaflet.step.draw"))
	}
	return nil
}

// ruleWords are the words of the rule of a name, "" if there is none.
func ruleWords(rules []*model.Rule, name string) string {
	if i := slices.IndexFunc(rules, func(r *model.Rule) bool { return r.Name == name }); i >= 0 {
		return rules[i].Words
	}
	return ""
}

// colourOf is a colour of a test in words. Its rules may be for another number of players than those of the sheet.
func (m *maker) colourOf(r *model.Rules, c int) string {
	if i := m.rules.Board.Colour(r.Colours[c].Name); i >= 0 {
		return m.rules.Board.Colours[i].Words
	}
	return r.Colours[c].Name
}

func (m *maker) coloursOf(r *model.Rules, list []int) string {
	return m.List(seq.Map(list, func(c int) string { return m.colourOf(r, c) }))
}

func (m *maker) seatOf(r *model.Rules, seat int) string { return m.coloursOf(r, r.Seats[seat].Colours) }

// answers are the texts of answers that are not of the rules.
var answers = map[string]string{"yes": "answer.yes", "true": "answer.yes", "no": "answer.no", "false": "answer.no", "none": "answer.none"}

// optionOf is an option that a line names.
func (m *maker) optionOf(r *model.Rules, o *model.TestOption) string {
	text := ""
	switch {
	case o.Arrow():
		text = m.place(o.From.Place) + " → " + m.place(o.To.Place)
	case len(o.Words) > 0:
		var list []string
		for _, w := range o.Words {
			if p, ok := m.rules.Board.Place(w); ok {
				w = m.place(p)
			} else if c := m.rules.Board.Colour(w); c >= 0 {
				w = m.rules.Board.Colours[c].Words
			} else if i := slices.IndexFunc(m.rules.Moves, func(x *model.Move) bool { return x.Name == w }); i >= 0 {
				w = cmp.Or(m.rules.Moves[i].Words, plain(w))
			} else if key := answers[w]; key != "" {
				w = m.Say(key)
			}
			list = append(list, w)
		}
		text = strings.Join(list, " ")
	case o.Move != nil:
		text = cmp.Or(m.rules.Moves[o.Move.Index].Words, plain(o.Move.Name))
	}
	if o.Colour >= 0 {
		text = m.colourOf(r, o.Colour) + " " + text
	}
	if o.Counting {
		text += " (" + strconv.Itoa(o.Steps) + ")"
	}
	return text
}

// shown reports whether examples tell how a variable changes: a number of each player or team that is no secret.
func shown(v *model.Var) bool {
	return !v.Secret && !v.Type.List && v.Type.Kind == model.Number && (v.Scope == model.ScopePlayer || v.Scope == model.ScopeTeam)
}

// changes tells the numbers of players and teams that differ.
func (m *maker) changes(r *model.Rules, before, after seen) []string {
	var out []string
	for _, v := range r.Vars {
		if !shown(v) || r.Own(v) {
			continue
		}
		var parts []string
		for owner, was := range before.vars[v.Index] {
			if is := after.vars[v.Index][owner]; is != was {
				seat := owner
				if v.Scope == model.ScopeTeam {
					seat = r.Teams[owner][0]
				}
				parts = append(parts, fmt.Sprintf("%s %d → %d", m.seatOf(r, seat), was, is))
			}
		}
		if len(parts) > 0 {
			out = append(out, m.Say("leaflet.step.changed", "what", cmp.Or(m.varWords(v.Name), plain(v.Name)), "how", strings.Join(parts, ", ")))
		}
	}
	return out
}

func (m *maker) varWords(name string) string {
	if i := slices.IndexFunc(m.rules.Vars, func(v *model.Var) bool { return v.Name == name }); i >= 0 {
		return m.rules.Vars[i].Words
	}
	return ""
}

// pieces says where pieces stand.
func (m *maker) pieces(r *model.Rules, s seen) string {
	var colours []string
	for c := range r.Colours {
		own := seq.Indexes(s.colours, func(of int) bool { return of == c })
		at := seq.Map(own, func(piece int) int { return s.places[piece] })
		order := seq.Distinct(at)
		if len(order) == 0 || len(order) == 1 && order[0] == r.PiecesAt[c] && len(r.Colours) > 2 {
			continue
		}
		squares := seq.Filter(order, func(p int) bool { return !r.Board.Places[p].Zone })
		zones := seq.Filter(order, func(p int) bool { return r.Board.Places[p].Zone })
		places := seq.Map(slices.Concat(squares, zones), func(p int) string {
			if n := seq.Count(at, func(q int) bool { return q == p }); n > 1 {
				return m.place(p) + " ×" + strconv.Itoa(n)
			}
			return m.place(p)
		})
		colours = append(colours, m.Say("leaflet.pieces.of", "who", m.colourOf(r, c), "places", strings.Join(places, ", ")))
	}
	if len(colours) == 0 {
		return m.Say("leaflet.pieces.begin")
	}
	return strings.Join(colours, "; ")
}
