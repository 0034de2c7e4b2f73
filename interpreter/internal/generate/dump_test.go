package generate

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

func TestDump(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("SEED"))
	if err != nil {
		t.Skip()
	}
	b := New(uint64(n))
	for name, text := range b.Files {
		fmt.Printf("-- %s --\n%s", name, text)
	}
	_, faults := b.Check()
	for _, f := range faults {
		if f.Severity.String() == "error" {
			p := f.Span.Position()
			fmt.Println(f.Span.Name(), p.Line, f.Code, f.Message, "|", f.Span.File.Line(p.Line))
		}
	}
}
