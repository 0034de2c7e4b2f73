package cli

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/fullscreen"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/table"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/watch"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
)

type playOptions struct {
	gameFlags
	ruleset   string
	seats     string
	seed      uint64
	seeded    bool
	starter   string
	position  string
	record    string
	resume    string
	test      string
	games     int
	autoThrow bool
	explain   bool
	plain     bool
	watch     bool
	fixed     []string // flags given that a resumed game has settled already
}

// maxGames is the longest series.
const maxGames = 10_000

func (s *session) playVerb() *cobra.Command {
	o := &playOptions{}
	cmd := &cobra.Command{
		Use:   "play RULESET",
		Short: "Play a game, people and bots in any mix",
		Long: `play plays a game. A terminal of 60×20 characters or more shows the board on the whole
screen: Enter throws, arrows and Enter or a number choose, F1 lists the keys. With --plain,
and where there is no such terminal, it plays by lines. Press Enter to throw, choose a move
by its number or by the places ("12 17"), type "help" for what else can be typed.

Who sits where is given by --seats, in turn order: human, bot for the usual bot, or one
of these. Without it a person has the first seat and bots the others; where the input is
no terminal, bots have all.
` + botNames() + `
--games plays several in a row. Who begins the next is what the rules say: some say the
loser or the winner of the game before. Each game has its own seed, one more than the one
before, and its own record: with --record ours.game.txt they are ours.1.game.txt, and so on.

A game that is broken off is kept, and play --resume goes on with it: in the file of
--record, else in one that play names at the end. Of a series that is this game alone.
rulerun test plays records whose names end in .game.txt again, as tests of the rules.`,
		Example: s.examples("play RULESET", "play RULESET --seats human,human", "play RULESET --seats bot,bot,bot,bot --seed 7",
			"play RULESET --with house.rules --players 2 --record ours.game.txt", "play --resume ours.game.txt", "play RULESET --games 3"),
		Args: arguments(0, 1, "a RULESET"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				o.ruleset = args[0]
			}
			if o.games < 1 || o.games > maxGames {
				return usagef("flag --games: got %d, want 1 to %d", o.games, maxGames)
			}
			if o.watch && (o.plain || o.resume != "" || !s.wholeScreen()) {
				return usagef("--watch is for a game on the whole terminal that is not gone on with")
			}
			if o.games > 1 && o.resume != "" {
				return usagef("--games and --resume do not go together: a record is of one game")
			}
			if o.test != "" && (o.position != "" || o.players != 0 || len(o.set) > 0) {
				return usagef("--test goes without --position, --players and --set: the test says all of it")
			}
			if o.games > 1 && o.test != "" {
				return usagef("--games and --test do not go together: the test says whose turn it is")
			}
			if o.games > 1 && o.position != "" {
				return usagef("--games and --position do not go together: the position says whose turn it is")
			}
			o.seeded = cmd.Flags().Changed("seed")
			for _, name := range []string{"set", "players", "with", "seed", "starter", "position", "record"} {
				if cmd.Flags().Changed(name) {
					o.fixed = append(o.fixed, name)
				}
			}
			return s.play(cmd.Context(), o)
		},
		ValidArgsFunction: s.completeRuleset,
	}
	f := cmd.Flags()
	f.StringVar(&o.seats, "seats", "", "who plays, in turn order: `human,bot,…`")
	o.bind(s, cmd)
	f.Uint64Var(&o.seed, "seed", 0, "the number `N` all chance comes from (default by chance)")
	f.StringVar(&o.starter, "starter", "thrown", "`who` begins: thrown (as the rules say), first (the first seat) or a colour; of a series, the first game")
	f.StringVar(&o.position, "position", "", "begin with the position in a `file`")
	f.StringVar(&o.test, "test", "", "begin with the position of the rule book's test of that `name`")
	f.StringVar(&o.record, "record", "", "keep the record in a new `file`, say ours.game.txt")
	f.IntVar(&o.games, "games", 1, "play `N` games in a row")
	f.StringVar(&o.resume, "resume", "", "go on with the game recorded in a `file`, or with the last one that was kept: last")
	f.BoolVar(&o.autoThrow, "auto-throw", false, "throw for people too")
	f.BoolVar(&o.explain, "explain", false, "tell the rules that took effect")
	f.BoolVar(&o.plain, "plain", false, "play by lines, on a terminal too")
	f.BoolVar(&o.watch, "watch", false, "go on by the new rules whenever a rule file changes")
	s.completeFlag(cmd, "seats", completeSeats)
	s.completeFlag(cmd, "starter", completeWords("first\tthe first seat", "thrown\tas the rules say"))
	s.completeFlag(cmd, "position", completeExt("json"))
	return cmd
}

