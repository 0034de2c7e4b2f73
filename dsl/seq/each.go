package seq

import (
	"sync"
	"sync/atomic"
)

// Each calls work for 0 to n-1 on several threads, and returns when all calls have.
func Each(threads, n int, work func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(threads, n) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	all.Wait()
}
