package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// around is the context of a block, which limits its statements.
type around struct {
	turn    bool // the turn itself, where play is allowed
	noTurn  bool // setup and turn ends: there is no turn to end
	noThrow bool
	effect  int // it may raise only later elements of gen.effects; -1 means all
	deep    int // number of enclosing blocks
}

// mayRaise reports whether a block may raise an act or event.
func (g *gen) mayRaise(a around, effect string) bool {
	return slices.Index(g.effects, effect) > a.effect && !(a.noThrow && strings.HasPrefix(effect, "throw"))
}

// raised is the context of the block of an act or event: it may raise only later ones.
func (g *gen) raised(a around, effect string) around {
	a.effect = slices.Index(g.effects, effect)
	return a
}

// block makes statements in braces, on one line or several.
func (g *gen) block(a around, most int) string {
	list := g.stmts(a, g.between(1, most))
	if a.deep == 0 && a.effect < 0 && !a.noTurn && g.chance(5) {
		list = append(list, "end turn")
	}
	return g.braces(list)
}

func (g *gen) braces(list []string) string {
	long := slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, "\n") })
	if text := strings.Join(list, "; "); !long && len(text) < 60 && g.chance(70) {
		return "{ " + text + " }"
	}
	return "{\n" + indent(strings.Join(list, "\n")) + "\n}"
}

// stmts makes n statements. A statement that ends the turn or the game is the last one.
func (g *gen) stmts(a around, n int) []string {
	locals := len(g.locals)
	var out []string
	for range n {
		s, last := g.stmt(a)
		if g.chance(3) && !strings.Contains(s, "\n") {
			s += " [G-" + fmt.Sprint(g.between(1, 9)) + "]"
		}
		out = append(out, s)
		if last {
			break
		}
	}
	g.locals = g.locals[:locals]
	return out
}

// stmt makes a statement; last means that no statement after it can be reached.
func (g *gen) stmt(a around) (text string, last bool) {
	inner := a
	inner.deep++
	ways := []way{{"assign", 14, func() { text = g.assign() }}}
	add := func(what string, weight int, do func()) { ways = append(ways, way{what, weight, do}) }
	if a.deep < 3 {
		add("if", 6, func() {
			text = "if " + g.cond(2) + " " + g.block(inner, 2)
			for g.chance(15) {
				text += " else if " + g.expr(one(flag), 1) + " " + g.block(inner, 1)
			}
			if g.chance(30) {
				text += " else " + g.block(inner, 2)
			}
		})
		add("for", 4, func() {
			k, list := g.some(1)
			if k == offer {
				k, list = piece, atom("mine")
			}
			name := g.local(k)
			inner := inner
			inner.turn = inner.turn && g.chance(20)
			g.bind([]named{{name, one(k)}}, func() { text = "for " + name + " in " + list.text + " " + g.block(inner, 2) })
		})
	}
	if g.mayRaise(a, "leave") {
		add("put", 5, func() {
			form := pick(g, []string{"put %s on %s", "send %s to %s"})
			text = fmt.Sprintf(form, g.sure(one(piece), 2).text, g.sure(one(place), 2).text)
		})
		add("exchange", 3, func() { text = "exchange " + g.sure(one(piece), 2).text + ", " + g.sure(one(piece), 2).text })
	}
	if g.gives {
		add("give", 5, func() {
			text = "give " + g.sure(one(piece), 2).text + " to " + g.sure(one(colour), 1).text
		})
	}
	if d := g.throwable(a); d != "" {
		add("throws", 2, func() { text = "throw " + d })
	}
	if !a.noTurn {
		add("earn", 4, func() {
			text = "earn " + g.expr(one(number), 1)
			if g.chance(40) {
				text += " with " + g.sure(one(piece), 2).text
			}
		})
		guard := func(s string) string {
			if g.chance(80) {
				return "if " + g.cond(2) + " { " + s + " }"
			}
			return s
		}
		add("again", 3, func() { text = guard("again") })
		add("end turn", 2, func() { text = guard("end turn"); last = text == "end turn" })
		add("undo turn", 3, func() { text = guard("undo turn"); last = text == "undo turn" })
	}
	add("earn for", 2, func() { text = "earn " + g.expr(one(number), 1) + " for " + g.sure(one(player), 2).text })
	add("choose", 5, func() { text = g.choose() })
	add("let", 5, func() {
		k := pick(g, []kind{number, number, flag, piece, piece, place, colour, player, team})
		name, value := g.local(k), g.sure(one(k), 2).text
		g.locals = append(g.locals, named{name, one(k)}) // in scope for the rest of the block
		text = "let " + name + " = " + value
	})
	for _, x := range g.acts {
		if g.mayRaise(a, "act "+x.name) {
			add("do", 3, func() { text = "do " + g.do(x) })
		}
	}
	if a.turn {
		add("play", 3, func() { text = g.play() })
	}
	for _, word := range []string{"rank", "drop"} {
		if g.mayRaise(a, word) {
			add(word, 1, func() {
				text = "if " + g.cond(2) + " { " + word + " " + g.sure(one(pick(g, []kind{player, player, team, colour})), 1).text + " }"
			})
		}
	}
	if g.chance(10) {
		add("over", 2, func() {
			end := pick(g, []string{"over", "draw", "win " + g.sure(one(pick(g, []kind{player, team, colour})), 1).text + g.worth()})
			text = "if " + g.expr(one(flag), 2) + " && " + g.late() + " { " + end + " }"
		})
	}
	g.one(ways...)
	return text, last
}

