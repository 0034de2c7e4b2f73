package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/bot"
	"github.com/rulerun/rulerun/interpreter/record"
)

// prepareResume makes the session of a game that is gone on with.
func (s *session) prepareResume(o *playOptions) (*door.Session, *log, error) {
	if len(o.fixed) > 0 {
		return nil, nil, told("usage.resume_with", "flag", o.fixed[0])
	}
	rec, g, err := s.readRecord(o.resume, o.ruleset)
	if err != nil {
		return nil, nil, err
	}
	h := &rec.Header
	if o.seats != "" || len(h.Seats) != g.Players() {
		if h.Seats, err = s.seats(g, o.seats, o.web); err != nil {
			return nil, nil, err
		}
	}
	live, lost, err := playable(o.resume, rec, g)
	if err != nil {
		return nil, nil, err
	}
	game, err := door.Open(g, h, live)
	if err != nil {
		return nil, nil, err
	}
	f, err := files.OpenToAppend(o.resume, files.Max)
	if err != nil {
		return nil, nil, fileError(o.resume, err)
	}
	if rec.Cut {
		if err := f.Truncate(int64(rec.Whole)); err != nil {
			return nil, nil, writeError(o.resume, err)
		}
	}
	if _, err := f.Seek(0, io.SeekEnd); err != nil {
		return nil, nil, writeError(o.resume, err)
	}
	game.Log = record.Append(f, rec.Version)
	if err := game.Log.After(lost); err != nil {
		return nil, nil, writeError(o.resume, err)
	}
	return game, &log{path: o.resume, file: f, own: s.stored(o.resume)}, nil
}

// canResume says why a game cannot be gone on with.
func (s *session) canResume(path string) error {
	rec, g, err := s.readRecord(path, "")
	if err == nil {
		_, _, err = playable(path, rec, g)
	}
	return err
}

// playable are the events of a record that can be gone on with: they fit the rules, people or bots there are play, and
// the game is not over. lost is the effect of the last one if the record lacks it.
func playable(path string, rec *record.Record, g *interpreter.Game) (live []record.Event, lost string, err error) {
	if name := unknownSeat(g, rec); name != "" {
		return nil, "", recordFault(path, "record.unknown_seat", "name", strconv.Quote(name), "bots", strings.Join(bot.Names(), ", "))
	}
	pos, err := rec.Begin(g)
	if err != nil {
		return nil, "", err
	}
	live, again := rec.Live(), rec.Replay(pos)
	for _, e := range live {
		var misfit *record.MisfitError
		if err := again.Next(e); err != nil && !(errors.As(err, &misfit) && misfit.Other) { // it goes on by the rules of today
			return nil, "", err
		}
	}
	if pos.Kind() == interpreter.Over {
		return nil, "", recordFault(path, "record.is_over", "file", shellWord(path))
	}
	return live, again.Lost(), nil
}

func recordFault(path, key string, args ...any) error {
	return &record.SyntaxError{Name: path, Fault: sayable(key, args...)}
}

// log is the file a record is kept in.
type log struct {
	path string
	file *os.File
	own  bool // without a name from the player: only worth keeping while the game can be gone on with
}

// newLog makes the file of a new record: the one that was named, or, where people play, one in the folder for such
// games. Without a folder nothing is kept.
func (s *session) newLog(path, game string, people bool) (*log, error) {
	if path != "" {
		f, err := newFile(path)
		if errors.Is(err, fs.ErrExist) {
			return nil, isThere(path)
		}
		if err != nil {
			return nil, writeError(path, err)
		}
		return &log{path: path, file: f}, nil
	}
	if !people {
		return &log{}, nil
	}
	dir, err := s.store()
	if err != nil || os.MkdirAll(dir, 0o755) != nil {
		return &log{}, nil
	}
	begun := fmt.Sprintf("%s-%s", game, s.now().Format("2006-01-02-150405"))
	for n, name := 2, begun; ; n++ {
		path := filepath.Join(dir, name+".txt")
		f, err := newFile(path)
		if err == nil {
			return &log{path: path, file: f, own: true}, nil
		}
		if !errors.Is(err, fs.ErrExist) || n > 100 {
			return &log{}, nil
		}
		name = fmt.Sprintf("%s-%d", begun, n)
	}
}

// lastKept is the newest record among those that no player named.
func (s *session) lastKept() (string, error) {
	dir, err := s.store()
	if err != nil {
		return "", err
	}
	list, err := os.ReadDir(dir)
	newest, at := "", time.Time{}
	for _, e := range list {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.ModTime().After(at) && strings.HasSuffix(e.Name(), ".txt") {
			newest, at = filepath.Join(dir, e.Name()), info.ModTime()
		}
	}
	if newest == "" || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", told("usage.none_kept")
	}
	return newest, nil
}

// isThere refuses to write over a record.
func isThere(path string) error {
	return told("usage.there", "path", path).hinted("usage.resume_it", "path", shellWord(path))
}

// stored reports whether a file is in the folder for games without a name.
func (s *session) stored(path string) bool {
	dir, err := s.store()
	if err != nil {
		return false
	}
	full, err := filepath.Abs(path)
	return err == nil && filepath.Dir(full) == filepath.Clean(dir)
}

// close ends the record; one without a name is removed where there is nothing to go on with.
func (l *log) close(o door.Outcome) error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	switch {
	case l.own && (o.End == door.Over || !o.Moved):
		os.Remove(l.path)
	case err != nil:
		return writeError(l.path, err)
	}
	return nil
}
