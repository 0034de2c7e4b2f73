package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/ladder"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Ladder has the results of matches between players.
type Ladder struct {
	Subject   stats.Subject
	Names     []string // of the entrants
	Duels     []ladder.Duel
	Strengths []ladder.Strength // the strongest first
	Whole     bool              // it was not stopped
	Worth     bool              // the rules say what a win counts; here each counts 1
}

// Games is the total number of games.
func (l *Ladder) Games() int { return seq.Sum(l.Duels, func(d ladder.Duel) int { return d.Games }) }

// idle reports whether there was no decision in any game.
func (l *Ladder) idle() bool {
	return l.Games() > 0 && seq.Sum(l.Duels, func(d ladder.Duel) uint64 { return d.Decisions }) == 0
}

func (l *Ladder) sides() int {
	if len(l.Duels) > 0 {
		return max(2, l.Duels[0].Teams)
	}
	return 2
}

// What the numbers mean.
const (
	eachWin    = "each win counts 1 here, whatever the rules let it count"
	eloWords   = "their mean is 0; 400 more are odds of 10 to 1 against one other"
	skillWords = "skill is the part of the advantage there could be: 0 pure luck, 1 the better player always wins"
	leastWords = "a player better still may show more of it: each figure is a lower bound"
)

// result is the common part of a ladder and a study of skill; false if there is nothing to show. idle is the text if
// there was no decision.
func (l *Ladder) result(title, idle string) (*Result, bool) {
	facts := playersAs(factsOf(&l.Subject, ""), strconv.Itoa(l.Subject.Players))
	r := &Result{
		Title: title, Lead: []string{phrase.Heading(&l.Subject)},
		Small: []string{fmt.Sprintf("%s, %s, every pair from all seats with the same dice, seed %d; 95 %% intervals", phrase.Plural(l.Games(), "game"),
			phrase.Plural(l.Subject.Players, "player"), l.Subject.Seed)},
		Facts: append(facts, Fact{"games", fmt.Sprintf("%s, every pair from all seats with the same dice", phrase.Thousands(float64(l.Games())))},
			Fact{"seed", strconv.FormatUint(l.Subject.Seed, 10)}),
	}
	if !l.Whole {
		r.Small[0] += "; stopped before all were played"
	}
	if l.Worth {
		r.Small[0] += "; " + eachWin
		r.Head = []string{eachWin}
	}
	text := "no round of games was played to its end"
	switch {
	case l.Games() == 0:
		r.Lead = append(r.Lead, phrase.Capital(text)+".")
	case l.idle():
		r.Lead = append(r.Lead, "No player ever had anything to decide: luck alone says who wins.")
		text = idle
	default:
		return r, true
	}
	r.Sections = []Section{{In: inText, Lines: []string{text}}}
	return r, false
}

