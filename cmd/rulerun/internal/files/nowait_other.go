//go:build !unix

package files

// noWait is nothing: there are no named pipes among the files.
const noWait = 0
