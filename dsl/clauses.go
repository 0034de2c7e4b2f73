package dsl

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Clause is one clause of a written rule book. Rules and tests cite it by its id.
type Clause struct {
	ID      string
	Text    string
	Settled string // the interpretation used where the text is ambiguous; often ""
	Span    source.Span
}

// clauseHead takes the first line of a clause apart: ABC-01 and its words.
func clauseHead(line string) (id, words string, ok bool) {
	at := strings.IndexAny(line, " \t")
	if at < 0 {
		return "", "", false
	}
	book, number, _ := strings.Cut(line[:at], "-")
	capital := func(r rune) bool { return 'A' <= r && r <= 'Z' }
	small := func(r rune) bool { return 'a' <= r && r <= 'z' }
	digit := func(r rune) bool { return '0' <= r && r <= '9' }
	ok = book != "" && capital(rune(book[0])) && !strings.ContainsFunc(book, func(r rune) bool { return !capital(r) && !digit(r) }) &&
		number != "" && !strings.ContainsFunc(number, func(r rune) bool { return !capital(r) && !small(r) && !digit(r) })
	return line[:at], strings.TrimSpace(line[at:]), ok
}

// MaxClauses is the largest .clauses file that is read, in bytes.
const MaxClauses = 1 << 20

// maxClauseFaults is how many faults of a .clauses file are reported.
const maxClauseFaults = 100

// ReadClauses reads a .clauses file. Each clause begins in the first column with its id. Its text may continue in
// indented lines, and an indented "settled:" begins its interpretation. Lines that begin with # are comments. The
// result has every clause that could be read, even if there are faults.
func ReadClauses(file *source.File) ([]Clause, diag.List) {
	var out []Clause
	var diags diag.List
	if diags.Unread(file, MaxClauses) {
		return nil, diags
	}
	seen := map[string]source.Span{}
	var words, settled []string // of the current clause
	var more *[]string          // the one that the next indented line continues
	end := func() {
		if len(out) > 0 {
			c := &out[len(out)-1]
			c.Text, c.Settled = strings.Join(words, " "), strings.TrimSpace(strings.Join(settled, " "))
		}
		words, settled = nil, nil
	}
	for n := 1; n <= file.LineCount(); n++ {
		line := file.Line(n)
		span := file.Span(file.LineStart(n), file.LineStart(n)+len(line))
		text := strings.TrimSpace(line)
		if len(diags) == maxClauseFaults {
			diags.Errorf("too-many-faults", span, "there are %d faults before this; from here on the file was not read", maxClauseFaults)
			break
		}
		if at := badCharacter(line); at >= 0 {
			from := span.Start + at
			diags.Errorf("bad-character", file.Span(from, from+1), "this character does not belong in a text").WithHint("save the file as UTF-8, without control characters")
			continue
		}
		switch {
		case text == "" || strings.HasPrefix(line, "#"):
		case line[0] != ' ' && line[0] != '\t':
			id, head, fine := clauseHead(line)
			if !fine {
				diags.Errorf("bad-clause", span, "a clause begins with its id and its words").WithHint("write: ABC-01 The words of the clause")
				continue
			}
			if first, twice := seen[id]; twice {
				diags.Errorf("declared-twice", span, "clause %s is there already", id).WithNote(first, "the first one")
			}
			end()
			seen[id] = span
			out = append(out, Clause{ID: id, Span: span})
			words, more = []string{head}, &words
		case len(out) == 0:
			diags.Errorf("bad-clause", span, "this belongs to no clause").WithHint("a clause begins in the first column, with its id")
		case strings.HasPrefix(text, "settled:"):
			settled, more = []string{strings.TrimSpace(strings.TrimPrefix(text, "settled:"))}, &settled
		default:
			*more = append(*more, text)
		}
	}
	end()
	return out, diags
}

// family is the common prefix of the ids of one written rule book: "P4A" of P4A-18.
func family(id string) string {
	name, _, _ := strings.Cut(id, "-")
	return name
}

// ClauseLists finds the lists of clauses in the folder of a rule file and in its subfolder clauses, and the shipped
// ones.
func (l Library) ClauseLists() []*source.File {
	var out []*source.File
	l.clauseLists(func(file *source.File, _ Library) { out = append(out, file) })
	return out
}

