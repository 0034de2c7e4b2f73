package check

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/expr"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/sense"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Usage records, over all settings, which declarations are used and which clauses are possible.
type Usage struct {
	marks   map[source.Span]mark // of declarations, by the span of their name, and of clauses
	exists  map[*book.Entry]bool
	held    map[*syntax.Expr]bool // conditions over options, and whether they hold in some setting
	clauses map[source.Span]*model.Clause

	whole bool // every setting has been looked at

	can   can         // what the rules of some setting do
	earns source.Span // the first statement that earns
	over  source.Span // the first ending that names no side
}

// mark is what is known of a declaration or a clause: a set.
type mark uint16

const (
	used     mark = 1 << iota
	written       // a variable that is assigned
	read          // a die that is read
	thrown        // a die that is thrown
	minded        // a die whose throw decides who begins
	done          // an act that is done
	asked         // a variable but a flag that a clause, a statement or a move of the rules asks for
	possible      // a clause whose condition can hold
	together      // a variable that one setting both assigns and looks at
)

// can is what rules do: a set.
type can uint16

const (
	offers can = 1 << iota
	walks
	turns
	plays
	playsEarned
	ends
	ranks
	drops
	wins
	several // more than one side plays
)

// NewUsage returns an empty record.
func NewUsage() *Usage {
	return &Usage{marks: map[source.Span]mark{}, exists: map[*book.Entry]bool{}, held: map[*syntax.Expr]bool{}, clauses: map[source.Span]*model.Clause{}}
}

// is reports whether a declaration or a clause has a mark.
func (u *Usage) is(at source.Span, m mark) bool { return u.marks[at]&m != 0 }

func (u *Usage) mark(at source.Span, m mark) { u.marks[at] |= m }

// merge adds the contents of the record of one setting.
func (u *Usage) merge(o *Usage) {
	for at, m := range o.marks {
		if m&written != 0 && m&used != 0 {
			m |= together
		}
		u.mark(at, m)
	}
	for e := range o.exists {
		u.exists[e] = true
	}
	for e, yes := range o.held {
		u.held[e] = u.held[e] || yes
	}
	for span, x := range o.clauses {
		if u.clauses[span] == nil {
			u.clauses[span] = x
		}
	}
	u.can |= o.can
	if u.earns.IsZero() {
		u.earns = o.earns
	}
	if u.over.IsZero() {
		u.over = o.over
	}
}

// gather records what the rules of one setting can do.
func (u *Usage) gather(r *model.Rules) {
	block := func(b *model.Block) {
		b.Walk(func(s *model.Stmt) {
			u.asks(s.Reads()...)
			switch s.Kind {
			case model.StmtThrow:
				for _, d := range s.Dice {
					u.mark(d.Span, thrown)
				}
			case model.StmtPlay:
				if u.can |= plays; s.Play == model.PlayEarned {
					u.can |= playsEarned
				}
			case model.StmtEarn:
				if u.earns.IsZero() {
					u.earns = s.Span
				}
			case model.StmtDo:
				u.mark(s.Act.Span, done)
			case model.StmtFinish:
				u.finishes(s.Ending, s.Span)
			}
		})
	}
	if len(r.Teams) > 1 {
		u.can |= several
	}
	for _, d := range r.First.Dice {
		u.mark(d.Span, minded)
	}
	for _, m := range r.Moves {
		u.asks(m.From, m.Where, m.Carrying)
		u.asks(m.Sets...)
	}
	block(r.Setup)
	block(r.Turn)
	for _, a := range r.Acts {
		block(a.Block)
	}
	for _, n := range r.Counts {
		if n.Clause != nil {
			u.clauses[n.Clause.Span] = n.Clause
		}
	}
	for _, rule := range r.Rules {
		for _, x := range rule.Clauses {
			u.clauses[x.Span] = x
			block(x.Block)
			for _, like := range x.Likes() {
				u.asks(like.When, like.By)
			}
			if x.First == model.VerdictTurn || x.Second == model.VerdictTurn {
				u.can |= turns
			}
			switch x.Kind {
			case model.ClauseMay:
				if u.can |= offers; x.Move.Kind == model.MoveWalk {
					u.can |= walks
				}
			case model.ClauseEnding:
				u.finishes(x.Ending, x.Span)
			}
		}
	}
}

