package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// book makes the board, the declarations in an order in which each knows the names it may use, and the changes.
func (g *gen) book() *Book {
	g.makeBoard()
	g.pieces = pick(g, []int{1, 2, 2, 3, 4, 4, 5, 6, 6}) // the compiler has special code for four, and for more
	head, seats := g.head()
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for range g.n(3) {
		say("%s", g.option())
	}
	for range g.between(1, 3) {
		say("%s", g.device())
	}
	for range g.between(1, 4) {
		say("%s", g.variable(""))
	}
	g.vars = append(g.vars, &variable{named: named{"age", one(number)}, scope: "game", counter: true, low: -32768, high: 32767})
	say("var game age = 0")
	g.most = !g.ordinary && g.chance(25)
	g.gives = g.chance(12)
	if g.chance(12) {
		body := "mine"
		for strings.Contains(body, "mine") {
			body = g.body(one(piece), one(flag), 1)
		}
		say("let mine = filter(%s, %s)", pick(g, []string{"me.pieces", "me.team.pieces", "game.pieces"}), body)
	}
	for range g.n(5) {
		say("%s", g.let())
	}
	if g.chance(25) {
		k := pick(g, []kind{player, team})
		g.bind([]named{{"x", one(k)}}, func() { say("let lead(%s x) = %s", k, g.expr(one(number), 2)) })
	}
	for i := range g.n(4) {
		params := seq.Of(g.n(3), func(int) kind { return pick(g, varKinds) })
		g.acts = append(g.acts, act{name: fmt.Sprintf("effect%d", i+1), params: params})
	}
	g.order()
	moves := g.declareMoves()
	for _, x := range g.acts {
		say("%s", g.act(x))
	}
	if g.chance(60) {
		say("setup%s%s %s", g.cites(), g.ifOptions(20), g.setup())
	}
	out = append(out, moves...)
	say("turn%s %s", g.cites(), g.turn())
	out = append(out, g.ruleBook()...)
	for range g.n(3) {
		say("%s", g.count())
	}
	if g.chance(70) {
		say("first   %s", g.begins())
	}
	switch next := ""; {
	case g.byColour:
		if g.chance(30) {
			next = " to " + g.expr(one(colour), 2)
		}
		say("turns by colour%s%s", next, pick(g, []string{"", " if players > 1"}))
	case g.chance(20):
		say("turns to %s", g.expr(one(player), 2))
	}
	text := "ruleset game \"A game\"" + pick(g, []string{"", " [G-1]"}) + "\n\nboard   " + g.board.name + g.board.parameters + g.track() + "\n" + strings.Join(seats, "\n") + "\n" +
		head + "\n\n" + strings.Join(out, "\n") + "\n" + g.scenario()
	b := &Book{Files: map[string]string{g.board.name + ".yaml": g.board.text, "game.rules": text}, Main: "game.rules"}
	if g.chance(35) {
		g.build(b)
	}
	return b
}

// begins makes the declaration of who begins.
func (g *gen) begins() string {
	d := g.dice[0].name // a die that is thrown, not chosen
	also := ""
	if len(g.dice) > 1 && !g.dice[1].choice && g.chance(30) {
		also = ", " + g.dice[1].name
	}
	return pick(g, []string{"highest " + d + also, "lowest " + d + also, "lot", "loser", "winner", pick(g, g.colours), pick(g, g.colours)})
}

func (g *gen) track() string {
	if len(g.board.tracks) > 1 && g.chance(60) {
		return " track " + g.board.tracks[1]
	}
	return ""
}

