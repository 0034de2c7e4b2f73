package interpreter

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Setup is a position at the beginning of a turn, as JSON. It is raw: Game.Setup validates it.
type Setup struct {
	Ruleset string         `json:"ruleset,omitempty"`
	Options map[string]any `json:"options,omitempty"`
	Players int            `json:"players,omitempty"`
	Turn    string         `json:"turn"`
	// Pieces are the places of each colour's pieces: "39", "39/2" on the second passage of the track there, "39/0"
	// for a piece off its track.
	Pieces map[string][]string `json:"pieces"`
	// Numbers are the numbers of each colour's pieces where pieces change hands, if these are not the usual ones: those a colour
	// began with, then those that others lack. They decide the order of lists of pieces.
	Numbers map[string][]int `json:"numbers,omitempty"`
	// Arrived lists for a place the colours of its pieces in order of arrival. "red#2" is the second of the red
	// pieces that Pieces lists there.
	Arrived map[string][]string `json:"arrived,omitempty"`
	// Ranking and Dropped are the players who have finished, first to last, and the dropped ones.
	Ranking []string `json:"ranking,omitempty"`
	Dropped []string `json:"dropped,omitempty"`
	// Dice are the last numbers of dice, if the rules read one before it is thrown again.
	Dice map[string]int `json:"dice,omitempty"`
	// Decks are the cards left in decks that are not full: the number of each value.
	Decks map[string]map[string]int `json:"decks,omitempty"`
	// Vars are the variables. The key for a variable of pieces is COLOUR@PLACE, for all pieces of the colour there,
	// or COLOUR@PLACE#2 for the second of them.
	Vars map[string]any `json:"vars,omitempty"`
}

// OptionTexts are the options in the format of a setting.
func (s *Setup) OptionTexts() map[string]string {
	out := map[string]string{}
	for name, v := range s.Options {
		out[name] = plainText(v)
	}
	return out
}

func plainText(v any) string {
	if n, ok := v.(float64); ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// SetupError lists all faults of a position.
type SetupError struct {
	Reasons []string
	Rules   []*model.Rule // those that forbid the position

	faults []error // the reasons
}

// Error is the reasons, one after the other.
func (e *SetupError) Error() string { return strings.Join(e.Reasons, "; ") }

// Worded is the reasons as a function says them: each is a catalogue.Sentence, or a *RuleError.
func (e *SetupError) Worded(say func(error) string) string {
	return strings.Join(seq.Map(e.faults, say), "; ")
}

// setter fills a state from a setup and collects faults.
type setter struct {
	g      *Game
	m      *vm.Machine
	s      *Setup
	faults []error
	rules  []*model.Rule
}

// refuse adds a reason: a sentence that the command has in other languages by its key.
func (t *setter) refuse(key, text string, args ...any) {
	t.faults = append(t.faults, catalogue.Sentence{Key: "position." + key, Text: text, Args: args})
}

// Setup returns the position that s describes, at the first node of the turn, or at Over if it has ended. The error
// is a *SetupError with all reasons why it is not possible.
func (g *Game) Setup(s *Setup) (*Position, error) {
	p := g.empty()
	if err := p.setup(s); err != nil {
		return nil, err
	}
	return p, nil
}

// empty is a position without a state yet.
func (g *Game) empty() *Position { return &Position{game: g, m: vm.New(g.prog)} }

// setup makes the position that s describes.
func (p *Position) setup(s *Setup) error {
	t := &setter{g: p.game, m: p.m, s: s}
	if t.state(); len(t.faults) == 0 {
		t.always()
	}
	if len(t.faults) == 0 {
		t.endings()
	}
	if len(t.faults) > 0 {
		return &SetupError{Reasons: seq.Map(t.faults, error.Error), Rules: t.rules, faults: t.faults}
	}
	p.begin()
	return nil
}

// state fills the state.
func (t *setter) state() {
	g, s, st := t.g, t.s, t.m.State()
	if s.Players != 0 && s.Players != g.Players() {
		t.refuse("players", "the position is for {{.n}} players, the game for {{.want}}", "n", s.Players, "want", g.Players())
	}
	if turn := t.colour(s.Turn, "turn"); turn >= 0 {
		st[code.CellMe] = int16(g.SeatOf(turn))
		if g.rules.TurnsByColour {
			st[code.CellColour] = int16(turn)
		}
	}
	t.pieces()
	if len(t.faults) == 0 {
		t.dice()
		t.variables()
	}
}

// begin continues from a state at the beginning of a turn.
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
			t.refuse("colour_missing", "{{.where}}: a colour is missing", "where", where)
		} else {
			t.refuse("no_colour", "{{.where}}: {{.name}} does not play in this game ({{.names}} do)", "where", where, "name", strconv.Quote(name), "names", strings.Join(seq.Map(t.g.rules.Colours, func(c model.ColourInUse) string { return c.Name }), ", "))
		}
	}
	return i
}

