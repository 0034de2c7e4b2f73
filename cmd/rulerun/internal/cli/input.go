package cli

import (
	"bufio"
	"context"
	"io"
)

// maxTyped is how much of a line is kept.
const maxTyped = 1 << 16

// readLines reads lines for as long as they are received. The channel is closed at the end of input.
func readLines(ctx context.Context, r io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		in := bufio.NewReader(r)
		for {
			text, err := readLine(in)
			if err != nil && text == "" {
				return
			}
			select {
			case lines <- text:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// readLine reads up to a line end, keeping the beginning only of a line that goes on and on.
func readLine(in *bufio.Reader) (string, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(text) < maxTyped {
			text = append(text, part...)
		}
		if err != bufio.ErrBufferFull {
			return string(text), err
		}
	}
}
