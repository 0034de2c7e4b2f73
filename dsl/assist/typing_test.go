package assist

import (
	"os"
	"testing"
)

// TestTyping asks everything at every place of a file of which more and more is typed.
func TestTyping(t *testing.T) {
	data, err := os.ReadFile("../testdata/rules/ur.rules")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for n := 0; n <= len(text); n += 7 {
		file := sourceOf(text[:n])
		d := Read(file, noFiles{})
		d.Complete(n)
		d.Hover("x.rules", n)
		d.Tokens()
		Folds(d.Tree)
		Outline(d.Tree)
	}
}
