package assist

import (
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// where is the context before an offset: the declaration, and its line up to there.
type where struct {
	kind  string // the keyword of the declaration: "rule"; "" outside declarations
	depth int    // nesting depth of braces
	line  []syntax.Token
	whole []syntax.Token // the tokens of the declaration up to there
	text  bool           // inside a quoted text
	mute  bool           // inside a comment or clause ids
}

// where returns the context before an offset.
func (d *Draft) where(offset int) where {
	w := where{}
	fresh := true
	starters := syntax.Starters("", false)
	for _, t := range d.Tree.Tokens() {
		end := t.Start + len(t.Text)
		if t.Start >= offset {
			break
		}
		w.text = false
		if t.Kind == syntax.TokenComment || t.Kind == syntax.TokenIDs {
			w.mute = end >= offset && (t.Kind == syntax.TokenComment || end > offset)
			continue
		}
		if t.Kind == syntax.TokenLineEnd {
			fresh = true
			if w.depth == 0 {
				w = where{}
			}
			w.line = nil
			continue
		}
		first := t.Start == 0 || d.File.Text()[t.Start-1] == '\n'
		if fresh && first && t.Kind == syntax.TokenWord && slices.Contains(starters, t.Text) && end < offset {
			w = where{}
		}
		fresh = false
		w.whole = append(w.whole, t)
		if t.Kind == syntax.TokenMark && strings.Contains("{};", t.Text) {
			switch t.Text {
			case "{":
				w.depth++
			case "}":
				w.depth = max(0, w.depth-1)
			}
			w.line, fresh = nil, true
			continue
		}
		w.line = append(w.line, t)
		w.text = t.Kind == syntax.TokenText && (end > offset || end == offset && !closed(t.Text))
	}
	if len(w.whole) > 0 {
		w.kind = w.whole[0].Text
		if w.kind == "replace" && len(w.whole) > 1 {
			w.kind = w.whole[1].Text
		}
	}
	return w
}

// closed reports whether a quoted text has its closing quote.
func closed(text string) bool {
	return len(text) > 1 && strings.HasSuffix(text, `"`) && !strings.HasSuffix(text, `\"`)
}

// word is the name that ends at or contains an offset, up to the offset; an empty span if there is none.
func word(f *source.File, offset int) source.Span {
	text := f.Text()
	offset = max(0, min(offset, len(text)))
	start := offset
	for start > 0 && isNamePart(text[start-1]) {
		start--
	}
	return f.Span(start, offset)
}

// isNamePart reports whether a byte can continue a name; bytes of letters with accents can.
func isNamePart(c byte) bool {
	return c == '_' || c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