// late makes a condition that is true after some turns, if the book counts them.
func (g *gen) late() string {
	if v := seq.First(g.vars, func(v *variable) bool { return v.counter }); v != nil {
		return fmt.Sprintf("%s > %d", v.name, g.between(2, 8))
	}
	return "true"
}

// throwable names dice that a block may throw, "" if there are none.
func (g *gen) throwable(a around) string {
	can := seq.Filter(g.dice, func(d die) bool { return g.mayRaise(a, "throw "+d.name) })
	if len(can) == 0 {
		return ""
	}
	d := pick(g, can)
	if o := pick(g, can); o.name != d.name && !d.choice && !o.choice {
		return d.name + ", " + o.name
	}
	return d.name
}

func (g *gen) do(x act) string {
	args := seq.Map(x.params, func(k kind) string { return g.sure(one(k), 2).text })
	return x.name + "(" + strings.Join(args, ", ") + ")"
}

// target makes an assignable variable, and its text.
func (g *gen) target() (*variable, string) {
	type owner struct {
		text string
		kind kind
	}
	owners := []owner{{"me", player}, {"me.team", team}}
	for _, l := range g.locals {
		switch l.typ {
		case one(piece):
			owners = append(owners, owner{l.name, piece}, owner{l.name, piece}, owner{l.name + ".player", player}, owner{l.name + ".colour", colour}, owner{l.name + ".team", team})
		case one(player):
			owners = append(owners, owner{l.name, player}, owner{l.name + ".team", team})
		case one(colour):
			owners = append(owners, owner{l.name, colour})
		case one(team):
			owners = append(owners, owner{l.name, team})
		}
	}
	c := pick(g, g.colours)
	owners = append(owners, owner{c, colour}, owner{c + ".player", player})
	type found struct {
		v    *variable
		text string
	}
	var all []found
	for _, v := range g.vars {
		if v.counter {
			continue
		}
		if v.owner() == "" {
			all = append(all, found{v, v.name}, found{v, v.name})
		}
		for _, o := range owners {
			if o.kind == v.owner() {
				all = append(all, found{v, o.text + "." + v.name})
			}
		}
	}
	x := pick(g, all) // there is always a variable of the game
	return x.v, x.text
}

