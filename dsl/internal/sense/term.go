package sense

import (
	"encoding/binary"
	"hash/maphash"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
)

// term is a normalised expression: lets are expanded and parameters replaced by their arguments. Equal expressions
// have the same number (hash consing).
type term struct {
	op    model.Op
	typ   model.Type
	n     int
	set   model.Set
	field model.Field
	cell  model.Cell
	what  any // the local, variable or die
	args  []id
}

// id is the number of a term.
type id int32

// index finds terms by what they are: a hash table with open addressing. Its slots are the numbers of terms plus 1, 0 for none.
type index struct {
	slots []id
	seed  maphash.Seed
}

func newIndex() index { return index{make([]id, 64), maphash.MakeSeed()} }

func (x *index) hash(t *term, args []id) uint64 {
	h := uint64(t.op) | uint64(t.typ.Kind)<<8 | uint64(t.set)<<16 | uint64(t.field)<<24 | uint64(t.cell)<<32
	mix := func(n uint64) { h = (h ^ n) * 0x9e3779b97f4a7c15; h ^= h >> 29 }
	mix(uint64(t.n))
	for _, a := range args {
		mix(uint64(a))
	}
	if t.what != nil {
		mix(maphash.Comparable(x.seed, t.what))
	}
	return h
}

// same reports whether a term is another one with these arguments.
func (t *term) same(o *term, args []id) bool {
	return t.op == o.op && t.typ.List == o.typ.List && t.typ.Kind == o.typ.Kind && t.set == o.set && t.field == o.field && t.cell == o.cell &&
		t.n == o.n && t.what == o.what && slices.Equal(t.args, args)
}

// slot is where the number of a term with these arguments stands, or is to stand.
func (x *index) slot(terms []term, t *term, args []id) *id {
	for at := x.hash(t, args); ; at++ {
		slot := &x.slots[at&uint64(len(x.slots)-1)]
		if *slot == 0 || terms[*slot-1].same(t, args) {
			return slot
		}
	}
}

// grow makes room for a term, where a half of the slots are taken.
func (x *index) grow(terms []term) {
	if 2*len(terms) < len(x.slots) {
		return
	}
	x.slots = make([]id, 4*len(x.slots))
	for i := range terms {
		*x.slot(terms, &terms[i], terms[i].args) = id(i + 1)
	}
}

// substitution maps local names to terms.
type substitution map[*model.Local]id

// maxTerms limits the memory of one setting; further expressions become unknown values.
const maxTerms = 200_000

// unknownOp is the operation of an unknown value.
const unknownOp = model.Op(255)

// add is the number of a term. Its arguments come apart: those in t itself, as in the copy of a term, do not count.
func (s *solver) add(t term, args ...id) id {
	slot, args := s.find(&t, args)
	if *slot != 0 {
		return *slot - 1
	}
	if len(s.room) < len(args) {
		s.room = make([]id, max(256, len(args)))
	}
	n := copy(s.room, args)
	t.args, s.room = s.room[:n:n], s.room[n:]
	s.terms = append(s.terms, t)
	*slot = id(len(s.terms))
	s.index.grow(s.terms)
	return id(len(s.terms) - 1)
}

// find is the slot of a term with these arguments, and those that it has there.
func (s *solver) find(t *term, args []id) (*id, []id) {
	if t.op == model.OpField && (t.field == model.FieldPlayer || t.field == model.FieldTeam) {
		side := &s.terms[args[0]]
		if side.op == model.OpField && (side.field == model.FieldColour || side.field == model.FieldPlayer) && s.terms[side.args[0]].typ.Kind == model.Piece {
			args = side.args // p.colour.player is p.player
		}
	}
	return s.index.slot(s.terms, t, args), args
}

// unknown makes a value of which only the type is known.
func (s *solver) unknown(t model.Type) id {
	s.unknowns++
	return s.add(term{op: unknownOp, typ: t, n: s.unknowns})
}

// The terms that the checks ask for.

func (s *solver) local(l *model.Local) id {
	return s.add(term{op: model.OpLocal, typ: l.Type, what: l})
}

func (s *solver) constant(t model.Type, n int) id {
	return s.add(term{op: model.OpConst, typ: t, n: n})
}

func (s *solver) number(n int) id { return s.constant(model.Of(model.Number), n) }

func (s *solver) ofCell(k model.Kind, c model.Cell) id {
	return s.add(term{op: model.OpCell, typ: model.Of(k), cell: c})
}

func (s *solver) ofVar(v *model.Var) id { return s.add(term{op: model.OpVar, typ: v.Type, what: v}) }

