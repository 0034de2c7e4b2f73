package dsl

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/check"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// language is the texts of a book in another language. A nil one is English.
type language struct {
	name   string
	words  catalogue.Words
	lib    Library
	boards sync.Map // *boards.Board to its translation
}

// In is the book with its texts in a language, "es" or "es-MX": titles, what rules, acts, questions, options and counts say, and
// what the board calls its places. English stays what has no translation. Names and clause ids are the same in every
// language, and so are the digests of rules and what records say. What is not the name of a language is English.
func (b *Book) In(lang string) *Book {
	joined := b.joined.Afresh() // the texts of a language are put into the rules that are made of it
	check.ShareBoards(joined, b.joined)
	out := bookOf(joined, b.lib)
	out.joins = b.joins
	if !catalogue.IsLang(lang) || lang == "en" || strings.HasPrefix(lang, "en-") {
		return out
	}
	out.lang = &language{name: lang, lib: b.lib}
	var files []string
	for _, l := range slices.Backward(b.joined.Layers) {
		files = append(files, stem(l.File.Source))
	}
	out.lang.words = b.lib.Words(files, lang)
	return out
}

// Text is a text of the rules in the language of the book, by its key in the catalogue: what there is for names that rules say without
// words, "die.NAME" and "let.NAME", and "test.NAME" for a test.
func (b *Book) Text(key, english string) string {
	if b.lang == nil {
		return english
	}
	return b.lang.words.Text(key, english)
}

// stem is the name of a file without its folder and ending.
func stem(f *source.File) string {
	base := path.Base(f.Name())
	return strings.TrimSuffix(base, path.Ext(base))
}

// Words are the texts of rule files and boards in a language, those of the first one first. Files are named without folder and
// ending.
func (l Library) Words(files []string, lang string) catalogue.Words {
	if lang == catalogue.PseudoLang {
		return catalogue.Pseudo{}
	}
	var out catalogue.List
	for tag := lang; tag != ""; {
		for _, file := range files {
			if c := l.catalogue(file, tag); c != nil {
				out = append(out, c)
			}
		}
		tag = tag[:max(0, strings.LastIndexByte(tag, '-'))]
	}
	return out
}

// Catalogue finds the catalogue of a rule file, board or list of clauses, without folder and ending, as rule files are found.
func (l Library) Catalogue(of, lang string) (*source.File, bool) {
	name := catalogue.Name(of, lang)
	for _, folder := range l.everywhere() {
		if f, ok := read(folder.FS, name, folder.Prefix, catalogue.MaxBytes); ok {
			return f, true
		}
	}
	return nil, false
}

// everywhere lists the folders in the order in which they are searched for catalogues.
func (l Library) everywhere() []Folder {
	if l.only != nil {
		return []Folder{*l.only}
	}
	return append(l.folders(), Folder{boards.Catalogues(), "boards/"}, Folder{FS: l.Shipped})
}

type catalogueKey struct{ name, text string }

// catalogue reads a catalogue. What has a fault is left out: check reports it.
func (l Library) catalogue(of, lang string) *catalogue.Catalogue {
	file, ok := l.Catalogue(of, lang)
	if !ok {
		return nil
	}
	return l.Remember(catalogueKey{file.Name(), file.Text()}, func() any {
		c, _ := catalogue.Read(file, lang)
		return c
	}).(*catalogue.Catalogue)
}

// say puts the texts of rules in the language.
func (l *language) say(r *model.Rules) {
	if l == nil || r == nil {
		return
	}
	text := func(kind, name string, said *string) {
		if *said != "" {
			*said = l.words.Text(kind+"."+name, *said)
		}
	}
	r.Lang = l.name
	r.Title = l.words.Text("title", r.Title)
	for i := range r.ChangeTitles {
		r.ChangeTitles[i] = l.words.Text("title", r.ChangeTitles[i])
	}
	for _, v := range r.Vars {
		text("var", v.Name, &v.Words)
	}
	for _, d := range r.Dice {
		d.Words = l.words.Text("die."+d.Name, strings.ReplaceAll(d.Name, "_", " "))
	}
	for _, m := range r.Moves {
		text("move", m.Name, &m.Words)
	}
	for _, a := range r.Acts {
		a.Says = l.words.Text("act."+a.Name, a.Saying())
	}
	for _, rule := range r.Rules {
		text("rule", rule.Name, &rule.Words)
	}
	asked := map[*model.Stmt]bool{}
	for s := range r.Stmts() {
		if s.Kind == model.StmtChoose && !asked[s] {
			asked[s] = true
			text("question", "", &s.Words)
		}
	}
	r.Board = l.board(r.Board)
	for _, n := range r.Counts {
		switch {
		case n.Each:
			text("count", n.Name, &n.Title)
			c := r.Colours[r.Seats[n.Seat].Colours[0]]
			n.Words = n.Title + ", " + r.Board.Colours[c.Board].Words
		case !n.Worth:
			text("count", n.Name, &n.Words)
		}
	}
}

