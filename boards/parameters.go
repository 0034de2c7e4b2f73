package boards

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// parameters reads the parameters and sets each to its argument or its default. It returns the arguments for which there is no
// parameter. A board that extends this one may have declared a parameter of the same name; that one stands.
func (r *reader) parameters(n *node, args map[string]argument) (left map[string]argument) {
	b := r.board
	left = maps.Clone(args)
	if !r.mapping(n, "a map of parameters: name: {from: …, to: …, default: …}") {
		return left
	}
	r.distinct(n, "parameter")
	above := len(b.Parameters)
	for _, e := range r.atMost(n.entries, "a board", "parameters") {
		a, given := args[e.key.text]
		delete(left, e.key.text)
		if slices.ContainsFunc(b.Parameters[:above], func(p Parameter) bool { return p.Name == e.key.text }) {
			if given {
				r.fault("bad-parameter", r.argumentSpan(a), "%q is a parameter of this board, which takes the place of the other one", e.key.text).
					WithHint("leave it out here, or under \"parameters\"")
			}
			continue
		}
		p, ok := r.parameter(e)
		if ok && given {
			if a.value < p.From || a.value > p.To {
				r.fault("bad-parameter", r.argumentSpan(a), "%s = %d is out of range, want %d..%d", p.Name, a.value, p.From, p.To)
			} else {
				p.Value = a.value
			}
		}
		v := value{}
		if ok {
			v = number(float64(p.Value))
			b.Parameters = append(b.Parameters, p)
			b.given[p.Name] = e.key.inner
			r.named = append(r.named, e.key)
		}
		r.global.set(e.key.text, v)
	}
	return left
}

// argumentSpan is where a value was given; values that do not come from a file are reported at the board's name.
func (r *reader) argumentSpan(a argument) source.Span { return cmp.Or(a.span, r.board.Span) }

// unknownParameters reports arguments that name no parameter of the board.
func (r *reader) unknownParameters(args map[string]argument, board string, declared *node) {
	names := seq.Map(declared.list(), func(e entry) string { return e.key.text })
	names = sortedNames(append(names, seq.Map(r.board.Parameters, func(p Parameter) string { return p.Name })...))
	for _, name := range slices.Sorted(maps.Keys(args)) {
		d := r.fault("bad-parameter", cmp.Or(args[name].key, r.argumentSpan(args[name])), "board %q has no parameter %q", board, shorten(name))
		if r.suggest(d, name, names); len(names) == 0 {
			d.Get().Hint = "it has no parameters"
		}
	}
}

func (r *reader) parameter(e entry) (Parameter, bool) {
	p := Parameter{Name: e.key.text}
	ok := r.word(e.key, "parameter")
	if !r.keys(e.value, &parameterKeys) {
		return p, false
	}
	for key, to := range map[string]*int{"from": &p.From, "to": &p.To, "default": &p.Value} {
		n := e.value.get(key)
		x := r.expression(n, nil)
		got, whole := r.whole(x, nil)
		if *to = got; !whole {
			ok = false
		} else if got < -1_000_000 || got > 1_000_000 {
			r.fault("bad-parameter", n.span, "%d is too large, the limit is 1000000", got)
			ok = false
		}
	}
	switch {
	case !ok:
	case p.From > p.To:
		r.fault("bad-parameter", e.value.get("from").span, "the range %d..%d is empty", p.From, p.To).Get().Hint = "swap from and to"
		ok = false
	case p.Value < p.From || p.Value > p.To:
		r.fault("bad-parameter", e.value.get("default").span, "the default %d is out of the range %d..%d", p.Value, p.From, p.To)
		ok = false
	}
	return p, ok
}
