package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/rulesets"
)

// FuzzMessages sends whatever lines come as messages, after a good beginning and before a good end: the server stays to
// the end.
func FuzzMessages(f *testing.F) {
	const uri = "file:///fuzz/sprint.rules"
	about := func(more map[string]any) map[string]any {
		more["textDocument"] = map[string]any{"uri": uri}
		return more
	}
	line := func(method string, id any, params any) string {
		m := map[string]any{"jsonrpc": "2.0", "method": method, "params": params}
		if id != nil {
			m["id"] = id
		}
		data, err := json.Marshal(m)
		if err != nil {
			f.Fatal(err)
		}
		return string(data)
	}
	at := placeOf(sprint, strings.Index(sprint, "rivals")+1)
	for i, method := range []string{"hover", "definition", "references", "completion", "documentHighlight", "prepareRename", "rename"} {
		f.Add(line("textDocument/"+method, i+2, about(map[string]any{"position": at, "newName": "others", "context": map[string]any{"includeDeclaration": true}})))
	}
	whole := map[string]any{"start": place{0, 0}, "end": place{20, 0}}
	for i, method := range []string{"documentSymbol", "codeLens", "codeAction", "formatting", "foldingRange", "semanticTokens/full", "inlayHint"} {
		f.Add(line("textDocument/"+method, i+20, about(map[string]any{"range": whole, "context": map[string]any{"diagnostics": []any{}}, "options": map[string]any{"tabSize": 2}})))
	}
	f.Add("")
	f.Add(line("textDocument/didChange", nil, map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": 2}, "contentChanges": []any{map[string]any{"range": whole, "text": "rule x"}},
	}) + "\n" + line("workspace/symbol", "a", map[string]any{"query": "x"}) + "\n" + line("$/cancelRequest", nil, map[string]any{"id": "a"}))
	begin := line("initialize", 1, map[string]any{"processId": nil, "rootUri": nil, "capabilities": map[string]any{}}) + "\n" +
		line("initialized", nil, map[string]any{}) + "\n" +
		line("textDocument/didOpen", nil, map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "rulerun", "version": 1, "text": sprint}})
	end := line("shutdown", "the end", nil) + "\n" + line("exit", nil, nil)
	f.Fuzz(func(t *testing.T, lines string) {
		if strings.Contains(lines, "orkspaceFolders") || strings.Contains(lines, "exit") || strings.Contains(lines, "shutdown") {
			return // folders of this machine are searched, and the end comes by itself
		}
		var in bytes.Buffer
		for _, body := range strings.Split(begin+"\n"+lines+"\n"+end, "\n") {
			fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(body), body)
		}
		ended := make(chan error, 1)
		go func() {
			ended <- lsp.Serve(context.Background(), &in, io.Discard, lsp.Options{Shipped: rulesets.FS, Version: "fuzz", Delay: time.Millisecond})
		}()
		select {
		case err := <-ended:
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, lsp.ErrNoShutdown) {
				t.Fatal(err)
			}
		case <-time.After(20 * time.Second):
			t.Fatal("the server does not end")
		}
	})
}
