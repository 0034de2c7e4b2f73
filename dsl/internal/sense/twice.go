package sense

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// earnedToo records a reaction that only earns, wherever its event happens or on the same condition, as one of another file does: both are
// counted.
func (x *setting) earnedToo() {
	only := func(c *model.Clause) bool {
		// a condition on options holds in some settings only
		head, _, _ := strings.Cut(c.Span.Text(), "{")
		return (c.When != nil || !slices.Contains(strings.Fields(head), "when")) && !slices.ContainsFunc(c.Block.Stmts, func(s *model.Stmt) bool { return s.Kind != model.StmtEarn || s.Later() })
	}
	number := func(s *model.Stmt) string {
		if s.Value.Op == model.OpConst {
			return strconv.Itoa(s.Value.Int)
		}
		return words(s.Value.Span)
	}
	x.answers(model.StmtEarn, func(c *model.Clause, s *model.Stmt, before, after []*model.Clause) {
		why := ""
		for _, o := range slices.Concat(before, after) {
			_, ok := x.alongside(c, o)
			if ok && why == "" && !x.own(o.Span) && (o.When == nil) == (c.When == nil) && only(o) && len(o.Block.Stmts) > 0 && (only(c) || number(s) == number(o.Block.Stmts[0])) {
				why = "both happen: rule " + quote(o.Rule.Name) + " earns " + number(o.Block.Stmts[0]) + " then, and this " + number(s) + " more"
			}
		}
		x.warnOf("earned", "done-twice", s.Span, why).info = true
	})
}

// addedToo records a statement of a reaction that adds or earns what another one does on the same event and condition, or just before that
// event. Where an option decides about one of them, or the other is of the book that is changed, it may be meant to count double.
func (x *setting) addedToo() {
	all := slices.Collect(x.r.Clauses())
	befores := seq.Filter(all, func(c *model.Clause) bool { return c.Kind == model.ClauseBefore && c.Block != nil })
	ofAnyMove := seq.Filter(all, func(c *model.Clause) bool {
		return c.Kind == model.ClauseOn && c.Event == model.EventMove && c.Move == nil
	})
	for _, kind := range []model.StmtKind{model.StmtAssign, model.StmtEarn, model.StmtDo, model.StmtIf} {
		x.answers(kind, func(c *model.Clause, s *model.Stmt, before, after []*model.Clause) {
			lands := seq.Filter(after, func(o *model.Clause) bool { return o.Event == model.EventLand && c.Event == model.EventMove })
			if c.Event == model.EventMove {
				lands = append(lands, seq.Filter(ofAnyMove, func(o *model.Clause) bool { return o != c && !slices.Contains(before, o) })...)
			}
			if !adds(s) {
				return
			}
			why, note, ours := "", source.Span{}, true
			for _, o := range slices.Concat(before, lands, befores) {
				names, ok := x.alongside(c, o)
				_, too := x.alongside(o, c)
				if !ok {
					names, ok = x.onlyThen(c, o)
					too = ok
				}
				wider := !too && (o.Event != c.Event || o.Move != c.Move) && (o.When == nil) == (c.When == nil)
				too = too || wider
				wider = wider && slices.ContainsFunc(x.may, func(f *formula) bool { return f.x.Move != c.Move }) // it runs after other moves too
				if !ok || !too || x.mayAlter(o.Block, c.When) || o.Kind != c.Kind && !x.sameBefore(c, s) {
					continue
				}
				if i := slices.IndexFunc(o.Block.Stmts, func(t *model.Stmt) bool { return adds(t) && x.sameDone(t, names, s, x.begin(c)) }); i >= 0 {
					why, note = "this is counted twice: rule "+quote(o.Rule.Name)+" does the same on the same condition", o.Block.Stmts[i].Span
					if ours = x.own(o.Span) && !wider; o.Rule == c.Rule {
						why = "this is counted twice: another line of this rule does the same on the same condition"
					}
				}
			}
			f := x.warnOf("added too", "done-twice", s.Span, why).noted(note)
			f.info, f.ever = f.info || !ours, true
		})
	}
}

