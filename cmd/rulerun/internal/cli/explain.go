package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
)

func (s *session) explain(codes []string, format string) error {
	if format != "text" && format != "markdown" {
		return usagef("flag --format: got %q, want text or markdown", format)
	}
	if len(codes) == 0 {
		return listPages(s.out)
	}
	var found []pages.Page
	for _, code := range codes {
		p, ok := pages.Find(strings.Trim(code, "[]"))
		if !ok {
			return usagef("there is no code %q", code).hintf("\"rulerun check --explain\" lists the codes").nearest(code, pages.Codes())
		}
		found = append(found, p)
	}
	for i, p := range found {
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		text := p.Text
		if format == "text" {
			columns, _ := size(s.out)
			text = plainPage(text, columns, s.color(s.out))
		}
		if _, err := io.WriteString(s.out, text); err != nil {
			return err
		}
	}
	return nil
}

// listPages prints a line for every code, group by group.
func listPages(w io.Writer) error {
	all := seq.Map(pages.Codes(), func(code string) pages.Page {
		p, _ := pages.Find(code)
		return p
	})
	width := seq.Most(all, func(p pages.Page) int { return len(p.Code) })
	var b strings.Builder
	for _, group := range pages.Groups() {
		list := seq.Filter(all, func(p pages.Page) bool { return p.Group == group })
		if len(list) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(group + "\n")
		for _, p := range list {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, p.Code, p.Title)
		}
	}
	b.WriteString("\n\"rulerun check --explain CODE\" says more about one of them.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// The lines a page is printed with: widths a page never goes below and above.
const (
	minPage = 40
	maxPage = 88
)

var markdownLink = pattern.Of(`\[([^\]]*)\]\([^)]*\)`)

// plainPage turns a page into text for people: headings without their signs, paragraphs that fit the columns (0: not a
// terminal), files indented. Of the second file, which is right, a sign marks the lines that the first has not.
func plainPage(text string, columns int, bold bool) string {
	width := maxPage
	if columns > 0 {
		width = max(minPage, min(columns, maxPage))
	}
	var b strings.Builder
	var paragraph []string
	flush := func() {
		b.WriteString(wrap(paragraph, width, ""))
		paragraph = nil
	}
	file, files := false, 0
	wrong := map[string]bool{} // lines of the first file
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		heading := strings.TrimLeft(line, "#")
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			if file = !file; file {
				files++
			}
		case file && line == "":
			b.WriteByte('\n')
		case file:
			margin := "    "
			if files == 1 {
				wrong[line] = true
			} else if files == 2 && !wrong[line] {
				margin = "  > "
			}
			b.WriteString(margin + line + "\n")
		case heading != line && strings.HasPrefix(heading, " "):
			flush()
			heading = strings.TrimSpace(heading)
			if bold {
				heading = "\x1b[1m" + heading + "\x1b[0m"
			}
			b.WriteString(heading + "\n")
		case line == "":
			flush()
			b.WriteByte('\n')
		default:
			paragraph = append(paragraph, strings.Fields(markdownLink().ReplaceAllString(line, "$1"))...)
		}
	}
	flush()
	return b.String()
}
