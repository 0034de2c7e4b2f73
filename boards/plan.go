package boards

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

type elementKind uint8

const (
	onePlace elementKind = iota
	familyRun
	forkElement
	backElement
)

// element is one entry of a track: parsed once, laid for each colour.
type element struct {
	kind      elementKind
	span      source.Span
	family    *family
	place     *expression // of a single place, or where back leads
	selected  []selection
	from, to  *expression
	around    string // "", "true" or "once"
	backwards *expression
	branches  [][]*element
}

// selection picks squares of a family by a loop variable.
type selection struct {
	index int // in family.vars
	of    *expression
}

// plan parses a list of track elements. The result is nil after a fault.
func (r *reader) plan(n *node, s *scope, outermost bool) []*element {
	plan := []*element{}
	ok := true
	for i, item := range n.items {
		e := r.element(item, s)
		if e == nil {
			ok = false
			continue
		}
		if last := len(plan) - 1; last >= 0 && e.from != nil && e.around == "" && e.span.Text() == plan[last].span.Text() && r.own(e.span) {
			r.warn("done-twice", e.span, "this goes over the same squares again")
		}
		plan = append(plan, e)
		loops := e.kind == backElement || e.around == "true"
		if loops && i < len(n.items)-1 {
			r.fault("track-goes-on", n.items[i+1].span, "nothing can follow here: the run before it never ends")
			ok = false
		}
		if outermost && i == 0 && (e.kind == forkElement || e.kind == backElement) {
			r.fault("wrong-kind", item.span, "a track must begin with a place").Get().Hint = "begin it with a place or a run of squares"
			ok = false
		}
	}
	if !ok {
		return nil
	}
	return plan
}

func (r *reader) element(n *node, s *scope) *element {
	e := &element{span: n.span}
	if n.kind == scalarNode {
		if e.place = r.expression(n, s); e.place == nil {
			return nil
		}
		return e
	}
	if n.kind != mappingNode || len(n.entries) != 1 {
		r.wrongKind(n, "a place, a run as in {ring: {from: …, to: …}}, {fork: [[…], […]]} or {back: place}")
		return nil
	}
	key, v := n.entries[0].key, n.entries[0].value
	switch key.text {
	case "fork":
		return r.fork(e, v, s)
	case "back":
		e.kind = backElement
		if e.place = r.expression(v, s); e.place == nil {
			return nil
		}
		return e
	}
	e.kind = familyRun
	if e.family = seq.First(r.families, func(f *family) bool { return f.name == key.text }); e.family == nil {
		if r.claims[key.text].what != "family" && !r.suppressed[key.text] {
			known := append(slices.Clone(r.board.Families), "fork", "back")
			r.suggest(r.fault("unknown-family", key.span, "there is no family of squares %q", shorten(key.text)), key.text, known)
		}
		return nil
	}
	return r.familyRun(e, v, s)
}

func (r *reader) fork(e *element, n *node, s *scope) *element {
	e.kind = forkElement
	if n.kind != listNode || len(n.items) < 2 {
		r.fault("wrong-kind", n.span, "a fork needs two ways or more: {fork: [[…], […]]}")
		return nil
	}
	if len(n.items) > maxNodes {
		r.fault("too-large", n.items[maxNodes].span, "a fork has at most %d ways", maxNodes)
		return nil
	}
	for i, way := range n.items {
		if slices.ContainsFunc(n.items[:i], way.same) {
			r.warn("same-ways", way.span, "this way of the fork is the same as another one").
				WithHint("a fork leads to different squares; an empty way is one that leads to what follows directly")
		} else if slices.ContainsFunc(n.items, way.endsAs) {
			r.warn("same-ways", way.span, "this way ends with all of another one: it only makes that longer").
				WithHint("what both have in common stands behind the fork")
		}
		if way.kind != listNode {
			r.wrongKind(way, "a list of runs and places")
			return nil
		}
		plan := r.plan(way, s, false)
		if plan == nil {
			return nil
		}
		e.branches = append(e.branches, plan)
	}
	return e
}

// familyRun reads {family: all}, {family: value of its first loop variable} or {family: {…}}.
func (r *reader) familyRun(e *element, n *node, s *scope) *element {
	f := e.family
	switch {
	case n.kind == listNode:
		r.wrongKind(n, "all, a value of a loop variable, or a map with from and to")
		return nil
	case n.kind == scalarNode && n.text == "all":
		return e
	case n.kind == scalarNode:
		x := r.expression(n, s)
		if x == nil {
			return nil
		}
		if len(f.vars) > 0 {
			e.selected = []selection{{0, x}}
		}
		return e
	}
	set := runKeys.of("a run of "+f.name, f.vars...)
	known := set.all()
	if !r.keys(n, set) {
		return nil
	}
	ok := true
	for _, k := range n.entries {
		if !slices.Contains(known, k.key.text) {
			ok = false
			continue
		}
		if k.key.text == "around" {
			if e.around = nodeText(k.value); !slices.Contains(aroundNames, e.around) {
				r.fault("wrong-kind", k.value.span, "got %q, want true or once", shorten(e.around)).Get().Hint =
					"true closes the run into a ring, once goes full circle and on"
				ok = false
			}
			continue
		}
		x := r.expression(k.value, s)
		ok = ok && x != nil
		switch k.key.text {
		case "from":
			e.from = x
		case "to":
			e.to = x
		case "backwards":
			e.backwards = x
		default:
			e.selected = append(e.selected, selection{slices.Index(f.vars, k.key.text), x})
		}
	}
	if e.around != "" && e.from != nil && e.from.root.Kind == expr.Name {
		r.rounds = append(r.rounds, e.from.root.Name)
	}
	if e.around != "" && e.to != nil {
		r.fault("unknown-key", n.get("to").span, "a run that goes around has no %q", "to")
		ok = false
	}
	if !ok {
		return nil
	}
	return e
}
