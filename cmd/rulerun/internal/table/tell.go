package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
)

// Teller puts into words what happens in a position. A line is what one throw led to: who threw what, then what was
// played and what came of it. It belongs to one goroutine.
type Teller struct {
	// Explain adds the rules that took effect to each line.
	Explain bool
	// Open tells hidden choices that are heard: those of a game that is over.
	Open bool
	// Note, where it is there, is told the moves that decide themselves, in the words of a record.
	Note func(string)
	// Keeps says whose decisions Last is about; nil is nobody.
	Keeps func(seat int) bool
	// Last is the last decision of such a seat that decided itself, nil if it chose since.
	Last *interpreter.Decision

	deedsOnly bool // tell acts and nothing else

	pos     *interpreter.Position
	game    *interpreter.Game
	head    string
	phrases []string
	rules   []string
	own     move   // the move whose setting down has been told with it
	deeds   []deed // since the last move
	moved   []int  // places where pieces were set down since the last Moved
	acting  *acting
	values  []interpreter.Value // what variables held when last looked at
	now     []interpreter.Value
	playing []bool
	done    []string // lines that are whole
}

// move is where a piece goes.
type move struct{ piece, from, to int }

// deed is an act that was told: where those it is done to are put belongs to it.
type deed struct {
	to []int // pieces
	at int   // its phrase
}

// acting is the act that was begun last: what variables hold then is its doing, up to the next thing that happens.
type acting struct {
	words string
	at    int // its phrase, -1 where it has not been told
}

// Follow makes the teller watch a position.
func (t *Teller) Follow(p *interpreter.Position) {
	t.pos, t.game = p, p.Game()
	t.playing = t.playing[:0]
	for seat := range t.game.Players() {
		t.playing = append(t.playing, p.Playing(seat))
	}
	t.own.piece, t.deeds = interpreter.None, nil
	t.acting, t.values = nil, p.Values(t.values[:0])
	p.Watch(t)
	p.Decisions(t.decided)
}

// Threw begins a line: a seat throws numbers.
func (t *Teller) Threw(seat int, numbers []int, chosen bool) {
	t.flush()
	verb := "throws"
	if chosen {
		verb = "chooses"
	}
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = fmt.Sprint(n)
	}
	t.head = fmt.Sprintf("%s %s %s", t.game.SeatName(seat), verb, join(words))
}

// Says begins a line of its own.
func (t *Teller) Says(head string) {
	t.flush()
	t.head = head
}

// Plays tells an option that a seat chose, in the words of a record.
func (t *Teller) Plays(seat int, o *interpreter.Option, words string, secret bool) {
	if t.keeps(seat) {
		t.Last = nil
	}
	words = arrows(words)
	switch {
	case secret:
		t.chooses(seat, "in secret")
	case o.Move == interpreter.None:
		t.chooses(seat, words)
	default:
		text := t.counting(o, words, false)
		if t.head == "" {
			t.Says(t.game.SeatName(seat) + " plays " + text)
		} else {
			t.phrase(text)
		}
		t.own, t.deeds = move{o.Piece, o.From, o.To}, nil
	}
}

// Lines are the lines told since the last call.
func (t *Teller) Lines() []string {
	t.flush()
	out := t.done
	t.done = nil
	return out
}

// chooses tells a choice that is no move: within the line of a throw, or on a line of its own.
func (t *Teller) chooses(seat int, what string) {
	text := t.game.SeatName(seat) + " chooses " + what
	if t.head == "" {
		t.Says(text)
		return
	}
	t.phrase(text)
}

// Moved are the squares where pieces were set down since the last call.
func (t *Teller) Moved() []int {
	out := slices.DeleteFunc(t.moved, func(p int) bool { return t.game.Rules().Board.Places[p].Zone })
	t.moved = nil
	return out
}

func (t *Teller) phrase(s string) {
	if t.head == "" {
		t.head = t.game.SeatName(t.pos.Turn())
	}
	t.phrases = append(t.phrases, s)
}

// settle tells what variables hold since the act that was begun last. An act that changes nothing that others can see, moves no
// piece and has no other consequence is not told.
func (t *Teller) settle() {
	if t.pos == nil {
		return
	}
	t.now = t.pos.Values(t.now[:0])
	var changes []string
	for i, v := range t.now {
		if i < len(t.values) && v.Text != t.values[i].Text {
			changes = append(changes, fmt.Sprintf("%s%s %s → %s", v.Of, v.Name, t.values[i].Text, v.Text))
		}
	}
	t.values, t.now = t.now, t.values
	if t.acting == nil || len(changes) == 0 {
		return
	}
	if n := len(changes); n > maxChanges {
		changes = append(changes[:maxChanges], fmt.Sprintf("and %d more", n-maxChanges))
	}
	if t.acting.at < 0 {
		t.phrase(t.acting.words)
		t.acting.at = len(t.phrases) - 1
	}
	t.phrases[t.acting.at] += ", " + strings.Join(changes, ", ")
}

