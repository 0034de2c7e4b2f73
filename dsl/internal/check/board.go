package check

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

// memoKey is a cache key: of what kind of thing something is remembered, and of which one.
type memoKey struct {
	what string
	of   any
}

// The kinds of things that are remembered.
const (
	ofBoard      = "board" // settings and books share boards, and their parameters
	ofParameters = "parameters"
	ofBoardFile  = "board file"
	ofFolder     = "words of a folder"
	ofDecl       = "words of a declaration"
	ofLets       = "lets of a book"
	ofDigests    = "digests"
	ofGiving     = "declarations that give a piece away"
	ofColours    = "colours of a setting"
	ofSetting    = "setting" // many tests share few
	ofUsual      = "keys of usual settings"
	ofOptions    = "options"
	ofNumbers    = "numbers of players"
)

// made is what is made of a file, and its faults.
type made[V any] struct {
	of     V
	faults diag.List
}

// memoize caches the result of work in the book, under a key.
func memoize[V any](b *book.Book, key any, work func() V) V {
	if v, ok := b.Memo.Load(key); ok {
		return v.(V)
	}
	v, _ := b.Memo.LoadOrStore(key, work())
	return v.(V)
}

// memoizeShared caches the result of work for all books of the finder, under a key.
func memoizeShared[V any](b *book.Book, key any, work func() V) V {
	return memoize(b, key, func() V { return b.Finder.Remember(key, func() any { return work() }).(V) })
}

// ShareBoards shares the cached boards of one book with another: both must find the same files.
func ShareBoards(to, from *book.Book) {
	from.Memo.Range(func(key, value any) bool {
		if k, ok := key.(memoKey); ok && (k.what == ofBoard || k.what == ofParameters) {
			to.Memo.Store(key, value)
		}
		return true
	})
}

// parametersOf reads the parameters of a board.
func (c *checker) parametersOf(file *source.File, open boards.Opener) ([]boards.Parameter, diag.List) {
	m := memoizeShared(c.book, memoKey{ofParameters, [2]string{file.Name(), file.Text()}}, func() made[[]boards.Parameter] {
		known, faults := boards.Parameters(file, open)
		return made[[]boards.Parameter]{known, faults}
	})
	return m.of, m.faults
}

// readBoard builds a board with parameters.
func (c *checker) readBoard(file *source.File, params map[string]int, open boards.Opener) (*boards.Board, diag.List) {
	var key strings.Builder
	for _, name := range slices.Sorted(maps.Keys(params)) {
		fmt.Fprintf(&key, "%s=%d ", name, params[name])
	}
	m := memoizeShared(c.book, memoKey{ofBoard, [3]string{file.Name(), file.Text(), key.String()}}, func() made[*boards.Board] {
		read := boards.Read
		if shipped(file) {
			read = boards.Make
		}
		board, faults := read(file, params, open)
		if board != nil {
			boards.Silence(file, &faults)
		}
		return made[*boards.Board]{board, faults}
	})
	return m.of, m.faults
}

// shipped reports whether a file is that of a board which comes with rulerun.
func shipped(file *source.File) bool {
	name, _, _ := strings.Cut(path.Base(file.Name()), ".")
	f, ok := boards.Shipped(name)
	return ok && f.Text() == file.Text()
}

