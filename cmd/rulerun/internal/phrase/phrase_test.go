package phrase

import (
	"math"
	"strings"
	"testing"

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
		"games are 2.10 throws shorter, too little to matter, 95% interval 1.90 to 2.30 (counted up to 900)": {
			Name: stats.MeasureThrows, Limit: 900, Value: -2.1, Interval: stats.Interval{Low: -2.3, High: -1.9}, Verdict: stats.Same,
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
		"games take as many throws, 95% interval -1.0 to 1.0 (to the end of the ranking; counted up to 900)": {
			Name: stats.MeasureThrows, Group: stats.GroupGame, Words: "to the end of the ranking", Limit: 900,
			Interval: stats.Interval{Low: -1, High: 1}, Verdict: stats.Same,
		},
		"games are 31 throws longer, 95% interval 25 to 37 (to the end of the ranking)": {
			Name: stats.MeasureThrows, Group: stats.GroupGame, Value: 31, Limit: 900, Words: "to the end of the ranking", Beyond: [2]int{0, 1},
			Interval: stats.Interval{Low: 25, High: 37}, Verdict: stats.More,
		},
		"behind: as many, 95% interval -0.10 to 0.10 (counted -40 to 7)": {
			Name: "behind", Group: stats.GroupCounts, Least: -40, Limit: 7, Interval: stats.Interval{Low: -0.1, High: 0.1}, Verdict: stats.Same,
		},
		"games over 900 throws are too rare to say whether there are more or fewer, 95% interval -0.10 to 0.20 points": {
			Name: stats.MeasureLong, Group: stats.GroupGame, Share: true, Limit: 900, Interval: stats.Interval{Low: -0.001, High: 0.002}, Verdict: stats.Unsure,
		},
	} {
		if got := Sentence(&d); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	d := stats.Difference{Group: stats.GroupWins, Name: "red", Share: true, Value: 0.02, Interval: stats.Interval{Low: 0.001, High: 0.039}, Verdict: stats.More}
	if got := In("es").Sentence(&d); got != "red gana más a menudo, en 2,0 puntos, intervalo del 95 %: de 0,1 a 3,9" {
		t.Error(got)
	}
	measures := map[string][]string{
		stats.GroupGame: {stats.MeasureThrows, stats.MeasureFirstWinner, stats.MeasureHalf, stats.MeasureNineTenth, stats.MeasureLong, stats.MeasureMinutes, stats.MeasureFirstMinutes, stats.MeasureTurns,
			stats.MeasureDecisions, stats.MeasureForced, stats.MeasureLeadChanges, stats.MeasureSettled, stats.MeasureEdge, stats.MeasureUnfinished},
		stats.GroupReview: {"throws", "decisions", "matter"},
	}
	for group, names := range measures { // every measure of a game has its words
		for _, name := range names {
			for _, which := range []string{"more", "less"} {
				if text := In("").saying(&stats.Difference{Group: group, Name: name}, which, "#"); strings.Count(text, "#") != 1 {
					t.Errorf("%s: %s", name, text)
				}
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
	if got := Digits(math.Inf(1))(3); got != "3" {
		t.Error(got)
	}
}

// TestFold breaks lines at spaces.
func TestFold(t *testing.T) {
	got := Fold("    one two three four", 12, "      ")
	if want := "    one two\n      three\n      four"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
