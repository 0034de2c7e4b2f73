package cli

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pages"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/explore"
	"github.com/rulerun/rulerun/interpreter/suite"
)

type checkOptions struct {
	paths []string
	out   outputFlags
	watch bool
	all   bool   // clauses, not only the open ones
	lang  string // a language that all texts must have, "" for the catalogues there are

	exploreOptions
}

func (s *session) checkVerb() *cobra.Command {
	o := &checkOptions{}
	cmd := verb("check", func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		if asked(cmd, "explain") {
			return seq.Map(pages.Codes(), func(code string) string { return code + "\t" + pages.Title(code) }), cobra.ShellCompDirectiveNoFileComp
		}
		return completeExt("rules", "yaml", "yml", "clauses")(cmd, args, word)
	},
		mode{name: "checking", high: -1, flags: []string{"fail-on", "watch", "explore", "explore-games", "seed", "witness", "lang"},
			run: func(cmd *cobra.Command, args []string) error {
				args, err := o.settle(cmd, args)
				if err != nil {
					return err
				}
				if err := arguments(cmd, args, 1, -1, "a FILE, a folder or a RULESET"); err != nil {
					return err
				}
				if o.lang != "" && !catalogue.IsLang(o.lang) {
					return usagef("flag --lang: got %q, want a language such as es", o.lang)
				}
				o.paths = args
				return s.check(cmd.Context(), o)
			}},
		mode{flag: "explain", high: -1, run: func(_ *cobra.Command, args []string) error { return s.explain(args, o.out.format) }},
		mode{flag: "clauses", high: -1, flags: []string{"all"}, run: func(cmd *cobra.Command, args []string) error {
			o.paths, o.out.verb = args, "clauses"
			return s.clauses(cmd.Context(), o)
		}},
	)
	f := cmd.Flags()
	o.out.bind(cmd)
	o.out.bindFailOn(cmd)
	f.BoolVar(&o.watch, "watch", false, "")
	f.Bool("explain", false, "print the pages of codes, or list the codes")
	f.StringVar(&o.lang, "lang", "", "")
	f.Bool("clauses", false, "list the clauses that no rule or no passing test names")
	f.BoolVar(&o.all, "all", false, "of --clauses: list every clause")
	o.exploreOptions.bind(cmd)
	return cmd
}

// checkedFiles are the endings of the files that check reads.
var checkedFiles = append([]string{".rules", ".clauses"}, boards.Endings...)

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
		if err := s.findFaults(ctx, run, o, t); err != nil {
			return err
		}
		return s.print(format, run)
	}
	return s.looked(ctx, o.watch, format, o.paths, checkedFiles, look)
}

// findFaults reads the files that arguments name and adds what is wrong with them to a run. The files they build on go
// on the trail.
func (s *session) findFaults(ctx context.Context, run *report.Run, o *checkOptions, t *trail) error {
	paths, err := s.rulePaths(translated(o.paths), checkedFiles...)
	if err != nil {
		return err
	}
	shared := &dsl.Shared{}
	all := make([]*checked, len(paths))
	seq.Each(runtime.GOMAXPROCS(0), len(paths), func(i int) {
		all[i] = s.checkFile(ctx, paths[i], o, shared, t)
	})
	var books []*dsl.Book
	for _, c := range all {
		if c.err != nil {
			return c.err
		}
		if c.book != nil {
			books = append(books, c.book)
		}
	}
	cited := sync.OnceValue(func() map[string]bool { return dsl.Cited(books) })
	for i, c := range all {
		if c.file == nil {
			continue
		}
		if filepath.Ext(paths[i]) == ".clauses" {
			c.found = append(c.found, dsl.Uncited(c.file, cited())...)
		}
		if o.on && c.book != nil && !c.found.HasErrors() {
			games := explore.Of(c.book)
			more, err := s.explore(ctx, &o.exploreOptions, games, paths[i])
			if err != nil {
				return err
			}
			unnoticed, noticed := c.tested(ctx, games, c.known(more))
			more = append(more, unnoticed...)
			if !more.HasErrors() {
				more = append(more, compareOn(ctx, games, o.seed, c.known(more), noticed)...)
			}
			c.silenced = append(c.silenced, c.book.SilencePlayed(&more)...)
			c.found = append(c.found, more...)
		}
		if c.board != nil && !slices.ContainsFunc(all, func(o *checked) bool { return o.file != nil && o.file.Name() == c.board.Name() }) {
			_, found, silenced := readBoard(c.board, s.boardsBeside(paths[i], t))
			c.silenced = append(c.silenced, silenced...)
			c.found = append(c.found, seq.Filter(found, func(d diag.Diagnostic) bool {
				return !slices.ContainsFunc(run.Findings, func(o diag.Diagnostic) bool { return o.Span == d.Span && o.Code == d.Code })
			})...)
		}
		run.Files = append(run.Files, c.file.Name())
		run.Findings = append(run.Findings, c.found...)
		run.Silenced = append(run.Silenced, c.silenced...)
	}
	run.Findings.Sort()
	return nil
}

