package book

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// keyOf returns the key of a declaration. All seats and all teams share one key, each with its own condition.
func keyOf(d *syntax.Decl) Key {
	h := d.Head()
	return Key{h.Space, h.ID}
}

// Declares reports whether the entry declares a name.
func (e *Entry) Declares(name string) bool { return e.Key.Name == name }

// declarations lists the declarations of a file, with one for each die of a line of dice.
func declarations(f *syntax.File) []*syntax.Decl {
	var out []*syntax.Decl
	for _, d := range f.Decls {
		if d.Kind == nil || d.Kind.Dice == nil {
			out = append(out, d)
			continue
		}
		for i := range d.Kind.Dice.Names {
			one, kind, dice := *d, *d.Kind, *d.Kind.Dice
			dice.Names = dice.Names[i : i+1]
			one.Kind, kind.Dice = &kind, &dice
			out = append(out, &one)
		}
	}
	return out
}

// nameSpan is the span of the declared name.
func nameSpan(d *syntax.Decl) source.Span {
	if n := d.Name(); n != nil {
		return n.Span(d.File)
	}
	if b := d.Kind.Board; b != nil {
		return b.Name.Span(d.File)
	}
	return d.Kind.Span(d.File)
}

// touches lists the keys that a declaration of a change modifies.
func touches(d *syntax.Decl, b *Book) []Key {
	switch {
	case d.Kind != nil && d.Kind.Step != nil && d.Kind.Step.Where != "":
		return nil // several changes can extend a step
	case d.Kind != nil:
		return []Key{keyOf(d)}
	case d.Without != nil:
		var keys []Key
		for _, n := range d.Without.Names {
			if e := b.without(d.Without, n); e != nil {
				keys = append(keys, e.Key)
			}
		}
		return keys
	case d.Set != nil:
		return []Key{{"option", d.Set.Name.Text}}
	case d.Rename != nil:
		renamed := func(e *Entry) bool { return slices.Contains(removal, e.Key.Kind) && e.Declares(d.Rename.From.Text) }
		return seq.Map(seq.Filter(b.Entries, renamed), func(e *Entry) Key { return e.Key })
	}
	return nil
}

// removal is the search order for a bare name in a removal: rules first, because authors usually mean the rule.
var removal = []string{"rule", "name", "field", "option", "act", "move", "secret", "count", "step"}

// without is the entry that a line takes away under a name, nil if there is none.
func (b *Book) without(d *syntax.Without, n *syntax.Name) *Entry {
	if d.Step {
		return b.lookup(Key{"step", n.Text})
	}
	for _, kind := range removal {
		if e := b.lookup(Key{kind, n.Text}); e != nil {
			return e
		}
	}
	return b.lookup(Key{Kind: n.Text}) // singletons: without setup, without first
}

func (b *Book) lookup(k Key) *Entry {
	return seq.First(b.Entries, func(e *Entry) bool { return e.Key == k })
}

// NamesOf lists the names of a kind.
func (b *Book) NamesOf(kind string) []string {
	return b.names(func(k Key) bool { return k.Kind == kind })
}

func (b *Book) names(is func(Key) bool) []string {
	named := seq.Filter(b.Entries, func(e *Entry) bool { return e.Key.Name != "" && is(e.Key) })
	return seq.Map(named, func(e *Entry) string { return e.Key.Name })
}

// apply adds the declarations of a layer to the book.
func (l *loader) apply(b *Book, layer *Layer) {
	b.Layers = append(b.Layers, layer)
	for _, d := range declarations(layer.File) {
		switch {
		case d.Test != nil:
		case d.Without != nil:
			l.without(b, d)
		case d.Set != nil:
			for _, s := range b.Sets {
				if s.Layer == layer && s.Decl.Set.Name.Text == d.Set.Name.Text {
					l.diags.Errorf("declared-twice", d.Set.Name.Span(d.File), "option %q is set twice here", d.Set.Name.Text).
						WithNote(s.Decl.Set.Span(s.Decl.File), "the other one")
				}
			}
			b.Sets = append(b.Sets, &SetEntry{d, layer})
			l.named(b, d.Set.Name, d.File, "option")
		case d.Rename != nil:
			l.rename(b, d)
		case d.Replace:
			l.replace(b, d, layer)
		case d.Kind.Step != nil:
			l.extend(b, d, layer)
		default:
			l.add(b, d, layer)
			l.steps(b, d, layer)
		}
	}
}

