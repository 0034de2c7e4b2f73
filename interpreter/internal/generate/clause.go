package generate

import (
	"fmt"
	"strings"
)

var moving = context{moving: true}

// pattern makes the pattern of a move and binds its parameters during f.
func (g *gen) pattern(m move, f func(text string)) {
	var names []string
	var locals []named
	for _, k := range m.params {
		name := "_"
		if g.chance(92) {
			g.bind(locals, func() { name = g.local(k) })
			locals = append(locals, named{name, one(k)})
		}
		names = append(names, name)
	}
	g.bind(locals, func() { f(m.name + "(" + strings.Join(names, ", ") + ")") })
}

// any is a declared move, or the pattern of any move of a piece.
func (g *gen) any() move {
	if g.chance(30) {
		return move{"move", []kind{piece}}
	}
	return pick(g, g.moves)
}

// to binds the destination of an option, with a probability in percent.
func (g *gen) to(percent int, f func(text string)) {
	if !g.chance(percent) {
		f("")
		return
	}
	name := g.local(place)
	g.bind([]named{{name, one(place)}}, func() { f(" to " + name) })
}

// clause makes a clause of a rule.
func (g *gen) clause() (text string) {
	g.one(
		way{"may", 10, func() { text = g.may(pick(g, g.moves), 60) }},
		way{"must", 7, func() { text = g.duty("must") }},
		way{"never", 3, func() { text = g.duty("never") }},
		way{"step into", 12, func() { text = g.step() }},
		way{"on", 24, func() { text = g.reaction() }},
		way{"ending", 9, func() { text = g.ending() }},
		way{"always", 1, func() { text = "always " + g.always() }},
	)
	if g.chance(4) {
		text += fmt.Sprintf(" [G-%d H-%d]", g.between(1, 9), g.between(1, 9))
	}
	return text
}

func (g *gen) may(m move, percent int) (text string) {
	g.in(moving, func() {
		g.pattern(m, func(p string) {
			by := ""
			if g.chance(20) {
				much := func() string {
					if g.ordinary && g.chance(80) {
						return fmt.Sprint(g.between(1, 4))
					}
					return g.expr(one(number), 1)
				}
				switch by = " by " + much(); {
				case g.chance(50):
					by = fmt.Sprintf(" by [%d, %s]", g.between(1, 3), much())
				case g.chance(30):
					by = fmt.Sprintf(" by steps == %d ? %d : steps", g.between(1, 6), g.between(-4, 4))
				}
			}
			against := ""
			if !g.ordinary && g.chance(12) {
				against = pick(g, []string{" despite duties", " otherwise"})
			}
			g.to(20, func(to string) { text = "may " + p + by + to + against + g.when(percent, 3) })
		})
	})
	return text
}

func (g *gen) duty(word string) (text string) {
	g.in(moving, func() {
		g.pattern(g.any(), func(p string) {
			g.to(40, func(to string) { text = word + " " + p + to + g.or(word, to) + g.when(95, 3) })
		})
	})
	return text
}

// or is more kinds of option that a duty is content with.
func (g *gen) or(word, to string) (text string) {
	for word == "must" && !g.ordinary && g.chance(20) {
		text += " or move(_)"
		if m := pick(g, g.moves); g.chance(60) {
			text = fmt.Sprintf(" or %s(%s)", m.name, strings.TrimSuffix(strings.Repeat("_, ", len(m.params)), ", "))
		}
		if g.chance(50) {
			text += to
		}
	}
	return text
}

func (g *gen) step() (text string) {
	g.in(context{step: true, moving: true}, func() {
		verdict := func(all ...string) string {
			if g.chance(20) {
				a, b := pick(g, all), pick(g, all)
				if a != b && a != "bar" && b != "bar" {
					return a + " or " + b
				}
			}
			return pick(g, all)
		}
		g.bind([]named{{"p", one(piece)}}, func() {
			if g.chance(20) {
				text = "step beyond: " + verdict("bar", "turn", "stop") + g.when(60, 2)
				return
			}
			name := g.fresh("v")
			if g.chance(70) {
				name = "s"
			}
			g.bind([]named{{name, one(place)}}, func() {
				head := pick(g, []string{"step into ", "step into ", "end on "})
				text = head + name + ": " + verdict("go", "bar", "turn", "stop") + g.when(95, 3)
				if head == "end on " && g.chance(20) {
					text = head + name + ": back" + g.when(97, 3)
				}
			})
		})
	})
	return text
}