func (g *gen) assign() string {
	v, text := g.target()
	if v.typ.list {
		switch g.n(5) {
		case 0:
			if v.typ.kind == number {
				return fmt.Sprintf("%s = [%d, %d]", text, g.between(v.low, v.high), g.between(v.low, v.high))
			}
			return text + " = " + g.expr(v.typ, 2)
		case 1:
			return text + " -= " + g.element(v)
		case 2:
			switch {
			case v.bag:
				form := pick(g, []string{"if len(%[1]s) < 9 { %[1]s += %[1]s }", "%[1]s -= %[1]s", "%[1]s = filter(%[1]s, # > 1)"})
				return fmt.Sprintf(form, text)
			case v.typ.kind != number:
				return text + pick(g, []string{" += ", " -= "}) + g.expr(v.typ, 2)
			}
		}
		return text + " += " + g.element(v)
	}
	if v.typ.kind != number {
		return text + " = " + g.expr(v.typ, 2)
	}
	if v.low > -1000 { // it has a range that must be respected
		switch g.n(6) {
		case 0:
			return fmt.Sprintf("%s = %d", text, g.between(v.low, v.high))
		case 1:
			return fmt.Sprintf("if %s < %d { %s += 1 }", text, v.high, text)
		case 2:
			return fmt.Sprintf("if %s > %d { %s -= 1 }", text, v.low, text)
		}
		if g.chance(94) {
			return fmt.Sprintf("%s = max(%d, min(%d, %s))", text, v.low, v.high, g.expr(one(number), 2))
		}
	}
	return text + pick(g, []string{" = ", " += ", " -= ", " += "}) + g.expr(one(number), 2)
}

// element makes an element for a set.
func (g *gen) element(v *variable) string {
	if v.typ.kind == number {
		if g.chance(60) {
			return fmt.Sprint(pick(g, []int{g.between(v.low, v.high), v.high}))
		}
		return fmt.Sprintf("max(%d, min(%d, %s))", v.low, v.high, g.expr(one(number), 2))
	}
	return g.sure(v.typ.elem(), 2).text
}

// choose makes a choice by a player: of a new name, or for a variable.
func (g *gen) choose() string {
	words := pick(g, []string{"", " \"Which one?\""})
	by := ""
	if g.chance(35) {
		by = " by " + g.sure(one(player), 1).text
	}
	if g.chance(35) {
		if v, text := g.target(); !v.typ.list {
			switch {
			case v.typ.kind != number:
				return "choose " + text + words + " from " + g.expr(listOf(v.typ.kind), 2) + by
			case v.low > -1000:
				return fmt.Sprintf("choose %s%s from %d..%d%s", text, words, v.low, min(v.high, v.low+2), by)
			}
			return fmt.Sprintf("choose %s%s from [%d, %d]%s", text, words, g.between(-1, 2), g.between(3, 5), by)
		}
	}
	if g.chance(20) {
		name := g.local(flag)
		g.locals = append(g.locals, named{name, one(flag)})
		return "choose " + name + words + by
	}
	none := ""
	if g.chance(30) {
		none = " or none"
	}
	k, list := g.some(2)
	if k == offer {
		k, list = piece, atom("mine")
	}
	if list.text == "[]" {
		list = atom("%s", g.plainList(k))
	}
	name := g.local(k)
	g.locals = append(g.locals, named{name, one(k)}) // in scope for the rest of the block
	return "choose " + name + words + " from " + list.text + none + by
}

// bag names a bag, "" if there is none.
func (g *gen) bag() string {
	var all []string
	for _, v := range g.vars {
		if owner := map[kind]string{"": "", player: "me.", team: "me.team.", colour: "hand[0]."}; v.bag && v.owner() != piece {
			all = append(all, owner[v.owner()]+v.name)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return pick(g, all)
}

// play is a play of the turn.
func (g *gen) play() string {
	if g.chance(25) {
		return "play earned"
	}
	d := pick(g, g.dice).name
	if g.ordinary || g.chance(40) {
		if g.chance(25) {
			return "play " + g.expr(one(number), 2)
		}
		return "play " + d
	}
	list := "[" + d + ", " + pick(g, g.dice).name + "]"
	if g.chance(20) {
		list = "[" + d + ", " + g.expr(one(number), 1) + "]"
	}
	if g.chance(10) {
		list = g.expr(listOf(number), 2)
	}
	how := []string{"any", "each"}
	if g.most {
		how = []string{"most", "most", "all"}
	}
	if g.chance(15) {
		list += " or [" + d + " + 1]" + pick(g, []string{"", " or [1, " + d + ", 2]"})
	} else if bag := g.bag(); bag != "" && g.chance(50) {
		list = bag
	}
	return "play " + pick(g, how) + " of " + list + pick(g, []string{"", "", "", " apart"})
}
