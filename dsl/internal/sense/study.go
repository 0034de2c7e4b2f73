// Package sense looks for what a rule book says and cannot mean: clauses that can never apply, duties nobody can
// fulfil, lines that others cover, comparisons that always come out the same, turns that never end.
//
// It stands behind package check, which hands it the rules of every setting that has no errors. It never plays: it
// reasons over the finite sets of values that dice, variables and places can have, and errs on the side of
// silence. What a newcomer gets wrong: a finding speaks of all settings. What makes sense in one of them is
// never reported, so a study gets shorter with every setting it looks at.
package sense

import (
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// Study gathers what is known of one rule file over its settings. It belongs to one goroutine.
type Study struct {
	file    *source.File
	clauses map[source.Span]*clauseFact
	flags   map[source.Span]*flagFact
	paths   map[source.Span]*pathFact
	turns   map[source.Span]*turnFact
	zeros   map[source.Span]*zeroFact
	seen    map[string]bool // settings studied, by what they say
	part    bool            // some of them had faults, see AddPart
}

// clauseFact is what is known of a clause.
type clauseFact struct {
	x        *model.Clause
	applies  bool
	why      string // why it does not, in the first setting that has it
	thrown   bool   // that hangs on the throw
	duty     bool   // it is a duty whose move is offered
	met      bool   // and some option can be like it
	coverers []source.Span
	covered  bool // coverers have been looked for
	coverer  map[source.Span]*model.Clause
}

// flagFact is what is known of a comparison.
type flagFact struct {
	e       *model.Expr
	yes, no bool
	here    bool // it is the place that decides, not what is compared
	why     string
}

// pathFact is what is known of a branch.
type pathFact struct {
	reached bool
	why     string
	at      source.Span
}

// zeroFact is a division.
type zeroFact struct {
	what string
}

// New returns an empty study of the rule books that file stands on top of: only what stands in it is reported.
func New(file *source.File) *Study {
	return &Study{
		file: file, clauses: map[source.Span]*clauseFact{}, flags: map[source.Span]*flagFact{}, paths: map[source.Span]*pathFact{},
		turns: map[source.Span]*turnFact{}, zeros: map[source.Span]*zeroFact{}, seen: map[string]bool{},
	}
}

// Add studies the rules of one setting, whose digest is d.
func (s *Study) Add(r *model.Rules, d model.Digest) {
	k := key(r, d)
	if s.seen[k] {
		return
	}
	s.seen[k] = true
	x := &setting{Study: s, solver: newSolver(r), endings: map[*model.Move]*model.Local{}}
	x.countedNumbers()
	x.offers()
	x.clausesOf()
	x.statements()
	x.bodies()
}

// key says what a setting says and where.
func key(r *model.Rules, d model.Digest) string {
	var b strings.Builder
	b.Write(d[:])
	for _, rule := range r.Rules {
		for _, x := range rule.Clauses {
			b.WriteString(x.Span.Name())
			b.WriteByte(byte(x.Span.Start))
			b.WriteByte(byte(x.Span.Start >> 8))
			b.WriteByte(byte(x.Span.Start >> 16))
		}
	}
	return b.String()
}

func (s *Study) own(at source.Span) bool { return at.File == s.file }

// setting is the study of one setting.
type setting struct {
	*Study
	*solver
	played  domain // the numbers the turn plays
	by      domain // those options count instead
	may     []*formula
	never   []*formula
	endings map[*model.Move]*model.Local
	lets    []*model.Let // used by what has been looked at, themselves not yet
	ends    bool         // something ends a turn early
	earned  bool         // what is earned is played
}

// formula is a clause with the conditions that must hold for it.
type formula struct {
	x     *model.Clause
	when  []part
	terms []id
}

// part is a condition with the words it is written in.
type part struct {
	e    *model.Expr
	term id
	text string
}

// countedNumbers finds the numbers that are counted.
func (x *setting) countedNumbers() {
	x.before = false
	d, unknown := nothing, false
	look := func(e *model.Expr) {
		if e == nil {
			return
		}
		t := x.intern(e, nil, 0)
		if !e.Type.List {
			d = d.join(x.domain(t, nil))
			return
		}
		if l, ok := x.elements(t, nil); ok {
			d = d.join(l.all)
		} else {
			unknown = true
		}
	}
	x.r.Walk(func(s *model.Stmt) {
		if s.Kind == model.StmtEarn || s.Kind == model.StmtPlay {
			look(s.Value)
		}
	})
	if unknown || d.empty() {
		d = span(least, greatest)
	}
	x.played, d = d, nothing
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			look(c.By)
		}
	}
	x.by = d
	if unknown {
		x.by = span(least, greatest)
	}
}

