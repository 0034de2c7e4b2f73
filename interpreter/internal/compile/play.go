package compile

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// play plays one number or several: it lists the options, reaches a decision, and carries out the option chosen.
func (c *compiler) play(s *model.Stmt, v *env) ir.Body {
	switch s.Play {
	case model.PlayNumber:
		number := c.expr(s.Value, v.withCells(map[model.Cell]*ir.Expr{model.CellThrown: ir.K(1), model.CellEarned: ir.K(0)}))
		return ir.Seq(c.count(number, ir.K(-1), 1), c.decide(&site{thrown: true}, nil))
	case model.PlayEarned:
		return ir.Body{c.playEarned()}
	}
	return c.playList(s, v)
}

// count starts to play one number. A number that does not fit the cell of the steps is a fault.
func (c *compiler) count(steps, with *ir.Expr, thrown int) ir.Body {
	return ir.Seq(c.noBag(), nativeOf(code.Count, thrown, steps, with))
}

// playEarned plays the numbers of the queue, the oldest first, until it is empty.
func (c *compiler) playEarned() *ir.Stmt {
	loop := ir.NewLoop()
	q, l := cell(code.CellQueue), c.layout
	body := ir.Seq(ir.BreakIf(ir.Op2(ir.Eq, q, ir.K(0)), loop), c.count(cell(l.Queue), cell(l.Queue+code.MaxQueue), 0),
		setCell(code.CellQueue, ir.Op2(ir.Sub, q, ir.K(1))))
	move := times(q, func(i *ir.Expr) ir.Body {
		next := ir.Op2(ir.Add, i, ir.K(1))
		return ir.Body{
			setCellAt(l.Queue, i, at(ir.CellAt, l.Queue, next)),
			setCellAt(l.Queue+code.MaxQueue, i, at(ir.CellAt, l.Queue+code.MaxQueue, next)),
		}
	})
	body = ir.Seq(body, ir.When(ir.Op2(ir.Lt, ir.K(0), q), move, nil), c.decide(&site{earned: true}, nil))
	return ir.LoopOf(loop, body)
}

// playList plays numbers of one list or several, option by option, in the order the player chooses: one number (any) or all.
// The kinds of play that look ahead offer only options that leave few numbers unused, or none.
func (c *compiler) playList(s *model.Stmt, v *env) ir.Body {
	out := ir.Body{setCell(code.CellThrown, ir.K(1)), setCell(code.CellEarned, ir.K(0)), setCell(code.CellWith, ir.K(-1))}
	loop := ir.NewLoop()
	var body ir.Body
	here := &site{thrown: true, list: true, play: s.Play, apart: s.Apart}
	live := s.Target != nil && !s.Play.LooksAhead() // numbers put into the bag during the play are played too
	if s.Target == nil {
		out = append(out, c.noBag()...)
	} else {
		out = append(out, c.beginBag(s.Target, v)...)
	}
	if live {
		body = append(body, c.bagNumbers(s, false)...)
	} else {
		out = append(out, c.numbers(s, v)...)
	}
	body = ir.Seq(body, ir.BreakIf(ir.Op2(ir.Eq, cell(code.CellNumbers), ir.K(0)), loop), c.tick())
	if s.Play != model.PlayAny && !live {
		here.rest = c.dropNumber()
	}
	body = ir.Seq(body, c.decide(here, ir.Body{ir.BreakTo(loop)}), only(s.Play == model.PlayAny, ir.BreakTo(loop)))
	out = ir.Seq(out, ir.LoopOf(loop, body),
		only(s.Play.LooksAhead(), nativeOf(code.MostEnds, here.number)))
	return out
}

