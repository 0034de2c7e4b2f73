package reference

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// block executes statements. own means that they belong to the turn itself: then the endings are checked after each.
func (r *run) block(b *model.Block, v *env, own bool) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		r.stmt(s, v, own)
		switch s.Kind {
		case model.StmtIf, model.StmtFor, model.StmtPlay, model.StmtChoose:
		default:
			if own {
				r.look()
			}
		}
	}
}

func (r *run) stmt(s *model.Stmt, v *env, own bool) {
	switch s.Kind {
	case model.StmtAssign:
		r.assign(s, v)
	case model.StmtIf:
		if r.holds(s.Value, v) {
			r.block(s.Then, v, own)
		} else {
			r.block(s.Else, v, own)
		}
	case model.StmtFor:
		for _, x := range slices.Collect(r.list(s.Value, v)) {
			if s.Once() && s.Value.Type.Kind == model.Number {
				number(x, s.Value.Span)
			}
			r.block(s.Then, v.bind(s.Local, x), own)
		}
	case model.StmtPut:
		r.put(there(r.eval(s.Value, v), s.Span), there(r.eval(s.Other, v), s.Span))
	case model.StmtExchange:
		p, q := there(r.eval(s.Value, v), s.Span), there(r.eval(s.Other, v), s.Span)
		a, b := r.at[p], r.at[q]
		r.put(p, b)
		r.put(q, a)
	case model.StmtGive:
		r.give(there(r.eval(s.Value, v), s.Span), there(r.eval(s.Other, v), s.Span))
	case model.StmtThrow:
		var chosen []int
		for _, d := range s.Dice {
			if d.Kind == model.DieChoice {
				if chosen = slices.Collect(r.list(d.Choice, nil)); len(chosen) == 0 {
					fail(faultEmpty, s.Span)
				}
				for _, n := range chosen {
					number(n, d.Choice.Span)
				}
			}
		}
		r.tick(s.Span)
		r.cast(s.Dice, false, chosen)
		if x := r.g.rules.Throws; x != nil {
			at := r.g.slots[x.Index]
			r.vars[at] = []int{r.vars[at][0] + 1}
		}
		r.raise(event{kind: model.EventThrow, dice: s.Dice, outer: own})
	case model.StmtPlay:
		r.play(s, v)
	case model.StmtEarn:
		if s.Later() {
			at := r.g.slots[r.g.rules.Later.Index] + there(r.eval(s.Other, v), s.Other.Span)
			if len(r.vars[at]) == maxQueue {
				fail(faultQueue, s.Span)
			}
			r.vars[at] = append(slices.Clip(r.vars[at]), number(r.eval(s.Value, v), s.Value.Span))
			break
		}
		if len(r.queue) == maxQueue {
			fail(faultQueue, s.Span)
		}
		w := waiting{number(r.eval(s.Value, v), s.Value.Span), none}
		if s.Other != nil {
			w.with = r.eval(s.Other, v)
		}
		r.queue = append(r.queue, w)
	case model.StmtChoose:
		r.choose(s, v, own)
	case model.StmtDo:
		r.do(s, v)
	case model.StmtAgain:
		r.again = true
	case model.StmtEndTurn:
		panic(turnEnded{})
	case model.StmtUndo:
		if kept := r.kept; kept != nil { // in the setup no turn has begun
			fired, acts, throws := r.fired, r.acts, r.throws
			*r.state = *kept.clone()
			r.fired, r.acts, r.throws, r.kept = fired, acts, throws, kept
		}
		panic(turnEnded{})
	case model.StmtFinish:
		r.finish(s, v)
	default:
		panic("the reference does not do the statement " + s.Kind.String())
	}
}

// tick counts one more throw or count of the turn.
func (r *run) tick(at source.Span) {
	if r.counts++; r.counts > maxCounts {
		fail(faultCounts, at)
	}
}

func (g *Game) turnSpan() source.Span {
	if len(g.rules.Turn.Stmts) == 0 {
		return source.Span{}
	}
	return g.rules.Turn.Stmts[0].Span
}

