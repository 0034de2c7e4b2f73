package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// block is a part of the tutorial: a file, or lines to add to one, or commands.
var block = regexp.MustCompile("(?ms)^```(\\w+)(?: (\\S+))?\n(.*?)^```")

// TestTutorial writes the files of the tutorial and runs every command in it, in order. Each must succeed, and nothing that the
// reader writes has a finding.
func TestTutorial(t *testing.T) {
	text := page(t, "dsl/TUTORIAL.md")
	if words := len(strings.Fields(text)); words > 1200 {
		t.Errorf("the tutorial has %d words, more than a quarter of an hour takes", words)
	}
	t.Chdir(t.TempDir())
	written := map[string]string{}
	commands := 0
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		kind, name, body := m[1], m[2], m[3]
		switch {
		case kind == "console":
			for _, line := range strings.Split(strings.TrimSpace(body), "\n") {
				commands++
				verb, ok := strings.CutPrefix(line, "rulerun ")
				if !ok {
					t.Fatalf("%q is no command of rulerun", line)
				}
				rulerun(t, strings.Fields(verb)...)
			}
		case name != "":
			if written[name] != "" {
				written[name] += "\n"
			}
			written[name] += body
			if err := os.WriteFile(name, []byte(written[name]), 0o600); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("a block of %s has no file", kind)
		}
	}
	if commands < 10 || len(written) < 3 {
		t.Errorf("%d commands and %d files", commands, len(written))
	}
	for name := range written {
		rulerun(t, "check", "--fail-on", "note", name)
		if filepath.Ext(name) == ".rules" {
			rulerun(t, "fmt", "--check", name)
		}
	}
	if out := rulerun(t, "test", "ours.rules", "longer.rules"); !strings.Contains(out, "3 passed, 0 failed") {
		t.Error(out)
	}
}
