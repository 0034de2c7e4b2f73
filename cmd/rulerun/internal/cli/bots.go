package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// fits reports why a bot that is named so cannot play a game.
func fits(g *interpreter.Game, who string) error {
	b, err := bot.New(who)
	if err != nil {
		return err
	}
	return bot.Fits(b, g)
}

// botFault is a bot that a flag names and that cannot be.
func botFault(flag string, err error) error {
	var fault *bot.Error
	if !errors.As(err, &fault) {
		return err
	}
	e := usagef("flag --%s: %s", flag, fault.Message)
	e.hint = fault.Hint
	return e
}

// seatFault is the same for a seat, where people may sit too.
func seatFault(flag, who string, err error) error {
	if name, _, _ := strings.Cut(who, ":"); bot.Describe(name) == "" {
		return usagef("flag --%s: no player is called %q", flag, who).nearest(name, append([]string{"human", "bot"}, bot.Names()...))
	}
	return botFault(flag, err)
}

// botsHelp lists the bots and their options for the help of a verb.
func botsHelp() string {
	var b strings.Builder
	for _, name := range bot.Names() {
		fmt.Fprintf(&b, "\n  %-11s %s", name, bot.Describe(name))
		for _, o := range bot.Options(name) {
			fmt.Fprintf(&b, "\n                %s", o)
		}
	}
	b.WriteString("\n\n" + optionsHelp)
	return b.String()
}

// botNames lists the bots for the help of a verb, and says where their options are listed.
func botNames() string {
	var b strings.Builder
	for _, name := range bot.Names() {
		fmt.Fprintf(&b, "\n  %-11s %s", name, bot.Describe(name))
	}
	b.WriteString("\n\n" + optionsHelp + "\"rulerun bots --help\" lists them.\n")
	return b.String()
}

const optionsHelp = `Options follow a colon, NAME=NUMBER with commas between them; the first needs no name:
greedy:progress=2,home=20 and flat:100,depth=50.
`
