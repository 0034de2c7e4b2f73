// Package book joins the files of a rule book: a ruleset, what it extends, and the changes applied to it,
// into one list of declarations.
//
// It runs between the parser and the checker. It knows names and the order of declarations, but no types. It reports
// an added name that exists already, a replaced name that does not exist, and two changes that modify the same
// declaration. Note: this package drops nothing because of an option. Conditions ("if …") stay
// on the entries, and the checker evaluates them for each setting.
package book

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Finder finds the files that rule files name. from is the file that contains the name.
type Finder interface {
	// Rules finds a ruleset or change by name.
	Rules(name string, from *source.File) (*source.File, bool)
	// Board finds a board by name.
	Board(name string, from *source.File) (*source.File, bool)
	// RulesNames lists the rulesets Rules may find, for messages that suggest a near name.
	RulesNames() []string
	// BoardNames lists the boards Board may find, for the same and for completion.
	BoardNames() []string
	// Remember is a cache: it returns the value stored under key, or stores and returns the result of work. All books
	// of the finder share it. It is valid as long as the files do not change.
	Remember(key any, work func() any) any
	// SkipsTests reports whether the tests in rule files are skipped.
	SkipsTests() bool
}

// Entry is a declaration in force, with its conditions.
type Entry struct {
	Decl   *syntax.Decl
	Key    Key
	Layer  *Layer
	If     []*Cond // all must hold
	before *Entry  // the entry it replaced
	name   source.Span
}

// newEntry makes the entry of a declaration.
func newEntry(d *syntax.Decl, layer *Layer) *Entry {
	e := &Entry{Decl: d, Key: keyOf(d), Layer: layer, name: nameSpan(d)}
	if x := d.Head().If; x != nil {
		e.If = []*Cond{{Expr: x, File: d.File}}
	}
	return e
}

// Replaced is the entry this one replaced, nil if there was none.
func (e *Entry) Replaced() *Entry { return e.before }

// Cond is a condition over options, from "if" or "without … if".
type Cond struct {
	Expr *syntax.Expr
	File *source.File
	Not  bool
}

// Key identifies a declaration: its kind and name.
type Key struct {
	Kind string // "rule", or "name" for what shares the names of values, or the keyword of a singleton
	Name string
}

// String is the declaration in words, for messages.
func (k Key) String() string {
	switch {
	case k.Name == "":
		return fmt.Sprintf("%q", k.Kind)
	case k.Kind == "name", k.Kind == "field":
		return fmt.Sprintf("%q", k.Name)
	case k.Kind == "seats":
		return "seats " + k.Name
	}
	return fmt.Sprintf("%s %q", k.Kind, k.Name)
}

// Layer is one file of the book.
type Layer struct {
	Name   string
	Title  string
	Change bool
	Tests  bool        // a file of tests only
	For    string      // the book that a change or a file of tests is for
	Named  source.Span // where a header names it, if one does
	File   *syntax.File
}

// Ref is a reference in a header or in a line such as set, without or rename, with the declaration it refers to.
type Ref struct {
	Use, Decl source.Span
	Key       Key    // of kind "book" in headers
	Word      string // the keyword of the declaration
	Replaces  bool   // the reference is itself a declaration, which replaces the other one
}

// Book is a joined rule book. It is immutable after Load.
type Book struct {
	Name    string
	Title   string
	Layers  []*Layer // base layers first
	Entries []*Entry // in the order in which they apply
	Removed []*Removal
	Finder  Finder
	Sets    []*SetEntry
	Renames []*Rename
	Refs    []Ref
	Whole   bool            // every file was parsed without a syntax error
	Lost    map[string]bool // names declared in text that could not be parsed
	Twice   []string        // names of values that are declared twice

	// Memo caches what the checker computes from the book alone, such as its boards. It is safe for several
	// goroutines.
	Memo sync.Map
}

// Afresh is the same book with nothing cached.
func (b *Book) Afresh() *Book {
	return &Book{
		Name: b.Name, Title: b.Title, Layers: b.Layers, Entries: b.Entries, Removed: b.Removed, Finder: b.Finder, Sets: b.Sets, Renames: b.Renames,
		Refs: b.Refs, Whole: b.Whole, Lost: b.Lost, Twice: b.Twice,
	}
}

// Removal is a removed declaration and the place of its removal.
type Removal struct {
	Entry *Entry
	By    *syntax.Decl
}

