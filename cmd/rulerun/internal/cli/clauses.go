package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/rulesets"
)

type clausesOptions struct {
	paths []string
	all   bool
	json  bool
}

func (s *session) clausesVerb() *cobra.Command {
	o := &clausesOptions{}
	cmd := &cobra.Command{
		Use:   "clauses [FILE|DIR]…",
		Short: "List the clauses that no rule or no test stands behind",
		Long: `clauses compares written rule books with the rule files that play them. A .clauses file
lists the clauses, each with its id; rules and tests name the ids they carry. What is
listed is every clause that no rule names, or that no passing test names. FILE and DIR are
rule files, .clauses files and folders of both; without any, what comes with rulerun.`,
		Example: s.examples("clauses", "clauses --all", "clauses rules/ book.clauses"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.paths = args
			return s.clauses(o)
		},
		ValidArgsFunction: completeExt("rules", "clauses"),
	}
	cmd.Flags().BoolVar(&o.all, "all", false, "list every clause with what stands behind it")
	cmd.Flags().BoolVar(&o.json, "json", false, "print the list as JSON")
	return cmd
}

// standing is what stands behind a clause.
type standing struct {
	ID    string   `json:"id"`
	Text  string   `json:"text"`
	Rules []string `json:"rules"` // rulesets whose declarations name it
	Tests []string `json:"tests"` // passing tests that name it, as FILE:LINE
}

func (s *session) clauses(o *clausesOptions) error {
	files, lists, err := s.clauseSources(o.paths)
	if err != nil {
		return err
	}
	if len(lists) == 0 {
		return usagef("there is no .clauses file among these")
	}
	var all []*standing
	byID := map[string]*standing{}
	for _, list := range lists {
		clauses, faults := dsl.ReadClauses(list)
		if faults.HasErrors() {
			return s.report(faults)
		}
		for _, c := range clauses {
			x := &standing{ID: c.ID, Text: c.Text, Rules: []string{}, Tests: []string{}}
			all = append(all, x)
			byID[c.ID] = x
		}
	}
	for _, path := range files {
		if err := s.standBehind(path, byID); err != nil {
			return err
		}
	}
	return s.printClauses(o, all)
}

// clauseSources splits the arguments into rule files and lists of clauses.
func (s *session) clauseSources(args []string) (files []string, lists []*source.File, err error) {
	if len(args) == 0 {
		shipped, err := fs.Glob(rulesets.FS, "clauses/*.clauses")
		if err != nil {
			return nil, nil, err
		}
		for _, name := range shipped {
			data, err := fs.ReadFile(rulesets.FS, name)
			if err != nil {
				return nil, nil, err
			}
			lists = append(lists, source.New(name, string(data)))
		}
		return shippedNames(), lists, nil
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err == nil && info.IsDir() {
			err = filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				switch filepath.Ext(path) {
				case ".rules":
					files = append(files, path)
				case ".clauses":
					text, err := readText(path)
					if err != nil {
						return err
					}
					lists = append(lists, source.New(path, text))
				}
				return nil
			})
			if err != nil {
				return nil, nil, err
			}
			continue
		}
		if filepath.Ext(arg) == ".clauses" {
			text, err := readText(arg)
			if err != nil {
				return nil, nil, err
			}
			lists = append(lists, source.New(arg, text))
			continue
		}
		files = append(files, arg)
	}
	return files, lists, nil
}

// standBehind notes what a rule file and its passing tests name.
func (s *session) standBehind(path string, byID map[string]*standing) error {
	file, lib, err := rulesFile(path)
	if err != nil {
		return err
	}
	book, faults := dsl.Load(file, lib)
	if book == nil {
		return s.report(faults)
	}
	for _, id := range book.Clauses() {
		if x := byID[id]; x != nil {
			x.Rules = append(x.Rules, book.Name())
		}
	}
	for _, sc := range book.Scenarios() {
		if !slices.ContainsFunc(sc.Cites, func(id string) bool { return byID[id] != nil }) {
			continue
		}
		rules, faults := sc.Rules()
		if rules == nil {
			return s.report(faults)
		}
		game, err := interpreter.Compile(rules)
		if err != nil {
			return err
		}
		if len(game.RunTest(rules.Tests[0])) > 0 {
			continue
		}
		for _, id := range sc.Cites {
			if x := byID[id]; x != nil {
				x.Tests = append(x.Tests, fmt.Sprintf("%s:%d", sc.Span.Name(), sc.Span.Position().Line))
			}
		}
	}
	return nil
}

func (s *session) printClauses(o *clausesOptions, all []*standing) error {
	open := []*standing{}
	for _, x := range all {
		if len(x.Rules) == 0 || len(x.Tests) == 0 {
			open = append(open, x)
		}
	}
	shown := open
	if o.all {
		shown = all
	}
	if o.json {
		enc := json.NewEncoder(s.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(shown); err != nil {
			return err
		}
	} else {
		for _, x := range shown {
			fmt.Fprintf(s.out, "%-8s %s, %s  %s\n", x.ID, none(len(x.Rules), "rule book"), none(len(x.Tests), "test"), x.Text)
		}
		fmt.Fprintf(s.out, "%s, %d without a rule or a passing test\n", plural(len(all), "clause"), len(open))
	}
	if len(open) > 0 {
		return errFailed
	}
	return nil
}

func none(n int, word string) string {
	if n == 0 {
		return "no " + word
	}
	return plural(n, word)
}
