package boards

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// wholeBoard is a board without a mistake; it has ten lines.
const wholeBoard = "board: whole\ncolours: [red]\nzones: [home]\nsquares:\n  ring:\n    for: {i: 1..4}\n    name: string(i)\n" +
	"    draw: {x: i, y: 0}\ntracks:\n  race: [{ring: all}]\n"

// TestWholeFiles says how files that are odd as a whole are treated: the first error each has, as LINE:COLUMN CODE.
func TestWholeFiles(t *testing.T) {
	const deep, big = 100_000, 10_000_000
	stairs := func(n int) string {
		var b strings.Builder
		for i := 1; i <= n; i++ {
			b.WriteString(strings.Repeat(" ", i) + "a:\n")
		}
		return b.String()
	}
	for name, test := range map[string]struct{ text, want string }{
		// nested 100,000 deep
		"lists":        {wholeBoard + "title: " + strings.Repeat("[", deep) + strings.Repeat("]", deep) + "\n", "11:10011 bad-yaml"},
		"maps":         {wholeBoard + "title: " + strings.Repeat("{a: ", deep) + strings.Repeat("}", deep) + "\n", "11:40010 bad-yaml"},
		"never closed": {"board: " + strings.Repeat("[", deep), "1:10011 bad-yaml"},
		"dashes":       {"board:\n" + strings.Repeat("- ", deep) + "\n", "2:20003 bad-yaml"},
		"keys":         {"board:\n" + strings.Repeat("? ", deep) + "\n", "2:20003 bad-yaml"},
		"stairs":       {"board:\n" + stairs(1400), "100:100 too-deep"},
		"brackets":     {strings.Replace(wholeBoard, "(i)", strings.Repeat("(", deep)+"i"+strings.Repeat(")", deep), 1), "7:11 too-large"},
		// 10 MB
		"big comment":       {wholeBoard + "# " + strings.Repeat("x", big), "1:1 too-large"},
		"big comments":      {wholeBoard + strings.Repeat("# x\n", big/4), "1:1 too-large"},
		"big text":          {wholeBoard + "title: " + strings.Repeat("x", big) + "\n", "1:1 too-large"},
		"big lists":         {"board: " + strings.Repeat("[", big), "1:1 too-large"},
		"big zeros":         {strings.Repeat("\x00", big), "1:1 too-large"},
		"big with a mark":   {"\uFEFF" + wholeBoard + strings.Repeat("\n", big), "1:1 too-large"},
		"as large as it is": {wholeBoard + strings.Repeat("\n", 1<<20-len(wholeBoard)), ""},
		"larger by one":     {wholeBoard + strings.Repeat("\n", 1<<20-len(wholeBoard)+1), "1:1 too-large"},
		"many keys":         {wholeBoard + "a: {" + strings.Repeat("b, ", 300_000) + "}\n", "11:149954 too-large"},
		// control characters and other codings
		"NUL in a text":    {wholeBoard + "title: \"a\x00b\"\n", "11:10 bad-yaml"},
		"NUL in a comment": {wholeBoard + "# a\x00b\n", "11:4 bad-yaml"},
		"a byte":           {wholeBoard + "title: \"a\uFFFDb\xff\"\n", "11:12 bad-character"},
		"UTF-16":           {"\xff\xfeb\x00o\x00\n\x00", "1:1 bad-character"},
		// line ends and marks
		"CR LF":              {strings.ReplaceAll(wholeBoard, "\n", "\r\n"), ""},
		"CR":                 {strings.ReplaceAll(wholeBoard, "\n", "\r"), ""},
		"CR LF, a mistake":   {strings.ReplaceAll(wholeBoard+"titel: x\n", "\n", "\r\n"), "11:1 unknown-key"},
		"a mark":             {"\uFEFF" + wholeBoard, ""},
		"a mark and CR LF":   {"\uFEFF" + strings.ReplaceAll(wholeBoard, "\n", "\r\n"), ""},
		"a mark, a mistake":  {"\uFEFFbord: x\n", "1:1 missing-key"},
		"two marks":          {"\uFEFF\uFEFF" + wholeBoard, "1:1 bad-character"},
		"a mark and no more": {"\uFEFF", "1:1 empty-file"},
		"nothing":            {"", "1:1 empty-file"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()
			_, l := Read(source.New("whole.yaml", test.text), nil, nil)
			_ = l.Text(diag.Style{})
			took := time.Since(begin)
			runtime.ReadMemStats(&after)
			got := ""
			for _, d := range l {
				if d.Severity == diag.Error {
					p := d.Span.Position()
					got = fmt.Sprintf("%d:%d %s", p.Line, p.Column, d.Code)
					break
				}
			}
			if got != test.want {
				t.Errorf("got %q, want %q\n%.2000s", got, test.want, l.Error())
			}
			if took > time.Minute {
				t.Errorf("took %v", took)
			}
			if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 800 {
				t.Errorf("allocated %d MiB", got)
			}
		})
	}
}
