package book

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Rename records that a declaration has a new name from a line on.
type Rename struct {
	From, To string
	By       *syntax.Decl
}

// RenamedTo is the present name of a renamed declaration, "" if name was not renamed.
func (b *Book) RenamedTo(name string) string {
	to := ""
	for _, r := range b.Renames {
		if r.From == name || r.From == to {
			to = r.To
		}
	}
	return to
}

// Renamed adds the present name of a renamed declaration to a finding, and reports whether there is one.
func (b *Book) Renamed(d diag.Ref, name string) bool {
	to := b.RenamedTo(name)
	if to != "" {
		d.WithHint("it is called %q now", to).Instead(to)
	}
	return to != ""
}

// taken adds to a finding that something of a kind, or of any kind, has been taken away, and where; it reports whether it has.
func (b *Book) taken(d diag.Ref, name, kind string) bool {
	r := seq.First(b.Removed, func(r *Removal) bool { return r.Entry.Declares(name) && (kind == "" || r.Entry.Key.Kind == kind) })
	if r != nil {
		d.Get().Message += ": it is taken away already"
		d.WithNote(r.Span(), "here")
	}
	return r != nil
}

// rename renames all declarations with a name. It copies the declarations read so far and puts the new name at every
// reference, so that the source text stays unchanged. Declarations read later use the new name.
func (l *loader) rename(b *Book, d *syntax.Decl) {
	from, to := d.Rename.From.Text, d.Rename.To.Text
	found := seq.Filter(b.Entries, func(e *Entry) bool {
		return slices.Contains(removal, e.Key.Kind) && e.Key.Kind != "secret" && e.Declares(from)
	})
	switch {
	case len(found) == 0:
		l.unknownThing(b, d.Rename.From, d.File, "to rename")
		return
	case strings.ToLower(to) != to:
		l.diags.Errorf("bad-name", d.Rename.To.Span(d.File), "names are written in small letters").WithHint("write %s", strings.ToLower(to)).Instead(strings.ToLower(to))
		return
	}
	worded := false
	for _, e := range found {
		if other := b.lookup(Key{e.Key.Kind, to}); other != nil {
			l.diags.Errorf("declared-twice", d.Rename.To.Span(d.File), "%s is there already", other.Key).
				WithNote(nameSpan(other.Decl), "the other one")
			return
		}
		h := e.Decl.Head()
		worded = worded || h.Words != nil && h.Word != "count"
	}
	if d.Rename.Words != nil && !worded {
		l.diags.Errorf("out-of-place", d.Rename.Words.Span(d.File), "%s has no words", found[0].Key).
			WithHint("rules, acts and options have words; leave them out here").
			WithFix(d.File.Span(d.Rename.To.Span(d.File).End, d.Rename.Words.Span(d.File).End), "", "leave the words out")
		return
	}
	r := &renamer{from: from, to: to, kinds: seq.Map(found, func(e *Entry) string { return e.Key.Kind })}
	for _, e := range found {
		b.refer(d.Rename.From, d.File, e)
		b.Refs = append(b.Refs, Ref{Use: d.Rename.To.Span(d.File), Decl: e.NameSpan(), Key: Key{e.Key.Kind, to}, Word: e.Decl.Head().Word})
		if m := e.Decl.Kind.Move; m != nil {
			r.binds = len(m.Binds)
		}
	}
	if l.takes(b, r, d.Rename.To.Span(d.File), nil) {
		return
	}
	for i, e := range b.Entries {
		changed := *e
		changed.Decl = copyOf(r, e.Decl)
		changed.name = nameSpan(changed.Decl)
		changed.If = seq.Map(e.If, func(c *Cond) *Cond { return &Cond{Expr: copyOf(r, c.Expr), File: c.File, Not: c.Not} })
		if slices.Contains(found, e) {
			r.declare(changed.Decl, d.Rename.Words)
		}
		changed.Key = keyOf(changed.Decl)
		b.Entries[i] = &changed
	}
	for i, s := range b.Sets {
		changed := *s
		changed.Decl = copyOf(r, s.Decl)
		if slices.Contains(r.kinds, "option") {
			r.name(changed.Decl.Set.Name)
		}
		b.Sets[i] = &changed
	}
	b.Renames = append(b.Renames, &Rename{From: from, To: to, By: d})
}

