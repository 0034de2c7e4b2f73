package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/explore"
)

// What a file is explored with where the command line does not say.
const (
	usualPlays = 2000
	usualTime  = 10 * time.Second
	maxTime    = 24 * time.Hour
)

// exploreOptions say whether and how rule books are played to find what reading does not show.
type exploreOptions struct {
	time    string // as given; "usual" where only the flag is
	plays   int
	seed    uint64
	witness string

	on    bool
	limit time.Duration // 0 is none
	made  string        // the folder of the witnesses, once there is one
}

func (o *exploreOptions) bind(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.time, "explore", "", "play each rule book too, for at most `SECONDS`")
	f.Lookup("explore").NoOptDefVal = "usual"
	f.IntVar(&o.plays, "explore-games", 0, "explore with `N` plays of each rule book")
	f.Uint64Var(&o.seed, "seed", 1, "")
	f.StringVar(&o.witness, "witness", "", "write the positions --explore finds to a `FOLDER`")
}

// How much of a rule book is played without --explore: a few short games, and more where something has not happened in them.
const (
	triedPlays     = 3
	assertedPlays  = 30 // where something must always hold
	assertedThrows = 600
	failingPlays   = 6 // where rules may fail, of the usual setting
	failingThrows  = 450
	morePlays      = 6000
	moreTime       = 60 * time.Second // by far more than it takes: a machine under load finds the same
	moreSilent     = 64               // where more has not happened, something else is wrong
)

// try plays a few short games of a rule book.
func try(ctx context.Context, book *dsl.Book, games *explore.Games) *explore.Report {
	o := explore.Options{Seed: 1, Plays: triedPlays, Threads: 1, Brief: true}
	if len(book.Scenarios()) > 0 {
		o.Plays = 1 // its tests show more
	}
	if book.Asserts() && len(book.Scenarios()) <= explore.FewTests {
		o.Plays, o.Throws = assertedPlays, assertedThrows
	}
	r, err := games.Explore(ctx, o)
	if err != nil {
		return &explore.Report{} // too large to play: what plays it says so
	}
	if len(r.Findings) == 0 && book.MayFail() && len(book.Scenarios()) <= explore.FewTests {
		if more, err := games.Explore(ctx, explore.Options{Seed: 1, Plays: failingPlays, Throws: failingThrows, Threads: 1, Brief: true, Usual: true}); err == nil {
			r.Findings = more.Findings
		}
	}
	return r
}

// proved joins what a few games show with what reading has found: a finding within the span of an error of the play becomes the error,
// and says how it comes about. It returns what only the games show.
func proved(read, played diag.List) diag.List {
	return slices.DeleteFunc(played, func(d diag.Diagnostic) bool {
		i := slices.IndexFunc(read, func(r diag.Diagnostic) bool {
			return r.Span.File == d.Span.File && d.Span.Start <= r.Span.Start && r.Span.End <= d.Span.End
		})
		if i < 0 || d.Code == "never-fired" {
			return false
		}
		r := &read[i]
		if r.Code != d.Code {
			r.Notes = append(append(r.Notes, diag.Note{Message: d.Message}), d.Notes...)
		}
		r.Severity = min(r.Severity, d.Severity)
		return true
	})
}

// tryOn plays more of a rule book, unless it has many tests or no rules of its own, if in a few games and in its tests something of its last
// file did not happen that no finding explains, or no game came to its end.
func tryOn(ctx context.Context, book *dsl.Book, games *explore.Games, tried *explore.Report, found diag.List) diag.List {
	found = slices.DeleteFunc(slices.Clone(found), func(d diag.Diagnostic) bool { return d.Code == "unlimited-turn" }) // which may never come about
	more := tried.Endless || slices.ContainsFunc(tried.Silent, func(at source.Span) bool { return !found.Overlaps(at) })
	if book.TestsOnly() || len(book.Scenarios()) > explore.FewTests || len(tried.Silent) > moreSilent || !more {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, moreTime)
	defer stop()
	r, err := games.Explore(ctx, explore.Options{Seed: 1, Plays: morePlays, Enough: true})
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(r.List(), func(d diag.Diagnostic) bool { return found.Overlaps(d.Span) })
}

// compareOn plays a rule book beside itself without what no finding explains.
func compareOn(ctx context.Context, games *explore.Games, seed uint64, found diag.List, noticed bool) diag.List {
	ctx, stop := context.WithTimeout(ctx, moreTime)
	defer stop()
	return games.NoDifference(ctx, seed, found.Overlaps, noticed)
}

