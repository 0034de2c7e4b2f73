package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// mostGames is how many games one command plays at most.
const mostGames = 1_000_000_000

// studyFlags say how the games of a study are played.
type studyFlags struct {
	games     int
	seed      uint64
	threads   int
	maxThrows int
}

func (o *studyFlags) bind(cmd *cobra.Command, games int) {
	f := cmd.Flags()
	f.IntVar(&o.games, "games", games, usage("games"))
	f.Uint64Var(&o.seed, "seed", 1, usage("seed"))
	f.IntVar(&o.threads, "threads", 0, usage("threads"))
	f.IntVar(&o.maxThrows, "max-throws", interpreter.DefaultMaxThrows, usage("max-throws"))
}

func (o *studyFlags) check() error {
	switch {
	case o.games < 1 || o.games > mostGames:
		return usagef("flag --games: got %d, want 1 to %d", o.games, mostGames)
	case o.maxThrows < 1 || o.maxThrows > mostGames:
		return usagef("flag --max-throws: got %d, want 1 to %d", o.maxThrows, mostGames)
	case o.threads < 0 || o.threads > 4096:
		return usagef("flag --threads: got %d, want 0 to 4096", o.threads)
	}
	return nil
}

// formFlags say in which form a study is printed.
type formFlags struct {
	format    string
	formats   []string
	json, csv bool // the format; --json and --csv are old spellings of --format
}

func (o *formFlags) bind(s *session, cmd *cobra.Command, formats ...string) {
	o.formats = formats
	f := cmd.Flags()
	f.StringVar(&o.format, "format", formats[0], usage("format"))
	s.completeFlag(cmd, "format", completeWords(formats...))
	for name, on := range map[string]*bool{"json": &o.json, "csv": &o.csv} {
		if slices.Contains(formats, name) {
			f.BoolVar(on, name, false, "--format "+name)
			f.Lookup(name).Hidden = true
		}
	}
}

func (o *formFlags) check() error {
	if !slices.Contains(o.formats, o.format) {
		return usagef("flag --format: got %q, want %s", o.format, either(o.formats))
	}
	o.json, o.csv = o.json || o.format == "json", o.csv || o.format == "csv"
	if o.json && o.csv {
		return usagef("one format is printed, JSON or CSV")
	}
	return nil
}

// simFlags say who plays the games of sim, and which of them.
type simFlags struct {
	gameFlags
	studyFlags
	formFlags
	pictureFlags
	ruleset string
	starter string
	rotate  bool
	seats   string
	shard   string
	out     string
	merge   bool
}

// studyFormats are the formats studies are printed in.
var studyFormats = []string{"text", "json", "csv"}

func (s *session) simVerb() *cobra.Command {
	o := &simFlags{}
	cmd := &cobra.Command{
		Use:   "sim RULESET | sim --merge PART…",
		Short: "Play many games and count what happens",
		Long: `sim plays games and says how long they are, who wins, how much there is to
decide, and how often moves, acts and rules occur. Choices are made by chance
unless --seats names bots. Game k depends on the seed and k alone, so machines
can share the work: --shard 2/5 plays the second fifth, --merge joins the parts.
The formats are text, json and csv. "rulerun help studies" says more.`,
		Example:           s.examples("sim RULESET --games 100000 --with house.rules", "sim RULESET --seats greedy,random --rotate", "sim RULESET --games 1000000 --shard 1/3 --out part1.json", "sim --merge part*.json"),
		ValidArgsFunction: s.completeRuleset,
	}
	o.studyFlags.bind(cmd, 10_000)
	f := cmd.Flags()
	bindBeginning(s, cmd, &o.starter, &o.rotate)
	bindSeats(s, cmd, &o.seats)
	f.StringVar(&o.shard, "shard", "", "play part `I/N` of the games only, as 1/3, 2/3 and 3/3")
	f.StringVarP(&o.out, "out", "o", "", "write what was counted to a `FILE`, for --merge")
	f.BoolVar(&o.merge, "merge", false, "join the files that --shard and --out have written")
	o.formFlags.bind(s, cmd, studyFormats...)
	o.pictureFlags.bind(s, cmd)
	o.gameFlags.bind(s, cmd)
	cmd.RunE = runMode(
		mode{low: 1, high: 1, what: "a RULESET",
			flags: []string{"games", "seed", "threads", "max-throws", "starter", "rotate", "seats", "shard", "set", "players", "with"},
			run: func(args []string) error {
				o.ruleset, o.again = args[0], again(cmd, args)
				return s.sim(cmd.Context(), o)
			}},
		mode{flag: "merge", low: 1, high: -1, what: "the files of the PARTs",
			run: func(args []string) error {
				o.again = again(cmd, args)
				return s.merge(args, o)
			}},
	)
	return cmd
}

// bindBeginning adds the flags that say who begins the games of a study.
func bindBeginning(s *session, cmd *cobra.Command, starter *string, rotate *bool) {
	bindStarter(s, cmd, starter, "first")
	cmd.Flags().BoolVar(rotate, "rotate", false, usage("rotate"))
}

