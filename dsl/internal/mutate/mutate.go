// Package mutate lists mutants of a rule file: small changes that make another game, such as a missing rule, a number
// increased by one, a negated condition. A test that passes with all of them tests little.
//
// It works on the tree of package syntax together with the text: a mutant replaces a range of one declaration by
// another text, so that the rest of the file need not be parsed again. Note: not every mutant
// is valid. A file without a rule may have faults; the caller that plays the mutants must expect this.
package mutate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Kind is the mutation operator.
type Kind string

// The mutation operators.
const (
	Declaration Kind = "declaration" // a rule, a replacement or a line of a house rule is left out
	Clause      Kind = "clause"      // a clause other than a duty is removed
	Duty        Kind = "duty"        // a duty becomes a permission
	Statement   Kind = "statement"   // a statement is removed
	Number      Kind = "number"      // a number is incremented or decremented
	Flag        Kind = "flag"        // true becomes false, or false true
	Comparison  Kind = "comparison"  // a comparison operator is replaced
	Negation    Kind = "negation"    // a condition is negated
	Junction    Kind = "junction"    // && becomes ||, or || &&
	Verdict     Kind = "verdict"     // a verdict on a step is replaced
)

// Mutant is one change to a file.
type Mutant struct {
	Kind  Kind
	Span  source.Span // the range that is replaced, in the original file
	New   string      // the replacement; "" if it is removed
	Words string      // a short description: "6 becomes 7"
	In    string      // the declaration: "rule finish"
	Decl  int         // index of the declaration in the file
	Text  string      // the whole text of the mutated declaration, "" if it is removed
}

// Of lists the mutants of a file in the order of its text. It does not change tests and the header.
func Of(f *syntax.File) []Mutant {
	var out []Mutant
	for i, d := range f.Decls {
		if d.Test != nil || d.Rename != nil {
			continue
		}
		l := &lister{file: f.Source, span: d.Span(f.Source), number: i}
		l.decl(d)
		out = append(out, l.out...)
	}
	slices.SortStableFunc(out, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End))
	})
	return out
}

// lister lists the mutants of one declaration.
type lister struct {
	file   *source.File
	span   source.Span // of the declaration
	number int
	in     string
	out    []Mutant
}

// add adds a mutant that replaces a span.
func (l *lister) add(kind Kind, span source.Span, text, words string) {
	whole := ""
	if span != l.span || text != "" {
		t := l.file.Text()
		whole = t[l.span.Start:span.Start] + text + t[span.End:l.span.End]
	}
	l.out = append(l.out, Mutant{Kind: kind, Span: span, New: text, Words: words, In: l.in, Decl: l.number, Text: whole})
}

// without adds a mutant without a clause or statement. It removes the semicolon after it, or otherwise the one before
// it.
func (l *lister) without(kind Kind, span source.Span, words string) {
	text := l.file.Text()
	after := strings.TrimLeft(text[span.End:l.span.End], " \t")
	before := strings.TrimRight(text[l.span.Start:span.Start], " \t")
	switch {
	case strings.HasPrefix(after, ";"):
		after = strings.TrimLeft(after[1:], " \t")
		span.End = l.span.End - len(after)
	case strings.HasSuffix(before, ";"):
		span.Start = l.span.Start + len(before) - 1
	}
	l.add(kind, span, "", words)
}

// decl lists the mutants of a declaration. It does not remove mandatory declarations.
func (l *lister) decl(d *syntax.Decl) {
	switch {
	case d.Without != nil:
		l.in = "without"
		l.add(Declaration, l.span, "", "nothing is taken away")
	case d.Set != nil:
		l.in = "set " + d.Set.Name.Text
		l.add(Declaration, l.span, "", "the option stays as it was")
		l.literal(d.Set.Value)
	case d.Kind != nil:
		l.kind(d)
	}
}

