package boards

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
)

// MaxBytes is the largest board file that is read.
const MaxBytes = 1 << 20

// Limits on what a board file may hold; beyond them it is refused.
const (
	maxDepth      = 100
	maxItems      = 100000
	maxSquares    = 1000
	maxNodes      = 4096
	maxIterations = 100000
	maxNames      = 100 // colours, zones, parameters, tracks …
)

type nodeKind uint8

const (
	scalarNode nodeKind = iota
	mappingNode
	listNode
)

var nodeKindNames = [...]string{scalarNode: "a single value", mappingNode: "a map", listNode: "a list"}

// node is one node of a board file: YAML without its library, with places in bytes.
type node struct {
	kind    nodeKind
	text    string // of a scalar, decoded
	span    source.Span
	inner   source.Span // of a scalar: the text without its quotes
	exact   bool        // inner covers text byte for byte
	null    bool        // nothing is written here
	entries []entry
	items   []*node
}

type entry struct {
	key   *node
	value *node
}

// get is the value of a mapping's key, or nil.
func (n *node) get(key string) *node {
	return seq.First(n.list(), func(e entry) bool { return e.key.text == key }).value
}

func (n *node) same(m *node) bool {
	return n.kind == m.kind && n.text == m.text && n.null == m.null && slices.EqualFunc(n.items, m.items, (*node).same) &&
		slices.EqualFunc(n.entries, m.entries, func(a, b entry) bool { return a.key.same(b.key) && a.value.same(b.value) })
}

// endsAs reports whether a list has more than another one that is not empty, and ends with that.
func (n *node) endsAs(m *node) bool {
	more := len(n.items) - len(m.items)
	return len(m.items) > 0 && more > 0 && slices.EqualFunc(n.items[more:], m.items, (*node).same)
}

// mark is the byte order mark, which may begin a file.
const mark = "\uFEFF"

// document reads the file's YAML. The result is nil after a fault.
func document(file *source.File, diags *diag.List) *node {
	text := file.Text()
	start := file.Span(0, 0)
	switch why := file.Unreadable(); {
	case why != nil:
		diags.Errorf(why.Code, start, "%s", why.Message).WithHint("%s", why.Hint)
		return nil
	case len(text) > MaxBytes:
		diags.Errorf("too-large", start, "this board is %d bytes long, the limit is %d", len(text), MaxBytes)
		return nil
	case strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff"):
		diags.Errorf("bad-character", start, "this file is written as UTF-16").WithHint("save the file as UTF-8")
		return nil
	case !utf8.ValidString(text):
		at := 0
		for i, r := range text {
			if r == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)) {
				at = i
				break
			}
		}
		diags.Errorf("bad-character", file.Span(at, at+1), "this file is not valid UTF-8 from here on").WithHint("save the file as UTF-8")
		return nil
	case strings.HasPrefix(text, mark+mark):
		diags.Errorf("bad-character", file.Span(len(mark), 2*len(mark)), "there is a second byte order mark").WithHint("take it out")
		return nil
	}
	d := &documentReader{file: file, diags: diags, lines: yamlLines(text)}
	decoder := yaml.NewDecoder(strings.NewReader(text))
	var root, second yaml.Node
	if err := decoder.Decode(&root); errors.Is(err, io.EOF) {
		diags.Errorf("empty-file", start, "this file holds no board").WithHint("begin it with \"board: NAME\"")
		return nil
	} else if err != nil {
		d.syntax(err)
		return nil
	}
	if err := decoder.Decode(&second); err == nil {
		at := d.offset(second.Line, second.Column)
		diags.Errorf("two-boards", file.Span(at, at+3), "a second document begins here").WithHint("a file holds one board")
		return nil
	} else if !errors.Is(err, io.EOF) {
		d.syntax(err)
		return nil
	}
	n := d.node(root.Content[0], 1)
	if d.failed {
		return nil
	}
	return n
}

type documentReader struct {
	file   *source.File
	diags  *diag.List
	lines  []int // offset of each line as YAML counts lines
	last   struct{ line, column, at int }
	count  int
	failed bool
}

