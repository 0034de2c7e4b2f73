package boards

import (
	"cmp"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// landmark is a landmark that is being read.
type landmark struct {
	name   string
	values []value // for each colour
}

func (r *reader) allLandmarks(n *node) {
	if !r.mapping(n, "a map of landmarks: name: place") {
		return
	}
	r.distinct(n, "landmark")
	for _, e := range r.atMost(n.entries, "a board", "landmarks") {
		delete(r.later, e.key.text)
		ok := r.claim(e.key, "landmark")
		x := r.expression(e.value, r.colour(0))
		r.results = append(r.results, x)
		l := landmark{name: e.key.text}
		out := Landmark{Name: l.name}
		for c := range r.board.Colours {
			s := r.colour(c)
			r.turn = turn{[]string{"c"}, s}
			v, good := r.want(x, s, placeValue)
			if !good {
				v = value{index: None}
			}
			l.values = append(l.values, v)
			out.Values = append(out.Values, v.index)
		}
		r.turn = turn{}
		if ok {
			r.landmarks = append(r.landmarks, l)
			r.board.Landmarks = append(r.board.Landmarks, out)
			r.spans = append(r.spans, e.value.span)
		}
	}
}

// tracks reads every track for every colour.
func (r *reader) tracks(n *node) {
	if !r.mapping(n, "a map of tracks: name: [run, run, …]") {
		if n != nil {
			r.markMissing()
		}
		return
	}
	r.distinct(n, "track")
	if len(n.entries) == 0 {
		r.fault("missing-key", n.span, "a board needs a track").WithHint("write, say, {race: [{ring: all}]}")
	}
	for _, e := range r.atMost(n.entries, "a board", "tracks") {
		ok := r.word(e.key, "track")
		if e.value.kind != listNode {
			r.wrongKind(e.value, "a list of runs and places").
				WithHint("one list is laid for every colour c: [{ring: {from: start, to: mouth}}, {lane: c}]")
			r.markMissing()
			continue
		}
		plan := r.plan(e.value, r.colour(0), true)
		t := Track{Name: e.key.text, Span: e.key.inner}
		for c := range r.board.Colours {
			s := r.colour(c)
			r.turn = turn{[]string{"c"}, s}
			l := &layer{reader: r, scope: s}
			l.list(plan)
			if len(l.nodes) == 0 && !l.broken && plan != nil {
				r.fault("colour-without-track", e.value.span, "track %q has no places for %s", e.key.text, r.colours[c])
				l.broken = true
			}
			if l.broken || plan == nil {
				r.brokenTracks[c] = true
			}
			t.Runs = append(t.Runs, l.run())
		}
		r.turn = turn{}
		if ok && r.board.Track(t.Name) == nil {
			r.board.Tracks = append(r.board.Tracks, t)
		}
	}
}

// markMissing records that tracks of all colours are missing.
func (r *reader) markMissing() {
	for c := range r.brokenTracks {
		r.brokenTracks[c] = true
	}
}

// layer builds one colour's run of a track, node by node.
type layer struct {
	*reader
	scope *scope
	nodes []Node
	edges [][]edge // for each node
	ends  []end    // the nodes that lead to the next place
	first struct { // room for the first way out of nodes, and into them
		edges []edge
		prev  []int
	}
	broken bool
}

// end is an open end of the run. ways orders the steps of a node: at each fork the number of the way.
type end struct {
	node int
	ways []int
}

type edge struct {
	to   int
	ways []int
}

func (l *layer) link(from end, to int, at source.Span) {
	if l.spend(at, 1+len(l.edges[from.node])) && !slices.ContainsFunc(l.edges[from.node], func(e edge) bool { return e.to == to }) {
		l.edges[from.node] = append(l.edges[from.node], edge{to, from.ways})
		l.nodes[to].Prev = append(l.nodes[to].Prev, from.node)
	}
}

// roomFor is for how many nodes room is made at once.
const roomFor = 64

// nodeWork is the work that a node of a track counts as: it takes memory.
const nodeWork = 4

func (l *layer) add(place int, span source.Span) {
	n := len(l.nodes)
	fine := false
	switch {
	case l.broken:
	case n >= maxNodes:
		l.fault("too-large", span, "a track has at most %d steps", maxNodes)
	case !l.spend(span, nodeWork):
	case n > 0 && len(l.ends) == 0:
		l.fault("track-goes-on", span, "nothing can follow here: no way before it ends")
	default:
		fine = true
	}
	if !fine {
		l.broken = true
		return
	}
	if len(l.first.prev) == 0 {
		l.first.edges, l.first.prev = make([]edge, roomFor), make([]int, roomFor)
	}
	node := Node{Place: place, Prev: l.first.prev[:0:1]}
	if len(l.ends) > 0 {
		node.Index = l.nodes[l.ends[0].node].Index + 1
	}
	l.nodes = append(l.nodes, node)
	l.edges = append(l.edges, l.first.edges[:0:1])
	l.first.edges, l.first.prev = l.first.edges[1:], l.first.prev[1:]
	for _, e := range l.ends {
		l.link(e, n, span)
	}
	l.ends = append(l.ends[:0], end{node: n}) // a fork keeps the ends before it in another list
}

func (l *layer) list(plan []*element) {
	for _, e := range plan {
		switch e.kind {
		case onePlace, backElement:
			v, ok := l.want(e.place, l.scope, placeValue)
			switch {
			case !ok:
				l.broken = true
			case e.kind == backElement:
				l.back(v.index, e)
			default:
				l.add(v.index, e.span)
			}
		case familyRun:
			l.broken = !l.family(e) || l.broken
		case forkElement:
			l.fork(e)
		}
	}
}

func (l *layer) fork(e *element) {
	start := l.ends
	var ends []end
	for i, branch := range e.branches {
		l.ends = nil
		for _, s := range start {
			if !l.spend(e.span, 1+len(s.ways)+len(ends)) {
				l.broken = true
				return
			}
			l.ends = append(l.ends, end{s.node, append(slices.Clone(s.ways), i)})
		}
		l.list(branch)
		for _, x := range l.ends {
			if !slices.ContainsFunc(ends, func(y end) bool { return x.node == y.node }) {
				ends = append(ends, x)
			}
		}
	}
	l.ends = ends
}

func (l *layer) back(place int, e *element) {
	if l.broken {
		return
	}
	to := slices.IndexFunc(l.nodes, func(n Node) bool { return n.Place == place })
	if to < 0 {
		l.fault("off-track", e.span, "the track has not been on %q yet", l.board.Places[place].Name).Get().Hint =
			"back leads to a place further up in the list"
		l.broken = true
		return
	}
	for _, from := range l.ends {
		l.link(from, to, e.span)
	}
	l.ends = nil
}

func (l *layer) run() Run {
	ways := 0
	for _, edges := range l.edges {
		ways += len(edges)
	}
	next := make([]int, 0, ways)
	for i := range l.nodes {
		slices.SortStableFunc(l.edges[i], func(a, b edge) int { return slices.Compare(a.ways, b.ways) })
		from := len(next)
		for _, e := range l.edges[i] {
			next = append(next, e.to)
		}
		l.nodes[i].Next = next[from:len(next):len(next)]
	}
	return Run{Nodes: l.nodes}
}

// family adds a run of a family's squares; false after a fault.
func (l *layer) family(e *element) bool {
	f := e.family
	squares := f.squares
	for _, s := range e.selected {
		v := l.eval(s.of, l.scope)
		if v.kind == badValue {
			return false
		}
		if kind := f.kindOf(s.index); kind != badValue && !l.wantKind(v, kind, s.of.span(s.of.root)) {
			return false
		}
		x := &evaluation{reader: l.reader, e: s.of, scope: l.scope}
		squares = seq.Filter(squares, func(m member) bool { return x.same(s.of.root, m.vars[s.index], v) })
		if x.exhausted {
			return false
		}
	}
	if len(squares) == 0 {
		if !f.broken {
			l.fault("gap-in-track", e.span, "this run of %q has no squares", f.name)
		}
		return false
	}
	step, ok := 1, true
	if e.backwards != nil {
		var v value
		if v, ok = l.want(e.backwards, l.scope, flagValue); v.num == 1 {
			step = -1
		}
	}
	from, ok1 := l.bound(e, e.from, squares, step > 0)
	to, ok2 := l.bound(e, e.to, squares, step < 0)
	if !ok || !ok1 || !ok2 || l.broken {
		return false
	}
	count := (to-from)*step + 1
	wraps := f.closed && len(squares) == len(f.squares)
	switch {
	case e.around != "" && !wraps:
		l.fault("gap-in-track", e.span, "the squares of this run of %q do not form a ring", f.name).Get().Hint =
			"say closed: true in the family if its last square is followed by the first"
		return false
	case e.around != "":
		count = len(squares)
	case count <= 0 && !wraps:
		a, b := l.board.Places[squares[from].place].Name, l.board.Places[squares[to].place].Name
		d := l.fault("gap-in-track", e.span, "no squares lead from %q to %q: %q comes later in %q", a, b, a, f.name)
		if d.Get().Hint = "say backwards: true"; step < 0 {
			d.Get().Hint = "without backwards the run goes the other way"
			d.Get().Message = "no squares lead backwards from " + quote(a) + " to " + quote(b)
		}
		return false
	case count <= 0:
		count += len(squares)
	}
	first := len(l.nodes)
	l.nodes, l.edges = slices.Grow(l.nodes, count), slices.Grow(l.edges, count)
	for i := range count {
		at := (from + i*step) % len(squares)
		l.add(squares[(at+len(squares))%len(squares)].place, e.span)
	}
	if e.around == "true" && !l.broken {
		for _, end := range l.ends {
			l.link(end, first, e.span)
		}
		l.ends = nil
	}
	return true
}

// bound finds where a run of squares begins or ends. A number is a value of the last loop variable.
func (l *layer) bound(e *element, x *expression, squares []member, first bool) (int, bool) {
	if x == nil {
		if first {
			return 0, true
		}
		return len(squares) - 1, true
	}
	v := l.eval(x, l.scope)
	span := x.span(x.root)
	at, last := -1, len(e.family.vars)-1
	switch v.kind {
	case badValue:
		return 0, false
	case placeValue:
		at = slices.IndexFunc(squares, func(m member) bool { return m.place == v.index })
	case numValue:
		at = slices.IndexFunc(squares, func(m member) bool { return m.vars[last].same(v) })
	default:
		l.fault("type-mistake", span, "got %s, want place or number", l.describe(v))
		return 0, false
	}
	if at < 0 && !e.family.broken {
		switch {
		case v.kind == placeValue:
			l.fault("gap-in-track", span, "%s is not among these squares of %q", l.describe(v), e.family.name)
		default:
			l.fault("gap-in-track", span, "no square here has %s = %s", e.family.vars[last], formatNumber(v.num)).Get().Hint =
				l.values(squares, last)
		}
	}
	return at, at >= 0
}

// values lists the values of a loop variable, for a hint.
func (r *reader) values(squares []member, index int) string {
	lo, hi := squares[0].vars[index], squares[0].vars[index]
	if lo.kind != numValue {
		return ""
	}
	for _, s := range squares {
		if v := s.vars[index]; v.kind == numValue {
			lo.num, hi.num = min(lo.num, v.num), max(hi.num, v.num)
		}
	}
	return "they go from " + formatNumber(lo.num) + " to " + formatNumber(hi.num)
}

func (f *family) kindOf(index int) valueKind {
	kind := badValue
	for _, s := range f.squares {
		kind = cmp.Or(kind, s.vars[index].kind)
	}
	return kind
}
