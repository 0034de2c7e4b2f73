package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Names resolves every name of a book, in the default setting, with all declarations whether their conditions hold or
// not. It reports no faults: a name without a meaning is left out. A spot, if given, collects the names that may be
// written there.
func Names(b *book.Book, spot *index.Spot) *index.Index {
	rec := &index.Recorder{Spot: spot}
	c := newChecker(b, Setting{}, &diag.List{}, NewUsage())
	c.names = rec
	for _, r := range b.Refs {
		rec.Use(r.Use, index.Name{Text: r.Key.Name, Kind: kindOf(r), Decl: r.Decl})
		if r.Replaces {
			rec.Replace(r.Use, r.Decl)
		}
	}
	c.nameAll()
	rec.Board = c.board
	return rec.Index()
}

// keyKinds are the kinds of names of most keys.
var keyKinds = map[string]index.Kind{
	"book": index.Book, "option": index.Option, "act": index.Act, "move": index.Move, "rule": index.Rule, "step": index.Step, "count": index.Count,
	"field": index.Var, "secret": index.Var,
}

// kindOf is the kind of name that a reference in a header or a change has.
func kindOf(r book.Ref) index.Kind {
	switch k, known := keyKinds[r.Key.Kind]; {
	case known:
		return k
	case r.Key.Kind == "name" && r.Word == "dice":
		return index.Die
	case r.Key.Kind == "name" && r.Word == "var":
		return index.Var
	}
	return index.Let
}

// nameAll resolves names and continues after every fault.
func (c *checker) nameAll() {
	c.readOptions()
	counted := c.countPlayers()
	entries := c.existing()
	c.makeBoard()
	c.board = cmp.Or(c.board, &boards.Board{})
	if !counted {
		c.players = len(c.board.Colours)
	}
	c.rules.Track = cmp.Or(c.rules.Track, c.board.Track(""), &boards.Track{Runs: make([]boards.Run, len(c.board.Colours))})
	for _, kind := range []string{"seats", "teams"} {
		for _, e := range of(c.book.Entries, kind, "*") {
			c.nameSides(e)
		}
	}
	c.makeSeats(entries)
	if len(c.rules.Colours) == 0 {
		for i, x := range c.board.Colours {
			c.rules.Colours = append(c.rules.Colours, model.ColourInUse{Name: x.Name, Board: i, Seat: i})
			c.rules.Seats = append(c.rules.Seats, model.Seat{Colours: []int{i}, Team: i})
			c.rules.Teams = append(c.rules.Teams, []int{i})
		}
	}
	c.declare(entries)
	c.define(entries)
	for _, entry := range c.lets {
		c.meansLet(entry.entry.NameSpan(), entry)
	}
	c.nameTests()
	for _, n := range index.OfBoard(c.board) {
		c.names.Declare(n)
	}
	for _, l := range c.book.Layers {
		if name := l.File.Name(); name != nil {
			at := name.Span(l.File.Source)
			c.means(at, index.Book, name.Text, at, model.Type{})
		}
	}
}

// nameTests resolves the tests of the last file, each in its own setting if the book has no faults there.
func (c *checker) nameTests() {
	usual := KeyOf(c.book, Setting{})
	file := c.book.Top().File
	for _, t := range file.Tests() {
		own := *c
		if s := ScenarioSetting(c.book, t, file.Source); KeyOf(c.book, s) != usual {
			if m := shared(c.book, s); m.rules != nil && m.rules.Track != nil && len(m.rules.Colours) > 0 {
				rules := *m.rules
				own = *m.c
				own.rules, own.names, own.diags, own.use = &rules, c.names, &diag.List{}, NewUsage()
				own.left = map[*book.Removal][]source.Span{}
			}
		}
		own.setting.File = file.Source
		own.scenario(t)
	}
	for _, d := range file.Decls {
		if d.Test != nil && d.Test.Cases != nil {
			c.nameColumns(d.Test.Cases, file.Source)
		}
	}
}

// nameColumns declares the columns of a table.
func (c *checker) nameColumns(t *syntax.Cases, file *source.File) {
	for i, n := range t.Columns {
		at := n.Span(file)
		c.means(at, index.Local, n.Text, at, model.Type{})
		if i < len(t.Uses) {
			for _, use := range t.Uses[i] {
				c.means(use, index.Local, n.Text, at, model.Type{})
			}
		}
	}
}

