package assist

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/index"
	"github.com/rulerun/rulerun/dsl/source"
)

// At finds the names at an offset of a rule file or board, in the first of the drafts that uses this file.
func At(drafts []*Draft, file string, offset int) (*Draft, []index.Ref) {
	for _, d := range drafts {
		if refs := d.Names.At(file, offset); len(refs) > 0 {
			return d, refs
		}
	}
	return nil, nil
}

// Definitions lists the declarations of the name at an offset. On the name of a declaration that replaces another, it
// returns the replaced one.
func Definitions(drafts []*Draft, file string, offset int) []source.Span {
	_, refs := At(drafts, file, offset)
	var out []source.Span
	earlier := slices.ContainsFunc(refs, func(r index.Ref) bool { return !r.IsDecl() && !r.Decl.IsZero() })
	for _, r := range refs {
		if !r.Decl.IsZero() && !(r.IsDecl() && earlier) && !slices.Contains(out, r.Decl) {
			out = append(out, r.Decl)
		}
	}
	return out
}

// References lists all uses and declarations of the name at an offset, by file and place.
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
