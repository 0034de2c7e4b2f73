package interpreter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Failure is an expectation of a scenario that does not hold, or a line that could not be executed.
type Failure struct {
	Span    source.Span
	Message string
	// Remarks give details: what was offered, which rules refuse the expected move, the values of the parts of a
	// condition.
	Remarks []Remark
	// Moot marks a move that should be refused and of which no rule speaks, such as one of a piece that is not there: Moot says why.
	Moot string
	// Position is the position at that time, nil if the position itself was refused. It belongs to the failure.
	Position *Position
}

// Remark is a note on a failure. Span is the clause it quotes, the part of a condition it is about, or zero.
type Remark struct {
	Span    source.Span
	Message string
}

// Error is the failure on one line, with its place where it has one.
func (f Failure) Error() string { return f.Span.Say(f.Message) }

// remark adds a remark, once.
func (f *Failure) remark(span source.Span, format string, args ...any) {
	n := Remark{Span: span, Message: fmt.Sprintf(format, args...)}
	if !slices.Contains(f.Remarks, n) {
		f.Remarks = append(f.Remarks, n)
	}
}

// why remarks why a move is not offered, or was not at an earlier decision.
func (f *Failure) why(p *Position, refusals []Refusal, t *model.TestOption) {
	g := p.game
	if len(refusals) == 0 || p.oneOfAlike(t) != nil {
		f.remark(source.Span{}, "%s", g.unspoken(p, t))
		return
	}
	for _, r := range g.RefusalRemarks(refusals) {
		f.remark(r.Span, "%s", r.Message)
	}
}

// chosen remarks what happened instead of an option at an automatic decision.
func (f *Failure) chosen(d *Decision, t *model.TestOption) {
	player := "the player"
	if d.Player != None {
		player = d.game.SeatName(d.Player)
	}
	if d.Taken != None {
		f.remark(source.Span{}, "the only option of %s was taken: %s", player, d.names()[d.Taken])
	} else {
		f.remark(source.Span{}, "nothing was offered to %s", player)
	}
	if !d.asks() {
		f.why(d.position(), d.position().refusalsOf(d.refusals(), t), t)
	}
}

// unspoken says why no rule permits or refuses a move.
func (g *Game) unspoken(p *Position, t *model.TestOption) string {
	text := g.testText(t)
	if t.Arrow() {
		text = g.spotText(t.From) + " → " + g.spotText(t.To)
	}
	if first := p.oneOfAlike(t); first != nil {
		return g.alikeText(t, first)
	}
	plain := t.Plain()
	apart := strings.TrimPrefix(g.testText(t), g.testText(&plain))
	switch {
	case apart == "":
	case len(p.meant(&plain)) > 0:
		return g.testText(&plain) + " is offered, but not" + apart
	case len(p.refusalsOf(p.refusals(), &plain)) > 0:
		return g.testText(&plain) + " is refused, but not" + apart
	}
	pieces := []model.TestArg{}
	if t.Arrow() {
		pieces = append(pieces, model.TestArg{Piece: true, Colour: t.Colour, Spot: t.From})
	}
	for _, arg := range append(pieces, t.Args...) {
		if arg.Piece && len(seq.Which(g.prog.Layout.Pieces, func(q int) bool { return p.isArg(&arg, q) })) == 0 {
			of := ""
			if arg.Colour >= 0 {
				of = " of " + g.ColourName(arg.Colour)
			}
			return fmt.Sprintf("%s: no piece%s stands on %s", text, of, g.spotText(arg.Spot))
		}
	}
	switch out := p.leftOut(t); {
	case out != nil:
		return text + ": " + out.why
	case t.Arrow():
		return text + ": no move leads there with this number"
	}
	return text + ": no rule offers it here"
}

// another remarks that an option is that of another piece, which is like the one that a test names by its number.
func (f *Failure) another(p *Position, t *model.TestOption) {
	if first := p.oneOfAlike(t); first != nil {
		f.remark(source.Span{}, "%s", p.game.alikeText(t, first))
	}
}

// alikeText says which option to write for one of pieces that are alike.
func (g *Game) alikeText(t, first *model.TestOption) string {
	return g.testText(t) + ": pieces that are alike have one option; write " + g.testText(first)
}

// oneOfAlike is the option of a test without the numbers of pieces that are like the first one there, if it is offered then, otherwise nil.
func (p *Position) oneOfAlike(t *model.TestOption) *model.TestOption {
	first, found := *t, false
	first.Args, first.Words = slices.Clone(t.Args), slices.Clone(t.Words)
	without := func(s *model.Spot, colour int) {
		if s.Ordinal > 1 && p.likeFirst(*s, colour) {
			s.Ordinal, found = 0, true
		}
	}
	without(&first.From, t.Colour)
	for i := range first.Args {
		without(&first.Args[i].Spot, first.Args[i].Colour)
	}
	for i, w := range first.Words {
		if s := p.game.readSpot(w); s.Ordinal > 1 {
			without(&s, -1)
			first.Words[i] = p.game.spotText(s)
		}
	}
	if found && len(p.meant(&first)) > 0 {
		return &first
	}
	return nil
}

// likeFirst reports whether a piece named by its number on a place is like the first of its colour there: no variable tells them apart.
func (p *Position) likeFirst(s model.Spot, colour int) bool {
	g, st, first := p.game, p.m.State(), map[int]int{}
	for q, at := range p.Places(nil) {
		c := p.ColourOf(q)
		if at != s.Place || colour >= 0 && c != colour {
			continue
		}
		one, ok := first[c]
		if !ok {
			first[c] = q
		}
		differs := func(v *model.Var) bool {
			return v.Scope == model.ScopePiece && !slices.Equal(g.getVar(st, v, q), g.getVar(st, v, one))
		}
		if p.ordinal(q) == s.Ordinal && p.where(q) == p.where(one) && !slices.ContainsFunc(g.rules.Vars, differs) {
			return true
		}
	}
	return false
}

// testText is an option as a test writes it, with the cells of its row.
func (g *Game) testText(t *model.TestOption) string {
	text := strings.Join(t.Words, " ")
	switch {
	case t.Arrow():
		text = g.spotText(t.From) + " -> " + g.spotText(t.To)
		if t.Colour >= 0 {
			text = g.ColourName(t.Colour) + " " + text
		}
	case len(t.Words) == 0:
		text = t.Move.Name + g.argsText(t)
	}
	if t.Counting {
		text += " counting " + strconv.Itoa(t.Steps)
	}
	if t.Via >= 0 {
		text += " via " + g.PlaceName(t.Via)
	}
	if t.Move != nil && (t.Arrow() || len(t.Words) > 0) {
		text += " by " + t.Move.Name
		if t.Called {
			text += g.argsText(t)
		}
	}
	return text
}

// argsText are the parameters that a test names, in brackets: without any, nothing.
func (g *Game) argsText(t *model.TestOption) string {
	if len(t.Args) == 0 {
		return ""
	}
	words := make([]string, len(t.Args))
	for i, a := range t.Args {
		switch {
		case !a.Piece:
			words[i] = namer{g, nil, names{g}, false}.valueText(t.Move.Params[len(t.Move.Params)-len(t.Args)+i].Type.Kind, a.Value)
		case a.Colour >= 0:
			words[i] = g.ColourName(a.Colour) + " " + g.spotText(a.Spot)
		default:
			words[i] = g.spotText(a.Spot)
		}
	}
	return "(" + strings.Join(words, ", ") + ")"
}