// numbers fills the list of numbers to play: the lists of the statement, concatenated. If there are several lists, each
// number carries the index of its list.
func (c *compiler) numbers(s *model.Stmt, v *env) ir.Body {
	if s.Target != nil {
		return c.bagNumbers(s, true)
	}
	l := c.layout
	out := ir.Body{setCell(code.CellNumbers, ir.K(0))}
	if l.Lists >= 0 {
		out = append(out, c.lengths(ir.K(0), ir.K(0))...)
	}
	for i, list := range append([]*model.Expr{s.Value}, s.Args...) {
		before := local("before")
		out = ir.Seq(out, ir.Assign(before, cell(code.CellNumbers)), c.each(list, v, func(elem *ir.Expr) ir.Body {
			stmts := c.numberFits(s, ir.Op2(ir.Sub, cell(code.CellNumbers), ir.Get(before)))
			if len(s.Args) > 0 {
				stmts = append(stmts, c.failIf(ir.Op2(ir.Le, ir.K(code.MaxUnion), cell(code.CellNumbers)), code.FaultOptions, s.Span)...)
			}
			return append(stmts, c.addNumber(elem, i)...)
		}))
		if l.Lists >= 0 {
			out = append(out, c.measure(ir.Op2(ir.Sub, cell(code.CellNumbers), ir.Get(before)))...)
		}
	}
	return out
}

// numberFits faults if the list of numbers is full.
func (c *compiler) numberFits(s *model.Stmt, n *ir.Expr) ir.Body {
	return c.failIf(ir.Op2(ir.Le, ir.K(code.MaxNumbers), n), code.FaultOptions, s.Span)
}

// addNumber appends a number to the list of numbers to play.
func (c *compiler) addNumber(n *ir.Expr, list int) ir.Body {
	l, end := c.layout, cell(code.CellNumbers)
	return ir.Seq(setCellAt(l.Numbers, end, n), only(l.Lists >= 0, setCellAt(l.Lists, end, ir.K(list))),
		setCell(code.CellNumbers, ir.Op2(ir.Add, end, ir.K(1))))
}

// lengths stores the lengths of the longest and the shortest list.
func (c *compiler) lengths(longest, shortest *ir.Expr) ir.Body {
	return ir.Body{setCell(c.layout.Longest, longest), setCell(c.layout.Shortest, shortest)}
}

// measure updates these lengths with one more list. An empty list does not count.
func (c *compiler) measure(n *ir.Expr) ir.Body {
	longest, shortest := cell(c.layout.Longest), cell(c.layout.Shortest)
	hold, n := c.operand("length", n)
	out := append(hold, ir.When(ir.Op2(ir.Lt, longest, n), setCell(c.layout.Longest, n), nil)...)
	shorter := ir.OrElse(ir.Op2(ir.Eq, shortest, ir.K(0)), ir.Op2(ir.Lt, n, shortest))
	return append(out, ir.When(ir.AndAlso(ir.Op2(ir.Lt, ir.K(0), n), shorter), setCell(c.layout.Shortest, n), nil)...)
}

// dropNumber removes the number being played from the list, and moves it behind the remaining ones.
func (c *compiler) dropNumber() ir.Body {
	l := c.layout
	if l.Lists >= 0 {
		return c.dropOfLists()
	}
	i, counted, n := local("i"), local("counted"), cell(code.CellNumbers)
	move := countLoop(i, n, func(i *ir.Expr) ir.Body {
		return ir.Body{setCellAt(l.Numbers, i, at(ir.CellAt, l.Numbers, ir.Op2(ir.Add, i, ir.K(1))))}
	})
	return ir.Seq(ir.Assign(counted, at(ir.CellAt, l.Numbers, cell(code.CellNumber))),
		setCell(code.CellNumbers, ir.Op2(ir.Sub, n, ir.K(1))), ir.Assign(i, cell(code.CellNumber)), move,
		setCellAt(l.Numbers, n, ir.Get(counted)), setCell(code.CellNumber, n))
}

