package main_test

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rulerun/rulerun/rulesets"
)

const module = "github.com/rulerun/rulerun/"

// goFiles lists the Go files below folders of the module, test files apart.
func goFiles(t *testing.T, folders ...string) []string {
	t.Helper()
	var out []string
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join("../..", folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() && d.Name() == "testdata" {
				if err == nil {
					err = fs.SkipDir
				}
				return err
			}
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				out = append(out, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d Go files found", len(out))
	}
	return out
}

// gameWords are words of games that no shipped rule book need declare; the declared ones are read from the files.
var gameWords = []string{
	"barrier", "capture", "safe", "corridor", "parchis", "parchís", "patolli", "ludoteka", "cicloparchis", "ludo", "parcheesi",
	"prey", "shelter", "bet", "rosette", "snake", "ladder", "blockade", "stone", "bean", "goal", "barrera", "casa", "meta",
}

// commonWords are names the rule books use that mean something else in any program; a ladder is also one of players.
var commonWords = []string{"free", "pay", "near", "central", "top", "ring", "race", "loop", "ladder"}

// TestNoGameInGo looks for words of games among the identifiers and texts of the Go code: a rule of a game stands in a
// rule file, or the language lacks something.
func TestNoGameInGo(t *testing.T) {
	words := slices.Clone(gameWords)
	declared := regexp.MustCompile(`(?m)^(?:act|ruleset|change) ([a-z_0-9]+)`)
	files, err := fs.Glob(rulesets.FS, "*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no rule books", err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range declared.FindAllStringSubmatch(string(data), -1) {
			words = append(words, strings.ReplaceAll(m[1], "_", ""))
		}
	}
	words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(commonWords, w) })
	for _, path := range goFiles(t, "dsl", "interpreter", "cmd", "boards") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		file := set.AddFile(path, -1, len(src))
		var s scanner.Scanner
		s.Init(file, src, nil, 0)
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok != token.IDENT && tok != token.STRING {
				continue
			}
			for _, w := range split(lit) {
				if slices.Contains(words, w) || slices.Contains(words, strings.TrimSuffix(w, "s")) {
					t.Errorf("%s: %s has the word %q of a game", set.Position(pos), lit, w)
				}
			}
		}
	}
}

// split cuts an identifier or text into its words, in small letters.
func split(s string) []string {
	var b strings.Builder
	before := ' '
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	return strings.Fields(b.String())
}

// TestTheWordTestFinds shows that the test above would see a word wherever it hides.
func TestTheWordTestFinds(t *testing.T) {
	for _, s := range []string{"barrierAt", "isBarrier", `"a barrier here"`, "Barriers", "NoBarrier"} {
		if !slices.ContainsFunc(split(s), func(w string) bool { return strings.TrimSuffix(w, "s") == "barrier" }) {
			t.Errorf("%q hides the word", s)
		}
	}
}

// TestFilesAreReadInOnePlace holds the code that reads what people name to the one package that does so safely. Files
// that are made, and must not be there yet, are opened anywhere.
func TestFilesAreReadInOnePlace(t *testing.T) {
	const room = "cmd/rulerun/internal/files"
	reading := []string{"Open", "OpenFile", "OpenInRoot", "OpenRoot", "ReadFile", "DirFS"}
	found := 0
	for _, path := range goFiles(t, "dsl", "interpreter", "cmd", "boards", "rulesets") {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		inRoom := strings.HasPrefix(filepath.ToSlash(path), "../../"+room+"/")
		isOS := func(e ast.Expr, names ...string) bool {
			s, ok := e.(*ast.SelectorExpr)
			if !ok {
				return false
			}
			x, ok := s.X.(*ast.Ident)
			return ok && x.Name == "os" && slices.Contains(names, s.Sel.Name)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				if n.Path.Value == `"os"` && n.Name != nil || n.Path.Value == `"io/ioutil"` {
					t.Errorf("%s: import %s hides what is read", set.Position(n.Pos()), n.Path.Value)
				}
			case *ast.CallExpr:
				made := false
				for _, arg := range n.Args {
					ast.Inspect(arg, func(n ast.Node) bool {
						e, ok := n.(ast.Expr)
						made = made || ok && isOS(e, "O_EXCL")
						return true
					})
				}
				if made && isOS(n.Fun, "OpenFile") {
					return false
				}
			case *ast.SelectorExpr:
				if isOS(n, reading...) {
					found++
					if !inRoom {
						t.Errorf("%s: os.%s reads what may be a device or a pipe: use package %s", set.Position(n.Pos()), n.Sel.Name, room)
					}
				}
			}
			return true
		})
	}
	if found == 0 {
		t.Error("no file is read anywhere")
	}
}

