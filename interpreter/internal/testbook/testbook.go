// Package testbook loads rule books for tests. A book that cannot be loaded ends the test.
package testbook

import (
	"io/fs"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/rulesets"
)

// Book is the book of a rule file, given as text. It may name files of the folder beside, which may be nil, and the shipped ones.
func Book(tb testing.TB, name, text string, beside fs.FS) *dsl.Book {
	tb.Helper()
	book, faults := dsl.Load(source.New(name, text), dsl.Library{Beside: beside, Shipped: rulesets.FS})
	if book == nil {
		tb.Fatal(faults)
	}
	return book
}

// Rules are the rules of such a book in a setting.
func Rules(tb testing.TB, name, text string, beside fs.FS, s dsl.Setting) *model.Rules {
	tb.Helper()
	rules, faults := Book(tb, name, text, beside).Rules(s)
	if rules == nil {
		tb.Fatal(faults)
	}
	return rules
}

// Tested are the rules of the first test of such a book, with that test.
func Tested(tb testing.TB, name, text string, beside fs.FS) *model.Rules {
	tb.Helper()
	rules, faults := Book(tb, name, text, beside).Scenarios()[0].Rules()
	if rules == nil {
		tb.Fatal(faults)
	}
	return rules
}

// In are the rules of a file in a folder, in a setting.
func In(tb testing.TB, folder fs.FS, name string, s dsl.Setting) *model.Rules {
	tb.Helper()
	text, err := fs.ReadFile(folder, name)
	if err != nil {
		tb.Fatal(err)
	}
	return Rules(tb, name, string(text), folder, s)
}

// Shipped are the rules of a shipped rule book, in a setting.
func Shipped(tb testing.TB, name string, s dsl.Setting) *model.Rules {
	tb.Helper()
	return In(tb, rulesets.FS, name+".rules", s)
}

// Risk is a game that can be worked out by hand: three turns each, in which one adds the die or two; more than five is
// nothing. Who has more in the end wins, the second of equals.
const Risk = `ruleset risk "Three turns each"

board   cross68
players 2
pieces  1 at home
dice    die = {1: 2, 3: 1}

var player total = 0
var game   turns_made = 0

let worth(player x) = x.total > 5 ? 0 : x.total

turn { throw die; play die }

move hit(p in mine) stay
move hold(p in mine) stay

rule adding "The die or two" {
  may hit(p)
  may hold(p)
  on hit(p) { p.player.total += die; turns_made += 1 }
  on hold(p) { p.player.total += 2; turns_made += 1 }
}

rule more "Who has more wins" {
  win player x when turns_made == 6 && x == game.players[0] && worth(x) > worth(game.players[1])
  win player x when turns_made == 6 && x == game.players[1] && worth(x) >= worth(game.players[0])
}
`