// pieces places the pieces of the setup, in order of arrival.
func (t *setter) pieces() {
	g, l := t.g, &t.g.prog.Layout
	places, nodes := slices.Repeat([]int{None}, l.Pieces), make([]int, l.Pieces)
	numbers := t.numbers()
	for _, name := range slices.Sorted(maps.Keys(t.s.Pieces)) {
		colour := t.colour(name, "pieces")
		if colour < 0 || numbers == nil {
			continue
		}
		list := t.s.Pieces[name]
		if len(list) != len(numbers[colour]) {
			t.refuse("pieces_of", "pieces: {{.name}} has {{.got}} pieces, want {{.want}}", "name", strconv.Quote(name), "got", len(list), "want", len(numbers[colour]))
			continue
		}
		for i, square := range list {
			spot, passage, ordinal, fine := model.ReadSpot(square)
			place, ok := g.rules.Board.Place(spot)
			if !ok || !fine || ordinal > 0 {
				t.refuse("off_board", "pieces: {{.name}} stands on {{.square}}, which the board does not have", "name", strconv.Quote(name), "square", strconv.Quote(square))
				continue
			}
			piece := numbers[colour][i]
			node, ok := g.node(colour, place, passage)
			switch {
			case !ok && passage > 1:
				t.refuse("passage", "pieces: {{.name}} stands on {{.square}}, but its track does not come to {{.spot}} so often", "name", strconv.Quote(name), "square", strconv.Quote(square), "spot", strconv.Quote(spot))
				continue
			case !ok:
				t.refuse("off_track", "pieces: {{.name}} stands on {{.square}}, which is not on its track", "name", strconv.Quote(name), "square", strconv.Quote(square))
				continue
			}
			places[piece], nodes[piece] = place, node
			if l.Owner >= 0 {
				t.m.State()[l.Owner+piece] = int16(colour)
			}
		}
	}
	for c, colour := range g.rules.Colours {
		if _, ok := t.s.Pieces[colour.Name]; !ok {
			t.refuse("pieces_missing", "pieces: {{.name}} is missing", "name", strconv.Quote(g.ColourName(c)))
		}
	}
	if len(t.faults) > 0 {
		return
	}
	for _, piece := range t.arrivals(places) {
		t.m.PlaceAt(piece, places[piece], nodes[piece])
	}
}

// numbers are the numbers of each colour's pieces, nil after a refusal.
func (t *setter) numbers() [][]int {
	g := t.g
	counts, all := make([]int, len(g.rules.Colours)), 0
	for c := range counts {
		counts[c] = g.rules.PieceCount
		if list, ok := t.s.Pieces[g.ColourName(c)]; ok && g.rules.Owner != nil {
			counts[c] = len(list)
		}
		all += counts[c]
	}
	if all != g.prog.Layout.Pieces {
		t.refuse("pieces_in_all", "pieces: there are {{.got}} in all, want {{.want}}", "got", all, "want", g.prog.Layout.Pieces)
		return nil
	}
	out := g.numbers(counts)
	seen := map[int]bool{}
	for c := range counts {
		if list, ok := t.s.Numbers[g.ColourName(c)]; ok && g.rules.Owner != nil {
			out[c] = slices.Sorted(slices.Values(list))
		}
		for _, n := range out[c] {
			if seen[n] || n < 0 || n >= all {
				t.refuse("numbers", "numbers: each of 0..{{.most}} stands once", "most", all-1)
				return nil
			}
			seen[n] = true
		}
	}
	return out
}

