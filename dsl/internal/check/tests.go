package check

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/sense"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// warnTests warns of clause ids that no rule has, and of duplicate test names.
func warnTests(b *book.Book, diags *diag.List) {
	cited := AllCites(b)
	file := b.Top().File
	if name := file.Name(); b.Top().Tests && len(file.Decls) == 0 {
		diags.Warnf("no-tests", name.Span(file.Source), "this file of tests has none").WithHint(`write one: test "what it shows" { … }`)
	}
	named, asked := map[string]*syntax.Decl{}, map[string][]*question{}
	if n := file.Name(); n != nil {
		base, isRules := strings.CutSuffix(path.Base(file.Source.Name()), ".rules")
		if isRules && base != n.Text {
			d := diags.Infof("other-name", n.Span(file.Source), "the file is called %q", base)
			if !b.Top().Tests { // nothing builds on a file of tests
				d.Get().Message += ": other files find it by that name"
			}
		}
	}
	for _, d := range file.Decls {
		at := d.Span(d.File)
		if begin := d.File.LineStart(at.Position().Line); begin < at.Start && strings.TrimSpace(d.File.Text()[begin:at.Start]) == "" {
			blanks := d.File.Span(begin, at.Start)
			diags.Warnf("indented", at, "a declaration begins in the first column").WithFix(blanks, "", "take the blanks away")
		}
		if d.Test == nil {
			continue
		}
		for _, id := range d.Test.Cites.IDs() {
			if !slices.Contains(cited, id) {
				diags.Warnf("unknown-clause", d.Test.Cites.Span(d.File), "no rule carries clause %s", id)
			}
		}
		warnBeginning(b, d, diags)
		if d.Test.Cases != nil {
			for _, n := range d.Test.Cases.Unused() {
				diags.Warnf("unused", n.Span(d.File), "no line of the test uses the column %q", n.Text)
			}
		}
		name := d.Test.Name.String()
		if other := named[name]; other != nil {
			diags.Warnf("same-name", d.Test.Name.Span(d.File), "another test is called the same").
				WithNote(other.Test.Name.Span(other.File), "the other one")
		}
		named[name] = d
		if d.Test.Case == nil {
			q := questionOf(d)
			q.warnTwice(diags)
			asked[q.does] = append(asked[q.does], q)
		}
	}
	for _, alike := range asked {
		for i, q := range alike {
			for k, other := range alike {
				if k == i || q.name() == other.name() || !other.covers(q) || k > i && q.covers(other) {
					continue
				}
				r := diags.Warnf("same-test", q.Test.Name.Span(q.File), "test %q does the same", other.name()).
					WithNote(other.Test.Name.Span(other.File), "the other one")
				if !q.covers(other) {
					r.Get().Message += ", and expects more"
				}
				if q.order != other.order { // rules can ask for the first piece
					r.Get().Severity = diag.Info
					r.Get().Message += ", but for the order of the pieces"
				}
				break
			}
		}
	}
}

// question is what a test does and what it expects.
type question struct {
	*syntax.Decl
	does    string   // the lines that are no expectations, with the pieces of each colour in one order
	order   string   // of the pieces that are given
	expects []string // each behind the number of lines before it that are none
}

func questionOf(d *syntax.Decl) *question {
	q := &question{Decl: d}
	var does, order []string
	if d.Test.Cases != nil {
		does = append(does, d.Test.Cases.Span(d.File).Text())
	}
	begins := len(does) // how many lines say how it begins, in any order
	for _, l := range d.Test.Lines {
		text := strings.Join(strings.Fields(l.Span(d.File).Text()), " ")
		switch {
		case l.Expect != nil:
			if l.Expect.Given != nil {
				text = "expect " + inOneOrder(l.Expect.Given)
			}
			q.expects = append(q.expects, strconv.Itoa(len(does))+" "+text)
		case l.Given != nil:
			var sides []string
			for _, g := range l.Given {
				order = append(order, strings.Join(placesOf(g), " "))
				sides = append(sides, inOneOrder(g))
			}
			slices.Sort(sides)
			does = append(does, "given "+strings.Join(sides, " | "))
		default:
			does = append(does, text)
		}
		if l.Throw == nil && l.Play == nil && l.Expect == nil && begins == len(does)-1 {
			begins++
		}
	}
	slices.Sort(does[:begins])
	slices.Sort(order)
	q.does, q.order = strings.Join(does, "\n"), strings.Join(order, "\n")
	return q
}

// placesOf is the name of a colour and of the places of its pieces.
func placesOf(g *syntax.Given) []string {
	return seq.Map(g.Refs, func(r *syntax.Ref) string { return r.Text })
}

