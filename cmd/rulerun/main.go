// Command rulerun plays race board games from a board and a rule book, and helps to write both.
package main

import (
	"os"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
