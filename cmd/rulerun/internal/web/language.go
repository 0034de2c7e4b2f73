package web

import (
	"context"
	"io"
	"net/http"
	"sync"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
)

// maxLanguages is how many language servers run at the same time: one for each page with an editor.
const maxLanguages = 8

// languages are the language servers of pages. A page opens a stream of events, which begins with the name of its server
// and goes on with the messages of it; it sends its own messages one by one. The server ends with the stream.
type languages struct {
	options lsp.Options
	changes *Changes
	slots   chan struct{} // as many as may run
	talks   sync.Map      // *lsp.Talk by name
}

// listen is a stream of events.
func (l *languages) listen(w http.ResponseWriter, r *http.Request) {
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	default:
		http.Error(w, "too many editors are open", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	said := make(chan []byte, 100)
	talk := lsp.Begin(ctx, l.options, func(message []byte) {
		select {
		case said <- message:
		case <-ctx.Done():
		}
	})
	name := NewSecret()
	l.talks.Store(name, talk)
	defer l.talks.Delete(name)
	news, stop := l.changes.hear()
	defer stop()
	send := events(w)
	if !send("name", []byte(name)) {
		return
	}
	for {
		select {
		case m := <-said:
			if !send("said", m) {
				return
			}
		case <-news:
			talk.Tell([]byte(`{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[]}}`))
		case <-ctx.Done():
			return
		}
	}
}

// tell takes a message of a page.
func (l *languages) tell(w http.ResponseWriter, r *http.Request) {
	to, _ := l.talks.Load(r.URL.Query().Get("to"))
	talk, _ := to.(*lsp.Talk)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	switch {
	case err != nil:
		http.Error(w, "the message cannot be read", http.StatusBadRequest)
	case talk == nil || !talk.Tell(body):
		http.Error(w, "there is no such language server", http.StatusNotFound)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}
