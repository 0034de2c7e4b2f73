package generate

import (
	"fmt"
	"testing"
	"time"
)

func TestRate(t *testing.T) {
	codes := map[string]int{}
	ok := 0
	const n = 600
	var slow time.Duration
	shown := map[string]int{}
	for seed := range uint64(n) {
		b := New(seed)
		at := time.Now()
		book, faults := b.Check()
		slow = max(slow, time.Since(at))
		if book != nil {
			ok++
			continue
		}
		for _, f := range faults {
			if f.Severity.String() != "error" {
				continue
			}
			codes[f.Code]++
			if shown[f.Code]++; shown[f.Code] <= 4 {
				fmt.Println(seed, f.Code, f.Message, "|", f.Span.Text())
			}
			break
		}
	}
	fmt.Println(ok, n, codes, slow)
}