// nameChoice resolves the words of a choice in a test: a colour, a place or a move.
func (c *checker) nameChoice(refs []*syntax.Ref) {
	if c.names == nil {
		return
	}
	for _, r := range refs {
		use := r.Span(c.file)
		if p, ok := c.board.Place(r.Text); ok {
			c.meansPlace(use, p)
		} else if m := c.moves[r.Text]; m != nil {
			c.means(use, index.Move, m.Name, m.Span, model.Type{})
		} else {
			c.meansColour(use, r.Text)
		}
	}
}

// nameSides resolves the colours of seats and teams, including those without a seat in this setting.
func (c *checker) nameSides(e *book.Entry) {
	c.in(e)
	sides := e.Decl.Kind.Seats
	if sides != nil {
		c.sides(sides.Sides, c.board.DeclaresColour)
	} else {
		c.sides(e.Decl.Kind.Teams.Sides, c.board.DeclaresColour)
	}
}

// means records what a name refers to.
func (c *checker) means(use source.Span, kind index.Kind, name string, decl source.Span, t model.Type) {
	c.names.Use(use, index.Name{Text: name, Kind: kind, Type: t, Decl: decl})
}

func (c *checker) meansLocal(use source.Span, l *model.Local) {
	if c.names != nil && use.Text() == l.Name { // the walker is in scope in the whole clause
		c.names.Use(use, localName(l))
	}
}

// localName describes a local name. The language itself declares the walker of step and end clauses.
func localName(l *model.Local) index.Name {
	if l.Name == walker && l.Span.Text() != walker {
		return index.Name{Text: l.Name, Kind: index.Word, Type: l.Type}
	}
	return index.Name{Text: l.Name, Kind: index.Local, Type: l.Type, Decl: l.Span}
}

func (c *checker) meansLet(use source.Span, entry *letEntry) { c.names.Use(use, letMeaning(entry)) }

func letMeaning(entry *letEntry) index.Name {
	n := index.Name{Text: letName(entry), Kind: index.Let, Decl: entry.entry.NameSpan()}
	if entry.let != nil && entry.let.Body != nil {
		n.Type = entry.let.Body.Type
	}
	return n
}

func (c *checker) meansVar(use source.Span, v *model.Var) { c.names.Use(use, varMeaning(v)) }

func varMeaning(v *model.Var) index.Name {
	n := index.Name{Text: v.Name, Kind: index.Var, Type: v.Type, Decl: v.Span}
	for kind, scope := range scopeKinds {
		if scope == v.Scope {
			n.Of = kind
		}
	}
	return n
}

func (c *checker) meansPlace(use source.Span, p int) {
	place := c.board.Places[p]
	kind := index.Square
	if place.Zone {
		kind = index.Zone
	}
	c.means(use, kind, place.Name, place.Span, model.Of(model.Place))
}

func (c *checker) meansColour(use source.Span, name string) {
	if c.names != nil && c.board.DeclaresColour(name) {
		c.means(use, index.Colour, name, c.board.Declared(name), model.Of(model.Colour))
	}
}

