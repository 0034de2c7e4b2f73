package study

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/ladder"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// TestBar draws bars.
func TestBar(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "▏", 7: "▉", 8: "█", 12: "█▌"} {
		if got := bar(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

// snakes is a game for a number of players, 0 for as many as usual.
func snakes(tb testing.TB, players int) *interpreter.Game {
	tb.Helper()
	text, err := os.ReadFile(games + "/snakes.rules")
	if err != nil {
		tb.Fatal(err)
	}
	return made(tb, string(text), players)
}

const games = "../../../../examples/games"

// made makes a game of the text of a rule file that stands beside the games among the examples.
func made(tb testing.TB, text string, players int) *interpreter.Game {
	tb.Helper()
	book, faults := dsl.Load(source.New("test.rules", text), dsl.Library{Beside: os.DirFS(games)})
	if book == nil {
		tb.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{Players: players})
	if rules == nil {
		tb.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		tb.Fatal(err)
	}
	return g
}

func tally(t *testing.T, g *interpreter.Game, o stats.Options) *stats.Tally {
	t.Helper()
	x, err := stats.Run(t.Context(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// FuzzPart reads a part of a run that may be anything, and writes it down in every form: nothing panics, and what is read is
// written as it was.
func FuzzPart(f *testing.F) {
	g := snakes(f, 0)
	counted := made(f, "change counted \"Two counts\" for snakes\ncount climbs on climb(p, t)\ncount behind = 7 - 5000 * sum(game.pieces, .index)\n", 1)
	for _, g := range []*interpreter.Game{g, counted} {
		for _, games := range []int{0, 1, 20} {
			t, err := stats.Run(f.Context(), g, stats.Options{To: games})
			if err != nil {
				f.Fatal(err)
			}
			data, err := t.Write()
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tally, err := stats.Read(data)
		if err != nil {
			return
		}
		if all, err := stats.Join(tally); err == nil {
			tally = all
		}
		r := Sim(tally, 0)
		for _, write := range []func(io.Writer) error{r.CSV, r.JSON, func(w io.Writer) error { return r.Text(w, 0) }} {
			var b bytes.Buffer
			if err := write(&b); err != nil || b.Len() == 0 {
				t.Errorf("%v", err)
			}
		}
		once, err := tally.Write()
		if err != nil {
			t.Fatal(err)
		}
		again, err := stats.Read(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		if twice, err := again.Write(); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s is written again as %s", once, twice)
		}
	})
}

// TestSweepIntervalsHold plays sweeps of a game whose figures are known from many games: hardly one in twenty has any interval
// in any row that leaves out what it should hold. The 95 % intervals of each by itself would do so most of the time.
func TestSweepIntervalsHold(t *testing.T) {
	const sweeps, games, most = 150, 80, 4
	truth := &Sweep{Over: []string{"players"}, Of: most}
	var list []*interpreter.Game
	for players := range most {
		g := snakes(t, players+1)
		list = append(list, g)
		truth.Rows = append(truth.Rows, Row{Tally: tally(t, g, stats.Options{To: 60_000, Seed: 1, Rotate: true}), Sides: players + 1})
	}
	wrong, each := 0, 0
	for k := range uint64(sweeps) {
		s := &Sweep{Over: truth.Over, Of: most}
		for _, g := range list {
			s.Rows = append(s.Rows, Row{Tally: tally(t, g, stats.Options{To: games, Seed: 1000 + k, Rotate: true}), Sides: g.Players()})
		}
		out := func(confidence float64) int {
			n := 0
			for i := range s.Rows {
				exact, list := measures(truth.Rows[i].Tally), measures(s.Rows[i].Tally)
				for _, c := range s.columns() {
					m, _, known := c.value(&truth.Rows[i], exact, confidence)
					if _, in, _ := c.value(&s.Rows[i], list, confidence); known && (m.Mean < in.Low || m.Mean > in.High) {
						n++
					}
				}
			}
			return n
		}
		wrong += min(1, out(s.confidence()))
		each += min(1, out(stats.Confidence))
	}
	if wrong > 15 { // 7.5 are allowed, with a deviation of 2.7
		t.Errorf("%d of %d sweeps have an interval that does not hold", wrong, sweeps)
	}
	if each < sweeps/3 {
		t.Errorf("%d of %d sweeps have such an interval by itself: the test tests nothing", each, sweeps)
	}
	t.Logf("%d of %d, %d by themselves", wrong, sweeps, each)
}

// TestFindings: what is sure is said to be sure, and what is not, is not.
func TestFindings(t *testing.T) {
	s := &Sweep{Over: []string{"players"}, Of: 2}
	for _, players := range []int{1, 4} {
		s.Rows = append(s.Rows, Row{Setting: []model.OptionValue{{Name: "players", Value: strconv.Itoa(players)}}, Tally: tally(t, snakes(t, players), stats.Options{To: 400, Seed: 1}), Sides: players})
	}
	if got := s.table(s.confidence()).findings(); len(got) != 1 || !strings.HasPrefix(got[0], "games are longest with players=4 (") {
		t.Errorf("got %q", got)
	}
	s.Rows[0].Tally, s.Rows[0].Sides = tally(t, snakes(t, 4), stats.Options{To: 400, Seed: 2}), 4
	if got := s.table(s.confidence()).findings(); len(got) != 2 || !strings.HasSuffix(got[0], ", which may be chance") || !strings.HasPrefix(got[1], "the starter's edge seems") {
		t.Errorf("got %q", got)
	}
	s.Rows = s.Rows[:1]
	if got := s.table(s.confidence()).findings(); len(got) != 0 {
		t.Errorf("of one row: %q", got)
	}
}

// TestLittle writes down sweeps of so few games that no interval is known.
func TestLittle(t *testing.T) {
	for games := range 3 {
		s := &Sweep{Over: []string{"players"}, Of: 1, Rows: []Row{{Setting: []model.OptionValue{{Name: "players", Value: "2"}}, Tally: tally(t, snakes(t, 2), stats.Options{To: games, Seed: 1}), Sides: 2}}}
		sweep, sim := s.Result(), Sim(s.Rows[0].Tally, 0)
		for _, write := range []func(io.Writer) error{
			sweep.CSV, sweep.JSON, sweep.Page, sim.CSV, sim.Page,
			func(w io.Writer) error { return sweep.Text(w, 80) },
			func(w io.Writer) error { return picture.PNG(w, sweep.Figure(), picture.Light()) },
		} {
			var b bytes.Buffer
			if err := write(&b); err != nil || strings.Contains(b.String(), "Inf") || strings.Contains(b.String(), "NaN") {
				t.Errorf("%d games: %v: %s", games, err, b.String())
			}
		}
	}
}

// TestFarCounts draws counts that are far apart.
func TestFarCounts(t *testing.T) {
	g := made(t, "change counted \"A count\" for snakes\ncount behind = sum(game.pieces, .index)\n", 1)
	for _, list := range [][]int{{-1 << 31, 1 << 31}, {1 << 31}, {-1 << 31, -5, 0, 7}, {-3}} {
		x := tally(t, g, stats.Options{To: 1, Seed: 1})
		for _, v := range list {
			x.Counts[0].Add(v)
		}
		var b bytes.Buffer
		if err := Sim(x, 0).Page(&b); err != nil || b.Len() > 1<<17 {
			t.Errorf("%v: %v, %d bytes", list, err, b.Len())
		}
	}
}

// TestFold breaks lines and tables where a screen ends.
func TestFold(t *testing.T) {
	for columns, want := range map[int]string{
		0: "  one two three\nfour", 80: "  one two three\nfour", 15: "  one two three\nfour", 14: "  one two\n  three\nfour", 7: "  one\n  two\n  three\nfour", 3: "  one two three\nfour",
	} {
		if got := phrase.Fold("  one two three\nfour", columns, "  "); got != want {
			t.Errorf("%d columns: got %q, want %q", columns, got, want)
		}
	}
	var wide grid
	wide.add("a", "bbbb", "cc", "dddddd")
	wide.add("1", "2", "3", "4")
	for columns, want := range map[int]string{
		0:  "  a  bbbb  cc  dddddd\n  1     2   3       4\n",
		14: "  a  bbbb  cc\n  1     2   3\n  a  dddddd\n  1       4\n",
		1:  "  a  bbbb\n  1     2\n  a  cc\n  1   3\n  a  dddddd\n  1       4\n",
	} {
		var b strings.Builder
		for _, part := range wide.fit(columns, 1) {
			part.write(&b, 0)
		}
		if b.String() != want {
			t.Errorf("%d columns: got\n%swant\n%s", columns, b.String(), want)
		}
	}
}

// TestVerdicts says how much skill matters no surer than the games tell.
func TestVerdicts(t *testing.T) {
	for want, d := range map[string]ladder.Duel{
		"no difference can be seen in so few games":                                  {Games: 20, Won: 12},
		"the player meant to be better is the weaker one":                            {Games: 200, Won: 60},
		"luck and skill both count":                                                  {Games: 2000, Won: 1500},
		"luck and skill both count, as far as these games tell":                      {Games: 60, Won: 45},
		"luck decides most, skill shows in the long run, as far as these games tell": {Games: 200, Won: 120},
		"the better player nearly always wins, as far as these games tell":           {Games: 40, Won: 40},
		"the better player nearly always wins":                                       {Games: 4000, Won: 3990},
		"luck decides nearly everything":                                             {Games: 100_000, Won: 52_000},
	} {
		d.Teams, d.Decisions = 2, 1
		if got := verdict(&d); got != want {
			t.Errorf("%d of %d: got %q, want %q", d.Won, d.Games, got, want)
		}
	}
}