// allowed says what each package of the module may import of the others. What is not listed may import none.
var allowed = map[string][]string{
	"boards": {
		"boards/scene", "dsl/catalogue", "dsl/diag", "dsl/expr", "dsl/source",
	},
	"boards/scene": {},
	"cmd/rulerun": {
		"cmd/rulerun/internal/cli",
	},
	"cmd/rulerun/internal/books": {
		"cmd/rulerun/internal/door", "cmd/rulerun/internal/locale", "dsl", "dsl/catalogue", "dsl/diag", "dsl/model", "dsl/source", "interpreter",
	},
	"cmd/rulerun/internal/site": {
		"cmd/rulerun/internal/books", "cmd/rulerun/internal/door", "cmd/rulerun/internal/files", "cmd/rulerun/internal/leaflet", "cmd/rulerun/internal/locale",
		"examples", "interpreter/learn",
	},
	"cmd/rulerun/internal/web/engine": {
		"cmd/rulerun/internal/books", "cmd/rulerun/internal/door", "examples", "interpreter/learn",
	},
	"cmd/rulerun/internal/web/language": {
		"cmd/rulerun/internal/books", "cmd/rulerun/internal/lsp", "examples",
	},
	"cmd/rulerun/internal/browser": {},
	"cmd/rulerun/internal/cli": {
		"boards", "cmd/rulerun/internal/books", "cmd/rulerun/internal/coverage", "cmd/rulerun/internal/door", "cmd/rulerun/internal/files", "cmd/rulerun/internal/fullscreen", "cmd/rulerun/internal/leaflet", "cmd/rulerun/internal/locale", "cmd/rulerun/internal/logs", "cmd/rulerun/internal/lsp", "cmd/rulerun/internal/object", "cmd/rulerun/internal/phrase", "cmd/rulerun/internal/picture", "cmd/rulerun/internal/report", "cmd/rulerun/internal/scaffold", "cmd/rulerun/internal/site", "cmd/rulerun/internal/study", "cmd/rulerun/internal/table", "cmd/rulerun/internal/watch", "cmd/rulerun/internal/web", "dsl", "dsl/catalogue", "dsl/diag", "dsl/model", "dsl/pages", "dsl/source", "interpreter", "interpreter/bot", "interpreter/cover", "interpreter/explore", "interpreter/heat", "interpreter/ladder", "interpreter/learn", "interpreter/mutation", "interpreter/record", "interpreter/review", "interpreter/solve", "interpreter/stats", "interpreter/suite", "examples", "rulesets",
	},
	"cmd/rulerun/internal/coverage": {
		"cmd/rulerun/internal/object", "dsl", "dsl/diag", "dsl/source", "interpreter/cover", "interpreter/mutation",
	},
	"cmd/rulerun/internal/locale": {
		"dsl/catalogue",
	},
	"cmd/rulerun/internal/door": {
		"cmd/rulerun/internal/locale", "dsl/catalogue", "cmd/rulerun/internal/phrase", "boards", "boards/scene", "dsl/diag", "dsl/model", "interpreter", "interpreter/bot", "interpreter/record", "interpreter/review", "interpreter/solve", "interpreter/stats",
	},
	"cmd/rulerun/internal/files": {
		"boards", "dsl", "dsl/source",
	},
	"cmd/rulerun/internal/fullscreen": {
		"boards", "cmd/rulerun/internal/door", "cmd/rulerun/internal/phrase", "interpreter", "interpreter/bot", "interpreter/record",
	},
	"cmd/rulerun/internal/leaflet": {
		"boards", "boards/scene", "cmd/rulerun/internal/locale", "cmd/rulerun/internal/phrase", "dsl", "dsl/difference", "dsl/model", "interpreter",
	},
	"cmd/rulerun/internal/lsp": {
		"boards", "dsl", "dsl/assist", "dsl/diag", "dsl/index", "dsl/source", "interpreter",
	},
	"cmd/rulerun/internal/object": {},
	"cmd/rulerun/internal/phrase": {
		"cmd/rulerun/internal/locale", "interpreter/stats",
	},
	"cmd/rulerun/internal/picture": {
		"boards", "boards/scene",
	},
	"cmd/rulerun/internal/report": {
		"cmd/rulerun/internal/object", "dsl/diag", "dsl/difference", "dsl/pages", "dsl/source",
	},
	"cmd/rulerun/internal/scaffold": {
		"boards", "dsl", "dsl/diag", "dsl/model", "dsl/source", "interpreter", "interpreter/suite",
	},
	"cmd/rulerun/internal/logs": {
		"interpreter", "interpreter/learn", "interpreter/record", "interpreter/review", "interpreter/stats",
	},
	"cmd/rulerun/internal/study": {
		"cmd/rulerun/internal/locale", "cmd/rulerun/internal/object", "cmd/rulerun/internal/phrase", "cmd/rulerun/internal/picture", "dsl/model", "interpreter", "interpreter/heat", "interpreter/ladder", "interpreter/review", "interpreter/stats",
	},
	"cmd/rulerun/internal/table": {
		"boards", "cmd/rulerun/internal/door", "cmd/rulerun/internal/phrase", "dsl/diag", "interpreter",
	},
	"cmd/rulerun/internal/watch": {},
	"cmd/rulerun/internal/web": {
		"cmd/rulerun/internal/door", "cmd/rulerun/internal/locale", "cmd/rulerun/internal/lsp", "dsl/catalogue",
	},
	"dsl": {
		"boards", "dsl/catalogue", "dsl/diag", "dsl/difference", "dsl/internal/book", "dsl/internal/check", "dsl/internal/format", "dsl/internal/mutate", "dsl/internal/parts", "dsl/model", "dsl/pages", "dsl/source", "dsl/syntax",
	},
	"dsl/assist": {
		"boards", "dsl/diag", "dsl/expr", "dsl/index", "dsl/internal/book", "dsl/internal/check", "dsl/model", "dsl/source", "dsl/syntax",
	},
	"dsl/catalogue": {
		"dsl/diag", "dsl/source",
	},
	"dsl/diag": {
		"dsl/source",
	},
	"dsl/difference": {
		"boards", "dsl/expr", "dsl/internal/book", "dsl/internal/check", "dsl/model", "dsl/source", "dsl/syntax",
	},
	"dsl/expr": {
		"dsl/diag", "dsl/source",
	},
	"dsl/index": {
		"boards", "dsl/model", "dsl/source",
	},
	"dsl/internal/book": {
		"dsl/diag", "dsl/expr", "dsl/source", "dsl/syntax",
	},
	"dsl/internal/check": {
		"boards", "dsl/catalogue", "dsl/diag", "dsl/expr", "dsl/index", "dsl/internal/book", "dsl/internal/sense", "dsl/model", "dsl/source", "dsl/syntax",
	},
	"dsl/internal/format": {
		"dsl/diag", "dsl/source", "dsl/syntax",
	},
	"dsl/internal/mutate": {
		"dsl/expr", "dsl/source", "dsl/syntax",
	},
	"dsl/internal/parts": {
		"dsl/expr", "dsl/model", "dsl/source", "dsl/syntax",
	},
	"dsl/internal/sense": {
		"dsl/diag", "dsl/model", "dsl/source",
	},
	"dsl/model": {
		"boards", "dsl/catalogue", "dsl/source",
	},
	"dsl/pages":   {},
	"dsl/pattern": {},
	"dsl/seq":     {},
	"dsl/source":  {},
	"dsl/syntax": {
		"dsl/diag", "dsl/expr", "dsl/source",
	},
	"interpreter": {
		"boards", "dsl/catalogue", "dsl/model", "dsl/source", "interpreter/internal/code", "interpreter/internal/compile", "interpreter/internal/random",
		"interpreter/internal/vm", "interpreter/internal/wasm",
	},
	"interpreter/bot": {
		"dsl/catalogue", "dsl/diag", "dsl/model", "interpreter", "interpreter/learn", "interpreter/solve",
	},
	"interpreter/cover": {
		"dsl/diag", "dsl/model", "dsl/source", "interpreter",
	},
	"interpreter/explore": {
		"dsl", "dsl/diag", "dsl/model", "dsl/source", "interpreter", "interpreter/internal/parallel", "interpreter/suite",
	},
	"interpreter/heat": {
		"dsl/model", "interpreter", "interpreter/stats",
	},
	"interpreter/internal/code": {
		"interpreter/internal/ir",
	},
	"interpreter/internal/compile": {
		"boards", "dsl/model", "dsl/source", "interpreter/internal/code", "interpreter/internal/ir", "interpreter/internal/vm",
	},
	"interpreter/internal/generate": {
		"dsl", "dsl/diag", "dsl/source",
	},
	"interpreter/internal/ir":       {},
	"interpreter/internal/parallel": {},
	"interpreter/internal/random":   {},
	"interpreter/internal/reference": {
		"boards", "dsl/model", "dsl/source",
	},
	"interpreter/internal/testbook": {
		"dsl", "dsl/model", "dsl/source", "rulesets",
	},
	"interpreter/internal/vm": {
		"interpreter/internal/code", "interpreter/internal/random",
	},
	"interpreter/internal/wasm": {
		"interpreter/internal/code", "interpreter/internal/ir", "interpreter/internal/vm",
	},
	"interpreter/learn": {
		"boards", "dsl/model", "interpreter", "interpreter/internal/parallel",
	},
	"interpreter/ladder": {
		"interpreter", "interpreter/internal/parallel", "interpreter/stats",
	},
	"interpreter/mutation": {
		"dsl", "dsl/diag", "dsl/model", "dsl/source", "interpreter", "interpreter/cover", "interpreter/internal/parallel",
		"interpreter/suite",
	},
	"interpreter/record": {
		"dsl/catalogue", "dsl/model", "dsl/source", "interpreter",
	},
	"interpreter/review": {
		"dsl/catalogue", "dsl/model", "interpreter", "interpreter/learn", "interpreter/solve", "interpreter/stats",
	},
	"interpreter/solve": {
		"dsl/catalogue", "dsl/model", "interpreter", "interpreter/record",
	},
	"interpreter/stats": {
		"dsl/model", "interpreter", "interpreter/internal/parallel", "interpreter/record",
	},
	"interpreter/suite": {
		"dsl", "dsl/diag", "dsl/model", "dsl/source", "interpreter", "interpreter/internal/parallel", "interpreter/record",
	},
	"rulesets": {},
	"examples": {"rulesets"},
}

