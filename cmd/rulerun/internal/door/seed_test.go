package door

import (
	"strings"
	"testing"

	"github.com/rulerun/rulerun/interpreter/record"
)

// TestOtherSeed changes the seed of a record: its throws are not what that seed gives.
func TestOtherSeed(t *testing.T) {
	g := speak(t, "parchis4a", "", nil)
	s, err := Open(g, &record.Header{Rules: "parchis4a", Players: g.Players(), Seats: []string{"random", "random", "random", "random"}, Seed: 7}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 60 {
		if s.State(0).Waits == WaitsThrow {
			err = s.Throw()
		} else {
			err = s.Bot()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	played, err := s.Record(s.Header())
	if err != nil {
		t.Fatal(err)
	}
	for _, seed := range []string{"7", "8"} {
		rec, err := record.Read(strings.NewReader(strings.Replace(string(played), "seed 7", "seed "+seed, 1)), "game")
		if err != nil {
			t.Fatal(err)
		}
		if got := OtherSeed(g, rec); got != (seed != "7") {
			t.Errorf("seed %s: %v", seed, got)
		}
	}
}
