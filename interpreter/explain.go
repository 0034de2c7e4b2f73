package interpreter

import (
	"cmp"
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Refusal is a move that is not offered, and why.
type Refusal struct {
	// Option is the move. To is None if it would end nowhere, otherwise the place where it would end if nothing
	// prevented it.
	Option Option
	// Reasons are the clauses that refuse it, in the order of evaluation: a may whose condition is false, a bar on
	// the way, a never, a duty to do something else. A nil reason means that the track ends there.
	Reasons []*model.Clause
	// Fewer means that another option can use more of the numbers.
	Fewer bool

	way []int // see Position.Way
}

// Explain lists the moves that are not offered at the present choice, with the reasons. It is empty at other nodes.
// It does not change the position.
func (p *Position) Explain() []Refusal {
	return p.game.merged(p.refusals())
}

// refusals are those of every piece and way.
func (p *Position) refusals() []Refusal {
	if p.Kind() != Choice || p.m.Node != code.NodeOption {
		return nil
	}
	return p.game.explain(p.m, p.m.Site)
}

// explain runs the explaining form of a play on a copy of a machine at its options.
func (g *Game) explain(m *vm.Machine, play int) []Refusal {
	c := vm.New(g.prog)
	c.CopyFrom(m)
	c.Explain(play) // after a fault the list is incomplete but correct
	var out []Refusal
	for i := range c.Refused() {
		o := &c.Refused()[i]
		r := Refusal{Option: g.option(c, o), way: g.way(nil, c, o)}
		for _, n := range seq.Distinct(c.ReasonsOf(o)) { // evaluated at several steps
			switch n {
			case code.NoClause:
				r.Reasons = append(r.Reasons, nil)
			case code.FewerUsed:
				r.Fewer = true
			default:
				r.Reasons = append(r.Reasons, g.unit.Clauses[n])
			}
		}
		out = append(out, r)
	}
	return out
}

// merged leaves one of each refusals that are alike: equal pieces have equal refusals.
func (g *Game) merged(list []Refusal) []Refusal {
	var out []Refusal
	for _, r := range list {
		if n := &r.Option; !slices.ContainsFunc(out, func(x Refusal) bool {
			o := &x.Option
			same := o.Colour == n.Colour && o.From == n.From && o.To == n.To && o.Steps == n.Steps
			return same && g.alike(o, n) && slices.Equal(x.Reasons, r.Reasons)
		}) {
			out = append(out, r)
		}
	}
	return out
}

// alike reports whether options of a move have the same parameters, where a piece is as good as another one.
func (g *Game) alike(a, b *Option) bool {
	if a.Move != b.Move || a.OtherAt != b.OtherAt || a.OtherColour != b.OtherColour {
		return false
	}
	params := g.rules.Moves[a.Move].Params
	return len(seq.Which(len(params), func(i int) bool { return params[i].Type.Kind != model.Piece && a.Params[i] != b.Params[i] })) == 0
}

// Decision is a decision with its options, made by a player or automatically.
type Decision struct {
	// Options are the options offered, in order; empty if nothing was possible.
	Options []Option
	// Steps is the number to count, Earned whether it came from the queue.
	Steps  int
	Earned bool
	// Player is the seat that decides.
	Player int
	// Taken is the index of an option taken automatically, None if the player has to choose or nothing was possible.
	Taken int

	game *Game
	m    *vm.Machine // at that decision
}

// Explain lists what was not offered at that time, with the reasons.
func (d *Decision) Explain() []Refusal { return d.game.merged(d.refusals()) }

// refusals lists those of every piece and way.
func (d *Decision) refusals() []Refusal { return d.position().refusals() }

// position is the position at that time.
func (d *Decision) position() *Position { return &Position{game: d.game, m: d.m} }

// fits reports whether option i is what a line of a test names.
func (d *Decision) fits(i int, t *model.TestOption) bool {
	return d.position().fits(d.Options[i], t, d.Way(nil, i))
}

// offers reports whether an option is what a line of a test names.
func (d *Decision) offers(t *model.TestOption) bool {
	return len(seq.Which(len(d.Options), func(i int) bool { return d.fits(i, t) })) > 0
}

// takes reports whether what was taken by itself is what a line of a test names.
func (d *Decision) takes(t *model.TestOption) bool { return d.Taken != None && d.fits(d.Taken, t) }

// names are the options in the words of tests.
func (d *Decision) names() []string { return d.position().Names(d.Player, d.Options) }

// Decisions records the decisions a position passes through while it goes on, until the function returned is called.
// A watcher set by Watch goes on watching.
func (p *Position) Decisions(record func(*Decision)) (stop func()) { return p.follow(record, false) }

// follow is Decisions, and with questions records the answers to them too.
func (p *Position) follow(record func(*Decision), questions bool) (stop func()) {
	before := p.m.Watch
	w := &watchLog{game: p.game, watcher: Unwatched{}}
	if log, ok := before.(*watchLog); ok {
		w.watcher = log.watcher
	}
	w.decided = func(play int) {
		d := p.decision(code.NodeOption, play)
		st := d.m.State()
		d.Player, d.Steps, d.Earned = int(st[code.CellMe]), int(st[code.CellSteps]), st[code.CellEarned] != 0
		record(d)
	}
	if questions {
		w.asked = func(question int) {
			d := p.decision(code.NodePick, question)
			if p.game.unit.Picks[question].Other == nil { // otherwise the rules say later who answers
				d.Player = int(d.m.State()[code.CellMe])
			}
			d.m.State()[code.CellDecider] = int16(d.Player)
			record(d)
		}
	}
	p.m.Watch = w
	return func() { p.m.Watch = before }
}

// decision is the one whose options or candidates are ready. The caller says whose it is.
func (p *Position) decision(node code.NodeKind, site int) *Decision {
	d := &Decision{game: p.game, m: vm.New(p.game.prog), Player: None, Taken: None}
	d.m.CopyFrom(p.m)
	d.m.Node, d.m.Site = node, site
	d.Options = d.position().Options()
	if len(d.Options) == 1 {
		d.Taken = 0
	}
	return d
}

// asks reports whether a decision is the answer to a question.
func (d *Decision) asks() bool { return d.m.Node == code.NodePick }

// Offered lists the options of the first count after a throw, without changing p. It includes decisions that are made
// automatically. It fails if the position does not wait for that throw; so it always fails unless Kind is Throw.
func (p *Position) Offered(numbers ...int) ([]Option, error) {
	q := p.Copy()
	var first *Decision
	stop := q.Decisions(func(d *Decision) { first = cmp.Or(first, d) })
	defer stop()
	if err := q.Throw(numbers...); err != nil {
		return nil, err
	}
	if first == nil {
		return nil, q.Err()
	}
	return first.Options, q.Err()
}
