package check

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
)

// InSome checks a book in the settings that are enough to find something in it, and InAll in all; n is how many these are.
func InSome(b *book.Book) (found diag.List, n int) {
	probe, all := probed(b)
	first := covering(all, apart(b))
	some := enough(b, all, first)
	if some == nil {
		some = slices.Repeat([]bool{true}, len(all))
	}
	var these []Setting
	var firstOf []bool
	for i, s := range all {
		if some[i] {
			these, firstOf = append(these, s), append(firstOf, first[i])
		}
	}
	found, _ = bookIn(b, probe, these, firstOf, true)
	return found, len(these)
}

// InAll is InSome for all settings.
func InAll(b *book.Book) (found diag.List, n int) {
	probe, all := probed(b)
	found, _ = bookIn(b, probe, all, covering(all, apart(b)), false)
	return found, len(all)
}

// LeavesOut is the value of a flag that only leaves rules out.
func LeavesOut(b *book.Book, flag string) string { return leavesOut(b, flag) }
