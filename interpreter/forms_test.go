package interpreter

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/testbook"
	"github.com/rulerun/rulerun/rulesets"
)

// ruleFile is a rule file that tests play, with what it is found among.
type ruleFile struct {
	name, text string
	library    dsl.Library
}

func (f *ruleFile) source() *source.File { return source.New(f.name+".rules", f.text) }

// ruleFiles are the shipped rule books, the house rules, the example games, and the small rule books of the tests.
func ruleFiles(t testing.TB) []*ruleFile {
	t.Helper()
	shipped, err := fs.Glob(rulesets.FS, "*.rules")
	if err != nil || len(shipped) == 0 {
		t.Fatal("no rule books", err)
	}
	var files []*ruleFile
	add := func(path string, data []byte, library dsl.Library) {
		files = append(files, &ruleFile{strings.TrimSuffix(filepath.Base(path), ".rules"), string(data), library})
	}
	shared := &dsl.Shared{}
	for _, path := range shipped {
		data, err := fs.ReadFile(rulesets.FS, path)
		if err != nil {
			t.Fatal(err)
		}
		add(path, data, dsl.Library{Shipped: rulesets.FS, Shared: shared})
	}
	for _, folder := range []string{"../examples/house", "../examples/games", "testdata/rules"} {
		found, err := filepath.Glob(filepath.Join(folder, "*.rules"))
		if err != nil || len(found) == 0 {
			t.Fatal("no files", folder, err)
		}
		library := dsl.Library{Shipped: rulesets.FS, Beside: os.DirFS(folder), Shared: &dsl.Shared{}}
		for _, path := range found {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			add(path, data, library)
		}
	}
	return files
}

// everyGame goes through all rule files, in their usual setting.
func everyGame(t *testing.T, each func(t *testing.T, rules *model.Rules)) { games(t, false, each) }

// everySetting goes through all rule files, the shipped ones with some of their settings.
func everySetting(t *testing.T, each func(t *testing.T, rules *model.Rules)) { games(t, true, each) }

func games(t *testing.T, all bool, each func(t *testing.T, rules *model.Rules)) {
	t.Helper()
	settings := map[string][]dsl.Setting{
		"parchis4a":      {{}, {Players: 2}, {Players: 3}},
		"parchis":        {{}, {Players: 2, Options: map[string]string{"two_on_first_five": "true", "mixed_barriers": "true", "barriers_only_on_safe": "true"}}},
		"ludoteka":       {{}, {Options: map[string]string{"colours": "3"}}, {Options: map[string]string{"colours": "6", "seven_not_twelve": "true"}}},
		"ludoteka_two":   {{}, {Options: map[string]string{"by_colour": "true"}}, {Players: 3, Options: map[string]string{"colours": "6"}}},
		"ludoteka_teams": {{}, {Options: map[string]string{"help_partner": "true"}}, {Options: map[string]string{"colours": "6", "teams": "2"}}},
		"cicloparchis":   {{}, {Options: map[string]string{"mode": "secret"}}, {Options: map[string]string{"mode": "three", "zero": "true"}}},
		"turning":        {{}, {Options: map[string]string{"pairs": "true"}}},
		"bouncing":       {{}, {Options: map[string]string{"more": "true"}}},
		"numbers":        {{}, {Options: map[string]string{"how": "any"}}, {Options: map[string]string{"how": "most"}}},
		"throng":         {{}, {Options: map[string]string{"only_eldest": "true"}}},
		"returning":      {{}, {Options: map[string]string{"walls": "bar"}}},
		"asked_endings":  {{}, {Options: map[string]string{"way": "undo"}}},
		"patolli":        {{}, {Players: 4}, {Options: map[string]string{"captured_stones": "home", "reserve": "3"}}},
	}
	for _, way := range []string{"arrival", "setup", "loop", "break", "order", "ends", "steps", "dice", "leaving", "starter", "aside"} {
		settings["endings"] = append(settings["endings"], dsl.Setting{Options: map[string]string{"way": way}})
	}
	for _, moment := range []string{"never", "before", "leave", "step", "land", "after", "own"} {
		settings["hands"] = append(settings["hands"], dsl.Setting{Options: map[string]string{"moment": moment}})
	}
	for _, f := range ruleFiles(t) {
		list := settings[f.name]
		if list == nil {
			list = []dsl.Setting{{}}
		}
		if !all {
			list = list[:1]
		}
		for i, s := range list {
			rules := testbook.Rules(t, f.name+".rules", f.text, f.library.Beside, s)
			t.Run(fmt.Sprintf("%s/%d", f.name, i), func(t *testing.T) {
				t.Parallel()
				each(t, rules)
			})
		}
	}
}

