package boards

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/pattern"
)

// A value that cannot be parsed is reported once. Faults that only follow from it, because a name in it is unknown, are
// suppressed.

var wordsIn = pattern.Of(`[a-z][a-z0-9_]*`)

// suppress records every name in a value that could not be parsed.
func (r *reader) suppress(n *node) {
	if n == nil {
		return
	}
	for _, word := range wordsIn().FindAllString(n.text, -1) {
		r.suppressed[word] = true
	}
	for _, e := range n.entries {
		r.suppress(e.key)
		r.suppress(e.value)
	}
	for _, item := range n.items {
		r.suppress(item)
	}
}

// flattened reports families whose lines are not indented: the family is empty, and the lines that should describe it look
// like families. It returns true if there are such lines.
func (r *reader) flattened(n *node) bool {
	known := familyKeys.all()
	empty := -1
	for i, e := range n.entries {
		is := slices.Contains(known, e.key.text)
		switch {
		case e.value.null && !is:
			empty = i
		case is && empty >= 0 && i == empty+1:
			r.fault("bad-yaml", e.key.span, "this line belongs to %q and must stand in further than it", shorten(n.entries[empty].key.text)).
				WithHint("indent the lines that describe a family by two blanks more than its name")
			return true
		}
	}
	return false
}
