package door

import (
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/bot"
)

// Wants describes the possible values of an option for players: "a number from 1 to 6".
func Wants(l *locale.Locale, o *model.Option) string {
	switch {
	case o.Kind == model.Flag:
		return l.Either(o.Values)
	case o.Values != nil:
		return l.Say("want.one_of", "values", strings.Join(o.Values, ", "))
	case o.Kind == model.Word:
		return l.Say("want.word")
	case o.Bounded():
		return l.Say("want.range", "low", o.Low, "high", o.High)
	}
	return l.Say("want.number")
}

// Bots describes the computer players for players, in the order of bot.Names.
func Bots(l *locale.Locale) []Bot {
	return seq.Map(bot.Names(), func(name string) Bot { return Bot{name, l.Say("bot." + name)} })
}
