// Package testbook loads rule books for tests. A book that cannot be loaded ends the test. A text is read once, and its rules are made once
// in each setting: the tests of a package share them, so that the files of a folder must not change while the tests run.
package testbook

import (
	"fmt"
	"io/fs"
	"reflect"
	"sync"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/rulesets"
)

// known caches loaded books and their rules; both are immutable.
var known sync.Map

// once is what work returns, which is called once for each key. A key that cannot be compared is never found again.
func once[T any](key any, work func() T) T {
	if !reflect.ValueOf(key).Comparable() {
		return work()
	}
	f, _ := known.LoadOrStore(key, sync.OnceValue(work))
	return f.(func() T)()
}

// bookKey is what a book depends on.
type bookKey struct {
	name, text string
	beside     fs.FS
}

// made is something, or nil and why there is none.
type made[T any] struct {
	of     *T
	faults any
}

// Book is the book of a rule file, given as text. It may name files of the folder beside, which may be nil, and the shipped ones.
func Book(tb testing.TB, name, text string, beside fs.FS) *dsl.Book {
	tb.Helper()
	l := once(bookKey{name, text, beside}, func() made[dsl.Book] {
		book, faults := dsl.Load(source.New(name, text), dsl.Library{Beside: beside, Shipped: rulesets.FS})
		return made[dsl.Book]{book, faults}
	})
	if l.of == nil {
		tb.Fatal(l.faults)
	}
	return l.of
}

// Rules are the rules of such a book in a setting.
func Rules(tb testing.TB, name, text string, beside fs.FS, s dsl.Setting) *model.Rules {
	tb.Helper()
	type rulesKey struct {
		book    *dsl.Book
		setting string
	}
	book := Book(tb, name, text, beside)
	r := once(rulesKey{book, fmt.Sprint(s.Players, s.Options)}, func() made[model.Rules] {
		rules, faults := book.Rules(s)
		return made[model.Rules]{rules, faults}
	})
	if r.of == nil {
		tb.Fatal(r.faults)
	}
	return r.of
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