func (r *run) assign(s *model.Stmt, v *env) {
	x := s.Target.Var
	if s.Target.Type.List {
		r.assignSet(s, v)
		return
	}
	n := r.eval(s.Value, v)
	at := r.slot(s.Target, v)
	switch s.Assign {
	case model.AssignAdd:
		n = r.vars[at][0] + n
	case model.AssignSub:
		n = r.vars[at][0] - n
	}
	if x.Type.Kind == model.Number {
		fits(n, x.Low, x.High, s.Value.Span)
	}
	r.vars[at] = []int{n}
}

func (r *run) assignSet(s *model.Stmt, v *env) {
	low, high := r.g.bounds(s.Target.Var)
	var list []int
	if s.Value.Type.List {
		list = slices.Collect(r.list(s.Value, v))
	} else {
		list = []int{r.eval(s.Value, v)}
	}
	at := r.slot(s.Target, v)
	old := r.vars[at]
	if s.Assign == model.AssignSub {
		if s.Target.Var.Bag {
			left := slices.Clone(old)
			for _, n := range list {
				if i := slices.Index(left, n); i >= 0 {
					left = slices.Delete(left, i, i+1)
				}
			}
			r.vars[at] = left
			return
		}
		r.vars[at] = slices.DeleteFunc(slices.Clone(old), func(n int) bool { return slices.Contains(list, n) })
		return
	}
	for _, n := range list {
		fits(n, low, high, s.Value.Span)
	}
	if s.Assign == model.AssignAdd {
		list = slices.Concat(old, list)
	}
	r.vars[at] = held(s.Target.Var, list)
	first := 0
	for i, n := range r.vars[at] { // they are sorted
		if n != r.vars[at][first] {
			first = i
		}
		fits(i-first+1, 0, model.MaxCopies, s.Value.Span)
	}
}

// bounds is the range of the elements of a set.
func (g *Game) bounds(x *model.Var) (low, high int) {
	if x.Type.Kind == model.Number || x.Type.Kind == model.Flag {
		return x.Low, x.High
	}
	return 0, g.count(x.Type.Kind) - 1
}

// noPick stands for none of the candidates.
const noPick = -1 << 15

// choose lets a player choose an element of a list; the rest of the block is the statement's Then.
func (r *run) choose(s *model.Stmt, v *env, own bool) {
	var picks []int
	for x := range r.list(s.Value, v) {
		if number(x, s.Value.Span); s.Value.Type.Kind != model.Number {
			there(x, s.Value.Span)
		} else if s.None {
			fits(x, noPick+1, -(noPick + 1), s.Value.Span)
		}
		same := func(y int) bool { return x == y || s.Value.Type.Kind == model.Piece && r.alike(x, y) }
		if !slices.ContainsFunc(picks, same) {
			picks = append(picks, x)
		}
		if len(picks) > maxOptions {
			fail(faultOptions, s.Span)
		}
	}
	if s.None {
		picks = append(picks, noPick)
	}
	picked := 0
	switch len(picks) {
	case 0:
		return
	case 1:
	default:
		by := r.me
		if s.Other != nil {
			by = there(r.eval(s.Other, v), s.Other.Span)
		}
		picked = r.input(1, func() *node { return &node{choice: true, pick: s, picks: picks, player: by} })[0]
	}
	if s.None && picks[picked] == noPick {
		return
	}
	if s.Target != nil {
		if x := s.Target.Var; x.Type.Kind == model.Number {
			fits(picks[picked], x.Low, x.High, s.Value.Span)
		}
		r.vars[r.slot(s.Target, v)] = []int{picks[picked]}
	}
	if own {
		r.look()
	}
	r.block(s.Then, v.bind(s.Local, picks[picked]), own)
}

