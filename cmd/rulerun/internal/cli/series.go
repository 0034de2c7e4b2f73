package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/door"
	"github.com/rulerun/rulerun/dsl/seq"
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
func (r *series) add(o door.Outcome) bool {
	if o.End != door.Over {
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
func (r *series) before(s *door.Session) []string {
	if r.games < 2 {
		return nil
	}
	var lines []string
	if r.played > 0 {
		lines = append(lines, r.standing(s))
	}
	if first := s.Header().First; first != "" {
		return append(lines, s.Say("series.game_first", "game", r.played+1, "games", r.games, "who", s.Called(first)))
	}
	return append(lines, s.Say("series.game", "game", r.played+1, "games", r.games))
}

// standing is who has won how many games so far.
func (r *series) standing(s *door.Session) string {
	g := s.Game()
	parts := seq.Of(len(r.wins), func(seat int) string {
		part := fmt.Sprintf("%s %d", s.Called(g.SeatName(seat)), r.wins[seat])
		if g.Rules().Worth != nil {
			return s.Say("option.counting", "option", part, "steps", r.worth[seat])
		}
		return part
	})
	return s.Say("series.won", "n", r.played, "list", strings.Join(parts, ", "))
}

// recordOf is the file for the record of a game, from 1: "game.2.txt" of "game.txt" where there are several.
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

func (s *session) nextGame(game *door.Session, r interpreter.Result, path string) (*door.Session, *log, error) {
	h, g := *game.Header(), game.Game()
	h.Seed++
	h.First = ""
	if first := g.FirstAfter(r); first != interpreter.ByTheRules {
		h.First = g.SeatName(first)
	}
	return s.newGame(g, &h, path)
}
