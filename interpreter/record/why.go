package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// Remarks lists the rules that cause the misfit: what refuses the move of the event, now or at an automatic decision
// before it; what takes effect now; or the ending that does not apply. If none of these is known, it lists what took
// effect at the previous event. It is empty only if no rule has taken effect yet.
func (e *MisfitError) Remarks() []interpreter.Remark {
	g := e.Position.Game()
	if e.Other {
		if out := effects(e.Position, e.Event, "this took effect: "); len(out) > 0 {
			return out
		}
		return append([]interpreter.Remark{{Message: "no rule takes effect here now"}}, e.earlier()...)
	}
	out := g.RefusalRemarks(e.among(e.Position.Explain()))
	if len(out) == 0 {
		out = e.decided()
	}
	switch {
	case len(out) > 0:
		return out
	case e.Event.Kind == Play && len(e.Offered) > 0:
		return []interpreter.Remark{{Message: "no rule is about this move now"}}
	case e.Event.Kind == End && e.Position.Kind() != interpreter.Over:
		out = endings(g)
	case e.Event.Kind == Throw && e.Position.Kind() == interpreter.Throw && e.Event.Seat == g.SeatName(e.Position.Player()):
		for _, d := range e.Position.Dice() {
			die := g.Rules().Dice[d]
			out = append(out, interpreter.Remark{Span: die.Span, Message: fmt.Sprintf("die %q is declared here", die.Name)})
		}
	}
	return append(out, e.earlier()...)
}

// among selects the refusals of the move of the event.
func (e *MisfitError) among(refusals []interpreter.Refusal) []interpreter.Refusal {
	g := e.Position.Game()
	var out []interpreter.Refusal
	for seat := range g.Players() {
		if g.SeatName(seat) != e.Event.Seat {
			continue
		}
		for _, r := range refusals {
			words := e.Position.Names(seat, []interpreter.Option{r.Option})[0]
			if e.Event.Words == words || strings.HasPrefix(e.Event.Words, words+" ") {
				out = append(out, r)
			}
		}
	}
	return out
}

// decided says what refused the move, if the previous event led to an automatic decision.
func (e *MisfitError) decided() []interpreter.Remark {
	if e.before == nil {
		return nil
	}
	p := e.before.Copy()
	g := p.Game()
	var out []interpreter.Remark
	stop := p.Decisions(func(d *interpreter.Decision) {
		if refused := e.among(d.Explain()); len(out) == 0 && len(refused) > 0 {
			out = append(out, interpreter.Remark{Message: fmt.Sprintf("the count of %d before it offered: %s", d.Steps, g.OptionTexts(d.Options))})
			out = append(out, g.RefusalRemarks(refused)...)
		}
	})
	defer stop()
	if err := Apply(p, e.last); err != nil {
		return nil
	}
	return out
}

// earlier lists what took effect at the previous event.
func (e *MisfitError) earlier() []interpreter.Remark {
	if e.before == nil {
		return nil
	}
	return effects(e.before, e.last, "this took effect just before: ")
}

// effects lists the clauses that take effect at an event, without duplicates, in order.
func effects(p *interpreter.Position, e Event, lead string) []interpreter.Remark {
	w := &firedLog{}
	q := p.Copy()
	q.Watch(w)
	if err := Apply(q, e); err != nil {
		return nil
	}
	var out []interpreter.Remark
	for _, x := range w.clauses {
		out = append(out, interpreter.Remark{Span: x.Span, Message: lead + interpreter.RuleText(x)})
	}
	return out
}

// endings lists the endings of a game, none of which applies.
func endings(g *interpreter.Game) []interpreter.Remark {
	var out []interpreter.Remark
	for _, rule := range g.Rules().Rules {
		for _, x := range rule.Clauses {
			if x.Kind == model.ClauseEnding {
				out = append(out, interpreter.Remark{Span: x.Span, Message: "this ending does not hold: " + interpreter.RuleText(x)})
			}
		}
	}
	return out
}

// firedLog records the clauses that take effect.
type firedLog struct{ clauses []*model.Clause }

// Fired implements interpreter.Watcher.
func (w *firedLog) Fired(x *model.Clause) {
	if !slices.Contains(w.clauses, x) {
		w.clauses = append(w.clauses, x)
	}
}

// Acted implements interpreter.Watcher.
func (w *firedLog) Acted(*model.Act, []int) {}

// Put implements interpreter.Watcher.
func (w *firedLog) Put(_, _, _ int) {}
