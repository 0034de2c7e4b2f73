package check

import (
	"strconv"
	"testing"
)

// TestCovering: each two values, and each value and number of players, that go together are together in a selected setting, and far fewer
// settings than there are are selected.
func TestCovering(t *testing.T) {
	var all []Setting
	for n := range 1 << 6 {
		options := map[string]string{}
		for i := range 6 {
			options["o"+strconv.Itoa(i)] = strconv.Itoa(n >> i & 1)
		}
		for players := 2; players <= 4; players++ {
			if players < 4 || options["o0"] == "1" {
				all = append(all, Setting{Options: options, Players: players})
			}
		}
	}
	selected := covering(all, func(string, string) bool { return true })
	n := 0
	for i, s := range all {
		if selected[i] {
			n++
			continue
		}
		for name, v := range s.Options {
			for other, w := range s.Options {
				together := false
				for k, x := range all {
					together = together || selected[k] && x.Options[name] == v && x.Options[other] == w
				}
				if !together {
					t.Fatalf("%s = %s and %s = %s are not together", name, v, other, w)
				}
			}
			together := false
			for k, x := range all {
				together = together || selected[k] && x.Options[name] == v && x.Players == s.Players
			}
			if !together {
				t.Fatalf("%s = %s and %d players are not together", name, v, s.Players)
			}
		}
	}
	if !selected[0] || n > 16 {
		t.Errorf("%d of %d settings are selected, the first: %t", n, len(all), selected[0])
	}
	alone := covering(all, func(option, _ string) bool { return option == "o5" })
	n = 0
	seen := map[string]bool{}
	for i, s := range all {
		if alone[i] {
			n++
			for name, v := range s.Options {
				seen[name+v] = true
			}
			seen["o5"+s.Options["o5"]+strconv.Itoa(s.Players)] = true
		}
	}
	if len(seen) != 6*2+2*3 || n > 6 {
		t.Errorf("%d settings are selected for one option that is named, with %d of 18 values and pairs", n, len(seen))
	}
}
