package check

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// option is an option with its value in the setting.
type option struct {
	entry    *book.Entry
	kind     model.Kind // Number, Flag or Word
	number   int
	word     string
	words    []string // the values a word or flag may have
	gone     []gone   // those it might have had, but for a line of a later file
	numbers  []int    // the values a number may have; nil with low and high
	low      int
	high     int
	fallback string // the default, as written
	set      bool   // the setting has a value for it
}

// gone is a word that an option can no longer be, and the layer that says so.
type gone struct {
	word  string
	layer *book.Layer
}

// readOptions reads every option with its default, the layers' "set" lines and the setting.
func (c *checker) readOptions() bool {
	before := c.diags.HasErrors()
	for _, e := range c.book.Entries {
		if e.Key.Kind != "option" {
			continue
		}
		c.in(e)
		d := e.Decl.Kind.Option
		o := &option{entry: e}
		value := d.Value
		values := d.Values
		for _, s := range c.book.Sets {
			if s.Decl.Set.Name.Text == e.Key.Name {
				if is := literalKind(s.Decl.Set.Value); d.Value != nil && is != literalKind(d.Value) {
					c.errorf("bad-option", s.Decl.Set.Value.Span(s.Decl.File), "option %q is %s, got %s", d.Name.Text,
						model.Of(literalKind(d.Value)).With(), model.Of(is).With()).WithNote(d.Name.Span(e.Decl.File), "declared here")
					continue
				}
				value = s.Decl.Set.Value
				c.file = s.Decl.File
				if s.Decl.Set.Values != nil {
					if o.kind == model.Invalid && values != nil {
						c.readValues(o, d.Value, values, e.Decl.File)
					}
					c.narrow(o, s)
					values = nil
				}
			}
		}
		if value == nil {
			c.errorf("missing-value", c.span(d.At), "option %q has no default", d.Name.Text).WithHint("write: option %s = VALUE", d.Name.Text)
			continue
		}
		if values != nil {
			c.readValues(o, value, values, e.Decl.File)
		}
		if o.kind == model.Invalid {
			o.kind = literalKind(value)
			o.low, o.high = model.MinNumber, model.MaxNumber
		}
		if value.Number != nil {
			if _, fits := value.Number.Value(); !fits {
				o.fallback = "0" // the fault has been reported where it was read
				c.options[d.Name.Text] = o
				continue
			}
		}
		text := literalText(value)
		if fault := o.assign(text); fault != "" {
			c.errorf("bad-option", c.span(value.At), "option %q cannot be %s: it is %s", d.Name.Text, text, fault)
			continue
		}
		o.fallback = text
		c.options[d.Name.Text] = o
	}
	if !before && c.diags.HasErrors() {
		return false
	}
	c.applySetting()
	for _, e := range c.book.Entries {
		if o := c.options[e.Key.Name]; e.Key.Kind == "option" && o != nil {
			c.rules.Options = append(c.rules.Options, model.OptionValue{
				Name: e.Key.Name, Value: o.text(), Default: o.text() == o.fallback,
			})
		}
	}
	return c.setting.Test != nil || !c.diags.HasErrors()
}

// givenAt is the place where a scenario sets an option; the zero span if it does not.
func (c *checker) givenAt(name string) source.Span {
	if c.setting.Test != nil {
		for _, l := range c.setting.Test.Lines {
			if l.Set != nil && l.Set.Name.Text == name {
				return l.Set.Value.Span(c.setting.File)
			}
		}
	}
	return source.Span{}
}

func (c *checker) applySetting() {
	for _, name := range slices.Sorted(maps.Keys(c.setting.Options)) {
		o := c.options[name]
		if o == nil {
			hint := "it has no options"
			if known := c.optionNames(); len(known) > 0 {
				hint = "it has: " + strings.Join(known, ", ")
			}
			c.errorf("unknown-option", source.Span{}, "%q has no option %q", c.book.Name, name).Suggest(name, c.optionNames(), "%s", hint)
			continue
		}
		if fault := o.assign(c.setting.Options[name]); fault != "" {
			c.errorf("bad-option", c.givenAt(name), "option %q cannot be %q: it is %s", name, c.setting.Options[name], fault)
			continue
		}
		o.set = true
	}
}

