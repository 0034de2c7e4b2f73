package interpreter_test

import "math/bits"

// senetTable is Senet by hand: who stands on the squares 1 to 30, and how many pieces each side has borne off.
type senetTable struct {
	*byHand
	on    [32]int // 1 and 2 are the sides, 0 is an empty square
	off   [3]int
	casts [6]int // how many of each are still to be played
}

// senetCounts are rare things that hardly show in the length of a game.
const senetCounts = `
count from_30 "borne off from 30 with more than a 1" on leave(p, s) when s == square("30") && p.player == me && steps > 1
count saved   "borne off from the water"             on leave(p, s) when s == square("27") && p.player == me && steps == 4
`

const (
	senetHappy, senetWater, senetOff = 26, 27, 31
	senetBarred                      = 0
)

func playSenet(h *byHand) {
	g := senetTable{byHand: h}
	for i := 1; i <= 14; i++ {
		g.on[i] = 1 + i%2 // even squares are those of side 1, who begins
	}
	g.on[14], g.on[15] = 0, 1
	for me := 1; ; me = 3 - me {
		g.turns++
		if g.turn(me); g.off[me] == 7 {
			g.winner = me - 1
			return
		}
	}
}

func (g *senetTable) turn(me int) {
	if g.on[senetWater] == me && g.choose(2) == 1 {
		g.on[senetWater], g.on[g.shore()] = 0, me
		g.acts.add("climb_out", 1)
		return
	}
	g.casts = [6]int{}
	for more := true; more; {
		g.throws++
		n := bits.OnesCount(uint(g.IntN(16)))
		if n == 0 {
			n = 5
		}
		g.casts[n]++
		more = n == 1 || n >= 4
	}
	for g.off[me] < 7 {
		var kinds [5]int
		n := 0
		for v, left := range g.casts {
			if left > 0 && (g.on[senetWater] != me || v == 4) {
				kinds[n] = v
				n++
			}
		}
		if n == 0 {
			return
		}
		v := kinds[g.choose(n)]
		g.casts[v]--
		g.count(me, v)
	}
}

// count plays a cast forward, or else backward, if it can be played at all.
func (g *senetTable) count(me, v int) {
	for _, name := range []string{"advance", "retreat"} {
		var from, to [7]int
		n := 0
		for at := 1; at <= 30; at++ {
			if g.on[at] != me {
				continue
			}
			end := g.back(me, at, v)
			if name == "advance" {
				end = g.forward(me, at, v)
			}
			if end != senetBarred {
				from[n], to[n] = at, end
				n++
			}
		}
		if n > 0 {
			i := g.choose(n)
			g.moves.add(name, 1)
			if from[i] == 30 && v > 1 {
				g.counts.add("from_30", 1)
			}
			g.move(me, from[i], to[i])
			return
		}
	}
}

// forward is where a piece comes to by a cast.
func (g *senetTable) forward(me, at, v int) int {
	water := g.on[senetWater] == me
	switch {
	case water && at != senetWater:
		return senetBarred
	case at == 27 && v == 4, at == 28 && v == 3, at == 29 && v == 2, at == 30, at == senetHappy && v == 5:
		return senetOff
	case at > senetHappy, at < senetHappy && at+v > senetHappy, at+v == senetWater && g.on[senetWater] != 0:
		return senetBarred
	}
	return g.open(me, at+v)
}

func (g *senetTable) back(me, at, v int) int {
	if g.on[senetWater] == me || at > senetHappy || at-v < 1 {
		return senetBarred
	}
	return g.open(me, at-v)
}

// open is a square on which a side may end a move.
func (g *senetTable) open(me, to int) int {
	switch rival := 3 - me; {
	case g.on[to] == me:
		return senetBarred
	case g.on[to] == rival && g.on[senetWater] != rival && (g.on[to-1] == rival || g.on[to+1] == rival):
		return senetBarred
	}
	return to
}

// shore is the highest free square up to 15.
func (g *senetTable) shore() int {
	s := 15
	for g.on[s] != 0 {
		s--
	}
	return s
}

func (g *senetTable) move(me, from, to int) {
	rival := 3 - me
	if from == senetWater {
		g.casts = [6]int{} // lost
		g.counts.add("saved", 1)
	}
	g.on[from] = 0
	switch {
	case to == senetOff:
		g.off[me]++
		return
	case g.on[to] == rival && to >= 28:
		g.acts.add("drown", 1)
		if g.on[senetWater] == 0 {
			g.on[senetWater] = rival
		} else {
			g.on[g.shore()] = rival
		}
	case g.on[to] == rival:
		g.acts.add("swap", 1)
		g.on[from] = rival
	}
	g.on[to] = me
}