var seconds = pattern.Of(`^[0-9]+(\.[0-9]+)?(s|m|h)?$`)

// settle reads the flags. "--explore 5" is understood like "--explore=5": args without that number are returned.
func (o *exploreOptions) settle(cmd *cobra.Command, args []string) ([]string, error) {
	flags := cmd.Flags()
	o.on = flags.Changed("explore") || flags.Changed("explore-games")
	for _, name := range []string{"seed", "witness"} {
		if flags.Changed(name) && !o.on {
			return nil, usagef("flag --%s goes with --explore", name)
		}
	}
	if o.time == "usual" {
		if i := slices.IndexFunc(args, seconds().MatchString); i >= 0 {
			if _, err := os.Stat(args[i]); err != nil {
				o.time = args[i]
				args = slices.Delete(slices.Clone(args), i, i+1)
			}
		}
	}
	if flags.Changed("explore-games") && (o.plays < 1 || o.plays > explore.MaxPlays) {
		return nil, usagef("flag --explore-games: got %d, want 1 to %d", o.plays, explore.MaxPlays)
	}
	switch {
	case o.time == "usual" && o.plays == 0:
		o.limit, o.plays = usualTime, usualPlays
	case o.time == "usual": // the number of plays is the limit
	case o.time != "":
		text := o.time
		if _, err := strconv.ParseFloat(text, 64); err == nil {
			text += "s"
		}
		d, err := time.ParseDuration(text)
		if err != nil || d <= 0 || d > maxTime {
			return nil, usagef("flag --explore: got %q, want how many seconds, at most %d", o.time, int(maxTime.Seconds()))
		}
		o.limit = d
	}
	return args, nil
}

// explore plays a checked rule book and returns what it finds; how much was played goes to the error stream.
func (s *session) explore(ctx context.Context, o *exploreOptions, games *explore.Games, arg string) (diag.List, error) {
	ctx, stop := within(ctx, o.limit)
	defer stop()
	r, err := games.Explore(ctx, explore.Options{Seed: o.seed, Plays: o.plays})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", arg, err)
	}
	fmt.Fprintf(s.err, "%s: explored with %s, %s, in %s, seed %d", arg, diag.Plural(r.Plays, "play"), diag.Plural(r.Throws, "throw"), diag.Plural(r.Settings, "setting"), o.seed)
	if o.limit > 0 && ctx.Err() != nil {
		of := ""
		if o.plays > 0 {
			of = fmt.Sprintf(" of %d", o.plays)
		}
		fmt.Fprintf(s.err, "; the time was over after %d%s, --explore-games %d plays the same again", r.Plays, of, r.Plays)
	}
	fmt.Fprintln(s.err)
	var out diag.List
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Witness != nil {
			path, err := keepWitness(o, f, arg)
			if err != nil {
				return nil, err
			}
			f.Notes = append(f.Notes, diag.Note{Message: "see it with: rulerun play --position " + shellWord(path)})
		}
		out = append(out, f.Diagnostic)
	}
	return out, nil
}

// keepWitness writes the position of a finding into the folder for them, and returns its path.
func keepWitness(o *exploreOptions, f *explore.Finding, arg string) (string, error) {
	if o.made == "" {
		if o.made = o.witness; o.made == "" {
			dir, err := os.MkdirTemp("", "rulerun-")
			if err != nil {
				return "", fmt.Errorf("the positions cannot be kept: %w; name a folder with --witness", err)
			}
			o.made = dir
		} else if err := os.MkdirAll(o.made, 0o755); err != nil {
			return "", writeError(o.made, err)
		}
	}
	f.Witness.Ruleset = arg
	if isPath(arg) {
		f.Witness.Ruleset = fromFolder(o.made, arg, o.witness != "")
	}
	at := f.Span.Position()
	name := strings.TrimSuffix(filepath.Base(arg), ".rules")
	if file := strings.TrimSuffix(filepath.Base(f.Span.Name()), ".rules"); file != name {
		name += "-" + file
	}
	path := filepath.Join(o.made, fmt.Sprintf("%s-%s-%d-%d.json", name, f.Code, at.Line, at.Column))
	return path, writeFile(path, func(w io.Writer) error { return object.Indented(w, f.Witness) })
}

// fromFolder is how files of a folder name a rule file: from there where both may move together, else by its whole path.
func fromFolder(folder, file string, together bool) string {
	file = fullPath(file)
	if folder, err := filepath.Abs(folder); err == nil && together {
		if path, err := filepath.Rel(folder, file); err == nil {
			return filepath.ToSlash(path)
		}
	}
	return filepath.ToSlash(file)
}
