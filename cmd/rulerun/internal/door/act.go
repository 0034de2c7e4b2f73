package door

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// viewer is the seat that a new game is shown to: the requested one, or the only person.
func (s *Session) viewer(name string) int {
	if name != "" {
		return s.game.Seat(name)
	}
	if people := s.People(); len(people) == 1 {
		return people[0]
	}
	return interpreter.None
}

// botEvents is how many events of bots one request brings at most, so that each is answered soon: DoGo asks for more.
const botEvents = 40

// botChoice is how many of these events a choice counts: a bot may think about it for a moment.
const botChoice = 4

// run lets bots and the lot act until a person has to act or the game is over, for some events.
func (s *Session) run() error {
	for n := 0; n < botEvents && s.Asks() == interpreter.None; n++ {
		if s.pos.Kind() == interpreter.Choice {
			n += botChoice - 1
		}
		err := s.Bot()
		if errors.Is(err, ErrOver) {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Session) answer(r *Request, seat int) *Answer {
	from := s.At()
	if r.At != nil {
		from = *r.At
	}
	switch r.Do {
	case DoWhy:
		if s.pos.Secret() && s.Asks() != seat {
			return fault(FaultSeat, "%s", s.Say("fault.other_asked"))
		}
		return &Answer{Lines: s.Why(r.Text)}
	case DoRules:
		return &Answer{Lines: s.RuleLines(), Rules: s.RuleTexts()}
	case DoBoard:
		return &Answer{Board: s.Board()}
	case DoTest:
		if s.Keeps() {
			return fault(FaultRefused, "%s", s.Say("fault.test_secret"))
		}
		text, err := s.Test(cmp.Or(r.Text, "what we played"))
		if err != nil {
			return s.failed(FaultNotNow, err)
		}
		return &Answer{Text: text}
	case DoFind, DoHint:
		if s.Asks() != seat || seat == interpreter.None {
			return fault(FaultSeat, "%s", s.Say("fault.other_asked"))
		}
		if s.pos.Kind() != interpreter.Choice {
			return fault(FaultNotNow, "%s", s.Say("screen.no_choice"))
		}
		if r.Do == DoHint {
			return s.hint()
		}
		i, why := s.Find(r.Text, nil)
		if why != "" {
			return &Answer{Lines: strings.Split(why, "\n")}
		}
		return &Answer{Option: &i}
	case DoRecord:
		if s.Keeps() {
			return fault(FaultRefused, "%s", s.Say("fault.record_secret"))
		}
		header := *s.header
		if s.pos.Kind() != interpreter.Over {
			header.Seed = 0 // it would reveal future throws
		}
		text, err := s.Record(&header)
		if err != nil {
			return s.failed(FaultRefused, err)
		}
		return &Answer{Record: string(text)}
	case DoAct, DoUndo, DoGo:
		if a := s.change(r, seat); a != nil {
			return a
		}
	}
	if r.Do == DoUndo {
		from = s.At()
	}
	return &Answer{Events: s.Happened(from), Log: s.Entries(from), State: s.answered(r, seat)}
}

// hint answers with an option that a good bot would take at the present choice, and with its chances.
func (s *Session) hint() *Answer {
	i := s.Hint()
	out := &Answer{Hint: &i}
	if chances := s.Chances(i); chances != "" {
		out.Lines = []string{chances}
	}
	return out
}

// Keeps reports whether the game's record would reveal secret choices.
func (s *Session) Keeps() bool {
	return s.pos.Kind() != interpreter.Over && s.pos.Hides(interpreter.None)
}

// change executes an act or an undo; the answer says why it was refused.
func (s *Session) change(r *Request, seat int) *Answer {
	switch {
	case r.At == nil:
		return fault(FaultMalformed, `the request needs "at", the number of events seen`)
	case *r.At != s.At():
		return fault(FaultLate, "%s", s.Say("fault.late"))
	case r.Do == DoGo:
		return s.failed(FaultRules, s.run())
	case seat == interpreter.None || !s.Person(seat):
		return fault(FaultSeat, "no person plays as %q", r.Seat)
	case r.Do == DoUndo:
		return s.failed(FaultNotNow, s.Undo())
	case s.pos.Kind() == interpreter.Over || s.pos.Kind() == interpreter.Broken:
		return fault(FaultNotNow, "%s", s.Say("screen.over"))
	case s.Asks() != seat:
		return fault(FaultSeat, "%s", s.Say("fault.other_asked"))
	case seq.Count([]bool{r.Throw, r.Number != nil, r.Option != nil}, func(is bool) bool { return is }) != 1:
		return fault(FaultMalformed, `an act is one of "throw", "number" and "option"`)
	}
	var err error
	switch {
	case r.Throw:
		err = s.Throw()
	case r.Number != nil:
		err = s.Number(*r.Number)
	default:
		err = s.Choose(*r.Option)
	}
	if err == nil {
		err = s.run()
	}
	switch _, broken := errors.AsType[*interpreter.RuleError](err); {
	case broken:
		return s.failed(FaultRules, err)
	case errors.Is(err, interpreter.ErrNotNow):
		return fault(FaultNotNow, "%s", s.Say("fault.not_now"))
	}
	return s.failed(FaultNotNow, err)
}

// failed is an answer that says in the language of the game what has failed, nil for nothing.
func (s *Session) failed(code string, err error) *Answer {
	if err == nil {
		return nil
	}
	return fault(code, "%s", s.Said(err))
}

// RuleLines are the texts of the rules.
func (s *Session) RuleLines() []string {
	return seq.Map(s.game.Rules().Rules, func(r *model.Rule) string {
		return fmt.Sprintf("%s (%s)", r.Words, strings.Join(append([]string{r.Name}, r.Cites...), ", "))
	})
}
