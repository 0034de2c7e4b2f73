package check

import (
	"fmt"
	"path"
	"slices"
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
	named, does := map[string]*syntax.Decl{}, map[string]*syntax.Decl{}
	for _, d := range file.Decls {
		at := d.Span(d.File)
		if begin := d.File.LineStart(at.Position().Line); begin < at.Start && strings.TrimSpace(d.File.Text()[begin:at.Start]) == "" {
			blanks := d.File.Span(begin, at.Start)
			diags.Warnf("indented", at, "a declaration begins in the first column").WithFix(blanks, "", "take the blanks away")
		}
	}
	if n := file.Name(); n != nil && !b.Top().Tests { // nothing builds on a file of tests
		base, isRules := strings.CutSuffix(path.Base(file.Source.Name()), ".rules")
		if isRules && base != n.Text {
			diags.Add(diag.Diagnostic{Severity: diag.Info, Code: "other-name", Span: n.Span(file.Source),
				Message: fmt.Sprintf("the file is called %q: other files find it by that name", base)})
		}
	}
	for _, d := range b.Top().File.Decls {
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
		if d.Test.Case != nil {
			continue
		}
		text := linesOf(d)
		if other := does[text]; other != nil && other.Test.Name.String() != name {
			r := diags.Warnf("same-test", d.Test.Name.Span(d.File), "test %q does the same", other.Test.Name.String()).
				WithNote(other.Test.Name.Span(other.File), "the other one")
			if body(d) != body(other) { // rules can ask for the first piece
				r.Get().Severity = diag.Info
				r.Get().Message += ", but for the order of the pieces"
			}
		}
		does[text] = d
	}
}

// body is the text of a test without its name.
func body(d *syntax.Decl) string {
	text := d.Test.Span(d.File).Text()
	return strings.Join(strings.Fields(text[strings.Index(text, "{")+1:]), " ")
}

// linesOf is the text of a test without its name, with the pieces of each colour in one order.
func linesOf(d *syntax.Decl) string {
	var out []string
	if d.Test.Cases != nil {
		out = append(out, d.Test.Cases.Span(d.File).Text())
	}
	for _, l := range d.Test.Lines {
		for _, g := range l.Given {
			places := seq.Map(g.Refs, func(r *syntax.Ref) string { return r.Text })
			slices.Sort(places[1:])
			out = append(out, "given "+strings.Join(places, " "))
		}
		if len(l.Given) == 0 {
			out = append(out, strings.Join(strings.Fields(l.Span(d.File).Text()), " "))
		}
	}
	return strings.Join(out, "\n")
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

// warnProvesNothing warns of a test all of whose expectations repeat where the pieces were put and whose turn it is, before anything
// can have changed that.
func warnProvesNothing(rules *model.Rules, diags *diag.List) {
	t := rules.Tests[0]
	if len(rules.Turn.Stmts) == 0 || rules.Turn.Stmts[0].Kind != model.StmtThrow || rules.Setup != nil {
		return
	}
	for _, r := range rules.Rules {
		if slices.ContainsFunc(r.Clauses, func(x *model.Clause) bool { return x.Event == model.EventTurnBegins && x.Block != nil }) {
			return
		}
	}
	given, turn, expects := map[int][]model.Spot(nil), -1, 0
	for _, l := range t.Lines {
		switch l.Kind {
		case model.LineGiven:
			given = l.Places
		case model.LineTurn:
			turn = l.Colour
		}
	}
	for _, l := range t.Lines {
		again := false
		switch l.Kind {
		case model.LineGiven, model.LineTurn, model.LineSet, model.LineArrived:
			continue
		case model.ExpectTurn:
			again = l.Colour == turn
		case model.ExpectPieces:
			again = slices.Equal(given[l.Colour], l.Places[l.Colour])
		}
		if !again {
			return
		}
		expects++
	}
	if expects > 0 && !slices.ContainsFunc(*diags, func(d diag.Diagnostic) bool { return d.Code == "proves-nothing" && d.Span == t.Span }) {
		diags.Warnf("proves-nothing", t.Span, "this test expects only what it sets up").WithHint("let it throw or play, and expect what comes of it")
	}
}

// warnNoPieceThere warns of moves that a test wants refused from a square where no piece has been given, before anything can have gone there.
func warnNoPieceThere(rules *model.Rules, diags *diag.List) {
	var given map[int][]model.Spot
	puts := map[int]bool{} // where reactions to the throw may have put pieces
	moved := rules.Setup != nil
	for _, r := range rules.Rules {
		for _, c := range r.Clauses {
			if c.Event != model.EventThrow && c.Event != model.EventTurnBegins {
				continue
			}
			c.Block.Walk(func(s *model.Stmt) {
				switch {
				case s.Kind == model.StmtPut && s.Other.Op == model.OpConst:
					puts[s.Other.Int] = true
				case s.Kind == model.StmtPut, s.Kind == model.StmtExchange, s.Kind == model.StmtDo, s.Kind == model.StmtThrow:
					moved = true
				}
			})
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
func warnConstantConditions(t *syntax.Test, rules *model.Rules, diags *diag.List) {
	conds := map[source.Span]*model.Expr{}
	for _, l := range rules.Tests[0].Lines {
		if l.Cond != nil {
			conds[l.Span] = l.Cond
		}
	}
	for _, l := range t.Lines {
		if l.Expect == nil || l.Expect.That == nil {
			continue
		}
		file := rules.Tests[0].Span.File
		cond := conds[l.Span(file)]
		if cond == nil {
			continue
		}
		always, never := sense.Settled(rules, cond)
		if cond.Op == model.OpConst && literal(l.Expect.That.Node) {
			always, never = cond.Int != 0, cond.Int == 0
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

// atLeastNone reports whether a condition asks whether a list has 0 elements or more, or fewer than 0.
func atLeastNone(n *expr.Node) bool {
	return n.Kind == expr.Binary && (n.Name == ">=" || n.Name == "<") && n.Args[0].Kind == expr.Builtin && (n.Args[0].Name == "len" || n.Args[0].Name == "count") &&
		n.Args[1].Kind == expr.Int && n.Args[1].Int == 0
}

// literal reports whether an expression consists of numbers and flags only.
func literal(n *expr.Node) bool {
	switch n.Kind {
	case expr.Int, expr.Bool, expr.Nil, expr.String, expr.Unary, expr.Binary, expr.Ternary, expr.Array, expr.Builtin:
		return !slices.ContainsFunc(n.Args, func(a *expr.Node) bool { return !literal(a) })
	}
	return false
}