// doneAnyway records what a reaction adds under a condition, or after a question, while a rule of the book that is changed adds it to the same
// event in any case.
func (x *setting) doneAnyway() {
	all := seq.Filter(slices.Collect(x.r.Clauses()), func(c *model.Clause) bool { return c.Kind == model.ClauseOn && c.Block != nil })
	for _, c := range all {
		inLoop := map[*model.Stmt]bool{} // which may add more than once, or nothing
		for s := range c.Block.All() {
			if s.Loops() {
				for t := range s.Then.All() {
					inLoop[t] = true
				}
			}
			if !x.own(s.Span) || !adds(s) || s.Kind == model.StmtIf || slices.Contains(c.Block.Stmts, s) || inLoop[s] {
				continue
			}
			why, note := "", source.Span{}
			for _, o := range all {
				names, ok := x.alongside(c, o)
				if !ok || x.own(o.Span) {
					continue
				}
				if i := slices.IndexFunc(o.Block.Stmts, func(t *model.Stmt) bool { return x.sameDone(t, names, s, x.open()) }); i >= 0 {
					why, note = "rule "+quote(o.Rule.Name)+" does this in any case: replace that rule if this is meant instead", o.Block.Stmts[i].Span
				}
			}
			x.warnOf("anyway", "done-twice", s.Span, why).noted(note).info = true
		}
	}
}

// eitherWay records a statement of a reaction to a play that offers nothing which adds what a reaction to any move adds.
func (x *setting) eitherWay() {
	always := func(event model.EventKind) []*model.Clause {
		return seq.Filter(slices.Collect(x.r.Clauses()), func(c *model.Clause) bool {
			return c.Kind == model.ClauseOn && c.Event == event && c.When == nil && c.Act == nil && c.Move == nil
		})
	}
	for _, c := range always(model.EventStuck) {
		for _, s := range c.Block.Stmts {
			if !adds(s) || !x.own(s.Span) {
				continue
			}
			too := source.Span{}
			for _, o := range always(model.EventMove) {
				if i := slices.IndexFunc(o.Block.Stmts, func(t *model.Stmt) bool { return x.sameDone(t, nil, s, x.open()) }); i >= 0 {
					too = o.Block.Stmts[i].Span
				}
			}
			x.foundOf(!too.IsZero(), "either way", "done-twice", s.Span, "a move does the same: this is done whether a piece can move or not").noted(too).info = true
		}
	}
}

// onlyThen reports whether a reaction to any move or landing runs after the move of another one, and after no other move, and returns the
// names it has in that.
func (x *setting) onlyThen(c, o *model.Clause) (names substitution, ok bool) {
	if c.When != nil || o.When == nil || c.Event != model.EventMove || c.Move == nil || o.Move != nil || o.Act != nil || o.Kind != model.ClauseOn ||
		o.Event != model.EventMove && o.Event != model.EventLand || o.To != nil || !firstNamed(c) || !firstNamed(o) {
		return nil, false
	}
	p := x.local(c.Params[0])
	names = substitution{o.Params[0]: p}
	if o.Event == model.EventLand && len(o.Params) > 1 && o.Params[1] != nil {
		names[o.Params[1]] = x.field(p, model.FieldAt)
	}
	holds := x.intern(o.When, names, 0)
	for _, m := range x.r.Moves {
		if m.Kind == model.MoveNothing || !slices.ContainsFunc(x.may, func(f *formula) bool { return f.x.Move == m }) {
			continue
		}
		like := &model.Clause{Kind: model.ClauseOn, Event: model.EventMove, Move: m, Params: make([]*model.Local, len(m.Params)), Rule: c.Rule, Span: c.Span, Index: c.Index}
		like.Params[0] = c.Params[0]
		if ok = len(x.assume(holds, m != c.Move, x.begin(like))) == 0; !ok {
			return nil, false
		}
	}
	return names, ok
}

// firstNamed reports whether the first parameter of a clause is a piece that has a name.
func firstNamed(c *model.Clause) bool {
	return len(c.Params) > 0 && c.Params[0] != nil && c.Params[0].Type == model.Of(model.Piece)
}

