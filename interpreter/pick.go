package interpreter

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// pickOptions lists the candidates of a pick as options.
func (p *Position) pickOptions() {
	s := p.game.unit.Picks[p.m.Site]
	kind := s.Value.Type.Kind
	for _, v := range p.m.Picks() {
		o := Option{Move: None, Piece: None, Other: None, OtherAt: None, OtherColour: None, Colour: None, From: None, To: None, Value: int(v)}
		if s.None && v == code.NoPick {
			o.Word = "none"
			p.options = append(p.options, o)
			continue
		}
		switch kind {
		case model.Flag:
			o.Word = "no"
			if v != 0 {
				o.Word = "yes"
			}
		case model.Piece:
			o.Piece, o.Colour = int(v), p.ColourOf(int(v))
			o.From = int(p.m.State()[p.game.prog.Layout.At+int(v)])
			o.FromPassage = p.game.passage(o.Colour, int(p.m.State()[p.game.prog.Layout.Node+int(v)]))
		case model.Colour:
			o.Colour = int(v)
		case model.Player:
			o.Colour = p.game.rules.Seats[v].Colours[0]
		case model.Place:
			o.To = int(v)
		}
		p.options = append(p.options, o)
	}
}

// Question is the question for the player at a pick, "" at other nodes or if the rules give no text.
func (p *Position) Question() string {
	if s := p.Asking(); s != nil {
		return s.Words
	}
	return ""
}

// Asking is the statement that asks the question at hand, nil at other nodes.
func (p *Position) Asking() *model.Stmt {
	if !p.asks() {
		return nil
	}
	return p.game.unit.Picks[p.m.Site]
}

// Secret reports whether the present pick is hidden from other sides.
func (p *Position) Secret() bool {
	s := p.Asking()
	return s != nil && s.Target != nil && s.Target.Var.Secret
}
