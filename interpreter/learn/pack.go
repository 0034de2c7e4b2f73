package learn

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

// fields are the observed values, in the order of a file.
func (f *observed) fields() []any {
	var out []any
	for colour := range f.entry {
		out = append(out, f.entry[colour], f.open[colour])
		for many := range f.hits[colour] {
			out = append(out, f.hits[colour][many], f.bars[colour][many])
		}
	}
	return append(out, f.reach, f.maxAbs, f.ends)
}

// pack encodes the observed values, so that they need not be measured again: 32-bit numbers and bytes, little-endian,
// deflated, in base64.
func (t *terrain) pack() string {
	t.explore()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	for _, x := range t.fields() {
		err = errors.Join(err, binary.Write(w, binary.LittleEndian, x))
	}
	if err := errors.Join(err, w.Close()); err != nil {
		panic(err) // writing to a buffer does not fail
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// unpack decodes the output of pack for the same rules.
func (t *terrain) unpack(text string) (err error) {
	t.explored.Do(func() {
		r := flate.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text)))
		for _, x := range t.fields() {
			err = errors.Join(err, binary.Read(r, binary.LittleEndian, x))
		}
		if n, _ := r.Read(make([]byte, 1)); err == nil && n > 0 {
			err = errors.New("too much")
		}
		t.derive()
	})
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