// option puts the texts of an option in the language.
func (l *language) option(o *model.Option) {
	if l == nil {
		return
	}
	if o.Words != "" {
		o.Words = l.words.Text("option."+o.Name, o.Words)
	}
	for i, v := range o.Said {
		o.Said[i] = l.words.Text("option."+o.Name+"."+v, v)
	}
}

// board is a board with its texts in the language.
func (l *language) board(b *boards.Board) *boards.Board {
	if said, ok := l.boards.Load(b); ok {
		return said.(*boards.Board)
	}
	files := append(append([]string{stem(b.Span.File)}, b.Bases...), boards.Drawing)
	said, _ := l.boards.LoadOrStore(b, b.In(l.lib.Words(files, l.name)))
	return said.(*boards.Board)
}

// Texts lists the texts of the book's last file that people meet, for its catalogue: each with the key of its translation.
func (b *Book) Texts() []catalogue.Text {
	top := b.joined.Top()
	if top.Tests {
		return nil
	}
	f := top.File
	var out []catalogue.Text
	add := func(key, english string, at source.Span) {
		if english != "" && !slices.ContainsFunc(out, func(t catalogue.Text) bool { return t.Key == key }) {
			out = append(out, catalogue.Text{Key: key, English: english, Span: at})
		}
	}
	worded := func(kind string, name *syntax.Name, words *syntax.Text) {
		add(kind+"."+name.Text, words.String(), name.Span(f.Source))
	}
	add("title", top.Title, f.Header.Span(f.Source))
	turn := b.turnNames()
	named := func(kind string, name *syntax.Name) {
		add(kind+"."+name.Text, catalogue.Spaced(name.Text), name.Span(f.Source))
	}
	said := func(k *syntax.Kind, name *syntax.Name, words *syntax.Text) { // what a declaration with this name and these words says
		switch {
		case k.Rule != nil:
			worded("rule", name, words)
		case k.Option != nil:
			worded("option", name, words)
		case k.Act != nil && (words != nil || k.Act.Words == nil):
			names := seq.Map(k.Act.Params, func(p *syntax.ParamOf) string { return p.Name.Text })
			add("act."+name.Text, catalogue.Saying(name.Text, k.Act.Words.String(), names), name.Span(f.Source))
		case k.Count != nil && k.Count.Words.String() == "" && k.Count.Each != nil:
			named("count", name)
		case k.Move != nil:
			named("move", name)
		case k.Var != nil && (k.Var.Scope != "turn" && k.Var.Scope != "go" || turn[k.Var.Name.Text]):
			named("var", name)
		case k.Let != nil && len(k.Let.Params) == 0 && turn[k.Let.Name.Text]:
			named("let", name)
		case k.Dice != nil:
			named("die", name)
		}
	}
	for _, d := range f.Decls {
		if d.Rename != nil {
			for _, e := range b.joined.Entries {
				if e.Declares(d.Rename.To.Text) {
					said(e.Decl.Kind, d.Rename.To, d.Rename.Words)
				}
			}
		}
		if d.Test != nil {
			name := d.Test.Name.String()
			add("test."+name, name, d.Test.Name.Span(f.Source))
		}
		if d.Kind == nil {
			continue
		}
		var words *syntax.Text
		if has := d.Head().Words; has != nil {
			words = *has
		}
		for _, name := range d.Head().Names {
			said(d.Kind, name, words)
		}
		if k := d.Kind.Count; k != nil {
			worded("count", k.Name, words)
		}
		if k := d.Kind.Option; k != nil {
			for _, o := range b.Options() {
				if o.Name != k.Name.Text || o.Kind != model.Word {
					continue
				}
				for _, v := range o.Values {
					add("option."+o.Name+"."+v, v, k.Name.Span(f.Source))
				}
			}
		}
		n := 0
		for q := range syntax.All[*syntax.Choose](d.Kind) {
			if q.Words == nil {
				continue
			}
			n++
			h := d.Head()
			name := h.Word
			if len(h.Names) > 0 {
				name = h.Names[0].Text
			}
			add(fmt.Sprintf("question.%s.%d", strings.ReplaceAll(name, " ", "_"), n), q.Words.String(), q.Words.Span(f.Source))
		}
	}
	return out
}