// dropOfLists removes the number being played from each list that has it, and removes the lists that lack it. If a list has
// no other number, none remain. The number being played moves behind the remaining ones.
func (c *compiler) dropOfLists() ir.Body {
	l := c.layout
	i, end, kept, counted := local("i"), local("end"), local("kept"), local("counted")
	list, begin, hit := local("list"), local("begin"), local("hit")
	number := func(x *ir.Local) *ir.Expr { return at(ir.CellAt, l.Numbers, ir.Get(x)) }
	of := func(x *ir.Local) *ir.Expr { return at(ir.CellAt, l.Lists, ir.Get(x)) }
	keep := func(x *ir.Local) ir.Body {
		return ir.Body{setCellAt(l.Numbers, ir.Get(kept), number(x)), setCellAt(l.Lists, ir.Get(kept), of(x)), increment(kept)}
	}
	lists, one, again, done := ir.NewLoop(), ir.NewLoop(), ir.NewLoop(), ir.NewBlock()
	// One list: from begin to i.
	round := ir.Seq(ir.BreakIf(ir.Op2(ir.Le, ir.Get(end), ir.Get(i)), lists), ir.Assign(list, of(i)),
		ir.Assign(begin, ir.Get(i)), set(hit, -1))
	find := ir.Seq(ir.BreakIf(ir.Op2(ir.Le, ir.Get(end), ir.Get(i)), one),
		ir.BreakIf(ir.Op2(ir.Ne, of(i), ir.Get(list)), one))
	first := ir.AndAlso(ir.Op2(ir.Lt, ir.Get(hit), ir.K(0)), ir.Op2(ir.Eq, number(i), ir.Get(counted)))
	find = append(find, ir.When(first, ir.Assign(hit, ir.Get(i)), nil)...)
	round = append(round, ir.LoopOf(one, find, increment(i)))
	length := ir.Op2(ir.Sub, ir.Op2(ir.Sub, ir.Get(i), ir.Get(begin)), ir.K(1))
	over := ir.Seq(setCell(code.CellNumbers, ir.K(0)), c.lengths(ir.K(0), ir.K(0)))
	has := ir.Seq(ir.When(ir.Op2(ir.Eq, length, ir.K(0)), append(over, ir.BreakTo(done)), nil), c.measure(length))
	move := ir.Seq(ir.BreakIf(ir.Op2(ir.Le, ir.Get(i), ir.Get(begin)), again),
		ir.When(ir.Op2(ir.Ne, ir.Get(begin), ir.Get(hit)), keep(begin), nil))
	has = append(has, ir.LoopOf(again, move, increment(begin)))
	round = append(round, ir.When(ir.Op2(ir.Le, ir.K(0), ir.Get(hit)), has, nil)...)
	body := ir.Seq(ir.Assign(end, cell(code.CellNumbers)), set(i, 0), set(kept, 0), c.lengths(ir.K(0), ir.K(0)),
		ir.LoopOf(lists, round), setCell(code.CellNumbers, ir.Get(kept)))
	left := cell(code.CellNumbers)
	return ir.Body{
		ir.Assign(counted, at(ir.CellAt, l.Numbers, cell(code.CellNumber))),
		ir.BlockOf(done, body),
		setCellAt(l.Numbers, left, ir.Get(counted)), setCell(code.CellNumber, left),
	}
}

// ahead is the procedure that plays on from a chosen option to the next decision of the play. The machine calls it to search
// ahead.
func (c *compiler) ahead(list ir.Body, most *ir.Stmt) *ir.Proc {
	p := &ir.Proc{Name: "play on", Body: ir.Body{setCell(code.CellAhead, ir.K(1))}}
	p.Body = ir.Seq(p.Body, c.dropNumber(), call(c.carry()), c.tick(), list, most)
	return p
}

// site is a place in the rules where options are offered.
type site struct {
	thrown, earned bool
	list           bool // the numbers to play are in the Numbers cells
	play           model.PlayKind
	apart          bool    // duties compare the options of each number separately
	rest           ir.Body // removes the number being played from the list
	explain        bool    // record the clauses that refuse an option, and go on
	number         int     // index of the play
	// enough ends the listing early in a play that looks ahead: for the last number, the search only asks whether it can be
	// used.
	enough *ir.Label
	// In a play that looks ahead: whether the options are listed again with the result of the search, and whether pieces are alike.
	twice, alike bool
}

// times is how often a clause counts at least: twice if the options are listed once where they could be listed twice.
func (s *site) times() int {
	if s.twice {
		return 1
	}
	return 2
}

