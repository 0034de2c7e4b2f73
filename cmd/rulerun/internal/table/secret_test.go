package table

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/interpreter/record"
)

// hidden plays the beginning of a game with hidden choices among people at one screen and returns what the screen
// showed and what was saved.
func hidden(t *testing.T, terminal, echo bool, typed ...string) (seen, saved string) {
	t.Helper()
	g := game(t, "cicloparchis", map[string]string{"mode": "secret"})
	lines := make(chan string, len(typed))
	for _, l := range typed {
		lines <- l
	}
	close(lines)
	var out strings.Builder
	screen := &Screen{Out: &out}
	if terminal {
		screen.Size = func() (int, int) { return 160, 90 }
	}
	table := &Table{
		Session: session(t, g, &record.Header{Players: g.Players(), First: "yellow", Seed: 3, Seats: slices.Repeat([]string{"human"}, g.Players())}),
		Lines:   lines, Echo: echo, Screen: screen, Explain: true,
		Save: func(_ string, text []byte) error { saved = string(text); return nil },
	}
	if _, err := table.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	return out.String(), saved
}

// TestHidden lets two teams choose in secret in all ways, with slips and taking back: the screen shows the same whatever
// they choose, on a terminal and elsewhere.
func TestHidden(t *testing.T) {
	colours := [2][2]string{{"yellow", "red"}, {"blue", "green"}}
	for _, terminal := range []bool{true, false} {
		for _, echo := range []bool{true, false} {
			first := ""
			for n := range 4 {
				one, two := colours[0][n&1], colours[1][n>>1]
				typed := []string{"", one + "x", "why", one, "", two, "undo", "", fmt.Sprint(n>>1 + 1), "", "board", "why", "save x", "", "undo", "", two, "", ""}
				if !terminal {
					typed = slices.DeleteFunc(typed, func(s string) bool { return s == "" })
					typed = append(typed, "", "", "")
				}
				seen, saved := hidden(t, terminal, echo, typed...)
				if first == "" {
					first = seen
				}
				if seen != first {
					t.Errorf("terminal %v, echo %v: the screen tells %s and %s", terminal, echo, one, two)
				}
				if !strings.Contains(saved, "yellow picks "+one+"\n") || !strings.Contains(saved, "blue picks "+two+"\n") {
					t.Errorf("terminal %v, echo %v: %s and %s are not in the record:\n%s", terminal, echo, one, two, saved)
				}
			}
			for _, want := range []string{"yellow chooses in secret", "Taken back: blue to decide again", "blue chooses in secret"} {
				if !strings.Contains(first, want) {
					t.Errorf("terminal %v, echo %v: %q is not said:\n%s", terminal, echo, want, first)
				}
			}
			if alone := strings.Contains(first, "yellow alone looks now: press Enter"); alone != terminal {
				t.Errorf("terminal %v: asking to be alone is %v", terminal, alone)
			}
			if terminal {
				// From one question on, nothing is shown before the screen is wiped.
				asked := strings.ReplaceAll(first, "no count: Which colour", "") // "why" repeats it
				for _, part := range strings.Split(asked, "Which colour")[1:] {
					if shown, _, wiped := strings.Cut(part, wipe); !wiped || strings.Contains(shown, "throw") {
						t.Errorf("after a hidden choice the screen is not wiped: %q", part)
					}
				}
			}
		}
	}
}
