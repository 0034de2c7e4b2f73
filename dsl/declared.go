package dsl

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Declared is a declaration in force.
type Declared struct {
	Kind, Name string   // "rule", "shelter"; the name is "" if the kind occurs once
	Cites      []string // all clause ids in it
	Options    []string // the options it depends on, by itself or by the lets, acts and moves it uses
}

// Declared lists the declarations in force, in the order in which they apply.
func (b *Book) Declared() []Declared {
	uses := b.uses()
	return seq.Map(b.joined.Entries, func(e *book.Entry) Declared {
		d := Declared{Kind: e.Key.Kind, Cites: check.Cites(e.Decl), Options: uses(e)}
		if h := e.Decl.Head(); len(h.Names) > 0 {
			d.Kind, d.Name = h.Word, e.Key.Name
		}
		return d
	})
}

var silent = pattern.Of(`"[^"]*"|//[^\n]*|\b(?:on|before)\s+\w+`) // texts, comments, and the events of reactions

// uses returns what lists the options a declaration depends on.
func (b *Book) uses() func(*book.Entry) []string {
	options := b.OptionNames()
	named := map[string][]*book.Entry{}
	for _, e := range b.joined.Entries {
		switch h := e.Decl.Head(); h.Word {
		case "let", "act", "move":
			for _, n := range h.Names {
				named[n.Text] = append(named[n.Text], e)
			}
		}
	}
	return func(e *book.Entry) []string {
		var found []string
		seen := map[*book.Entry]bool{}
		var visit func(*book.Entry)
		visit = func(e *book.Entry) {
			if seen[e] {
				return
			}
			seen[e] = true
			for _, name := range names(e) {
				if slices.Contains(options, name) && !slices.Contains(found, name) {
					found = append(found, name)
				}
				for _, other := range named[name] {
					visit(other)
				}
			}
		}
		visit(e)
		return found
	}
}

// names lists the names in the text of a declaration, but for fields.
func names(e *book.Entry) (out []string) {
	ends := func(r rune) bool { return r != '_' && !unicode.In(r, unicode.Ll, unicode.Nd) }
	for text := silent().ReplaceAllString(e.Decl.Span(e.Decl.File).Text(), ""); ; {
		at := strings.IndexFunc(text, unicode.IsLower)
		if at < 0 {
			return out
		}
		end := len(text)
		if n := strings.IndexFunc(text[at:], ends); n >= 0 {
			end = at + n
		}
		if at == 0 || text[at-1] != '.' {
			out = append(out, text[at:end])
		}
		text = text[end:]
	}
}

// turnNames are the names in the turn and its steps, and in the lets named there.
func (b *Book) turnNames() map[string]bool {
	out, lets := map[string]bool{}, map[string]*book.Entry{}
	var visit func(*book.Entry)
	visit = func(e *book.Entry) {
		for _, name := range names(e) {
			if !out[name] {
				out[name] = true
				if let := lets[name]; let != nil {
					visit(let)
				}
			}
		}
	}
	var turn []*book.Entry
	for _, e := range b.joined.Entries {
		switch h := e.Decl.Head(); {
		case h.Word == "turn" || h.Word == "step":
			turn = append(turn, e)
		case h.Word == "let":
			lets[e.Key.Name] = e
		}
	}
	for _, e := range turn {
		visit(e)
	}
	return out
}

// WrittenClauses are the clauses of the written rule books that lie beside the rules, by their ids, in the language of the book. Lists
// with faults are left out.
func (b *Book) WrittenClauses() map[string]Clause {
	out := map[string]Clause{}
	b.lib.clauseLists(func(file *source.File, folder Library) {
		clauses, faults := ReadClauses(file)
		if faults.HasErrors() {
			return
		}
		var words catalogue.Words = catalogue.List{}
		if b.lang != nil {
			words = folder.Words([]string{stem(file)}, b.lang.name)
		}
		for _, c := range clauses {
			if _, ok := out[c.ID]; !ok {
				c.Text, c.Settled = words.Text("clause."+c.ID, c.Text), words.Text("clause."+c.ID+".settled", c.Settled)
				out[c.ID] = c
			}
		}
	})
	return out
}
