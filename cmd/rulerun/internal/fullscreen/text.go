package fullscreen

import (
	"strings"

	"charm.land/lipgloss/v2"
)

// short shortens a name to at most so many columns.
func short(name string, most int) string {
	for r := []rune(name); lipgloss.Width(name) > max(0, most); name = string(r) {
		r = r[:len(r)-1]
	}
	return name
}

// fit cuts or pads a text to a width.
func fit(s string, width int) string {
	if lipgloss.Width(s) > width {
		s = short(s, max(0, width-1)) + "…"
	}
	return s + strings.Repeat(" ", max(0, width-lipgloss.Width(s)))
}

// cut cuts a styled line at the edge of the screen.
func cut(s string, width int) string {
	if lipgloss.Width(s) <= width {
		return s
	}
	return lipgloss.NewStyle().MaxWidth(width).Render(s)
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
			out = append(out, short(w, width))
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