// arrivals sorts the pieces by arrival: by their numbers, and so by colour in turn order, unless the setup gives
// another order. A colour without an ordinal means the first of its pieces that is not in the list yet.
func (t *setter) arrivals(places []int) []int {
	var order []int
	done := make([]bool, len(places))
	for _, square := range slices.Sorted(maps.Keys(t.s.Arrived)) {
		place, ok := t.g.rules.Board.Place(square)
		if !ok {
			t.refuse("no_square", "{{.where}}: the board has no square {{.square}}", "where", "arrived", "square", strconv.Quote(square))
			continue
		}
		for _, text := range t.s.Arrived[square] {
			name, _, ordinal, fine := model.ReadSpot(text)
			colour := t.colour(name, "arrived")
			if colour < 0 {
				continue
			}
			found, n := false, 0
			for _, p := range t.g.piecesIn(t.m.State(), colour) {
				if places[p] != place {
					continue
				}
				if n++; !done[p] && (ordinal == 0 || n == ordinal) {
					done[p], found = true, true
					order = append(order, p)
					break
				}
			}
			if !found || !fine {
				t.refuse("arrived", "arrived: no such piece of {{.name}} stands on {{.square}}", "name", strconv.Quote(text), "square", strconv.Quote(square))
			}
		}
	}
	return append(order, seq.Indexes(done, func(done bool) bool { return !done })...)
}

// variables sets the variables.
func (t *setter) variables() {
	for _, name := range slices.Sorted(maps.Keys(t.s.Vars)) {
		found := false
		for _, v := range t.g.rules.Vars {
			if (v.Name == name || t.g.varKey(v) == name) && t.g.outlasts(v) {
				t.variable(v, t.s.Vars[name])
				found = true
			}
		}
		if !found {
			t.refuse("no_variable", "vars: there is no variable {{.name}}", "name", strconv.Quote(name))
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
		t.refuse("owned", `vars: {{.name}} is kept for each {{.scope}}: write {"colour": value}`, "name", strconv.Quote(v.Name), "scope", model.ScopeNames[v.Scope])
		return
	}
	keys := slices.Sorted(maps.Keys(byOwner))
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(particular(a), particular(b)) })
	for _, key := range keys {
		where := "vars: " + v.Name
		if v.Scope == model.ScopePiece {
			for _, p := range t.piecesNamed(key, where) {
				t.set(v, p, byOwner[key], where)
			}
		} else if colour := t.colour(key, where); colour >= 0 {
			t.set(v, t.g.holder(v.Scope.Owner(), colour), byOwner[key], where)
		}
	}
}

// particular ranks keys of pieces by precision: the most precise one wins.
func particular(name string) int {
	n := strings.Count(name, "/")
	return n + 2*strings.Count(name, "#")
}

// piecesNamed lists the pieces called COLOUR@PLACE, COLOUR@PLACE/PASSAGE or COLOUR@PLACE#ORDINAL, by their numbers;
// none after a refusal.
func (t *setter) piecesNamed(text, where string) []int {
	name, spot, ok := strings.Cut(text, "@")
	square, passage, ordinal, fine := model.ReadSpot(spot)
	place, known := t.g.rules.Board.Place(square)
	colour := None
	if ok {
		colour = t.colour(name, where)
	}
	switch {
	case ok && !known:
		t.refuse("no_square", "{{.where}}: the board has no square {{.square}}", "where", where, "square", strconv.Quote(square))
		return nil
	case !ok || colour >= 0 && !fine:
		t.refuse("piece_form", "{{.where}}: {{.name}} is not a piece: write COLOUR@SQUARE", "where", where, "name", strconv.Quote(text))
		return nil
	case colour < 0:
		return nil
	}
	var out []int
	l, st, n := &t.g.prog.Layout, t.m.State(), 0
	for _, p := range t.g.piecesIn(st, colour) {
		if int(st[l.At+p]) != place {
			continue
		}
		if n++; (ordinal == 0 || n == ordinal) && (passage == model.AnyPassage || t.g.passage(colour, int(st[l.Node+p])) == passage) {
			out = append(out, p)
		}
	}
	if len(out) == 0 {
		t.refuse("no_piece", "{{.where}}: no piece of {{.name}} stands on {{.square}}", "where", where, "name", strconv.Quote(name), "square", strconv.Quote(spot))
	}
	return out
}

