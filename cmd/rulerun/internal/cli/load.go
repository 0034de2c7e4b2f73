package cli

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/examples"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
	"github.com/rulerun/rulerun/rulesets"
)

// gameFlags choose the game a rule book is played as.
type gameFlags struct {
	set     []string
	players int
	with    []string
	side    string // ends the names of the flags where there are two games

	study  bool        // the game is for counting, and the tests in the files are not read
	trail  *trail      // of the files the rules are read from; nil notes nothing
	shared *dsl.Shared // with other rule books read at the same time; nil shares nothing
}

func (g *gameFlags) bind(s *session, cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&g.set, "set", nil, "")
	f.IntVar(&g.players, "players", 0, "")
	f.StringArrayVar(&g.with, "with", nil, "")
	completeFlag(cmd, "set", s.completeSet(g))
	completeFlag(cmd, "with", s.completeRules)
	completeFlag(cmd, "players", s.completePlayers(g))
}

func (g *gameFlags) options() (map[string]string, error) {
	out := map[string]string{}
	for _, text := range g.set {
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" {
			return nil, told("usage.set_form", "flag", "set"+g.side, "got", strconv.Quote(text))
		}
		if _, twice := out[name]; twice {
			return nil, told("usage.set_twice", "flag", "set"+g.side, "name", strconv.Quote(name))
		}
		out[name] = value
	}
	return out, nil
}

// settle sets the options of a position, but for those that flags set.
func (g *gameFlags) settle(setup *interpreter.Setup) {
	g.set = slices.Clip(g.set)
	options := setup.OptionTexts()
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if !slices.ContainsFunc(g.set, func(x string) bool { return strings.HasPrefix(x, name+"=") }) {
			g.set = append(g.set, name+"="+options[name])
		}
	}
}

// shippedNames lists the rule books that come with rulerun.
var shippedNames = sync.OnceValue(func() []string { return dsl.Library{Shipped: rulesets.FS}.RulesNames() })

// library finds files on the search path, then those that come with rulerun.
func (s *session) library() dsl.Library {
	lib := dsl.Library{Shipped: examples.Shipped()}
	learn.Look("shipped", lib.Shipped)
	learn.Look(".", files.Folder("."))
	lib.Path = seq.Map(s.searchPath(), func(dir string) dsl.Folder {
		return dsl.Folder{FS: files.Folder(dir), Prefix: filepath.ToSlash(dir) + "/"}
	})
	return lib
}

// searchPath lists the folders of the --path flags, then those of the environment.
func (s *session) searchPath() []string {
	dirs := append(slices.Clone(s.path), filepath.SplitList(s.getenv("RULERUN_PATH"))...)
	return seq.Map(slices.DeleteFunc(dirs, func(dir string) bool { return dir == "" }), filepath.Clean)
}

