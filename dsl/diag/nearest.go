package diag

import (
	"slices"
	"strings"
)

// Nearest is the known name most similar to name, "" if none is similar. At most a third of its letters, rounded up, may differ;
// two swapped neighbours count as one difference, and case does not count. Names that differ only in the number at
// their end are not similar. The first of several equal candidates wins. It gives up on lists of thousands of names.
func Nearest(name string, known []string) string { return nearest(name, known, (len(name)+2)/3) }

// Alike is Nearest, but at most a third of the letters rounded down may differ, or one: what is suggested should be meant.
func Alike(name string, known []string) string { return nearest(name, known, max(1, len(name)/3)) }

func nearest(name string, known []string, most int) string {
	best, limit := "", most+1
	if len(name) < 2 || len(known) > 2000 {
		return ""
	}
	for _, k := range known {
		if k == name || otherNumber(name, k) {
			continue
		}
		if d := distance(strings.ToLower(name), strings.ToLower(k), limit); d < limit {
			best, limit = k, d
		}
	}
	return best
}

// otherNumber reports whether two names differ only in the number at their end: c12 is another square than c13, not a
// spelling mistake. Swapped digits are one.
func otherNumber(a, b string) bool {
	const digits = "0123456789"
	x, y := strings.TrimRight(a, digits), strings.TrimRight(b, digits)
	if len(x) == len(a) || !strings.EqualFold(x, y) {
		return false
	}
	m, n := []byte(a[len(x):]), []byte(b[len(y):])
	slices.Sort(m)
	slices.Sort(n)
	return !slices.Equal(m, n)
}

// distance is the optimal string alignment distance of a and b, at most limit.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) >= limit || len(y)-len(x) >= limit || len(x) > 64 || len(y) > 64 {
		return limit
	}
	var rows [3][66]int
	for j := range len(y) + 1 {
		rows[1][j] = j
	}
	for i := 1; i <= len(x); i++ {
		before, last, row := &rows[(i+2)%3], &rows[i%3], &rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return min(rows[(len(x)+1)%3][len(y)], limit)
}
