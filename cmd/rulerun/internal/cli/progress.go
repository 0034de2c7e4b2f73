package cli

import (
	"fmt"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
)

// progress tells a terminal how far something is. The zero value tells nothing.
type progress struct {
	s     *session
	what  string
	of    int
	begun time.Time
	last  time.Time
}

// progress begins to tell the error stream, if it is a terminal, how many of some things are done. quiet tells nothing.
func (s *session) progress(what string, of int, quiet bool) *progress {
	if quiet || terminal(s.err) == nil {
		return &progress{}
	}
	now := s.now()
	return &progress{s: s, what: what, of: of, begun: now, last: now}
}

// progressEvery is how long a line of progress stands.
const progressEvery = 200 * time.Millisecond

// at says how many are done. One call at a time.
func (p *progress) at(done int) {
	if p.s == nil {
		return
	}
	now := p.s.now()
	if now.Sub(p.last) < progressEvery {
		return
	}
	p.last = now
	rate := float64(done) / now.Sub(p.begun).Seconds()
	fmt.Fprintf(p.s.err, "\r\x1b[K%s of %s %s, %s a second, %s left", study.Thousands(float64(done)), study.Thousands(float64(p.of)), p.what,
		study.Thousands(rate), left(float64(p.of-done)/rate))
}

// left is how long something still takes, in words.
func left(seconds float64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%s h", study.Thousands(seconds/3600))
}

// end takes the line away.
func (p *progress) end() {
	if p.s != nil {
		fmt.Fprint(p.s.err, "\r\x1b[K")
	}
}
