package wasm_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/random"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
	"github.com/rulerun/rulerun/interpreter/internal/wasm"
)

// head is the beginning of the small rule books of these tests. Each game ends by its rules, so that a module without a throw limit ends
// too.
func head(track, more string) string { return few(3, track, more) }

func few(pieces int, track, more string) string {
	return fmt.Sprintf(`ruleset small "Small"
board round track %s
players 3
pieces %d at home
var game n = 0
var game ticks = 0
var piece tired: flag
rule clock "A game has 120 throws" { on throw { ticks += 1 }; over when ticks >= 120 }
`, track, pieces) + more + "\n"
}

const (
	die     = "dice die = {-2: 1, 1: 3, 2: 2, 3: 2}\n"
	walking = `
turn { throw die; play die; if die == 3 { again } }
move enter(p in mine)   from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p) when die > 0; may advance(p) }
rule ending "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }
`
)

// books use the features of a module: all kinds of throws, questions, decks, paths, track sets, pieces in the hand, and the leader.
var books = map[string]string{
	"weights":  head("strip", die) + walking,
	"ordinary": head("strip", "dice die = d6") + walking + `rule a "A" { on advance(p) { n += steps } }`,
	"highest":  head("strip", die+"first highest die") + walking,
	"lot":      head("strip", die+"first lot") + walking,
	"pairs":    head("strip", die) + walking + `rule a "A" { step into s: bar when len(s.pieces) == 2; end on s: bar when len(s.pieces) == 3 }`,
	"lone":     head("strip", die) + walking + `rule a "A" { step into s: bar when len(s.pieces) == 1 && s.nook; step into s: bar when count(s.pieces, .colour == p.colour) > 2 }`,
	"empty":    head("strip", die) + walking + `rule a "A" { step into s: bar when len(s.pieces) == 0 && s.nook; step into s: bar when len(s.pieces) == 3 }`,
	"ring": head("loop", die) + walking + `rule a "A" { step into s: bar when count(s.pieces, .colour != p.colour) >= 2; end on s: bar when any(s.pieces, .colour != p.colour) && s.nook
on land(p, s) { for q in filter(s.pieces, .colour != p.colour) { send q to home } } }`,
	"turns":   head("strip", die) + walking + `rule a "A" { step into s: turn when any(s.pieces, .colour != p.colour); end on s: bar when s.nook && len(s.pieces) > 0; step beyond: turn; on turned(p, s) { n += 1 } }`,
	"path":    head("strip", die) + walking + `rule a "A" { on step(p) from a to b when b == p.start { n += 1 }; on step(p) from a to b when a == p.start { p.tired = true } }`,
	"entered": head("strip", die) + walking + `rule a "A" { on step(p) from a to b when b == p.start { n += 1 } }`,
	"left":    head("strip", die) + walking + `rule a "A" { on step(p) from a to b when a == p.start { n += 1 } }`,
	"passed":  head("strip", die) + walking + `rule a "A" { on pass(p, s) { n += len(s.pieces) }; on leave(p, s) { n += 1 } }`,
	"last": head("strip", die) + walking + `let mate(piece p) = last(square("2").pieces)
rule a "A" { on leave(p, s) when last(s.pieces) != nil { n += 1 }; on throw { if last(square("3").pieces) == nil { n += 2 }; if first(square("2").pieces) == nil { n += 1 } } }`,
	"cards":  head("strip", "dice die = deck {1: 2, 2: 3, -2: 1}") + walking,
	"chosen": head("strip", "dice die = choice of [1, 3, 2]") + walking,
	"asked": head("strip", die) + `
turn { throw die; choose q "Which?" from game.pieces; q.tired = !q.tired; choose k from [2, 1, 2, die]; n += k; play k }
move enter(p in mine)   from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p); may advance(p) when !p.tired }
rule ending "A piece in the goal ends it" { over when any(game.pieces, .at == goal) || n > 500 }`,
	"each": head("strip", die+"dice other = d6") + `
turn { throw die, other; play each of [die, other]; play earned }
move enter(p in mine)   from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p); may advance(p); on enter(p) { earn 2 with p } }
rule ending "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }`,
	"most": head("strip", die+"dice other = d6") + `
turn { throw die, other; play most of [die, other, 1] }
move enter(p in mine)   from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p) when steps == 1; may advance(p); step into s: bar when len(s.pieces) > 1 }
rule ending "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }`,
	"carried": head("strip", die) + `
turn { throw die; play die }
move enter(p in mine) from home to square("2")
move push(p in mine)  from squares walk steps carrying filter(p.at.pieces, .colour == p.colour)
rule counting "One piece counts the number" { may enter(p); may push(p); step into s: bar when count(s.pieces, .colour != p.colour) > 1; on leave(p, s) when len(s.pieces) == 1 { n += 1 } }
rule ending "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }`,
	"undone": head("strip", die+"var turn threes = 0") + `
turn { throw die; play die; if die == 3 { threes += 1; if threes == 2 { undo turn } else { again } } }
move enter(p in mine)   from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p); may advance(p); step into s: bar when len(s.pieces) == 2 }
rule ending "A piece in the goal ends it" { over when any(game.pieces, .at == goal) }`,
	"sent back": head("loop", die) + walking + `rule a "A" { on land(p, s) when s.nook { send p to home }; on advance(p) to s when die == 1 { for q in filter(s.pieces, # != p) { send q to home } } }`,
	"ranked": head("strip", die) + `
turn { throw die; play die }
move enter(p in mine)   from home to square("2")
move advance(p in mine) from squares walk steps
rule counting "One piece counts the number" { may enter(p); may advance(p); must advance(p) to s when s == goal; must advance(p) when p.index > 3 }
rule ending "Who comes to the goal is ranked" { rank player x when any(x.pieces, .at == goal) }`,
	"to and fro":    few(1, "strip", "dice die = {-2, -1, 1}\nsetup { for p in game.pieces { put p on square(\"5\") } }") + walking,
	"three abreast": few(2, "strip", "dice die = {-2, -1, 1, 2}\nsetup { for p in game.pieces { put p on square(\"5\") } }") + walking + `rule a "A" { on land(p, s) when die == 2 { for q in filter(s.pieces, .colour != p.colour) { put q on square("1") } } }`,
	"cut short": head("strip", die) + `
setup { put yellow.pieces[0] on square("1"); put blue.pieces[0] on square("2"); put red.pieces[0] on square("3") }
turn { throw die; play die }
move pass(p in mine, q in filter(game.pieces, .at.square && .colour != p.colour)) from squares walk steps
rule counting "A piece passes on what one of the others says" { may pass(p, q); on step(p) from a to s when s.nook { over } }`,
	"21 pieces": few(7, "strip", die) + walking + `rule a "A" { step into s: bar when len(s.pieces) > 3; must advance(p) when none(mine, .at == home) && count(p.at.pieces, .colour != p.colour) > 0 }`,
	"36 pieces": few(12, "strip", die) + walking + `rule a "A" { step into s: bar when len(s.pieces) > 3; must advance(p) when none(mine, .at == home) && count(p.at.pieces, .colour != p.colour) > 0 }`,
	"led":       head("strip", die) + walking + "let lead(player x) = sum(x.pieces, .index + 1) + n\n",
	"sets":      head("strip", die+"var game seen: set of 0..40 = [1]\nvar player purse = 3") + walking + `rule a "A" { on advance(p) { seen += [steps + 10, n % 40]; me.purse -= 1; n += len(seen) }; on throw when 12 in seen { seen -= [12] } }`,
}

