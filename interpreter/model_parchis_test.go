package interpreter_test

import "slices"

// parchisTable is classic Parchís for four by hand, with two house rules. A piece is -1 at home, up to 63 on the ring, up to 70
// in its corridor, and 71 in the goal.
type parchisTable struct {
	twoDice    bool // each die is counted by another piece, and a double is what a 6 is
	overtaking bool // who is passed on an ordinary square is captured as well
}

// parchisCounts are rare things that hardly show in the length of a game.
const parchisCounts = `
count sevens "sixes that count 7"                        on advance(p) when steps == 7
count opened "barriers that a six opens"                 on leave(p, s) when steps in [6, 7] && p.player == me && s.square && any(s.pieces, .colour == p.colour)
count full   "pieces that come out where two stand"      on land(p, s) when s == p.start && len(s.pieces) == 3
`

type parchisGame struct {
	*byHand
	*parchisTable
	at        [4][4]int
	squares   [68 + 4*7][]parchisPiece // who stands there, the oldest first
	me        int
	last      int // the piece moved last in this turn, -1 before
	firstOfGo int // with two dice: the piece that has moved in this go, which counts no second die
	earned    []int
	ranked    []int
}

// parchisMove is a move of the piece at a place: with a number, from a place to another.
type parchisMove struct{ n, from, to int }

type parchisPiece struct{ player, i int }

const parchisHome, parchisGoal = -1, 71

func (r *parchisTable) play(h *byHand) {
	g := &parchisGame{byHand: h, parchisTable: r}
	for c := range g.at {
		g.at[c] = [4]int{parchisHome, parchisHome, parchisHome, parchisHome}
	}
	for len(g.ranked) < 3 {
		if !slices.Contains(g.ranked, g.me) {
			g.turn()
		}
		g.me = (g.me + 1) % 4
	}
	h.winner = g.ranked[0]
}

func (g *parchisGame) turn() {
	g.turns++
	g.last, g.earned = -1, nil
	for sixes := 0; ; {
		numbers, again := []int{g.throw(1, 1, 6)}, false
		if g.twoDice {
			numbers = append(numbers, 1+g.IntN(6))
			again = numbers[0] == numbers[1]
		} else if again = numbers[0] == 6; again && !slices.Contains(g.at[g.me][:], parchisHome) {
			numbers[0] = 7
		}
		if again {
			sixes++
		}
		if sixes == 3 {
			if g.last >= 0 && g.at[g.me][g.last] <= 63 {
				g.put(parchisPiece{g.me, g.last}, parchisHome)
			}
			return
		}
		g.firstOfGo = -1
		for len(numbers) > 0 {
			n := g.count(numbers, true)
			if n == 0 {
				break
			}
			i := slices.Index(numbers, n)
			numbers = slices.Delete(numbers, i, i+1)
			if g.finished() {
				return
			}
		}
		for len(g.earned) > 0 {
			n := g.earned[0]
			g.earned = g.earned[1:]
			g.count([]int{n}, false)
			if g.finished() {
				return
			}
		}
		if !again {
			return
		}
	}
}

func (g *parchisGame) finished() bool {
	if g.at[g.me] != [4]int{parchisGoal, parchisGoal, parchisGoal, parchisGoal} {
		return false
	}
	if g.ranked = append(g.ranked, g.me); len(g.ranked) == 1 {
		g.first = g.throws
	}
	return true
}

// square numbers the squares: those of the ring from 0 as counted on paper from 1, then the corridors; -1 is none.
func (g *parchisGame) square(player, at int) int {
	switch {
	case at == parchisHome || at == parchisGoal:
		return -1
	case at > 63:
		return 68 + 7*player + at - 64
	}
	return (17*player + 4 + at) % 68
}

func parchisSafe(square int) bool {
	return slices.Contains([]int{5, 12, 17, 22, 29, 34, 39, 46, 51, 56, 63, 68}, square+1)
}

