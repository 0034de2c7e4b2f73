package dsl_test

import (
	"fmt"
	"testing/fstest"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
)

const race = `ruleset race "Race"

board   cross68
players 2
pieces  1 at home
dice    die = d6
option  exact = true "the goal takes an exact count"

turn { throw die; play die }

move enter(p in mine)   from home    to p.start
move advance(p in mine) from squares walk steps

rule counting "A piece counts the throw" {
  may enter(p)
  may advance(p)
  step beyond: bar when exact
}
rule finish "The first piece in the goal wins" { win player x when any(x.pieces, .at == goal) }
`

const gentle = `change gentle "No exact count" for race

set exact = false
`

// A rule book is loaded from its text; Rules makes the checked rules for one setting.
func ExampleLoad() {
	book, faults := dsl.Load(source.New("race.rules", race), dsl.Library{})
	if book == nil {
		fmt.Println(faults)
		return
	}
	rules, _ := book.Rules(dsl.Setting{Options: map[string]string{"exact": "false"}})
	fmt.Println(book.Title(), len(rules.Seats), len(rules.Rules))
	// Output: Race 2 2
}

// Faults have a place, a code and often a remedy.
func ExampleCheck() {
	book, _ := dsl.Load(source.New("race.rules", race+"let spare = len(mine)\n"), dsl.Library{})
	for _, d := range dsl.Check(book) {
		fmt.Println(d.Code, d.Error())
	}
	// Output: unused race.rules:20:5: warning: let "spare" is never used
}

// Format writes a file the usual way.
func ExampleFormat() {
	text, _ := dsl.Format(source.New("x.rules", "ruleset   x \"X\"\nlet  a=1+1\n"))
	fmt.Print(text)
	// Output:
	// ruleset x "X"
	// let a = 1 + 1
}

// Compare says what a house rule changes.
func ExampleCompare() {
	files := dsl.Library{Beside: fstest.MapFS{"race.rules": {Data: []byte(race)}}}
	old, _ := dsl.Load(source.New("race.rules", race), files)
	house, _ := dsl.Load(source.New("gentle.rules", gentle), files)
	d, _ := dsl.Compare(old, dsl.Setting{}, house, dsl.Setting{})
	for _, c := range d.Changes {
		fmt.Println(c.Section, c.Kind, c.Name, c.What)
		for _, l := range c.Lines {
			fmt.Printf("%c %s\n", l.Mark, l.Text)
		}
	}
	// Output:
	// options option exact changed
	// - default true
	// + default false
}
