package difference

import (
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

// clauseOrder shows the clauses of a rule that changed their order, if their order matters.
func (c *comparison) clauseOrder(old, new *item) []Line {
	if maps.EqualFunc(ordered(old, c.rename), ordered(new, plainName), slices.Equal[[]string]) {
		return nil
	}
	text := func(u *unit) string { return strings.Join(u.text(), "\n") }
	lines := Lines(seq.Map(old.units, text), seq.Map(new.units, text))
	return seq.Flat(lines, func(l Line) []Line { return marked(l.Mark, strings.Split(l.Text, "\n")) })
}

// ordered lists the clauses of a rule in each group in which order matters.
func ordered(rule *item, rename func(kind, name string) string) map[string][]string {
	out := map[string][]string{}
	for _, u := range rule.units {
		if u.order != "" {
			group := canonicalOrder(u.order, rename)
			out[group] = append(out[group], strings.Join(u.keys(rename), "\n"))
		}
	}
	return out
}

// canonicalOrder is the group with the new name of its act.
func canonicalOrder(order string, rename func(kind, name string) string) string {
	if act, ok := strings.CutPrefix(order, "reactions to "); ok {
		return "reactions to " + rename("act", act)
	}
	return order
}

// order reports rules in both books that changed their order, if it matters: an earlier duty is stronger, the first
// verdict that applies decides, and reactions and endings run in order.
func (c *comparison) order() []Change {
	common := seq.Filter(c.pairs(), func(p pair) bool { return p.old != nil && p.new != nil && p.old.kind == "rule" })
	names := map[*item]string{} // in the new book
	for _, p := range common {
		names[p.old], names[p.new] = p.new.name, p.new.name
	}
	groups := func(list []*item, rename func(kind, name string) string) (order []string, of map[string][]string) {
		of = map[string][]string{}
		for _, i := range list {
			name, ok := names[i]
			if !ok {
				continue
			}
			for _, u := range i.units {
				if u.order == "" {
					continue
				}
				group := canonicalOrder(u.order, rename)
				if of[group] == nil {
					order = append(order, group)
				}
				if all := of[group]; len(all) == 0 || all[len(all)-1] != name {
					of[group] = append(all, name)
				}
			}
		}
		return order, of
	}
	_, was := groups(c.old, c.rename)
	order, is := groups(c.new, plainName)
	var out []Change
	for _, group := range order {
		before, after := both(was[group], is[group]), both(is[group], was[group])
		if !slices.Equal(before, after) {
			out = append(out, Change{
				Section: Rules, Kind: "order", Name: group,
				Lines: []Line{{'-', strings.Join(before, ", ")}, {'+', strings.Join(after, ", ")}},
			})
		}
	}
	return out
}

// both is the intersection of two lists, in the order of the first.
func both(list, other []string) []string {
	return without(list, without(list, other))
}
