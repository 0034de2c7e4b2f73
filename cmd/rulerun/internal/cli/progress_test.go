package cli

import (
	"testing"
	"time"
)

// TestProgressLine says how far something is, at different times.
func TestProgressLine(t *testing.T) {
	begun := time.Unix(1000, 0)
	for want, x := range map[string]struct {
		done  int
		after time.Duration
		limit time.Duration
	}{
		"0 of 5 000 games, begun 3 s ago":              {0, 3 * time.Second, 0},
		"0 of 5 000 games, 57 s left":                  {0, 3 * time.Second, time.Minute},
		"0 of 5 000 games, 0 s left":                   {0, 63 * time.Second, time.Minute},
		"1 000 of 5 000 games, 500 a second, 8 s left": {1000, 2 * time.Second, time.Minute},
		"1 000 of 5 000 games, 33 a second, 30 s left": {1000, 30 * time.Second, time.Minute},
		"2 of 5 000 games, 0.067 a second, 21 h left":  {2, 30 * time.Second, 0},
		"12 of 5 000 games, 12 a second, 7 min left":   {12, time.Second, 0},
	} {
		p := &progress{what: "games", of: 5000, begun: begun}
		p.at(x.done)
		if x.limit > 0 {
			p.until = begun.Add(x.limit)
		}
		if got := p.line(begun.Add(x.after)); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
