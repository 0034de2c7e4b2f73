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

// Close does not close the streams: the caller that opened them closes them.
func (pipe) Close() error { return nil }

// stream is the framing of the protocol. Unlike the library's, an invalid message does not end the connection: the
// server answers it with an error and skips it.
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
			continue // each attempt skips a line, until the next valid header
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

// codec encodes and decodes messages.
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
