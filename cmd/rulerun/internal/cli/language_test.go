package cli

import (
	"bytes"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/catalogue"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// spoken runs the command in the language for tests and finds words that are no texts of a catalogue: those with a letter that this
// language has not. Names of files, and what programs read, are cut out.
func spoken(t *testing.T, want int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := Main(append(args, "--lang", catalogue.PseudoLang), strings.NewReader(""), &out, &out); code != want {
		t.Fatalf("%q: exit code %d, want %d:\n%s", args, code, want, &out)
	}
	escaped(t, out.String())
	return out.String()
}

var (
	ownNames = regexp.MustCompile(`\b\w+\.(txt|rules|json|html)\b|--[a-z-]+|^rulerun: `)
	unmarked = regexp.MustCompile(`[\pL]*[aeioun][\pL]*`)
)

func escaped(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if word := unmarked.FindString(ownNames.ReplaceAllString(line, "")); word != "" {
			t.Errorf("%q escapes, in %q", word, line)
		}
	}
}

// TestAnalysisIsSpoken: what --analyse prints and draws comes from the catalogue.
func TestAnalysisIsSpoken(t *testing.T) {
	t.Chdir(t.TempDir())
	for rules, options := range map[string][]string{"ur": nil, "ludoteka_teams": {"--playouts", "2"}} {
		file := rules + ".txt"
		var out bytes.Buffer
		if code := Main([]string{"play", rules, "--plain", "--seats", "", "--seed", "3", "--record", file}, strings.NewReader(""), &out, &out); code != exitFine {
			t.Fatal(code, out.String())
		}
		text := spoken(t, exitFine, append([]string{"play", file, "--analyse", "--page", "x.html"}, options...)...)
		for _, want := range []string{"%", "1,", "→"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: there is no %s:\n%s", rules, want, text)
			}
		}
		page, err := os.ReadFile("x.html")
		if err != nil {
			t.Fatal(err)
		}
		markup := regexp.MustCompile(`(?s)<(style|pre)\b.*?</(style|pre)>|<[^>]*>`)
		escaped(t, html.UnescapeString(markup.ReplaceAllString(string(page), "\n")))
	}
}

// TestHelpIsSpoken: the help of the verbs of players comes from the catalogue, but for command lines and names.
func TestHelpIsSpoken(t *testing.T) {
	s := &session{}
	texts := [][]string{{}, {"help", "players"}, {"help", "flags"}, {"help", "records"}}
	var names []string
	for _, c := range s.root().Commands() {
		names = append(names, c.Name())
		if c.Annotations[forPlayers] != "" {
			texts = append(texts, []string{c.Name(), "--help"})
		}
	}
	if len(texts) < 10 {
		t.Fatalf("%d texts are looked at", len(texts))
	}
	for page := range s.helpPages() {
		names = append(names, page)
	}
	for _, name := range bot.Names() {
		names = append(names, name)
		for _, o := range bot.Options(name) {
			option, _, _ := strings.Cut(o, "=")
			names = append(names, strings.TrimSuffix(option, ".NAME"))
		}
	}
	own := regexp.MustCompile(`(?m)^  rulerun .*$|^rulerun |-o, |\bthrown\b|\bhtml\b|\b(` + strings.Join(names, "|") + `)\b`)
	for _, args := range texts {
		var out bytes.Buffer
		if code := Main(append(args, "--lang", catalogue.PseudoLang), strings.NewReader(""), &out, &out); code != exitFine {
			t.Fatalf("%q: exit code %d:\n%s", args, code, &out)
		}
		escaped(t, own.ReplaceAllString(out.String(), ""))
	}
}

// TestFaultsAreSpoken: what is wrong with a command line of a player, a file or the system is said in the catalogue's words.
func TestFaultsAreSpoken(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("x", 0o755); err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`"[^"]*"|rulerun( [a-z]+)?|(théré àré|théré îs|ît hàs|thé vérbs àré): .*`)
	for _, line := range []string{
		"plai", "-z", "help x y", "replay x.txt", "play", "play X", "play x", "play x.rules", "play x.txt", "play ur X", "play ur --X", "play ur -z", "play ur --seed X",
		"play ur --games 0", "play ur --players 9", "play ur --set X", "play ur --set X=1", "play ur --with X",
		"play ur --seats X,X", "play ur --seats flat:playouts=0,flat", "play ur --seats flat,human:2", "play ur --seats greedy:home=1,home=2,easy", "play ur --seats greedy:X=1,random", "play ur --seats easy:1,easy",
		"play ur --seats greedy:acts.X=1,easy", "play ur --seats exact,exact", "play ur --seats easy",
		"play snakes --seats learned,learned", "play ur --table x", "play ur --position x.json", "play ur --test X", "play ur --starter X",
		"play ur --record x/y/z.txt --seats easy,easy", "play ur --record x --seats easy,easy", "play ur --resume x.txt", "play ur --step", "list X",
		"list ur X", "list --players 2", "board", "board X", "board ./x", "board x.yaml", "board cross --set X=1", "board cross --position x.json",
		"board cross --svg x/y/z.svg", "leaflet", "leaflet ur --format X", "leaflet ur -o x/y/z.html", "leaflet ur -o x", "site", "site x/y x.txt",
		"site --link", "site --link x.rules", "serve x.txt", "serve --port 70000",
	} {
		t.Run(line, func(t *testing.T) {
			var out bytes.Buffer
			if code := Main(append(strings.Fields(line), "--lang", catalogue.PseudoLang), strings.NewReader(""), &out, &out); code == exitFine {
				t.Fatalf("%q: it is fine:\n%s", line, &out)
			}
			text := out.String()
			if !strings.Contains(text, "«") {
				t.Errorf("nothing is said:\n%s", text)
			}
			text = named.ReplaceAllString(text, "")
			for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" :=,", r) }) {
				text = regexp.MustCompile(`\b`+word+`\b`).ReplaceAllString(text, "")
			}
			escaped(t, text)
		})
	}
}
