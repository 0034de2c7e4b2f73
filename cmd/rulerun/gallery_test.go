package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	galleryPicture = regexp.MustCompile(`!\[[^\]]+\]\((gallery/[^)]+\.svg)\)`)
	galleryCommand = regexp.MustCompile("```\ngo run ./cmd/rulerun (compare [^\n]+)\n```")
	galleryTitle   = regexp.MustCompile(`(?m)^### (.+)$`)
)

// gallery is the section of the house rules' README that gallery.sh makes.
func gallery(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "<!-- gallery: made by gallery.sh -->\n")
	section, _, ok2 := strings.Cut(rest, "<!-- end of the gallery -->\n")
	if !ok || !ok2 {
		t.Fatalf("%s has no gallery", path)
	}
	return section
}

// found is the first group of every match.
func found(re *regexp.Regexp, text string) []string {
	var out []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// TestGalleryShowsWhatIs holds the gallery to the files there are: each exhibit has a title, a verdict, a picture that is
// there and a command that rulerun understands, and no picture is left over. Its numbers take minutes; gallery.sh makes
// them.
func TestGalleryShowsWhatIs(t *testing.T) {
	house := filepath.Join(top, "examples", "house")
	section := gallery(t, filepath.Join(house, "README.md"))
	pictures, commands, titles := found(galleryPicture, section), found(galleryCommand, section), found(galleryTitle, section)
	if len(titles) < 10 || len(pictures) != len(titles) || len(commands) != len(titles) {
		t.Fatalf("%d titles, %d pictures, %d commands", len(titles), len(pictures), len(commands))
	}
	if n := strings.Count(section, ".**\n"); n != len(titles) {
		t.Errorf("%d verdicts for %d exhibits", n, len(titles))
	}
	there, err := filepath.Glob(filepath.Join(house, "gallery", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range there {
		name, err := filepath.Rel(house, path)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(pictures, filepath.ToSlash(name)) {
			t.Errorf("%s is in no exhibit", name)
		}
	}
	if !slices.ContainsFunc(commands, func(c string) bool {
		return strings.HasPrefix(c, "compare parchis parchis --set barriers_only_on_safe=true ")
	}) {
		t.Error("the barriers are missing")
	}
	built, err := builtOnce()
	if err != nil {
		t.Fatal(err)
	}
	few := regexp.MustCompile(`--games \d+`)
	for i, command := range commands {
		picture, err := os.ReadFile(filepath.Join(house, pictures[i]))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(picture), ">rulerun "+command+"<") {
			t.Errorf("%s is not the picture of %q", pictures[i], command)
		}
		if len(picture) > 64<<10 {
			t.Errorf("%s has %d bytes", pictures[i], len(picture))
		}
		cmd := exec.Command(filepath.Join(built, "rulerun"), strings.Fields(few.ReplaceAllString(command, "--games 1"))...)
		cmd.Dir = top
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", command, err, out)
		}
	}
}

// TestGalleryIsMade makes the gallery with few games and wants the same exhibits.
func TestGalleryIsMade(t *testing.T) {
	if testing.Short() {
		t.Skip("plays games")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	built, err := builtOnce()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	script := filepath.Join(top, "examples", "house", "gallery.sh")
	if out, err := exec.Command("bash", script, "--games", "8", "--to", dir, "--rulerun", filepath.Join(built, "rulerun")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := gallery(t, filepath.Join(top, "examples", "house", "README.md"))
	got := gallery(t, filepath.Join(dir, "README.md"))
	for _, re := range []*regexp.Regexp{galleryTitle, galleryPicture} {
		if a, b := found(re, got), found(re, want); !slices.Equal(a, b) {
			t.Errorf("it makes %q, the README has %q", a, b)
		}
	}
	for _, name := range found(galleryPicture, got) {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}