// bindStarter adds --starter.
func bindStarter(s *session, cmd *cobra.Command, starter *string, usual string) {
	cmd.Flags().StringVar(starter, "starter", usual, usage("starter"))
	s.completeFlag(cmd, "starter", completeWords("first\tthe first seat", "thrown\tas the rules say"))
}

// bindSeats adds --seats, for bots.
func bindSeats(s *session, cmd *cobra.Command, seats *string) {
	cmd.Flags().StringVar(seats, "seats", "", usage("seats"))
	s.completeFlag(cmd, "seats", completeBots)
}

func (s *session) sim(ctx context.Context, o *simFlags) error {
	if err := o.studyFlags.check(); err != nil {
		return err
	}
	if err := errors.Join(o.formFlags.check(), o.pictureFlags.check()); err != nil {
		return err
	}
	so := stats.Options{To: o.games, Of: o.games, Seed: o.seed, Threads: o.threads, Rotate: o.rotate, MaxThrows: o.maxThrows}
	if o.shard != "" {
		i, n, err := shard(o.shard, o.games)
		if err != nil {
			return err
		}
		if o.out == "" {
			return &usageError{"flag --shard: nothing says where the part goes", "give a file with --out"}
		}
		if o.wanted() {
			return &usageError{"flag --shard: a part is not drawn", "draw the whole with --merge"}
		}
		so.From, so.To = o.games*(i-1)/n, o.games*i/n
	}
	if o.seats != "" && o.players == 0 {
		o.players = len(bot.Split(o.seats))
	}
	_, g, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return err
	}
	if so.First, err = starter(g, o.starter); err != nil {
		return err
	}
	if o.rotate && so.First < 0 {
		return usagef("flags --rotate and --starter thrown: one of them says who begins")
	}
	if so.Seats, so.Players, err = players(g, o.seats); err != nil {
		return err
	}
	begun := s.now()
	p := s.progress("games", so.To-so.From, 0)
	so.Progress = p.at
	t, err := stats.Run(ctx, g, so)
	p.end()
	if err != nil {
		return err
	}
	seconds := max(s.now().Sub(begun).Seconds(), 1e-6)
	if o.out != "" {
		if err := s.writeTally(o.out, t); err != nil {
			return err
		}
	}
	if o.shard == "" {
		if err := s.printStudy(study.Sim(t, study.Timing{Seconds: seconds}, o.again), &o.formFlags, &o.pictureFlags); err != nil {
			return err
		}
	}
	if !o.json && !o.csv {
		fmt.Fprintf(s.err, "%s in %.1f s: %s games, %s throws a second\n", gameCount(t.Games()), seconds,
			study.Thousands(float64(t.Games())/seconds), study.Thousands(float64(t.Throws.Sum().Total())/seconds))
	}
	if t.Games() < so.To-so.From {
		return fmt.Errorf("stopped after %s", gameCount(t.Games()))
	}
	return nil
}

// writeTally writes a tally to a file.
func (s *session) writeTally(path string, t *stats.Tally) error {
	data, err := t.Write()
	if err != nil {
		return err
	}
	return writeFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// shard reads the --shard flag: the i-th of n parts, counted from 1.
func shard(text string, games int) (i, n int, err error) {
	left, right, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(left)
	n, err2 := strconv.Atoi(right)
	switch {
	case !ok || err1 != nil || err2 != nil || n < 1 || i < 1 || i > n:
		return 0, 0, usagef("flag --shard: got %q, want I/N with I from 1 to N", text)
	case n > games:
		return 0, 0, usagef("flag --shard: there are %s for %d parts", gameCount(games), n)
	case n > maxParts:
		return 0, 0, usagef("flag --shard: got %d parts, want %d at most", n, maxParts)
	}
	return i, n, nil
}

// maxParts is how many parts a run has at most.
const maxParts = 1_000_000

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
	return 0, usagef("flag --starter: no player is called %q", name).nearest(name, known)
}

// players reads who plays, and gives what makes the players of a thread; nil where chance plays all seats.
func players(g *interpreter.Game, text string) ([]string, func() []interpreter.Chooser, error) {
	if text == "" {
		return nil, nil, nil
	}
	names := bot.Split(text)
	byChance := true
	for i, who := range names {
		if who == "bot" {
			who = bot.Names()[0]
		}
		if err := fits(g, who); err != nil {
			return nil, nil, botFault("seats", err)
		}
		names[i], byChance = who, byChance && who == stats.Chance
	}
	if len(names) != g.Players() {
		return nil, nil, usagef("flag --seats: got %s, but %d play", plural(len(names), "seat"), g.Players())
	}
	if byChance {
		return names, nil, nil
	}
	return names, func() []interpreter.Chooser {
		out := make([]interpreter.Chooser, len(names))
		for i, who := range names {
			if b, err := bot.New(who); err == nil && who != stats.Chance {
				out[i] = b
			}
		}
		return out
	}, nil
}
