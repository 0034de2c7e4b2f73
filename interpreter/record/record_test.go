package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/rulesets"
)

// games are all shipped rule books, each for its usual number of players.
func games(t *testing.T) map[string]*interpreter.Game {
	t.Helper()
	lib := dsl.Library{Shipped: rulesets.FS}
	out := map[string]*interpreter.Game{}
	for _, name := range lib.RulesNames() {
		out[name] = game(t, name, dsl.Setting{})
	}
	return out
}

// game is a shipped rule book.
func game(t testing.TB, name string, s dsl.Setting) *interpreter.Game {
	t.Helper()
	g, err := interpreter.Compile(testbook.Shipped(t, name, s))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestReplay plays every shipped rule book by chance, reads the record and plays it again: every position is the same.
func TestReplay(t *testing.T) {
	for name, g := range games(t) {
		t.Run(name, func(t *testing.T) {
			var text bytes.Buffer
			head := &record.Header{Rules: name, Print: record.Fingerprint(g), Players: g.Players(), Seed: 7}
			w, err := record.NewWriter(&text, head)
			if err != nil {
				t.Fatal(err)
			}
			p := g.Start(interpreter.ByTheRules)
			var trace []*interpreter.Position
			random := interpreter.NewRandom(7, 0)
			for len(trace) < 600 && p.Kind() != interpreter.Over {
				before := p.Copy()
				trace = append(trace, before)
				e := step(t, p, &random)
				e.After = record.Changes(before, p)
				if err := w.Add(e); err != nil {
					t.Fatal(err)
				}
				if len(trace)%50 == 0 {
					if err := w.Note("half way"); err != nil {
						t.Fatal(err)
					}
				}
			}
			rec, err := record.Read(&text, "test")
			if err != nil {
				t.Fatal(err)
			}
			q, err := rec.Begin(g)
			if err != nil {
				t.Fatal(err)
			}
			again := rec.Replay(q)
			for i, e := range rec.Live() {
				if !q.Equal(trace[i]) {
					t.Fatalf("before event %d the positions differ", i)
				}
				if err := again.Next(e); err != nil {
					t.Fatal(err)
				}
			}
			if !q.Equal(p) {
				t.Fatal("the last positions differ")
			}
		})
	}
}

// step goes on by chance and returns the event.
func step(t testing.TB, p *interpreter.Position, r *interpreter.Random) record.Event {
	t.Helper()
	if p.Kind() == interpreter.Choice {
		words := record.Words(p)
		for i, w := range words {
			if slices.Contains(words[:i], w) {
				t.Fatalf("two options are called %q: %q", w, words)
			}
		}
		i := r.IntN(p.OptionCount())
		e := record.ChoiceEvent(p, i)
		if err := p.Choose(i); err != nil {
			t.Fatal(err)
		}
		return e
	}
	var numbers []int
	for i := range max(1, len(p.Dice())) {
		outcomes := p.Outcomes(nil, i)
		numbers = append(numbers, outcomes[r.IntN(len(outcomes))].Value)
	}
	e := record.ThrowEvent(p, numbers)
	if err := p.Throw(numbers...); err != nil {
		t.Fatal(err)
	}
	return e
}

// TestUndo takes events back that were taken back already.
func TestUndo(t *testing.T) {
	text := "rulerun record 1\nrules x\n\nred throws die 1\nred throws die 2\nundo 1\nred throws die 3\nundo 2\nred throws die 4\n"
	rec, err := record.Read(strings.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range rec.Live() {
		got = append(got, e.String())
	}
	if want := []string{"red throws die 4"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestVerbs reads events of colours that are called like the events without a colour.
func TestVerbs(t *testing.T) {
	events := "lot throws die 2\nundo plays 1 -> 2\nend picks yes\nlot undo\nundo 1\nend end lot\nundo 1\nend  throws red\nundo 1\nend throws\n"
	rec, err := record.Read(strings.NewReader("rulerun record 2\nrules colours\n\n"+events), "test")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []record.Kind{record.Throw, record.Play, record.Choice, record.Lot, record.Undo, record.End, record.Undo, record.End, record.Undo, record.End} {
		if e := rec.Events[i]; e.Kind != want || e.String() != strings.Split(events, "\n")[i] {
			t.Errorf("got kind %d of %q", e.Kind, e)
		}
	}
	if e := rec.Events[7]; e.Words != "throws red" {
		t.Errorf("got the result %q", e.Words)
	}
}

// TestHeader writes heads that are hard to read and reads them back.
func TestHeader(t *testing.T) {
	for _, path := range []string{"plain", "a folder/x.rules", " lead", "quo\"te", `"whole"`, "two\nlines", "ünï/ß.rules", `back\slash`} {
		var text bytes.Buffer
		h := &record.Header{Rules: path, With: []string{path, "other"}, Options: []model.OptionValue{{Name: "a", Value: path}}, Players: 3, Seats: []string{"human", "greedy", "random"}, Seed: 1<<64 - 1, First: "red"}
		if _, err := record.NewWriter(&text, h); err != nil {
			t.Fatal(err)
		}
		rec, err := record.Read(&text, "test")
		if err != nil {
			t.Errorf("%q: %v", path, err)
			continue
		}
		got := rec.Header
		if got.Rules != path || got.With[0] != path || got.Options[0].Value != path || got.Seed != h.Seed || got.Players != 3 || got.First != "red" || !slices.Equal(got.Seats, h.Seats) {
			t.Errorf("%q: got %+v", path, got)
		}
	}
}

// TestAfter: what an event brings about is compared with what it did, in both directions, and not in old records.
func TestAfter(t *testing.T) {
	g := games(t)["parchis"]
	for _, c := range []struct{ after, want string }{
		{"= yellow home -> 5\n", ""},
		{"= yellow home -> 5; red home -> 39\n", "in the record it brought about red home -> 39, by these rules it does not"},
		{"= yellow home -> 6\n", "in the record it brought about yellow home -> 6, by these rules yellow home -> 5"},
		{"", "by these rules it brings about yellow home -> 5, in the record it did not"},
	} {
		for _, version := range []string{"1", "2"} {
			after := c.after
			if version == "1" {
				after = ""
			}
			text := "rulerun record " + version + "\nrules parchis\nfirst yellow\n\nyellow throws die 5\n" + after + "blue throws die 1\n"
			rec, err := record.Read(strings.NewReader(text), "test")
			if err != nil {
				t.Fatal(err)
			}
			p, err := rec.Begin(g)
			if err != nil {
				t.Fatal(err)
			}
			var misfit *record.MisfitError
			again := rec.Replay(p)
			for _, e := range rec.Live() {
				if err := again.Next(e); err != nil {
					if !errors.As(err, &misfit) {
						t.Fatal(err)
					}
					break
				}
			}
			switch {
			case misfit == nil && c.want != "" && version != "1":
				t.Errorf("%q fits", c.after)
			case misfit != nil && (version == "1" || misfit.Reason.Error() != c.want):
				t.Errorf("%q in version %s: got %q, want %q", c.after, version, misfit.Reason, c.want)
			case misfit != nil && (len(misfit.Remarks()) == 0 || !misfit.Other || misfit.Event.Line != 5):
				t.Errorf("%q: %+v", c.after, misfit)
			}
		}
	}
	for _, text := range []string{"= x\n", "yellow throws die 5\nundo 1\n= x\n", "yellow throws die 5\n= x\n= y\n", "end yellow\n= x\n", "yellow throws die 5\n=  \n"} {
		if _, err := record.Read(strings.NewReader("rulerun record 2\nrules x\n\n"+text), "test"); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// TestRemarks: whatever differs, something of the rules is named that has to do with it.
func TestRemarks(t *testing.T) {
	const at = "position {\"turn\": \"yellow\", \"pieces\": {\"yellow\": %s, \"red\": [\"25\", \"25\", \"home\", \"home\"]}}\n"
	few := fmt.Sprintf(at, `["20", "10", "12", "home"]`)
	last := fmt.Sprintf(at, `["yellow-7", "goal", "goal", "goal"]`)
	for _, c := range []struct{ name, head, events, want string }{
		{"another die", few, "yellow throws dice 3\n", "die \"die\" is declared here"},
		{"no such face", few, "yellow throws die 7\n", "die \"die\" is declared here"},
		{"refused", few, "yellow throws die 6\nyellow plays 20 -> 26\n", "yellow 20 → 26: Nothing passes or joins a barrera"},
		{"no player was asked", few, "yellow throws die 5\nyellow plays 10 -> 15\n", "the count of 5 before it offered"},
		{"spoken of by none", few, "yellow throws die 3\nyellow plays 20 -> 21\n", "no rule is about this move now"},
		{"another's turn", few, "yellow throws die 3\nyellow plays 20 -> 23\nyellow throws die 1\n", "this took effect just before"},
		{"over already", last, "yellow throws die 1\nred throws die 1\n", "this took effect just before"},
		{"not over", few, "yellow throws die 3\nyellow plays 20 -> 23\nend yellow\n", "this ending does not hold"},
		{"something else follows", few, "yellow throws die 3\nyellow plays 20 -> 23\n= yellow 20 -> 24\nred throws die 1\n= \n", "this took effect: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "rulerun record 1\nrules parchis4a\nplayers 2\n" + c.head + "\n" + c.events
			if strings.Contains(c.events, "= ") {
				text = strings.Replace(strings.ReplaceAll(text, "= \n", ""), "record 1", "record 2", 1)
			}
			rec, err := record.Read(strings.NewReader(text), "test")
			if err != nil {
				t.Fatal(err)
			}
			p, err := rec.Begin(game(t, "parchis4a", dsl.Setting{Players: 2}))
			if err != nil {
				t.Fatal(err)
			}
			again := rec.Replay(p)
			var misfit *record.MisfitError
			for _, e := range rec.Live() {
				if err = again.Next(e); err != nil {
					break
				}
			}
			if !errors.As(err, &misfit) {
				t.Fatalf("got %v", err)
			}
			var got []string
			for _, r := range misfit.Remarks() {
				got = append(got, r.Message)
			}
			if len(got) == 0 || !strings.HasPrefix(got[0], c.want) {
				t.Errorf("%v: got\n%s", misfit, strings.Join(got, "\n"))
			}
		})
	}
}

// FuzzReplay plays whatever can be read again, by the rules of one game: what does not fit says so, with its remarks.
func FuzzReplay(f *testing.F) {
	g := game(f, "parchis4a", dsl.Setting{Players: 2})
	for seed := range uint64(4) {
		var text bytes.Buffer
		p := g.Start(interpreter.ByTheRules)
		w, err := record.NewWriter(&text, &record.Header{Rules: "parchis4a"})
		if err != nil {
			f.Fatal(err)
		}
		r := interpreter.NewRandom(seed, 0)
		for range 30 {
			before := p.Copy()
			e := step(f, p, &r)
			e.After = record.Changes(before, p)
			if err := w.Add(e); err != nil {
				f.Fatal(err)
			}
		}
		f.Add(text.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := record.Read(strings.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		p, err := rec.Begin(g)
		if err != nil {
			return
		}
		again := rec.Replay(p)
		for _, e := range rec.Live() {
			var misfit *record.MisfitError
			if err := again.Next(e); errors.As(err, &misfit) {
				if misfit.Reason == nil || misfit.Error() == "" {
					t.Fatal("a misfit without a reason")
				}
				misfit.Remarks()
				if !misfit.Other {
					return
				}
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzRead reads whatever comes: what is read is written the same, and faults are of our own kind.
func FuzzRead(f *testing.F) {
	f.Add("rulerun record 1\nrules x\nset a 1\nwith \"y z\"\nplayers 2\nseats human bot\nseed 3\nfirst red\nposition {\"turn\":\"red\"}\n\nred throws die 1 b -2\nred plays 1 -> 2\nred picks blue 3\nlot red\nundo 2\nend red\n# x\nhalf")
	f.Add("rulerun record 2\nrules x\n\nred throws die 1\n= red 1 -> 2; laps red 3\nundo 1\n")
	f.Add("rulerun record 3\n")
	f.Add("rulerun record 1\nrules x\n\nundo 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := record.Read(strings.NewReader(text), "fuzz")
		var fault *record.SyntaxError
		if err != nil {
			if !errors.As(err, &fault) || fault.Line < 1 {
				t.Fatalf("%v", err)
			}
			return
		}
		var out bytes.Buffer
		w, err := record.NewWriter(&out, &rec.Header)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range rec.Events {
			if err := w.Add(e); err != nil {
				t.Fatal(err)
			}
		}
		again, err := record.Read(&out, "again")
		if err != nil {
			t.Fatalf("%v in\n%s", err, out.String())
		}
		if len(again.Events) != len(rec.Events) || again.Header.Rules != rec.Header.Rules || again.Header.Seed != rec.Header.Seed {
			t.Fatalf("got %+v, want %+v", again, rec)
		}
		for i, e := range again.Events {
			if e.String() != rec.Events[i].String() || e.After != rec.Events[i].After {
				t.Fatalf("event %d: got %q, want %q", i, e, rec.Events[i])
			}
		}
	})
}

// TestFingerprint applies changes that only replace or take away something small.
func TestFingerprint(t *testing.T) {
	files := fstest.MapFS{
		"base.rules": {Data: []byte(`ruleset base "A race"

board   cross68
players 2
pieces  1 at home
dice    die = d2

var player ticks = 0

let worth = 1

turn { throw die; do tick() }

act tick() "a tick" { me.ticks += worth }

rule race "Who has six wins" { win player x when x.ticks >= 6 }
rule ease "Who has four wins" { win player x when x.ticks >= 4 }
`)},
	}
	var prints []string
	for _, change := range []string{"replace let worth = 1", "replace let worth = 2", "replace pieces 3 at home", "without race", "without ease"} {
		files["change.rules"] = &fstest.MapFile{Data: []byte("change change \"Only this\" for base\n\n" + change + "\n")}
		g, err := interpreter.Compile(testbook.Rules(t, "mine.rules", "ruleset mine extends base with change \"Mine\"\n", files, dsl.Setting{}))
		if err != nil {
			t.Fatal(err)
		}
		if print := record.Fingerprint(g); slices.Contains(prints, print) {
			t.Errorf("the fingerprint is not that of %s", change)
		} else {
			prints = append(prints, print)
		}
	}
}
