package bot_test

import (
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/rulesets"
)

func game(t *testing.T, name string) *interpreter.Game {
	t.Helper()
	lib := dsl.Library{Shipped: rulesets.FS}
	file, ok := lib.Rules(name, nil)
	if !ok {
		t.Fatalf("no rule book %q", name)
	}
	book, faults := dsl.Load(file, lib)
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// play plays a game and returns its result.
func play(t *testing.T, g *interpreter.Game, seed uint64, seats func(int) bot.Bot) interpreter.Result {
	t.Helper()
	r := interpreter.NewRandom(seed, 0)
	p := g.Start(interpreter.ByTheRules)
	for p.Kind() != interpreter.Over && p.Throws() < 20_000 {
		var err error
		switch {
		case p.Kind() == interpreter.Choice:
			i := seats(p.Player()).Choose(p, &r)
			err = p.Choose(i)
		case p.ChosenNumber():
			err = p.Throw(seats(p.Player()).Number(p, &r))
		default:
			p.ThrowRandom(&r)
		}
		if err != nil || p.Err() != nil {
			t.Fatal(err, p.Err())
		}
	}
	return p.Result()
}

// TestBotsPlay lets every bot play every shipped rule book.
func TestBotsPlay(t *testing.T) {
	for _, name := range (dsl.Library{Shipped: rulesets.FS}).RulesNames() {
		g := game(t, name)
		for _, who := range bot.Names() {
			b := bot.New(who)
			if r := play(t, g, 3, func(int) bot.Bot { return b }); len(r.Winners) == 0 {
				t.Errorf("%s: nobody wins among bots of kind %s", name, who)
			}
		}
	}
}

// TestGreedyIsBetter pits one greedy bot against random ones: it wins more than its share.
func TestGreedyIsBetter(t *testing.T) {
	g := game(t, "parchis")
	greedy, random := bot.New("greedy"), bot.New("random")
	wins, games := 0, 40
	for k := range games {
		r := play(t, g, uint64(k), func(seat int) bot.Bot {
			if seat == k%4 {
				return greedy
			}
			return random
		})
		if len(r.Winners) == 1 && r.Winners[0] == k%4 {
			wins++
		}
	}
	if wins <= games/4+4 {
		t.Errorf("the greedy bot won %d of %d games against three random ones", wins, games)
	}
}

// TestUnknown names no bot.
func TestUnknown(t *testing.T) {
	if b := bot.New("nobody"); b != nil {
		t.Errorf("got %v, want nil", b)
	}
}
