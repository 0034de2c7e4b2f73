package interpreter

import (
	"math"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// MaxChoices is how many choices may follow one another without a throw in a game without a Watcher: one that has more
// is taken to go on for ever.
const MaxChoices = vm.MaxChoices

// Until says where a playout ends, if the game is not over before.
type Until struct {
	// Throws is how many throws there are in all by then, those before the playout among them; 0 is DefaultMaxThrows.
	Throws int
	// Ranked is how many seats are ranked by then; 0 is any number.
	Ranked int
}

// Playout plays on by chance: each number of a die as likely as its weight says, each option as likely as the others, a
// question being a choice of its own. It ends where Until says, where the game is over or the rules fail, and
// after MaxChoices without a throw. It comes to the same as ThrowRandom and ChooseRandom, node by node, and takes less time. It
// allocates nothing but room for the longest list of options.
func (p *Position) Playout(r *Random, until Until) {
	if until.Throws <= 0 {
		until.Throws = DefaultMaxThrows
	}
	c := p.byChance(r)
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

// byChance makes the position ready for throwOn and chooseOn. What it gives belongs to the position.
func (p *Position) byChance(r *Random) *vm.Chance {
	p.chance = vm.Chance{Source: &r.source, Ranked: math.MaxInt}
	return &p.chance
}

// throwOn throws by chance and goes on with up to so many throws more, and with what is decided between them, as long as nothing but
// ordinary dice and moves comes up.
func (p *Position) throwOn(r *Random, more int) {
	t := &p.game.prog.Throws[p.m.Site]
	if t.Fair == nil {
		p.throwRandom(t, r)
		return
	}
	p.chance.Throws = more
	p.throws++
	p.after(p.m.ThrownOn(&p.chance, t.Cell, t.Fair[r.IntN(len(t.Fair))]))
	p.throws += more - p.chance.Throws
}

// chooseOn chooses and goes on likewise.
func (p *Position) chooseOn(r *Random, more int) {
	if p.m.Node != code.NodeOption {
		p.ChooseRandom(r)
		return
	}
	p.chance.Throws = more
	p.after(p.m.ResumeOn(&p.chance, r.IntN(p.m.OptionCount())))
	p.throws += more - p.chance.Throws
}