// head makes the seats and teams.
func (g *gen) head() (pieces string, lines []string) {
	all := g.board.colours
	n := g.between(2, min(4, len(all)))
	g.colours = all[:n]
	switch g.n(5) {
	case 0, 1:
		lines = append(lines, fmt.Sprintf("players %d", n))
	case 2:
		lines = append(lines, pick(g, []string{fmt.Sprintf("players 2..%d", n), fmt.Sprintf("players 2 of 2..%d", n), fmt.Sprintf("players [2, %d]", max(3, n))}))
		if strings.Contains(lines[0], "[2, 3]") && len(all) < 3 {
			lines[0] = "players 2"
		}
		g.colours = all[:2]
	case 3:
		lines = append(lines, fmt.Sprintf("players %d", n), g.teams(all[:n]))
		g.owners = []string{"team", "team", "team"}
	case 4:
		n = 2
		if len(all) >= 6 && g.chance(70) {
			n = 3
		}
		sides := make([][]string, n)
		for i, c := range all {
			sides[i%n] = append(sides[i%n], c)
		}
		g.colours = all
		g.owners = []string{"colour", "colour"}
		words := seq.Map(sides, func(s []string) string { return strings.Join(s, " ") })
		lines = append(lines, fmt.Sprintf("players %d", n), fmt.Sprintf("seats %d%s { %s }", n, pick(g, []string{"", " if players > 1"}), strings.Join(words, " | ")))
		if n == 3 && g.chance(80) {
			lines = append(lines, fmt.Sprintf("teams if players == 3 { %s %s | %s }", all[0], all[1], all[2]))
		}
	}
	if seats := strings.Contains(strings.Join(lines, "\n"), "seats"); g.chance(10) || seats && g.chance(40) {
		g.byColour = true
	}
	if g.seats = len(g.colours); strings.Contains(strings.Join(lines, "\n"), "seats") {
		g.seats = n
	}
	where := "home"
	if g.chance(15) {
		where = "start"
	}
	return fmt.Sprintf("pieces  %d at %s", g.pieces, where), lines
}

// cites sometimes makes a clause id.
func (g *gen) cites() string {
	if g.chance(8) {
		return fmt.Sprintf(" [G-%d]", g.between(1, 9))
	}
	return ""
}

func (g *gen) teams(colours []string) string {
	all := slices.Clone(colours)
	g.r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	half := len(all) / 2
	slices.SortFunc(all[:half], g.inOrder)
	slices.SortFunc(all[half:], g.inOrder)
	return fmt.Sprintf("teams { %s | %s }", strings.Join(all[:half], " "), strings.Join(all[half:], " "))
}

// inOrder compares colours by their order on the board.
func (g *gen) inOrder(a, b string) int {
	return slices.Index(g.board.colours, a) - slices.Index(g.board.colours, b)
}

func (g *gen) option() string {
	o := option{name: g.fresh("opt")}
	text := ""
	switch g.n(4) {
	case 0:
		o.kind, o.values, text = "flag", []string{"true", "false"}, pick(g, []string{"true", "false"})
	case 1:
		o.kind, o.values = "word", []string{"out", "in_it"}
		text = `"out" of "out", "in_it"`
	case 2:
		o.kind, o.values = "number", []string{"1", "2", "3"}
		text = pick(g, []string{"1", "2"}) + " of 1..3"
	case 3:
		o.kind, o.values = "number", []string{"2", "4"}
		text = "2 of 2, 4"
	}
	g.options = append(g.options, o)
	return "option " + o.name + " = " + text + pick(g, []string{"", ` "what it is"`})
}

// ifOptions makes a condition over options at the end of a head, with a probability in percent.
func (g *gen) ifOptions(percent int) string {
	if !g.chance(percent) {
		return ""
	}
	if len(g.options) == 0 {
		return " if players > 1"
	}
	o := pick(g, g.options)
	switch o.kind {
	case "flag":
		return " if " + pick(g, []string{"", "!"}) + o.name
	case "word":
		return fmt.Sprintf(" if %s == %q", o.name, pick(g, o.values))
	}
	return fmt.Sprintf(" if %s > 1", o.name)
}

func (g *gen) device() string {
	d := die{name: g.fresh("die"), high: g.between(2, 6)}
	text := fmt.Sprintf("d%d", d.high)
	also := ""
	switch g.n(8) {
	case 0:
		d.high, text = 3, "3 x {0, 1}"
	case 1:
		d.high, text = 3, "{1: 3, 2: 1, 3: 2}"
	case 2:
		d.high, text = 3, "deck {1: 2, 2: 1, 3: 1}"
	case 3:
		if len(g.dice) > 0 {
			d.high, d.choice = 3, true
			text = "choice of " + pick(g, []string{"[1, 2, 3]", "1..3", "filter([1, 2, 3], # != steps)"})
		}
	case 4:
		also = g.fresh("die")
		g.dice = append(g.dice, die{also, d.high, false})
		also = ", " + also
	}
	g.dice = append(g.dice, d)
	return "dice " + d.name + also + " = " + text
}

