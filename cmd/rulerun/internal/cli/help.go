package cli

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// helpWidth is how many columns a help text has at most. With 24 rows it fits any terminal.
const helpWidth = 80

var (
	//go:embed pages/*.txt
	pageFiles embed.FS
	//go:embed verbs/*.txt
	verbFiles embed.FS
)

// manual gives a verb what its page says: how it is called, what it does, examples. Of verbs for players the page has the examples
// alone. RULESET in them becomes the shortest name of a rule book that comes with rulerun.
func manual(c *cobra.Command) {
	page, err := verbFiles.ReadFile("verbs/" + c.Name() + ".txt")
	if err != nil {
		return // a verb of cobra
	}
	text, examples, _ := strings.Cut(strings.TrimSpace(string(page)), "\n\n  rulerun ")
	c.Use, text, _ = strings.Cut(text, "\n\n")
	stages := strings.Fields(strings.Join(interpreter.Stages(), ", ") + ".")
	c.Long = strings.NewReplacer("STAGES\n", wrap(stages, helpWidth, "  "), "SCHEMAS", strings.TrimSpace(wrap(schemaNames(), helpWidth, ""))).Replace(text)
	if examples != "" {
		shortest := slices.MinFunc(shippedNames(), func(a, b string) int { return cmp.Compare(len(a), len(b)) })
		c.Example = strings.NewReplacer("RULESET", shortest, "BOARD", boards.Names()[0]).Replace("  rulerun " + examples)
	}
}

// helpPages are what "rulerun help NAME" prints beside the help of verbs: what does not fit there.
func (s *session) helpPages() map[string]func() string {
	out := map[string]func() string{
		"flags": s.flagsPage, "players": s.playersPage, "programs": s.programsPage, "records": func() string { return s.say("guide.records") },
	}
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
	groups := seq.Filter(s.verbs(), func(g group) bool { return g.name != forPrograms })
	width := seq.Most(groups, func(g group) int { return utf8.RuneCountInString(s.say("group."+g.name)) + 2 })
	for _, g := range groups {
		title := s.say("group." + g.name)
		for _, c := range g.verbs {
			fmt.Fprintf(&b, "%-*s%-8s %s\n", width, title, c.Name(), s.say("short."+c.Name()))
			title = ""
		}
	}
	text := s.say("manual.pages", "pages", locale.For(s.lang).List(slices.Sorted(maps.Keys(s.helpPages()))))
	b.WriteString("\n" + wrap(strings.Fields(text), helpWidth, ""))
	b.WriteString(s.say("manual.codes") + "\n")
	return b.String()
}

// verbHelp is the help of a verb: what it is called with, what it does, examples and flags. Of flags that several verbs
// have it shows the names and the defaults.
func (s *session) verbHelp(cmd *cobra.Command) string {
	l := s.localeOf(cmd)
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
		if isShared(f.Name) {
			if usual && f.Value.Type() != "bool" {
				name = "--" + f.Name + " " + f.DefValue
			}
			shared = append(shared, strings.ReplaceAll(name, " ", "\u00a0"))
			return
		}
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		if usual {
			text = l.Say("manual.default", "text", text, "value", f.DefValue)
		}
		rows = append(rows, [2]string{name, text})
	})
	if len(rows)+len(shared) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(columns(rows))
	if len(shared) > 0 {
		words := append(strings.Fields(l.Say("manual.common")), shared...)
		b.WriteString(strings.ReplaceAll(wrap(words, helpWidth, "  "), "\u00a0", " "))
	}
	return b.String()
}

// forA reports whether a flag is that of A of a comparison.
func forA(f *pflag.Flag) bool { return strings.HasSuffix(f.Name, "-a") }

// columns prints names with what they mean beside them.
func columns(rows [][2]string) string {
	width := seq.Most(rows, func(r [2]string) int { return utf8.RuneCountInString(r[0]) })
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
func (s *session) flagsPage() string {
	return columns(seq.Map(sharedFlags, func(name string) [2]string {
		value, text := pflag.UnquoteUsage(&pflag.Flag{Name: name, Usage: s.say("flag." + name), Value: new(noValue)})
		return [2]string{strings.TrimSpace("--" + name + " " + value), text}
	}))
}

// noValue is the value of a flag that is only described.
type noValue struct{ pflag.Value }

func (noValue) Type() string { return "bool" }

func (s *session) playersPage() string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, name := range bot.Names() {
		head, options := fmt.Sprintf("%-10s  %s", name, s.say("bot."+name)), ""
		for _, o := range bot.Options(name) {
			option, words, _ := strings.Cut(o, "  ")
			if seen[words] {
				head += ", " + option
				continue
			}
			seen[words] = true
			called, _, _ := strings.Cut(option, "=")
			options += fmt.Sprintf("  %-13s  %s\n", option, s.say("bot.option."+name+"_"+strings.ReplaceAll(called, ".", "_")))
		}
		b.WriteString(head + "\n" + options)
	}
	b.WriteString(s.say("guide.seats"))
	return b.String()
}

func (s *session) programsPage() string {
	programs := seq.First(s.verbs(), func(g group) bool { return g.name == forPrograms })
	names := append(seq.Map(programs.verbs, (*cobra.Command).Name), "completion")
	rows := seq.Map(names, func(name string) [2]string { return [2]string{name, locale.For("").Say("short." + name)} })
	return "These verbs are for programs, for paper and for those who work on rulerun:\n\n" + columns(rows) + `
Verbs with --format print JSON too. "rulerun schema" has the schemas, the page
cmd/rulerun/README.md of the repository describes what is printed.
`
}

func (s *session) helpVerb(root *cobra.Command) *cobra.Command {
	cmd := verb("help", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		names := seq.Map(root.Commands(), func(c *cobra.Command) string { return c.Name() + "\t" + c.Short })
		for name := range s.helpPages() {
			names = append(names, name+"\ta page of help")
		}
		return slices.Compact(slices.Sorted(slices.Values(names))), cobra.ShellCompDirectiveNoFileComp
	}, mode{low: 0, high: 1, what: "a verb or a page", run: func(_ *cobra.Command, args []string) error {
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
	}})
	bindLang(cmd, new(string))
	cmd.DisableFlagsInUseLine = true
	return cmd
}
