package dsl

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/source"
)

// wholeHead is a rule book without a mistake; it has six lines.
const wholeHead = "ruleset whole \"Whole\"\nboard cross68\nplayers 2\npieces 4 at home\ndice die = d6\nturn { throw die; play die }\n"

// TestWholeFiles says how files that are odd as a whole are treated: the errors each has, in order, as LINE:COLUMN CODE.
func TestWholeFiles(t *testing.T) {
	const deep, big = 100_000, 10_000_000
	nested := func(open, end string) string { return strings.Repeat(open, deep) + "1" + strings.Repeat(end, deep) }
	alone := func(place string) []string { return []string{place} }
	for name, test := range map[string]struct {
		text string
		want []string
	}{
		// nested 100,000 deep
		"brackets":     {wholeHead + "let a = " + nested("(", ")") + "\n", alone("7:9 too-large")},
		"lists":        {wholeHead + "let a = " + nested("[", "]") + "\n", alone("7:9 too-large")},
		"signs":        {wholeHead + "let a = " + nested("!", "") + "\n", alone("7:9 too-large")},
		"braces":       {wholeHead + "setup " + strings.Repeat("{", deep) + strings.Repeat("}", deep) + "\n", alone("7:47 too-deep")},
		"many lines":   {wholeHead + "let a =\n" + nested("(\n", ")\n"), alone("1:1 too-large")},
		"many blocks":  {wholeHead + "setup {\n" + strings.Repeat("if true {\n", 20_000) + strings.Repeat("}\n", 20_000) + "}\n", alone("47:9 too-deep")},
		"never closed": {wholeHead + "let a = " + strings.Repeat("(", deep), alone("7:9 too-large")},
		// 10 MB
		"big comment":       {wholeHead + "// " + strings.Repeat("x", big), alone("1:1 too-large")},
		"big lines":         {wholeHead + strings.Repeat("let a = 1\n", big/10), alone("1:1 too-large")},
		"big line ends":     {wholeHead + strings.Repeat("\n", big), alone("1:1 too-large")},
		"big with a mark":   {"\uFEFF" + wholeHead + strings.Repeat("\n", big), alone("1:1 too-large")},
		"big zeros":         {strings.Repeat("\x00", big), alone("1:1 too-large")},
		"big brackets":      {wholeHead + "let a = " + strings.Repeat("(", big), alone("1:1 too-large")},
		"as large as it is": {wholeHead + strings.Repeat("\n", 1<<18-len(wholeHead)), nil},
		"larger by one":     {wholeHead + strings.Repeat("\n", 1<<18-len(wholeHead)+1), alone("1:1 too-large")},
		// NUL bytes
		"NUL in a comment": {wholeHead + "// a\x00b\n", alone("7:5 bad-character")},
		"NUL in a text":    {wholeHead + "option a = 3 \"x\x00y\"\n", alone("7:16 bad-character")},
		"NUL in a name":    {wholeHead + "let a\x00b = 1\n", alone("7:6 bad-character")},
		"NUL at the end":   {wholeHead + "\x00", alone("7:1 bad-character")},
		// not UTF-8
		"a byte in a comment":     {wholeHead + "// a\xffb\n", alone("7:5 bad-character")},
		"a byte in a text":        {wholeHead + "option a = 3 \"x\xffy\"\n", alone("7:16 bad-character")},
		"a byte in an expression": {wholeHead + "let a = 1 + \xff\n", alone("7:13 bad-character")},
		"a byte before one":       {wholeHead + "let a = \xff + 1\n", alone("7:9 bad-character")},
		"a byte in a name":        {wholeHead + "let a\xffb = 1\n", alone("7:6 bad-character")},
		"Latin-1":                 {"ruleset whole \"Parch\xeds\"\n" + wholeHead[strings.Index(wholeHead, "board"):], alone("1:21 bad-character")},
		"a cut character":         {wholeHead + "// \xe2\x82", alone("7:4 bad-character")},
		"UTF-16":                  {"\xff\xfer\x00u\x00l\x00e\x00s\x00e\x00t\x00\n\x00", alone("1:1 bad-character")},
		"the other UTF-16":        {"\xfe\xff\x00r\x00u\x00l\x00e\x00s\x00e\x00t\x00\n", alone("1:1 bad-character")},
		// line ends
		"CR LF":            {strings.ReplaceAll(wholeHead, "\n", "\r\n"), nil},
		"CR CR LF":         {strings.ReplaceAll(wholeHead, "\n", "\r\r\n"), nil},
		"both":             {strings.Replace(wholeHead, "\n", "\r\n", 3), nil},
		"CR":               {strings.ReplaceAll(wholeHead, "\n", "\r"), alone("1:1 bad-character")},
		"CR in a line":     {wholeHead + "option a =\r 3\n", alone("7:11 bad-character")},
		"CR in a comment":  {wholeHead + "// a\rb\n", alone("7:5 bad-character")},
		"CR LF, a mistake": {strings.ReplaceAll(wholeHead+"set a 3\n", "\n", "\r\n"), alone("7:7 syntax")},
		"CR at the end":    {wholeHead + "option a = 3\r", nil},
		// byte order marks
		"a mark":             {"\uFEFF" + wholeHead, nil},
		"a mark and CR LF":   {"\uFEFF" + strings.ReplaceAll(wholeHead, "\n", "\r\n"), nil},
		"a mark, a mistake":  {"\uFEFFrulset x \"X\"\n", []string{"1:1 unknown-declaration"}},
		"two marks":          {"\uFEFF\uFEFF" + wholeHead, alone("1:1 bad-character")},
		"a mark inside":      {wholeHead + "let a\uFEFF = 1\n", alone("7:6 bad-character")},
		"a mark and no more": {"\uFEFF", alone("1:1 no-header")},
		"nothing":            {"", alone("1:1 no-header")},
	} {
		t.Run(name, func(t *testing.T) {
			file := source.New("whole.rules", test.text)
			var l diag.List
			within(t, func() {
				l = findings("whole.rules", test.text, nil)
				_ = l.Text(diag.Style{})
				if _, faults := Format(file); test.want == nil && faults.HasErrors() {
					t.Error(faults)
				}
			})
			var got []string
			for _, d := range l {
				if d.Severity == diag.Error {
					p := d.Span.Position()
					got = append(got, fmt.Sprintf("%d:%d %s", p.Line, p.Column, d.Code))
				}
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v\n%.2000s", got, test.want, l.Error())
			}
		})
	}
}

