package main_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// avoided are expressions that are hard to read in a second language, or that hide the subject of a sentence.
var avoided = regexp.MustCompile(`(?i)\b(nobody|somebody|whoever|in the place of|for else|is told|are told)\b`)

// code is what a page quotes: it is rule text or output, not prose.
var code = regexp.MustCompile("`[^`]*`")

// TestPlainWords looks for avoided expressions in comments, in texts of the program and in pages.
func TestPlainWords(t *testing.T) {
	for _, path := range goFiles(t, "dsl", "interpreter", "cmd", "boards", "rulesets", "examples") {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		file := set.AddFile(path, -1, len(src))
		var s scanner.Scanner
		s.Init(file, src, nil, scanner.ScanComments)
		for {
			pos, tok, lit := s.Scan()
			if tok == token.EOF {
				break
			}
			if tok == token.STRING {
				text, err := strconv.Unquote(lit)
				if err != nil || !strings.Contains(text, " ") {
					continue // a word alone may be a key
				}
				lit = text
			} else if tok != token.COMMENT {
				continue
			}
			if w := avoided.FindString(lit); w != "" {
				t.Errorf("%s: say it without %q: %s", set.Position(pos), w, lit)
			}
		}
	}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fenced := false
		for i, line := range strings.Split(string(data), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				fenced = !fenced
			}
			if fenced || strings.HasPrefix(line, "    ") {
				continue
			}
			if w := avoided.FindString(code.ReplaceAllString(line, "")); w != "" {
				t.Errorf("%s:%d: say it without %q", path, i+1, w)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPlainWordsFinds shows that the test above finds an expression in any spelling.
func TestPlainWordsFinds(t *testing.T) {
	for _, s := range []string{"Nobody moves", "a piece in the place of another", "what it is told."} {
		if !avoided.MatchString(s) {
			t.Errorf("%q is not found", s)
		}
	}
	if s := "a body, tolds"; avoided.MatchString(s) {
		t.Errorf("%q is found", s)
	}
}
