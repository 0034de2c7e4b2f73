package interpreter

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// Failure is an expectation of a scenario that does not hold, or a line that could not be carried out.
type Failure struct {
	Span    source.Span
	Message string
	// Remarks say more: what was offered, which rules refuse the move that was expected, what the parts of a condition are.
	Remarks []Remark
	// Position is where the game stood, nil where the position itself was refused. It belongs to the failure.
	Position *Position
}

// Remark is a note on a failure. Span is the clause it quotes, the part of a condition it speaks of, or zero.
type Remark struct {
	Span    source.Span
	Message string
}

// Error is the failure on one line, with its place where it has one.
func (f Failure) Error() string {
	if f.Span.IsZero() {
		return f.Message
	}
	at := f.Span.Position()
	return fmt.Sprintf("%s:%d:%d: %s", f.Span.Name(), at.Line, at.Column, f.Message)
}

// remark adds a remark, once.
func (f *Failure) remark(span source.Span, format string, args ...any) {
	n := Remark{Span: span, Message: fmt.Sprintf(format, args...)}
	if !slices.Contains(f.Remarks, n) {
		f.Remarks = append(f.Remarks, n)
	}
}

// why remarks why a move is not offered, or was not at an earlier decision.
func (f *Failure) why(p *Position, refusals []Refusal, m model.TestMove) {
	g := p.game
	for _, r := range g.RefusalRemarks(refusals) {
		f.remark(r.Span, "%s", r.Message)
	}
	if len(refusals) == 0 {
		f.remark(source.Span{}, "%s → %s: %s", g.spotText(m.From), g.spotText(m.To), g.unspoken(p, m))
	}
}

// chosen remarks what became of a move where no player was asked.
func (f *Failure) chosen(d *Decision, m model.TestMove) {
	switch {
	case d.Taken != None && d.position().fits(d.Options[d.Taken], m):
		f.remark(source.Span{}, "%s was the one option and has been taken already: leave this line out", d.game.moveText(m))
		return
	case d.Taken != None:
		f.remark(source.Span{}, "the one option was taken: %s", d.game.OptionText(d.Options[d.Taken]))
	default:
		f.remark(source.Span{}, "nothing was offered")
	}
	f.why(d.position(), d.position().refusalsOf(d.Explain(), m), m)
}

// unspoken says why no rule speaks of a move.
func (g *Game) unspoken(p *Position, m model.TestMove) string {
	there := false
	for piece, at := range p.Places(nil) {
		there = there || at == m.From.Place && (m.Colour < 0 || g.ColourOf(piece) == m.Colour)
	}
	switch {
	case there:
		return "no move leads there with this number"
	case m.Colour >= 0:
		return fmt.Sprintf("no piece of %s stands on %s", g.ColourName(m.Colour), g.PlaceName(m.From.Place))
	}
	return "no piece stands on " + g.PlaceName(m.From.Place)
}

// moveText is a move as a test writes it.
func (g *Game) moveText(m model.TestMove) string {
	text := g.spotText(m.From) + " -> " + g.spotText(m.To)
	if m.Colour >= 0 {
		text = g.ColourName(m.Colour) + " " + text
	}
	if m.Counting {
		text += " counting " + strconv.Itoa(m.Steps)
	}
	return text
}
