package solve

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// keys interns snapshots of positions, and numbers them in order of appearance. It stores a snapshot as its difference from
// the first one: run lengths of equal byte pairs, each followed by the pair that differs. The keys are in blocks, because an
// array that grows by copying needs twice the memory.
type keys struct {
	first  []byte
	blocks [][]byte
	places []uint64 // by number: the block, and the offset of length and bytes
	slots  []uint32 // open-addressing hash table of numbers plus 1; 0 is free
	seed   maphash.Seed
	key    []byte // buffer
}

// keyBlock is the minimum size of a block in bytes.
const keyBlock = 1 << 20

func newKeys(first []byte) *keys {
	return &keys{first: bytes.Clone(first), slots: make([]uint32, 1<<10), seed: maphash.MakeSeed()}
}

// number returns the number of a snapshot, and whether it is new.
func (k *keys) number(snapshot []byte) (n int, fresh bool) {
	k.compress(snapshot)
	at := k.slot(k.key)
	if k.slots[at] != 0 {
		return int(k.slots[at]) - 1, false
	}
	n = len(k.places)
	k.keep()
	k.slots[at] = uint32(n + 1)
	if 2*len(k.places) > len(k.slots) {
		k.grow()
	}
	return n, true
}

// compress encodes a snapshot as a key.
func (k *keys) compress(snapshot []byte) {
	k.key = k.key[:0]
	same := uint64(0)
	for i := 0; i < len(snapshot); {
		if i+8 <= min(len(snapshot), len(k.first)) && binary.LittleEndian.Uint64(snapshot[i:]) == binary.LittleEndian.Uint64(k.first[i:]) {
			same += 4
			i += 8
			continue
		}
		j := min(i+2, len(snapshot))
		if bytes.Equal(snapshot[i:j], k.first[i:j]) {
			same++
		} else {
			k.key = append(binary.AppendUvarint(k.key, same), snapshot[i:j]...)
			same = 0
		}
		i = j
	}
}

// keep appends the present key to the blocks.
func (k *keys) keep() {
	last := len(k.blocks) - 1
	need := len(k.key) + binary.MaxVarintLen64
	if last < 0 || len(k.blocks[last])+need > cap(k.blocks[last]) {
		k.blocks = append(k.blocks, make([]byte, 0, max(keyBlock, need)))
		last++
	}
	b := k.blocks[last]
	k.places = append(k.places, uint64(last)<<32|uint64(len(b)))
	k.blocks[last] = append(binary.AppendUvarint(b, uint64(len(k.key))), k.key...)
}

// at returns the key with a number.
func (k *keys) at(n int) []byte {
	place := k.places[n]
	b := k.blocks[place>>32][uint32(place):]
	length, size := binary.Uvarint(b)
	return b[size : size+int(length)]
}

// snapshot appends the decoded snapshot with a number to dst. Its length is that of the first snapshot.
func (k *keys) snapshot(dst []byte, n int) []byte {
	begin := len(dst)
	dst = append(dst, k.first...)
	out := dst[begin:]
	at := 0
	for key := k.at(n); len(key) > 0; {
		same, size := binary.Uvarint(key)
		at += 2 * int(same)
		took := copy(out[at:min(at+2, len(out))], key[size:])
		key = key[size+took:]
		at += 2
	}
	return dst
}

func (k *keys) grow() {
	k.slots = make([]uint32, 2*len(k.slots))
	for n := range k.places {
		k.slots[k.slot(k.at(n))] = uint32(n + 1)
	}
}

// slot is the slot of a key, or the free slot for it.
func (k *keys) slot(key []byte) uint64 {
	mask := uint64(len(k.slots) - 1)
	at := maphash.Bytes(k.seed, key) & mask
	for k.slots[at] != 0 && !bytes.Equal(k.at(int(k.slots[at])-1), key) {
		at = (at + 1) & mask
	}
	return at
}

// words interns keys of a fixed number of words, and numbers them in order of appearance.
type words struct {
	each  int
	all   []uint64
	slots []uint32 // open-addressing hash table of numbers plus 1; 0 is free
}

func newWords(each int) *words { return &words{each: each, slots: make([]uint32, 1<<10)} }

// at returns the key with a number.
func (k *words) at(n int) []uint64 { return k.all[n*k.each:][:k.each] }

// len is the number of keys.
func (k *words) len() int { return len(k.all) / k.each }

// slot is the slot of a key, or the free slot for it.
func (k *words) slot(key []uint64) uint64 {
	hash := uint64(0)
	for _, w := range key {
		hash = (hash ^ w) * 0x9e3779b97f4a7c15
		hash ^= hash >> 29
	}
	mask := uint64(len(k.slots) - 1)
	at := hash * 0xbf58476d1ce4e5b9 >> 20 & mask
	for k.slots[at] != 0 && !slices.Equal(k.at(int(k.slots[at])-1), key) {
		at = (at + 1) & mask
	}
	return at
}

// number returns the number of a key, and whether it is new.
func (k *words) number(key []uint64) (n int, fresh bool) {
	at := k.slot(key)
	if k.slots[at] != 0 {
		return int(k.slots[at]) - 1, false
	}
	n = k.len()
	k.all = append(k.all, key...)
	k.slots[at] = uint32(n + 1)
	if 3*k.len() > 2*len(k.slots) {
		k.index()
	}
	return n, true
}

// index builds the hash table.
func (k *words) index() {
	k.slots = make([]uint32, 1<<max(10, bits.Len(uint(2*k.len()))))
	for i := range k.len() {
		k.slots[k.slot(k.at(i))] = uint32(i + 1)
	}
}
