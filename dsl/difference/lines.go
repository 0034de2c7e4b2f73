package difference

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/seq"
)

// maxLines limits the table of a comparison; longer texts count as replaced from the first difference on.
const maxLines = 4000

// Line is a line of a comparison.
type Line struct {
	Mark byte // unchanged (' '), removed ('-') or added ('+')
	Text string
}

// Lines compares two texts line by line. It computes a longest common subsequence after removing equal beginnings and
// ends.
func Lines(old, new []string) []Line {
	head := 0
	for head < min(len(old), len(new)) && old[head] == new[head] {
		head++
	}
	from, to := len(old), len(new) // of the equal ends
	for from > head && to > head && old[from-1] == new[to-1] {
		from, to = from-1, to-1
	}
	return slices.Concat(marked(' ', old[:head]), middle(old[head:from], new[head:to]), marked(' ', old[from:]))
}

// marked are lines with one mark.
func marked(mark byte, lines []string) []Line {
	return seq.Map(lines, func(text string) Line { return Line{mark, text} })
}

func middle(a, b []string) []Line {
	if len(a) > maxLines || len(b) > maxLines {
		return append(marked('-', a), marked('+', b)...)
	}
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
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
	var out []Line
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, Line{' ', a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			out = append(out, Line{'-', a[i]})
			i++
		default:
			out = append(out, Line{'+', b[j]})
			j++
		}
	}
	return out
}
