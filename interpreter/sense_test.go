package interpreter_test

import (
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/internal/generate"
	"github.com/rulerun/rulerun/rulesets"
)

var (
	sensed       = flag.Int("sense.files", 4, "changed rule files to look at, of each rule book")
	senseMade    = flag.Int("sense.made", 16, "generated rule files to look at")
	senseMadeFor = flag.Uint64("sense.seed", 1, "the seed of the first generated file")
)

// TestSenseOfGenerated does the same with rule books made by chance, as they are and changed.
func TestSenseOfGenerated(t *testing.T) {
	found := map[string]int{}
	for seed := *senseMadeFor; seed < *senseMadeFor+uint64(*senseMade); seed++ {
		b := generate.New(seed)
		r := rand.New(rand.NewPCG(seed, 3))
		lib := dsl.Library{Beside: b.FS(), Shared: &dsl.Shared{}}
		text := b.Files[b.Main]
		for range 3 {
			refute(t, b.Main, text, lib, found)
			text = change(text, r)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Log(found)
}

// TestSense: what the checker says can never happen does not happen. Rule books are changed here and there, which makes
// nonsense of some of their lines; every finding of the checker that play can refute is then put to the test.
func TestSense(t *testing.T) {
	texts := map[string]string{}
	for folder, fsys := range map[string]fs.FS{"": rulesets.FS, "games": os.DirFS(filepath.Join("..", "examples", "games"))} {
		names, err := fs.Glob(fsys, "*.rules")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			texts[filepath.Join(folder, name)] = string(text)
		}
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lib := dsl.Library{Shipped: rulesets.FS, Shared: &dsl.Shared{}}
			if strings.HasPrefix(name, "games") {
				lib.Beside = os.DirFS(filepath.Join("..", "examples", "games"))
			}
			r := rand.New(rand.NewPCG(7, uint64(len(text))))
			found := map[string]int{}
			for i := range *sensed {
				changed := text
				for range 1 + r.IntN(4) {
					changed = change(changed, r)
				}
				refute(t, filepath.Base(name), changed, lib, found)
				if i%3 == 0 {
					besideErrors(t, filepath.Base(name), changed, lib)
				}
			}
			t.Log(found)
		})
	}
}

// change makes one small change to a rule file.
func change(text string, r *rand.Rand) string {
	file := source.New("changed.rules", text)
	all := dsl.Mutants(file)
	if len(all) == 0 {
		return text
	}
	m := all[r.IntN(len(all))]
	return text[:m.Span.Start] + m.New + text[m.Span.End:]
}

