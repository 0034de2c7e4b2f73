// Package sense finds lines of a rule book that have no effect or cannot be meant: clauses that never apply, duties
// that no option can meet, redundant lines, comparisons with a constant result, turns that never end.
//
// Package check calls it with the rules of settings that have no errors. It never plays. It computes with the finite domains of
// dice, variables and places, and reports nothing when in doubt. Note: a finding holds for all settings. A line that makes sense in
// one of them is never reported, so each further setting can only remove findings. Other than those are what goes wrong in some
// setting: an element that a list has not, nil where a piece is wanted, a division by 0. So it is enough to study settings in which
// each two values of options that the file names and that bring something are together, and each other value is in one, and more as long as
// there is a finding that they may remove (Study.Open).
package sense

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Study collects facts about one rule file over its settings. It belongs to one goroutine.
type Study struct {
	file      *source.File
	clauses   map[source.Span]*clauseFact
	flags     map[source.Span]*flagFact
	paths     map[source.Span]*pathFact
	turns     map[source.Span]*turnFact
	harms     map[source.Span]*harmFact
	askedLate []source.Span // what a condition that stands after it asks for
	idles     map[idle]*idleFact
	seen      map[string]bool             // settings studied or planned, by key
	had       map[source.Span]bool        // the clauses of these settings
	planned   []*model.Rules              // see Plan
	others    map[source.Span]*clauseFact // the clauses of other files; nil if they are not studied
	far       map[string]string           // by option, see farOptions
	part      bool                        // some settings had faults, see AddPart
	studied   int                         // settings
}

// clauseFact collects the facts about a clause.
type clauseFact struct {
	x        *model.Clause
	applies  bool
	why      reason // why it never applies
	thrown   bool   // the reason depends on the throw
	hint     string // what may be meant instead
	duty     bool   // it is a duty whose move is offered
	met      bool   // some option can meet it
	coverers []*model.Clause
	covered  bool // coverers is computed
}

// flagFact collects the facts about a comparison.
type flagFact struct {
	yes, no bool
	here    bool // the path conditions decide, not the operands alone
	why     reason
}

// pathFact collects the facts about a branch.
type pathFact struct {
	reached bool
	why     reason
	at      source.Span
}

// New returns an empty study of the rule books whose last file is file. It reports only places in this file.
func New(file *source.File) *Study {
	return &Study{
		file: file, clauses: map[source.Span]*clauseFact{}, flags: map[source.Span]*flagFact{}, paths: map[source.Span]*pathFact{},
		turns: map[source.Span]*turnFact{}, harms: map[source.Span]*harmFact{}, idles: map[idle]*idleFact{}, seen: map[string]bool{},
		had: map[source.Span]bool{}, far: map[string]string{},
	}
}

// WithOthers makes a study look at the clauses of other files too.
func (s *Study) WithOthers() *Study {
	s.others = map[source.Span]*clauseFact{}
	return s
}

// Add analyses the rules of one setting, whose digest is d.
func (s *Study) Add(r *model.Rules, d model.Digest) {
	s.Plan(r, d)
	s.Run()
}

// Plan is Add at the next Run.
func (s *Study) Plan(r *model.Rules, d model.Digest) {
	k := key(r, d)
	if s.seen[k] {
		return
	}
	s.seen[k] = true
	for c := range r.Clauses() {
		s.had[c.Span] = true
	}
	s.planned = append(s.planned, r)
}

