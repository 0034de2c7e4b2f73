package boards

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/seq"
)

type valueKind uint8

const (
	badValue    valueKind = iota // of something that was faulty and has been reported
	nilValue                     // nothing
	numValue                     // num
	flagValue                    // num is 0 or 1
	textValue                    // text
	listValue                    // items
	colourValue                  // index
	placeValue                   // index
	familyValue                  // index
)

var valueKindNames = [...]string{
	badValue: "something faulty", nilValue: "nothing", numValue: "number", flagValue: "flag", textValue: "text",
	listValue: "list", colourValue: "colour", placeValue: "place", familyValue: "family of squares",
}

// value is the result of an expression. The zero value is bad: results computed from it are bad too, and only the first
// fault is reported.
type value struct {
	kind  valueKind
	num   float64
	text  string
	items []value
	index int
}

func number(n float64) value { return value{kind: numValue, num: n} }

func truth(b bool) value {
	if b {
		return value{kind: flagValue, num: 1}
	}
	return value{kind: flagValue}
}

func (v value) isWhole() bool {
	return v.kind == numValue && v.num == math.Trunc(v.num) && math.Abs(v.num) <= 1<<31
}

// same compares two values. A list is the same as itself without a look at its elements.
func (v value) same(w value) bool {
	return v.alike(w) && (len(v.items) == 0 || &v.items[0] == &w.items[0] || slices.EqualFunc(v.items, w.items, value.same))
}

// alike compares two values but for the elements of lists.
func (v value) alike(w value) bool {
	return v.kind == w.kind && v.num == w.num && v.text == w.text && v.index == w.index && len(v.items) == len(w.items)
}

func formatNumber(n float64) string {
	if i := int(n); float64(i) == n && -1e9 < n && n < 1e9 {
		return strconv.Itoa(i)
	}
	return strconv.FormatFloat(n, 'g', 12, 64)
}

func (r *reader) describe(v value) string {
	switch v.kind {
	case numValue:
		return "number " + formatNumber(v.num)
	case flagValue:
		return "flag " + strconv.FormatBool(v.num == 1)
	case textValue:
		return "text " + quote(shorten(v.text))
	case colourValue:
		return "colour " + r.colours[v.index]
	case placeValue:
		return "place " + quote(r.board.Places[v.index].Name)
	case familyValue:
		return "family " + quote(r.families[v.index].name)
	}
	return valueKindNames[v.kind]
}

// scope resolves names: those of the board, then the loop variables and lets of a family. Most have few names, which are searched.
type scope struct {
	parent *scope
	few    []binding
	more   map[string]value // those beyond maxFew
}

type binding struct {
	name string
	value
}

// maxFew is how many names of a scope are searched.
const maxFew = 8

func (s *scope) inner() *scope { return &scope{parent: s} }

// own is the value that a name has in this scope itself.
func (s *scope) own(name string) (value, bool) {
	for i := range s.few {
		if s.few[i].name == name {
			return s.few[i].value, true
		}
	}
	v, ok := s.more[name]
	return v, ok
}

func (s *scope) find(name string) (value, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.own(name); ok {
			return v, true
		}
	}
	return value{}, false
}

// set gives a name a value in this scope.
func (s *scope) set(name string, v value) {
	for i := range s.few {
		if s.few[i].name == name {
			s.few[i].value = v
			return
		}
	}
	if len(s.few) < maxFew {
		s.few = append(s.few, binding{name, v})
		return
	}
	if s.more == nil {
		s.more = map[string]value{}
	}
	s.more[name] = v
}

func (s *scope) known() []string {
	var names []string
	for ; s != nil; s = s.parent {
		names = append(names, seq.Map(s.few, func(b binding) string { return b.name })...)
		names = slices.AppendSeq(names, maps.Keys(s.more))
	}
	return sortedNames(names)
}

// turn is a turn of loops: their variables, and the scope in which they have values. It is zero outside loops.
type turn struct {
	of    []string
	scope *scope
}

// context lists the values of the loop variables, for a note.
func (r *reader) context() string {
	var parts []string
	for _, name := range r.turn.of {
		switch v, _ := r.turn.scope.find(name); v.kind {
		case numValue:
			parts = append(parts, name+" = "+formatNumber(v.num))
		case colourValue:
			parts = append(parts, name+" = "+r.colours[v.index])
		case textValue:
			parts = append(parts, name+" = "+quote(shorten(v.text)))
		}
	}
	return strings.Join(parts, ", ")
}
