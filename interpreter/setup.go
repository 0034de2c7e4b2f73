package interpreter

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Setup is a position at the beginning of a turn, as written in JSON. It is raw: Game.Setup validates it.
type Setup struct {
	Ruleset string              `json:"ruleset,omitempty"`
	Options map[string]any      `json:"options,omitempty"`
	Players int                 `json:"players,omitempty"`
	Turn    string              `json:"turn"`
	Pieces  map[string][]string `json:"pieces"`
	Arrived map[string][]string `json:"arrived,omitempty"`
	Ranking []string            `json:"ranking,omitempty"`
	Vars    map[string]any      `json:"vars,omitempty"`
}

// OptionTexts are the options as a setting wants them.
func (s *Setup) OptionTexts() map[string]string {
	out := map[string]string{}
	for name, v := range s.Options {
		out[name] = plainText(v)
	}
	return out
}

func plainText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case json.Number:
		return v.String()
	}
	return fmt.Sprint(v)
}

// SetupError lists everything that is wrong with a position.
type SetupError struct {
	Reasons []string
	Rules   []*model.Rule // those that forbid the position
}

// Error is the reasons, one after the other.
func (e *SetupError) Error() string { return strings.Join(e.Reasons, "; ") }

// setter fills a state from a setup and collects what is wrong.
type setter struct {
	g       *Game
	m       *vm.Machine
	s       *Setup
	reasons []string
	rules   []*model.Rule
}

func (t *setter) refuse(format string, args ...any) {
	t.reasons = append(t.reasons, fmt.Sprintf(format, args...))
}

// Setup is the position s describes, standing at the first node of the turn. The error is a *SetupError with every
// reason why it cannot be.
func (g *Game) Setup(s *Setup) (*Position, error) {
	p := &Position{game: g, m: vm.New(g.prog)}
	if err := p.setup(s); err != nil {
		return nil, err
	}
	return p, nil
}

// setup makes a fresh position the one s describes.
func (p *Position) setup(s *Setup) error {
	g := p.game
	t := &setter{g: g, m: p.m, s: s}
	if s.Players != 0 && s.Players != g.Players() {
		t.refuse("the position is for %d players, the game for %d", s.Players, g.Players())
	}
	st := p.m.State()
	turn := t.colour(s.Turn, "turn")
	if turn >= 0 {
		st[code.CellMe] = int16(g.SeatOf(turn))
		st[code.CellColour] = int16(turn)
	}
	t.pieces()
	if len(t.reasons) == 0 {
		t.variables()
		t.always()
	}
	if len(t.reasons) == 0 {
		t.endings()
	}
	if len(t.reasons) > 0 {
		return &SetupError{Reasons: t.reasons, Rules: t.rules}
	}
	p.begin()
	return nil
}

// begin goes on from a state at the beginning of a turn.
func (p *Position) begin() {
	if p.m.State()[code.CellOver] != 0 {
		p.m.Node = code.NodeOver
		return
	}
	p.after(p.m.Start(compile.EntryTurn))
}

// colour is the colour called name, None after a refusal.
func (t *setter) colour(name, where string) int {
	i := slices.IndexFunc(t.g.rules.Colours, func(c model.ColourInUse) bool { return c.Name == name })
	if i < 0 {
		if name == "" {
			t.refuse("%s: a colour is missing", where)
		} else {
			t.refuse("%s: %q does not play in this game (%s do)", where, name, strings.Join(t.colourNames(), ", "))
		}
	}
	return i
}

func (t *setter) colourNames() []string {
	var names []string
	for _, c := range t.g.rules.Colours {
		names = append(names, c.Name)
	}
	return names
}

// pieces puts the pieces where the setup says, in the order of arrival.
func (t *setter) pieces() {
	g, l := t.g, &t.g.prog.Layout
	places := make([]int, l.Pieces)
	for i := range places {
		places[i] = None
	}
	for _, name := range sortedKeys(t.s.Pieces) {
		colour := t.colour(name, "pieces")
		if colour < 0 {
			continue
		}
		list := t.s.Pieces[name]
		if len(list) != l.PerColour {
			t.refuse("pieces: %q has %d pieces, want %d", name, len(list), l.PerColour)
			continue
		}
		for i, square := range list {
			place, ok := g.rules.Board.Place(square)
			if !ok {
				t.refuse("pieces: %q stands on %q, which the board does not have", name, square)
				continue
			}
			piece := colour*l.PerColour + i
			if !g.rules.Board.Places[place].Zone && g.prog.Tables[l.NodeAt+colour*l.Places+place] < 0 {
				t.refuse("pieces: %q stands on %q, which is not on its track", name, square)
				continue
			}
			places[piece] = place
		}
	}
	for c, colour := range g.rules.Colours {
		if _, ok := t.s.Pieces[colour.Name]; !ok {
			t.refuse("pieces: %q is missing", g.ColourName(c))
		}
	}
	if len(t.reasons) > 0 {
		return
	}
	for _, piece := range t.arrivals(places) {
		t.m.Place(piece, places[piece])
	}
}

