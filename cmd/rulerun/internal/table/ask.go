package table

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
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
			case t.Echo && t.pos.Secret():
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
	t.Screen.Show(t.pos, t.news, t.tell.Moved(), 1)
	t.news = nil
	seat := t.seatName()
	for {
		r, err := t.ask(ctx, seat+" to throw: press Enter ")
		switch {
		case err != nil || r.end != nil || r.again, r.text == "", strings.EqualFold(r.text, "throw"), strings.EqualFold(r.text, "t"):
			return r, err
		}
		t.Screen.Say(t.notUnderstood(r.text, []string{"throw"}, "Press Enter to throw, or type help."))
	}
}

// askNumber lets a person choose a number instead of throwing.
func (t *Table) askNumber(ctx context.Context) (int, reply, error) {
	var numbers []int
	var words []string
	for _, o := range t.pos.Outcomes(nil, 0) {
		numbers = append(numbers, o.Value)
		words = append(words, strconv.Itoa(o.Value))
	}
	t.gather()
	t.Screen.Show(t.pos, t.news, t.tell.Moved(), 2)
	t.news = nil
	die := t.Game.Dice()[t.pos.Dice()[0]].Name
	t.Screen.Say(fmt.Sprintf("%s chooses a number (%s): %s", t.seatName(), die, strings.Join(words, ", ")))
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
	t.Screen.Show(t.pos, t.news, nil, 1) // the news stay for the choice itself
	for {
		r, err := t.ask(ctx, t.seatName()+" alone looks now: press Enter ")
		if err != nil || r.end != nil || r.again || r.text == "" {
			return r, err
		}
		t.Screen.Say("Press Enter first: what is typed now can be read by all.")
	}
}

// askOption lets a person choose an option. What was typed to choose a hidden one is taken off the screen.
func (t *Table) askOption(ctx context.Context) (int, reply, error) {
	secret := t.pos.Secret()
	if secret {
		if t.crowd() && t.Screen.terminal() {
			if r, err := t.askAlone(ctx); err != nil || r.end != nil || r.again {
				return 0, r, err
			}
		}
		defer t.hide()
	}
	options := t.pos.Options()
	words := record.Words(t.pos)
	t.gather()
	t.tell.Moved() // the places to go to are pointed at instead
	var to []int
	for _, o := range options {
		if o.To != interpreter.None && !slices.Contains(to, o.To) {
			to = append(to, o.To)
		}
	}
	t.Screen.Show(t.pos, t.news, to, len(options)+2)
	t.news = nil
	t.Screen.Say(t.question())
	width := 0
	for _, w := range words {
		width = max(width, len([]rune(arrows(w))))
	}
	for i, w := range words {
		w = arrows(w)
		line := fmt.Sprintf("  %*d  %s", len(strconv.Itoa(len(words))), i+1, w)
		if deeds := t.preview(i); deeds != "" {
			line += strings.Repeat(" ", width-len([]rune(w))+3) + t.Screen.paint(dim, deeds)
		}
		t.Screen.Say(line)
	}
	for {
		r, err := t.ask(ctx, "> ")
		if err != nil || r.end != nil || r.again {
			return 0, r, err
		}
		i, fault := t.match(r.text, words)
		if fault == "" {
			return i, r, nil
		}
		if secret {
			fault = fmt.Sprintf("That is not understood. Type a number from 1 to %d.", len(words))
		}
		t.Screen.Say(fault)
	}
}

// hide takes a hidden choice off the screen: what was typed to make it, too, where somebody sees that.
func (t *Table) hide() {
	if t.Screen.terminal() || !t.Echo {
		t.Screen.Hide()
	}
}

// question is what the options are about.
func (t *Table) question() string {
	seat := t.seatName()
	if q := t.pos.Question(); q != "" {
		return seat + ": " + q
	}
	options := t.pos.Options()
	if options[0].Move == interpreter.None {
		return seat + " to choose"
	}
	steps := options[0].Steps
	for _, o := range options {
		if o.Steps != steps {
			return seat + " to move"
		}
	}
	return fmt.Sprintf("%s to move, counting %d", seat, steps)
}

// seatName is who is asked, as it is shown.
func (t *Table) seatName() string {
	name := t.Game.SeatName(t.pos.Player())
	if painted := t.Screen.names(t.Game, name); painted != name {
		return painted
	}
	return t.Screen.paint(bold, name)
}

// preview are the deeds an option would do, "" where there are none or they are to stay hidden.
func (t *Table) preview(i int) string {
	if t.pos.Secret() {
		return ""
	}
	next := t.pos.Copy()
	w := &Teller{}
	w.Follow(next)
	w.deedsOnly = true
	if err := next.Choose(i); err != nil {
		return ""
	}
	return strings.Join(w.phrases, "; ")
}
