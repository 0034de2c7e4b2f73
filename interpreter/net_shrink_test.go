package interpreter

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
	"github.com/rulerun/rulerun/interpreter/internal/generate"
)

// edit puts another text instead of a stretch of a file.
type edit struct {
	from, to int
	text     string
}

// shrunk makes a failing case smaller, as long as it fails in the same way, and writes it down.
func (n *netPlayer) shrunk(c *netCase, v netVerdict, f netFailure, most time.Duration) string {
	small := *c
	small.Law, small.Settled, small.Options, small.Players = f.Law, v.Options != nil, v.Options, v.Players
	if f.Law == "alive" || f.Law == "check" {
		small.Law = ""
	}
	small.Book = copied(c.Book)
	if most == 0 {
		return note(&small, v, f) + written(small.Book)
	}
	until := time.Now().Add(most)
	if f.Sign == "hang" {
		n.patience = netPatience / 4
		defer func() { n.patience = 0 }()
	}
	same := func(c *netCase) bool {
		got, err := n.judge(c)
		for _, o := range got.Failures {
			if err == nil && o.Law == f.Law && o.Sign == f.Sign {
				f, v = o, got
				return true
			}
		}
		return false
	}
	fails := func(try *netCase) bool {
		quick := *try
		quick.Quick = f.Law != "check"
		return same(&quick) && (!quick.Quick || same(try)) // in all settings too
	}
	if !fails(&small) {
		if small.Law = ""; !fails(&small) {
			return note(c, v, f) + "(it does not fail alone)\n" + written(c.Book)
		}
	}
	if try := flat(&small); try != nil && fails(try) {
		small = *try
	}
	for changed := true; changed && time.Now().Before(until); {
		changed = false
		for _, name := range slices.Sorted(maps.Keys(small.Book.Files)) {
			if strings.HasSuffix(name, ".yaml") {
				continue
			}
			for _, list := range []func(string) []edit{declEdits, partEdits, exprEdits, numberEdits} {
				changed = n.reduce(&small, name, list, fails, until) || changed
			}
		}
		for _, name := range slices.Sorted(maps.Keys(small.Book.Files)) {
			if strings.HasSuffix(name, ".yaml") {
				changed = n.reduce(&small, name, boardEdits, fails, until) || changed
			}
		}
	}
	for name, text := range small.Book.Files {
		try := small
		try.Book = copied(small.Book)
		lines := slices.DeleteFunc(strings.SplitAfter(text, "\n"), func(s string) bool { return strings.TrimSpace(s) == "" })
		if try.Book.Files[name] = strings.Join(lines, ""); fails(&try) {
			small = try
		}
	}
	return note(&small, v, f) + written(small.Book)
}

// flat is a case without the files on top of the book, where they are not needed.
func flat(c *netCase) *netCase {
	if len(c.Book.Files) == 2 {
		return nil
	}
	try := *c
	try.Book = copied(c.Book)
	try.Book.Changes, try.Book.Main = nil, "game.rules"
	maps.DeleteFunc(try.Book.Files, func(name, _ string) bool { return name != "game.rules" && !strings.HasSuffix(name, ".yaml") })
	return &try
}

func copied(b generate.Book) generate.Book {
	b.Files = maps.Clone(b.Files)
	return b
}

// reduce tries edits to a file until none helps any more.
func (n *netPlayer) reduce(c *netCase, name string, list func(string) []edit, fails func(*netCase) bool, until time.Time) bool {
	any := false
	for again := true; again; {
		again = false
		edits := list(c.Book.Files[name])
		for i := 0; i < len(edits); i++ {
			if time.Now().After(until) {
				return any
			}
			text := c.Book.Files[name]
			e := edits[i]
			if e.to > len(text) || len(e.text) > e.to-e.from || text[e.from:e.to] == e.text {
				continue
			}
			try := *c
			try.Book = copied(c.Book)
			try.Book.Files[name] = text[:e.from] + e.text + text[e.to:]
			if !fails(&try) {
				continue
			}
			*c = try
			any, again = true, true
			edits = list(c.Book.Files[name]) // go on where the same edit would stand now
			i = max(-1, min(i-1, len(edits)-1))
		}
	}
	return any
}

