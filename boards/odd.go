package boards

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// lead is a place given to a square by name.
type lead struct {
	from, to int
	span     source.Span
	way      int  // 1 ahead, -1 back on the tracks, 0 on none or to itself
	mixed    bool // not the same way for all
}

// lead records that an attribute, by name, leads from one place to another.
func (r *reader) lead(a *Attribute, from, to int, span source.Span) {
	a.Values[from] = to
	if to != None {
		r.arrows[a.Name] = append(r.arrows[a.Name], lead{from: from, to: to, span: span})
	}
}

// own reports whether a span lies in the file of the board itself, not in a board that it uses or extends.
func (r *reader) own(s source.Span) bool { return s.File == r.file }

func (r *reader) notef(code string, span source.Span, format string, args ...any) diag.Ref {
	d := r.warn(code, span, format, args...)
	d.Get().Severity = diag.Info
	return d
}

// odd reports the one arrow that differs from all others of its attribute, the one square from which two attributes lead, the
// one colour whose landmark lacks a tag, and a landmark that is drawn for one colour alone.
func (r *reader) odd() {
	var named []Attribute // all of whose places are given by name
	for _, a := range r.board.Attributes {
		r.toItself(a)
		if !r.computed[a.Name] {
			named = append(named, a)
		}
	}
	r.directions()
	for i, a := range named {
		r.oddArrow(a)
		for _, b := range named[:i] {
			r.twoArrows(b, a)
		}
	}
	r.sameSquares()
	for i, l := range r.board.Landmarks {
		r.oneRound(i, l)
		r.sharedLandmark(l, r.spans[i])
		r.unevenRound(l, r.spans[i])
		for tag := range r.board.Tags {
			r.oddLandmark(l, r.spans[i], tag)
		}
	}
}

// toItself warns of an attribute that leads from each of several places to that place.
func (r *reader) toItself(a Attribute) {
	led := 0
	for from, to := range a.Values {
		if to != None && to != from {
			return
		}
		if to == from {
			led++
		}
	}
	if at := r.board.declared[a.Name].span; led > 1 && r.own(at) {
		r.warn("always-same", at, "%s leads from each of its %d places to that place itself", a.Name, led)
	}
}

// sameSquares notes a tag that the squares of another one have, and no others.
func (r *reader) sameSquares() {
	first := map[string]string{} // the name of the tag that some squares have
	for tag, name := range r.board.Tags {
		squares := fmt.Sprint(seq.Indexes(r.board.Places, func(p Place) bool { return p.Tags[tag] }))
		other, twice := first[squares]
		if at := r.board.declared[name].span; twice && r.own(at) && squares != "[]" {
			r.notef("same-squares", at, "the squares with the tag %q are those with the tag %q", name, other)
		}
		if !twice {
			first[squares] = name
		}
	}
}

// minArrows is the fewest arrows of which one may be reported because the others lead the other way; two are enough where all of another
// attribute lead that way.
const minArrows = 4

// allLead reports whether all arrows of another attribute lead one way.
func (r *reader) allLead(but Attribute, way int) bool {
	return slices.ContainsFunc(r.board.Attributes, func(a Attribute) bool {
		other := func(w lead) bool { return w.mixed || w.way != way }
		return a.Name != but.Name && len(r.arrows[a.Name]) > 1 && !slices.ContainsFunc(r.arrows[a.Name], other)
	})
}

func (r *reader) oddArrow(a Attribute) {
	name := func(place int) string { return r.board.Places[place].Name }
	var itself, ahead, back []lead
	for _, w := range r.arrows[a.Name] {
		switch {
		case w.from == w.to:
			itself = append(itself, w)
		case w.mixed:
		case w.way > 0:
			ahead = append(ahead, w)
		case w.way < 0:
			back = append(back, w)
		}
	}
	all := len(r.arrows[a.Name])
	if len(itself) == 1 && all > 1 && r.own(itself[0].span) {
		r.notef("odd-one-out", itself[0].span, "%s leads from %q to itself; no other does", a.Name, name(itself[0].from))
	}
	way, other, one := "back", "ahead", back
	if len(ahead) == 1 && (len(back) != 1 || r.allLead(a, 1)) {
		way, other, one = other, way, ahead
	}
	if len(ahead)+len(back) < all || len(one) != 1 || all < minArrows && (all < 2 || !r.allLead(a, one[0].way)) {
		return
	}
	if w := one[0]; r.own(w.span) && !r.board.Places[w.to].Zone && !a.circles(w.from) {
		rest := fmt.Sprintf("the other %d lead", all-1)
		if all == 2 {
			rest = "the other one leads"
		}
		r.notef("odd-one-out", w.span, "%s leads from %q %s to %q; %s %s", a.Name, name(w.from), way, name(w.to), rest, other)
	}
}