// yamlLines lists where lines begin. YAML knows more line ends than source.File does.
func yamlLines(text string) []int {
	lines := []int{len(text) - len(strings.TrimPrefix(text, mark))}
	for i, r := range text {
		switch r {
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				continue
			}
			lines = append(lines, i+1)
		case '\n', '\u0085', '\u2028', '\u2029':
			lines = append(lines, i+utf8.RuneLen(r))
		}
	}
	return lines
}

// offset converts YAML's line and column: from 1, columns in characters. It continues from
// the previous offset, so that a long line does not take quadratic time.
func (d *documentReader) offset(line, column int) int {
	if line < 1 || line > len(d.lines) {
		return len(d.file.Text())
	}
	text := d.file.Text()
	at, from := d.lines[line-1], 1
	if d.last.line == line && d.last.column <= column {
		at, from = d.last.at, d.last.column
	}
	for ; from < column && at < len(text); from++ {
		_, width := utf8.DecodeRuneInString(text[at:])
		at += width
	}
	d.last.line, d.last.column, d.last.at = line, column, at
	return at
}

func (d *documentReader) refuse(code string, at int, format string, args ...any) diag.Ref {
	d.failed = true
	return d.diags.Errorf(code, d.file.Span(at, at+1), format, args...)
}

func (d *documentReader) node(y *yaml.Node, depth int) *node {
	at := d.offset(y.Line, y.Column)
	n := &node{span: d.file.Span(at, at+1)}
	n.inner = n.span
	d.count++
	switch {
	case d.failed:
		return n
	case depth > maxDepth:
		d.refuse("too-deep", at, "lists and maps nest more than %d deep", maxDepth)
		return n
	case d.count > maxItems:
		d.refuse("too-large", at, "this file holds more than %d values", maxItems)
		return n
	case y.Kind == yaml.AliasNode, y.Anchor != "":
		d.refuse("not-in-format", at, "anchors and aliases (\"&\" and \"*\") do not belong to the board format").
			WithHint("name the value under \"let\" and use the name; a text that begins with them needs quotes")
		return n
	case y.Style&yaml.TaggedStyle != 0:
		d.refuse("not-in-format", at, "YAML tags (\"!\") do not belong to the board format").
			WithHint("an expression that begins with \"!\" needs quotes")
		return n
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.kind = mappingNode
		for i := 0; i+1 < len(y.Content) && !d.failed; i += 2 {
			e := entry{key: d.node(y.Content[i], depth+1), value: d.value(y.Content[i+1], depth+1)}
			if k := len(n.entries) - 1; k >= 0 && e.value.null && d.rejoin(n.entries[k].value, e.key) {
				n.span = n.span.To(e.key.span)
				continue
			}
			n.entries = append(n.entries, e)
			n.span = n.span.To(e.key.span).To(e.value.span)
		}
	case yaml.SequenceNode:
		n.kind = listNode
		for _, c := range y.Content {
			item := d.value(c, depth+1)
			if k := len(n.items) - 1; k >= 0 && d.rejoin(n.items[k], item) {
				n.span = n.span.To(item.span)
				continue
			}
			n.items = append(n.items, item)
			n.span = n.span.To(item.span)
		}
	default:
		d.scalar(n, y, at)
	}
	return n
}

// rejoin joins a value that YAML has split at a comma inside brackets, as in {x: min(a, b)}, and adds a fault about the missing
// quotes. It reports false if the parts do not belong together.
func (d *documentReader) rejoin(first, rest *node) bool {
	open := func(s string) int { return strings.Count(s, "(") - strings.Count(s, ")") }
	if first.kind != scalarNode || rest.kind != scalarNode || !first.exact || first.span != first.inner || open(first.text) <= 0 || open(rest.text) >= 0 {
		return false
	}
	whole := first.span.To(rest.span)
	d.diags.Errorf("bad-yaml", whole, "a value with a comma in it needs quotes here").WithHint("write \"%s\"", shorten(whole.Text())).
		WithFix(whole, `"`+whole.Text()+`"`, "put quotes round it")
	first.text, first.span, first.inner = whole.Text(), whole, whole
	return true
}