// adds reports whether a statement makes a number greater or less, or earns one, and if it is an if nothing else.
func adds(s *model.Stmt) bool {
	if s.Kind == model.StmtIf {
		return empty(s.Else) && !empty(s.Then) && !slices.ContainsFunc(s.Then.Stmts, func(t *model.Stmt) bool { return !adds(t) })
	}
	return s.Kind == model.StmtEarn || s.Kind == model.StmtAssign && s.Assign != model.AssignSet && !s.Target.Type.List ||
		s.Kind == model.StmtDo && seq.Any(s.Act.Block.All(), adds)
}

// addedAfterThrow records a statement of the turn, in which dice are thrown once, that adds what a reaction to the throw adds on the same
// condition.
func (x *setting) addedAfterThrow() {
	ofTurn := slices.Collect(x.r.Turn.All())
	throws := seq.Filter(ofTurn, isThrow)
	if len(throws) != 1 {
		return
	}
	for _, p := range x.sites() {
		s, under := p.s, p.under
		if !adds(s) || len(under) > 1 || len(under) == 1 && !under[0].want || !slices.Contains(ofTurn, s) {
			continue
		}
		for c := range x.r.Clauses() {
			if c.Kind != model.ClauseOn || c.Event != model.EventThrow || len(c.Dice) > 0 && !slices.Equal(c.Dice, throws[0].Dice) ||
				(c.When == nil) != (len(under) == 0) || c.When != nil && x.intern(c.When, nil, 0) != x.intern(under[0].e, nil, 0) {
				continue
			}
			for _, t := range c.Block.Stmts {
				at, note, what := s.Span, t.Span, "rule "+quote(c.Rule.Name)+" does the same after the throw"
				if !x.own(at) {
					at, note, what = t.Span, s.Span, "the turn does the same after the throw"
				}
				if adds(t) && x.sameDone(t, nil, s, nil) {
					f := x.warnOf("after throw", "done-twice", at, "this is counted twice: "+what)
					f.ever, f.note = true, note
				}
			}
		}
	}
}

// countsToo records a count of the same event, on the same condition, or of the same value as one before.
func (x *setting) countsToo(n *model.Count, before []*model.Count) {
	if !x.own(n.Span) {
		return
	}
	same := func(o *model.Count) bool {
		switch {
		case n.Clause != nil && o.Clause != nil:
			_, ok := x.alongside(n.Clause, o.Clause)
			_, too := x.alongside(o.Clause, n.Clause)
			return ok && too
		case n.Value != nil && o.Value != nil:
			return n.Each == o.Each && n.Seat == o.Seat && x.intern(n.Value, nil, 0) == x.intern(o.Value, nil, 0)
		}
		return false
	}
	why, note := "", source.Span{}
	if i := slices.IndexFunc(before, same); i >= 0 {
		why, note = "count "+quote(before[i].Called())+" counts the same", before[i].Span
	}
	x.warnOf("count", "done-twice", n.Span, why).noted(note).ever = true
}

// sameBefore reports whether the condition of a reaction and the values in a statement of it are the same before its event as after it.
func (x *setting) sameBefore(c *model.Clause, s *model.Stmt) bool {
	if s.Kind == model.StmtIf { // what it asks is the same at both times, or it is meant to be
		return !slices.ContainsFunc(s.Then.Stmts, func(t *model.Stmt) bool { return !x.sameBefore(c, t) })
	}
	changes := func(e *model.Expr) bool { return !x.fixed(x.intern(e, nil, 0)) }
	return (c.When == nil || !changes(c.When)) && !slices.ContainsFunc(s.Reads(), changes)
}

// mayAlter reports whether statements may change what a condition asks for.
func (x *setting) mayAlter(b *model.Block, e *model.Expr) bool {
	return e != nil && !x.fixed(x.intern(e, nil, 0)) && slices.ContainsFunc(b.Stmts, func(s *model.Stmt) bool {
		return s.Kind != model.StmtEarn && (s.Kind != model.StmtAssign || s.Target.Var == nil || looksAt(e, s.Target.Var))
	})
}

