// Package dsl is the public API of the rules language: it loads rule books, checks them, and formats their text.
//
// Load reads a .rules file together with everything it builds on. Book.Check finds every fault in every setting.
// Book.Rules makes the checked rules for one setting, which package interpreter compiles into a game. README.md in
// this folder describes the language.
package dsl

import (
	"errors"
	"io/fs"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/internal/parts"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Library finds the files that rule files name: first in the folder of the file, then among the shipped ones. The
// zero value knows the shipped boards only. It is safe for several goroutines.
type Library struct {
	// Beside is the folder of the rule file, or nil. Only its regular files are read. If other people can write into
	// the folder, use the FS of an os.Root: os.DirFS follows links out of the folder.
	Beside fs.FS
	// Prefix is prepended to the names of files of Beside in messages: "house/".
	Prefix string
	// Path lists folders that are searched for what is not beside the file.
	Path []Folder
	// Shipped holds the rule books that come with the program, NAME.rules each, and boards, NAME.yaml each. It is searched last.
	Shipped fs.FS
	// Untested means that the tests in rule files are skipped, for programs that only play: games load in a fraction of the
	// time, and faults in tests are not found.
	Untested bool
	// Shared, if set, is a cache for all books loaded with it: common base files are read once. It is valid as long
	// as the files and the other fields do not change.
	Shared *Shared

	only *Folder // if set, the only folder of catalogues
}

// Folder is a folder of rule files and boards. Prefix is prepended to the names of its files in messages.
type Folder struct {
	FS     fs.FS
	Prefix string
}

// folders lists the folders in the order in which they are searched, without Shipped.
func (l Library) folders() []Folder { return append([]Folder{{l.Beside, l.Prefix}}, l.Path...) }

// Shared is a cache that several books share. The zero value is empty and ready for use; it is safe for several
// goroutines.
type Shared struct {
	known sync.Map
}

// Remember returns the value cached under key, or caches and returns the result of work.
func (l Library) Remember(key any, work func() any) any {
	if l.Shared == nil {
		return work()
	}
	once, _ := l.Shared.known.LoadOrStore(key, sync.OnceValue(work))
	return once.(func() any)()
}

// SkipsTests reports whether tests are skipped: Untested.
func (l Library) SkipsTests() bool { return l.Untested }

// Rules finds a rule file by the name in its header line.
func (l Library) Rules(name string, _ *source.File) (*source.File, bool) {
	for _, folder := range l.folders() {
		if f, ok := read(folder.FS, name+".rules", folder.Prefix, MaxRules); ok {
			return f, true
		}
	}
	type shippedKey struct{ name string }
	type found struct {
		file *source.File
		ok   bool
	}
	f := l.Remember(shippedKey{name}, func() any {
		file, ok := read(l.Shipped, name+".rules", "", MaxRules)
		return found{file, ok}
	}).(found)
	return f.file, f.ok
}

// Board finds a board by name.
func (l Library) Board(name string, _ *source.File) (*source.File, bool) {
	for _, folder := range l.folders() {
		for _, ending := range boards.Endings {
			if f, ok := read(folder.FS, name+ending, folder.Prefix, boards.MaxBytes); ok {
				return f, true
			}
		}
	}
	if f, ok := boards.Shipped(name); ok {
		return f, true
	}
	return read(l.Shipped, name+".yaml", "", boards.MaxBytes)
}

// RulesNames lists the rule files that can be found, sorted.
func (l Library) RulesNames() []string {
	folders := append(l.folders(), Folder{FS: l.Shipped})
	files := seq.Flat(folders, func(folder Folder) []string { return l.names(folder.FS, "*.rules") })
	names := seq.Map(files, func(file string) string { return strings.TrimSuffix(file, ".rules") })
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// BoardNames lists the boards that can be found, sorted.
func (l Library) BoardNames() []string {
	names := boards.Names()
	for _, folder := range append(l.folders(), Folder{FS: l.Shipped}) {
		for _, ending := range boards.Endings {
			for _, name := range l.names(folder.FS, "*"+ending) {
				if f, ok := read(folder.FS, name, "", boards.MaxBytes); ok && boards.Recognise(f) {
					names = append(names, strings.TrimSuffix(name, ending))
				}
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// names lists the files of a folder that match a pattern. Those of a folder that can be a cache key are listed once.
func (l Library) names(folder fs.FS, pattern string) []string {
	if folder == nil {
		return nil
	}
	list := func() any {
		names, _ := fs.Glob(folder, pattern)
		return names
	}
	if !reflect.ValueOf(folder).Comparable() {
		return list().([]string)
	}
	type namesKey struct {
		folder  fs.FS
		pattern string
	}
	return l.Remember(namesKey{folder, pattern}, list).([]string)
}

// MaxRules is the largest rule file that is read, in bytes.
const MaxRules = syntax.MaxSize

func read(fsys fs.FS, name, prefix string, limit int) (*source.File, bool) {
	if fsys == nil || !fs.ValidPath(name) || path.Base(name) != name {
		return nil, false
	}
	return open(fsys, name, prefix+name, limit)
}

// open reads a file; messages call it shown. A file that exists and is refused reports the reason when it is parsed.
func open(fsys fs.FS, name, shown string, limit int) (*source.File, bool) {
	if sys, ok := fsys.(fs.StatFS); ok { // before opening it: opening a pipe would block
		if info, err := sys.Stat(name); err == nil {
			if why := source.Refuse(info, limit); why != nil {
				return source.Unread(shown, why), true
			}
		}
	}
	data, err := fs.ReadFile(fsys, name)
	var why *source.Unreadable
	switch {
	case errors.As(err, &why):
		return source.Unread(shown, why), true
	case errors.Is(err, fs.ErrPermission):
		return source.Unread(shown, &source.Unreadable{
			Code: "unreadable-file", Message: "this file may not be read", Hint: "give the right to read it",
		}), true
	case err != nil:
		return nil, false
	}
	return source.New(shown, string(data)), true
}

// Book is a rule book with everything it builds on. It is immutable and safe for several goroutines.
type Book struct {
	joined *book.Book
	lib    Library
	tests  []*Scenario
	lang   *language // nil for English
	joins  diag.List // warnings of joining it with what it builds on

	grouping sync.Once
	groups   []*Group
}

// Setting selects one of the games that a rule book describes.
type Setting struct {
	// Options holds values as written in a rule file: "20", "true", "out". Missing options have their default.
	Options map[string]string
	// Players is the number of players, 0 for the usual one.
	Players int
}

// Load joins a rule file with what it extends and applies the named changes, left to right. Every fault is in the
// list; the book is nil when the list has errors.
func Load(file *source.File, lib Library, changes ...string) (*Book, diag.List) {
	var diags diag.List
	joined := book.Load(file, changes, lib, &diags)
	if joined != nil && diags.HasErrors() {
		check.Faults(joined, &diags) // report the other faults too
	}
	diags.Sort()
	if joined == nil || diags.HasErrors() {
		return nil, diags
	}
	b := bookOf(joined, lib)
	b.joins = slices.Clone(diags)
	return b, diags
}

// bookOf is a joined book with its tests.
func bookOf(joined *book.Book, lib Library) *Book {
	b := &Book{joined: joined, lib: lib}
	top := joined.Top().File
	for _, t := range top.Tests() {
		s := &Scenario{Name: t.Name.String(), Cites: t.Cites.IDs(), Span: t.Name.Span(top.Source), book: b, test: t}
		if t.Case != nil {
			s.Span = t.Case.Row.Span(top.Source)
		}
		b.tests = append(b.tests, s)
	}
	return b
}

// Name is the name of the ruleset.
func (b *Book) Name() string { return b.joined.Name }

// Title is the title of the ruleset.
func (b *Book) Title() string { return b.Text("title", b.joined.Title) }

// Changes lists the changes applied to the ruleset.
func (b *Book) Changes() []string { return b.joined.Changes() }

// OptionNames lists the options in the order of the files.
func (b *Book) OptionNames() []string { return check.OptionNames(b.joined) }

// Options lists the options in the order of the files, each with its default and its possible values.
func (b *Book) Options() []model.Option {
	out := check.Options(b.joined)
	for i := range out {
		b.lang.option(&out[i])
	}
	return out
}

// RuleText is the source text of a rule, "" if there is no such rule or it has been renamed.
func (b *Book) RuleText(name string) string {
	for _, e := range b.joined.Entries {
		if e.Key.Kind == "rule" && e.Key.Name == name && e.NameSpan().Text() == name {
			return strings.TrimPrefix(e.Decl.Span(e.Decl.File).Text(), "replace ")
		}
	}
	return ""
}

// Check finds the faults of a book in every setting of its options and every number of players, and those of the
// tests in its last file. It leaves out findings that a comment of the file silences. It is no method, so that programs that only play do
// not contain the checker.
func Check(b *Book) diag.List {
	found, _ := Findings(b)
	return found
}

// Findings is Check, and the findings that comments of the book's last file silence.
func Findings(b *Book) (found diag.List, silenced []diag.Silenced) {
	found = slices.Clone(b.joins)
	unlisted := make(chan diag.List, 1)
	go func() { unlisted <- b.unlisted() }()
	check.Book(b.joined, &found)
	for _, d := range <-unlisted {
		told := func(o diag.Diagnostic) bool {
			return o.Code == "unknown-clause" && o.Span.Start <= d.Span.Start && d.Span.End <= o.Span.End
		}
		if !slices.ContainsFunc(found, told) {
			found = append(found, d)
		}
	}
	silenced = found.Silence(b.joined.Top().File.Source, b.silences(), byPlaying)
	found.Sort()
	return found, silenced
}

// SilencePlayed removes silenced findings from the results of a search by random play. It does not warn of unused
// comments: random play may miss a finding this time.
func (b *Book) SilencePlayed(found *diag.List) []diag.Silenced {
	comments := slices.DeleteFunc(b.silences(), func(c diag.Silence) bool { return !byPlaying(c.Code) || c.Reason == "" })
	silenced := found.Silence(b.joined.Top().File.Source, comments, func(string) bool { return true })
	found.Sort()
	return silenced
}

// playedCodes are the codes of what random play finds. The pages say so too, but programs that only play do not contain them.
var playedCodes = []string{
	"duties-clash", "fault", "game-without-end", "never-fired", "nothing-to-do", "refused-position", "stuck-for-ever", "turn-without-end", "unnoticed-change",
	"no-difference", "test-failed",
}

// byPlaying reports whether random play finds findings of a code.
func byPlaying(code string) bool { return slices.Contains(playedCodes, code) }

// silences lists the comments of the book's last file that silence findings.
func (b *Book) silences() []diag.Silence {
	var out []diag.Silence
	f := b.joined.Top().File
	for _, t := range f.Tokens() {
		if t.Kind != syntax.TokenComment {
			continue
		}
		if s, ok := diag.ReadSilence(f.Source.Span(t.Start, t.Start+len(t.Text))); ok {
			out = append(out, s)
		}
	}
	return out
}

// Settings lists the settings that Check uses: combinations of option values with every number of players, the
// defaults first. It is empty if the options cannot be read.
func (b *Book) Settings() []Setting {
	return seq.Map(check.Settings(b.joined), func(s check.Setting) Setting { return Setting{Options: s.Options, Players: s.Players} })
}

// Header is the header line of the book's last file.
func (b *Book) Header() source.Span {
	top := b.joined.Top().File
	return top.Header.Span(top.Source)
}

// Rules makes the checked rules for one setting; nil when the list has errors.
func (b *Book) Rules(s Setting) (*model.Rules, diag.List) {
	var diags diag.List
	made := check.MakeUsual
	if b.lang != nil { // which changes texts in them
		made = check.Make
	}
	rules := made(b.joined, check.Setting{Options: s.Options, Players: s.Players}, &diags)
	b.finish(rules)
	diags.Sort()
	return rules, diags
}

// finish adds to rules what the checker does not know: their texts in the language of the book, and those of the files.
func (b *Book) finish(rules *model.Rules) {
	if rules == nil {
		return
	}
	b.lang.say(rules)
	for _, l := range b.joined.Layers {
		if !l.Tests {
			rules.Sources = append(rules.Sources, l.File.Source.Text())
		}
	}
}

// PlayerNumbers lists the allowed numbers of players with some options, the usual number first.
func (b *Book) PlayerNumbers(options map[string]string) []int {
	var diags diag.List
	return check.Numbers(b.joined, options, &diags)
}

// Clauses lists the clause ids that the book cites, in order, without duplicates.
func (b *Book) Clauses() []string {
	return seq.Distinct(check.AllCites(b.joined))
}

// File is the last file of the book with rules: the one it was loaded for, or the last change applied. For a file of
// tests it is the file under test.
func (b *Book) File() *source.File { return b.joined.Rules().File.Source }

// Parts lists the parts of File that a game can execute, for coverage.
func (b *Book) Parts() []model.PartGroup { return parts.Of(b.joined.Rules().File) }

// Scenarios lists the tests of the book's last file.
func (b *Book) Scenarios() []*Scenario { return b.tests }

// Group is a list of scenarios with the same setting: they share their rules. It is immutable and safe for several
// goroutines.
type Group struct {
	Scenarios []*Scenario // in the order of the file

	key    string // of the setting
	making sync.Once
	rules  *model.Rules
	faults diag.List
}

// Groups are the tests of the book's last file, grouped by setting. The list belongs to the book.
func (b *Book) Groups() []*Group {
	b.grouping.Do(func() {
		for _, s := range b.tests {
			key := check.SettingKey(b.joined, s.test, s.Span.File)
			i := slices.IndexFunc(b.groups, func(g *Group) bool { return g.key == key })
			if i < 0 {
				i, b.groups = len(b.groups), append(b.groups, &Group{key: key})
			}
			b.groups[i].Scenarios = append(b.groups[i].Scenarios, s)
		}
	})
	return b.groups
}

// Rules are the rules for the setting, made once; their tests are the scenarios of the group, one for one. They are nil if the
// list has errors, even if these are in one scenario only: then call Rules of each scenario.
func (g *Group) Rules() (*model.Rules, diag.List) {
	g.making.Do(func() {
		first := g.Scenarios[0]
		tests := seq.Map(g.Scenarios, func(s *Scenario) *syntax.Test { return s.test })
		g.rules = check.MakeTests(first.book.joined, tests, first.Span.File, &g.faults)
		first.book.finish(g.rules)
		g.faults.Sort()
	})
	return g.rules, g.faults
}

// GroupOf are the tests of the book's last file with a setting, nil if there are none.
func (b *Book) GroupOf(s Setting) *Group {
	if len(b.tests) == 0 {
		return nil
	}
	key := check.KeyOf(b.joined, check.Setting{Options: s.Options, Players: s.Players})
	return seq.First(b.Groups(), func(g *Group) bool { return g.key == key })
}

// Scenario is a test beside the rules. It is immutable and safe for several goroutines.
type Scenario struct {
	Name  string      // with the cells of its row of a table: "how far it goes [1 13]"
	Cites []string    // the clause ids it cites
	Span  source.Span // its name, or its row

	book *Book
	test *syntax.Test
}

// RefusesMove reports whether the scenario expects that a move is refused.
func (s *Scenario) RefusesMove() bool {
	return slices.ContainsFunc(s.test.Lines, func(l *syntax.TestLine) bool { return l.Expect != nil && l.Expect.Refused != nil })
}

// Rules makes the rules for the scenario's own setting; the scenario is their only test. They are nil if the list has
// errors.
func (s *Scenario) Rules() (*model.Rules, diag.List) {
	var diags diag.List
	rules := check.MakeTest(s.book.joined, s.test, s.Span.File, &diags)
	s.book.finish(rules)
	diags.Sort()
	return rules, diags
}