// variable makes a variable, of a scope if one is given.
func (g *gen) variable(cond string) string {
	scopes := []string{"game", "game", "turn", "turn", "go", "go", "player", "player", "colour", "team", "piece", "piece"}
	v := &variable{scope: pick(g, append(scopes, g.owners...)), low: -32768, high: 32767}
	if len(g.vars) == 0 {
		v.scope = "game"
	}
	v.name = g.fresh("var")
	text := "var " + v.scope + " " + v.name
	switch g.n(10) {
	case 0, 1:
		v.typ = one(number)
		text += pick(g, []string{" = 0", " = 1", ": number", ": number = 2"})
	case 2, 3:
		v.typ, v.low, v.high = one(number), g.between(-1, 1), g.between(3, 9)
		text += fmt.Sprintf(": %d..%d", v.low, v.high)
		if g.chance(50) {
			text += fmt.Sprintf(" = %d", g.between(v.low, v.high))
		}
	case 4:
		v.typ = one(flag)
		text += pick(g, []string{": flag", " = true", " = false"})
	case 5:
		v.typ, v.low, v.high = listOf(number), 0, pick(g, []int{4, 14, 15, 16, 20, 33}) // words have 16 bits
		if v.bag = g.chance(50); v.bag {
			text += fmt.Sprintf(": bag of 0..%d%s", v.high, pick(g, []string{"", " = [1, 1, 3]"}))
			break
		}
		text += fmt.Sprintf(": set of 0..%d%s", v.high, pick(g, []string{"", " = [1, 2]"}))
	case 6:
		v.typ = listOf(pick(g, []kind{piece, place, colour, player}))
		text += ": set of " + string(v.typ.kind)
	default:
		v.typ = one(pick(g, []kind{piece, place, colour, player, team}))
		text += ": " + string(v.typ.kind)
		if v.typ.kind == place && g.chance(50) {
			text += " = home"
		}
	}
	g.vars = append(g.vars, v)
	text += cond
	if (v.scope == "player" || v.scope == "team") && g.chance(30) {
		text += "\nsecret " + v.name + cond
	}
	return text
}

func (g *gen) let() string {
	l := let{named: named{name: g.fresh("let")}}
	k := pick(g, []kind{flag, flag, flag, flag, number, piece, place, colour, player, team})
	l.typ = one(k)
	if g.chance(25) {
		l.typ = listOf(pick(g, []kind{piece, piece, place, player, colour, number}))
	}
	var params []string
	var locals []named
	for range g.n(4) {
		t := one(pick(g, varKinds))
		if g.chance(8) {
			t = listOf(pick(g, []kind{piece, place, player}))
		}
		name := g.fresh("a")
		l.params = append(l.params, t)
		locals = append(locals, named{name, t})
		word := string(t.kind)
		if t.list {
			word = "set of " + word
		} else if t.kind == number && g.chance(20) {
			word = "0..9"
		}
		params = append(params, word+" "+name)
		l.words = append(l.words, word)
	}
	if g.chance(12) {
		l.needs = pick(g, []context{{step: true, moving: true}, {before: true, moving: true}, moving})
	}
	g.bind(locals, func() {
		g.in(l.needs, func() {
			for _, p := range locals { // variables of pieces that are parameters
				if l.typ == one(flag) && slices.Contains([]typ{one(place), one(colour), one(player), one(team)}, p.typ) && g.chance(50) {
					l.text = fmt.Sprintf("%s(%s.pieces, %s)", pick(g, []string{"any", "all", "none", "0 < count"}), p.name, g.body(one(piece), one(flag), 2))
					return
				}
			}
			l.text = g.value(l.typ, 3).text
		})
	})
	if l.text == "nil" || l.text == "[]" {
		l.text = g.plain(l.typ)
	}
	g.lets = append(g.lets, l)
	return "let " + l.head(params) + " = " + l.text
}

// order assigns an order to acts and events: each may raise only later ones, so there are no cycles.
func (g *gen) order() {
	g.effects = append([]string{"leave", "rank", "drop"}, seq.Map(g.acts, func(x act) string { return "act " + x.name })...)
	g.r.Shuffle(len(g.effects), func(i, j int) { g.effects[i], g.effects[j] = g.effects[j], g.effects[i] })
	throws := seq.Map(g.dice, func(d die) string { return "throw " + d.name })
	throws = append(throws, "throw") // a bare throw matches all dice
	g.effects = slices.Insert(g.effects, g.n(len(g.effects)+1), throws...)
}

func (g *gen) act(x act) (text string) {
	var params []string
	var locals []named
	for _, k := range x.params {
		name := g.fresh("a")
		params = append(params, string(k)+" "+name)
		locals = append(locals, named{name, one(k)})
	}
	g.bind(locals, func() {
		a := g.raised(around{noThrow: g.most}, "act "+x.name)
		text = "act " + x.name + "(" + strings.Join(params, ", ") + ")" + pick(g, []string{"", ` "it happens"`}) + g.cites() + " " + g.block(a, 3)
	})
	return text
}