// TestFormsAgree plays games by chance in both forms side by side, the one with sets of pieces and squares and the plain
// one, and wants the same at every node: state, options in their order, refusals with their reasons, and what was counted.
func TestFormsAgree(t *testing.T) {
	everySetting(t, func(t *testing.T, rules *model.Rules) {
		f := bothForms(t, rules)
		f.play(t, f.fast.Start(ByTheRules), f.plain.Start(ByTheRules), NewRandom(17, 1), 1500)
	})
}

// TestWellFormed wants every program to be well-formed: those for playing, for studies and with notes, and the plain form. Whatever plays
// rules in both forms asks the same of theirs.
func TestWellFormed(t *testing.T) {
	everySetting(t, func(t *testing.T, rules *model.Rules) {
		wellFormed(t, rules)
	})
}

// wellFormed compiles rules to everything they are compiled to, and returns the plain form; nil where it is too large.
func wellFormed(t testing.TB, rules *model.Rules) (plain *compile.Unit) {
	t.Helper()
	study := func(rules *model.Rules) (*compile.Unit, error) {
		s, err := compile.Study(rules)
		if err != nil {
			return nil, err
		}
		return s.Unit, nil
	}
	for i, form := range []func(*model.Rules) (*compile.Unit, error){compile.Plain, compile.Compile, compile.Noting, study} {
		unit, err := form(rules)
		if i == 0 {
			plain = unit
		}
		switch {
		case errors.Is(err, code.ErrTooLarge):
		case err != nil:
			t.Error(err)
		case unit.IllFormed != nil:
			t.Error(unit.IllFormed)
		}
	}
	return plain
}

// TestFormsAgreeOnFaults: where the rules fail in what says nothing, or would not be asked in another order, they fail in
// both forms.
func TestFormsAgreeOnFaults(t *testing.T) {
	for name, clause := range map[string]string{
		"go":            "step into s: go when s.pieces[0].colour == p.colour",
		"go, not alone": "step into s: go when remaining == 0 && s.pieces[0].colour == next(p.colour)",
		"order":         "step into s: bar when s.pieces[0].colour == next(p.colour) && len(s.pieces) == 3",
		"last":          "step into s: bar when s.pieces[0].colour == next(p.colour) && remaining == 0",
	} {
		t.Run(name, func(t *testing.T) {
			text := "change faulty \"Faulty\" for parchis4a\n\nrule faulty before barriers_block \"It fails\" { " + clause + " }\n"
			rules := testbook.Rules(t, "faulty.rules", text, nil, dsl.Setting{})
			f := bothForms(t, rules)
			f.play(t, f.fast.Start(ByTheRules), f.plain.Start(ByTheRules), NewRandom(5, 0), 200)
		})
	}
}

// forms is one game in both forms.
type forms struct{ fast, plain *Game }

func bothForms(t testing.TB, rules *model.Rules) *forms {
	t.Helper()
	unit := wellFormed(t, rules)
	fast, err := Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	if unit == nil {
		t.Fatal("the plain form is too large")
	}
	return &forms{fast, &Game{unit: unit, prog: unit.Program, rules: rules}}
}

// play plays some nodes by chance side by side, now and then from another position, and on a copy. It ends before where the rules fail.
func (f *forms) play(t testing.TB, p, q *Position, r Random, nodes int) {
	t.Helper()
	seats := len(f.fast.rules.Seats)
	copied, beginning := p.Copy(), p.game.Start(0)
	for node := range nodes {
		if p.Kind() == Broken && q.Kind() == Broken && q.m.Fault.Kind == code.FaultSteps {
			return // what goes round for ever is found out wherever it is at the time, in the plain form sooner
		}
		sameNode(t, p, q, node)
		if r.IntN(4) == 0 {
			copied.CopyFrom(p)
			copy(copied.m.Counters, p.m.Counters) // what is counted is of the machine
			p, copied = copied, p
		}
		asked := r.IntN(8) == 0
		if asked && p.Kind() == Choice { // the options are the same whether they are asked for or not
			if diff := cmp.Diff(q.Options(), p.Options()); diff != "" {
				t.Fatalf("node %d: options\n%s", node, diff)
			}
			same := func(a, b Refusal) bool {
				return a.Option == b.Option && a.Fewer == b.Fewer && slices.Equal(a.Reasons, b.Reasons)
			}
			if a, b := p.Explain(), q.Explain(); !slices.EqualFunc(a, b, same) {
				t.Fatalf("node %d: refusals: got %v, the plain form has %v", node, a, b)
			}
		}
		if asked {
			sameDerived(t, p, beginning)
		}
		if asked && p.AtTurn() && r.IntN(4) == 0 {
			if a, b := f.elsewhere(t, p, &r); a != nil {
				p, q = a, b
				continue
			}
		}
		s := r
		switch p.Kind() {
		case Throw:
			p.ThrowRandom(&r)
			q.ThrowRandom(&s)
		case Choice:
			p.ChooseRandom(&r)
			q.ChooseRandom(&s)
		case Broken:
			if p.Err().Error() != q.Err().Error() {
				t.Fatalf("got %v, the plain form has %v", p.Err(), q.Err())
			}
			return
		default:
			p.Restart(node % seats)
			q.Restart(node % seats)
		}
	}
}

