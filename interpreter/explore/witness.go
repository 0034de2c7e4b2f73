package explore

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// Limits on the work for one witness.
const (
	maxTrials  = 400 // smaller positions tried
	maxBranchy = 600 // nodes of one trial
)

// witness is a minimised position that shows a finding, and a description of what happens from it. The description is
// empty if the position alone does not reproduce the finding.
func (s *sighting) witness() (*interpreter.Setup, string) {
	if s.from == nil {
		return nil, ""
	}
	if s.kind == gameWithoutEnd {
		return s.from, ""
	}
	wanted := s.wanted()
	course, ok := s.shows(s.from, wanted)
	if !ok {
		return s.from, ""
	}
	best := s.from
	trials := 0
	try := func(change func(*interpreter.Setup) bool) {
		next := clone(best)
		if trials >= maxTrials || !change(next) {
			return
		}
		trials++
		dropStale(next)
		if words, ok := s.shows(next, wanted); ok {
			best, course = next, words
		}
	}
	for range 2 {
		s.shrink(best, try)
	}
	return best, course
}

// shrink tries all simplifications of a position: pieces back to their beginning, variables back to their initial
// values.
func (s *sighting) shrink(from *interpreter.Setup, try func(func(*interpreter.Setup) bool)) {
	for c, x := range s.arena.game.Rules().Colours {
		colour, home := x.Name, s.arena.home(c)
		if s.arena.onlyBegins(c, home) {
			continue
		}
		for i := range from.Pieces[colour] {
			try(func(n *interpreter.Setup) bool {
				was := n.Pieces[colour][i]
				n.Pieces[colour][i] = home
				return was != home
			})
		}
	}
	try(func(n *interpreter.Setup) bool {
		had := len(n.Arrived) + len(n.Ranking) + len(n.Dropped) + len(n.Dice) + len(n.Decks)
		n.Arrived, n.Ranking, n.Dropped, n.Dice, n.Decks = map[string][]string{}, nil, nil, nil, nil
		return had > 0
	})
	for _, name := range slices.Sorted(maps.Keys(from.Vars)) {
		try(func(n *interpreter.Setup) bool {
			_, had := n.Vars[name]
			delete(n.Vars, name)
			return had
		})
		owned, _ := from.Vars[name].(map[string]any)
		for _, owner := range slices.Sorted(maps.Keys(owned)) {
			try(func(n *interpreter.Setup) bool {
				mine, _ := n.Vars[name].(map[string]any)
				_, had := mine[owner]
				delete(mine, owner)
				return had && len(mine) > 0
			})
		}
	}
}

// wanted lists the options chosen since the beginning of the turn, as texts.
func (s *sighting) wanted() []string {
	var out []string
	p, err := s.arena.game.Setup(s.from)
	if err != nil {
		return nil
	}
	throws, choices := s.path.throws, s.path.choices
	for {
		switch {
		case p.Kind() == interpreter.Throw && len(throws) > 0:
			if p.Throw(throws[0]...) != nil {
				return out
			}
			throws = throws[1:]
		case p.Kind() == interpreter.Choice && len(choices) > 0 && choices[0] < p.OptionCount():
			out = append(out, s.arena.game.OptionText(p.Options()[choices[0]]))
			p.Choose(choices[0])
			choices = choices[1:]
		default:
			return out
		}
	}
}

// shows reports whether a position reproduces the finding within the turn, with the same numbers thrown, and
// describes how.
func (s *sighting) shows(from *interpreter.Setup, wanted []string) (string, bool) {
	p, err := s.arena.game.Setup(from)
	if err != nil {
		return "", false
	}
	switch s.kind {
	case stuckInPlace:
		if !p.TurnBegins() {
			return "", false
		}
		stuck, _ := staysPut(p, nil, func() bool { return false })
		return "", stuck
	case idle:
		return "", p.TurnBegins() && p.Turn() == s.seat && nothingToDo(p, s.seat, s.play)
	}
	t := &trial{s: s, left: maxBranchy}
	ok := t.from(p, s.path.throws, wanted, true)
	return strings.Join(t.course, ", "), ok
}

