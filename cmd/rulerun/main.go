// Command rulerun plays race board games from a board and a rule book, and helps to write both.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/cli"
)

// By how many percent the memory in use grows before it is collected: most verbs are done before the first time.
const (
	firstAt = 1600
	thenAt  = 400
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(firstAt)
		largePages()
		runtime.AddCleanup(new([16]byte), func(percent int) {
			if verb := debug.SetGCPercent(percent); verb != firstAt {
				debug.SetGCPercent(verb) // the verb has a better number
			}
		}, thenAt)
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
