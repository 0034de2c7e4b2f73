package bot_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/rulesets"
)

const examples = "../../examples/games"

// game compiles a shipped rule book or an example.
func game(t *testing.T, name string, s dsl.Setting) *interpreter.Game {
	t.Helper()
	var folder fs.FS = rulesets.FS
	if _, err := fs.Stat(folder, name+".rules"); err != nil {
		folder = os.DirFS(examples)
	}
	return compile(t, testbook.In(t, folder, name+".rules", s))
}

func compile(t *testing.T, rules *model.Rules) *interpreter.Game {
	t.Helper()
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// small is the Royal Game of Ur with three pieces a side: short, and with decisions that matter.
func small(t *testing.T) *interpreter.Game {
	return game(t, "ur", dsl.Setting{Options: map[string]string{"pieces_each": "3"}})
}

// quick are bots of each kind that need little time.
var quick = map[string]string{
	"exact":  "exact",
	"random": "random", "greedy": "greedy", "flat": "flat:6,depth=4", "expectimax": "expectimax:1,nodes=200", "mcts": "mcts:12,depth=4",
	"easy": "easy", "medium": "expectimax:1,nodes=200", "strong": "expectimax:2,nodes=200", "learned": "learned:1,nodes=200",
}

func made(t *testing.T, spec string) bot.Bot {
	t.Helper()
	b, err := bot.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// step goes on from a node, the bot deciding.
func step(t *testing.T, p *interpreter.Position, b bot.Bot, r *interpreter.Random) {
	t.Helper()
	var err error
	switch {
	case p.Kind() == interpreter.Choice:
		err = p.Choose(b.Choose(p, r))
	case p.ChosenNumber():
		err = p.Throw(b.Number(p, r))
	default:
		p.ThrowRandom(r)
	}
	if err != nil || p.Err() != nil {
		t.Fatal(err, p.Err())
	}
}

// TestBotsPlay lets every bot play every shipped rule book and every example: it takes what there is, changes nothing
// while it looks ahead, and does the same again, fresh or not.
func TestBotsPlay(t *testing.T) {
	names := append((dsl.Library{Shipped: rulesets.FS}).RulesNames(), "ludo", "parcheesi", "snakes", "ur")
	for _, name := range names {
		g := game(t, name, dsl.Setting{})
		for _, who := range bot.Names() {
			t.Run(name+"/"+who, func(t *testing.T) {
				t.Parallel()
				b, r := made(t, quick[who]), interpreter.NewRandom(3, 0)
				p := g.Start(interpreter.ByTheRules)
				for n := 0; p.Kind() != interpreter.Over && p.Throws() < 40; n++ {
					before, again := p.Copy(), r
					if n == 20 {
						fresh, other := p.Copy(), r
						step(t, fresh, made(t, quick[who]), &other)
						step(t, before, b, &again)
						if !fresh.Equal(before) || again != other {
							t.Fatalf("node %d: a fresh bot does something else", n)
						}
					}
					step(t, p, b, &r)
					if n == 20 && !p.Equal(before) {
						t.Fatalf("node %d: asked again, it does something else", n)
					}
				}
			})
		}
	}
}

// TestStrength pits bots against weaker ones with the same dice for both: each wins significantly more than half.
func TestStrength(t *testing.T) {
	ur, g := game(t, "ur", dsl.Setting{}), small(t)
	for _, x := range []struct {
		stronger, weaker string
		rounds           int
	}{
		{"greedy", "random", 30},
		{"flat:60", "random", 15},
		{"expectimax:1", "greedy", 60},
		{"mcts:100", "greedy", 16},
		{"mcts:100", "mcts:4", 16},
		{"expectimax:2,nodes=4000", "expectimax:0", 40},
		{"greedy", "greedy:progress=-1,others=-1,acts=-100,home=-10", 10},
	} {
		t.Run(x.stronger+" "+x.weaker, func(t *testing.T) {
			t.Parallel()
			g := g
			if x.stronger == "mcts:100" {
				g = ur
			}
			won := duel(t, g, x.stronger, x.weaker, x.rounds)
			n := float64(2 * x.rounds)
			if sigmas := (float64(won) - n/2) / (0.5 * sqrt(n)); sigmas < 2.5 {
				t.Errorf("%s won %d of %.0f games against %s: %.1f standard deviations above half", x.stronger, won, n, x.weaker, sigmas)
			}
		})
	}
}

func sqrt(x float64) float64 {
	y := x
	for range 40 {
		y = (y + x/y) / 2
	}
	return y
}

// duel is how many games the first bot wins of two a round, one from each seat.
func duel(t *testing.T, g *interpreter.Game, a, b string, rounds int) int {
	t.Helper()
	players := make([]interpreter.Chooser, 2)
	r, err := interpreter.NewRunner(g, interpreter.RunOptions{Players: players})
	if err != nil {
		t.Fatal(err)
	}
	won := 0
	for k := range uint64(rounds) {
		for seat := range players {
			players[seat], players[1-seat] = made(t, a), made(t, b)
			x, err := r.Play(11, k)
			if err != nil {
				t.Fatal(err)
			}
			if x.Won[seat] {
				won++
			}
		}
	}
	return won
}

// TestManySides lets the tree search sit among three greedy bots.
func TestManySides(t *testing.T) {
	g := game(t, "parchis4a", dsl.Setting{})
	players := make([]interpreter.Chooser, 4)
	r, err := interpreter.NewRunner(g, interpreter.RunOptions{Players: players})
	if err != nil {
		t.Fatal(err)
	}
	won := 0
	for k := range 20 {
		for seat := range players {
			players[seat] = made(t, "greedy")
		}
		players[k%4] = made(t, "mcts:60")
		x, err := r.Play(2, uint64(k))
		if err != nil {
			t.Fatal(err)
		}
		if x.Won[k%4] {
			won++
		}
	}
	if won < 10 { // 5 are its share, and 10 are 2.6 standard deviations more
		t.Errorf("the tree search won %d of 20 games against three greedy bots", won)
	}
}

// hidden has a number that blue hides and red guesses: red wins if it is right. A bot that peeks always is.
const hidden = `ruleset hidden "A number to guess"

board   cross68
players 2
pieces  1 at home
dice    die = d2

var player number: 0..3 = 0
var player guess: 0..3 = 0
var player numbers: set of 1..3 = [1, 2, 3]
secret number

setup { for x in game.players { choose x.number "Which?" from x.numbers by x } }

turn { throw die; play die }

move one(p in mine) stay
move two(p in mine) stay
move three(p in mine) stay

rule guessing "Red guesses" {
  may one(p)
  may two(p)
  may three(p)
  on one(p) { p.player.guess = 1 }
  on two(p) { p.player.guess = 2 }
  on three(p) { p.player.guess = 3 }
}

rule right "Who guesses right wins" {
  win player x when x == game.players[0] && x.guess != 0 && x.guess == game.players[1].number
}

rule wrong "Else the other one does" {
  win player x when x == game.players[1] && game.players[0].guess != 0 && game.players[0].guess != x.number
}
`

// TestHiddenUnseen lets bots guess what is hidden from them: they are right as often as any guess.
func TestHiddenUnseen(t *testing.T) {
	g := compile(t, testbook.Rules(t, "hidden.rules", hidden, nil, dsl.Setting{}))
	for _, spec := range []string{"greedy", "flat:9", "expectimax:2", "mcts:20"} {
		right := 0
		for k := range uint64(90) {
			b, r := made(t, spec), interpreter.NewRandom(5, k)
			p := g.Start(0)
			for _, i := range []int{0, int(k % 3)} {
				if !p.Secret() {
					t.Fatal("nothing is hidden")
				}
				if err := p.Choose(i); err != nil {
					t.Fatal(err)
				}
			}
			p.ThrowRandom(&r)
			if p.Player() != 0 || !p.Hides(0) {
				t.Fatal("red does not guess")
			}
			step(t, p, b, &r)
			if p.Kind() != interpreter.Over {
				t.Fatal("red's guess does not end the game")
			}
			if p.Result().Winners[0] == 0 {
				right++
			}
		}
		if right < 15 || right > 45 { // of 90 a third, within 3.4 standard deviations
			t.Errorf("%s is right %d times of 90", spec, right)
		}
	}
}

// TestHiddenMakesNoDifference plays games that differ in what the other team has chosen in secret: a bot that cannot see it
// does the same in both.
func TestHiddenMakesNoDifference(t *testing.T) {
	g := game(t, "cicloparchis", dsl.Setting{Options: map[string]string{"mode": "secret"}})
	for _, who := range bot.Names() {
		var games [2]*interpreter.Position
		var bots [2]bot.Bot
		for n := range games {
			bots[n] = made(t, quick[who])
			games[n] = g.Start(0)
			for _, i := range []int{0, n} { // the first team's choice, and the second's
				if err := games[n].Choose(i); err != nil {
					t.Fatal(err)
				}
			}
		}
		asked := 0
		for event := range uint64(200) {
			p, q := games[0], games[1]
			if p.Kind() == interpreter.Over || q.Kind() == interpreter.Over {
				break
			}
			r := interpreter.NewRandom(8, event)
			if p.Kind() == interpreter.Choice && p.OptionCount() > 1 && g.Rules().Seats[p.Player()].Team == 0 {
				a, b := r, r
				if x, y := bots[0].Choose(p, &a), bots[1].Choose(q, &b); x != y {
					t.Fatalf("%s, event %d: takes %d or %d, by what it cannot know", who, event, x, y)
				}
				asked++
			}
			other := r
			step(t, p, bot.Random{}, &r)
			step(t, q, bot.Random{}, &other)
		}
		if asked < 10 {
			t.Errorf("%s was asked %d times only", who, asked)
		}
	}
}

// TestNothingGrows asks a bot again and again: once warm it needs no more memory.
func TestNothingGrows(t *testing.T) {
	g := small(t)
	for _, who := range bot.Names() {
		b, r := made(t, quick[who]), interpreter.NewRandom(1, 1)
		p := g.Start(0)
		for p.Kind() != interpreter.Choice || p.OptionCount() < 3 {
			step(t, p, bot.Random{}, &r)
		}
		for range 20 {
			b.Choose(p, &r)
		}
		few := testing.AllocsPerRun(20, func() { b.Choose(p, &r) })
		for range 200 {
			b.Choose(p, &r)
		}
		if many := testing.AllocsPerRun(20, func() { b.Choose(p, &r) }); many > few+few/4+4 {
			t.Errorf("%s: %.0f allocations a decision at first, %.0f later", who, few, many)
		}
	}
}

// TestNew makes bots from what people type.
func TestNew(t *testing.T) {
	for _, spec := range []string{"random", "greedy", "greedy:2", "greedy:progress=2, home=5,acts.hit=-3", "flat:10", "flat:playouts=10,depth=5", "expectimax:0", "mcts:5,explore=0.1"} {
		made(t, spec)
	}
	for spec, want := range map[string]string{
		"nobody":            `there is no bot "nobody"; there are: easy, medium, strong, greedy, random, flat, expectimax, learned, exact, mcts`,
		"gredy:1":           `there is no bot "gredy"; did you mean "greedy"?`,
		"":                  `there is no bot ""; there are: easy, medium, strong, greedy, random, flat, expectimax, learned, exact, mcts`,
		"random:5":          `bot "random:5": it has no options; write "random"`,
		"flat:0":            `bot "flat:0": playouts: got "0", want a whole number from 1 to 1000000; `,
		"flat:1.5":          `bot "flat:1.5": playouts: got "1.5", want a whole number from 1 to 1000000; `,
		"flat:":             `bot "flat:": playouts: got "", want a whole number from 1 to 1000000; `,
		"flat:5,dept=3":     `bot "flat:5,dept=3": flat has no option "dept"; did you mean "depth"?`,
		"flat:5,zz=3":       `bot "flat:5,zz=3": flat has no option "zz"; it has: playouts, depth`,
		"flat:acts.x=3":     `bot "flat:acts.x=3": flat has no option "acts.x"; it has: playouts, depth`,
		"mcts:5,5":          `bot "mcts:5,5": mcts has no option "5"; it has: playouts, depth, explore`,
		"mcts:explore=no":   `bot "mcts:explore=no": explore: got "no", want a number from 0 to 100; `,
		"mcts:5,playouts=6": `bot "mcts:5,playouts=6": playouts is given twice; `,
		"greedy:home=NaN":   `bot "greedy:home=NaN": home: got "NaN", want a number from -1000000 to 1000000; `,
	} {
		b, err := bot.New(spec)
		var fault *bot.Error
		if b != nil || !errors.As(err, &fault) {
			t.Errorf("%q: got %v, %v, want an error", spec, b, err)
			continue
		}
		if got := fault.Error() + "; " + fault.Hint.Error(); got != want {
			t.Errorf("%q:\ngot  %s\nwant %s", spec, got, want)
		}
	}
}

// TestSplit cuts lists of bots.
func TestSplit(t *testing.T) {
	for list, want := range map[string][]string{
		"human":                                  {"human"},
		"human, greedy:progress=1,home=2,random": {"human", "greedy:progress=1,home=2", "random"},
		"flat:5,depth=3,flat:6":                  {"flat:5,depth=3", "flat:6"},
		"random,depth=3":                         {"random", "depth=3"},
		"":                                       {""},
	} {
		if got := bot.Split(list); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", list, got, want)
		}
	}
}

// TestFits holds the acts a bot gets against the rules.
func TestFits(t *testing.T) {
	g := small(t)
	act := g.Rules().Acts[0].Name
	if err := bot.Fits(made(t, "greedy:acts."+act+"=5"), g); err != nil {
		t.Error(err)
	}
	err := bot.Fits(made(t, "greedy:acts."+act+"x=5"), g)
	var fault *bot.Error
	if !errors.As(err, &fault) || fault.Hint.Error() != fmt.Sprintf("did you mean %q?", act) {
		t.Errorf("got %v", err)
	}
	if err := bot.Fits(made(t, "mcts"), g); err != nil {
		t.Error(err)
	}
}

// TestWeights shows that weights say what a bot likes.
func TestWeights(t *testing.T) {
	g := game(t, "parchis4a", dsl.Setting{})
	counts := map[string]uint64{}
	for _, spec := range []string{"greedy", "greedy:acts=-100"} {
		players := []interpreter.Chooser{made(t, spec), bot.Random{}, bot.Random{}, bot.Random{}}
		r, err := interpreter.NewRunner(g, interpreter.RunOptions{Players: players, Watch: nil})
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(10) {
			x, err := r.Play(1, k)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range x.Acts {
				counts[spec] += n
			}
		}
	}
	if counts["greedy"] <= counts["greedy:acts=-100"] {
		t.Errorf("acts: %v", counts)
	}
}

// TestForcedForEver lets bots decide where one option leads to a game without throws and without decisions that never ends.
func TestForcedForEver(t *testing.T) {
	g := compile(t, testbook.Rules(t, "round.rules", `ruleset round "Round and round"

board   loop12
players 2
pieces  1 at home
dice    pick = choice of [1]

var game way = 0

setup { for c in game.colours { put c.pieces[0] on c.start } }

turn {
  if way == 0 { choose way "Which way?" from [1, 2] }
  throw pick
  play  pick
}

move advance(p in mine) from squares walk steps

rule race "The second way ends" {
  may advance(p)
  win player x when way == 2 && any(x.pieces, .index == 11)
}
`, os.DirFS("../testdata/rules"), dsl.Setting{}))
	for kind, spec := range quick {
		if kind == "exact" || kind == "learned" {
			continue
		}
		r := interpreter.NewRandom(1, 1)
		if i := made(t, spec).Choose(g.Start(0), &r); i != 0 && i != 1 {
			t.Errorf("%s takes option %d", kind, i)
		}
	}
}
