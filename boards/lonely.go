package boards

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
)

// listed are the tags or attributes that squares of a list declare for themselves. A misspelling of one makes a new one.
type listed struct {
	what     string
	none     string // the condition or place of squares without one
	order    []string
	at       map[string][]*node
	declared map[string]bool // a family declares it for its squares, or a mark uses it
	off      map[string]bool // a family declares it with the condition false
}

func newListed(what, none string) *listed {
	return &listed{what: what, none: none, at: map[string][]*node{}, declared: map[string]bool{}, off: map[string]bool{}}
}

func (l *listed) add(key *node) {
	if l.at[key.text] == nil {
		l.order = append(l.order, key.text)
	}
	l.at[key.text] = append(l.at[key.text], key)
}

// minLonely is the shortest name that may be reported as a misspelling: many short names are similar.
const minLonely = 4

// lonely warns of names that only one square of a list has, that no family declares, and that are similar to another name.
// Of two such names it reports the later one.
func (r *reader) lonely(l *listed) {
	var known []string
	for name, declared := range l.declared {
		if declared {
			known = append(known, name)
		}
	}
	alone := func(name string) bool { return len(l.at[name]) == 1 && !l.declared[name] }
	for _, name := range l.order {
		if !alone(name) {
			known = append(known, name)
		}
	}
	known = sortedNames(known)
	for _, name := range l.order {
		if !alone(name) {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return withoutDigits(k) == withoutDigits(name) })
		if near := diag.Nearest(name, others); near != "" && len(name) >= minLonely {
			at := l.at[name][0]
			r.warn("lonely-name", at.inner, "no other square has the %s %q, and it looks like %q", l.what, name, near).
				WithHint("write %q; if both are meant, declare %q under the family's %q: {%s: %s}", near, name, l.what+"s", name, l.none)
		}
		known = append(known, name)
	}
}

// withoutDigits removes the digits of a name: gate_1 and gate_2 differ on purpose.
func withoutDigits(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return '0' <= r && r <= '9' }), "")
}
