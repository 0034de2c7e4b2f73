// Command language is the language server in a browser: a worker exchanges its messages in JSON. See
// page/language-worker.js.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/examples"
)

// checkDelay is how long a text must be left alone before it is checked in all settings.
const checkDelay = 150 * time.Millisecond

func main() {
	fromPage, toServer := io.Pipe()
	messages := make(chan string, 1000)
	go func() { // a callback of the page must not block
		for m := range messages {
			fmt.Fprintf(toServer, "Content-Length: %d\r\n\r\n%s", len(m), m)
		}
	}()
	fromServer, toPage := io.Pipe()
	go listen(bufio.NewReader(fromServer), func(m string) { js.Global().Call("rulerunAnswer", m) })
	js.Global().Set("rulerunAsk", js.FuncOf(func(_ js.Value, args []js.Value) any {
		messages <- args[0].String()
		return nil
	}))
	begun := make(chan books.Texts, 1)
	js.Global().Set("rulerunStart", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var given struct{ Files books.Texts }
		if err := json.Unmarshal([]byte(args[0].String()), &given); err != nil {
			return err.Error()
		}
		begun <- given.Files
		return nil
	}))
	js.Global().Call("rulerunReady")
	_ = lsp.Serve(context.Background(), fromPage, toPage, lsp.Options{Shipped: examples.Shipped(), Disk: <-begun, Delay: checkDelay})
}

// listen takes the messages of the server out of their frames.
func listen(in *bufio.Reader, take func(string)) {
	for {
		length := 0
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			line = strings.TrimSpace(line)
			if line == "" {
				break
			}
			if n, ok := strings.CutPrefix(line, "Content-Length: "); ok {
				length, _ = strconv.Atoi(n)
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		take(string(body))
	}
}