// maxChanges is how many changes of one act are told.
const maxChanges = 6

func (t *Teller) flush() {
	t.settle()
	t.acting = nil
	if t.head == "" {
		return
	}
	line := t.head
	if len(t.phrases) > 0 {
		line += ": " + strings.Join(counted(t.phrases), "; ")
	}
	t.done = append(t.done, line)
	for _, r := range t.rules {
		t.done = append(t.done, "    "+r)
	}
	t.head, t.phrases, t.rules = "", nil, nil
	t.own.piece, t.deeds = interpreter.None, nil
}

// counted says once what is said several times in a row.
func counted(phrases []string) []string {
	var out []string
	for i := 0; i < len(phrases); {
		n := i
		for n < len(phrases) && phrases[n] == phrases[i] {
			n++
		}
		if text := phrases[i]; n-i > 1 {
			out = append(out, fmt.Sprintf("%s (%d times)", text, n-i))
		} else {
			out = append(out, text)
		}
		i = n
	}
	return out
}

// counting adds the number a move counts where that is not what was thrown.
func (t *Teller) counting(o *interpreter.Option, words string, earned bool) string {
	if strings.Contains(words, " counting ") || !earned && slices.Contains(t.pos.Numbers(), o.Steps) {
		return words
	}
	return fmt.Sprintf("%s counting %d", words, o.Steps)
}

func (t *Teller) keeps(seat int) bool { return t.Keeps != nil && t.Keeps(seat) }

// decided hears of decisions, before they are carried out.
func (t *Teller) decided(d *interpreter.Decision) {
	if t.keeps(d.Player) {
		t.Last = d
	}
	switch {
	case t.deedsOnly:
	case len(d.Options) == 0:
		t.phrase("no move")
	case d.Taken != interpreter.None:
		o := &d.Options[d.Taken]
		words := record.Name(t.pos, d.Player, d.Options)[d.Taken]
		if t.Note != nil {
			t.Note(words)
		}
		t.phrase(t.counting(o, arrows(words), d.Earned))
		t.own, t.deeds = move{o.Piece, o.From, o.To}, nil
	}
}

// Acted implements interpreter.Watcher.
func (t *Teller) Acted(a *model.Act, args []int) {
	t.settle()
	words := actWords(t.game, a, args)
	t.acting = &acting{words, -1}
	if !t.Explain && !t.shows(a) {
		return
	}
	var to []int
	for i, p := range a.Params {
		if p.Type == model.Of(model.Piece) {
			to = append(to, args[i])
		}
	}
	if len(to) > 1 {
		to = to[1:] // the first one does it
	}
	t.phrase(words)
	t.acting.at = len(t.phrases) - 1
	t.deeds = append(t.deeds, deed{to, len(t.phrases) - 1})
}

// shows reports whether an act does more than note something down: people need not hear of that.
func (t *Teller) shows(a *model.Act) bool {
	for _, r := range t.game.Rules().Rules {
		for _, x := range r.Clauses {
			if x.Event == model.EventAct && x.Act == a {
				return true
			}
		}
	}
	found := false
	a.Block.Walk(func(s *model.Stmt) {
		found = found || s.Kind != model.StmtAssign && s.Kind != model.StmtIf && s.Kind != model.StmtFor
	})
	return found
}

// Put implements interpreter.Watcher.
func (t *Teller) Put(piece, from, to int) {
	t.moved = append(t.moved, to)
	t.settle()
	if t.deedsOnly || from == to || (move{piece, from, to}) == t.own {
		return
	}
	way := fmt.Sprintf("%s → %s", t.game.PlaceName(from), t.game.PlaceName(to))
	for _, d := range slices.Backward(t.deeds) {
		if slices.Contains(d.to, piece) {
			t.phrases[d.at] += ", " + way
			return
		}
	}
	t.phrase(t.game.ColourName(t.game.ColourOf(piece)) + " " + way)
}

