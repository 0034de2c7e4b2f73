// Command engine is package door in a browser: a worker calls it with requests in JSON. See page/engine-worker.js.
package main

import (
	"encoding/json"
	"math/rand/v2"
	"syscall/js"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/examples"
	"github.com/rulerun/rulerun/interpreter/learn"
)

// maxGames is how many games a page holds.
const maxGames = 32

func main() {
	learn.Look("shipped", examples.Played())
	var host *door.Host
	js.Global().Set("rulerunStart", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var given struct {
			Files  books.Texts
			Listed []string
		}
		if err := json.Unmarshal([]byte(args[0].String()), &given); err != nil {
			return err.Error()
		}
		learn.Look("site", given.Files)
		host = door.NewHost(books.Listed(examples.Played(), given.Files, given.Listed), maxGames, rand.Uint64)
		return nil
	}))
	js.Global().Set("rulerunServe", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(host.Serve([]byte(args[0].String())))
	}))
	js.Global().Call("rulerunReady")
	select {}
}