// clauseLists visits the lists, each with a library of the folder that its catalogues are in.
func (l Library) clauseLists(visit func(file *source.File, folder Library)) {
	for i, fsys := range []fs.FS{l.Beside, l.Shipped} {
		if fsys == nil {
			continue
		}
		prefix := []string{l.Prefix, ""}[i]
		for _, pattern := range []string{"*.clauses", "clauses/*.clauses"} {
			names, _ := fs.Glob(fsys, pattern)
			for _, name := range names {
				file, ok := open(fsys, name, path.Join(prefix, name), MaxClauses)
				in, err := fs.Sub(fsys, path.Dir(name))
				if ok && err == nil {
					visit(file, Library{Shared: l.Shared, only: &Folder{in, path.Join(prefix, path.Dir(name)) + "/"}})
				}
			}
		}
	}
}

type listsKey struct{ prefix string }

type listedKey struct{ prefix, family string }

// listed is the ids of a family in the lists that a library finds.
func (l Library) listed(of string) []string {
	return l.Remember(listedKey{l.Prefix, of}, func() any {
		lists := l.Remember(listsKey{l.Prefix}, func() any { return l.ClauseLists() }).([]*source.File)
		var out []string
		for _, file := range lists {
			if !strings.Contains(file.Text(), of+"-") {
				continue
			}
			clauses, _ := ReadClauses(file) // check of the list itself reports its faults
			for _, c := range clauses {
				if family(c.ID) == of {
					out = append(out, c.ID)
				}
			}
		}
		return out
	}).([]string)
}

// cite is a clause id cited in a rule file.
type cite struct {
	id string
	at source.Span
}

var idPattern = pattern.Of(`[^\s\[\]]+`)

// cites lists every clause id that a file cites.
func cites(f *syntax.File) []cite {
	var out []cite
	for _, t := range f.Tokens() {
		if t.Kind != syntax.TokenIDs {
			continue
		}
		for _, m := range idPattern().FindAllStringIndex(t.Text, -1) {
			out = append(out, cite{t.Text[m[0]:m[1]], f.Source.Span(t.Start+m[0], t.Start+m[1])})
		}
	}
	return out
}

// unlisted finds cited ids that their written rule book does not have. It ignores ids of rule books without a
// list.
func (b *Book) unlisted() (out diag.List) {
	known := map[string][]string{}
	for _, c := range cites(b.joined.Top().File) {
		ids, asked := known[family(c.id)]
		if !asked {
			ids = b.lib.listed(family(c.id))
			known[family(c.id)] = ids
		}
		if len(ids) == 0 || slices.Contains(ids, c.id) {
			continue
		}
		d := out.Warnf("unlisted-clause", c.at, "the list of clauses has no %s", c.id)
		if near := diag.Nearest(c.id, ids); near != "" {
			d.WithHint("did you mean %s?", near)
		} else {
			d.WithHint("add it to the list, or name the clause it carries")
		}
	}
	return out
}

// Cited is the set of clauses that rules and tests of some books cite.
func Cited(books []*Book) map[string]bool {
	named := map[string]bool{}
	for _, b := range books {
		for _, id := range b.Clauses() {
			named[id] = true
		}
		for _, c := range cites(b.joined.Top().File) {
			named[c.id] = true
		}
	}
	return named
}

// Uncited checks a list of clauses: it warns of clauses that are not cited.
func Uncited(list *source.File, cited map[string]bool) diag.List {
	clauses, diags := ReadClauses(list)
	for _, c := range clauses {
		if !cited[c.ID] {
			diags.Warnf("uncited-clause", c.Span, "no rule and no test names clause %s", c.ID).
				WithHint("write [%s] behind the rule that carries it", c.ID)
		}
	}
	diags.Sort()
	return diags
}

// badCharacter is the offset of an invalid character in a line, -1 if there is none: a control character, or a byte
// that is not UTF-8.
func badCharacter(line string) int {
	for i, r := range line {
		if r == utf8.RuneError && !strings.HasPrefix(line[i:], string(utf8.RuneError)) || r != '\t' && unicode.IsControl(r) {
			return i
		}
	}
	return -1
}
