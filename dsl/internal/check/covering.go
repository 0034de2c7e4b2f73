package check

import (
	"maps"
	"slices"
	"strconv"
)

// covering selects settings of which each two parts, two values of options or a value and a number of players, that go together in
// some setting are together in one selected. The first is among them. Values of options that named does not hold of need not be together
// with others: each is in one selected.
//
// Few faults need three parts to be one way at once (D. R. Kuhn and others, "Software Fault Interactions and Implications for
// Software Testing", IEEE Transactions on Software Engineering 30(6), 2004).
func covering(all []Setting, named func(option string) bool) []bool {
	numbers := map[[2]string]int{} // of pairs
	pairs := make([][]int, len(all))
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
				n, known := numbers[[2]string{p, q}]
				if !known {
					n = len(numbers)
					numbers[[2]string{p, q}] = n
				}
				pairs[i] = append(pairs[i], n)
			}
		}
	}
	selected, covered := make([]bool, len(all)), make([]bool, len(numbers))
	for best := 0; best >= 0; {
		selected[best] = true
		for _, n := range pairs[best] {
			covered[n] = true
		}
		best = -1
		most := 0
		for i := range all {
			more := 0
			for _, n := range pairs[i] {
				if !covered[n] {
					more++
				}
			}
			if more > most {
				best, most = i, more
			}
		}
	}
	return selected
}
