package interpreter

import (
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/rulesets"
)

// FuzzPosition sets up whatever position comes, in both forms of some games: what is refused has its reasons, and from
// what is not both forms play the same.
func FuzzPosition(f *testing.F) {
	var games []*forms
	for _, file := range ruleFiles(f) {
		switch file.name {
		case "parchis4a", "cicloparchis", "patolli", "ludoteka_sin_dados", "deeds", "fork":
		default:
			continue
		}
		book, faults := dsl.Load(file.source(), file.library)
		if book == nil {
			f.Fatal(faults)
		}
		rules, faults := book.Rules(dsl.Setting{})
		if rules == nil {
			f.Fatal(faults)
		}
		both := bothForms(f, rules)
		p, r := both.fast.Start(ByTheRules), NewRandom(1, 1)
		for turns := 0; turns < 90 && p.Kind() != Over; {
			if p.AtTurn() {
				if turns++; turns%30 == 1 {
					data, err := json.Marshal(p.Setup())
					if err != nil {
						f.Fatal(err)
					}
					f.Add(uint8(len(games)), string(data), uint64(turns))
				}
			}
			if p.Kind() == Throw {
				p.ThrowRandom(&r)
			} else {
				p.ChooseRandom(&r)
			}
		}
		games = append(games, both)
	}
	f.Fuzz(func(t *testing.T, which uint8, text string, seed uint64) {
		var setup Setup
		if json.Unmarshal([]byte(text), &setup) != nil {
			return
		}
		both := games[int(which)%len(games)]
		p, err := both.fast.Setup(&setup)
		q, plainErr := both.plain.Setup(&setup)
		var refused *SetupError
		switch {
		case (err == nil) != (plainErr == nil) || err != nil && err.Error() != plainErr.Error():
			t.Fatalf("got %v, the plain form has %v", err, plainErr)
		case err == nil:
			both.play(t, p, q, NewRandom(seed, 0), 40)
		case !errors.As(err, &refused) || len(refused.Reasons) == 0:
			t.Fatalf("refused without a reason: %v", err)
		}
	})
}

// FuzzGame plays whatever rules check, in both forms.
func FuzzGame(f *testing.F) {
	for i, file := range ruleFiles(f) {
		if len(file.text) < 6000 {
			f.Add(file.text, uint64(i))
		}
	}
	library := dsl.Library{Shipped: rulesets.FS, Beside: os.DirFS("testdata/rules")}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		if len(text) > 8000 {
			return
		}
		book, _ := dsl.Load(source.New("fuzz.rules", text), library)
		if book == nil {
			return
		}
		rules, _ := book.Rules(dsl.Setting{})
		if rules == nil {
			return
		}
		if _, err := Compile(rules); err != nil {
			return // too large
		}
		both := bothForms(t, rules)
		both.play(t, both.fast.Start(ByTheRules), both.plain.Start(ByTheRules), NewRandom(seed, 0), 60)
	})
}
