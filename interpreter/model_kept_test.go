package interpreter_test

import "slices"

// keptTable is the race with kept numbers by hand: three players with three pieces, which are at -1 at home, from 0 to 23 on their
// way round, and at 24 in the goal.
type keptTable struct {
	*byHand
	pieces [3][3]int
	kept   []int // not yet played
	ranked []int
}

const keptHome, keptGoal = -1, 24

func playKept(g *byHand) {
	b := keptTable{byHand: g}
	for c := range b.pieces {
		b.pieces[c] = [3]int{keptHome, keptHome, keptHome}
	}
	for turn := 0; len(b.ranked) < 2; turn = b.next(turn) {
		b.turn(turn)
	}
	g.winner = b.ranked[0]
}

// next is the player after c who has not finished.
func (b *keptTable) next(c int) int {
	for {
		if c = (c + 1) % 3; !slices.Contains(b.ranked, c) {
			return c
		}
	}
}

func (b *keptTable) turn(me int) {
	b.turns++
	if len(b.kept) == 0 {
		for range 3 {
			b.kept = append(b.kept, b.throw(1, 1, 6))
		}
	}
	for len(b.kept) > 0 {
		var numbers, from []int
		for _, n := range b.kept {
			numbers = add(numbers, n)
		}
		n := numbers[b.choose(len(numbers))]
		i := slices.Index(b.kept, n)
		b.kept = slices.Delete(b.kept, i, i+1)
		for _, at := range b.pieces[me] {
			if at != keptGoal && (at != keptHome || n == 1 || n == 6) {
				from = add(from, at)
			}
		}
		if len(from) == 0 {
			return // what is left is for the next player
		}
		at := from[b.choose(len(from))]
		for earned := 0; n > 0; n = earned {
			if at != keptHome && at+n > keptGoal {
				break
			}
			earned = b.move(me, at, n)
			if b.pieces[me] == [3]int{keptGoal, keptGoal, keptGoal} {
				if b.ranked = append(b.ranked, me); len(b.ranked) == 1 {
					b.first = b.throws
				}
				return
			}
			from = from[:0]
			for _, at := range b.pieces[me] {
				if at != keptHome && at != keptGoal && at+earned <= keptGoal {
					from = add(from, at)
				}
			}
			if earned == 0 || len(from) == 0 {
				break
			}
			at = from[b.choose(len(from))]
		}
	}
}

// move takes a piece from where it is n squares on, or out, and gives what that earns.
func (b *keptTable) move(me, at, n int) (earned int) {
	to, name := at+n, "advance"
	if at == keptHome {
		to, name = 0, "enter"
	}
	b.moves.add(name, 1)
	b.pieces[me][slices.Index(b.pieces[me][:], at)] = to
	if to == keptGoal {
		return 0
	}
	var there []int // the other colours on the square
	for c := range b.pieces {
		for _, at := range b.pieces[c] {
			if c != me && at >= 0 && at < keptGoal && (8*c+at)%24 == (8*me+to)%24 {
				there = add(there, c)
			}
		}
	}
	if len(there) == 0 {
		return 0
	}
	c := there[b.choose(len(there))]
	i := slices.Index(b.pieces[c][:], (8*(me-c)+to+48)%24)
	b.pieces[c][i] = keptHome
	b.acts.add("catch", 1)
	return 1 + b.choose(3)
}