// translated replaces catalogues by the files that they are for.
func translated(paths []string) []string {
	paths = slices.Clone(paths)
	for i, p := range paths {
		of, _, ok := catalogue.Split(filepath.Base(p))
		for _, ext := range []string{".rules", ".yaml", ".yml", ".clauses"} {
			if path := filepath.Join(filepath.Dir(p), of+ext); ok && isFile(path) {
				paths[i] = path
			}
		}
	}
	return slices.Compact(paths)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// checked is a file with what is wrong with it.
type checked struct {
	file     *source.File // nil for a file that is not ours
	book     *dsl.Book
	board    *source.File // that lies beside the rules and was not asked for, nil if there is none
	found    diag.List
	silenced []diag.Silenced
	err      error
}

// known lists the findings so far, those that comments silence too, and more.
func (c *checked) known(more ...diag.List) diag.List {
	out := slices.Concat(append(more, c.found)...)
	return append(out, seq.Map(c.silenced, func(s diag.Silenced) diag.Diagnostic { return s.Diagnostic })...)
}

// tested finds what the tests of a book do not prove, by running them, and which of them fail where nothing else that is known says why.
func (c *checked) tested(ctx context.Context, games *explore.Games, known diag.List) (found diag.List, noticed bool) {
	proof := suite.Prove(ctx, c.book, games.Compile)
	found, noticed = proof.UnnoticedChange(games.TestLines)
	if len(c.book.Scenarios()) <= explore.FewTests {
		found = append(found, proof.Moot(known)...)
		found = append(found, proof.UnprovedOptions()...)
		if len(found) == 0 {
			found = proof.Untold()
		}
		if !slices.ContainsFunc(slices.Concat(known, found), func(d diag.Diagnostic) bool { return d.Severity < diag.Info }) {
			found = append(found, proof.Failing()...)
		}
	}
	return found, noticed
}

// checkFile finds the faults of one file. Those of a list of clauses show only beside the rules that name them.
func (s *session) checkFile(ctx context.Context, path string, o *checkOptions, shared *dsl.Shared, t *trail) *checked {
	c := &checked{}
	if ext := filepath.Ext(path); ext != ".clauses" && !slices.Contains(boards.Endings, ext) {
		var lib dsl.Library
		if c.file, lib, c.err = s.rulesFile(path); c.err != nil {
			return c
		}
		lib.Shared = shared
		if c.book, c.found = dsl.Load(c.file, t.library(lib)); c.book != nil {
			games := sync.OnceValue(func() *explore.Games { return explore.Of(c.book) })
			tried, words := make(chan *explore.Report, 1), make(chan diag.List, 1)
			trying, stop := context.WithCancel(ctx)
			defer stop() // a book with errors is not played to the end
			if !o.on {
				go func() { tried <- try(trying, c.book, games()) }()
			}
			go func() {
				c.board = boardBeside(c.book, path)
				words <- c.book.CheckWords(o.lang)
			}()
			c.found, c.silenced = dsl.Findings(c.book)
			if !o.on && !c.found.HasErrors() {
				r := <-tried
				found := proved(c.found, r.List())
				unnoticed, noticed := c.tested(ctx, games(), c.known(found))
				if !c.found.HasErrors() && !found.HasErrors() {
					known := c.known(found, unnoticed)
					more := tryOn(ctx, c.book, games(), r, known)
					if len(c.book.Scenarios()) <= explore.FewTests {
						more = append(more, compareOn(ctx, games(), 1, slices.Concat(known, more), noticed)...)
					}
					found = append(found, more...)
				}
				found = append(found, unnoticed...)
				c.silenced = append(c.silenced, c.book.SilencePlayed(&found)...)
				c.found = append(c.found, found...)
			}
			c.found = append(c.found, <-words...)
		}
		return c
	}
	file, err := readSource(path, files.Limit(path))
	switch {
	case err != nil:
		c.err = err
	case filepath.Ext(path) == ".clauses":
		c.file = file
		c.found = dsl.CheckClauseWords(c.file, t.library(s.libraryBeside(path)), o.lang)
	case slices.ContainsFunc(o.paths, func(p string) bool { return filepath.Clean(p) == filepath.Clean(path) }) || boards.Recognise(file): // in a folder there may be other YAML files
		c.file = file
		var board *boards.Board
		board, c.found, c.silenced = readBoard(c.file, s.boardsBeside(path, t))
		if board != nil {
			c.found = append(c.found, dsl.CheckBoardWords(board, c.file, t.library(s.libraryBeside(path)), o.lang)...)
		}
	}
	return c
}

// readBoard reads a board with all that is found about it.
func readBoard(file *source.File, open boards.Opener) (*boards.Board, diag.List, []diag.Silenced) {
	board, found := boards.Read(file, nil, open)
	if board != nil {
		found = append(found, board.OtherName()...)
	}
	return board, found, boards.Silence(file, &found)
}

// boardBeside is the file of the board of a rule book, if it lies beside the book.
func boardBeside(b *dsl.Book, path string) *source.File {
	for _, s := range b.Settings() {
		if rules, _ := b.Rules(s); rules != nil {
			file := rules.Board.Span.File
			if filepath.Dir(file.Name()) != filepath.Dir(path) || !isFile(file.Name()) {
				return nil
			}
			return file
		}
	}
	return nil
}

// boardsBeside finds boards in the folder of a file, then the shipped ones. Those looked for beside it go on the trail.
func (s *session) boardsBeside(path string, t *trail) boards.Opener {
	lib := t.library(s.libraryBeside(path))
	return func(name string) (*source.File, bool) { return lib.Board(name, nil) }
}

// libraryBeside finds what lies beside a file, then what the search path and rulerun have.
func (s *session) libraryBeside(path string) dsl.Library {
	lib := s.library()
	lib.Beside, lib.Prefix = beside(path)
	return lib
}
