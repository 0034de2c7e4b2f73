package door

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/examples"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
)

// TestWrittenTests: what was played is a test that the rules pass, in every game that is shipped.
func TestWrittenTests(t *testing.T) {
	names, err := fs.Glob(examples.Shipped(), "*.rules")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	shared := &dsl.Shared{}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := fs.ReadFile(examples.Shipped(), name)
			if err != nil {
				t.Fatal(err)
			}
			lib := dsl.Library{Shipped: examples.Shipped(), Shared: shared}
			book, faults := dsl.Load(source.New(name, string(text)), lib)
			if book == nil {
				t.Fatal(faults)
			}
			rules, faults := book.Rules(dsl.Setting{})
			if rules == nil {
				t.Fatal(faults)
			}
			game, err := interpreter.Compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			header := &record.Header{Rules: book.Name(), Players: game.Players(), Seed: 3}
			for range game.Players() {
				header.Seats = append(header.Seats, "human")
			}
			s, err := Open(game, header, nil)
			if err != nil {
				t.Fatal(err)
			}
			var tests []string
			late := 0 // tests of positions in which players have finished or are out
			r := interpreter.NewRandom(1, 1)
			for n := range 800 {
				p := s.Position()
				switch {
				case p.Kind() == interpreter.Over:
				case p.Kind() == interpreter.Choice:
					err = s.Choose(bot.Random{}.Choose(p, &r))
				case p.ChosenNumber() && !s.lot():
					err = s.Number(bot.Random{}.Number(p, &r))
				default:
					err = s.Throw()
				}
				if err != nil {
					t.Fatal(err)
				}
				ended := p.Ranked() > 0 || slices.ContainsFunc(s.seats(), func(x Seat) bool { return !x.Playing })
				if ended {
					late++
				}
				if n < 120 && n%29 == 0 || n == 2 || ended && late < 100 && late%45 == 1 {
					test, err := s.Test(fmt.Sprintf("number %d", n))
					if err != nil {
						t.Fatal(err)
					}
					tests = append(tests, test)
				}
			}
			if len(tests) < 2 {
				t.Errorf("only %d tests", len(tests))
			}
			own := len(book.Scenarios())
			written, faults := dsl.Load(source.New(name, string(text)+"\n"+strings.Join(tests, "\n")), lib)
			if written == nil {
				t.Fatalf("%v\n%s", faults, strings.Join(tests, "\n"))
			}
			scenarios := written.Scenarios()[own:]
			if len(scenarios) != len(tests) {
				t.Fatalf("%d tests of %d", len(scenarios), len(tests))
			}
			for i, x := range scenarios {
				rules, faults := x.Rules()
				if rules == nil {
					t.Fatal(faults)
				}
				g, err := interpreter.Compile(rules)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range g.RunTest(rules.Tests[0]) {
					t.Errorf("%s\n%s", f.Message, tests[i])
				}
			}
		})
	}
}
