package interpreter

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Refusal is a move that is not offered, and why.
type Refusal struct {
	// Option is the move; To is None where it would end nowhere, and else the place it would end on if nothing
	// stood against it.
	Option Option
	// Reasons are the clauses that speak against it, in the order they were asked: a may whose condition does not
	// hold, a bar on the way, a never, a duty to do something else. A nil reason means that the track ends there.
	Reasons []*model.Clause
	// Fewer says that from another option more of the numbers can be used.
	Fewer bool

	way []int // see Position.Way
}

// Explain lists the moves that are not offered at the choice at hand, with the reasons. It is empty elsewhere. The
// position is not changed.
func (p *Position) Explain() []Refusal {
	if p.Kind() != Choice || p.m.Node != code.NodeOption {
		return nil
	}
	return p.game.explain(p.m, p.m.Site)
}

// explain runs the explaining form of a play on a copy of a machine that stands at its options.
func (g *Game) explain(m *vm.Machine, play int) []Refusal {
	c := vm.New(g.prog)
	c.CopyFrom(m)
	c.Explain(play) // a fault ends the list early; what was found stands
	var out []Refusal
	for i := range c.Refused() {
		o := &c.Refused()[i]
		r := Refusal{Option: g.option(c, o), way: g.way(nil, c, o)}
		reasons := c.ReasonsOf(o)
		for at, n := range reasons {
			if slices.Contains(reasons[:at], n) { // asked at several steps
				continue
			}
			switch n {
			case code.NoClause:
				r.Reasons = append(r.Reasons, nil)
				continue
			case code.FewerUsed:
				r.Fewer = true
				continue
			}
			r.Reasons = append(r.Reasons, g.unit.Clauses[n])
		}
		if !g.known(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// known reports whether the same refusal is listed already: pieces alike are refused alike.
func (g *Game) known(list []Refusal, r Refusal) bool {
	for _, x := range list {
		o, n := x.Option, r.Option
		if !g.alike(&o, &n) || !slices.Equal(x.way, r.way) || o.Colour != n.Colour || o.From != n.From || o.To != n.To || o.Steps != n.Steps || len(x.Reasons) != len(r.Reasons) {
			continue
		}
		same := true
		for i := range x.Reasons {
			same = same && x.Reasons[i] == r.Reasons[i]
		}
		if same {
			return true
		}
	}
	return false
}

// alike reports whether options of a move have the same parameters, where a piece is as good as another one.
func (g *Game) alike(a, b *Option) bool {
	if a.Move != b.Move {
		return false
	}
	for i, param := range g.rules.Moves[a.Move].Params {
		if param.Type.Kind != model.Piece && a.Params[i] != b.Params[i] {
			return false
		}
	}
	return a.OtherAt == b.OtherAt
}

// Decision is a moment at which options stood, whether a player had to choose or they decided themselves.
type Decision struct {
	// Options are what was offered, in order; empty when nothing could be done.
	Options []Option
	// Steps is the number to count, Earned whether it came from the queue.
	Steps  int
	Earned bool
	// Player is the seat it is about.
	Player int
	// Taken is the option taken at once, None where the player is to choose or nothing could be done.
	Taken int

	game *Game
	m    *vm.Machine
	play int
}

// Explain lists what was not offered then, with the reasons.
func (d *Decision) Explain() []Refusal { return d.game.explain(d.m, d.play) }

// position is where the game stood then.
func (d *Decision) position() *Position { return &Position{game: d.game, m: d.m} }

// fits reports whether option i is what a line of a test names.
func (d *Decision) fits(i int, t *model.TestOption) bool {
	return d.position().fits(d.Options[i], t, d.Way(nil, i))
}

// names are the options in the words of tests.
func (d *Decision) names() []string { return d.position().Names(d.Player, d.Options) }

// Decisions records the decisions a position passes through while it goes on, until the function returned is called.
// A watcher set by Watch goes on watching.
func (p *Position) Decisions(record func(*Decision)) (stop func()) {
	before, _ := p.m.Watch.(*watchLog)
	w := &watchLog{game: p.game, p: p}
	if before != nil {
		w.watcher = before.watcher
	}
	w.decided = func(play int) {
		st := p.m.State()
		d := &Decision{game: p.game, play: play, m: vm.New(p.game.prog), Taken: None, Player: int(st[code.CellMe]), Steps: int(st[code.CellSteps]), Earned: st[code.CellEarned] != 0}
		d.m.CopyFrom(p.m)
		for i := range d.m.Options() {
			d.Options = append(d.Options, p.game.option(d.m, &d.m.Options()[i]))
		}
		if len(d.Options) == 1 {
			d.Taken = 0
		}
		record(d)
	}
	p.m.Watch = w
	return func() {
		p.m.Watch = nil
		if before != nil {
			p.m.Watch = before
		}
	}
}

// Offered are the options of the first count after a throw, without changing p: what the player would have, or would
// have had where they decide themselves. It fails when the position does not wait for that throw: unless Kind is Throw
// it always does.
func (p *Position) Offered(numbers ...int) ([]Option, error) {
	q := p.Copy()
	var first *Decision
	stop := q.Decisions(func(d *Decision) {
		if first == nil {
			first = d
		}
	})
	defer stop()
	if err := q.Throw(numbers...); err != nil {
		return nil, err
	}
	if first == nil {
		return nil, q.Err()
	}
	return first.Options, q.Err()
}