// trial searches for a finding in the successors of a position.
type trial struct {
	interpreter.Unwatched

	s       *sighting
	left    int // nodes left
	course  []string
	ignored bool
}

// from searches all choices, the wanted one first.
func (t *trial) from(p *interpreter.Position, throws [][]int, wanted []string, first bool) bool {
	if t.left--; t.left < 0 {
		return false
	}
	if t.found(p, first) {
		return true
	}
	if !first && p.TurnBegins() {
		return false
	}
	course := len(t.course)
	who := p.Game().SeatName(p.Player())
	switch p.Kind() {
	case interpreter.Throw:
		if len(throws) == 0 {
			return false
		}
		q := p.Copy()
		q.Watch(t)
		if q.Throw(throws[0]...) != nil {
			return false
		}
		t.course = append(t.course, who+" throws "+strings.Trim(fmt.Sprint(throws[0]), "[]"))
		if t.from(q, throws[1:], wanted, false) {
			return true
		}
	case interpreter.Choice:
		texts := seq.Map(p.Options(), p.Game().OptionText)
		var order []int
		for i, text := range texts {
			if len(wanted) > 0 && text == wanted[0] {
				order = slices.Insert(order, 0, i)
			} else {
				order = append(order, i)
			}
		}
		for _, i := range order {
			q := p.Copy()
			q.Watch(t)
			q.Choose(i)
			t.course = append(t.course[:course], who+" plays "+texts[i])
			if t.from(q, throws, wanted[min(1, len(wanted)):], false) {
				return true
			}
		}
	}
	t.course = t.course[:course]
	return false
}

// found reports whether the finding occurs in the present position.
func (t *trial) found(p *interpreter.Position, first bool) bool {
	switch t.s.kind {
	case dutiesClash:
		return t.ignored
	case refusedPosition:
		if first || !p.TurnBegins() {
			return false
		}
		if slices.ContainsFunc(p.Forbidding(), func(c *model.Clause) bool { return c.Span == t.s.at }) {
			return true
		}
		refused, words := refusal(t.s.arena, p)
		return refused && words == t.s.words
	}
	err, ok := p.Err().(*interpreter.RuleError)
	return ok && p.Kind() == interpreter.Broken && faultKey(err, t.s.arena.book.Header()).at == t.s.at
}

// Ignored implements interpreter.DutyWatcher.
func (t *trial) Ignored(c, _ *model.Clause) { t.ignored = t.ignored || c.Span == t.s.at }

// places lists the places of pieces on the track, as text.
func (a *arena) places(s *interpreter.Setup) string {
	var parts []string
	for c, x := range a.game.Rules().Colours {
		counts := map[string]int{}
		for _, at := range s.Pieces[x.Name] {
			counts[at]++
		}
		if counts[a.home(c)] == len(s.Pieces[x.Name]) {
			continue
		}
		delete(counts, a.home(c))
		var list []string
		for _, at := range slices.Sorted(maps.Keys(counts)) {
			list = append(list, slices.Repeat([]string{at}, counts[at])...)
		}
		parts = append(parts, x.Name+" "+strings.Join(list, " "))
	}
	return strings.Join(parts, " | ")
}

// variables lists the variables that differ from the beginning, as text.
func variables(s *interpreter.Setup) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s.Vars)) {
		owned, ok := s.Vars[name].(map[string]any)
		if !ok {
			parts = append(parts, fmt.Sprintf("%s = %v", name, s.Vars[name]))
		}
		for _, owner := range slices.Sorted(maps.Keys(owned)) {
			parts = append(parts, fmt.Sprintf("%s.%s = %v", owner, name, owned[owner]))
		}
	}
	return strings.Join(parts, ", ")
}
