// Package browser drives a Chromium for tests of pages. It is the owner of chromedp, and only tests import it.
package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/rulerun/rulerun/dsl/pattern"
)

// Required is the environment variable that makes a missing browser a failure.
const Required = "RULERUN_BROWSER"

// names are the programs that are looked for.
var names = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

// Browser is a running Chromium.
type Browser struct{ ctx context.Context }

// Start starts a Chromium without a window, until the test and its subtests end. Without one it skips the test, or fails it if Required
// is set.
func Start(t testing.TB) *Browser {
	t.Helper()
	path := ""
	for _, name := range names {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv(Required) != "" {
			t.Fatalf("no browser: install one of %s", strings.Join(names, ", "))
		}
		t.Skipf("skipped for want of a browser: %s", strings.Join(names, ", "))
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.Flag("force-color-profile", "srgb"))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // a root may have no sandbox; the pages are our own
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, leave := chromedp.NewContext(allocated)
	t.Cleanup(func() { leave(); stop() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("the browser does not start: %v", err)
	}
	return &Browser{ctx}
}

// Page is one tab with its own storage.
type Page struct {
	t   testing.TB
	ctx context.Context

	mu       sync.Mutex
	mistakes []string // what the console reports
}

// Look is how a page is seen.
type Look struct {
	Width, Height int
	Dark          bool
	Moving        bool // motion is not reduced
	Touch         bool
	Languages     string // that the browser prefers: "es-MX,es"; "" is English
}

// Open opens an address. What the page reports as an error fails the test.
func (b *Browser) Open(t testing.TB, address string, look Look) *Page {
	t.Helper()
	ctx, leave := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	p := &Page{t: t, ctx: ctx}
	t.Cleanup(func() { p.keep(); leave(); p.Mistakes() })
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	console := chromedp.Console(ctx)
	go func() {
		for m, err := range console {
			if err != nil {
				return
			}
			if m.Type == "error" || m.Type == chromedp.ConsoleException {
				p.mistake(m.Text)
			}
		}
	}()
	scheme, motion := "light", "reduce"
	if look.Dark {
		scheme = "dark"
	}
	if look.Moving {
		motion = "no-preference"
	}
	var size []chromedp.EmulateViewportOption
	if look.Touch {
		size = append(size, chromedp.EmulateTouch, chromedp.EmulateMobile)
	}
	p.Run(
		chromedp.EmulateViewport(int64(look.Width), int64(look.Height), size...),
		chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion}}
			_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
			return err
		}),
		chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: "Chromium", AcceptLanguage: cmp.Or(look.Languages, "en")})
			return err
		}),
		chromedp.Navigate(address),
	)
	return p
}

func (p *Page) mistake(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.mistakes, text) {
		p.mistakes = append(p.mistakes, text)
	}
}

// Mistakes fails the test with what the console of the page has reported.
func (p *Page) Mistakes() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.mistakes {
		p.t.Errorf("the page reports: %s", m)
	}
	p.mistakes = nil
}

// patience is how long one action may take.
const patience = 30 * time.Second

// Run runs actions of chromedp; an error fails the test.
func (p *Page) Run(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, late := context.WithTimeout(p.ctx, patience)
	defer late()
	if err := chromedp.Do(ctx, actions...); err != nil {
		p.t.Fatal(err)
	}
}

// Eval works out an expression in the page, or what its promise becomes, and reads it into a value of Go. out may be nil.
func (p *Page) Eval(expression string, out any) {
	p.t.Helper()
	ctx, late := context.WithTimeout(p.ctx, patience)
	defer late()
	raw, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(raw, out); err != nil {
		p.t.Fatalf("%s: %v in %s", expression, err, raw)
	}
}

// Text is the text of the element that a selector finds, "" if there is none.
func (p *Page) Text(selector string) string {
	p.t.Helper()
	var out string
	p.Eval(fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector), &out)
	return out
}

