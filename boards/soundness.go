package boards

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// attributes reads the maps from places to places, when all squares are known.
func (r *reader) attributes() {
	for _, f := range r.families {
		if n := f.node.get("attributes"); f.node.kind == mappingNode && r.mapping(n, "a map of attributes: name: {square: place}") {
			r.distinct(n, "attribute")
			for _, e := range n.entries {
				r.attribute(f, e)
			}
		}
		for _, m := range f.squares {
			if n := m.node.get("attributes"); m.node != nil && r.mapping(n, "a map of attributes: name: place") {
				for _, e := range n.entries {
					if a := r.attributeCalled(e.key); a != nil {
						r.listedAttributes.add(e.key)
						r.lead(a, m.place, r.target(e.value, m.scope), e.key.span.To(e.value.span))
					}
				}
			}
		}
		r.ask(f.scopes(), f.free)
	}
}

func (r *reader) attributeCalled(key *node) *Attribute {
	if !r.claimShared(key, "attribute") {
		return nil
	}
	all := &r.board.Attributes
	i := slices.IndexFunc(*all, func(a Attribute) bool { return a.Name == key.text })
	if i < 0 {
		i = len(*all)
		*all = append(*all, Attribute{Name: key.text, Values: slices.Repeat([]int{None}, len(r.board.Places))})
	}
	return &(*all)[i]
}

// attribute reads {square: place, …}, or an expression evaluated for each square of the family.
func (r *reader) attribute(f *family, e entry) {
	a := r.attributeCalled(e.key)
	if a == nil {
		return
	}
	r.listedAttributes.declared[e.key.text] = true
	if e.value.kind == scalarNode {
		r.computed[a.Name] = true
		var x *expression
		for i, m := range f.squares {
			if i == 0 {
				x = r.expression(e.value, m.scope)
				r.results = append(r.results, x)
			}
			r.turn = turn{f.vars, m.scope}
			if v := r.eval(x, m.scope); v.kind != nilValue && r.wantKind(v, placeValue, e.value.span) {
				a.Values[m.place] = v.index
			}
		}
		r.turn = turn{}
		return
	}
	if !r.mapping(e.value, "a map {square: place}, or an expression") {
		return
	}
	r.distinct(e.value, "square")
	names := seq.Map(f.squares, func(m member) string { return r.board.Places[m.place].Name })
	for _, pair := range e.value.entries {
		place, ok := r.board.places[pair.key.text]
		if ok = ok && r.board.Places[place].Family == f.index; !ok && !f.broken {
			r.suggest(r.fault("unknown-square", pair.key.span, "family %q has no square %q", f.name, shorten(pair.key.text)), pair.key.text, names)
		}
		to := r.target(pair.value, r.global)
		if ok {
			r.lead(a, place, to, pair.key.span.To(pair.value.span))
		}
	}
}

// target is the place an attribute leads to: a name, or an expression.
func (r *reader) target(n *node, s *scope) int {
	if n.kind != scalarNode {
		r.wrongKind(n, "a place")
		return None
	}
	if p, ok := r.board.places[n.text]; ok {
		return p
	}
	if isSquareName(n.text) && n.text != "nil" {
		if _, known := s.find(n.text); !known {
			if !r.brokenSquares {
				r.suggestPlace(r.fault("unknown-square", n.span, "there is no square %q", shorten(n.text)), n.text)
			}
			return None
		}
	}
	v := r.eval(r.expression(n, s), s)
	if v.kind == nilValue || !r.wantKind(v, placeValue, n.span) {
		return None
	}
	return v.index
}

// checkBoard checks the finished board: landmarks that are on no track of their colour, squares that are on no track, squares
// that overlap.
func (r *reader) checkBoard() {
	b := r.board
	reached := make([]bool, len(b.Places))
	off := make([][]int, len(b.Landmarks)) // the colours whose tracks do not contain their landmark
	for c := range b.Colours {
		own := make([]bool, len(b.Places))
		for _, t := range b.Tracks {
			for _, n := range t.Runs[c].Nodes {
				own[n.Place], reached[n.Place] = true, true
			}
		}
		for i, l := range b.Landmarks {
			if len(b.Tracks) > 0 && !r.brokenTracks[c] && l.Values[c] != None && !own[l.Values[c]] {
				off[i] = append(off[i], c)
			}
		}
	}
	for i, l := range b.Landmarks {
		for _, c := range off[i][:min(1, len(off[i]))] {
			d := r.fault("start-off-track", r.spans[i], "%s of %s is %q, which is on no track of %s",
				l.Name, b.Colours[c].Name, b.Places[l.Values[c]].Name, b.Colours[c].Name)
			for _, other := range off[i][1:] {
				d.WithNote(source.Span{}, "that of %s is %q, on no track of %s either", b.Colours[other].Name, b.Places[l.Values[other]].Name, b.Colours[other].Name)
			}
		}
	}
	r.overlaps()
	if r.trial {
		return
	}
	if !slices.Contains(r.brokenTracks, true) && len(b.Tracks) > 0 && len(b.Colours) > 0 {
		r.unreached(reached)
	}
	r.uneven()
	r.sameSteps()
	r.emptyTags()
	r.drawnOver()
	r.sameHues()
	if !r.diags.HasErrors() {
		r.odd()
		r.emptyFamilies()
		r.alwaysSame()
	}
}

