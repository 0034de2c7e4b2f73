package web

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/browser"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/examples"
)

var (
	pictures = flag.String("pictures", "", "keep pictures of pages in a `folder`")
	more     = flag.String("more", "", "with -pictures: rule `files` whose boards are shown too, with commas between them")
)

// shot keeps a picture of a page for people, if they name a folder for it.
func shot(t *testing.T, p *browser.Page, name string) {
	t.Helper()
	if *pictures == "" {
		return
	}
	data, err := p.Screenshot()
	if err == nil {
		err = os.WriteFile(filepath.Join(*pictures, name+".png"), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// looks are how the pictures are taken.
var looks = map[string]browser.Look{
	"light": {Width: 1280, Height: 800},
	"dark":  {Width: 1280, Height: 800, Dark: true},
	"phone": {Width: 360, Height: 740, Touch: true},
}

// TestPictures takes pictures of a first game step by step, and of every board:
//
//	go test ./cmd/rulerun/internal/web -run TestPictures -pictures /tmp/pictures
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("skipped without -pictures")
	}
	b := browser.Start(t)
	host, address := served(t)
	for name, look := range looks {
		t.Run("first game, "+name, func(t *testing.T) {
			g := table{b.Open(t, address, look), t}
			step := 0
			take := func(what string) {
				step++
				shot(t, g.Page, fmt.Sprintf("game-%s-%02d-%s", name, step, what))
			}
			g.Until("document.querySelector('dialog [data-seat]')")
			take("choose")
			g.Click("dialog button.main")
			g.ready()
			take("begin")
			for n := 0; g.ready() != door.WaitsOption && n < 60; n++ {
				g.Click("#actions button")
			}
			take("which-piece")
			g.Press("ArrowDown")
			take("pointed")
			g.Press("?")
			g.Until("document.querySelector('dialog')")
			take("why")
			g.Press("Escape", "1")
			g.ready()
			take("moved")
			g.Click("#tab-rules")
			take("rules")
			g.Click("#tab-log")
			for n := 0; n < 400 && g.ready() != door.WaitsOver; n++ {
				g.Press("f")
				if g.ready() == door.WaitsOption {
					g.Press("1")
				}
				if n == 60 {
					g.ready()
					take("later")
				}
			}
			take("end")
			g.Press("F1")
			take("keys")
			g.Press("Escape")
			g.Click("#edit")
			g.Until("document.querySelector('dialog button[value=house]')")
			g.Click("dialog button[value=house]")
			g.Until("document.querySelector('#workshop')?.dataset.found")
			g.Until(inEditor + ".querySelector('.t-keyword')")
			take("rules-written")
		})
	}
	names, err := fs.Glob(examples.Shipped(), "*.rules")
	if err != nil {
		t.Fatal(err)
	}
	shelf := books.New(examples.Shipped(), nil)
	boards := map[string]door.Request{}
	for _, file := range names {
		name := strings.TrimSuffix(file, ".rules")
		if d, err := shelf.Details(door.Pick{Rules: name}, nil); err == nil && d.For == "" {
			boards[name] = door.Request{Rules: name}
		}
	}
	for _, file := range strings.FieldsFunc(*more, func(r rune) bool { return r == ',' }) {
		texts := map[string]string{}
		found, err := filepath.Glob(filepath.Join(filepath.Dir(file), "*.*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			if slices.Contains([]string{".rules", ".yaml"}, filepath.Ext(path)) {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				texts[filepath.Base(path)] = string(text)
			}
		}
		boards[strings.TrimSuffix(filepath.Base(file), ".rules")] = door.Request{Rules: filepath.Base(file), Files: texts}
	}
	for name, r := range boards {
		for how, look := range looks {
			t.Run(name+", "+how, func(t *testing.T) {
				r.Seed = seed(3)
				at := begun(t, host, r)
				played(t, host, strings.TrimPrefix(at, "#game="), 60)
				g := table{b.Open(t, address+at, look), t}
				for n := 0; n < 40; n++ {
					if waits := g.ready(); waits == door.WaitsOption || waits == door.WaitsOver {
						break
					}
					g.Eval("document.querySelector('#actions button').click()", nil)
				}
				if g.ready() == door.WaitsOption {
					g.Eval("document.querySelector('[data-option]').click()", nil)
				}
				shot(t, g.Page, "board-"+name+"-"+how)
			})
		}
	}
}
