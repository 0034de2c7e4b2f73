package bot

import (
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter"
)

// Greedy looks one decision ahead: it likes deeds against pieces of other sides best, then getting on along its own
// track and throwing others back. Equal options are taken by chance. The zero value is ready for use.
type Greedy struct {
	next    *interpreter.Position
	best    []int
	numbers []interpreter.Outcome
}

// deedWorth is what a deed against another side is worth, in steps.
const deedWorth = 100

// Choose implements Bot.
func (b *Greedy) Choose(p *interpreter.Position, r *interpreter.Random) int {
	return b.pick(p, r, p.OptionCount(), func(q *interpreter.Position, i int) error { return q.Choose(i) })
}

// Number implements Bot.
func (b *Greedy) Number(p *interpreter.Position, r *interpreter.Random) int {
	b.numbers = p.Outcomes(b.numbers[:0], 0)
	i := b.pick(p, r, len(b.numbers), func(q *interpreter.Position, i int) error { return q.Throw(b.numbers[i].Value) })
	return b.numbers[i].Value
}

// pick tries each of n ways on and takes one of the best.
func (b *Greedy) pick(p *interpreter.Position, r *interpreter.Random, n int, try func(*interpreter.Position, int) error) int {
	if b.next == nil || b.next.Game() != p.Game() {
		b.next = p.Copy()
	}
	side := sideOf(p.Game(), p.Player())
	before := standing(p, side)
	b.best = b.best[:0]
	most := 0
	for i := range n {
		b.next.CopyFrom(p)
		w := &deeds{game: p.Game(), side: side}
		b.next.Watch(w)
		if err := try(b.next, i); err != nil || b.next.Err() != nil {
			continue
		}
		b.next.Watch(nil)
		worth := deedWorth*w.count + standing(b.next, side) - before + ending(b.next, side)
		if len(b.best) == 0 || worth > most {
			b.best, most = b.best[:0], worth
		}
		if worth == most {
			b.best = append(b.best, i)
		}
	}
	if len(b.best) == 0 {
		return r.IntN(n)
	}
	return b.best[r.IntN(len(b.best))]
}

func sideOf(g *interpreter.Game, seat int) int { return g.Rules().Seats[seat].Team }

// standing is how far the side's pieces have come, less how far the others have.
func standing(p *interpreter.Position, side int) int {
	g := p.Game()
	sum := 0
	for piece, place := range p.Places(nil) {
		n := p.Index(piece)
		if n == interpreter.None && place != g.Rules().PiecesAt && g.Rules().Board.Places[place].Zone {
			n = 0 // off its track, but not where it began: it may have arrived, or be lost
		}
		if sideOf(g, g.SeatOf(g.ColourOf(piece))) == side {
			sum += n
		} else {
			sum -= n / max(1, g.Players()-1)
		}
	}
	return sum
}

// ending is what the end of the game is worth.
func ending(p *interpreter.Position, side int) int {
	if p.Kind() != interpreter.Over {
		return 0
	}
	for _, seat := range p.Result().Winners {
		if sideOf(p.Game(), seat) == side {
			return 1 << 20
		}
	}
	return -1 << 20
}

// deeds counts acts against pieces of other sides.
type deeds struct {
	game  *interpreter.Game
	side  int
	count int
}

func (*deeds) Fired(*model.Clause) {}

func (*deeds) Put(int, int, int) {}

// Acted implements interpreter.Watcher. Of several pieces the first one does it: done by the side to another side's
// piece it counts for it, done by another side it counts against it.
func (d *deeds) Acted(a *model.Act, args []int) {
	first := true
	for i, param := range a.Params {
		if param.Type != model.Of(model.Piece) || args[i] < 0 {
			continue
		}
		own := sideOf(d.game, d.game.SeatOf(d.game.ColourOf(args[i]))) == d.side
		switch {
		case first && len(a.Params) > 1:
			if !own {
				d.count-- // somebody else's deed
				return
			}
		case !own:
			d.count++
			return
		}
		first = false
	}
}
