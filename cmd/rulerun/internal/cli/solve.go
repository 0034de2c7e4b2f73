package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/study"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/solve"
	"github.com/rulerun/rulerun/interpreter/stats"
)

type solveOptions struct {
	gameFlags
	ruleset   string
	position  string
	starter   string
	play      string
	seats     string
	maxStates int
	tolerance float64
	policy    string
	wins      bool
	keep      string
	time      time.Duration
	formFlags
}

// maxSolved is how many positions can be numbered.
const maxSolved = 1_000_000_000

// solvePlays are the ways to decide, by their names.
var solvePlays = []string{"best", "random"}

func (s *session) solveVerb() *cobra.Command {
	o := &solveOptions{}
	cmd := verb("solve", s.completeRuleset, mode{high: 1, what: "a RULESET", run: func(cmd *cobra.Command, args []string) error {
		if o.position == "" { // otherwise its file names the rule book
			if err := arguments(cmd, args, 1, 1, "a RULESET"); err != nil {
				return err
			}
		}
		o.ruleset = strings.Join(args, "")
		switch {
		case o.maxStates < 1 || o.maxStates > maxSolved:
			return usagef("flag --max-states: got %d, want 1 to %d", o.maxStates, maxSolved)
		case !(o.tolerance > 0 && o.tolerance <= 0.01):
			return usagef("flag --tolerance: got %g, want a number above 0, at most 0.01", o.tolerance)
		case !slices.Contains(solvePlays, o.play):
			return usagef("flag --play: got %q, want %s", o.play, either(solvePlays))
		case o.time < 0:
			return someTime(o.time)
		case o.seats != "" && cmd.Flags().Changed("play"):
			return usagef("--seats and --play do not go together: --seats says how each decides")
		case o.position != "" && cmd.Flags().Changed("starter"):
			return usagef("--position and --starter do not go together: the position says whose turn it is")
		}
		return s.solve(cmd.Context(), o)
	}})
	f := cmd.Flags()
	stringFlag(cmd, &o.play, "play", "best", "how all seats decide: "+either(solvePlays), completeWords(solvePlays...))
	f.StringVar(&o.seats, "seats", "", "")
	bindStarter(cmd, &o.starter, "first")
	stringFlag(cmd, &o.position, "position", "", "", completeExt("json"))
	f.IntVar(&o.maxStates, "max-states", solve.DefaultMaxStates, "give up when there are more positions than `N`")
	f.Float64Var(&o.tolerance, "tolerance", solve.DefaultTolerance, "how far off values may be, a `number`; of lengths in proportion")
	f.DurationVar(&o.time, "time", 0, "")
	f.StringVar(&o.policy, "policy", "", "write the best choices to `FILE`")
	f.StringVar(&o.keep, "keep", "", "keep what is worked out in `DIR`, and go on with what is there")
	f.BoolVar(&o.wins, "wins", false, "only how likely each is to win: faster, and in less memory")
	o.formFlags.bind(cmd, "text", "json")
	o.gameFlags.bind(s, cmd)
	return cmd
}

func (s *session) solve(ctx context.Context, o *solveOptions) error {
	if err := o.formFlags.check(); err != nil {
		return err
	}
	p, err := s.solvePosition(o)
	if err != nil {
		return err
	}
	so := solve.Options{MaxStates: o.maxStates, Tolerance: o.tolerance, Wins: o.wins, Bot: func(name string) (interpreter.Chooser, error) { return bot.New(name) }}
	words, err := o.plays(p.Game())
	if err != nil {
		return err
	}
	so.Play, so.Bots = make([]solve.Play, len(words)), make([]string, len(words))
	for seat, w := range words {
		if n := slices.Index(solvePlays, w); n >= 0 {
			so.Play[seat] = solve.Play(n)
		} else {
			so.Bots[seat] = w
		}
	}
	if o.keep != "" {
		if err := os.MkdirAll(o.keep, 0o777); err != nil {
			return fmt.Errorf("--keep: %w", err)
		}
		so.Store = folderStore(o.keep)
	}
	show, end := func(solve.Progress) {}, func() {}
	if terminal(s.err) != nil && !o.json {
		show, end = s.solveProgress()
	}
	var last solve.Progress
	so.Progress = func(p solve.Progress) {
		last = p
		show(p)
	}
	limited, stop := within(ctx, o.time)
	defer stop()
	defer debug.SetGCPercent(debug.SetGCPercent(25)) // nearly all memory is large blocks without pointers: collecting often costs little
	r, err := solve.Solve(limited, p, so)
	end()
	if err != nil {
		return solveError(err, o.keep != "", last)
	}
	if r.Stopped {
		o.policy = ""
	}
	if o.policy != "" {
		if err := writePolicy(ctx, o.policy, p, r); err != nil {
			return err
		}
	}
	if o.json {
		err = object.Line(s.out, solveJSON(p.Game(), words, r))
	} else {
		err = s.solveText(p.Game(), words, r)
	}
	if err == nil && r.Stopped {
		return errors.New("stopped before the values were as exact as asked" + goOn(o.keep != ""))
	}
	if err == nil && r.Endless > 0 {
		return fmt.Errorf("the game need not end: from %s no end can be reached, and it comes there with a chance of %.3g; \"rulerun check --explore\" shows how",
			diag.Plural(r.Hopeless, "position"), r.Endless)
	}
	return err
}