// study analyses the rules of one setting. order is how many are before it.
func (s *Study) study(r *model.Rules, order int) {
	x := &setting{Study: s, order: order, solver: newSolver(r), endings: map[*model.Move]*model.Local{}}
	first := x.solver.again()
	x.countedNumbers()
	x.offers()
	x.walksBack()
	x.chosenTwice()
	x.findThrows()
	x.findCalls()
	x.clausesOf()
	if x.others != nil {
		x.otherClauses()
	}
	x.twins()
	x.reactions()
	x.askedEarly()
	x.undoneByOthers()
	x.putTwice()
	x.earnedToo()
	x.addedToo()
	x.eitherWay()
	x.doneAnyway()
	x.addedAfterThrow()
	x.doneByAct()
	x.doneBesideAct()
	x.countedTwice()
	x.onesOwn()
	x.behind()
	x.goesAnyway()
	x.spared()
	x.ranges()
	x.passedOver()
	x.multiplies()
	x.countsForGood()
	x.setForGood()
	x.sitsOutTurn()
	x.neverEnds()
	x.dropped()
	x.statements()
	x.farOptions()
	x.lost()
	x.askedBeforeThrow()
	x.readBeforeThrow()
	x.bodies()
	x.neverWhich()
	x.missing()
	x.onlyCounted()
	x.unfilled()
	x.putsElsewhere()
	x.oneOfTeam()
	x.mineTooLate()
	s.firstMoves(first)
	s.start(r)
}

// HasNew reports whether rules have a clause that no setting studied or planned has.
func (s *Study) HasNew(r *model.Rules) bool {
	return seq.Any(r.Clauses(), func(c *model.Clause) bool { return !s.had[c.Span] })
}

// key is a canonical key of the rules of a setting and of their places in files.
func key(r *model.Rules, d model.Digest) string {
	var b strings.Builder
	b.Write(d[:])
	for x := range r.Clauses() {
		b.WriteString(x.Span.Name())
		b.WriteByte(byte(x.Span.Start))
		b.WriteByte(byte(x.Span.Start >> 8))
		b.WriteByte(byte(x.Span.Start >> 16))
	}
	return b.String()
}

func (s *Study) own(at source.Span) bool { return at.File == s.file }

// setting is the analysis of one setting.
type setting struct {
	*Study
	*solver
	order    int    // how many settings are before it
	played   domain // the domain of the numbers in play statements
	by       domain // the domain of the numbers in "by"
	may      []*formula
	never    []*formula
	endings  map[*model.Move]*model.Local
	lets     []*model.Let                 // queue of lets that are used and not analysed yet
	stops    [][]condition                // the conditions of each statement that ends a turn early
	assigned map[*model.Var][][]condition // likewise of each that assigns a variable of the turn
	stayed   map[model.EventKind]int      // see stays
	begun    *domain                      // see walksFrom
	calls    map[*model.Act][]*facts      // see findCalls
	raises   map[model.EventKind][]*model.Block
	// firstRound says that what is known where acts are done is that of the first round of loops.
	firstRound bool
	asked      *bool // whether anything asks for the last of a list
	// thrownAgain are the dice that reactions and acts throw.
	thrownAgain map[*model.Die]bool
	ways        int // the conditions before a colon or a question mark that an expression stands after
}

// formula is a clause as the conjunction of its conditions.
type formula struct {
	x     *model.Clause
	when  []part
	terms []id
	names substitution // canonical names instead of those of the clause
}

// part is one condition and its source text.
type part struct {
	e    *model.Expr
	term id
	text string
}

// countedNumbers computes the domain of the numbers that moves count.
func (x *setting) countedNumbers() {
	x.before = false
	thrown, earned, by, unknown := nothing, nothing, nothing, false
	look := func(into *domain, e *model.Expr) {
		if e == nil {
			return
		}
		t := x.intern(e, nil, 0)
		if !e.Type.List {
			*into = into.join(x.domain(t, nil))
		} else if l, ok := x.elements(t, nil); ok {
			*into = into.join(l.all)
		} else {
			unknown = true
		}
	}
	for s := range x.r.Stmts() {
		switch s.Kind {
		case model.StmtPlay:
			for _, e := range append([]*model.Expr{s.Value}, s.Args...) {
				look(&thrown, e)
			}
		case model.StmtEarn:
			look(&earned, s.Value)
		}
	}
	if x.played = earned.join(thrown); unknown || x.played.empty() {
		x.played = span(least, greatest)
	}
	for c := range x.r.Clauses() {
		if c.Kind == model.ClauseMay {
			look(&by, c.By)
		}
	}
	x.by = by
	if unknown {
		x.by = span(least, greatest)
	} else if !thrown.empty() {
		x.counted = map[model.Cell]domain{model.CellThrown: thrown.join(by)}
		if !earned.empty() {
			x.counted[model.CellEarned] = earned.join(by)
		}
	}
	x.forget()
}