// declareMoves makes a move that enters, one that walks, and some others.
func (g *gen) declareMoves() []string {
	var out []string
	say := func(m move, form string, args ...any) {
		g.moves = append(g.moves, m)
		out = append(out, "move "+fmt.Sprintf(form, args...))
	}
	g.in(moving, func() {
		mine := func() string {
			if g.ordinary || g.chance(85) {
				return "mine"
			}
			return g.expr(listOf(piece), 2)
		}
		single := []kind{piece}
		if !g.board.homeFirst || g.chance(50) {
			say(move{"enter", single}, "enter(p in %s) from home to p.start", mine())
		}
		from := " from squares"
		if g.board.homeFirst || g.chance(15) {
			from = ""
		}
		p := named{"p", one(piece)}
		steps := "steps"
		carrying := ""
		g.bind([]named{p}, func() {
			if g.chance(10) {
				steps = pick(g, []string{"-steps", "steps + 1", "0 - 1", g.expr(one(number), 2)})
			}
			if !g.ordinary && g.chance(25) {
				carrying = " carrying " + g.carried()
			}
		})
		say(move{"advance", single}, "advance(p in %s)%s walk %s%s", mine(), from, steps, carrying)
		for range g.n(4) {
			params := []kind{piece}
			head := "p in " + mine()
			locals := []named{p}
			g.bind(locals, func() {
				if !g.ordinary && g.chance(60) {
					k := pick(g, []kind{piece, piece, piece, place, colour, player, number})
					params = append(params, k)
					set := g.sureList(k)
					head += ", b in " + set
					locals = append(locals, named{"b", one(k)})
				}
			})
			from := ""
			m := move{g.fresh("hop"), params}
			g.bind(locals, func() {
				switch g.n(5) {
				case 0:
					from = " from squares"
				case 1:
					from = fmt.Sprintf(" from [%s, %s]", pick(g, g.board.zones), g.square())
				case 2:
					from = " from " + g.sure(one(place), 2).text
				}
				what := ""
				g.one(
					way{"to", 4, func() { what = " to " + g.sure(one(place), 2).text }},
					way{"walk", 3, func() { what = " walk " + pick(g, []string{"steps", "2", "-1", g.expr(one(number), 2)}) }},
					way{"stay", 2, func() { what = " stay" }},
					way{"nothing", 2, func() {
						if g.ordinary {
							what = " stay"
						}
					}},
				)
				if strings.HasPrefix(what, " to") || strings.HasPrefix(what, " walk") {
					if !g.ordinary && g.chance(60) {
						what += " carrying " + g.carried()
					}
				}
				say(m, "%s(%s)%s%s", m.name, head, from, what)
			})
		}
		if !g.ordinary && g.chance(60) {
			say(move{name: "rest"}, "rest()")
		}
		if !g.ordinary && g.chance(40) {
			m := move{g.fresh("call"), []kind{pick(g, []kind{number, number, player, colour, place})}}
			say(m, "%s(n in %s)", m.name, g.sureList(m.params[0]))
		}
	})
	return out
}

// sureList makes a short list to range over.
func (g *gen) sureList(k kind) string {
	if g.chance(40) {
		return g.plainList(k)
	}
	return g.expr(listOf(k), 2)
}

func (g *gen) carried() string {
	return pick(g, []string{
		"p.at.pieces", "filter(p.at.pieces, .colour == p.colour)", "[find(mine, # != p)]", "[find(mine, # != p && .at == p.at)]",
		"[last(p.at.pieces)]", "mine", g.expr(listOf(piece), 2), "p.at.pieces",
	})
}

// part makes the head of a new step of the turn.
func (g *gen) part() string {
	name := g.fresh("step")
	g.steps = append(g.steps, name)
	return "step " + name + g.cites()
}

