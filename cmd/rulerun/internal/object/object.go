// Package object writes JSON in the form that all verbs use: objects with ordered keys, without escapes of HTML
// characters, on one line or indented.
//
// Note: keys are not sorted, and duplicates are not removed.
package object

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
)

// Field is a key of an object with its value.
type Field = struct {
	Key   string
	Value any
}

// Fields is an object. The nil Fields is an empty one.
type Fields []Field

// Head begins a document. Its version is incremented when a key is removed or changes its meaning; new keys do not change it.
func Head(version int, program string) Fields {
	return Fields{{"version", version}, {"tool", "rulerun"}, {"tool_version", program}}
}

// Some adds a field, but not one with nothing in it: 0, false, "", nil, an empty list.
func (f Fields) Some(key string, value any) Fields {
	v := reflect.ValueOf(value)
	if !v.IsValid() || v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0 {
		return f
	}
	return append(f, Field{key, value})
}

// MarshalJSON implements json.Marshaler.
func (f Fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	write := func(v any) error {
		if err := Line(&b, v); err != nil {
			return err
		}
		b.Truncate(b.Len() - 1) // the end of the line
		return nil
	}
	b.WriteByte('{')
	for i, x := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := write(x.Key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := write(x.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Line writes a value on one line.
func Line(w io.Writer, v any) error { return encode(w, v, "") }

// Indented writes a value on as many lines as it has parts.
func Indented(w io.Writer, v any) error { return encode(w, v, "  ") }

func encode(w io.Writer, v any, indent string) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	return e.Encode(v)
}
