package interpreter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
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
	for _, r := range g.RefusalRemarks(refusals) {
		f.remark(r.Span, "%s", r.Message)
	}
	if len(refusals) == 0 {
		f.remark(source.Span{}, "%s", g.unspoken(p, t))
	}
}

// chosen remarks what happened to a move at an automatic decision.
func (f *Failure) chosen(d *Decision, t *model.TestOption) {
	switch {
	case d.Taken != None && d.fits(d.Taken, t):
		f.remark(source.Span{}, "%s was the only option and was taken automatically: leave this line out", d.game.testText(t))
		return
	case d.Taken != None:
		f.remark(source.Span{}, "the only option was taken: %s", d.names()[d.Taken])
	default:
		f.remark(source.Span{}, "nothing was offered")
	}
	f.why(d.position(), d.position().refusalsOf(d.refusals(), t), t)
}

// unspoken says why no rule permits or refuses a move.
func (g *Game) unspoken(p *Position, t *model.TestOption) string {
	if !t.Arrow() {
		return g.testText(t) + ": no rule offers it here"
	}
	there := false
	for piece, at := range p.Places(nil) {
		there = there || at == t.From.Place && (t.Colour < 0 || p.ColourOf(piece) == t.Colour)
	}
	why := "no piece stands on " + g.PlaceName(t.From.Place)
	switch {
	case g.oneOfAlike(p, t):
		first := *t
		first.From.Ordinal = 0
		return g.testText(t) + ": pieces that are alike have one option; write " + g.testText(&first)
	case there:
		why = "no move leads there with this number"
	case t.Colour >= 0:
		why = fmt.Sprintf("no piece of %s stands on %s", g.ColourName(t.Colour), g.PlaceName(t.From.Place))
	}
	return fmt.Sprintf("%s → %s: %s", g.spotText(t.From), g.spotText(t.To), why)
}

// oneOfAlike reports whether a test names a piece by its number on a place, and the option is that of another one there.
func (g *Game) oneOfAlike(p *Position, t *model.TestOption) bool {
	first := *t
	first.From.Ordinal = 0
	for i := range p.m.Options() {
		o := g.option(p.m, &p.m.Options()[i])
		if t.From.Ordinal > 1 && p.fits(o, &first, g.way(nil, p.m, &p.m.Options()[i])) {
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