// counting sets the numbers counted for options of a clause.
func (x *setting) counting(c *model.Clause) {
	d := x.played
	switch {
	case c != nil && c.By != nil && !c.By.Type.List:
		d = x.domain(x.intern(c.By, nil, 0), nil)
	case c != nil && c.By != nil:
		if l, ok := x.elements(x.intern(c.By, nil, 0), nil); ok {
			d = l.all
		}
	case c == nil:
		d = d.join(x.by)
	}
	x.setSteps(d)
}

func (x *setting) setSteps(d domain) {
	if d.equal(x.steps) {
		return
	}
	x.steps = d
	x.forget()
}

// standard names of parameters, so that clauses about the same move can be compared.
var (
	anyPiece = &model.Local{Name: "p", Type: model.Of(model.Piece)}
	ending   = &model.Local{Name: "to", Type: model.Of(model.Place)}
	walked   = &model.Local{Name: "s", Type: model.Of(model.Place)}
	sides    = map[model.Scope]*model.Local{
		model.ScopePlayer: {Name: "x", Type: model.Of(model.Player)},
		model.ScopeTeam:   {Name: "t", Type: model.Of(model.Team)},
		model.ScopeColour: {Name: "c", Type: model.Of(model.Colour)},
	}
)

// formulaOf makes the formula of a clause about a move (m where the clause is about any).
func (x *setting) formulaOf(c *model.Clause, m *model.Move) *formula {
	f, sub := &formula{x: c}, substitution{}
	bind := func(from, to *model.Local, d domain) {
		if from != nil {
			sub[from] = x.local(to)
			x.locals[to] = d
		}
	}
	switch c.Kind {
	case model.ClauseMay, model.ClauseMust, model.ClauseNever:
		if c.Move != nil {
			m = c.Move
		}
		for i, p := range c.Params {
			to := anyPiece
			if m != nil && i < len(m.Params) {
				to = m.Params[i]
			}
			bind(p, to, x.something(p.Type.Kind))
		}
		if m != nil {
			for _, p := range m.Params {
				if _, known := x.locals[p]; !known {
					x.locals[p] = x.something(p.Type.Kind)
				}
			}
		}
		if c.To != nil {
			sub[c.To] = x.local(x.endOf(m))
		}
		if m != nil && m.From != nil {
			f.add(x, m.From, nil)
			for i := range f.when {
				f.when[i].text = "from " + f.when[i].text
			}
		}
	case model.ClauseStep, model.ClauseBeyond, model.ClauseEnd:
		bind(c.Params[0], anyPiece, x.something(model.Piece))
		bind(c.To, walked, x.track())
	case model.ClauseEnding:
		if len(c.Params) > 0 {
			bind(c.Params[0], sides[c.Scope], x.something(c.Params[0].Type.Kind))
		}
	default:
		for _, p := range c.Params {
			if p != nil && (p.Type.Kind != model.Place || c.Event != model.EventTurned) {
				x.locals[p] = x.something(p.Type.Kind)
			}
		}
	}
	f.add(x, c.When, sub)
	return f
}

