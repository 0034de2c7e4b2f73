// Command language is the language server in a browser: a worker exchanges its messages in JSON. See
// page/language-worker.js.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/examples"
)

func main() {
	var talk *lsp.Talk
	js.Global().Set("rulerunStart", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var given struct{ Files books.Texts }
		if err := json.Unmarshal([]byte(args[0].String()), &given); err != nil {
			return err.Error()
		}
		o := lsp.Options{Shipped: examples.Shipped(), Disk: given.Files, Delay: lsp.Delay}
		talk = lsp.Begin(context.Background(), o, func(message []byte) { js.Global().Call("rulerunAnswer", string(message)) })
		return nil
	}))
	js.Global().Set("rulerunAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return talk.Tell([]byte(args[0].String()))
	}))
	js.Global().Call("rulerunReady")
	select {}
}