// decide lists the options and carries out the one chosen. stuck runs if there is no option.
func (c *compiler) decide(s *site, stuck ir.Body) ir.Body {
	s.number = len(c.prog.Plays)
	if s.play.LooksAhead() {
		s.alike = c.alike()
		s.twice = !c.masked() || c.notes != nil || c.asksUsable()
	}
	c.prog.Plays = append(c.prog.Plays, code.Play{})
	gen := c.generator(s)
	explaining := *s
	explaining.explain = true
	var entry *ir.Proc
	c.withoutNotes(func() { entry = c.generator(&explaining) })
	entry.Entry = true
	c.explains = append(c.explains, entry)
	list := ir.Body{call(gen)}
	if s.play.LooksAhead() { // list, search ahead, then list again with the result of the search if a rule asks for it
		if s.alike || !s.twice {
			list = ir.Body{native(code.Times, ir.K(s.times())), list[0], native(code.Times, ir.K(1))}
		}
		list = ir.Seq(setCell(code.CellUsable, ir.K(0)), list)
		most := nativeOf(code.Most, s.number, ir.K(code.Truth(s.twice)))
		most.Proc = c.ahead(list, most)
		list = append(list, most)
		if s.twice {
			list = append(list, list[1:len(list)-1]...)
		}
		list = ir.Seq(list, c.fewerOut(s), c.filter(s))
	}
	n := &ir.Expr{Op: ir.Offers}
	none := ir.Seq(c.raise(procKey{event: model.EventStuck, outer: true}), stuck)
	many := ir.Body{{Op: ir.Suspend, K: int(code.NodeOption), Low: s.number}, native(code.Take, &ir.Expr{Op: ir.Result})}
	one := ir.Body{native(code.Take, ir.K(0))}
	carry := ir.Seq(s.rest, call(c.carry()))
	c.prog.Plays[s.number].List = -1
	sheet := c.sheet(s)
	if sheet == nil {
		some := ir.Seq(&ir.Stmt{Op: ir.If, A: ir.Op2(ir.Lt, ir.K(1), n), Body: many, Else: one}, carry)
		return append(list, ir.When(ir.Op2(ir.Eq, n, ir.K(0)), none, some)...)
	}
	// If the bitsets give the number of options, the plain form lists them only on demand.
	c.listings = append(c.listings, listing{s.number, &ir.Proc{Name: "list", Entry: true, Body: slices.Clone(list)}})
	done, taken := ir.NewBlock(), ir.NewBlock()
	nothing := ir.Seq(none, ir.BreakTo(done))
	slow := ir.Seq(list, ir.When(ir.Op2(ir.Eq, n, ir.K(0)), nothing, nil),
		&ir.Stmt{Op: ir.If, A: ir.Op2(ir.Lt, ir.K(1), n), Body: many, Else: one}, ir.BreakTo(taken))
	rows := &ir.Stmt{Op: ir.Decide, K: s.number, A: sheet, Body: nothing, Else: slow}
	return ir.Body{ir.BlockOf(done, ir.BlockOf(taken, rows), carry)}
}

// listing is the procedure that lists the options of a play in the plain form.
type listing struct {
	play int
	proc *ir.Proc
}

