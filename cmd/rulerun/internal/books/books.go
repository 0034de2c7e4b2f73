// Package books finds the rule books that people choose from in a user interface, and reads their rules: those that come
// with rulerun and rule files given. It implements door.Books.
//
// Note: a book of the list is not loaded until it is chosen. The list has what the header line says.
package books

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Given is a rule file that does not come with rulerun.
type Given struct {
	Name    string // what people call it: its path
	File    *source.File
	Library dsl.Library // finds what it names
}

// Shelf is a list of rule books in a language. It is safe for several goroutines.
type Shelf struct {
	*stock
	lang string // "" for English
}

// stock is the rule books of shelves in all languages.
type stock struct {
	files   fs.FS // shipped
	list    []door.Book
	shipped dsl.Library
	given   map[string]Given

	mu    sync.Mutex
	books map[string]*dsl.Book // loaded so far, by their names and those of their changes
}

// New makes a shelf of files given, and of what comes with rulerun, which is in one folder.
func New(shipped fs.FS, given []Given) *Shelf {
	s := &stock{files: shipped, shipped: dsl.Library{Shipped: shipped, Untested: true, Shared: &dsl.Shared{}}, given: map[string]Given{}, books: map[string]*dsl.Book{}}
	for _, g := range given {
		if b, ok := entry(g.Name, g.File); ok && s.given[g.Name].File == nil {
			s.given[g.Name] = g
			s.list = append(s.list, b)
		}
	}
	var changes []door.Book
	for _, name := range s.shipped.RulesNames() {
		file, ok := s.shipped.Rules(name, nil)
		if !ok {
			continue
		}
		b, ok := entry(name, file)
		switch {
		case !ok:
		case b.For != "":
			b.Group = door.GroupChanges
			changes = append(changes, b)
		default:
			b.Group = door.GroupBooks
			s.list = append(s.list, b)
		}
	}
	s.list = append(s.list, changes...)
	return &Shelf{stock: s}
}

// In implements door.Books; so do the exported methods below.
func (s *Shelf) In(lang string) door.Books { return &Shelf{s.stock, lang} }

// header is the first line of a rule file that is no comment; title and base are in it.
var (
	header = pattern.Of(`(?m)^(ruleset|change|tests)[ \t]+[a-z][a-z0-9_]*[ \t].*$`)
	title  = pattern.Of(`"([^"]*)"`)
	base   = pattern.Of(`[ \t]for[ \t]+([a-z][a-z0-9_]*)`)

	changeName = pattern.Of(`(?m)^change[ \t]+([a-z][a-z0-9_]*)`)
)

// entry is a rule book as its header line describes it, false for a file of tests.
func entry(name string, file *source.File) (door.Book, bool) {
	b := door.Book{Name: name, Title: name, Group: door.GroupGiven}
	h := header().FindStringSubmatch(file.Text())
	if h == nil {
		return b, true // a book with a fault is listed; choosing it reports the fault
	}
	if m := title().FindStringSubmatch(h[0]); m != nil {
		b.Title = m[1]
	}
	if m := base().FindStringSubmatch(title().ReplaceAllString(h[0], "")); m != nil && h[1] == "change" {
		b.For = m[1]
	}
	return b, h[1] != "tests"
}

func (s *Shelf) List() []door.Book {
	out := slices.Clone(s.list)
	for i := range out {
		out[i].Title = s.title(out[i])
	}
	return out
}

// title is the title of a book of the list in the language.
func (s *Shelf) title(b door.Book) string {
	if s.lang == "" || b.Title == b.Name {
		return b.Title
	}
	lib := s.shipped
	if g, ok := s.given[b.Name]; ok {
		lib = g.Library
	}
	return lib.Words([]string{strings.TrimSuffix(path.Base(b.Name), ".rules")}, s.lang).Text("title", b.Title)
}

