package interpreter_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/interpreter"
)

// ordinary is the game of parchis4a written by hand, the way one writes a game that knows its own rules: structs and
// slices, clauses as code, no rule file. It shares nothing with the interpreter but the clauses, so that it serves as
// an independent check (TestOrdinaryAgrees), and as a yardstick of what reading rules from a file costs
// (BenchmarkOrdinary).
type ordinary struct {
	players []*player
	squares [][]*token // who stands on each ring and corridor square, in the order of arrival
	turn    int        // the player in turn
	thrown  int        // the last number
	sixes   int        // thrown in this turn
	moved   *token     // the piece moved last with the last throw
	options []move     // to choose from; none while a throw is due
	ranking []int      // the players who have finished
}

type player struct {
	colour    string
	start     int // the ring square, counted from 0
	corridor  int // the first square of the corridor
	firstFive bool
	tokens    [4]*token
}

type token struct {
	owner *player
	step  int // the index on the track, or atHome
}

// move is a count made with one piece.
type move struct {
	token *token
	to    int
}

const (
	atHome    = -1
	lastRing  = 63
	goal      = 71
	ringSize  = 68
	corridors = 7 // squares in each
)

var (
	colourNames = []string{"yellow", "blue", "red", "green"}
	inUse       = [][]int{1: {0}, 2: {0, 2}, 3: {0, 1, 2}, 4: {0, 1, 2, 3}} // P4A-01
	safeSquares = safeOnes(5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68)
)

// safeOnes tells for each square whether nothing is captured there.
func safeOnes(numbers ...int) []bool {
	safe := make([]bool, ringSize+len(colourNames)*corridors)
	for _, n := range numbers {
		safe[n-1] = true
	}
	return safe
}

// newOrdinary is the beginning of a game.
func newOrdinary(players int) *ordinary {
	g := &ordinary{squares: make([][]*token, len(safeSquares))}
	for _, c := range inUse[players] {
		p := &player{colour: colourNames[c], start: 17*c + 4, corridor: ringSize + c*corridors}
		for i := range p.tokens {
			p.tokens[i] = &token{owner: p, step: atHome}
		}
		g.players = append(g.players, p)
	}
	return g
}

// setUpOrdinary is the position s describes.
func setUpOrdinary(s *interpreter.Setup) *ordinary {
	g := newOrdinary(s.Players)
	first, _ := s.Vars["first_five_done"].(map[string]any)
	for i, p := range g.players {
		p.firstFive = first[p.colour] == true
		for k, name := range s.Pieces[p.colour] {
			g.put(p.tokens[k], p.stepOf(name))
		}
		if p.colour == s.Turn {
			g.turn = i
		}
		if p.finished() {
			g.ranking = append(g.ranking, i)
		}
	}
	for name, order := range s.Arrived {
		n, err := strconv.Atoi(name)
		if err != nil {
			continue // the order matters on the ring alone
		}
		if on := g.squares[n-1]; len(on) == 2 && on[0].owner.colour != order[0] {
			slices.Reverse(on)
		}
	}
	return g
}

// stepOf reads the name of a place.
func (p *player) stepOf(name string) int {
	switch name {
	case "home":
		return atHome
	case "goal":
		return goal
	}
	if n, err := strconv.Atoi(name); err == nil {
		return (n - 1 - p.start + ringSize) % ringSize
	}
	_, number, _ := strings.Cut(name, "-")
	n, _ := strconv.Atoi(number)
	return lastRing + n
}

// square is the square at a step of the track.
func (p *player) square(step int) int {
	if step > lastRing {
		return p.corridor + step - lastRing - 1
	}
	return (p.start + step) % ringSize
}

// at counts the pieces at home or in the goal.
func (p *player) at(step int) int {
	n := 0
	for _, t := range p.tokens {
		if t.step == step {
			n++
		}
	}
	return n
}

func (p *player) finished() bool { return p.at(goal) == len(p.tokens) }

// onSquare tells whether t stands on the ring or in its corridor.
func (t *token) onSquare() bool { return t.step != atHome && t.step != goal }

// barrier tells whether two pieces of one colour stand on a square (P4A-18).
func (g *ordinary) barrier(square int) bool {
	on := g.squares[square]
	return len(on) == 2 && on[0].owner == on[1].owner
}

// put takes t from where it stands to a step of its track.
func (g *ordinary) put(t *token, step int) {
	if t.onSquare() {
		s := t.owner.square(t.step)
		i := slices.Index(g.squares[s], t)
		g.squares[s] = slices.Delete(g.squares[s], i, i+1)
	}
	t.step = step
	if t.onSquare() {
		s := t.owner.square(step)
		g.squares[s] = append(g.squares[s], t)
	}
}

// canCount tells whether t can count n squares (P4A-06, P4A-07, P4A-18, P4A-23).
func (g *ordinary) canCount(t *token, n int) bool {
	to := t.step + n
	if !t.onSquare() || to > goal {
		return false
	}
	for step := t.step + 1; step <= to && step < goal; step++ {
		if g.barrier(t.owner.square(step)) {
			return false
		}
	}
	return to == goal || len(g.squares[t.owner.square(to)]) < 2
}

