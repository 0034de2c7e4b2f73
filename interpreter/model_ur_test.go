package interpreter_test

import "slices"

// playUr is the Royal Game of Ur by hand. A piece is a number: 0 waits, 1 to 4 and 13 and 14 are squares of its own side, 5 to
// 12 those in the middle, 15 is off.
func playUr(g *byHand) {
	const off = 15
	var sides [2][7]int
	for turn, again := 0, false; ; {
		if !again {
			g.turns++
		}
		mine, rival := &sides[turn], &sides[1-turn]
		n := g.throw(4, 0, 1)
		var from []int // one piece or another of those that stand together is the same
		for _, at := range mine {
			to := at + n
			switch {
			case n == 0 || to > off:
			case to < off && slices.Contains(mine[:], to):
			case to == 8 && slices.Contains(rival[:], to): // the rosette in the middle
			default:
				from = add(from, at)
			}
		}
		again = false
		if len(from) > 0 {
			at := from[g.choose(len(from))]
			to := at + n
			mine[slices.Index(mine[:], at)] = to
			g.moves.add("advance", 1)
			if i := slices.Index(rival[:], to); i >= 0 && to >= 5 && to <= 12 {
				rival[i] = 0
				g.acts.add("capture", 1)
			}
			again = to == 4 || to == 8 || to == 14
		}
		if *mine == [7]int{off, off, off, off, off, off, off} {
			g.winner = turn
			return
		}
		if !again {
			turn = 1 - turn
		}
	}
}
