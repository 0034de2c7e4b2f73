package vm

import "testing"

// TestNth counts along some sets.
func TestNth(t *testing.T) {
	for _, set := range []uint64{1, 1 << 63, 0b1011, 0xf0f0, 1<<63 | 1<<40 | 1<<7 | 1<<6 | 1<<5 | 1} {
		i := 0
		for p := range 64 {
			if set>>p&1 == 0 {
				continue
			}
			if got := nth(set, i); got != p {
				t.Errorf("bit %d of %b: got %d, want %d", i, set, got, p)
			}
			i++
		}
	}
}
