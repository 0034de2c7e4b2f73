package study

import (
	"bytes"
	"io"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// TestSentences says differences of every kind.
func TestSentences(t *testing.T) {
	for want, d := range map[string]stats.Difference{
		"games are 31.2 throws longer, 95% interval 29.1 to 33.3": {
			Name: stats.MeasureThrows, Value: 31.2, Interval: stats.Interval{Low: 29.1, High: 33.3}, Verdict: stats.More,
		},
		"games are 31 throws shorter, 95% interval 25 to 37": {
			Name: stats.MeasureThrows, Value: -31.2, Interval: stats.Interval{Low: -37, High: -25}, Verdict: stats.Less,
		},
		"the first seat's edge does not change, 95% interval -1.2 to 0.8 points": {
			Name: stats.MeasureEdge, Share: true, Value: -0.002, Interval: stats.Interval{Low: -0.012, High: 0.008}, Verdict: stats.Same,
		},
		"red wins more often, by 2.0 points, 95% interval 0.1 to 3.9": {
			Group: stats.GroupWins, Name: "red", Share: true, Value: 0.02, Interval: stats.Interval{Low: 0.001, High: 0.039}, Verdict: stats.More,
		},
		"hop may be done more or less often, 95% interval 0.0 to 1.0": {
			Group: stats.GroupActs, Name: "hop", Value: 0.5, Interval: stats.Interval{Low: -0.001, High: 1}, Verdict: stats.Unsure,
		},
		"meals (100 #s, 50%): 0.0120 less in a game, 95% interval 0.0100 to 0.0140": {
			Group: stats.GroupCounts, Name: "meals", Words: "100 #s, 50%", Value: -0.012, Interval: stats.Interval{Low: -0.014, High: -0.010}, Verdict: stats.Less,
		},
	} {
		if got := Sentence(&d); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for name, s := range sayings { // every measure of a game has its words
		for _, text := range []string{s.more, s.less} {
			if strings.Count(text, "#") != 1 {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// TestNumbers writes numbers for people.
func TestNumbers(t *testing.T) {
	for v, want := range map[float64]string{0: "0.00", 0.12345: "0.1235", 0.99996: "1.00", 1.2345: "1.23", 99.96: "100.0", 12345.67: "12345.7", -3.14159: "-3.14"} {
		if got := Number(v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 999: "999", 1000: "1 000", 1234567: "1 234 567"} {
		if got := Thousands(v); got != want {
			t.Errorf("%v: got %s, want %s", v, got, want)
		}
	}
	if got := digits(math.Inf(1))(3); got != "3" {
		t.Error(got)
	}
	for n, want := range map[int]string{0: "", 1: "▏", 7: "▉", 8: "█", 12: "█▌"} {
		if got := bar(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

// FuzzPart reads a part of a run that may be anything, and writes it down in every form: nothing panics, and what is read is
// written as it was.
func FuzzPart(f *testing.F) {
	const name = "../../../../examples/games/snakes.rules"
	text, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	book, faults := dsl.Load(source.New("snakes.rules", string(text)), dsl.Library{Beside: os.DirFS("../../../../examples/games")})
	if book == nil {
		f.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		f.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		f.Fatal(err)
	}
	for _, games := range []int{0, 1, 20} {
		t, err := stats.Run(f.Context(), g, stats.Options{To: games})
		if err != nil {
			f.Fatal(err)
		}
		data, err := t.Write()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tally, err := stats.Read(data)
		if err != nil {
			return
		}
		if all, err := stats.Join(tally); err == nil {
			tally = all
		}
		for _, write := range []func(io.Writer, *stats.Tally) error{
			TallyText, TallyCSV,
			func(w io.Writer, t *stats.Tally) error { return TallyJSON(w, t, Timing{}) },
		} {
			var b bytes.Buffer
			if err := write(&b, tally); err != nil || b.Len() == 0 {
				t.Errorf("%v", err)
			}
		}
		once, err := tally.Write()
		if err != nil {
			t.Fatal(err)
		}
		again, err := stats.Read(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		if twice, err := again.Write(); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s is written again as %s", once, twice)
		}
	})
}