// isPath reports whether an argument names a file rather than a shipped rule book.
func isPath(arg string) bool {
	return strings.HasSuffix(arg, ".rules") || strings.ContainsAny(arg, `/\`)
}

// rulesFile finds the file of a RULESET argument and the library beside it.
func (s *session) rulesFile(arg string) (*source.File, dsl.Library, error) {
	lib := s.library()
	if isPath(arg) {
		if err := wantFile(arg); err != nil {
			return nil, lib, err
		}
		file, err := readSource(arg, dsl.MaxRules)
		if err != nil {
			return nil, lib, err
		}
		lib.Beside, lib.Prefix = beside(arg)
		learn.Look(filepath.Dir(arg), lib.Beside)
		return file, lib, nil
	}
	if file, ok := lib.Rules(arg, nil); ok {
		return file, lib, nil
	}
	e := told("usage.no_book", "name", strconv.Quote(arg)).nearest(arg, shippedNames())
	if _, err := os.Stat(arg + ".rules"); err == nil {
		e.hinted("usage.write_file", "file", arg+".rules")
	} else if info, err := os.Stat(arg); err == nil && !info.IsDir() {
		e.hinted("usage.write_path", "path", "./"+arg)
	}
	return nil, lib, e
}

// beside is the folder of a file, and how messages name the files in it.
func beside(path string) (fs.FS, string) {
	return files.Folder(filepath.Dir(path)), filepath.ToSlash(strings.TrimSuffix(path, filepath.Base(path)))
}

// load reads the rule book an argument names, with the house rules of the flags.
func (s *session) load(arg string, g *gameFlags) (*dsl.Book, error) {
	file, lib, err := s.rulesFile(arg)
	if err != nil {
		return nil, err
	}
	shelf := &shelf{files: books.Texts{}, paths: map[string]string{}}
	var names []string
	for _, w := range g.with {
		name, err := shelf.add(w, lib)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(shelf.files) > 0 {
		lib.Beside = books.Over(shelf.files, lib.Beside)
	}
	lib = g.trail.library(lib)
	lib.Shared, lib.Untested = g.shared, g.study
	book, diags := dsl.Load(file, lib, names...)
	shelf.rename(diags, lib.Prefix)
	if book == nil {
		return nil, diags
	}
	return book, nil
}

func (s *session) loadGame(arg string, flags *gameFlags) (*dsl.Book, *interpreter.Game, error) {
	l, err := s.load(arg, flags)
	if err != nil {
		return nil, nil, err
	}
	g, err := s.game(l, flags)
	return l, g, err
}

func (s *session) game(l *dsl.Book, g *gameFlags) (*interpreter.Game, error) {
	options, err := g.options()
	if err != nil {
		return nil, err
	}
	known := l.OptionNames()
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if !slices.Contains(known, name) {
			return nil, unknownOption(l, name)
		}
	}
	if numbers := l.PlayerNumbers(options); g.players != 0 && len(numbers) > 0 && !slices.Contains(numbers, g.players) {
		return nil, told("usage.not_for", "book", l.Name(), "n", g.players).players(numbers)
	}
	for _, o := range l.Options() {
		if v, given := options[o.Name]; given && !o.Takes(v) {
			return nil, told("usage.option", "name", strconv.Quote(o.Name), "got", strconv.Quote(v), "want", door.Wants(locale.For(s.lang), &o))
		}
	}
	rules, diags := l.In(s.lang).Rules(dsl.Setting{Options: options, Players: g.players})
	if rules == nil {
		return nil, diags
	}
	if g.study {
		return interpreter.CompileStudy(rules)
	}
	return interpreter.Compile(rules)
}

func (e *usageError) players(numbers []int) *usageError {
	return e.hinted("usage.for", "numbers", listed(slices.Sorted(slices.Values(numbers))))
}

func unknownOption(book *dsl.Book, name string) error {
	e := told("usage.no_option", "book", book.Name(), "name", strconv.Quote(name)).nearest(name, book.OptionNames())
	if len(book.OptionNames()) == 0 {
		e.hinted("usage.no_options")
	} else if e.hint == nil {
		e.hinted("usage.see", "command", "rulerun list "+book.Name())
	}
	return e
}

// shelf is the rule files that were named on the command line, each under the name in its header.
type shelf struct {
	files books.Texts
	paths map[string]string // by name: where it really is
}

// add reads a --with argument and returns the name of the change.
func (s *shelf) add(arg string, lib dsl.Library) (string, error) {
	if !isPath(arg) {
		if _, ok := lib.Rules(arg, nil); ok {
			return arg, nil
		}
		e := told("usage.no_house", "name", strconv.Quote(arg)).nearest(arg, lib.RulesNames())
		if e.hint == nil {
			e.hinted("usage.houses", "names", lib.RulesNames())
		}
		return "", e
	}
	data, err := files.Read(arg, dsl.MaxRules)
	if err != nil {
		return "", fileError(arg, err)
	}
	under, _ := beside(arg)
	name, texts := books.Change(books.Given{Name: filepath.ToSlash(arg), File: source.New(arg, string(data)), Library: dsl.Library{Beside: under}})
	file := name + ".rules"
	if was, ok := s.paths[file]; ok && was != arg {
		return "", told("usage.same_name", "a", was, "b", arg, "name", strconv.Quote(name))
	}
	s.paths[file] = arg
	maps.Copy(s.files, texts)
	return name, nil
}

// rename makes findings name the files of the command line as they were given there.
func (s *shelf) rename(l diag.List, prefix string) {
	real := map[string]*source.File{}
	for name, path := range s.paths {
		real[prefix+name] = source.New(path, s.files[name])
	}
	fix := func(at *source.Span) {
		if f := real[at.Name()]; f != nil {
			at.File = f
		}
	}
	for i := range l {
		fix(&l[i].Span)
		for j := range l[i].Notes {
			fix(&l[i].Notes[j].Span)
		}
	}
}
