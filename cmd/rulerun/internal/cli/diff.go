package cli

import (
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/seq"
)

type diffOptions struct {
	gameFlags
	args     []string
	format   string
	exitCode bool
}

// diffFormats are the ways to write a difference down.
var diffFormats = []string{string(report.Text), string(report.Markdown), string(report.JSON)}

func (s *session) diffVerb() *cobra.Command {
	o := &diffOptions{}
	cmd := verb("diff", func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if len(args) == 1 {
			args = nil
		}
		return s.completeRuleset(cmd, args, word)
	}, mode{low: 1, high: 2, what: "one or two RULESETs", run: func(_ *cobra.Command, args []string) error {
		o.args = args
		if !slices.Contains(diffFormats, o.format) {
			return usagef("flag --format: got %q, want text, markdown or json", o.format)
		}
		return s.diff(o)
	}})
	o.bind(s, cmd)
	stringFlag(cmd, &o.format, "format", "text", "", completeWords(diffFormats...))
	cmd.Flags().BoolVar(&o.exitCode, "exit-code", false, "exit with 1 if something differs")
	return cmd
}

func (s *session) diff(o *diffOptions) error {
	last := o.args[len(o.args)-1]
	new, err := s.load(last, &o.gameFlags)
	if err != nil {
		return err
	}
	if new.TestsOnly() {
		return usagef("\"%s\" has tests only, and tests are not compared", last).hintf("name the rule book they are for: %s", new.Base())
	}
	if _, err := s.game(new, &o.gameFlags); err != nil {
		return err
	}
	old, err := s.against(o, new)
	if err != nil {
		return err
	}
	options, err := o.options()
	if err != nil {
		return err
	}
	d, faults := dsl.Compare(old, dsl.Setting{}, new, dsl.Setting{Options: options, Players: o.players})
	if d == nil {
		return s.report(faults)
	}
	root, _ := os.Getwd()
	side := func(b *dsl.Book) report.Side {
		return report.Side{Name: b.Name(), File: b.File().Name(), Title: b.Heading(), Changes: b.Changes()}
	}
	out := &report.Diff{Version: version(), Root: root, Difference: d, Old: side(old), New: side(new)}
	out.New.Setting = seq.Map(slices.Sorted(maps.Keys(options)), func(name string) string { return name + "=" + options[name] })
	if o.players != 0 {
		out.New.Setting = append(out.New.Setting, "players="+strconv.Itoa(o.players))
	}
	if err := report.WriteDiff(s.out, report.Format(o.format), out, report.Style{Color: s.color(s.out)}); err != nil {
		return err
	}
	return failIf(o.exitCode && !d.None())
}

// against is the rule book that another one is compared with: the first argument, the one without the flags, or what
// it builds on.
func (s *session) against(o *diffOptions, new *dsl.Book) (*dsl.Book, error) {
	if len(o.args) == 1 && len(o.with)+len(o.set)+o.players == 0 {
		return s.baseOf(o.args[0], new, "name a second RULESET, or say what to change with --with or --set")
	}
	return s.load(o.args[0], &gameFlags{})
}

// baseOf is what the rule book of an argument builds on. remedy says what to do where that is nothing.
func (s *session) baseOf(arg string, new *dsl.Book, remedy string) (*dsl.Book, error) {
	base := new.Base()
	if base == "" {
		return nil, usagef("\"%s\" builds on no other rule book: there is nothing to compare it with", arg).hintf("%s", remedy)
	}
	_, lib, err := s.rulesFile(arg)
	if err != nil {
		return nil, err
	}
	file, ok := lib.Rules(base, nil)
	if !ok {
		return nil, usagef("there is no rule book %q", base)
	}
	book, faults := dsl.Load(file, lib)
	if book == nil {
		return nil, s.report(faults)
	}
	return book, nil
}