// counting sets this domain for the options of a clause.
func (x *setting) counting(c *model.Clause) {
	d := x.played
	if c != nil && c.By != nil {
		x.setSteps(d) // the number that is played, which by makes another one of
	}
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
	if !d.equal(x.steps) {
		x.steps = d
		x.recall()
	}
}

// Canonical names of parameters. With them two clauses about the same move compare as equal.
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

// formulaOf builds the formula of a clause about a move; m is nil if the clause is about every move.
func (x *setting) formulaOf(c *model.Clause, m *model.Move) *formula {
	sub := substitution{}
	f := &formula{x: c, names: sub}
	bind := func(from, to *model.Local, d domain) {
		if from != nil {
			sub[from] = x.local(to)
			x.name(to, d)
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
					x.name(p, x.something(p.Type.Kind))
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
		if c.To != nil && c.Move != nil {
			switch c.Move.Kind {
			case model.MoveTo:
				x.name(c.To, x.domain(x.intern(c.Move.Where, nil, 0), nil).without(-1))
			case model.MoveWalk:
				x.name(c.To, x.track())
			}
		}
		if c.Kind == model.ClauseBefore && c.Move != nil && len(c.Move.Params) == len(c.Params) && x.stillBefore() {
			f.add(x, c.Move.From, x.naming(c.Move.Params, c.Params))
		}
		for _, p := range c.Params {
			if p != nil && (p.Type.Kind != model.Place || c.Event != model.EventTurned) {
				x.name(p, x.eventValue(c, p))
			}
		}
	}
	f.add(x, c.When, sub)
	return f
}

// stillBefore reports whether nothing that is done before moves can move a piece.
func (x *setting) stillBefore() bool {
	still := []model.StmtKind{model.StmtAssign, model.StmtIf, model.StmtFor, model.StmtEarn, model.StmtAgain, model.StmtChoose}
	return !seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
		return c.Kind == model.ClauseBefore && seq.Any(c.Block.All(), func(s *model.Stmt) bool { return !slices.Contains(still, s.Kind) })
	})
}

// endOf is the name of the destination of a move (m nil: any move).
func (x *setting) endOf(m *model.Move) *model.Local {
	if m == nil || m.Kind != model.MoveTo && m.Kind != model.MoveWalk {
		x.name(ending, x.ofKind(model.Place))
		return ending
	}
	to := x.endings[m]
	if to == nil {
		to = &model.Local{Name: ending.Name, Type: ending.Type}
		x.endings[m] = to
		if m.Kind == model.MoveTo {
			x.arrive[to] = x.intern(m.Where, nil, 0)
		} else {
			x.name(to, x.track())
		}
	}
	return to
}

// add splits a condition at each && into parts.
func (f *formula) add(x *setting, e *model.Expr, sub substitution) {
	if e == nil {
		return
	}
	for _, e := range chained(model.OpAnd, e) {
		p := part{e: e, term: x.intern(e, sub, 0), text: words(e.Span)}
		f.when = append(f.when, p)
		f.terms = append(f.terms, p.term)
	}
}

// has reports whether something holds for an expression in a condition.
func (f *formula) has(is func(e *model.Expr) bool) bool {
	return slices.ContainsFunc(f.when, func(p part) bool { return p.e.Has(is) })
}

// inNames are the conditions of a clause with its own names.
func (x *setting) inNames(f *formula) []id {
	terms := slices.Clone(f.terms)
	for l, canonical := range f.names {
		for i, t := range terms {
			terms[i] = x.with(t, canonical, x.local(l))
		}
	}
	return terms
}

