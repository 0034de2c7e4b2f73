// Package source represents rule files and boards as text, and places in them.
//
// All stages use its spans, and only package diag converts them into lines and columns. The libraries count
// differently (bytes or runes, from 0 or from 1); the package that owns a library converts to byte offsets.
package source

import (
	"fmt"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark is the byte order mark; it is not part of the first line.
const mark = "\uFEFF"

// File is one text with its name. It is immutable after New and safe for several goroutines.
type File struct {
	name  string
	text  string
	lines []int // byte offset of the first byte of each line
	why   *Unreadable
}

// New returns the file called name with a text. Messages show the name: a path as the user gave it, or the name of a
// shipped file.
func New(name, text string) *File {
	f := &File{name: name, text: text, lines: make([]int, 1, strings.Count(text, "\n")+1)}
	f.lines[0] = len(text) - len(strings.TrimPrefix(text, mark))
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Name is the name given to New.
func (f *File) Name() string { return f.name }

// Text is the whole text.
func (f *File) Text() string { return f.text }

// Span covers the bytes from start up to, not including, end. Offsets outside the text are clamped.
func (f *File) Span(start, end int) Span {
	start = max(0, min(start, len(f.text)))
	end = max(start, min(end, len(f.text)))
	return Span{File: f, Start: start, End: end}
}

// LineCount is the number of lines; a text that ends in a newline has an empty last line.
func (f *File) LineCount() int { return len(f.lines) }

// Line is the text of line n, counted from 1, without its line end. It is "" outside the file.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	start, end := f.lines[n-1], len(f.text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return strings.TrimSuffix(f.text[start:end], "\r")
}

// LineStart is the offset of the first byte of line n, counted from 1.
func (f *File) LineStart(n int) int {
	return f.lines[max(0, min(n-1, len(f.lines)-1))]
}

// LineAt is the line of a byte offset, counted from 1.
func (f *File) LineAt(offset int) int {
	return max(1, sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset }))
}

// Position is a line and a column, both counted from 1, columns in characters.
type Position struct {
	Line, Column int
}

// Position converts a byte offset.
func (f *File) Position(offset int) Position {
	offset = max(f.lines[0], min(offset, len(f.text)))
	line := f.LineAt(offset)
	return Position{Line: line, Column: utf8.RuneCountInString(f.text[f.lines[line-1]:offset]) + 1}
}

// Span is a range of a file. The zero value is no place.
type Span struct {
	File       *File
	Start, End int
}

// IsZero reports whether the span names no place.
func (s Span) IsZero() bool { return s.File == nil }

// Text is the text the span covers.
func (s Span) Text() string {
	if s.File == nil {
		return ""
	}
	return s.File.text[s.Start:s.End]
}

// Position is where the span begins.
func (s Span) Position() Position {
	if s.File == nil {
		return Position{}
	}
	return s.File.Position(s.Start)
}

// Name is the name of the span's file, "" for the zero span.
func (s Span) Name() string {
	if s.File == nil {
		return ""
	}
	return s.File.name
}

// Say puts the place before a message: "FILE:LINE:COLUMN: message". Without a place it is the message alone.
func (s Span) Say(message string) string {
	if s.File == nil {
		return message
	}
	at := s.Position()
	return fmt.Sprintf("%s:%d:%d: %s", s.File.name, at.Line, at.Column, message)
}

// To is the span from the beginning of s to the end of t, which must lie in the same file.
func (s Span) To(t Span) Span {
	if s.File == nil || t.File != s.File {
		return s
	}
	return Span{File: s.File, Start: min(s.Start, t.Start), End: max(s.End, t.End)}
}

// Words lists the names and numbers in a text.
func Words(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}
