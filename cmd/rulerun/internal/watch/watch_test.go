package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// patient is how long a test waits for a look, and hasty how long it makes sure there is none.
const (
	patient = 20 * time.Second
	hasty   = 600 * time.Millisecond
)

// looks runs a loop over a set and tells of every look on a channel.
func looks(t *testing.T, set Set) <-chan bool {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	seen, ended := make(chan bool, 100), make(chan error)
	go func() {
		ended <- Loop(ctx, set, func(bool) ([]string, bool) {
			seen <- true
			return nil, false
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	await(t, seen, "the first look")
	time.Sleep(50 * time.Millisecond) // let it begin to wait
	return seen
}

func await(t *testing.T, seen <-chan bool, after string) {
	t.Helper()
	select {
	case <-seen:
	case <-time.After(patient):
		t.Fatalf("no look after %s", after)
	}
}

func none(t *testing.T, seen <-chan bool, after string) {
	t.Helper()
	select {
	case <-seen:
		t.Fatalf("a look after %s", after)
	case <-time.After(hasty):
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.rules")
	write(t, path, "1")
	seen := looks(t, Set{Files: []string{path, filepath.Join(dir, "later.rules"), filepath.Join(dir, "deep", "er", "b.yaml")}})

	write(t, path, "2")
	await(t, seen, "a change")
	none(t, seen, "the same change")

	for i := range 10 { // one save in many parts is one change
		write(t, path, string(rune('a'+i)))
		time.Sleep(10 * time.Millisecond)
	}
	await(t, seen, "many changes")
	none(t, seen, "changes that belong together")

	write(t, filepath.Join(dir, ".a.swp"), "3") // as editors do
	must(t, os.Rename(filepath.Join(dir, ".a.swp"), path))
	await(t, seen, "another file in its place")
	write(t, path, "4")
	await(t, seen, "a change of the other file")

	must(t, os.Rename(path, path+"~"))
	await(t, seen, "its end")
	write(t, path, "5")
	await(t, seen, "its return")

	write(t, filepath.Join(dir, "later.rules"), "6")
	await(t, seen, "a file that was not there")
	write(t, filepath.Join(dir, "deep", "er", "b.yaml"), "7")
	await(t, seen, "a file whose folder was not there")
	write(t, filepath.Join(dir, "deep", "er", "b.yaml"), "8")
	await(t, seen, "a change in the new folder")

	write(t, filepath.Join(dir, "other.rules"), "9")
	none(t, seen, "a file that is not meant")
	must(t, os.Chmod(path, 0o644))
	none(t, seen, "a change of rights")
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "rules")
	write(t, filepath.Join(root, "a.rules"), "1")
	seen := looks(t, Set{Folders: []string{root}, Extensions: []string{".rules"}})

	write(t, filepath.Join(root, "b.rules"), "1")
	await(t, seen, "a new file")
	write(t, filepath.Join(root, "in", "side", "c.rules"), "1")
	await(t, seen, "a new file in a new folder")
	time.Sleep(quiet * 3)
	for len(seen) > 0 {
		<-seen
	}
	write(t, filepath.Join(root, "in", "side", "c.rules"), "2")
	await(t, seen, "a change deep inside")
	must(t, os.Remove(filepath.Join(root, "in", "side", "c.rules")))
	await(t, seen, "the end of a file")

	write(t, filepath.Join(root, "notes.txt"), "1")
	none(t, seen, "a file of another kind")
	must(t, os.Mkdir(filepath.Join(root, ".git"), 0o700))
	write(t, filepath.Join(root, ".git", "d.rules"), "1")
	none(t, seen, "a file in a hidden folder")
	write(t, filepath.Join(dir, "beside.rules"), "1")
	none(t, seen, "a file beside the folder")

	must(t, os.RemoveAll(root))
	await(t, seen, "the end of the folder")
	time.Sleep(quiet * 3)
	for len(seen) > 0 {
		<-seen
	}
	write(t, filepath.Join(root, "a.rules"), "1")
	await(t, seen, "the return of the folder")
	time.Sleep(quiet * 3)
	for len(seen) > 0 {
		<-seen
	}
	write(t, filepath.Join(root, "a.rules"), "2")
	await(t, seen, "a change in the folder that came back")
}

func TestLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "there", "a.rules"), filepath.Join(dir, "here.rules")
	write(t, target, "1")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	seen := looks(t, Set{Files: []string{link}})
	write(t, target, "2")
	await(t, seen, "a change of what a link leads to")
}

// TestDuring: what changes while a look goes on is looked at too, and a look can end the loop.
func TestDuring(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rules")
	set := Set{Files: []string{path}}
	n := 0
	err := Loop(context.Background(), set, func(bool) ([]string, bool) {
		n++
		if n == 1 {
			write(t, path, "1")
		}
		return nil, n == 2
	})
	if err != nil || n != 2 {
		t.Errorf("%d looks, %v", n, err)
	}
}