// directions finds the arrows that lead ahead, or back, on the tracks of all colours.
func (r *reader) directions() {
	for _, t := range r.board.Tracks {
		for _, run := range t.Runs {
			at := make([]int, len(r.board.Places)) // the number of a place on the run, from 1
			for i, n := range run.Nodes {
				at[n.Place] = i + 1
			}
			forks := func(n Node) bool { return len(n.Next) > 1 }
			winding := !run.OnlyForward() || slices.ContainsFunc(run.Nodes, forks)
			for _, arrows := range r.arrows {
				for i := range arrows {
					w := &arrows[i]
					if from, to := at[w.from], at[w.to]; from > 0 && to > 0 {
						way := cmp.Compare(to, from)
						w.mixed = w.mixed || winding || w.way == -way
						w.way = way
					}
				}
			}
		}
	}
}

// circles reports whether an attribute leads from a place by others to the same place again.
func (a Attribute) circles(from int) bool {
	at := a.Values[from]
	for range a.Values {
		if at == None || at == from {
			break
		}
		at = a.Values[at]
	}
	return at == from
}

// twoArrows reports the one square from which two attributes lead, and the one from which an attribute leads back to where another one
// has led from. Both attributes lead from other squares as well, or are drawn as arrows and one of them does.
func (r *reader) twoArrows(a, b Attribute) {
	first, second := r.arrows[a.Name], r.arrows[b.Name]
	if few := min(len(first), len(second)); few < 3 && (!r.drawnAsArrow(a) || !r.drawnAsArrow(b)) || max(len(first), len(second)) < 2 {
		return
	}
	var both, back []int
	for place, to := range a.Values {
		if to != None && b.Values[place] != None {
			both = append(both, place)
		}
		if to != None && to != place && b.Values[to] == place {
			back = append(back, place)
		}
	}
	names := r.board.PlaceNames()
	pair := func(from, other int) (v, w lead) {
		return first[slices.IndexFunc(first, func(v lead) bool { return v.from == from })],
			second[slices.IndexFunc(second, func(w lead) bool { return w.from == other })]
	}
	if len(both) == 1 {
		v, w := pair(both[0], both[0])
		r.oddPair(v, w, "both %s and %s lead from %q, to %q and to %q; they share no other square",
			a.Name, b.Name, names[v.from], names[v.to], names[w.to])
	}
	if len(back) == 1 && min(len(first), len(second)) > 1 {
		v, w := pair(back[0], a.Values[back[0]])
		r.oddPair(v, w, "%s leads from %q to %q, and %s from there back again; no other two do",
			a.Name, names[v.from], names[v.to], b.Name)
	}
}

func (r *reader) drawnAsArrow(a Attribute) bool {
	return slices.ContainsFunc(r.board.drawing.marks, func(m marking) bool {
		return m.Form == markArrow && m.Attribute != None && r.board.Attributes[m.Attribute].Name == a.Name
	})
}

// oddPair reports two arrows at the second one that stands in the file.
func (r *reader) oddPair(v, w lead, format string, args ...any) {
	at, from := w.span, v.span
	if !r.own(at) {
		at, from = from, at
	}
	if r.own(at) {
		r.notef("odd-one-out", at, format, args...).WithNote(from, "the other one")
	}
}

// oneRound reports a landmark that is one square for all colours, and each goes round from it, though it is drawn in the colour of each, or
// though each colour has a part of the round.
func (r *reader) oneRound(i int, l Landmark) {
	if len(l.Values) < 2 || len(seq.Distinct(l.Values)) > 1 || !slices.Contains(r.rounds, l.Name) || len(r.board.Parameters) > 0 || !r.own(r.spans[i]) {
		return
	}
	place, part, whose := r.board.Places[l.Values[0]], "drawn in the colour", 0
	if !slices.ContainsFunc(r.board.drawing.marks, func(m marking) bool { return m.Landmark == i && m.Form == markFill }) {
		if place.Zone {
			return
		}
		squares := r.families[place.Family].squares
		j := slices.IndexFunc(squares, func(m member) bool { return m.place == l.Values[0] })
		c, _ := squares[j].scope.find("c")
		if part, whose = "in the part", c.index; c.kind != colourValue {
			return
		}
	}
	r.notef("one-colour", r.spans[i], "all colours go round from %q, which is %s of %s alone", place.Name, part, r.colours[whose]).
		WithHint("for a place of each colour say where c has it: FAMILY[N * c.seat + 1]; for one place of all take another mark than fill")
}

