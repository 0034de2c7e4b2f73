package interpreter

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/internal/generate"
)

// netCase is a book with what else settles how it is played.
type netCase struct {
	Book    generate.Book
	Options map[string]string
	Players int
	Seed    uint64
	Law     string // the only one to be looked at; "" is all
	Quick   bool   // loaded in its own setting only, not checked in all
	Brief   bool   // a law begins no further game after a third of the usual time
	Settled bool   // Options and Players are given; else they are drawn from Seed
}

// netVerdict is what came of a case.
type netVerdict struct {
	Rejected  string // why check does not pass it
	Failures  []netFailure
	Options   map[string]string
	Players   int
	Nodes     int
	Over      int // games that ended
	Broken    int // games in which the rules failed
	Batched   bool
	Decisions map[int][]int // how often each of so many options was taken
}

// netFailure is a law that does not hold.
type netFailure struct {
	Law    string
	Sign   string // what is the same of two failures of one cause, most of the time
	Detail string // how things differ
}

// netTB lets the laws stop where a test would.
type netTB struct {
	testing.TB
	law string
}

func (t *netTB) Helper()             {}
func (t *netTB) Log(...any)          {}
func (t *netTB) Logf(string, ...any) {}
func (t *netTB) Fatal(args ...any)   { panic(netFailure{Law: t.law, Detail: fmt.Sprintln(args...)}) }
func (t *netTB) Fatalf(f string, args ...any) {
	panic(netFailure{Law: t.law, Detail: fmt.Sprintf(f, args...)})
}
func (t *netTB) Error(args ...any)            { t.Fatal(args...) }
func (t *netTB) Errorf(f string, args ...any) { t.Fatalf(f, args...) }

// netRun is a case being played.
type netRun struct {
	netTB
	c     *netCase
	v     *netVerdict
	rules *model.Rules
	forms *forms
	slow  bool      // a node takes long, or goes round up to the limit there is: the forms alone are compared
	ends  time.Time // until when a law may go on with other games
}

// netLaws are what must hold of every book, in the order they are looked at.
var netLaws = []struct {
	name string
	hold func(*netRun)
}{
	{"compile", (*netRun).compiles},
	{"forms", (*netRun).formsAgree},
	{"reference", (*netRun).referenceAgrees},
	{"methods", (*netRun).methodsDefined},
	{"positions", (*netRun).positionsWhole},
	{"playouts", (*netRun).playoutsAgree},
	{"batches", (*netRun).batchesAgree},
	{"chance", (*netRun).chanceEven},
}

// judge plays a case by all laws.
func (c *netCase) judge() (v netVerdict) {
	x := &netRun{c: c, v: &v}
	fine := x.hold("check", func() bool { return x.load() })
	for _, l := range netLaws {
		if fine && (c.Law == "" || slices.Contains(strings.Split(c.Law, ","), l.name) || l.name == "compile") {
			held := x.hold(l.name, func() bool { l.hold(x); return true })
			fine = held || l.name != "compile"
			fine = fine && !(x.slow && l.name == "forms")
		}
	}
	return v
}

// hold looks at one law, and takes down what it panics with: a difference it found, or a panic of the engine.
func (x *netRun) hold(law string, f func() bool) (held bool) {
	most := 3 * time.Second
	if x.c.Brief {
		most /= 3
	}
	x.law, x.ends = law, time.Now().Add(most)
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		held = false
		found, ok := r.(netFailure)
		if ok {
			found.Detail = strings.TrimSpace(found.Detail)
			line, _, _ := strings.Cut(found.Detail, "\n")
			line = strings.Replace(line, "node 0:", "the first node:", 1)
			if found.Sign = varies.ReplaceAllString(line, "N"); len(found.Sign) > 110 {
				found.Sign = found.Sign[:110]
			}
		} else {
			stack := string(debug.Stack())
			found = netFailure{law, "panic in " + frame(stack), fmt.Sprintf("panic: %v\n%s", r, stack)}
		}
		x.v.Failures = append(x.v.Failures, found)
	}()
	return f()
}

// varies is what differs from one failure to another of the same cause.
var varies = regexp.MustCompile(`-?\d+|"[a-z]+(-\d)?"`)

