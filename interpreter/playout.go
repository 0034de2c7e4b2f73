package interpreter

import (
	"math"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// MaxChoices is how many choices may follow one another without a throw in a game that nobody watches: one that has more
// is taken to go on for ever.
const MaxChoices = vm.MaxChoices

// Until says where a playout ends, if the game is not over before.
type Until struct {
	// Throws is how many throws there are in all by then, those before the playout among them; 0 is DefaultMaxThrows.
	Throws int
	// Ranked is how many seats are ranked by then; 0 is any number.
	Ranked int
}

// Playout plays on by chance: each number of a die as likely as its weight says, each option as likely as the others, what is
// picked while a move is carried out one more choice. It ends where Until says, where the game is over or the rules fail, and
// after MaxChoices without a throw. It comes to the same as ThrowRandom and ChooseRandom, node by node, and takes less time. It
// allocates nothing but room for the longest list of options.
func (p *Position) Playout(r *Random, until Until) {
	if until.Throws <= 0 {
		until.Throws = DefaultMaxThrows
	}
	c := p.byChance(r)
	defer p.m.Draws(nil)
	if until.Ranked > 0 {
		c.Ranked = until.Ranked - 1
	}
	for p.err == nil && c.Choices < MaxChoices && p.Ranked() <= c.Ranked {
		switch more := until.Throws - p.throws; {
		case p.m.Node == code.NodeOver || p.m.Node == code.NodeThrow && more <= 0:
			return
		case p.m.Node == code.NodeThrow:
			c.Choices = 0
			p.throwOn(r, more-1)
		default:
			c.Choices++
			p.chooseOn(r, more)
		}
	}
}

// byChance makes the machine draw by itself, as far as throwOn and chooseOn let it, until Machine.Draws takes that back.
func (p *Position) byChance(r *Random) *vm.Chance {
	p.chance = vm.Chance{Source: &r.source, Ranked: math.MaxInt}
	p.m.Draws(&p.chance)
	return &p.chance
}

// throwOn throws by chance, chooseOn chooses. Then the machine goes on by itself, for as many throws more.
func (p *Position) throwOn(r *Random, more int) {
	p.chance.Throws = more
	p.ThrowRandom(r)
	p.throws += more - p.chance.Throws
}

func (p *Position) chooseOn(r *Random, more int) {
	p.chance.Throws = more
	p.ChooseRandom(r)
	p.throws += more - p.chance.Throws
}