// inOneOrder is where the pieces of a colour stand, in one order.
func inOneOrder(g *syntax.Given) string {
	places := placesOf(g)
	slices.Sort(places[1:])
	return strings.Join(places, " ")
}

// warnTwice warns of what a test expects a second time, and nothing is thrown or played in between.
func (q *question) warnTwice(diags *diag.List) {
	first, i := map[string]*syntax.TestLine{}, 0
	for _, l := range q.Test.Lines {
		if l.Expect == nil {
			continue
		}
		if o := first[q.expects[i]]; o != nil {
			diags.Warnf("declared-twice", l.Span(q.File), "this is expected already").WithNote(o.Span(q.File), "the first time")
		} else {
			first[q.expects[i]] = l
		}
		i++
	}
}

func (q *question) name() string { return q.Test.Name.String() }

// covers reports whether a test expects all that another one does.
func (q *question) covers(other *question) bool {
	return !slices.ContainsFunc(other.expects, func(e string) bool { return !slices.Contains(q.expects, e) })
}

// warnBeginning warns of lines that set up how a test begins: after what it plays or expects, or for an option, the players or the turn a
// second time; and of lines beside an expectation that the position is refused.
func warnBeginning(b *book.Book, d *syntax.Decl, diags *diag.List) {
	options := OptionNames(b)
	said := map[string]source.Span{}
	begun, refused := source.Span{}, slices.ContainsFunc(d.Test.Lines, func(l *syntax.TestLine) bool { return l.Expect != nil && l.Expect.Never })
	for _, l := range d.Test.Lines {
		at, once := l.Span(d.File), ""
		switch {
		case l.Throw != nil, l.Play != nil, l.Expect != nil:
			if refused && (l.Expect == nil || !l.Expect.Never) {
				diags.Warnf("out-of-place", at, "this is not looked at: the test expects that its position is refused").WithHint("write a test of its own for it")
			}
			if begun.IsZero() {
				begun = at
			}
			continue
		case l.Players != nil:
			once = "players"
		case l.Turn != nil:
			once = "turn"
		case l.Set != nil && l.Set.Field == nil && l.Set.Square == nil && slices.Contains(options, l.Set.Name.Text):
			once = "set " + l.Set.Name.Text
		}
		if !begun.IsZero() {
			diags.Warnf("out-of-place", at, "this says how the test begins, and holds before the lines above it").WithNote(begun, "the test has begun here").
				WithHint("write it above what is thrown, played or expected, or write a test of its own")
		}
		if first, twice := said[once]; twice {
			diags.Warnf("declared-twice", at, "this is set twice").WithNote(first, "the first time")
		} else if once != "" {
			said[once] = at
		}
	}
}

// warnSetTwice warns of a test that sets a variable or a die a second time.
func warnSetTwice(rules *model.Rules, diags *diag.List) {
	type thing struct {
		*model.Var
		*model.Die
		owner int
		spot  model.Spot
		left  bool
	}
	set := map[thing]source.Span{}
	for _, l := range rules.Tests[0].Lines {
		if l.Kind != model.LineSet {
			continue
		}
		x := thing{l.Var, l.Die, l.Owner, l.Spot, l.Left}
		if at, twice := set[x]; twice {
			diags.Warnf("declared-twice", l.Span, "this is set twice").WithNote(at, "the first time")
		}
		set[x] = l.Span
	}
}

// linesOf are the lines of the test of rules by their place.
func linesOf(rules *model.Rules) map[source.Span]*model.TestLine {
	lines := map[source.Span]*model.TestLine{}
	for _, l := range rules.Tests[0].Lines {
		lines[l.Span] = l
	}
	return lines
}

