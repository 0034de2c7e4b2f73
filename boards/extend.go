package boards

import (
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/source"
)

// maxUses is the longest chain of boards that use or extend one another.
const maxUses = 16

// compose reads the parameters of the board that root describes, and joins root with the board that it uses or extends. The
// nodes of the result keep their places in the files they come from. It is nil after a fault that makes the rest meaningless.
func (r *reader) compose(root *node, args map[string]argument, chain []string) *node {
	key, set := "", &boardKeys
	switch {
	case root.get("use") != nil:
		key, set = "use", &usingKeys
	case root.get("extends") != nil:
		key, set = "extends", &extendingKeys
	}
	r.keys(root, set)
	name := nodeText(root.get("board"))
	params := root.get("parameters")
	left := r.parameters(params, args)
	if key != "extends" {
		r.unknownParameters(left, name, params)
		left = nil
	}
	if key == "" {
		if n := root.get("without"); n != nil {
			r.fault("missing-key", n.span, "only a board that extends another one can be without something").WithHint("add extends: NAME")
		}
		return root
	}
	other, given, ok := r.other(key, root.get(key))
	if other == nil {
		return nil
	}
	chain = append(slices.Clone(chain), name)
	if slices.Contains(chain, other.text) || len(chain) > maxUses {
		r.fault("use-loop", other.inner, "board %q ends up %s itself", shorten(other.text), map[string]string{"use": "using", "extends": "extending"}[key])
		return nil
	}
	file, found := r.open(other.text)
	if !found || file == nil {
		r.suggest(r.fault("unknown-board", other.inner, "there is no board %q", shorten(other.text)), other.text, Names())
		return nil
	}
	if !ok {
		return nil
	}
	fixed := slices.Collect(maps.Keys(given))
	for parameter, a := range left {
		if _, twice := given[parameter]; twice {
			r.unknownParameters(map[string]argument{parameter: a}, name, params)
			continue
		}
		given[parameter] = a
	}
	r.board.Bases = append(r.board.Bases, other.text)
	base := r.document(file)
	if base == nil {
		return nil
	}
	b := r.board
	own, declared := b.Parameters, maps.Clone(b.given)
	if key == "use" { // its parameters are not those of the other board
		r.global, b.Parameters = (*scope)(nil).inner(), nil
	} else if r.extends.IsZero() {
		r.extends = other.inner
	}
	base = r.compose(base, given, chain)
	if base == nil {
		return nil
	}
	if key == "use" {
		b.Parameters, b.given = own, declared
	} else {
		b.Parameters = slices.DeleteFunc(b.Parameters, func(p Parameter) bool { return slices.Contains(fixed, p.Name) })
	}
	return r.extended(base, root)
}

// document reads a file of the board, nil after a fault.
func (r *reader) document(file *source.File) *node {
	r.bytes += len(file.Text())
	if root := document(file, r.diags); r.mapping(root, "a map that begins with \"board: NAME\"") {
		return root
	}
	return nil
}

// other reads the value of use or extends: the name of a board, and values for its parameters. The name is nil if it is
// missing, ok is false if a value has a fault.
func (r *reader) other(key string, n *node) (name *node, given map[string]argument, ok bool) {
	given, ok = map[string]argument{}, true
	switch {
	case key == "extends" && n.kind == scalarNode && n.text != "":
		return n, given, true
	case key == "extends" && n.kind != mappingNode:
		r.wrongKind(n, "a board's name, or a map: {board: NAME, PARAMETER: VALUE}")
		return nil, nil, false
	case n.kind != mappingNode:
		r.wrongKind(n, "a map: {board: NAME, PARAMETER: VALUE}")
		return nil, nil, false
	}
	r.distinct(n, "key")
	for _, e := range n.entries {
		if e.key.text == "board" {
			continue
		}
		v, whole := r.whole(r.expression(e.value, r.global), r.global)
		given[e.key.text] = argument{value: v, span: e.value.span, key: e.key.span}
		ok = ok && whole
	}
	name = n.get("board")
	if name == nil {
		r.fault("missing-key", r.head(n), "%s needs a key %q", key, "board")
		return nil, nil, false
	}
	if name.kind != scalarNode || name.text == "" {
		r.wrongKind(name, "a board's name")
		return nil, nil, false
	}
	return name, given, ok
}