// assign sets the option from text. If the text is not valid it says what the option accepts.
func (o *option) assign(text string) string {
	text = strings.Trim(text, `"`)
	switch o.kind {
	case model.Flag:
		if o.words != nil && !slices.Contains(o.words, text) {
			return strings.Join(o.words, " or ")
		}
		switch text {
		case "true":
			o.number = 1
		case "false":
			o.number = 0
		default:
			return "true or false"
		}
	case model.Word:
		if o.words != nil && !slices.Contains(o.words, text) {
			return "one of " + strings.Join(o.words, ", ")
		}
		o.word = text
	case model.Number:
		n, err := strconv.Atoi(text)
		if err != nil {
			return "a number"
		}
		if o.numbers != nil && !slices.Contains(o.numbers, n) {
			return "one of " + numberWords(o.numbers)
		}
		if n < o.low || n > o.high {
			return "a number from " + strconv.Itoa(o.low) + " to " + strconv.Itoa(o.high)
		}
		o.number = n
	}
	return ""
}

func numberWords(ns []int) string {
	return strings.Join(seq.Map(ns, strconv.Itoa), ", ")
}

func (o *option) text() string {
	switch o.kind {
	case model.Flag:
		return strconv.FormatBool(o.number != 0)
	case model.Word:
		return o.word
	}
	return strconv.Itoa(o.number)
}

func literalKind(l *syntax.Literal) model.Kind {
	switch {
	case l.Number != nil:
		return model.Number
	case l.Text != nil:
		return model.Word
	}
	return model.Flag
}

func literalText(l *syntax.Literal) string {
	switch {
	case l.Number != nil:
		n, _ := l.Number.Value()
		return strconv.Itoa(n)
	case l.Text != nil:
		return l.Text.String()
	}
	return strconv.FormatBool(l.True)
}

// readValues reads the list of values after "of".
func (c *checker) readValues(o *option, value *syntax.Literal, values *syntax.Values, file *source.File) {
	o.low, o.high = model.MinNumber, model.MaxNumber
	all := append([]*syntax.Literal{values.First}, values.More...)
	if values.Last != nil {
		all = append(all, values.Last)
	}
	o.kind = literalKind(value)
	for _, l := range all {
		if k := literalKind(l); k != o.kind {
			c.errorf("wrong-type", l.Span(file), "got %s among the values of an option that is %s", model.Of(k).With(), model.Of(o.kind).With())
			return
		}
		if l.Number != nil {
			if _, ok := l.Number.Value(); !ok {
				c.errorf("bad-number", l.Span(file), "numbers lie between -32768 and 32767")
			}
		}
	}
	switch o.kind {
	case model.Word, model.Flag:
		for _, l := range all {
			if slices.Contains(o.words, literalText(l)) {
				c.errorf("declared-twice", l.Span(file), "%q is in the list twice", literalText(l))
			}
			o.words = append(o.words, literalText(l))
		}
	case model.Number:
		first, _ := values.First.Number.Value()
		if values.Last != nil {
			o.low = first
			o.high, _ = values.Last.Number.Value()
			if o.low > o.high {
				c.errorf("bad-range", values.Span(file), "the range %d..%d is empty", o.low, o.high).WithHint("the lower number comes first").
					WithFix(values.Span(file), fmt.Sprintf("%d..%d", o.high, o.low), "write %d..%d", o.high, o.low)
				o.low, o.high = model.MinNumber, model.MaxNumber
			}
			return
		}
		for _, l := range all {
			n, _ := l.Number.Value()
			if slices.Contains(o.numbers, n) {
				c.diags.Warnf("declared-twice", l.Span(file), "%d is in the list twice", n)
			}
			o.numbers = append(o.numbers, n)
		}
	}
}