// solvePosition is the position the flags name, in the form that counts.
func (s *session) solvePosition(o *solveOptions) (*interpreter.Position, error) {
	var setup *interpreter.Setup
	var g *interpreter.Game
	var err error
	if o.position != "" {
		if setup, err = onePosition(o.position); err != nil {
			return nil, err
		}
		if setup.Ruleset == "" && o.ruleset == "" {
			return nil, usagef("%s does not name its RULESET: name it on the command line", o.position)
		}
		g, err = s.finderFor(o.position, o.ruleset, o.gameFlags).game(setup)
	} else {
		_, g, err = s.loadGame(o.ruleset, &o.gameFlags)
	}
	if err != nil {
		return nil, err
	}
	counted, err := g.Counted()
	if err != nil {
		return nil, err
	}
	if setup != nil {
		p, err := counted.Setup(setup)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.position, err)
		}
		return p, nil
	}
	first, err := starter(g, o.starter)
	if err != nil {
		return nil, err
	}
	return counted.Start(first), nil
}

// plays reads how the seats decide.
func (o *solveOptions) plays(g *interpreter.Game) ([]string, error) {
	words := slices.Repeat([]string{o.play}, g.Players())
	if o.seats != "" {
		if words = bot.Split(o.seats); len(words) != g.Players() {
			return nil, usagef("flag --seats: got %d, want one for each of %s", len(words), diag.Plural(g.Players(), "player"))
		}
	}
	for i, w := range words {
		if slices.Contains(solvePlays, w) {
			continue
		}
		if name, _, _ := strings.Cut(w, ":"); bot.Describe(name) == "" {
			return nil, usagef("flag --seats: got %q, want best, random or a bot", w).nearest(name, append([]string{"best"}, bot.Names()...))
		}
		var err error
		if words[i], err = botOf(g, "seats", w, bot.Default); err != nil {
			return nil, err
		}
	}
	return words, nil
}

// solveProgress shows how far the work is, a few times a second.
func (s *session) solveProgress() (show func(solve.Progress), end func()) {
	last, expected := s.now(), 0.0
	var begun time.Time // of settling
	return func(p solve.Progress) {
			expected = max(expected, p.Expected)
			now := s.now()
			if p.Settled > 0 && begun.IsZero() {
				begun = now
			}
			if now.Sub(last).Milliseconds() < 200 {
				return
			}
			last = now
			text := phrase.Thousands(float64(p.States)) + " positions found, " + phrase.Thousands(float64(p.Looked)) + " looked at"
			if float64(p.States) < expected {
				text += ", about " + phrase.Thousands(math.Round(expected)) + " expected"
			}
			if p.Settled > 0 {
				text = phrase.Thousands(float64(p.Settled)) + " of " + phrase.Thousands(float64(p.States)) + " positions worked out"
				if spent := now.Sub(begun); p.Bounding {
					text += ", bounding their errors, sweep " + strconv.Itoa(p.Sweeps+1)
				} else if spent > 2*time.Second {
					text += ", about " + (time.Duration(float64(spent) * float64(p.States-p.Settled) / float64(p.Settled))).Round(time.Second).String() + " left"
				}
			}
			fmt.Fprintf(s.err, "\r\x1b[K%s", text)
		}, func() {
			fmt.Fprint(s.err, "\r\x1b[K")
		}
}

// goOn says how stopped work goes on.
func goOn(kept bool) string {
	if kept {
		return "; the same command goes on with what is kept"
	}
	return "; with --keep DIR the work could go on another time"
}

