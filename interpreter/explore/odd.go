package explore

import (
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// oddTries limits how many odd positions are tried until the rules accept one.
const oddTries = 32

// odd makes a rare but possible position from the survey: pieces on places where they have rested, variables with
// values in their range. Who is ranked or dropped stays so, and so do the pieces. It is nil if the rules accept none.
func (a *arena) odd(r *interpreter.Random) (*interpreter.Setup, *interpreter.Position) {
	if len(a.survey.samples) == 0 {
		return nil, nil
	}
	for range oddTries {
		s := clone(a.survey.samples[r.IntN(len(a.survey.samples))])
		turn := r.IntN(len(a.game.Rules().Colours))
		if a.isOut(s, turn) {
			continue
		}
		s.Turn = a.game.ColourName(turn)
		switch r.IntN(6) {
		case 0:
			a.place(s, func(c, _ int) string { return a.rest(c, 0, r) })
		case 1:
			a.late(s, r)
		case 2:
			a.few(s, r)
		case 3:
			a.crowd(s, r)
		default:
			a.disturb(s, r)
		}
		dropStale(s)
		for len(a.game.Rules().Vars) > 0 && r.IntN(3) == 0 {
			a.vary(s, r)
		}
		if a.crowded(s) {
			continue
		}
		if p, err := a.game.Setup(s); err == nil && p.Kind() != interpreter.Over {
			return s, p
		}
	}
	return nil, nil
}

func clone(s *interpreter.Setup) *interpreter.Setup {
	c := *s
	c.Pieces, c.Arrived, c.Vars = map[string][]string{}, map[string][]string{}, map[string]any{}
	c.Ranking, c.Dropped, c.Dice, c.Decks = slices.Clone(s.Ranking), slices.Clone(s.Dropped), maps.Clone(s.Dice), maps.Clone(s.Decks)
	for k, v := range s.Pieces {
		c.Pieces[k] = slices.Clone(v)
	}
	for k, v := range s.Arrived {
		c.Arrived[k] = slices.Clone(v)
	}
	for k, v := range s.Vars {
		if owned, ok := v.(map[string]any); ok {
			v = maps.Clone(owned)
		}
		c.Vars[k] = v
	}
	return &c
}

// rest is a random place where a colour's pieces rest, in the part of its track that begins at from percent.
func (a *arena) rest(colour, from int, r *interpreter.Random) string {
	list := a.survey.rests[colour]
	if len(list) == 0 { // none of its pieces has moved
		return a.home(colour)
	}
	first := len(list) * from / 100
	return a.game.PlaceName(list[first+r.IntN(len(list)-first)])
}

// home is the place where the pieces of a colour begin.
func (a *arena) home(colour int) string { return a.game.PlaceName(a.game.Rules().PiecesAt[colour]) }

// onlyBegins reports whether a place is where the pieces of a colour begin, and none ever comes back to it. Which of them have left it
// may hang together.
func (a *arena) onlyBegins(colour int, at string) bool {
	return at == a.home(colour) && !a.returns[colour]
}

// crowded reports whether more pieces of a colour that plays are on a zone than ever at once in the survey. Rules may take them away from
// there when all have come.
func (a *arena) crowded(s *interpreter.Setup) bool {
	board := a.game.Rules().Board
	for c, x := range a.game.Rules().Colours {
		counts := map[int]int{}
		for _, at := range s.Pieces[x.Name] {
			place, ok := board.Place(at)
			if !ok || !board.Places[place].Zone || a.isOut(s, c) {
				continue
			}
			if counts[place]++; counts[place] > a.survey.most[c][place] {
				return true
			}
		}
	}
	return false
}

// isOut reports whether the player of a colour is ranked or dropped in a position.
func (a *arena) isOut(s *interpreter.Setup, colour int) bool {
	name := a.game.SeatName(a.game.SeatOf(colour))
	return slices.Contains(s.Ranking, name) || slices.Contains(s.Dropped, name)
}

// place places every piece of those who play.
func (a *arena) place(s *interpreter.Setup, where func(colour, i int) string) {
	for c, x := range a.game.Rules().Colours {
		for i, at := range s.Pieces[x.Name] {
			if !a.onlyBegins(c, at) && !a.isOut(s, c) {
				s.Pieces[x.Name][i] = where(c, i)
			}
		}
	}
}

// late places most pieces near the end of their tracks.
func (a *arena) late(s *interpreter.Setup, r *interpreter.Random) {
	near := 60 + r.IntN(40)
	a.place(s, func(c, _ int) string {
		if r.IntN(5) == 0 {
			return a.rest(c, 0, r)
		}
		return a.rest(c, near, r)
	})
}

// few leaves some pieces on the track and puts the others in zones, one zone per colour.
func (a *arena) few(s *interpreter.Setup, r *interpreter.Random) {
	left, aside := 0, ""
	a.place(s, func(c, i int) string {
		if i == 0 {
			left, aside = r.IntN(3), a.zone(c, r)
		}
		if i < left {
			return a.rest(c, 0, r)
		}
		return aside
	})
}

// zone is a zone where a colour's pieces rest.
func (a *arena) zone(colour int, r *interpreter.Random) string {
	zones := seq.Filter(a.survey.rests[colour], func(at int) bool { return a.game.Rules().Board.Places[at].Zone })
	if len(zones) == 0 {
		return a.rest(colour, 0, r)
	}
	return a.game.PlaceName(zones[r.IntN(len(zones))])
}

// crowd places most pieces on a few places.
func (a *arena) crowd(s *interpreter.Setup, r *interpreter.Random) {
	spots := seq.Of(2+r.IntN(6), func(int) string { return a.rest(r.IntN(len(a.survey.rests)), 0, r) })
	a.place(s, func(c, _ int) string {
		at := spots[r.IntN(len(spots))]
		if i, ok := a.game.Rules().Board.Place(at); !ok || !slices.Contains(a.survey.rests[c], i) || r.IntN(4) == 0 {
			return a.rest(c, 0, r)
		}
		return at
	})
}

// disturb takes a position of a game and moves a few pieces, often to occupied places.
func (a *arena) disturb(s *interpreter.Setup, r *interpreter.Random) {
	colours := a.game.Rules().Colours
	for range 1 + r.IntN(4) {
		c := r.IntN(len(colours))
		list := s.Pieces[colours[c].Name]
		other := s.Pieces[colours[r.IntN(len(colours))].Name]
		if len(list) == 0 || len(other) == 0 || a.isOut(s, c) {
			continue // without pieces: they have changed hands
		}
		at := other[r.IntN(len(other))]
		if i, ok := a.game.Rules().Board.Place(at); !ok || !slices.Contains(a.survey.rests[c], i) || r.IntN(2) == 0 {
			at = a.rest(c, 0, r)
		}
		if i := r.IntN(len(list)); !a.onlyBegins(c, list[i]) {
			list[i] = at
		}
	}
}

// dropStale removes entries about pieces that are no longer on their place.
func dropStale(s *interpreter.Setup) {
	on := func(colour, place string) int {
		return seq.Count(s.Pieces[colour], func(at string) bool {
			name, _, _, _ := model.ReadSpot(at)
			return name == place
		})
	}
	stands := func(name string) bool {
		colour, at, ok := strings.Cut(name, "@")
		place, passage, ordinal, _ := model.ReadSpot(at)
		return !ok || on(colour, place) >= max(1, ordinal) && (passage == model.AnyPassage || slices.Contains(s.Pieces[colour], at))
	}
	gone := func(v any) bool {
		name, ok := v.(string)
		return ok && !stands(name)
	}
	for at, colours := range s.Arrived {
		for _, c := range colours {
			if colour, _, ordinal, _ := model.ReadSpot(c); on(colour, at) < max(1, ordinal) {
				delete(s.Arrived, at)
				break
			}
		}
	}
	for name, v := range s.Vars {
		switch v := v.(type) {
		case map[string]any:
			for owner, x := range v {
				if list, ok := x.([]any); ok {
					v[owner] = slices.DeleteFunc(slices.Clone(list), gone)
				} else if gone(x) || !stands(owner) {
					delete(v, owner)
				}
			}
		case []any:
			s.Vars[name] = slices.DeleteFunc(slices.Clone(v), gone)
		default:
			if gone(v) {
				delete(s.Vars, name)
			}
		}
	}
}

// vary changes the value of one variable.
func (a *arena) vary(s *interpreter.Setup, r *interpreter.Random) {
	g := a.game
	rules := g.Rules()
	v := rules.Vars[r.IntN(len(rules.Vars))]
	colour := r.IntN(len(rules.Colours))
	owner := rules.Colours[colour].Name
	switch v.Scope {
	case model.ScopeTurn, model.ScopeGo:
		return
	case model.ScopePlayer:
		owner = g.SeatName(g.SeatOf(colour))
	case model.ScopeTeam:
		owner = g.SeatName(rules.Teams[rules.Seats[g.SeatOf(colour)].Team][0])
	case model.ScopePiece:
		if len(s.Pieces[owner]) == 0 {
			return
		}
		owner += "@" + s.Pieces[owner][r.IntN(len(s.Pieces[owner]))]
	}
	x, ok := a.value(s, v, r)
	owned, _ := s.Vars[v.Name].(map[string]any)
	switch {
	case !ok:
	case v.Scope == model.ScopeGame:
		s.Vars[v.Name] = x
	case owned == nil:
		s.Vars[v.Name] = map[string]any{owner: x}
	default:
		owned[owner] = x
	}
}

// value is a random value of a variable: for a bounded number any value in its range, preferring the ends; otherwise
// a value observed in games.
func (a *arena) value(s *interpreter.Setup, v *model.Var, r *interpreter.Random) (any, bool) {
	bounded := v.Low > -1<<15 || v.High < 1<<15-1
	seen := a.survey.seen[v.Name]
	switch {
	case v.Type.List && v.Type.Kind == model.Number && !v.Queue:
		list := []any{}
		most := 1
		if v.Bag {
			most = 2
		}
		for n := v.Low; n <= v.High && len(list) < 32; n++ {
			for range most - r.IntN(most+1) {
				list = append(list, float64(n))
			}
		}
		return list, true
	case v.Type.List:
	case v.Type.Kind == model.Flag:
		return r.IntN(2) == 0, true
	case v.Type.Kind == model.Number && bounded:
		ends := []int{v.Low, v.High, v.Low + r.IntN(v.High-v.Low+1)}
		return float64(ends[r.IntN(len(ends))]), true
	case v.Type.Kind == model.Piece:
		colour := a.game.ColourName(r.IntN(len(a.game.Rules().Colours)))
		if len(s.Pieces[colour]) == 0 {
			return nil, false
		}
		return colour + "@" + s.Pieces[colour][r.IntN(len(s.Pieces[colour]))], true
	}
	if len(seen) == 0 {
		return nil, false
	}
	x := seen[r.IntN(len(seen))]
	if _, list := x.([]any); list {
		return x, v.Type.List
	}
	return x, !v.Type.List
}