// warnSetAlready warns of options and variables that a test sets to what they are without that line. Where another test of the file, or
// another row, sets them to something else the line may stand for the contrast, of an option with a note; of another side only if it is the
// turn of this one.
func warnSetAlready(b *book.Book, t *syntax.Test, rules *model.Rules, diags *diag.List) {
	file := rules.Tests[0].Span.File
	lines := linesOf(rules)
	name := func(d *syntax.TestSet) string {
		if d.Field != nil {
			return d.Field.Text
		}
		return d.Name.Text
	}
	value := func(d *syntax.TestLine) string {
		return strings.Join(strings.Fields(d.Set.Value.Span(file).Text()), " ")
	}
	for _, d := range t.Lines {
		if d.Set == nil {
			continue
		}
		at, what, is, option := d.Span(file), strconv.Quote(name(d.Set)), false, false
		if l := lines[at]; l != nil && l.Die != nil && !l.Left && quiet(rules, func(*model.Stmt) bool { return false }) && slices.Contains(rules.Turn.Stmts[0].Dice, l.Die) {
			diags.Warnf("no-effect", at, "die %s is thrown before anything looks at it", what)
			continue
		}
		if l := lines[at]; l == nil {
			i := slices.IndexFunc(rules.Options, func(o model.OptionValue) bool { return o.Name == d.Set.Name.Text })
			is, what, option = i >= 0 && rules.Options[i].Default, "option "+what, true
		} else {
			is = l.Var != nil && slices.Equal(l.Values, l.Var.Initial)
		}
		if !is || t.Cases != nil && t.Cases.Inside(at) || slices.ContainsFunc(*diags, func(x diag.Diagnostic) bool { return x.Span == at }) {
			continue
		}
		turnOf := func(x *syntax.TestLine) bool { return x.Turn != nil && x.Turn.Text == d.Set.Name.Text }
		contrasts := func(other *syntax.Test) bool {
			return slices.ContainsFunc(other.Lines, func(x *syntax.TestLine) bool {
				alike := x.Set != nil && (d.Set.Field == nil || x.Set.Name.Text == d.Set.Name.Text || slices.ContainsFunc(t.Lines, turnOf))
				return alike && name(x.Set) == name(d.Set) && value(x) != value(d)
			})
		}
		switch {
		case !slices.ContainsFunc(b.Top().File.Tests(), contrasts):
			diags.Warnf("no-effect", at, "%s is %s already", what, value(d))
		case option && !contrasts(t):
			diags.Infof("no-effect", at, "%s is %s already: another value may be meant", what, value(d))
		}
	}
}

// warnOtherThrow notes a test whose title begins with a number of a die, as "a 6 …", and that throws others only.
func warnOtherThrow(t *syntax.Test, rules *model.Rules, diags *diag.List) {
	words := strings.Fields(t.Name.String())
	if len(words) < 2 || !slices.Contains([]string{"a", "an", "the"}, strings.ToLower(words[0])) || t.Cases != nil {
		return
	}
	n, err := strconv.Atoi(words[1])
	faces := seq.Flat(rules.Dice, func(d *model.Die) []model.Face { return d.Faces })
	if err != nil || !slices.ContainsFunc(faces, func(f model.Face) bool { return f.Value == n }) {
		return
	}
	said, throws := false, false
	for _, l := range rules.Tests[0].Lines {
		throws = throws || l.Kind == model.LineThrow
		counts := func(o model.TestOption) bool { return o.Steps == n }
		said = said || slices.Contains(l.Numbers, n) || slices.Contains(l.Values, n) || slices.ContainsFunc(l.Options, counts)
	}
	if throws && !said {
		diags.Infof("misnamed", t.Name.Span(rules.Tests[0].Span.File), "the title speaks of a %d, and none is thrown", n)
	}
}

// warnNoPieceThere warns of moves that a test wants refused from a square where no piece has been given, before anything can have gone there.
func warnNoPieceThere(rules *model.Rules, diags *diag.List) {
	var given map[int][]model.Spot
	puts := map[int]bool{} // where reactions to the throw may have put pieces
	moved := rules.Setup != nil
	for c := range rules.Clauses() {
		if c.Event != model.EventThrow && c.Event != model.EventTurnBegins {
			continue
		}
		for s := range c.Block.All() {
			switch {
			case s.Kind == model.StmtPut && s.Other.Op == model.OpConst:
				puts[s.Other.Int] = true
			case s.Kind == model.StmtPut, s.Kind == model.StmtExchange, s.Kind == model.StmtDo, s.Kind == model.StmtThrow:
				moved = true
			}
		}
	}
	throws := 0
	for _, l := range rules.Tests[0].Lines {
		switch l.Kind {
		case model.LineGiven:
			given = l.Places
		case model.LineThrow:
			if throws++; throws > 1 || len(l.Numbers) > 1 && len(rules.Dice) == 1 || len(l.Numbers) > len(rules.Dice) {
				moved = true
			}
		case model.LinePlay:
			moved = true
		case model.ExpectRefused:
			o := &l.Options[0]
			if moved || given == nil || throws == 0 || l.Rule != nil || !o.Arrow() || rules.Board.Places[o.From.Place].Zone || puts[o.From.Place] {
				continue
			}
			there := false
			for _, spots := range given {
				there = there || slices.ContainsFunc(spots, func(s model.Spot) bool { return s.Place == o.From.Place })
			}
			if !there && !slices.ContainsFunc(*diags, func(d diag.Diagnostic) bool { return d.Code == "proves-nothing" && d.Span == l.Span }) {
				diags.Warnf("proves-nothing", l.Span, "no piece stands on %q: this is refused whatever the rules say", rules.Board.Places[o.From.Place].Name).
					WithHint("name a piece that could move so if the rules were others")
			}
		}
	}
}

