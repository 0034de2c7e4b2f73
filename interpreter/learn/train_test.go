package learn_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
	"github.com/rulerun/rulerun/rulesets"
)

// two is the Royal Game of Ur with two pieces a side: small enough for an exact solution.
func two(t *testing.T) *interpreter.Game {
	return game(t, "ur", dsl.Setting{Options: map[string]string{"pieces_each": "2"}})
}

func train(t *testing.T, g *interpreter.Game, from *learn.Eval, o learn.Options) *learn.Eval {
	t.Helper()
	e, err := learn.Train(context.Background(), g, from, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// text is the file of an evaluation.
func text(t *testing.T, e *learn.Eval) []byte {
	t.Helper()
	var file learn.File
	var out bytes.Buffer
	file.Put(e)
	if err := file.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestLearningComesNearTheOptimum trains on a game with an exact solution. A greedy player wins 39 % against the optimum.
func TestLearningComesNearTheOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	g := two(t)
	train(t, g, nil, learn.Options{Games: 4_000, Seed: 1}).Use()
	share := against(t, g, "learned:1")
	t.Logf("it wins %.2f %% against the optimum", 100*share)
	if share < 0.49 || share > 0.5+1e-9 {
		t.Errorf("it wins %.2f %% against the optimum, want 49 to 50", 100*share)
	}
}

// TestShippedComesNearTheOptimum plays the shipped evaluation of that game against the optimum.
func TestShippedComesNearTheOptimum(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds")
	}
	data, err := os.ReadFile("../../examples/games/ur.learned")
	if err != nil {
		t.Fatal(err)
	}
	file, err := learn.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	g := two(t)
	e, err := file.For(g)
	if err != nil || e == nil {
		t.Fatal(e, err)
	}
	e.Use()
	if share := against(t, g, "learned:1"); share < 0.495 || share > 0.5+1e-9 {
		t.Errorf("it wins %.2f %% against the optimum, want 49.5 to 50", 100*share)
	}
}

// TestTrainRepeats: the same seed and games make the same file, on any number of threads; another seed does not.
func TestTrainRepeats(t *testing.T) {
	g := two(t)
	one := text(t, train(t, g, nil, learn.Options{Games: 128, Seed: 3, Threads: 1}))
	if diff := cmp.Diff(string(one), string(text(t, train(t, g, nil, learn.Options{Games: 128, Seed: 3, Threads: 3})))); diff != "" {
		t.Error(diff)
	}
	if bytes.Equal(one, text(t, train(t, g, nil, learn.Options{Games: 128, Seed: 4}))) {
		t.Error("the seed makes no difference")
	}
}

// TestTrainGoesOn stops, and continues from the file.
func TestTrainGoesOn(t *testing.T) {
	g := two(t)
	ctx, stop := context.WithCancel(context.Background())
	half, err := learn.Train(ctx, g, nil, learn.Options{Seed: 1, Progress: func(at learn.Progress) {
		if at.Games >= 96 {
			stop()
		}
	}})
	if err != nil || half.Games != 96 {
		t.Fatal(half.Games, err)
	}
	file, err := learn.Read(text(t, half))
	if err != nil {
		t.Fatal(err)
	}
	from, err := file.For(g)
	if err != nil || from == nil {
		t.Fatal(from, err)
	}
	first := 0
	whole := train(t, g, from, learn.Options{Games: 192, Seed: 1, Progress: func(at learn.Progress) {
		if first == 0 {
			first = at.Games
		}
	}})
	if whole.Games != 192 || first != 128 {
		t.Errorf("%d games, the first round ends with %d", whole.Games, first)
	}
	if bytes.Equal(text(t, half), text(t, whole)) {
		t.Error("nothing more was learned")
	}
}

// TestTrainAlone refuses a game of one side.
func TestTrainAlone(t *testing.T) {
	if _, err := learn.Train(context.Background(), game(t, "snakes", dsl.Setting{Players: 1}), nil, learn.Options{Games: 32}); !errors.Is(err, learn.ErrAlone) {
		t.Error(err)
	}
}

// TestFileKeeps tests that an evaluation survives a file, for its rules and no others.
func TestFileKeeps(t *testing.T) {
	g := two(t)
	e := train(t, g, nil, learn.Options{Games: 96, Seed: 1})
	data := text(t, e)
	file, err := learn.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	back, err := file.For(two(t))
	if err != nil || back == nil {
		t.Fatal(back, err)
	}
	if diff := cmp.Diff(string(data), string(text(t, back))); diff != "" {
		t.Error(diff)
	}
	p, r := g.Start(0), interpreter.NewRandom(1, 1)
	p.Playout(&r, interpreter.Until{Throws: 20})
	one, other := make([]float64, 2), make([]float64, 2)
	e.Judge().Shares(p, one)
	back.Judge().Shares(p, other)
	if d := one[0] - other[0]; d > 0.01 || d < -0.01 || one[0]+one[1] < 0.999 {
		t.Errorf("it estimates %v, read back %v", one, other)
	}
	for _, set := range []dsl.Setting{{}, {Options: map[string]string{"pieces_each": "3"}}} {
		if x, err := file.For(game(t, "ur", set)); x != nil || err != nil {
			t.Errorf("%v: got %v, %v", set, x, err)
		}
	}
	file.Put(train(t, game(t, "ur", dsl.Setting{Options: map[string]string{"pieces_each": "3"}}), nil, learn.Options{Games: 32, Seed: 1}))
	file.Put(back)
	var out bytes.Buffer
	if err := file.Write(&out); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), `"digest"`); n != 2 {
		t.Errorf("the file has %d evaluations, want 2:\n%s", n, out.String())
	}
}

