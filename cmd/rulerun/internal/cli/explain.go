package cli

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
)

func (s *session) explainVerb() *cobra.Command {
	format := "text"
	cmd := &cobra.Command{
		Use:   "explain [CODE…]",
		Short: "Say more about a finding of check",
		Long: `explain prints the page of a code that check shows in square brackets: what it means, how to
mend it, an example that has it and one that has not. Without a code it lists them all.`,
		Example: s.examples("explain unknown-name", "explain unused never-applies", "explain"),
		Args:    arguments(0, -1, "codes"),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "markdown" {
				return usagef("flag --format: got %q, want text or markdown", format)
			}
			return s.explain(args, format == "markdown")
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			codes := pages.Codes()
			for i, code := range codes {
				codes[i] = code + "\t" + pages.Title(code)
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringVar(&format, "format", format, "`how` to print: text or markdown")
	s.completeFlag(cmd, "format", completeWords("text", "markdown"))
	return cmd
}

func (s *session) explain(codes []string, markdown bool) error {
	if len(codes) == 0 {
		return listPages(s.out)
	}
	var found []pages.Page
	for _, code := range codes {
		p, ok := pages.Find(strings.Trim(code, "[]"))
		if !ok {
			e := usagef("there is no code %q", code)
			e.hint = "\"rulerun explain\" lists the codes"
			if near := diag.Nearest(code, pages.Codes()); near != "" {
				e.hint = fmt.Sprintf("did you mean %q?", near)
			}
			return e
		}
		found = append(found, p)
	}
	for i, p := range found {
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		text := p.Text
		if !markdown {
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
	var all []pages.Page
	width := 0
	for _, code := range pages.Codes() {
		p, _ := pages.Find(code)
		all = append(all, p)
		width = max(width, len(code))
	}
	var b strings.Builder
	for _, group := range pages.Groups() {
		head := group
		for _, p := range all {
			if p.Group != group {
				continue
			}
			if head != "" {
				if b.Len() > 0 {
					b.WriteByte('\n')
				}
				b.WriteString(head + "\n")
				head = ""
			}
			fmt.Fprintf(&b, "  %-*s  %s\n", width, p.Code, p.Title)
		}
	}
	b.WriteString("\n\"rulerun explain CODE\" says more about one of them.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// The lines a page is printed with: widths a page never goes below and above.
const (
	minPage = 40
	maxPage = 88
)

var markdownLink = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// plainPage turns a page into text for people: headings without their signs, paragraphs that fit the columns (0: not a
// terminal), files indented.
func plainPage(text string, columns int, bold bool) string {
	width := maxPage
	if columns > 0 {
		width = max(minPage, min(columns, maxPage))
	}
	var b strings.Builder
	var paragraph []string
	flush := func() {
		line := 0
		for _, word := range paragraph {
			n := utf8.RuneCountInString(word)
			switch {
			case line > 0 && line+1+n > width:
				b.WriteByte('\n')
				line = 0
			case line > 0:
				b.WriteByte(' ')
				line++
			}
			b.WriteString(word)
			line += n
		}
		if len(paragraph) > 0 {
			b.WriteByte('\n')
		}
		paragraph = nil
	}
	file := false
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		heading := strings.TrimLeft(line, "#")
		switch {
		case strings.HasPrefix(line, "```"):
			flush()
			file = !file
		case file && line == "":
			b.WriteByte('\n')
		case file:
			b.WriteString("    " + line + "\n")
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
			paragraph = append(paragraph, strings.Fields(markdownLink.ReplaceAllString(line, "$1"))...)
		}
	}
	flush()
	return b.String()
}