// within does something and makes sure that it is soon over and needs little memory.
func within(t *testing.T, do func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	begin := time.Now()
	do()
	took := time.Since(begin)
	runtime.ReadMemStats(&after)
	if took > time.Minute {
		t.Errorf("took %v", took)
	}
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 800 {
		t.Errorf("allocated %d MiB", got)
	}
}

// TestWholeClauses does the same for lists of clauses.
func TestWholeClauses(t *testing.T) {
	for name, test := range map[string]struct {
		text, want string
		clauses    int
	}{
		"big":           {strings.Repeat("A-1 One.\n", 1_200_000), "1:1 too-large", 0},
		"one long":      {"A-1 One.\n" + strings.Repeat("  x\n", 260_000), "", 1},
		"NUL":           {"A-1 One.\n  a\x00b\n", "2:4 bad-character", 1},
		"a byte":        {"A-1 One.\n  a\xff\n", "2:4 bad-character", 1},
		"CR":            {"A-1 One.\rA-2 Two.\r", "1:9 bad-character", 0},
		"CR LF, a mark": {"\uFEFFA-1 One.\r\n  more\r\n", "", 1},
		"many faults":   {strings.Repeat("A-1 One.\n", 100_000), "2:1 declared-twice", 101},
	} {
		t.Run(name, func(t *testing.T) {
			var out []Clause
			var l diag.List
			within(t, func() { out, l = ReadClauses(source.New("x.clauses", test.text)) })
			got := ""
			if len(l) > 0 {
				p := l[0].Span.Position()
				got = fmt.Sprintf("%d:%d %s", p.Line, p.Column, l[0].Code)
			}
			if got != test.want || len(out) != test.clauses || len(l) > 101 {
				t.Errorf("%d clauses, %d faults, the first %q; want %d and %q", len(out), len(l), got, test.clauses, test.want)
			}
		})
	}
}