// put takes a piece to a place.
func (g *parchisGame) put(p parchisPiece, at int) {
	if s := g.square(p.player, g.at[p.player][p.i]); s >= 0 {
		i := slices.Index(g.squares[s], p)
		g.squares[s] = slices.Delete(g.squares[s], i, i+1)
	}
	g.at[p.player][p.i] = at
	if s := g.square(p.player, at); s >= 0 {
		g.squares[s] = append(g.squares[s], p)
	}
}

// barrier tells whether two pieces of one colour stand on a square, and of which.
func (g *parchisGame) barrier(square int) (player int, ok bool) {
	on := g.squares[square]
	if len(on) != 2 || on[0].player != on[1].player {
		return 0, false
	}
	return on[0].player, true
}

// walk lists the places a piece comes through, the last the one where it ends; nil if it cannot go there.
func (g *parchisGame) walk(i, n int) []int {
	at, forward := g.at[g.me][i], 1
	var way []int
	for range n {
		if at == parchisGoal {
			forward = -1
		}
		at += forward
		if s := g.square(g.me, at); s >= 0 && at != g.at[g.me][i] { // on its own square it leaves room
			if _, ok := g.barrier(s); ok || len(g.squares[s]) == 2 && len(way) == n-1 {
				return nil
			}
		}
		way = append(way, at)
	}
	return way
}

// count lets the player count one of the numbers, and gives which: 0 if none can be.
func (g *parchisGame) count(numbers []int, thrown bool) int {
	var all, entering, opening []parchisMove
	owner, blocked := g.barrier(g.square(g.me, 0))
	room := !blocked || owner != g.me
	for i, at := range g.at[g.me] {
		for _, n := range numbers {
			m := parchisMove{n, at, 0}
			switch {
			case thrown && i == g.firstOfGo || at == parchisGoal:
				continue
			case at == parchisHome:
				if !thrown || n != 5 || !room {
					continue
				}
				entering = add(entering, m)
			default:
				way := g.walk(i, n)
				if way == nil {
					continue
				}
				m.to = way[n-1]
				if _, ok := g.barrier(g.square(g.me, at)); ok && thrown && n >= 6 {
					opening = add(opening, m)
				}
			}
			all = add(all, m)
		}
	}
	if len(entering) > 0 {
		all = entering
	} else if len(opening) > 0 {
		all = opening
	}
	if len(all) == 0 {
		return 0
	}
	m := all[g.choose(len(all))]
	g.carryOut(m, thrown)
	return m.n
}

// carryOut makes a move. Of two pieces that stand together the first goes that may.
func (g *parchisGame) carryOut(m parchisMove, thrown bool) {
	i := 0
	for g.at[g.me][i] != m.from || thrown && i == g.firstOfGo {
		i++
	}
	way, name := []int{0}, "enter"
	if m.from != parchisHome {
		way, name = g.walk(i, m.n), "advance"
	}
	g.moves.add(name, 1)
	if m.n == 7 {
		g.counts.add("sevens", 1)
	}
	if s := g.square(g.me, m.from); s >= 0 && (m.n == 6 || m.n == 7) {
		if _, ok := g.barrier(s); ok {
			g.counts.add("opened", 1)
		}
	}
	g.put(parchisPiece{g.me, i}, parchisHome) // in the hand
	for k, at := range way {
		s, ends := g.square(g.me, at), k == len(way)-1
		if s < 0 {
			if ends && at == parchisGoal {
				g.earned = append(g.earned, 10)
			}
			continue
		}
		on := slices.DeleteFunc(slices.Clone(g.squares[s]), func(p parchisPiece) bool { return p.player == g.me })
		full := name == "enter" && len(g.squares[s]) == 2
		prey := s < 68 && !parchisSafe(s) && len(on) == 1
		if full {
			g.counts.add("full", 1)
		}
		if full || prey && (ends || g.overtaking) {
			p := on[len(on)-1]
			g.put(p, parchisHome)
			g.earned = append(g.earned, 20)
			g.acts.add("capture", 1)
		}
	}
	g.put(parchisPiece{g.me, i}, m.to)
	if g.last = i; g.twoDice {
		g.firstOfGo = i
	}
}