// isSteps reports whether an expression is the number that is counted.
func isSteps(e *model.Expr) bool { return e.Op == model.OpCell && e.Cell == model.CellSteps }

// onThrow reports whether the conditions depend on dice or on the number counted.
func (f *formula) onThrow() bool {
	return f.has(func(e *model.Expr) bool { return e.Op == model.OpDie || isSteps(e) })
}

// words is the source text of a span on one line.
func words(at source.Span) string {
	text := strings.Join(strings.Fields(at.Text()), " ")
	const longest = 60
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return text
}

// track is the domain of all squares on the tracks.
func (s *solver) track() domain {
	if s.onTracks.in == nil && s.onTracks.lo == 0 && s.onTracks.hi == 0 {
		s.onTracks = s.places(s.r.Colours, func(_, _ int) bool { return true })
	}
	return s.onTracks
}

// offers builds the formulas of the may and never clauses.
func (x *setting) offers() {
	for c := range x.r.Clauses() {
		switch c.Kind {
		case model.ClauseMay:
			x.may = append(x.may, x.formulaOf(c, nil))
		case model.ClauseNever:
			x.never = append(x.never, x.formulaOf(c, nil))
		}
	}
}

// findThrows finds the dice that are thrown beside the turn.
func (x *setting) findThrows() {
	x.thrownAgain = map[*model.Die]bool{}
	in := slices.Collect(x.r.Turn.All())
	for s := range x.r.Stmts() {
		for _, d := range s.Dice {
			x.thrownAgain[d] = x.thrownAgain[d] || !slices.Contains(in, s)
		}
	}
}

// why explains in words why conditions contradict each other.
func (x *setting) why(f *formula, known []*facts) reason {
	for _, p := range f.when {
		if !x.possible(p.term) {
			return x.neverTrue(p)
		}
		if known != nil && !x.possibleAfter(known, p.term) {
			return reason{text: quote(p.text) + " is never true here"}
		}
	}
	for i, p := range f.when {
		for _, q := range f.when[:i] {
			if !x.possible(q.term, p.term) {
				return reason{text: quote(q.text) + " and " + quote(p.text) + " are never true together"}
			}
			if known != nil && !x.possibleAfter(known, q.term, p.term) {
				return reason{text: quote(q.text) + " and " + quote(p.text) + " are never true together here"}
			}
		}
	}
	return reason{text: "its conditions are never true together"}
}

func quote(s string) string { return "\"" + s + "\"" }

// neverTrue explains why a condition is never true.
func (x *setting) neverTrue(p part) reason {
	return reason{quote(p.text) + " is never true", x.bounds(p.e, p.term)}
}

// bounds lists the domains of the operands of a comparison.
func (x *setting) bounds(e *model.Expr, t id) []bound {
	if e == nil || len(e.Args) != 2 || e.Op < model.OpEq && e.Op != model.OpIn || e.Op > model.OpGe {
		return nil
	}
	y := x.terms[t]
	defer x.thrown(!x.before)
	x.thrown(true) // the value of a die before the first throw would confuse the reader
	var said []bound
	for i, a := range e.Args {
		if a.Type != model.Of(model.Number) || a.Op == model.OpConst || y.op != e.Op {
			continue
		}
		d := x.domain(y.args[i], nil)
		if d.lo > least || d.hi < greatest {
			said = append(said, bound{words(a.Span), d})
		}
	}
	if len(said) == 2 && said[0].is.size() > 1 && said[0].is.equal(said[1].is) {
		return nil // that explains nothing
	}
	return said
}

// setPhase sets what the game is doing when conditions are asked.
func (x *setting) setPhase(p phase) {
	if x.did == nil {
		p = anyTime
	}
	if p != x.phase {
		x.phase = p
		x.recall()
	}
}

// thrown sets whether the dice are known to be thrown.
func (x *setting) thrown(yes bool) {
	if x.before == yes {
		x.before = !yes
		x.recall()
	}
}
