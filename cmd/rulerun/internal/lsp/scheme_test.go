package lsp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/lsp"
	"github.com/rulerun/rulerun/rulesets"
)

// TestWithoutDisk: a server in a browser has no files but those of the editor, and names shipped files in its own scheme.
func TestWithoutDisk(t *testing.T) {
	e := connectWith(t, lsp.Options{Shipped: rulesets.FS, Version: "test", Delay: 5 * time.Millisecond})
	e.initialize()
	text := "change mine_own \"Mine\" for parchis4a\n\nrule more \"More\" {\n  on capture(p, victims) { again }\n}\n"
	h := e.open("/mine_own.rules", text)
	if got := e.findings(h); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	var found []struct{ URI string }
	e.ask("textDocument/definition", e.position(h, "parchis4a", 3), &found)
	if len(found) != 1 || found[0].URI != "rulerun:/parchis4a.rules" {
		t.Fatalf("%+v", found)
	}
	var content struct{ Text string }
	e.ask("workspace/textDocumentContent", map[string]any{"uri": found[0].URI}, &content)
	if want, _ := rulesets.FS.ReadFile("parchis4a.rules"); content.Text != string(want) {
		t.Errorf("got %q", content.Text)
	}
	for _, u := range []string{"rulerun:/nothing.rules", "rulerun:/../lsp/place.go", "file:///mine_own.rules"} {
		if got := e.refused("workspace/textDocumentContent", map[string]any{"uri": u}); !strings.Contains(got, "there is no "+u) {
			t.Error(got)
		}
	}
	// The editor can open it: hover and definitions work in it, and no file depends on a folder.
	u := found[0].URI
	e.texts[u], e.version[u] = content.Text, 1
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": u, "languageId": "rulerun", "version": 1, "text": content.Text}})
	if got := e.findings(u); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	// Two documents of the editor build on each other.
	second := e.open("/second.rules", "change second \"Second\" for mine_own\n\nwithout more\n")
	if got := e.findings(second); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	e.ask("textDocument/definition", e.position(second, "mine_own", 3), &found)
	if len(found) != 1 || found[0].URI != h {
		t.Errorf("%+v", found)
	}
}