// frame is the innermost function of the engine on a stack.
func frame(stack string) string {
	_, after, _ := strings.Cut(stack, "panic(")
	for _, line := range strings.Split(after, "\n") {
		if _, at, ok := strings.Cut(line, "github.com/rulerun/rulerun/"); ok && !strings.HasPrefix(line, "\t") && !strings.Contains(at, "netTB") {
			at, _, _ = strings.Cut(at, "(0x")
			return strings.TrimSuffix(strings.TrimSuffix(at, "(...)"), "({")
		}
	}
	return "the runtime"
}

// load makes the rules in the setting of the case; false where they do not check.
func (x *netRun) load() bool {
	var book *dsl.Book
	if x.c.Quick {
		book, _ = x.c.Book.Load()
	} else {
		var faults diag.List
		book, faults = x.c.Book.Check()
		for _, f := range faults {
			if book == nil && x.v.Rejected == "" && f.Severity == diag.Error {
				x.v.Rejected = f.Code + ": " + f.Message
			}
		}
	}
	if book == nil {
		if x.v.Rejected == "" {
			x.v.Rejected = "it does not load"
		}
		return false
	}
	setting := dsl.Setting{Options: map[string]string{}, Players: x.c.Players}
	if x.c.Settled {
		for _, o := range book.Options() {
			if value, ok := x.c.Options[o.Name]; ok {
				setting.Options[o.Name] = value
			}
		}
		if numbers := book.PlayerNumbers(setting.Options); !slices.Contains(numbers, setting.Players) {
			setting.Players = 0
		}
	} else {
		setting = someSetting(book, rand.New(rand.NewPCG(x.c.Seed, 1)))
	}
	x.v.Options, x.v.Players = setting.Options, setting.Players
	rules, faults := book.Rules(setting)
	if rules == nil {
		x.v.Rejected = "not in this setting"
		if x.c.Settled || x.c.Quick {
			return false
		}
		x.Fatalf("checked in every setting, it has faults in one: %v", faults)
	}
	x.rules = rules
	return true
}

func (x *netRun) compiles() {
	x.forms = bothForms(x, x.rules)
	began, r := time.Now(), NewRandom(x.c.Seed, 0)
	p := x.forms.fast.Start(ByTheRules)
	for n := 0; n < 60 && p.Kind() <= Choice || n == 0; n++ {
		if p.ThrowRandom(&r); p.Kind() == Choice {
			p.ChooseRandom(&r)
		}
		if x.slow = beyond(p) || time.Since(began) > 100*time.Millisecond; x.slow {
			return
		}
	}
}

// formsAgree: sets of pieces and squares make no difference.
func (x *netRun) formsAgree() {
	for game := range uint64(3) {
		p, q := x.forms.fast.Start(ByTheRules), x.forms.plain.Start(ByTheRules)
		x.forms.play(x, p, q, NewRandom(x.c.Seed, game), 150)
		if time.Now().After(x.ends) {
			return
		}
	}
}

func (x *netRun) playoutsAgree() {
	for k := range uint64(3) {
		if time.Now().Before(x.ends) {
			playoutAgrees(x, x.forms.fast, x.c.Seed*3+k)
		}
	}
	runnerAgrees(x, x.forms.fast, x.c.Seed, 5)
}

func (x *netRun) batchesAgree() {
	if x.c.Law == "" && x.c.Seed%2 == 1 { // making one takes longer than all else
		return
	}
	x.v.Batched = batchesAgree(x, x.forms.fast, ByTheRules, x.c.Seed, 2000)
}

// nodes plays some games by chance and shows every node.
func (x *netRun) nodes(games, nodes int, see func(p *Position, node int)) {
	g := x.forms.fast
	for game := range games {
		r := NewRandom(x.c.Seed, uint64(100+game))
		p := g.Start(ByTheRules)
		for node := range nodes {
			see(p, node)
			if time.Now().After(x.ends) {
				return
			}
			switch p.Kind() {
			case Throw:
				p.ThrowRandom(&r)
				continue
			case Choice:
				p.ChooseRandom(&r)
				continue
			}
			break
		}
	}
}

// methodsDefined: every public method of a position says something at every node, and one that fails says how. A fault of the
// rules has a place.
func (x *netRun) methodsDefined() {
	g := x.forms.fast
	everyMethod(x, reflect.ValueOf(g), nil)
	x.nodes(3, 120, func(p *Position, node int) {
		x.v.Nodes++
		switch p.Kind() {
		case Over:
			x.v.Over++
		case Broken:
			x.v.Broken++
			var fault *RuleError
			if !errors.As(p.Err(), &fault) || fault.Message == "" || fault.Span.IsZero() {
				x.Fatalf("a fault without a place: %v", p.Err())
			}
		}
		if node < 40 || node%8 == 0 || p.Kind() > Choice {
			everyMethod(x, reflect.ValueOf(p), p)
		}
	})
}