// elsewhere is a position with some of its pieces elsewhere on their tracks, in both forms; nil where the rules refuse it.
func (f *forms) elsewhere(t testing.TB, p *Position, r *Random) (a, b *Position) {
	t.Helper()
	rules := f.fast.rules
	setup := p.Setup()
	for range 1 + r.IntN(6) {
		colour := rules.Colours[r.IntN(len(rules.Colours))]
		track := rules.Track.Runs[colour.Board].Nodes
		at := rules.Board.Places[track[r.IntN(len(track))].Place].Name
		if r.IntN(2) == 0 { // where others stand, more happens
			if other := setup.Pieces[rules.Colours[r.IntN(len(rules.Colours))].Name]; len(other) > 0 {
				at = other[r.IntN(len(other))]
			}
		}
		if own := setup.Pieces[colour.Name]; len(own) > 0 { // otherwise all of them have been given away
			own[r.IntN(len(own))] = at
		}
	}
	setup.Arrived = nil
	a, err := f.fast.Setup(setup)
	b, plainErr := f.plain.Setup(setup)
	if fmt.Sprint(err) != fmt.Sprint(plainErr) {
		t.Fatalf("%v: got %v, the plain form has %v", setup, err, plainErr)
	}
	return a, b
}

// sameNode wants both positions to stand at the same node.
func sameNode(t testing.TB, p, q *Position, node int) {
	t.Helper()
	if p.Kind() != q.Kind() || p.Player() != q.Player() || p.Kind() == Choice && p.OptionCount() != q.OptionCount() {
		t.Fatalf("node %d: got kind %d, player %d, %d options, the plain form has %d, %d, %d", node,
			p.Kind(), p.Player(), p.OptionCount(), q.Kind(), q.Player(), q.OptionCount())
	}
	if p.Kind() == Broken { // how far what failed has come is not said
		return
	}
	// The cells before are those of the programs themselves: where they go on, and what they keep within a turn.
	end := min(p.game.prog.Layout.Frame, q.game.prog.Layout.Frame)
	if a, b := p.m.State()[code.CellPoint+1:end], q.m.State()[code.CellPoint+1:end]; !slices.Equal(a, b) {
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("node %d: cell %d is %d, in the plain form %d", node, i+1, a[i], b[i])
			}
		}
	}
	if !slices.Equal(q.m.Counters, p.m.Counters) {
		t.Fatalf("node %d: counters\n%s", node, cmp.Diff(q.m.Counters, p.m.Counters))
	}
}

// sameDerived wants the words that follow from the state to be those of a position on which the pieces are set down anew, from the beginning
// of the game.
func sameDerived(t testing.TB, p, beginning *Position) {
	t.Helper()
	l := &p.game.prog.Layout
	if d := p.m.Derived(); len(d) > 0 && d[code.DerivedHand] != 0 { // a piece is on its way
		return
	}
	fresh := beginning.Copy()
	for place := range l.Places {
		for _, piece := range p.PiecesOn(nil, place) {
			fresh.m.PlaceAt(piece, place, int(p.m.State()[l.Node+piece]))
		}
	}
	if !slices.Equal(fresh.m.Derived(), p.m.Derived()) || !slices.Equal(fresh.m.Squares(), p.m.Squares()) {
		t.Fatal(cmp.Diff(fresh.m.Derived(), p.m.Derived()), cmp.Diff(fresh.m.Squares(), p.m.Squares()))
	}
}

// TestEndingsThatEnd compiles rules whose reactions to a player's going out end the game, or take others out, beside reactions to steps.
func TestEndingsThatEnd(t *testing.T) {
	for _, clauses := range []string{
		"on rank(x) { over }", "on rank(x) { win x }", "on drop(x) { over }", "on drop(x) { rank next(x) }", "on rank(x) { drop next(x) }",
		"on rank(x) { win x }\n  on drop(x) { over }", "on rank(x) { do finish_it(x) }", "on drop(x) { do finish_it(x) }\n  on rank(x) { over }",
	} {
		text := "change raising \"Raising\" for parchis\n\nact finish_it(player x) { win x }\n\nrule raising \"It ends\" {\n  " + clauses +
			"\n  on step(p) from a to s when s.safe { earn 1 }\n}\n"
		rules := testbook.Rules(t, "raising.rules", text, nil, dsl.Setting{})
		f := bothForms(t, rules)
		f.play(t, f.fast.Start(0), f.plain.Start(0), NewRandom(3, 0), 600)
	}
}
