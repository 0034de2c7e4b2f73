package check

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/internal/sense"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/dsl/syntax"
)

// Usage records, over all settings, which declarations are used and which clauses are possible.
type Usage struct {
	marks   map[source.Span]mark // of declarations, by the span of their name, and of clauses
	exists  map[*book.Entry]bool
	held    map[*syntax.Expr]truth // of conditions over options
	sides   map[source.Span]truth  // of sides of && and || that options decide
	clauses map[source.Span]*model.Clause

	whole bool // every setting has been looked at

	can   can         // what the rules of some setting do
	earns source.Span // the first statement that earns
	over  source.Span // the first ending that names no side
}

// truth says how a condition over options comes out: a set, one bit for false and one for true, and one where more than options decide.
type truth uint8

const (
	fails truth = 1 << iota // in some setting
	holds
	varies
)

// mark is what is known of a declaration or a clause: a set.
type mark uint16

const (
	used     mark = 1 << iota
	written       // a variable that is assigned
	read          // a die that is read
	thrown        // a die that is thrown, a reaction to several dice that are thrown together
	minded        // a die whose throw decides who begins
	done          // an act that is done
	asked         // a variable but a flag that a clause, a statement or a move of the rules asks for
	possible      // a clause whose condition can hold
	together      // a variable that one setting both assigns and looks at
	ofTeam        // a win of a player, see noteWin
	ruled         // what something outside the tests uses
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
	several  // more than one side plays
	shuffles // turns go otherwise from colour to colour than from player to player
)

// NewUsage returns an empty record.
func NewUsage() *Usage {
	return &Usage{marks: map[source.Span]mark{}, exists: map[*book.Entry]bool{}, held: map[*syntax.Expr]truth{}, sides: map[source.Span]truth{}, clauses: map[source.Span]*model.Clause{}}
}

// is reports whether a declaration or a clause has a mark.
func (u *Usage) is(at source.Span, m mark) bool { return u.marks[at]&m != 0 }

func (u *Usage) mark(at source.Span, m mark) { u.marks[at] |= m }

// merge adds the contents of the record of one setting, or of a test.
func (u *Usage) merge(o *Usage, test bool) {
	for at, m := range o.marks {
		if m&used != 0 && !test {
			m |= ruled
		}
		if m&written != 0 && m&used != 0 {
			m |= together
		}
		u.mark(at, m)
	}
	maps.Copy(u.exists, o.exists)
	for e, t := range o.held {
		u.held[e] |= t
	}
	for at, t := range o.sides {
		u.sides[at] |= t
	}
	for span, x := range o.clauses {
		u.clauses[span] = cmp.Or(u.clauses[span], x)
	}
	u.can |= o.can
	u.earns, u.over = cmp.Or(u.earns, o.earns), cmp.Or(u.over, o.over)
}

