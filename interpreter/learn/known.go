package learn

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"github.com/rulerun/rulerun/interpreter"
)

// Suffix ends the names of files of evaluations; the name of the rule book comes before it.
const Suffix = ".learned"

// folders are where For looks for files, the last one first.
var folders struct {
	sync.Mutex
	list []folder
}

type folder struct {
	name string
	fs.FS
}

// Look makes For look for files in a folder, before those it knows. A folder is known by its name.
func Look(name string, in fs.FS) {
	folders.Lock()
	defer folders.Unlock()
	folders.list = append(slices.DeleteFunc(folders.list, func(f folder) bool { return f.name == name }), folder{name, in})
}

// known is the evaluation of a game, once it has been looked for.
type known struct {
	sync.Mutex
	done bool
	eval *Eval // nil: there is none
	err  error
}

func knownOf(g *interpreter.Game) *known {
	return g.Once((*known)(nil), func() any { return &known{} }).(*known)
}

// Use makes an evaluation the one of its game.
func (e *Eval) Use() {
	k := knownOf(e.game)
	k.Lock()
	defer k.Unlock()
	k.done, k.eval, k.err = true, e, nil
}

// For is the evaluation of a game, nil if no file has one for its rules. The error says what is wrong with a file.
func For(g *interpreter.Game) (*Eval, error) {
	k := knownOf(g)
	k.Lock()
	defer k.Unlock()
	if !k.done {
		k.done = true
		k.eval, k.err = find(g)
	}
	return k.eval, k.err
}

// Found reports whether a folder has a file for rules of this name. It may not fit them: see For.
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
