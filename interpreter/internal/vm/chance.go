package vm

import (
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/random"
)

// Chance lets a machine continue by itself past throws of one ordinary die and past choices of options: it draws the outcome, uniformly.
// The machine stops at every other node.
type Chance struct {
	Source *random.Source
	Throws int // number of throws still allowed
	Ranked int // the machine stops once more players are ranked
	// Results.
	Decisions int // within turns
	Choices   int // since the last throw; the machine stops after MaxChoices
	// next is the next random bits, computed one step ahead. Dependent instructions, such as mispredicted branches, then start earlier.
	next uint64
}

// MaxChoices is the number of drawn choices allowed without a throw between them.
const MaxChoices = 20_000

// suspend stops at a node. It continues past a throw of one ordinary die that is left to chance, and then returns the next instruction.
func (m *Machine) suspend(in *code.Instr) *code.Instr {
	if c := m.chance; c != nil && code.NodeKind(in.A) == code.NodeThrow && c.Throws > 0 && int(m.view.header[code.CellRanked]) <= c.Ranked {
		if t := &m.prog.Throws[in.T]; t.Fair != nil {
			c.Throws--
			c.Choices = 0
			m.fuel, m.sp = code.MaxFuel, 0
			m.st[t.Cell] = t.Fair[c.part(len(t.Fair))]
			return m.prog.Points[in.K].To
		}
	}
	m.view.header[code.CellPoint] = int16(in.K)
	m.Node, m.Site = code.NodeKind(in.A), int(in.T)
	m.Fault = Fault{}
	return nil
}

// chooses returns the Chance that draws a choice, or nil if the run stops there.
func (m *Machine) chooses() *Chance {
	if c := m.chance; c != nil && c.Choices < MaxChoices && int(m.view.header[code.CellRanked]) <= c.Ranked {
		return c
	}
	return nil
}

// draw draws the number of one of n options.
func (m *Machine) draw(c *Chance, n int) int {
	c.Choices++
	if m.view.header[code.CellPlays] >= 0 {
		c.Decisions++
	}
	m.fuel, m.sp = code.MaxFuel, 0
	return c.part(n)
}

// part returns a random number below n.
func (c *Chance) part(n int) int {
	i := random.Part(c.next, n)
	c.next = c.Source.Uint64()
	return i
}

// ThrownOn is Thrown, and ResumeOn is Resume, with the following nodes left to chance.
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
