// Package check turns a joined rule book into a checked one for a setting: it resolves names, types expressions and
// evaluates the conditions over options.
//
// It runs between package book and the interpreter. Make checks one setting; Book checks all of them. It never writes
// into the tree it reads. Note: an option is a constant when an expression is typed. So a fault
// inside "if zero { … }" shows only in the settings that have zero, and Book must try every setting.
package check

import (
	"cmp"
	"slices"
	"strconv"
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

// Setting selects one of the games that a rule book describes.
type Setting struct {
	Options map[string]string // values as written; a missing option has its default
	Players int               // 0 is the usual number
	Test    *syntax.Test      // a scenario to resolve along with the rules; it comes from TestFile
	File    *source.File      // the file Test stands in

	turn int // index of the options among the settings of a book
}

// checker makes the rules for one setting.
type checker struct {
	book    *book.Book
	diags   *diag.List
	setting Setting
	rules   *model.Rules
	board   *boards.Board
	use     *Usage
	names   *index.Recorder // records what names mean, for editors; otherwise nil
	// declared means that the declarations that clauses depend on have no fault: board, players, options, dice,
	// variables.
	declared bool
	assigned *expr.Node                      // the target of the assignment that is being checked
	spoilt   map[string]bool                 // names whose declaration has a fault; their uses are not reported
	left     map[*book.Removal][]source.Span // uses of removed declarations
	typing   []*letEntry                     // stack of lets being typed, each used by the one before

	options  map[string]*option
	players  int
	lets     map[string]*letEntry
	vars     map[string]*model.Var   // game, turn and go variables by name
	fields   map[string][]*model.Var // owned variables by name
	dice     map[string]*model.Die
	probes   int                         // number of conditions in the scenarios so far
	happened map[*model.Count]*model.Var // see counted
	moves    map[string]*model.Move
	acts     map[string]*model.Act
	steps    []*book.Entry // named steps of the turn, and what stands before and after them

	file   *source.File // the file of the declaration being checked
	entry  *book.Entry
	scopes []map[string]*model.Local
	elems  []element // of the enclosing predicates, the innermost last
	where  context
}

// context says which words an expression may contain.
type context struct {
	step    bool // in step and end clauses: remaining
	before  bool // in before clauses of moves: offered
	carries bool // in reactions and acts: carried
	options bool // only options and the number of players
	turn    bool // statements of the turn: play
	setup   bool
	ends    bool // reactions to the end of the turn
	test    bool // what a test expects: a colour has the variables of its player and team
}

type letEntry struct {
	entry *book.Entry
	let   *model.Let
	size  int // nodes of its expression, with its lets expanded
}

// Make checks b for a setting. The rules are nil if it added an error to diags.
func Make(b *book.Book, s Setting, diags *diag.List) *model.Rules {
	m := makeSetting(b, s)
	*diags = append(*diags, m.diags...)
	return m.rules
}

func newChecker(b *book.Book, s Setting, diags *diag.List, use *Usage) *checker {
	rules := &model.Rules{Name: b.Name, Title: b.Title, Changes: b.Changes(), ChangeTitles: b.ChangeTitles()}
	c := &checker{
		book: b, diags: diags, setting: s, use: use, rules: rules,
		options: map[string]*option{}, lets: map[string]*letEntry{}, vars: map[string]*model.Var{}, fields: map[string][]*model.Var{},
		dice: map[string]*model.Die{}, moves: map[string]*model.Move{}, acts: map[string]*model.Act{},
		spoilt: map[string]bool{}, left: map[*book.Removal][]source.Span{},
	}
	for _, name := range b.Twice {
		c.spoilt[name] = true
	}
	return c
}

func (c *checker) run() {
	if !c.readOptions() || !c.complete() || !c.countPlayers() {
		return
	}
	entries := c.existing()
	if !c.makeBoard() {
		return
	}
	c.makeSeats(entries)
	if len(c.rules.Colours) == 0 {
		return
	}
	c.changeHands(entries)
	c.declare(entries)
	c.declared = !c.diags.HasErrors()
	c.define(entries)
	if c.setting.Test != nil {
		c.scenario(c.setting.Test)
	}
	c.cycles()
	c.lookAhead()
	c.leftOver()
}

// complete reports mandatory declarations that are missing.
func (c *checker) complete() bool {
	fine := true
	for _, must := range []struct{ kind, code, words, hint, line string }{
		{"board", "no-board", "the rule book names no board", "add a line such as: board cross68", ""},
		{"players", "no-players", "the rule book does not say how many play", "add a line: players 2..4", "players 2..4"},
		{"pieces", "no-pieces", "the rule book does not say how many pieces a colour has", "add a line: pieces 4 at PLACE", ""},
		{"turn", "no-turn", "the rule book does not say what a turn is", "add: turn { throw die; play die }", ""},
	} {
		if c.single(must.kind) == nil && c.book.Lost[must.kind] { // otherwise it exists and could not be parsed
			fine = fine && must.kind != "board" && must.kind != "players"
			continue
		}
		if c.single(must.kind) == nil {
			d := c.errorf(must.code, c.headerSpan(), "%s", must.words).WithHint("%s", must.hint)
			if must.line != "" {
				header := c.headerSpan()
				d.WithFix(header.File.Span(header.End, header.End), "\n"+must.line, "add the line: %s", must.line)
			}
			fine = false
		}
	}
	return fine
}

// removal finds the removal of a name, nil if there is none. kinds, if given, restricts it to these kinds.
func (c *checker) removal(name string, kinds ...string) *book.Removal {
	return seq.First(c.book.Removed, func(r *book.Removal) bool {
		return r.Entry.Declares(name) && (len(kinds) == 0 && r.Entry.Key.Kind != "rule" || slices.Contains(kinds, r.Entry.Key.Kind))
	})
}

// tookAway reports whether a change takes away what a name means; the place where it is still used is reported with the change.
func (c *checker) tookAway(at source.Span, name string, kinds ...string) bool {
	r := c.removal(name, kinds...)
	if r != nil {
		c.left[r] = append(c.left[r], at)
	}
	return r != nil
}

// leftOver reports removed declarations that are still used: one fault for each, at the removal.
func (c *checker) leftOver() {
	for _, r := range c.book.Removed {
		uses := c.left[r]
		if len(uses) == 0 {
			continue
		}
		d := c.errorf("still-used", r.Span(), "%s is still used", r.Entry.Key)
		for i, u := range uses {
			if i == maxUses {
				d.WithNote(source.Span{}, "and in %s more", plural(len(uses)-i, "place"))
				break
			}
			line := strings.Fields(u.File.Line(u.Position().Line))
			d.WithNote(u, "used here: %s", short(strings.Join(line, " ")))
		}
		d.WithHint("take away or replace what uses it, or replace it instead")
	}
}

const maxUses = 5

func (c *checker) errorf(code string, span source.Span, format string, args ...any) diag.Ref {
	return c.diags.Errorf(code, span, format, args...)
}

func (c *checker) span(a syntax.At) source.Span { return a.Span(c.file) }

// in sets the declaration being checked.
func (c *checker) in(e *book.Entry) {
	c.entry, c.file = e, e.Decl.File
	c.scopes, c.elems, c.where = nil, nil, context{}
}

// existing lists the entries in force in this setting.
func (c *checker) existing() []*book.Entry {
	var out []*book.Entry
	for _, e := range c.book.Entries {
		holds := true
		for _, cond := range e.If {
			v, ok := c.decide(cond)
			holds = holds && ok && v
		}
		if holds || c.names != nil && e.Key.Kind != "seats" && e.Key.Kind != "teams" {
			c.use.exists[e] = true
			out = append(out, e)
		}
	}
	return out
}

// decide evaluates a condition over options.
func (c *checker) decide(cond *book.Cond) (value, ok bool) {
	c.file, c.where = cond.File, context{options: true}
	defer func() { c.where = context{} }()
	e := c.flag(cond.Expr)
	if e == nil {
		return false, false
	}
	if e.Op != model.OpConst {
		c.errorf("not-constant", e.Span, "this condition must depend on options and the number of players alone")
		return false, false
	}
	c.use.held[cond.Expr] |= truth(1) << e.Int
	return (e.Int != 0) != cond.Not, true
}

// countPlayers determines the number of players.
func (c *checker) countPlayers() bool {
	e := c.single("players")
	if e == nil {
		return false
	}
	c.in(e)
	usual, all, ok := c.playerNumbers(e.Decl.Kind.Players)
	if !ok {
		return false
	}
	c.players = cmp.Or(c.setting.Players, usual)
	if !slices.Contains(all, c.players) {
		span := c.span(e.Decl.Kind.Players.At)
		if t := c.setting.Test; t != nil {
			for _, l := range t.Lines {
				if l.Players != nil {
					span = l.Players.Span(c.setting.File)
				}
			}
		}
		return wrong(c.errorf("bad-players", span, "%q is played by %s players, not by %d", c.book.Name, rangeWords(all), c.players))
	}
	return true
}

// MaxPlayers is the largest number of players of any game.
const MaxPlayers = 16

// playerNumbers returns the usual number of players and all allowed numbers.
func (c *checker) playerNumbers(p *syntax.Players) (usual int, all []int, ok bool) {
	list := cmp.Or(p.Of, p.Count)
	all, ok = c.constants(list)
	if !ok {
		return 0, nil, false
	}
	if len(all) == 0 || slices.Min(all) < 1 || slices.Max(all) > MaxPlayers {
		d := c.errorf("bad-players", c.span(list.At), "the number of players lies between 1 and %d", MaxPlayers)
		if low, high, dashed := strings.Cut(c.span(list.At).Text(), "-"); dashed {
			d.WithHint("a range is written %s..%s", strings.TrimSpace(low), strings.TrimSpace(high))
		}
		return 0, nil, false
	}
	usual = slices.Max(all)
	if p.Of != nil {
		one, ok := c.constants(p.Count)
		if !ok {
			return 0, nil, false
		}
		if len(one) != 1 || !slices.Contains(all, one[0]) {
			c.errorf("bad-players", c.span(p.Count.At), "the usual number of players must be one of those after of")
			return 0, nil, false
		}
		usual = one[0]
	}
	return usual, all, true
}

// constants evaluates a number or list of numbers that must be constant.
func (c *checker) constants(e *syntax.Expr) ([]int, bool) {
	c.where = context{options: true}
	defer func() { c.where = context{} }()
	v := c.value(e)
	if v == nil {
		return nil, false
	}
	if v.Type.Kind != model.Number {
		c.errorf("wrong-type", v.Span, "got %s, want a number or numbers", v.Type.With())
		return nil, false
	}
	list, ok := constList(v)
	if !ok {
		c.errorf("not-constant", v.Span, "this must be a fixed number")
	}
	return list, ok
}

// constList lists the values of a constant number or list of numbers.
func constList(v *model.Expr) ([]int, bool) {
	switch {
	case v.Op == model.OpConst:
		return []int{v.Int}, true
	case v.Op == model.OpList:
		var out []int
		for _, a := range v.Args {
			if a.Op != model.OpConst {
				return nil, false
			}
			out = append(out, a.Int)
		}
		return out, true
	case v.Op == model.OpRange && v.Args[0].Op == model.OpConst && v.Args[1].Op == model.OpConst:
		var out []int
		for i := v.Args[0].Int; i <= v.Args[1].Int && len(out) < 1000; i++ {
			out = append(out, i)
		}
		return out, true
	}
	return nil, false
}

func rangeWords(all []int) string {
	all = slices.Clone(all)
	slices.Sort(all)
	if n := len(all); n > 2 && all[n-1]-all[0] == n-1 {
		return strconv.Itoa(all[0]) + " to " + strconv.Itoa(all[n-1])
	}
	return strings.Join(seq.Map(all, strconv.Itoa), " or ")
}

func (c *checker) headerSpan() source.Span {
	f := c.book.Top().File
	return f.Header.Span(f.Source)
}

// single is the only entry of a kind that occurs once, nil if there is none.
func (c *checker) single(kind string) *book.Entry {
	return seq.First(c.book.Entries, func(e *book.Entry) bool { return e.Key.Kind == kind && e.Key.Name == "" })
}

// makeBoard builds the board of the setting.
func (c *checker) makeBoard() bool {
	e := c.single("board")
	if e == nil {
		return false
	}
	c.in(e)
	decl := e.Decl.Kind.Board
	open := func(name string) (*source.File, bool) {
		file := memoize(c.book, memoKey{ofBoardFile, [2]any{name, c.file}}, func() *source.File {
			f, _ := c.book.Finder.Board(name, c.file)
			return f
		})
		return file, file != nil
	}
	file, ok := open(decl.Name.Text)
	if !ok {
		c.errorf("unknown-board", decl.Name.Span(c.file), "there is no board %q", decl.Name.Text).Suggest(decl.Name.Text, c.book.Finder.BoardNames(),
			"shipped boards: %s; a board of your own is a file %s.yaml beside the rules", strings.Join(boards.Names(), ", "), decl.Name.Text)
		return false
	}
	params := map[string]int{}
	known, faults := c.parametersOf(file, open)
	if faults.HasErrors() {
		*c.diags = append(*c.diags, faults...)
		return false
	}
	fine := true
	defer func() {
		at := file.Span(0, 0)
		if c.board != nil {
			at = c.board.Span
		}
		c.means(decl.Name.Span(c.file), index.Board, decl.Name.Text, at, model.Type{})
	}()
	for _, p := range decl.Parameters {
		i := slices.IndexFunc(known, func(k boards.Parameter) bool { return k.Name == p.Name.Text })
		if i < 0 {
			d := c.errorf("bad-parameter", p.Name.Span(c.file), "board %q has no parameter %q", decl.Name.Text, p.Name.Text)
			names := seq.Map(known, func(k boards.Parameter) string { return k.Name })
			if len(names) > 0 {
				d.WithHint("it has: %s", strings.Join(names, ", "))
			}
			fine = false
			continue
		}
		list, ok := c.constants(p.Value)
		if !ok || len(list) != 1 {
			fine = false
			continue
		}
		if k := known[i]; list[0] < k.From || list[0] > k.To {
			c.errorf("bad-parameter", c.span(p.Value.At), "%s is %d here; board %q takes %d to %d", p.Name.Text, list[0], decl.Name.Text, k.From, k.To)
			fine = false
			continue
		}
		params[p.Name.Text] = list[0]
	}
	if !fine {
		return false
	}
	c.board, faults = c.readBoard(file, params, open)
	for _, f := range faults {
		if f.Severity == diag.Error || c.entry.Layer == c.book.Top() && f.Span.File == file { // warnings belong to the file that names the board
			c.diags.Add(f)
		}
	}
	if c.board == nil {
		return false
	}
	c.rules.Board = c.board
	for _, p := range decl.Parameters {
		c.means(p.Name.Span(c.file), index.Parameter, p.Name.Text, c.board.DeclaredParameter(p.Name.Text), model.Of(model.Number))
	}
	name := ""
	if decl.Track != nil {
		name = decl.Track.Text
	}
	if c.rules.Track = c.board.Track(name); c.rules.Track == nil {
		span, names := decl.Name.Span(c.file), seq.Map(c.board.Tracks, func(t boards.Track) string { return t.Name })
		if decl.Track != nil {
			span = decl.Track.Span(c.file)
		}
		c.errorf("unknown-track", span, "board %q has no track %q", decl.Name.Text, name).
			Suggest(name, names, "it has: %s", strings.Join(names, ", "))
		return false
	}
	if decl.Track != nil {
		c.means(decl.Track.Span(c.file), index.Track, name, c.rules.Track.Span, model.Type{})
	}
	return true
}

// of lists the entries of a kind with a name.
func of(entries []*book.Entry, kind, name string) []*book.Entry {
	return seq.Filter(entries, func(e *book.Entry) bool { return e.Key.Kind == kind && (name == "*" || e.Key.Name == name) })
}

// local binds a name in the innermost scope.
func (c *checker) local(n *syntax.Name, t model.Type) *model.Local {
	l := &model.Local{Name: n.Text, Type: t, Span: n.Span(c.file)}
	if n.Text == "_" {
		return l
	}
	c.goodName(n)
	if other := c.findLocal(n.Text); other != nil {
		c.errorf("declared-twice", l.Span, "%q has a meaning here already", n.Text).WithNote(other.Span, "bound here")
	} else if e := c.laterEntry(n.Text); e != nil {
		c.errorf("declared-twice", e.NameSpan(), "%q is a name inside what this builds on; give this another one", n.Text).
			WithNote(l.Span, "bound here")
	} else if what := c.globalMeaning(n.Text); what != "" {
		c.errorf("declared-twice", l.Span, "%q is %s; give this another name", n.Text, what)
	} else if syntax.Reserved(n.Text) {
		c.diags.Warnf("reserved", l.Span, "%q goes on with a statement; no value can be called so", n.Text)
	}
	c.scopes[len(c.scopes)-1][n.Text] = l
	c.meansLocal(l.Span, l)
	return l
}

// laterEntry is the declaration of a bare name in a file that builds on the file being checked, nil if there is none.
// The fault belongs to the later file.
func (c *checker) laterEntry(name string) *book.Entry {
	if c.entry == nil {
		return nil
	}
	at := slices.Index(c.book.Layers, c.entry.Layer)
	if at == len(c.book.Layers)-1 {
		return nil
	}
	return seq.First(c.book.Entries, func(e *book.Entry) bool {
		return (e.Key.Kind == "name" || e.Key.Kind == "option") && e.Declares(name) && slices.Index(c.book.Layers, e.Layer) > at
	})
}

func (c *checker) push() { c.scopes = append(c.scopes, map[string]*model.Local{}) }
func (c *checker) pop()  { c.scopes = c.scopes[:len(c.scopes)-1] }

func (c *checker) findLocal(name string) *model.Local {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if l := c.scopes[i][name]; l != nil {
			return l
		}
	}
	return nil
}

// globalMeaning says in words what a bare name means in every scope, "" if nothing.
func (c *checker) globalMeaning(name string) string {
	switch {
	case name != "mine" && !late(name) && slices.Contains(languageNames, name):
		return "a word of the language"
	case expr.IsBuiltin(name), name == "square", name == "after", name == "next", name == "indexOf":
		return "a function"
	case c.options[name] != nil:
		return "an option"
	case c.lets[name] != nil:
		return "a let"
	case c.dice[name] != nil:
		return "a die"
	case c.vars[name] != nil:
		return "a variable"
	case c.board != nil && c.zone(name) >= 0:
		return "a zone of the board"
	case c.board != nil && c.board.Colour(name) >= 0:
		return "a colour of the board"
	}
	return ""
}

func (c *checker) zone(name string) int {
	if p, ok := c.board.Place(name); ok && c.board.Places[p].Zone {
		return p
	}
	return -1
}
