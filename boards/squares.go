package boards

import (
	"fmt"
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// family is a named group of squares, in order.
type family struct {
	name    string
	index   int
	node    *node
	vars    []string
	squares []member
	named   []named  // lets and tags
	tried   []*scope // of all turns of the loops, also those that "where" leaves out
	free    []string // loop variables whose values no parameter and no other variable changes
	where   *expression
	closed  bool // its last square is followed by the first
	broken  bool // some of its squares are missing because of a fault
}

// member is one square of a family with the loop variables it was made with.
type member struct {
	place int
	vars  []value
	scope *scope
	node  *node // its entry in a list, or nil
}

// scopes are those of the squares.
func (f *family) scopes() []*scope {
	return seq.Map(f.squares, func(m member) *scope { return m.scope })
}

// squareMaker builds a family square by square.
type squareMaker struct {
	*reader
	fam   *family
	loops []loop
	lets  []named
	where *expression
	early int // how many expressions are evaluated for squares that "where" leaves out, too
	name  *expression
	tags  []named
	draw  *draft
}

type loop struct {
	name string
	of   *expression
}

type named struct {
	key  *node
	expr *expression
}

// squares reads every family.
func (r *reader) squares(n *node) {
	if !r.mapping(n, "a map of families: name: {for: …, name: …, draw: …}") || r.flattened(n) {
		r.suppress(n)
		r.brokenSquares = n != nil
		return
	}
	r.distinct(n, "family")
	for _, e := range r.atMost(n.entries, "a board", "families") {
		r.family(e)
	}
	for i := range r.board.Places {
		p := &r.board.Places[i]
		p.Tags = append(p.Tags, make([]bool, len(r.board.Tags)-len(p.Tags))...)
	}
}

func (r *reader) family(e entry) {
	f := &family{name: e.key.text, index: len(r.families), node: e.value}
	ok := r.claim(e.key, "family")
	delete(r.later, e.key.text)
	if ok {
		r.families = append(r.families, f)
		r.board.Families = append(r.board.Families, f.name)
	}
	before := len(*r.diags)
	r.parsed = nil
	m := &squareMaker{reader: r, fam: f}
	if ok {
		m.make(e)
	}
	r.turn = turn{}
	f.broken = !ok || diag.List((*r.diags)[before:]).HasErrors() || r.exhausted
	if f.broken {
		r.brokenSquares = true
	}
	f.where = m.where
	f.named = append(m.lets, m.tags...)
	late := r.parsed[m.early:]
	r.parsed = r.parsed[:m.early]
	r.ask(f.tried, f.free)
	r.parsed = late
	r.ask(f.scopes(), f.free)
	if ok {
		r.global.set(f.name, value{kind: familyValue, index: f.index})
	}
}

func (m *squareMaker) make(e entry) {
	if !m.keys(e.value, &familyKeys) {
		return
	}
	n := e.value
	s := m.global.inner()
	list := n.get("list")
	switch {
	case list == nil && n.get("for") == nil:
		m.fault("missing-key", m.head(n), "a family of squares needs a key \"for\" or \"list\"").Get().Hint =
			"for: {i: 1..10} makes ten squares, list: {a: {x: 0, y: 0}} names them one by one"
		return
	case list != nil && n.get("for") != nil:
		m.fault("unknown-key", list.span, "a family has either \"for\" or \"list\"")
		return
	case list != nil:
		if !m.mapping(list, "a map of squares: name: {x: …, y: …}") {
			return
		}
		for _, key := range []string{"name", "where"} {
			if extra := n.get(key); extra != nil {
				m.fault("unknown-key", extra.span, "a family with a list has no key %q", key)
			}
		}
		m.fam.vars = []string{"i"}
		s.set("i", number(0))
	default:
		if !m.readLoops(n.get("for"), s) {
			return
		}
		if n.get("name") == nil {
			m.fault("missing-key", m.head(n), "a family of squares needs a key %q", "name").Get().Hint = "name: string(i) calls the squares 1, 2, 3"
		}
	}
	m.fam.closed = len(m.fam.vars) == 1
	if c := n.get("closed"); c != nil {
		if v, ok := m.want(m.expression(c, m.global), m.global, flagValue); ok {
			m.fam.closed = v.num == 1
		}
	}
	m.eachLet(n.get("let"), s, func(key *node, x *expression) value {
		m.lets = append(m.lets, named{key, x})
		m.results = append(m.results, x)
		m.noteFree(key.text, x)
		return value{}
	})
	if w := n.get("where"); w != nil && list == nil {
		m.where = m.expression(w, s)
	}
	m.early = len(m.parsed)
	if name := n.get("name"); name != nil && list == nil {
		m.name = m.expression(name, s)
	}
	m.readTags(n.get("tags"), s)
	m.draw = m.reader.draw.draft(m.reader, n.get("draw"), s, &squareDrawKeys)
	if n.get("draw") == nil && list == nil {
		m.fault("missing-coordinates", m.head(n), "family %q does not say where its squares are drawn", m.fam.name).Get().Hint =
			"add draw: {" + m.reader.draw.want() + "}"
	}
	if list == nil {
		m.iterate(0, s)
		return
	}
	for i, e := range list.entries {
		s := m.global.inner()
		s.set("i", number(float64(i+1)))
		if !m.square(s, &e) {
			return
		}
	}
}

// noteFree notes a name that is worked out of nothing but free loop variables, if of any.
func (m *squareMaker) noteFree(name string, x *expression) {
	if x != nil && !strange(x.root, func(name string) bool { return slices.Contains(m.fam.free, name) }) {
		m.fam.free = append(m.fam.free, name)
	}
}

func (m *squareMaker) readLoops(n *node, s *scope) bool {
	if !m.mapping(n, "a map of loop variables: i: 1..10") {
		return false
	}
	ok := len(n.entries) > 0
	if !ok {
		m.fault("missing-key", n.span, "a loop variable is missing").Get().Hint = "for: {i: 1..10}"
	}
	for _, e := range n.entries {
		valid := nodeText(e.key) == "c" || m.variable(e.key, s)
		x := m.expression(e.value, s)
		ok = ok && valid && x != nil
		if _, declared := s.own(e.key.text); valid && !declared {
			s.set(e.key.text, value{})
			m.fam.vars = append(m.fam.vars, e.key.text)
			m.loops = append(m.loops, loop{e.key.text, x})
			if x != nil && !strange(x.root, func(string) bool { return false }) {
				m.fam.free = append(m.fam.free, e.key.text)
			}
		}
	}
	return ok
}

func (m *squareMaker) readTags(n *node, s *scope) {
	if !m.mapping(n, "a map of tags: name: condition") {
		return
	}
	m.distinct(n, "tag")
	for _, e := range m.atMost(n.entries, "a family", "tags") {
		ok := m.tag(e.key)
		m.listedTags.declared[e.key.text] = true
		m.listedTags.off[e.key.text] = nodeText(e.value) == "false"
		if x := m.expression(e.value, s); ok && x != nil {
			m.tags = append(m.tags, named{e.key, x})
		}
	}
}

func (r *reader) tag(key *node) bool {
	if !r.claimShared(key, "tag") {
		return false
	}
	if !slices.Contains(r.board.Tags, key.text) {
		r.board.Tags = append(r.board.Tags, key.text)
	}
	return true
}

// iterate runs the loop variables from the n-th on. It reports false when it must stop.
func (m *squareMaker) iterate(n int, s *scope) bool {
	if n == len(m.loops) {
		m.turn = turn{m.fam.vars, s}
		return m.square(s, nil)
	}
	l := m.loops[n]
	v := m.eval(l.of, s)
	if low, high, ok := l.of.ends("-"); ok {
		m.fault("type-mistake", l.of.span(l.of.root), "got number %d, want list", low-high).WithHint("a range is written %d..%d", low, high)
		return false
	}
	if low, high, ok := l.of.ends(".."); ok && low > high {
		m.fault("bad-range", l.of.span(l.of.root), "the range %d..%d is empty", low, high).WithHint("the lower number comes first")
		return false
	}
	if v.kind == numValue || v.kind == colourValue {
		v = value{kind: listValue, items: []value{v}}
	}
	if !m.wantKind(v, listValue, l.of.span(l.of.root)) {
		return v.kind != badValue
	}
	for _, item := range v.items {
		if m.reader.loops++; m.reader.loops > maxIterations {
			m.fault("too-large", l.of.span(l.of.root), "the loops of this board turn more than %d times", maxIterations)
			return false
		}
		in := s.inner()
		in.set(l.name, item)
		if !m.iterate(n+1, in) {
			return false
		}
	}
	return true
}

func (m *squareMaker) square(s *scope, e *entry) bool {
	inner := s.inner()
	inner.few = make([]binding, 0, min(len(m.lets), maxFew))
	for _, l := range m.lets {
		inner.set(l.key.text, m.eval(l.expr, inner))
	}
	m.fam.tried = append(m.fam.tried, inner)
	if m.where != nil {
		if v, ok := m.want(m.where, inner, flagValue); !ok || v.num == 0 {
			return !m.exhausted
		}
	}
	if m.exhausted {
		return false
	}
	var name string
	var span source.Span
	draft := m.draw
	var tags []*node
	var own *node
	switch {
	case e != nil:
		name, span, own = e.key.text, e.key.inner, e.value
		draft, tags = m.listed(e, inner)
	case m.name == nil:
		return true
	default:
		v := m.eval(m.name, inner)
		span = m.name.span(m.name.root)
		switch {
		case v.isWhole():
			name = formatNumber(v.num)
		case v.kind == badValue || !m.wantKind(v, textValue, span):
			return true
		default:
			name = v.text
		}
	}
	if !isSquareName(name) {
		d := m.fault("bad-name", span, "a square cannot be called %q", shorten(name))
		d.Get().Hint = "a square's name is made of letters a to z and A to Z, digits, - and _ and is at most 40 long"
		if w := plainLetters.Replace(name); e != nil && w != name && isSquareName(w) {
			d.Get().Hint = "write it " + quote(w)
			d.Instead(w)
		}
		return true
	}
	if old, taken := m.board.places[name]; taken {
		what := "square"
		if m.board.Places[old].Zone {
			what = "zone"
		}
		m.fault("duplicate-square", span, "a second square is called %q", name).
			WithNote(m.board.Places[old].Span, "the %s of this name", what)
		return true
	}
	if len(m.board.Places) >= maxSquares {
		m.fault("too-large", span, "a board has at most %d places", maxSquares)
		return false
	}
	place := len(m.board.Places)
	p := Place{Name: name, Words: name, Family: m.fam.index, Span: span, Tags: make([]bool, len(m.board.Tags))}
	for _, t := range m.tags {
		if v, ok := m.want(t.expr, inner, flagValue); ok && v.num == 1 {
			p.Tags[slices.Index(m.board.Tags, t.key.text)] = true
		}
	}
	for _, t := range tags {
		i := slices.Index(m.board.Tags, t.text)
		p.Tags = append(p.Tags, make([]bool, len(m.board.Tags)-len(p.Tags))...)
		p.Tags[i] = true
	}
	m.board.Places = append(m.board.Places, p)
	m.board.places[name] = place
	mem := member{place: place, scope: inner, node: own}
	for _, v := range m.fam.vars {
		bound, _ := inner.find(v)
		mem.vars = append(mem.vars, bound)
	}
	m.fam.squares = append(m.fam.squares, mem)
	m.reader.draw.square(m.reader, place, draft, inner)
	return true
}

// coordinates is the map for the short form [x, y].
func coordinates(n *node) *node {
	return &node{kind: mappingNode, span: n.span, entries: []entry{
		{key: &node{text: "x", span: n.items[0].span}, value: n.items[0]},
		{key: &node{text: "y", span: n.items[1].span}, value: n.items[1]},
	}}
}

// listed reads a square of a list: [x, y], or a map of draw keys, tags and attributes.
func (m *squareMaker) listed(e *entry, s *scope) (*draft, []*node) {
	n := e.value
	if n.kind == listNode {
		if len(n.items) != 2 {
			m.fault("wrong-kind", n.span, "got %d values, want the coordinates [x, y]", len(n.items))
			return nil, nil
		}
		n = coordinates(n)
	}
	if n.kind != mappingNode {
		m.wrongKind(n, "the square's coordinates: {"+m.reader.draw.want()+"}")
		return nil, nil
	}
	coordinates := &node{kind: mappingNode, span: n.span}
	if shared := m.fam.node.get("draw"); shared != nil {
		for _, old := range shared.entries {
			if n.get(old.key.text) == nil && slices.Contains(squareDrawKeys.all(), old.key.text) {
				coordinates.entries = append(coordinates.entries, old)
			}
		}
	}
	var tags []*node
	for _, k := range n.entries {
		switch k.key.text {
		case "tags":
			if k.value.kind != listNode {
				m.wrongKind(k.value, "a list of tags")
				continue
			}
			for _, t := range k.value.items {
				if m.tag(t) {
					m.listedTags.add(t)
					tags = append(tags, t)
				}
			}
		case "attributes":
		default:
			coordinates.entries = append(coordinates.entries, k)
		}
	}
	known := listedKeys.of(fmt.Sprintf("square %q", e.key.text))
	return m.reader.draw.draft(m.reader, coordinates, s, known), tags
}
