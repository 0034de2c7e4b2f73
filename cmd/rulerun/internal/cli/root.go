package cli

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
)

func (s *session) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "rulerun",
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			return noVerb(cmd, args[0])
		},
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		s.noteOldName(cmd)
		s.describe(cmd)
		if cmd != root {
			fmt.Fprint(s.out, s.verbHelp(cmd))
		} else if args := root.Flags().Args(); len(args) > 0 {
			s.unhelped = noVerb(root, args[0])
		} else {
			fmt.Fprint(s.out, s.rootHelp(root))
		}
	})
	root.PersistentFlags().StringArrayVar(&s.path, "path", nil, "")
	bindLang(root, new(string))
	root.SetVersionTemplate("rulerun {{.Version}}\n")
	for _, g := range s.verbs() {
		root.AddGroup(&cobra.Group{ID: g.name})
		for _, c := range g.verbs {
			c.GroupID = g.name
			for old, now := range oldNames {
				if now.verb == c.Name() {
					c.Aliases = append(c.Aliases, old)
				}
			}
			root.AddCommand(c)
		}
	}
	root.PersistentPreRun = func(cmd *cobra.Command, _ []string) {
		s.noteOldName(cmd)
		if cmd.Name() == cobra.ShellCompRequestCmd { // a shell shows what verbs and flags mean
			for _, c := range append(root.Commands(), root) {
				s.describe(c)
			}
		}
	}
	root.AddCommand(verb("version", nil, mode{low: 0, high: 0, what: "no arguments", run: func(*cobra.Command, []string) error {
		_, err := fmt.Fprintf(s.out, "rulerun %s\n", version())
		return err
	}}))
	root.SetHelpCommand(s.helpVerb(root))
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	root.Flags().Lookup("help").Usage = "say what the command does"
	root.Flags().Lookup("version").Usage = "say which version this is"
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.GroupID = forPrograms
		}
		c.InitDefaultHelpFlag()
		c.Flags().Lookup("help").Usage = "say what the verb does"
		c.Flags().SortFlags = false
		c.DisableFlagsInUseLine = true
	}
	return root
}

// noVerb is the error of a command with a word that is not a verb.
func noVerb(root *cobra.Command, word string) error {
	known := seq.Map(seq.Filter(root.Commands(), (*cobra.Command).IsAvailableCommand), (*cobra.Command).Name)
	e := told("usage.no_verb", "verb", strconv.Quote(word))
	if near := diag.Nearest(word, known); near != "" {
		return e.hinted("usage.near", "name", strconv.Quote("rulerun "+near))
	}
	return e.hinted("usage.verbs", "verbs", known)
}

// describe gives a verb and its flags the texts of its page and of the catalogue, which most runs need not read. What only flags of verbs that are not for players
// mean is in English beside their code.
func (s *session) describe(c *cobra.Command) {
	manual(c)
	c.Short = s.say("short." + c.Name())
	if c.Long == "" {
		c.Long = s.say("about." + c.Name())
	}
	if c.Annotations[forPlayers] != "" && c.Name() != "rulerun" {
		c.Use = c.Name() + " " + s.say("call."+c.Name())
	}
	for _, flags := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if f.Usage == "" {
				f.Usage = s.localeOf(c).Say("flag." + f.Name)
			}
		})
	}
}

func (s *session) localeOf(c *cobra.Command) *locale.Locale {
	if c.Annotations[forPlayers] == "" {
		return locale.For("")
	}
	return locale.For(s.lang)
}

// group is the verbs for one thing people want.
type group struct {
	name  string
	verbs []*cobra.Command
}

// forPrograms is the group of the verbs whose output programs read. The first help does not list them.
const forPrograms = "programs"

func (s *session) verbs() []group {
	return []group{
		{"play", []*cobra.Command{s.playVerb(), s.serveVerb(), s.siteVerb(), s.leafletVerb(), s.listVerb()}},
		{"write", []*cobra.Command{s.newVerb(), s.boardVerb(), s.fmtVerb(), s.diffVerb()}},
		{"check", []*cobra.Command{s.checkVerb(), s.testVerb()}},
		{"study", []*cobra.Command{s.simVerb(), s.compareVerb(), s.botsVerb(), s.heatVerb(), s.solveVerb()}},
		{forPrograms, []*cobra.Command{s.perftVerb(), s.movesVerb(), s.schemaVerb(), s.programVerb(), s.wordsVerb(), s.lspVerb()}},
	}
}

// oldNames are other names of verbs: the verb that does the same, and the flag that asks for it. All but "train" are former
// names, which go on working.
var oldNames = map[string]struct{ verb, flag string }{
	"replay":  {"play", ""},
	"explain": {"check", "explain"},
	"clauses": {"check", "clauses"},
	"merge":   {"sim", "merge"},
	"sweep":   {"compare", "sweep"},
	"ladder":  {"bots", ""},
	"skill":   {"bots", "skill"},
	"train":   {"bots", "train"},
}

// noteOldName says what a verb is called now, where the command line has an old name.
func (s *session) noteOldName(cmd *cobra.Command) {
	now, ok := oldNames[cmd.CalledAs()]
	if !ok || now.flag == "train" {
		return
	}
	name := now.verb
	if now.flag != "" {
		name += " --" + now.flag
	}
	fmt.Fprintln(s.err, s.localeOf(cmd).Say("usage.old_name", "old", cmd.CalledAs(), "new", name))
}

// flagError says what is wrong with a flag in plain words.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" && len(name) == 1 {
			return told("usage.no_short_flag", "flag", name).hinted("usage.see", "command", cmd.CommandPath()+" --help")
		}
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				known = append(known, "--"+f.Name)
			}
		})
		e := told("usage.no_flag", "verb", cmd.CommandPath(), "flag", name)
		if near := diag.Nearest("--"+name, known); near != "" {
			return e.hinted("usage.near", "name", near)
		}
		return e.hinted("usage.see", "command", cmd.CommandPath()+" --help")
	case errors.As(err, &missing):
		return told("usage.flag_value", "flag", missing.GetSpecifiedName())
	case errors.As(err, &invalid):
		return told("usage.flag", "flag", invalid.GetFlag().Name, "got", strconv.Quote(invalid.GetValue()), "want", thing(wantedBy(invalid)))
	}
	return usagef("%v", err)
}

func wantedBy(e *pflag.InvalidValueError) string {
	switch e.GetFlag().Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "uint", "uint64":
		return "a whole number, 0 or more"
	case "bool":
		return "true or false"
	}
	if inner := e.Unwrap(); inner != nil {
		return inner.Error()
	}
	return "something else"
}

// arguments refuses fewer arguments than low and more than high (-1: any number), each a what.
func arguments(cmd *cobra.Command, args []string, low, high int, what string) error {
	var e *usageError
	switch {
	case len(args) < low:
		e = told("usage.needs", "verb", cmd.CommandPath(), "what", thing(what))
	case high >= 0 && len(args) > high:
		e = told("usage.too_many", "got", strconv.Quote(args[high]), "verb", cmd.CommandPath(), "what", thing(what))
	default:
		return nil
	}
	return e.hinted("usage.line", "line", cmd.UseLine())
}

// release is the version of a release build, set by the linker: -ldflags "-X …/cli.release=v0.1.0".
var release string

// version is the version the command was built as. "go install …@version" and a build from a checkout leave it in the binary.
func version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
