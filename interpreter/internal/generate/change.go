package generate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// build adds one or two changes to the book.
func (g *gen) build(b *Book) {
	touched := map[string]bool{"counting": true, "ageing": true}
	names := []string{"first_change", "second_change"}[:g.between(1, 2)]
	for _, name := range names {
		b.Files[name+".rules"] = g.change(name, touched)
	}
	if g.chance(10) {
		b.Files["asked.rules"] = fmt.Sprintf("tests asked \"What was asked\" for game with %s\n", strings.Join(names, ", ")) + "\ntest \"whose turn it is\" {\n  turn  " + g.colours[0] + "\n  expect turn " + g.colours[0] + "\n}\n"
	}
	if g.chance(30) {
		text := fmt.Sprintf("ruleset whole extends game with %s \"All of it\"\n", strings.Join(names, ", "))
		if g.chance(50) {
			text += "\n" + g.rule(g.fresh("rule"), "", 1) + "\n"
		}
		b.Files["whole.rules"], b.Main = text, "whole.rules"
		return
	}
	b.Changes = names
}

// change makes a change that does not modify what earlier changes modified.
func (g *gen) change(name string, touched map[string]bool) string {
	out := []string{fmt.Sprintf("change %s \"Otherwise\" for game\n", name)}
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	free := func() string {
		all := seq.Filter(g.rules, func(r string) bool { return !touched[r] })
		if len(all) == 0 {
			return ""
		}
		r := pick(g, all)
		touched[r] = true
		return r
	}
	for range g.between(1, 3) {
		switch g.n(9) {
		case 0, 1:
			order := ""
			if g.chance(60) {
				order = pick(g, []string{" before ", " after "}) + pick(g, []string{"counting", "counting"})
			}
			rule := g.fresh("rule")
			say("%s", g.rule(rule, order, g.between(1, 2)))
			touched[rule] = true
		case 2:
			if r := free(); r != "" {
				text := g.rule(r, "", g.between(1, 2))
				if !strings.HasPrefix(text, "rule") { // preceded by its variable
					at := strings.Index(text, "\nrule ")
					say("%s", text[:at])
					text = text[at+1:]
				}
				g.rules = g.rules[:len(g.rules)-1]
				say("replace %s", text)
			}
		case 3:
			if r := free(); r != "" {
				say("without %s%s", r, g.ifOptions(30))
				g.rules = slices.DeleteFunc(g.rules, func(x string) bool { return x == r })
			}
		case 4:
			if r := free(); r != "" {
				to := g.fresh("rule")
				say("rename %s to %s%s", r, to, pick(g, []string{"", ` "In other words"`}))
				g.rules[slices.Index(g.rules, r)] = to
				touched[to] = true
			}
		case 5:
			if len(g.options) > 0 {
				if o := pick(g, g.options); !touched[o.name] {
					touched[o.name] = true
					v := pick(g, o.values)
					if o.kind == "word" {
						v = fmt.Sprintf("%q", v)
					}
					more := ""
					if g.chance(60) && o.kind == "number" {
						more = " of " + v
					}
					say("set %s = %s%s", o.name, v, more)
				}
			}
		case 6:
			if len(g.lets) > 0 && !touched["lets"] {
				touched["lets"] = true
				say("%s", g.replaceLet())
			}
		case 7:
			if !touched["turn"] && !touched["steps"] {
				touched["turn"] = true
				say("replace turn %s", g.turn())
			}
		case 8:
			if !touched["turn"] && len(g.steps) > 0 {
				touched["steps"] = true
				i := g.n(len(g.steps))
				step := g.steps[i]
				if way := pick(g, []string{"before", "before", "after", "after", "after", "replace", "without", "without"}); way == "without" {
					say("without step %s%s", step, g.ifOptions(20))
					g.steps = slices.Delete(g.steps, i, i+1)
				} else {
					say("%s step %s%s %s", way, step, g.cites(), g.block(around{turn: true, effect: -1, deep: 1}, 2))
					if way == "replace" { // once in a file
						g.steps = slices.Delete(g.steps, i, i+1)
					}
				}
			}
		}
	}
	return strings.Join(out, "\n") + "\n"
}

// replaceLet replaces the body of a let; the new one may use earlier lets.
func (g *gen) replaceLet() (text string) {
	i := g.n(len(g.lets))
	l := g.lets[i]
	was := g.lets
	g.lets = g.lets[:i]
	var params []string
	var locals []named
	for i, t := range l.params {
		name := g.fresh("a")
		locals = append(locals, named{name, t})
		params = append(params, l.words[i]+" "+name)
	}
	g.bind(locals, func() { g.in(l.needs, func() { text = g.expr(l.typ, 2) }) })
	g.lets = was
	if text == "nil" || text == "[]" {
		if text = l.text; len(params) > 0 || l.typ.list {
			text = g.plain(l.typ)
		}
	}
	return "replace let " + l.head(params) + " = " + text
}
