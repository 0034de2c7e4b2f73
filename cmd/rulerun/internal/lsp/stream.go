package lsp

import (
	"context"
	"errors"
	"io"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// pipe joins the two streams of a process.
type pipe struct {
	io.Reader
	io.Writer
}

// Close leaves the streams of the process alone: who opened them closes them.
func (pipe) Close() error { return nil }

// stream is the framing of the protocol, except that a message that cannot be read does not end the conversation: it is
// answered with an error and left out. The library gives the connection up.
type stream struct {
	jsonrpc2.Stream
	frames interface {
		ReadFrame(ctx context.Context) ([]byte, int64, error)
	}
}

func newStream(in io.Reader, out io.Writer) stream {
	inner := jsonrpc2.NewHeaderStream(pipe{in, out})
	frames, _ := inner.(interface {
		ReadFrame(ctx context.Context) ([]byte, int64, error)
	})
	return stream{Stream: inner, frames: frames}
}

// Read implements jsonrpc2.Stream.
func (s stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		frame, n, err := s.frames.ReadFrame(ctx)
		if errors.Is(err, jsonrpc2.ErrInvalidHeader) {
			continue // each attempt takes a line; the next good header is where it goes on
		}
		if err != nil {
			return nil, n, err
		}
		m, err := jsonrpc2.DecodeMessage(frame)
		if err == nil {
			return m, n, nil
		}
		answer := jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, jsonrpc2.NewError(jsonrpc2.ParseError, "this message cannot be read"))
		if _, err := s.Write(ctx, answer); err != nil {
			return nil, n, err
		}
	}
}

// codec writes and reads what messages carry.
type codec struct{}

func (codec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok && raw != nil {
		return raw, nil
	}
	return protocol.Marshal(v)
}

func (codec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = append(jsonrpc2.RawMessage(nil), data...)
		return nil
	}
	return protocol.Unmarshal(data, v)
}
