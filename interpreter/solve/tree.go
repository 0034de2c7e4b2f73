package solve

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A tree is the byte encoding of everything that can happen between one numbered position and the next ones. Nodes are in
// prefix order, each followed by its branches. Numbers are little-endian, of two bytes; targets have four:
//
//	leaf    opLeaf | label, target
//	end     opEnd | label
//	chance  opChance | throws | player, distribution
//	choice  opChoice | throws | side, number of branches, branch taken

// The kind of a node is in the two highest bits.
const (
	opLeaf   = 0x0000
	opEnd    = 0x4000
	opChance = 0x8000
	opChoice = 0xc000
	opKind   = 0xc000
	opNumber = 0x3fff
	opThrows = 0x2000 // of chance and choice: a throw counts here
	opPlayer = 0x1000 // of chance: a decision of a random player or a bot
	opSide   = 0x00ff // of a choice
)

// label is the shared part of edges: the layer of the target, the number of turns that begin along the edge, and the
// renaming of the players. At an end, it is the side that has won.
type label struct {
	turns, layer, perm uint16
	end                bool
	side               int8
	turned             bool // side 0 has another number at the target
}

// noSide is the side of an end without a winner.
const noSide = -1

var little = binary.LittleEndian

// branches is the number of branches of the node at an offset, and the offset of the first. A leaf has none, and the offset
// is that after the leaf.
func (g *graph) branches(t []byte, at int) (n, first int) {
	op := little.Uint16(t[at:])
	switch op & opKind {
	case opLeaf:
		return 0, at + 6
	case opEnd:
		return 0, at + 2
	case opChance:
		return len(g.dists[little.Uint16(t[at+2:])]), at + 4
	}
	return int(little.Uint16(t[at+2:])), at + 6
}

// leaves iterates over the leaves of a tree.
type leaves struct {
	at, open int
	decided  bool // a choice was passed
}

// next is the label and the target of the next leaf; ok is false after the last.
func (l *leaves) next(g *graph, t []byte) (by *label, to uint32, ok bool) {
	for l.open > 0 {
		at := l.at
		n, next := g.branches(t, at)
		l.at, l.open = next, l.open+n-1
		op := little.Uint16(t[at:])
		switch op & opKind {
		case opLeaf:
			return &g.labels[op&opNumber], little.Uint32(t[at+2:]), true
		case opEnd:
			return &g.labels[op&opNumber], 0, true
		case opChoice:
			l.decided = true
		}
	}
	return nil, 0, false
}

// size is the length of the tree at the beginning of t.
func (g *graph) size(t []byte) int {
	at := 0
	for open := 1; open > 0; {
		n, next := g.branches(t, at)
		at, open = next, open+n-1
	}
	return at
}

// trees stores the trees of a layer in blocks, because an array that grows by copying needs twice the memory.
type trees struct {
	blocks [][]byte
	at     []uint64 // by position: block and offset
}

const treeBlock = 1 << 24

// keep adds the tree of the next position.
func (s *trees) keep(t []byte) {
	last := len(s.blocks) - 1
	if last < 0 || len(s.blocks[last])+len(t) > cap(s.blocks[last]) {
		s.blocks = append(s.blocks, make([]byte, 0, max(treeBlock, len(t))))
		last++
	}
	b := s.blocks[last]
	s.at = append(s.at, uint64(last)<<32|uint64(len(b)))
	s.blocks[last] = append(b, t...)
}

// of is the tree of a position, followed by other bytes.
func (s *trees) of(i uint32) []byte {
	at := s.at[i]
	return s.blocks[at>>32][uint32(at):]
}

// split locates the trees in text, at most n.
func (g *graph) split(text []byte, n int) trees {
	out := trees{at: make([]uint64, 0, n)}
	for at := 0; at < len(text) && len(out.at) < n; { // blocks of less than 4 GB
		end := at
		for end < len(text) && end-at < math.MaxUint32-1<<20 && len(out.at) < n {
			out.at = append(out.at, uint64(len(out.blocks))<<32|uint64(end-at))
			end += g.size(text[end:])
		}
		out.blocks = append(out.blocks, text[at:end:end])
		at = end
	}
	return out
}

// number interns a label and returns its number.
func (g *graph) number(l label) (uint16, error) {
	if n, ok := g.labelled[l]; ok {
		return n, nil
	}
	if len(g.labels) > opNumber {
		return 0, fmt.Errorf("positions follow one another in more than %d ways", opNumber)
	}
	n := uint16(len(g.labels))
	g.labelled[l] = n
	l.turned = g.perms[l.perm][0] != 0
	g.labels = append(g.labels, l)
	return n, nil
}
