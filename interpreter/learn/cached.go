package learn

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/interpreter"
)

// Suffix ends the names of files of evaluations, after the name of the rule book.
const Suffix = ".learned"

// folders is the search path of For; the last one added comes first.
var folders struct {
	sync.Mutex
	list []folder
}

type folder struct {
	name string
	fs.FS
}

// Look adds a folder to the search path, before the others. A folder of the same name is replaced.
func Look(name string, in fs.FS) {
	folders.Lock()
	defer folders.Unlock()
	folders.list = append(slices.DeleteFunc(folders.list, func(f folder) bool { return f.name == name }), folder{name, in})
}

// cached is the evaluation of a game, loaded on first use.
type cached struct {
	sync.Mutex
	done bool
	eval *Eval // nil: there is none
	err  error
}

func cachedOf(g *interpreter.Game) *cached {
	return g.Once((*cached)(nil), func() any { return &cached{} }).(*cached)
}

// Use sets the evaluation of its game.
func (e *Eval) Use() {
	k := cachedOf(e.game)
	k.Lock()
	defer k.Unlock()
	k.done, k.eval, k.err = true, e, nil
}

// For is the evaluation of a game, nil if no file has one for its rules. The error describes an invalid file.
func For(g *interpreter.Game) (*Eval, error) {
	k := cachedOf(g)
	k.Lock()
	defer k.Unlock()
	if !k.done {
		k.done = true
		k.eval, k.err = find(g)
	}
	return k.eval, k.err
}

// Found reports whether a folder has a file for rules of this name. The file may be for other versions of the rules: see
// For.
func Found(name string) bool {
	folders.Lock()
	defer folders.Unlock()
	return slices.ContainsFunc(folders.list, func(f folder) bool {
		_, err := fs.Stat(f, name+Suffix)
		return err == nil
	})
}

func find(g *interpreter.Game) (*Eval, error) {
	folders.Lock()
	list := slices.Clone(folders.list)
	folders.Unlock()
	name := g.Rules().Name + Suffix
	for _, folder := range slices.Backward(list) {
		data, err := fs.ReadFile(folder, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var file *File
		if err == nil {
			file, err = Read(data)
		}
		var e *Eval
		if err == nil {
			e, err = file.For(g)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", name, err)
		case e != nil:
			return e, nil
		}
	}
	return nil, nil
}
