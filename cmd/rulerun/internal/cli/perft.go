package cli

import (
	"cmp"
	"context"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
)

type perftOptions struct {
	gameFlags
	file    string
	depth   int
	verify  bool
	ruleset string
	threads int
}

func (s *session) perftVerb() *cobra.Command {
	o := &perftOptions{}
	cmd := verb("perft", completeExt("json"), mode{low: 1, high: 1, what: "a FILE of positions", run: func(cmd *cobra.Command, args []string) error {
		o.file = args[0]
		switch {
		case o.depth < 0 || o.depth > 100:
			return usagef("flag --depth: got %d, want 1 to 100", o.depth)
		case o.verify || o.depth > 0:
			return s.perft(cmd.Context(), o)
		}
		return usagef("perft needs --depth N, or --verify for a table that holds the counts")
	}})
	f := cmd.Flags()
	f.IntVar(&o.depth, "depth", 0, "how many throws deep: `N`; with --verify at most that deep")
	f.BoolVar(&o.verify, "verify", false, "compare with the counts in the file")
	stringFlag(cmd, &o.ruleset, "ruleset", "", "", s.completeRuleset)
	f.IntVar(&o.threads, "threads", 0, "")
	o.bind(s, cmd)
	return cmd
}

func (s *session) perft(ctx context.Context, o *perftOptions) error {
	entries, err := readPositions(o.file)
	if err != nil {
		return err
	}
	t := s.finderFor(o.file, o.ruleset, o.gameFlags)
	positions := make([]*interpreter.Position, len(entries))
	depths := make([]int, len(entries))
	for i, e := range entries {
		if positions[i], err = t.position(e.setup); err != nil {
			if len(entries) > 1 {
				err = fmt.Errorf("position %d: %w", i, err)
			}
			return fmt.Errorf("%s: %w", o.file, err)
		}
		depths[i] = o.depth
		if o.verify {
			if len(e.perft) == 0 {
				return fmt.Errorf("%s: position %d has no counts under \"perft\"", o.file, i)
			}
			depths[i] = min(cmp.Or(o.depth, len(e.perft)), len(e.perft))
		}
	}
	differences := 0
	show := func(i int, counts []uint64) {
		if !o.verify {
			object.Line(s.out, object.Fields{{"index", i}, {"perft", counts}})
			return
		}
		for n, got := range counts {
			if want := entries[i].perft[n]; got != want {
				differences++
				fmt.Fprintf(s.out, "position %d: perft %d is %d, want %d\n", i, n+1, got, want)
			}
		}
	}
	if o.threads <= 0 {
		o.threads = runtime.NumCPU()
	}
	if err := countAll(ctx, positions, depths, o.threads, show); err != nil {
		return fmt.Errorf("%s: %w", o.file, err)
	}
	if !o.verify {
		return nil
	}
	fmt.Fprintf(s.out, "%s: %s, %s\n", o.file, diag.Plural(len(entries), "position"), diag.Plural(differences, "difference"))
	return failIf(differences > 0)
}

func countAll(ctx context.Context, positions []*interpreter.Position, depths []int, threads int, show func(int, []uint64)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type answer struct {
		counts []uint64
		err    error
	}
	answers := seq.Of(len(positions), func(int) chan answer { return make(chan answer, 1) })
	go seq.Each(threads, len(positions), func(i int) {
		if ctx.Err() == nil {
			counts, err := interpreter.Perft(positions[i], depths[i])
			answers[i] <- answer{counts, err}
		}
	})
	for i := range positions {
		select {
		case a := <-answers[i]:
			if a.err != nil {
				return fmt.Errorf("position %d: %w", i, a.err)
			}
			show(i, a.counts)
		case <-ctx.Done():
			return fmt.Errorf("stopped at position %d", i)
		}
	}
	return nil
}