// declEdits leave out one declaration after the other, the last first.
func declEdits(text string) (out []edit) {
	f := parsed(text)
	if f == nil {
		return nil
	}
	for _, d := range slices.Backward(f.Decls) {
		if d.Ruleset == nil && d.Change == nil {
			s := d.Span(f.Source)
			out = append(out, edit{s.Start, lineEnd(text, s.End), ""})
		}
	}
	return out
}

func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 && strings.TrimSpace(text[at:at+i]) == "" {
		return at + i + 1
	}
	return at
}

func parsed(text string) *syntax.File {
	var faults diag.List
	f := syntax.Parse(source.New("game.rules", text), &faults)
	if f == nil || faults.HasErrors() {
		return nil
	}
	return f
}

// partEdits leave out clauses, statements, parts of heads and conditions, and put blocks instead of what holds them.
func partEdits(text string) (out []edit) {
	f := parsed(text)
	if f == nil {
		return nil
	}
	visitAll(f.Decls, func(v any) {
		drop := func(s source.Span) { out = append(out, edit{s.Start, s.End, ""}) }
		switch x := v.(type) {
		case *syntax.Clause:
			drop(x.Span(f.Source))
		case *syntax.Stmt:
			s := x.Span(f.Source)
			drop(s)
			inner := func(b *syntax.Block) {
				if b != nil {
					t := b.Span(f.Source).Text()
					out = append(out, edit{s.Start, s.End, strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(t, "{"), "}"))})
				}
			}
			switch {
			case x.If != nil:
				inner(x.If.Then)
				inner(x.If.Else)
			case x.For != nil:
				inner(x.For.Body)
			}
		case *syntax.Cites:
			drop(x.Span(f.Source))
		case *syntax.Act:
			if x.Words != nil {
				drop(x.Words.Span(f.Source))
			}
		case *syntax.Choose:
			if x.Words != nil {
				drop(x.Words.Span(f.Source))
			}
		}
	})
	// "when", "if", "by", "with", "to", "from" and "carrying" with what follows them on the line.
	visitAll(f.Decls, func(v any) {
		e, ok := v.(*syntax.Expr)
		if !ok {
			return
		}
		s := e.Span(f.Source)
		before := strings.TrimRight(text[:s.Start], " ")
		for _, word := range []string{"when", "if", "by", "with", "from", "carrying", "to"} {
			if strings.HasSuffix(before, " "+word) {
				out = append(out, edit{len(before) - len(word) - 1, s.End, ""})
			}
		}
	})
	return out
}

// exprEdits put something simpler instead of expressions: parts of them, or what is always there.
func exprEdits(text string) (out []edit) {
	f := parsed(text)
	if f == nil {
		return nil
	}
	simple := []string{"true", "false", "0", "1", "me", "nil", "home", "mine", "game.pieces", "yellow", "game.players", "game.pieces[0]", "game.teams", "game.colours"}
	visitAll(f.Decls, func(v any) {
		e, ok := v.(*syntax.Expr)
		if !ok || e.Node == nil {
			return
		}
		var walk func(n *expr.Node)
		walk = func(n *expr.Node) {
			if n.Span.File != nil && n.Span.File.Text() == text && n.Span.End <= len(text) && len(n.Args) > 0 {
				for _, a := range n.Args {
					if t := a.Span.Text(); t != "" {
						out = append(out, edit{n.Span.Start, n.Span.End, t})
						if strings.ContainsAny(t, " ") {
							out = append(out, edit{n.Span.Start, n.Span.End, "(" + t + ")"})
						}
					}
				}
				if len(n.Span.Text()) > 5 {
					for _, s := range simple {
						out = append(out, edit{n.Span.Start, n.Span.End, s})
					}
				}
			}
			for _, a := range n.Args {
				walk(a)
			}
		}
		walk(e.Node)
	})
	return out
}

var digits = regexp.MustCompile(`-?\d+`)

// numberEdits make numbers smaller.
func numberEdits(text string) (out []edit) {
	for _, at := range digits.FindAllStringIndex(text, -1) {
		if at[0] > 0 && (isName(text[at[0]-1]) || text[at[0]-1] == '"') {
			continue
		}
		if n, err := strconv.Atoi(text[at[0]:at[1]]); err == nil && n > 1 {
			for _, m := range []int{1, 2, n / 2, n - 1} {
				if m < n {
					out = append(out, edit{at[0], at[1], strconv.Itoa(m)})
				}
			}
		}
	}
	return out
}

