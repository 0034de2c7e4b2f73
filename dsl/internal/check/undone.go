package check

import (
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// warnUndone warns of changes that the header of the last file applies, and of which its lines leave nothing. What two changes do to the same
// declaration has to be settled there: that is left alone.
func warnUndone(b *book.Book, diags *diag.List) {
	top := b.Top()
	for _, l := range b.Layers {
		if !l.Change || l.Named.File != top.File.Source {
			continue
		}
		u := &undoing{b: b, back: true}
		for _, d := range l.File.Decls {
			if d.Test == nil && !u.leaves(l, d) {
				u.at = source.Span{}
				break
			}
		}
		switch {
		case u.at.IsZero():
		case u.back:
			diags.Warnf("changes-nothing", u.at, "this takes back what %q sets, and it does nothing else", l.Name).WithNote(u.was, "it is set here")
		default:
			diags.Infof("changes-nothing", u.at, "since this is said nothing of %q is left", l.Name).WithNote(u.was, "it says this instead")
		}
	}
}

// undoing looks for what the last file does to the declarations of a change.
type undoing struct {
	b       *book.Book
	at, was source.Span // a line that undoes one of the change
	back    bool        // all of them give options the values they had before
}

// leaves reports whether nothing of a declaration of a change is left, and notes the line because of which that is so.
func (u *undoing) leaves(l *book.Layer, d *syntax.Decl) bool {
	top, value := u.b.Top(), ""
	named := func(o *book.Layer) bool { return o != l && o.Named.File == top.File.Source }
	undone := func(at source.Span, back bool) bool {
		u.at, u.was, u.back = at, d.Span(d.File), u.back && back
		return true
	}
	switch {
	case d.Set != nil && d.Set.Values == nil:
		for _, e := range u.b.Entries {
			if o := e.Decl.Kind.Option; o != nil && o.Value != nil && e.Key.Name == d.Set.Name.Text {
				value = literalText(o.Value)
			}
		}
		for _, s := range u.b.Sets {
			switch is := literalText(s.Decl.Set.Value); {
			case s.Decl.Set.Name.Text != d.Set.Name.Text || s.Layer == l:
			case s.Layer == top:
				return undone(s.Decl.Span(s.Decl.File), is == value)
			case named(s.Layer):
				return false
			default:
				value = is
			}
		}
	case d.Kind != nil:
		for _, r := range removals(u.b) {
			if was := r.Entry.Replaced(); r.Entry.Decl == d && (was == nil || !named(was.Layer)) {
				return undone(r.Span(), false)
			}
		}
		for _, e := range replacements(u.b) {
			if old := e.Replaced(); old.Decl == d && old.Replaced() != nil && !named(old.Replaced().Layer) {
				return undone(e.NameSpan(), false)
			}
		}
	}
	return false
}