// generator is the procedure that lists the options of a site. An option is offered by may and not forbidden by never. Each
// is recorded with the bitset of duties it meets; then the duties filter the options, and duplicates are merged.
func (c *compiler) generator(s *site) *ir.Proc {
	p := &ir.Proc{Name: "options"}
	p.Body = ir.Body{native(code.OptReset)}
	if s.enough = nil; s.play.LooksAhead() && !s.explain {
		s.enough = ir.NewBlock()
	}
	steps := cell(code.CellSteps)
	otherwise, others := false, local("others")
	offer := func(number *ir.Expr, v *env) (out ir.Body) {
		for _, x := range c.clauses(model.ClauseMay) {
			if x.Otherwise != otherwise {
				continue
			}
			g := &offering{c: c, site: s, may: x, number: number, duties: c.clauses(model.ClauseMust), others: others}
			if !s.explain {
				out = append(out, c.note(NoteAsked, x.Span)...)
			}
			out = append(out, c.from(x.Span, g.params(0, v))...)
		}
		return out
	}
	words := map[model.Cell]*ir.Expr{model.CellThrown: ir.K(code.Truth(s.thrown)), model.CellEarned: ir.K(code.Truth(s.earned))}
	phase := func() ir.Body {
		if !s.list {
			words[model.CellSteps] = steps
			return offer(ir.K(0), (&env{}).withCells(words))
		}
		end := cell(code.CellNumbers)
		j, new, fresh := local("j"), local("steps"), ir.NewBlock()
		list := times(end, func(i *ir.Expr) ir.Body {
			known := countLoop(j, i, func(j *ir.Expr) ir.Body {
				return ir.BreakIf(ir.Op2(ir.Eq, at(ir.CellAt, c.layout.Numbers, j), ir.Get(new)), fresh)
			})
			words[model.CellSteps] = ir.Get(new)
			return ir.Body{ir.BlockOf(fresh, ir.Assign(new, at(ir.CellAt, c.layout.Numbers, i)), set(j, 0), known, // skip duplicate numbers
				offer(i, (&env{}).withCells(words)))}
		})
		if s.enough != nil {
			list = ir.Body{ir.BlockOf(s.enough, list)}
		}
		return list
	}
	p.Body = append(p.Body, phase()...)
	if slices.ContainsFunc(c.clauses(model.ClauseMay), func(x *model.Clause) bool { return x.Otherwise }) {
		// Offered if there is no other option. The search ahead does not count it as a use of a number.
		otherwise = true
		more := phase()
		n := &ir.Expr{Op: ir.Offers}
		if s.explain {
			p.Body = ir.Seq(p.Body, ir.Assign(others, n), more)
		} else {
			none := ir.Op2(ir.Both, ir.Op2(ir.Eq, n, ir.K(0)), ir.Op2(ir.Eq, cell(code.CellAhead), ir.K(0)))
			p.Body = append(p.Body, ir.When(none, more, nil)...)
		}
	}
	switch {
	case s.play.LooksAhead() && s.explain:
		p.Body = ir.Seq(p.Body, nativeOf(code.Most, s.number, ir.K(0)), c.fewerOut(s), c.filter(s))
	case !s.play.LooksAhead():
		p.Body = ir.Seq(p.Body, c.filter(s))
	}
	return p
}

// fewerOut drops the options after which fewer numbers can be used than after others. In a play of all numbers, it drops
// every option if numbers are left over.
func (c *compiler) fewerOut(s *site) ir.Body {
	out := ir.Body{native(code.FewerOut, ir.K(code.Truth(s.explain)))}
	if s.play != model.PlayAll {
		return out
	}
	use := func(n int) ir.Body { return ir.Body{setCell(code.CellUsable, ir.K(n))} }
	usable := cell(code.CellUsable)
	return ir.Seq(ir.When(ir.Op2(ir.Lt, usable, cell(c.layout.Longest)), use(-1), nil), out,
		ir.When(ir.Op2(ir.Lt, usable, ir.K(0)), use(0), nil))
}

// filter filters the options by duty and merges duplicates.
func (c *compiler) filter(s *site) *ir.Stmt {
	play := s.number
	if s.explain {
		play = -1
	}
	out := native(code.Filter, ir.K(play), ir.K(code.Truth(s.apart)))
	if c.prog.WalkEnds && !s.explain {
		out.Proc = c.carry()
	}
	return out
}

// offering generates the options of one may clause.
type offering struct {
	c      *compiler
	site   *site
	may    *model.Clause
	number *ir.Expr
	duties []*model.Clause
	others *ir.Local // for an explaining site and an otherwise clause: the number of options before it
	args   [4]*ir.Expr
}

// params binds the clause's parameters by nested loops.
func (g *offering) params(i int, v *env) ir.Body {
	m := g.may.Move
	if i < len(m.Params) {
		each := func(body func(*ir.Expr) ir.Body) ir.Body { return g.c.each(m.Sets[i], v, body) }
		if i == 0 && g.site.alike && !g.site.explain && m.Sets[i].Type.Kind == model.Piece && g.c.ascending(m.Sets[i], v) {
			if set := g.c.mask(m.Sets[i], v); set != nil {
				each = func(body func(*ir.Expr) ir.Body) ir.Body { return g.c.eachAlike(set, g.site.times(), body) }
			}
		}
		return each(func(elem *ir.Expr) ir.Body {
			x := &ir.Local{Name: m.Params[i].Name, NonNil: distinct(m.Sets[i]) && !mayBeNil(elem)}
			g.args[i] = ir.Get(x)
			body := g.params(i+1, v.with(m.Params[i], ir.Get(x)))
			return ir.Seq(ir.Assign(x, elem), body)
		})
	}
	for i := len(m.Params); i < 4; i++ {
		g.args[i] = ir.K(-1)
	}
	return g.numbers(g.bind(g.may.Params, v))
}

