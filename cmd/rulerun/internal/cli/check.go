package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

type checkOptions struct {
	paths    []string
	format   string
	warnings bool
}

func (s *session) checkVerb() *cobra.Command {
	o := &checkOptions{}
	cmd := &cobra.Command{
		Use:   "check FILE|DIR|RULESET…",
		Short: "Find the mistakes in rule files and boards",
		Long: `check reads rule files (.rules) and boards (.yaml) and prints every mistake with its
place, what is meant and how to mend it. A rule file is checked in every setting of its
options and for every number of players, its tests included. Of a folder all rule files
and boards in it are checked.`,
		Example: s.examples("check house.rules", "check rules/ --warnings-as-errors", "check rules/ --format json"),
		Args:    arguments(1, -1, "a FILE, a folder or a RULESET"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.paths = args
			if o.format != "text" && o.format != "json" {
				return usagef("flag --format: got %q, want text or json", o.format)
			}
			return s.check(o)
		},
		ValidArgsFunction: completeExt("rules", "yaml"),
	}
	cmd.Flags().StringVar(&o.format, "format", "text", "`how` to print: text or json")
	cmd.Flags().BoolVar(&o.warnings, "warnings-as-errors", false, "fail on warnings too")
	s.completeFlag(cmd, "format", completeWords("text", "json"))
	return cmd
}

func (s *session) check(o *checkOptions) error {
	paths, err := rulePaths(o.paths, ".rules", ".yaml")
	if err != nil {
		return err
	}
	all := diag.List{}
	files := 0
	for _, path := range paths {
		if filepath.Ext(path) != ".yaml" {
			l, err := checkRules(path)
			if err != nil {
				return err
			}
			files++
			all = append(all, l...)
			continue
		}
		text, err := readText(path)
		if err != nil {
			return err
		}
		if !contains(o.paths, path) && !boardKey.MatchString(text) {
			continue // in a folder there may be other YAML files
		}
		files++
		_, l := boards.Read(source.New(path, text), nil, boardsBeside(path))
		all = append(all, l...)
	}
	all.Sort()
	if o.format == "json" {
		if err := diag.WriteJSON(s.out, all); err != nil {
			return err
		}
	} else {
		if err := diag.Write(s.out, all, diag.Style{Color: s.color(s.out)}); err != nil {
			return err
		}
		if len(all) > 0 {
			fmt.Fprintln(s.out)
		}
		fmt.Fprintf(s.out, "%s: %s, %s\n", plural(files, "file"), plural(all.Count(diag.Error), "error"), plural(all.Count(diag.Warning), "warning"))
		if len(all) > 0 {
			fmt.Fprintf(s.out, "rulerun explain %s says more\n", strings.Join(codesOf(all), " "))
		}
	}
	if all.HasErrors() || o.warnings && all.Count(diag.Warning) > 0 {
		return errFailed
	}
	return nil
}

// maxExplained is how many codes the line names that says where to read more.
const maxExplained = 6

// codesOf lists the first few codes of the findings, each once, in the order they are shown.
func codesOf(l diag.List) []string {
	var codes []string
	for _, d := range l {
		if !slices.Contains(codes, d.Code) && len(codes) < maxExplained {
			codes = append(codes, d.Code)
		}
	}
	return codes
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
func checkRules(arg string) (diag.List, error) {
	file, lib, err := rulesFile(arg)
	if err != nil {
		return nil, err
	}
	book, l := dsl.Load(file, lib)
	if book != nil {
		l = append(l, book.Check()...)
	}
	return l, nil
}

// boardsBeside finds boards in the folder of a file, then the shipped ones.
func boardsBeside(path string) boards.Opener {
	lib := dsl.Library{}
	lib.Beside, lib.Prefix = beside(path)
	return func(name string) (*source.File, bool) { return lib.Board(name, nil) }
}