// ClauseTexts lists the texts of a list of clauses, for its catalogue.
func ClauseTexts(list *source.File) []catalogue.Text {
	clauses, _ := ReadClauses(list)
	var out []catalogue.Text
	for _, c := range clauses {
		out = append(out, catalogue.Text{Key: "clause." + c.ID, English: c.Text, Span: c.Span})
		if c.Settled != "" {
			out = append(out, catalogue.Text{Key: "clause." + c.ID + ".settled", English: c.Settled, Span: c.Span})
		}
	}
	return out
}

// CheckWords compares the catalogues of the book's last file with its texts: that of a language, which must be there, or
// with "" those that are there.
func (b *Book) CheckWords(lang string) diag.List {
	return checkWords(b.lib, b.joined.Top().File.Source, b.Texts(), b.Header(), lang)
}

// CheckBoardWords does the same for a board in a file.
func CheckBoardWords(b *boards.Board, file *source.File, lib Library, lang string) diag.List {
	return checkWords(lib, file, b.Texts(file), b.Span, lang)
}

// CheckClauseWords does the same for a list of clauses.
func CheckClauseWords(list *source.File, lib Library, lang string) diag.List {
	return checkWords(lib, list, ClauseTexts(list), list.Span(0, 0), lang)
}

// namesakes are the texts of the other files in a file's folder that have the same catalogues: a rule file, a board and a list of
// clauses of one name.
func (l Library) namesakes(file *source.File) []catalogue.Text {
	var out []catalogue.Text
	other := func(f *source.File, ok bool) bool {
		return ok && f.Name() != file.Name() && path.Dir(f.Name()) == path.Dir(file.Name())
	}
	if f, ok := l.Rules(stem(file), nil); other(f, ok) {
		if book, _ := Load(f, l); book != nil {
			out = append(out, book.Texts()...)
		}
	}
	if f, ok := l.Board(stem(file), nil); other(f, ok) {
		if board, _ := boards.Read(f, nil, func(name string) (*source.File, bool) { return l.Board(name, nil) }); board != nil {
			out = append(out, board.Texts(f)...)
		}
	}
	folder := l.beside(file).only
	if f, ok := read(folder.FS, stem(file)+".clauses", folder.Prefix, MaxClauses); other(f, ok) {
		out = append(out, ClauseTexts(f)...)
	}
	return out
}

func checkWords(lib Library, file *source.File, texts []catalogue.Text, at source.Span, lang string) diag.List {
	beside := lib.beside(file)
	langs := []string{lang}
	if lang == "" {
		langs = beside.Langs(stem(file))
	}
	var all diag.List
	for _, lang := range langs {
		found, ok := beside.Catalogue(stem(file), lang)
		if !ok {
			all = append(all, (*catalogue.Catalogue)(nil).Check(texts, nil, lang, at)...)
			continue
		}
		c, faults := catalogue.Read(found, lang)
		if !faults.HasErrors() {
			faults = c.Check(texts, lib.namesakes(file), lang, at)
		}
		all = append(all, faults...)
	}
	all.Sort()
	return all
}

// beside is a library of the folder alone that a file is in.
func (l Library) beside(file *source.File) Library {
	name := path.Base(file.Name())
	for _, folder := range l.everywhere() {
		if f, ok := read(folder.FS, name, folder.Prefix, MaxRules); ok && f.Name() == file.Name() && f.Text() == file.Text() {
			return Library{only: &folder, Shared: l.Shared}
		}
	}
	return Library{only: &Folder{l.Beside, l.Prefix}, Shared: l.Shared}
}

// Langs lists the languages that the book's last file, or one that it builds on, has texts in.
func (b *Book) Langs() []string {
	langs := seq.Flat(b.joined.Layers, func(l *book.Layer) []string { return b.lib.Langs(stem(l.File.Source)) })
	return slices.Compact(slices.Sorted(slices.Values(langs)))
}

// Langs lists the languages of the catalogues of a rule file or board, which is named without folder and ending.
func (l Library) Langs(of string) []string {
	var out []string
	for _, folder := range l.everywhere() {
		for _, name := range l.names(folder.FS, "*.json") {
			if stem, lang, ok := catalogue.Split(name); ok && stem == of && !slices.Contains(out, lang) {
				out = append(out, lang)
			}
		}
	}
	slices.Sort(out)
	return out
}