// Span is the place in the removal that names the declaration.
func (r *Removal) Span() source.Span {
	for _, n := range r.By.Without.Names {
		if r.Entry.Declares(n.Text) {
			return n.Span(r.By.File)
		}
	}
	return r.By.Span(r.By.File)
}

// SetEntry is a "set OPTION = VALUE" with its layer.
type SetEntry struct {
	Decl  *syntax.Decl
	Layer *Layer
}

// Rules is the last layer that is not a file of tests.
func (b *Book) Rules() *Layer {
	for _, l := range slices.Backward(b.Layers) {
		if !l.Tests {
			return l
		}
	}
	return b.Top()
}

// Top is the layer the book was loaded for.
func (b *Book) Top() *Layer { return b.Layers[len(b.Layers)-1] }

// Changes lists the names of the changes applied.
func (b *Book) Changes() []string {
	return seq.Map(b.changes(), func(l *Layer) string { return l.Name })
}

// ChangeTitles lists their titles.
func (b *Book) ChangeTitles() []string {
	return seq.Map(b.changes(), func(l *Layer) string { return l.Title })
}

func (b *Book) changes() []*Layer {
	return seq.Filter(b.Layers, func(l *Layer) bool { return l.Change })
}

// maxNames limits how many names a message lists.
const maxNames = 12

// maxLayers limits the length of a chain of extensions.
const maxLayers = 50

// Load reads a rule file and everything it builds on, then applies the named changes. Every fault is added to diags.
// The book is nil when a file was not found or could not be read.
func Load(file *source.File, changes []string, finder Finder, diags *diag.List) *Book {
	l := &loader{finder: finder, diags: diags, lost: map[string]bool{}, trees: map[string]*syntax.File{}}
	b := l.load(file)
	if b == nil {
		return nil
	}
	var extra []*Layer
	for _, name := range changes {
		if layer := l.change(b, name, extra, source.Span{}, file); layer != nil {
			extra = append(extra, layer)
		}
	}
	l.applyChanges(b, extra, nil)
	b.separate()
	b.Whole, b.Lost = !l.broken, l.lost
	return b
}

// Again joins a book anew with another tree for one of its files; it does not read the other files again. The book
// must have been loaded without extra changes and without a fault.
func Again(b *Book, tree *syntax.File, diags *diag.List) *Book {
	l := &loader{finder: b.Finder, diags: diags, lost: map[string]bool{}, trees: map[string]*syntax.File{}}
	for _, layer := range b.Layers {
		l.trees[layer.File.Source.Name()] = layer.File
	}
	l.trees[tree.Source.Name()] = tree
	out := l.load(b.Top().File.Source)
	if out != nil {
		out.separate()
		out.Whole, out.Lost = !l.broken, l.lost
	}
	return out
}

type loader struct {
	finder Finder
	diags  *diag.List
	chain  []string // files being loaded, to detect cycles
	broken bool     // a file had syntax errors
	lost   map[string]bool
	// clashed are additions that another change makes too.
	clashed []*syntax.Decl
	trees   map[string]*syntax.File // cache of parsed files, by name
}

func (l *loader) load(file *source.File) *Book {
	if len(l.chain) > maxLayers {
		l.diags.Errorf("extends-loop", file.Span(0, 0), "more than %d files build on one another", maxLayers)
		return nil
	}
	l.chain = append(l.chain, file.Name())
	defer func() { l.chain = l.chain[:len(l.chain)-1] }()
	tree := l.parse(file)
	if tree.Header == nil {
		return nil
	}
	if c := tree.Header.Change; c != nil {
		base := l.base(c.For, file)
		if base == nil {
			return nil
		}
		layer := &Layer{Name: c.Name.Text, Title: c.Title.String(), Change: true, For: c.For.Text, File: tree}
		l.referFile(base, c.For, file)
		l.applyChanges(base, []*Layer{layer}, nil)
		return base
	}
	if tree.Header.Tests != nil {
		return l.tests(tree)
	}
	r := tree.Header.Ruleset
	b := &Book{}
	if r.Extends != nil {
		if b = l.base(r.Extends, file); b == nil {
			return nil
		}
	}
	b.Name, b.Title, b.Finder = r.Name.Text, r.Title.String(), l.finder
	layer := &Layer{Name: r.Name.Text, Title: r.Title.String(), File: tree}
	changes := l.changes(b, r.With, file)
	l.referFile(b, r.Extends, file)
	l.applyChanges(b, changes, layer)
	l.apply(b, layer)
	return b
}