// set assigns a JSON value to a variable.
func (t *setter) set(v *model.Var, owner int, value any, where string) {
	if v.Type.List {
		list, ok := value.([]any)
		if !ok {
			t.refuse("want_list", "{{.where}}: got {{.got}}, want a list", "where", where, "got", value)
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
		switch {
		case v.Bag && len(values) > model.MaxCopies:
			t.refuse("bag", "{{.where}}: a bag begins with at most {{.most}} numbers", "where", where, "most", model.MaxCopies)
		case v.Queue && len(values) > code.MaxQueue:
			t.refuse("queue", "{{.where}}: at most {{.most}} numbers wait", "where", where, "most", code.MaxQueue)
		default:
			t.g.setVar(t.m.State(), v, owner, values)
		}
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
			t.refuse("want_number", "{{.where}}: got {{.got}}, want a number in {{.low}}..{{.high}}", "where", where, "got", value, "low", v.Low, "high", v.High)
			return 0, false
		}
		return int(n), true
	case model.Flag:
		b, ok := value.(bool)
		if !ok {
			t.refuse("want_flag", "{{.where}}: got {{.got}}, want true or false", "where", where, "got", value)
		}
		return code.Truth(b), ok
	}
	if value == nil {
		return None, true
	}
	name, ok := value.(string)
	if !ok {
		t.refuse("want_name", "{{.where}}: got {{.got}}, want a name", "where", where, "got", value)
		return 0, false
	}
	switch v.Type.Kind {
	case model.Colour, model.Player, model.Team:
		c := t.colour(name, where)
		if c < 0 {
			return 0, false
		}
		return t.g.holder(v.Type.Kind, c), true
	case model.Place:
		p, ok := t.g.rules.Board.Place(name)
		if !ok {
			t.refuse("no_place", "{{.where}}: the board has no place {{.place}}", "where", where, "place", strconv.Quote(name))
		}
		return p, ok
	case model.Piece:
		if list := t.piecesNamed(name, where); len(list) > 0 {
			return list[0], true
		}
	}
	return 0, false
}

// holder is the player or team that has a colour, and for other kinds the colour itself.
func (g *Game) holder(kind model.Kind, colour int) int {
	switch kind {
	case model.Player:
		return g.SeatOf(colour)
	case model.Team:
		return g.rules.Seats[g.SeatOf(colour)].Team
	}
	return colour
}

// setVar writes a variable: one value, or the elements of a set or bag.
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
		s.Put(st[s.Cell+owner:], owners, n)
	}
}

// getVar reads a variable: one value, or the elements of a set or bag.
func (g *Game) getVar(st []int16, v *model.Var, owner int) []int {
	s := g.unit.Vars[v.Index]
	if s.Words == 0 {
		return []int{int(st[s.Cell+owner])}
	}
	return s.Numbers(st[s.Cell+owner:], g.owners(v.Scope))
}

// owners is how many owners a variable of a scope has.
func (g *Game) owners(scope model.Scope) int {
	if !scope.Owned() {
		return 1
	}
	return g.values(scope.Owner())
}

// always refuses a position that violates an always clause, and names the place if possible.
func (t *setter) always() {
	for _, a := range t.g.unit.Always {
		ok, fine := t.m.Eval(a.Entry)
		if fine && ok != 0 {
			continue
		}
		rule := a.Clause.Rule
		t.rules = append(t.rules, rule)
		if a.Place >= 0 {
			if place, ok := t.m.Eval(a.Place); ok && place >= 0 {
				t.refuse("rule_on", "rule {{.rule}} forbids this on {{.place}}: {{.words}}", "rule", rule.Name, "place", strconv.Quote(t.g.PlaceName(place)), "words", rule.Words)
				continue
			}
		}
		t.refuse("rule", "rule {{.rule}} forbids this: {{.words}}", "rule", rule.Name, "words", rule.Words)
	}
}

