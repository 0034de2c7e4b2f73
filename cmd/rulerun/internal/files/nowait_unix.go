//go:build unix

package files

import "syscall"

// noWait opens a named pipe without waiting for its other end.
const noWait = syscall.O_NONBLOCK
