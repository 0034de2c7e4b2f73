package interpreter

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
)

// candidate is the option that a value is at a question, or at the choice of a number where that is nil.
func (p *Position) candidate(s *model.Stmt, v int) Option {
	o := Option{Move: None, Piece: None, Other: None, OtherAt: None, OtherColour: None, Colour: None, From: None, To: None, Value: v}
	switch {
	case s == nil:
		return o
	case s.None && v == code.NoPick:
		o.Word = "none"
		return o
	}
	switch s.Value.Type.Kind {
	case model.Flag:
		o.Word = "no"
		if v != 0 {
			o.Word = "yes"
		}
	case model.Piece:
		o.Piece, o.Colour = v, p.ColourOf(v)
		o.From = int(p.m.State()[p.game.prog.Layout.At+v])
		o.FromPassage = p.game.passage(o.Colour, int(p.m.State()[p.game.prog.Layout.Node+v]))
	case model.Colour:
		o.Colour = v
	case model.Player:
		o.Colour = p.game.rules.Seats[v].Colours[0]
	case model.Team:
		o.Colour = p.game.rules.Seats[p.game.rules.Teams[v][0]].Colours[0]
	case model.Place:
		o.To = v
	}
	return o
}

// asks reports whether the choice at hand is a question.
func (p *Position) asks() bool { return p.Kind() == Choice && p.m.Node == code.NodePick }

// picks reports whether the player at hand picks a candidate: at a question, or a number of a die of chosen numbers.
func (p *Position) picks() bool { return p.asks() || p.ChosenNumber() }

// chooses reports whether a player has to choose something.
func (p *Position) chooses() bool { return p.Kind() == Choice || p.ChosenNumber() }

// menu is Options, and where a number is to be chosen these numbers.
func (p *Position) menu() []Option {
	if !p.ChosenNumber() {
		return p.Options()
	}
	return seq.Map(p.Outcomes(nil, 0), func(o Outcome) Option { return p.candidate(nil, o.Value) })
}

// menuNames are the names of what the menu lists.
func (p *Position) menuNames() []string { return p.Names(p.Player(), p.menu()) }

// pick takes what the menu lists at an index.
func (p *Position) pick(i int) error {
	if p.ChosenNumber() {
		return p.Throw(p.menu()[i].Value)
	}
	return p.Choose(i)
}

// takesAt reports whether a line of a test names a value of the kind that the question at hand asks for, whether or not it is a candidate.
func (p *Position) takesAt(t *model.TestOption) bool {
	s, kind := p.Asking(), p.asksKind()
	if _, err := strconv.Atoi(strings.Join(t.Words, " ")); kind == model.Number && err == nil {
		return true
	}
	if len(seq.Which(p.game.values(kind), func(v int) bool { return p.fits(p.candidate(s, v), t, nil) })) > 0 {
		return true
	}
	return s != nil && kind != model.Flag && slices.Equal(t.Words, []string{"none"}) // with other rules
}

// values is how many values of a kind there are, 0 for numbers.
func (g *Game) values(kind model.Kind) int {
	switch kind {
	case model.Flag:
		return 2
	case model.Piece:
		return g.prog.Layout.Pieces
	case model.Colour:
		return len(g.rules.Colours)
	case model.Player:
		return g.Players()
	case model.Team:
		return len(g.rules.Teams)
	case model.Place:
		return len(g.rules.Board.Places)
	}
	return 0
}

// asksKind is the kind of the candidates of the question at hand: that of numbers where one is chosen instead.
func (p *Position) asksKind() model.Kind {
	if s := p.Asking(); s != nil {
		return s.Value.Type.Kind
	}
	return model.Number
}

// asksFor says what the question at hand takes.
func (p *Position) asksFor() string {
	what := model.Of(p.asksKind()).With()
	switch p.asksKind() {
	case model.Flag:
		what = "yes or no"
	case model.Piece:
		what = "a piece, named by its colour and the place where it stands"
	case model.Player, model.Team:
		what += ", named by a colour"
	}
	if s := p.Asking(); s != nil && s.None {
		what += ", or none"
	}
	return what
}

// isTeam reports whether a word speaks of a candidate that is a team: a colour of it, or its number.
func (p *Position) isTeam(o Option, word string) bool {
	if p.asksKind() != model.Team || o.Word != "" {
		return false
	}
	return word == strconv.Itoa(o.Value) || slices.ContainsFunc(p.game.rules.Teams[o.Value], func(seat int) bool {
		return slices.ContainsFunc(p.game.rules.Seats[seat].Colours, func(c int) bool { return p.game.ColourName(c) == word })
	})
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
