package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// stream is a buffer that is read while it is written.
type stream struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

// await waits until the stream holds text, and empties it up to the end of the text.
func (s *stream) await(t *testing.T, text string) {
	t.Helper()
	s.upTo(t, text)
}

// upTo is what the stream holds when text has come, up to its end; the stream loses it.
func (s *stream) upTo(t *testing.T, text string) string {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		got := s.b.String()
		if i := strings.Index(got, text); i >= 0 {
			out := string(s.b.Next(i + len(text)))
			s.mu.Unlock()
			return out
		}
		s.mu.Unlock()
		if time.Now().After(end) {
			t.Fatalf("no %q in\n%s", text, got)
		}
	}
}

// watching starts a verb; end interrupts it and returns its exit code.
func watching(t *testing.T, args ...string) (out, err *stream, end func() int) {
	t.Helper()
	out, err = &stream{}, &stream{}
	s := &session{in: strings.NewReader(""), out: out, err: err, getenv: func(string) string { return "" }, now: time.Now}
	ctx, stop := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() { code <- s.run(ctx, args) }()
	return out, err, func() int {
		t.Helper()
		stop()
		select {
		case c := <-code:
			return c
		case <-time.After(30 * time.Second):
			t.Fatal("it does not end")
			return -1
		}
	}
}

func put(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A small game on a board of its own, and a house rule for it.
const (
	lapBoard = "board: lap\ncolours: [red, blue]\nzones: [nest, shore]\nsquares:\n  ring: {for: {i: 1..8}, name: string(i), draw: {x: i, y: 0}}\n" +
		"landmarks: {start: 'ring[4 * c.seat + 1]'}\ntracks:\n  race: [{ring: {from: start, around: once}}, shore]\n"
	lapRules = "ruleset lap \"A lap\"\n\nboard   lap\nplayers 2\npieces  1 at nest\ndice    die = d6\nturn { throw die; play die }\n" +
		"move enter(p in mine) from nest to p.start\nmove walk_on(p in mine) walk steps\n" +
		"rule counting \"It counts\" { may enter(p); may walk_on(p) }\n" +
		"rule finish \"The first on the shore wins\" { win player x when all(x.pieces, .at == shore) }\n"
	lapChange = "change lazy \"Lazy\" for lap\n\nreplace rule counting \"It rests\" { may enter(p); may walk_on(p) when die != 6 }\n"
)

func TestWatchCheck(t *testing.T) {
	dir := t.TempDir()
	change := put(t, dir, "lazy.rules", lapChange)
	put(t, dir, "lap.rules", lapRules)
	put(t, dir, "lap.yaml", lapBoard)
	out, notes, end := watching(t, "check", "--watch", change)
	out.await(t, "1 file: 0 errors")
	notes.await(t, "waiting for a change; Ctrl-C ends\n")

	put(t, dir, "lazy.rules", strings.Replace(lapChange, "die !=", "dei !=", 1))
	out.await(t, "lazy.rules:3:")
	out.await(t, "1 file: 1 error,")
	put(t, dir, "lazy.rules", lapChange)
	out.await(t, "1 file: 0 errors")

	put(t, dir, "lap.rules", strings.Replace(lapRules, "d6", "d0", 1)) // what it builds on
	out.await(t, "lap.rules:6:")
	put(t, dir, "lap.rules", lapRules)
	out.await(t, "1 file: 0 errors")

	put(t, dir, "lap.yaml", strings.Replace(lapBoard, "start", "begin", 1)) // the board of what it builds on
	out.await(t, "lap.yaml:")
	out.await(t, "1 file: 1 error")

	if err := os.Remove(change); err != nil {
		t.Fatal(err)
	}
	notes.await(t, "there is no file")
	put(t, dir, "lap.yaml", lapBoard)
	put(t, dir, "lazy.rules", lapChange+"set nothing = 1\n")
	out.await(t, "lazy.rules:4:")
	notes.await(t, "waiting for a change; Ctrl-C ends\n")
	if code := end(); code != exitFailed {
		t.Errorf("exit code %d after a look with errors", code)
	}
	if strings.Contains(out.b.String(), "\x1b") {
		t.Error("the screen is cleared where there is none")
	}
}

func TestWatchFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "lap.rules", lapRules)
	put(t, dir, "lap.yml", lapBoard)
	out, notes, end := watching(t, "check", "--watch", dir)
	out.await(t, "2 files: 0 errors")
	put(t, dir, "lazy.rules", lapChange)
	out.await(t, "3 files: 0 errors")
	put(t, dir, "lap.yml", strings.Replace(lapBoard, "start", "begin", 1))
	out.await(t, "lap.yml:")
	put(t, dir, "lap.yml", lapBoard)
	out.await(t, "3 files: 0 errors")
	if err := os.Remove(filepath.Join(dir, "lazy.rules")); err != nil {
		t.Fatal(err)
	}
	out.await(t, "2 files: 0 errors")
	notes.await(t, "waiting")
	if code := end(); code != exitFine {
		t.Errorf("exit code %d after a look without errors", code)
	}
}

func TestWatchRefuses(t *testing.T) {
	for _, args := range [][]string{
		{"check", "--watch", "nowhere.rules"},
		{"check", "--watch", shippedNames()[0]},
		{"check", "--watch", "--format", "json", "nowhere.rules"},
	} {
		_, notes, end := watching(t, args...)
		notes.await(t, "rulerun: ")
		if code := end(); code != exitUsage {
			t.Errorf("%v: exit code %d", args, code)
		}
	}
}

// TestWatchTest wants tests to run again when their file changes, a file it builds on, or a record and its rules.
func TestWatchTest(t *testing.T) {
	const tests = "tests laps \"Laps\" for lap with lazy\n\ntest \"a throw\" {\n  cases n to\n        2 3\n        3 4\n  given red 1 | blue 5\n  turn  red\n" +
		"  throw n\n  expect red to\n}\n"
	dir := t.TempDir()
	put(t, dir, "lap.yaml", lapBoard)
	put(t, dir, "lap.rules", lapRules)
	put(t, dir, "lazy.rules", lapChange)
	file := put(t, dir, "laps.rules", tests)
	game := put(t, dir, "a.game.txt", "rulerun record 2\nrules lap.rules\nposition {\"turn\":\"red\",\"pieces\":{\"red\":[\"1\"],\"blue\":[\"5\"]}}\n\nred throws die 2\n= red 1 -> 3\nblue throws die 1\n= blue 5 -> 6\n")
	out, notes, end := watching(t, "test", "--watch", "--no-board", file, game)
	out.await(t, "3 passed, 0 failed")
	notes.await(t, "waiting for a change; Ctrl-C ends\n")

	put(t, dir, "laps.rules", strings.Replace(tests, "3 4\n", "3 5\n", 1))
	out.await(t, "laps.rules:10:3: error: red stands on 4")
	out.await(t, "2 passed, 1 failed")
	put(t, dir, "laps.rules", tests)
	out.await(t, "3 passed, 0 failed")

	put(t, dir, "lap.rules", strings.Replace(lapRules, "walk steps", "walk steps + 1", 1)) // what both build on
	out.await(t, "in the record it brought about red 1 -> 3, by these rules red 1 -> 4")
	out.await(t, "0 passed, 3 failed")
	put(t, dir, "lap.rules", lapRules)
	out.await(t, "3 passed, 0 failed")
	if code := end(); code != 0 {
		t.Errorf("it ends with %d", code)
	}
}
