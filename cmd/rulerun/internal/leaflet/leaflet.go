// Package leaflet makes a sheet of a rule book, to read and to print: what there is, the rules in words, and examples drawn from their
// tests.
//
// A sheet is data; HTML and Markdown write it. All is made from the rules, their words and tests, the written clauses beside them and the
// board, in the language of the book, so nothing is written twice. What belongs where is found from the kinds of clauses. Note: the texts of the sheet itself are in package locale, those of rules in the catalogues beside the rule files.
package leaflet

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/dsl"
	"github.com/rulerun/rulerun/dsl/difference"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/pattern"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Sheet is a leaflet.
type Sheet struct {
	Lang     string
	Title    string
	Subtitle string // of a house rule: what it changes
	Board    *boards.Board
	Names    []Fact // what is on the board
	Facts    []Fact // what there is
	Sections []Section

	text *locale.Locale
}

// Fact is something with what it is.
type Fact struct {
	Term, Text string
	Cites      []string
	Changed    bool // it is not the usual one
}

// Section is rules that belong together.
type Section struct {
	ID, Title string
	Lines     []string // sentences without a rule
	Written   []Written
	Entries   []Entry
	Examples  []*Example // of what is no rule
}

// Mark says how a rule of a house rule stands to what it builds on.
type Mark string

// The marks.
const (
	Same    Mark = ""
	Added   Mark = "new"
	Changed Mark = "changed"
	Gone    Mark = "gone"
)

// Entry is a rule.
type Entry struct {
	Name    string
	Words   string
	Was     string // what it said before, where a house rule changes that
	Mark    Mark
	Cites   []string
	Facts   []Fact    // numbers as the options stand
	Written []Written // clauses in words
	Example *Example
}

// Written is a clause of the written rule book.
type Written struct {
	ID, Text, Settled string
	Now               []Fact // the options of its rules that are other than where the clause was written
}

// Options choose a leaflet.
type Options struct {
	Setting dsl.Setting
	Base    *dsl.Book // what a house rule changes; nil for the leaflet of a whole rule book
	Lang    string
}

// maker is a sheet being made.
type maker struct {
	*locale.Locale
	book     *dsl.Book
	rules    *model.Rules
	options  Options
	declared []dsl.Declared
	written  map[string]dsl.Clause
	stage    *boards.Stage
	values   map[*model.Local]*model.Expr // of lets in blocks
}

// Make makes the leaflet of a rule book.
func Make(book *dsl.Book, o Options) (*Sheet, error) {
	m := &maker{Locale: locale.For(o.Lang), options: o, book: book.In(o.Lang), values: map[*model.Local]*model.Expr{}}
	rules, faults := m.book.Rules(o.Setting)
	if rules == nil {
		return nil, errors.New(faults[0].Message)
	}
	m.rules, m.declared, m.written, m.stage = rules, m.book.Declared(), m.book.WrittenClauses(), rules.Board.Stage()
	s := &Sheet{Lang: cmp.Or(m.Lang, "en"), Title: rules.Title, Board: rules.Board, text: m.Locale}
	if o.Base != nil {
		return s, m.change(s)
	}
	s.Names, s.Facts = m.names(), m.facts()
	found, err := m.examples(rules.Rules)
	if err != nil {
		return nil, err
	}
	begins, err := m.begins()
	if err != nil {
		return nil, err
	}
	s.Sections = m.sections(rules.Rules, found, begins)
	return s, nil
}

// The sections of rules, in the order of the sheet.
const (
	setting = iota
	turning
	moving
	happening
	ending
	sections
)

var sectionIDs = [sections]string{"setting", "turn", "moving", "happening", "ending"}

// sectionOf is where a rule belongs, by the kinds of its clauses.
func sectionOf(r *model.Rule) int {
	has := func(f func(*model.Clause) bool) bool { return slices.ContainsFunc(r.Clauses, f) }
	of := func(kinds ...model.ClauseKind) func(*model.Clause) bool {
		return func(x *model.Clause) bool { return slices.Contains(kinds, x.Kind) }
	}
	turn := func(x *model.Clause) bool {
		return x.Kind == model.ClauseOn &&
			slices.Contains([]model.EventKind{model.EventThrow, model.EventStuck, model.EventTurnBegins, model.EventTurnEnds}, x.Event)
	}
	switch {
	case has(of(model.ClauseEnding)):
		return ending
	case has(of(model.ClauseMay, model.ClauseMust, model.ClauseNever, model.ClauseStep, model.ClauseBeyond, model.ClauseEnd)):
		return moving
	case has(turn):
		return turning
	}
	return happening
}

