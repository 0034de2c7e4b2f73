package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/table"
	"github.com/rulerun/rulerun/dsl/diag"
	"github.com/rulerun/rulerun/interpreter"
)

// series is several games in a row, as far as they have been played.
type series struct {
	games  int // that are to be played
	played int
	wins   []int // by seat
	worth  []int // by seat: what its wins count
}

// add counts a game that was played, and reports whether another one follows.
func (r *series) add(o table.Outcome) bool {
	if o.End != table.Over {
		return false
	}
	r.played++
	for _, seat := range o.Result.Winners {
		r.wins[seat]++
		r.worth[seat] += o.Result.Worth
	}
	return r.played < r.games
}

// before is what is said before the next game.
func (r *series) before(t *table.Table) []string {
	if r.games < 2 {
		return nil
	}
	var lines []string
	if r.played > 0 {
		lines = append(lines, r.standing(t.Session.Game()))
	}
	text := fmt.Sprintf("Game %d of %d", r.played+1, r.games)
	if t.Session.Header().First != "" {
		text += ": " + t.Session.Header().First + " begins"
	}
	return append(lines, text+".")
}

// standing is who has won how many games so far.
func (r *series) standing(g *interpreter.Game) string {
	var parts []string
	for seat, n := range r.wins {
		part := fmt.Sprintf("%s %d", g.SeatName(seat), n)
		if g.Rules().Worth != nil {
			part += fmt.Sprintf(" counting %d", r.worth[seat])
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("Won after %s: %s.", diag.Plural(r.played, "game"), strings.Join(parts, ", "))
}

// record is the file for the record of the game at hand: "game.2.txt" of "game.txt" where there are several.
func (r *series) record(path string) string { return recordOf(path, r.played+1, r.games) }

func recordOf(path string, game, games int) string {
	if path == "" || games < 2 {
		return path
	}
	ext := filepath.Ext(path)
	if strings.HasSuffix(path, recordExtension) {
		ext = recordExtension
	}
	return fmt.Sprintf("%s.%d%s", strings.TrimSuffix(path, ext), game, ext)
}

// nextGame makes the table for the game after one that ended so.
func (s *session) nextGame(t *table.Table, r interpreter.Result, path string) (*table.Table, *log, error) {
	h, g := *t.Session.Header(), t.Session.Game()
	h.Seed++
	h.First = ""
	if first := g.FirstAfter(r); first != interpreter.ByTheRules {
		h.First = g.SeatName(first)
	}
	return s.newGame(g, &h, path)
}
