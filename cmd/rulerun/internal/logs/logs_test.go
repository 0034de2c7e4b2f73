package logs

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/learn"
	"github.com/rulerun/rulerun/interpreter/record"
	"github.com/rulerun/rulerun/interpreter/stats"

	"github.com/rulerun/rulerun/examples"
)

// shipped is a shipped rule book in a setting.
func shipped(t testing.TB, name string, s dsl.Setting) *interpreter.Game {
	t.Helper()
	learn.Look("shipped", examples.Shipped())
	text, err := fs.ReadFile(examples.Shipped(), name+".rules")
	if err != nil {
		t.Fatal(err)
	}
	book, faults := dsl.Load(source.New(name+".rules", string(text)), dsl.Library{Shipped: examples.Shipped()})
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(s)
	if rules == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// seated makes players of bots.
func seated(t testing.TB, o *stats.Options, names ...string) {
	t.Helper()
	o.Seats = names
	o.Players = func() []interpreter.Chooser {
		out := make([]interpreter.Chooser, len(names))
		for i, name := range names {
			if name == stats.Chance {
				continue
			}
			b, err := bot.New(name)
			if err != nil {
				t.Error(err)
			}
			out[i] = b
		}
		return out
	}
}

// log is what Run wrote.
type log struct {
	tally            *stats.Tally
	decisions, games bytes.Buffer
}

func run(t testing.TB, g *interpreter.Game, o stats.Options) *log {
	t.Helper()
	l := &log{}
	var err error
	if l.tally, err = Run(t.Context(), g, o, &l.decisions, &l.games); err != nil {
		t.Fatal(err)
	}
	return l
}

// decisionRow and gameRow are rows as Go reads them.
type decisionRow struct {
	Game    int64     `parquet:"game"`
	Seed    uint64    `parquet:"seed"`
	Throw   int32     `parquet:"throw"`
	Turn    int32     `parquet:"turn"`
	Seat    string    `parquet:"seat"`
	Player  string    `parquet:"player"`
	Kind    string    `parquet:"kind"`
	Dice    []int32   `parquet:"dice,list"`
	Options []string  `parquet:"options,list"`
	Chosen  int32     `parquet:"chosen"`
	Chances []float32 `parquet:"chances,list,optional"`
	Won     bool      `parquet:"won"`
	Place   *int32    `parquet:"place,optional"`
	OwnTurn float32   `parquet:"f_turn"`
	OwnWay  float32   `parquet:"f_own_way"`
}

type gameRow struct {
	Game        int64    `parquet:"game"`
	Seed        uint64   `parquet:"seed"`
	Seats       []string `parquet:"seats,list"`
	Players     []string `parquet:"players,list"`
	First       *string  `parquet:"first,optional"`
	Throws      int32    `parquet:"throws"`
	FirstWinner int32    `parquet:"first_winner"`
	Turns       int32    `parquet:"turns"`
	Decisions   int32    `parquet:"decisions"`
	Minutes     float64  `parquet:"minutes"`
	Winners     []string `parquet:"winners,list"`
	Ranking     []string `parquet:"ranking,list"`
	Unfinished  bool     `parquet:"unfinished"`
}

func rows[T any](t testing.TB, data []byte) []T {
	t.Helper()
	out, err := parquet.Read[T](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// names are the columns of a file.
func names(t testing.TB, data []byte) []string {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, c := range f.Root().Columns() {
		out = append(out, c.Name())
	}
	return out
}

// TestGames reads logs of rule books of every kind: the rows come to what the tally says, and any number of threads writes
// the same files.
func TestGames(t *testing.T) {
	for _, x := range []struct {
		name    string
		options map[string]string
		players int
		judged  bool
	}{
		{name: "ur", judged: true}, {name: "parchis4a", players: 4, judged: true}, {name: "patolli", players: 3}, {name: "snakes"}, {name: "yut"}, {name: "ludoteka_sin_dados"},
		{name: "cicloparchis", options: map[string]string{"mode": "secret"}}, {name: "parchis4a", players: 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			g := shipped(t, x.name, dsl.Setting{Players: x.players, Options: x.options})
			o := stats.Options{From: 2, To: 14, Seed: 7, Threads: 1, Rotate: true, MaxThrows: 600}
			l := run(t, g, o)
			if x.judged { // without an evaluation it takes long to find what positions are like
				o.Threads = 3
				if other := run(t, g, o); !bytes.Equal(l.decisions.Bytes(), other.decisions.Bytes()) || !bytes.Equal(l.games.Bytes(), other.games.Bytes()) {
					t.Error("threads make a difference")
				}
			}
			games, decisions := rows[gameRow](t, l.games.Bytes()), rows[decisionRow](t, l.decisions.Bytes())
			if len(games) != 12 || games[0].Game != 2 || games[0].Seed != 7 || len(games[0].Players) != g.Players() {
				t.Fatalf("%d games, the first %+v", len(games), games[0])
			}
			throws, made, minutes, won := 0, 0, 0.0, make([]int, g.Players())
			for i, x := range games {
				throws += int(x.Throws)
				made += int(x.Decisions)
				minutes += x.Minutes
				for seat, name := range x.Seats {
					if slices.Contains(x.Winners, name) {
						won[seat]++
					}
				}
				if x.First == nil || *x.First != x.Seats[(i+2)%g.Players()] {
					t.Errorf("game %d begins with %v", x.Game, x.First)
				}
			}
			mean, _ := stats.Minutes(&l.tally.Seconds)
			if int64(throws) != l.tally.Throws.Sum().Total() || int64(made) != l.tally.Decisions.Sum().Total() || !slices.Equal(won, l.tally.Wins) || math.Abs(minutes/12-mean.Mean) > 1e-9 {
				t.Errorf("%d throws, %d decisions, wins %v, %g minutes: not what the tally says", throws, made, won, minutes/12)
			}
			if len(decisions) < made {
				t.Errorf("%d rows for %d decisions", len(decisions), made)
			}
			for _, d := range decisions {
				x := games[d.Game-2]
				if len(d.Options) < 2 || d.Chosen < 0 || int(d.Chosen) >= len(d.Options) || d.Throw > x.Throws || d.Turn > x.Turns || d.Player != "random" || d.Won != slices.Contains(x.Winners, d.Seat) {
					t.Fatalf("%+v\nof %+v", d, x)
				}
				if place := slices.Index(x.Ranking, d.Seat); !x.Unfinished && (d.Place == nil) != (place < 0) {
					t.Fatalf("%+v\nof %+v", d, x)
				}
				if d.Chances != nil && len(d.Chances) != len(d.Options) || x.FirstWinner == x.Throws && (d.Chances != nil) != l.judged(t) {
					t.Fatalf("chances of %+v\n%+v", d, x)
				}
			}
			if l.judged(t) != x.judged {
				t.Errorf("judged is %t", !x.judged)
			}
		})
	}
}

// judged reports whether the file says that chances are estimated.
func (l *log) judged(t testing.TB) bool {
	f, err := parquet.OpenFile(bytes.NewReader(l.decisions.Bytes()), int64(l.decisions.Len()))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := f.Lookup("rulerun")
	var what struct {
		Judge    string
		Features []string
		Subject  stats.Subject
	}
	if err := json.Unmarshal([]byte(text), &what); err != nil || what.Subject.Ruleset == "" || len(what.Features) < 20 {
		t.Fatal(err, text)
	}
	return what.Judge != ""
}

// replayer decides what a log says, and compares what it sees.
type replayer struct {
	t    *testing.T
	list []decisionRow
}

func (r *replayer) Choose(p *interpreter.Position, _ *interpreter.Random) int {
	d := r.list[0]
	r.list = r.list[1:]
	var dice []int32
	for _, n := range p.Numbers() {
		dice = append(dice, int32(n))
	}
	if words := record.Words(p); !slices.Equal(words, d.Options) || d.Seat != p.Game().SeatName(p.Player()) || int(d.Throw) != p.Throws() || !slices.Equal(dice, d.Dice) {
		r.t.Fatalf("%v %v, want %+v", words, dice, d)
	}
	if (d.Kind == "pick") != (p.Options()[0].Move == interpreter.None) {
		r.t.Fatalf("%+v", d)
	}
	return int(d.Chosen)
}

func (r *replayer) Number(*interpreter.Position, *interpreter.Random) int {
	panic("no number is chosen")
}

// TestReplay plays the games of a log again, with the decisions of the log: all of them are there, and they come to the same.
func TestReplay(t *testing.T) {
	g := shipped(t, "patolli", dsl.Setting{Players: 2})
	o := stats.Options{To: 6, Seed: 3}
	seated(t, &o, "greedy", "medium")
	l := run(t, g, o)
	r := &replayer{t, rows[decisionRow](t, l.decisions.Bytes())}
	if r.list[0].Player == r.list[len(r.list)-1].Player && r.list[0].Player == r.list[1].Player {
		t.Error("all players are one")
	}
	o.Players, o.Threads = func() []interpreter.Chooser { return []interpreter.Chooser{r, r} }, 1
	again, err := stats.Run(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l.tally, again, cmp.AllowUnexported(stats.Histogram{}, stats.Sum{}, stats.Tally{})); diff != "" || len(r.list) > 0 {
		t.Errorf("%d decisions are left\n%s", len(r.list), diff)
	}
}

// TestFeatures wants the features to be those of the side that decides, and chances to prefer what an evaluation would.
func TestFeatures(t *testing.T) {
	g := shipped(t, "ur", dsl.Setting{})
	o := stats.Options{To: 5, Seed: 3}
	seated(t, &o, "learned:0", "random")
	l := run(t, g, o)
	best, of, way := 0, 0, map[string]float32{}
	for _, d := range rows[decisionRow](t, l.decisions.Bytes()) {
		if d.OwnTurn != 1 {
			t.Fatalf("who decides is not in turn: %+v", d)
		}
		if d.Player == "learned:0" && d.Chances != nil {
			of++
			if d.Chances[d.Chosen] >= slices.Max(d.Chances)-1e-6 {
				best++
			}
		}
		way[d.Seat] = max(way[d.Seat], d.OwnWay)
	}
	if of < 50 || best < of*9/10 {
		t.Errorf("%d of %d decisions of a bot that follows the evaluation are its best", best, of)
	}
	if len(way) != 2 || way["white"] < 2 || way["black"] < 2 {
		t.Errorf("ways come to %v", way)
	}
}

// TestStop ends a study early: the files are whole, with the games that the tally has. A writer that fails ends it too.
func TestStop(t *testing.T) {
	g := shipped(t, "ur", dsl.Setting{})
	ctx, cancel := context.WithCancel(t.Context())
	l := &log{}
	o := stats.Options{To: 100_000, Seed: 1, Progress: func(done int) {
		if done > 5 {
			cancel()
		}
	}}
	tally, err := Run(ctx, g, o, &l.decisions, &l.games)
	if err != nil || tally.Games() < 5 || tally.Games() == o.To {
		t.Fatal(err, tally.Games())
	}
	games, decisions := rows[gameRow](t, l.games.Bytes()), rows[decisionRow](t, l.decisions.Bytes())
	if len(games) != tally.Games() || decisions[len(decisions)-1].Game != int64(tally.Games()-1) {
		t.Errorf("%d games, want %d", len(games), tally.Games())
	}
	full := errors.New("the disk is full")
	if _, err := Run(t.Context(), g, o, failing{full}, io.Discard); !errors.Is(err, full) {
		t.Errorf("a full disk: %v", err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

// TestReadme holds the columns to README.md: each is described there, in the order of the file, and nothing else is.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	described := map[string][]string{}
	section := ""
	for line := range strings.Lines(string(text)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(title)
		}
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			described[section] = append(described[section], name)
		}
	}
	for _, name := range []string{"ur", "parchis", "patolli", "yut", "senet", "ludoteka_teams"} {
		l := run(t, shipped(t, name, dsl.Setting{}), stats.Options{To: 1})
		for section, data := range map[string][]byte{"A row a decision": l.decisions.Bytes(), "A row a game": l.games.Bytes()} {
			at, list := 0, described[section]
			used := map[string]bool{}
			for _, column := range names(t, data) {
				for at < len(list) && !fits(column, list[at]) && (used[list[at]] || strings.HasSuffix(list[at], "…")) {
					at++
				}
				if at == len(list) || !fits(column, list[at]) {
					t.Fatalf("%s: column %q of %q is not described, or not in its place", name, column, section)
				}
				used[list[at]] = true
			}
		}
		for _, section := range []string{"A row a decision", "A row a game"} {
			for _, column := range described[section] {
				if data := map[bool][]byte{true: l.decisions.Bytes(), false: l.games.Bytes()}[section == "A row a decision"]; !strings.HasSuffix(column, "…") && !slices.Contains(names(t, data), column) {
					t.Errorf("%s: %q has no column %q", name, section, column)
				}
			}
		}
	}
}

// fits reports whether a column is the one described, or one of them: "f_own_at_…".
func fits(column, described string) bool {
	begins, several := strings.CutSuffix(described, "…")
	return column == described || several && strings.HasPrefix(column, begins)
}

// TestDuckDB reads a log with DuckDB, and compares what it makes of it with the tally.
func TestDuckDB(t *testing.T) {
	if _, err := os.Stat("testdata/node_modules/@duckdb/node-api"); err != nil {
		if os.Getenv("RULERUN_BROWSER") != "" {
			t.Fatalf("no DuckDB: run npm ci in testdata: %v", err)
		}
		t.Skip("skipped for want of DuckDB: run npm ci in testdata")
	}
	g := shipped(t, "ur", dsl.Setting{})
	o := stats.Options{To: 200, Seed: 5, Rotate: true}
	seated(t, &o, "greedy", "random")
	l := run(t, g, o)
	dir := t.TempDir()
	decisions := filepath.Join(dir, "log.parquet")
	for path, data := range map[string]*bytes.Buffer{decisions: &l.decisions, GamesFile(decisions): &l.games} {
		if err := os.WriteFile(path, data.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	size := l.decisions.Len()
	cmd := exec.CommandContext(t.Context(), "node", "read.mjs", decisions, GamesFile(decisions))
	cmd.Dir = "testdata"
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		All  struct{ Games, Throws, Minutes, Decisions float64 }
		Wins []struct {
			Seat string
			Won  int
		}
		Joined   struct{ Rows, Wrong, Missing, Ragged, Games int }
		Features struct{ Columns int }
		Pieces   struct{ Own, Turn float64 }
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err, string(out))
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("%s: %g, want %g", what, got, want)
		}
	}
	minutes, _ := stats.Minutes(&l.tally.Seconds)
	near("games", got.All.Games, 200)
	near("throws", got.All.Throws, l.tally.Throws.Mean().Mean)
	near("decisions", got.All.Decisions, l.tally.Decisions.Mean().Mean)
	near("minutes", got.All.Minutes, minutes.Mean)
	for _, w := range got.Wins {
		if want := l.tally.Wins[slices.Index(l.tally.Names.Seats, w.Seat)]; w.Won != want || want == 0 {
			t.Errorf("%s wins %d, want %d", w.Seat, w.Won, want)
		}
	}
	made := int(l.tally.Decisions.Sum().Total())
	if j := got.Joined; len(got.Wins) != 2 || j.Rows != made || j.Wrong+j.Missing+j.Ragged > 0 || j.Games != 200 {
		t.Errorf("%+v, want %d rows\n%s", got, made, out)
	}
	if got.Features.Columns < 50 || got.Pieces.Own != 7 || got.Pieces.Turn != 1 {
		t.Errorf("features: %+v", got)
	}
	t.Logf("%d bytes a decision", size/made)
}

// BenchmarkRun plays and writes a game.
func BenchmarkRun(b *testing.B) {
	for _, name := range []string{"ur", "parchis4a"} {
		b.Run(name, func(b *testing.B) {
			g := shipped(b, name, dsl.Setting{})
			if _, err := Run(b.Context(), g, stats.Options{To: b.N, Seed: 1, Threads: 1}, io.Discard, io.Discard); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// TestLongGame ends a run in which a game has more decisions than are kept.
func TestLongGame(t *testing.T) {
	book, _ := dsl.Load(source.New("endless.rules", `
ruleset endless "No player wins"
board cross68
players 2
pieces 1 at home
dice die = d6
turn { throw die; play die }
move one(p in mine) stay
move more(p in mine) stay
rule all "Either" {
  may one(p)
  may more(p)
  win player x when die == 7
}
`), dsl.Library{Shipped: examples.Shipped()})
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), g, stats.Options{To: 3, MaxThrows: 1 << 30}, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "over 100000 decisions") {
		t.Errorf("got %v", err)
	}
}

// TestChangingSeats wants the players of each game where they change seats.
func TestChangingSeats(t *testing.T) {
	o := stats.Options{To: 4, Seed: 3, Deal: true}
	seated(t, &o, "greedy", "random")
	l := run(t, shipped(t, "ur", dsl.Setting{}), o)
	games := rows[gameRow](t, l.games.Bytes())
	for k, x := range games {
		if want := [][]string{{"greedy", "random"}, {"random", "greedy"}}[k%2]; !slices.Equal(x.Players, want) {
			t.Errorf("game %d: %v play, want %v", k, x.Players, want)
		}
	}
	for _, d := range rows[decisionRow](t, l.decisions.Bytes()) {
		x := games[d.Game]
		if d.Player != x.Players[slices.Index(x.Seats, d.Seat)] {
			t.Fatalf("%s decides for %s in game %d", d.Player, d.Seat, d.Game)
		}
	}
}
