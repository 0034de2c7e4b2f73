package table

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

// reply is the answer to a question.
type reply struct {
	text   string // the input, if it is no command
	end    *door.End
	resume string // the record to continue with
	again  bool   // the position has changed
}

// ask repeats a question until the input is no command, and executes commands. It does not echo the input of a secret
// choice.
func (t *Table) ask(ctx context.Context, prompt string) reply {
	for {
		fmt.Fprint(t.Screen.Out, prompt)
		select {
		case line, ok := <-t.Lines:
			if !ok {
				t.Screen.Say("")
				return reply{end: new(door.InputEnds)}
			}
			line = strings.TrimSpace(line)
			switch {
			case t.Echo && t.position().Secret():
				t.Screen.Say("")
			case t.Echo:
				t.Screen.Say(line)
			}
			if r, done := t.order(line); done {
				return r
			}
		case <-ctx.Done():
			t.Screen.Say("")
			return reply{end: new(door.Interrupted)}
		}
	}
}

// understand repeats a question until read understands the input: otherwise its second result says what is wrong. The reply says how to
// continue if there is no answer.
func (t *Table) understand(ctx context.Context, prompt string, read func(text string) (answer int, fault string)) (int, reply) {
	for {
		r := t.ask(ctx, prompt)
		if r.end != nil || r.again {
			return 0, r
		}
		answer, fault := read(r.text)
		if fault == "" {
			return answer, r
		}
		t.Screen.Say(fault)
	}
}

// show prints the news above a question of some lines. Where no board is drawn, with the values below it, those that have changed follow.
func (t *Table) show(highlight []int, below int) {
	t.Screen.Show(t.Session, t.news, highlight, below)
	t.news = nil
	if t.Screen.terminal() || below == 0 {
		return
	}
	now := figures(t.Session)
	fmt.Fprint(t.Screen.Out, t.Screen.Counts(seq.Filter(now, func(line string) bool { return !slices.Contains(t.figures, line) })))
	t.figures = now
}

// askThrow waits for a person to throw.
func (t *Table) askThrow(ctx context.Context) (int, reply) {
	t.gather()
	t.show(t.landed(), 1)
	return t.understand(ctx, t.asked(t.Session.Say("table.press", "question", t.question()))+" ", func(text string) (int, string) {
		if text == "" || strings.EqualFold(text, "throw") || strings.EqualFold(text, "t") || strings.EqualFold(text, t.Session.Say("order.throw")) {
			return 0, ""
		}
		if _, err := strconv.Atoi(text); err == nil {
			return 0, t.Session.Say("table.throw_first")
		}
		return 0, t.notUnderstood(text, []string{"throw"}, t.Session.Say("table.throw_or_help"))
	})
}

// askNumber lets a person choose a number instead of throwing.
func (t *Table) askNumber(ctx context.Context) (int, reply) {
	numbers := seq.Map(t.position().Outcomes(nil, 0), func(o interpreter.Outcome) string { return strconv.Itoa(o.Value) })
	words := strings.Join(numbers, ", ")
	t.gather()
	t.show(t.landed(), 2)
	t.Screen.Say(t.asked(t.question()) + " " + words)
	return t.understand(ctx, "> ", func(text string) (int, string) {
		n, err := strconv.Atoi(text)
		if err == nil && slices.Contains(numbers, strconv.Itoa(n)) {
			return n, ""
		}
		return 0, t.notUnderstood(text, nil, t.Session.Say("table.numbers", "numbers", words))
	})
}

// askAlone waits until the player of a secret choice confirms to be alone at the screen.
func (t *Table) askAlone(ctx context.Context) (int, reply) {
	t.gather()
	t.Screen.Hide()
	t.Screen.Show(t.Session, t.news, nil, 1) // keep the news for the choice itself
	return t.understand(ctx, t.asked(t.Session.Say("table.alone", "who", t.player()))+" ", func(text string) (int, string) {
		if text == "" {
			return 0, ""
		}
		return 0, t.Session.Say("table.enter_first")
	})
}

// askOption lets a person choose an option. It erases the input of a secret choice from the screen.
func (t *Table) askOption(ctx context.Context) (int, reply) {
	secret := t.position().Secret()
	if secret {
		if len(t.Session.People()) > 1 && t.Screen.terminal() { // several people share the screen
			if _, r := t.askAlone(ctx); r.end != nil || r.again {
				return 0, r
			}
		}
		defer t.hide()
	}
	state := t.Session.State(t.position().Player())
	t.gather()
	t.landed() // highlight the destinations instead
	to := seq.Distinct(seq.Map(t.position().Options(), func(o interpreter.Option) int { return o.To }))
	to = slices.DeleteFunc(to, func(place int) bool { return place == interpreter.None })
	t.show(to, len(state.Options)+2)
	t.Screen.Say(t.asked(state.Question))
	width := seq.Most(state.Options, func(o door.Option) int { return utf8.RuneCountInString(o.Words) })
	for _, o := range state.Options {
		line := "  " + o.Words
		if o.Key != "" {
			line = fmt.Sprintf("  %*s  %s", len(strconv.Itoa(len(state.Options))), o.Key, o.Words)
		}
		if o.Does != "" {
			line += strings.Repeat(" ", width-utf8.RuneCountInString(o.Words)+3) + t.Screen.paint(dim, o.Does)
		}
		t.Screen.Say(line)
	}
	return t.understand(ctx, "> ", func(text string) (int, string) {
		i, fault := t.Session.Find(text, t.orderWords())
		if fault != "" && secret && state.Options[0].Key == "" {
			fault = t.Session.How()
		} else if fault != "" && secret {
			fault = t.Session.Say("table.secret_number", "n", len(state.Options))
		}
		return i, fault
	})
}

// hide erases a secret choice from the screen, including a visible input.
func (t *Table) hide() {
	if t.Screen.terminal() || !t.Echo {
		t.Screen.Hide()
	}
}

// asked is a text with the name of the player, in colour.
func (t *Table) asked(text string) string {
	name := t.player()
	painted := t.Screen.names(t.Session.Game(), name)
	if painted == name {
		painted = t.Screen.paint(bold, name)
	}
	return strings.Replace(text, name, painted, 1)
}

func (t *Table) player() string {
	return t.Session.Called(t.Session.Game().SeatName(t.position().Player()))
}

func (t *Table) question() string {
	return t.Session.State(t.position().Player()).Question
}