func (l *lister) kind(d *syntax.Decl) {
	k, h := d.Kind, d.Head()
	l.in = h.Word
	if n := d.Name(); n != nil {
		l.in += " " + n.Text
	}
	if k.Secret != nil || k.Count != nil {
		return // they do not change the game
	}
	words := withoutKind[h.Word]
	switch {
	case d.Replace:
		words = "what it replaces stays"
	case k.Turns != nil && k.Turns.To != nil:
		words = "the turn goes to the next one"
	}
	if words != "" {
		l.add(Declaration, l.span, "", words)
	}
	if k.Turns == nil && k.Seats == nil { // the conditions of these stay
		l.condition(h.If)
	}
	switch {
	case k.Turns != nil:
		l.values(k.Turns.To)
	case k.Teams != nil, k.Seats != nil:
	case k.Rule != nil:
		for _, c := range k.Rule.Clauses {
			l.clause(c, len(k.Rule.Clauses) > 1)
		}
	case k.Setup != nil:
		l.body(h.Block, true)
	case k.Option != nil:
		l.literal(k.Option.Value)
	case k.Var != nil:
		l.values(k.Var.Value)
	case k.Players != nil:
		l.numbers(k.Players.Count)
		l.numbers(k.Players.Of)
	case k.Dice != nil:
		l.device(k.Dice.Device)
	default:
		l.values(syntax.Exprs(k)...)
		l.body(h.Block, true)
	}
}

// withoutKind describes a game without the declarations that can be left out, by their keywords.
var withoutKind = map[string]string{
	"rule": "without the rule", "setup": "without the setup", "turns": "turns go by player", "teams": "without the teams",
}

func (l *lister) device(d *syntax.Device) {
	l.values(d.Choice)
	if d.Sides != nil {
		if n, err := strconv.Atoi(strings.TrimPrefix(d.Sides.Text, "d")); err == nil {
			l.shift(d.Sides.Span(l.file), "d", n)
		}
	}
	l.integer(d.Times)
	for _, f := range append(slices.Clone(d.Deck), d.Faces...) {
		l.integer(f.Value)
		l.integer(f.Weight)
	}
}

func (l *lister) integer(n *syntax.Number) {
	if n != nil {
		if v, ok := n.Value(); ok {
			l.shift(n.Span(l.file), "", v)
		}
	}
}

// shift adds mutants with a number decremented and incremented; before is what the text has before it.
func (l *lister) shift(span source.Span, before string, v int) {
	for _, m := range []int{v - 1, v + 1} {
		to := before + strconv.Itoa(m)
		l.add(Number, span, to, span.Text()+" becomes "+to)
	}
}

func (l *lister) literal(v *syntax.Literal) {
	switch {
	case v == nil:
	case v.Number != nil:
		l.integer(v.Number)
	case v.True || v.False:
		l.flag(v.Span(l.file), v.True)
	}
}

func (l *lister) flag(span source.Span, v bool) {
	to := strconv.FormatBool(!v)
	l.add(Flag, span, to, span.Text()+" becomes "+to)
}

func (l *lister) clause(c *syntax.Clause, several bool) {
	span := c.Span(l.file)
	drop := func(kind Kind, words string) {
		if several { // otherwise another mutant removes the whole rule
			l.without(kind, span, words)
		}
	}
	name, _ := syntax.Variant(c)
	words, ok := withoutClause[name]
	switch {
	case !ok:
		panic("nothing says what a rule is without the clause " + name)
	case c.Must != nil && c.Must.Word == "must":
		drop(Duty, "the duty becomes a permission")
	default:
		drop(Clause, words)
	}
	switch {
	case c.May != nil:
		l.values(c.May.By)
		l.spared(c)
	case c.Must != nil:
		for _, like := range c.Must.Or {
			l.part(Duty, "or", like.Span(l.file), "the duty is not content with this")
		}
	case c.Step != nil:
		l.verdict(c.Step)
	case c.Ending != nil:
		l.values(c.Ending.Worth)
	}
	l.condition(c.Condition())
	if c.React != nil {
		l.body(c.React.Block, len(c.React.Block.Stmts) > 1)
	}
}

