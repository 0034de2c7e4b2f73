package boards

import (
	"strings"
	"unicode/utf16"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/source"
)

// topKey matches a key in the first column, or in a flow map that is the whole file. Keys may be quoted.
var topKey = pattern.Of(`(?m)^(?:[{][ \t]*)?["']?([A-Za-z_]+)["']?[ \t]*:`)

// flowKey matches a key within a flow map.
var flowKey = pattern.Of(`[{,][ \t\r\n]*["']?([A-Za-z_]+)["']?[ \t]*:`)

// Recognise reports whether a YAML file is meant as a board: a folder may hold YAML files of other programs. A board whose first
// key is misspelt, or that is saved in another encoding, is one: Read says what is wrong with it.
func Recognise(file *source.File) bool {
	text := utf8Of(file.Text())
	keys := topKey().FindAllStringSubmatch(text, -1)
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		keys = flowKey().FindAllStringSubmatch(text, -1)
	}
	others, near := 0, false
	for i, m := range keys {
		switch key := m[1]; {
		case key == "board":
			return true
		case key == "squares" || key == "tracks" || key == "colours" || key == "landmarks" || key == "zones" || key == "extends" || key == "use":
			others++
		case i == 0:
			near = diag.Nearest(key, []string{"board"}) != ""
		}
	}
	return others > 2 || near && others > 0
}

// utf8Of is a text without its byte order mark, and decoded if it is UTF-16.
func utf8Of(text string) string {
	little := strings.HasPrefix(text, "\xff\xfe")
	if !little && !strings.HasPrefix(text, "\xfe\xff") {
		return strings.TrimPrefix(text, mark)
	}
	var units []uint16
	for i := 2; i+1 < len(text); i += 2 {
		a, b := uint16(text[i]), uint16(text[i+1])
		if little {
			a, b = b, a
		}
		units = append(units, a<<8|b)
	}
	return string(utf16.Decode(units))
}
