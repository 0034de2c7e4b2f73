package interpreter

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/reference"
)

// TestReferenceAgrees plays games by chance, compiled and by the reference interpreter side by side, and wants the same at
// every node: what the position waits for, options in their order, refusals, where the pieces stand, variables, dice, numbers
// that wait, what has taken effect, and the result.
func TestReferenceAgrees(t *testing.T) {
	everySetting(t, func(t *testing.T, rules *model.Rules) {
		game, err := Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		d := &double{t: t, game: game, plain: reference.New(rules)}
		r := NewRandom(23, 1)
		first := ByTheRules
		for d.node < 700 {
			d.play(&r, first, 700)
			first = int(r.IntN(game.Players()))
		}
	})
}

// double is a game played in two ways.
type double struct {
	t     testing.TB
	game  *Game
	plain *reference.Game
	p     *Position
	q     *reference.Position
	node  int
}

// play plays one game, up to a node.
func (d *double) play(r *Random, first, last int) {
	d.p, d.q = d.game.Start(first), d.plain.Start(first)
	for ; d.node < last; d.node++ {
		if d.same(); d.p.Kind() == Broken {
			d.node = last // the next game would soon fail, too
			return
		}
		var err error
		switch d.p.Kind() {
		case Throw:
			var numbers []int
			for i := range max(1, len(d.p.Dice())) {
				outcomes := d.p.Outcomes(nil, i)
				numbers = append(numbers, outcomes[r.IntN(len(outcomes))].Value)
			}
			err = errors.Join(d.p.Throw(numbers...), d.q.Throw(numbers...))
		case Choice:
			if r.IntN(8) == 0 {
				d.refusals()
			}
			i := r.IntN(d.p.OptionCount())
			err = errors.Join(d.p.Choose(i), d.q.Choose(i))
		default:
			d.node++
			return
		}
		if err != nil {
			d.t.Fatalf("node %d: %v", d.node, err)
		}
	}
}

// want compares what both say about one thing.
func want[T any](d *double, what string, got, reference T) {
	if !reflect.DeepEqual(reference, got) {
		d.t.Helper() // takes longer than the comparison
		d.t.Fatalf("node %d: %s: reference (-), engine (+)\n%s", d.node, what, cmp.Diff(reference, got))
	}
}

// message is what a fault says, without its place.
func message(err error) string {
	var rule *RuleError
	var plain *reference.Error
	switch {
	case errors.As(err, &rule):
		return rule.Message
	case errors.As(err, &plain):
		return plain.Message
	}
	return ""
}

// same wants both to stand at the same node.
func (d *double) same() {
	d.t.Helper()
	p, q, g := d.p, d.q, d.game
	want(d, "fault", message(p.Err()), message(q.Err()))
	if want(d, "kind", int(p.Kind()), int(q.Kind())); p.Kind() == Broken {
		return
	}
	if p.Kind() == Choice || p.Kind() == Throw && !p.Opening() {
		want(d, "player", p.Player(), q.Player())
		want(d, "turn", p.Turn(), q.Turn())
	}
	want(d, "places", p.Places(nil), q.Places())
	for place := range g.rules.Board.Places {
		want(d, "pieces on "+g.PlaceName(place), append([]int{}, p.PiecesOn(nil, place)...), append([]int{}, q.PiecesOn(place)...))
	}
	for piece := range g.prog.Layout.Pieces {
		want(d, "index", p.Index(piece), q.Index(piece))
	}
	for _, v := range g.rules.Vars {
		for owner := range g.owners(v.Scope) {
			want(d, v.Name, g.getVar(p.m.State(), v, owner), append([]int{}, q.Var(v, owner)...))
		}
	}
	for i, n := range p.Numbers() {
		want(d, "die", n, q.Die(i))
	}
	want(d, "waiting", p.Waiting(), append([]int{}, q.Waiting()...))
	want(d, "throws", p.Throws(), q.Throws())
	want(d, "clauses that took effect", p.m.Counters[:len(q.Fired())], q.Fired())
	want(d, "acts", p.m.Counters[g.prog.ActCounters:g.prog.Counters], append([]uint64{}, q.Acts()...))
	for seat := range g.Players() {
		want(d, "playing", p.Playing(seat), q.Playing(seat))
	}
	switch p.Kind() {
	case Throw:
		want(d, "dice", append([]int{}, p.Dice()...), append([]int{}, q.Dice()...))
		for i := range max(1, len(p.Dice())) {
			var outcomes []Outcome
			for _, o := range q.Outcomes(i) {
				outcomes = append(outcomes, Outcome(o))
			}
			want(d, "outcomes", p.Outcomes(nil, i), outcomes)
		}
	case Choice:
		want(d, "options", plainOptions(p.Options()), q.Options())
	}
	if p.Turn() >= 0 && q.Turn() >= 0 {
		want(d, "colour in turn", p.TurnColour(), q.TurnColour())
		want(d, "winners", p.Result().Winners, q.Result().Winners)
		want(d, "what the win counts", p.Result().Worth, q.Result().Worth)
		want(d, "ranking", p.Result().Ranking, q.Result().Ranking)
	}
}

func plainOptions(list []Option) []reference.Option {
	var out []reference.Option
	for _, o := range list {
		out = append(out, reference.Option{Move: o.Move, Piece: o.Piece, Other: o.Other, From: o.From, To: o.To, Steps: o.Steps, Value: o.Value})
	}
	return out
}

// refusals wants both to refuse the same for the same reasons.
func (d *double) refusals() {
	d.t.Helper()
	indices := func(list []*model.Clause) []int {
		out := []int{}
		for _, x := range list {
			if x == nil {
				out = append(out, None)
			} else {
				out = append(out, x.Index)
			}
		}
		return out
	}
	type refusal struct {
		Option  reference.Option
		Reasons []int
		Fewer   bool
	}
	var a, b []refusal
	for _, x := range d.p.Explain() {
		a = append(a, refusal{plainOptions([]Option{x.Option})[0], indices(x.Reasons), x.Fewer})
	}
	for _, x := range d.q.Refusals() {
		b = append(b, refusal{x.Option, slices.Clone(indices(x.Reasons)), x.Fewer})
	}
	want(d, "refusals", a, b)
}
