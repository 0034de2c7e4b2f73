// Package watch does something again whenever files change.
//
// It owns the library that hears of changes. What a newcomer gets wrong: a file is never watched itself, its folder is.
// Editors put another file where the old one was, and a file may be missing for a while or not be there yet; its
// folder, or the nearest one that exists, hears of all that.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Set is what to watch. Names that are not absolute are relative to the working folder.
type Set struct {
	// Files are watched whether they are there or not.
	Files []string
	// Folders are watched with all folders in them, hidden ones apart.
	Folders []string
	// Extensions say which files in Folders count: ".rules".
	Extensions []string
}

// A save is often several changes: what comes within quiet of the one before belongs to it, unless it goes on for
// longer than patience.
const (
	quiet    = 100 * time.Millisecond
	patience = 2 * time.Second
)

// Loop calls look, and again after every change in the set it returned last; before the first call that is the set
// begin. Changes during a call count. It returns nil when the context ends or look says that it is over, and an error
// when changes cannot be heard of. look is called from the goroutine of the caller, one call at a time.
func Loop(ctx context.Context, begin Set, look func() (next Set, over bool)) error {
	hearing, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("cannot watch files: %w", err)
	}
	defer hearing.Close()
	w := &watcher{hearing: hearing}
	set := begin
	for {
		if err := w.follow(set); err != nil { // before the call: nothing that changes meanwhile is lost
			return err
		}
		var over bool
		if set, over = look(); over || ctx.Err() != nil {
			return nil
		}
		if err := w.follow(set); err != nil {
			return err
		}
		if !w.wait(ctx) {
			return nil
		}
	}
}

// watcher hears of changes in folders and picks those that matter.
type watcher struct {
	hearing    *fsnotify.Watcher
	files      map[string]bool // absolute names
	folders    []string        // absolute names of the roots
	extensions []string
	heard      map[string]bool // the folders whose changes are heard of
}

// follow makes a set the one that matters, and hears of changes where its files are or would be.
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
		wanted[existing(filepath.Dir(root))] = true // where the folder itself goes and comes
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
	for folder := range wanted { // adding again is nothing, unless the folder was replaced meanwhile
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

// existing is the nearest folder above that is there, or the folder itself.
func existing(folder string) string {
	for {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			return folder
		}
		up := filepath.Dir(folder)
		if up == folder {
			return folder
		}
		folder = up
	}
}

func hidden(path string) bool { return strings.HasPrefix(filepath.Base(path), ".") }

// wait returns true when something that matters has changed and it has been quiet since, false when the context ends.
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
			changed = true // there were more changes than can be told
		}
		if changed {
			settled = time.After(quiet)
			if late == nil {
				late = time.After(patience)
			}
		}
	}
}

// matters reports whether a change is one of the set: of a file in it, or of a folder in which some are or could be.
func (w *watcher) matters(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	name := filepath.Clean(e.Name)
	if w.files[name] || w.heard[name] {
		return true
	}
	for file := range w.files {
		if within(file, name) {
			return true
		}
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

// within reports whether a file or folder lies inside a folder.
func within(path, folder string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(folder, string(filepath.Separator))+string(filepath.Separator))
}