// countedTwice records that the turn counts a die twice, and one like it that is thrown with it is counted nowhere.
func (x *setting) countedTwice() {
	if len(x.r.Dice) < 2 {
		return
	}
	thrown := map[*model.Die][]*model.Die{} // with each die
	for s := range x.r.Stmts() {
		for _, d := range s.Dice {
			thrown[d] = append(thrown[d], s.Dice...)
		}
	}
	look := func(a *model.Expr, under []condition) {
		why, d := "", twiceIn(a)
		for _, o := range x.r.Dice {
			asks := func(c condition) bool { return asksDie(c.e, []*model.Die{o}) }
			if d != nil && o != d && slices.Contains(thrown[d], o) && slices.Equal(o.Faces, d.Faces) && !slices.ContainsFunc(under, asks) && !x.takesNumber(o) {
				why = "this counts die " + quote(d.Name) + " twice, and die " + quote(o.Name) + ", which is thrown with it, is counted nowhere"
			}
		}
		x.warnOf("counted twice", "never-played", a.Span, why).info = true
	}
	for _, p := range x.sites() {
		if p.s.Kind != model.StmtPlay || !x.own(p.s.Span) {
			continue
		}
		for _, e := range p.s.Reads() {
			for a := range e.All() {
				look(a, p.under)
			}
		}
	}
}

// sameNumbers records a list to play that has the numbers of one before it: they are played in any order.
func (w *walk) sameNumbers(s *model.Stmt) {
	numbers := func(e *model.Expr) []id {
		return slices.Sorted(slices.Values(seq.Map(e.Args, func(a *model.Expr) id { return w.intern(a, nil, 0) })))
	}
	lists := append([]*model.Expr{s.Value}, s.Args...)
	for i, e := range lists {
		if s.Play == model.PlayAny && e != nil && e.Op == model.OpList {
			w.againIn(e, 0, true)
		}
		if e == nil || e.Op != model.OpList || i == 0 {
			continue
		}
		why := ""
		if slices.ContainsFunc(lists[:i], func(o *model.Expr) bool { return o.Op == model.OpList && slices.Equal(numbers(o), numbers(e)) }) {
			why = "these are the numbers of a list before: they are played in any order"
		} else if slices.ContainsFunc(lists[:i], func(o *model.Expr) bool { return w.sameForThrows(o, e) }) {
			why = "whatever is thrown, these are the numbers of a list before"
		}
		w.warnOf("numbers", "done-twice", e.Span, why)
	}
}

// sameForThrows reports whether two lists have the same numbers for every throw with which the game comes here.
func (w *walk) sameForThrows(a, b *model.Expr) bool {
	dice, chosen, ok := w.diceOnly(a)
	others, too, fine := w.diceOnly(b)
	if a.Op != model.OpList || len(a.Args) != len(b.Args) || !ok || !fine || chosen || too {
		return false
	}
	dice = append(dice, others...)
	var under []condition
	for _, c := range w.conditions {
		of, picks, ok := w.diceOnly(c.e)
		if chosen = chosen || picks; ok && !chosen {
			under, dice = append(under, c), append(dice, of...)
		}
	}
	dice = seq.Distinct(dice)
	if slices.ContainsFunc(dice, func(d *model.Die) bool { return w.late[d] }) || !enumerable(dice) {
		return false
	}
	same, came := true, false
	eachThrow(dice, func(faces map[*model.Die]int) {
		comes := func(c condition) bool { v, ok := valueFor(faces, c.e); return !ok || (v != 0) == c.want }
		if !same || slices.ContainsFunc(under, func(c condition) bool { return !comes(c) }) {
			return
		}
		numbers := func(list *model.Expr) (out []int) {
			for _, e := range list.Args {
				v, ok := valueFor(faces, e)
				out, same = append(out, v), same && ok
			}
			slices.Sort(out)
			return out
		}
		same, came = slices.Equal(numbers(a), numbers(b)) && same, true
	})
	return same && came
}

