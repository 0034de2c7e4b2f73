package cli

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// helpWidth is how many columns a help text has at most. With 24 rows it fits any terminal.
const helpWidth = 80

//go:embed pages/*.txt
var pageFiles embed.FS

// helpPages are what "rulerun help NAME" prints beside the help of verbs: what does not fit there.
func (s *session) helpPages() map[string]func() string {
	out := map[string]func() string{"flags": flagsPage, "players": playersPage, "programs": s.programsPage}
	paths, _ := fs.Glob(pageFiles, "pages/*.txt") // embedded files can be read
	for _, p := range paths {
		text, _ := pageFiles.ReadFile(p)
		out[strings.TrimSuffix(path.Base(p), ".txt")] = func() string { return string(text) }
	}
	return out
}

// rootHelp is the help of the command: the verbs by what people want.
func (s *session) rootHelp(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", root.Long)
	for _, g := range s.verbs() {
		title := g.title
		for _, c := range g.verbs {
			if g.title != forPrograms {
				fmt.Fprintf(&b, "%-6s %-8s %s\n", title, c.Name(), c.Short)
				title = ""
			}
		}
	}
	var names []string
	for name := range s.helpPages() {
		names = append(names, name)
	}
	slices.Sort(names)
	text := `"rulerun VERB --help" says more, and "rulerun help PAGE": ` + door.Join(names) + "."
	b.WriteString("\n" + wrap(strings.Fields(text), helpWidth, ""))
	b.WriteString("Exit codes: 0 all is fine, 1 rules or a check failed, 2 a wrong command line.\n")
	return b.String()
}

// verbHelp is the help of a verb: what it is called with, what it does, examples and flags. Of flags that several verbs
// have it shows the names and the defaults.
func verbHelp(cmd *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "rulerun %s\n\n%s\n", cmd.Use, cmd.Long)
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\n%s\n", cmd.Example)
	}
	var rows [][2]string
	var shared []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" || forA(f) && f.Name != "set-a" || cmd.Root().PersistentFlags().Lookup(f.Name) != nil { // "help flags" has those of all verbs
			return
		}
		value, text := pflag.UnquoteUsage(f)
		name := strings.TrimSpace("--" + f.Name + " " + value)
		usual := !slices.Contains([]string{"", "0", "0s", "false", "[]"}, f.DefValue)
		if forA(f) { // one row for all
			name = "--…-a"
		}
		switch {
		case isShared(f.Name):
			if usual && f.Value.Type() != "bool" {
				name = "--" + f.Name + " " + f.DefValue
			}
			shared = append(shared, strings.ReplaceAll(name, " ", "\u00a0"))
		default:
			if f.Shorthand != "" {
				name = "-" + f.Shorthand + ", " + name
			}
			if usual {
				text += " (default " + f.DefValue + ")"
			}
			rows = append(rows, [2]string{name, text})
		}
	})
	if len(rows)+len(shared) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(columns(rows))
	if len(shared) > 0 {
		words := append(strings.Fields("Common (\"rulerun help flags\"):"), shared...)
		b.WriteString(strings.ReplaceAll(wrap(words, helpWidth, "  "), "\u00a0", " "))
	}
	return b.String()
}

// forA reports whether a flag is that of A of a comparison.
func forA(f *pflag.Flag) bool { return strings.HasSuffix(f.Name, "-a") }

// columns prints names with what they mean beside them.
func columns(rows [][2]string) string {
	width := 0
	for _, r := range rows {
		width = max(width, utf8.RuneCountInString(r[0]))
	}
	indent := strings.Repeat(" ", width+4)
	var b strings.Builder
	for _, r := range rows {
		text := wrap(strings.Fields(r[1]), helpWidth, indent)
		fmt.Fprintf(&b, "  %-*s  %s", width, r[0], strings.TrimLeft(text, " "))
	}
	return b.String()
}

// wrap joins words to lines of a width, each after an indent and with a line feed.
func wrap(words []string, width int, indent string) string {
	if len(words) == 0 {
		return ""
	}
	return phrase.Fold(indent+strings.Join(words, " "), width, indent) + "\n"
}

// flagsPage lists the flags that mean the same wherever a verb has them.
func flagsPage() string {
	var rows [][2]string
	described := pflag.NewFlagSet("", pflag.ContinueOnError)
	for _, f := range sharedFlags {
		described.Bool(f[0], false, f[1])
		value, text := pflag.UnquoteUsage(described.Lookup(f[0]))
		rows = append(rows, [2]string{strings.TrimSpace("--" + f[0] + " " + value), text})
	}
	return columns(rows)
}

func playersPage() string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, name := range bot.Names() {
		head, options := fmt.Sprintf("%-10s  %s", name, bot.Describe(name)), ""
		for _, o := range bot.Options(name) {
			option, words, _ := strings.Cut(o, "  ")
			if seen[words] {
				head += ", " + option
				continue
			}
			seen[words] = true
			options += fmt.Sprintf("  %-13s  %s\n", option, words)
		}
		b.WriteString(head + "\n" + options)
	}
	b.WriteString(`Options follow a colon, the first needs no name: greedy:progress=2,home=20.
"human" is a person, "bot" greedy in studies, and in games strong or medium.
`)
	return b.String()
}

func (s *session) programsPage() string {
	var rows [][2]string
	for _, g := range s.verbs() {
		for _, c := range g.verbs {
			if g.title == forPrograms {
				rows = append(rows, [2]string{c.Name(), c.Short})
			}
		}
	}
	rows = append(rows, [2]string{"completion", "Write what a shell needs to complete command lines"})
	return "These verbs are for programs, for paper and for those who work on rulerun:\n\n" + columns(rows) + `
Verbs with --format print JSON too. "rulerun schema" has the schemas, the page
cmd/rulerun/README.md of the repository describes what is printed.
`
}

func (s *session) helpVerb(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB|PAGE]",
		Short: "Say what the command or a verb does",
		Long:  "help prints the help of the command or of a verb, or a page about something.",
		Args:  arguments(0, 1, "a verb or a page"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			for _, c := range root.Commands() {
				if c.Name() == args[0] || c.HasAlias(args[0]) {
					return c.Help()
				}
			}
			if page, ok := s.helpPages()[args[0]]; ok {
				_, err := fmt.Fprint(s.out, page())
				return err
			}
			return root.RunE(root, args)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names := seq.Map(root.Commands(), func(c *cobra.Command) string { return c.Name() + "\t" + c.Short })
			for name := range s.helpPages() {
				names = append(names, name+"\ta page of help")
			}
			slices.Sort(names)
			return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
		},
	}
}
