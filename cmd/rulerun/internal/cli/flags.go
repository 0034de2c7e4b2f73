package cli

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/catalogue"
)

// sharedFlags are the flags of several verbs. Each means the same in all of them; "rulerun help flags" prints this table.
var sharedFlags = []string{
	"set", "players", "with", "path", "lang", "ruleset", "position", "seats", "starter", "rotate", "games", "pace", "seed", "threads",
	"max-throws", "time", "format", "svg", "png", "dark", "page", "port", "no-open", "watch",
}

// bindLang gives a verb of players the flag for their language.
func bindLang(cmd *cobra.Command, lang *string) {
	cmd.Flags().StringVar(lang, "lang", "", "")
	cmd.Annotations = map[string]string{forPlayers: "true"}
}

// forPlayers marks verbs that speak the language of players.
const forPlayers = "players"

// hear finds the language of players on the command line, so that what is wrong with it can be said in that language.
func (s *session) hear(root *cobra.Command, args []string) error {
	cmd, _, err := root.Find(args)
	if err != nil || cmd.Annotations[forPlayers] == "" {
		return nil
	}
	lang := ""
	for i, arg := range args {
		if arg == "--lang" && i+1 < len(args) {
			lang = args[i+1]
		} else if value, ok := strings.CutPrefix(arg, "--lang="); ok {
			lang = value
		}
	}
	return s.speak(lang)
}

// speak chooses the language of players: that of the flag, or the environment's.
func (s *session) speak(lang string) error {
	if lang == "" {
		s.lang = locale.Choose(s.getenv("RULERUN_LANG"), cmp.Or(s.getenv("LC_ALL"), s.getenv("LC_MESSAGES"), s.getenv("LANG")))
		return nil
	}
	if !catalogue.IsLang(lang) {
		return told("usage.lang", "got", strconv.Quote(lang))
	}
	if s.lang = lang; lang == "en" || strings.HasPrefix(lang, "en-") {
		s.lang = ""
	}
	return nil
}

// say is a text in the language of players.
func (s *session) say(key string, args ...any) string { return locale.For(s.lang).Say(key, args...) }

// within is a context that ends after a time; 0 is no limit.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}

func isShared(name string) bool { return slices.Contains(sharedFlags, name) }

// oldSpelling keeps the former name of a flag working, unlisted.
func oldSpelling(cmd *cobra.Command, old, now string) {
	f := cmd.Flags().Lookup(now)
	cmd.Flags().AddFlag(&pflag.Flag{Name: old, Usage: "--" + now, Value: f.Value, DefValue: f.DefValue, NoOptDefVal: f.NoOptDefVal, Hidden: true})
}

// mode is one of the things a verb does.
type mode struct {
	flag      string                                       // that asks for it
	when      func(cmd *cobra.Command, args []string) bool // arguments that ask for it; nil for none
	name      string                                       // in messages; without it the flag
	low, high int                                          // how many arguments it takes; -1 is any number
	what      string                                       // the arguments, in words
	flags     []string
	run       func(cmd *cobra.Command, args []string) error
}

// verb is a command, what completes its arguments, and what it does: the first mode, or the last that is asked for. A flag that only
// other modes list is a mistake.
func verb(name string, complete cobra.CompletionFunc, modes ...mode) *cobra.Command {
	return &cobra.Command{Use: name, ValidArgsFunction: complete, RunE: func(cmd *cobra.Command, args []string) error {
		now := modes[0]
		for _, m := range modes[1:] {
			if asked(cmd, m.flag) || m.when != nil && m.when(cmd, args) {
				now = m
			}
		}
		return now.check(cmd, args, modes)
	}}
}

// check holds the command line against the mode, and runs it.
func (m mode) check(cmd *cobra.Command, args []string, modes []mode) error {
	var misplaced error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		in := slices.IndexFunc(modes, func(o mode) bool { return o.what == m.what && slices.Contains(o.flags, f.Name) })
		if in < 0 {
			in = slices.IndexFunc(modes, func(o mode) bool { return slices.Contains(o.flags, f.Name) })
		}
		switch {
		case in < 0 || slices.Contains(m.flags, f.Name):
		case modes[in].words() == "" || in > 0 && modes[in].flag == "" && modes[in].what == m.what:
			misplaced = told("usage.flag_without", "flag", f.Name, "what", thing(m.words()))
		default:
			misplaced = told("usage.flag_with", "flag", f.Name, "what", thing(modes[in].words()))
		}
	})
	if misplaced != nil {
		return misplaced
	}
	if err := arguments(cmd, args, m.low, m.high, m.what); err != nil {
		return err
	}
	return m.run(cmd, args)
}

func (m mode) words() string {
	if m.name == "" && m.flag != "" {
		return "--" + m.flag
	}
	return m.name
}

// asked reports whether the flag of a mode is given, or the command is called by an old name that stands for it.
func asked(cmd *cobra.Command, flag string) bool {
	if flag == "" {
		return false
	}
	if oldNames[cmd.CalledAs()].flag == flag {
		return true
	}
	f := cmd.Flags().Lookup(flag)
	return f.Changed && f.Value.String() != "false"
}
