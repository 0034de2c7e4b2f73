package boards

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// colourSquare is the English text for the squares of a family that are called after a colour: "yellow-3".
const colourSquare = "{{.colour}}-{{.n}}"

// In is the board with its texts as words gives them. Names stay: only Title, Words and Forms, and what Legend says, change.
func (b *Board) In(words catalogue.Words) *Board {
	out := *b
	out.Title = words.Text("board.title", b.Title)
	out.Colours = slices.Clone(b.Colours)
	for i := range out.Colours {
		c := &out.Colours[i]
		key := "colour." + c.Name
		c.Words, c.Forms = words.Text(key, catalogue.Spaced(c.Name)), words.Forms(key)
	}
	out.Places = slices.Clone(b.Places)
	for i := range out.Places {
		p := &out.Places[i]
		key := "place." + p.Name
		if c, n := b.colourOf(p); c != None {
			p.Words = catalogue.Fill(words.Text("square."+b.Families[p.Family], colourSquare), func(name, form string) string {
				if name == "n" {
					return n
				}
				return out.Colours[c].Form(form)
			})
			continue
		}
		if p.worded() {
			p.Words, p.Forms = words.Text(key, catalogue.Spaced(p.Name)), words.Forms(key)
		}
	}
	out.phrases = map[string]string{}
	for key, text := range phrases {
		out.phrases[key] = words.Text(key, text)
	}
	out.signs = map[string]string{}
	for _, name := range b.marked() {
		out.signs[name] = words.Text("mark."+name, catalogue.Spaced(name))
	}
	out.drawing.squares, out.drawing.zones = slices.Clone(b.drawing.squares), map[int][]area{}
	for place := range out.drawing.squares {
		out.relabel(place, &out.drawing.squares[place])
	}
	for place, list := range b.drawing.zones {
		out.drawing.zones[place] = slices.Clone(list)
		for i := range list {
			out.relabel(place, &out.drawing.zones[place][i])
		}
	}
	return &out
}

// relabel writes what a place is called where its name is written, unless that is a number or short for a colour.
func (b *Board) relabel(place int, a *area) {
	if p := b.Places[place]; a.Label == p.Name && p.worded() {
		a.Label = p.Words
	}
}

// worded reports whether the name of a place is a word and no number or letter: that of a zone is.
func (p Place) worded() bool {
	return p.Zone || len(p.Name) > 2 && !strings.ContainsAny(p.Name, "0123456789")
}

// Form is a form of the colour's text: "f" for the one of a feminine noun, say. It is Words if there is no such form.
func (c Colour) Form(name string) string { return formOf(c.Forms, name, c.Words) }

// Form is a form of the place's text, likewise.
func (p Place) Form(name string) string { return formOf(p.Forms, name, p.Words) }

func formOf(forms map[string]string, name, otherwise string) string {
	if form, ok := forms[name]; ok {
		return form
	}
	return otherwise
}

// colourOf is the colour that a square is called after, and the rest of its name; None if it is called otherwise.
func (b *Board) colourOf(p *Place) (colour int, rest string) {
	name, rest, ok := strings.Cut(p.Name, "-")
	if !ok || p.Zone {
		return None, ""
	}
	return b.Colour(name), rest
}

// marked lists the tags, attributes and landmarks that are drawn.
func (b *Board) marked() []string {
	return seq.Map(b.drawing.marks, b.markName)
}

// Sign is what a drawn tag, attribute or landmark is called; "" for one that is not drawn.
func (b *Board) Sign(name string) string {
	if !slices.Contains(b.marked(), name) {
		return ""
	}
	return cmp.Or(b.signs[name], catalogue.Spaced(name))
}

// Texts lists the texts that a file says of the board, for its catalogue.
func (b *Board) Texts(file *source.File) []catalogue.Text {
	var out []catalogue.Text
	add := func(key, english string, at source.Span) {
		if !slices.ContainsFunc(out, func(t catalogue.Text) bool { return t.Key == key }) {
			out = append(out, catalogue.Text{Key: key, English: english, Span: at})
		}
	}
	here := func(name string) bool { at := b.declared[name].span; return !at.IsZero() && at.Name() == file.Name() }
	if b.titled.Name() == file.Name() {
		add("board.title", b.Title, b.titled)
	}
	byPlace := func(x, y string) int { return b.declared[x].span.Start - b.declared[y].span.Start }
	for _, name := range slices.SortedFunc(maps.Keys(b.declared), byPlace) {
		if b.declared[name].what == "colour" && here(name) {
			add("colour."+name, catalogue.Spaced(name), b.declared[name].span)
		}
	}
	for i := range b.Places {
		p := &b.Places[i]
		family := ""
		if p.Family != None {
			family = b.Families[p.Family]
		}
		switch c, _ := b.colourOf(p); {
		case c == None && p.worded() && p.Span.Name() == file.Name():
			add("place."+p.Name, catalogue.Spaced(p.Name), p.Span)
		case c != None && here(family):
			add("square."+family, colourSquare, b.declared[family].span)
		}
	}
	for _, name := range b.marked() {
		if here(name) {
			add("mark."+name, catalogue.Spaced(name), b.declared[name].span)
		}
	}
	return out
}

// Drawing is the name of the catalogues with the texts that drawings of all boards have.
const Drawing = "drawing"

// phrases are these texts, by their keys.
var phrases = map[string]string{
	"drawing.of": "{{.what}} of {{.colour}}",
	"drawing.on": "{{.colour}} on {{.place}}",
	"drawing.to": "{{.what}}: {{.from}} to {{.to}}",
}

// phrase is a text of the drawing. values are what stands in its holes, each behind its name; colour is a colour, or None.
func (b *Board) phrase(key string, colour int, values ...string) string {
	return catalogue.Fill(cmp.Or(b.phrases[key], phrases[key]), func(name, form string) string {
		if name == "colour" && colour != None {
			return b.Colours[colour].Form(form)
		}
		for i := 0; i < len(values); i += 2 {
			if values[i] == name {
				return values[i+1]
			}
		}
		return ""
	})
}

// PhraseTexts lists the texts that drawings of all boards have.
func PhraseTexts() []catalogue.Text {
	return seq.Map(slices.Sorted(maps.Keys(phrases)), func(key string) catalogue.Text { return catalogue.Text{Key: key, English: phrases[key]} })
}
