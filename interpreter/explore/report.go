package explore

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter"
)

// kind is what sort of finding one is.
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

// How much must have been played before it says something that a thing did not happen.
const (
	enoughThrows = 20_000 // in settings that have the clause
	enoughPlays  = 100
	enoughLost   = 3 // plays in which a duty was ignored
)

// report says what was seen in the plays that were collected.
func (x *explorer) report(plays int) *Report {
	r := &Report{Plays: plays, Settings: len(x.plays)}
	for _, n := range x.throws {
		r.Throws += n
	}
	best := maps.Clone(x.found[1])
	maps.Copy(best, x.found[0]) // what happens from the beginning goes before what happens from an odd position
	for n, c := range x.clauses {
		k := key{dutiesClash, c.Span}
		if best[k] != nil && (x.fired[n] || x.lost[n] < enoughLost) {
			delete(best, k)
		}
		if !x.fired[n] && best[k] == nil {
			x.silent(r, n, c)
		}
	}
	for _, s := range best {
		if f := s.finding(x); !s.doubtful(f.Witness) {
			r.Findings = append(r.Findings, f)
		}
	}
	slices.SortFunc(r.Findings, func(a, b Finding) int { return diag.Compare(a.Diagnostic, b.Diagnostic) })
	return r
}

// silent reports a clause of the file itself that never took effect, if enough was played.
func (x *explorer) silent(r *Report, n int, c *model.Clause) {
	if c.Span.File != x.header.File || !tells(c) {
		return
	}
	played, thrown := 0, 0
	for a := range x.plays {
		if slices.Contains(a.numbers, n) {
			played += x.plays[a]
			thrown += x.throws[a]
		}
	}
	if played < enoughPlays || thrown < enoughThrows {
		return
	}
	d := diag.Diagnostic{Severity: diag.Info, Code: "never-fired", Span: c.Span, Message: silence(c)}
	d.Notes = append(d.Notes, diag.Note{Message: fmt.Sprintf("played by chance, from the beginning and from odd positions: %d throws in %d plays", thrown, played)})
	d.Hint = "if it is rare, write a test in which it happens; else look what stands in its way"
	r.Findings = append(r.Findings, Finding{Diagnostic: d})
}

// tells reports whether a clause says when it takes effect: one that lets a walk go on, and one that is only checked, do
// not.
func tells(c *model.Clause) bool {
	switch c.Kind {
	case model.ClauseAlways:
		return false
	case model.ClauseStep, model.ClauseEnd:
		return c.First != model.VerdictGo
	}
	return true
}

func silence(c *model.Clause) string {
	switch c.Kind {
	case model.ClauseMay:
		return "no move this offers was ever made"
	case model.ClauseMust:
		return "this duty never made a difference"
	case model.ClauseNever:
		return "this never forbade a move"
	case model.ClauseStep, model.ClauseBeyond, model.ClauseEnd:
		return "this never judged a step"
	case model.ClauseEnding:
		return "this never ended anything"
	}
	return "this never took effect"
}

// doubtful reports whether a finding needs an odd position with variables that games may never give those values: what
// they say of the pieces may be wrong there.
func (s *sighting) doubtful(witness *interpreter.Setup) bool {
	return s.odd && s.kind != dutiesClash && witness != nil && len(witness.Vars) > 0
}

// header is where findings without a place of their own are reported.
func (s *sighting) header() source.Span { return s.arena.book.Header() }

// finding is a sighting in words, with its witness.
func (s *sighting) finding(x *explorer) Finding {
	var f Finding
	var course string
	f.Witness, course = s.witness()
	d := &f.Diagnostic
	switch s.kind {
	case stuckInPlace:
		*d = diag.Diagnostic{
			Code:    "stuck-for-ever",
			Message: "the game can come to a stand for ever: whatever is thrown, no player can move again",
			Hint:    "let something move, or end the game",
		}
		for _, c := range s.under[:min(3, len(s.under))] {
			d.WithNote(c.Span, "rule %s stands in the way", c.Rule.Name)
		}
	case idle:
		*d = diag.Diagnostic{
			Severity: diag.Warning,
			Code:     "nothing-to-do",
			Message:  fmt.Sprintf("%s is in turn and never has anything to do again, whatever it throws and whatever the others do", s.arena.game.SeatName(s.seat)),
			Hint:     "rank it or let it drop out, end its turns, or say what happens with: on stuck { … }",
		}
	case dutiesClash:
		*d = diag.Diagnostic{
			Severity: diag.Warning,
			Code:     "duties-clash",
			Message:  "this duty is never heard: whenever an option is like it, an earlier duty takes all those options away",
			Hint:     "give its rule a place before the other one, or say when it holds",
		}
		d.WithNote(s.other.Span, "this duty comes first")
	case turnWithoutEnd:
		*d = diag.Diagnostic{Code: "turn-without-end", Message: "a turn does not come to its end: " + s.words}
	case gameWithoutEnd:
		*d = diag.Diagnostic{
			Severity: diag.Warning,
			Code:     "game-without-end",
			Message:  fmt.Sprintf("a game had not ended after %d throws", maxGame),
			Hint:     "say what ends it: win, rank, drop or over",
		}
	case refusedPosition:
		*d = diag.Diagnostic{Code: "refused-position", Message: "the rules lead to a position that they say cannot be: " + s.words}
	default:
		*d = diag.Diagnostic{Code: "fault", Message: "the rules fail here while playing: " + s.words}
	}
	d.Span = s.at
	if s.odd {
		d.Severity = diag.Warning
	}
	d.WithNote(source.Span{}, "in the setting: %s", s.arena.words())
	if f.Witness == nil {
		d.WithNote(source.Span{}, "it happens before the first turn begins")
		return f
	}
	line := fmt.Sprintf("position: %s to play", f.Witness.Turn)
	if at := s.arena.places(f.Witness); at != "" {
		line += ", " + at
	}
	if course != "" {
		line += "; " + course
	}
	d.WithNote(source.Span{}, "%s", line)
	if s.odd && s.kind != dutiesClash {
		d.WithNote(source.Span{}, "no play came to it from the beginning, but the rules accept the position; if it cannot be, say so with: always …")
	}
	return f
}
