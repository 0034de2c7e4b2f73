package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/scaffold"
	"github.com/rulerun/rulerun/dsl/pattern"
)

type newOptions struct {
	name    string
	extends string
	board   bool
}

func (s *session) newVerb() *cobra.Command {
	o := &newOptions{}
	cmd := verb("new", cobra.NoFileCompletions, mode{low: 1, high: 1, what: "a NAME", run: func(_ *cobra.Command, args []string) error {
		o.name = args[0]
		return s.new(o)
	}})
	f := cmd.Flags()
	f.StringVar(&o.extends, "extends", "", "write a house rule for a `RULESET`")
	f.BoolVar(&o.board, "board", false, "give the rule book a board of its own")
	completeFlag(cmd, "extends", func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
		return s.completeRuleset(cmd, nil, word)
	})
	return cmd
}

func (s *session) new(o *newOptions) error {
	if err := checkName(o.name); err != nil {
		return err
	}
	if o.board && o.extends != "" {
		return usagef("flag --board goes with a rule book of its own, not with --extends").hintf("leave one of them out")
	}
	folder, what := "", "a small rule book on a board that comes with rulerun"
	files := scaffold.RuleBook(o.name)
	switch {
	case o.board:
		files, what = scaffold.WithBoard(o.name), "a small rule book with a board of its own"
	case o.extends != "":
		house, changes, err := s.houseRule(o)
		if err != nil {
			return err
		}
		files, what = []scaffold.File{house}, fmt.Sprintf("a house rule for %s: %s", o.extends, changes)
		if isPath(o.extends) {
			folder = strings.TrimSuffix(o.extends, filepath.Base(o.extends))
		}
	}
	written, err := create(folder, files)
	if err != nil {
		return err
	}
	rules := written[0]
	fmt.Fprintf(s.out, "%s: %s\n", door.Join(written), what)
	fmt.Fprintf(s.out, `
  rulerun check %[1]s    is it right?
  rulerun test %[1]s     do its tests pass?
  rulerun play %[1]s     try it
  rulerun sim %[1]s      what does it do to the game?
`, rules)
	return nil
}

// houseRule begins a house rule for the rule book of the flag, and says what it changes.
func (s *session) houseRule(o *newOptions) (scaffold.File, string, error) {
	l, err := s.load(o.extends, &gameFlags{})
	if err != nil {
		return scaffold.File{}, "", err
	}
	_, lib, err := s.rulesFile(o.extends)
	if err != nil {
		return scaffold.File{}, "", err
	}
	if l.TestsOnly() {
		return scaffold.File{}, "", usagef("\"%s\" has tests only, and nothing can build on it", o.extends).hintf("name the rule book they are for: %s", l.Base())
	}
	name := strings.TrimSuffix(filepath.Base(o.extends), ".rules")
	if called := l.FileName(); called != name {
		return scaffold.File{}, "", usagef("%s calls itself %q: a house rule for it would not find it", o.extends, called).hintf("call the file %s.rules", called)
	}
	file, changes, err := scaffold.House(o.name, l, name, lib)
	if errors.Is(err, scaffold.ErrNothing) {
		return file, "", fmt.Errorf("%s: %w; see \"rulerun check %s\"", o.extends, err, o.extends)
	}
	return file, changes, err
}

var ruleName = pattern.Of(`^\p{Ll}[\p{Ll}0-9_]*$`)

// maxRuleName is how long a name may be that becomes a file's.
const maxRuleName = 40

// reservedNames mean something else in rules, or to the machine.
var reservedNames = []string{"true", "false", "nil", "with", "for", "extends", "con", "prn", "aux", "nul"}

// checkName says whether a rule file can be called so, and how it could be.
func checkName(name string) error {
	var e *usageError
	switch {
	case name == "":
		return usagef("the NAME is empty")
	case slices.Contains(reservedNames, name):
		return usagef("%q has a meaning of its own", name).hintf("write \"%s_rules\"", name)
	case slices.Contains(shippedNames(), name):
		return usagef("a rule book called %q comes with rulerun", name).hintf("choose another name, such as \"my_%s\"", name)
	case ruleName().MatchString(name) && len(name) <= maxRuleName:
		return nil
	case strings.ContainsAny(name, `/\`):
		e = usagef("%q is no name but a path", name)
	case len(name) > maxRuleName:
		return usagef("the NAME is longer than %d letters", maxRuleName).hintf("it becomes the name of a file")
	default:
		e = usagef("a rule file cannot be called %q", name)
	}
	const hint = "a name is made of small letters, digits and _ and begins with a letter"
	if better := betterName(name); better != "" {
		return e.hintf("write %q: %s", better, hint)
	}
	return e.hintf(hint)
}

// betterName is the name most like one that cannot be; "" where none is left of it.
func betterName(name string) string {
	name = filepath.Base(filepath.ToSlash(name))
	for _, ext := range append([]string{".rules"}, boards.Endings...) {
		name = strings.TrimSuffix(name, ext)
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r):
			return unicode.ToLower(r)
		case '0' <= r && r <= '9':
			return r
		}
		return '_'
	}, name)
	name = strings.TrimLeft(strings.Trim(name, "_"), "_0123456789")
	if !ruleName().MatchString(name) || len(name) > maxRuleName {
		return ""
	}
	return name
}

// create writes files that must not be there yet, all or none, and names those written.
func create(folder string, files []scaffold.File) ([]string, error) {
	var written []string
	for _, f := range files {
		path := folder + f.Name
		err := createFile(path, f.Text)
		if f.Shared && errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			for _, w := range written {
				os.Remove(w)
			}
			if errors.Is(err, fs.ErrExist) {
				return nil, usagef("there is a file %q already, and nothing is written over it", path).hintf("choose another name, or move the file away")
			}
			return nil, writeError(path, err)
		}
		written = append(written, path)
	}
	return written, nil
}

func createFile(path, text string) error {
	f, err := newFile(path)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = cmp.Or(err, f.Sync(), f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}