// doneByAct records a statement before an act, or in a reaction to it, that the act does itself, and one of an act that such a reaction of
// another file does.
func (x *setting) doneByAct() {
	reactions := seq.Filter(slices.Collect(x.r.Clauses()), func(c *model.Clause) bool {
		return (c.Kind == model.ClauseOn || c.Kind == model.ClauseBefore) && c.Act != nil && c.Act.Block != nil && c.When == nil
	})
	both := func(c *model.Clause, o, s *model.Stmt) bool { // o is of the act
		return (s.Kind == model.StmtDo || adds(s) || s.Kind == model.StmtAssign && s.Assign != model.AssignSet) && x.sameDone(o, x.naming(c.Act.Params, c.Params), s, nil)
	}
	for _, c := range reactions {
		for _, s := range c.Block.Stmts {
			if x.own(s.Span) {
				same := slices.ContainsFunc(c.Act.Block.Stmts, func(o *model.Stmt) bool { return both(c, o, s) })
				x.foundOf(same, "by act", "done-twice", s.Span, "act %q does this already: it is done twice", c.Act.Name)
			}
		}
	}
	for _, a := range x.r.Acts {
		for _, o := range stmts(a.Block) {
			if !x.own(o.Span) {
				continue
			}
			why := ""
			for _, c := range reactions {
				if c.Act == a && slices.ContainsFunc(c.Block.Stmts, func(s *model.Stmt) bool { return !x.own(s.Span) && both(c, o, s) }) {
					why = "rule " + quote(c.Rule.Name) + " does this already when the act is done: it is done twice"
				}
			}
			x.warnOf("by reaction", "done-twice", o.Span, why)
		}
	}
}

// doneBesideAct records a statement beside one that does an act, where a reaction to the act does the same.
func (x *setting) doneBesideAct() {
	in := func(b *model.Block) {
		for _, s := range stmts(b) {
			if !x.own(s.Span) || !adds(s) {
				continue
			}
			why, note := "", source.Span{}
			for _, do := range b.Stmts {
				if o, by := x.byReaction(do, s); o != nil && do != s {
					why, note = "this is counted twice: rule "+quote(by.Rule.Name)+" does the same when "+quote(do.Act.Name)+" is done", o.Span
				}
			}
			x.warnOf("beside act", "done-twice", s.Span, why).noted(note).info = true
		}
	}
	for b := range x.r.Blocks() {
		in(b)
		for s := range b.All() {
			in(s.Then)
			in(s.Else)
		}
	}
}

// byReaction is the statement by which a reaction to the act that a statement does, whatever the position is, does what another one does.
func (x *setting) byReaction(do, s *model.Stmt) (*model.Stmt, *model.Clause) {
	if do.Kind != model.StmtDo {
		return nil, nil
	}
	for c := range x.r.Clauses() {
		if c.Kind != model.ClauseOn || c.Act != do.Act || c.When != nil {
			continue
		}
		names := substitution{}
		for i, p := range c.Params {
			if p != nil {
				names[p] = x.intern(do.Args[i], nil, 0)
			}
		}
		if i := slices.IndexFunc(stmts(c.Block), func(o *model.Stmt) bool { return adds(o) && x.sameDone(o, names, s, nil) }); i >= 0 {
			return c.Block.Stmts[i], c
		}
	}
	return nil, nil
}

// sameDone reports whether two statements of one kind do the same where something is known, the first with other names.
func (x *setting) sameDone(a *model.Stmt, names substitution, b *model.Stmt, known []*facts) bool {
	if a.Kind != b.Kind || a.Act != b.Act || a.Assign != b.Assign || (a.Target == nil) != (b.Target == nil) || a.Target != nil && (a.Target.Op != b.Target.Op || a.Target.Var != b.Target.Var || a.Target.Cell != b.Target.Cell) {
		return false
	}
	same := func(s, t *model.Stmt) bool { return x.sameDone(s, names, t, known) }
	return slices.EqualFunc(a.Reads(), b.Reads(), func(e, f *model.Expr) bool { return x.alike(x.intern(e, names, 0), x.intern(f, nil, 0), known) }) &&
		(a.Kind != model.StmtIf || slices.EqualFunc(a.Then.Stmts, b.Then.Stmts, same) && slices.EqualFunc(stmts(a.Else), stmts(b.Else), same))
}