// Result is the result of a ladder.
func (l *Ladder) Result() *Result {
	r, ok := l.result("How strong the players are", "no player ever had anything to decide: all are equally strong")
	how := fmt.Sprintf("each of a pair alone against the other on all %d other sides, from every seat with the same dice, seed %d", l.sides()-1, l.Subject.Seed)
	if l.sides() == 2 {
		how = fmt.Sprintf("each pair from both seats with the same dice, seed %d", l.Subject.Seed)
	}
	r.Head = append([]string{fmt.Sprintf("%s: %s among %s", phrase.Heading(&l.Subject), phrase.Plural(l.Games(), "game"), phrase.Plural(len(l.Names), "player")), how}, r.Head...)
	t := &r.Data
	t.Columns = columns("group", "player", "against", "games", "value", "low", "high")
	strengths := []object.Fields{}
	for _, s := range l.Strengths {
		name := l.Names[s.Entrant]
		t.add(append([]Cell{words("elo"), words(name), {}, {}, number(s.Elo, unitElo)}, bounds(s.Interval, unitElo)...)...)
		strengths = append(strengths, object.Fields{{"player", name}, {"elo", s.Elo}, {"low", s.Interval.Low}, {"high", s.Interval.High}})
	}
	for _, d := range l.Duels {
		t.add(append([]Cell{words("wins"), words(l.Names[d.Alone]), words(l.Names[d.Others]), count(d.Games), number(d.Share(), unitShare)}, bounds(d.Interval(), unitPoints)...)...)
	}
	r.Object = append(l.object("ladder"), object.Field{"strengths", strengths})
	if !ok {
		return r
	}
	strength := t.view(func(i int) bool { return t.cell(i, "group").Text == "elo" }, shown{"", "player", ""}, shown{"Elo", "value", ""}, shown{"95 % interval", "low", "high"})
	wins := l.winTable()
	equal := phrase.Percent(1 / float64(l.sides()))
	r.Sections = []Section{
		{Title: "strength", Table: strength, Lines: []string{"  (" + eloWords + ")"}, Note: phrase.Capital(eloWords) + "."},
		{In: inText, Title: "wins, where equals win " + equal, Table: wins},
		{In: inPage, Title: "wins", Table: wins, Note: fmt.Sprintf("Equals win %s.", equal)},
	}
	d := &picture.Dots{X: "strength in Elo points; 400 more are odds of 10 to 1", Reference: 0, Words: "the mean of all"}
	for i, s := range l.Strengths {
		row := strength.rows[i+1]
		d.Rows = append(d.Rows, picture.Row{
			Name: row[0], Marks: []picture.Mark{{Low: s.Interval.Low, Mid: s.Elo, High: s.Interval.High}}, Note: minus(row[1]) + " (" + minus(row[2]) + ")",
		})
	}
	r.Parts = []picture.Part{d}
	return r
}

// winTable is how often each player wins against each other one, in order of strength.
func (l *Ladder) winTable() *grid {
	t := Table{Columns: columns("player", "against", "share", "low", "high", "games")}
	for i, one := range l.Strengths {
		for j, other := range l.Strengths {
			if i == j || l.sides() == 2 && i > j { // shown in the row of the stronger one
				continue
			}
			if share, in, games := l.against(one.Entrant, other.Entrant); games > 0 {
				t.add(words(l.Names[one.Entrant]), words(l.Names[other.Entrant]), number(share, unitShare), number(in.Low, unitPoints), number(in.High, unitPoints), count(games))
			}
		}
	}
	return t.view(nil, shown{"", "player", ""}, shown{"against", "against", ""}, shown{"share", "share", ""}, shown{"95 % interval", "low", "high"}, shown{"games", "games", ""})
}

// against is the share of games that one entrant wins alone against another, its interval, and the number of games.
func (l *Ladder) against(one, other int) (share float64, in stats.Interval, games int) {
	for _, d := range l.Duels {
		switch {
		case d.Alone == one && d.Others == other:
			return d.Share(), d.Interval(), d.Games
		case d.Alone == other && d.Others == one && d.Teams == 2:
			in := d.Interval()
			return 1 - d.Share(), stats.Interval{Low: 1 - in.High, High: 1 - in.Low}, d.Games
		}
	}
	return 0, stats.Interval{}, 0
}

func (l *Ladder) duelFields(d ladder.Duel) object.Fields {
	i, k := d.Interval(), d.SkillInterval()
	return object.Fields{
		{"player", l.Names[d.Alone]}, {"against", l.Names[d.Others]}, {"sides", d.Teams}, {"games", d.Games}, {"won", d.Won}, {"nobody", d.NoWinner},
		{"decisions", d.Decisions}, {"throws", d.Throws}, {"equal", d.Equal()}, {"share", d.Share()}, {"low", i.Low}, {"high", i.High},
		{"skill", d.Skill()}, {"skill_low", k.Low}, {"skill_high", k.High},
	}
}

// object is the common part of a ladder and a study of skill, as JSON.
func (l *Ladder) object(kind string) object.Fields {
	f := object.Fields{{"version", 1}, {"tool", "rulerun"}, {"kind", kind}}
	f = append(f, seq.Filter(subjectFields(&l.Subject), func(x object.Field) bool { return x.Key != "rotate" && x.Key != "seats" })...)
	duels := append([]object.Fields{}, seq.Map(l.Duels, l.duelFields)...)
	return append(f, object.Field{"games", l.Games()}, object.Field{"whole", l.Whole}, object.Field{"decisions", !l.idle()}, object.Field{"duels", duels})
}