func (s *solver) ofDie(d *model.Die) id {
	return s.add(term{op: model.OpDie, typ: model.Of(model.Number), what: d})
}

var fieldKinds = [...]model.Kind{
	model.FieldAt: model.Place, model.FieldColour: model.Colour, model.FieldPlayer: model.Player, model.FieldTeam: model.Team,
	model.FieldIndex: model.Number, model.FieldPlaying: model.Flag, model.FieldRanked: model.Flag,
}

func fieldTerm(f model.Field) term {
	return term{op: model.OpField, field: f, typ: model.Of(fieldKinds[f])}
}

func (s *solver) field(of id, f model.Field) id { return s.add(fieldTerm(f), of) }

// knownField is the term of a field, if there is one: of any other nothing is known.
func (s *solver) knownField(of id, f model.Field) (t id, ok bool) {
	x := fieldTerm(f)
	slot, _ := s.find(&x, []id{of})
	return *slot - 1, *slot != 0
}

// flag is a condition.
func (s *solver) flag(op model.Op, args ...id) id {
	return s.add(term{op: op, typ: model.Of(model.Flag)}, args...)
}

func (s *solver) equal(a, b id) id { return s.flag(model.OpEq, a, b) }

// in is the condition that something is in a list.
func (s *solver) in(e, list id) id { return s.flag(model.OpIn, e, list) }

// piecesOf is the list of the pieces of a place, a colour, a player or a team.
func (s *solver) piecesOf(side id) id {
	return s.add(term{op: model.OpSet, typ: model.ListOf(model.Piece), set: model.SetPiecesOf}, side)
}

// filter is the list of the elements that a term with a predicate selects or counts.
func (s *solver) filter(of term) id {
	return s.add(term{op: model.OpFilter, typ: s.terms[of.args[0]].typ, n: of.n}, of.args...)
}

func (s *solver) count(list id) id {
	return s.add(term{op: model.OpCount, typ: model.Of(model.Number)}, list)
}

// naming gives parameters the names that others have in the same order, where both have one.
func (s *solver) naming(params, names []*model.Local) substitution {
	sub := substitution{}
	for i, p := range params {
		if p != nil && i < len(names) && names[i] != nil {
			sub[p] = s.local(names[i])
		}
	}
	return sub
}

// renamed are terms in which names stand for others.
func (s *solver) renamed(terms []id, names substitution) []id {
	terms = slices.Clone(terms)
	for l, as := range names {
		for i, t := range terms {
			terms[i] = s.with(t, s.local(l), as)
		}
	}
	return terms
}

// intern makes the term of an expression. depth is the number of enclosing predicates.
func (s *solver) intern(e *model.Expr, sub substitution, depth int) id {
	if len(s.terms) > maxTerms {
		return s.unknown(e.Type)
	}
	t := term{op: e.Op, typ: e.Type, n: e.Int}
	switch e.Op {
	case model.OpWord:
		return s.unknown(e.Type)
	case model.OpLocal:
		if i, ok := sub[e.Local]; ok {
			return i
		}
		return s.local(e.Local)
	case model.OpElem:
		t.n = depth
		return s.add(t)
	case model.OpCell:
		t.cell = e.Cell
	case model.OpDie:
		t.what = e.Die
	case model.OpVar:
		t.what = e.Var
	case model.OpField:
		t.field = e.Field
	case model.OpSet:
		t.set = e.Set
		if e.Var != nil {
			t.what = e.Var
		}
	case model.OpCall:
		return s.call(e, sub, depth)
	}
	inner := depth
	if e.OverElements() {
		inner++
		t.n = inner
	}
	args := make([]id, 0, 4) // more only in lists
	for i, a := range e.Args {
		at := depth
		if i > 0 {
			at = inner
		}
		args = append(args, s.intern(a, sub, at))
	}
	if (t.op == model.OpAdd || t.op == model.OpSub) && e.Args[1].IsConst(0) {
		return args[0]
	}
	return s.add(t, args...)
}

type callKey struct {
	let   *model.Let
	depth int
	args  string
}

// call makes the term of a let with arguments.
func (s *solver) call(e *model.Expr, sub substitution, depth int) id {
	inner := substitution{}
	var buf []byte
	for i, a := range e.Args {
		x := s.intern(a, sub, depth)
		inner[e.Let.Params[i]] = x
		buf = binary.AppendVarint(buf, int64(x))
	}
	key := callKey{e.Let, depth, string(buf)}
	if i, ok := s.calls[key]; ok {
		return i
	}
	i := s.intern(e.Let.Body, inner, depth)
	s.calls[key] = i
	return i
}