// Until waits until an expression is true.
func (p *Page) Until(expression string) {
	p.t.Helper()
	for begin, pause := time.Now(), time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) { // asking takes time from the page
		var ok bool
		if p.Eval("!!("+expression+")", &ok); ok {
			return
		}
		if time.Since(begin) > patience {
			p.t.Fatalf("it does not come true: %s", expression)
		}
		time.Sleep(pause)
	}
}

// Click clicks the middle of the element that a selector finds, as a mouse does: what lies above it gets the click.
func (p *Page) Click(selector string) {
	p.t.Helper()
	x, y := p.middle(selector)
	p.Run(chromedp.MouseClickXY(x, y))
}

// Tap touches the middle of an element with a finger.
func (p *Page) Tap(selector string) {
	p.t.Helper()
	p.TapBeside(selector, 0, 0)
}

// TapBeside touches a point that is some pixels from the middle of an element.
func (p *Page) TapBeside(selector string, dx, dy float64) {
	p.t.Helper()
	x, y := p.middle(selector)
	p.Run(chromedp.TapXY(x+dx, y+dy))
}

func (p *Page) middle(selector string) (x, y float64) {
	p.t.Helper()
	var at []float64
	p.Eval(fmt.Sprintf(`(() => {
		const e = document.querySelector(%q)
		if (!e) return null
		e.scrollIntoView({block: 'center'})
		const r = e.getBoundingClientRect()
		return [r.x + r.width / 2, r.y + r.height / 2]
	})()`, selector), &at)
	if len(at) != 2 {
		p.t.Fatalf("nothing to click: %s", selector)
	}
	return at[0], at[1]
}

// Press presses keys: text, or the names of keys such as "Enter".
func (p *Page) Press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		if named, ok := map[string]string{
			"Enter": kb.Enter, "Tab": kb.Tab, "Escape": kb.Escape, "ArrowDown": kb.ArrowDown, "ArrowUp": kb.ArrowUp, "Home": kb.Home, "End": kb.End, "F1": kb.F1, "Space": " ",
		}[k]; ok {
			k = named
		}
		p.Run(chromedp.KeyEvent(k))
	}
}

// Load loads another page here.
func (p *Page) Load(address string) {
	p.t.Helper()
	p.Run(chromedp.Navigate(address))
}

// Reload loads the page again.
func (p *Page) Reload() {
	p.t.Helper()
	p.Run(chromedp.Reload())
}

// Screenshot is the whole page as PNG.
func (p *Page) Screenshot() ([]byte, error) {
	ctx, late := context.WithTimeout(p.ctx, patience)
	defer late()
	return chromedp.Run(ctx, chromedp.FullScreenshot(100))
}

// Beyond is how many sheets of paper the page takes in print after the first ones: A4, and Letter. Only those are drawn.
func (p *Page) Beyond(first int) (a4, letter int) {
	p.t.Helper()
	ctx, late := context.WithTimeout(p.ctx, patience)
	defer late()
	on := func(size chromedp.PaperSize) int {
		pdf, err := chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPaper(size), chromedp.PDFPageRanges(fmt.Sprintf("%d-", first+1))))
		if err != nil {
			if !strings.Contains(err.Error(), "Page range exceeds page count") {
				p.t.Fatal(err)
			}
			return 0
		}
		return len(sheet().FindAll(pdf, -1))
	}
	return on(chromedp.PaperA4), on(chromedp.PaperLetter)
}

// sheet is where a page of a PDF begins.
var sheet = pattern.Of(`/Type\s*/Page\b`)

// keep writes what the page looks like where a test has failed: go test -artifacts leaves it there.
func (p *Page) keep() {
	if !p.t.Failed() {
		return
	}
	if picture, err := p.Screenshot(); err == nil {
		_ = os.WriteFile(filepath.Join(p.t.ArtifactDir(), "page.png"), picture, 0o600)
	}
}

// Move moves the mouse.
func (p *Page) Move(x, y float64) {
	p.t.Helper()
	p.Run(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}