// sections are the sections with some rules.
func (m *maker) sections(rules []*model.Rule, found *examples, begins []string) []Section {
	whole := m.options.Base == nil
	list := seq.Map(sectionIDs[:], func(id string) Section { return Section{ID: id, Title: m.Say("leaflet.section." + id)} })
	if whole {
		list[setting].Lines, list[turning].Lines = begins, m.turn()
		list[setting].Written = m.clauses(m.unruled(func(kind string) bool { return kind != "turn" && kind != "step" }))
		ids := m.unruled(func(kind string) bool { return kind == "turn" || kind == "step" })
		list[turning].Written = m.clauses(ids)
		list[turning].Examples = found.citing(ids, 2)
	}
	for _, r := range rules {
		d := m.declaration("rule", r.Name)
		e := Entry{Name: r.Name, Words: r.Words, Cites: d.Cites, Facts: m.numbers(r, d), Example: found.of[r.Name]}
		slices.Sort(e.Cites)
		e.Cites = slices.Compact(e.Cites)
		e.Written = m.clauses(e.Cites)
		e.Written = slices.DeleteFunc(e.Written, func(w Written) bool { return m.shareOf(w.ID) != r.Name })
		at := sectionOf(r)
		list[at].Entries = append(list[at].Entries, e)
	}
	return slices.DeleteFunc(list, func(s Section) bool { return len(s.Lines)+len(s.Written)+len(s.Entries) == 0 })
}

func (m *maker) declaration(kind, name string) dsl.Declared {
	return seq.First(m.declared, func(d dsl.Declared) bool { return d.Kind == kind && d.Name == name })
}

// shareOf is the rule beside which a clause is printed: of those that cite it the one that cites fewest. A clause that no rule in force
// cites has none.
func (m *maker) shareOf(id string) string {
	best, fewest := "", 0
	for _, r := range m.rules.Rules {
		if cites := m.declaration("rule", r.Name).Cites; slices.Contains(cites, id) && (best == "" || len(cites) < fewest) {
			best, fewest = r.Name, len(cites)
		}
	}
	return best
}

// unruled lists the clause ids of declarations other than rules, by their kinds.
func (m *maker) unruled(keep func(kind string) bool) []string {
	var out []string
	for _, d := range m.declared {
		if d.Kind == "rule" || d.Kind == "act" || d.Kind == "count" || !keep(d.Kind) {
			continue
		}
		for _, id := range d.Cites {
			if !slices.Contains(out, id) && m.shareOf(id) == "" {
				out = append(out, id)
			}
		}
	}
	return out
}

func (m *maker) clauses(ids []string) []Written {
	var out []Written
	for _, id := range slices.Sorted(slices.Values(ids)) {
		if c, ok := m.written[id]; ok && !m.off(id) {
			out = append(out, Written{id, c.Text, c.Settled, m.now(&c)})
		}
	}
	return out
}

// off reports whether a clause is of a variant that is not played: the options that cite it are flags, and none of them is set.
func (m *maker) off(id string) bool {
	found := false
	for i, o := range m.rules.Options {
		if !slices.Contains(m.declaration("option", o.Name).Cites, id) {
			continue
		}
		if found = m.book.Options()[i].Kind == model.Flag && o.Value == "false"; !found {
			return false
		}
	}
	return found
}

// now are the options that concern a clause, where they are not as in the rule book of the clause: it may say the usual number.
func (m *maker) now(c *dsl.Clause) []Fact {
	stem := func(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }
	var out []Fact
	for i, o := range m.book.Options() {
		set := !o.Set.IsZero() && stem(o.Set.Name()) != stem(c.Span.Name())
		if now := m.rules.Options[i]; (set || !now.Default) && m.concerns(&o, c) {
			out = append(out, Fact{Term: cmp.Or(o.Words, plain(o.Name)), Text: m.value(&o, now.Value)})
		}
	}
	return out
}

// concerns reports whether a clause speaks of an option: one that cites clauses says of which. Another one is in a rule that cites the
// clause, which says the usual number if the option is a number.
func (m *maker) concerns(o *model.Option, c *dsl.Clause) bool {
	if cites := m.declaration("option", o.Name).Cites; len(cites) > 0 {
		return slices.Contains(cites, c.ID)
	}
	if _, err := strconv.Atoi(o.Declared); err == nil && !slices.Contains(digits().FindAllString(c.Text+" "+c.Settled, -1), o.Declared) {
		return false
	}
	return slices.ContainsFunc(m.rules.Rules, func(r *model.Rule) bool {
		d := m.declaration("rule", r.Name)
		return slices.Contains(d.Cites, c.ID) && slices.Contains(d.Options, o.Name)
	})
}

