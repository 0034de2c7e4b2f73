package interpreter

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/internal/code"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
	"github.com/rulerun/rulerun/interpreter/internal/vm"
)

// Limits on what is printed.
const (
	maxShown = 12 // elements of a list
	maxParts = 30 // parts of a condition
)

// parts prints the values of the parts of a condition without parameters in a position: every comparison, call, field
// and variable that was evaluated, outer ones before inner ones. It compiles the rules again, with a question for
// every part.
func (g *Game) parts(p *Position, cond *model.Expr) []string {
	if g.off() != None { // its states have a cell more than those of its rules
		return nil
	}
	d := &dissection{g: g, p: p, entry: map[asked]int{}}
	d.questions(cond)
	unit, entries, err := compile.WithQuestions(g.rules, d.list)
	if err != nil { // too large with the questions
		return nil
	}
	d.unit, d.entries, d.whole = unit, entries, textOf(cond)
	d.tell(cond)
	return d.lines[:min(len(d.lines), maxParts)]
}

// dissection is the evaluation of a condition in parts.
type dissection struct {
	g       *Game
	p       *Position
	unit    *compile.Unit // the rules with the questions
	list    []compile.Question
	entries []int
	entry   map[asked]int
	whole   string // the text of the condition
	lines   []string
}

// textOf is the source text of an expression, on one line.
func textOf(e *model.Expr) string { return strings.Join(strings.Fields(e.Span.Text()), " ") }

// unavailable stands for the value of a part where the rules fail.
const unavailable = "not available here"

// asked is a question about a part of a condition.
type asked struct {
	of   *model.Expr
	what int
}

// The kinds of question: the value, whether it holds for an element, the number of elements, and from there on each
// element.
const (
	askValue = iota
	askEach
	askCount
	askFirst
)

func (d *dissection) ask(of *model.Expr, what int, e *model.Expr, params ...*model.Local) {
	d.entry[asked{of, what}] = len(d.list)
	d.list = append(d.list, compile.Question{Expr: e, Params: params})
}

// outside are the arguments that are not evaluated for elements.
func outside(e *model.Expr) []*model.Expr {
	if e.OverElements() {
		return e.Args[:1]
	}
	return e.Args
}

func (d *dissection) questions(e *model.Expr) {
	switch {
	case e.Op == model.OpConst || e.Op == model.OpWord || e.Type.Kind == model.Fraction || e.Type.Kind == model.Offer:
	case e.Type.List:
		d.ask(e, askCount, &model.Expr{Op: model.OpCount, Type: model.Of(model.Number), Args: []*model.Expr{e}, Span: e.Span})
		for i := range maxShown {
			d.ask(e, askFirst+i, &model.Expr{Op: model.OpIndex, Type: e.Type.Elem(), Span: e.Span,
				Args: []*model.Expr{e, model.Const(model.Of(model.Number), i, e.Span)}})
		}
	default:
		d.ask(e, askValue, e)
		if e.OverElements() && e.Args[1].Type == model.Of(model.Flag) {
			l := &model.Local{Name: "#", Type: e.Args[0].Type.Elem()}
			d.ask(e, askEach, bind(e.Args[1], l), l)
		}
	}
	for _, a := range outside(e) {
		d.questions(a)
	}
}

// bind replaces the current element in e by a name.
func bind(e *model.Expr, l *model.Local) *model.Expr {
	if e.Op == model.OpElem {
		return &model.Expr{Op: model.OpLocal, Type: e.Type, Local: l, Span: e.Span}
	}
	c := *e
	c.Args = slices.Clone(e.Args)
	for i := range outside(e) {
		c.Args[i] = bind(e.Args[i], l)
	}
	return &c
}

// value answers a question; ok is false if the rules fail.
func (d *dissection) value(of *model.Expr, what int, args ...int) (int, bool) {
	m := vm.New(d.unit.Program)
	m.Assume(d.p.m.State())
	for i, a := range args {
		m.State()[code.CellP0+i] = int16(a)
	}
	return m.Eval(d.entries[d.entry[asked{of, what}]])
}

func (d *dissection) known(of *model.Expr, what int) bool {
	_, ok := d.entry[asked{of, what}]
	return ok
}

// tell prints e and its parts. If one operand decides, the other was not evaluated.
func (d *dissection) tell(e *model.Expr) {
	switch e.Op {
	case model.OpAnd, model.OpOr:
		d.tell(e.Args[0])
		if v, ok := d.decided(e.Args[0]); ok && (v != 0) == (e.Op == model.OpAnd) {
			d.tell(e.Args[1])
		}
		return
	case model.OpIf:
		d.tell(e.Args[0])
		if v, ok := d.decided(e.Args[0]); ok && v != 0 {
			d.tell(e.Args[1])
		} else if ok {
			d.tell(e.Args[2])
		}
		return
	case model.OpNot:
		d.tell(e.Args[0])
		return
	}
	d.line(e)
	for i, a := range outside(e) {
		if e.Op == model.OpCoalesce && i == 1 {
			if v, ok := d.decided(e.Args[0]); !ok || v != None {
				break
			}
		}
		d.tell(a)
	}
}

