package rulesets_test

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/interpreter/stats"
	"github.com/rulerun/rulerun/interpreter/suite"
	"github.com/rulerun/rulerun/rulesets"
)

// TestShipped checks every shipped rule book without a finding, and plays its scenarios.
func TestShipped(t *testing.T) {
	files, err := fs.Glob(rulesets.FS, "*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no rule books", err)
	}
	for _, name := range files {
		data, err := fs.ReadFile(rulesets.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { run(t, source.New(name, string(data)), dsl.Library{Shipped: rulesets.FS}) })
	}
}

// TestHouse does the same for the house rules among the examples.
func TestHouse(t *testing.T) { folder(t, "../examples/house") }

// TestGames does the same for the other games among the examples.
func TestGames(t *testing.T) { folder(t, "../examples/games") }

func folder(t *testing.T, dir string) {
	files, err := filepath.Glob(dir + "/*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no rule files in", dir, err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		lib := dsl.Library{Beside: os.DirFS(filepath.Dir(path)), Shipped: rulesets.FS}
		t.Run(filepath.Base(path), func(t *testing.T) { run(t, source.New(filepath.Base(path), string(data)), lib) })
	}
}

// exampleGame is one of the other games among the examples, for a setting.
func exampleGame(t *testing.T, name string, setting dsl.Setting) *interpreter.Game {
	t.Helper()
	dir := os.DirFS("../examples/games")
	data, err := fs.ReadFile(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	book, faults := dsl.Load(source.New(name, string(data)), dsl.Library{Beside: dir, Shipped: rulesets.FS})
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(setting)
	if rules == nil {
		t.Fatal(faults)
	}
	game, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return game
}

// TestGamesAlone compares how long two games last for one player with what can be worked out exactly: each is a chain of
// squares that one piece goes through.
func TestGamesAlone(t *testing.T) {
	const games = 20_000
	for name, want := range map[string]struct {
		setting dsl.Setting
		mean    float64
		sd      float64 // 0: not known exactly
	}{
		"snakes.rules": {dsl.Setting{Players: 1}, 39.2251223082, 25.22495711},
		"ludo.rules":   {dsl.Setting{Players: 1, Options: map[string]string{"tokens": "1"}}, 26.884926665, 0},
	} {
		s, err := stats.Run(t.Context(), exampleGame(t, name, want.setting), stats.Options{To: games, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := s.Throws.Mean()
		if off := math.Abs(got.Mean - want.mean); off > 4*got.SE || s.Unfinished > 0 {
			t.Errorf("%s: a game takes %.3f ± %.3f throws, want %.3f", name, got.Mean, got.SE, want.mean)
		}
		if want.sd > 0 && math.Abs(got.SD-want.sd) > 0.03*want.sd {
			t.Errorf("%s: the standard deviation is %.3f, want %.3f", name, got.SD, want.sd)
		}
	}
}

// TestUrRace plays out a race whose chances are known: each side has one piece left that needs a 1, thrown once in four,
// so the side in turn wins with 1/4 + 3/4 of the chance of the other, 4/7.
func TestUrRace(t *testing.T) {
	const games = 20_000
	game := exampleGame(t, "ur.rules", dsl.Setting{})
	off := []string{"off", "off", "off", "off", "off", "off"}
	start, err := game.Setup(&interpreter.Setup{
		Pieces: map[string][]string{"white": append([]string{"white-14"}, off...), "black": append([]string{"black-14"}, off...)},
		Turn:   "white",
	})
	if err != nil {
		t.Fatal(err)
	}
	won := 0
	for i := range games {
		p, r := start.Copy(), interpreter.NewRandom(1, uint64(i))
		for p.Kind() == interpreter.Throw {
			p.ThrowRandom(&r)
		}
		if p.Kind() != interpreter.Over {
			t.Fatal("the race does not end:", p.Err())
		}
		if slices.Contains(p.Result().Winners, 0) {
			won++
		}
	}
	share, want := float64(won)/games, 4.0/7
	if se := math.Sqrt(want * (1 - want) / games); math.Abs(share-want) > 4*se {
		t.Errorf("the side in turn wins %.4f of the games, want %.4f ± %.4f", share, want, se)
	}
}

func run(t *testing.T, file *source.File, lib dsl.Library) {
	book, faults := dsl.Load(file, lib)
	if book != nil {
		faults = dsl.Check(book)
		faults = append(faults, book.CheckWords("es")...)
	}
	if len(faults) > 0 {
		t.Fatalf("findings:\n%s", faults.Text(diag.Style{}))
	}
	tests := suite.Of(book)
	if len(tests) == 0 {
		t.Error("no tests beside the rules")
	}
	suite.Run(t.Context(), tests, suite.Options{}, func(r *suite.Result) {
		for _, d := range r.Findings() {
			t.Error(d.Error())
		}
	})
}

// TestRecordedGames plays the recorded games again: every event can be, and brings about what it did. What was recorded is what
// the rules made of it when a person had checked it. After an intended change of a rule, record the games again with the same seeds and
// players.
func TestRecordedGames(t *testing.T) {
	paths, err := filepath.Glob("games/*.game.txt")
	if err != nil || len(paths) < 6 {
		t.Fatal(paths, err)
	}
	lib := dsl.Library{Shipped: rulesets.FS}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			rec, err := record.Read(strings.NewReader(string(text)), path)
			if err != nil {
				t.Fatal(err)
			}
			file, ok := lib.Rules(rec.Header.Rules, nil)
			if !ok {
				t.Fatal("no rule book", rec.Header.Rules)
			}
			book, faults := dsl.Load(file, lib)
			if book == nil {
				t.Fatal(faults)
			}
			setting := dsl.Setting{Options: map[string]string{}, Players: rec.Header.Players}
			for _, o := range rec.Header.Options {
				setting.Options[o.Name] = o.Value
			}
			rules, faults := book.In("es").Rules(setting) // a game saved in one language is played on in another
			if rules == nil {
				t.Fatal(faults)
			}
			game, err := interpreter.Compile(rules)
			if err != nil {
				t.Fatal(err)
			}
			english, _ := book.Rules(setting)
			same, err := interpreter.Compile(english)
			if err != nil || rules.Lang != "es" || record.Fingerprint(game) != record.Fingerprint(same) || !game.Same(same) {
				t.Errorf("in %q the game is another one: %v", rules.Lang, err)
			}
			test := suite.Recorded(source.New(path, string(text)), rec, game)
			for _, d := range suite.Run(t.Context(), []*suite.Test{test}, suite.Options{}, nil)[0].Findings() {
				t.Error(d.Error())
			}
			if len(rec.Live()) < 200 {
				t.Errorf("the game has only %d events", len(rec.Live()))
			}
		})
	}
}
