package cli

import (
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/dsl/difference"
)

// diffContext is how many equal lines are shown around a change.
const diffContext = 3

// unified is the difference of two texts in the usual notation.
func unified(path, old, new string) string {
	lines := difference.Lines(splitLines(old), splitLines(new))
	var b strings.Builder
	fmt.Fprintf(&b, "--- %s\n+++ %s (formatted)\n", path, path)
	oldAt, newAt := 1, 1
	for i := 0; i < len(lines); {
		if lines[i].Mark == ' ' {
			i, oldAt, newAt = i+1, oldAt+1, newAt+1
			continue
		}
		from := max(0, i-diffContext)
		to, quiet := i, 0
		for to < len(lines) && quiet <= 2*diffContext {
			if quiet++; lines[to].Mark != ' ' {
				quiet = 0
			}
			to++
		}
		to -= max(0, quiet-diffContext)
		oldAt, newAt = oldAt-(i-from), newAt-(i-from)
		oldN, newN := 0, 0
		for _, l := range lines[from:to] {
			if l.Mark != '+' {
				oldN++
			}
			if l.Mark != '-' {
				newN++
			}
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", oldAt, oldN, newAt, newN)
		for _, l := range lines[from:to] {
			fmt.Fprintf(&b, "%c%s\n", l.Mark, l.Text)
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
