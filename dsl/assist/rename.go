package assist

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Renaming is a name that can be renamed, with every place that has to change.
type Renaming struct {
	At   source.Span // the place of the request
	Kind index.Kind

	drafts []*Draft
	uses   []source.Span
}

// PrepareRename finds the places a rename would change. drafts are all rule files that may use the name. fixed
// returns the reason why a file is read-only, "" if it is not. The error says why nothing can be renamed.
func PrepareRename(drafts []*Draft, file string, offset int, fixed func(file string) string) (*Renaming, error) {
	_, refs := At(drafts, file, offset)
	if len(refs) == 0 {
		return nil, errors.New("there is no name here")
	}
	r := refs[0]
	name := r.Use.Text()
	switch {
	case r.Kind.OfLanguage(), r.Kind == index.Let && (name == "mine" || name == "lead"):
		return nil, fmt.Errorf("%q is a word of the language", name)
	case r.Kind.OfBoard():
		return nil, fmt.Errorf("the %s %q is declared by a board; its name is changed there, by hand", r.Kind, strings.Trim(name, `"`))
	case r.Kind == index.Book:
		return nil, fmt.Errorf("a rule book has the name of its file; rename the file %s.rules", name)
	}
	out := &Renaming{At: r.Use, Kind: r.Kind, drafts: drafts}
	for _, use := range References(drafts, file, offset) {
		if use.Use.Text() != name {
			continue // a rename line gives it another name there
		}
		if why := fixed(use.Use.Name()); why != "" {
			return nil, fmt.Errorf("%q stands in %s, which %s; write: rename %s to NAME", name, use.Use.Name(), why, name)
		}
		out.uses = append(out.uses, use.Use)
	}
	return out, nil
}

// To returns the edits for a new name. It refuses an invalid name, and one that is in use.
func (r *Renaming) To(name string) ([]diag.Edit, error) {
	if err := r.canBe(name); err != nil {
		return nil, err
	}
	var edits []diag.Edit
	for _, use := range r.uses {
		edits = append(edits, diag.Edit{Span: use, New: name})
	}
	if why := r.breaks(name, edits); why != "" {
		return nil, fmt.Errorf("%q cannot be the new name: %s", name, why)
	}
	return edits, nil
}

func placeWords(s source.Span) string {
	if s.IsZero() {
		return "the rule book"
	}
	return fmt.Sprintf("%s:%d", s.Name(), s.Position().Line)
}

// canBe says why a name is invalid, regardless of the other names.
func (r *Renaming) canBe(name string) error {
	for i, c := range name {
		if c != '_' && !unicode.IsLetter(c) && (i == 0 || !unicode.IsNumber(c)) || unicode.IsUpper(c) {
			return fmt.Errorf("%q cannot be a name: names are small letters, digits and _, and begin with a letter", name)
		}
	}
	switch {
	case name == "" || name[0] == '_':
		return fmt.Errorf("%q cannot be a name: names begin with a letter", name)
	case syntax.Reserved(name):
		return fmt.Errorf("%q cannot be a name: it goes on with a statement", name)
	case r.Kind == index.Rule, r.Kind == index.Step:
		return nil
	}
	if m, ok := syntax.FindWord(syntax.ValueWord, name); ok && !(name == "p" && r.Kind == index.Local) {
		return fmt.Errorf("%q is a word of the language: %s", name, m.Doc)
	}
	if expr.IsBuiltin(name) || name == "square" || name == "indexOf" || name == "after" || name == "next" {
		return fmt.Errorf("%q is a function of the language", name)
	}
	return nil
}

// breaks says what the edits would break: the first fault they cause in a file, or another meaning of the new name.
// It is "" if they are safe.
func (r *Renaming) breaks(name string, edits []diag.Edit) string {
	changed := map[string]*source.File{}
	for _, e := range edits {
		name := e.Span.Name()
		if changed[name] == nil {
			changed[name] = source.New(name, diag.Fix{Edits: edits}.Apply(e.Span.File))
		}
	}
	for _, d := range r.drafts {
		if d.Book == nil || !slices.ContainsFunc(d.Book.Layers, func(l *book.Layer) bool { return changed[l.File.Source.Name()] != nil }) {
			continue
		}
		file := d.File
		if f := changed[file.Name()]; f != nil {
			file = f
		}
		after, names := examine(file, edited{d.finder, changed})
		if len(after) > 0 {
			before, _ := examine(d.File, d.finder)
			for _, f := range after {
				if !slices.ContainsFunc(before, func(x diag.Diagnostic) bool {
					return x.Code == f.Code && x.Span.Position().Line == f.Span.Position().Line
				}) {
					return f.Message + " (" + placeWords(f.Span) + ")"
				}
			}
		}
		if names == nil {
			continue
		}
		if at, ok := sameMeaning(d.Names, names, edits); !ok {
			return fmt.Sprintf("it has a meaning in %s already", placeWords(at))
		}
	}
	return ""
}

// sameMeaning reports whether every name means after some edits what it meant before, and where one does not.
func sameMeaning(before, after *index.Index, edits []diag.Edit) (source.Span, bool) {
	old, new := before.All(), after.All()
	moved := movedBy(edits)
	for i := range max(len(old), len(new)) {
		switch {
		case i >= len(old):
			return new[i].Use, false
		case i >= len(new):
			return old[i].Use, false
		case old[i].Kind != new[i].Kind || moved(old[i].Use) != index.PlaceOf(new[i].Use) || moved(old[i].Decl) != index.PlaceOf(new[i].Decl):
			return old[i].Use, false
		}
	}
	return source.Span{}, true
}

// movedBy returns where a span is after edits, which are in order in each file and touch names as a whole.
func movedBy(edits []diag.Edit) func(source.Span) index.Place {
	type shift struct{ at, by int }
	shifts := map[string][]shift{}
	for _, e := range edits {
		name, by := e.Span.Name(), len(e.New)-len(e.Span.Text())
		if l := shifts[name]; len(l) > 0 {
			by += l[len(l)-1].by
		}
		shifts[name] = append(shifts[name], shift{e.Span.Start, by})
	}
	return func(s source.Span) index.Place {
		if s.IsZero() {
			return index.Place{}
		}
		p, l := index.PlaceOf(s), shifts[s.Name()]
		move := func(offset int) int {
			i, _ := slices.BinarySearchFunc(l, offset, func(x shift, offset int) int { return cmp.Compare(x.at, offset) })
			if i == 0 {
				return offset
			}
			return offset + l[i-1].by
		}
		return index.Place{File: p.File, Start: move(p.Start), End: move(p.End)}
	}
}

// examine finds the errors of a file in the default setting, and the meaning of its names.
func examine(file *source.File, finder book.Finder) (diag.List, *index.Index) {
	var all diag.List
	b := book.Load(file, nil, finder, &all)
	var names *index.Index
	if b != nil {
		check.Make(b, check.Setting{}, &all)
		names = check.Names(b, nil)
	}
	all.Sort()
	return slices.DeleteFunc(all, func(d diag.Diagnostic) bool { return d.Severity != diag.Error }), names
}

// edited is a finder that returns files as they are after an edit.
type edited struct {
	book.Finder
	files map[string]*source.File
}

// Rules finds a rule file.
func (e edited) Rules(name string, from *source.File) (*source.File, bool) {
	f, ok := e.Finder.Rules(name, from)
	if ok && e.files[f.Name()] != nil {
		return e.files[f.Name()], true
	}
	return f, ok
}
