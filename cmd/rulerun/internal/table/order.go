package table

import (
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
)

// orderWords are the commands that people may type.
func orderWords() []string {
	return []string{"help", "why", "undo", "save", "resume", "board", "rules", "quit"}
}

// maxTyped is the longest input line that is parsed.
const maxTyped = 4096

// order executes a line if it is a command. done means that the question need not be repeated.
func (t *Table) order(line string) (r reply, done bool, err error) {
	if len(line) > maxTyped {
		t.Screen.Say("That is too long.")
		return reply{}, false, nil
	}
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(word, "?") {
		word, rest = "why", strings.TrimSpace(line[1:])
	}
	switch strings.ToLower(word) {
	case "help", "h":
		t.Screen.Say(helpLines()...)
	case "why":
		t.Screen.Say(t.Session.Why(rest)...)
	case "board", "b":
		fmt.Fprint(t.Screen.Out, t.Screen.Board(t.position(), nil)+t.Screen.Counts(t.Session))
	case "rules":
		t.Screen.Say(indented(t.Session.RuleLines())...)
	case "save":
		t.Screen.Say(t.save(rest))
	case "undo", "u":
		if err := t.Session.Undo(); err != nil {
			t.Screen.Say("There is nothing to take back: no player has decided anything yet.")
			return reply{}, false, nil
		}
		t.reported, t.news = t.Session.At(), append(t.news, t.Session.TakenBack())
		return reply{again: true}, true, nil
	case "resume":
		if rest == "" {
			t.Screen.Say("Resume what? Type: resume FILE")
			break
		}
		if err := t.CanResume(rest); err != nil {
			t.Screen.Say("That cannot be gone on with: " + err.Error())
			break
		}
		return reply{text: rest, end: ended(Resume)}, true, nil
	case "quit", "q", "exit":
		return reply{end: ended(Quit)}, true, nil
	default:
		return reply{text: line}, true, nil
	}
	return reply{}, false, nil
}

func helpLines() []string {
	return []string{
		"  12 17   12 -> 17   move from one place to another; one place is enough if it is clear",
		"  3                  take option 3",
		"  why 12 17   ? 12   why a move is not offered; ? alone: all that are not",
		"  undo               go back to the last decision of a person",
		"  board   rules      draw the board; say the rules",
		"  save FILE          write the game down",
		"  resume FILE        go on with a game that was written down",
		"  quit               stop; the game is kept to be gone on with",
	}
}

// notUnderstood is the answer to an unknown input.
func (t *Table) notUnderstood(text string, known []string, want string) string {
	word, _, _ := strings.Cut(text, " ")
	if near := diag.Nearest(word, append(known, orderWords()...)); near != "" {
		return fmt.Sprintf("Nothing is called %q. Did you mean %q?", word, near)
	}
	if text == "" {
		return want
	}
	return fmt.Sprintf("%q is not understood. %s", text, want)
}

// save writes the game to a file.
func (t *Table) save(name string) string {
	if name == "" {
		return "Save where? Type: save FILE"
	}
	text, err := t.Session.Record(t.Session.Header())
	if err == nil {
		err = t.Save(name, text)
	}
	if err != nil {
		return fmt.Sprintf("The game could not be saved: %v", err)
	}
	return fmt.Sprintf("Saved. Go on with: resume %s", name)
}

func indented(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "  " + l
	}
	return out
}