// study is a rule book compiled for both back ends, with its module.
type study struct {
	rules *model.Rules
	unit  *compile.Unit
	s     *wasm.Source
	far   []int
	lead  int
	play  *wasm.Player
}

func studied(t *testing.T, text string) *study {
	t.Helper()
	book, faults := dsl.Load(source.New("small.rules", text), dsl.Library{Beside: os.DirFS("../vm/testdata")})
	if book == nil {
		t.Fatal(faults)
	}
	rules, faults := book.Rules(dsl.Setting{})
	if rules == nil {
		t.Fatal(faults)
	}
	x, err := compile.Study(rules)
	if err != nil {
		t.Fatal(err)
	}
	p := x.Unit.Program
	g := &study{rules: rules, unit: x.Unit, lead: x.Lead}
	for colour, c := range rules.Colours {
		g.far = append(g.far, make([]int, p.Nodes[colour]-len(g.far))...)
		for _, n := range rules.Track.Runs[c.Board].Nodes {
			g.far = append(g.far, n.Index)
		}
	}
	g.s = &wasm.Source{Program: p, Main: x.Unit.Main, Entries: x.Unit.Entries, Lead: x.Lead, Known: x.Reads.Known, Reads: x.Reads.Cells, Far: g.far, Looks: true, Choices: true}
	for k := range code.HeaderCells {
		g.s.Scalars = append(g.s.Scalars, k)
	}
	for d := range p.Dice {
		g.s.Scalars = append(g.s.Scalars, p.Layout.Dice+d)
	}
	g.s.Asked = rules.Teams
	for q := range p.Layout.Pieces {
		g.s.Team = append(g.s.Team, rules.Seats[rules.Colours[q/p.Layout.PerColour].Seat].Team)
	}
	b, err := wasm.Compile(g.s)
	if errors.Is(err, wasm.ErrUnsupported) && runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if g.play, err = b.NewPlayer(); err != nil {
		t.Fatal(err)
	}
	return g
}