// arrivals orders the pieces as they arrived: in turn order of the colours, but where the setup says otherwise.
func (t *setter) arrivals(places []int) []int {
	l := &t.g.prog.Layout
	var order []int
	done := make([]bool, len(places))
	for _, square := range sortedKeys(t.s.Arrived) {
		place, ok := t.g.rules.Board.Place(square)
		if !ok {
			t.refuse("arrived: the board has no square %q", square)
			continue
		}
		for _, name := range t.s.Arrived[square] {
			colour := t.colour(name, "arrived")
			if colour < 0 {
				continue
			}
			found := false
			for i := range l.PerColour {
				if p := colour*l.PerColour + i; places[p] == place && !done[p] {
					done[p], found = true, true
					order = append(order, p)
					break
				}
			}
			if !found {
				t.refuse("arrived: no such piece of %q stands on %q", name, square)
			}
		}
	}
	for p := range places {
		if !done[p] {
			order = append(order, p)
		}
	}
	return order
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// variables sets the variables.
func (t *setter) variables() {
	for _, name := range sortedKeys(t.s.Vars) {
		found := false
		for _, v := range t.g.rules.Vars {
			if v.Name == name && v.Scope != model.ScopeTurn && v.Scope != model.ScopeGo {
				t.variable(v, t.s.Vars[name])
				found = true
			}
		}
		if !found {
			t.refuse("vars: there is no variable %q", name)
		}
	}
}

func (t *setter) variable(v *model.Var, value any) {
	if !v.Scope.Owned() {
		t.set(v, 0, value, v.Name)
		return
	}
	byOwner, ok := value.(map[string]any)
	if !ok {
		t.refuse("vars: %q is kept for each %s: write {\"colour\": value}", v.Name, model.ScopeNames[v.Scope])
		return
	}
	l := &t.g.prog.Layout
	for _, key := range sortedKeys(byOwner) {
		where := "vars: " + v.Name
		if v.Scope == model.ScopePiece {
			name, square, ok := strings.Cut(key, "@")
			if !ok {
				t.refuse("%s: %q is not a piece: write COLOUR@SQUARE", where, key)
				continue
			}
			colour := t.colour(name, where)
			place, known := t.g.rules.Board.Place(square)
			if colour < 0 || !known {
				if !known {
					t.refuse("%s: the board has no square %q", where, square)
				}
				continue
			}
			found := false
			for i := range l.PerColour {
				if p := colour*l.PerColour + i; int(t.m.State()[l.At+p]) == place {
					t.set(v, p, byOwner[key], where)
					found = true
				}
			}
			if !found {
				t.refuse("%s: no piece of %q stands on %q", where, name, square)
			}
			continue
		}
		colour := t.colour(key, where)
		if colour < 0 {
			continue
		}
		seat := t.g.SeatOf(colour)
		owner := colour
		switch v.Scope {
		case model.ScopePlayer:
			owner = seat
		case model.ScopeTeam:
			owner = t.g.rules.Seats[seat].Team
		}
		t.set(v, owner, byOwner[key], where)
	}
}

// set gives one variable a JSON value.
func (t *setter) set(v *model.Var, owner int, value any, where string) {
	if v.Type.List {
		list, ok := value.([]any)
		if !ok {
			t.refuse("%s: got %v, want a list", where, value)
			return
		}
		var values []int
		for _, x := range list {
			n, ok := t.scalar(v, x, where)
			if !ok {
				return
			}
			values = append(values, n)
		}
		t.g.setVar(t.m.State(), v, owner, values)
		return
	}
	if n, ok := t.scalar(v, value, where); ok {
		t.g.setVar(t.m.State(), v, owner, []int{n})
	}
}

// scalar reads one value of a variable's kind.
func (t *setter) scalar(v *model.Var, value any, where string) (int, bool) {
	switch v.Type.Kind {
	case model.Number:
		n, ok := value.(float64)
		if !ok || n != float64(int(n)) || int(n) < v.Low || int(n) > v.High {
			t.refuse("%s: got %v, want a number in %d..%d", where, value, v.Low, v.High)
			return 0, false
		}
		return int(n), true
	case model.Flag:
		b, ok := value.(bool)
		if !ok {
			t.refuse("%s: got %v, want true or false", where, value)
			return 0, false
		}
		if b {
			return 1, true
		}
		return 0, true
	}
	if value == nil {
		return None, true
	}
	name, ok := value.(string)
	if !ok {
		t.refuse("%s: got %v, want a name", where, value)
		return 0, false
	}
	switch v.Type.Kind {
	case model.Colour, model.Player, model.Team:
		c := t.colour(name, where)
		if c < 0 {
			return 0, false
		}
		switch v.Type.Kind {
		case model.Player:
			c = t.g.SeatOf(c)
		case model.Team:
			c = t.g.rules.Seats[t.g.SeatOf(c)].Team
		}
		return c, true
	case model.Place:
		p, ok := t.g.rules.Board.Place(name)
		if !ok {
			t.refuse("%s: the board has no place %q", where, name)
		}
		return p, ok
	case model.Piece:
		colour, square, _ := strings.Cut(name, "@")
		c := t.colour(colour, where)
		place, ok := t.g.rules.Board.Place(square)
		if c < 0 || !ok {
			t.refuse("%s: %q is not a piece: write COLOUR@SQUARE", where, name)
			return 0, false
		}
		l := &t.g.prog.Layout
		for i := range l.PerColour {
			if p := c*l.PerColour + i; int(t.m.State()[l.At+p]) == place {
				return p, true
			}
		}
		t.refuse("%s: no piece of %q stands on %q", where, colour, square)
	}
	return 0, false
}

// setVar writes a variable: one value, or the elements of a set.
func (g *Game) setVar(st []int16, v *model.Var, owner int, values []int) {
	s := g.unit.Vars[v.Index]
	if s.Words == 0 {
		st[s.Cell+owner] = int16(values[0])
		return
	}
	owners := g.owners(v.Scope)
	for w := range s.Words {
		st[s.Cell+w*owners+owner] = 0
	}
	for _, n := range values {
		bit := n - s.Low
		st[s.Cell+bit/16*owners+owner] |= int16(uint16(1) << (bit % 16))
	}
}

// getVar reads a variable: one value, or the elements of a set.
func (g *Game) getVar(st []int16, v *model.Var, owner int) []int {
	s := g.unit.Vars[v.Index]
	if s.Words == 0 {
		return []int{int(st[s.Cell+owner])}
	}
	owners := g.owners(v.Scope)
	out := []int{}
	for bit := range 16 * s.Words {
		if uint16(st[s.Cell+bit/16*owners+owner])>>(bit%16)&1 != 0 {
			out = append(out, bit+s.Low)
		}
	}
	return out
}

func (g *Game) owners(scope model.Scope) int {
	l := &g.prog.Layout
	switch scope {
	case model.ScopeTeam:
		return l.Teams
	case model.ScopePlayer:
		return l.Players
	case model.ScopeColour:
		return l.Colours
	case model.ScopePiece:
		return l.Pieces
	}
	return 1
}

// always refuses a position that an always clause excludes, naming the place where it can.
func (t *setter) always() {
	for _, a := range t.g.unit.Always {
		ok, fine := t.m.Eval(a.Entry)
		if fine && ok != 0 {
			continue
		}
		rule := a.Clause.Rule
		where := ""
		if a.Place >= 0 {
			if place, ok := t.m.Eval(a.Place); ok && place >= 0 {
				where = fmt.Sprintf(" on %q", t.g.PlaceName(place))
			}
		}
		t.rules = append(t.rules, rule)
		t.refuse("rule %s forbids this%s: %s", rule.Name, where, rule.Words)
	}
}

// endings derives who has finished, in the order of the ranking, and what has ended already.
func (t *setter) endings() {
	g, st := t.g, t.m.State()
	l := &g.prog.Layout
	ranked := func(seat int) bool {
		if g.unit.Ranked < 0 {
			return false
		}
		st[code.CellP0] = int16(seat)
		v, ok := t.m.Eval(g.unit.Ranked)
		return ok && v != 0
	}
	order := []int{}
	for _, name := range t.s.Ranking {
		c := t.colour(name, "ranking")
		if c < 0 {
			return
		}
		seat := g.SeatOf(c)
		if slices.Contains(order, seat) {
			t.refuse("ranking: %q is listed twice", name)
			return
		}
		if !ranked(seat) {
			t.refuse("ranking: %q has not finished", name)
			return
		}
		order = append(order, seat)
	}
	for seat := range g.Players() {
		if !slices.Contains(order, seat) && ranked(seat) {
			order = append(order, seat)
		}
	}
	for i, seat := range order {
		st[l.Status+seat], st[l.Rank+seat] = code.Ranked, int16(i+1)
	}
	st[code.CellRanked] = int16(len(order))
	st[code.CellP0] = 0
	if ok := t.m.Start(compile.EntryDerive); !ok {
		t.refuse("%v", t.g.ruleError(t.m))
		return
	}
	if seat := st[code.CellMe]; st[code.CellOver] == 0 && st[l.Status+int(seat)] != code.Playing {
		t.refuse("turn: %q has finished or is out of the game", t.s.Turn)
	}
}