// asks records the variables that expressions ask for, flags left out.
func (u *Usage) asks(list ...*model.Expr) {
	for _, e := range list {
		e.Walk(func(x *model.Expr) bool {
			switch {
			case x.Var != nil && x.Type != model.Of(model.Flag):
				u.mark(x.Var.Span, asked)
			case x.Op == model.OpCall && !u.is(x.Let.Span, asked):
				u.mark(x.Let.Span, asked)
				u.asks(x.Let.Body)
			}
			return true
		})
	}
}

func (u *Usage) finishes(e model.EndingKind, at source.Span) {
	u.can |= ends | map[model.EndingKind]can{model.EndWin: wins, model.EndRank: wins | ranks, model.EndDrop: wins | drops}[e]
	if u.over.IsZero() {
		u.over = at
	}
}

// warnUnused warns of declarations of the last file that have no effect in any setting, and of missing ones.
func warnUnused(b *book.Book, use *Usage, diags *diag.List) {
	top := b.Top()
	for _, e := range b.Entries {
		if e.Layer == top {
			senseOf(e, use, diags)
		}
	}
	for _, d := range top.File.Decls {
		if w := d.Without; w != nil && w.If != nil {
			if holds, asked := use.held[w.If]; asked && !holds {
				diags.Warnf("never-there", w.If.Span(d.File), "this holds in no setting of the options: nothing is taken away")
			}
		}
	}
	warnLeftOptions(b, use, diags)
	warnLeftVariables(b, use, diags)
	warnEqualSets(b, diags)
	warnTests(b, diags)
	if top.Tests {
		return
	}
	header := top.File.Header.Span(top.File.Source)
	if use.can&ends == 0 {
		diags.Warnf("no-ending", header, "nothing in this rule book ends the game").
			WithHint("add a clause such as: win player x when CONDITION")
	}
	switch {
	case use.can&plays != 0 && use.can&offers == 0:
		diags.Warnf("no-move", header, "the turn plays, but no rule offers a move").WithHint("add a clause: may MOVE(…)")
	case use.can&offers != 0 && use.can&plays == 0:
		diags.Warnf("no-play", header, "moves are offered, but the turn never plays").WithHint("add to the turn: play NUMBER")
	}
	if !use.earns.IsZero() && use.can&playsEarned == 0 {
		diags.Warnf("never-played", use.earns, "what is earned is never played").WithHint("add to the turn: play earned")
	}
}

// warnNoWinner warns of a game of several sides that can only end as a draw, unless the ending has a finding of its own.
func warnNoWinner(b *book.Book, use *Usage, diags *diag.List) {
	own := use.over.File == b.Top().File.Source
	if !own || use.can&wins != 0 || use.can&several == 0 || slices.ContainsFunc(*diags, func(d diag.Diagnostic) bool { return d.Span == use.over }) {
		return
	}
	diags.Warnf("no-winner", use.over, "no player ever wins: nothing says who does, and every game is a draw").
		WithHint("say who wins: win player x when CONDITION")
}