// SkillResult is the result of a study of skill, one better player against weaker ones.
func (l *Ladder) SkillResult() *Result {
	r, ok := l.result("How much skill matters", "skill 0: no player ever decides anything, luck alone says who wins")
	r.Head = append([]string{fmt.Sprintf("%s: how much skill matters, by %s, seed %d", phrase.Heading(&l.Subject), phrase.Plural(l.Games(), "game"), l.Subject.Seed)}, r.Head...)
	r.Object = l.object("skill")
	t := &r.Data
	t.Columns = columns("player", "against", "games", "share", "low", "high", "equal", "skill", "skill_low", "skill_high")
	for _, d := range l.Duels {
		in, k := d.Interval(), d.SkillInterval()
		t.add(words(l.Names[d.Alone]), words(l.Names[d.Others]), count(d.Games), number(d.Share(), unitShare), number(in.Low, unitPoints), number(in.High, unitPoints),
			number(d.Equal(), unitShare), number(d.Skill(), unitSkill), number(k.Low, unitSkill), number(k.High, unitSkill))
	}
	if !ok {
		return r
	}
	g := t.view(nil, shown{"", "player", ""}, shown{"against", "against", ""}, shown{"wins", "share", ""}, shown{"95 % interval", "low", "high"}, shown{"equals", "equal", ""},
		shown{"skill", "skill", ""}, shown{"95 % interval", "skill_low", "skill_high"}, shown{"games", "games", ""})
	verdicts := l.verdicts()
	r.Sections = []Section{
		{In: inText, Table: g},
		{In: inText, Lines: append(verdicts[:len(verdicts):len(verdicts)], skillWords, leastWords)},
		{In: inPage, Title: "what it comes to", Items: verdicts},
		{In: inPage, Title: "numbers", Table: g, Note: phrase.Capital(skillWords) + "; " + leastWords + "."},
	}
	dots := &picture.Dots{X: "skill: 0 is pure luck, at 1 the better player always wins", Reference: 0, Words: "pure luck"}
	for i := range l.Duels {
		d := &l.Duels[i]
		if d.Games == 0 {
			continue
		}
		in := d.SkillInterval()
		dots.Rows = append(dots.Rows, picture.Row{
			Name: "against " + l.Names[d.Others], Marks: []picture.Mark{{Low: in.Low, Mid: d.Skill(), High: in.High}},
			Note: t.cell(i, "skill").people() + ": " + verdict(d),
		})
	}
	r.Lead = append(r.Lead, "The better player is "+l.Names[l.Duels[0].Alone]+".")
	r.Parts = []picture.Part{dots}
	return r
}

// verdicts describe how much skill matters against each player.
func (l *Ladder) verdicts() []string {
	played := seq.Filter(l.Duels, func(d ladder.Duel) bool { return d.Games > 0 })
	return seq.Map(played, func(d ladder.Duel) string { return fmt.Sprintf("against %s: %s", l.Names[d.Others], verdict(&d)) })
}

// degree is a description of the amount of skill, up to a value.
type degree struct {
	below float64
	words string
}

// degrees are sorted from the lowest.
var degrees = []degree{
	{0.1, "luck decides nearly everything"}, {0.3, "luck decides most, skill shows in the long run"}, {0.7, "luck and skill both count"},
	{0.9, "skill decides most games"}, {math.Inf(1), "the better player nearly always wins"},
}

// verdict describes how much skill matters, and whether another description is also possible.
func verdict(d *ladder.Duel) string {
	k := d.SkillInterval()
	switch {
	case k.High < 0:
		return "the player meant to be better is the weaker one"
	case k.Low <= 0:
		return "no difference can be seen in so few games"
	}
	in := func(skill float64) string {
		return degrees[slices.IndexFunc(degrees, func(x degree) bool { return skill < x.below })].words
	}
	words := in(d.Skill())
	if in(k.Low) != in(k.High) {
		words += ", as far as these games tell"
	}
	return words
}
