package check

import (
	"slices"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// proof follows the lines of a test and finds expectations that say again what the test, the board or the dice say.
type proof struct {
	rules *model.Rules
	test  *syntax.Test
	lets  []string // the names of lets
	named []string // the names of options

	quiet   bool // no rule has run so far
	begun   bool // a position has been given, or something has been thrown or played
	given   map[int][]model.Spot
	turn    int
	nearEnd bool                // the position may be one at which the game is over
	set     map[*model.Var]bool // variables that a line sets
	thrown  map[*model.Die]bool // dice whose last value a line says
}

// warnProvesNothing warns of a test whose expectations all hold whatever the rules do, or say again where the pieces were put, what was set
// and whose turn it is, before any rule has run.
func warnProvesNothing(b *book.Book, t *syntax.Test, rules *model.Rules, diags *diag.List) {
	p := &proof{rules: rules, test: t, named: OptionNames(b), turn: -1, set: map[*model.Var]bool{}, thrown: map[*model.Die]bool{}}
	for _, e := range b.Entries {
		if e.Key.Kind == "let" {
			p.lets = append(p.lets, e.Key.Name)
		}
	}
	lines := linesOf(rules)
	for _, l := range rules.Tests[0].Lines {
		switch l.Kind { // wherever they stand they are part of the position
		case model.LineGiven:
			p.given, p.begun = l.Places, true
			p.nearEnd = p.nearEnd || p.rules.Owner != nil || p.ahead(l.Places)
		case model.LineTurn:
			p.turn = l.Colour
		case model.LineSet:
			p.begun, p.nearEnd = true, true
			if l.Var != nil {
				p.set[l.Var] = true
			} else if !l.Left {
				p.thrown[l.Die] = true
			}
		case model.LineRanked, model.LineDropped:
			p.nearEnd = true
		}
	}
	p.quiet = quiet(rules, p.setsOther) && (p.given != nil || rules.Setup == nil)
	told := func(at source.Span) bool { // for another row, or as one that is always true
		return slices.ContainsFunc(*diags, func(d diag.Diagnostic) bool {
			return d.Span == at && d.Code == "proves-nothing" || d.Code == "always-same" && d.Span.File == at.File && d.Span.Start > at.Start && d.Span.End == at.End
		})
	}
	var settled []*model.TestLine
	expects, repeats := 0, 0
	played, ended := false, source.Span{}
	for _, d := range t.Lines {
		l := lines[d.Span(rules.Tests[0].Span.File)]
		if l == nil {
			continue
		}
		switch l.Kind {
		case model.LineGiven, model.LineTurn, model.LineSet, model.LineArrived, model.LineRanked, model.LineDropped:
			continue
		case model.LineThrow:
			p.throws(l)
			fallthrough
		case model.LinePlay:
			p.quiet, p.begun, played = false, true, true
			continue
		}
		if p.countsPieces(b, d, l) && !told(l.Span) {
			diags.Warnf("proves-nothing", l.Span, "with the line \"pieces\" of these rules this is so for every value of the option").
				WithHint("compare it with the number that is meant")
		}
		if played && p.thereAlready(l) && !told(l.Span) {
			diags.Infof("proves-nothing", l.Span, "one of them stands there where the test begins").WithHint("ask for all that are meant, or say where each piece is")
		}
		if slices.Contains([]model.LineKind{model.ExpectWinner, model.ExpectRanking, model.ExpectOver, model.ExpectDraw}, l.Kind) {
			ended = l.Span
		}
		switch expects++; {
		case p.settled(d, l), p.untouched(l):
			settled = append(settled, l)
		case p.repeats(l):
			repeats++
		}
	}
	if expects == 0 {
		return
	}
	if !played && !ended.IsZero() && !told(ended) {
		diags.Infof("proves-nothing", ended, "nothing is thrown or played before this: the game is over where the test begins").
			WithHint("begin before the end, and let a throw bring it about")
	}
	if at := rules.Tests[0].Span; repeats > 0 && repeats+len(settled) == expects && !told(at) {
		diags.Warnf("proves-nothing", at, "this test expects only what it sets up").WithHint("let it throw or play, and expect what comes of it")
	}
	for _, l := range settled {
		switch {
		case repeats > 0 || told(l.Span):
			continue
		case len(settled) < expects && (l.Kind == model.ExpectPieces || !l.Cond.Has(func(e *model.Expr) bool { return e.Type == model.ListOf(model.Piece) })):
			continue // it may say for the reader where players sit, or what was thrown
		case p.untouched(l):
			diags.Warnf("proves-nothing", l.Span, "these pieces stand where they begin, and another side plays: they stay there")
		case l.Kind == model.ExpectRefusedThrow:
			diags.Warnf("proves-nothing", l.Span, "no die of this game gives that in any position")
		case l.Kind == model.ExpectChance:
			diags.Warnf("proves-nothing", l.Span, "the chances of %q are the same in every position", l.Die.Name)
		default:
			diags.Warnf("proves-nothing", l.Span, "no rule bears on this: the board, the dice and the lines of the test decide it")
		}
		diags.Last().WithHint("expect what comes of the throw or the move")
	}
}

// quiet reports whether no rule runs between a position that is given and the first throw, but for reactions of statements that are fine.
func quiet(r *model.Rules, fine func(*model.Stmt) bool) bool {
	return len(r.Turn.Stmts) > 0 && r.Turn.Stmts[0].Kind == model.StmtThrow &&
		!seq.Any(r.Clauses(), func(x *model.Clause) bool {
			return x.Event == model.EventTurnBegins && x.Block != nil && seq.Any(x.Block.All(), func(s *model.Stmt) bool { return !fine(s) })
		})
}

// setsOther reports whether a statement does no more than to set a variable that no line of the test sets.
func (p *proof) setsOther(s *model.Stmt) bool {
	return s.Kind == model.StmtIf || s.Kind == model.StmtFor || s.Kind == model.StmtAssign && s.Target.Var != nil && !p.set[s.Target.Var]
}

// throws notes the dice whose value a line says: those that are thrown whenever one of them is, or first in the turn.
func (p *proof) throws(l *model.TestLine) {
	var first []*model.Die
	if p.quiet && len(l.Numbers) == len(p.rules.Turn.Stmts[0].Dice) {
		first = p.rules.Turn.Stmts[0].Dice
	} else {
		for s := range p.rules.Stmts() {
			throws := s.Kind == model.StmtThrow && (l.Die == nil || slices.Contains(s.Dice, l.Die))
			if throws && first == nil {
				first = s.Dice
			}
			if s.Kind == model.StmtUndo || throws && !slices.Equal(first, s.Dice) {
				clear(p.thrown)
				return
			}
		}
	}
	for _, d := range first {
		p.thrown[d] = d.Kind != model.DieChoice
	}
}

// settled reports whether no rule bears on an expectation.
func (p *proof) settled(d *syntax.TestLine, l *model.TestLine) bool {
	switch {
	case !p.begun && (d.Expect.That == nil || !names(d.Expect.That.Node, p.sets)):
		return false // a test of the board, or of the dice
	case l.Kind == model.ExpectChance:
		return l.Die.Kind != model.DieDeck
	case l.Kind == model.ExpectRefusedThrow:
		return slices.ContainsFunc(l.Numbers, func(n int) bool { return onNoDie(p.rules.Dice, n) })
	case l.Kind == model.ExpectThat && p.test.Case != nil && l.Cond.Op == model.OpConst:
		return false // the cells of another row may ask for more
	case l.Kind != model.ExpectThat || literal(d.Expect.That.Node, noName) || p.asksRules(d.Expect.That.Node):
		return false
	}
	return !l.Cond.Has(func(e *model.Expr) bool { return p.bears(e) })
}

// onNoDie reports whether none of some dice has a number.
func onNoDie(dice []*model.Die, n int) bool {
	return len(dice) > 0 && !slices.ContainsFunc(dice, func(d *model.Die) bool {
		return d.Kind == model.DieChoice || slices.ContainsFunc(d.Faces, func(f model.Face) bool { return f.Value == n })
	})
}

// ahead reports whether a piece is given in a zone other than where it begins, or on the last place of its track: rules may end the game there.
func (p *proof) ahead(given map[int][]model.Spot) bool {
	for c, spots := range given {
		nodes := p.rules.Track.Runs[p.rules.Colours[c].Board].Nodes
		if slices.ContainsFunc(spots, func(s model.Spot) bool {
			zone := p.rules.Board.Places[s.Place].Zone && s.Place != p.rules.PiecesAt[c]
			return zone || slices.ContainsFunc(nodes, func(n boards.Node) bool { return n.Place == s.Place && len(n.Next) == 0 })
		}) {
			return true
		}
	}
	return false
}

// untouched reports whether an expectation is that all pieces of a side that does not play stay where all begin.
func (p *proof) untouched(l *model.TestLine) bool {
	return l.Kind == model.ExpectPieces && p.turn >= 0 && p.rules.Colours[l.Colour].Seat != p.rules.Colours[p.turn].Seat && slices.Equal(p.given[l.Colour], l.Places[l.Colour]) &&
		!slices.ContainsFunc(l.Places[l.Colour], func(s model.Spot) bool { return s.Place != p.rules.PiecesAt[l.Colour] })
}

// thereAlready reports whether an expectation is that any piece of a colour is on a place on which one is given.
func (p *proof) thereAlready(l *model.TestLine) bool {
	if l.Kind != model.ExpectThat || l.Cond.Op != model.OpAny || len(l.Cond.Args) < 2 {
		return false
	}
	of, is := l.Cond.Args[0], l.Cond.Args[1]
	if of.Op != model.OpSet || of.Set != model.SetPiecesOf || of.Args[0].Op != model.OpConst || of.Args[0].Type.Kind != model.Colour || is.Op != model.OpEq ||
		is.Args[0].Op != model.OpField || is.Args[0].Field != model.FieldAt || is.Args[1].Op != model.OpConst {
		return false
	}
	return slices.ContainsFunc(p.given[of.Args[0].Int], func(s model.Spot) bool { return s.Place == is.Args[1].Int })
}

// countsPieces reports whether an expectation compares the number of the pieces of a side, or of all, with an option that the test sets and
// that is the number of pieces.
func (p *proof) countsPieces(b *book.Book, d *syntax.TestLine, l *model.TestLine) bool {
	if l.Kind != model.ExpectThat || l.Cond.Op != model.OpEq || p.rules.Owner != nil || d.Expect.That.Node.Name != "==" {
		return false
	}
	for i, n := range d.Expect.That.Node.Args {
		count, option := l.Cond.Args[1-i], multiple(n)
		if count.Op != model.OpCount || len(count.Args) > 1 || count.Args[0].Op != model.OpSet || !p.sets(option) {
			continue
		}
		of := count.Args[0]
		all := of.Set == model.SetPieces || of.Set == model.SetPiecesOf && of.Args[0].Type.Kind != model.Place
		if all && slices.ContainsFunc(b.Entries, func(e *book.Entry) bool {
			return e.Decl.Kind.Pieces != nil && multiple(e.Decl.Kind.Pieces.Count.Node) == option
		}) {
			return true
		}
	}
	return false
}

// multiple is the name of which an expression is a multiple, "" if it is none.
func multiple(n *expr.Node) string {
	switch {
	case n.Kind == expr.Name:
		return n.Name
	case n.Kind == expr.Binary && n.Name == "*" && n.Args[0].Kind == expr.Int:
		return multiple(n.Args[1])
	case n.Kind == expr.Binary && n.Name == "*" && n.Args[1].Kind == expr.Int:
		return multiple(n.Args[0])
	}
	return ""
}

// asksRules reports whether an expression names something of the rules that the test does not set: a let, or the usual value of an option.
func (p *proof) asksRules(n *expr.Node) bool {
	return names(n, func(name string) bool {
		return slices.Contains(p.lets, name) || slices.Contains(p.named, name) && !p.sets(name)
	})
}

// sets reports whether the test sets an option.
func (p *proof) sets(option string) bool {
	return slices.Contains(p.named, option) && slices.ContainsFunc(p.test.Lines, func(l *syntax.TestLine) bool {
		return l.Set != nil && l.Set.Field == nil && l.Set.Square == nil && l.Set.Name.Text == option
	})
}

// names reports whether is holds for a name in an expression.
func names(n *expr.Node, is func(name string) bool) bool {
	return (n.Kind == expr.Name || n.Kind == expr.Call || n.Kind == expr.Field) && is(n.Name) ||
		slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return names(a, is) })
}