// solveError says what went wrong and what helps.
func solveError(err error, kept bool, last solve.Progress) error {
	var limit *solve.LimitError
	var size *solve.SizeError
	var unsettled *solve.UnsettledError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("stopped before anything was known of the first position: %s of %s positions found are worked out%s",
			phrase.Thousands(float64(last.Settled)), phrase.Thousands(float64(last.States)), goOn(kept))
	case errors.As(err, &size):
		round := math.Pow(10, math.Floor(math.Log10(size.States))-2)
		about := phrase.Thousands(math.Round(size.States/round) * round)
		if size.States > 1e15 {
			about = fmt.Sprintf("10^%.0f", math.Log10(size.States))
		}
		return fmt.Errorf("the game has about %s positions at throws, and %s are allowed; fewer pieces, a shorter track or fewer players make fewer, --max-states allows more",
			about, phrase.Thousands(float64(size.Most)))
	case errors.As(err, &limit):
		return fmt.Errorf("%w; fewer pieces, a shorter track or fewer players make fewer (see \"rulerun solve --help\"), --max-states allows more", err)
	case errors.As(err, &unsettled), errors.Is(err, solve.ErrSecret):
		return fmt.Errorf("%w; --play random can be worked out all the same", err)
	case errors.Is(err, solve.ErrStored), errors.Is(err, solve.ErrNoKeys):
		return fmt.Errorf("--keep: %w", err)
	}
	return err
}

// maxStored is the largest file of a folderStore, in bytes.
const maxStored = math.MaxInt / 2

// folderStore keeps what solve has worked out as files of a folder.
type folderStore string

func (d folderStore) Load(name string) ([]byte, error) {
	return files.Read(filepath.Join(string(d), name), maxStored)
}

func (d folderStore) Save(name string, write func(io.Writer) error) error {
	keeping.RLock()
	defer keeping.RUnlock()
	return writeFile(filepath.Join(string(d), name), write)
}

