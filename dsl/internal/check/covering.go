package check

import (
	"maps"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// covering selects settings of which each two parts, two values of options or a value and a number of players, that go together in
// some setting are together in one selected. The first is among them. Values of options that together does not hold of need not be
// together with others: each is in one selected.
//
// Few faults need three parts to be one way at once (D. R. Kuhn and others, "Software Fault Interactions and Implications for
// Software Testing", IEEE Transactions on Software Engineering 30(6), 2004).
func covering(all []Setting, together func(option, value string) bool) []bool {
	needs := make([][]int, len(all))
	number := numbering[[2]string]()
	for i, s := range all {
		parts := []string{"players=" + strconv.Itoa(s.Players)}
		for _, name := range slices.Sorted(maps.Keys(s.Options)) {
			part := name + " = " + s.Options[name]
			needs[i] = append(needs[i], number([2]string{part}))
			if together(name, s.Options[name]) {
				parts = append(parts, part)
			}
		}
		for k, p := range parts {
			for _, q := range parts[k:] {
				needs[i] = append(needs[i], number([2]string{p, q}))
			}
		}
	}
	selected := make([]bool, len(all))
	selected[0] = true
	cover(needs, selected)
	return selected
}

// apart tells which values of options of a book matter together with others: those of options that the last file names, but for the value of
// a flag that only leaves rules out. What remains of a book without them is there with the other value, too.
func apart(b *book.Book) func(option, value string) bool {
	without := map[string]string{} // of the options that the last file names
	for _, option := range OptionNames(b) {
		if b.Top().File.Has(option) {
			without[option] = leavesOut(b, option)
		}
	}
	return func(option, value string) bool {
		gone, named := without[option]
		return named && gone != value
	}
}

// leavesOut is the value of a flag with which there are fewer rules, and nothing else is different; "" where that is not so.
func leavesOut(b *book.Book, flag string) (value string) {
	if len(b.Renames) > 0 {
		return "" // the words of its declarations are not its names
	}
	for _, e := range b.Entries {
		d := e.Decl
		if e.Key.Kind == "option" || !slices.Contains(wordsOfDecl(b, d), flag) && !slices.Contains(conditionWords(e), flag) {
			continue
		}
		if d.Kind.Rule == nil && d.Kind.Var == nil && d.Kind.Count == nil {
			return ""
		}
		asks := func(x *syntax.Expr, file *source.File) bool {
			return slices.Contains(wordsIn(x.Span(file).Text()), flag)
		}
		within := false
		syntax.Walk(d, func(n any) bool {
			x, is := n.(*syntax.Expr)
			within = within || is && x != d.Head().If && asks(x, d.File)
			return !within
		})
		if within {
			return ""
		}
		for _, c := range e.If {
			if !asks(c.Expr, c.File) {
				continue
			}
			for _, part := range c.Expr.Node.Operands("&&") {
				gone := "false"
				if part.Kind == expr.Unary {
					part, gone = part.Args[0], "true"
				}
				switch {
				case !slices.Contains(wordsIn(part.Span.Text()), flag):
				case c.Not, part.Kind != expr.Name, value != "" && value != gone:
					return ""
				default:
					value = gone
				}
			}
		}
	}
	return value
}

// numbering numbers keys in the order in which they first come, from 0.
func numbering[K comparable]() func(K) int {
	numbers := map[K]int{}
	return func(k K) int {
		n, known := numbers[k]
		if !known {
			n = len(numbers)
			numbers[k] = n
		}
		return n
	}
}

// cover selects more settings until each need that some setting meets is met by one selected: always the one that meets most of those
// left. needs are the numbers of those that each setting meets.
func cover(needs [][]int, selected []bool) {
	met := make([]bool, seq.Most(slices.Concat(needs...), func(n int) int { return n + 1 }))
	take := func(i int) {
		selected[i] = true
		for _, n := range needs[i] {
			met[n] = true
		}
	}
	for i, yes := range selected {
		if yes {
			take(i)
		}
	}
	for {
		best, most := -1, 0
		for i := range needs {
			if more := seq.Count(needs[i], func(n int) bool { return !met[n] }); more > most {
				best, most = i, more
			}
		}
		if best < 0 {
			return
		}
		take(best)
	}
}