// turn mostly makes a throw, a play of it and perhaps another go, with other statements in between.
func (g *gen) turn() string {
	a := around{turn: true, effect: -1}
	g.steps = nil
	var list []string
	say := func(percent int, s string) {
		if !g.chance(percent) {
			return
		}
		if g.chance(20) {
			s = g.part() + " { " + s + " }"
		}
		list = append(list, s)
	}
	more := func(percent int) {
		if g.chance(percent) {
			s, _ := g.stmt(a) // its local names stay in scope for the rest of the turn
			if s != "end turn" && s != "undo turn" {
				list = append(list, s)
			}
		}
	}
	locals := len(g.locals)
	more(15)
	say(93, "throw "+g.throwable(a))
	more(20)
	say(90, g.play())
	more(20)
	if g.chance(15) {
		list = append(list, g.part()+" { "+g.choose()+"; earn 1 }")
		g.locals = g.locals[:locals]
	}
	say(50, "play earned")
	more(10)
	d := pick(g, g.dice)
	say(50, fmt.Sprintf("if %s == %d { again }", d.name, d.high))
	if len(list) == 0 {
		list = []string{"throw " + d.name, "play " + d.name}
	}
	g.locals = g.locals[:locals]
	return "{\n" + indent(strings.Join(list, "\n")) + "\n}"
}

// setup mostly scatters pieces over the board, so that there are many options from the first throw on.
func (g *gen) setup() string {
	a := around{effect: -1, noTurn: true}
	var list []string
	if g.chance(80) {
		// Sometimes few places, so that many pieces meet.
		spots := seq.Of(g.between(2, 9), func(int) string { return fmt.Sprintf("square(%q)", pick(g, g.board.squares[:g.board.ring])) })
		least := pick(g, []int{1, g.pieces})
		for _, c := range g.colours {
			for i := range g.between(least, g.pieces) {
				list = append(list, fmt.Sprintf("put %s.pieces[%d] on %s", c, i, pick(g, append(spots, c+".start"))))
			}
		}
	}
	if len(list) == 0 || g.chance(30) {
		list = append(list, g.stmts(a, g.between(1, 3))...)
	}
	return g.braces(list)
}

// rule makes a rule with a number of clauses.
func (g *gen) rule(name, order string, clauses int) string {
	was := len(g.vars)
	cond := g.ifOptions(12)
	own := ""
	if cond != "" && g.chance(40) { // a variable with the same condition as the rule
		own = g.variable(cond) + "\n"
	}
	list := seq.Of(clauses, func(int) string { return g.clause() })
	g.vars = g.vars[:was]
	g.rules = append(g.rules, name)
	return own + "rule " + name + order + ` "It is so"` + g.cites() + cond + " {\n" + indent(strings.Join(list, "\n")) + "\n}" + g.cites()
}

// ruleBook makes the rules: first clauses that offer moves, then others, then endings.
func (g *gen) ruleBook() []string {
	var out []string
	var offers []string
	for _, m := range g.moves {
		switch {
		case m.name == "enter" && g.chance(60):
			offers = append(offers, "may enter(p)"+pick(g, []string{"", " when steps > 1", " when thrown"}))
		case m.name == "advance" && g.chance(70):
			offers = append(offers, "may advance(p)")
		default:
			offers = append(offers, g.may(m, 60))
		}
	}
	g.rules = append(g.rules, "counting")
	out = append(out, "rule counting \"What may be done\" {\n"+indent(strings.Join(offers, "\n"))+"\n}")
	out = append(out, seq.Of(g.between(1, 5), func(int) string { return g.rule(g.fresh("rule"), "", g.between(1, 3)) })...)
	if g.chance(92) {
		end := "over when age >= " + fmt.Sprint(g.between(4, 40))
		switch g.n(4) {
		case 0:
			end = "win player x when all(x.pieces, .at == shore)\n" + end
		case 1:
			end = "rank player x when any(x.pieces, !.at.square && .at != home)\n" + end
		}
		when := pick(g, []string{"turn begins", "turn ends", "turn ends", "turn ends", "throw"})
		out = append(out, "rule ageing \"It ends at some time\" {\n  on "+when+" { age += 1 }\n"+indent(end)+"\n}")
	}
	return out
}

func (g *gen) count() (text string) {
	name := g.fresh("count")
	if g.chance(40) {
		of, typ := "", one(pick(g, []kind{number, number, flag}))
		value := func() { text = "count " + name + of + pick(g, []string{"", ` "so many"`}) + " = " + g.expr(typ, 2) }
		if g.chance(40) {
			x := g.local(player)
			of = "(player " + x + ")"
			g.bind([]named{{x, one(player)}}, value)
			return text
		}
		value()
		return text
	}
	g.event("on", func(event string, _ around) {
		text = "count " + name + pick(g, []string{"", ` "so often"`}) + " on " + event + g.when(60, 2) + g.ifOptions(10)
	})
	return text
}