// steps adds the named steps in a declaration as entries of their own, so that what comes later finds them.
func (l *loader) steps(b *Book, d *syntax.Decl, layer *Layer) {
	for n := range syntax.All[*syntax.NamedStep](d.Kind) {
		if n == d.Kind.Step {
			continue
		}
		if at := b.removedStep(n.Name.Text, d); !at.IsZero() {
			l.diags.Errorf("declared-twice", n.Name.Span(d.File), "step %q was taken away elsewhere in the turn", n.Name.Text).
				WithNote(at, "it was here").WithHint("give this one another name")
		}
		l.add(b, &syntax.Decl{At: n.At, File: d.File, Kind: &syntax.Kind{At: n.At, Step: n}}, layer)
	}
}

// removedStep is the place in the turn, outside of a declaration, of a removed step, zero for none: an added one of that name would be done
// there too.
func (b *Book) removedStep(name string, outside *syntax.Decl) (at source.Span) {
	if b.lookup(Key{"step", name}) != nil {
		return at
	}
	own := outside.Span(outside.File)
	for _, e := range b.Entries {
		kind := e.Decl.Kind
		syntax.Walk(kind, func(node any) bool {
			n, ok := node.(*syntax.NamedStep)
			if !ok || n == kind.Step {
				return true
			}
			if span := n.Name.Span(e.Decl.File); n.Name.Text == name && (span.File != own.File || span.Start < own.Start || span.End > own.End) {
				at = span
			}
			return false
		})
	}
	return at
}

// extend adds what a change puts before or after a step. As rules do, what comes later stands nearer to it.
func (l *loader) extend(b *Book, d *syntax.Decl, layer *Layer) {
	n := d.Kind.Step
	if n.Where == "" {
		l.diags.Errorf("out-of-place", nameSpan(d), "a step stands in the turn").
			WithHint("a change writes: replace step %s, before step %s or after step %s", n.Name.Text, n.Name.Text, n.Name.Text)
		return
	}
	if l.named(b, n.Name, d.File, "step") == nil {
		return
	}
	b.Entries = append(b.Entries, newEntry(d, layer))
	l.steps(b, d, layer)
}

// forget drops the steps of a declaration that is replaced, and reports what is before or after one that the new one has not.
func (l *loader) forget(b *Book, old *Entry, d *syntax.Decl) {
	kept := map[string]bool{}
	for n := range syntax.All[*syntax.NamedStep](d.Kind) {
		kept[n.Name.Text] = true
	}
	for _, step := range b.stepsIn(old) {
		b.Entries = slices.DeleteFunc(b.Entries, func(e *Entry) bool {
			part := e.Decl.Kind.Step
			if part == nil || part.Name.Text != step.Key.Name {
				return false
			}
			if part.Where != "" && !kept[part.Name.Text] {
				l.diags.Errorf("unknown-name", nameSpan(d), "this has no step %q, and it is extended", part.Name.Text).
					WithNote(part.Name.Span(e.Decl.File), "here")
			}
			return part.Where == ""
		})
	}
}

// stepsIn lists the steps within an entry as they are now, with those within them.
func (b *Book) stepsIn(e *Entry) []*Entry {
	if e == nil {
		return nil
	}
	seen, _ := b.within(e, func(x *Entry) bool { return x.Key.Kind == "step" })
	return seen[1:]
}