// bind binds the names of a clause, or of the move itself, to the arguments of the move being offered.
func (g *offering) bind(names []*model.Local, v *env) *env {
	for i, l := range names {
		v = v.with(l, g.args[i])
	}
	return v
}

// numbers loops over the numbers of by, after the conditions on the piece.
func (g *offering) numbers(v *env) ir.Body {
	c, m := g.c, g.may.Move
	next := func() ir.Body {
		if g.may.By == nil {
			return g.condition(v)
		}
		count := func(number *ir.Expr) ir.Body {
			x := local("steps")
			return ir.Seq(ir.Assign(x, number), c.fits(x, g.may.By),
				g.condition(v.withCells(map[model.Cell]*ir.Expr{model.CellSteps: ir.Get(x)})))
		}
		if !g.may.By.Type.List {
			return count(c.expr(g.may.By, v))
		}
		return c.each(g.may.By, v, count)
	}
	cond := ir.K(1)
	if g.site.earned {
		with := cell(code.CellWith)
		cond = ir.Op2(ir.Lt, with, ir.K(0))
		if c.prog.MovesPiece[m.Index] {
			cond = ir.OrElse(cond, ir.Op2(ir.Eq, with, g.args[0]))
		}
	}
	if m.From != nil {
		cond = ir.AndAlso(cond, c.expr(m.From, g.bind(m.Params, v)))
	}
	if cond.Is(0) {
		return nil
	}
	return ir.When(cond, next(), nil)
}

// condition tests when, then finds where the option ends. An explaining site records the clause instead of stopping.
func (g *offering) condition(v *env) ir.Body {
	c := g.c
	cond := ir.K(1)
	if g.may.To == nil { // otherwise the condition may depend on where the option ends
		cond = c.holds(g.may.When, v)
	}
	if g.site.explain {
		out := ir.Seq(native(code.Unreasoned), ir.When(cond, nil, c.reason(g.may)))
		if g.may.Otherwise {
			out = append(out, ir.When(ir.Op2(ir.Ne, ir.Get(g.others), ir.K(0)), c.reason(g.may), nil)...)
		}
		return append(out, g.displacement(v)...)
	}
	if cond.Is(0) {
		return nil
	}
	return ir.When(cond, g.displacement(v), nil)
}

func (c *compiler) reason(x *model.Clause) *ir.Stmt {
	return nativeOf(code.Reason, x.Index)
}

// displacement finds where the option ends.
func (g *offering) displacement(v *env) (stmts ir.Body) {
	c, m := g.c, g.may.Move
	p := g.args[0]
	if m.Kind != model.MoveNothing && !c.nonNil(p) {
		there := &ir.Local{Name: p.Local.Name, NonNil: true}
		defer func(was *ir.Expr) {
			g.args[0] = was
			stmts = ir.Seq(ir.Assign(there, ir.Must(was)), stmts)
		}(p)
		p = ir.Get(there)
		g.args[0] = p
	}
	if c.prog.Traced && m.Kind != model.MoveWalk { // this move has no path
		defer func() { stmts = ir.Seq(native(code.PathReset), stmts) }()
	}
	switch m.Kind {
	case model.MoveTo:
		to, node := &ir.Local{Name: "to", NonNil: true}, local("node")
		colour := c.colourOf(p)
		key := ir.Op2(ir.Add, ir.Op2(ir.Mul, colour, ir.K(c.layout.Places)), ir.Get(to))
		out := ir.Body{
			ir.Assign(to, c.must(m.Where, g.bind(m.Params, v))),
			ir.Assign(node, at(ir.Table, c.tables.nodeAt, key)),
		}
		return append(out, g.option(ir.Get(to), ir.Get(node), ir.K(1), ir.K(0), v)...)
	case model.MoveStay:
		return g.option(at(ir.CellAt, c.layout.At, p), at(ir.CellAt, c.layout.Node, p), ir.K(1), ir.K(0), v)
	case model.MoveWalk:
		return g.walk(v)
	}
	to := ir.K(-1)
	if c.prog.MovesPiece[m.Index] {
		to = at(ir.CellAt, c.layout.At, p)
	}
	return g.option(to, ir.K(-1), ir.K(1), ir.K(0), v)
}