// digits are the numbers of a text.
var digits = pattern.Of(`-?\d+`)

// numbers are the numbers of a rule: the options it depends on, or what it earns.
func (m *maker) numbers(r *model.Rule, d dsl.Declared) []Fact {
	var out []Fact
	for _, name := range d.Options {
		if f, ok := m.option(name); ok && m.options.Base == nil { // of a house rule, options that differ stand first
			out = append(out, f)
		}
	}
	if len(out) > 0 {
		return out
	}
	seen := map[int]bool{}
	for _, x := range r.Clauses {
		for s := range x.Block.All() {
			if s.Kind == model.StmtEarn && s.Value.Op == model.OpConst && !seen[s.Value.Int] {
				seen[s.Value.Int] = true
				out = append(out, Fact{Term: m.Say("leaflet.earns"), Text: strconv.Itoa(s.Value.Int)})
			}
		}
	}
	return out
}

// option is an option as it stands.
func (m *maker) option(name string) (Fact, bool) {
	all := m.book.Options()
	for i, o := range m.rules.Options {
		if o.Name != name || i >= len(all) {
			continue
		}
		f := Fact{Term: cmp.Or(all[i].Words, plain(name)), Text: m.value(&all[i], o.Value)}
		if !o.Default {
			f.Changed = true
			f.Text = m.Say("leaflet.usually", "text", f.Text, "value", m.value(&all[i], all[i].Default))
		}
		return f, true
	}
	return Fact{}, false
}

// value is a value of an option in words.
func (m *maker) value(o *model.Option, v string) string {
	if o.Kind == model.Flag {
		return m.Say("leaflet.flag." + v)
	}
	if i := slices.Index(o.Values, v); i >= 0 && i < len(o.Said) {
		v = o.Said[i]
	}
	return plain(v)
}

// plain is a name in words.
func plain(name string) string { return strings.ReplaceAll(name, "_", " ") }

// change makes the sheet of a house rule: what differs from the book it changes.
func (m *maker) change(s *Sheet) error {
	base := m.options.Base.In(m.Lang)
	d, faults := dsl.Compare(base, dsl.Setting{}, m.book, m.options.Setting)
	if d == nil {
		return errors.New(faults[0].Message)
	}
	before, _ := base.Rules(dsl.Setting{Players: m.options.Setting.Players})
	if before == nil {
		if before, faults = base.Rules(dsl.Setting{}); before == nil { // it is not for so many players
			return errors.New(faults[0].Message)
		}
	}
	s.Subtitle = m.Say("leaflet.changes", "title", strings.Join(append([]string{before.Title}, before.ChangeTitles...), "; "))
	known := func(title string) bool { return slices.Contains(before.ChangeTitles, title) }
	if titles := slices.DeleteFunc(slices.Clone(m.rules.ChangeTitles), known); len(titles) > 0 {
		s.Title = strings.Join(titles, "; ")
	}
	differs := map[string]difference.What{}
	var other []Fact
	for _, x := range d.Changes {
		if x.Kind == "rule" {
			differs[x.Name] = x.What
			continue
		}
		f, ok := m.otherChange(&x, before)
		if ok && !slices.ContainsFunc(other, func(o Fact) bool { return o.Term == f.Term && o.Text == f.Text }) {
			other = append(other, f)
		}
	}
	s.Facts = other
	rules := seq.Filter(m.rules.Rules, func(r *model.Rule) bool { _, ok := differs[r.Name]; return ok })
	found, err := m.examples(rules)
	if err != nil {
		return err
	}
	s.Sections = m.sections(rules, found, nil)
	inCode := func(f Fact) bool { return strings.HasPrefix(f.Text, "`") }
	if len(rules)+len(found.all) > 0 || slices.ContainsFunc(other, func(f Fact) bool { return !inCode(f) }) { // else nothing says what changes
		s.Facts = slices.DeleteFunc(other, inCode)
	}
	for _, x := range s.Sections {
		for i := range x.Entries {
			e := &x.Entries[i]
			e.Mark = Changed
			if was := ruleWords(before.Rules, e.Name); was == "" {
				e.Mark = Added
			} else if was != e.Words {
				e.Was = was
			}
		}
	}
	gone := Section{ID: "gone", Title: m.Say("leaflet.section.gone")}
	for _, r := range before.Rules {
		if what, ok := differs[r.Name]; ok && what == difference.Gone {
			gone.Entries = append(gone.Entries, Entry{Name: r.Name, Words: r.Words, Mark: Gone, Cites: r.Cites})
		}
	}
	if len(gone.Entries) > 0 {
		s.Sections = append(s.Sections, gone)
	}
	if slices.ContainsFunc(d.Changes, func(x difference.Change) bool { return x.Section == difference.Turn }) {
		turn := Section{ID: "turn", Title: m.Say("leaflet.section.turn"), Lines: m.turn()}
		if i := slices.IndexFunc(s.Sections, func(s Section) bool { return s.ID == "turn" }); i >= 0 {
			s.Sections[i].Lines = turn.Lines
		} else {
			s.Sections = slices.Insert(s.Sections, 0, turn)
		}
	}
	more := found.take(max(0, fewExamples-len(found.of)), func(*example) bool { return true })
	if i := slices.IndexFunc(s.Sections, func(s Section) bool { return s.ID == "turn" }); i >= 0 {
		s.Sections[i].Examples = more
	} else if len(more) > 0 {
		s.Sections = append(s.Sections, Section{ID: "examples", Title: m.Say("leaflet.section.examples"), Examples: more})
	}
	return nil
}

