package web

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestLanguage: a page has a language server by a stream of events, as long as the stream lasts.
func TestLanguage(t *testing.T) {
	_, address := served(t)
	ctx, leave := context.WithTimeout(t.Context(), 20*time.Second)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"language", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	next := func() (event, data string) {
		t.Helper()
		for lines.Scan() {
			switch line := lines.Text(); {
			case strings.HasPrefix(line, "event: "):
				event = line[len("event: "):]
			case strings.HasPrefix(line, "data: "):
				data = line[len("data: "):]
			case line == "":
				return event, data
			}
		}
		t.Fatal("the stream has ended", lines.Err())
		return "", ""
	}
	event, name := next()
	if event != "name" || len(name) < 20 {
		t.Fatalf("the stream begins with %s %s", event, name)
	}
	tell := func(to, message string) int {
		t.Helper()
		answer, _ := send(t, http.MethodPost, address+"language?to="+to, message, nil)
		return answer.StatusCode
	}
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`
	if got := tell("another", hello); got != http.StatusNotFound {
		t.Errorf("a message to no server: %d", got)
	}
	if got := tell(name, strings.Repeat("x", maxBody+1)); got != http.StatusBadRequest {
		t.Errorf("a message that is too long: %d", got)
	}
	if got := tell(name, hello); got != http.StatusNoContent {
		t.Fatalf("a message: %d", got)
	}
	if event, data := next(); event != "said" || !strings.Contains(data, `"hoverProvider":true`) {
		t.Errorf("the server says %s %s", event, data)
	}
	leave() // the page is closed
	for begin := time.Now(); tell(name, hello) != http.StatusNotFound; time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.Fatal("the server outlives its page")
		}
	}
}