// changes loads the changes that a header names.
func (l *loader) changes(b *Book, names []*syntax.Name, file *source.File) []*Layer {
	var out []*Layer
	for i, name := range names {
		if j := slices.IndexFunc(names[:i], func(n *syntax.Name) bool { return n.Text == name.Text }); j >= 0 {
			l.diags.Errorf("declared-twice", name.Span(file), "change %q is applied twice", name.Text).
				WithNote(names[j].Span(file), "the other one")
			continue
		}
		for _, layer := range b.Layers {
			if layer.Change && layer.Name == name.Text {
				l.diags.Warnf("declared-twice", name.Span(file), "change %q is applied already", name.Text).WithNote(layer.Named, "it is named here")
			}
		}
		if c := l.change(b, name.Text, out, name.Span(file), file); c != nil {
			out = append(out, c)
		}
		l.referFile(b, name, file)
	}
	return out
}

// tests loads what a file of tests is for, and adds the file as the top layer.
func (l *loader) tests(tree *syntax.File) *Book {
	t, file := tree.Header.Tests, tree.Source
	for _, d := range tree.Decls {
		if d.Test == nil {
			l.diags.Errorf("out-of-place", d.Span(file), "a file of tests has tests only").
				WithHint("this belongs into a rule file: change NAME \"Title\" for %s", t.For.Text)
		}
	}
	b := l.base(t.For, file)
	if b == nil {
		return nil
	}
	l.referFile(b, t.For, file)
	l.applyChanges(b, l.changes(b, t.With, file), nil)
	b.Layers = append(b.Layers, &Layer{Name: t.Name.Text, Title: t.Title.String(), Tests: true, For: t.For.Text, File: tree})
	return b
}

// parse parses a file and records whether it had syntax errors.
func (l *loader) parse(file *source.File) *syntax.File {
	if tree := l.trees[file.Name()]; tree != nil {
		return tree
	}
	p := l.finder.Remember(parsedKey{file.Name(), file.Text()}, func() any {
		p := &parsed{}
		if l.finder.SkipsTests() {
			p.tree = syntax.ParseUntested(file, &p.diags)
		} else {
			p.tree = syntax.Parse(file, &p.diags)
		}
		return p
	}).(*parsed)
	*l.diags = append(*l.diags, p.diags...)
	l.broken = l.broken || p.diags.HasErrors()
	maps.Copy(l.lost, p.tree.Lost)
	l.trees[file.Name()] = p.tree
	return p.tree
}

// parsed is the cache key of a parsed file: its name and text.
type parsed struct {
	tree  *syntax.File
	diags diag.List
}

type parsedKey struct{ name, text string }

// base loads the ruleset that a header names.
func (l *loader) base(name *syntax.Name, from *source.File) *Book {
	file, ok := l.finder.Rules(name.Text, from)
	if !ok {
		few := l.headed("ruleset", from)
		if len(few) > maxNames {
			few = append(few[:maxNames:maxNames], "…")
		}
		l.diags.Errorf("unknown-ruleset", name.Span(from), "there is no ruleset %q", name.Text).
			Suggest(name.Text, l.finder.RulesNames(), "there is: %s; others are files NAME.rules beside this one", strings.Join(few, ", "))
		return nil
	}
	if slices.Contains(l.chain, file.Name()) {
		l.diags.Errorf("extends-loop", name.Span(from), "%q builds on itself: %s", name.Text,
			strings.Join(append(l.chain[slices.Index(l.chain, file.Name()):], file.Name()), " → "))
		return nil
	}
	b := l.load(file)
	if b != nil && b.Top().Tests {
		l.diags.Errorf("not-a-ruleset", name.Span(from), "%q is a file of tests: nothing can build on it", name.Text).
			WithHint("name what these tests are for: %s", b.Top().For)
		return nil
	}
	return b
}

// headed lists the files that can be found and begin with a word.
func (l *loader) headed(word string, from *source.File) []string {
	var out []string
	for _, name := range l.finder.RulesNames() {
		file, ok := l.finder.Rules(name, from)
		if !ok {
			continue
		}
		for line := range strings.Lines(file.Text()) {
			if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "//") {
				if words[0] == word {
					out = append(out, name)
				}
				break
			}
		}
	}
	return out
}