// spared lists the mutants of what else keeps an option, or replaces it.
func (l *lister) spared(c *syntax.Clause) {
	first, last, words := "despite", "duties", "duties take it away too"
	switch c.May.Against {
	case "":
		return
	case "otherwise":
		first, last, words = "otherwise", "otherwise", "it is offered beside others too"
	}
	span := c.May.Span(l.file)
	if c.May.When != nil {
		span.End = c.May.When.Span(l.file).Start
	}
	if at := strings.LastIndex(span.Text(), first); at > 0 {
		at += span.Start
		end := at + strings.Index(l.file.Text()[at:], last) + len(last)
		l.part(Clause, "", l.file.Span(at, end), words)
	}
}

// part adds a mutant without a part of a line, without the word before it and the blanks there.
func (l *lister) part(kind Kind, before string, span source.Span, words string) {
	text := strings.TrimRight(l.file.Text()[:span.Start], " \t\n")
	text = strings.TrimRight(strings.TrimSuffix(text, before), " \t\n")
	l.add(kind, l.file.Span(len(text), span.End), "", words)
}

// withoutClause describes a rule without a clause.
var withoutClause = map[string]string{
	"May": "without this permission", "Must": "without this prohibition", "Step": "without this clause", "React": "without this reaction",
	"Ending": "without this ending", "Always": "positions need not be so",
}

// otherVerdicts are the replacements of a verdict, past the end of a track and elsewhere.
var otherVerdicts = map[bool]map[string]string{
	true:  {"bar": "turn", "turn": "bar", "stop": "bar"},
	false: {"bar": "go", "go": "bar", "turn": "go", "stop": "go", "back": "stop"},
}

func (l *lister) verdict(s *syntax.Step) {
	text := l.file.Text()
	from := s.Span(l.file)
	at := strings.IndexByte(text[from.Start:from.End], ':') + from.Start + 1
	find := func(word string) source.Span {
		at += max(0, strings.Index(text[at:from.End], word))
		at = min(at+len(word), from.End)
		return l.file.Span(at-len(word), at)
	}
	first := find(s.First)
	if s.Second == "" {
		to := otherVerdicts[s.Beyond][s.First]
		l.add(Verdict, first, to, s.First+" becomes "+to)
		return
	}
	both := first.To(find(s.Second))
	for _, one := range []string{s.First, s.Second} {
		l.add(Verdict, both, one, "only "+one)
	}
}

// body lists the mutants of the statements of a block. With drop false no statement is removed: a reaction with one
// statement is removed as a whole.
func (l *lister) body(b *syntax.Block, drop bool) {
	if b == nil {
		return
	}
	for _, s := range b.Stmts {
		if drop && s.Let == nil { // without a let what uses its name has no meaning
			l.without(Statement, s.Span(l.file), "without this statement")
		}
		l.stmt(s)
	}
}

func (l *lister) stmt(s *syntax.Stmt) {
	if s.If != nil {
		l.branches(s.If)
		return
	}
	if s.Step != nil {
		l.body(s.Step.Block, len(s.Step.Block.Stmts) > 1)
		return
	}
	l.values(syntax.Exprs(s)...)
	l.option(s)
	if s.For != nil {
		l.body(s.For.Body, len(s.For.Body.Stmts) > 1)
	}
}

// option lists the mutants of the words that end a choice or a play.
func (l *lister) option(s *syntax.Stmt) {
	span := s.Span(l.file)
	find := func(word string) (source.Span, bool) {
		at := strings.LastIndex(span.Text(), word) + span.Start
		return l.file.Span(at, at+len(word)), at >= span.Start
	}
	if s.Choose != nil && s.Choose.None {
		if at, ok := find("none"); ok {
			l.part(Statement, "or", at, "the player cannot decline")
		}
	}
	if s.Play != nil && s.Play.Apart {
		if at, ok := find("apart"); ok {
			l.part(Statement, "", at, "duties look at all numbers together")
		}
	}
}

func (l *lister) branches(s *syntax.If) {
	l.condition(s.Cond)
	l.body(s.Then, s.Else != nil || s.ElseIf != nil || len(s.Then.Stmts) > 1)
	l.body(s.Else, true)
	if s.ElseIf != nil {
		l.branches(s.ElseIf)
	}
}

