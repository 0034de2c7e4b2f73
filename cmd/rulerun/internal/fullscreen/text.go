package fullscreen

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// fit cuts or pads a text to a width.
func fit(s string, width int) string {
	s = ansi.Truncate(s, width, "…")
	return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s)))
}

// hang wraps a text to a width; continuation lines are indented.
func hang(s string, width int) []string {
	if lipgloss.Width(s) <= width {
		return []string{s}
	}
	lead := strings.Repeat(" ", len(s)-len(strings.TrimLeft(s, " ")))
	lines := wrap(s, width-len(lead)-2)
	for i := range lines {
		if lines[i] = lead + lines[i]; i > 0 {
			lines[i] = "  " + lines[i]
		}
	}
	return lines
}

// wrap wraps a text at spaces to a width.
func wrap(s string, width int) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(s) {
		for width > 1 && lipgloss.Width(w) > width {
			if line != "" {
				out, line = append(out, line), ""
			}
			out = append(out, ansi.Truncate(w, width, ""))
			w = w[len(out[len(out)-1]):]
		}
		switch {
		case line == "":
			line = w
		case lipgloss.Width(line)+1+lipgloss.Width(w) > width:
			out, line = append(out, line), w
		default:
			line += " " + w
		}
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}
