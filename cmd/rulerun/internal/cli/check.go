package cli

import (
	"context"
	"path/filepath"
	"regexp"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

type checkOptions struct {
	paths []string
	out   outputFlags
	watch bool
}

func (s *session) checkVerb() *cobra.Command {
	o := &checkOptions{}
	cmd := &cobra.Command{
		Use:   "check FILE|DIR|RULESET…",
		Short: "Find the mistakes in rule files and boards",
		Long: `check reads rule files (.rules) and boards (.yaml) and prints every mistake with its
place, what is meant and how to mend it. A rule file is checked in every setting of its
options and for every number of players, its tests included. Of a folder all rule files
and boards in it are checked.

A finding is an error, a warning or a note. The exit code is 1 when there is an error, or,
with --fail-on, anything as bad as that says; 0 when there is none; 2 when the command was
not understood.`,
		Example: s.examples("check house.rules", "check rules/ --watch", "check rules/ --fail-on warning", "check rules/ --format sarif > rules.sarif"),
		Args:    arguments(1, -1, "a FILE, a folder or a RULESET"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.paths = args
			return s.check(cmd.Context(), o)
		},
		ValidArgsFunction: completeExt("rules", "yaml"),
	}
	o.out.bind(s, cmd)
	o.out.bindFailOn(s, cmd)
	bindWatch(cmd, &o.watch)
	return cmd
}

func (s *session) check(ctx context.Context, o *checkOptions) error {
	_, format, err := o.out.run()
	if err != nil {
		return err
	}
	look := func(t *trail) error {
		run, _, err := o.out.run()
		if err != nil {
			return err
		}
		if err := findFaults(run, o.paths, t); err != nil {
			return err
		}
		return s.print(format, run)
	}
	if o.watch {
		return s.watched(ctx, format, o.paths, []string{".rules", ".yaml"}, look)
	}
	return look(nil)
}

// findFaults reads the files that arguments name and adds what is wrong with them to a run. The files they build on go
// on the trail.
func findFaults(run *report.Run, args []string, t *trail) error {
	paths, err := rulePaths(args, ".rules", ".yaml")
	if err != nil {
		return err
	}
	for _, path := range paths {
		if filepath.Ext(path) != ".yaml" {
			file, l, err := checkRules(path, t)
			if err != nil {
				return err
			}
			run.Files = append(run.Files, file.Name())
			run.Findings = append(run.Findings, l...)
			continue
		}
		text, err := readText(path)
		if err != nil {
			return err
		}
		if !contains(args, path) && !boardKey.MatchString(text) {
			continue // in a folder there may be other YAML files
		}
		run.Files = append(run.Files, path)
		_, l := boards.Read(source.New(path, text), nil, boardsBeside(path, t))
		run.Findings = append(run.Findings, l...)
	}
	run.Findings.Sort()
	return nil
}

var boardKey = regexp.MustCompile(`(?m)^board[ \t]*:`)

func contains(list []string, s string) bool {
	for _, x := range list {
		if filepath.Clean(x) == filepath.Clean(s) {
			return true
		}
	}
	return false
}

// checkRules finds the faults of a rule file.
func checkRules(arg string, t *trail) (*source.File, diag.List, error) {
	file, lib, err := rulesFile(arg)
	if err != nil {
		return nil, nil, err
	}
	book, l := dsl.Load(file, t.library(lib))
	if book != nil {
		l = append(l, book.Check()...)
	}
	return file, l, nil
}

// boardsBeside finds boards in the folder of a file, then the shipped ones. Those looked for beside it go on the trail.
func boardsBeside(path string, t *trail) boards.Opener {
	lib := dsl.Library{}
	lib.Beside, lib.Prefix = beside(path)
	lib = t.library(lib)
	return func(name string) (*source.File, bool) { return lib.Board(name, nil) }
}
