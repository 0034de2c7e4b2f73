package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
)

// address is what a verb prints first.
var address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+/[0-9a-f]{32}/(#[a-z]+=[0-9a-f]+)?`)

// page waits for the address of a page, and gives it and what follows it.
func (s *stream) page(t *testing.T) (url, at string) {
	t.Helper()
	text := s.upTo(t, "Ctrl-C ends it.\n")
	found := address.FindString(text)
	if found == "" {
		t.Fatalf("no address in %q", text)
	}
	url, at, _ = strings.Cut(found, "#")
	return url, at
}

// ask sends a request to the door of a page.
func askDoor(t *testing.T, url string, r door.Request) *door.Answer {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Post(url+"door", "application/json", strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err = io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", answer.Status, text)
	}
	out := &door.Answer{}
	if err := json.Unmarshal(text, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestServe lists the files given before what comes with rulerun, and ends without a fault when it is interrupted.
func TestServe(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ours.rules"), []byte("change ours \"Ours\" for parchis\n\nset capture_count = 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, end := watching(t, "serve", dir, "--no-open")
	url, _ := out.page(t)
	books := askDoor(t, url, door.Request{Do: door.DoList}).Books
	if len(books) < 30 || books[0].Title != "Ours" || books[0].For != "parchis" {
		t.Fatalf("%d books: %+v", len(books), books[0])
	}
	a := askDoor(t, url, door.Request{Do: door.DoNew, Rules: books[0].Name, Shared: true})
	if a.Error != nil || strings.Join(a.State.Changes, " ") != "ours" {
		t.Errorf("a game of it: %+v", a)
	}
	if code := end(); code != exitFine {
		t.Errorf("exit code %d", code)
	}
}

// TestPlayOnAPage shows a game of the command line on a page, with its flags, and keeps its record; then the record again.
func TestPlayOnAPage(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "ours.game.txt")
	out, _, end := watching(t, "play", "ur", "--set", "pieces_each=2", "--seed", "5", "--record", kept, "--web", "--no-open")
	url, at := out.page(t)
	id := strings.TrimPrefix(at, "game=")
	state := askDoor(t, url, door.Request{Do: door.DoState, Game: id, Shared: true}).State
	if state == nil || len(state.Pieces) != 4 || state.Seats[0].Plays != "human" || state.Waits != door.WaitsThrow {
		t.Fatalf("the game is %+v", state)
	}
	if a := askDoor(t, url, door.Request{Do: door.DoAct, Game: id, Shared: true, At: &state.At, Throw: true}); a.Error != nil {
		t.Fatal(a.Error)
	}
	if code := end(); code != exitFine {
		t.Errorf("exit code %d", code)
	}
	if text, err := os.ReadFile(kept); err != nil || !strings.Contains(string(text), "white throws") {
		t.Errorf("the record: %v\n%s", err, text)
	}

	out, _, end = watching(t, "play", kept, "--web", "--no-open")
	url, at = out.page(t)
	first := 1
	a := askDoor(t, url, door.Request{Do: door.DoStep, Game: strings.TrimPrefix(at, "replay="), At: &first})
	if a.Error != nil || a.Replay.At != 1 || a.Replay.Events < 1 {
		t.Errorf("the replay: %+v %+v", a.Error, a.Replay)
	}
	if code := end(); code != exitFine {
		t.Errorf("exit code %d", code)
	}
	for _, args := range [][]string{{"play", "ur", "--web", "--plain"}, {"play", "ur", "--web", "--games", "2"}, {"serve", "--port", "70000"}, {"serve", "none.rules"}} {
		_, fault, end := watching(t, args...)
		if code := end(); code == exitFine {
			t.Errorf("%v is accepted: %s", args, fault.upTo(t, ""))
		}
	}
}

// TestChangedOnAPage: rule files that change are played by new games, and by the game of --watch from its turn on.
func TestChangedOnAPage(t *testing.T) {
	dir := t.TempDir()
	rules := put(t, dir, "lap.rules", lapRules)
	put(t, dir, "lap.yaml", lapBoard)
	out, _, end := watching(t, "play", rules, "--watch", "--web", "--no-open", "--seed", "3", "--record", filepath.Join(dir, "kept.game.txt"))
	url, at := out.page(t)
	id, _, _ := strings.Cut(strings.TrimPrefix(at, "game="), "&")
	ctx, leave := context.WithTimeout(t.Context(), 30*time.Second)
	defer leave()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"changes", nil)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	news := func(want string) {
		t.Helper()
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && data != "" {
				if !strings.Contains(data, want) || !strings.Contains(data, id) {
					t.Fatalf("the page gets %s, want %s", data, want)
				}
				return
			}
		}
		t.Fatal("the stream has ended", lines.Err())
	}
	titles := func(title string) {
		t.Helper()
		for begin := time.Now(); ; time.Sleep(50 * time.Millisecond) {
			a := askDoor(t, url, door.Request{Do: door.DoNew, Rules: rules, Shared: true})
			if a.Error == nil && a.State.Title == title {
				return
			}
			if time.Since(begin) > 20*time.Second {
				t.Fatalf("a new game is %+v", a)
			}
		}
	}
	time.Sleep(300 * time.Millisecond) // until the files are watched
	put(t, dir, "lap.rules", strings.Replace(lapRules, "A lap", "A round", 1))
	news(`{"game"`)
	if a := askDoor(t, url, door.Request{Do: door.DoState, Game: id, Shared: true}); a.Error != nil || a.State.Title != "A round" {
		t.Errorf("the game is %+v", a)
	}
	titles("A round")
	put(t, dir, "lap.rules", strings.Replace(lapRules, "d6", "d0", 1))
	news(`lap.rules:6:`)
	if a := askDoor(t, url, door.Request{Do: door.DoState, Game: id, Shared: true}); a.Error != nil || a.State.Title != "A round" {
		t.Errorf("with a mistake the game is %+v", a)
	}
	if code := end(); code != exitFine {
		t.Errorf("exit code %d", code)
	}
}
