// Package site makes a folder that any web host can serve: the page of package web, with the engine and the language
// server as WebAssembly.
//
// Nothing compiled is part of rulerun: Make builds both modules with the Go command. Note: the
// page and the modules must be of the same version, so the modules are built from the source of the running program.
package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/books"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/files"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/leaflet"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/examples"
	"github.com/rulerun/rulerun/interpreter/learn"
)

// Options say what a site contains.
type Options struct {
	Page    fs.FS       // the files of the page
	Policy  string      // its security policy
	Files   books.Texts // rule files, boards, and what bots have learned
	Clauses books.Texts // lists of written clauses, with their catalogues
	Listed  []string    // the rule files that people choose from
	Lang    string      // to begin with, "" if browsers choose
	Version string      // of the program
	Say     func(text string)
}

// Size is the size of a site in bytes.
type Size struct {
	Play   int // what is loaded to play
	Editor int // what the editor loads besides
}

// marker is the file by which a folder is recognised as a site. It lists the files.
const marker = "site.json"

// given is what the modules are started with.
const given = "books.json"

// later are the files that only the editor needs.
var later = []string{"editor.js", "workshop.js", "language-worker.js", "language.wasm.gz", "licences.txt"}

// leaflets begin the names of the leaflets, which nothing loads until it is opened.
const leaflets = "leaflet."

// Make makes a site in a folder, which must not exist yet, be empty, or be a site. Until the new site is complete the
// folder stays as it is.
func Make(ctx context.Context, dir string, o Options) (*Size, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := replaceable(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	staging, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-new-") // beside it: a rename works
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(staging)
	built, err := build(ctx, o.Version, o.Say)
	if err != nil {
		return nil, err
	}
	content, err := page(o)
	if err != nil {
		return nil, err
	}
	maps.Copy(content, built)
	content["sw.js"] = worker(content)
	size := &Size{}
	for name, data := range content {
		if strings.HasPrefix(name, leaflets) {
			continue
		}
		n := len(data)
		if path.Ext(name) != ".gz" {
			n = len(packed(data))
		}
		if slices.Contains(later, name) {
			size.Editor += n
		} else {
			size.Play += n
		}
	}
	names := slices.Sorted(maps.Keys(content))
	content[marker], err = json.MarshalIndent(map[string]any{"rulerun": o.Version, "files": names}, "", "  ")
	if err != nil {
		return nil, err
	}
	for name, data := range content {
		if err := os.WriteFile(filepath.Join(staging, name), data, 0o644); err != nil {
			return nil, err
		}
	}
	if err := os.Chmod(staging, 0o755); err != nil {
		return nil, err
	}
	return size, replace(staging, dir)
}

// replaceable refuses a folder with files that no site has.
func replaceable(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || len(entries) == 0 {
		return err
	}
	var known struct{ Files []string }
	data, err := files.Read(filepath.Join(dir, marker), files.Max)
	if err != nil || json.Unmarshal(data, &known) != nil {
		return fmt.Errorf("%s is a folder with other files: name a new one, or empty it", dir)
	}
	for _, e := range entries {
		if e.Name() != marker && !slices.Contains(known.Files, e.Name()) {
			return fmt.Errorf("%s has a file that is not of the site, %s: move it away, or name a new folder", dir, e.Name())
		}
	}
	return nil
}

// replace puts a folder in place of another.
func replace(staging, dir string) error {
	old := staging + "-old"
	err := os.Rename(dir, old)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(staging, dir); err != nil {
		_ = os.Rename(old, dir)
		return err
	}
	return os.RemoveAll(old)
}

// head is what a site has in place of the script of the page.
//
//go:embed head.html
var head string

// page is the files of the page, changed for a site: its engine is a worker, and its policy is in the page, because a web
// host does not send it.
func page(o Options) (map[string][]byte, error) {
	out := map[string][]byte{}
	err := fs.WalkDir(o.Page, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		out[name], err = fs.ReadFile(o.Page, name)
		return err
	})
	if err != nil {
		return nil, err
	}
	const script = `<script type="module" src="main.js">`
	index := string(out["index.html"])
	if strings.Count(index, script) != 1 {
		return nil, errors.New("the page does not begin with main.js")
	}
	policy := strings.ReplaceAll(o.Policy, "; frame-ancestors 'none'", "") // a page cannot say that of itself
	index = strings.Replace(index, script, strings.Replace(head, "POLICY", policy, 1), 1)
	out["index.html"] = []byte(locale.Page(index, o.Lang))
	maps.Copy(out, locale.PageFiles())
	listed, texts := append([]string{}, o.Listed...), books.Texts{}
	maps.Copy(texts, o.Files)
	if out[given], err = json.Marshal(map[string]any{"files": texts, "listed": listed}); err != nil {
		return nil, err
	}
	learn.Look("shipped", examples.Shipped())
	learn.Look("site", texts)
	read := maps.Clone(texts)
	maps.Copy(read, o.Clauses)
	shelf := books.Listed(examples.Shipped(), read, listed)
	for _, b := range shelf.List() {
		book, err := shelf.Tested(b.Name)
		if err != nil {
			return nil, err
		}
		for _, lang := range locale.Languages() {
			sheet, err := leaflet.Make(book, leaflet.Options{Lang: lang})
			if err != nil {
				return nil, err
			}
			var text bytes.Buffer
			if err := sheet.HTML(&text); err != nil {
				return nil, err
			}
			out[leaflets+b.Name+"."+lang+".html"] = text.Bytes()
		}
	}
	host := door.NewHost(shelf, 1, func() uint64 { return 0 })
	for _, lang := range locale.Languages() {
		if out["prepared."+lang+".json"], err = json.Marshal(prepared(host, lang)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// prepared has answers of the engine in a language that are the same at every visit, by the request and the rule book.
func prepared(host *door.Host, lang string) map[string]*door.Answer {
	list := host.Do(&door.Request{Do: door.DoList, Lang: lang})
	out := map[string]*door.Answer{door.DoList: list}
	for _, b := range list.Books {
		if a := host.Do(&door.Request{Do: door.DoBook, Rules: b.Name, Lang: lang}); a.Error == nil {
			out[door.DoBook+" "+b.Name] = a
		}
	}
	return out
}

// worker is the service worker with the names of the files that it keeps, and a version that changes with any of them.
func worker(content map[string][]byte) []byte {
	hash := sha256.New()
	play := []string{"./"}
	for _, name := range slices.Sorted(maps.Keys(content)) {
		fmt.Fprintf(hash, "%s %d\n", name, len(content[name]))
		hash.Write(content[name])
		if name != "sw.js" && name != "index.html" && !slices.Contains(later, name) && !strings.HasPrefix(name, leaflets) {
			play = append(play, name)
		}
	}
	list, _ := json.Marshal(play)
	return fmt.Appendf(nil, "const version = '%x'\nconst files = %s\n%s", hash.Sum(nil)[:8], list, content["sw.js"])
}

func packed(data []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = w.Write(data) // a buffer takes all
	_ = w.Close()
	return b.Bytes()
}
