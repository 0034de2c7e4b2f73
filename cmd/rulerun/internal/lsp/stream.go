package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"

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

// stream is the framing of the protocol. Unlike the library's, it answers a message that is no JSON with an error and goes
// on; it does the same for a header without a proper length, and then ends, because nothing says where the next one begins.
type stream struct {
	jsonrpc2.Stream
	in *bufio.Reader
}

// Read implements jsonrpc2.Stream.
func (s stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		frame, err := readMessage(s.in)
		if err != nil && !errors.Is(err, errHeader) {
			return nil, 0, err
		}
		fault := err
		if err == nil {
			m, err := jsonrpc2.DecodeMessage(frame)
			if err == nil {
				return m, int64(len(frame)), nil
			}
			fault = errors.New("this message cannot be read")
		}
		answer := jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, jsonrpc2.NewError(jsonrpc2.ParseError, fault.Error()))
		if _, err := s.Write(ctx, answer); err != nil {
			return nil, 0, err
		}
		if err != nil {
			return nil, 0, err
		}
	}
}

// maxMessage limits the length of a message; a rule file has 256 KiB.
const maxMessage = 64 << 20

var errHeader = errors.New("the header of a message must say Content-Length: N, with N from 0 to " + strconv.Itoa(maxMessage))

// readMessage takes a message out of its frame.
func readMessage(in *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return nil, errHeader
		case err == io.EOF && len(line) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			break
		}
		if name, value, _ := bytes.Cut(line, []byte(":")); bytes.EqualFold(name, []byte("Content-Length")) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return nil, errHeader
			}
		}
	}
	if length < 0 || length > maxMessage {
		return nil, errHeader
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(in, body); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	return body, nil
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