// warnLeftOptions warns of options that nothing looks at since the last file takes away what did.
func warnLeftOptions(b *book.Book, use *Usage, diags *diag.List) {
	top := b.Top()
	for _, e := range b.Entries {
		if e.Key.Kind != "option" || e.Layer == top || use.is(e.NameSpan(), used) {
			continue
		}
		looks := func(o *book.Entry) bool {
			return slices.Contains(strings.FieldsFunc(o.Decl.Span(o.Decl.File).Text(), between), e.Key.Name)
		}
		i := slices.IndexFunc(b.Removed, func(r *book.Removal) bool { return slices.Contains(top.File.Decls, r.By) && looks(r.Entry) })
		j := slices.IndexFunc(b.Entries, func(o *book.Entry) bool { return o.Layer == top && o.Replaced() != nil && looks(o.Replaced()) })
		switch {
		case i >= 0:
			diags.Warnf("unused", b.Removed[i].Span(), "nothing looks at option %q any more: %s did", e.Key.Name, b.Removed[i].Entry.Key)
		case takesAway(b):
			diags.Warnf("unused", blamed(b), "since this is changed nothing looks at option %q any more", e.Key.Name)
		case j >= 0 && !top.Change: // a change may be combined with one that looks at it
			diags.Warnf("unused", b.Entries[j].NameSpan(), "nothing looks at option %q any more: what this replaces did", e.Key.Name)
		default:
			for _, s := range b.Sets {
				if d := s.Decl.Set; s.Layer == top && d.Name.Text == e.Key.Name {
					diags.Warnf("unused", d.Span(s.Decl.File), "nothing looks at option %q any more, since what did is replaced", e.Key.Name)
				}
			}
			continue
		}
		diags.Last().WithHint("take the option away too: without %s", e.Key.Name)
	}
}

// warnFarOptions warns of options that the last file sets to more than any move can count.
func warnFarOptions(b *book.Book, study *sense.Study, diags *diag.List) {
	for _, s := range b.Sets {
		if d := s.Decl.Set; s.Layer == b.Top() && d.Value.Number != nil {
			if why := study.TooFar(d.Name.Text); why != "" {
				diags.Warnf("no-effect", d.Value.Span(s.Decl.File), "%s", why)
			}
		}
	}
}

// warnLeftVariables warns of variables of other files that are looked at, and that nothing changes since the last file replaces what did.
// A flag that stays as it is may be the care of a line for what another rule does.
func warnLeftVariables(b *book.Book, use *Usage, diags *diag.List) {
	top := b.Top()
	for _, e := range b.Entries {
		if e.Decl.Kind == nil || e.Decl.Kind.Var == nil || e.Layer == top || !use.is(e.NameSpan(), asked) || use.is(e.NameSpan(), written) {
			continue
		}
		did := func(o *book.Entry) (found bool) {
			syntax.Walk(o.Decl, func(node any) bool {
				t, ok := node.(*syntax.Target)
				found = found || ok && t.Names[len(t.Names)-1].Text == e.Key.Name
				return !found
			})
			return found
		}
		var at source.Span
		for _, o := range b.Entries {
			if was := o.Replaced(); o.Layer == top && was != nil && did(was) {
				at = o.NameSpan()
			}
		}
		if !at.IsZero() {
			diags.Warnf("never-changed", at, "since this is changed nothing changes variable %q any more, and other lines look at it", e.Key.Name).
				WithHint("change it here too, or take away what looks at it")
		}
	}
}

// warnLeftClauses warns of clauses of other files that never apply since the last file changes them, and of duties that no option can meet.
func warnLeftClauses(b *book.Book, idle []sense.Idle, diags *diag.List) {
	top := b.Top()
	head := top.File.Header.Change
	if len(idle) == 0 || head == nil {
		return
	}
	file, ok := b.Finder.Rules(head.For.Text, top.File.Source)
	if !ok {
		return
	}
	before := book.Load(file, nil, b.Finder, &diag.List{})
	if before == nil {
		return
	}
	was := sense.New(top.File.Source).WithOthers()
	for _, s := range Settings(before) {
		if m := makeSetting(before, s); m.rules != nil {
			was.Add(m.rules, (&model.Digests{}).Of(m.rules))
		}
	}
	never := was.Idle()
	at := blamed(b)
	idle = slices.DeleteFunc(idle, func(c sense.Idle) bool {
		return slices.ContainsFunc(never, func(o sense.Idle) bool { return o.Span.Name() == c.Span.Name() && o.Span.Start == c.Span.Start })
	})
	for _, c := range idle {
		if c.Why == "" {
			diags.Warnf("impossible-duty", at, "since this is changed no option can meet a duty that is left").WithNote(c.Span, "the duty is this one").
				WithHint("take the duty away too, or replace it")
		}
	}
	if at == top.File.Header.Span(top.File.Source) || slices.ContainsFunc(*diags, func(d diag.Diagnostic) bool { return strings.HasPrefix(d.Message, "since this is changed") }) {
		return
	}
	for i, c := range idle {
		if i == 0 {
			diags.Warnf("never-applies", at, "since this is changed a line of rule %q can never apply: %s", c.Rule, c.Why).WithHint("take it away too, or replace it")
		}
		diags.Last().WithNote(c.Span, "this line")
	}
}