// alike reports whether two pieces are interchangeable: equal colour, place, passage and variables, and no variable that outlasts a turn
// names one of them alone.
func (r *run) alike(p, q int) bool {
	if p < 0 || q < 0 || r.colourOf(r.g, p) != r.colourOf(r.g, q) || r.at[p] != r.at[q] || r.node[p] != r.node[q] {
		return p == q
	}
	for i, v := range r.g.rules.Vars {
		if v.Scope == model.ScopePiece && !slices.Equal(r.vars[r.g.slots[i]+p], r.vars[r.g.slots[i]+q]) {
			return false
		}
		one := func(named []int) bool { return slices.Contains(named, p) != slices.Contains(named, q) }
		lasts := v.Scope != model.ScopeTurn && v.Scope != model.ScopeGo
		if v.Type.Kind == model.Piece && lasts && slices.ContainsFunc(r.vars[r.g.slots[i]:][:r.g.owners(v.Scope)], one) {
			return false
		}
	}
	return true
}

func (r *run) do(s *model.Stmt, v *env) {
	args := seq.Map(s.Args, func(a *model.Expr) int { return r.eval(a, v) })
	r.raise(event{kind: model.EventAct, before: true, act: s.Act, args: args})
	r.acts[s.Act.Index]++
	r.block(s.Act.Block, (*env)(nil).bindAll(s.Act.Params, args), false)
	r.raise(event{kind: model.EventAct, act: s.Act, args: args})
}

// put sets a piece down outside a move: it leaves its square, and does not land. A piece in the hand has left
// already.
func (r *run) put(p, to int) {
	if from := r.at[p]; !r.hand[p] {
		r.lift(p)
		r.raise(event{kind: model.EventLeave, zone: from < r.g.squares, args: []int{p, from}})
	}
	r.arrive(p, to)
	r.carries(without(r.carried(), p)...)
}

// give gives a piece to another colour. It stays where it stands, at the first node of its new track there. From the hand it goes back to
// where it came from.
func (r *run) give(p, colour int) {
	if r.colourOf(r.g, p) == colour {
		return
	}
	r.vars[r.g.slots[r.g.rules.Owner.Index]+p] = []int{colour}
	if r.hand[p] {
		r.arrive(p, r.at[p])
		return
	}
	r.node[p] = r.g.nodes[colour][r.at[p]]
}

// lift moves a piece from its place into the hand. Its place and node keep their values.
func (r *run) lift(p int) {
	if !r.hand[p] {
		r.hand[p] = true
		r.on[r.at[p]] = without(r.on[r.at[p]], p)
	}
}

// arrive sets a piece down as the latest arrival.
func (r *run) arrive(p, to int) { r.arriveAt(p, to, r.g.nodes[r.colourOf(r.g, p)][to]) }

func (r *run) arriveAt(p, to, node int) {
	r.lift(p)
	r.hand[p] = false
	r.at[p], r.node[p] = to, node
	r.on[to] = append(slices.Clip(r.on[to]), p)
}

// index is the index of a piece's node on its track, -1 off it.
func (st *state) indexOf(g *Game, p int) int {
	if st.node[p] < 0 {
		return none
	}
	return g.rules.Track.Runs[g.rules.Colours[st.colourOf(g, p)].Board].Nodes[st.node[p]].Index
}

// finish executes an ending as a statement.
func (r *run) finish(s *model.Stmt, v *env) {
	switch s.Ending {
	case model.EndOver:
		r.over(none)
	case model.EndDraw:
		r.over(drawn)
	}
	scope := model.ScopePlayer
	switch s.Value.Type.Kind {
	case model.Colour:
		scope = model.ScopeColour
	case model.Team:
		scope = model.ScopeTeam
	}
	who := there(r.eval(s.Value, v), s.Span)
	r.worth(s.Other, v)
	r.end(s.Ending, who, scope)
}

// worth notes what a win counts, unless it is the usual 1.
func (r *run) worth(e *model.Expr, v *env) {
	if e != nil {
		x := r.g.rules.Worth
		r.vars[r.g.slots[x.Index]] = []int{fits(r.eval(e, v), x.Low, x.High, e.Span)}
	}
}

