package cli

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/seq"
)

// completeFlag binds the completion of a flag's value. The flag must exist: anything else is a fault of ours.
func completeFlag(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// stringFlag binds a flag with a text, and the completion of its value.
func stringFlag(cmd *cobra.Command, value *string, name, usual, usage string, complete cobra.CompletionFunc) {
	cmd.Flags().StringVar(value, name, usual, usage)
	completeFlag(cmd, name, complete)
}

// completeRuleset completes a first argument that is a RULESET.
func (s *session) completeRuleset(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if isPath(word) {
		return []string{"rules"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return seq.Map(shippedNames(), func(name string) string {
		if l, err := quiet(s).load(name, &gameFlags{}); err == nil {
			return name + "\t" + l.Title()
		}
		return name
	}), cobra.ShellCompDirectiveDefault
}

// completeRules completes the name of a rule file on the search path or among what comes with rulerun, or a path.
func (s *session) completeRules(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	if isPath(word) {
		return []string{"rules"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return s.library().RulesNames(), cobra.ShellCompDirectiveDefault
}

func completeExt(extensions ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

func completeWords(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

func completeBoard(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	if strings.Contains(word, "/") {
		return []string{"yaml", "yml"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return boards.Names(), cobra.ShellCompDirectiveDefault
}

// completeSet completes option names of the rule book on the command line, then their values.
func (s *session) completeSet(g *gameFlags) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		none := cobra.ShellCompDirectiveNoFileComp
		if len(args) == 0 {
			return nil, none
		}
		l, err := quiet(s).load(args[0], g)
		if err != nil {
			return nil, none
		}
		var out []string
		name, _, valued := strings.Cut(word, "=")
		for _, o := range l.Options() {
			if !valued {
				out = append(out, o.Name+"=\t"+o.Words)
			} else if o.Name == name {
				out = append(out, seq.Map(o.List(), func(v string) string { return name + "=" + v })...)
			}
		}
		if !valued {
			return out, none | cobra.ShellCompDirectiveNoSpace
		}
		return out, none
	}
}

func (s *session) completePlayers(g *gameFlags) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var out []string
		if len(args) > 0 {
			if l, err := quiet(s).load(args[0], g); err == nil {
				out = seq.Map(slices.Sorted(slices.Values(l.PlayerNumbers(nil))), strconv.Itoa)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// quiet is the session without output, for completion.
func quiet(s *session) *session {
	q := *s
	q.out, q.err = io.Discard, io.Discard
	return &q
}