// sharedLandmark reports the one pair of colours that have a landmark together, where every other colour has one of its own. Who names a
// colour means it.
func (r *reader) sharedLandmark(l Landmark, at source.Span) {
	named := slices.ContainsFunc(strings.FieldsFunc(at.Text(), func(c rune) bool { return !unicode.IsLetter(c) }), func(w string) bool { return slices.Contains(r.colours, w) })
	if named || len(l.Values) < 3 || len(seq.Distinct(l.Values)) != len(l.Values)-1 || !r.own(at) || slices.Contains(l.Values, None) {
		return
	}
	for i, place := range l.Values {
		if j := slices.Index(l.Values, place); j < i {
			r.notef("odd-one-out", at, "the %s of %s and that of %s are both %q; every other colour has one of its own",
				l.Name, r.colours[j], r.colours[i], r.board.Places[place].Name)
		}
	}
}

// unevenRound reports a landmark from which each colour goes round, where the way from one colour's to the next one's is not as long as
// those between the others.
func (r *reader) unevenRound(l Landmark, at source.Span) {
	square := func(place int) bool { return place != None && !r.board.Places[place].Zone }
	if !slices.Contains(r.rounds, l.Name) || !r.own(at) || len(r.board.Parameters) > 0 || len(l.Values) < 2 ||
		len(seq.Distinct(l.Values)) < len(l.Values) || !square(l.Values[0]) {
		return
	}
	ring := seq.Map(r.families[r.board.Places[l.Values[0]].Family].squares, func(m member) int { return m.place })
	stand := seq.Indexes(ring, func(place int) bool { return slices.Contains(l.Values, place) })
	if len(stand) < len(l.Values) {
		return
	}
	ways := map[int][]int{} // by length, where they begin
	for i, s := range stand {
		next := stand[0] + len(ring)
		if i+1 < len(stand) {
			next = stand[i+1]
		}
		ways[next-s] = append(ways[next-s], i)
	}
	if len(ways) != 2 {
		return
	}
	lengths := slices.SortedFunc(maps.Keys(ways), func(a, b int) int {
		return cmp.Or(cmp.Compare(len(ways[a]), len(ways[b])), cmp.Compare(a, b))
	})
	odd, usual := lengths[0], lengths[1]
	if len(ways[odd]) > 1 || odd > 2*usual || len(stand) == 2 && max(odd-usual, usual-odd) != 2 { // all on one side of the board is a form of its own
		return
	}
	whose := func(i int) string { return r.colours[slices.Index(l.Values, ring[stand[i%len(stand)]])] }
	from, rest := ways[odd][0], "between the others"
	if len(stand) == 2 {
		rest = "back"
	}
	r.notef("odd-one-out", at, "from the %s of %s to that of %s it is %d squares, and %d %s", l.Name, whose(from), whose(from+1), odd, usual, rest)
}

// oddLandmark reports the one colour whose landmark lacks a tag that those of all others have. A tag that few or many
// squares have does so by chance, and one whose condition asks for the colour does so on purpose.
func (r *reader) oddLandmark(l Landmark, at source.Span, tag int) {
	b := r.board
	zone := func(place int) bool { return b.Places[place].Zone }
	if len(l.Values) < 3 || len(seq.Distinct(l.Values)) < len(l.Values) || slices.ContainsFunc(l.Values, zone) {
		return
	}
	without := seq.Indexes(l.Values, func(place int) bool { return !b.Places[place].Tags[tag] })
	if len(without) != 1 {
		return
	}
	place, name := b.Places[l.Values[without[0]]], b.Tags[tag]
	for _, n := range r.families[place.Family].named {
		if _, other := r.claims[n.key.text]; (!other || n.key.text == name) && r.asksColour(n.expr) {
			return
		}
	}
	squares := b.SquaresOf(func(p Place) bool { return p.Family == place.Family })
	tagged := seq.Filter(squares, func(i int) bool { return b.Places[i].Tags[tag] })
	declared := b.declared[name].span
	if r.own(declared) {
		at = declared
	}
	if r.own(at) && len(tagged) >= 3 && 4*len(tagged) <= len(squares) {
		r.notef("odd-one-out", at, "the %s of %s, %q, is not %s; those of the other colours are", l.Name, r.colours[without[0]], place.Name, name)
	}
}

// asksColour reports whether an expression uses a colour by its name, or that of the square.
func (r *reader) asksColour(e *expression) bool {
	return slices.ContainsFunc(append(slices.Clone(r.colours), "c"), e.uses)
}