// colourOf is the colour of a piece.
func (c *compiler) colourOf(p *ir.Expr) *ir.Expr {
	if c.layout.Owner >= 0 {
		return at(ir.CellAt, c.layout.Owner, p)
	}
	return at(ir.Table, c.tables.pieceColour, p)
}

// option tests the never clauses, computes the duties, and emits the option.
func (g *offering) option(to, node, heading, walk *ir.Expr, v *env) ir.Body {
	c := g.c
	out, to := c.operand("to", to)
	skip := ir.NewBlock()
	var body ir.Body
	refuse := func(x *model.Clause, cond *ir.Expr) {
		says := ir.Body{c.reason(x)}
		if !g.site.explain {
			says = ir.Body{ir.BreakTo(skip)}
			if x.Kind == model.ClauseNever {
				says = ir.Body{c.fire(x), ir.BreakTo(skip)}
			}
		}
		body = append(body, ir.When(cond, says, nil)...)
	}
	if g.may.To != nil && g.may.When != nil && !g.nowhere(to) {
		refuse(g.may, ir.Negate(c.expr(g.may.When, v.with(g.may.To, to))))
	}
	for _, x := range c.clauses(model.ClauseNever) {
		refuse(x, g.matches(x, to, v))
	}
	// Duties that are constant for this option are known now; emit a test for the others.
	duties, sure := local("duties"), 0
	if g.may.Despite {
		sure = code.Spared
	}
	var asked ir.Body
	for i, x := range g.duties {
		cond := g.matches(x, to, v)
		if cond.Op == ir.Const {
			sure |= cond.K << i
			continue
		}
		meets := ir.Assign(duties, &ir.Expr{Op: ir.Or, A: ir.Get(duties), B: ir.K(1 << i)})
		asked = append(asked, ir.When(cond, meets, nil)...)
	}
	body = ir.Seq(body, set(duties, sure), asked)
	steps := v.cells[model.CellSteps]
	body = append(body, c.note(NoteSaid, g.may.Span)...)
	body = append(body, nativeOf(code.Emit, g.may.Index,
		ir.K(g.may.Move.Index), g.args[0], g.args[1], g.args[2], g.args[3], to, node, steps, heading, g.number, ir.Get(duties), walk,
	))
	if g.site.enough != nil {
		last := ir.Op2(ir.Both, ir.Op2(ir.Ne, cell(code.CellAhead), ir.K(0)), ir.Op2(ir.Eq, cell(code.CellNumbers), ir.K(1)))
		body = append(body, ir.BreakIf(last, g.site.enough)...)
	}
	return append(out, ir.BlockOf(skip, body))
}

// nowhere reports whether an explaining walk has no end. No clause can then be evaluated about it.
func (g *offering) nowhere(to *ir.Expr) bool { return g.site.explain && to.Is(-1) }

// matches is the condition that a must or never clause applies to the option.
func (g *offering) matches(x *model.Clause, to *ir.Expr, v *env) *ir.Expr {
	cond := g.like(x, to, v)
	for _, y := range x.Or {
		cond = ir.OrElse(cond, g.like(y, to, v))
	}
	return cond
}

func (g *offering) like(x *model.Clause, to *ir.Expr, v *env) *ir.Expr {
	c := g.c
	if x.Move != nil && x.Move != g.may.Move || x.Move == nil && !c.prog.MovesPiece[g.may.Move.Index] {
		return ir.K(0)
	}
	if x.To != nil && g.nowhere(to) {
		return ir.K(0)
	}
	return c.noteAsked(x, c.holds(x.When, g.bind(x.Params, v).with(x.To, to)))
}