// within lists an entry and those of steps that it has within, at any depth, with the names of these steps. All entries about such a step
// that are wanted count.
func (b *Book) within(e *Entry, wanted func(*Entry) bool) (seen []*Entry, names map[string]bool) {
	seen, names = []*Entry{e}, map[string]bool{}
	for i := 0; i < len(seen); i++ {
		kind := seen[i].Decl.Kind
		for n := range syntax.All[*syntax.NamedStep](kind) {
			if n == kind.Step || names[n.Name.Text] {
				continue
			}
			names[n.Name.Text] = true
			for _, x := range b.Entries {
				if part := x.Decl.Kind.Step; part != nil && part.Name.Text == n.Name.Text && wanted(x) && !slices.Contains(seen, x) {
					seen = append(seen, x)
				}
			}
		}
	}
	return seen, names
}

// separate drops the steps that have themselves within: they are declared twice, as was said, and what they do has no end.
func (b *Book) separate() {
	endless := seq.Filter(b.Entries, func(e *Entry) bool {
		part := e.Decl.Kind.Step
		if part == nil {
			return false
		}
		_, names := b.within(e, func(*Entry) bool { return true })
		return names[part.Name.Text]
	})
	b.Entries = slices.DeleteFunc(b.Entries, func(e *Entry) bool { return slices.Contains(endless, e) })
}

// named is the entry of a kind that a name refers to, nil with a fault if there is none.
func (l *loader) named(b *Book, n *syntax.Name, f *source.File, kind string) *Entry {
	e := b.lookup(Key{kind, n.Text})
	if e == nil {
		l.unknown(b, n, f, kind)
	} else {
		b.refer(n, f, e)
	}
	return e
}

func (l *loader) unknown(b *Book, n *syntax.Name, f *source.File, kind string) {
	d := l.diags.Errorf("unknown-name", n.Span(f), "there is no %s %q", kind, n.Text)
	if b.Renamed(d, n.Text) || b.taken(d, n.Text, kind) {
		return
	}
	hint, known := "", b.NamesOf(kind)
	if len(known) > 0 && len(known) <= maxNames {
		hint = "there is: " + strings.Join(known, ", ")
	}
	if kind == "option" {
		hint = cmp.Or(b.replaced(n.Text), hint)
	}
	d.Suggest(n.Text, known, "%s", hint)
}

// replaced says how what has a name, or one like it, is changed, if it is no option.
func (b *Book) replaced(name string) string {
	var known []string
	kinds := map[string]string{}
	for _, e := range b.Entries {
		if k := e.Decl.Kind; k.Dice != nil || k.Var != nil || k.Let != nil {
			known, kinds[e.Key.Name] = append(known, e.Key.Name), e.Decl.Head().Word
		}
	}
	meant := name
	if kinds[name] == "" {
		meant = diag.Nearest(name, known)
	}
	if kinds[meant] == "" {
		return ""
	}
	return fmt.Sprintf("set is for options; %q is replaced: replace %s %s …", meant, kinds[meant], meant)
}

func (l *loader) without(b *Book, d *syntax.Decl) {
	for i, n := range d.Without.Names {
		e := b.without(d.Without, n)
		switch {
		case e == nil && d.Without.Step:
			l.unknown(b, n, d.File, "step")
		case e == nil && slices.ContainsFunc(d.Without.Names[:i], func(x *syntax.Name) bool { return x.Text == n.Text }):
			l.diags.Errorf("declared-twice", n.Span(d.File), "%q is taken away twice", n.Text)
		case e == nil:
			l.unknownThing(b, n, d.File, "to take away")
		case d.Without.If != nil:
			b.refer(n, d.File, e)
			changed := *e
			changed.If = append(slices.Clone(e.If), &Cond{Expr: d.Without.If, File: d.File, Not: true})
			b.Entries[slices.Index(b.Entries, e)] = &changed
		default:
			b.refer(n, d.File, e)
			b.Removed = append(b.Removed, &Removal{Entry: e, By: d})
			gone := append(b.stepsIn(e), e)
			b.Entries = slices.DeleteFunc(b.Entries, func(x *Entry) bool { return slices.Contains(gone, x) })
		}
	}
}

