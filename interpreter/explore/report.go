package explore

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// kind is the kind of a finding.
type kind uint8

const (
	fault kind = iota
	turnWithoutEnd
	gameWithoutEnd
	refusedPosition
	stuckInPlace
	idle
	dutiesClash
)

// How much must be played before the absence of an event is reported.
const (
	enoughThrows = 20_000 // in settings that contain the clause
	enoughPlays  = 100
	enoughLost   = 3 // plays in which a duty was not met
)

// report reports the observations of the plays collected.
func (x *explorer) report(plays int) *Report {
	r := &Report{Plays: plays, Throws: x.thrown, Settings: len(x.plays), Endless: plays > 0 && x.endless == plays}
	best := maps.Clone(x.found[true])
	maps.Copy(best, x.found[false]) // an occurrence from the beginning has priority over one from an odd position
	for n, c := range x.clauses {
		k := key{dutiesClash, c.Span}
		if best[k] != nil && (x.o.Brief || x.fired[n] || x.lost[n] < enoughLost) {
			delete(best, k)
		}
	}
	for _, m := range x.missing() {
		if best[key{dutiesClash, m.Span}] != nil || x.few && x.tested()[m.Note] {
			continue
		}
		r.Silent = append(r.Silent, m.Span)
		if m.enough() && !x.tested()[m.Note] {
			r.Findings = append(r.Findings, m.finding())
		}
	}
	for _, at := range clausesOf(x.groups) { // other settings than those played have it
		if _, played := x.numbers[at]; x.o.Brief && !played && !(x.few && x.tested()[interpreter.Note{Kind: interpreter.ClauseFired, Span: at}]) {
			r.Silent = append(r.Silent, at)
		}
	}
	stuck := x.o.Brief && seq.Any(maps.Keys(best), func(k key) bool { return k.kind == stuckInPlace })
	for _, s := range best {
		if x.o.Enough && s.odd && s.kind != dutiesClash || stuck && s.kind == idle { // where no player can move, it is not said of each
			continue
		}
		if f := s.finding(x); !(s.odd && s.kind != dutiesClash && f.Witness != nil && len(f.Witness.Vars) > 0) {
			r.Findings = append(r.Findings, f)
		}
	}
	if first := x.arenas[0]; !x.o.Enough && x.plays[first] > 0 && !x.later && first.game.Players() > 1 && first.endsAtOnce(x.o.Seed) {
		d := diag.Diagnostic{Severity: diag.Warning, Code: "ends-at-once", Span: first.ends(x.header), Message: "every game that was tried ended in its first turn"}
		r.Findings = append(r.Findings, Finding{Diagnostic: d})
	}
	slices.SortFunc(r.Findings, func(a, b Finding) int { return diag.Compare(a.Diagnostic, b.Diagnostic) })
	return r
}

// missing is something of the last file that has not taken effect, and how much was played in the settings that have it.
type missing struct {
	interpreter.Note
	message       string
	plays, throws int
}

// missing lists what of the last file has not taken effect: clauses, and of acts, lets, steps and clauses the first part that was never
// executed, or never held, although what it stands in was.
func (x *explorer) missing() []missing {
	var out []missing
	add := func(n interpreter.Note, message string, has func(a *arena) bool) {
		m := missing{Note: n, message: message}
		for a := range x.plays {
			if has(a) {
				m.plays += x.plays[a]
				m.throws += x.throws[a]
			}
		}
		out = append(out, m)
	}
	for n, c := range x.clauses {
		if !x.fired[n] && c.Span.File == x.header.File && tells(c) {
			add(interpreter.Note{Kind: interpreter.ClauseFired, Span: c.Span}, cmp.Or(silences[c.Kind], "this never took effect"), func(a *arena) bool { return slices.Contains(a.numbers, n) })
		}
	}
	for i := range x.groups {
		x.parts(&x.groups[i], func(n interpreter.Note, message string) {
			add(n, message, func(a *arena) bool { return slices.Contains(a.notes, n) })
		})
	}
	return out
}