// gather records what the rules of one setting can do.
func (u *Usage) gather(r *model.Rules) {
	var throws [][]*model.Die
	block := func(b *model.Block) {
		for s := range b.All() {
			u.asks(s.Reads()...)
			switch s.Kind {
			case model.StmtThrow:
				throws = append(throws, s.Dice)
				for _, d := range s.Dice {
					u.mark(d.Span, thrown)
				}
			case model.StmtPlay:
				if u.can |= plays; s.Play == model.PlayEarned {
					u.can |= playsEarned
				}
			case model.StmtEarn:
				u.earns = cmp.Or(u.earns, s.Span)
			case model.StmtDo:
				u.mark(s.Act.Span, done)
			case model.StmtFinish:
				u.finishes(s.Ending, s.Span)
			}
		}
	}
	if len(r.Teams) > 1 {
		u.can |= several
	}
	if slices.ContainsFunc(r.Colours, func(c model.ColourInUse) bool {
		return r.Colours[c.Seat].Seat != c.Seat || len(r.Seats[c.Seat].Colours) > 1
	}) {
		u.can |= shuffles
	}
	for _, d := range r.First.Dice {
		u.mark(d.Span, minded)
	}
	for _, m := range r.Moves {
		u.asks(m.Exprs()...)
	}
	block(r.Setup)
	block(r.Turn)
	for _, a := range r.Acts {
		block(a.Block)
	}
	for x := range r.WithCounts() {
		u.clauses[x.Span] = x
	}
	for x := range r.Clauses() {
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
			u.noteWin(r, x)
		}
	}
	for x := range r.Clauses() {
		all := func(dice []*model.Die) bool {
			return !slices.ContainsFunc(x.Dice, func(d *model.Die) bool { return !slices.Contains(dice, d) })
		}
		if len(x.Dice) > 1 && slices.ContainsFunc(throws, all) {
			u.mark(x.Span, thrown)
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
	u.over = cmp.Or(u.over, at)
}

// warnUnused warns of declarations of the last file that have no effect in any setting, and of missing ones.
func warnUnused(t *typing, diags *diag.List) {
	b, use := t.book, t.use
	top := b.Top()
	said := map[*syntax.Expr]bool{}
	for _, e := range b.Entries {
		if e.Layer == top && (use.exists[e] || t.combinesAll(e)) {
			senseOf(e, use, diags)
		}
		for _, c := range e.If {
			asks := func(option string) bool { return slices.Contains(wordsIn(c.Expr.Span(c.File).Text()), option) }
			if c.File == top.File.Source && use.held[c.Expr] == holds && !said[c.Expr] && slices.ContainsFunc(OptionNames(b), asks) && t.combinesAll(e) {
				said[c.Expr] = true
				diags.Warnf("always-same", c.Expr.Span(c.File), "this holds in every setting of the options")
			}
		}
	}
	for _, d := range top.File.Decls {
		if w := d.Without; w != nil && w.If != nil && use.held[w.If] == fails {
			diags.Warnf("never-there", w.If.Span(d.File), "this holds in no setting of the options: nothing is taken away")
		}
	}
	warnSides(t, diags)
	warnLeftOptions(b, use, diags)
	warnLeftVariables(b, use, diags)
	warnLeftDice(b, use, diags)
	warnWritten(b, use, diags)
	warnEqualSets(b, diags)
	warnUnasked(b, diags)
	warnUndone(b, diags)
	warnTeamWins(b, use, diags)
	warnTests(b, diags)
	if top.Tests {
		return
	}
	for _, e := range b.Entries {
		if turns := e.Decl.Kind.Turns; turns != nil && turns.To == nil && e.Layer == top && use.can&shuffles == 0 {
			diags.Warnf("no-effect", declSpan(e), "each player has one colour: from colour to colour is from player to player").
				WithHint("seats say which colours a player has: seats 2 { red green | blue yellow }")
		}
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
	top, removed, replacing := b.Top(), removals(b), replacements(b)
	for _, e := range b.Entries {
		if e.Key.Kind != "option" || e.Layer == top || use.is(e.NameSpan(), used) {
			continue
		}
		looks := func(o *book.Entry) bool {
			return slices.Contains(source.Words(o.Decl.Span(o.Decl.File).Text()), e.Key.Name)
		}
		i := slices.IndexFunc(removed, func(r *book.Removal) bool { return looks(r.Entry) })
		j := slices.IndexFunc(replacing, func(o *book.Entry) bool { return looks(o.Replaced()) })
		set := slices.ContainsFunc(b.Sets, func(s *book.SetEntry) bool { return s.Layer == top && s.Decl.Set.Name.Text == e.Key.Name })
		switch {
		case i >= 0:
			diags.Warnf("unused", removed[i].Span(), "nothing looks at option %q any more: %s did", e.Key.Name, removed[i].Entry.Key)
		case len(removed) > 0:
			diags.Warnf("unused", blamed(b), "since this is changed nothing looks at option %q any more", e.Key.Name)
		case j >= 0 && !(top.Change && set):
			d := diags.Warnf("unused", replacing[j].NameSpan(), "nothing looks at option %q any more: what this replaces did", e.Key.Name)
			if top.Change { // it may be combined with one that looks at it
				d.Get().Severity = diag.Info
			}
		default:
			for _, s := range b.Sets {
				d := s.Decl.Set
				switch {
				case d.Name.Text != e.Key.Name:
				case s.Layer == top:
					diags.Warnf("unused", d.Span(s.Decl.File), "nothing looks at option %q any more, since what did is replaced", e.Key.Name)
				case s.Layer.Named.File == top.File.Source && onlySets(b, s.Layer, use):
					diags.Warnf("unused", s.Layer.Named, "this changes nothing here: it sets option %q, and nothing looks at that any more", e.Key.Name)
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

// onlySets reports whether all that a file does is to set options that nothing looks at.
func onlySets(b *book.Book, l *book.Layer, use *Usage) bool {
	unused := func(d *syntax.Decl) bool {
		return d.Set != nil && slices.ContainsFunc(b.Entries, func(e *book.Entry) bool {
			return e.Key.Kind == "option" && e.Key.Name == d.Set.Name.Text && !use.is(e.NameSpan(), used)
		})
	}
	return l.Change && !slices.ContainsFunc(l.File.Decls, func(d *syntax.Decl) bool { return d.Test == nil && !unused(d) })
}

// warnLeftVariables warns of variables of other files that are looked at, and that nothing changes since the last file replaces what did.
// A flag that stays as it is may be the care of a line for what another rule does.
func warnLeftVariables(b *book.Book, use *Usage, diags *diag.List) {
	for _, e := range b.Entries {
		if e.Decl.Kind.Var == nil || e.Layer == b.Top() || !use.is(e.NameSpan(), asked) || use.is(e.NameSpan(), written) {
			continue
		}
		var at source.Span
		for _, o := range replacements(b) {
			if len(assignments(o.Replaced(), e.Key.Name)) > 0 {
				at = o.NameSpan()
			}
		}
		if !at.IsZero() {
			diags.Warnf("never-changed", at, "since this is changed nothing changes variable %q any more, and other lines look at it", e.Key.Name).
				WithHint("change it here too, or take away what looks at it")
		}
	}
}

// assignments are the places of a declaration at which a variable is assigned.
func assignments(e *book.Entry, variable string) (out []source.Span) {
	for t := range syntax.All[*syntax.Target](e.Decl) {
		if t.Names[len(t.Names)-1].Text == variable {
			out = append(out, t.Span(e.Decl.File))
		}
	}
	return out
}

// warnWritten warns of lines of the last file that change a variable of another one, and nothing looks at it.
func warnWritten(b *book.Book, use *Usage, diags *diag.List) {
	for _, e := range b.Entries {
		if e.Decl.Kind.Var == nil || e.Layer == b.Top() || !use.is(e.NameSpan(), written) || use.is(e.NameSpan(), used) {
			continue
		}
		for _, o := range b.Entries {
			if o.Layer != b.Top() || o.Decl.Kind.Var != nil {
				continue
			}
			for _, at := range assignments(o, e.Key.Name) {
				diags.Infof("never-read", at, "variable %q is changed, but nothing looks at it", e.Key.Name).
					WithNote(e.NameSpan(), "the variable is this one") // a change it is combined with may look
			}
		}
	}
}

// unread reports whether a die is thrown, and nothing looks at its number.
func (u *Usage) unread(at source.Span) bool {
	return u.can&plays != 0 && u.is(at, thrown) && !u.is(at, read) && !u.is(at, minded)
}

// warnLeftDice warns of dice of other files that are thrown, and that nothing looks at: where the last file throws them, or changes what
// looked at them.
func warnLeftDice(b *book.Book, use *Usage, diags *diag.List) {
	top := b.Top()
	for _, e := range b.Entries {
		if e.Decl.Kind.Dice == nil || e.Layer == top {
			continue
		}
		for _, n := range e.Decl.Kind.Dice.Names {
			if !use.unread(n.Span(e.Decl.File)) {
				continue
			}
			looks := func(o *book.Entry) bool {
				return seq.Any(syntax.All[*syntax.Expr](o.Decl), func(x *syntax.Expr) bool {
					return slices.Contains(source.Words(x.Span(o.Decl.File).Text()), n.Text)
				})
			}
			var throws, changes source.Span
			for _, d := range top.File.Decls {
				for t := range syntax.All[*syntax.Throw](d) {
					if slices.ContainsFunc(t.Names, func(o *syntax.Name) bool { return o.Text == n.Text }) {
						throws = t.Span(d.File)
					}
				}
			}
			for _, o := range replacements(b) {
				if looks(o.Replaced()) {
					changes = o.NameSpan()
				}
			}
			for _, r := range removals(b) {
				if looks(r.Entry) {
					changes = r.Span()
				}
			}
			switch {
			case !throws.IsZero():
				diags.Warnf("never-read", throws, "die %q is thrown, but nothing looks at it", n.Text)
			case !changes.IsZero():
				diags.Warnf("never-read", changes, "since this is changed nothing looks at die %q any more, which is still thrown", n.Text)
			}
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
	var rules, rest []source.Span
	add := func(e *book.Entry, at source.Span) {
		if e.Key.Kind == "rule" {
			rules = append(rules, at)
		} else {
			rest = append(rest, at)
		}
	}
	for _, r := range removals(b) {
		add(r.Entry, r.Span())
	}
	for _, e := range replacements(b) {
		add(e, e.NameSpan())
	}
	top := b.Top().File
	return append(append(rules, rest...), top.Header.Span(top.Source))[0]
}

// removals are what the last file takes away.
func removals(b *book.Book) []*book.Removal {
	return seq.Filter(b.Removed, func(r *book.Removal) bool { return slices.Contains(b.Top().File.Decls, r.By) })
}

// warnSides warns of sides of && and || over options of the file that come out the same with all their values.
func warnSides(t *typing, diags *diag.List) {
	_, values := tried(t.probe.options, t.book)
	for _, at := range slices.SortedFunc(maps.Keys(t.use.sides), func(a, b source.Span) int { return cmp.Compare(a.Start, b.Start) }) {
		asked := wordsIn(at.Text())
		own := slices.ContainsFunc(t.book.Entries, func(e *book.Entry) bool {
			return e.Key.Kind == "option" && e.Layer == t.book.Top() && slices.Contains(asked, e.Key.Name)
		})
		if holds := t.use.sides[at] == holds; own && holds && at.File == t.book.Top().File.Source && t.combines(optionsIn(t.book, asked, values)) {
			diags.Warnf("always-same", at, "this holds in every setting of the options")
		}
	}
}

// replacements are the entries of the last file that replace others.
func replacements(b *book.Book) []*book.Entry {
	return seq.Filter(b.Entries, func(e *book.Entry) bool { return e.Layer == b.Top() && e.Replaced() != nil })
}

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
	case k.Var != nil && use.whole && use.is(name, used) && !use.is(name, ruled):
		diags.Warnf("never-read", name, "variable %q is changed, but only tests look at it", e.Key.Name)
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
	case k.Teams != nil:
		together := func(side *syntax.Side) bool { return len(side.Colours) > 1 }
		if e.Replaced() == nil && !slices.ContainsFunc(k.Teams.Sides, together) {
			diags.Warnf("no-effect", k.Teams.Span(e.Decl.File), "this puts no two together: each player is a team of one without it, too").
				WithHint("those who play together stand side by side: { red yellow | blue green }")
		}
	case k.Dice != nil:
		for _, n := range k.Dice.Names {
			switch span := n.Span(e.Decl.File); {
			case !use.is(span, used):
				diags.Warnf("unused", span, "die %q is never used", n.Text)
			case use.is(span, read) && !use.is(span, thrown):
				diags.Warnf("never-thrown", span, "die %q is looked at, but never thrown", n.Text).WithHint("add: throw %s", n.Text)
			case use.unread(span):
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
		if len(x.Dice) > 1 && !u.is(x.Span, thrown) {
			return "no throw has all of these dice: those thrown one after the other are throws of their own"
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
