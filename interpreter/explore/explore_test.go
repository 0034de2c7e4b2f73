package explore

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/rulesets"
)

var update = flag.Bool("update", false, "write the expected findings anew")

// load reads a rule book; those of testdata are checked, the others by .ci/run.
func load(t *testing.T, path string) *dsl.Book {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lib := dsl.Library{Shipped: rulesets.FS, Beside: os.DirFS(filepath.Dir(path))}
	book, faults := dsl.Load(source.New(filepath.Base(path), string(text)), lib)
	if book == nil {
		t.Fatal(faults)
	}
	if filepath.Dir(path) != "testdata" {
		return book
	}
	if faults = dsl.Check(book); faults.HasErrors() {
		t.Fatal(faults)
	}
	return book
}

func explored(t *testing.T, ctx context.Context, b *dsl.Book, o Options) *Report {
	t.Helper()
	r, err := Of(b).Explore(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told is a report as the command shows it, with the witnesses.
func told(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	for _, f := range r.Findings {
		b.WriteString(diag.List{f.Diagnostic}.Text(diag.Style{}))
		if f.Witness != nil {
			text, err := json.Marshal(f.Witness)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(text, '\n'))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// planted says which code each faulty file of testdata was written for, and how many plays it takes.
var planted = map[string]struct {
	code  string
	plays int
}{
	"stuck":   {"stuck-for-ever", 300},
	"undone":  {"stuck-for-ever", 300},
	"idle":    {"nothing-to-do", 300},
	"duties":  {"duties-clash", 300},
	"silent":  {"never-fired", 1700},
	"parts":   {"never-fired", 1700},
	"turn":    {"turn-without-end", 300},
	"geese":   {"turn-without-end", 300},
	"endless": {"game-without-end", 60},
	"refused": {"refused-position", 300},
	"fault":   {"fault", 600},
}

// TestPlanted finds the fault of each file of testdata, the same with one thread and with three, and opens every witness.
func TestPlanted(t *testing.T) {
	for name, x := range planted {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			book := load(t, filepath.Join("testdata", name+".rules"))
			r := explored(t, context.Background(), book, Options{Seed: 1, Plays: x.plays, Threads: 1})
			got := told(t, r)
			if !strings.Contains(got, "["+x.code+"]") {
				t.Errorf("no %s among:\n%s", x.code, got)
			}
			if again := told(t, explored(t, context.Background(), book, Options{Seed: 1, Plays: x.plays, Threads: 3})); again != got {
				t.Errorf("three threads find something else: %s", cmp.Diff(got, again))
			}
			for _, f := range r.Findings {
				opens(t, book, &f)
			}
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestBrief: a few short games show most of what stops every game, and nothing of what takes many games to say.
func TestBrief(t *testing.T) {
	for name, want := range map[string]string{"stuck": "stuck-for-ever", "doors": "stuck-for-ever", "turn": "turn-without-end", "silent": "", "parts": "", "duties": "", "windy": ""} {
		var got []string
		for _, f := range explored(t, context.Background(), load(t, filepath.Join("testdata", name+".rules")), Options{Seed: 1, Plays: 3, Brief: true}).Findings {
			got = append(got, f.Code)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestOverAtOnce: that every game is over in its first turn shows in one short game, and with all plays.
func TestOverAtOnce(t *testing.T) {
	const text = "ruleset short \"Over before it begins\"\n\nboard cross68\nplayers 2\npieces 2 at home\ndice die = d6\n\n" +
		"setup { for c in game.colours { put c.pieces[0] on c.start } }\nturn { throw die; play die }\n\n" +
		"move advance(p in mine) from squares walk steps\n\nrule counting \"One piece counts\" { may advance(p); step beyond: bar }\n" +
		"rule finish \"Whose pieces are in the goal wins\" { win player x when %(x.pieces, .at == goal) }\n"
	for _, c := range []struct {
		list string
		want bool
	}{{"none", true}, {"any", false}} {
		book, faults := dsl.Load(source.New("short.rules", strings.Replace(text, "%", c.list, 1)), dsl.Library{})
		if book == nil {
			t.Fatal(faults)
		}
		for _, o := range []Options{{Seed: 1, Plays: 1, Brief: true}, {Seed: 1, Plays: 40}} { // one short game, as beside tests, and --explore
			over := false
			for _, f := range explored(t, t.Context(), book, o).Findings {
				over = over || f.Code == "ends-at-once"
			}
			if over != c.want {
				t.Errorf("%s, %+v: %v", c.list, o, over)
			}
		}
	}
}

// TestElsewhere: clauses of settings that a few short games do not play count as silent.
func TestElsewhere(t *testing.T) {
	r := explored(t, context.Background(), load(t, filepath.Join("testdata", "elsewhere.rules")), Options{Seed: 1, Plays: 3, Brief: true})
	if len(r.Silent) != 1 || !strings.HasPrefix(r.Silent[0].Text(), "on capture") || len(r.Findings) > 0 {
		t.Errorf("%v is silent, found %v", r.Silent, r.Findings)
	}
}

// TestEnough: play goes on until everything has taken effect, or what has not is worth a report.
func TestEnough(t *testing.T) {
	o := Options{Seed: 1, Plays: 6000, Enough: true}
	if r := explored(t, context.Background(), load(t, filepath.Join("testdata", "silent.rules")), o); !strings.Contains(told(t, r), "[never-fired]") || r.Plays == 6000 {
		t.Errorf("%d plays:\n%s", r.Plays, told(t, r))
	}
	if r := explored(t, context.Background(), load(t, "../../examples/house/easy_goal.rules"), o); len(r.Findings) > 0 || r.Plays > 100 {
		t.Errorf("%d plays:\n%s", r.Plays, told(t, r))
	}
	if r := explored(t, context.Background(), load(t, filepath.Join("testdata", "elsewhere.rules")), o); r.Settings < 3 {
		t.Errorf("%d settings: none of them has the clause that others have", r.Settings)
	}
	if r := explored(t, context.Background(), load(t, filepath.Join("testdata", "nowhere.rules")), o); r.Settings > 2 {
		t.Errorf("%d settings, and none can have the clause", r.Settings)
	}
	if r := explored(t, context.Background(), load(t, filepath.Join("testdata", "endless_silent.rules")), o); len(r.Findings) == 0 || r.Throws > 3*mostLost {
		t.Errorf("%d throws of games without end:\n%s", r.Throws, told(t, r))
	}
}

// TestBeginning: what happens before the first throw counts, and no odd position has a piece where pieces only begin.
func TestBeginning(t *testing.T) {
	for name, not := range map[string]string{"early": "duty never made a difference", "together": "[fault]", "given": "panic"} {
		r := explored(t, context.Background(), load(t, filepath.Join("testdata", name+".rules")), Options{Seed: 1, Plays: 2400})
		if got := told(t, r); strings.Contains(got, not) || r.Throws < enoughThrows {
			t.Errorf("%s, %d throws:\n%s", name, r.Throws, got)
		}
	}
}

// TestSound: who can do something after a second throw only, and with one of its outcomes only, has something to do, and so has a team of
// which one can act, and who waits for a piece of another. Who is ranked stays ranked, whatever becomes of the pieces, and no odd position
// has more pieces on a zone than games have.
func TestSound(t *testing.T) {
	for name, plays := range map[string]int{"second": 20, "pair": 20, "well": 20, "partners": 100, "lent": 300, "freed": 100, "rounds": 300, "slow": 60, "taken_off": 600} {
		book := load(t, filepath.Join("testdata", name+".rules"))
		for _, f := range explored(t, context.Background(), book, Options{Seed: 1, Plays: plays}).Findings {
			t.Errorf("%s: %v %v", name, f.Diagnostic, f.Notes)
		}
	}
}

// opens reads a witness as the command does: from its text, in the setting it names.
func opens(t *testing.T, book *dsl.Book, f *Finding) {
	t.Helper()
	if f.Witness == nil {
		if f.Code != "never-fired" {
			t.Errorf("%s has no witness", f.Code)
		}
		return
	}
	text, err := json.Marshal(f.Witness)
	if err != nil {
		t.Fatal(err)
	}
	var s interpreter.Setup
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	rules, faults := book.Rules(dsl.Setting{Options: s.OptionTexts(), Players: s.Players})
	if rules == nil {
		t.Fatal(faults)
	}
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Setup(&s); err != nil {
		t.Errorf("%s: %s: %v", f.Code, text, err)
	}
}

// TestNoFalseAlarms plays what comes with the program a little: nothing is found.
func TestNoFalseAlarms(t *testing.T) {
	plays := 40
	if testing.Short() {
		plays = 10
	}
	for _, pattern := range []string{"rulesets/*.rules", "examples/house/*.rules", "examples/games/*.rules"} {
		paths, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(paths) == 0 {
			t.Fatal("no rule files", err)
		}
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), ".rules")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				book := load(t, path)
				r := explored(t, context.Background(), book, Options{Seed: 1, Plays: plays})
				for _, f := range r.Findings {
					t.Errorf("%v %v", f.Diagnostic, f.Notes)
				}
				if len(book.Scenarios()) <= FewTests {
					for _, d := range Of(book).NoDifference(context.Background(), 1, func(source.Span) bool { return false }, false) {
						t.Errorf("%v %v", d, d.Notes)
					}
				}
				if r.Plays != plays || r.Throws == 0 {
					t.Errorf("%d plays, %d throws", r.Plays, r.Throws)
				}
			})
		}
	}
}

// TestTimeIsOver cuts runs short: what they find is what as many plays find without a limit.
func TestTimeIsOver(t *testing.T) {
	book := load(t, filepath.Join("testdata", "fault.rules"))
	for _, limit := range []time.Duration{0, 5 * time.Millisecond, 40 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		cut := explored(t, ctx, book, Options{Seed: 5, Threads: 2})
		cancel()
		if cut.Plays == MaxPlays {
			t.Fatal("time was not over")
		}
		if cut.Plays == 0 {
			continue
		}
		whole := explored(t, context.Background(), book, Options{Seed: 5, Plays: cut.Plays, Threads: 1})
		if diff := cmp.Diff(told(t, whole), told(t, cut)); diff != "" {
			t.Errorf("%d plays: %s", cut.Plays, diff)
		}
		if whole.Throws != cut.Throws {
			t.Errorf("%d plays have %d throws, and when cut %d", cut.Plays, whole.Throws, cut.Throws)
		}
	}
}

// TestPicksAreExplored: positions that wait for a pick or a chosen number do not stop a play.
func TestPicksAreExplored(t *testing.T) {
	for _, name := range []string{"cicloparchis", "ludoteka_sin_dados"} {
		r := explored(t, context.Background(), load(t, filepath.Join("../../rulesets", name+".rules")), Options{Seed: 2, Plays: 24})
		if r.Throws < 24*20 {
			t.Errorf("%s: %d throws in %d plays", name, r.Throws, r.Plays)
		}
	}
}
