package interpreter

import (
	"errors"
	"time"

	"github.com/rulerun/rulerun/interpreter/internal/reference"
)

// referenceAgrees: the engine plays as the interpreter does that is written for clarity alone. Where the rules fail they fail in
// both, for the same reason.
func (x *netRun) referenceAgrees() {
	const nodes = 600                        // of all games together
	x.ends = time.Now().Add(6 * time.Second) // it is slow
	d := &double{t: x, game: x.forms.fast, plain: reference.New(x.rules)}
	r := NewRandom(x.c.Seed, 7)
	for game, played := 0, 0; game < 40 && played < nodes; game++ {
		if d.p = d.game.Start(ByTheRules); beyond(d.p) {
			return
		}
		d.q, d.node = d.plain.Start(ByTheRules), 0
		for x.beside(d, &r) && d.node < 150 {
			d.node++
			if played++; time.Now().After(x.ends) {
				return
			}
		}
		if d.p.Kind() == Broken && game > 1 {
			return
		}
	}
}

// beyond reports whether the rules have gone on beyond a limit: how far they go is the engine's own matter, and the reference
// takes long to find out.
func beyond(p *Position) bool {
	var fault *RuleError
	return errors.As(p.Err(), &fault) && fault.Limit
}

// beside compares one node and goes on from it by chance; false where nothing follows.
func (x *netRun) beside(d *double, r *Random) bool {
	var fault *RuleError
	var told *reference.Error
	a, b := errors.As(d.p.Err(), &fault), errors.As(d.q.Err(), &told)
	switch {
	case b && told.Limit:
		return false
	case a && !b:
		x.Fatalf("the rules fail in the engine alone: %s\nnode %d, at %q", fault.Message, d.node, fault.Span.Text())
	case b && !a:
		x.Fatalf("the rules fail in the reference alone: %s\nnode %d, at %q", told.Message, d.node, told.Span.Text())
	case a:
		if fault.Message != told.Message {
			x.Fatalf("the rules fail otherwise: %s, by the reference: %s\nnode %d, at %q and %q", fault.Message, told.Message, d.node, fault.Span.Text(), told.Span.Text())
		}
		return false
	}
	if d.p.Kind() != Kind(d.q.Kind()) {
		kinds := [...]string{"a throw", "a choice", "the end", "a fault"}
		x.Fatalf("node %d: %s in the engine, %s by the reference", d.node, kinds[d.p.Kind()], kinds[d.q.Kind()])
	}
	d.same()
	var err error
	switch d.p.Kind() {
	case Throw:
		var numbers []int
		for _, outcomes := range d.p.outcomes() {
			if len(outcomes) == 0 {
				x.Fatalf("a throw without outcomes")
			}
			numbers = append(numbers, outcomes[r.IntN(len(outcomes))].Value)
		}
		if err = d.p.Throw(numbers...); beyond(d.p) {
			return false
		}
		err = errors.Join(err, d.q.Throw(numbers...))
	case Choice:
		if d.node < 20 || d.node%8 == 0 {
			d.refusals()
		}
		i := r.IntN(d.p.OptionCount())
		if err = d.p.Choose(i); beyond(d.p) {
			return false
		}
		err = errors.Join(err, d.q.Choose(i))
	default:
		return false
	}
	if err != nil {
		x.Fatalf("node %d: %v", d.node, err)
	}
	return true
}