// completeSeats completes the last word of a list of players.
func completeSeats(_ *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
	before := word[:strings.LastIndex(word, ",")+1]
	out := []string{before + "human\ta person"}
	for _, w := range bot.Names() {
		out = append(out, before+w+"\t"+bot.Describe(w))
	}
	return out, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func (s *session) play(ctx context.Context, o *playOptions) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var lines <-chan string
	if o.plain || !s.wholeScreen() {
		lines = readLines(ctx, s.in)
	}
	t, log, err := s.prepare(o)
	run := &series{games: o.games}
	var outcome table.Outcome
	var fault error
	for {
		if err != nil {
			return s.misfit(err)
		}
		g := t.Session.Game()
		if run.wins == nil {
			run.wins = make([]int, g.Players())
		}
		t.Before = run.before(t)
		if !o.plain && s.wholeScreen() {
			outcome, fault = s.playOnScreen(ctx, t, log, o)
		} else {
			t.Lines, t.Echo = lines, terminal(s.in) == nil
			t.Screen = &table.Screen{Out: s.out, Color: s.color(s.out), Size: func() (int, int) { return size(s.out) }}
			t.AutoThrow, t.Explain, t.Save, t.CanResume = o.autoThrow, o.explain, save, s.canResume
			outcome, fault = t.Play(ctx)
		}
		kept := log.close(outcome)
		if fault != nil {
			return errors.Join(s.misfit(fault), kept)
		}
		if kept != nil {
			return kept
		}
		if outcome.End != table.Over && log.path != "" && (outcome.Moved || !log.own) {
			if log.own {
				fmt.Fprintf(s.out, "The game is kept as %s. Go on with: rulerun play --resume last\n", log.path)
			} else {
				fmt.Fprintf(s.out, "The game is kept. Go on with: rulerun play --resume %s\n", shellWord(log.path))
			}
		}
		more := run.add(outcome)
		if run.games > 1 && !more && run.played > 0 {
			fmt.Fprintln(s.out, run.standing(g))
		}
		switch {
		case outcome.End == table.Resume:
			o = &playOptions{resume: outcome.Resume, seats: "", autoThrow: o.autoThrow, explain: o.explain}
			run = &series{games: 1}
			t, log, err = s.prepare(o)
		case more:
			t, log, err = s.nextGame(t, outcome.Result, run.record(o.record))
		default:
			return nil
		}
	}
}

// wholeScreen reports whether a game is shown on the whole terminal: one that people look at and type on, and large enough.
func (s *session) wholeScreen() bool {
	columns, rows := size(s.out)
	return terminal(s.in) != nil && s.getenv("TERM") != "dumb" && columns >= fullscreen.MinColumns && rows >= fullscreen.MinRows
}

// changes brings the game of the flags anew whenever one of its files changes, until the context ends.
func (s *session) changes(ctx context.Context, o *playOptions) <-chan fullscreen.Change {
	out := make(chan fullscreen.Change)
	begin := watch.Set{Extensions: []string{".rules", ".yaml"}}
	for _, arg := range append([]string{o.ruleset}, o.with...) {
		if isPath(arg) {
			begin.Files = append(begin.Files, arg)
		}
	}
	go func() {
		defer close(out)
		first := true
		_ = watch.Loop(ctx, begin, func() (watch.Set, bool) { // without it the game goes on by the rules it has
			flags := o.gameFlags
			flags.trail = &trail{}
			_, g, err := s.loadGame(o.ruleset, &flags)
			if !first {
				select {
				case out <- fullscreen.Change{Game: g, Err: err}:
				case <-ctx.Done():
				}
			}
			first = false
			next := begin
			next.Files = append(slices.Clip(begin.Files), flags.trail.files()...)
			return next, false
		})
	}()
	return out
}

// screen is the terminal that games are shown on.
func (s *session) screen() fullscreen.Terminal {
	return fullscreen.Terminal{In: s.in, Out: s.out, Env: os.Environ(), Color: s.color(s.out)}
}

// playOnScreen plays a game on the whole terminal.
func (s *session) playOnScreen(ctx context.Context, t *table.Table, log *log, o *playOptions) (table.Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	game := &fullscreen.Game{Session: t.Session, Before: t.Before, AutoThrow: o.autoThrow, Explain: o.explain, Save: save, Kept: log.path}
	if o.watch {
		game.Changed = s.changes(ctx, o)
	}
	moved, err := fullscreen.Play(ctx, s.screen(), game)
	outcome := table.Outcome{End: table.Quit, Moved: moved}
	if p := game.Session.Position(); p.Kind() == interpreter.Over {
		outcome.End, outcome.Result = table.Over, p.Result()
	}
	return outcome, err
}

