package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Changes tells pages and their language servers that rule files have changed. The zero value is ready for use; it is
// safe for several goroutines.
type Changes struct {
	hearers sync.Map // chan News
}

// News is a change of files.
type News struct {
	Game  string `json:"game,omitempty"`  // the game that goes on by changed rules, "" for none
	Fault string `json:"fault,omitempty"` // why it goes on by those it has
}

// Tell tells all pages. It does not wait: a page that is far behind misses news.
func (c *Changes) Tell(n News) {
	for h := range c.hearers.Range {
		select {
		case h.(chan News) <- n:
		default:
		}
	}
}

// hear returns the news from now on, until stop is called.
func (c *Changes) hear() (news <-chan News, stop func()) {
	h := make(chan News, 8)
	c.hearers.Store(h, true)
	return h, func() { c.hearers.Delete(h) }
}

// listen is a stream of events with the news of the game that a page shows.
func (c *Changes) listen(w http.ResponseWriter, r *http.Request) {
	news, stop := c.hear()
	defer stop()
	send := events(w)
	for ok := send("begins", nil); ok; {
		select {
		case n := <-news:
			if n.Game == "" {
				continue
			}
			data, err := json.Marshal(n)
			ok = err == nil && send("change", data)
		case <-r.Context().Done():
			return
		}
	}
}

// events begins a stream of events, which lasts as long as the page. send reports false when the page is gone.
func events(w http.ResponseWriter) (send func(event string, data []byte) bool) {
	stream := http.NewResponseController(w)
	_ = stream.SetWriteDeadline(time.Time{})
	_ = stream.SetReadDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	return func(event string, data []byte) bool {
		_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, data) // JSON has no line break outside texts, and none in them
		return err == nil && stream.Flush() == nil
	}
}