// seats lists the players of a player, team or colour.
func (g *Game) seats(x int, scope model.Scope) []int {
	switch scope {
	case model.ScopeTeam:
		return g.rules.Teams[x]
	case model.ScopeColour:
		return []int{g.seatOf(x)}
	}
	return []int{x}
}

// end applies an ending to a player, team or colour.
func (r *run) end(ending model.EndingKind, x int, scope model.Scope) {
	seats := r.g.seats(x, scope)
	if ending == model.EndWin {
		r.over(r.g.teamOf(seats[0]))
	}
	for _, seat := range seats {
		if r.standing[seat] != playing {
			continue
		}
		kind := model.EventDrop
		if r.standing[seat] = dropped; ending == model.EndRank {
			r.standing[seat], kind = ranked, model.EventRank
			r.ranking = append(r.ranking, seat)
		}
		r.raise(event{kind: kind, args: []int{seat}})
	}
}

// lookOnce checks the endings once, and reports whether a player left the game.
func (r *run) lookOnce() bool {
	changed := false
	for _, x := range r.g.clauses[model.ClauseEnding] {
		n := 0
		switch {
		case x.Ending == model.EndOver || x.Ending == model.EndDraw:
			if r.holds(x.When, nil) {
				r.fired[x.Index]++
				if x.Ending == model.EndDraw {
					r.over(drawn)
				}
				r.over(none)
			}
		default:
			n = r.g.owners(x.Scope)
		}
		for i := range n {
			in := slices.ContainsFunc(r.g.seats(i, x.Scope), func(seat int) bool { return r.standing[seat] == playing })
			if in && r.holds(x.When, (*env)(nil).bind(x.Params[0], i)) {
				r.fired[x.Index]++
				r.worth(x.By, (*env)(nil).bind(x.Params[0], i))
				r.end(x.Ending, i, x.Scope)
				changed = true
			}
		}
	}
	return changed
}

// lookAfter checks the endings at the end of a turn.
func (r *run) lookAfter() {
	for r.lookOnce() {
	}
}

// look checks the endings. If the player in turn is out then, the turn ends.
func (r *run) look() {
	if r.lookAfter(); r.standing[r.me] != playing {
		panic(turnEnded{})
	}
}

// event is an event that reactions handle.
type event struct {
	kind   model.EventKind
	before bool
	outer  bool // raised by the engine itself: the endings are checked after each block
	zone   bool // a piece goes away from a zone
	ends   bool // the end of a turn, which cannot be ended again
	move   *model.Move
	act    *model.Act
	dice   []*model.Die
	args   []int // in the order of the clauses' parameters; for a move, its destination follows
}

func (e *event) waits(x *model.Clause) bool {
	if x.Event != e.kind {
		return false
	}
	switch e.kind {
	case model.EventLeave:
		return x.Zones || !e.zone
	case model.EventMove:
		return x.Move == e.move || x.Move == nil && movesPiece(e.move)
	case model.EventAct:
		return x.Act == e.act
	case model.EventThrow:
		return !slices.ContainsFunc(x.Dice, func(d *model.Die) bool { return !slices.Contains(e.dice, d) })
	}
	return true
}

// raise runs the reactions to an event, in file order.
func (r *run) raise(e event) {
	kind := model.ClauseOn
	if e.before {
		kind = model.ClauseBefore
	}
	for _, x := range r.g.clauses[kind] {
		if !e.waits(x) {
			continue
		}
		v := (*env)(nil).bindAll(x.Params, e.args)
		if len(e.args) > 0 {
			v = v.bind(x.To, e.args[len(e.args)-1])
		}
		if !r.holds(x.When, v) {
			continue
		}
		r.fired[x.Index]++
		switch {
		case e.ends:
			r.aside(func() { r.block(x.Block, v, false) })
			r.lookAside()
		case e.outer:
			r.block(x.Block, v, false)
			r.look()
		default:
			r.block(x.Block, v, false)
		}
	}
}
