package syntax

import (
	"slices"
	"strconv"
)

// Declaration is the interface of every kind of declaration. A new kind implements it and gets a field in Kind.
type Declaration interface {
	Head() Head
}

// Head is the common part of declarations: the name and what it depends on.
type Head struct {
	Word  string  // the keyword: "rule"
	Space string  // the namespace of its name: "rule"; "name" for values, "field" for variables with an owner
	ID    string  // its name there; "" if the kind occurs once
	Names []*Name // the names it declares: several for dice, none for a kind without names
	If    *Expr   // its condition over options
	Words **Text  // its description, if the kind has one
	Cites *Cites  // clause ids before its block
	Block *Block  // of statements
}

// Declaration is the declaration by its kind; nil for headers, tests and lines that change another file.
func (d *Decl) Declaration() Declaration {
	if d.Kind == nil {
		return nil
	}
	_, inner := Variant(d.Kind)
	return inner.(Declaration)
}

// Head is the head of the declaration; the zero Head for lines that declare nothing.
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

// heading is the name and the title in a header, nil in other declarations.
func (d *Decl) heading() (*Name, *Text) {
	switch {
	case d.Ruleset != nil:
		return d.Ruleset.Name, d.Ruleset.Title
	case d.Change != nil:
		return d.Change.Name, d.Change.Title
	case d.Tests != nil:
		return d.Tests.Name, d.Tests.Title
	}
	return nil, nil
}

// Words is the description of the declaration, the title of a header, "" for none.
func (d *Decl) Words() string {
	_, words := d.heading()
	if w := d.Head().Words; w != nil {
		words = *w
	}
	return words.String()
}

// Name is the declared name or, in a header, the name of the file; nil if there is none.
func (d *Decl) Name() *Name {
	name, _ := d.heading()
	if names := d.Head().Names; len(names) > 0 {
		name = names[0]
	}
	return name
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
func (x *NamedStep) Head() Head {
	if x.Where != "" { // it is a part of the step it names, and declares none
		return Head{Word: x.Where + " step", ID: x.Name.Text, Cites: x.Cites, Block: x.Block}
	}
	return Head{Word: "step", Names: []*Name{x.Name}, Cites: x.Cites, Block: x.Block}
}
func (x *Count) Head() Head {
	return Head{Word: "count", Names: []*Name{x.Name}, If: x.If, Words: &x.Words}
}