// extended is the document of a board joined with that of one that extends it. First goes what own is without.
func (r *reader) extended(base, own *node) *node {
	zones := base.get("zones")
	asMap(zones, nil)
	asMap(own.get("zones"), zones)
	without := own.get("without")
	if without != nil && without.kind != listNode {
		r.wrongKind(without, "a list of names").WithHint("write [%s]", shorten(listText(without)))
	} else if without != nil {
		r.remove(base, without.items)
	}
	return r.merged(base, own)
}

// asMap makes a map of a list of zones. A zone that base has too keeps its drawing.
func asMap(zones, base *node) {
	if zones == nil || zones.kind != listNode {
		return
	}
	zones.kind = mappingNode
	drawn := map[string]*node{}
	for _, e := range base.list() {
		drawn[e.key.text] = e.value
	}
	for _, item := range zones.items {
		value := drawn[item.text]
		if value == nil {
			value = &node{span: item.span, inner: item.span, null: true}
		}
		zones.entries = append(zones.entries, entry{key: item, value: value})
	}
}

// remove takes everything with one of the names out of a board.
func (r *reader) remove(base *node, names []*node) {
	gone := map[string]bool{}
	for _, name := range names {
		if name.kind != scalarNode {
			r.wrongKind(name, "a name")
			continue
		}
		gone[name.text], r.removed[name.text] = true, name.inner
	}
	drawing := base.get("drawing")
	places := []*node{base.get("let"), base.get("zones"), base.get("squares"), base.get("landmarks"), base.get("tracks"),
		drawing.get("marks"), drawing.get("palette")}
	for _, family := range base.get("squares").list() {
		places = append(places, family.value.get("tags"), family.value.get("attributes"), family.value.get("list"))
	}
	found := map[string]bool{}
	for _, n := range places {
		if n == nil {
			continue
		}
		n.entries = slices.DeleteFunc(n.entries, func(e entry) bool {
			found[e.key.text] = true
			return gone[e.key.text]
		})
	}
	known := slices.Sorted(maps.Keys(found))
	for _, name := range names {
		if name.kind == scalarNode && !found[name.text] {
			r.suggest(r.fault("unknown-name", name.inner, "the board extended has nothing called %q", shorten(name.text)), name.text, known)
		}
	}
}

// merged joins two values of one key. Maps are merged key by key, in the order of base; a key of own alone stands before the
// next key of own that base has too. Any other value of own replaces that of base.
func (r *reader) merged(base, own *node) *node {
	switch {
	case own.kind != mappingNode:
		return own
	case base.kind == listNode && own.get("of") == nil && own.get("take") != nil: // of colours
		base = &node{kind: mappingNode, span: base.span, entries: []entry{{key: &node{text: "of", span: base.span}, value: base}}}
	case base.kind == listNode && len(base.items) == 2: // of a square in a list
		base = coordinates(base)
	case base.kind != mappingNode:
		return own
	}
	out := *own
	out.entries = nil
	at := map[string]int{} // of each key of base, from 1
	for i, b := range slices.Backward(base.entries) {
		at[b.key.text] = i + 1
	}
	values, before := map[int]entry{}, map[int][]entry{}
	var fresh []entry // keys of own alone that have no place yet
	for _, e := range own.entries {
		i := at[e.key.text]
		if delete(at, e.key.text); i == 0 {
			fresh = append(fresh, e)
			continue
		}
		values[i], before[i] = e, fresh
		fresh = nil
	}
	for i, b := range base.entries {
		out.entries = append(out.entries, before[i+1]...)
		if e, changed := values[i+1]; changed {
			b = entry{key: e.key, value: r.merged(b.value, e.value)}
		}
		out.entries = append(out.entries, b)
	}
	out.entries = append(out.entries, fresh...)
	return &out
}

// inBase reports whether a span lies in a board that this one extends.
func (r *reader) inBase(s source.Span) bool {
	return s.File != nil && s.File != r.file && !r.extends.IsZero()
}
