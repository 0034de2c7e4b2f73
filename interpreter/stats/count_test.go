package stats

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// TestCount keeps numbers of any size in little room, whatever their order, and the mean exactly.
func TestCount(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const games = 200_000
	var whole, left, right Count
	total := 0
	numbers := make([]int, games)
	for i := range numbers {
		v := int(r.Uint32()>>r.IntN(32)) / 2
		if i%3 == 0 {
			v = -v
		}
		numbers[i] = v
		total += v
		whole.Add(v)
	}
	for i := range numbers {
		v := numbers[games-1-i]
		if i%2 == 0 {
			left.Add(v)
		} else {
			right.Add(v)
		}
	}
	left.join(&right)
	a, err1 := json.Marshal(&whole)
	b, err2 := json.Marshal(&left)
	if err1 != nil || err2 != nil || string(a) != string(b) {
		t.Errorf("%v, %v, or the order makes a difference", err1, err2)
	}
	if whole.Sum.Total() != int64(total) || whole.Histogram.N() != games || !whole.possible(games) || whole.possible(games+1) {
		t.Errorf("%d numbers with the sum %d, want %d with %d", whole.Histogram.N(), whole.Sum.Total(), games, total)
	}
	distinct := 0
	for v := range whole.Histogram.All() {
		distinct++
		if rough(v) != v {
			t.Fatalf("%d is not rounded", v)
		}
	}
	if most := 2 * (1<<countDigits + (32-countDigits)<<(countDigits-1)); distinct > most {
		t.Errorf("%d different numbers, want %d at most", distinct, most)
	}
	for v, want := range map[int]int{0: 0, 4095: 4095, 4097: 4096, -4095: -4095, -4099: -4098, 1<<31 - 1: 4095 << 19} {
		if got := rough(v); got != want {
			t.Errorf("%d is rounded to %d, want %d", v, got, want)
		}
	}
	for _, odd := range []string{`{"sum":[4097,16785409],"histogram":[[4097,1]]}`, `{"sum":[5,1],"histogram":[[5,1]]}`, `{"sum":[5,25],"histogram":[[5,2]]}`} {
		var c Count
		if err := json.Unmarshal([]byte(odd), &c); err != nil || c.possible(1) {
			t.Errorf("%s: %v, and it is taken for possible", odd, err)
		}
	}
}