// TestFor finds a file by the name of the rule book, and reports an invalid file.
func TestFor(t *testing.T) {
	data := text(t, train(t, two(t), nil, learn.Options{Games: 32, Seed: 1}))
	learn.Look("test", fstest.MapFS{"ur.learned": {Data: data}})
	defer learn.Look("test", fstest.MapFS{})
	if e, err := learn.For(two(t)); e == nil || err != nil {
		t.Error(e, err)
	}
	if e, err := learn.For(game(t, "ur", dsl.Setting{})); e != nil || err != nil {
		t.Error(e, err)
	}
	learn.Look("test", fstest.MapFS{"ur.learned": {Data: data[:len(data)/2]}})
	if e, err := learn.For(two(t)); e != nil || err == nil || !strings.HasPrefix(err.Error(), "ur.learned: not a file of evaluations: ") {
		t.Error(e, err)
	}
}

// TestRead rejects invalid files, with the reason.
func TestRead(t *testing.T) {
	whole := string(text(t, train(t, two(t), nil, learn.Options{Games: 32, Seed: 1, Units: 8})))
	for _, x := range []struct{ what, text, want string }{
		{"nothing", "", "not a file of evaluations: unexpected end of JSON input"},
		{"something else", `{"ruleset": "ur"}`, `not a file of evaluations: "rulerun_learned" is missing`},
		{"cut off", whole[:500], "not a file of evaluations: unexpected end of JSON input"},
		{"a later version", strings.Replace(whole, `"rulerun_learned": 1`, `"rulerun_learned": 7`, 1), "made by another version of rulerun: format 7, want 1"},
		{"no units", strings.Replace(whole, `"units": 8`, `"units": 0`, 1), "evaluation 1: it has 0 hidden units, want 1 to 32"},
		{"other units", strings.Replace(whole, `"units": 8`, `"units": 7`, 1), "evaluation 1: it has 547 weights, want 486 for its 59 features"},
		{"a feature less", strings.Replace(whole, "own at 1, ", "", 1), "evaluation 1: it has 547 weights, want 538 for its 58 features"},
		{"no numbers", strings.Replace(whole, `"weights": "`, `"weights": "?`, 1), "evaluation 1: its weights: illegal base64 data at input byte 0"},
		{"very large", strings.Repeat(" ", learn.MaxFile+1), "too large for a file of evaluations: 4194305 bytes, at most 4194304"},
	} {
		if _, err := learn.Read([]byte(x.text)); err == nil || err.Error() != x.want {
			t.Errorf("%s:\ngot  %v\nwant %s", x.what, err, x.want)
		}
	}
	file, err := learn.Read([]byte(strings.Replace(whole, "own at 1, ", "own at 0, ", 1)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.For(two(t)); err == nil || err.Error() != "its features for 2 players are not those of this version: learn again" {
		t.Error(err)
	}
	for _, terrain := range []string{"?", "AAAA", "AwA="} {
		file, err := learn.Read([]byte(terrainOf.ReplaceAllLiteralString(whole, `"terrain": "`+terrain+`"`)))
		if err != nil {
			t.Fatal(err)
		}
		if e, err := file.For(two(t)); e != nil || err == nil || !strings.HasPrefix(err.Error(), "its terrain for 2 players: ") {
			t.Errorf("terrain %s: got %v, %v", terrain, e, err)
		}
	}
}

var terrainOf = regexp.MustCompile(`"terrain": "[^"]*"`)

// TestShippedTerrain compares the observed values in shipped files with new ones.
func TestShippedTerrain(t *testing.T) {
	for _, folder := range []fs.FS{rulesets.FS, os.DirFS("../../examples/games")} {
		names, err := fs.Glob(folder, "*"+learn.Suffix)
		if err != nil || len(names) == 0 {
			t.Fatal(names, err)
		}
		for _, name := range names {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				data, err := fs.ReadFile(folder, name)
				if err != nil {
					t.Fatal(err)
				}
				file, err := learn.Read(data)
				if err != nil {
					t.Fatal(err)
				}
				file.Settings(func(players int, options map[string]string) {
					g := game(t, strings.TrimSuffix(name, learn.Suffix), dsl.Setting{Players: players, Options: options})
					e, err := file.For(g)
					if err != nil || e == nil {
						t.Fatal(e, err)
					}
					if diff := cmp.Diff(learn.NewFeatures(g).Found(), e.Found()); diff != "" {
						t.Errorf("%d players, %v: learn again; %s", players, options, diff)
					}
				})
			})
		}
	}
}

// FuzzRead tests that an invalid file gives only an error, and that a file read can be used.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"rulerun_learned": 1, "evaluations": [{"units": 1, "features": "a", "weights": "AAAAAAAAAAA="}]}`))
	f.Add([]byte(`{"rulerun_learned": 1, "evaluations": [{"units": -1}]}`))
	f.Add([]byte(`{"rulerun_learned": 2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if file, err := learn.Read(data); err == nil {
			var out bytes.Buffer
			if err := file.Write(&out); err != nil {
				t.Fatal(err)
			}
			if _, err := learn.Read(out.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
	})
}