// series is several games in a row, as far as they have been played.
type series struct {
	games  int // that are to be played
	played int
	wins   []int // by seat
}

// add counts a game that was played, and reports whether another one follows.
func (r *series) add(o table.Outcome) bool {
	if o.End != table.Over {
		return false
	}
	r.played++
	for _, seat := range o.Result.Winners {
		r.wins[seat]++
	}
	return r.played < r.games
}

// before is what is said before the next game.
func (r *series) before(t *table.Table) []string {
	if r.games < 2 {
		return nil
	}
	var lines []string
	if r.played > 0 {
		lines = append(lines, r.standing(t.Session.Game()))
	}
	text := fmt.Sprintf("Game %d of %d", r.played+1, r.games)
	if t.Session.Header().First != "" {
		text += ": " + t.Session.Header().First + " begins"
	}
	return append(lines, text+".")
}

// standing is who has won how many games so far.
func (r *series) standing(g *interpreter.Game) string {
	var parts []string
	for seat, n := range r.wins {
		parts = append(parts, fmt.Sprintf("%s %d", g.SeatName(seat), n))
	}
	return fmt.Sprintf("Won after %s: %s.", plural(r.played, "game"), strings.Join(parts, ", "))
}

// record is the file for the record of the game at hand: "game.2.txt" of "game.txt" where there are several.
func (r *series) record(path string) string { return recordOf(path, r.played+1, r.games) }

func recordOf(path string, game, games int) string {
	if path == "" || games < 2 {
		return path
	}
	ext := filepath.Ext(path)
	if strings.HasSuffix(path, recordExtension) {
		ext = recordExtension
	}
	return fmt.Sprintf("%s.%d%s", strings.TrimSuffix(path, ext), game, ext)
}

// nextGame makes the table for the game after one that ended so.
func (s *session) nextGame(t *table.Table, r interpreter.Result, path string) (*table.Table, *log, error) {
	h, g := *t.Session.Header(), t.Session.Game()
	h.Seed++
	h.First = ""
	if first := g.FirstAfter(r); first != interpreter.ByTheRules {
		h.First = g.SeatName(first)
	}
	return s.newGame(g, &h, path)
}

// prepare makes the table: a new game, or one that is gone on with.
func (s *session) prepare(o *playOptions) (*table.Table, *log, error) {
	if o.resume == "last" {
		var err error
		if o.resume, err = s.lastKept(); err != nil {
			return nil, nil, err
		}
	}
	if o.resume != "" {
		return s.prepareResume(o)
	}
	if o.ruleset == "" && o.position == "" {
		e := usagef("play needs a RULESET")
		e.hint = "there are: " + join(shippedNames())
		return nil, nil, e
	}
	if o.seats != "" && o.players == 0 {
		o.players = len(bot.Split(o.seats))
	}
	var setup *interpreter.Setup
	if o.position != "" {
		var err error
		if setup, err = onePosition(o.position); err != nil {
			return nil, nil, err
		}
		if o.ruleset == "" {
			if o.ruleset, err = s.finderFor(o.position, "", gameFlags{}).argument(setup.Ruleset); err != nil {
				return nil, nil, err
			}
		}
		if o.players == 0 {
			o.players = setup.Players
		}
		o.settle(setup)
	}
	l, g, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return nil, nil, err
	}
	if o.test != "" {
		if g, setup, err = testPosition(l.book, o.test); err != nil {
			return nil, nil, err
		}
		o.players = g.Players() // for --watch
		o.settle(setup)
	}
	seats, err := s.seats(g, o.seats)
	if err != nil {
		return nil, nil, err
	}
	h := &record.Header{
		Rules: l.arg, With: l.with, Print: record.Fingerprint(g), Players: g.Players(), Seats: seats, Seed: o.seed, Position: setup,
	}
	for _, v := range g.Rules().Options {
		h.Options = append(h.Options, record.Option{Name: v.Name, Value: v.Value})
	}
	if !o.seeded {
		h.Seed = chance()
	}
	if first, err := starter(g, o.starter); err != nil {
		return nil, nil, err
	} else if first != interpreter.ByTheRules {
		h.First = g.SeatName(first)
	}
	for n := 1; n <= o.games; n++ { // before anything is played
		if path := recordOf(o.record, n, o.games); o.games > 1 && path != "" {
			if _, err := os.Lstat(path); err == nil {
				return nil, nil, isThere(path)
			}
		}
	}
	return s.newGame(g, h, recordOf(o.record, 1, o.games))
}

