package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
)

// orders are the commands that people may type, in English too in every language.
var orders = []string{"help", "why", "undo", "save", "resume", "board", "rules", "quit"}

// orderWords are the commands in the language of the game.
func (t *Table) orderWords() []string {
	return seq.Map(orders, func(o string) string { return t.Session.Say("order." + o) })
}

// maxTyped is the longest input line that is parsed.
const maxTyped = 4096

// order executes a line if it is a command. done means that the question need not be repeated.
func (t *Table) order(line string) (r reply, done bool) {
	if len(line) > maxTyped {
		t.Screen.Say(t.Session.Say("table.too_long"))
		return reply{}, false
	}
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(word, "?") {
		word, rest = "why", strings.TrimSpace(line[1:])
	}
	word = strings.ToLower(word)
	next, behind, _ := strings.Cut(rest, " ")
	for i, o := range t.orderWords() {
		switch o = joined(o); o {
		case joined(word):
			word = orders[i]
		case joined(word + next):
			word, rest = orders[i], strings.TrimSpace(behind)
		}
	}
	switch word {
	case "help", "h":
		t.Screen.Say(strings.Split(t.Session.Say("table.help"), "\n")...)
	case "why":
		t.Screen.Say(t.Session.Why(rest)...)
	case "board", "b":
		fmt.Fprint(t.Screen.Out, t.Screen.Board(t.position(), nil, 0)+t.Screen.Counts(figures(t.Session)))
	case "rules":
		t.Screen.Say(seq.Map(t.Session.RuleLines(), func(l string) string { return "  " + l })...)
	case "save":
		t.Screen.Say(t.save(rest))
	case "undo", "u":
		if err := t.Session.Undo(); err != nil {
			t.Screen.Say(t.Session.Say("table.undo"))
			return reply{}, false
		}
		t.reported, t.news = t.Session.At(), append(t.news, t.Session.TakenBack())
		return reply{again: true}, true
	case "resume":
		if rest == "" {
			t.Screen.Say(t.Session.Say("table.resume_what"))
			break
		}
		if err := t.CanResume(rest); err != nil {
			t.Screen.Say(t.Session.Say("table.resume_fails", "why", err))
			break
		}
		return reply{resume: rest, end: new(door.Resume)}, true
	case "quit", "q", "exit":
		return reply{end: new(door.Quit)}, true
	default:
		return reply{text: line}, true
	}
	return reply{}, false
}

// notUnderstood is the answer to an unknown input.
func (t *Table) notUnderstood(text string, known []string, want string) string {
	word, _, _ := strings.Cut(text, " ")
	if near := diag.Nearest(word, append(known, t.orderWords()...)); near != "" {
		return t.Session.Say("find.nearest", "typed", strconv.Quote(word), "near", strconv.Quote(near))
	}
	if text == "" {
		return want
	}
	return t.Session.Say("table.not_understood", "typed", strconv.Quote(text), "want", want)
}

func (t *Table) save(name string) string {
	if name == "" {
		return t.Session.Say("table.save_where")
	}
	if err := t.Session.SaveTo(name, t.Save); err != nil {
		return t.Session.Say("table.save_fails", "why", err)
	}
	return t.Session.Say("table.saved", "file", name)
}

// joined is an order without accents and blanks: "por qué" may be typed porque.
func joined(order string) string {
	return strings.NewReplacer(" ", "", "á", "a", "é", "e", "í", "i", "ó", "o", "ú", "u").Replace(strings.ToLower(order))
}
