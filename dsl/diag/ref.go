package diag

import "github.com/rulerun/rulerun/dsl/source"

// Ref refers to a finding by its index in a list. It stays valid while the list grows, unlike a pointer to an
// element. Sorting or shortening the list makes it invalid.
type Ref struct {
	list *List
	at   int
}

// Get returns the finding. The pointer is valid until the list grows.
func (r Ref) Get() *Diagnostic { return &(*r.list)[r.at] }

// WithHint is Diagnostic.WithHint.
func (r Ref) WithHint(format string, args ...any) Ref {
	r.Get().WithHint(format, args...)
	return r
}

// WithNote is Diagnostic.WithNote.
func (r Ref) WithNote(span source.Span, format string, args ...any) Ref {
	r.Get().WithNote(span, format, args...)
	return r
}

// WithFix is Diagnostic.WithFix.
func (r Ref) WithFix(span source.Span, text, format string, args ...any) Ref {
	r.Get().WithFix(span, text, format, args...)
	return r
}

// DidYouMean is Diagnostic.DidYouMean.
func (r Ref) DidYouMean(name string) Ref {
	r.Get().DidYouMean(name)
	return r
}

// Instead is Diagnostic.Instead.
func (r Ref) Instead(name string) Ref {
	r.Get().Instead(name)
	return r
}

// Suggest proposes the known name most similar to an unknown one. If there is none, the text becomes the hint, unless
// it is empty.
func (r Ref) Suggest(name string, known []string, format string, args ...any) Ref {
	if near := Alike(name, known); near != "" {
		return r.DidYouMean(near)
	}
	if format == "" {
		return r
	}
	return r.WithHint(format, args...)
}