// settle sets the options of a position, but for those that flags set.
func (o *playOptions) settle(setup *interpreter.Setup) {
	for name, value := range setup.OptionTexts() {
		if !slices.ContainsFunc(o.set, func(x string) bool { return strings.HasPrefix(x, name+"=") }) {
			o.set = append(o.set, name+"="+value)
		}
	}
}

// testPosition is the game of a test of a rule book, and the position it begins with. A part of the test's name is enough if no other
// name has it.
func testPosition(book *dsl.Book, name string) (*interpreter.Game, *interpreter.Setup, error) {
	var names []string
	var found []*dsl.Scenario
	for _, t := range book.Scenarios() {
		names = append(names, t.Name)
		if t.Name == name {
			found = []*dsl.Scenario{t}
			break
		}
		if strings.Contains(t.Name, name) {
			found = append(found, t)
		}
	}
	switch {
	case len(found) == 0:
		return nil, nil, usagef("%s has no test %q", book.Name(), name).nearest(name, names)
	case len(found) > 1:
		e := usagef("%d tests of %s have %q in their names", len(found), book.Name(), name)
		e.hint = fmt.Sprintf("one of them is %q", found[0].Name)
		return nil, nil, e
	}
	rules, faults := found[0].Rules()
	if rules == nil {
		return nil, nil, &faultyError{faults}
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		return nil, nil, err
	}
	p, err := g.Given(rules.Tests[0])
	if err != nil {
		return nil, nil, err
	}
	return g, p.Setup(), nil
}

// newGame makes the table of a game with a head, and the file of its record.
func (s *session) newGame(g *interpreter.Game, h *record.Header, path string) (*table.Table, *log, error) {
	game, err := door.Open(g, h, nil)
	if err != nil {
		return nil, nil, err
	}
	log, err := s.newLog(path, g.Rules().Name, slices.Contains(h.Seats, "human"))
	if err != nil {
		return nil, nil, err
	}
	if log.file != nil {
		head := *h
		if log.own { // it is gone on with from who knows where
			head.Rules, head.With = fullPath(h.Rules), nil
			for _, w := range h.With {
				head.With = append(head.With, fullPath(w))
			}
		}
		if game.Log, err = record.NewWriter(log.file, &head); err != nil {
			return nil, nil, writeError(log.path, err)
		}
	}
	return &table.Table{Session: game}, log, nil
}

// fullPath is a RULESET argument that means the same from every folder.
func fullPath(arg string) string {
	if !isPath(arg) {
		return arg
	}
	if full, err := filepath.Abs(arg); err == nil {
		return full
	}
	return arg
}

// prepareResume makes the table for a game that is gone on with.
func (s *session) prepareResume(o *playOptions) (*table.Table, *log, error) {
	if len(o.fixed) > 0 {
		return nil, nil, usagef("--%s and --resume do not go together: the record says it", o.fixed[0])
	}
	rec, g, err := s.readRecord(o.resume, o.ruleset)
	if err != nil {
		return nil, nil, err
	}
	h := &rec.Header
	if o.seats != "" || len(h.Seats) != g.Players() {
		if h.Seats, err = s.seats(g, o.seats); err != nil {
			return nil, nil, err
		}
	}
	live, err := playable(o.resume, rec, g)
	if err != nil {
		return nil, nil, err
	}
	game, err := door.Open(g, h, live)
	if err != nil {
		return nil, nil, err
	}
	f, err := files.OpenToAppend(o.resume, files.Max)
	if err != nil {
		return nil, nil, fileError(o.resume, err)
	}
	if rec.Cut {
		if err := f.Truncate(int64(rec.Whole)); err != nil {
			return nil, nil, writeError(o.resume, err)
		}
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return nil, nil, writeError(o.resume, err)
	}
	game.Log = record.Append(f, rec.Version)
	return &table.Table{Session: game}, &log{path: o.resume, file: f, own: s.stored(o.resume)}, nil
}

// canResume says why a game cannot be gone on with.
func (s *session) canResume(path string) error {
	rec, g, err := s.readRecord(path, "")
	if err == nil {
		_, err = playable(path, rec, g)
	}
	return err
}

