package vm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/random"
)

// Chance lets a machine go on by itself, past throws of one ordinary die and past decisions between options: what comes of them is
// drawn, all as likely. It stops at every other node.
type Chance struct {
	Source *random.Source
	Throws int // how many it may still throw
	Ranked int // it stops once more players than these are ranked
	// What it has come to.
	Decisions int // in the course of a turn
	Choices   int // since the last throw; it stops after MaxChoices
	// next is the random bits that come next: the source is ahead of them while the machine runs. What the processor cannot predict is
	// known earlier that way.
	next uint64
}

// MaxChoices is how many choices may follow one another without a throw where they are drawn.
const MaxChoices = 20_000

// suspend stands at a node, or goes on past a throw of one ordinary die that is given to chance: then it gives the instruction to go on with.
func (m *Machine) suspend(in *code.Instr) *code.Instr {
	if c := m.chance; c != nil && code.NodeKind(in.A) == code.NodeThrow && c.Throws > 0 && int(m.on.top[code.CellRanked]) <= c.Ranked {
		if t := &m.prog.Throws[in.T]; t.Fair != nil {
			c.Throws--
			c.Choices = 0
			m.fuel, m.sp = code.MaxFuel, 0
			m.st[t.Cell] = t.Fair[c.part(len(t.Fair))]
			return m.prog.Points[in.K].To
		}
	}
	m.on.top[code.CellPoint] = int16(in.K)
	m.Node, m.Site = code.NodeKind(in.A), int(in.T)
	m.Fault = Fault{}
	return nil
}

// chooses is the chance that a decision is given to, nil where the run ends there.
func (m *Machine) chooses() *Chance {
	if c := m.chance; c != nil && c.Choices < MaxChoices && int(m.on.top[code.CellRanked]) <= c.Ranked {
		return c
	}
	return nil
}

// draw is the number of one of n options.
func (m *Machine) draw(c *Chance, n int) int {
	c.Choices++
	if m.on.top[code.CellPlays] >= 0 {
		c.Decisions++
	}
	m.fuel, m.sp = code.MaxFuel, 0
	return c.part(n)
}

// part is a number below n, as the source gives it.
func (c *Chance) part(n int) int {
	i := random.Part(c.next, n)
	c.next = c.Source.Uint64()
	return i
}

// ThrownOn is Thrown, ResumeOn is Resume, with what follows given to chance.
func (m *Machine) ThrownOn(c *Chance, cell int, number int16) bool {
	c.begin(m)
	ok := m.Thrown(cell, number)
	c.end(m)
	return ok
}

func (m *Machine) ResumeOn(c *Chance, result int) bool {
	c.begin(m)
	ok := m.Resume(result)
	c.end(m)
	return ok
}

func (c *Chance) begin(m *Machine) { m.chance, c.next = c, c.Source.Uint64() }

func (c *Chance) end(m *Machine) {
	m.chance = nil
	c.Source.Back()
}
