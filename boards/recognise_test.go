package boards

import (
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/source"
)

func TestRecognise(t *testing.T) {
	const rest = "\ncolours: [red]\nsquares: {}\ntracks: {}\n"
	wide := func(s string, little bool) string {
		out := "\xfe\xff"
		if little {
			out = "\xff\xfe"
		}
		for _, c := range []byte(s) {
			if little {
				out += string([]byte{c, 0})
			} else {
				out += string([]byte{0, c})
			}
		}
		return out
	}
	for text, want := range map[string]bool{
		"board: pond" + rest:                      true,
		"# a board\nboard : pond":                 true,
		"\uFEFFboard: pond" + rest:                true,
		wide("board: pond"+rest, true):            true,
		wide("board: pond"+rest, false):           true,
		"\"board\": pond" + rest:                  true,
		"'board': pond":                           true,
		"{board: pond, colours: [red]}":           true,
		"# flow\r\n{\"board\": pond}":             true,
		"{\n  colours: [red],\n  board: pond}":    true,
		"borad: pond" + rest:                      true,
		"Board: pond" + rest:                      true,
		"boards: pond\nextends: cross":            true,
		"name: pond" + rest:                       true,
		strings.TrimSpace(rest):                   true,
		"":                                        false,
		"on: push\njobs:\n  board: x\n":           false,
		"name: build\ncolours: [red]\nzones: [a]": false,
		"boards: [a, b]\nrevision: 3":             false,
		"version: 2\nsquares: 3":                  false,
		"apiVersion: v1\nkind: Board\nmetadata: {board: x, use: y}": false,
	} {
		if got := Recognise(source.New("x.yaml", text)); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}
