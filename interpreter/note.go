package interpreter

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/dsl/source"
	"github.com/rulerun/rulerun/interpreter/internal/compile"
)

// NoteKind is the kind of a note.
type NoteKind uint8

// The kinds of note. Each is about a range of a rule file.
const (
	ClauseAsked  NoteKind = iota // a clause was evaluated
	ClauseSaid                   // a may offered an option, a step clause gave its verdict
	ClauseFired                  // a clause took effect: it refused, narrowed, reacted or ended; the option of a may was taken
	ConditionYes                 // a condition held
	ConditionNo                  // a condition did not hold
	StmtDone                     // a statement was executed
	LetUsed                      // a let was used
	MoveMade                     // a move was made
	ActDone                      // an act was done
)

var noteKinds = [...]NoteKind{
	compile.NoteAsked: ClauseAsked, compile.NoteSaid: ClauseSaid, compile.NoteYes: ConditionYes, compile.NoteNo: ConditionNo,
	compile.NoteStmt: StmtDone, compile.NoteLet: LetUsed,
}

// Note is something that a game can execute. The span is that of the clause, condition or statement, or of the name
// of the let, move or act.
type Note struct {
	Kind NoteKind
	Span source.Span
}

// CompileNoting is Compile for a game whose positions record coverage. It plays the same, more slowly; a game made by
// Compile has no overhead for notes.
func CompileNoting(rules *model.Rules) (*Game, error) {
	return compiled(compile.Noting(rules))
}

// CompileSwitched is CompileNoting for a game that can be played without any one of the clauses that switched selects: see Without.
func CompileSwitched(rules *model.Rules, switched func(*model.Clause) bool) (*Game, error) {
	g, err := compiled(compile.Switched(rules, switched))
	if err == nil {
		g.rules = rules // without the variable that the compiler adds
	}
	return g, err
}

// Without is a game made by CompileSwitched in which a clause never applies, one of those that were selected. Positions of both can be
// compared with Position.Alike. Of another game, and without a clause, it is the game itself.
func (g *Game) Without(c *model.Clause) *Game {
	if c == nil || g.off() == None {
		return g
	}
	prog := *g.prog
	prog.Initial = slices.Clone(prog.Initial)
	prog.Initial[g.off()] = int16(c.Index + 1)
	return &Game{unit: g.unit, prog: &prog, rules: g.rules, secrets: g.secrets, keeps: newKeeps()}
}

// off is the cell of a game made by CompileSwitched that says which clause does not apply, -1 in other games.
func (g *Game) off() int {
	if n := len(g.rules.Vars); n < len(g.unit.Vars) {
		return g.unit.Vars[n].Cell
	}
	return None
}

// Notes lists what the game can execute, in the order used by Noted; for a game without coverage only the clauses,
// moves and acts.
func (g *Game) Notes() []Note {
	out := seq.Map(g.unit.Notes, func(n compile.Note) Note { return Note{noteKinds[n.Kind], n.Span} })
	out = append(out, seq.Map(g.unit.Clauses, func(x *model.Clause) Note { return Note{ClauseFired, x.Span} })...)
	out = append(out, seq.Map(g.rules.Moves, func(m *model.Move) Note { return Note{MoveMade, m.Span} })...)
	return append(out, seq.Map(g.rules.Acts, func(a *model.Act) Note { return Note{ActDone, a.Span} })...)
}

// Noted sets in dst, which has an element for each of Game.Notes, what the position has executed since it was made. A
// copy counts for itself.
func (p *Position) Noted(dst []bool) {
	n := len(p.m.Notes)
	unite(dst, p.m.Notes)
	prog, clauses, times := p.game.prog, p.game.unit.Clauses, p.m.Counters
	moves := n + len(clauses)
	for i, x := range clauses {
		dst[n+i] = dst[n+i] || times[i] > 0
		if times[i] > 0 && x.Kind == model.ClauseMay {
			dst[moves+x.Move.Index] = true
		}
	}
	unite(dst[moves+len(p.game.rules.Moves):], seq.Map(times[prog.ActCounters:], func(done uint64) bool { return done > 0 }))
}

// unite sets in dst what is set in more.
func unite(dst, more []bool) {
	for i, set := range more {
		dst[i] = dst[i] || set
	}
}

// RunTestNoting is RunTest, and sets in dst, which has an element for each of Notes, what the scenario has executed.
func (g *Game) RunTestNoting(t *model.Test, dst []bool) []Failure {
	r := &scenario{g: g}
	r.run(t)
	if r.stood != nil {
		r.stood.Noted(dst)
	}
	return r.failures
}