// refute plays games of a changed rule book against what the checker says of it, and counts the findings by code.
func refute(t *testing.T, name, text string, lib dsl.Library, counts map[string]int) {
	file := source.New(name, text)
	book, l := dsl.Load(file, lib)
	if book == nil {
		return
	}
	found := dsl.Check(book)
	if l.HasErrors() || found.HasErrors() {
		return
	}
	fired, result := play(t, book)
	for _, d := range found {
		if d.Span.File != file {
			continue
		}
		switch d.Code {
		case "never-applies", "never-possible":
			counts[d.Code]++
			if fired[d.Span] > 0 && !strings.HasPrefix(d.Message, "no option of move") { // which is one of several
				t.Errorf("%v\nit has applied %d times in\n%s", d, fired[d.Span], excerpt(file, d.Span))
			}
		case "ends-at-once":
			clause := d.Span.Text()
			if throws := strings.ReplaceAll(result, "a fault;", ""); throws != "" && !strings.Contains(d.Message, " with ") && (strings.HasPrefix(clause, "win") || strings.HasPrefix(clause, "over")) {
				counts[d.Code]++
				if !strings.HasPrefix(throws, "0 ") {
					t.Errorf("%v\nthe game goes on:\n%s\n%s", d, result, excerpt(file, d.Span))
				}
			}
		case "unlimited-turn", "endless-turn":
			counts[d.Code]++
			if n := longestTurn(t, book); n < manyThrows {
				t.Errorf("%v\nwith the same numbers again and again no turn has more than %d throws\n%s", d, n, excerpt(file, d.Span))
			}
		case "may-be-nil", "bad-index": // what is always nil, or has no such element, is a fault wherever it is asked for
			if strings.Contains(d.Message, "always nil") || strings.Contains(d.Message, "never has an element") {
				counts[d.Code]++
				if asked(t, book, d.Span) {
					t.Errorf("%v\nit has been asked without a fault in\n%s", d, excerpt(file, d.Span))
				}
			}
		case "covered", "impossible-duty", "always-same", "unreachable", "no-effect", "asked-late":
			instead := "" // a line that says nothing new can go, a comparison is as good as what it always is
			switch word, _, _ := strings.Cut(d.Span.Text(), " "); {
			case strings.HasSuffix(d.Message, "the same for all of them"):
				continue // whatever it is
			case strings.HasPrefix(d.Message, "both ways give the same"):
				instead = d.Message[strings.Index(d.Message, "\"")+1 : len(d.Message)-1]
			case strings.HasPrefix(d.Message, "this is always \""):
				instead = strings.TrimSuffix(strings.TrimPrefix(d.Message, "this is always \""), "\"")
			case d.Code == "always-same" && !strings.Contains(d.Message, "true") && strings.HasSuffix(d.Message, " here") && strings.Contains(d.Message, "\" is always "):
				instead = strings.TrimSuffix(d.Message[strings.Index(d.Message, "\" is always ")+len("\" is always "):], " here")
			case d.Code == "always-same" && !strings.Contains(d.Message, "true"): // a number that what is looked for never is
				instead = "-30000"
			case d.Code == "always-same":
				instead = fmt.Sprint(strings.Contains(d.Message, "always true"))
			case d.Code == "unreachable":
				instead = "over"
			case d.Code == "asked-late" && !strings.Contains(d.Span.Text(), "nil"):
				continue // how many there are may be asked
			case d.Code == "asked-late": // where it is asked it is settled
				instead = fmt.Sprint(strings.Contains(d.Span.Text(), "!="))
			case d.Code == "covered" && strings.HasPrefix(d.Span.Text(), "may") && slices.ContainsFunc(d.Notes, func(n diag.Note) bool { return n.Span.File == file && n.Span.Start > d.Span.Start }):
				continue // without it options are offered in another order
			case strings.HasPrefix(d.Message, "two sides of this"), strings.HasPrefix(d.Message, "no option of move"):
				continue // the other side stays
			case strings.HasPrefix(d.Message, "since this holds"):
				continue // it is the other rule that can go
			case d.Code == "no-effect" && slices.Contains([]string{"put", "send", "exchange", "set", "choose", "throw"}, word):
				continue // the order of arrival may change, or the numbers thrown; with nothing to choose the rest of the block is left out
			case d.Code == "no-effect" && (word == d.Span.Text() || word == "if" && !strings.HasPrefix(d.Message, "nothing") || strings.HasPrefix(d.Message, "no value") || strings.Contains(d.Message, "ends where it begins")):
				continue // the name of an act, an if of which a part does something, a move that still lands
			}
			counts[d.Code]++
			other, _ := dsl.Load(source.New(name, text[:d.Span.Start]+instead+text[d.Span.End:]), lib)
			if other == nil {
				continue
			}
			if faults := dsl.Check(other); faults.HasErrors() {
				continue
			}
			_, got := play(t, other)
			if strings.Contains(result, "a fault;") && !strings.Contains(got, "a fault;") {
				continue // the line is what fails
			}
			if got != result {
				t.Errorf("%v\nwithout it the games are others:\n%s\n%s\n%s", d, result, got, excerpt(file, d.Span))
			}
		}
	}
}

// manyThrows are more throws than a turn with a limit has in the rule books that are looked at.
const manyThrows = 20