// blamed is the place in the last file that most likely takes away what others need: what it takes away or replaces, rules first.
func blamed(b *book.Book) source.Span {
	top := b.Top()
	var rules, rest []source.Span
	add := func(e *book.Entry, at source.Span) {
		if e.Key.Kind == "rule" {
			rules = append(rules, at)
		} else {
			rest = append(rest, at)
		}
	}
	for _, r := range b.Removed {
		if slices.Contains(top.File.Decls, r.By) {
			add(r.Entry, r.Span())
		}
	}
	for _, e := range b.Entries {
		if e.Layer == top && e.Replaced() != nil {
			add(e, e.NameSpan())
		}
	}
	return append(append(rules, rest...), top.File.Header.Span(top.File.Source))[0]
}

// between reports whether a character stands between names.
func between(c rune) bool { return c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) }

func senseOf(e *book.Entry, use *Usage, diags *diag.List) {
	k, name := e.Decl.Kind, e.NameSpan()
	if !use.exists[e] {
		diags.Warnf("never-there", name, "this holds in no setting of the options")
		return
	}
	unused := func(what string) {
		if !use.is(name, used) {
			diags.Warnf("unused", name, "%s %q is never used", what, e.Key.Name)
		}
	}
	switch {
	case k.Let != nil && e.Key.Name == "lead" && !use.is(name, used):
		unused("let")
		diags.Last().WithHint("studies ask for the lead of a player or team, as a number: let lead(player x) = …")
	case k.Let != nil && e.Key.Name != "mine":
		unused("let")
	case k.Var != nil && use.is(name, written) && !use.is(name, used):
		diags.Warnf("never-read", name, "variable %q is changed, but nothing looks at it", e.Key.Name)
	case k.Var != nil && use.is(name, used) && !use.is(name, written):
		diags.Warnf("never-changed", name, "variable %q is looked at, but nothing changes it", e.Key.Name).
			WithHint("change it where something happens, or write its value where it is looked at")
	case k.Var != nil && use.is(name, used) && use.whole && !use.is(name, together):
		diags.Warnf("never-changed", name, "variable %q is changed in settings where nothing looks at it, and looked at where nothing changes it", e.Key.Name)
	case k.Var != nil:
		unused("variable")
	case k.Option != nil:
		unused("option")
	case k.Act != nil:
		warnMisnamed(e, diags)
		if !use.is(name, done) {
			diags.Warnf("unused", name, "act %q is never done", e.Key.Name).WithHint("write where it happens: do %s(…)", e.Key.Name)
		}
	case k.Dice != nil:
		for _, n := range k.Dice.Names {
			switch span := n.Span(e.Decl.File); {
			case !use.is(span, used):
				diags.Warnf("unused", span, "die %q is never used", n.Text)
			case use.is(span, read) && !use.is(span, thrown):
				diags.Warnf("never-thrown", span, "die %q is looked at, but never thrown", n.Text).WithHint("add: throw %s", n.Text)
			case use.can&plays != 0 && use.is(span, thrown) && !use.is(span, read) && !use.is(span, minded):
				diags.Warnf("never-read", span, "die %q is thrown, but nothing looks at it", n.Text)
			}
		}
	case k.Seats != nil:
		if !use.is(name, used) {
			n, _ := k.Seats.Count.Value()
			diags.Warnf("never-there", name, "there are never %s here", plural(n, "player"))
		}
	case k.Move != nil:
		if !use.is(name, used) {
			diags.Warnf("unused", name, "no rule permits move %q", e.Key.Name).WithHint("add a clause: may %s(…)", e.Key.Name)
		}
	case k.Count != nil && k.Count.Event != nil:
		senseOfClause(k.Count.Span(e.Decl.File), e, use, diags)
	case k.Rule != nil:
		if len(k.Rule.Clauses) == 0 {
			diags.Warnf("empty-rule", name, "rule %q says nothing", e.Key.Name)
		}
		for _, d := range k.Rule.Clauses {
			senseOfClause(d.Span(e.Decl.File), e, use, diags)
		}
	}
}