// warnConstantConditions warns of test conditions, resolved in rules, that have the same value in every position.
func warnConstantConditions(b *book.Book, t *syntax.Test, rules *model.Rules, diags *diag.List) {
	lines := linesOf(rules)
	onlyFixed := expectsFixed(b, t)
	for _, l := range t.Lines {
		if l.Expect == nil || l.Expect.That == nil {
			continue
		}
		file := rules.Tests[0].Span.File
		line := lines[l.Span(file)]
		if line == nil || line.Cond == nil {
			continue
		}
		cond := line.Cond
		warnAskedTwice(l.Expect.That.Node, diags)
		always, never := sense.Settled(rules, cond)
		if cond.Op == model.OpConst && (literal(l.Expect.That.Node, noName) || onlyFixed) {
			always, never = cond.Int != 0, cond.Int == 0
		}
		if holds, known := decided(l.Expect.That.Node); known && t.Case == nil { // a cell may stand for "where"
			always, never = holds, !holds
		}
		if n := l.Expect.That.Node; atLeastNone(n) {
			always, never = n.Name == ">=", n.Name == "<"
		}
		at := l.Expect.That.Span(file)
		said := slices.ContainsFunc(*diags, func(d diag.Diagnostic) bool { return d.Code == "always-same" && d.Span == at }) // reported for another row
		if !always && !never || said {
			continue
		}
		word := "always"
		if never {
			word = "never"
		}
		diags.Warnf("always-same", at, "%s is %s true: no position makes a difference", quoteSpan(at), word).
			WithHint("expect something that the rules can get wrong")
	}
}

// warnAskedTwice warns of a side of && or || that stands there before.
func warnAskedTwice(n *expr.Node, diags *diag.List) {
	for _, op := range []string{"&&", "||"} {
		all := n.Operands(op)
		for i, side := range all {
			same := func(o *expr.Node) bool { return o.Span.Text() == side.Span.Text() }
			told := slices.ContainsFunc(*diags, func(d diag.Diagnostic) bool { return d.Code == "done-twice" && d.Span == side.Span })
			if slices.ContainsFunc(all[:i], same) && !told {
				diags.Warnf("done-twice", side.Span, "%s is asked here twice", quoteSpan(side.Span)).WithHint("the second is to ask something else, or nothing")
			}
		}
	}
}

// expectsFixed reports whether a test throws, and expects nothing but what the options of the file and the number of players decide.
func expectsFixed(b *book.Book, t *syntax.Test) bool {
	fixed := func(name string) bool {
		return name == "players" || slices.ContainsFunc(b.Entries, func(e *book.Entry) bool {
			return e.Key.Kind == "option" && e.Key.Name == name && e.Layer == b.Top()
		})
	}
	throws := slices.ContainsFunc(t.Lines, func(l *syntax.TestLine) bool { return l.Throw != nil })
	return throws && t.Case == nil && !slices.ContainsFunc(t.Lines, func(l *syntax.TestLine) bool {
		return l.Expect != nil && (l.Expect.That == nil || !literal(l.Expect.That.Node, fixed))
	})
}

// decided is the value of a condition whose flags alone decide it: true || x.won.
func decided(n *expr.Node) (holds, known bool) {
	switch {
	case n.Kind == expr.Bool:
		return n.Int != 0, true
	case n.Kind == expr.Unary && n.Name == "!":
		holds, known = decided(n.Args[0])
		return !holds, known
	case n.Kind == expr.Binary && (n.Name == "&&" || n.Name == "||"):
		a, one := decided(n.Args[0])
		b, other := decided(n.Args[1])
		if decides := n.Name == "||"; one && a == decides || other && b == decides {
			return decides, true
		}
		return n.Name == "&&", one && other
	}
	return false, false
}

// atLeastNone reports whether a condition asks whether a list has 0 elements or more, or fewer than 0.
func atLeastNone(n *expr.Node) bool {
	return n.Kind == expr.Binary && (n.Name == ">=" || n.Name == "<") && n.Args[0].Kind == expr.Builtin && (n.Args[0].Name == "len" || n.Args[0].Name == "count") &&
		n.Args[1].Kind == expr.Int && n.Args[1].Int == 0
}

// noName holds of no name, see literal.
func noName(string) bool { return false }

// literal reports whether an expression consists of numbers and flags only, and of names that are such.
func literal(n *expr.Node, fixed func(name string) bool) bool {
	switch n.Kind {
	case expr.Name:
		return fixed(n.Name)
	case expr.Int, expr.Bool, expr.Nil, expr.String, expr.Unary, expr.Binary, expr.Ternary, expr.Array, expr.Builtin:
		return !slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return !literal(a, fixed) })
	}
	return false
}