// playable are the events of a record that can be gone on with: they fit the rules, people or bots there are play, and
// the game is not over.
func playable(path string, rec *record.Record, g *interpreter.Game) ([]record.Event, error) {
	for _, name := range rec.Header.Seats {
		if name != "human" && fits(g, name) != nil {
			return nil, fmt.Errorf("%s: nobody can play as %q: write human or one of %s", path, name, join(bot.Names()))
		}
	}
	pos, err := rec.Begin(g)
	if err != nil {
		return nil, err
	}
	live, again := rec.Live(), rec.Replay(pos)
	for _, e := range live {
		var misfit *record.MisfitError
		if err := again.Next(e); err != nil && !(errors.As(err, &misfit) && misfit.Other) { // it goes on by the rules of today
			return nil, err
		}
	}
	if pos.Kind() == interpreter.Over {
		return nil, fmt.Errorf("%s: the game is over; \"rulerun replay %s\" shows it", path, shellWord(path))
	}
	return live, nil
}

// seats reads who plays.
func (s *session) seats(g *interpreter.Game, text string) ([]string, error) {
	var out []string
	if text == "" {
		for seat := range g.Players() {
			who := bot.Names()[0]
			if seat == 0 && terminal(s.in) != nil {
				who = "human"
			}
			out = append(out, who)
		}
		return out, nil
	}
	for _, who := range bot.Split(text) {
		if who == "bot" {
			who = bot.Names()[0]
		}
		if who != "human" {
			if err := fits(g, who); err != nil {
				return nil, seatFault("seats", who, err)
			}
		}
		out = append(out, strings.ReplaceAll(who, " ", ""))
	}
	if len(out) != g.Players() {
		return nil, usagef("flag --seats: got %s, but %s play", plural(len(out), "seat"), fmt.Sprint(g.Players()))
	}
	return out, nil
}

// chance is a seed nobody chose, short enough to be typed again.
func chance() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:]) % 1_000_000_000
}

// log is the file a record is kept in.
type log struct {
	path string
	file *os.File
	own  bool // nobody named it: it is only worth keeping while the game can be gone on with
}

// newLog makes the file of a new record: the one that was named, or, where people play, one in the folder for such
// games. Without a folder nothing is kept.
func (s *session) newLog(path, game string, people bool) (*log, error) {
	if path != "" {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			return nil, isThere(path)
		}
		if err != nil {
			return nil, writeError(path, err)
		}
		return &log{path: path, file: f}, nil
	}
	if !people {
		return &log{}, nil
	}
	dir, err := s.store()
	if err != nil || os.MkdirAll(dir, 0o755) != nil {
		return &log{}, nil
	}
	name := fmt.Sprintf("%s-%s.txt", game, s.now().Format("2006-01-02-150405"))
	for n := 2; ; n++ {
		path := filepath.Join(dir, name)
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err == nil {
			return &log{path: path, file: f, own: true}, nil
		}
		if !errors.Is(err, fs.ErrExist) || n > 100 {
			return &log{}, nil
		}
		name = fmt.Sprintf("%s-%s-%d.txt", game, s.now().Format("2006-01-02-150405"), n)
	}
}

// lastKept is the newest record among those that no player named.
func (s *session) lastKept() (string, error) {
	dir, err := s.store()
	if err != nil {
		return "", err
	}
	list, err := os.ReadDir(dir)
	newest, at := "", time.Time{}
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(at) && strings.HasSuffix(e.Name(), ".txt") {
			newest, at = filepath.Join(dir, e.Name()), info.ModTime()
		}
	}
	if newest == "" || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", usagef("no game is kept to go on with")
	}
	return newest, nil
}

// isThere refuses to write over a record.
func isThere(path string) error {
	e := usagef("%s is there already", path)
	e.hint = fmt.Sprintf("name another file, or go on with the game: rulerun play --resume %s", shellWord(path))
	return e
}

// stored reports whether a file is one of those nobody named.
func (s *session) stored(path string) bool {
	dir, err := s.store()
	if err != nil {
		return false
	}
	full, err := filepath.Abs(path)
	return err == nil && filepath.Dir(full) == filepath.Clean(dir)
}

// close ends the record; one nobody named is thrown away where there is nothing to go on with.
func (l *log) close(o table.Outcome) error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	if l.own && (o.End == table.Over || !o.Moved) {
		os.Remove(l.path)
		return nil
	}
	if err != nil {
		return writeError(l.path, err)
	}
	return nil
}

// save writes a game to a file that was named at the table.
func save(name string, text []byte) error {
	return writeFile(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// shellWord is a text as a shell takes it for one word.
func shellWord(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("-_./:~+@%", r) && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
	}) < 0
	if plain && s != "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