func senseOfClause(span source.Span, e *book.Entry, use *Usage, diags *diag.List) {
	x := use.clauses[span]
	switch {
	case !use.is(span, possible):
		diags.Warnf("never-applies", span, "this can never apply: its condition is false in every setting")
	case x == nil:
	case x.Kind == model.ClauseStep || x.Kind == model.ClauseBeyond || x.Kind == model.ClauseEnd:
		if use.can&walks == 0 {
			diags.Warnf("never-applies", span, "this can never apply: no move that is offered walks")
		}
	case x.Kind != model.ClauseMay && x.Move != nil && !use.is(x.Move.Span, used):
		if x.Move.Span.File != e.Decl.File { // otherwise the move itself is reported
			diags.Warnf("never-applies", span, "this can never apply: no rule permits move %q", x.Move.Name)
		}
	case x.Act != nil && !use.is(x.Act.Span, done):
		if x.Act.Span.File != e.Decl.File {
			diags.Warnf("never-applies", span, "this can never apply: act %q is never done", x.Act.Name)
		}
	case x.Kind == model.ClauseOn:
		if why := use.never(x); why != "" {
			diags.Warnf("never-applies", span, "this can never apply: %s", why)
		}
	}
}

// never says why the event of a reaction cannot happen, "" if it can.
func (u *Usage) never(x *model.Clause) string {
	switch x.Event {
	case model.EventThrow:
		for _, d := range x.Dice {
			if !u.is(d.Span, thrown) && !u.is(d.Span, read) {
				return "die \"" + d.Name + "\" is never thrown"
			}
		}
	case model.EventStep, model.EventPass, model.EventTurned:
		if u.can&walks == 0 {
			return "no move that is offered walks"
		}
		if x.Event == model.EventTurned && u.can&turns == 0 {
			return "no verdict lets a walk turn"
		}
	case model.EventRank:
		if u.can&ranks == 0 {
			return "no player is ever ranked"
		}
	case model.EventDrop:
		if u.can&drops == 0 {
			return "no player is ever dropped"
		}
	}
	return ""
}

// warnEqualSets warns of set lines that do not change the value.
func warnEqualSets(b *book.Book, diags *diag.List) {
	value := map[string]string{}
	for _, e := range b.Entries {
		if o := e.Decl.Kind.Option; o != nil && o.Value != nil {
			value[o.Name.Text] = literalText(o.Value)
		}
	}
	for _, s := range b.Sets {
		d := s.Decl.Set
		was, is := value[d.Name.Text], literalText(d.Value)
		if was == is && d.Values == nil && s.Layer == b.Top() {
			diags.Warnf("no-effect", d.Span(s.Decl.File), "option %q is %s already", d.Name.Text, is)
		}
		value[d.Name.Text] = is
	}
}

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
		text := d.Test.Span(d.File).Text()
		text = strings.Join(strings.Fields(text[strings.Index(text, "{")+1:]), " ")
		if other := does[text]; other != nil && other.Test.Name.String() != name {
			diags.Warnf("same-test", d.Test.Name.Span(d.File), "test %q does the same", other.Test.Name.String()).
				WithNote(other.Test.Name.Span(other.File), "the other one")
		}
		does[text] = d
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
