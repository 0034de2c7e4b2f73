package syntax

import (
	"slices"
	"strconv"
)

// Declaration is what every kind of declaration says of itself. A new kind implements it and stands in Kind.
type Declaration interface {
	Head() Head
}

// Head is what a declaration is called and what it depends on.
type Head struct {
	Word  string  // the keyword: "rule"
	Space string  // the names among which its own is unique: "rule"; "name" for values, "field" for variables with an owner
	ID    string  // its name there; "" where a rule book has one of the kind
	Names []*Name // what it declares, several of dice; none where it has no name of its own
	If    *Expr   // the condition over options it holds under
	Words **Text  // the words for people, where the kind has some
	Cites *Cites  // clause ids before its block
	Block *Block  // of statements
}

// Declaration is what the declaration declares; nil for headers, tests and the lines that change another file.
func (d *Decl) Declaration() Declaration {
	if d.Kind == nil {
		return nil
	}
	_, inner := Variant(d.Kind)
	return inner.(Declaration)
}

// Head is the head of what the declaration declares; the zero Head where it declares nothing.
func (d *Decl) Head() Head {
	x := d.Declaration()
	if x == nil {
		return Head{}
	}
	h := x.Head()
	if h.Space == "" {
		h.Space = h.Word
	}
	if h.ID == "" && len(h.Names) > 0 {
		h.ID = h.Names[0].Text
	}
	return h
}

// Words are the words for people that the declaration has, "" for none.
func (d *Decl) Words() string {
	if w := d.Head().Words; w != nil {
		return (*w).String()
	}
	return ""
}

// Name is the name the declaration gives something or, in a header, its file; nil if it gives none.
func (d *Decl) Name() *Name {
	switch {
	case d.Ruleset != nil:
		return d.Ruleset.Name
	case d.Change != nil:
		return d.Change.Name
	case d.Tests != nil:
		return d.Tests.Name
	}
	if names := d.Head().Names; len(names) > 0 {
		return names[0]
	}
	return nil
}

// Head implements Declaration; so do those below.
func (x *Board) Head() Head   { return Head{Word: "board"} }
func (x *Players) Head() Head { return Head{Word: "players"} }
func (x *Seats) Head() Head {
	n, _ := x.Count.Value()
	return Head{Word: "seats", ID: strconv.Itoa(n), If: x.If}
}
func (x *Teams) Head() Head  { return Head{Word: "teams", If: x.If} }
func (x *Turns) Head() Head  { return Head{Word: "turns", If: x.If} }
func (x *Pieces) Head() Head { return Head{Word: "pieces"} }
func (x *First) Head() Head  { return Head{Word: "first"} }
func (x *Dice) Head() Head   { return Head{Word: "dice", Space: "name", Names: x.Names} }
func (x *Option) Head() Head {
	return Head{Word: "option", Names: []*Name{x.Name}, Words: &x.Words}
}
func (x *Var) Head() Head {
	space := "field"
	if slices.Contains([]string{"game", "turn", "go"}, x.Scope) {
		space = "name"
	}
	return Head{Word: "var", Space: space, Names: []*Name{x.Name}, If: x.If}
}
func (x *Secret) Head() Head { return Head{Word: "secret", ID: x.Name.Text, If: x.If} }
func (x *Let) Head() Head    { return Head{Word: "let", Space: "name", Names: []*Name{x.Name}} }
func (x *Act) Head() Head {
	return Head{Word: "act", Names: []*Name{x.Name}, Words: &x.Words, Cites: x.Cites, Block: x.Block}
}
func (x *Turn) Head() Head  { return Head{Word: "turn", Cites: x.Cites, Block: x.Block} }
func (x *Setup) Head() Head { return Head{Word: "setup", If: x.If, Cites: x.Cites, Block: x.Block} }
func (x *Move) Head() Head  { return Head{Word: "move", Names: []*Name{x.Name}} }
func (x *Rule) Head() Head {
	return Head{Word: "rule", Names: []*Name{x.Name}, If: x.If, Words: &x.Words, Cites: x.Cites}
}
func (x *Count) Head() Head {
	return Head{Word: "count", Names: []*Name{x.Name}, If: x.If, Words: &x.Words}
}
