package table

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/interpreter"
)

// reply is what came of a question.
type reply struct {
	text  string // what was typed, orders left out
	end   *End
	again bool // the game stands elsewhere now
}

func ended(e End) *End { return &e }

// ask asks until something is typed that is no order; orders are carried out. What is typed at a hidden choice is not
// repeated.
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

// askThrow waits for a person to throw. It says how the table goes on where nothing is thrown.
func (t *Table) askThrow(ctx context.Context) (reply, error) {
	t.gather()
	t.Screen.Show(t.Session, t.news, t.landed(), 1)
	t.news = nil
	prompt := t.question() + ": press Enter "
	for {
		r, err := t.ask(ctx, prompt)
		switch {
		case err != nil || r.end != nil || r.again, r.text == "", strings.EqualFold(r.text, "throw"), strings.EqualFold(r.text, "t"):
			return r, err
		}
		if _, err := strconv.Atoi(r.text); err == nil {
			t.Screen.Say("Nothing to choose yet: press Enter to throw.")
			continue
		}
		t.Screen.Say(t.notUnderstood(r.text, []string{"throw"}, "Press Enter to throw, or type help."))
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
	t.Screen.Say(t.question() + " " + strings.Join(words, ", "))
	for {
		r, err := t.ask(ctx, "> ")
		if err != nil || r.end != nil || r.again {
			return 0, r, err
		}
		n, err := strconv.Atoi(r.text)
		if err == nil && slices.Contains(numbers, n) {
			return n, r, nil
		}
		t.Screen.Say(t.notUnderstood(r.text, nil, "Type one of the numbers: "+strings.Join(words, ", ")))
	}
}

// askAlone waits for the one who is asked a hidden choice to be alone before the screen.
func (t *Table) askAlone(ctx context.Context) (reply, error) {
	t.gather()
	t.Screen.Hide()
	t.Screen.Show(t.Session, t.news, nil, 1) // the news stay for the choice itself
	for {
		r, err := t.ask(ctx, t.asked(" alone looks now: press Enter "))
		if err != nil || r.end != nil || r.again || r.text == "" {
			return r, err
		}
		t.Screen.Say("Press Enter first: what is typed now can be read by all.")
	}
}

// askOption lets a person choose an option. What was typed to choose a hidden one is taken off the screen.
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
	t.landed() // the places to go to are pointed at instead
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
		i, fault := t.Session.Find(r.text, orderWords())
		if fault == "" {
			return i, r, nil
		}
		if secret {
			fault = fmt.Sprintf("That is not understood. Type a number from 1 to %d.", len(state.Options))
		}
		t.Screen.Say(fault)
	}
}

// hide takes a hidden choice off the screen: what was typed to make it, too, where it can be seen.
func (t *Table) hide() {
	if t.Screen.terminal() || !t.Echo {
		t.Screen.Hide()
	}
}

// asked is a text that begins with who is asked, with that painted.
func (t *Table) asked(text string) string {
	name := t.Session.Game().SeatName(t.position().Player())
	painted := t.Screen.names(t.Session.Game(), name)
	if painted == name {
		painted = t.Screen.paint(bold, name)
	}
	return painted + strings.TrimPrefix(text, name)
}

// question is what a person is asked.
func (t *Table) question() string {
	return t.asked(t.Session.State(t.position().Player()).Question)
}
