package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

var (
	newest  = regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+)\]`)
	version = regexp.MustCompile(`\bv\d+\.\d+\.\d+\b`)
)

// latest is the newest version that the list of changes has.
func latest() (string, error) {
	text, err := os.ReadFile(filepath.Join(top, "CHANGELOG.md"))
	if err != nil {
		return "", err
	}
	m := newest.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("CHANGELOG.md has no version")
	}
	return string(m[1]), nil
}

// linkerFlags are the flags a release of the latest version is linked with.
func linkerFlags() (string, error) {
	text, err := os.ReadFile(filepath.Join(top, ".goreleaser.yaml"))
	if err != nil {
		return "", err
	}
	var config struct {
		Builds []struct {
			Flags []string `yaml:"ldflags"`
		} `yaml:"builds"`
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		return "", err
	}
	if len(config.Builds) != 1 || len(config.Builds[0].Flags) != 1 {
		return "", fmt.Errorf(".goreleaser.yaml: want one build with one list of linker flags")
	}
	v, err := latest()
	return strings.ReplaceAll(config.Builds[0].Flags[0], "{{ .Version }}", v), err
}

// TestVersions checks that a release knows its version, and that the examples name the latest one.
func TestVersions(t *testing.T) {
	w := newWorld(t)
	v, err := latest()
	if err != nil {
		t.Fatal(err)
	}
	if got := w.run(t, 0, "rulerun version"); got != "rulerun v"+v+"\n" {
		t.Errorf("a release of v%s says %q", v, got)
	}
	found := 0
	for _, folder := range []string{"examples/ci", "examples/scale"} {
		err := filepath.WalkDir(filepath.Join(top, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			for _, named := range version.FindAllString(string(text), -1) {
				found++
				if named != "v"+v {
					t.Errorf("%s names %s, the latest version is v%s", path, named, v)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 9 {
		t.Errorf("the examples name a version %d times", found)
	}
}
