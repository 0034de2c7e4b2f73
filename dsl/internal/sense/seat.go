package sense

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
)

// seats looks for comparisons with a number that depends on the seat of a colour, which so never hold for some colour. depth and sub are
// those of intern. offers is whether all of the expression must hold for a move to be offered.
func (x *setting) seats(e *model.Expr, sub substitution, depth int, known []*facts, offers bool) {
	if len(known) == 0 || !e.Has(isSeat) {
		return
	}
	inner := depth
	switch e.Op {
	case model.OpAnd, model.OpOr, model.OpIf:
		offers = offers && e.Op == model.OpAnd
		c := x.intern(e.Args[0], sub, depth)
		x.seats(e.Args[0], sub, depth, known, offers)
		x.seats(e.Args[1], sub, depth, x.assume(c, e.Op != model.OpOr, known), offers)
		if e.Op == model.OpIf {
			x.seats(e.Args[2], sub, depth, x.assume(c, false, known), false)
		}
		return
	case model.OpCall:
		names := substitution{}
		for i, a := range e.Args {
			x.seats(a, sub, depth, known, false)
			names[e.Let.Params[i]] = x.intern(a, sub, depth)
		}
		x.seats(e.Let.Body, names, depth, known, offers)
		return
	case model.OpEq, model.OpNe, model.OpIn:
		x.neverFor(e, sub, depth, known)
	case model.OpLt, model.OpLe, model.OpGt, model.OpGe: // elsewhere a limit that is beyond all numbers may be meant
		if offers {
			x.neverFor(e, sub, depth, known)
		}
	case model.OpIndex:
		x.lacksFor(e, sub, depth, known)
	}
	if e.OverElements() {
		inner++
	}
	for i, a := range e.Args {
		if i > 0 {
			depth = inner
		}
		x.seats(a, sub, depth, known, false)
	}
}

func isSeat(e *model.Expr) bool {
	return e.Op == model.OpField && e.Field == model.FieldSeat || e.Op == model.OpIndexOf && e.Args[0].Op == model.OpSet && (e.Args[0].Set == model.SetColours || e.Args[0].Set == model.SetPlayers)
}

// seatIn is the only term in another one that is a seat; ok is false where there is none, or several.
func (x *setting) seatIn(t id) (seat id, ok bool) {
	found := x.parts(t, func(t id) bool {
		y := x.terms[t]
		if y.op == model.OpIndexOf {
			list := x.terms[y.args[0]].set
			return list == model.SetColours || list == model.SetPlayers
		}
		return y.op == model.OpField && y.field == model.FieldSeat
	})
	if len(found) != 1 {
		return 0, false
	}
	return found[0], true
}

// ofSeat are the cases in which a seat is that of a colour.
func (x *setting) ofSeat(seat id, colour int, known []*facts) []*facts {
	y, n := x.terms[seat], x.r.Colours[colour].Seat
	if of := y.args[len(y.args)-1]; x.terms[of].typ.Kind == model.Colour {
		known = x.at(of, only(colour), known)
		if y.op == model.OpIndexOf {
			n = colour
		}
	} else {
		known = x.at(of, only(n), known)
	}
	return x.at(seat, only(n), known)
}

// neverFor records a comparison of what depends on a seat with what does not and may change, if it never holds for some colours, or if these
// are never equal where it asks that they differ.
func (x *setting) neverFor(e *model.Expr, sub substitution, depth int, known []*facts) {
	if !x.own(e.Span) || e.Args[0].Type.Kind != model.Number {
		return
	}
	t := x.intern(e, sub, depth)
	seat, ok := x.seatIn(t)
	if !ok || len(x.terms[t].args) != 2 {
		return
	}
	mine, other := x.terms[t].args[0], x.terms[t].args[1]
	said := e.Args
	if !x.contains(mine, seat) {
		mine, other, said = other, mine, []*model.Expr{e.Args[1], e.Args[0]}
	}
	if x.contains(other, seat) || !x.mayChange(other) {
		return
	}
	is, of := nothing, nothing
	never := x.colours(seat, known, func(cases []*facts) bool {
		holds := len(x.assume(t, e.Op != model.OpNe, cases)) > 0
		for _, f := range cases {
			if !holds {
				is, of = is.join(x.domain(mine, f)), of.join(x.domain(other, f))
			}
		}
		return holds
	})
	why, numbers := "", ""
	if never != "" {
		why = quote(words(e.Span)) + " is " + ever(e.Op == model.OpNe) + " true for " + never
		if e.Op != model.OpIn {
			numbers = ": " + words(said[0].Span) + " is " + is.words() + " and " + words(said[1].Span) + " is " + of.words()
		}
	}
	x.warnOf("seat", "one-colour", e.Span, why+numbers)
	if why != "" && x.harms[e.Span] == nil {
		x.harm("one-colour", e.Span, why+x.inSetting(true)+numbers, "give every colour a number that can come up")
	}
}

// lacksFor records an element of a list at an index that depends on a seat, if the list has none for some colours.
func (x *setting) lacksFor(e *model.Expr, sub substitution, depth int, known []*facts) {
	list, at := x.intern(e.Args[0], sub, depth), x.intern(e.Args[1], sub, depth)
	seat, ok := x.seatIn(at)
	if !ok || !x.own(e.Span) || !x.settledLength(list) || x.harms[e.Args[1].Span] != nil {
		return
	}
	_, high := x.length(list, nil)
	never := x.colours(seat, known, func(cases []*facts) bool {
		return slices.ContainsFunc(cases, func(f *facts) bool { d := x.domain(at, f); return d.lo < high && d.hi >= 0 })
	})
	if never != "" {
		x.harm("bad-index", e.Args[1].Span, quote(words(e.Args[0].Span))+" has no element "+words(e.Args[1].Span)+" for "+never+x.inSetting(true)+"; the first is 0", "give every colour its element")
	}
}

// colours names the colours for which something does not hold, "" where it holds for all or for none.
func (x *setting) colours(seat id, known []*facts, holds func(cases []*facts) bool) string {
	var never []string
	some := false
	for i, c := range x.r.Colours {
		cases := x.ofSeat(seat, i, known)
		switch {
		case len(cases) == 0: // other conditions leave this colour out
		case holds(cases):
			some = true
		default:
			never = append(never, c.Name)
		}
	}
	if !some {
		return ""
	}
	return strings.Join(never, " and ")
}

// mayChange reports whether a number depends on dice, on variables or on what is counted.
func (x *setting) mayChange(t id) bool {
	y := x.terms[t]
	switch y.op {
	case model.OpDie, model.OpVar, model.OpCell, model.OpAttr:
		return true
	case model.OpSet:
		return y.set == model.SetVar || y.set == model.SetCopies
	}
	return slices.ContainsFunc(y.args, x.mayChange)
}