// owners says which packages alone may import a library.
var owners = map[string][]string{
	"github.com/alecthomas/participle": {"dsl/syntax", "dsl/format"},
	"github.com/expr-lang/expr":        {"dsl/expr"},
	"gopkg.in/yaml.v3":                 {"boards"},
	"github.com/chromedp/":             {"cmd/rulerun/internal/browser"},
	"github.com/nicksnyder/go-i18n/":   {"cmd/rulerun/internal/locale"},
	"golang.org/x/text/":               {"cmd/rulerun/internal/locale"},
	"github.com/spf13/":                {"cmd/rulerun/internal/cli"},
	"github.com/rogpeppe/go-internal/": {"cmd/rulerun/internal/cli"},
	"golang.org/x/term":                {"cmd/rulerun/internal/cli"},
	"go.lsp.dev/":                      {"cmd/rulerun/internal/lsp"},
	"charm.land/":                      {"cmd/rulerun/internal/fullscreen"},
	"github.com/charmbracelet/":        {"cmd/rulerun/internal/fullscreen"},
	"github.com/santhosh-tekuri/":      {}, // tests
	"github.com/fsnotify/fsnotify":     {"cmd/rulerun/internal/watch"},
	"github.com/tetratelabs/wazero":    {"interpreter/internal/wasm"},
	"gonum.org/v1/plot/":               {"cmd/rulerun/internal/picture"},
	"github.com/parquet-go/":           {"cmd/rulerun/internal/logs"},
	"golang.org/x/image/":              {"cmd/rulerun/internal/picture"},
	"codeberg.org/go-fonts/":           {"cmd/rulerun/internal/picture"},
}

// TestImports holds the packages to the table.
func TestImports(t *testing.T) {
	for _, path := range goFiles(t, "dsl", "interpreter", "cmd", "boards", "rulesets") {
		pkg := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(path), "../../"))
		may, known := allowed[pkg]
		if !known {
			t.Errorf("package %s is not in the table of imports", pkg)
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if inside, ok := strings.CutPrefix(name, module); ok {
				if inside != "dsl/seq" && inside != "dsl/pattern" && !slices.Contains(may, inside) { // which are as plain as the standard library
					t.Errorf("%s imports %s", path, inside)
				}
				continue
			}
			if !strings.Contains(strings.Split(name, "/")[0], ".") {
				continue // the standard library
			}
			owned := false
			for library, packages := range owners {
				if strings.HasPrefix(name, library) {
					owned = true
					if !slices.Contains(packages, pkg) {
						t.Errorf("%s imports %s, which %v own", path, name, packages)
					}
				}
			}
			if !owned {
				t.Errorf("%s imports %s, which has no owner in the table", path, name)
			}
		}
	}
}
