package check

import (
	"maps"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/dsl/seq"
)

// covering selects settings of which each two parts, two values of options or a value and a number of players, that go together in
// some setting are together in one selected. The first is among them. Values of options that named does not hold of need not be together
// with others: each is in one selected.
//
// Few faults need three parts to be one way at once (D. R. Kuhn and others, "Software Fault Interactions and Implications for
// Software Testing", IEEE Transactions on Software Engineering 30(6), 2004).
func covering(all []Setting, named func(option string) bool) []bool {
	needs := make([][]int, len(all))
	number := numbering[[2]string]()
	for i, s := range all {
		parts, alone := []string{"players=" + strconv.Itoa(s.Players)}, 0
		for _, name := range slices.Sorted(maps.Keys(s.Options)) {
			parts = append(parts, name+" = "+s.Options[name])
			if !named(name) {
				last := len(parts) - 1
				parts[alone], parts[last] = parts[last], parts[alone]
				alone++
			}
		}
		for k, p := range parts {
			with := parts[k:]
			if k < alone {
				with = with[:1]
			}
			for _, q := range with {
				needs[i] = append(needs[i], number([2]string{p, q}))
			}
		}
	}
	selected := make([]bool, len(all))
	selected[0] = true
	cover(needs, selected)
	return selected
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
