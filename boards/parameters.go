package boards

import (
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/source"
)

// parameters reads the parameters and sets each to its argument or its default.
func (r *reader) parameters(n *node, args map[string]argument) {
	b := r.board
	span := func(a argument) source.Span {
		if a.span.IsZero() {
			return b.Span
		}
		return a.span
	}
	if r.mapping(n, "a map of parameters: name: {from: …, to: …, default: …}") {
		r.distinct(n, "parameter")
		for i, e := range n.entries {
			if i >= maxNames {
				r.fault("too-large", e.key.span, "a board has at most %d parameters", maxNames)
				break
			}
			p, ok := r.parameter(e)
			if a, given := args[p.Name]; ok && given {
				if a.value < p.From || a.value > p.To {
					r.fault("bad-parameter", span(a), "%s = %d is out of range, want %d..%d", p.Name, a.value, p.From, p.To)
				} else {
					p.Value = a.value
				}
			}
			v := value{}
			if ok {
				v = number(float64(p.Value))
				b.Parameters = append(b.Parameters, p)
				b.given[p.Name] = e.key.inner
			}
			r.global.names[e.key.text] = v
		}
	}
	var names []string
	for _, e := range n.list() {
		names = append(names, e.key.text)
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if slices.Contains(names, name) {
			continue
		}
		at := args[name].key
		if at.IsZero() {
			at = span(args[name])
		}
		d := r.fault("bad-parameter", at, "board %q has no parameter %q", b.Name, shorten(name))
		if suggest(d, name, names); len(names) == 0 {
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
