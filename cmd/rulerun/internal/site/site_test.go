package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/web"
)

// ours are rule files that do not come with rulerun.
var ours = books.Texts{
	"ours.rules":         "change ours \"Our table\" for base_of_ours\n\nrule sixes \"A 6 counts twice\" {\n  on throw(die) when die == 6 { play 6 }\n}\n",
	"base_of_ours.rules": "change base_of_ours \"Parchís at home\" for parchis\n\nset capture_count = 10\n",
}

func made(t *testing.T, dir string) *Size {
	t.Helper()
	size, err := Make(t.Context(), dir, Options{
		Page: web.Page(), Policy: web.Policy, Files: ours, Listed: []string{"ours.rules"}, Version: "test", Say: func(text string) { t.Log(text) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return size
}

// maxPlay is how much may be loaded to play, packed.
const maxPlay = 4_500_000

// TestSite makes a site and uses it in a browser.
func TestSite(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds two modules")
	}
	b := browser.Start(t)
	dir := filepath.Join(t.TempDir(), "public")
	size := made(t, dir)
	t.Logf("%d bytes to play, %d more to edit", size.Play, size.Editor)
	if size.Play > maxPlay {
		t.Errorf("%d bytes are loaded to play, want at most %d", size.Play, maxPlay)
	}
	if keep := os.Getenv("RULERUN_KEEP"); keep != "" { // to look at it
		if err := os.CopyFS(keep, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}

	t.Run("soon playable, and offline", func(t *testing.T) {
		server := httptest.NewServer(http.FileServer(http.Dir(dir)))
		begin := time.Now()
		p := b.Open(t, server.URL+"/#rules=ur", desktop)
		p.Until("document.querySelector('dialog button.main')")
		chosen := time.Since(begin)
		p.Click("dialog button.main")
		p.Until("document.body.dataset.waits == 'throw'")
		t.Logf("a game can be chosen after %v, the first position is there after %v", chosen.Round(time.Millisecond), time.Since(begin).Round(time.Millisecond))
		if !strings.Contains(p.Text("footer"), "secret") {
			t.Errorf("the page does not say what it knows: %q", p.Text("footer"))
		}
		p.Eval("navigator.serviceWorker.ready.then(() => 1)", nil)
		server.Close()
		if _, err := http.Get(server.URL); err == nil {
			t.Fatal("the server still answers")
		}
		p.Eval("location.reload()", nil)
		p.Until("document.querySelector('dialog button.main')")
		p.Click("dialog button.main")
		p.Until("document.body.dataset.waits == 'throw'")
		p.Click("#actions button")
		p.Until("document.querySelectorAll('#log li').length > 1")
	})
}

var desktop = browser.Look{Width: 1280, Height: 800}