// Fired implements interpreter.Watcher.
func (t *Teller) Fired(x *model.Clause) {
	t.settle()
	t.acting = nil
	if t.deedsOnly {
		return
	}
	if x.Kind == model.ClauseOn || x.Kind == model.ClauseBefore {
		if telling(x.Block) {
			if s := lowerFirst(x.Rule.Words); !slices.Contains(t.phrases, s) {
				t.phrase(s)
			}
		}
	}
	if t.Explain {
		t.explain(x)
	}
}

// explain notes a clause that took effect: each rule once, with the places of all its clauses that did.
func (t *Teller) explain(x *model.Clause) {
	words, at := interpreter.RuleText(x), Where(x)
	for i, line := range t.rules {
		if strings.HasPrefix(line, words) {
			if !slices.Contains(strings.Fields(line), at) {
				t.rules[i] += " " + at
			}
			return
		}
	}
	t.rules = append(t.rules, strings.TrimSuffix(words+" "+at, " "))
}

// Ended tells who has left the game since the last call.
func (t *Teller) Ended() {
	ranked := t.pos.Setup().Ranking
	for seat := range t.game.Players() {
		if !t.playing[seat] || t.pos.Playing(seat) {
			continue
		}
		t.playing[seat] = false
		name := t.game.SeatName(seat)
		if i := slices.Index(ranked, name); i >= 0 {
			t.phrase(fmt.Sprintf("%s finishes %s", name, ordinal(i+1)))
		} else {
			t.phrase(name + " is out")
		}
	}
}

// telling reports whether a reaction does something nobody can see on the board.
func telling(b *model.Block) bool {
	found := false
	b.Walk(func(s *model.Stmt) {
		switch s.Kind {
		case model.StmtEarn, model.StmtAgain, model.StmtEndTurn, model.StmtUndo:
			found = true
		}
	})
	return found
}

// lowerFirst makes the first letter of a sentence small, unless the first word is a number or a name.
func lowerFirst(s string) string {
	r := []rune(s)
	if len(r) > 1 && 'A' <= r[0] && r[0] <= 'Z' && !('A' <= r[1] && r[1] <= 'Z') {
		r[0] += 'a' - 'A'
	}
	return string(r)
}

// ResultLines say how a game ended, and what was hidden up to then.
func ResultLines(p *interpreter.Position) []string {
	g, r := p.Game(), p.Result()
	name := func(seats []int) []string {
		var out []string
		for _, s := range seats {
			out = append(out, g.SeatName(s))
		}
		return out
	}
	line := "The game is over"
	switch len(r.Winners) {
	case 0:
		line += ": a draw, as no side has won."
	case 1:
		line += ": " + g.SeatName(r.Winners[0]) + " wins."
	default:
		line += ": " + join(name(r.Winners)) + " win."
	}
	lines := []string{line}
	if p.Ranked() > 0 && len(r.Ranking) > 1 {
		var places []string
		for _, seat := range r.Ranking {
			places = append(places, fmt.Sprintf("%d %s", p.Place(seat), g.SeatName(seat)))
		}
		lines = append(lines, "Ranking: "+strings.Join(places, ", "))
	}
	return append(lines, secretLines(p)...)
}

// secretLines are the hidden choices of a game that is over.
func secretLines(p *interpreter.Position) []string {
	if p.Kind() != interpreter.Over {
		return nil
	}
	var lines []string
	kept := p.Vars()
	for _, v := range p.Game().Rules().Vars {
		owners, ok := kept[v.Name].(map[string]any)
		if !v.Secret || !ok {
			continue
		}
		var parts []string
		for _, name := range ownerNames(p.Game(), v.Scope) {
			if x, ok := owners[name]; ok {
				parts = append(parts, name+" "+plainValue(x))
			}
		}
		lines = append(lines, fmt.Sprintf("Hidden until now, %s: %s", strings.ReplaceAll(v.Name, "_", " "), strings.Join(parts, ", ")))
	}
	return lines
}

// Hear tells an event that is about to be carried out.
func (t *Teller) Hear(p *interpreter.Position, e record.Event) {
	switch e.Kind {
	case record.Throw:
		if p.Kind() != interpreter.Throw {
			return
		}
		var numbers []int
		for _, n := range e.Numbers {
			numbers = append(numbers, n.Value)
		}
		t.Threw(p.Player(), numbers, p.ChosenNumber())
	case record.Lot:
		t.Says("The lot falls on " + e.Seat)
	case record.Play, record.Choice:
		words := record.Words(p)
		if i := slices.Index(words, e.Words); i >= 0 {
			t.Plays(p.Player(), &p.Options()[i], e.Words, p.Secret() && !t.Open)
		}
	}
}
