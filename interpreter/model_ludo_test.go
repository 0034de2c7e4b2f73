package interpreter_test

// ludoTable is Ludo for four by hand. A token is a number: -1 in the yard, then how far it is from its start: up to 50 on the
// ring, up to 55 in its column, 56 in the finish.
type ludoTable struct{ tokens [4][4]int }

const ludoYard, ludoTip, ludoFinish = -1, 50, 56

// square is the square of the ring, -1 for any other place.
func (l *ludoTable) square(colour, at int) int {
	if at < 0 || at > ludoTip {
		return -1
	}
	return (13*colour + at) % 52
}

// rivals lists the tokens of other colours on the square where a colour comes to.
func (l *ludoTable) rivals(colour, at int) []*int {
	var found []*int
	square := l.square(colour, at)
	for c := range l.tokens {
		for i := range l.tokens[c] {
			if t := &l.tokens[c][i]; c != colour && square >= 0 && l.square(c, *t) == square {
				found = append(found, t)
			}
		}
	}
	return found
}

// open tells whether the way is free of blocks and no longer than to the finish.
func (l *ludoTable) open(colour, at, n int) bool {
	if at == ludoYard {
		return n == 6 && len(l.rivals(colour, 0)) < 2
	}
	for range n {
		at++
		if at > ludoFinish || len(l.rivals(colour, at)) >= 2 {
			return false
		}
	}
	return true
}

func (l *ludoTable) done(colour int) bool {
	return l.tokens[colour] == [4]int{ludoFinish, ludoFinish, ludoFinish, ludoFinish}
}

func playLudo(g *byHand) {
	var l ludoTable
	for c := range l.tokens {
		l.tokens[c] = [4]int{ludoYard, ludoYard, ludoYard, ludoYard}
	}
	for turn := 0; ; turn = (turn + 1) % 4 {
		g.turns++
		for sixes := 0; ; {
			n := g.throw(1, 1, 6)
			if n == 6 {
				sixes++
			}
			if sixes == 3 {
				break
			}
			l.move(g, turn, n)
			if l.done(turn) {
				g.winner = turn
				return
			}
			if n != 6 {
				break
			}
		}
	}
}

// move plays a number, if it can be.
func (l *ludoTable) move(g *byHand, colour, n int) {
	var from []int
	for _, at := range l.tokens[colour] {
		if l.open(colour, at, n) {
			from = add(from, at)
		}
	}
	if len(from) == 0 {
		return
	}
	at := from[g.choose(len(from))]
	to, name := at+n, "advance"
	if at == ludoYard {
		to, name = 0, "enter"
	}
	g.moves.add(name, 1)
	for i, t := range l.tokens[colour] {
		if t == at {
			l.tokens[colour][i] = to
			break
		}
	}
	for _, t := range l.rivals(colour, to) {
		*t = ludoYard
		g.acts.add("capture", 1)
	}
}
