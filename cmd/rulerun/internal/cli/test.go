package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/table"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

type testOptions struct {
	paths   []string
	verbose bool
	board   bool
	run     string
}

func (s *session) testVerb() *cobra.Command {
	o := &testOptions{}
	cmd := &cobra.Command{
		Use:   "test FILE|DIR|RULESET…",
		Short: "Run the tests beside the rules",
		Long: `test runs the tests of rule files: those of a file, of all files in a folder, or of a rule
book that comes with rulerun. A failure shows the line, what was expected and what was
found, and where the pieces stood.`,
		Example: s.examples("test house.rules", "test rules/ --run 'blocks|passes'", "test RULESET -v"),
		Args:    arguments(1, -1, "a FILE, a folder or a RULESET"),
		RunE: func(_ *cobra.Command, args []string) error {
			o.paths = args
			return s.test(o)
		},
		ValidArgsFunction: completeExt("rules"),
	}
	f := cmd.Flags()
	f.BoolVarP(&o.verbose, "verbose", "v", false, "name the tests that pass too")
	f.StringVar(&o.run, "run", "", "only tests whose name matches a `regexp`")
	f.BoolVar(&o.board, "board", false, "draw the board where a test fails")
	return cmd
}

func (s *session) test(o *testOptions) error {
	match, err := regexp.Compile(o.run)
	if err != nil {
		return usagef("flag --run: %q is not a regular expression", o.run)
	}
	paths, err := rulePaths(o.paths, ".rules")
	if err != nil {
		return err
	}
	passed, failed, broken := 0, 0, 0
	for _, path := range paths {
		file, lib, err := rulesFile(path)
		if err != nil {
			return err
		}
		book, faults := dsl.Load(file, lib)
		if book == nil {
			broken++
			if err := diag.Write(s.err, faults, diag.Style{Color: s.color(s.err)}); err != nil {
				return err
			}
			continue
		}
		for _, sc := range book.Scenarios() {
			if !match.MatchString(sc.Name) {
				continue
			}
			ok, err := s.scenario(o, filepath.ToSlash(path), sc)
			if err != nil {
				return err
			}
			if ok {
				passed++
			} else {
				failed++
			}
		}
	}
	summary := fmt.Sprintf("%d passed, %d failed", passed, failed)
	if broken > 0 {
		summary += fmt.Sprintf(", %s with mistakes", plural(broken, "file"))
	}
	fmt.Fprintln(s.out, summary)
	if failed+broken > 0 {
		return errFailed
	}
	return nil
}

// scenario runs one test and shows its failures.
func (s *session) scenario(o *testOptions, path string, sc *dsl.Scenario) (bool, error) {
	name := sc.Name
	if len(sc.Cites) > 0 {
		name += " [" + strings.Join(sc.Cites, " ") + "]"
	}
	rules, faults := sc.Rules()
	if rules == nil {
		fmt.Fprintf(s.out, "FAIL %s: %s\n", path, name)
		return false, diag.Write(s.out, faults, diag.Style{Color: s.color(s.out)})
	}
	game, err := interpreter.Compile(rules)
	if err != nil {
		return false, err
	}
	failures := game.RunTest(rules.Tests[0])
	if len(failures) == 0 {
		if o.verbose {
			fmt.Fprintf(s.out, "ok   %s: %s\n", path, name)
		}
		return true, nil
	}
	fmt.Fprintf(s.out, "FAIL %s: %s\n", path, name)
	screen := &table.Screen{Out: s.out, Color: s.color(s.out)}
	for _, f := range failures {
		d := diag.Diagnostic{Code: "test-failed", Span: f.Span, Message: f.Message}
		seen := map[string]bool{}
		for i := range f.Refusals {
			if text := table.RefusalWords(game, &f.Refusals[i]); !seen[text] {
				seen[text] = true
				d.WithNote(source.Span{}, "%s", text)
			}
		}
		if err := diag.Write(s.out, diag.List{d}, diag.Style{Color: s.color(s.out)}); err != nil {
			return false, err
		}
		if f.Position != nil {
			drawn := screen.Standing(f.Position)
			if o.board {
				drawn = screen.Board(f.Position, nil)
			}
			fmt.Fprint(s.out, indent(drawn, "    "))
		}
	}
	fmt.Fprintln(s.out)
	return false, nil
}

func indent(text, by string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(by + line)
	}
	return b.String()
}
