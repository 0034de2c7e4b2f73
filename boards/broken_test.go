package boards

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with a file, or writes it.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	same(t, path, got, string(want))
}

// openBroken finds boards among the broken ones first.
func openBroken(name string) (*source.File, bool) {
	if text, err := os.ReadFile(filepath.Join("testdata", "broken", name+".yaml")); err == nil {
		return source.New(name+".yaml", string(text)), true
	}
	return Shipped(name)
}

// TestBroken reads boards with faults and compares everything that is said about them.
func TestBroken(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "broken", "*.yaml"))
	if err != nil || len(paths) < 80 {
		t.Fatal(len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			file, _ := openBroken(name)
			b, diags := Read(file, nil, openBroken)
			if (b == nil) != diags.HasErrors() {
				t.Errorf("board %v with %d errors", b != nil, diags.Count(diag.Error))
			}
			if len(diags) == 0 {
				t.Error("nothing was found")
			}
			golden(t, strings.TrimSuffix(path, ".yaml")+".golden", diags.Text(diag.Style{}))
		})
	}
}

// TestLimits feeds files that would eat time or memory.
func TestLimits(t *testing.T) {
	board := func(middle string) string {
		return "board: big\ncolours: [red]\n" + middle + "\ntracks: {race: [{ring: all}]}\n"
	}
	ring := func(loops, name string) string {
		return board("squares: {ring: {for: {" + loops + "}, name: " + name + ", draw: {x: i, y: 0}}}")
	}
	var lets strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lets, "  a%d: len([1..9999, 1..9999])\n", i)
	}
	var forks strings.Builder
	for range 200 {
		forks.WriteString("{fork: [[], [], [{ring: all}]]}, ")
	}
	var unknown, ways, colours strings.Builder
	for i := range 45000 {
		fmt.Fprintf(&unknown, "  a%d: zz%d\n", i, i)
	}
	for i := range 500 {
		fmt.Fprintf(&ways, "{fork: [['ring[%d]'], []]}, ", i%40+1)
	}
	for i := range 100 {
		fmt.Fprintf(&colours, "k%d, ", i)
	}
	for name, test := range map[string]struct{ text, code string }{
		"bytes":      {board("#" + strings.Repeat("x", MaxBytes)), "too-large"},
		"depth":      {board("squares: " + strings.Repeat("[", 200) + strings.Repeat("]", 200)), "too-deep"},
		"yaml depth": {board("squares: " + strings.Repeat("[", 20000)), "bad-yaml"},
		"values":     {board("squares: [" + strings.Repeat("1,", maxItems+1) + "]"), "too-large"},
		"squares":    {ring("i: 1..2000", "string(i)"), "too-large"},
		"iterations": {ring("i: 1..999, j: 1..999", "string(i), where: false"), "too-large"},
		"range":      {ring("i: 1..999999999", "string(i)"), "too-large"},
		"work":       {board("let:\n" + lets.String() + "squares: {ring: {for: {i: 1..4}, name: string(i), draw: {x: i, y: 0}}}"), "too-large"},
		"lists":      {ring("i: 1..100000", "string(i), where: 'len(["+strings.Repeat("colours == colours, ", 150)+"1]) == 0'"), "too-large"},
		"families": {strings.Replace(ring("i: 1..900", "string(i)"), "squares: {", "squares: {other: {for: {i: 1..100000}, name: string(i), "+
			"draw: {x: 0, y: 0}, where: 'len(["+strings.Repeat("1..90 == 1..90, ", 100)+"1]) == 0'}, ", 1), "too-large"},
		"text": {ring("i: 1..9", "string(i) + '"+strings.Repeat("y", 3000)+"'"), "too-large"},
		"nodes": {strings.Replace(ring("i: 1..1000", "string(i)"), "[{ring: all}]",
			"["+strings.Repeat("{ring: all}, ", 9)+"]", 1), "too-large"},
		"forks": {strings.Replace(ring("i: 1..40", "string(i)"), "[{ring: all}]", "[\"ring[1]\", "+forks.String()+"]", 1), "too-large"},
		"ways":  {strings.Replace(ring("i: 1..40", "string(i)"), "[{ring: all}]", "[\"ring[1]\", "+ways.String()+"]", 1), "too-large"},
		"fork":  {strings.Replace(ring("i: 1..40", "string(i)"), "{ring: all}", "{fork: ["+strings.Repeat("['ring[1]'], ", maxNodes+1)+"]}", 1), "too-large"},
		"tracks": {strings.NewReplacer("[red]", "["+colours.String()+"]", "[{ring: all}]", "["+strings.Repeat("{ring: all}, ", 4)+"], lap: ["+
			strings.Repeat("{ring: all}, ", 4)+"], tour: ["+strings.Repeat("{ring: all}, ", 4)+"], way: ["+strings.Repeat("{ring: all}, ", 4)+"]").
			Replace(ring("i: 1..999", "string(i)")), "too-large"},
		"unknown": {board("let:\n" + unknown.String() + "squares: {ring: {for: {i: 1..4}, name: string(i), draw: {x: i, y: 0}}}"), "unknown-variable"},
		"colours": {"board: big\ncolours: [" + strings.Repeat("x, ", 200) + "]\nsquares: {}\ntracks: {}\n", "too-large"},
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			b, diags := Read(source.New("big.yaml", test.text), nil, nil)
			if b != nil {
				t.Fatal("got a board")
			}
			found := false
			for _, d := range diags {
				found = found || d.Code == test.code
			}
			if !found {
				t.Errorf("want %s, got %.2000s", test.code, diags.Error())
			}
			if took := time.Since(begin); took > time.Minute {
				t.Errorf("took %v", took)
			}
		})
	}
}

// FuzzRead looks for texts that panic, hang or break the promise that a board comes without errors only.
func FuzzRead(f *testing.F) {
	for _, name := range Names() {
		file, _ := Shipped(name)
		f.Add(file.Text())
	}
	for _, pattern := range []string{"testdata/*.yaml", "testdata/broken/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		file := source.New("fuzz.yaml", text)
		b, diags := Read(file, nil, nil)
		if (b == nil) != diags.HasErrors() {
			t.Fatalf("board %v with %d errors", b != nil, diags.Count(diag.Error))
		}
		if _, diags := Parameters(file, nil); b != nil && diags.HasErrors() {
			t.Fatal(diags)
		}
		if b == nil {
			return
		}
		for _, opt := range []TextOptions{{}, {Color: true, Width: 40}} {
			if err := Text(io.Discard, b, crowd(b), opt); err != nil {
				t.Fatal(err)
			}
		}
		if err := SVG(io.Discard, b, crowd(b)); err != nil {
			t.Fatal(err)
		}
		for _, track := range b.Tracks {
			if len(track.Runs) != len(b.Colours) {
				t.Fatalf("%d runs for %d colours", len(track.Runs), len(b.Colours))
			}
			for _, r := range track.Runs {
				for i, n := range r.Nodes {
					for _, to := range n.Next {
						if to < 0 || to >= len(r.Nodes) || n.Place < 0 || n.Place >= len(b.Places) {
							t.Fatalf("node %d leads to %d", i, to)
						}
					}
				}
			}
		}
	})
}