// uneven warns of tracks that are longer for one colour than for another.
func (r *reader) uneven() {
	for _, t := range r.board.Tracks {
		for c, run := range t.Runs {
			if first := len(t.Runs[0].Nodes); len(run.Nodes) != first && !r.brokenTracks[0] && !r.brokenTracks[c] {
				r.warn("uneven-tracks", t.Span, "track %q has %d places for %s and %d for %s", t.Name,
					first, r.colours[0], len(run.Nodes), r.colours[c]).
					WithHint("a run from one place to a fixed number is of another length for each colour: end it at a landmark")
				break
			}
		}
	}
}

// sameSteps warns of tracks on which a place follows itself, or a fork leads to one place by two ways.
func (r *reader) sameSteps() {
	for _, t := range r.board.Tracks {
		for c, run := range t.Runs {
			if r.brokenTracks[c] {
				continue
			}
			place := func(node int) int { return run.Nodes[node].Place }
			itself := slices.IndexFunc(run.Nodes, func(n Node) bool {
				return (r.board.Places[n.Place].Zone || len(n.Next) == 1) && slices.ContainsFunc(n.Next, func(next int) bool { return place(next) == n.Place })
			})
			fork := slices.IndexFunc(run.Nodes, func(n Node) bool { return len(seq.Distinct(seq.Map(n.Next, place))) < len(n.Next) })
			switch {
			case itself >= 0:
				r.warn("done-twice", t.Span, "on track %q %q follows %[2]q", t.Name, r.board.Places[place(itself)].Name).WithHint("name it once")
			case fork >= 0:
				r.warn("same-ways", t.Span, "two ways of the fork behind %q begin with one place", r.board.Places[place(fork)].Name)
			default:
				continue
			}
			break
		}
	}
}

// emptyTags warns of tags that no square has. With other values of a board's parameters there may be one that has it; and a
// board that extends another takes a tag away with the condition false.
func (r *reader) emptyTags() {
	if len(r.board.Parameters) > 0 || r.brokenSquares {
		return
	}
	for i, tag := range r.board.Tags {
		at := r.board.declared[tag].span
		if r.inBase(at) || !r.extends.IsZero() && r.listedTags.off[tag] ||
			slices.ContainsFunc(r.board.Places, func(p Place) bool { return !p.Zone && p.Tags[i] }) {
			continue
		}
		r.warn("empty-tag", at, "no square has the tag %q", tag)
	}
}

// emptyFamilies warns of families without squares.
func (r *reader) emptyFamilies() {
	for _, f := range r.families {
		if at := r.board.declared[f.name].span; len(f.squares) == 0 && len(r.board.Parameters) == 0 && r.own(at) {
			d := r.warn("empty-tag", at, "the family %q has no squares", f.name)
			if f.where != nil {
				d.WithNote(f.where.span(f.where.root), "this leaves out all of them")
			}
		}
	}
}

func (r *reader) unreached(reached []bool) {
	for _, f := range r.families {
		missed := seq.Filter(f.squares, func(m member) bool { return !reached[m.place] })
		names := seq.Map(missed, func(m member) string { return r.board.Places[m.place].Name })
		if len(names) == 0 {
			continue
		}
		list := strings.Join(names[:min(8, len(names))], ", ")
		if len(names) > 8 {
			list += fmt.Sprintf(" and %d more", len(names)-8)
		}
		r.warn("unreachable-square", r.board.Places[f.squares[0].place].Span, "no track comes to these squares of %q: %s", f.name, list)
	}
}

// overlaps finds squares drawn on the same spot.
func (r *reader) overlaps() {
	b := r.board
	drawn := b.squares()
	var pairs [][2]int
	slices.SortStableFunc(drawn, func(i, j int) int {
		return cmp.Compare(b.drawing.squares[i].X, b.drawing.squares[j].X)
	})
	for k, i := range drawn {
		s := b.drawing.squares[i]
		for _, j := range drawn[k+1:] {
			t := b.drawing.squares[j]
			near := 0.6 * min(s.Width, s.Height, t.Width, t.Height)
			if t.X-s.X > max(5, near) {
				break
			}
			if t.X-s.X <= near && math.Abs(t.Y-s.Y) <= near {
				pairs = append(pairs, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	r.eachFirst(pairs, func(place int) int { return place }, func(first, second int, at source.Span) diag.Ref {
		return r.fault("overlap", at, "squares %q and %q are drawn on the same spot", b.Places[first].Name, b.Places[second].Name).
			WithNote(b.Places[first].Span, "square %q", b.Places[first].Name)
	})
}

// eachFirst reports the first of the pairs whose second one's place is at one spot in the file, and notes how many more there are.
func (r *reader) eachFirst(pairs [][2]int, place func(i int) int, report func(first, second int, at source.Span) diag.Ref) {
	at := func(pair [2]int) source.Span { return r.board.Places[place(pair[1])].Span }
	groups := seq.Group(pairs, at)
	for _, pair := range pairs {
		same := groups[at(pair)]
		if pair != same[0] {
			continue
		}
		if d := report(pair[0], pair[1], at(pair)); len(same) > 1 {
			d.WithNote(source.Span{}, "and %d more like these", len(same)-1)
		}
	}
}
