package compile

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/ir"
)

// procKey is the cache key of a procedure.
type procKey struct {
	event  model.EventKind
	before bool
	outer  bool // raised by the engine itself: endings are checked after each block
	asked  bool // the caller has tested the condition
	move   *model.Move
	act    *model.Act
	throw  string   // names of the dice thrown
	what   string   // for procedures that are not reactions
	end    *ir.Mark // the target of a jump that ends the turn
}

// key completes the key of a procedure whose blocks may end the turn.
func (c *compiler) key(k procKey) procKey {
	k.end = c.endTurn
	return k
}

// raise calls the reactions to an event, if there are any. With outer, endings are checked after each block. If there is a
// single reaction, its condition is tested inline: a call that may reach a node costs a dozen instructions.
func (c *compiler) raise(k procKey, args ...*ir.Expr) ir.Body {
	clauses := c.clausesFor(k)
	if len(clauses) != 1 || clauses[0].When == nil || c.plain || c.notes != nil || c.uninterrupted() {
		proc := c.reactions(k, len(args))
		if proc == nil {
			return nil
		}
		return ir.Body{call(proc, args...)}
	}
	var names []*ir.Local
	var hold ir.Body
	for i, a := range args {
		name := c.parameter(k, i)
		name.NonNil = name.NonNil && !mayBeNil(a)
		names, hold = append(names, name), append(hold, ir.Assign(name, a))
	}
	x := clauses[0]
	cond := ir.With(hold, c.noteAsked(x, c.expr(x.When, reactionEnv(x, names))))
	k.asked = true
	return ir.When(cond, ir.Body{call(c.reactions(k, len(args)), args...)}, nil)
}

// clausesFor lists the clauses that react to an event, in file order.
func (c *compiler) clausesFor(k procKey) []*model.Clause {
	kind := model.ClauseOn
	if k.before {
		kind = model.ClauseBefore
	}
	return seq.Filter(c.clauses(kind), func(x *model.Clause) bool { return c.reactsTo(x, k) })
}

// reactions is the procedure with all clauses that react to an event, nil if there are none.
func (c *compiler) reactions(k procKey, params int) *ir.Proc {
	k = c.key(k)
	if p, ok := c.procs[k]; ok {
		return p
	}
	clauses := c.clausesFor(k)
	if len(clauses) == 0 {
		c.procs[k] = nil
		return nil
	}
	p := &ir.Proc{Name: eventNames[k.event], Params: seq.Of(params, func(i int) *ir.Local { return c.parameter(k, i) })}
	c.procs[k] = p
	p.Body = seq.Flat(clauses, func(x *model.Clause) ir.Body { return c.reaction(x, reactionEnv(x, p.Params), k) })
	return p
}

// parameter makes the local for a parameter of an event. Only acts, moves, and the place met by a turn at the end of the
// track may be nil.
func (c *compiler) parameter(k procKey, i int) *ir.Local {
	sure := k.event != model.EventAct && k.event != model.EventMove && !(k.event == model.EventTurned && i == 1)
	return &ir.Local{Name: "arg", NonNil: sure}
}

// mayBeNil reports whether a value is a local that may be nil.
func mayBeNil(x *ir.Expr) bool { return x.Op == ir.Use && !x.Local.NonNil }

// reactionEnv binds the names of a clause to the arguments of the event. For a move, the last argument is the place where it
// ends.
func reactionEnv(x *model.Clause, args []*ir.Local) *env {
	v := &env{}
	for i, l := range x.Params {
		if i < len(args) {
			v = v.with(l, ir.Get(args[i]))
		}
	}
	if x.To != nil {
		v = v.with(x.To, ir.Get(args[len(args)-1]))
	}
	return v
}

var eventNames = [...]string{
	model.EventThrow: "throw", model.EventLeave: "leave", model.EventStep: "step", model.EventPass: "pass", model.EventTurned: "turned",
	model.EventLand: "land", model.EventMove: "move", model.EventAct: "act", model.EventStuck: "stuck",
	model.EventTurnBegins: "turn begins", model.EventTurnEnds: "turn ends", model.EventDrop: "drop", model.EventRank: "rank",
	model.EventGameEnds: "game ends",
}

// reaction lowers one clause: its condition, its block, then the check of the endings.
func (c *compiler) reaction(x *model.Clause, v *env, k procKey) ir.Body {
	body := ir.Seq(c.fire(x), c.block(x.Block, v, false))
	if k.outer && !slices.Contains(c.counts, x) {
		written := c.writes(x.Block)
		written.add(writtenBefore(k.event))
		body = append(body, c.checkEndings(written)...)
	}
	if k.asked {
		return body
	}
	return ir.When(c.noteAsked(x, c.condition(x, v)), body, nil)
}

// fire increments the counter of a clause.
func (c *compiler) fire(x *model.Clause) *ir.Stmt {
	return &ir.Stmt{Op: ir.Native, K: int(code.Fire), Low: x.Index, Site: c.site(x.Span)}
}

// reactsTo reports whether a clause reacts to an event.
func (c *compiler) reactsTo(x *model.Clause, k procKey) bool {
	if x.Event != k.event {
		return false
	}
	switch k.event {
	case model.EventLeave:
		return x.Zones || k.what != ofZone
	case model.EventMove:
		if x.Move == nil { // move(p): any move of a piece
			return c.prog.MovesPiece[k.move.Index]
		}
		return x.Move == k.move
	case model.EventAct:
		return x.Act == k.act
	case model.EventThrow:
		thrown := strings.Fields(k.throw)
		return !slices.ContainsFunc(x.Dice, func(d *model.Die) bool { return !slices.Contains(thrown, d.Name) })
	}
	return true
}

// ofZone in a key says that the piece leaves a zone.
const ofZone = "of a zone"

// leaving raises the event that a piece leaves a place. It is nil without reactions. outer is as in raise.
func (c *compiler) leaving(p, from *ir.Expr, outer bool) ir.Body {
	k := procKey{event: model.EventLeave, outer: outer}
	square := c.raise(k, p, from)
	if square == nil {
		return nil
	}
	k.what = ofZone
	return ir.When(ir.Op2(ir.Le, ir.K(c.tables.firstSquare), from), square, c.raise(k, p, from))
}

// act is the procedure of an act: before clauses, its statements, on clauses.
func (c *compiler) act(a *model.Act) *ir.Proc {
	return c.proc(c.key(procKey{event: model.EventAct, act: a, what: "act"}), "act "+a.Name, func(p *ir.Proc) {
		v := &env{}
		var args []*ir.Expr
		for _, l := range a.Params {
			x := local(l.Name)
			p.Params = append(p.Params, x)
			args = append(args, ir.Get(x))
			v = v.with(l, ir.Get(x))
		}
		p.Body = ir.Seq(c.raise(procKey{event: model.EventAct, act: a, before: true}, args...),
			nativeOf(code.ActBegins, a.Index, args...))
		p.Body = ir.Seq(p.Body, c.block(a.Block, v, false), c.raise(procKey{event: model.EventAct, act: a}, args...))
	})
}
