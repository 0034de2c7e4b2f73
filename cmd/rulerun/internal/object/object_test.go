package object_test

import (
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
)

// TestFields: keys keep their order, and nothing is escaped that need not be.
func TestFields(t *testing.T) {
	v := object.Fields{{"z", 1}, {"a", []object.Fields{{{"<&>", "\"é\""}}, nil}}, {"none", nil}}
	for _, c := range []struct {
		write func(*strings.Builder) error
		want  string
	}{
		{func(b *strings.Builder) error { return object.Line(b, v) }, `{"z":1,"a":[{"<&>":"\"é\""},{}],"none":null}` + "\n"},
		{func(b *strings.Builder) error { return object.Indented(b, v[:1]) }, "{\n  \"z\": 1\n}\n"},
	} {
		var b strings.Builder
		if err := c.write(&b); err != nil {
			t.Fatal(err)
		}
		if b.String() != c.want {
			t.Errorf("got %s, want %s", b.String(), c.want)
		}
	}
	if err := object.Line(&strings.Builder{}, object.Fields{{"f", func() {}}}); err == nil {
		t.Error("a function is written")
	}
}
