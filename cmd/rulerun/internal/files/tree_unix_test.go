//go:build unix

package files

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLinks: links lead to files of the same kind in the tree, or are refused.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"repo/.git/config": "secret", "repo/.git/a.rules": "secret", "repo/a.rules": "fine", "repo/sub/b.rules": "fine", "repo/c.json": "secret",
		"other/.git/config": "secret", "other/a.rules": "secret", "plain/a.rules": "fine",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	link("../a.rules", "repo/sub/in.rules")
	link("sub", "repo/folder")
	link("in.rules", "repo/sub/chain.rules")
	link("../../other/a.rules", "repo/sub/out.rules")
	link("out.rules", "repo/sub/chained.rules")
	link(filepath.Join(dir, "repo/a.rules"), "repo/sub/whole.rules")
	link("../.git/config", "repo/sub/config.rules")
	link("../.git/a.rules", "repo/sub/hidden.rules")
	link("../c.json", "repo/sub/kind.rules")
	link("../other", "repo/away")
	link("/dev/zero", "repo/sub/zero.rules")
	link("/proc/self/environ", "repo/sub/environ.rules")
	link("../../nowhere/a.rules", "repo/sub/gone.rules")
	link("../repo/a.rules", "plain/up.rules")
	fine := func(name string) {
		t.Helper()
		if data, err := Read(name, Limit(name)); err != nil || string(data) != "fine" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	t.Chdir(filepath.Join(dir, "repo", "sub"))
	fine("in.rules")
	fine("chain.rules")
	fine("../a.rules")
	fine("../folder/b.rules")
	fine(filepath.Join(dir, "plain", "a.rules"))
	for _, name := range []string{
		"out.rules", "chained.rules", "whole.rules", "config.rules", "hidden.rules", "kind.rules", "zero.rules", "environ.rules", "gone.rules",
	} {
		refused(t, name, "a link to where no file is read")
		refused(t, filepath.Join(dir, "repo", "sub", name), "a link to where no file is read")
		if _, err := Folder(".").ReadFile(name); err == nil {
			t.Errorf("%s is read from its folder", name)
		}
		if f, err := Folder(".").Open(name); err == nil {
			f.Close()
			t.Errorf("%s is opened in its folder", name)
		}
	}
	t.Chdir(filepath.Join(dir, "repo"))
	refused(t, "away/a.rules", "a link to where no file is read") // a repository of its own, but through a link
	if list, err := Folder("away").ReadDir("."); err == nil {
		t.Errorf("the folder a link leads to is listed: %v", list)
	}
	refused(t, "../plain/up.rules", "a link to where no file is read")
	t.Chdir(dir)
	fine("plain/up.rules") // below the working folder, and in no repository
	t.Chdir("/")
	refused(t, filepath.Join(dir, "plain/up.rules"), "a link to where no file is read")
	if list, err := Folder("/usr").ReadDir("."); err != nil || len(list) == 0 { // the tree of a folder at the top is the whole machine
		t.Errorf("the folder /usr has %d names, %v", len(list), err)
	}
	if !SameTree(filepath.Join(dir, "repo/a.rules"), filepath.Join(dir, "repo/sub/b.rules")) {
		t.Error("two files of a repository are not in one tree")
	}
	if SameTree(filepath.Join(dir, "other/a.rules"), filepath.Join(dir, "repo/sub/b.rules")) {
		t.Error("files of two repositories are in one tree")
	}
}