// twiceIn is the die that a list or a sum has twice, nil if none.
func twiceIn(e *model.Expr) *model.Die {
	if e.Op != model.OpList && e.Op != model.OpAdd {
		return nil
	}
	for i, a := range e.Args {
		if a.Op == model.OpDie && slices.ContainsFunc(e.Args[:i], func(b *model.Expr) bool { return b.Op == model.OpDie && b.Die == a.Die }) {
			return a.Die
		}
	}
	return nil
}

// takesNumber reports whether anything counts the number of a die, beside conditions that compare it.
func (x *setting) takesNumber(d *model.Die) bool {
	var in func(e *model.Expr) bool
	in = func(e *model.Expr) bool {
		found := false
		e.Walk(func(a *model.Expr) bool {
			found = found || a.Op == model.OpDie && a.Die == d || a.Op == model.OpCall && in(a.Let.Body)
			return !found && a.Type != model.Of(model.Flag)
		})
		return found
	}
	return seq.Any(x.r.Stmts(), func(s *model.Stmt) bool { return slices.ContainsFunc(s.Reads(), in) }) ||
		slices.ContainsFunc(x.r.Moves, func(m *model.Move) bool { return slices.ContainsFunc(m.Exprs()[1:], in) }) ||
		seq.Any(x.r.Clauses(), func(c *model.Clause) bool {
			return slices.ContainsFunc(c.Likes(), func(l *model.Clause) bool { return in(l.By) })
		})
}

// likeBefore records a reaction that does what a line before it in the rule does, on a condition that is the same but for a number or a name.
func (x *setting) likeBefore(c *model.Clause) {
	if !x.own(c.Span) || c.When == nil {
		return
	}
	always := func(c model.Clause) model.Digest {
		c.When = nil
		return model.DigestOfClause(&c)
	}
	why, note := "", source.Span{}
	for _, o := range c.Rule.Clauses[:slices.Index(c.Rule.Clauses, c)] {
		if o.Kind == c.Kind && o.When != nil && x.own(o.Span) && always(*o) == always(*c) && oneWordApart(o.When.Span.Text(), c.When.Span.Text()) {
			why, note = "another line does the same on another condition: if that is meant, one line with || says it", o.Span
		}
	}
	x.warnOf("like before", "done-twice", c.Span, why).noted(note).info = true
}

// inOneForm is a reaction with its conditions in one order, and without the dice that every throw has: what can be said in either way is
// the same.
func (x *setting) inOneForm(c *model.Clause) *model.Clause {
	y := *c
	lacks := func(s *model.Stmt) bool { // a throw that has not all of the dice
		return isThrow(s) && slices.ContainsFunc(c.Dice, func(d *model.Die) bool { return !slices.Contains(s.Dice, d) })
	}
	if len(c.Dice) > 0 && !seq.Any(x.r.Stmts(), lacks) {
		y.Dice = nil
	}
	if c.When == nil || c.When.Op != model.OpAnd {
		return &y
	}
	y.Block = nil
	all, digests := chained(model.OpAnd, c.When), map[*model.Expr]string{}
	for _, e := range all {
		y.When = e
		d := model.DigestOfClause(&y)
		digests[e] = string(d[:])
	}
	slices.SortStableFunc(all, func(a, b *model.Expr) int { return strings.Compare(digests[a], digests[b]) })
	y.Block, y.When = c.Block, all[0]
	for _, e := range all[1:] {
		y.When = &model.Expr{Op: model.OpAnd, Type: e.Type, Args: []*model.Expr{y.When, e}, Span: c.When.Span}
	}
	return &y
}

// oneWordApart reports whether two texts differ in one number or name.
func oneWordApart(a, b string) bool {
	v, w := source.Words(a), source.Words(b)
	apart := 0
	for i := range min(len(v), len(w)) {
		if v[i] != w[i] {
			apart++
		}
	}
	return len(v) == len(w) && apart == 1
}
