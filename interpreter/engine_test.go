package interpreter_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/interpreter"
)

var updateEngine = flag.Bool("engine.update", false, "write what the commands of ENGINE.md print into it")

// TestEnginePage holds the listings of ENGINE.md to what their commands print, and its files and stages to those there are.
func TestEnginePage(t *testing.T) {
	const path = "ENGINE.md"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const command = "    $ rulerun program "
	var out bytes.Buffer
	commands, listing := 0, false
	for line := range strings.Lines(string(page)) {
		if listing && strings.HasPrefix(line, "    ") {
			continue // made anew
		}
		listing = false
		out.WriteString(line)
		args, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), command)
		if !ok {
			continue
		}
		commands++
		listing = true
		var file, stage, rule string
		if _, err := fmt.Sscanf(args, "%s --stage %s --rule %s", &file, &stage, &rule); err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		var b bytes.Buffer
		if err := gameOf(t, filepath.Join("..", filepath.FromSlash(file)), "").WriteProgram(&b, interpreter.FormSets, stage, rule); err != nil {
			t.Fatal(err)
		}
		for x := range strings.Lines(b.String()) {
			out.WriteString("    " + x)
		}
	}
	if commands == 0 {
		t.Error("the page has no listing")
	}
	if !bytes.Equal(out.Bytes(), page) {
		if *updateEngine {
			if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			return
		}
		t.Error("the listings are not what the commands print; write them anew with: go test ./interpreter -run TestEnginePage -engine.update")
	}
	for _, stage := range interpreter.Stages() {
		if !bytes.Contains(page, []byte("| `"+stage+"` |")) {
			t.Errorf("the page does not know the stage %q", stage)
		}
	}
	for _, part := range strings.Split(string(page), "`") {
		if strings.HasPrefix(part, "internal/") || strings.HasPrefix(part, "examples/") {
			at := part
			if strings.HasPrefix(part, "examples/") {
				at = "../" + part
			}
			if _, err := os.Stat(filepath.FromSlash(at)); err != nil {
				t.Errorf("the page names a file that is not there: %s", part)
			}
		}
	}
}
