package cli

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// helpRows is how many rows a help text has at most.
const helpRows = 24

// TestHelpFitsAScreen holds the help of the command, of every verb and every page to 80 columns and 24 rows.
func TestHelpFitsAScreen(t *testing.T) {
	s := &session{}
	texts := map[string][]string{"": {"--help"}}
	for _, c := range s.root().Commands() {
		texts[c.Name()] = []string{c.Name(), "--help"}
	}
	for name := range s.helpPages() {
		if texts[name] != nil {
			t.Errorf("%q is a page and a verb", name)
		}
		texts[name] = []string{"help", name}
	}
	for _, lang := range locale.Languages() {
		t.Setenv("RULERUN_LANG", lang)
		for _, args := range texts {
			var out bytes.Buffer
			if code := Main(args, strings.NewReader(""), &out, &out); code != exitFine {
				t.Errorf("%s: %v: exit code %d", lang, args, code)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if len(lines) > helpRows {
				t.Errorf("%s: %v: %d rows\n%s", lang, args, len(lines), &out)
			}
			for _, line := range lines {
				if n := utf8.RuneCountInString(line); n > helpWidth {
					t.Errorf("%s: %v: %d columns: %s", lang, args, n, line)
				}
			}
		}
	}
}

// TestBotsAreDescribed holds the page about players to the words of the bots themselves, and to those of every language.
func TestBotsAreDescribed(t *testing.T) {
	page := (&session{}).playersPage()
	for _, name := range bot.Names() {
		for _, words := range append(bot.Options(name), name+"  "+bot.Describe(name)) {
			_, words, _ = strings.Cut(words, "  ")
			if !strings.Contains(page, "  "+words) {
				t.Errorf("%s: the page has no %q:\n%s", name, words, page)
			}
		}
	}
}

// TestFirstHelp holds the first help to sixteen verbs, and to none that is old or for programs.
func TestFirstHelp(t *testing.T) {
	s := &session{}
	var shown, want []string
	for _, line := range strings.Split(s.rootHelp(s.root()), "\n") {
		if len(line) > 7 && line[6] == ' ' && line[7] != ' ' && (line[0] == ' ' || line[0] >= 'A' && line[0] <= 'Z') {
			shown = append(shown, strings.Fields(line[7:])[0])
		}
	}
	for _, g := range s.verbs() {
		for _, c := range g.verbs {
			if g.name != forPrograms {
				want = append(want, c.Name())
			}
		}
	}
	if !slices.Equal(shown, want) || len(shown) > 16 {
		t.Errorf("%d verbs: %v, want %v", len(shown), shown, want)
	}
	for old, now := range oldNames {
		c, _, err := s.root().Find([]string{old})
		if err != nil || c.Name() != now.verb || now.flag != "" && c.Flags().Lookup(now.flag) == nil {
			t.Errorf("%s: %v", old, err)
		}
	}
}

// TestReadmeGroups holds the tables of verbs in the README of the command to the groups, and to their order.
func TestReadmeGroups(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range (&session{}).verbs() {
		title := "to " + g.name
		if g.name == forPrograms {
			title = "for programs"
		}
		_, table, _ := strings.Cut(string(page), "\n| "+title+" | |\n")
		table, _, _ = strings.Cut(table, "\n\n")
		var rows, want []string
		for _, m := range regexp.MustCompile("(?m)^\\| `(\\w+)").FindAllStringSubmatch(table, -1) {
			rows = append(rows, m[1])
		}
		for _, c := range g.verbs {
			want = append(want, c.Name())
		}
		if g.name == forPrograms {
			want = append(want, "completion")
		}
		if rows = slices.Compact(rows); !slices.Equal(rows, want) {
			t.Errorf("%s: %v, want %v", title, rows, want)
		}
	}
}

// TestFlagsMeanTheSame wants one word for one thing: a flag of several verbs is in the table of shared flags, with the same
// type and words everywhere, and every flag of the table is somewhere.
func TestFlagsMeanTheSame(t *testing.T) {
	seen := map[string]*pflag.Flag{}
	verbs := map[string][]string{}
	s := &session{}
	for _, c := range s.root().Commands() {
		s.describe(c)
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" {
				return
			}
			verbs[f.Name] = append(verbs[f.Name], c.Name())
			if was := seen[f.Name]; was != nil && (was.Usage != f.Usage || was.Value.Type() != f.Value.Type() || was.Shorthand != f.Shorthand) {
				t.Errorf("--%s of %v: %q and %q", f.Name, verbs[f.Name], was.Usage, f.Usage)
			}
			seen[f.Name] = f
		})
	}
	for name, of := range verbs {
		if len(of) > 1 != isShared(name) {
			t.Errorf("--%s is a flag of %v", name, of)
		}
	}
	for _, name := range sharedFlags {
		if len(verbs[name]) == 0 {
			t.Errorf("no verb has --%s", name)
		}
	}
}

// TestCompletionOffersWhatThereIs wants every verb and flag to be offered but old names and spellings.
func TestCompletionOffersWhatThereIs(t *testing.T) {
	offered := func(words ...string) []string {
		var out bytes.Buffer
		Main(append([]string{cobra.ShellCompNoDescRequestCmd}, words...), strings.NewReader(""), &out, &bytes.Buffer{})
		return strings.Fields(out.String())
	}
	verbs := offered("")
	for _, g := range (&session{}).verbs() {
		for _, c := range g.verbs {
			if !slices.Contains(verbs, c.Name()) {
				t.Errorf("%s is not offered", c.Name())
			}
			flags := offered(c.Name(), "--")
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if slices.Contains(flags, "--"+f.Name) == f.Hidden {
					t.Errorf("rulerun %s --%s: hidden is %t", c.Name(), f.Name, f.Hidden)
				}
			})
		}
	}
	for old := range oldNames {
		if slices.Contains(verbs, old) {
			t.Errorf("%s is offered", old)
		}
	}
}

// TestNoSuchHelp: there is no help about a word that is not a verb.
func TestNoSuchHelp(t *testing.T) {
	for _, args := range [][]string{{"nosuch", "--help"}, {"-h", "nosuch"}, {"help", "nosuch"}, {"nosuch"}} {
		if code, out, err := did(t, t.Context(), args...); code != exitUsage || out != "" || !strings.Contains(err, `no verb "nosuch"`) {
			t.Errorf("%v: %d %q %q", args, code, out, err)
		}
	}
}
