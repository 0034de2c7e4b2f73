package check

import (
	"slices"

	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/dsl/internal/book"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/source"
)

// noteWin marks a win of a player that asks nothing of the rest of the team, where teams have several players.
func (u *Usage) noteWin(r *model.Rules, x *model.Clause) {
	if x.Ending == model.EndWin && x.Scope == model.ScopePlayer && x.When != nil && !asksOthers(x.When) &&
		slices.ContainsFunc(r.Teams, func(players []int) bool { return len(players) > 1 }) {
		u.mark(x.Span, ofTeam)
	}
}

// asksOthers reports whether a condition asks for a team, for those in turn, or for pieces and players beside those of its name.
func asksOthers(e *model.Expr) bool {
	return e.Has(func(a *model.Expr) bool {
		switch a.Op {
		case model.OpField:
			return a.Field == model.FieldTeam
		case model.OpCell:
			return a.Cell == model.CellMe
		case model.OpSet:
			return a.Set != model.SetPiecesOf && a.Set != model.SetColoursOf && a.Set != model.SetVar && a.Set != model.SetCopies
		}
		return a.Op == model.OpMine
	})
}

// warnTeamWins tells that a win of one player is that of its team: at the ending, or at the teams, where the last file has them.
func warnTeamWins(b *book.Book, use *Usage, diags *diag.List) {
	top := b.Top()
	var teams source.Span
	for _, e := range b.Entries {
		if e.Key.Kind == "teams" && e.Layer == top && use.exists[e] {
			teams = e.NameSpan()
		}
	}
	for _, e := range b.Entries {
		if e.Decl.Kind.Rule == nil {
			continue
		}
		for _, c := range e.Decl.Kind.Rule.Clauses {
			at := c.Span(e.Decl.File)
			switch {
			case !use.is(at, ofTeam):
				continue
			case e.Layer == top:
				diags.Warnf("team-wins", at, "where teams play this is a win of the whole team, as soon as one of its players is so far")
			case !teams.IsZero():
				diags.Warnf("team-wins", teams, "one player wins for the whole team: rule %q speaks of players", e.Key.Name).WithNote(at, "it says so here")
			default:
				continue
			}
			diags.Last().WithHint("for all of a team write: win team t when …").Get().Severity = diag.Info
		}
	}
}
