package cli

import (
	"os"

	"golang.org/x/term"
)

// terminal is the file behind a stream if a person looks at it, nil otherwise.
func terminal(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// color reports whether to use colours on a stream: terminals get them unless NO_COLOR is set.
func (s *session) color(stream any) bool {
	return s.getenv("NO_COLOR") == "" && s.getenv("TERM") != "dumb" && terminal(stream) != nil
}

// size is how many columns and rows the terminal behind a stream has, zeros if it is none.
func size(stream any) (columns, rows int) {
	f := terminal(stream)
	if f == nil {
		return 0, 0
	}
	columns, rows, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, rows
}
