package door

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// goOn begins a game by other rules with the position of a game: the beginning of the present turn, and what has
// happened since, as far as the rules allow it. The players are the same.
func (h *Host) goOn(books Books, r *Request) *Answer {
	was := h.game(r.From)
	if was == nil {
		return fault(FaultUnknown, "%s", r.Say("fault.no_game"))
	}
	was.Lock()
	setup, turn, hides := was.TurnBegan(), []record.Event{}, was.Keeps()
	if setup != nil {
		turn = seq.Map(was.events[was.turnAt:], func(e happened) record.Event { return e.Event })
	}
	header, players := *was.header, was.game.Players()
	options := map[string]string{} // that people have set; the others are as the new rules say
	for _, o := range was.game.Rules().Options {
		if !o.Default {
			options[o.Name] = o.Value
		}
	}
	was.Unlock()
	if hides {
		return fault(FaultRefused, "%s", r.Say("fault.change_secret"))
	}
	maps.Copy(options, r.Options)
	g, err := game(books, r.pick(), known(books, r.pick(), options), players, interpreter.CompileTraced)
	if err != nil {
		return r.refused(err)
	}
	next := &record.Header{Rules: r.Rules, With: r.With, Seats: slices.Clone(header.Seats), Position: setup} // nil before the first turn: it begins anew
	if a := h.seat(next, g, r); a != nil {
		return a
	}
	s, err := Open(g, next, turn)
	if _, ok := errors.AsType[*record.MisfitError](err); ok {
		s, err = Open(g, next, nil)
	}
	if _, impossible := errors.AsType[*interpreter.SetupError](err); impossible {
		return fault(FaultRefused, "%s", r.Say("fault.no_going_on", "why", err))
	}
	if err != nil {
		return r.refused(err)
	}
	if err := s.run(); err != nil {
		return s.failed(FaultRules, err)
	}
	return h.opened(s, r)
}

// Under goes on with the game by other rules: the present turn begins again, or the game if there has been none. The
// session stays as it is.
func (s *Session) Under(g *interpreter.Game) (*Session, error) {
	header := *s.header
	header.First, header.Position = "", s.TurnBegan()
	return Open(g, &header, nil)
}

// Change goes on with a game by other rules, see Session.Under. On an error it goes on by those it has.
func (h *Host) Change(name string, g *interpreter.Game) error {
	was := h.game(name)
	if was == nil {
		return fmt.Errorf("there is no game %q", name)
	}
	was.Lock()
	defer was.Unlock()
	s, err := was.Under(g)
	if err == nil {
		err = s.run()
	}
	if err == nil {
		was.Session = s
	}
	return err
}

// known are the options that a rule book has.
func known(books Books, p Pick, options map[string]string) map[string]string {
	d, err := books.Details(p, nil)
	if err != nil {
		return nil
	}
	out := map[string]string{}
	for _, o := range d.Options {
		if v, ok := options[o.Name]; ok {
			out[o.Name] = v
		}
	}
	return out
}
