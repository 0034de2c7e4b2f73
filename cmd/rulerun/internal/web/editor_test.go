package web_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files: the bundle of the editor, which takes npm")

// sources are what the bundle of the editor is made from.
var sources = []string{"editor.js", "go.mod", "go.sum", "package-lock.json", "package.json"}

// TestEditor: the bundle of the editor is the one that its sources make. Without npm only its mark is compared, which says from
// which sources it was made.
func TestEditor(t *testing.T) {
	hash := sha256.New()
	for _, name := range sources {
		data, err := os.ReadFile(filepath.Join("editor", name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
	}
	mark := fmt.Sprintf("/* Made from the folder editor, %x; licences.txt has the licences. */\n", hash.Sum(nil)[:16])
	required := os.Getenv("RULERUN_BROWSER") != ""
	if _, err := exec.LookPath("npm"); err != nil || !required && !*update {
		if required {
			t.Fatal("npm is not installed")
		}
		if got, _ := os.ReadFile("page/editor.js"); !bytes.HasPrefix(got, []byte(mark)) {
			t.Error("page/editor.js is out of date: run this test with -update, which takes npm")
		}
		t.Log("the bundle is not made again: that takes npm, and RULERUN_BROWSER in the environment")
		return
	}
	dir := t.TempDir()
	for _, name := range sources {
		data, err := os.ReadFile(filepath.Join("editor", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, dir, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	run(t, dir, "go", "tool", "esbuild", "editor.js", "--bundle", "--format=esm", "--minify", "--target=es2022", "--legal-comments=none",
		"--log-level=warning", "--metafile=meta.json", "--outfile=out.js")
	bundle, err := os.ReadFile(filepath.Join(dir, "out.js"))
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "page/editor.js", append([]byte(mark), bundle...))
	golden(t, "page/licences.txt", licences(t, dir))
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, args[0], err, out)
	}
}

func golden(t *testing.T, path string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is out of date: run this test with -update (%v)", path, err)
	}
}

// licences are the licences of the packages that are in the bundle.
func licences(t *testing.T, dir string) []byte {
	t.Helper()
	var meta struct {
		Outputs map[string]struct {
			Inputs map[string]struct{ BytesInOutput int }
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "meta.json"))
	if err == nil {
		err = json.Unmarshal(data, &meta)
	}
	if err != nil {
		t.Fatal(err)
	}
	var packages []string
	for _, out := range meta.Outputs {
		for path, in := range out.Inputs {
			_, inside, ok := strings.Cut(path, "node_modules/")
			if !ok || in.BytesInOutput == 0 {
				continue
			}
			parts := strings.Split(inside, "/")
			name := parts[0]
			if strings.HasPrefix(name, "@") {
				name += "/" + parts[1]
			}
			if !slices.Contains(packages, name) {
				packages = append(packages, name)
			}
		}
	}
	slices.Sort(packages)
	var b bytes.Buffer
	b.WriteString("The editor of this page (editor.js) contains these packages.\n")
	for _, name := range packages {
		folder := filepath.Join(dir, "node_modules", filepath.FromSlash(name))
		var about struct{ Version, License string }
		data, err := os.ReadFile(filepath.Join(folder, "package.json"))
		if err == nil {
			err = json.Unmarshal(data, &about)
		}
		if err != nil {
			t.Fatal(err)
		}
		found, err := filepath.Glob(filepath.Join(folder, "LICEN[CS]E*"))
		if about.License != "MIT" || err != nil || len(found) == 0 {
			t.Fatalf("%s: licence %q, files %v", name, about.License, found)
		}
		text, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "\n== %s %s (%s)\n\n%s\n", name, about.Version, about.License, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return b.Bytes()
}
