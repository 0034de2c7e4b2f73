//go:build unix

package interpreter_test

import (
	"syscall"
	"time"
)

// processorTime is the processor time this process has taken.
func processorTime() (time.Duration, bool) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0, false
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), true
}