// dice sets the last numbers of dice, and the rest of decks.
func (t *setter) dice() {
	g, st := t.g, t.m.State()
	for _, name := range slices.Sorted(maps.Keys(t.s.Dice)) {
		i := slices.IndexFunc(g.prog.Dice, func(d code.Die) bool { return d.Name == name })
		n := t.s.Dice[name]
		switch {
		case i < 0:
			t.refuse("no_die", "dice: there is no die {{.name}}", "name", strconv.Quote(name))
		case g.prog.Dice[i].Choice && n != int(int16(n)), !g.prog.Dice[i].Choice && !slices.Contains(g.prog.Dice[i].Values, n):
			t.refuse("die", "dice: {{.name}} cannot give {{.number}}", "name", name, "number", n)
		default:
			st[g.prog.Layout.Dice+i] = int16(n)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.s.Decks)) {
		i := slices.IndexFunc(g.prog.Dice, func(d code.Die) bool { return d.Name == name && d.Deck >= 0 })
		if i < 0 {
			t.refuse("no_deck", "decks: there is no deck {{.name}}", "name", strconv.Quote(name))
			continue
		}
		d := &g.prog.Dice[i]
		clear(st[d.Deck : d.Deck+len(d.Values)])
		for _, card := range slices.Sorted(maps.Keys(t.s.Decks[name])) {
			j := slices.IndexFunc(d.Values, func(v int) bool { return strconv.Itoa(v) == card })
			switch n := t.s.Decks[name][card]; {
			case j < 0:
				t.refuse("no_card", "decks: {{.name}} has no card {{.card}}", "name", name, "card", strconv.Quote(card))
			case n < 0 || n > d.Weights[j]:
				t.refuse("cards", "decks: got {{.got}} cards {{.card}} of {{.name}}, want 0 to {{.most}}", "got", n, "card", card, "name", name, "most", d.Weights[j])
			default:
				st[d.Deck+j] = int16(n)
			}
		}
	}
}

// seats parses a list of players without duplicates.
func (t *setter) seats(list []string, where string) []int {
	var out []int
	for _, name := range list {
		c := t.colour(name, where)
		if c < 0 {
			continue
		}
		if slices.Contains(out, t.g.SeatOf(c)) {
			t.refuse("twice", "{{.where}}: {{.name}} is listed twice", "where", where, "name", strconv.Quote(name))
			continue
		}
		out = append(out, t.g.SeatOf(c))
	}
	return out
}

// endings derives the finished players, in the order of the ranking, and the endings that apply already. Who is listed keeps its place,
// whatever has become of its pieces since.
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
	order, dropped := t.seats(t.s.Ranking, "ranking"), t.seats(t.s.Dropped, "dropped")
	for _, seat := range seq.Filter(order, func(seat int) bool { return slices.Contains(dropped, seat) }) {
		t.refuse("dropped", "dropped: {{.name}} is in the ranking", "name", strconv.Quote(g.SeatName(seat)))
	}
	if len(t.faults) > 0 {
		return
	}
	for _, seat := range dropped {
		st[l.Status+seat] = code.Dropped
	}
	for seat := range g.Players() {
		if !slices.Contains(order, seat) && !slices.Contains(dropped, seat) && ranked(seat) {
			order = append(order, seat)
		}
	}
	for i, seat := range order {
		st[l.Status+seat], st[l.Rank+seat] = code.Ranked, int16(i+1)
	}
	st[code.CellRanked] = int16(len(order))
	st[code.CellP0] = 0
	if ok := t.m.Start(compile.EntryDerive); !ok {
		t.faults = append(t.faults, t.g.ruleError(t.m))
		return
	}
	if seat := st[code.CellMe]; st[code.CellOver] == 0 && st[l.Status+int(seat)] != code.Playing {
		t.refuse("turn", "turn: {{.name}} has finished or is out of the game", "name", strconv.Quote(t.s.Turn))
	}
}
