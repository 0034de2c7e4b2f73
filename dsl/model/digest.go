package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Digest identifies the rules of a game: two rule books with equal digests play the same game, move for move. Names
// of rules, texts, clause ids, places in files, owners of secrets and tests do not count.
type Digest [sha256.Size]byte

// Digests computes digests and caches those of boards, which the settings of a book share. The zero value is ready
// for use; it is safe for several goroutines.
type Digests struct {
	boards sync.Map // *boards.Board to Digest
}

// usualSize is for how many bytes of rules room is made at once.
const usualSize = 8 << 10

// Of computes the digest of rules.
func (all *Digests) Of(r *Rules) Digest {
	d := newDigester()
	d.out = make([]byte, 0, usualSize)
	board := all.board(r.Board)
	d.out = append(d.out, board[:]...)
	d.ints(len(r.Seats), len(r.Colours), flag(r.TurnsByColour)+2*flag(r.TurnsTo != nil), r.PieceCount)
	if at := slices.Compact(slices.Clone(r.PiecesAt)); len(at) == 1 {
		d.ints(at...) // as in records of versions where all pieces began in one zone
	} else {
		d.ints(r.PiecesAt...)
	}
	for i := range r.Board.Tracks {
		if &r.Board.Tracks[i] == r.Track {
			d.ints(i)
		}
	}
	for _, s := range r.Seats {
		d.list(s.Colours)
		d.ints(s.Team)
	}
	for _, t := range r.Teams {
		d.list(t)
	}
	for _, c := range r.Colours {
		d.ints(c.Board, c.Seat)
	}
	d.ints(int(r.First.Kind), r.First.Seat)
	d.dice(r.First.Dice)
	d.ints(len(r.Dice))
	for _, x := range r.Dice {
		d.ints(int(x.Kind), len(x.Faces))
		for _, f := range x.Faces {
			d.ints(f.Value, f.Weight)
		}
		d.expr(x.Choice)
	}
	d.ints(len(r.Vars))
	for _, v := range r.Vars {
		d.ints(int(v.Scope), int(v.Type.Kind), flag(v.Type.List), flag(v.Bag), v.Low, v.High, flag(v.Secret), flag(v == r.Throws)+2*flag(v == r.Owner))
		d.list(v.Initial)
	}
	d.ints(len(r.Moves))
	for _, m := range r.Moves {
		d.params(m.Params)
		d.expr(m.Sets...)
		d.expr(m.From)
		d.ints(int(m.Kind))
		d.expr(m.Where, m.Carrying)
	}
	d.ints(len(r.Acts))
	for _, a := range r.Acts {
		d.params(a.Params)
		d.block(a.Block)
	}
	for x := range r.Clauses() {
		d.clause(x)
	}
	d.block(r.Setup)
	d.block(r.Turn)
	if r.Mine != nil {
		d.let(r.Mine)
	}
	if r.TurnsTo != nil {
		d.expr(r.TurnsTo)
	}
	return sha256.Sum256(d.out)
}

// Alike reports whether two blocks of the same rules do the same, where names from outside of them stand for the same in both.
func Alike(a, b *Block) bool {
	both := newDigester()
	both.block(a)
	both.block(b)
	said := func(b *Block) []byte {
		d := newDigester()
		for i, l := range both.free {
			d.locals[l] = i
		}
		d.block(b)
		return d.out
	}
	return bytes.Equal(said(a), said(b))
}

// DigestOfClause identifies what a clause says: two clauses of the same rules with equal digests say the same.
func DigestOfClause(x *Clause) Digest {
	d := newDigester()
	d.clause(x)
	return sha256.Sum256(d.out)
}

func newDigester() *digester { return &digester{locals: map[*Local]int{}, lets: map[*Let]int{}} }

