package record

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// Ground is a rule that causes a misfit, or what there is to say where none does.
type Ground struct {
	Refused *interpreter.Refusal // a move that the rules refuse, or
	Says    error                // a sentence about
	Span    source.Span          // a place in the rules, zero for none
}

// Remarks lists the grounds of the misfit in English.
func (e *MisfitError) Remarks() []interpreter.Remark {
	var out []interpreter.Remark
	for _, x := range e.Grounds() {
		list := []interpreter.Remark{{Span: x.Span}}
		if x.Refused != nil {
			list = e.Position.Game().RefusalRemarks([]interpreter.Refusal{*x.Refused})
		} else {
			list[0].Message = x.Says.Error()
		}
		out = append(out, list...)
	}
	return seq.Distinct(out)
}

// Grounds lists the rules that cause the misfit: what refuses the move of the event, now or at an automatic decision
// before it; what takes effect now; or the ending that does not apply. If none of these is known, it lists what took
// effect at the previous event. It is empty only if no rule has taken effect yet.
func (e *MisfitError) Grounds() []Ground {
	g := e.Position.Game()
	if e.Other {
		if out := effects(e.Position, e.Event, effect); len(out) > 0 {
			return out
		}
		return append([]Ground{{Says: say("no_effect", "no rule takes effect here now")}}, e.earlier()...)
	}
	out := refused(e.among(e.Position.Explain()))
	if len(out) == 0 {
		out = e.decided()
	}
	switch {
	case len(out) > 0:
		return out
	case e.Event.Kind == Play && len(e.Offered) > 0:
		return []Ground{{Says: say("no_rule", "no rule is about this move now")}}
	case e.Event.Kind == End && e.Position.Kind() != interpreter.Over:
		for x := range g.Rules().Clauses() {
			if x.Kind == model.ClauseEnding {
				out = append(out, Ground{Says: say("ending", "this ending does not hold: {{.rule}}", "rule", interpreter.RuleText(x)), Span: x.Span})
			}
		}
	case e.Event.Kind == Throw && e.Position.Kind() == interpreter.Throw && e.Event.Seat == g.SeatName(e.Position.Player()):
		for _, d := range e.Position.Dice() {
			die := g.Rules().Dice[d]
			out = append(out, Ground{Span: die.Span, Says: say("die", "die {{.die}} is declared here", "die", strconv.Quote(die.Name))})
		}
	}
	return append(out, e.earlier()...)
}

func refused(list []interpreter.Refusal) []Ground {
	return seq.Of(len(list), func(i int) Ground { return Ground{Refused: &list[i]} })
}

// among selects the refusals of the move of the event.
func (e *MisfitError) among(refusals []interpreter.Refusal) []interpreter.Refusal {
	seat := e.Position.Game().Seat(e.Event.Seat)
	if seat == interpreter.None {
		return nil
	}
	return seq.Filter(refusals, func(r interpreter.Refusal) bool {
		words := e.Position.Names(seat, []interpreter.Option{r.Option})[0]
		return e.Event.Words == words || strings.HasPrefix(e.Event.Words, words+" ")
	})
}

// decided says what refused the move, if the previous event led to an automatic decision.
func (e *MisfitError) decided() []Ground {
	if e.before == nil {
		return nil
	}
	p := e.before.Copy()
	g := p.Game()
	var out []Ground
	stop := p.Decisions(func(d *interpreter.Decision) {
		if why := e.among(d.Explain()); len(out) == 0 && len(why) > 0 {
			out = append(out, Ground{Says: say("before", "the count of {{.n}} before it offered: {{.options}}", "n", d.Steps, "options", Offer{slices.Clone(d.Options), g.OptionTexts(d.Options)})})
			out = append(out, refused(why)...)
		}
	})
	defer stop()
	if err := Apply(p, e.last); err != nil {
		return nil
	}
	return out
}

// earlier lists what took effect at the previous event.
func (e *MisfitError) earlier() []Ground {
	if e.before == nil {
		return nil
	}
	return effects(e.before, e.last, func(x *model.Clause) error {
		return say("effect_before", "this took effect just before: {{.rule}}", "rule", interpreter.RuleText(x))
	})
}

// effects lists the clauses that take effect at an event, without duplicates, in order.
func effects(p *interpreter.Position, e Event, says func(*model.Clause) error) []Ground {
	w := &firedLog{}
	q := p.Copy()
	q.Watch(w)
	if err := Apply(q, e); err != nil {
		return nil
	}
	return seq.Map(w.clauses, func(x *model.Clause) Ground { return Ground{Says: says(x), Span: x.Span} })
}

func effect(x *model.Clause) error {
	return say("effect", "this took effect: {{.rule}}", "rule", interpreter.RuleText(x))
}

// firedLog records the clauses that take effect.
type firedLog struct {
	interpreter.Unwatched
	clauses []*model.Clause
}

// Fired implements interpreter.Watcher.
func (w *firedLog) Fired(x *model.Clause) {
	if !slices.Contains(w.clauses, x) {
		w.clauses = append(w.clauses, x)
	}
}