func isName(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

// boardEdits leave out lines, elements between brackets and braces, and make numbers smaller.
func boardEdits(text string) (out []edit) {
	at := 0
	for _, line := range strings.SplitAfter(text, "\n") {
		out = append(out, edit{at, at + len(line), ""})
		at += len(line)
	}
	for i := range len(text) { // ", {lane: c}" and the like
		if text[i] != ',' {
			continue
		}
		depth := 0
		for j := i + 1; j < len(text); j++ {
			switch c := text[j]; {
			case c == '[' || c == '{':
				depth++
			case c == ']' || c == '}':
				depth--
			}
			if depth < 0 || depth == 0 && text[j] == ',' || text[j] == '\n' {
				out = append(out, edit{i, j, ""})
				break
			}
		}
	}
	return append(out, numberEdits(text)...)
}

// visitAll visits everything in a tree of the parser.
func visitAll(root any, f func(any)) {
	syntax.Walk(root, func(node any) bool {
		f(node)
		return true
	})
}

// found is how a case is to be played again, in the line that begins with "play".
type found struct {
	Seed    uint64            `json:"seed"`
	Options map[string]string `json:"options,omitempty"`
	Players int               `json:"players,omitempty"`
	Main    string            `json:"main"`
	Changes []string          `json:"changes,omitempty"`
}

// note is what is said of a failing case before its files.
func note(c *netCase, v netVerdict, f netFailure) string {
	detail := f.Detail
	if len(detail) > 4000 {
		detail = detail[:4000] + "…"
	}
	play, err := json.Marshal(found{c.Seed, v.Options, v.Players, c.Book.Main, c.Book.Changes})
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("law %s: %s\nplay %s\n\n%s\n\n", f.Law, f.Sign, play, strings.ReplaceAll(detail, "\n-- ", "\n -- "))
}

// written is a book as a txtar archive.
func written(b generate.Book) string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(b.Files)) {
		fmt.Fprintf(&out, "-- %s --\n%s\n", name, strings.TrimRight(b.Files[name], "\n"))
	}
	return out.String()
}

// readFound reads what shrunk has written.
func readFound(text string) (*netCase, error) {
	c := &netCase{Settled: true, Book: generate.Book{Files: map[string]string{}}}
	var f found
	name, play := "", false
	for _, line := range strings.SplitAfter(text, "\n") {
		trimmed := strings.TrimSpace(line)
		switch rest, is := strings.CutPrefix(trimmed, "play "); {
		case name == "" && !play && is:
			if err := json.Unmarshal([]byte(rest), &f); err != nil {
				return nil, err
			}
			play = true
		case strings.HasPrefix(trimmed, "-- ") && strings.HasSuffix(trimmed, " --") && line[0] == '-':
			name = strings.TrimSpace(strings.Trim(trimmed, "-"))
		case name != "":
			c.Book.Files[name] += line
		}
	}
	if !play || c.Book.Files[f.Main] == "" {
		return nil, errors.New("no line that begins with play, or not the file it names")
	}
	c.Seed, c.Options, c.Players, c.Book.Main, c.Book.Changes = f.Seed, f.Options, f.Players, f.Main, f.Changes
	return c, nil
}

// TestFound plays the books that were once played wrong.
func TestFound(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/found/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if *netFound != "" {
		if paths, err = filepath.Glob(*netFound); err != nil || len(paths) == 0 {
			t.Fatalf("%s: no files: %v", *netFound, err)
		}
	}
	n := &netPlayer{}
	defer n.stop()
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, err := readFound(string(text))
			if err != nil {
				t.Fatal(err)
			}
			c.Brief = true
			v, err := n.judge(c)
			if err != nil {
				t.Fatal(err)
			}
			if v.Rejected != "" {
				t.Fatalf("it does not check: %s", v.Rejected)
			}
			for _, f := range v.Failures {
				t.Errorf("%s: %s\n%s", f.Law, f.Sign, f.Detail)
			}
		})
	}
}