// digester serialises rules without their names.
type digester struct {
	out    []byte
	locals map[*Local]int
	free   []*Local // used and declared nowhere before
	lets   map[*Let]int
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (d *digester) ints(list ...int) {
	for _, n := range list {
		d.out = binary.AppendVarint(d.out, int64(n))
	}
}

func (d *digester) list(list []int) {
	d.ints(len(list))
	d.ints(list...)
}

func (d *digester) text(s string) {
	d.ints(len(s))
	d.out = append(d.out, s...)
}

func (all *Digests) board(b *boards.Board) Digest {
	if sum, ok := all.boards.Load(b); ok {
		return sum.(Digest)
	}
	d := &digester{out: make([]byte, 0, usualSize)}
	d.board(b)
	sum := Digest(sha256.Sum256(d.out))
	all.boards.Store(b, sum)
	return sum
}

func (d *digester) board(b *boards.Board) {
	d.ints(len(b.Colours), len(b.Places), len(b.Tags), len(b.Families))
	for _, c := range b.Colours {
		d.text(c.Name)
	}
	for _, p := range b.Places {
		d.text(p.Name)
		d.ints(flag(p.Zone), p.Family)
		for _, t := range p.Tags {
			d.ints(flag(t))
		}
	}
	for _, a := range b.Attributes {
		d.list(a.Values)
	}
	for _, l := range b.Landmarks {
		d.list(l.Values)
	}
	for _, t := range b.Tracks {
		for _, run := range t.Runs {
			d.ints(len(run.Nodes))
			for _, n := range run.Nodes {
				d.ints(n.Place, n.Index)
				d.list(n.Next)
				d.list(n.Prev)
			}
		}
	}
}

func (d *digester) dice(list []*Die) {
	d.list(seq.Map(list, func(x *Die) int { return x.Index }))
}

func (d *digester) params(list []*Local) {
	d.ints(len(list))
	for _, l := range list {
		d.declare(l)
	}
}

// declare numbers a local name in the order of first use.
func (d *digester) declare(l *Local) {
	if l == nil {
		d.ints(-1)
		return
	}
	n, ok := d.locals[l]
	if !ok {
		n = len(d.locals)
		d.locals[l] = n
	}
	d.ints(n, int(l.Type.Kind), flag(l.Type.List))
}

func (d *digester) use(l *Local) {
	if _, ok := d.locals[l]; !ok {
		d.free = append(d.free, l)
	}
	d.declare(l)
}

func (d *digester) clause(x *Clause) {
	d.ints(int(x.Kind), int(x.First), int(x.Second), int(x.Event), int(x.Ending), int(x.Scope))
	if x.Move != nil {
		d.ints(x.Move.Index)
	}
	if x.Act != nil {
		d.ints(x.Act.Index)
	}
	d.ints(flag(x.Move != nil), flag(x.Act != nil))
	d.dice(x.Dice)
	d.params(x.Params)
	d.declare(x.To)
	d.expr(x.By, x.When)
	d.block(x.Block)
	if x.Zones {
		d.text("zones too")
	}
	d.ints(flag(x.Despite), flag(x.Otherwise), len(x.Or))
	for _, y := range x.Or {
		d.clause(y)
	}
}

func (d *digester) block(b *Block) {
	if b == nil {
		d.ints(-1)
		return
	}
	d.ints(len(b.Stmts))
	for _, s := range b.Stmts {
		d.ints(int(s.Kind), int(s.Assign), int(s.Play), int(s.Ending), flag(s.None), flag(s.Apart))
		d.expr(s.Target, s.Value, s.Other)
		d.declare(s.Local)
		d.dice(s.Dice)
		if s.Act != nil {
			d.ints(s.Act.Index)
		}
		d.ints(len(s.Args))
		d.expr(s.Args...)
		d.block(s.Then)
		d.block(s.Else)
	}
}

// let serialises a let at its first use, then only its number.
func (d *digester) let(l *Let) {
	n, ok := d.lets[l]
	if ok {
		d.ints(n)
		return
	}
	d.lets[l] = len(d.lets)
	d.ints(-1)
	d.params(l.Params)
	d.expr(l.Body)
}

func (d *digester) expr(list ...*Expr) {
	for _, e := range list {
		if e == nil {
			d.ints(-1)
			continue
		}
		d.ints(int(e.Op), int(e.Type.Kind), flag(e.Type.List), len(e.Args), e.Int)
		switch e.Op {
		case OpWord:
			d.text(e.Word)
		case OpLocal:
			d.use(e.Local)
		case OpCell:
			d.ints(int(e.Cell))
		case OpDie:
			d.ints(e.Die.Index)
		case OpVar:
			d.ints(e.Var.Index)
		case OpField:
			d.ints(int(e.Field))
		case OpCall:
			d.let(e.Let)
		case OpSet:
			d.ints(int(e.Set))
			if e.Var != nil {
				d.ints(e.Var.Index)
			}
		}
		d.expr(e.Args...)
	}
}
