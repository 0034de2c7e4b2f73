package cli

import (
	"fmt"
	"strings"
)

// diffContext is how many equal lines are shown around a change.
const diffContext = 3

// maxDiff bounds the table of a comparison; larger files are shown as replaced from the first difference on.
const maxDiff = 4000

// line is a line of a comparison: kept (' '), taken away ('-') or added ('+').
type line struct {
	mark byte
	text string
}

// unified is the difference of two texts in the usual notation.
func unified(path, old, new string) string {
	lines := compare(splitLines(old), splitLines(new))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s (formatted)\n", path, path)
	oldAt, newAt := 1, 1
	for i := 0; i < len(lines); {
		if lines[i].mark == ' ' {
			i, oldAt, newAt = i+1, oldAt+1, newAt+1
			continue
		}
		from := max(0, i-diffContext)
		to, quiet := i, 0
		for to < len(lines) && quiet <= 2*diffContext {
			if quiet++; lines[to].mark != ' ' {
				quiet = 0
			}
			to++
		}
		to -= max(0, quiet-diffContext)
		oldAt, newAt = oldAt-(i-from), newAt-(i-from)
		oldN, newN := 0, 0
		for _, l := range lines[from:to] {
			if l.mark != '+' {
				oldN++
			}
			if l.mark != '-' {
				newN++
			}
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", oldAt, oldN, newAt, newN)
		for _, l := range lines[from:to] {
			fmt.Fprintf(&b, "%c%s\n", l.mark, l.text)
		}
		i, oldAt, newAt = to, oldAt+oldN, newAt+newN
	}
	return b.String()
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// compare finds the longest common run of lines between equal beginnings and ends.
func compare(a, b []string) []line {
	var head, tail []line
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		head = append(head, line{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, line{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	out := append(head, middle(a, b)...)
	for i := len(tail) - 1; i >= 0; i-- {
		out = append(out, tail[i])
	}
	return out
}

func middle(a, b []string) []line {
	var out []line
	if len(a) > maxDiff || len(b) > maxDiff {
		for _, s := range a {
			out = append(out, line{'-', s})
		}
		for _, s := range b {
			out = append(out, line{'+', s})
		}
		return out
	}
	// common[i][j] is how many lines a[i:] and b[j:] have in common.
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, line{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, line{'-', a[i]})
			i++
		default:
			out = append(out, line{'+', b[j]})
			j++
		}
	}
	return out
}