// throw is a throw of n by the player in turn, up to the choice it leads to or the next throw.
func (g *ordinary) throw(n int) {
	p := g.players[g.turn]
	g.thrown = n
	if n == 6 {
		g.sixes++
		if g.sixes == 3 { // P4A-16, P4A-17
			if g.moved != nil && g.moved.step <= lastRing {
				g.put(g.moved, atHome)
			}
			g.pass()
			return
		}
	}
	g.moved = nil
	switch {
	case n == 5 && g.bringOut(p):
	case n == 6 && p.at(atHome) == 0:
		g.offer(7) // P4A-14
	default:
		g.offer(n)
	}
}

// bringOut brings out what a 5 brings out, and reports whether it does (P4A-08 to P4A-12).
func (g *ordinary) bringOut(p *player) bool {
	first := !p.firstFive
	p.firstFive = true
	var strangers []*token
	own := 0
	for _, t := range g.squares[p.start] {
		if t.owner == p {
			own++
		} else {
			strangers = append(strangers, t)
		}
	}
	waiting := p.at(atHome)
	if waiting == 0 || own == 2 {
		return false
	}
	entering, captured := 1, strangers
	if first && waiting >= 2 && own == 0 {
		entering = 2
	} else if own+len(strangers) < 2 {
		captured = nil
	} else {
		captured = strangers[len(strangers)-1:]
	}
	for _, t := range captured {
		g.put(t, atHome)
	}
	for _, t := range p.tokens {
		if t.step == atHome && entering > 0 {
			g.put(t, 0)
			g.moved = t
			entering--
		}
	}
	if len(captured) > 0 {
		g.offer(20)
	} else {
		g.endThrow()
	}
	return true
}

// offer leaves the player the choice of a piece to count n with; if none can, the count is lost.
func (g *ordinary) offer(n int) {
	g.options = g.moves(n)
	if len(g.options) == 0 {
		g.endThrow()
	}
}

// moves lists the ways to count n, one for two pieces that stand together.
func (g *ordinary) moves(n int) []move {
	p := g.players[g.turn]
	var moves, opening []move
	for _, t := range p.tokens {
		m := move{t, t.step + n}
		if !g.canCount(t, n) || slices.ContainsFunc(moves, func(o move) bool { return o.to == m.to }) {
			continue
		}
		moves = append(moves, m)
		if g.barrier(p.square(t.step)) {
			opening = append(opening, m)
		}
	}
	if len(opening) > 0 && (n == 6 || n == 7) { // P4A-19
		return opening
	}
	return moves
}

// choose makes one of the moves.
func (g *ordinary) choose(i int) {
	t, to := g.options[i].token, g.options[i].to
	g.options = nil
	g.moved = t
	if to == goal { // P4A-24
		g.put(t, to)
		g.offer(10)
		return
	}
	s := t.owner.square(to)
	if on := g.squares[s]; len(on) == 1 && on[0].owner != t.owner && !safeSquares[s] { // P4A-20, P4A-21
		g.put(on[0], atHome)
		g.put(t, to)
		g.offer(20)
		return
	}
	g.put(t, to)
	g.endThrow()
}

// endThrow ends what a throw led to: the player throws again after a six (P4A-15), unless it has finished (P4A-25).
func (g *ordinary) endThrow() {
	if g.players[g.turn].finished() {
		g.ranking = append(g.ranking, g.turn)
	} else if g.thrown == 6 {
		return
	}
	g.pass()
}

// pass gives the turn to the next player who has not finished (P4A-03).
func (g *ordinary) pass() {
	g.sixes = 0
	for !g.over() {
		g.turn = (g.turn + 1) % len(g.players)
		if !g.players[g.turn].finished() {
			return
		}
	}
}

// over tells whether the game has ended (P4A-26).
func (g *ordinary) over() bool { return len(g.ranking) >= max(1, len(g.players)-1) }

// copy is another game in the same position.
func (g *ordinary) copy() *ordinary {
	c := *g
	c.ranking, c.options = slices.Clone(g.ranking), nil
	c.players = nil
	twin := map[*token]*token{nil: nil}
	for _, p := range g.players {
		q := *p
		for i, t := range p.tokens {
			q.tokens[i] = &token{owner: &q, step: t.step}
			twin[t] = q.tokens[i]
		}
		c.players = append(c.players, &q)
	}
	c.moved = twin[g.moved]
	for _, m := range g.options {
		c.options = append(c.options, move{twin[m.token], m.to})
	}
	c.squares = make([][]*token, len(g.squares))
	for s, on := range g.squares {
		for _, t := range on {
			c.squares[s] = append(c.squares[s], twin[t])
		}
	}
	return &c
}