// completeName records the names in scope at the place of completion, if it is this bare name.
func (c *checker) completeName(n *expr.Node) {
	if !c.names.At(n.Word) {
		return
	}
	s := c.names.Spot
	s.Found = true
	add := func(n index.Name) { s.Names = append(s.Names, n) }
	for _, e := range c.book.Entries {
		if o := c.options[e.Key.Name]; e.Key.Kind == "option" && o != nil {
			add(index.Name{Text: e.Key.Name, Kind: index.Option, Type: model.Of(o.kind), Decl: e.NameSpan()})
		}
	}
	if c.where.options {
		add(index.Name{Text: "players", Kind: index.Word, Type: model.Of(model.Number)})
		return
	}
	for i := len(c.scopes) - 1; i >= 0; i-- {
		for _, name := range slices.Sorted(maps.Keys(c.scopes[i])) {
			add(localName(c.scopes[i][name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.lets)) {
		add(letMeaning(c.lets[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(c.vars)) {
		add(varMeaning(c.vars[name]))
	}
	if c.where.test {
		for _, n := range c.rules.Counts {
			if x := (index.Name{Text: n.Called(), Kind: index.Count, Type: model.Of(model.Number), Decl: n.Span}); !n.Span.IsZero() && !slices.Contains(s.Names, x) {
				add(x)
			}
		}
	}
	for _, d := range c.rules.Dice {
		add(index.Name{Text: d.Name, Kind: index.Die, Type: model.Of(model.Number), Decl: d.Span})
	}
	for _, n := range index.OfBoard(c.board) {
		if n.Kind == index.Zone || n.Kind == index.Colour {
			add(n)
		}
	}
	for _, word := range languageNames {
		if (word == "remaining" || word == "here") && !c.where.step || word == "carried" && !c.where.step && !c.where.carries || word == "offered" && !c.where.before || word == "mine" && c.lets["mine"] != nil {
			continue
		}
		add(index.Name{Text: word, Kind: index.Word})
	}
}

// completeField records the fields of the value before the dot, if this field is the place of completion.
func (c *checker) completeField(n *expr.Node, t model.Type) {
	if !c.names.At(n.Word) {
		return
	}
	s := c.names.Spot
	s.Found, s.Dot, s.Of = true, true, t
	if !t.List {
		s.Names = c.fieldNames(t.Kind)
	}
}

// completeGameField does the same after game and board.
func (c *checker) completeGameField(n *expr.Node, owner string) {
	if !c.names.At(n.Word) {
		return
	}
	s := c.names.Spot
	s.Found, s.Dot = true, true
	for _, name := range slices.Sorted(maps.Keys(gameFields)) {
		if field, ok := strings.CutPrefix(name, owner+"."); ok {
			s.Names = append(s.Names, index.Name{Text: field, Kind: index.Field, Type: gameFields[name].typed})
		}
	}
}

// fieldNames lists the fields of a kind of value.
func (c *checker) fieldNames(k model.Kind) []index.Name {
	var out []index.Name
	for key, f := range languageFields {
		if key.kind == k {
			out = append(out, index.Name{Text: key.name, Kind: index.Field, Type: f.typed, Of: k})
		}
	}
	var scopes []model.Scope
	if scope, ok := scopeKinds[k]; ok {
		scopes = append(scopes, scope)
	}
	if c.where.test && k == model.Colour { // of its player or team
		scopes = append(scopes, model.ScopePlayer, model.ScopeTeam)
	}
	for _, vs := range c.fields {
		for _, v := range vs {
			if slices.Contains(scopes, v.Scope) {
				out = append(out, varMeaning(v))
			}
		}
	}
	out = append(out, c.boardFields(k)...)
	slices.SortFunc(out, func(a, b index.Name) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), cmp.Compare(a.Decl.Start, b.Decl.Start))
	})
	return out
}

// fieldsOfBoard are fields that the board declares for values of a kind: what their names are, their type, and how they are read.
type fieldsOfBoard struct {
	kind  index.Kind
	typed model.Kind
	op    model.Op
	names []string
}

func (c *checker) fieldsOfBoard(k model.Kind) []fieldsOfBoard {
	switch k {
	case model.Place:
		return []fieldsOfBoard{
			{index.Tag, model.Flag, model.OpTag, c.board.Tags},
			{index.Family, model.Flag, model.OpFamily, c.board.Families},
			{index.Attribute, model.Place, model.OpAttr, seq.Map(c.board.Attributes, func(a boards.Attribute) string { return a.Name })},
		}
	case model.Piece, model.Colour:
		return []fieldsOfBoard{{index.Landmark, model.Place, model.OpMark, seq.Map(c.board.Landmarks, func(l boards.Landmark) string { return l.Name })}}
	}
	return nil
}

// boardFields lists the fields that the board declares for places, pieces and colours.
func (c *checker) boardFields(k model.Kind) []index.Name {
	return seq.Flat(c.fieldsOfBoard(k), func(f fieldsOfBoard) []index.Name {
		return seq.Map(f.names, func(name string) index.Name {
			return index.Name{Text: name, Kind: f.kind, Type: model.Of(f.typed), Of: k, Decl: c.board.Declared(name)}
		})
	})
}
