package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/book"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// parametersKey and boardKey are what a book remembers of boards: the settings of a book differ in few of them.
type parametersKey struct{ file string }

type boardKey struct{ file, parameters string }

type parametersMemo struct {
	known  []boards.Parameter
	faults diag.List
}

type boardMemo struct {
	board  *boards.Board
	faults diag.List
}

func remembered[V any](b *book.Book, key any, work func() V) V {
	if v, ok := b.Memo.Load(key); ok {
		return v.(V)
	}
	v, _ := b.Memo.LoadOrStore(key, work())
	return v.(V)
}

// parametersOf reads what a board can be made with.
func (c *checker) parametersOf(file *source.File, open boards.Opener) ([]boards.Parameter, diag.List) {
	m := remembered(c.book, parametersKey{file.Name()}, func() parametersMemo {
		known, faults := boards.Parameters(file, open)
		return parametersMemo{known, faults}
	})
	return m.known, m.faults
}

// readBoard makes a board with parameters.
func (c *checker) readBoard(file *source.File, params map[string]int, open boards.Opener) (*boards.Board, diag.List) {
	var names []string
	for name := range params {
		names = append(names, name)
	}
	slices.Sort(names)
	var key strings.Builder
	for _, name := range names {
		fmt.Fprintf(&key, "%s=%d ", name, params[name])
	}
	m := remembered(c.book, boardKey{file.Name(), key.String()}, func() boardMemo {
		board, faults := boards.Read(file, params, open)
		return boardMemo{board, faults}
	})
	return m.board, m.faults
}
