//go:build !js

package wasm

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Batch is a compiled module that plays whole games. It is safe for several goroutines; each uses a Player of its own.
type Batch struct {
	source  *Source
	mem     *memory
	runtime wazero.Runtime
	module  wazero.CompiledModule
}

// Compile compiles a program to machine code. It returns ErrUnsupported if the program needs the interpreter, or if wazero has no compiler
// for this machine.
func Compile(s *Source) (b *Batch, err error) {
	module, mem, err := build(s)
	if err != nil {
		return nil, err
	}
	defer func() { // wazero panics if it has no compiler for this machine
		if r := recover(); r != nil {
			b, err = nil, fmt.Errorf("%w: %v", ErrUnsupported, r)
		}
	}()
	ctx := context.Background()
	b = &Batch{source: s, mem: mem, runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler())}
	b.module, err = b.runtime.CompileModule(ctx, module)
	if err != nil {
		b.runtime.Close(ctx)
		return nil, err
	}
	return b, nil
}

// Player plays games one after the other. It belongs to one goroutine.
type Player struct {
	Result // of the last game
	batch  *Batch
	ctx    context.Context
	play   api.Function
	memory []byte
	stack  [1]uint64
}

// NewPlayer makes a player.
func (b *Batch) NewPlayer() (*Player, error) {
	p := &Player{batch: b, ctx: context.Background()}
	instance, err := b.runtime.InstantiateModule(p.ctx, b.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	memory := instance.Memory()
	p.memory, _ = memory.Read(0, memory.Size()) // the memory cannot grow, so this slice stays valid
	p.play = instance.ExportedFunction(playName)
	b.mem.fill(p.memory, b.source)
	return p, nil
}

// Play plays a game. It allocates nothing.
func (p *Player) Play(r Request) error {
	binary.LittleEndian.PutUint64(p.memory[p.batch.mem.word(wRandom):], r.Random)
	p.setWord(wFirst, r.First)
	p.setWord(wMaxThrows, r.MaxThrows)
	p.setWord(wOver, 0)
	p.setWord(wLong, 0)
	p.setWord(wLeads, code.Truth(r.Leads))
	err := p.play.CallWithStack(p.ctx, p.stack[:])
	p.Result = p.result()
	if err != nil && p.word(wOver) == 0 {
		return ErrTrouble
	}
	return nil
}

func (p *Player) at(at int) int { return int(int32(binary.LittleEndian.Uint32(p.memory[at:]))) }

func (p *Player) word(w word) int { return p.at(p.batch.mem.word(w)) }

func (p *Player) setWord(w word, v int) {
	binary.LittleEndian.PutUint32(p.memory[p.batch.mem.word(w):], uint32(v))
}

// result reads the result of a game from memory.
func (p *Player) result() Result {
	r := Result{
		Throws: p.word(wThrows), Decisions: p.word(wDecisions), First: p.word(wFirst), Unfinished: p.word(wUnfinished) != 0, Long: p.word(wLong) != 0,
		LeadChanges: p.word(wChanges), Leader: p.word(wLeader), Ranked: p.word(wRanked), Before: p.word(wBefore),
	}
	if r.Leader >= 0 {
		r.Since = p.at(p.batch.mem.since + 4*r.Leader)
	}
	return r
}

// Final copies the last state of the game, with the counters, into a machine of the same program.
func (p *Player) Final(m *vm.Machine) {
	mem := p.batch.mem
	read16(m.State(), p.memory[mem.state:])
	read64(m.Derived()[:min(code.DerivedPlaces, len(m.Derived()))], p.memory[mem.derived:])
	p.readSets(placeSets(m.Derived()))
	copy(m.Squares(), p.memory[mem.squares:])
	read64(m.Counters, p.memory[mem.counters:])
}

func (p *Player) readSets(to []uint64) {
	from := p.memory[p.batch.mem.sets-p.batch.mem.setSize:]
	switch p.batch.mem.setSize {
	case 2:
		for i := range to {
			to[i] = uint64(binary.LittleEndian.Uint16(from[2*i:]))
		}
	case 4:
		for i := range to {
			to[i] = uint64(binary.LittleEndian.Uint32(from[4*i:]))
		}
	default:
		read64(to, from)
	}
}

// read16 decodes 16-bit numbers, four per load while at least four are left.
func read16(to []int16, from []byte) {
	for len(to) >= 4 {
		x := binary.LittleEndian.Uint64(from)
		to[0], to[1], to[2], to[3] = int16(x), int16(x>>16), int16(x>>32), int16(x>>48)
		to, from = to[4:], from[8:]
	}
	for i := range to {
		to[i] = int16(binary.LittleEndian.Uint16(from[2*i:]))
	}
}

func read64(to []uint64, from []byte) {
	from = from[:8*len(to)]
	for i := range to {
		to[i] = binary.LittleEndian.Uint64(from[8*i:])
	}
}