// endOf is the name of the place where a move ends (m nil: any move).
func (x *setting) endOf(m *model.Move) *model.Local {
	if m == nil || m.Kind != model.MoveTo && m.Kind != model.MoveWalk {
		x.locals[ending] = x.ofKind(model.Place)
		return ending
	}
	to := x.endings[m]
	if to == nil {
		to = &model.Local{Name: ending.Name, Type: ending.Type}
		x.endings[m] = to
		if m.Kind == model.MoveTo {
			x.arrive[to] = x.intern(m.Where, nil, 0)
		} else {
			x.locals[to] = x.track()
		}
	}
	return to
}

// add splits a condition at its ands.
func (f *formula) add(x *setting, e *model.Expr, sub substitution) {
	if e == nil {
		return
	}
	if e.Op == model.OpAnd {
		f.add(x, e.Args[0], sub)
		f.add(x, e.Args[1], sub)
		return
	}
	p := part{e: e, term: x.intern(e, sub, 0), text: words(e.Span)}
	f.when = append(f.when, p)
	f.terms = append(f.terms, p.term)
}

// onThrow reports whether the conditions look at dice or at the number counted.
func (f *formula) onThrow() bool {
	found := false
	var look func(e *model.Expr) bool
	look = func(e *model.Expr) bool {
		found = found || e.Op == model.OpDie || e.Op == model.OpCell && e.Cell == model.CellSteps
		if e.Op == model.OpCall {
			e.Let.Body.Walk(look)
		}
		return !found
	}
	for _, p := range f.when {
		p.e.Walk(look)
	}
	return found
}

// words is a piece of the file on one line.
func words(at source.Span) string {
	text := strings.Join(strings.Fields(at.Text()), " ")
	const longest = 60
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}

// track is every square a walk can step on.
func (x *setting) track() domain {
	d := nothing
	for _, c := range x.r.Colours {
		for _, n := range x.r.Track.Runs[c.Board].Nodes {
			if !d.has(n.Place) {
				d = d.join(only(n.Place))
			}
		}
	}
	return d
}

// offers makes the formulas of what is offered and forbidden.
func (x *setting) offers() {
	for _, rule := range x.r.Rules {
		for _, c := range rule.Clauses {
			switch c.Kind {
			case model.ClauseMay:
				x.may = append(x.may, x.formulaOf(c, nil))
			case model.ClauseNever:
				x.never = append(x.never, x.formulaOf(c, nil))
			}
		}
	}
}

// why says in words why conditions cannot hold together.
func (x *setting) why(f *formula) string {
	for _, p := range f.when {
		if !x.possible(p.term) {
			return x.neverTrue(p)
		}
	}
	for i, p := range f.when {
		for _, q := range f.when[:i] {
			if !x.possible(q.term, p.term) {
				return quote(q.text) + " and " + quote(p.text) + " are never true together"
			}
		}
	}
	return "its conditions are never true together"
}

func quote(s string) string { return "\"" + s + "\"" }

// neverTrue says why a condition is never true.
func (x *setting) neverTrue(p part) string {
	if said := x.bounds(p.e, p.term); said != "" {
		return said
	}
	return quote(p.text) + " is never true"
}

// bounds says what the two sides of a comparison can be: "die is 1 to 6".
func (x *setting) bounds(e *model.Expr, t id) string {
	if e == nil || len(e.Args) != 2 || e.Op < model.OpEq && e.Op != model.OpIn || e.Op > model.OpGe {
		return ""
	}
	y := x.terms[t]
	before := x.before
	x.thrown(true) // what a die is before the first throw helps nobody to understand
	defer x.thrown(!before)
	var said []string
	for i, a := range e.Args {
		if a.Type != model.Of(model.Number) || a.Op == model.OpConst || y.op != e.Op {
			continue
		}
		d := x.domain(y.args[i], nil)
		if d.lo == least || d.hi >= maxListed {
			continue
		}
		said = append(said, words(a.Span)+" is "+d.words())
	}
	return strings.Join(said, " and ")
}

// thrown says whether the dice have been thrown for sure.
func (x *setting) thrown(yes bool) {
	if x.before == !yes {
		return
	}
	x.before = !yes
	x.forget()
}
