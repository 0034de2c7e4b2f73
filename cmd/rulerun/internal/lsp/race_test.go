//go:build race

package lsp_test

// raceEnabled says that the race detector slows everything down.
const raceEnabled = true