// perft counts the ways the game can go on through n throws, as interpreter.Perft does.
func (g *ordinary) perft(n int) uint64 {
	var sum uint64
	switch {
	case len(g.options) > 0:
		for i := range g.options {
			c := g.copy()
			c.choose(i)
			sum += c.perft(n)
		}
		return sum
	case n == 0 || g.over():
		return 1
	}
	for number := 1; number <= 6; number++ {
		c := g.copy()
		c.throw(number)
		sum += c.perft(n - 1)
	}
	return sum
}

// TestOrdinaryAgrees compares the ordinary engine with the tables other implementations made, and with the interpreter:
// both play the same random games, and count the same trees from positions met on the way.
func TestOrdinaryAgrees(t *testing.T) {
	t.Run("tables", func(t *testing.T) {
		t.Parallel()
		data, err := os.ReadFile("testdata/perft/parchis4a.json")
		if err != nil {
			t.Fatal(err)
		}
		var entries []struct {
			Position interpreter.Setup
			Perft    []uint64
		}
		if err := json.Unmarshal(data, &entries); err != nil || len(entries) == 0 {
			t.Fatal("no entries", err)
		}
		for i, e := range entries {
			g := setUpOrdinary(&e.Position)
			for n, want := range e.Perft {
				if want > *most {
					break
				}
				if got := g.perft(n + 1); got != want {
					t.Errorf("entry %d, %d throws: got %d, want %d", i, n+1, got, want)
				}
			}
		}
	})
	for players := 1; players <= 4; players++ {
		t.Run(fmt.Sprint("games/", players), func(t *testing.T) {
			t.Parallel()
			p, g := shipped(t, "parchis4a", dsl.Setting{Players: players}).Start(0), newOrdinary(players)
			r := interpreter.NewRandom(17, uint64(players))
			for counted := 0; counted < 50; {
				if p.Kind() == interpreter.Over {
					p.Restart(0)
					g = newOrdinary(players)
				}
				if p.AtTurn() && r.IntN(500) == 0 {
					counted++
					want, err := interpreter.Perft(p, 2)
					s := setUpOrdinary(p.Setup())
					if got := []uint64{s.perft(1), s.perft(2)}; err != nil || !slices.Equal(got, want) {
						t.Fatalf("%v: got %d, the interpreter counts %d (%v)", s, got, want, err)
					}
				}
				playBoth(t, p, g, &r)
			}
		})
	}
}

// playBoth plays one throw with everything that follows from it in both engines, and compares where it leads.
func playBoth(t *testing.T, p *interpreter.Position, g *ordinary, r *interpreter.Random) {
	t.Helper()
	before := g.String()
	number := 1 + r.IntN(6)
	if err := p.Throw(number); err != nil {
		t.Fatal(err)
	}
	g.throw(number)
	for p.Kind() == interpreter.Choice || len(g.options) == 1 {
		if len(g.options) == 1 { // no choice to the interpreter
			g.choose(0)
			continue
		}
		options, i := p.Options(), r.IntN(p.OptionCount())
		to := g.players[g.turn].stepOf(p.Game().PlaceName(options[i].To))
		k := slices.IndexFunc(g.options, func(m move) bool { return m.to == to })
		if len(options) != len(g.options) || k < 0 {
			t.Fatalf("%s, %d thrown, then %v: got %v, the interpreter offers %v", before, number, g, g.options, options)
		}
		if err := p.Choose(i); err != nil {
			t.Fatal(err)
		}
		g.choose(k)
	}
	over := p.Kind() == interpreter.Over
	if s := setUpOrdinary(p.Setup()); len(g.options) > 0 || g.over() != over || !over && s.String() != g.String() {
		t.Fatalf("%s, %d thrown: got %v, the interpreter has %v", before, number, g, s)
	}
}

// String is the position: who is in turn, and how far all pieces are.
func (g *ordinary) String() string {
	var b strings.Builder
	fmt.Fprint(&b, g.players[g.turn].colour)
	for _, p := range g.players {
		var steps []int
		for _, t := range p.tokens {
			steps = append(steps, t.step)
		}
		slices.Sort(steps)
		fmt.Fprint(&b, " ", p.colour, steps)
	}
	return b.String()
}

// BenchmarkOrdinary plays random games of four with the ordinary engine; an operation is one throw with everything that
// follows from it, as in BenchmarkThrow. The two side by side tell what playing from a rule file costs against an
// engine written for the one game:
//
//	go test ./interpreter -run xxx -bench 'Ordinary|Throw/parchis4a'
func BenchmarkOrdinary(b *testing.B) {
	b.ReportAllocs()
	r := rand.New(rand.NewPCG(1, 0))
	g := newOrdinary(4)
	for b.Loop() {
		if g.over() {
			g = newOrdinary(4)
		}
		g.throw(1 + r.IntN(6))
		for len(g.options) > 0 {
			i := 0
			if len(g.options) > 1 {
				i = r.IntN(len(g.options))
			}
			g.choose(i)
		}
	}
}