// everyMethod calls all exported methods, those of a position on a copy of it.
func everyMethod(x *netRun, v reflect.Value, p *Position) {
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		on := v
		if p != nil {
			on = reflect.ValueOf(p.Copy())
		}
		callMethod(x, name, on.Method(i), p)
	}
}

// callMethod calls one method with arguments that make sense, and tells of a panic by the method's name.
func callMethod(x *netRun, name string, m reflect.Value, p *Position) {
	defer func() {
		if r := recover(); r != nil {
			if f, ok := r.(netFailure); ok {
				panic(f)
			}
			at := ""
			if p != nil {
				at = " at " + [...]string{"a throw", "a choice", "the end", "a fault"}[p.Kind()]
			}
			f := netFailure{x.law, fmt.Sprintf("a panic%s in %s", at, frame(string(debug.Stack()))), fmt.Sprintf("%s: %v", name, r)}
			if !slices.ContainsFunc(x.v.Failures, func(o netFailure) bool { return o.Sign == f.Sign }) {
				x.v.Failures = append(x.v.Failures, f) // and on to the next one
			}
		}
	}()
	g := x.forms.fast
	var args []reflect.Value
	for i := range m.Type().NumIn() {
		t := m.Type().In(i)
		arg := reflect.Zero(t)
		switch t {
		case reflect.TypeFor[Watcher]():
		case reflect.TypeFor[*Random]():
			r := NewRandom(1, 1)
			arg = reflect.ValueOf(&r)
		case reflect.TypeFor[Until]():
			arg = reflect.ValueOf(Until{Throws: 20})
		case reflect.TypeFor[*Position]():
			arg = reflect.ValueOf(g.Start(0))
		case reflect.TypeFor[*Game]():
			arg = reflect.ValueOf(g)
		case reflect.TypeFor[func(*Decision)]():
			arg = reflect.ValueOf(func(*Decision) {})
		case reflect.TypeFor[[]bool]():
			arg = reflect.ValueOf(make([]bool, len(g.Notes())))
		case reflect.TypeFor[*Setup]():
			arg = reflect.ValueOf(g.Start(0).Setup())
		case reflect.TypeFor[io.Writer]():
			arg = reflect.ValueOf(io.Discard)
		case reflect.TypeFor[Wording]():
			return // TestEveryMethodAtEveryNode has one
		case reflect.TypeFor[Option]():
			continue
		case reflect.TypeFor[*model.Test](), reflect.TypeFor[func(*model.TestLine, *Position)]():
			continue
		default:
			if k := t.Kind(); k == reflect.Pointer || k == reflect.Interface || k == reflect.Func || k == reflect.Map { // nil may not do
				return // TestEveryMethodAtEveryNode has its arguments
			}
		}
		args = append(args, arg)
	}
	if name == "Given" || name == "RunTest" || name == "RunTestNoting" || name == "FollowTest" {
		return
	}
	if len(args) < m.Type().NumIn() { // of an option, each that there is
		if p == nil {
			p = g.Start(0)
		}
		for _, o := range p.Options() {
			m.Call([]reflect.Value{reflect.ValueOf(o)})
		}
		return
	}
	if m.Type().IsVariadic() {
		m.CallSlice(args)
		return
	}
	m.Call(args)
}

// doneBefore tells of turns in which something is done before the first node: reading a position back does it again.
func (x *netRun) doneBefore() string {
	first := x.rules.Turn.Stmts[0].Kind
	for _, r := range x.rules.Rules {
		for _, c := range r.Clauses {
			if c.Kind == model.ClauseOn && c.Event == model.EventTurnBegins {
				return ", as is done when a turn begins"
			}
		}
	}
	if first != model.StmtThrow && first != model.StmtPlay {
		return ", as is done before the first throw"
	}
	return ""
}