// change loads a change that is combined with b.
func (l *loader) change(b *Book, name string, before []*Layer, at source.Span, from *source.File) *Layer {
	file, ok := l.finder.Rules(name, from)
	if !ok {
		l.diags.Errorf("unknown-change", at, "there is no change %q", name).Suggest(name, l.headed("change", from),
			"a change is a file %s.rules beside this one that begins: change %s \"Title\" for RULESET", name, name)
		return nil
	}
	tree := l.parse(file)
	if tree.Header == nil {
		return nil
	}
	c := tree.Header.Change
	if c == nil {
		what := "a ruleset"
		if tree.Header.Tests != nil {
			what = "a file of tests"
		}
		l.diags.Errorf("not-a-change", cmp.Or(at, tree.Header.Span(file)), "%q is %s, not a change", name, what).
			WithNote(tree.Header.Span(file), "it begins here").WithHint("a change begins with: change NAME \"Title\" for RULESET")
		return nil
	}
	known := append([]string{b.Name}, seq.Map(slices.Concat(b.Layers, before), func(layer *Layer) string { return layer.Name })...)
	if !slices.Contains(known, c.For.Text) {
		says := c.For.Span(file)
		l.diags.Errorf("change-misfit", cmp.Or(at, says), "change %q is for %q, and this does not build on that", c.Name.Text, c.For.Text).
			WithNote(says, "it says so here")
		if slices.Contains(l.headed("change", from), c.For.Text) && !at.IsZero() {
			l.diags.Last().WithHint("name that change before it: with %s, %s", c.For.Text, c.Name.Text)
		}
		return nil
	}
	return &Layer{Name: c.Name.Text, Title: c.Title.String(), Change: true, For: c.For.Text, File: tree, Named: at}
}

// applyChanges applies changes from left to right. It reports a name that two of them modify, unless the layer that
// combines them replaces this name itself.
func (l *loader) applyChanges(b *Book, changes []*Layer, settles *Layer) {
	type touch struct {
		layer *Layer
		at    source.Span
	}
	touched := map[Key]touch{}
	var settled map[Key]bool
	if settles != nil {
		settled = seq.Set(seq.Filter(declarations(settles.File), func(d *syntax.Decl) bool { return d.Replace }), keyOf)
	}
	for _, layer := range changes {
		for _, d := range declarations(layer.File) {
			for _, k := range touches(d, b) {
				other := touched[k]
				if o := other.layer; o != nil && o != layer && !buildsOn(layer, o, changes) && !settled[k] {
					clash := l.diags.Errorf("changes-clash", d.Span(d.File), "changes %q and %q both touch %s", o.Name, layer.Name, k).
						WithNote(other.at, "%q does it here", o.Name)
					if !layer.Named.IsZero() {
						clash.WithNote(layer.Named, "they are combined here")
					}
					if d.Kind != nil && !d.Replace && k == keyOf(d) {
						clash.WithHint("both add it: leave one out, or give it another name in one of them")
						l.clashed = append(l.clashed, d)
					} else {
						clash.WithHint("leave one out, or write a ruleset that combines them and replaces it itself")
					}
				}
				touched[k] = touch{layer, d.Span(d.File)}
			}
			if d.Replace && (d.Kind.Turn != nil || d.Kind.Step != nil) {
				for _, e := range b.stepsIn(b.lookup(keyOf(d))) {
					if other := touched[e.Key]; other.layer != nil && other.layer != layer && !buildsOn(layer, other.layer, changes) && !settled[e.Key] {
						at := cmp.Or(layer.Named, nameSpan(d)) // a warning of the file that combines them
						l.diags.Warnf("changes-clash", at, "what change %q makes of %s is lost: change %q replaces what is around it",
							other.layer.Name, e.Key, layer.Name).WithNote(other.at, "%q does it here", other.layer.Name)
					}
				}
			}
		}
		l.apply(b, layer)
	}
}

// buildsOn reports whether a change is for another one of the changes, or for one that is, and so on.
func buildsOn(layer, base *Layer, changes []*Layer) bool {
	for _, c := range slices.Backward(changes[:slices.Index(changes, layer)]) {
		if c.Name == layer.For {
			return c == base || buildsOn(c, base, changes)
		}
	}
	return false
}
