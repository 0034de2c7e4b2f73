// Package wasm is the second back end: it compiles whole random games to WebAssembly, for statistics.
//
// It lowers the tree that package code also compiles. The module contains the throws and choices of random play, so no Go code runs between
// the beginning of a game and its end. A common misunderstanding: the module does not define results. If a game reaches something that the
// module does not support, or a fault of the rules, Play returns ErrTrouble and the interpreter replays the game from the beginning with
// the same random numbers. The result of a game never depends on which back end played it.
package wasm

import (
	"encoding/binary"
	"slices"
)

// kind is a WebAssembly value type.
type kind byte

const (
	i32  kind = 0x7f
	i64  kind = 0x7e
	none kind = 0x40 // blocks and functions without a result
)

// module is a WebAssembly module under construction: functions and one memory of fixed size. Section 5 of the WebAssembly core
// specification defines the binary format.
type module struct {
	funcs   []*fn
	globals []kind
	pages   uint32 // of 64 KiB
	top     int    // the highest address used with a doubled index
}

// global is a variable of the module: an access needs no address.
type global struct {
	at   int
	kind kind
}

func (m *module) newGlobal(k kind) global {
	m.globals = append(m.globals, k)
	return global{len(m.globals) - 1, k}
}

// newFunc declares a function. Its number is fixed here; its body may be generated later.
func (m *module) newFunc(name string, result kind, params ...kind) *fn {
	f := &fn{module: m, name: name, number: len(m.funcs), result: result, params: params}
	m.funcs = append(m.funcs, f)
	return f
}

const memoryName = "memory"

// encode returns the module in binary format, with one exported function.
func (m *module) encode(exported *fn) []byte {
	out := []byte{0, 'a', 's', 'm', 1, 0, 0, 0}
	section := func(id byte, count int, body []byte) {
		if count == 0 {
			return
		}
		body = append(uleb(nil, uint64(count)), body...)
		out = append(out, id)
		out = uleb(out, uint64(len(body)))
		out = append(out, body...)
	}
	var types, funcs, exports, code []byte
	for _, f := range m.funcs {
		types = append(types, 0x60)
		types = uleb(types, uint64(len(f.params)))
		for _, k := range f.params {
			types = append(types, byte(k))
		}
		if f.result == none {
			types = append(types, 0)
		} else {
			types = append(types, 1, byte(f.result))
		}
		funcs = uleb(funcs, uint64(f.number))
		body := f.encode()
		code = uleb(code, uint64(len(body)))
		code = append(code, body...)
	}
	exports = append(text(exports, memoryName), 2, 0)
	exports = uleb(append(text(exports, exported.name), 0), uint64(exported.number))
	section(1, len(m.funcs), types)
	section(3, len(m.funcs), funcs)
	section(5, 1, uleb(uleb([]byte{1}, uint64(m.pages)), uint64(m.pages)))
	var globals []byte
	for _, k := range m.globals {
		globals = append(globals, byte(k), 1)
		globals = append(append(globals, konst(k, 0).code...), 0x0b)
	}
	section(6, len(m.globals), globals)
	section(7, 2, exports)
	section(10, len(m.funcs), code)
	return append(out, m.nameSection()...)
}

// nameSection names the functions for profilers.
func (m *module) nameSection() []byte {
	names := uleb(nil, uint64(len(m.funcs)))
	for _, f := range m.funcs {
		names = text(uleb(names, uint64(f.number)), f.name)
	}
	body := append(uleb(append(text(nil, "name"), 1), uint64(len(names))), names...)
	return append(uleb([]byte{0}, uint64(len(body))), body...)
}

// encode returns a function's locals and body.
func (f *fn) encode() []byte {
	var out []byte
	groups := len(slices.Compact(slices.Clone(f.locals)))
	out = uleb(out, uint64(groups))
	for i := 0; i < len(f.locals); {
		n := 1
		for i+n < len(f.locals) && f.locals[i+n] == f.locals[i] {
			n++
		}
		out = append(uleb(out, uint64(n)), byte(f.locals[i]))
		i += n
	}
	out = append(out, f.body...)
	return append(out, 0x0b)
}

// uleb appends an unsigned number in LEB128.
func uleb(dst []byte, v uint64) []byte { return binary.AppendUvarint(dst, v) }

// sleb appends a signed number in LEB128.
func sleb(dst []byte, v int64) []byte {
	for {
		b := byte(v & 0x7f)
		v >>= 7
		if v == 0 && b&0x40 == 0 || v == -1 && b&0x40 != 0 {
			return append(dst, b)
		}
		dst = append(dst, b|0x80)
	}
}

func text(dst []byte, s string) []byte { return append(uleb(dst, uint64(len(s))), s...) }