// positionsWhole: a position written at the beginning of a turn and read back goes on in the same way.
func (x *netRun) positionsWhole() {
	g, seen := x.forms.fast, map[string]int{} // by who is out, which comes late in a game
	x.nodes(8, 150, func(p *Position, node int) {
		if !p.AtTurn() {
			return
		}
		out := fmt.Sprint(p.Result().Ranking)
		if seen[out]++; seen[out] > 15 {
			return
		}
		data, err := json.Marshal(p.Setup())
		if err != nil {
			x.Fatalf("%v", err)
		}
		var setup Setup
		if err := json.Unmarshal(data, &setup); err != nil {
			x.Fatalf("%v", err)
		}
		q, err := g.Setup(&setup)
		if err != nil {
			if len(p.Copy().Forbidding()) > 0 {
				return
			}
			x.Fatalf("it is refused when read back%s: %v\n%s", x.doneBefore(), err, data)
		}
		again, err := json.Marshal(q.Setup())
		if err != nil {
			x.Fatalf("%v", err)
		}
		if diff := cmp.Diff(string(data), string(again)); diff != "" {
			x.Fatalf("it is written otherwise when read back%s\n%s", x.doneBefore(), diff)
		}
		x.goesOnAlike(p, q, data)
	})
}

// goesOnAlike wants two positions to come to the same with the same decisions, some times over.
func (x *netRun) goesOnAlike(p0, q0 *Position, data []byte) {
	for k := range uint64(4) {
		p, q := p0.Copy(), q0.Copy()
		r := NewRandom(x.c.Seed, 1000+k)
		for node := range 25 {
			if p.Kind() != q.Kind() || p.Player() != q.Player() || p.Turn() != q.Turn() {
				x.Fatalf("read back%s, it goes on otherwise\nnode %d of what follows: kind %d, player %d, turn %d, before %d, %d, %d\n%s", x.doneBefore(), node, q.Kind(), q.Player(), q.Turn(), p.Kind(), p.Player(), p.Turn(), data)
			}
			if diff := cmp.Diff(p.Places(nil), q.Places(nil)); diff != "" {
				x.Fatalf("read back%s, pieces stand elsewhere\nnode %d of what follows\n%s\n%s", x.doneBefore(), node, diff, data)
			}
			if a, b := p.Result(), q.Result(); !reflect.DeepEqual(a, b) {
				x.Fatalf("read back%s, it ends otherwise\nnode %d of what follows\n%s\n%s", x.doneBefore(), node, cmp.Diff(a, b), data)
			}
			s := r
			switch p.Kind() {
			case Throw:
				a, b := p.outcomes(), q.outcomes()
				if !slices.EqualFunc(a, b, slices.Equal) {
					x.Fatalf("read back%s, outcomes differ\nnode %d of what follows: %v, before %v\n%s", x.doneBefore(), node, b, a, data)
				}
				p.ThrowRandom(&r)
				q.ThrowRandom(&s)
			case Choice:
				if diff := cmp.Diff(p.Options(), q.Options()); diff != "" {
					x.Fatalf("read back%s, options differ\nnode %d of what follows\n%s\n%s", x.doneBefore(), node, diff, data)
				}
				p.ChooseRandom(&r)
				q.ChooseRandom(&s)
			}
		}
	}
}

// outcomes are those of all devices of the throw at hand.
func (p *Position) outcomes() [][]Outcome {
	n := len(p.Dice())
	if n == 0 { // a lot
		n = 1
	}
	var out [][]Outcome
	for i := range n {
		out = append(out, p.Outcomes(nil, i))
	}
	return out
}

// tally is what chance comes to in some games: sums and sums of squares of some figures of a game.
type tally struct {
	games   int
	sum, sq []float64
}

func (t *tally) add(figures []float64) {
	if t.games++; t.sum == nil {
		t.sum, t.sq = make([]float64, len(figures)), make([]float64, len(figures))
	}
	for i, f := range figures {
		t.sum[i] += f
		t.sq[i] += f * f
	}
}

// apart is how many standard errors the means of two tallies are apart, and of which figure, at most.
func (t *tally) apart(o *tally) (worst float64, which int) {
	for i := range t.sum {
		m, n := t.sum[i]/float64(t.games), o.sum[i]/float64(o.games)
		v := (t.sq[i]/float64(t.games)-m*m)/float64(t.games) + (o.sq[i]/float64(o.games)-n*n)/float64(o.games)
		if m == n {
			continue
		}
		if v <= 0 { // it is always the same, or seems to be
			v = (m + n + 1) * (m + n + 1) / float64(t.games)
		}
		if z := math.Abs(m-n) / math.Sqrt(v); z > worst {
			worst, which = z, i
		}
	}
	return worst, which
}