// condition lists the mutants of a condition: the negated condition, and the mutants of its parts.
func (l *lister) condition(e *syntax.Expr) {
	if e == nil || e.Node == nil {
		return
	}
	n := e.Node
	if n.Kind == expr.Binary && (n.Name == "&&" || n.Name == "||") || n.Kind == expr.Ternary {
		l.negate(n)
	}
	l.node(n, true)
}

func (l *lister) values(list ...*syntax.Expr) {
	for _, e := range list {
		if e != nil && e.Node != nil {
			l.node(e.Node, false)
		}
	}
}

// numbers lists the mutants of the numbers of players. A range only shrinks, since no test can show that a larger
// number is not allowed.
func (l *lister) numbers(e *syntax.Expr) {
	if e != nil && e.Node != nil {
		l.ranges(e.Node)
	}
}

func (l *lister) ranges(n *expr.Node) {
	switch {
	case n.Kind == expr.Ternary:
		l.node(n.Args[0], true)
		l.ranges(n.Args[1])
		l.ranges(n.Args[2])
		return
	case n.Kind != expr.Binary || n.Name != "..":
		l.node(n, false)
		return
	}
	for i, a := range n.Args {
		if a.Kind == expr.Int {
			to := strconv.Itoa(a.Int + 1 - 2*i)
			l.add(Number, a.Span, to, a.Span.Text()+" becomes "+to)
		}
	}
}

func (l *lister) negate(n *expr.Node) {
	l.add(Negation, n.Span, "!("+n.Span.Text()+")", "the condition is turned round")
}

// neighbours are the replacements of comparison operators.
var neighbours = map[string]string{"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "in": "not in", "&&": "||", "||": "&&"}

// node lists the mutants of an expression; flag means that it is used as a condition.
func (l *lister) node(n *expr.Node, flag bool) {
	switch n.Kind {
	case expr.Int:
		l.shift(n.Span, "", n.Int)
	case expr.Bool:
		l.flag(n.Span, n.Int != 0)
	case expr.Unary:
		if n.Name == "!" {
			if n.Args[0].Kind == expr.Binary && n.Args[0].Name == "in" && n.Span.Text() == n.Args[0].Span.Text() { // not in
				l.operator(n.Args[0], "not in", "in")
				l.each(n.Args[0], false)
				return
			}
			l.add(Negation, n.Span, "("+n.Args[0].Span.Text()+")", "the condition is turned round")
			l.each(n, false)
			return
		}
		if a := n.Args[0]; a.Kind == expr.Int {
			l.shift(n.Span, "", -a.Int)
			return
		}
	case expr.Ternary:
		l.node(n.Args[0], true)
		l.node(n.Args[1], flag)
		l.node(n.Args[2], flag)
		return
	case expr.Binary:
		if to := neighbours[n.Name]; to != "" {
			l.operator(n, n.Name, to)
			l.each(n, n.Name == "&&" || n.Name == "||")
			return
		}
	case expr.Builtin:
		predicate := n.Name == "all" || n.Name == "any" || n.Name == "none"
		if predicate && flag {
			l.negate(n)
		}
		for i, a := range n.Args {
			l.node(a, i == 1 && (predicate || n.Name == "count" || n.Name == "filter" || n.Name == "find"))
		}
		return
	default:
		if flag {
			l.negate(n)
		}
	}
	l.each(n, false)
}

func (l *lister) each(n *expr.Node, flag bool) {
	for _, a := range n.Args {
		l.node(a, flag)
	}
}

// operator replaces the operator between two operands. Its spelling may differ from its name: "and".
func (l *lister) operator(n *expr.Node, name, to string) {
	from, end := n.Args[0].Span.End, n.Args[1].Span.Start
	between := l.file.Text()[from:end]
	spelt := name
	if !strings.Contains(between, spelt) {
		spelt = map[string]string{"&&": "and", "||": "or"}[name]
	}
	at := strings.Index(between, spelt)
	if spelt == "" || at < 0 {
		return
	}
	kind := Comparison
	if name == "&&" || name == "||" {
		kind = Junction
	}
	l.add(kind, l.file.Span(from+at, from+at+len(spelt)), to, spelt+" becomes "+to)
}