// outcome is the result of a game.
type outcome struct {
	throws, decisions, first, leader, changes, ranked, before int
	unfinished                                                bool
}

// byHand plays a game in the interpreter, feeds it each random number, and records the result.
func (g *study) byHand(t *testing.T, m *vm.Machine, x random.Source, most int) outcome {
	t.Helper()
	p := g.unit.Program
	l, st := &p.Layout, m.State()
	o := outcome{first: -1, leader: -1, ranked: -1}
	look := func() { // the leader is ahead of all others
		if st[code.CellRanked] > 0 && o.ranked < 0 {
			o.ranked, o.before = o.throws, o.decisions
		}
		best, leader := 0, -1
		for team, seats := range g.rules.Teams {
			far := 0
			switch {
			case g.lead > 0:
				for _, seat := range seats {
					was := st[code.CellP0]
					st[code.CellP0] = int16(seat)
					v, _ := m.Eval(g.lead)
					st[code.CellP0] = was
					far += v
				}
			default:
				for q, of := range g.s.Team {
					if n := st[l.Node+q]; of == team && n >= 0 {
						far += g.far[n] + 1
					}
				}
			}
			switch {
			case team == 0 || far > best:
				best, leader = far, team
			case far == best:
				leader = -1
			}
		}
		if leader >= 0 && leader != o.leader {
			if o.leader >= 0 {
				o.changes++
			}
			o.leader = leader
		}
	}
	m.Reset()
	clear(m.Counters)
	st[code.CellMe] = -1
	for ok := m.Start(compile.EntryStart); ok; {
		switch m.Node {
		case code.NodeOver:
			look()
			return o
		case code.NodeOption, code.NodePick:
			if st[code.CellPlays] >= 0 {
				o.decisions++
			}
			n := len(m.Picks())
			if m.Node == code.NodeOption {
				n = m.OptionCount()
			}
			ok = m.Resume(x.IntN(n))
			continue
		}
		throw := &p.Throws[m.Site]
		opening := throw.Lot || throw.Start
		if !opening && o.first < 0 {
			o.first = int(st[code.CellMe])
		}
		if o.throws >= most {
			o.unfinished = true
			return o
		}
		look()
		if throw.Lot {
			st[code.CellMe] = int16(x.IntN(l.Players))
		}
		for _, d := range throw.Dice {
			st[l.Dice+d] = int16(g.number(m, &p.Dice[d], &x))
		}
		if !opening {
			o.throws++
		}
		ok = m.Resume(0)
	}
	t.Fatalf("fault %d", m.Fault.Kind)
	return o
}

