package cli

import (
	"context"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/interpreter"
)

type simOptions struct {
	gameFlags
	ruleset string
	games   int
	seed    uint64
	threads int
	starter string
	json    bool
}

func (s *session) simVerb() *cobra.Command {
	o := &simOptions{}
	cmd := &cobra.Command{
		Use:   "sim RULESET",
		Short: "Play many games by chance and count what happens",
		Long: `sim plays games in which every choice is made by chance, each option as likely as the
others, and counts throws, decisions, moves, acts and rules. Means are per game, with
their standard errors. Game number k depends on the seed and k alone: any number of
threads gives the same result. The first seat begins every game unless --starter says
otherwise.`,
		Example: s.examples("sim RULESET", "sim RULESET --games 100000 --with house.rules", "sim RULESET --json --seed 7 --threads 4"),
		Args:    arguments(1, 1, "a RULESET"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.ruleset = args[0]
			if o.games < 1 || o.games > 1e9 {
				return usagef("flag --games: got %d, want 1 to 1000000000", o.games)
			}
			return s.sim(cmd.Context(), o)
		},
		ValidArgsFunction: s.completeRuleset,
	}
	f := cmd.Flags()
	f.IntVar(&o.games, "games", 10000, "how many games: `N`")
	f.Uint64Var(&o.seed, "seed", 1, "the number `N` all chance comes from")
	f.IntVar(&o.threads, "threads", 0, "how many games are played at the same time: `N` (default one a processor)")
	f.StringVar(&o.starter, "starter", "first", "`who` begins: first (the first seat), thrown (as the rules say) or a colour")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	o.bind(s, cmd)
	s.completeFlag(cmd, "starter", completeWords("first\tthe first seat", "thrown\tas the rules say"))
	return cmd
}

func (s *session) sim(ctx context.Context, o *simOptions) error {
	l, err := s.load(o.ruleset, &o.gameFlags)
	if err != nil {
		return err
	}
	g, err := s.game(l, &o.gameFlags)
	if err != nil {
		return err
	}
	first, err := starter(g, o.starter)
	if err != nil {
		return err
	}
	so := interpreter.SimOptions{Games: o.games, Seed: o.seed, Threads: o.threads, First: first}
	progress := terminal(s.err) != nil && !o.json
	if progress {
		so.Progress = func(done int) {
			fmt.Fprintf(s.err, "\r%d of %d games", done, o.games)
		}
	}
	stats, err := interpreter.Simulate(ctx, g, so)
	if progress {
		fmt.Fprint(s.err, "\r\x1b[K")
	}
	if err != nil {
		return err
	}
	if o.json {
		err = s.jsonLine(simJSON(g, stats))
	} else {
		err = s.simText(g, l, stats)
	}
	if err == nil && stats.Games < o.games {
		return fmt.Errorf("stopped after %s", plural(stats.Games, "game"))
	}
	return err
}

// starter is the seat a --starter flag names.
func starter(g *interpreter.Game, name string) (int, error) {
	switch name {
	case "first":
		return 0, nil
	case "thrown":
		return interpreter.ByTheRules, nil
	}
	known := []string{"first", "thrown"}
	for seat := range g.Players() {
		if g.SeatName(seat) == name {
			return seat, nil
		}
		known = append(known, g.SeatName(seat))
	}
	return 0, usagef("flag --starter: nobody is called %q", name).nearest(name, known)
}

// simMean is a mean as it is printed.
type simMean struct {
	Mean float64 `json:"mean"`
	SE   float64 `json:"se"`
	SD   float64 `json:"sd"`
}

func simMeans(list []interpreter.Mean) fields {
	out := fields{}
	for _, m := range list {
		if m.Mean != 0 {
			out = append(out, field{m.Name, simMean{m.Mean, m.SE, m.SD}})
		}
	}
	return out
}

func simJSON(g *interpreter.Game, st *interpreter.Statistics) fields {
	wins := fields{}
	for seat, n := range st.Wins {
		wins = append(wins, field{g.SeatName(seat), n})
	}
	seconds := max(st.Seconds, 1e-9)
	return fields{
		{"games", st.Games}, {"seconds", st.Seconds},
		{"games_per_s", float64(st.Games) / seconds}, {"throws_per_s", float64(st.TotalThrow) / seconds},
		{"throws", simMean{st.Throws.Mean, st.Throws.SE, st.Throws.SD}},
		{"decisions", simMean{st.Decisions.Mean, st.Decisions.SE, st.Decisions.SD}},
		{"moves", simMeans(st.Moves)}, {"acts", simMeans(st.Acts)}, {"rules", simMeans(st.Rules)},
		{"wins", wins}, {"unfinished", st.Unfinished},
	}
}

// simText prints a summary for people.
func (s *session) simText(g *interpreter.Game, l *loaded, st *interpreter.Statistics) error {
	fmt.Fprintf(s.out, "%s: %s by chance in %.1f s (%s games, %s throws a second)\n\n", l.book.Title(), plural(st.Games, "game"), st.Seconds,
		thousands(float64(st.Games)/max(st.Seconds, 1e-9)), thousands(float64(st.TotalThrow)/max(st.Seconds, 1e-9)))
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, m interpreter.Mean) {
		fmt.Fprintf(w, "  %s\t%s\t± %s\t\n", pad(name, 28), number(m.Mean), number(m.SE))
	}
	fmt.Fprintln(w, "per game")
	row("throws", st.Throws)
	row("decisions", st.Decisions)
	for _, part := range []struct {
		title string
		list  []interpreter.Mean
	}{{"moves", st.Moves}, {"acts", st.Acts}, {"rules that took effect", st.Rules}} {
		if len(part.list) > 0 {
			fmt.Fprintf(w, "%s\n", part.title)
		}
		for _, m := range part.list {
			row(m.Name, m)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "wins")
	for seat, n := range st.Wins {
		share := 0.0
		if st.Games > 0 {
			share = float64(n) / float64(st.Games)
		}
		se := math.Sqrt(share * (1 - share) / float64(max(st.Games, 1)))
		fmt.Fprintf(s.out, "  %s  %5.1f %%  ± %.1f\n", pad(g.SeatName(seat), 28), 100*share, 100*se)
	}
	if st.Unfinished > 0 {
		fmt.Fprintf(s.out, "%s went on and on and was given up\n", plural(st.Unfinished, "game"))
	}
	return nil
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-len([]rune(s))))
}

// number writes a mean with as many decimals as it needs.
func number(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.1f", v)
	case v >= 1 || v == 0:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.4f", v)
}

// thousands writes a large number with spaces between its thousands.
func thousands(v float64) string {
	text := fmt.Sprintf("%.0f", v)
	var parts []string
	for len(text) > 3 {
		parts = append([]string{text[len(text)-3:]}, parts...)
		text = text[:len(text)-3]
	}
	return strings.Join(append([]string{text}, parts...), " ")
}
