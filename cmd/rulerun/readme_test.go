package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/cli"
)

// firstScreen is how many lines of the README say what it is about; the rest is links.
const firstScreen = 48

// rulerun runs the command and wants exit code 0.
func rulerun(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := cli.Main(args, strings.NewReader(""), &out, &out); code != 0 {
		t.Fatalf("rulerun %s: exit code %d\n%s", strings.Join(args, " "), code, &out)
	}
	return out.String()
}

func page(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(top, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeBegins holds the first screen of the README to the two commands, and to a house rule of six lines that is right.
func TestReadmeBegins(t *testing.T) {
	lines := strings.Split(page(t, "README.md"), "\n")
	first := strings.Join(lines[:firstScreen], "\n")
	for _, want := range []string{"\n    go run ./cmd/rulerun play parchis\n    go test ./...\n", "](examples", "src=\"examples/parchis.svg\"", "rulerun compare ours.rules"} {
		if !strings.Contains(page(t, "README.md"), want) || want[0] != ']' && !strings.Contains(first, want) {
			t.Errorf("no %q on the first screen", want)
		}
	}
	rule := regexp.MustCompile("(?s)```\n(.*?)```").FindStringSubmatch(first)
	if rule == nil || strings.Count(rule[1], "\n") != 6 {
		t.Fatalf("no house rule of six lines: %q", rule)
	}
	path := filepath.Join(t.TempDir(), "ours.rules")
	if err := os.WriteFile(path, []byte(rule[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	rulerun(t, "fmt", "--check", path)
	rulerun(t, "check", "--fail-on", "note", path)
	rulerun(t, "check", "--fail-on", "note", filepath.Join(top, "rulesets", "parchis.rules"))
	if out := rulerun(t, "diff", path); !strings.Contains(out, "1 changed") {
		t.Error(out)
	}
	rulerun(t, "play", path, "--seats", "random,random", "--seed", "1")
	rulerun(t, "compare", path, "--games", "8")
	rulerun(t, "compare", "parchis", "--sweep", "capture_count=5..6", "--games", "2")
}

// picturePosition is what the README's picture shows.
const picturePosition = `{"ruleset": "parchis", "players": 4, "turn": "yellow", "pieces": {
  "yellow": ["home", "12", "12", "yellow-3"], "blue": ["home", "home", "29", "46"],
  "red": ["home", "34", "63", "goal"], "green": ["home", "home", "56", "7"]}}`

// TestReadmePicture draws the picture of the README: a position of the game.
func TestReadmePicture(t *testing.T) {
	position := filepath.Join(t.TempDir(), "position.json")
	if err := os.WriteFile(position, []byte(picturePosition), 0o600); err != nil {
		t.Fatal(err)
	}
	rulerun(t, "moves", position, "--throw", "3")
	want := rulerun(t, "board", "cross68", "--position", position, "--svg", "-")
	picture := filepath.Join(top, "examples", "parchis.svg")
	if *update {
		if err := os.WriteFile(picture, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := page(t, "examples/parchis.svg"); got != want {
		t.Error("examples/parchis.svg is out of date: run the test with -update")
	}
}

var (
	codeSpan  = regexp.MustCompile("(?s:```.*?```)|`[^`]+`|(?m:^ {4}.*$)")
	pathSpans = regexp.MustCompile("`((?:boards|cmd|dsl|examples|interpreter)(?:/[\\w./-]+)?)`")
	nameSpans = regexp.MustCompile("`([\\w.-]+\\.(?:go|js|css|json|md|txt))`")
	pageLinks = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
)

// codeOf is what stands as code on a page.
func codeOf(page string) string {
	code := strings.Join(codeSpan.FindAllString(page, -1), "\n")
	return strings.ReplaceAll(code, "rulerun record 2\n", "") // the first line of a record
}

// TestPagesOfTheCommand holds the calls of rulerun in the pages of the repository to the verbs and flags there are, and their
// links to files.
func TestPagesOfTheCommand(t *testing.T) {
	for _, path := range []string{
		"README.md", "cmd/rulerun/README.md", "dsl/README.md", "dsl/TUTORIAL.md", "dsl/TRANSLATING.md", "boards/README.md", "interpreter/README.md",
		"interpreter/ARCHITECTURE.md",
		"examples/ci/README.md", "examples/editors/README.md", "examples/games/README.md", "examples/house/README.md", "examples/scale/README.md",
	} {
		text := page(t, path)
		understood(t, path, codeOf(text))
		if path == "interpreter/ARCHITECTURE.md" {
			filesAreThere(t, text)
		}
		for _, m := range pageLinks.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(top, filepath.Dir(path), m[1])); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// filesAreThere wants every file that a page names: by its whole path, or by its name alone after a path in the same paragraph or row,
// in that folder.
func filesAreThere(t *testing.T, text string) {
	t.Helper()
	for _, part := range regexp.MustCompile(`\n\n|\n\||\n- |\n\d\. `).Split(text, -1) {
		var folders []string
		for _, m := range pathSpans.FindAllStringSubmatch(part, -1) {
			info, err := os.Stat(filepath.Join(top, m[1]))
			if err != nil {
				t.Error(err)
				continue
			}
			if folders = append(folders, m[1]); !info.IsDir() {
				folders[len(folders)-1] = filepath.Dir(m[1])
			}
		}
		for _, m := range nameSpans.FindAllStringSubmatch(part, -1) {
			if !slices.ContainsFunc(folders, func(folder string) bool {
				_, err := os.Stat(filepath.Join(top, folder, m[1]))
				return err == nil
			}) {
				t.Errorf("no %s in %q", m[1], folders)
			}
		}
	}
}
