package cli

import (
	"errors"
	"strconv"
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
	e := told("usage.bot", "flag", flag, "fault", fault.Message)
	if fault.Hint.Text != "" {
		e.hinted(fault.Hint.Key, fault.Hint.Args...)
	}
	return e
}

// seatFault is the same for a seat, where people may sit too.
func seatFault(flag, who string, err error) error {
	if name, _, _ := strings.Cut(who, ":"); bot.Describe(name) == "" {
		return told("usage.no_player", "flag", flag, "name", strconv.Quote(who)).nearest(name, append([]string{"human", "bot"}, bot.Names()...))
	}
	return botFault(flag, err)
}
