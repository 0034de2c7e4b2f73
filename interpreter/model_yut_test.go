package interpreter_test

import "math/bits"

// yutMal is a mal by hand: the station where it is, and the stations it came from to those that can be reached in two ways.
type yutMal struct{ at, beforeC, before15, before20 int }

// The stations 1 to 20 are the ring; the diagonals follow, whose halves meet in the middle.
const (
	yutBench = 0
	yutA1    = 20 + iota
	yutA2
	yutC
	yutA3
	yutA4
	yutB1
	yutB2
	yutB3
	yutB4
	yutHome
)

// yutCounts are turnings that hardly show in the length of a game.
const yutCounts = `
count by_b3     "walks over b3"              on step(p) from a to b when b == square("b3")
count over_c    "steps out of the middle"    on step(p) from a to b when a == square("c")
count back_to_c "steps back into the middle" on step_back(p) to s when s == square("c")
`

// yutTable is Yut Nori by hand.
type yutTable struct {
	*byHand
	mal     [2][4]yutMal
	results [7]int // how many of each result are still to be played, from -1 on
	casting bool
}

// yutMove is a way to play a result: with a mal and what stands with it, by the main way or the other.
type yutMove struct {
	n, mal int
	other  bool
}

func playYut(h *byHand) {
	g := yutTable{byHand: h}
	for me := 0; ; me = 1 - me {
		g.turns++
		if g.turn(me) {
			g.winner = me
			return
		}
	}
}

// turn plays a turn and tells whether it wins the game.
func (g *yutTable) turn(me int) bool {
	g.results, g.casting = [7]int{}, true
	var ways [64]yutMove
	for {
		if g.casting {
			g.throws++
			sticks := uint(g.IntN(16))
			n := bits.OnesCount(sticks)
			if n == 0 {
				n = 5
			} else if sticks == 1 { // the marked one alone
				n = -1
			}
			g.results[n+1]++
			g.casting = n >= 4
			continue
		}
		w := g.ways(me, ways[:0])
		if len(w) == 0 {
			return false
		}
		g.play(me, w[g.choose(len(w))])
		home := 0
		for _, m := range g.mal[me] {
			if m.at == yutHome {
				home++
			}
		}
		if home == 4 {
			return true
		}
	}
}

// ways lists what can be played, once for each stack.
func (g *yutTable) ways(me int, list []yutMove) []yutMove {
	for k, left := range g.results {
		if left == 0 {
			continue
		}
		var seen [yutHome + 1]bool
		for i, m := range g.mal[me] {
			if m.at == yutHome || seen[m.at] {
				continue
			}
			seen[m.at] = true
			switch n := k - 1; {
			case n > 0:
				list = append(list, yutMove{n, i, false})
				if m.at == 5 || m.at == 10 || m.at == yutC {
					list = append(list, yutMove{n, i, true})
				}
			case m.at != yutBench && m.previous() != 0:
				list = append(list, yutMove{n, i, false})
			}
		}
	}
	return list
}

// previous is the station a mal came from, 0 if it cannot step back.
func (m yutMal) previous() int {
	switch m.at {
	case 1:
		return 20
	case 15:
		return m.before15
	case 20:
		return m.before20
	case yutA1:
		return 5
	case yutB1:
		return 10
	case yutB3:
		return yutC
	case yutC:
		return m.beforeC
	}
	return m.at - 1
}

// walk is the mal after its steps.
func (g *yutTable) walk(m yutMal, w yutMove) yutMal {
	start := m.at
	for n := w.n; n > 0 && m.at != yutHome; n-- {
		from := m.at
		if m.at++; from == yutC {
			g.counts.add("over_c", 1)
		}
		switch {
		case from == 5 && from == start && w.other:
			m.at = yutA1
		case from == 10 && from == start && w.other:
			m.at = yutB1
		case from == 20, from == yutHome:
			m.at = yutHome
		case from == yutB2:
			m.at = yutC
		case from == yutA4:
			m.at = 15
		case from == yutB4:
			m.at = 20
		case from == yutC && (start == yutC && w.other || start == 10 || start == yutB1 || start == yutB2):
			m.at = yutB3
		}
		switch m.at {
		case yutC:
			m.beforeC = from
		case yutB3:
			g.counts.add("by_b3", 1)
		case 15:
			m.before15 = from
		case 20:
			m.before20 = from
		}
	}
	return m
}

func (g *yutTable) play(me int, w yutMove) {
	m := g.mal[me][w.mal]
	from := m.at
	name := "advance"
	switch {
	case w.n < 0:
		name = "step_back"
		if m.at = m.previous(); m.at == 20 {
			m.before20 = 0
		}
		if m.at == yutC {
			g.counts.add("back_to_c", 1)
		}
	case from == yutBench:
		name = "enter"
		m = g.walk(m, w)
	default:
		m = g.walk(m, w)
	}
	g.moves.add(name, 1)
	g.results[w.n+1]--
	for i := range g.mal[me] {
		if x := &g.mal[me][i]; i == w.mal || x.at == from && from != yutBench || x.at == m.at && m.at != yutHome {
			*x = m // a stack keeps the way of the one that came last
		}
	}
	if m.at == yutHome {
		return
	}
	for i := range g.mal[1-me] {
		if x := &g.mal[1-me][i]; x.at == m.at {
			*x = yutMal{}
			g.acts.add("capture", 1)
			g.casting = true
		}
	}
}