func (l *loader) add(b *Book, d *syntax.Decl, layer *Layer) {
	k := keyOf(d)
	e := newEntry(d, layer)
	if slices.Contains(l.clashed, d) {
		return // another change adds it too, which is reported
	}
	if other := b.lookup(k); other != nil && (len(e.If) == 0 && len(other.If) == 0 || k.Kind != "seats" && k.Kind != "teams") {
		diagnostic := l.diags.Errorf("declared-twice", nameSpan(d), "%s is there already", k)
		if k.Kind == "name" {
			b.Twice = append(b.Twice, k.Name)
		}
		diagnostic.WithNote(nameSpan(other.Decl), "the other one")
		if other.Decl.Head().Word != d.Head().Word {
			diagnostic.WithHint("that is %s; give this one another name", article(other.Decl))
		} else if other.Layer != layer {
			at := d.Span(d.File)
			diagnostic.WithHint("to change it write: replace %s", d.Head().Word).
				WithFix(d.File.Span(at.Start, at.Start), "replace ", "put the word replace before it")
		}
		return
	}
	if _, event := syntax.FindWord(syntax.EventWord, k.Name); event && (d.Kind.Act != nil || d.Kind.Move != nil) {
		r := &renamer{to: k.Name, kinds: []string{k.Kind}}
		if m := d.Kind.Move; m != nil {
			r.binds = len(m.Binds)
		}
		if l.takes(b, r, nameSpan(d), layer) {
			return
		}
	}
	at := len(b.Entries)
	if r := d.Kind.Rule; r != nil && (r.Before != nil || r.After != nil) {
		anchor, after := r.Before, 0
		if anchor == nil {
			anchor, after = r.After, 1
		}
		if other := l.named(b, anchor, d.File, "rule"); other != nil {
			at = slices.Index(b.Entries, other) + after
		}
	}
	b.Entries = slices.Insert(b.Entries, at, e)
}

func (l *loader) replace(b *Book, d *syntax.Decl, layer *Layer) {
	k := keyOf(d)
	if n := d.Kind.Step; n != nil && n.Where != "" {
		l.diags.Errorf("replace-misfit", nameSpan(d), "a step is replaced, or extended before or after it").
			WithHint("write: replace step %s, or: %s step %s", n.Name.Text, n.Where, n.Name.Text)
		return
	}
	old := b.lookup(k)
	if old == nil && k == (Key{"name", "mine"}) { // declared by the language itself
		l.add(b, d, layer)
		return
	}
	if old == nil && k.Kind == "step" {
		l.unknown(b, d.Kind.Step.Name, d.File, "step")
		return
	}
	if old == nil {
		diagnostic := l.diags.Errorf("unknown-name", nameSpan(d), "there is no %s to replace", describe(d, k))
		near, taken := diag.Nearest(k.Name, b.NamesOf(k.Kind)), b.taken(diagnostic, k.Name, k.Kind)
		switch {
		case b.Renamed(diagnostic, k.Name):
		case near != "" && !taken && k.Kind != "seats":
			diagnostic.DidYouMean(near)
		default:
			diagnostic.WithHint("leave out the word replace to add it")
			if at := d.Span(d.File); strings.HasPrefix(at.Text(), "replace ") {
				diagnostic.WithFix(d.File.Span(at.Start, at.Start+len("replace ")), "", "leave out the word replace")
			}
		}
		return
	}
	if old.Decl.Head().Word != d.Head().Word {
		l.diags.Errorf("replace-misfit", nameSpan(d), "%s is %s, and %s cannot replace it", k, article(old.Decl), article(d)).
			WithNote(nameSpan(old.Decl), "declared here")
		return
	}
	if old.Layer == layer {
		diagnostic := l.diags.Errorf("declared-twice", nameSpan(d), "%s is declared in this file already", k)
		if old.before != nil {
			diagnostic.Get().Message = k.String() + " is replaced twice in this file"
		}
		diagnostic.WithNote(nameSpan(old.Decl), "the other one").WithHint("join the two into one")
		return
	}
	if !l.sameShape(old.Decl, d) {
		return // users of the name are checked against the old entry
	}
	if r := d.Kind.Rule; r != nil && (r.Before != nil || r.After != nil) {
		l.diags.Errorf("replace-misfit", nameSpan(d), "a replaced rule keeps its place; before and after are for added rules")
	}
	e := newEntry(d, layer)
	e.before = old
	if k.Name != "" && k.Kind != "seats" {
		b.Refs = append(b.Refs, Ref{Use: e.NameSpan(), Decl: old.NameSpan(), Key: k, Word: d.Head().Word, Replaces: true})
	}
	b.Entries[slices.Index(b.Entries, old)] = e
	l.forget(b, old, d)
	l.steps(b, d, layer)
}

