package interpreter

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
)

var (
	changedFor  = flag.Duration("forms.time", 0, "play changed rule files in both forms for as long, all rule files together; 0 is a few of each")
	changedSeed = flag.Uint64("forms.seed", 1, "of the changes to rule files that are played in both forms")
)

// TestFormsAgreeOnChangedRules plays rule files that were changed by chance in both forms side by side: what one form
// makes of unforeseen rules, the other makes of them too, and so do playouts and WebAssembly. Files that do not
// check any more are passed over.
func TestFormsAgreeOnChangedRules(t *testing.T) {
	files := ruleFiles(t)
	for i, f := range files {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(*changedSeed, uint64(i)))
			played, until := 0, time.Now().Add(*changedFor/time.Duration(len(files)))
			for tried := 0; tried < 40 && played < 3 || time.Now().Before(until); tried++ {
				batch := played%4 == 0 // making one takes longer than all else
				if playChanged(t, f, r, batch) {
					played++
				}
			}
			t.Logf("%d changed files", played)
			if played == 0 {
				t.Error("no changed file checks")
			}
		})
	}
}

// TestFormsAgreeOnOldFindings plays changed files that once made a difference: a fault that leaves a piece lifted, a walk that turns
// right after one that was sure not to, and games that go on without throws until the interpreter ends them.
func TestFormsAgreeOnOldFindings(t *testing.T) {
	files := map[string]*ruleFile{}
	for _, f := range ruleFiles(t) {
		files[f.name] = f
	}
	for _, x := range []struct {
		name    string
		players int // 0: as many as is usual
		seeds   uint64
		never   bool // it never throws, and fails
		pairs   []string
	}{
		{"numbers", 0, 40, true, []string{"  throw a, b\n", "", "steps == 5 && len", "steps == 5 || len"}},
		{"bouncing", 0, 40, false, []string{"    throw extra\n    earn extra with p\n", "    earn 1 with p\n"}},
		{"ur", 2, 1, false, []string{"throw lots", ""}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			f := *files[x.name]
			text := f.text
			if f.text = strings.NewReplacer(x.pairs...).Replace(text); f.text == text {
				t.Fatal("nothing is changed")
			}
			book, faults := dsl.Load(f.source(), f.library)
			if book == nil {
				t.Fatal(faults)
			}
			rules, faults := book.Rules(dsl.Setting{Players: x.players})
			if rules == nil {
				t.Fatal(faults)
			}
			both := bothForms(t, rules)
			for seed := range x.seeds {
				both.play(t, both.fast.Start(ByTheRules), both.plain.Start(ByTheRules), NewRandom(seed, 0), 400)
				if !x.never {
					batchesAgree(t, both.fast, ByTheRules, seed, 4000)
				}
			}
		})
	}
}

// playChanged plays a rule file with some changes, in a setting by chance, as whole games too if batch says so; false where
// it does not check.
func playChanged(t *testing.T, f *ruleFile, r *rand.Rand, batch bool) bool {
	t.Helper()
	changed := *f
	for range 1 + r.IntN(3) {
		changed.change(r)
	}
	book, _ := dsl.Load(changed.source(), changed.library)
	if book == nil {
		return false
	}
	setting := someSetting(book, r)
	rules, _ := book.Rules(setting)
	if rules == nil {
		return false
	}
	told := false
	defer func() {
		if !told {
			t.Logf("%v of\n%s", setting, cmp.Diff(f.text, changed.text))
		}
	}()
	both := bothForms(t, rules)
	both.play(t, both.fast.Start(ByTheRules), both.plain.Start(ByTheRules), NewRandom(r.Uint64(), 0), 400)
	playoutAgrees(t, both.fast, r.Uint64())
	if batch {
		batchesAgree(t, both.fast, ByTheRules, r.Uint64(), 4000)
	}
	told = true
	return true
}

// change makes one small change to the text, where there is one to make, or puts one condition instead of another.
func (f *ruleFile) change(r *rand.Rand) {
	all := dsl.Mutants(f.source())
	if len(all) == 0 {
		return
	}
	m := all[r.IntN(len(all))]
	if o := all[r.IntN(len(all))]; m.Kind == "negation" && o.Kind == "negation" { // their spans are conditions
		m.New = "(" + o.Span.Text() + ")"
	}
	f.text = f.text[:m.Span.Start] + m.New + f.text[m.Span.End:]
}

// someSetting gives some of the options other values, and takes some number of players.
func someSetting(book *dsl.Book, r *rand.Rand) dsl.Setting {
	s := dsl.Setting{Options: map[string]string{}}
	for _, o := range book.Options() {
		if len(o.Values) > 0 && r.IntN(3) == 0 {
			s.Options[o.Name] = o.Values[r.IntN(len(o.Values))]
		}
	}
	if numbers := book.PlayerNumbers(s.Options); len(numbers) > 0 && r.IntN(2) == 0 {
		s.Players = numbers[r.IntN(len(numbers))]
	}
	return s
}