// narrow applies the values of a "set" line, which must be a subset of the present ones.
func (c *checker) narrow(o *option, s *book.SetEntry) {
	was, d := *o, s.Decl
	o.words, o.numbers = nil, nil
	c.readValues(o, d.Set.Value, d.Set.Values, d.File)
	if was.kind == model.Invalid {
		return
	}
	for _, l := range append([]*syntax.Literal{d.Set.Values.First}, d.Set.Values.More...) {
		if fault := was.assign(literalText(l)); fault != "" {
			c.errorf("bad-option", l.Span(d.File), "option %q cannot be %s: it is %s", d.Set.Name.Text, literalText(l), fault)
		}
	}
	for _, w := range was.words {
		if !slices.Contains(o.words, w) {
			o.gone = append(o.gone, gone{w, s.Layer})
		}
	}
}

// candidates lists the values that a check of all settings tries, the default first: of a wide range its ends.
func (o *option) candidates() []string {
	out, numbers := append([]string{o.fallback}, o.words...), o.numbers
	switch {
	case o.words != nil:
	case o.kind == model.Flag:
		out = append(out, "true", "false")
	case numbers != nil || o.kind != model.Number:
	case !o.wide():
		for n := o.low; n <= o.high; n++ {
			numbers = append(numbers, n)
		}
	case o.low > model.MinNumber || o.high < model.MaxNumber:
		numbers = []int{o.low, o.high}
	}
	return seq.Distinct(append(out, seq.Map(numbers, strconv.Itoa)...))
}

// wide reports whether an option has too many values to try each.
func (o *option) wide() bool {
	return o.kind == model.Number && o.words == nil && o.numbers == nil && o.high-o.low > manyValues
}

// more lists further values that are tried beside the defaults of all others: of a wide range the numbers that decide comparisons with the
// option in the book's last file.
func (o *option) more(b *book.Book) []string {
	if !o.wide() || !strings.Contains(b.Top().File.Source.Text(), o.entry.Key.Name) {
		return nil
	}
	compared := regexp.MustCompile(fmt.Sprintf(comparison, o.entry.Key.Name))
	found := map[int]bool{}
	for _, e := range b.Entries {
		if e.Layer != b.Top() {
			continue
		}
		text := e.Decl.Span(e.Decl.File).Text()
		for _, c := range e.If {
			text += "\n" + c.Expr.Span(c.File).Text()
		}
		for _, at := range compared.FindAllString(text, -1) {
			var written []int
			for _, w := range wordsIn(at) {
				if n, err := strconv.Atoi(w); err == nil {
					written = append(written, n)
				}
			}
			for _, n := range written {
				found[n] = true
				for _, m := range written { // as 7 decides n * 2 == 14
					found[n+m], found[n-m], found[n/max(m, 1)] = true, true, true
				}
			}
		}
	}
	for n := range maps.Clone(found) {
		found[n-1], found[n+1] = true, true
	}
	known := o.candidates()
	fits := func(n int) bool { return o.low <= n && n <= o.high && !slices.Contains(known, strconv.Itoa(n)) }
	return seq.Map(seq.Filter(slices.Sorted(maps.Keys(found)), fits), strconv.Itoa)
}

// comparison matches a comparison of an option called %[1]s, or of a term of it and another number, with a number, a range or a list of
// numbers, from either side.
const comparison = `(\d+\s*[-+*/%%]\s*|^|[^.\w])%[1]s\b(\s*[-+*/%%]\s*\d+)?\s*(<|<=|>|>=|==|!=|not in|in)\s*\[?\d+(\s*(,|\.\.)\s*\d+)*|` +
	`\d+\s*(<|<=|>|>=|==|!=)\s*(\d+\s*[-+*/%%]\s*)?%[1]s\b(\s*[-+*/%%]\s*\d+)?`

const manyValues = 8 // of an option, beside its lowest: not each of more is tried

// ordered sorts values of the option: numbers ascending, words as declared.
func (o *option) ordered(values []string) []string {
	slices.SortStableFunc(values, func(a, b string) int {
		if o.words != nil {
			return slices.Index(o.words, a) - slices.Index(o.words, b)
		}
		x, _ := strconv.Atoi(a)
		y, _ := strconv.Atoi(b)
		return x - y
	})
	return values
}
