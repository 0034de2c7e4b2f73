// Package watch calls a function again whenever files change.
//
// It owns the library for file notifications. Note: it watches the folder of a file, never the
// file itself. Editors replace files, and a file may be missing for a while or not exist yet. Its folder, or the
// nearest one that exists, gets all these events.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Set is what to watch. Names that are not absolute are relative to the working folder.
type Set struct {
	// Files are watched whether they exist or not.
	Files []string
	// Folders are watched recursively, without hidden folders.
	Folders []string
	// Extensions say which files in Folders are relevant: ".rules".
	Extensions []string
}

// A save is often several changes: a change within quiet after another belongs to it, up to a total of patience.
const (
	quiet    = 100 * time.Millisecond
	patience = 2 * time.Second
)

// Loop calls look, and again after every change in the set or in one of the files that the last call found.
// It detects changes during a call. It returns nil when the context ends or look returns over, and an error if
// changes cannot be watched. It calls look on the goroutine of the caller.
func Loop(ctx context.Context, set Set, look func(first bool) (found []string, over bool)) error {
	hearing, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("cannot watch files: %w", err)
	}
	defer hearing.Close()
	w := &watcher{hearing: hearing}
	begin := set.Files
	for first := true; ; first = false {
		if err := w.follow(set); err != nil { // before the call, so that no change in between is lost
			return err
		}
		found, over := look(first)
		if over || ctx.Err() != nil {
			return nil
		}
		set.Files = slices.Concat(begin, found)
		if err := w.follow(set); err != nil {
			return err
		}
		if !w.wait(ctx) {
			return nil
		}
	}
}

// watcher watches folders and selects the relevant changes.
type watcher struct {
	hearing    *fsnotify.Watcher
	files      map[string]bool // absolute names
	folders    []string        // absolute names of the roots
	extensions []string
	heard      map[string]bool // the folders being watched
}

// follow replaces the set, and watches the folders in which its files are or may appear.
func (w *watcher) follow(set Set) error {
	w.files, w.folders, w.extensions = map[string]bool{}, nil, set.Extensions
	wanted := map[string]bool{}
	for _, name := range set.Files {
		name, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		w.files[name] = true
		wanted[existing(filepath.Dir(name))] = true
		if target, err := filepath.EvalSymlinks(name); err == nil && target != name {
			w.files[target] = true
			wanted[filepath.Dir(target)] = true
		}
	}
	for _, name := range set.Folders {
		root, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		w.folders = append(w.folders, root)
		wanted[existing(filepath.Dir(root))] = true // to detect that the folder itself is created or removed
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil: // it went away, or may not be read
				return fs.SkipDir
			case d.IsDir() && path != root && hidden(path):
				return fs.SkipDir
			case d.IsDir():
				wanted[path] = true
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for folder := range w.heard {
		if !wanted[folder] {
			_ = w.hearing.Remove(folder) // it may be gone with its folder
		}
	}
	for folder := range wanted { // adding twice has no effect, unless the folder was replaced since
		if err := w.hearing.Add(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
				return fmt.Errorf("cannot watch %s: the system lets no more folders be watched", folder)
			}
			return fmt.Errorf("cannot watch %s: %w", folder, err)
		}
	}
	w.heard = wanted
	return nil
}

// existing is the nearest existing folder: the folder itself or one above it.
func existing(folder string) string {
	for {
		up := filepath.Dir(folder)
		if info, err := os.Stat(folder); err == nil && info.IsDir() || up == folder {
			return folder
		}
		folder = up
	}
}

func hidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

// wait returns true after a relevant change and a quiet period, false when the context ends.
func (w *watcher) wait(ctx context.Context) bool {
	var settled, late <-chan time.Time // nil until something has changed
	for {
		changed := false
		select {
		case <-ctx.Done():
			return false
		case <-settled:
			return true
		case <-late:
			return true
		case e, ok := <-w.hearing.Events:
			if !ok {
				return false
			}
			changed = w.matters(e)
		case _, ok := <-w.hearing.Errors:
			if !ok {
				return false
			}
			changed = true // the library lost some events
		}
		if changed {
			settled = time.After(quiet)
			if late == nil {
				late = time.After(patience)
			}
		}
	}
}

// matters reports whether a change is relevant: of a file in the set, or of a folder that contains or may contain
// some.
func (w *watcher) matters(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	name := filepath.Clean(e.Name)
	if w.files[name] || w.heard[name] || seq.Any(maps.Keys(w.files), func(file string) bool { return within(file, name) }) {
		return true
	}
	for _, root := range w.folders {
		if within(root, name) || name == root {
			return true
		}
		if !within(name, root) {
			continue
		}
		below := strings.Split(strings.TrimPrefix(name[len(root):], string(filepath.Separator)), string(filepath.Separator))
		if slices.ContainsFunc(below, hidden) {
			continue
		}
		if slices.Contains(w.extensions, filepath.Ext(name)) {
			return true
		}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

func within(path, folder string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}