// unknownThing reports a name that the book does not declare.
func (l *loader) unknownThing(b *Book, n *syntax.Name, f *source.File, what string) {
	d := l.diags.Errorf("unknown-name", n.Span(f), "there is nothing called %q %s", n.Text, what)
	if !b.Renamed(d, n.Text) && !b.taken(d, n.Text, "") {
		d.Suggest(n.Text, b.names(func(k Key) bool { return k.Kind != "seats" }), "")
	}
}

// renamer copies trees and renames references in the copies.
type renamer struct {
	from, to string
	kinds    []string // of the things that are renamed
	binds    int      // parameters of the move that is renamed
}

// meansMove reports whether a reaction to an event of this name would be one to the move: one with another number of parameters means an
// event of the language.
func (r *renamer) meansMove(n *syntax.Event) bool { return n.Call && len(n.Args) == r.binds }

// takes reports a reaction to an event of the language, in another layer than own, that would mean what gets a new name.
func (l *loader) takes(b *Book, r *renamer, name source.Span, own *Layer) bool {
	act, move := slices.Contains(r.kinds, "act"), slices.Contains(r.kinds, "move")
	for _, e := range b.Entries {
		for n := range syntax.All[*syntax.Event](e.Decl) {
			if e.Layer != own && n.Name != nil && n.Name.Text == r.to && r.to != "throw" && (act || move && r.meansMove(n)) {
				l.diags.Errorf("declared-twice", name, "%q is an event, and the rules react to it", r.to).
					WithNote(n.Name.Span(e.Decl.File), "they do it here").WithHint("give it another name")
				return true
			}
		}
	}
	return false
}

func (r *renamer) name(n *syntax.Name) {
	if n != nil && n.Text == r.from {
		n.Text = r.to
	}
}

func (r *renamer) names(kind string, names ...*syntax.Name) {
	if slices.Contains(r.kinds, kind) {
		for _, n := range names {
			r.name(n)
		}
	}
}

// declare renames the name that a declaration declares.
func (r *renamer) declare(d *syntax.Decl, words *syntax.Text) {
	h := d.Head()
	for _, n := range h.Names {
		r.name(n)
	}
	if words != nil && h.Words != nil && h.Word != "count" {
		text := &syntax.Text{Quoted: strconv.Quote(words.String())}
		if *h.Words != nil {
			text.At = (*h.Words).At
		}
		*h.Words = text
	}
}

// copyOf copies a tree, with the new name at all references to a renamed declaration.
func copyOf[T any](r *renamer, tree T) T {
	out := syntax.Copy(tree, nil)
	syntax.Walk(out, func(node any) bool {
		r.refer(node)
		return true
	})
	return out
}

// refer renames the reference in a node of a copy.
func (r *renamer) refer(node any) {
	switch n := node.(type) {
	case *expr.Node:
		if n.Name != r.from {
			return
		}
		bare := slices.Contains(r.kinds, "name")
		switch n.Kind {
		case expr.Name:
			bare = bare || slices.Contains(r.kinds, "option")
		case expr.Field:
			bare = slices.Contains(r.kinds, "field")
		case expr.Call:
		default:
			return
		}
		if bare {
			n.Name = r.to
		}
	case *syntax.Secret:
		r.names("field", n.Name)
	case *syntax.Throw:
		r.names("name", n.Names...)
	case *syntax.First:
		r.names("name", n.Dice...)
	case *syntax.NamedStep:
		r.names("step", n.Name)
	case *syntax.Do:
		r.names("act", n.Name)
	case *syntax.Pattern:
		r.names("move", n.Name)
		r.names("act", n.Name)
	case *syntax.Event:
		if n.Name != nil && n.Name.Text == "throw" {
			r.names("name", n.Args...)
			return
		}
		r.names("act", n.Name)
		if r.meansMove(n) {
			r.names("move", n.Name)
		}
	case *syntax.Target:
		r.names("name", n.Names[0])
		r.names("field", n.Names[1:]...)
	}
}