// chanceEven: games by chance come out alike in the interpreter node by node, in a runner and in WebAssembly. That node by
// node each option is as likely as the others is seen over all books together.
func (x *netRun) chanceEven() {
	v := x.v
	v.Decisions = map[int][]int{}
	g := x.forms.fast
	const most = 400
	base := x.c.Seed * 7919
	counted, err := g.Counted()
	if err != nil {
		x.Fatalf("%v", err)
	}
	slow := func(k uint64) ([]float64, bool) {
		r := NewRandom(base+1, k)
		p := counted.Start(ByTheRules)
		decided := 0
		for n := 0; n < 3000 && p.Throws() < most; n++ {
			switch p.Kind() {
			case Throw:
				p.ThrowRandom(&r)
			case Choice:
				options := p.OptionCount()
				i := r.IntN(options)
				if n%4 == 0 && options > 1 && options <= 8 {
					s := NewRandom(r.Uint64(), 0)
					if j := chosenAt(p, &s); j >= 0 {
						if v.Decisions[options] == nil {
							v.Decisions[options] = make([]int, options)
						}
						v.Decisions[options][j]++
					}
				}
				decided++
				if err := p.Choose(i); err != nil {
					x.Fatalf("option %d of %d: %v", i, options, err)
				}
			case Over:
				return figures(p, x.rules, decided), true
			case Broken:
				return nil, false
			}
		}
		return nil, false
	}
	runner := func(interpret bool) func(k uint64) ([]float64, bool) {
		run, err := NewRunner(g, RunOptions{First: ByTheRules, MaxThrows: most, Interpret: interpret})
		if err != nil {
			x.Fatalf("%v", err)
		}
		if !interpret {
			run.study.batches.spent.Store(int64(batchAfter))
		}
		return func(k uint64) ([]float64, bool) {
			played, err := run.Play(base+2, k)
			if err != nil || played.Unfinished {
				return nil, false
			}
			return figures(run.p, x.rules, 0), true
		}
	}
	all := []struct {
		name string
		play func(k uint64) ([]float64, bool)
	}{{"a runner", runner(true)}}
	if x.v.Batched {
		all = append(all, struct {
			name string
			play func(k uint64) ([]float64, bool)
		}{"WebAssembly", runner(false)})
	}
	for _, other := range all {
		next, size := uint64(0), 60
		for {
			var a, b tally
			failed := 0
			for range size {
				if time.Now().After(x.ends) {
					return
				}
				one, fine := slow(next)
				two, well := other.play(next)
				if next++; !fine || !well {
					if failed++; failed > size/4 { // games that are left out would have to be the same ones
						return
					}
					continue
				}
				one[len(one)-1] = 0
				a.add(one)
				b.add(two)
			}
			if time.Now().After(x.ends) && size < 1000 || a.games == 0 || failed > 0 {
				break
			}
			z, which := a.apart(&b)
			if z < 4 {
				break
			}
			if size >= 1500 {
				if z > 5.5 {
					x.Fatalf("%s does not choose as node by node\n%s is %.3f, node by node %.3f, %.1f standard errors apart in %d games", other.name, figureName(counted, which),
						b.sum[which]/float64(b.games), a.sum[which]/float64(a.games), z, a.games)
				}
				break
			}
			size *= 5
		}
	}
}

// chosenAt is which option ChooseRandom takes, by the state it comes to; -1 where two come to the same.
func chosenAt(p *Position, r *Random) int {
	q := p.Copy()
	q.ChooseRandom(r)
	found := -1
	var all []*Position
	for i := range p.OptionCount() {
		o := p.Copy()
		if o.Choose(i) != nil || slices.ContainsFunc(all, o.Equal) {
			return -1
		}
		if all = append(all, o); o.Equal(q) {
			found = i
		}
	}
	return found
}

// figures are what is compared of a game: throws, the effects of each clause and act, who has won, and where the pieces end.
func figures(p *Position, rules *model.Rules, decided int) []float64 {
	out := []float64{float64(p.Throws())}
	for _, n := range p.m.Counters {
		out = append(out, float64(n))
	}
	won := make([]float64, len(rules.Seats))
	for _, seat := range p.Result().Winners {
		won[seat] = 1
	}
	out = append(out, won...)
	for _, at := range p.Places(nil) {
		out = append(out, float64(at))
	}
	return append(out, 0)
}

func figureName(g *Game, i int) string {
	if i--; i < 0 {
		return "the number of throws"
	}
	if i < len(g.unit.Clauses) {
		return "the clause " + g.unit.Clauses[i].Span.Text()
	}
	return fmt.Sprintf("figure %d", i)
}
