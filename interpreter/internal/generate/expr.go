package generate

import (
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// ex is the text of an expression; atom means that it needs no brackets as an operand.
type ex struct {
	text string
	atom bool
}

func (e ex) operand() string {
	if e.atom {
		return e.text
	}
	return "(" + e.text + ")"
}

func atom(format string, args ...any) ex  { return ex{fmt.Sprintf(format, args...), true} }
func loose(format string, args ...any) ex { return ex{fmt.Sprintf(format, args...), false} }

// expr makes an expression of a type, with a nesting depth of about deep.
func (g *gen) expr(t typ, deep int) string { return g.value(t, deep).text }

// when makes a condition with its keyword, with a probability in percent.
func (g *gen) when(percent, deep int) string {
	if !g.chance(percent) {
		return ""
	}
	return " when " + g.cond(deep)
}

// cond makes a condition: often only a let, or one over a local name.
func (g *gen) cond(deep int) string {
	var lets []*let
	for i := range g.lets {
		if l := &g.lets[i]; l.typ == one(flag) && len(l.params) > 0 && l.needs == (context{}) {
			lets = append(lets, l)
		}
	}
	text := ""
	g.one(
		way{"any condition", 4, func() { text = g.expr(one(flag), deep) }},
		way{"a let's condition", 2, func() {
			if len(lets) > 0 {
				text = g.call(pick(g, lets), 1)
			}
		}},
		way{"a local's condition", 4, func() {
			if len(g.locals) > 0 {
				text = g.about(pick(g, g.locals))
			}
		}},
	)
	switch {
	case text == "":
		return g.expr(one(flag), deep)
	case g.chance(20):
		return g.value(one(flag), 1).operand() + pick(g, []string{" && ", " || "}) + "(" + text + ")"
	case g.chance(10):
		return "!(" + text + ")"
	}
	return text
}

// about makes a condition over a local name that is true for some values and false for others.
func (g *gen) about(l named) string {
	if l.typ.list {
		return fmt.Sprintf("len(%s) %s %d", l.name, pick(g, []string{"==", ">", "<"}), g.between(0, 3))
	}
	switch l.typ.kind {
	case number:
		return fmt.Sprintf("%s %s %d", l.name, pick(g, []string{"==", ">", "<"}), g.between(0, 4))
	case flag:
		return l.name
	case place:
		return g.aboutPlace(l.name)
	case piece:
		switch g.n(5) {
		case 0:
			return g.written(l.name, piece)
		case 1:
			return fmt.Sprintf("%s.index %s %d", l.name, pick(g, []string{"==", ">", "<"}), g.between(0, 6))
		case 2:
			return fmt.Sprintf("%s == %s", l.name, g.sure(one(piece), 1).operand())
		}
		return g.aboutPlace(l.name + ".at")
	}
	if g.chance(50) {
		return g.written(l.name, l.typ.kind)
	}
	return fmt.Sprintf("%s(%s.pieces, %s)", pick(g, []string{"any", "all", "none"}), l.name, g.aboutPlace(".at"))
}

// aboutPlace makes a condition over a place.
func (g *gen) aboutPlace(s string) string {
	switch g.n(8) {
	case 0:
		return s + "." + pick(g, g.board.flags)
	case 5:
		return fmt.Sprintf("%s(%s.pieces) %s nil", pick(g, []string{"first", "last"}), s, pick(g, []string{"==", "!="}))
	case 1:
		return fmt.Sprintf("len(%s.pieces) %s %d", s, pick(g, []string{"==", ">", "<"}), g.between(0, 3))
	case 2, 6, 7:
		owners := []string{pick(g, g.colours)}
		for _, l := range g.locals {
			if l.typ == one(piece) {
				owners = []string{l.name, l.name, l.name, pick(g, g.colours)}
			}
		}
		if s == ".at" {
			owners = []string{""}
		}
		return fmt.Sprintf("%s == %s.%s", s, pick(g, owners), pick(g, g.board.landmarks))
	case 3:
		return fmt.Sprintf("any(%s.pieces, .colour %s)", s, pick(g, []string{"in hand", "not in hand", "== " + pick(g, g.colours)}))
	}
	return fmt.Sprintf("%s == %s", s, pick(g, []string{"shore", "home", g.square(), g.square()}))
}

// call makes a call of a let.
func (g *gen) call(l *let, deep int) string {
	args := seq.Map(l.params, func(p typ) string { return g.argument(p, deep) })
	return l.name + "(" + strings.Join(args, ", ") + ")"
}

// sure makes an expression that is never nil, most of the time.
func (g *gen) sure(t typ, deep int) ex {
	was := g.solid
	g.solid = g.chance(g.care)
	e := g.value(t, deep)
	for e.text == "nil" {
		g.solid = true
		e = g.value(t, deep)
	}
	g.solid = was
	return e
}

// offered is a candidate for an expression, with its weight.
type offered struct {
	weight int
	make   func() ex
}

// value makes an expression of a type.
func (g *gen) value(t typ, deep int) ex {
	var ways []offered
	add := func(weight int, make func() ex) { ways = append(ways, offered{weight, make}) }
	say := func(weight int, text string) {
		add(weight, func() ex { return ex{text, !strings.Contains(text, "..") && text[0] != '-'} })
	}
	g.known(t, deep, add)
	g.leaves(t, say)
	if deep > 0 {
		if t.list {
			g.lists(t, deep-1, add)
		} else {
			g.fields(t, deep-1, add)
			g.compound(t, deep-1, add)
		}
	}
	return weighted(g, ways, func(w offered) int { return w.weight }).make()
}

// known offers the names in scope: locals, the current element, lets, dice and variables.
func (g *gen) known(t typ, deep int, add func(int, func() ex)) {
	name := func(weight int, text string) { add(weight, func() ex { return atom("%s", text) }) }
	for _, l := range g.locals {
		if l.typ == t {
			name(9, l.name)
		}
	}
	if n := len(g.elems); n > 0 && g.elems[n-1] == t {
		name(14, "#")
	}
	if n := len(g.elems); n > 1 && g.elems[n-2] == t {
		name(8, "#outer")
	}
	for i := range g.lets {
		l := &g.lets[i]
		if l.typ != t || l.needs.step && !g.where.step || l.needs.before && !g.where.before || l.needs.moving && !g.where.moving ||
			len(l.params) > 0 && deep <= 0 || g.solid && t.kind.ref() && !t.list {
			continue
		}
		add(3+2*len(l.params), func() ex {
			if len(l.params) == 0 {
				return atom("%s", l.name)
			}
			return atom("%s", g.call(l, min(deep-1, 1)))
		})
	}
	for _, v := range g.vars {
		if v.owner() == "" && v.typ == t && (!g.solid || t.list || !t.kind.ref()) {
			name(4, v.name)
		}
	}
	if t == one(number) {
		for _, d := range g.dice {
			name(3, d.name)
		}
		for _, o := range g.options {
			if o.kind == "number" {
				name(2, o.name)
			}
		}
	}
	if t == one(flag) {
		for _, o := range g.options {
			switch o.kind {
			case "flag":
				name(1, o.name)
			case "word":
				add(1, func() ex { return loose("%s %s %q", o.name, pick(g, []string{"==", "!="}), pick(g, o.values)) })
			}
		}
	}
}

// argument makes an argument of a let: often a field of a piece in scope.
func (g *gen) argument(t typ, deep int) string {
	field := map[typ]string{one(place): ".at", one(colour): ".colour", one(player): ".player", one(team): ".team", one(number): ".index"}[t]
	if field != "" && g.chance(50) {
		if l := seq.First(g.locals, func(l named) bool { return l.typ == one(piece) }); l.name != "" {
			return l.name + field
		}
		if n := len(g.elems); n > 0 && g.elems[n-1] == one(piece) {
			return field
		}
	}
	return g.sure(t, deep).text
}

// leaves offers expressions without operands.
func (g *gen) leaves(t typ, say func(int, string)) {
	moving := 0
	if g.where.moving {
		moving = 4
	} else if g.chance(3) {
		moving = 1
	}
	if t.list {
		switch t.kind {
		case number:
			say(3, fmt.Sprintf("[%d, %d]", g.between(0, 3), g.between(1, 4)))
			say(3, fmt.Sprintf("%d..%d", g.between(0, 2), g.between(2, 4)))
		case flag:
			say(1, "[true, false]")
		case piece:
			say(4, "game.pieces")
			say(6, "mine")
			if g.where.step || g.where.carries {
				say(4, "carried")
			}
		case place:
			say(2, "board.squares")
			say(1, fmt.Sprintf("[%s, %s]", pick(g, g.board.zones), g.square()))
		case colour:
			say(3, "game.colours")
			say(3, "hand")
		case player:
			say(4, "game.players")
		case team:
			say(4, "game.teams")
		case offer:
			say(1, "offered")
		}
		return
	}
	switch t.kind {
	case number:
		say(6, fmt.Sprint(g.between(0, 4)))
		say(1, "players")
		if g.chance(10) {
			say(2, fmt.Sprint(-g.between(1, 4)))
		}
		if moving > 0 {
			say(moving, "steps")
			say(3, "heading")
			say(1, "usable")
			say(1, "throws")
		}
		if g.where.step {
			say(8, "remaining")
		}
	case flag:
		say(1, pick(g, []string{"true", "false"}))
		if moving > 0 {
			say(moving, "thrown")
			say(moving, "earned")
		}
	case piece:
		say(2, fmt.Sprintf("game.pieces[%d]", g.n(2)))
		say(2, fmt.Sprintf("%s.pieces[0]", pick(g, g.colours)))
		if g.where.before && !g.solid {
			say(20, "offered[0].piece")
		}
	case place:
		if g.where.step && !g.solid {
			say(6, "here")
		}
		say(2, pick(g, g.board.zones))
		say(2, g.square())
		if g.where.before && !g.solid {
			say(4, "offered[0].to")
		}
	case colour:
		say(2, pick(g, g.colours))
		say(1, "hand[0]")
	case player:
		say(6, "me")
		say(1, pick(g, g.colours)+".player")
	case team:
		say(2, "me.team")
		say(1, pick(g, g.colours)+".team")
	case offer:
		say(1, "offered[0]")
	}
	if t.kind.ref() && !g.solid {
		say(1, "nil")
	}
}

func (g *gen) square() string { return fmt.Sprintf("square(%q)", pick(g, g.board.squares)) }

// field is a field of a kind of value.
type field struct {
	of   kind
	name string
	typ  typ
	nils bool
}

var fields = []field{
	{piece, "at", one(place), false}, {piece, "from", one(place), false}, {piece, "colour", one(colour), false}, {piece, "player", one(player), false}, {piece, "team", one(team), false},
	{piece, "index", one(number), false}, {colour, "player", one(player), false}, {colour, "team", one(team), false}, {colour, "seat", one(number), false},
	{player, "team", one(team), false}, {player, "playing", one(flag), false}, {player, "ranked", one(flag), false}, {player, "won", one(flag), false}, {team, "won", one(flag), false}, {colour, "won", one(flag), false},
	{place, "square", one(flag), false},
	{offer, "piece", one(piece), true}, {offer, "to", one(place), true}, {offer, "steps", one(number), false},
	{place, "pieces", listOf(piece), false}, {colour, "pieces", listOf(piece), false}, {player, "pieces", listOf(piece), false},
	{team, "pieces", listOf(piece), false}, {player, "colours", listOf(colour), false}, {team, "colours", listOf(colour), false},
	{team, "players", listOf(player), false}, {colour, "track", listOf(place), false},
}

// fields offers the fields of this type of other values.
func (g *gen) fields(t typ, deep int, add func(int, func() ex)) {
	all := seq.Filter(fields, func(f field) bool { return f.typ == t && (f.of != offer || g.where.before) && !(g.solid && f.nils) })
	for _, v := range g.vars {
		if v.owner() != "" && v.typ == t && !(g.solid && t.kind.ref() && !t.list) {
			all = append(all, field{v.owner(), v.name, t, false})
		}
	}
	if t == one(flag) {
		all = append(all, seq.Map(g.board.flags, func(name string) field { return field{place, name, t, false} })...)
	}
	if t == one(place) {
		for _, name := range g.board.landmarks {
			all = append(all, field{piece, name, t, false}, field{colour, name, t, false})
		}
		if !g.solid {
			all = append(all, seq.Map(g.board.attributes, func(name string) field { return field{place, name, t, true} })...)
		}
	}
	if len(all) == 0 {
		return
	}
	add(12, func() ex {
		f := pick(g, all)
		if n := len(g.elems); n > 0 { // fields of the current element get more weight
			for range 2 {
				if g.elems[n-1] == one(f.of) {
					break
				}
				f = pick(g, all)
			}
		}
		of := g.sure(one(f.of), deep)
		if n := len(g.elems); n > 0 && g.elems[n-1] == one(f.of) && g.chance(60) {
			of = atom("#")
		}
		if of.text == "#" && g.chance(80) {
			return atom(".%s", f.name)
		}
		return atom("%s.%s", of.operand(), f.name)
	})
}

// body makes the expression for each element of a list.
func (g *gen) body(elem, t typ, deep int) string {
	g.elems = append(g.elems, elem)
	e := g.value(t, max(deep, 1))
	g.elems = g.elems[:len(g.elems)-1]
	return e.text
}

// some makes a list with elements of some kind.
func (g *gen) some(deep int) (kind, ex) {
	kinds := []kind{piece, piece, piece, place, colour, player, player, team, number}
	if g.where.before {
		kinds = append(kinds, offer, offer, offer)
	}
	k := pick(g, kinds)
	return k, g.value(listOf(k), deep)
}

// lists offers expressions that make a list.
func (g *gen) lists(t typ, deep int, add func(int, func() ex)) {
	add(6, func() ex {
		return atom("filter(%s, %s)", g.expr(t, deep), g.body(t.elem(), one(flag), deep))
	})
	add(2, func() ex {
		return atom("sortBy(%s, %s)", g.expr(t, deep), g.body(t.elem(), one(number), deep))
	})
	if t.kind != offer {
		g.fields(t, deep, add)
		add(3, func() ex {
			n := g.between(1, 3)
			all := seq.Of(n, func(int) string { return g.sure(t.elem(), deep).text })
			if all[0] == "nil" { // a list takes the type of its first element
				return atom("%s", g.plainList(t.kind))
			}
			for i := range all {
				if all[i] == "nil" {
					all[i] = all[0]
				}
			}
			return atom("[%s]", strings.Join(all, ", "))
		})
		add(2, func() ex {
			k, from := g.some(deep)
			was := g.solid
			g.solid = true
			e := atom("map(%s, %s)", from.text, g.body(one(k), t.elem(), deep))
			g.solid = was
			return e
		})
	}
	if t.kind == number {
		add(3, func() ex {
			return loose("%s..%s", g.value(one(number), deep).operand(), g.value(one(number), deep).operand())
		})
	}
	if t.kind == player || t.kind == colour {
		add(3, func() ex { return atom("after(%s)", g.sure(t.elem(), deep).text) })
	}
	if g.chance(30) {
		add(1, func() ex {
			return loose("%s ? %s : %s", g.value(one(flag), deep).operand(), g.value(t, deep).operand(), g.value(t, deep).operand())
		})
	}
}

// plain is a value of a type that is not nil.
func (g *gen) plain(t typ) string {
	if t.list {
		return g.plainList(t.kind)
	}
	return map[kind]string{piece: "game.pieces[0]", place: "home", colour: g.colours[0], player: "me", team: "me.team"}[t.kind]
}

func (g *gen) plainList(k kind) string {
	return map[kind]string{number: "[1, 2]", flag: "[true]", piece: "mine", place: "[home]", colour: "hand", player: "game.players", team: "game.teams"}[k]
}

// compound offers operations on other values.
func (g *gen) compound(t typ, deep int, add func(int, func() ex)) {
	if t.kind != offer {
		add(1, func() ex {
			a, b := g.value(t, deep), g.value(t, deep)
			if a.text == "nil" && b.text == "nil" {
				return a
			}
			return loose("%s ? %s : %s", g.value(one(flag), deep).operand(), a.operand(), b.operand())
		})
	}
	switch {
	case t.kind == number:
		g.numbers(deep, add)
	case t.kind == flag:
		g.flags(deep, add)
	default:
		g.refs(t, deep, add)
	}
}

// infix makes two operands with one of some operators between them.
func (g *gen) infix(left, right typ, deep int, operators ...string) ex {
	return loose("%s %s %s", g.value(left, deep).operand(), pick(g, operators), g.value(right, deep).operand())
}

func (g *gen) numbers(deep int, add func(int, func() ex)) {
	num := one(number)
	add(3, func() ex { return g.infix(num, num, deep, "+", "-") })
	add(1, func() ex { return loose("%s * %d", g.value(num, deep).operand(), g.between(0, 3)) })
	add(1, func() ex { return loose("%s %% %s", g.value(num, deep).operand(), g.divisor(deep)) })
	add(1, func() ex { return atom("int(%s / %s)", g.value(num, deep).operand(), g.divisor(deep)) })
	add(1, func() ex { return loose("-%s", g.value(num, deep).operand()) })
	add(1, func() ex { return atom("abs(%s)", g.expr(num, deep)) })
	add(2, func() ex {
		return atom("%s(%s, %s)", pick(g, []string{"min", "max"}), g.expr(num, deep), g.expr(num, deep))
	})
	if g.chance(30) {
		add(1, func() ex {
			return atom("%s(%s)", pick(g, []string{"min", "max"}), "["+g.expr(num, deep)+", "+g.expr(num, deep)+"]")
		})
		add(1, func() ex { return atom("%s(%s)", pick(g, []string{"min", "max"}), g.expr(listOf(number), deep)) })
	}
	add(4, func() ex {
		_, list := g.some(deep)
		return atom("len(%s)", list.text)
	})
	add(4, func() ex {
		k, list := g.some(deep)
		return atom("count(%s, %s)", list.text, g.body(one(k), one(flag), deep))
	})
	add(1, func() ex { return atom("count(%s)", g.expr(listOf(flag), deep+1)) })
	add(2, func() ex {
		k, list := g.some(deep)
		return atom("indexOf(%s, %s)", list.text, g.expr(one(k), deep+1))
	})
	add(3, func() ex {
		k, list := g.some(deep)
		return atom("sum(%s, %s)", list.text, g.body(one(k), num, deep))
	})
	add(1, func() ex { return atom("sum(%s)", g.expr(listOf(number), deep)) })
	if g.chance(20) {
		add(1, func() ex { return atom("%s[%d]", g.value(listOf(number), deep).operand(), g.n(2)) })
	}
}

// divisor makes a number that is not 0, most of the time.
func (g *gen) divisor(deep int) string {
	if g.chance(10) {
		return atom("max(1, %s)", g.expr(one(number), deep)).text
	}
	return fmt.Sprint(g.between(2, 4))
}

func (g *gen) flags(deep int, add func(int, func() ex)) {
	num, yes := one(number), one(flag)
	add(8, func() ex { return g.infix(num, num, deep, "==", "!=", "<", "<=", ">", ">=") })
	add(9, func() ex {
		k := pick(g, []kind{piece, place, place, colour, player, team})
		a, b := g.value(one(k), deep), g.value(one(k), deep)
		return loose("%s %s %s", a.operand(), pick(g, []string{"==", "!="}), b.operand())
	})
	if g.chance(15) {
		add(2, func() ex { return g.infix(yes, yes, deep, "==", "!=") })
	}
	add(4, func() ex { return g.infix(yes, yes, deep, "&&", "||", "and", "or") })
	add(3, func() ex {
		word := pick(g, []string{"!%s", "!%s", "not %s"})
		return loose(word, g.value(yes, deep).operand())
	})
	add(5, func() ex {
		k := pick(g, []kind{piece, place, place, colour, player, team, number, number})
		return g.infix(one(k), listOf(k), deep, "in", "not in")
	})
	add(2, func() ex {
		t := listOf(pick(g, []kind{piece, place, colour, player, team, number, number}))
		return g.infix(t, t, deep, "==", "!=")
	})
	add(10, func() ex {
		k, list := g.some(deep)
		return atom("%s(%s, %s)", pick(g, []string{"any", "any", "all", "none"}), list.text, g.body(one(k), yes, deep))
	})
}

func (g *gen) refs(t typ, deep int, add func(int, func() ex)) {
	list := listOf(t.kind)
	if g.solid {
		return
	}
	if t.kind != offer || g.where.before {
		add(1, func() ex { return atom("%s[%d]", g.value(list, deep).operand(), g.n(2)) })
	}
	if t.kind == offer {
		return
	}
	add(2, func() ex { return atom("%s(%s)", pick(g, []string{"first", "last"}), g.expr(list, deep)) })
	add(2, func() ex { return atom("find(%s, %s)", g.expr(list, deep), g.body(t, one(flag), deep)) })
	add(2, func() ex {
		b := g.sure(t, deep)
		return atom("(%s ?? %s)", g.value(t, deep).operand(), b.operand())
	})
	if t.kind == player || t.kind == colour {
		add(3, func() ex { return atom("next(%s)", g.sure(t, deep).text) })
	}
}