// article is the kind of a declaration with its article, for messages.
func article(d *syntax.Decl) string {
	switch w := d.Head().Word; w {
	case "dice":
		return "a die"
	case "var":
		return "a variable"
	case "option", "act":
		return "an " + w
	default:
		return "a " + w
	}
}

func describe(d *syntax.Decl, k Key) string {
	if k.Name == "" || k.Kind == "seats" {
		return strings.TrimSpace(d.Head().Word + " " + k.Name)
	}
	return d.Head().Word + " " + strconv.Quote(k.Name)
}

// sameShape reports a replacement whose parameters differ from those of the old declaration: its users would break.
func (l *loader) sameShape(old, d *syntax.Decl) bool {
	text := func(f *source.File, ps []*syntax.ParamOf) []string {
		return seq.Map(ps, func(p *syntax.ParamOf) string { return p.Type.Span(f).Text() })
	}
	var was, is []string
	switch k := d.Kind; {
	case k.Let != nil:
		was, is = text(old.File, old.Kind.Let.Params), text(d.File, k.Let.Params)
	case k.Act != nil:
		was, is = text(old.File, old.Kind.Act.Params), text(d.File, k.Act.Params)
	default:
		return true
	}
	if !slices.Equal(was, is) {
		l.diags.Errorf("replace-misfit", nameSpan(d), "the parameters differ from those of the one it replaces").
			WithNote(nameSpan(old), "it has (%s)", strings.Join(was, ", ")).WithHint("keep the types: everything that uses the name relies on them")
		return false
	}
	return true
}

// Names lists the declared names, or the name of the key for an entry without one.
func (e *Entry) Names() []string {
	out := seq.Map(e.Decl.Head().Names, func(n *syntax.Name) string { return n.Text })
	if out == nil {
		out = []string{e.Key.Name}
	}
	return out
}

// refer records that a name refers to an entry.
func (b *Book) refer(n *syntax.Name, f *source.File, e *Entry) {
	if e.Key.Name != "" && e.Key.Kind != "seats" {
		b.Refs = append(b.Refs, Ref{Use: n.Span(f), Decl: e.NameSpan(), Key: Key{e.Key.Kind, n.Text}, Word: e.Decl.Head().Word})
	}
}

// referFile records that a name in a header refers to the file that declares this name.
func (l *loader) referFile(b *Book, n *syntax.Name, from *source.File) {
	if n == nil {
		return
	}
	if file, ok := l.finder.Rules(n.Text, from); ok && l.trees[file.Name()] != nil && l.trees[file.Name()].Name() != nil {
		name := l.trees[file.Name()].Name()
		b.Refs = append(b.Refs, Ref{Use: n.Span(from), Decl: name.Span(l.trees[file.Name()].Source), Key: Key{"book", n.Text}})
	}
}

// NameSpan is the span of the entry's name.
func (e *Entry) NameSpan() source.Span { return e.name }