// fewExamples is how many examples the sheet of a house rule has where its rules have no more: they fit one page.
const fewExamples = 2

// otherChange is a change that is no rule; not of what people at a table do not meet.
func (m *maker) otherChange(x *difference.Change, before *model.Rules) (Fact, bool) {
	kept := seq.Filter(x.Lines, func(l difference.Line) bool { return l.Mark != '-' })
	code := seq.Map(kept, func(l difference.Line) string { return strings.TrimSpace(l.Text) })
	coded := func(name string) (Fact, bool) {
		f := Fact{Term: m.Say("leaflet.declared."+x.Section.String(), "name", name), Text: "`" + strings.Join(code, " ") + "`", Changed: true}
		if x.What == difference.Gone {
			f.Text = m.Say("leaflet.mark.gone")
		}
		return f, x.What != difference.Added
	}
	switch x.Section {
	case difference.Options:
		f, ok := m.option(x.Name)
		f.Changed = true
		if i := slices.IndexFunc(before.Options, func(o model.OptionValue) bool { return o.Name == x.Name }); ok && i >= 0 {
			all := m.book.Options()
			o := slices.IndexFunc(all, func(o model.Option) bool { return o.Name == x.Name })
			f.Text = m.Say("leaflet.before_it", "text", m.value(&all[o], m.rules.Options[o].Value), "value", m.value(&all[o], before.Options[i].Value))
		}
		return f, ok
	case difference.Players, difference.Dice:
		term := m.Say("leaflet.declared.players")
		switch {
		case x.Section == difference.Dice:
			term = m.named("die", x.Name)
		case x.Kind == "first" || x.Kind == "pieces":
			term = m.Say("leaflet.declared." + x.Kind)
		}
		for _, f := range m.facts() {
			if f.Term == term {
				f.Changed = true
				return f, true
			}
		}
	case difference.Board:
		return Fact{Term: m.Say("leaflet.declared.board"), Text: m.rules.Board.Title, Changed: true}, true
	case difference.Variables:
		f := m.begin(x.Name)
		f.Changed = true
		if f.Text != "" && x.What != difference.Gone {
			return f, true
		}
		return coded(cmp.Or(m.varWords(x.Name), plain(x.Name)))
	case difference.Lets:
		f, ok := coded(m.named("let", x.Name))
		for s := range m.rules.Turn.All() {
			if e := s.Value; e != nil && e.Op == model.OpCall && e.Let.Name == x.Name {
				f.Text = m.expr(e)
			}
		}
		return f, ok
	case difference.Moves:
		return coded(m.named("move", x.Name))
	case difference.Acts:
		if i := slices.IndexFunc(m.rules.Acts, func(a *model.Act) bool { return a.Name == x.Name }); i >= 0 && m.rules.Acts[i].Words != "" {
			return Fact{Term: m.Say("leaflet.declared.acts"), Text: m.rules.Acts[i].Any(m.Say("any.piece"), m.Say("any.player")), Changed: true}, x.What == difference.Changed
		}
	}
	return Fact{}, false
}
