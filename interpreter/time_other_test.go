//go:build !unix

package interpreter_test

import "time"

// processorTime is not known here.
func processorTime() (time.Duration, bool) { return 0, false }
