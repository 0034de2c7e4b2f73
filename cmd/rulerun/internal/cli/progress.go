package cli

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
)

// progress shows on a terminal how far some work is. The zero value shows nothing. It is safe for several goroutines.
type progress struct {
	s     *session
	what  string
	of    int
	begun time.Time
	until time.Time // when it is stopped at the latest; zero where it is not

	done    atomic.Int64
	stop    chan struct{}
	stopped sync.WaitGroup
}

// progressEvery is the time between two lines of progress.
const progressEvery = 200 * time.Millisecond

// progress starts to show on the error stream, if it is a terminal, how many of some things are done. With a limit the time
// left is no longer than that; of 0 means that nothing else limits it. The caller ends it.
func (s *session) progress(what string, of int, limit time.Duration) *progress {
	if terminal(s.err) == nil {
		return &progress{}
	}
	p := &progress{s: s, what: what, of: of, begun: s.now(), stop: make(chan struct{})}
	if limit > 0 {
		p.until = p.begun.Add(limit)
	}
	p.stopped.Go(func() {
		every := time.NewTicker(progressEvery)
		defer every.Stop()
		for {
			select {
			case <-p.stop:
				return
			case <-every.C:
				fmt.Fprint(s.err, "\r\x1b[K"+p.line(s.now()))
			}
		}
	})
	return p
}

func (p *progress) at(done int) { p.done.Store(int64(done)) }

func (p *progress) line(now time.Time) string {
	done, seconds := int(p.done.Load()), now.Sub(p.begun).Seconds()
	text := phrase.Thousands(float64(done)) + " " + p.what
	if p.of > 0 { // otherwise only the time is limited
		text = fmt.Sprintf("%s of %s %s", phrase.Thousands(float64(done)), phrase.Thousands(float64(p.of)), p.what)
	}
	remaining := -1.0
	if done > 0 && seconds > 0 {
		rate := float64(done) / seconds
		number := phrase.Thousands(rate)
		if rate < 10 {
			number = fmt.Sprintf("%.2g", rate)
		}
		text += ", " + number + " a second"
		if p.of > 0 {
			remaining = float64(p.of-done) / rate
		}
	}
	if end := p.until.Sub(now).Seconds(); !p.until.IsZero() && (remaining < 0 || end < remaining) {
		remaining = max(0, end)
	}
	if remaining < 0 {
		return text + ", begun " + left(seconds) + " ago"
	}
	return text + ", " + left(remaining) + " left"
}

// left is how long something still takes, in words.
func left(seconds float64) string {
	switch {
	case seconds < 120:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 2*3600:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%s h", phrase.Thousands(seconds/3600))
}

// end takes the line away.
func (p *progress) end() {
	if p.s == nil {
		return
	}
	close(p.stop)
	p.stopped.Wait()
	fmt.Fprint(p.s.err, "\r\x1b[K")
}