func (s *session) solveText(g *interpreter.Game, plays []string, r *solve.Result) error {
	var b strings.Builder
	who := seq.Distinct(plays)
	known := "worked out"
	if r.Stopped {
		known = "worked out so far"
	}
	fmt.Fprintf(&b, "%s: %s, %s play\n\nwins\n", g.Rules().Title, known, strings.Join(who, " and "))
	win, length := upTo(r.Error, r.Residual, 1, r.Stopped), upTo(r.LengthError, r.LengthResidual, math.Inf(1), r.Stopped)
	for seat, w := range r.Wins {
		how := ""
		if len(who) > 1 {
			how = "  " + plays[seat]
		}
		fmt.Fprintf(&b, "  %s  %s%s\n", padded(g.SeatName(seat)), win(w), how)
	}
	if r.Drawn > 0 {
		fmt.Fprintf(&b, "  %s  %s\n", padded("no side"), win(r.Drawn))
	}
	if r.Endless > 0 {
		fmt.Fprintf(&b, "  %s  %s\n", padded("never ends"), win(r.Endless))
	}
	if !math.IsNaN(r.Throws) {
		fmt.Fprintf(&b, "on average\n  %s  %s\n  %s  %s\n", padded("throws"), length(r.Throws), padded("turns"), length(r.Turns))
	}
	fmt.Fprintf(&b, "\n%s positions at throws in %s, %s after them, %s ways on; %s, the largest of %s\n", phrase.Thousands(float64(r.States)), diag.Plural(r.Layers, "layer"),
		diag.Plural(r.Choices, "choice"), phrase.Thousands(float64(r.Transitions)), diag.Plural(r.Components, "component"), phrase.Thousands(float64(r.Largest)))
	fmt.Fprintf(&b, "%s; residual %.1e of wins, %.1e of lengths\n", diag.Plural(r.Sweeps, "sweep"), r.Residual, r.LengthResidual)
	switch {
	case math.IsInf(r.Error, 1):
		b.WriteString("players could keep the game from ending, so no bound on the error is known\n")
	case math.IsInf(r.LengthError, 1), math.IsNaN(r.Throws):
		fmt.Fprintf(&b, "wins are right to within %.1e\n", r.Error)
	default:
		fmt.Fprintf(&b, "wins are right to within %.1e, lengths to within %.1e\n", r.Error, r.LengthError)
	}
	if r.Sides > 2 && slices.Contains(plays, "best") && r.Choices > 0 {
		fmt.Fprintf(&b, "with %d sides best play is one equilibrium; there may be others\n", r.Sides)
	}
	if g.Rules().Worth != nil {
		b.WriteString("wins are counted, not what they count, and best play makes them as likely as it can\n")
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}

// upTo writes numbers from 0 to most with the digits that a bound on their error leaves, ten at most; without a bound
// the residual counts. Of stopped work it writes the bounds.
func upTo(bound, residual, most float64, stopped bool) func(v float64) string {
	known := !math.IsInf(bound, 1) && !math.IsNaN(bound)
	if !known {
		bound = residual
	}
	digits := 10
	if bound > 0 {
		digits = max(0, min(digits, -int(math.Floor(math.Log10(bound)))))
	}
	text := func(v float64) string {
		if math.IsInf(v, 1) {
			return "without end"
		}
		return strconv.FormatFloat(v, 'f', digits, 64)
	}
	if !stopped {
		return text
	}
	digits++
	unit := math.Pow(10, -float64(digits))
	return func(v float64) string {
		if !known {
			return text(0) + " to " + text(most)
		}
		return text(max(0, math.Floor((v-bound)/unit)*unit)) + " to " + text(min(most, math.Ceil((v+bound)/unit)*unit))
	}
}

// padded is a name with blanks up to a column.
func padded(name string) string { return name + strings.Repeat(" ", max(0, 12-len([]rune(name)))) }

// finite is a number as JSON has it, nil for an infinite one or none.
func finite(v float64) any {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return v
}

// solveJSON is a result as programs read it: rulerun schema solve describes it.
func solveJSON(g *interpreter.Game, plays []string, r *solve.Result) object.Fields {
	wins := object.Fields(seq.Of(len(r.Wins), func(seat int) object.Field { return object.Field{g.SeatName(seat), r.Wins[seat]} }))
	seats := object.Fields(seq.Of(len(r.Wins), func(seat int) object.Field { return object.Field{g.SeatName(seat), plays[seat]} }))
	x := stats.SubjectOf(g, stats.Options{})
	return object.Fields{
		{"version", 1}, {"tool", "rulerun"}, {"kind", "solve"}, {"ruleset", x.Ruleset}, {"title", x.Title}, {"changes", x.Changes},
		{"options", study.OptionFields(x.Options)}, {"players", x.Players}, {"rules_print", x.Rules},
		{"play", seats}, {"wins", wins}, {"drawn", r.Drawn}, {"endless", r.Endless},
		{"throws", finite(r.Throws)}, {"turns", finite(r.Turns)},
		{"states", r.States}, {"choices", r.Choices}, {"hopeless", r.Hopeless}, {"transitions", r.Transitions},
		{"components", r.Components}, {"largest", r.Largest}, {"sweeps", r.Sweeps},
		{"residual", r.Residual}, {"length_residual", r.LengthResidual}, {"error", finite(r.Error)}, {"length_error", finite(r.LengthError)},
		{"avoidable", r.Avoidable}, {"stopped", r.Stopped},
	}
}

// writePolicy writes the best choices to a file, which is there only when it is whole.
func writePolicy(ctx context.Context, path string, p *interpreter.Position, r *solve.Result) error {
	err := writeFile(path, func(w io.Writer) error {
		return r.Decisions(ctx, p, func(d *solve.Decision) error { return object.Line(w, policyLine(d)) })
	})
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errors.New("stopped before the best choices were written")
	}
	return fmt.Errorf("--policy: %w", err)
}

// policyLine is one decision: the position, the dice, and the best choice.
func policyLine(d *solve.Decision) object.Fields {
	p, dice := d.Position, object.Fields{}
	g := p.Game()
	for i, n := range p.Numbers() {
		dice = append(dice, object.Field{g.Dice()[i].Name, n})
	}
	out := object.Fields{{"position", p.Setup()}, {"dice", dice}}.Some("waiting", p.Waiting())
	out = append(out, object.Field{"player", g.SeatName(p.Player())})
	switch list := p.Options(); {
	case p.Kind() == interpreter.Throw:
		out = append(out, object.Field{"number", p.Outcomes(nil, 0)[d.Option].Value})
	case list[d.Option].Move == interpreter.None:
		out = append(out, object.Field{"pick", list[d.Option].Value}, object.Field{"of", len(list)})
	default:
		chosen := &list[d.Option]
		out = append(out, object.Field{"move", append(describe(g, chosen), object.Field{"steps", chosen.Steps})}, object.Field{"of", len(list)})
	}
	return append(out, object.Field{"win", d.Win}, object.Field{"throws", finite(d.Throws)}, object.Field{"worst", d.Worst})
}
