package check

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// enough selects, in the order of all, settings that show every fault that some setting has: each declaration is typed with each
// combination of values of the options that it depends on, and each number of players. It depends on the options in its text and its
// conditions, those of the declarations whose names are in its text, and those of the declarations that make the board, the sides, the
// dice and the moves. first are settings that are selected anyway. It returns nil where that is not known to be so.
//
// Findings which a further setting could take back are not known then: who has some must look at all settings.
func enough(b *book.Book, all []Setting, first []bool) []bool {
	options := OptionNames(b)
	if len(options) > 64 || len(b.Renames) > 0 || takesAway(b) {
		return nil
	}
	on, ok := dependences(b, options)
	if !ok {
		return nil
	}
	needs, selected := make([][]int, len(all)), slices.Clone(first)
	number := numbering[string]()
	for i, s := range all {
		selected[i] = first[i] || flips(b, all[0], s)
		for k, set := range on {
			var key strings.Builder
			key.WriteString(strconv.Itoa(k) + " " + strconv.Itoa(s.Players))
			for n, name := range options {
				if set>>n&1 != 0 {
					key.WriteString(" " + s.Options[name])
				}
			}
			needs[i] = append(needs[i], number(key.String()))
		}
	}
	cover(needs, selected)
	return selected
}

// flips reports whether a setting differs from the first in one option only, which the last file declares or sets: whether this makes a
// difference is asked.
func flips(b *book.Book, first, s Setting) bool {
	if s.Players != first.Players {
		return false
	}
	other := ""
	for name, v := range s.Options {
		if first.Options[name] != v {
			if other != "" {
				return false
			}
			other = name
		}
	}
	own := func(e *book.Entry) bool { return e.Layer == b.Top() && e.Key.Kind == "option" && e.Key.Name == other }
	return slices.ContainsFunc(b.Entries, own) ||
		slices.ContainsFunc(b.Sets, func(x *book.SetEntry) bool { return x.Layer == b.Top() && x.Decl.Set.Name.Text == other })
}

// everywhere are the kinds of declarations that every other one depends on, beside those without a name.
var everywhere = []string{"dice", "move", "seats", "teams"}

// dependences lists the distinct sets of options that the declarations of a book depend on, as bits; ok is false where that is not known.
func dependences(b *book.Book, options []string) (on []uint64, ok bool) {
	bits := map[string]uint64{}
	for k, name := range options {
		bits[name] = 1 << k
	}
	named := map[string]uint64{} // what the declarations with a name depend on
	sets := make([]uint64, len(b.Entries))
	names, words := make([][]string, len(b.Entries)), make([][]string, len(b.Entries))
	var always uint64
	for i, e := range b.Entries {
		words[i] = slices.Concat(wordsOfDecl(b, e.Decl), conditionWords(e))
		if names[i] = e.Names(); e.Key.Kind != "rule" && e.Key.Kind != "name" && e.Key.Name == "" {
			names[i] = []string{e.Key.Kind}
		}
		if e.Decl.Kind.Turn != nil || e.Decl.Kind.Step != nil {
			names[i] = append(slices.Clip(names[i]), "turn")
			words[i] = append(slices.Clip(words[i]), "turn")
			if slices.Contains(words[i], "most") { // which looks ahead through all that may come
				return nil, false
			}
		}
		for _, w := range words[i] {
			sets[i] |= bits[w]
		}
	}
	for changed := true; changed; {
		changed = false
		for i, e := range b.Entries {
			was := sets[i]
			for _, w := range words[i] {
				sets[i] |= named[w]
			}
			for _, n := range names[i] {
				sets[i] |= named[n]
				named[n] |= sets[i]
			}
			if k := e.Decl.Kind; k.Move != nil || k.Dice != nil || e.Key.Name == "" && k.Turn == nil && k.Setup == nil || slices.Contains(everywhere, e.Key.Kind) || slices.Contains(words[i], "give") {
				always |= sets[i]
			}
			sets[i] |= always
			changed = changed || sets[i] != was
		}
	}
	on = append(sets, always)
	slices.Sort(on)
	return slices.Compact(on), true
}

// wordsOfDecl lists the words of a declaration.
func wordsOfDecl(b *book.Book, d *syntax.Decl) []string {
	at := d.Span(d.File)
	return b.Finder.Remember(memoKey{ofDecl, at}, func() any { return wordsIn(at.Text()) }).([]string)
}

// wordsIn lists the words of a text, each once.
func wordsIn(text string) []string {
	words := source.Words(text)
	slices.Sort(words)
	return slices.Compact(words)
}
