// Command rulerun plays race board games from a board and a rule book, and helps to write both.
package main

import (
	"os"
	"runtime/debug"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/cli"
)

// collectAt is by how many percent the memory in use grows before it is collected: most verbs are done before that.
const collectAt = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
