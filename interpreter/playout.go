package interpreter

import (
	"math"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// MaxChoices is the maximum number of choices in a row without a throw, in a game without a Watcher: a longer
// sequence counts as endless.
const MaxChoices = vm.MaxChoices

// Until says where a playout ends, if the game is not over before.
type Until struct {
	// Throws is a total number of throws, including those before the playout; 0 is DefaultMaxThrows.
	Throws int
	// Ranked is a number of ranked seats; 0 means no limit.
	Ranked int
}

// Playout plays at random: dice by their weights, options uniformly, a question as a separate choice. It ends as
// Until says, when the game is over or the rules fail, and after MaxChoices without a throw. The result equals that
// of ThrowRandom and ChooseRandom, node by node, and takes less time. It allocates only a buffer for the longest list
// of options.
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

// byChance prepares the position for throwOn and chooseOn. The result belongs to the position.
func (p *Position) byChance(r *Random) *vm.Chance {
	p.chance = vm.Chance{Source: &r.source, Ranked: math.MaxInt}
	return &p.chance
}

// throwOn throws at random and continues for up to so many more throws, with the decisions between them, as long as
// there are only ordinary dice and moves.
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

// chooseOn chooses and continues in the same way.
func (p *Position) chooseOn(r *Random, more int) {
	if p.m.Node != code.NodeOption {
		p.ChooseRandom(r)
		return
	}
	p.chance.Throws = more
	p.after(p.m.ResumeOn(&p.chance, r.IntN(p.m.OptionCount())))
	p.throws += more - p.chance.Throws
}