// decided is the value of a part, which may be a constant.
func (d *dissection) decided(e *model.Expr) (int, bool) {
	if e.Op == model.OpConst {
		return e.Int, true
	}
	if !d.known(e, askValue) {
		return 0, false
	}
	return d.value(e, askValue)
}

// line prints one part, unless its text is its value.
func (d *dissection) line(e *model.Expr) {
	text, words := textOf(e), ""
	switch {
	case e.Op == model.OpConst || e.Op == model.OpWord:
		d.constant(e, text)
		return
	case e.Op == model.OpList || e.Op == model.OpRange:
		return
	case e.Type.List && d.known(e, askCount):
		words = d.elements(e)
	case d.known(e, askValue):
		v, ok := d.value(e, askValue)
		if !ok {
			words = unavailable
			break
		}
		words = d.word(e.Type.Kind, v) + d.each(e)
	default:
		return
	}
	d.add(text, words)
}

// add adds a line, without duplicates. It does not repeat that the whole condition is false or fails, nor that a name is what it says.
func (d *dissection) add(text, words string) {
	line := text + " is " + words
	if slices.Contains(d.lines, line) || text == d.whole && (words == "false" || words == unavailable) || text == words {
		return
	}
	d.lines = append(d.lines, line)
}

// constant prints the values of constants, and of the options in a constant expression.
func (d *dissection) constant(e *model.Expr, text string) {
	for _, o := range d.g.rules.Options {
		if hasWord(text, o.Name) {
			d.add(o.Name, o.Value)
		}
	}
	switch {
	case literal(text):
	case e.Op == model.OpWord:
		d.add(text, strconv.Quote(e.Word))
	case e.Type.Kind == model.Number || e.Type.Kind == model.Flag:
		d.add(text, d.word(e.Type.Kind, e.Int))
	}
}

// hasWord reports whether a word occurs in a text.
func hasWord(text, word string) bool {
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }), word)
}

// literal reports whether a text is its own value: a number, flag, quoted word or nil.
func literal(text string) bool {
	return strings.HasPrefix(text, `"`) || text == "true" || text == "false" || text == "nil" || text != "" && strings.IndexFunc(text, unicode.IsLetter) < 0
}

// elements lists the elements of a list.
func (d *dissection) elements(e *model.Expr) string {
	list, more, ok := d.elementsOf(e)
	switch {
	case !ok:
		return unavailable
	case len(list) == 0:
		return "empty"
	}
	words := seq.Map(list, func(v int) string { return d.word(e.Type.Kind, v) })
	if more {
		words = append(words, "…")
	}
	return "[" + strings.Join(words, ", ") + "]"
}

func (d *dissection) elementsOf(e *model.Expr) (list []int, more, ok bool) {
	n, ok := d.value(e, askCount)
	if !ok {
		return nil, false, false
	}
	for i := range min(n, maxShown) {
		v, ok := d.value(e, askFirst+i)
		if !ok {
			return nil, false, false
		}
		list = append(list, v)
	}
	return list, n > maxShown, true
}

// each lists the elements for which a condition over a list does not hold, or for which it does.
func (d *dissection) each(e *model.Expr) string {
	if !d.known(e, askEach) || !d.known(e.Args[0], askCount) {
		return ""
	}
	list, more, ok := d.elementsOf(e.Args[0])
	if !ok || more || len(list) == 0 {
		return ""
	}
	var yes, no []string
	for _, v := range list {
		holds, ok := d.value(e, askEach, v)
		if !ok {
			return ""
		}
		if word := d.word(e.Args[0].Type.Kind, v); holds != 0 {
			yes = append(yes, word)
		} else {
			no = append(no, word)
		}
	}
	switch {
	case len(yes) == 0:
		return ", as it holds for none"
	case len(no) == 0:
		return ", as it holds for all"
	case e.Op == model.OpAll:
		return ", as it does not hold for " + strings.Join(no, ", ")
	}
	return ", as it holds for " + strings.Join(yes, ", ")
}

// word prints a value in the language.
func (d *dissection) word(k model.Kind, v int) string {
	switch {
	case k == model.Flag:
		return strconv.FormatBool(v != 0)
	case k != model.Number && v < 0:
		return "nil"
	case k == model.Piece:
		return d.g.ColourName(d.p.ColourOf(v)) + "@" + d.g.PlaceName(d.p.Places(nil)[v])
	}
	return d.g.nameOf(k, v)
}
