package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/report"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/watch"
	"github.com/rulerun/rulerun/dsl"
)

// looked calls look; if the files are watched again whenever one of them changes that args name or that look leaves on its trail, in
// folders among args files with one of the extensions. It returns the error of the last call that ended by itself.
func (s *session) looked(ctx context.Context, watched bool, format report.Format, args, extensions []string, look func(*trail) error) error {
	if !watched {
		return look(nil)
	}
	if format != report.Text {
		return usagef("flag --watch goes with --format text alone")
	}
	begin := watchSet(args, extensions...)
	if len(begin.Files)+len(begin.Folders) == 0 {
		return usagef("there is nothing to watch: the files that come with rulerun do not change")
	}
	var last error
	err := watch.Loop(ctx, begin, func(first bool) ([]string, bool) {
		if terminal(s.out) != nil && s.getenv("TERM") != "dumb" {
			fmt.Fprint(s.out, "\x1b[H\x1b[2J\x1b[3J") // to the top, the screen and what scrolled off it
		}
		t := &trail{}
		err := look(t)
		if ctx.Err() != nil && !first {
			return nil, true // interrupted: what it says is not the whole
		}
		last = err
		if err != nil && !errors.Is(err, errFailed) {
			if first {
				return nil, true
			}
			fmt.Fprintf(s.err, "rulerun: %v\n", err)
		}
		fmt.Fprintln(s.err, "waiting for a change; Ctrl-C ends")
		return t.files(), false
	})
	return cmp.Or(err, last)
}

// watchSet is the files and folders that args name; in folders, files with one of the extensions.
func watchSet(args []string, extensions ...string) watch.Set {
	out := watch.Set{Extensions: extensions}
	for _, arg := range args {
		if info, err := os.Stat(arg); err == nil && info.IsDir() {
			out.Folders = append(out.Folders, arg)
		} else if err == nil || isPath(arg) || filepath.Ext(arg) != "" {
			out.Files = append(out.Files, arg)
		}
	}
	return out
}

// trail notes the files that are looked for beside a file, found or not. It is safe for several goroutines; nil notes
// nothing.
type trail struct{ paths sync.Map }

// library is the library, with what is looked for beside the file noted.
func (t *trail) library(lib dsl.Library) dsl.Library {
	if t == nil {
		return lib
	}
	return books.Seen(lib, func(folder dsl.Folder, name string, _ []byte, _ bool) {
		t.add(filepath.FromSlash(folder.Prefix + name))
	})
}

func (t *trail) add(path string) {
	if t != nil {
		t.paths.Store(path, true)
	}
}

func (t *trail) files() (out []string) {
	for path := range t.paths.Range {
		out = append(out, path.(string))
	}
	return out
}
