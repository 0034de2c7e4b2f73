package lsp

import (
	"path"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// Files have two names: the URI of the editor, and the name in messages and in the index. That name is the path with
// slashes; for a shipped file its name in rulerun ("boards/x.yaml"), and for a document without a file the URI
// itself. The URI of a shipped file is its name in the scheme of the server, or that of a copy on the disk.

// scheme is the scheme of the URIs of shipped files: "rulerun:/boards/x.yaml".
const scheme = "rulerun"

// diskName is the name of a file in Options.Disk.
func diskName(name string) string {
	if name = strings.TrimPrefix(name, "/"); name == "" {
		return "."
	}
	return strings.TrimSuffix(name, "/")
}

func (s *server) nameOf(u uri.URI) string {
	if name, ok := strings.CutPrefix(string(u), scheme+":/"); ok && shipped(name) {
		return name
	}
	if !u.IsFile() {
		return string(u)
	}
	name := filepath.ToSlash(u.FsPath())
	if s.options.Copies != nil {
		if copied, ok := s.options.Copies.Name(name); ok {
			return copied
		}
	}
	return name
}

func (s *server) uriOf(name string) uri.URI {
	switch {
	case shipped(name):
		if file, ok := s.view().file(name, &reads{}); ok && !s.scheme.Load() {
			return uri.File(filepath.FromSlash(s.options.Copies.Path(name, file.Text())))
		}
		return uri.URI(scheme + ":/" + name)
	case strings.Contains(name, ":/") && !filepath.IsAbs(name):
		return uri.URI(name)
	}
	return uri.File(filepath.FromSlash(name))
}

func shipped(name string) bool {
	return !path.IsAbs(name) && !filepath.IsAbs(filepath.FromSlash(name)) && !strings.Contains(name, ":")
}

// position converts an offset. Lines and characters count from 0; characters are bytes or UTF-16 units, as negotiated
// with the editor.
func (s *server) position(f *source.File, offset int) protocol.Position {
	text := f.Text()
	offset = max(0, min(offset, len(text)))
	line := f.LineAt(offset)
	start := lineStart(f, line-1)
	return protocol.Position{Line: uint32(line - 1), Character: uint32(s.units(text[start:max(start, offset)]))}
}

// lineStart is the offset of a line, counted from 0. A byte order mark belongs to the first line here, because
// editors count it.
func lineStart(f *source.File, line int) int {
	if line <= 0 {
		return 0
	}
	return f.LineStart(line + 1)
}

// units is the length of a text in the units of the editor.
func (s *server) units(text string) int {
	if s.bytes.Load() {
		return len(text)
	}
	return seq.Sum([]rune(text), utf16.RuneLen)
}

// offset converts a position; one outside the text is clamped.
func (s *server) offset(f *source.File, p protocol.Position) int {
	text := f.Text()
	if int64(p.Line) >= int64(f.LineCount()) {
		return len(text)
	}
	at, end := lineStart(f, int(p.Line)), len(text)
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		end = at + i
	}
	for left := int(min(p.Character, 1<<20)); left > 0 && at < end; {
		r, w := utf8.DecodeRuneInString(text[at:end])
		n := utf16.RuneLen(r)
		if s.bytes.Load() {
			n = w
		}
		if n > left && s.bytes.Load() {
			break // inside a character
		}
		left -= n
		at += w
	}
	return at
}

func (s *server) rangeOf(at source.Span) protocol.Range {
	if at.File == nil {
		return protocol.Range{}
	}
	return protocol.Range{Start: s.position(at.File, at.Start), End: s.position(at.File, at.End)}
}

func (s *server) location(at source.Span) protocol.Location {
	return protocol.Location{URI: s.uriOf(at.Name()), Range: s.rangeOf(at)}
}