// warnUnusedOfBoard warns of a line that names a board and none of its tracks, where the file of that board writes a track which it does not
// mean, and neither do other rule files that can be found. It notes other names of that file which nothing there and in its folder says again.
func warnUnusedOfBoard(b *book.Book, usual *model.Rules, diags *diag.List) {
	for _, e := range b.Entries {
		d, board := e.Decl.Kind.Board, usual.Board
		if d == nil || e.Layer != b.Top() || slices.Contains(boards.Names(), d.Name.Text) {
			continue
		}
		file, ok := b.Finder.Board(d.Name.Text, e.Decl.File)
		if !ok || file.Name() != board.Span.File.Name() {
			continue
		}
		at := d.Name.Span(e.Decl.File)
		i := slices.IndexFunc(board.Tracks, func(t boards.Track) bool {
			return t.Name != usual.Track.Name && t.Span.File.Name() == file.Name() && !usesTrack(b, t.Name)
		})
		if i >= 0 && d.Track == nil {
			t := board.Tracks[i]
			diags.Warnf("unused", at, "no rules use track %q of this board: these use %q", t.Name, usual.Track.Name).
				WithHint("a track is named behind the board: board %s track %s", d.Name.Text, t.Name).WithNote(t.Span, "it is this one")
		}
		said := map[string]int{}
		for _, w := range source.Words(file.Text()) {
			said[w]++
		}
		base := wordsBelow(b, file)
		again := func(name string) bool {
			return said[name] > 1 || base[name] || slices.Contains(source.Words(b.Top().File.Source.Text()), name) || folderWords(b, path.Dir(file.Name()), d.Name.Text)[name]
		}
		look := func(what, name string) {
			if is := board.Declared(name); is.File != nil && is.File.Name() == file.Name() && !again(name) {
				diags.Infof("unused", at, "nothing uses %s %q of this board", what, name).WithNote(is, "it is this one") // rules of another folder may
			}
		}
		for _, name := range board.Tags {
			look("tag", name)
		}
		for _, a := range board.Attributes {
			look("attribute", a.Name)
		}
		for _, l := range board.Landmarks {
			look("landmark", l.Name)
		}
		for _, p := range board.Places {
			if p.Zone {
				look("zone", p.Name)
			}
		}
	}
}

// wordsBelow are the words of the boards that a board extends, or is a use of: what it says anew is used there.
func wordsBelow(b *book.Book, file *source.File) map[string]bool {
	out, known := map[string]bool{}, map[string]bool{}
	for file != nil && !known[file.Name()] {
		known[file.Name()] = true
		words := source.Words(file.Text())
		var below *source.File
		if i := slices.IndexFunc(words, func(w string) bool { return w == "extends" || w == "use" }); i >= 0 {
			for _, w := range words[i+1 : min(len(words), i+3)] { // extends: NAME, or extends: {board: NAME}
				if f, ok := b.Finder.Board(w, file); ok && below == nil {
					below = f
				}
			}
		}
		if below != nil {
			for _, w := range source.Words(below.Text()) {
				out[w] = true
			}
		}
		file = below
	}
	return out
}

// folderWords are the words of the rule files of a folder that may be meant for a board: those that name it, or one that extends it, or none.
func folderWords(b *book.Book, folder, board string) map[string]bool {
	all := memoizeShared(b, memoKey{ofFolder, folder}, func() map[string]map[string]bool {
		extended, extending, out, names := map[string]string{}, map[string][]string{}, map[string]map[string]bool{}, b.Finder.BoardNames()
		each := func(names []string, find func(string, *source.File) (*source.File, bool), look func(name, text string)) {
			for _, name := range names {
				if file, ok := find(name, b.Top().File.Source); ok && path.Dir(file.Name()) == folder {
					look(name, file.Text())
				}
			}
		}
		add := func(board string, words []string) {
			for n := 0; n == 0 || board != "" && n <= len(extended); n++ {
				if out[board] == nil {
					out[board] = map[string]bool{}
				}
				for _, w := range words {
					out[board][w] = true
				}
				board = extended[board]
			}
		}
		each(names, b.Finder.Board, func(name, text string) {
			all := source.Words(text)
			if i := slices.Index(all, "extends"); i >= 0 {
				extending[name] = all
				if k := slices.IndexFunc(all[i:], func(w string) bool { return slices.Contains(names, w) }); k >= 0 {
					extended[name] = all[i+k]
				}
			}
		})
		for name, words := range extending {
			add(extended[name], words)
		}
		each(b.Finder.RulesNames(), b.Finder.Rules, func(_, text string) {
			named := ""
			if m := boardLine().FindStringSubmatch(text); m != nil {
				named = m[1]
			}
			add(named, source.Words(text))
		})
		for board, words := range out {
			if board != "" {
				maps.Copy(words, out[""])
			}
		}
		return out
	})
	if words, named := all[board]; named {
		return words
	}
	return all[""]
}

// boardLine is the line of a ruleset that names its board.
var boardLine = pattern.Of(`(?m)^board[ \t]+(\w+)`)

// usesTrack reports whether a rule file that can be found names a track.
func usesTrack(b *book.Book, track string) bool {
	top := b.Top().File.Source
	names := func(file *source.File) bool { return strings.Contains(file.Text(), "track "+track) }
	return names(top) || slices.ContainsFunc(b.Finder.RulesNames(), func(name string) bool {
		file, ok := b.Finder.Rules(name, top)
		return ok && names(file)
	})
}