// event makes the event of a reaction: its text, the names it binds, and what its block may contain.
func (g *gen) event(word string, f func(text string, a around)) {
	a := around{effect: -1, noThrow: g.most}
	free := a
	free.noThrow = false
	with := func(form string, a around, kinds ...kind) {
		var names []any
		var locals []named
		for _, k := range kinds {
			var name string
			g.bind(locals, func() { name = g.local(k) })
			locals = append(locals, named{name, one(k)})
			names = append(names, name)
		}
		g.bind(locals, func() { f(fmt.Sprintf(form, names...), a) })
	}
	doing := func() {
		g.in(context{moving: true, before: word == "before" && !g.ordinary}, func() {
			g.pattern(g.any(), func(p string) { g.to(35, func(to string) { f(p+to, a) }) })
		})
	}
	effect := func() {
		x := pick(g, g.acts)
		with(x.name+"("+strings.TrimSuffix(strings.Repeat("%s, ", len(x.params)), ", ")+")", g.raised(a, "act "+x.name), x.params...)
	}
	ways := []way{{"move", 6, doing}}
	if len(g.acts) > 0 {
		ways = append(ways, way{"act", 4, effect})
	}
	if word == "on" {
		during := func(form string, kinds ...kind) func() {
			during := moving
			during.carries = true
			return func() { g.in(during, func() { with(form, a, kinds...) }) }
		}
		ways = append(ways,
			way{"throw", 2, func() { f("throw", g.raised(free, "throw")) }},
			way{"throw", 3, func() {
				d := pick(g, g.dice)
				f("throw("+d.name+")", g.raised(free, "throw "+d.name))
			}},
			way{"leave", 3, func() { with("leave(%s, %s)", g.raised(a, "leave"), piece, place) }},
			way{"depart", 2, func() { with("depart(%s, %s)", g.raised(a, "leave"), piece, place) }},
			way{"step", 3, during("step(%s) from %s to %s", piece, place, place)},
			way{"pass", 3, during("pass(%s, %s)", piece, place)},
			way{"turned", 2, during("turned(%s, %s)", piece, place)},
			way{"land", 6, during("land(%s, %s)", piece, place)},
			way{"stuck", 2, during("stuck")},
			way{"turn begins", 2, func() { f("turn begins", free) }},
			way{"turn ends", 2, func() {
				end := free
				end.noTurn = true
				f("turn ends", end)
			}},
			way{"on drop", 2, func() { with("drop(%s)", g.raised(a, "drop"), player) }},
			way{"on rank", 2, func() { with("rank(%s)", g.raised(a, "rank"), player) }},
		)
	}
	g.one(ways...)
}

func (g *gen) reaction() (text string) {
	if g.chance(5) {
		return "on game ends" + g.when(60, 2) + " { " + g.assign() + " }"
	}
	word := pick(g, []string{"on", "on", "on", "before"})
	g.event(word, func(event string, a around) {
		text = word + " " + event + g.when(60, 2) + " " + g.block(a, 3)
	})
	return text
}

func (g *gen) ending() (text string) {
	if g.chance(12) {
		return pick(g, []string{"over when ", "draw when "}) + g.late() + " && " + g.value(one(flag), 2).operand()
	}
	k := pick(g, []kind{player, player, team, colour})
	name := g.local(k)
	g.bind([]named{{name, one(k)}}, func() {
		word := pick(g, []string{"win", "rank", "rank", "rank", "drop"})
		cond := g.reached(name, k)
		if g.chance(25) {
			cond = "(" + cond + pick(g, []string{" || ", " || ", " && "}) + g.reached(name, k) + ")"
		}
		if !strings.Contains(cond, name+".") && g.chance(80) { // not true for all at once
			cond += fmt.Sprintf(" && %s == %s", name, map[kind]string{player: "me", team: "me.team", colour: "hand[0]"}[k])
		}
		if word == "win" && g.chance(30) || g.chance(15) {
			cond += " && " + g.late()
		}
		worth := ""
		if word == "win" {
			worth = g.worth()
		}
		text = word + " " + string(k) + " " + name + worth + " when " + cond
	})
	return text
}

// worth makes what a win counts, mostly a number that it can count.
func (g *gen) worth() string {
	switch {
	case g.chance(60):
		return ""
	case g.chance(30):
		return fmt.Sprintf(" counting %d", g.between(1, 9))
	case g.chance(90):
		return " counting max(1, min(60, " + g.expr(one(number), 2) + "))"
	}
	return " counting " + g.expr(one(number), 1)
}

// reached makes a condition for an ending.
func (g *gen) reached(name string, k kind) (cond string) {
	g.one(
		way{"places reached", 2, func() {
			cond = fmt.Sprintf("%s(%s.pieces, .at == %s)", pick(g, []string{"any", "any", "all"}), name, pick(g, []string{"shore", "shore", g.square(), "." + pick(g, g.board.landmarks)}))
		}},
		way{"values reached", 2, func() { cond = g.written(name, k) }},
		way{"anything reached", 1, func() { cond = "(" + g.cond(2) + ")" }},
	)
	return cond
}

// written makes a condition over a variable of a named owner, or of the game.
func (g *gen) written(name string, k kind) string {
	var all []string
	for _, v := range g.vars {
		text := v.name
		switch {
		case v.counter || v.typ.list:
			continue
		case v.owner() == k:
			text = name + "." + text
		case v.owner() == piece:
			text = "." + text
		case v.owner() != "":
			continue
		}
		cond := text
		if v.typ.kind != flag {
			cond = text + " == " + g.value(v.typ, 1).operand()
		}
		if v.typ.kind == number {
			cond = fmt.Sprintf("%s %s %d", text, pick(g, []string{">", ">=", "=="}), g.between(max(v.low, 0), min(v.high, 4)))
		}
		if text[0] == '.' {
			cond = fmt.Sprintf("any(%s.pieces, %s)", name, cond)
		}
		all = append(all, cond)
	}
	if len(all) == 0 {
		return g.late()
	}
	return pick(g, all)
}

// always makes an invariant that holds most of the time.
func (g *gen) always() string {
	return pick(g, []string{
		fmt.Sprintf("all(board.squares, len(.pieces) <= %d)", g.between(2, 6)),
		"none(game.pieces, .at == nil)",
		g.expr(one(flag), 2) + " || " + fmt.Sprintf("%s != %s", g.square(), g.value(one(place), 0).operand()),
	})
}
