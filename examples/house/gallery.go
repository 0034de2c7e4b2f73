// Command house makes the gallery in README.md: what options and house rules do to a game, each with a verdict, a picture
// and the command it comes from. It asks rulerun for everything, as any program can: numbers as JSON, pictures as SVG.
//
// Run it by gallery.sh, from anywhere.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// exhibit is one comparison.
type exhibit struct {
	name  string // of the picture
	title string
	args  []string // of rulerun compare
}

// exhibits are the comparisons of the gallery, in their order.
var exhibits = []exhibit{
	{"barriers_only_on_safe", "Only a seguro carries a barrera", []string{"parchis", "parchis", "--set", "barriers_only_on_safe=true"}},
	{"two_on_first_five", "The first 5 brings out two pieces", []string{"parchis", "--set", "two_on_first_five=true"}},
	{"ten", "A capture counts ten", []string{"examples/house/ten.rules"}},
	{"hunter", "A capture gives another throw instead of a count", []string{"examples/house/hunter.rules"}},
	{"overtaking", "Passing a lone stranger eats it", []string{"examples/house/overtaking.rules"}},
	{"friendly_barriers", "Barreras stop opponents only", []string{"examples/house/friendly_barriers.rules"}},
	{"any_number", "Any number takes a piece out", []string{"examples/house/any_number.rules"}},
	{"three_throws", "Three throws while everything waits in casa", []string{"examples/house/three_throws.rules"}},
	{"easy_goal", "More than enough enters the meta", []string{"examples/house/easy_goal.rules"}},
	{"two_dice", "Two dice for two pieces", []string{"examples/house/two_dice.rules"}},
}

// Where the section stands in README.md.
const (
	begins = "<!-- gallery: made by gallery.sh -->\n"
	ends   = "<!-- end of the gallery -->\n"
)

func main() {
	games := flag.Int("games", 30000, "how many games of each at most: `N`")
	to := flag.String("to", filepath.Join("examples", "house"), "write README.md and gallery below this `folder`")
	rulerun := flag.String("rulerun", "", "the `command`; built from this repository if it is not given")
	flag.Parse()
	if err := run(*games, *to, *rulerun); err != nil {
		fmt.Fprintln(os.Stderr, "gallery:", err)
		os.Exit(1)
	}
}

func run(games int, to, rulerun string) error {
	readme, err := os.ReadFile(filepath.Join("examples", "house", "README.md"))
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(readme), begins)
	_, after, ok2 := strings.Cut(rest, ends)
	if !ok || !ok2 {
		return fmt.Errorf("README.md has no place for the gallery: want %q and %q", strings.TrimSpace(begins), strings.TrimSpace(ends))
	}
	if rulerun == "" {
		dir, err := os.MkdirTemp("", "gallery")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		rulerun = filepath.Join(dir, "rulerun")
		if out, err := exec.Command("go", "build", "-o", rulerun, "./cmd/rulerun").CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	if err := os.MkdirAll(filepath.Join(to, "gallery"), 0o755); err != nil {
		return err
	}
	section := ""
	for _, e := range exhibits {
		text, err := e.show(rulerun, games, to)
		if err != nil {
			return fmt.Errorf("%s: %w", e.name, err)
		}
		section += text
	}
	return os.WriteFile(filepath.Join(to, "README.md"), []byte(before+begins+section+"\n"+ends+after), 0o644)
}

// comparison is what is read of what rulerun compare --format json prints; rulerun schema compare describes it all.
type comparison struct {
	Games       int          `json:"games"`
	Sure        bool         `json:"sure"`
	Differences []difference `json:"differences"`
}

type difference struct {
	Group    string `json:"group"`
	Name     string `json:"name"`
	Main     bool   `json:"main"`
	Verdict  string `json:"verdict"`
	Sentence string `json:"sentence"`
}

// show plays a comparison, draws it and tells it.
func (e *exhibit) show(rulerun string, games int, to string) (string, error) {
	args := append([]string{"compare"}, e.args...)
	args = append(args, "--games", fmt.Sprint(games))
	cmd := exec.Command(rulerun, append(args, "--format", "json", "--svg", filepath.Join(to, "gallery", e.name+".svg"))...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	var c comparison
	if err := json.Unmarshal(out, &c); err != nil {
		return "", err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "\n### %s\n\n**%s**\n\n", e.title, c.verdict())
	changes := 0
	for _, d := range c.Differences {
		if d.Verdict == "more" || d.Verdict == "less" {
			fmt.Fprintf(&b, "- %s\n", d.Sentence)
			changes++
		}
	}
	if changes == 0 {
		b.WriteString("- nothing changes that matters, as far as these games tell\n")
	}
	fmt.Fprintf(&b, "\n![Figure: %s](gallery/%s.svg)\n\n", e.title, e.name)
	fmt.Fprintf(&b, "```\ngo run ./cmd/rulerun %s\n```\n", strings.Join(args, " "))
	return b.String(), nil
}

// verdict answers what people ask: longer or shorter, fairer or not, does it still end.
func (c *comparison) verdict() string {
	words := map[string]map[string]string{
		"throws": {"more": "Games are longer", "less": "Games are shorter", "same": "Games take as many throws as before within 1 %, rare long ones aside",
			"unsure": "Whether games are longer or shorter these do not tell"},
		"edge": {"more": "it is worth more to begin", "less": "it is worth less to begin", "same": "beginning is worth the same within 2 points",
			"unsure": "whether it is worth more or less to begin is open"},
		"unfinished": {"more": "more of them do not end", "less": "fewer of them do not end", "same": "they still end",
			"unsure": "whether they all end is open"},
	}
	var said []string
	for _, name := range []string{"throws", "unfinished", "edge"} {
		for _, d := range c.Differences {
			if d.Group == "game" && d.Name == name {
				said = append(said, words[name][d.Verdict])
			}
		}
	}
	if len(said) == 0 {
		return "There was nothing to tell."
	}
	return strings.Join(said, "; ") + "."
}
