package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/learn"
)

// trainTime is how long learning takes, where nothing is said.
const trainTime = 5 * time.Minute

// train learns a game and writes down what it has learned.
func (s *session) train(ctx context.Context, o *duelFlags) error {
	if err := cmp.Or(someTime(o.time), numberIn("games", o.games, 0, mostGames), numberIn("threads", o.threads, 0, mostThreads)); err != nil {
		return err
	}
	l, g, err := s.loadGame(o.ruleset, &o.gameFlags)
	if err != nil {
		return err
	}
	if len(g.Rules().Teams) < 2 {
		return usagef("%s has one side only: there is nothing to win", l.Title())
	}
	path := g.Rules().Name + learn.Suffix
	if isPath(o.ruleset) {
		path = filepath.Join(filepath.Dir(o.ruleset), path)
	}
	file, from, err := learnedFile(path, g)
	if err != nil && !o.fresh {
		return fmt.Errorf("%s: %w; --fresh begins anew", path, err)
	}
	if o.fresh {
		from = nil
	}
	known := 0
	if from != nil {
		known = from.Games
		fmt.Fprintf(s.err, "%s knows %s already, and learning goes on; --fresh begins anew\n", path, phrase.Plural(known, "game"))
	}
	limited, stop := within(ctx, o.time)
	defer stop()
	begun := s.now()
	p := s.progress("games", o.games, o.time)
	e, err := learn.Train(limited, g, from, learn.Options{
		Games: o.games, Seed: o.seed, Threads: o.threads, Progress: func(at learn.Progress) { p.at(at.Games) },
	})
	p.end()
	if err != nil {
		return err
	}
	if e.Games == known {
		return errors.New("there was no time for a round of games: nothing is learned, and no file written")
	}
	file.Put(e)
	if err := writeFile(path, file.Write); err != nil {
		return err
	}
	fmt.Fprintf(s.out, "%s, %s: learned from %s in %.1f min, in %s\n", l.Title(), diag.Plural(g.Players(), "player"),
		phrase.Plural(e.Games-known, "game"), s.now().Sub(begun).Minutes(), path)
	return nil
}

// learnedFile reads a file of evaluations, and finds the one for a game; an empty file if there is none.
func learnedFile(path string, g *interpreter.Game) (*learn.File, *learn.Eval, error) {
	data, err := files.Read(path, learn.MaxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &learn.File{}, nil, nil
	}
	if err != nil {
		return &learn.File{}, nil, err
	}
	file, err := learn.Read(data)
	if err != nil {
		return &learn.File{}, nil, err
	}
	e, err := file.For(g)
	return file, e, err
}
