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

// botOf is a bot that a flag names, as it is written down: without blanks, and the usual one by its name.
func botOf(g *interpreter.Game, flag, who, usual string) (string, error) {
	if who = strings.ReplaceAll(who, " ", ""); who == "bot" {
		who = usual
	}
	if err := fits(g, who); err != nil {
		return "", botFault(flag, err)
	}
	return who, nil
}

// botFault is a bot that a flag names and that cannot be.
func botFault(flag string, err error) error {
	fault, ok := errors.AsType[*bot.Error](err)
	if !ok {
		return err
	}
	e := told("usage.bot", "flag", flag, "fault", fault.Message)
	if fault.Hint.Text != "" {
		e.hinted(fault.Hint.Key, fault.Hint.Args...)
	}
	return e
}

// playerOf is a person, or the same of a bot.
func playerOf(g *interpreter.Game, who string) (string, error) {
	name, _, _ := strings.Cut(who, ":")
	people := []string{"human", "bot"}
	switch {
	case who == "human":
		return who, nil
	case bot.Describe(name) == "" && who != "bot":
		return "", told("usage.no_player", "flag", "seats", "name", strconv.Quote(who)).nearest(name, append(people, bot.Names()...))
	}
	return botOf(g, "seats", who, bot.Usual(g.Rules()))
}