// number is the number of a die.
func (g *study) number(m *vm.Machine, d *code.Die, x *random.Source) int {
	weights := slices.Clone(d.Weights)
	switch {
	case d.Choice:
		return int(m.Picks()[x.IntN(len(m.Picks()))])
	case d.Deck >= 0:
		left := m.State()[d.Deck : d.Deck+len(d.Values)]
		if slices.Max(left) == 0 {
			for i, w := range d.Weights {
				left[i] = int16(w)
			}
		}
		for i := range weights {
			weights[i] = int(left[i])
		}
	}
	total := 0
	for _, w := range weights {
		total += w
	}
	at := x.IntN(total)
	for i, w := range weights {
		if at -= w; at < 0 {
			if d.Deck >= 0 {
				m.State()[d.Deck+i]--
			}
			return d.Values[i]
		}
	}
	panic("a number beyond the weights")
}

// TestGames plays the same games as WebAssembly and in the interpreter and compares all results and the last state.
func TestGames(t *testing.T) {
	for name, text := range books {
		t.Run(name, func(t *testing.T) {
			g := studied(t, text)
			m, after := vm.New(g.unit.Program), vm.New(g.unit.Program)
			for seed := range 60 {
				r := wasm.Request{Random: uint64(seed) * 77, First: -1, MaxThrows: 150 - 110*(seed%2), Leads: true}
				if err := g.play.Play(r); err != nil {
					t.Fatalf("game %d: %v", seed, err)
				}
				want := g.byHand(t, m, random.Source(r.Random), r.MaxThrows)
				if want.leader >= 0 && g.play.Since > want.throws {
					t.Errorf("game %d: its last leader came to lead after %d throws of %d", seed, g.play.Since, want.throws)
				}
				got := outcome{g.play.Throws, g.play.Decisions, g.play.First, g.play.Leader, g.play.LeadChanges, g.play.Ranked, g.play.Before, g.play.Unfinished}
				if got != want {
					t.Fatalf("game %d comes to\n%+v\nwant\n%+v", seed, got, want)
				}
				g.play.Final(after)
				g.sameEnd(t, seed, after, m)
				if t.Failed() {
					return
				}
			}
		})
	}
}

// momentary are cells whose values matter only for a moment, not after the end of a game.
var momentary = []int{
	code.CellPoint, code.CellThrown, code.CellEarned, code.CellWith, code.CellUsable, code.CellDecider, code.CellNumber, code.CellP1, code.CellP2, code.CellP3, code.CellNode, code.CellHeading,
}

// sameEnd compares the last state of a module with that of the interpreter.
func (g *study) sameEnd(t *testing.T, seed int, got, want *vm.Machine) {
	t.Helper()
	l := &g.unit.Program.Layout
	for k := range l.Frame {
		if slices.Contains(momentary, k) || l.Path >= 0 && k >= l.Path && k < l.Path+code.MaxPath/4 || k >= l.Queue && k < l.Queue+2*code.MaxQueue || k >= l.Numbers && k < l.NumbersEnd {
			continue
		}
		if x, y := got.State()[k], want.State()[k]; x != y {
			t.Errorf("game %d leaves @%s %d, want %d", seed, g.unit.Program.CellName(k), x, y)
		}
	}
	for i := range got.Counters {
		if x, y := got.Counters[i], want.Counters[i]; x != y {
			t.Errorf("game %d leaves counter %d at %d, want %d", seed, i, x, y)
		}
	}
	if !slices.Equal(got.Derived(), want.Derived()) {
		t.Errorf("game %d leaves derived words\n%b, want\n%b", seed, got.Derived(), want.Derived())
	}
	if !slices.Equal(got.Squares(), want.Squares()) {
		t.Errorf("game %d leaves other squares", seed)
	}
}
