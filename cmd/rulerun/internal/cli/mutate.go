package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/pflag"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/coverage"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/mutation"
)

// mutateFlags ask which small changes to the rules no test notices.
type mutateFlags struct {
	on       bool
	limit    string
	seed     uint64
	json     string
	minScore int

	most int           // of limit: how many changes, 0 is all
	time time.Duration // of limit: for how long, 0 is for ever
}

func (m *mutateFlags) bind(f *pflag.FlagSet) {
	f.BoolVar(&m.on, "mutate", false, "list small changes to the rules that no test notices")
	f.StringVar(&m.limit, "mutate-limit", "2m", "stop after `N` changes, or a time such as 30s")
	f.Uint64Var(&m.seed, "seed", 0, "")
	f.StringVar(&m.json, "mutate-json", "", "write the result of every change to `FILE` as JSON")
	f.IntVar(&m.minScore, "min-score", 0, "fail where less than `PERCENT` of them are noticed")
}

func (m *mutateFlags) wanted() bool { return m.on || m.json != "" || m.minScore != 0 }

// check reads the flags; some says that not all tests are to be run.
func (m *mutateFlags) check(some bool) error {
	if m.minScore < 0 || m.minScore > 100 {
		return usagef("flag --min-score: got %d, want a percentage from 0 to 100", m.minScore)
	}
	if m.wanted() && some {
		return usagef("flag --mutate goes with all tests, not with --run or --clause")
	}
	if n, err := strconv.Atoi(m.limit); err == nil && n > 0 {
		m.most = n
		return nil
	}
	d, err := time.ParseDuration(m.limit)
	if err != nil || d <= 0 {
		return usagef("flag --mutate-limit: got %q, want a number of changes or a time such as 30s or 5m", m.limit)
	}
	m.time = d
	return nil
}

// mutate tries changes to the rules of books whose tests pass. Those that no test notices are written, and added to the
// run.
func (s *session) mutate(ctx context.Context, o *testOptions, books []loaded, run *report.Run, to io.Writer) error {
	m := &o.mutate
	ctx, stop := within(ctx, m.time)
	defer stop()
	out := &coverage.Mutations{Version: version(), Seed: m.seed}
	for _, group := range byFile(books) {
		mo := mutation.Options{Parallel: o.parallel, Limit: m.most, Seed: m.seed}
		if terminal(s.err) != nil {
			mo.Progress = func(tried, all, unnoticed int) {
				fmt.Fprintf(s.err, "\r%d of %d changes tried, %d not noticed", tried, all, unnoticed)
			}
		}
		r, err := mutation.Run(ctx, group, mo)
		if mo.Progress != nil {
			fmt.Fprint(s.err, "\r\x1b[K")
		}
		if err != nil {
			return err
		}
		out.Reports = append(out.Reports, r)
	}
	if err := out.WriteText(to); err != nil {
		return err
	}
	if m.json != "" {
		if err := writeFile(m.json, out.WriteJSON); err != nil {
			return err
		}
	}
	run.Unnoticed = out.Unnoticed()
	if score := out.Score(); score < m.minScore {
		fmt.Fprintf(s.err, "the score is %d %%, less than the %d %% asked for\n", score, m.minScore)
		run.Short = true
	}
	return nil
}

// byFile groups books whose tests are for the same file.
func byFile(books []loaded) [][]*dsl.Book {
	all := seq.Map(books, func(l loaded) *dsl.Book { return l.book })
	name := func(b *dsl.Book) string { return b.File().Name() }
	groups := seq.Group(all, name)
	return seq.Map(seq.Distinct(seq.Map(all, name)), func(name string) []*dsl.Book { return groups[name] })
}
