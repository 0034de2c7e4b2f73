// Package examples holds the house rules and the games of the folders beside it. They come with the program, as the rule books
// do: rules can be combined with them by name.
package examples

import (
	"embed"
	"errors"
	"io/fs"
	"slices"

	"github.com/rulerun/rulerun/rulesets"
)

//go:embed house/*.rules house/*.json games/*.rules games/*.learned games/*.yaml games/*.json
var folders embed.FS

// shipped is rule books, house rules and games in one folder.
type shipped struct{ books embed.FS }

// Shipped is everything that comes with the program, in one folder: the rule books first, then house rules, games and their
// boards.
func Shipped() fs.FS { return shipped{rulesets.FS} }

// Played is what games need of it.
func Played() fs.FS { return shipped{rulesets.Played} }

// Open implements fs.FS.
func (s shipped) Open(name string) (fs.File, error) {
	f, err := s.books.Open(name)
	for _, folder := range []string{"house/", "games/"} {
		if !errors.Is(err, fs.ErrNotExist) || !fs.ValidPath(name) {
			break
		}
		f, err = folders.Open(folder + name)
	}
	return f, err
}

// Glob implements fs.GlobFS.
func (s shipped) Glob(pattern string) ([]string, error) {
	names, err := fs.Glob(s.books, pattern)
	for _, folder := range []string{"house", "games"} {
		inner, failed := fs.Sub(folders, folder)
		if failed != nil || err != nil {
			return nil, errors.Join(failed, err)
		}
		var more []string
		more, err = fs.Glob(inner, pattern)
		names = append(names, more...)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}
