//go:build unix

package files

import "syscall"

// noWait opens a named pipe without blocking until its other end is opened.
const noWait = syscall.O_NONBLOCK