// value reads a node that is not a key; null and ~ mean no value.
func (d *documentReader) value(y *yaml.Node, depth int) *node {
	n := d.node(y, depth)
	if n.kind == scalarNode && !n.null && y.ShortTag() == "!!null" {
		n.null, n.text = true, ""
	}
	return n
}

// scalar finds the bytes of the file that are a scalar's text. Where the text is not in the file byte for byte (escapes, folded
// lines, block texts), it uses the span of the whole scalar.
func (d *documentReader) scalar(n *node, y *yaml.Node, at int) {
	text := d.file.Text()
	n.text = y.Value
	if strings.ContainsFunc(y.Value, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		d.refuse("bad-character", at, "this text has a control character in it").WithHint("take out the escape that writes it")
	}
	n.null = y.Value == "" && y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
	if n.null {
		n.span = d.file.Span(at, at)
		n.inner = n.span
		n.exact = true
		return
	}
	quote := 0
	if y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		quote = 1
	}
	if from, to := at+quote, at+quote+len(y.Value); to+quote <= len(text) && text[from:to] == y.Value &&
		(quote == 0 || text[to] == text[at]) {
		n.exact = true
		n.span, n.inner = d.file.Span(at, to+quote), d.file.Span(from, to)
		return
	}
	end := strings.IndexByte(text[at:], '\n')
	if quote == 1 {
		end = closing(text[at:])
	}
	if end < 0 {
		end = len(text) - at
	}
	n.span = d.file.Span(at, at+end)
	n.inner = n.span
}

// closing is the length of the quoted scalar that text begins with, or -1.
func closing(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return -1
}

// syntax reports an error of the YAML parser. The library gives only a line, often that of the enclosing block, so the file
// is parsed once more to find how far the parser gets.
func (d *documentReader) syntax(err error) {
	text := d.file.Text()
	slow := &slowReader{text: text}
	decoder := yaml.NewDecoder(slow)
	for {
		var y yaml.Node
		if decoder.Decode(&y) != nil {
			break
		}
	}
	at := len(strings.TrimRight(text[:slow.at], " \t\r\n"))
	if at > 0 {
		_, width := utf8.DecodeLastRuneInString(text[:at])
		at -= width
	}
	message, hint := syntaxWords(err.Error())
	span := d.file.Span(at, at+1)
	switch message {
	case openList, openMap:
		// The parser has looked beyond the bracket that it did not expect.
		if bracket := lastBracket(text[:at+1]); bracket >= 0 {
			span = d.file.Span(bracket, bracket+1)
			message, hint = "a value with \"[\" in it needs quotes here", "write \"…\" round the whole value"
		}
	case misfit:
		n := d.file.Position(at).Line
		span = d.line(n)
		for _, line := range []int{n, n - 1} {
			if line < 1 {
				continue
			}
			if m := afterQuote().FindStringSubmatchIndex(d.file.Line(line)); m != nil {
				start := d.file.LineStart(line)
				span = d.file.Span(start+m[2], start+m[3])
				message, hint = "this value goes on after its closing quote", "put single quotes round the whole value"
				break
			}
		}
	case badStart:
		line := d.file.Position(at).Line
		if i := strings.IndexByte(d.file.Line(line), '\t'); i >= 0 && strings.TrimSpace(d.file.Line(line)[:i]) == "" {
			span = d.file.Span(d.file.LineStart(line)+i, d.file.LineStart(line)+i+1)
			message, hint = "a tab cannot indent", "indent with blanks"
		}
	case noColon, openQuote:
		if strings.HasPrefix(strings.TrimSpace(d.file.Line(lineIn(err.Error()))), "//") {
			hint = "remarks begin with #"
		}
		if n := lineIn(err.Error()); n > 0 && (message == noColon || strings.ContainsAny(d.file.Line(n), "\"'")) {
			span = d.line(n)
		}
	}
	d.diags.Errorf("bad-yaml", span, "%s", message).Get().Hint = hint
	d.failed = true
}