// longestTurn plays with the same numbers again and again, and returns the largest number of throws of a turn: manyThrows where a game has
// come to its end before.
func longestTurn(t *testing.T, book *dsl.Book) int {
	longest := 0
	rules, _ := book.Rules(dsl.Setting{Players: book.PlayerNumbers(nil)[0]})
	g, err := interpreter.Compile(rules)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 72 {
		r := interpreter.NewRandom(5, uint64(n))
		p := g.Start(interpreter.ByTheRules)
		for nodes, throws := 0, 0; nodes < 4000 && longest < manyThrows; nodes++ {
			if p.Kind() == interpreter.Over || p.Kind() == interpreter.Broken {
				return manyThrows
			}
			if p.TurnBegins() {
				throws = 0
			}
			if p.Kind() == interpreter.Choice && n >= 36 { // what comes first: none declines
				if err := p.Choose(0); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if p.Kind() != interpreter.Throw {
				p.ChooseRandom(&r)
				continue
			}
			if p.Opening() {
				p.ThrowRandom(&r)
				continue
			}
			var numbers []int
			for i, rest := 0, n; i < max(1, len(p.Dice())); i++ {
				all := p.Outcomes(nil, i)
				numbers = append(numbers, all[rest%len(all)].Value)
				rest /= len(all)
			}
			if err := p.Throw(numbers...); err != nil {
				break
			}
			throws++
			longest = max(longest, throws)
		}
	}
	return longest
}

// asked reports whether a game has evaluated the condition that a place stands in.
func asked(t *testing.T, book *dsl.Book, at source.Span) bool {
	rules, _ := book.Rules(dsl.Setting{Players: book.PlayerNumbers(nil)[0]})
	g, err := interpreter.CompileNoting(rules)
	if err != nil {
		t.Fatal(err)
	}
	noted := make([]bool, len(g.Notes()))
	for k := range uint64(6) {
		r := interpreter.NewRandom(3, k)
		p := g.Start(interpreter.ByTheRules)
		p.Playout(&r, interpreter.Until{Throws: 400})
		p.Noted(noted)
	}
	for i, n := range g.Notes() {
		condition := n.Kind == interpreter.ConditionYes || n.Kind == interpreter.ConditionNo
		if noted[i] && condition && n.Span.File == at.File && n.Span.Start <= at.Start && at.End <= n.Span.End && !strings.ContainsAny(n.Span.Text(), "(?") {
			return true
		}
	}
	return false
}

// besideErrors: what is found in a file that has an error besides is found without the error too.
func besideErrors(t *testing.T, name, text string, lib dsl.Library) {
	book, _ := dsl.Load(source.New(name, text), lib)
	if book == nil {
		return
	}
	whole := dsl.Check(book)
	if whole.HasErrors() {
		return
	}
	file := source.New(name, text+"\nrule with_an_error \"With an error\" { on throw { earn nobody_knows } }\n")
	if book, _ = dsl.Load(file, lib); book == nil {
		t.Fatal("it does not load")
	}
	for _, d := range dsl.Check(book) {
		known := slices.ContainsFunc(whole, func(w diag.Diagnostic) bool { return w.Span.Start == d.Span.Start && w.Code == d.Code })
		if d.Severity != diag.Error && !known {
			t.Errorf("%v\nis found beside an error only\n%s", d, excerpt(file, d.Span))
		}
	}
}

func excerpt(f *source.File, at source.Span) string {
	line := at.Position().Line
	var out []string
	for n := max(1, line-3); n <= min(f.LineCount(), line+3); n++ {
		out = append(out, f.Line(n))
	}
	return strings.Join(out, "\n")
}

// play plays some games and tells how often each clause took effect, and what came of them.
func play(t *testing.T, book *dsl.Book) (map[source.Span]int, string) {
	w := &firing{clauses: map[source.Span]int{}}
	var result strings.Builder
	players := slices.Sorted(slices.Values(book.PlayerNumbers(nil)))
	for _, n := range []int{players[0], players[len(players)-1]} {
		rules, l := book.Rules(dsl.Setting{Players: n})
		if rules == nil {
			t.Fatal(l)
		}
		g, err := interpreter.Compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		run, err := interpreter.NewRunner(g, interpreter.RunOptions{MaxThrows: 400, Watch: w})
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(6) {
			x, err := run.Play(3, k)
			if err != nil {
				result.WriteString("a fault;") // its place may have moved
				continue
			}
			fmt.Fprintf(&result, "%d %d %v %v;", x.Throws, x.Decisions, x.Won, x.Moves)
		}
	}
	return w.clauses, result.String()
}

type firing struct{ clauses map[source.Span]int }

func (w *firing) Fired(x *model.Clause)   { w.clauses[x.Span]++ }
func (w *firing) Acted(*model.Act, []int) {}
func (w *firing) Put(piece, from, to int) {}