// enough reports whether so much was played that what did not happen is worth a report.
func (m missing) enough() bool { return m.plays >= enoughPlays && m.throws >= enoughThrows }

// parts passes on the first part of a declaration that was never executed, or never held, although what it stands in was.
func (x *explorer) parts(g *model.PartGroup, report func(n interpreter.Note, message string)) {
	quiet := source.Span{} // what stands in it is not reported: it never happens itself, or something in it is reported already
	for i := range g.Parts {
		p := &g.Parts[i]
		within := p.Span.Start >= quiet.Start && p.Span.End <= quiet.End
		note := func(k interpreter.NoteKind) interpreter.Note { return interpreter.Note{Kind: k, Span: p.Span} }
		switch {
		case p.Kind.Clause():
			if !x.noted[note(interpreter.ClauseFired)] {
				quiet = p.Span
			}
			continue
		case within:
			continue
		case p.Kind == model.PartCondition && (x.o.Brief || x.o.Enough):
			continue // where plays were not asked for: conditions in what does happen are often only rare
		case p.Kind == model.PartCondition && !x.noted[note(interpreter.ConditionYes)] && x.noted[note(interpreter.ConditionNo)]:
			report(note(interpreter.ConditionYes), "this never held")
		case p.Kind == model.PartStatement && !x.noted[note(interpreter.StmtDone)]:
			report(note(interpreter.StmtDone), "this was never done")
		case p.Kind == model.PartAct && !x.noted[note(interpreter.ActDone)]:
			report(note(interpreter.ActDone), "this act was never done")
		default:
			continue
		}
		if quiet = g.Span; p.In >= 0 {
			quiet = g.Parts[p.In].Span
		}
	}
}

// finding is the report of what did not happen.
func (m missing) finding() Finding {
	d := diag.Diagnostic{Severity: diag.Info, Code: "never-fired", Span: m.Span, Message: m.message}
	d.WithNote(source.Span{}, "played at random, from the beginning and from odd positions: %d throws in %d plays", m.throws, m.plays)
	d.Hint = "if it is rare, write a test in which it happens; otherwise find out what prevents it"
	return Finding{Diagnostic: d}
}

// tells reports whether a clause signals that it takes effect: clauses that let a walk go on, and those that are only
// checked, do not.
func tells(c *model.Clause) bool {
	switch c.Kind {
	case model.ClauseAlways:
		return false
	case model.ClauseStep, model.ClauseEnd:
		return c.First != model.VerdictGo
	}
	return true
}

// silences say what clauses of some kinds never did.
var silences = map[model.ClauseKind]string{
	model.ClauseMay: "no move this offers was ever made", model.ClauseMust: "this duty never made a difference",
	model.ClauseNever: "this never forbade a move", model.ClauseEnding: "this never ended anything",
	model.ClauseStep: "this never judged a step", model.ClauseBeyond: "this never judged a step", model.ClauseEnd: "this never judged a step",
}

// notes names the rules that undo or refuse moves, three at most.
func (c causes) notes(d *diag.Diagnostic) {
	what := "refuses"
	if len(c.undo) > 0 {
		what = "undoes"
	}
	for _, x := range c.main()[:min(3, len(c.main()))] {
		d.WithNote(x.Span, "rule %s %s the moves", x.Rule.Name, what)
	}
}

