package assist

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Renaming is a name that can be renamed, with every place that has to change.
type Renaming struct {
	At   source.Span // the place of the request
	Kind index.Kind

	drafts []*Draft
	uses   []source.Span
	board  *source.File // the file that declares it, for names of boards
	open   boards.Opener
}

// PrepareRename finds the places a rename would change. drafts are all rule files that may use the name. fixed
// returns the reason why a file is read-only, "" if it is not. The error says why nothing can be renamed.
func PrepareRename(drafts []*Draft, file string, offset int, fixed func(file string) string) (*Renaming, error) {
	found, refs := At(drafts, file, offset)
	if len(refs) == 0 {
		return nil, errors.New("there is no name here")
	}
	r := refs[0]
	name := strings.Trim(r.Use.Text(), `"`)
	switch {
	case r.Kind.OfLanguage(), r.Kind == index.Let && (name == "mine" || name == "lead"):
		return nil, fmt.Errorf("%q is a word of the language", name)
	case r.Kind == index.Square || r.Kind.OfBoard() && r.Decl.IsZero():
		return nil, fmt.Errorf("the %s %q has no name of its own: a line of the board names many", r.Kind, name)
	case r.Kind == index.Board:
		return nil, fmt.Errorf("a board has the name of its file; rename the file %s", r.Decl.Name())
	case r.Kind == index.Book:
		return nil, fmt.Errorf("a rule book has the name of its file; rename the file %s.rules", name)
	}
	out := &Renaming{At: r.Use, Kind: r.Kind, drafts: drafts}
	if r.Kind.OfBoard() {
		out.board = r.Decl.File
		out.open = func(name string) (*source.File, bool) { return found.finder.Board(name, r.Decl.File) }
		if why := fixed(out.board.Name()); why != "" {
			return nil, fmt.Errorf("%q is declared by the board %s, which %s", name, out.board.Name(), why)
		}
	}
	uses := References(drafts, file, offset)
	if out.board != nil { // squares of a colour bear its name
		for _, d := range drafts {
			for _, use := range d.Names.All() {
				if use.Kind == index.Square && use.Decl.Name() == out.board.Name() && boards.Renamed(use.Use.Text(), name, "") != use.Use.Text() {
					uses = append(uses, use)
				}
			}
		}
	}
	seen := map[index.Place]bool{}
	for _, use := range uses {
		at := index.PlaceOf(use.Use)
		if seen[at] {
			continue
		}
		seen[at] = true
		if use.Kind != index.Square && strings.Trim(use.Use.Text(), `"`) != name || use.Use.File == out.board {
			continue // a rename line gives it another name there, or the board is edited as a whole
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
	old := strings.Trim(r.At.Text(), `"`)
	edits := seq.Map(r.uses, func(use source.Span) diag.Edit {
		return diag.Edit{Span: use, New: boards.Renamed(use.Text(), old, name)}
	})
	if r.board != nil {
		inside, ok := boards.Rename(r.board, r.open, old, name)
		if !ok {
			return nil, fmt.Errorf("%q cannot be the new name: %s would be another board; change it by hand", name, r.board.Name())
		}
		edits = append(edits, inside...)
	}
	slices.SortFunc(edits, func(a, b diag.Edit) int {
		return cmp.Or(strings.Compare(a.Span.Name(), b.Span.Name()), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	if why := r.breaks(edits); why != "" {
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
func (r *Renaming) breaks(edits []diag.Edit) string {
	changed := map[string]*source.File{}
	for _, e := range edits {
		name := e.Span.Name()
		if changed[name] == nil {
			changed[name] = source.New(name, diag.Fix{Edits: edits}.Apply(e.Span.File))
		}
	}
	for _, d := range r.drafts {
		if d.Book == nil || r.board == nil && !slices.ContainsFunc(d.Book.Layers, func(l *book.Layer) bool { return changed[l.File.Source.Name()] != nil }) {
			continue
		}
		finder := edited{d.finder, changed}
		file, _ := finder.after(d.File, true)
		after, names := examine(file, finder)
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
	return e.after(e.Finder.Rules(name, from))
}

// Board finds a board.
func (e edited) Board(name string, from *source.File) (*source.File, bool) {
	return e.after(e.Finder.Board(name, from))
}

func (e edited) after(f *source.File, ok bool) (*source.File, bool) {
	if ok && e.files[f.Name()] != nil {
		return e.files[f.Name()], true
	}
	return f, ok
}
