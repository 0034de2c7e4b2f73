package table

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/interpreter"
)

// reply is the answer to a question.
type reply struct {
	text  string // the input, if it is no command
	end   *End
	again bool // the position has changed
}

func ended(e End) *End { return &e }

// ask repeats a question until the input is no command, and executes commands. It does not echo the input of a secret
// choice.
func (t *Table) ask(ctx context.Context, prompt string) (reply, error) {
	for {
		fmt.Fprint(t.Screen.Out, prompt)
		select {
		case line, ok := <-t.Lines:
			if !ok {
				t.Screen.Say("")
				return reply{end: ended(InputEnds)}, nil
			}
			line = strings.TrimSpace(line)
			switch {
			case t.Echo && t.position().Secret():
				t.Screen.Say("")
			case t.Echo:
				t.Screen.Say(line)
			}
			r, done, err := t.order(line)
			if done || err != nil {
				return r, err
			}
		case <-ctx.Done():
			t.Screen.Say("")
			return reply{end: ended(Interrupted)}, nil
		}
	}
}

// askThrow waits for a person to throw. The reply says how to continue if there is no throw.
func (t *Table) askThrow(ctx context.Context) (reply, error) {
	t.gather()
	t.Screen.Show(t.Session, t.news, t.landed(), 1)
	t.news = nil
	prompt := t.asked(t.Session.Say("table.press", "question", t.question())) + " "
	for {
		r, err := t.ask(ctx, prompt)
		switch {
		case err != nil || r.end != nil || r.again, r.text == "", strings.EqualFold(r.text, "throw"), strings.EqualFold(r.text, "t"), strings.EqualFold(r.text, t.Session.Say("order.throw")):
			return r, err
		}
		if _, err := strconv.Atoi(r.text); err == nil {
			t.Screen.Say(t.Session.Say("table.throw_first"))
			continue
		}
		t.Screen.Say(t.notUnderstood(r.text, []string{"throw"}, t.Session.Say("table.throw_or_help")))
	}
}

// askNumber lets a person choose a number instead of throwing.
func (t *Table) askNumber(ctx context.Context) (int, reply, error) {
	var numbers []int
	var words []string
	for _, o := range t.position().Outcomes(nil, 0) {
		numbers = append(numbers, o.Value)
		words = append(words, strconv.Itoa(o.Value))
	}
	t.gather()
	t.Screen.Show(t.Session, t.news, t.landed(), 2)
	t.news = nil
	t.Screen.Say(t.asked(t.question()) + " " + strings.Join(words, ", "))
	for {
		r, err := t.ask(ctx, "> ")
		if err != nil || r.end != nil || r.again {
			return 0, r, err
		}
		n, err := strconv.Atoi(r.text)
		if err == nil && slices.Contains(numbers, n) {
			return n, r, nil
		}
		t.Screen.Say(t.notUnderstood(r.text, nil, t.Session.Say("table.numbers", "numbers", strings.Join(words, ", "))))
	}
}

// askAlone waits until the player of a secret choice confirms to be alone at the screen.
func (t *Table) askAlone(ctx context.Context) (reply, error) {
	t.gather()
	t.Screen.Hide()
	t.Screen.Show(t.Session, t.news, nil, 1) // keep the news for the choice itself
	for {
		r, err := t.ask(ctx, t.asked(t.Session.Say("table.alone", "who", t.player()))+" ")
		if err != nil || r.end != nil || r.again || r.text == "" {
			return r, err
		}
		t.Screen.Say(t.Session.Say("table.enter_first"))
	}
}

// askOption lets a person choose an option. It erases the input of a secret choice from the screen.
func (t *Table) askOption(ctx context.Context) (int, reply, error) {
	secret := t.position().Secret()
	if secret {
		if t.crowd() && t.Screen.terminal() {
			if r, err := t.askAlone(ctx); err != nil || r.end != nil || r.again {
				return 0, r, err
			}
		}
		defer t.hide()
	}
	state := t.Session.State(t.position().Player())
	t.gather()
	t.landed() // highlight the destinations instead
	var to []int
	for _, o := range t.position().Options() {
		if o.To != interpreter.None && !slices.Contains(to, o.To) {
			to = append(to, o.To)
		}
	}
	t.Screen.Show(t.Session, t.news, to, len(state.Options)+2)
	t.news = nil
	t.Screen.Say(t.asked(state.Question))
	width := 0
	for _, o := range state.Options {
		width = max(width, len([]rune(o.Words)))
	}
	for i, o := range state.Options {
		line := fmt.Sprintf("  %*d  %s", len(strconv.Itoa(len(state.Options))), i+1, o.Words)
		if o.Does != "" {
			line += strings.Repeat(" ", width-len([]rune(o.Words))+3) + t.Screen.paint(dim, o.Does)
		}
		t.Screen.Say(line)
	}
	for {
		r, err := t.ask(ctx, "> ")
		if err != nil || r.end != nil || r.again {
			return 0, r, err
		}
		i, fault := t.Session.Find(r.text, t.orderWords())
		if fault == "" {
			return i, r, nil
		}
		if secret {
			fault = t.Session.Say("table.secret_number", "n", len(state.Options))
		}
		t.Screen.Say(fault)
	}
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

// player is what the player to act is called.
func (t *Table) player() string {
	return t.Session.Called(t.Session.Game().SeatName(t.position().Player()))
}

// question is the question for a person.
func (t *Table) question() string {
	return t.Session.State(t.position().Player()).Question
}