// finding describes a sighting and adds its witness.
func (s *sighting) finding(x *explorer) Finding {
	var f Finding
	var course string
	f.Witness, course = s.witness()
	d, at := &f.Diagnostic, s.at
	switch s.kind {
	case stuckInPlace:
		*d = diag.Diagnostic{
			Code:    "stuck-for-ever",
			Message: "the game can get stuck for ever: no throw lets any player move again",
			Hint:    "let something move, or end the game",
		}
		if len(s.why.undo) > 0 {
			d.Message = "the game can get stuck for ever: whatever is thrown, each move is undone at once"
		}
		s.why.notes(d)
	case idle:
		*d = diag.Diagnostic{
			Severity: diag.Warning,
			Code:     "nothing-to-do",
			Message:  fmt.Sprintf("%s is in turn and can do nothing, with any throws, and wherever pieces of the others were put", s.arena.game.SeatName(s.seat)),
			Hint:     "rank it or let it drop out, end its turns, or say what happens with: on stuck { … }",
		}
		s.why.notes(d)
	case dutiesClash:
		*d = diag.Diagnostic{
			Severity: diag.Warning,
			Code:     "duties-clash",
			Message:  "this duty never has an effect: an earlier duty removes all options that meet it",
			Hint:     "give its rule a place before the other one, or say when it holds",
		}
		d.WithNote(s.other.Span, "this duty has priority")
	case turnWithoutEnd:
		*d = diag.Diagnostic{Code: "turn-without-end", Message: "a turn does not come to its end: " + s.words}
		if strings.HasPrefix(at.Text(), "play earned") {
			earns := s.arena.earns()
			if len(earns) == 1 && earns[0].File == at.File {
				at = earns[0]
			} else if len(earns) <= 3 {
				for _, e := range earns {
					d.WithNote(e, "it may be earned here again and again")
				}
			}
		}
	case gameWithoutEnd:
		*d = diag.Diagnostic{
			Severity: diag.Warning,
			Code:     "game-without-end",
			Message:  fmt.Sprintf("a game had not ended after %d throws", maxGame),
			Hint:     "say what ends it: win, rank, drop or over",
		}
		for _, e := range s.never {
			d.WithNote(e.Span, "no piece stood on %s in this game", e.Span.Text())
		}
	case refusedPosition:
		*d = diag.Diagnostic{Code: "refused-position", Message: "the rules lead to a position that they forbid: " + s.words}
	default:
		*d = diag.Diagnostic{Code: "fault", Message: "the rules fail here while playing: " + s.words}
		if v := s.arena.assigned(s.at); v != nil && v.Type == model.Of(model.Number) {
			d.WithNote(v.Span, "%q takes %d to %d", v.Name, v.Low, v.High)
		}
	}
	if s.kind == fault && s.last != nil && at.File != x.header.File {
		d.WithNote(s.last.Span, "the last reaction before it is this one, of rule %s", s.last.Rule.Name)
	}
	d.Span = at
	if s.odd {
		d.Severity = diag.Warning
	}
	d.WithNote(source.Span{}, "in the setting: %s", s.arena.words())
	if f.Witness == nil {
		if len(s.path.throws)+len(s.path.choices) == 0 { // otherwise no turn has begun with its first node, as where reactions throw
			d.WithNote(source.Span{}, "it happens before the first turn begins")
		}
		return f
	}
	line := fmt.Sprintf("position: %s to play", f.Witness.Turn)
	if places := s.arena.places(f.Witness); places != "" {
		line += ", " + places
	}
	for _, out := range []struct {
		what string
		list []string
	}{{"ranked", f.Witness.Ranking}, {"dropped", f.Witness.Dropped}} {
		if len(out.list) > 0 {
			line += "; " + out.what + ": " + strings.Join(out.list, ", ")
		}
	}
	if vars := variables(f.Witness); vars != "" {
		line += "; " + vars
		if !s.odd && !reflect.DeepEqual(f.Witness, s.from) {
			d.WithNote(source.Span{}, "a game came to this; the position is as simple as shows it")
		}
	}
	if course != "" {
		line += "; " + course
	}
	d.WithNote(source.Span{}, "%s", line)
	if s.odd && s.kind != dutiesClash {
		d.WithNote(source.Span{}, "no play came to it from the beginning, but the rules accept the position; if it is impossible, forbid it with: always …")
	}
	return f
}
