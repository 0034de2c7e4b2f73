package study

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
)

// figure is a figure of a ladder or a study of skill without its parts; false where there is nothing to draw.
func (l *Ladder) figure(title, again string) (*picture.Figure, bool) {
	f := &picture.Figure{
		Title: title, Words: []string{heading(&l.Subject)},
		Small: []string{fmt.Sprintf("%s, %s, every pair from all seats with the same dice, seed %d; 95 %% intervals", plural(l.games(), "game"),
			plural(l.Subject.Players, "player"), l.Subject.Seed)},
	}
	if !l.Whole {
		f.Small[0] += "; stopped before all were played"
	}
	if again != "" {
		f.Small = append(f.Small, again)
	}
	switch {
	case l.games() == 0:
		f.Words = append(f.Words, "No round of games was played to its end.")
	case l.idle():
		f.Words = append(f.Words, "No player ever had anything to decide: luck alone says who wins.")
	}
	return f, len(f.Words) == 1
}

// LadderFigure draws how strong players are. again is the command line that gives it again, or "".
func LadderFigure(l *Ladder, again string) *picture.Figure {
	f, ok := l.figure("How strong the players are", again)
	if !ok {
		return f
	}
	d := &picture.Dots{X: "strength in Elo points; 400 more are odds of 10 to 1", Reference: 0, Words: "the mean of all"}
	for _, s := range l.Strengths {
		d.Rows = append(d.Rows, picture.Row{
			Name:  l.Names[s.Entrant],
			Marks: []picture.Mark{{Low: s.Interval.Low, Mid: s.Elo, High: s.Interval.High}},
			Note:  strings.ReplaceAll(fmt.Sprintf("%+.0f (%+.0f to %+.0f)", s.Elo, s.Interval.Low, s.Interval.High), "-", "−"),
		})
	}
	f.Parts = []picture.Part{d}
	return f
}

// SkillFigure draws how much skill matters against each of the weaker players.
func SkillFigure(l *Ladder, again string) *picture.Figure {
	f, ok := l.figure("How much skill matters", again)
	if !ok {
		return f
	}
	d := &picture.Dots{X: "skill: 0 is pure luck, at 1 the better player always wins", Reference: 0, Words: "pure luck"}
	for i := range l.Duels {
		duel := &l.Duels[i]
		if duel.Games == 0 {
			continue
		}
		in := duel.SkillInterval()
		d.Rows = append(d.Rows, picture.Row{
			Name:  "against " + l.Names[duel.Others],
			Marks: []picture.Mark{{Low: in.Low, Mid: duel.Skill(), High: in.High}},
			Note:  strconv.FormatFloat(duel.Skill(), 'f', 2, 64) + ": " + verdict(duel),
		})
	}
	f.Words = append(f.Words, "The better player is "+l.Names[l.Duels[0].Alone]+".")
	f.Parts = []picture.Part{d}
	return f
}
