package phrase

import "strings"

// Fold wraps lines at blanks to a width, and indents continuations; a width of 0 means no limit.
func Fold(text string, columns int, indent string) string {
	if columns <= 0 {
		return text
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		runes := []rune(line)
		for len(runes) > columns {
			at := columns
			for at > len(indent)+1 && runes[at] != ' ' {
				at--
			}
			if runes[at] != ' ' {
				break // a word wider than the line
			}
			out = append(out, strings.TrimRight(string(runes[:at]), " "))
			runes = append([]rune(indent), runes[at+1:]...)
		}
		out = append(out, string(runes))
	}
	return strings.Join(out, "\n")
}