// find is the book of a name of the list, or of the path of a file given.
func (s *Shelf) find(name string) (door.Book, error) {
	for _, match := range []func(b door.Book) bool{
		func(b door.Book) bool { return b.Name == name },
		func(b door.Book) bool { // a record may have been made elsewhere
			return s.given[b.Name].File != nil && path.Base(b.Name) == path.Base(strings.ReplaceAll(name, `\`, "/"))
		},
	} {
		if i := slices.IndexFunc(s.list, match); i >= 0 {
			return s.list[i], nil
		}
	}
	return door.Book{}, errors.New(locale.For(s.lang).Say("fault.no_book", "name", strconv.Quote(name)))
}

// load reads a book with its changes, once.
func (s *Shelf) load(p door.Pick) (door.Book, *dsl.Book, error) {
	b, err := s.find(p.Rules)
	if err != nil {
		return b, nil, err
	}
	names, texts, err := s.changes(p.With)
	if err != nil {
		return b, nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b.Title = s.title(b)
	key := strings.Join(append([]string{b.Name}, p.With...), "\n")
	if book := s.books[key]; book != nil {
		return b, book.In(s.lang), nil
	}
	g := s.file(b)
	if len(texts) > 0 {
		g.Library.Beside, g.Library.Shared = Over(texts, g.Library.Beside), nil
	}
	g.Library.Untested = true
	book, faults := dsl.Load(g.File, g.Library, names...)
	if book == nil {
		return b, nil, Faults(faults)
	}
	s.books[key] = book
	return b, book.In(s.lang), nil
}

// file is the file of a book.
func (s *Shelf) file(b door.Book) Given {
	g, ok := s.given[b.Name]
	if !ok {
		g.Library = s.shipped
		g.File, _ = s.shipped.Rules(b.Name, nil)
	}
	return g
}

// Tested is a book of the list with its tests.
func (s *Shelf) Tested(name string) (*dsl.Book, error) {
	b, err := s.find(name)
	if err != nil {
		return nil, err
	}
	g := s.file(b)
	g.Library.Untested, g.Library.Shared = false, nil
	book, faults := dsl.Load(g.File, g.Library)
	if book == nil {
		return nil, Faults(faults)
	}
	return book.In(s.lang), nil
}

// changes are the names of changes as a rule book applies them, with the texts of those that do not come with rulerun.
func (s *Shelf) changes(with []string) (names []string, texts Texts, err error) {
	texts = Texts{}
	for _, w := range with {
		b, err := s.find(w)
		if err != nil {
			return nil, nil, err
		}
		name := b.Name
		if g, ok := s.given[b.Name]; ok {
			var own Texts
			name, own = Change(g)
			maps.Copy(texts, own)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, texts, nil
}

// Change is the name that a rule file has as a change, with the texts of the file and of its catalogues under that name.
func Change(g Given) (name string, texts Texts) {
	stem := strings.TrimSuffix(path.Base(g.Name), ".rules")
	name = stem
	if m := changeName().FindStringSubmatch(g.File.Text()); m != nil {
		name = m[1]
	}
	texts = Texts{name + ".rules": g.File.Text()}
	for _, lang := range g.Library.Langs(stem) {
		if words, ok := g.Library.Catalogue(stem, lang); ok {
			texts[catalogue.Name(name, lang)] = words.Text()
		}
	}
	return name, texts
}

func (s *Shelf) Details(p door.Pick, options map[string]string) (*door.Details, error) {
	b, book, err := s.load(p)
	if err != nil {
		return nil, err
	}
	out := &door.Details{Book: b, Players: book.PlayerNumbers(options)}
	out.Options = seq.Map(book.Options(), func(o model.Option) door.BookOption {
		return door.BookOption{
			Name: o.Name, Words: o.Words, Default: o.Default, Values: short(o.List()), Said: s.said(&o), Wants: door.Wants(locale.For(s.lang), &o), Number: o.Bounded(),
		}
	})
	return out, nil
}

// said are the values of an option in words, nil if they are numbers.
func (s *Shelf) said(o *model.Option) []string {
	switch say := locale.For(s.lang).Say; {
	case o.Kind == model.Flag:
		return seq.Map(o.Values, func(v string) string {
			if v == "true" {
				return say("answer.yes")
			}
			return say("answer.no")
		})
	case len(o.Said) == len(short(o.List())):
		return o.Said
	}
	return nil
}

// mostValues is the largest number of values that a person chooses from in a list.
const mostValues = 60

func short(values []string) []string {
	if len(values) > mostValues {
		return nil
	}
	return values
}

func (s *Shelf) Rules(p door.Pick, options map[string]string, players int) (*model.Rules, error) {
	_, book, err := s.load(p)
	if err != nil {
		return nil, err
	}
	known := book.OptionNames()
	for option := range options {
		if !slices.Contains(known, option) {
			return nil, errors.New(locale.For(s.lang).Say("usage.no_option", "book", book.Name(), "name", strconv.Quote(option)))
		}
	}
	for _, o := range book.Options() {
		if v, given := options[o.Name]; given && !o.Takes(v) {
			l := locale.For(s.lang)
			return nil, errors.New(l.Say("usage.option", "name", strconv.Quote(o.Name), "got", strconv.Quote(v), "want", door.Wants(l, &o)))
		}
	}
	rules, faults := book.Rules(dsl.Setting{Options: options, Players: players})
	if rules == nil {
		return nil, Faults(faults)
	}
	return rules, nil
}

// Faults is an error with the findings of a rule file, a line each.
func Faults(list diag.List) error {
	return errors.New(strings.Join(seq.Map(list, func(d diag.Diagnostic) string { return d.Span.Say(d.Message) }), "\n"))
}
