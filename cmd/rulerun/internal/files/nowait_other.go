//go:build !unix

package files

// noWait is 0: there are no named pipes in the file system.
const noWait = 0