// bears reports whether the value of an expression, its arguments apart, depends on more than the board, the seats and the dice that were
// thrown.
func (p *proof) bears(e *model.Expr) bool {
	switch e.Op {
	case model.OpCell, model.OpVar, model.OpMine:
		return true
	case model.OpCall:
		return slices.Contains(p.lets, e.Let.Name) // the others are made of == and #outer
	case model.OpDie:
		return !p.thrown[e.Die]
	case model.OpField:
		switch e.Field {
		case model.FieldSquare, model.FieldSeat:
			return false
		case model.FieldColour, model.FieldPlayer, model.FieldTeam:
			return p.rules.Owner != nil
		}
		return true
	case model.OpSet:
		if e.Set == model.SetPieces || e.Set == model.SetPiecesOf && e.Args[0].Type.Kind != model.Place {
			return p.rules.Owner != nil // which pieces they are; where they stand is a field
		}
		return !slices.Contains([]model.Set{model.SetSquares, model.SetTrackOf, model.SetColours, model.SetColoursOf, model.SetPlayers, model.SetPlayersOf, model.SetTeams}, e.Set)
	}
	return false
}

// repeats reports whether an expectation is what the lines of the test say, and no rule has run since.
func (p *proof) repeats(l *model.TestLine) bool {
	switch {
	case !p.quiet:
		return false
	case l.Kind == model.ExpectTurn:
		return l.Colour == p.turn
	case l.Kind == model.ExpectPieces:
		return slices.Equal(p.given[l.Colour], l.Places[l.Colour])
	case l.Kind == model.ExpectNoChoices:
		return p.given != nil
	case l.Kind == model.ExpectNotOver:
		return p.given != nil && !p.nearEnd
	case l.Kind != model.ExpectThat || p.given == nil:
		return false
	}
	said := false
	return !l.Cond.Has(func(e *model.Expr) bool {
		switch {
		case e.Var != nil && p.set[e.Var], e.Op == model.OpField && e.Field == model.FieldAt:
			said = true
			return false
		case e.Op == model.OpTag, e.Op == model.OpFamily, e.Op == model.OpAttr, e.Op == model.OpMark: // what the board says of a place
			return true
		}
		return p.bears(e) && !(e.Op == model.OpSet && e.Set == model.SetPiecesOf)
	}) && said
}
