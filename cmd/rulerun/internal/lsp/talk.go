package lsp

import (
	"bufio"
	"context"
	"fmt"
	"io"
)

// Talk is a connection with an editor by whole messages instead of a stream. It is safe for several goroutines.
type Talk struct {
	messages chan []byte
	done     context.Context
}

// maxWaiting is the number of messages of the editor that may wait.
const maxWaiting = 1000

// Begin starts a server. say gets its messages, one after the other. The server ends when ctx is done or the editor
// sends exit.
func Begin(ctx context.Context, o Options, say func(message []byte)) *Talk {
	fromEditor, toServer := io.Pipe()
	fromServer, toEditor := io.Pipe()
	ctx, cancel := context.WithCancel(ctx)
	t := &Talk{messages: make(chan []byte, maxWaiting), done: ctx}
	go func() {
		defer cancel()
		_ = Serve(ctx, fromEditor, toEditor, o) // an editor that goes away is no fault here
	}()
	go func() {
		<-ctx.Done()
		fromEditor.Close()
		fromServer.Close()
	}()
	go func() {
		for {
			select {
			case m := <-t.messages:
				if _, err := fmt.Fprintf(toServer, "Content-Length: %d\r\n\r\n%s", len(m), m); err != nil {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	go func() {
		in := bufio.NewReader(fromServer)
		for {
			m, err := readMessage(in)
			if err != nil {
				return
			}
			say(m)
		}
	}()
	return t
}

// Tell gives the server a message of the editor. It reports false if the server has ended or too many messages wait.
func (t *Talk) Tell(message []byte) bool {
	if t.done.Err() != nil {
		return false
	}
	select {
	case t.messages <- message:
		return true
	default:
		return false
	}
}
