package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// How many games one command plays at most, and on how many threads.
const (
	mostGames   = 1_000_000_000
	mostThreads = 4096
)

// studyFlags say which games a study plays, how, and where the result goes.
type studyFlags struct {
	gameFlags
	resultFlags
	ruleset   string
	games     int
	seed      uint64
	threads   int
	maxThrows int
	seats     string // of verbs with bindSeats
	starter   string // of verbs with bindBeginning
	rotate    bool
	pace      string // of verbs with bindPace
}

func (o *studyFlags) bind(s *session, cmd *cobra.Command, games int) {
	f := cmd.Flags()
	f.IntVar(&o.games, "games", games, "")
	f.Uint64Var(&o.seed, "seed", 1, "")
	f.IntVar(&o.threads, "threads", 0, "")
	f.IntVar(&o.maxThrows, "max-throws", interpreter.DefaultMaxThrows, "")
	o.resultFlags.bind(cmd)
	o.gameFlags.bind(s, cmd)
}

func (o *studyFlags) bindSeats(cmd *cobra.Command) {
	stringFlag(cmd, &o.seats, "seats", "", "", completeBots)
}

func (o *studyFlags) bindBeginning(cmd *cobra.Command) {
	bindStarter(cmd, &o.starter, "first")
	cmd.Flags().BoolVar(&o.rotate, "rotate", false, "")
}

func (o *studyFlags) bindPace(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.pace, "pace", fmt.Sprintf("%d,%d", stats.DefaultThrow, stats.DefaultChoice), "")
}

func (o *studyFlags) paceOf() (p stats.Pace, err error) {
	p.Throw, p.Choice, err = pair("pace", o.pace, 3600)
	if err == nil && p.Throw+p.Choice <= 0 {
		err = usagef("flag --pace: got %q, want some seconds", o.pace)
	}
	return p, err
}

// pair reads a flag of two numbers from 0 to most.
func pair(flag, text string, most float64) (a, b float64, err error) {
	left, right, _ := strings.Cut(text, ",")
	a, err1 := strconv.ParseFloat(strings.TrimSpace(left), 64)
	b, err2 := strconv.ParseFloat(strings.TrimSpace(right), 64)
	if err1 != nil || err2 != nil || !(a >= 0 && b >= 0 && a <= most && b <= most) {
		return 0, 0, usagef("flag --%s: got %q, want two numbers from 0 to %g with a comma between", flag, text, most)
	}
	return a, b, nil
}

func bindStarter(cmd *cobra.Command, starter *string, usual string) {
	stringFlag(cmd, starter, "starter", usual, "", completeWords("first\tthe first seat", "thrown\tas the rules say"))
}

// numberIn is what is wrong with the number of a flag, nil if it is in its range.
func numberIn(flag string, got, least, most int) error {
	if least <= got && got <= most {
		return nil
	}
	return told("usage.number", "flag", flag, "got", got, "least", least, "most", most)
}

// someTime is the same for --time, where 0 is no limit.
func someTime(limit time.Duration) error {
	if limit >= 0 {
		return nil
	}
	return usagef("flag --time: got %v, want a time such as 30s", limit)
}

func (o *studyFlags) check() error {
	return cmp.Or(numberIn("games", o.games, 1, mostGames), numberIn("max-throws", o.maxThrows, 1, mostGames), numberIn("threads", o.threads, 0, mostThreads), o.resultFlags.check())
}

// seatPlayers gives the number of players from --seats, where nothing else says it.
func (o *studyFlags) seatPlayers() {
	if names, deal := o.seated(); o.seats != "" && o.players == 0 && !deal {
		o.players = len(names)
	}
}

// formFlags say in which form a result is printed.
type formFlags struct {
	format    string
	formats   []string
	json, csv bool // the format; --json and --csv are old spellings of --format
}

func (o *formFlags) bind(cmd *cobra.Command, formats ...string) {
	o.formats = formats
	f := cmd.Flags()
	stringFlag(cmd, &o.format, "format", formats[0], "", completeWords(formats...))
	for name, on := range map[string]*bool{"json": &o.json, "csv": &o.csv} {
		if slices.Contains(formats, name) {
			f.BoolVar(on, name, false, "--format "+name)
			f.Lookup(name).Hidden = true
		}
	}
}

func (o *formFlags) check() error {
	if !slices.Contains(o.formats, o.format) {
		return told("usage.flag", "flag", "format", "got", strconv.Quote(o.format), "want", choice(o.formats))
	}
	o.json, o.csv = o.json || o.format == "json", o.csv || o.format == "csv"
	if o.json && o.csv {
		return told("usage.one_format")
	}
	return nil
}
