package boards

import "regexp"

// What could not be read is reported once: the names in it are spoilt, and nothing that speaks of them is reported again.

var wordsIn = regexp.MustCompile(`[a-z][a-z0-9_]*`)

// spoil notes every name in a value that could not be read.
func (r *reader) spoil(n *node) {
	if n == nil {
		return
	}
	for _, word := range wordsIn.FindAllString(n.text, -1) {
		r.spoilt[word] = true
	}
	for _, e := range n.entries {
		r.spoil(e.key)
		r.spoil(e.value)
	}
	for _, item := range n.items {
		r.spoil(item)
	}
}

// flattened reports families whose lines do not stand in: the family itself is empty, and the lines that should
// describe it look like families. It is true where there are such lines.
func (r *reader) flattened(n *node) bool {
	known := familyKeys.all()
	empty := -1
	for i, e := range n.entries {
		is := false
		for _, k := range known {
			is = is || e.key.text == k
		}
		switch {
		case e.value.null && !is:
			empty = i
		case is && empty >= 0 && i == empty+1:
			r.fault("bad-yaml", e.key.span, "this line belongs to %q and must stand in further than it", shorten(n.entries[empty].key.text)).
				WithHint("indent the lines that describe a family by two blanks more than its name")
			r.spoil(n)
			return true
		}
	}
	return false
}
