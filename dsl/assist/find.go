package assist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/source"
)

// At finds what stands at an offset of a file, which may be a board, in the first of the drafts that knows of it.
func At(drafts []*Draft, file string, offset int) (*Draft, []index.Ref) {
	for _, d := range drafts {
		if d.Names == nil {
			continue
		}
		if refs := d.Names.At(file, offset); len(refs) > 0 {
			return d, refs
		}
	}
	return nil, nil
}

// Definitions lists where what stands at an offset is declared. On the name of a declaration that replaces another it is the
// other.
func Definitions(drafts []*Draft, file string, offset int) []source.Span {
	d, refs := At(drafts, file, offset)
	var out []source.Span
	if d == nil {
		return nil
	}
	earlier := slices.ContainsFunc(refs, func(r index.Ref) bool { return !r.IsDecl() && !r.Decl.IsZero() })
	for _, r := range refs {
		if !r.Decl.IsZero() && !(r.IsDecl() && earlier) && !slices.Contains(out, r.Decl) {
			out = append(out, r.Decl)
		}
	}
	return out
}

// References lists the places where what stands at an offset is named, its declarations included, by file and place.
func References(drafts []*Draft, file string, offset int) []index.Ref {
	d, refs := At(drafts, file, offset)
	if d == nil {
		return nil
	}
	origins := map[index.Place]bool{}
	for _, r := range refs {
		if !r.Decl.IsZero() {
			origins[d.Names.Origin(r.Decl)] = true
		}
	}
	seen := map[index.Place]bool{}
	var out []index.Ref
	for _, d := range drafts {
		if d.Names == nil {
			continue
		}
		for _, r := range d.Names.All() {
			if at := index.PlaceOf(r.Use); !r.Decl.IsZero() && origins[d.Names.Origin(r.Decl)] && !seen[at] {
				seen[at] = true
				out = append(out, r)
			}
		}
	}
	slices.SortFunc(out, func(a, b index.Ref) int {
		return cmp.Or(strings.Compare(a.Use.Name(), b.Use.Name()), cmp.Compare(a.Use.Start, b.Use.Start), cmp.Compare(a.Use.End, b.Use.End))
	})
	return out
}