// line is the span of a line without leading and trailing blanks.
func (d *documentReader) line(n int) source.Span {
	line := d.file.Line(n)
	start := d.file.LineStart(n) + len(line) - len(strings.TrimLeft(line, " \t"))
	return d.file.Span(start, max(start+1, start+len(strings.TrimSpace(line))))
}

// afterQuote matches a value with text after its closing quote.
var afterQuote = pattern.Of(`^\s*[\w-]+:\s+("[^"]*"\s*[^\s",}\]#][^#]*)`)

// lastBracket finds a "[" that stands within a value without quotes, as in ring[1] or i in [1, 2], in one of the last lines of text.
func lastBracket(text string) int {
	for i, lines := len(text)-1, 0; i > 0 && lines < 3; i-- {
		switch before := strings.TrimRight(text[:i], " "); {
		case text[i] == '\n':
			lines++
		case text[i] == '[' && strings.Count(text[strings.LastIndexByte(text[:i], '\n')+1:i], `"`)%2 == 0 && before != "" && (before[len(before)-1] == ')' || isSquareName(before[len(before)-1:])):
			return i
		}
	}
	return -1
}

// lineIn is the line number in a message of the YAML library, 0 without one.
func lineIn(message string) int {
	_, rest, found := strings.Cut(message, "line ")
	digits, _, _ := strings.Cut(rest, ":")
	n, err := strconv.Atoi(digits)
	if !found || err != nil {
		return 0
	}
	return n
}

// slowReader reads one byte at a time and counts how many the parser has read.
type slowReader struct {
	text string
	at   int
}

func (s *slowReader) Read(p []byte) (int, error) {
	if s.at >= len(s.text) || len(p) == 0 {
		return 0, io.EOF
	}
	p[0] = s.text[s.at]
	s.at++
	return 1, nil
}

// Messages of syntaxWords for faults whose span needs a closer search.
const (
	openList  = "a list is not closed before here"
	openMap   = "a map is not closed before here"
	openQuote = "a quote is not closed"
	noColon   = "a \":\" is missing here"
	misfit    = "this line does not fit those above it"
	badStart  = "this character cannot stand here"
)

// syntaxWords translates an error of the YAML parser into a message and a hint.
func syntaxWords(message string) (words, hint string) {
	found := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(message, p) })
	}
	switch {
	case found("tab character", "cannot start any token"):
		return badStart, "indent with spaces, not tabs; a text that begins with % @ or ` needs quotes"
	case found("mapping values are not allowed", "mapping keys are not allowed"):
		return "did not expect a second \":\" here", "a text with \": \" in it, or an expression such as a ? b : c, needs quotes"
	case found("expected ',' or ']'"):
		return openList, "a list reads [a, b, c]; a text with brackets or commas in it needs quotes"
	case found("expected ',' or '}'"):
		return openMap, "a map reads {a: 1, b: 2}; a text with brackets, commas or \": \" in it needs quotes"
	case found("unexpected end of stream", "unexpected document indicator"):
		return openQuote, ""
	case found("expected ':'"):
		return noColon, "a key reads \"name: value\""
	case found("expected key", "'-' indicator", "sequence entries are not allowed"):
		return misfit, "lines of one map or list begin in the same column"
	case found("expected node content"):
		return "a value is missing before here", ""
	case found("tag", "whitespace or line break"):
		return "YAML tags (\"!\") do not belong to the board format", "an expression that begins with \"!\" needs quotes"
	case found("unknown escape", "escape code"):
		return "this escape is not known", "in double quotes write \\\\ for a backslash"
	case found("unknown anchor", "anchor", "alias"):
		return "anchors and aliases (\"&\" and \"*\") do not belong to the board format", "a text that begins with them needs quotes"
	case found("control characters", "UTF-8", "Unicode"):
		return "this character is not allowed in a text file", ""
	case found("max depth"):
		return "lists and maps nest too deep", ""
	}
	return "this is not YAML any more", "quote texts that hold one of : # [ ] { } , & * ! | > % @"
}
