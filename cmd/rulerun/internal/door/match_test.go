package door

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/rulesets"
)

// TestMenuIsTyped plays by chance: what a menu shows, what a record says, and that with the number it counts, as the log tells it, is that
// option when it is typed; what is offered is not said to be refused.
func TestMenuIsTyped(t *testing.T) {
	text, err := os.ReadFile("../../../../interpreter/testdata/rules/menus.rules")
	if err != nil {
		t.Fatal(err)
	}
	bag := `change bag "Numbers are kept" for parchis
var player kept: bag of 1..6
replace step counting {
  me.kept += die
  if sum(me.kept) > 9 { play any of me.kept }
}
`
	pair := `change pair "Two pieces on one square may go together" for parchis
move together(p in mine, q in mine) from squares walk steps carrying [q]
rule together "Two pieces on one square may go together" { may together(p, q) when thrown && p != q && p.at == q.at }
`
	both := `ruleset both extends parchis with two_dice, decline "Two dice, and to decline"`
	for name, text := range map[string]string{"menus": string(text), "bag": bag, "pair": pair, "both": both, "patolli": "", "ludoteka_teams": ""} {
		t.Run(name, func(t *testing.T) {
			book := newLibrary(t)[name]
			if text != "" {
				b, faults := dsl.Load(source.New(name+".rules", text), dsl.Library{Shipped: rulesets.FS, Beside: os.DirFS("../../../../examples/house")})
				if b == nil {
					t.Fatal(faults)
				}
				book = b
			}
			for _, lang := range []string{"", "es"} {
				r, faults := book.In(lang).Rules(dsl.Setting{})
				if r == nil {
					t.Fatal(faults)
				}
				g, err := interpreter.Compile(r)
				if err != nil {
					t.Fatal(err)
				}
				typed(t, g)
			}
		})
	}
}

func typed(t *testing.T, g *interpreter.Game) {
	t.Helper()
	s, err := Open(g, &record.Header{Players: g.Players(), Seats: slices.Repeat([]string{"random"}, g.Players()), Seed: 5}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 400 {
		if s.Position().Kind() == interpreter.Over {
			return
		}
		if s.Position().Kind() == interpreter.Choice {
			shown, kept := s.menu(), record.Words(s.Position())
			for i, o := range s.Position().Options() {
				texts := []string{shown[i], strings.ReplaceAll(shown[i], "→", "->"), kept[i]}
				if !strings.Contains(kept[i], "counting") && o.Move != interpreter.None {
					texts = append(texts, kept[i]+" counting "+strconv.Itoa(o.Steps))
				}
				if !s.words.counts(shown[i], o.Steps) && o.Move != interpreter.None {
					texts = append(texts, s.words.Counting(shown[i], o.Steps))
				}
				for _, text := range texts {
					if got, fault := s.Find(text, nil); got != i || fault != "" {
						t.Fatalf("%q is %d, not %d, of %q: %s", text, got, i, shown, fault)
					}
				}
				refused := "  " + s.game.Refused(s.words, o) + ":"
				if denied := slices.IndexFunc(s.Why(""), func(line string) bool { return strings.HasPrefix(line, refused) }); denied >= 0 {
					t.Fatalf("%q is offered, and refused: %s", shown[i], s.Why("")[denied])
				}
			}
		}
		if err := s.Bot(); err != nil {
			t.Fatal(err)
		}
	}
}
