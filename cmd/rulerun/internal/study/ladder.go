package study

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/interpreter/ladder"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Ladder is what came of players against one another.
type Ladder struct {
	Subject   stats.Subject
	Names     []string // of the entrants
	Duels     []ladder.Duel
	Strengths []ladder.Strength // the strongest first
	Whole     bool              // it was not stopped
}

// games is how many games were played in all.
func (l *Ladder) games() int {
	n := 0
	for i := range l.Duels {
		n += l.Duels[i].Games
	}
	return n
}

// idle reports whether no player ever had anything to decide.
func (l *Ladder) idle() bool {
	n := uint64(0)
	for i := range l.Duels {
		n += l.Duels[i].Decisions
	}
	return l.games() > 0 && n == 0
}

// none is what is said where no game was played to its end.
const none = "\nno round of games was played to its end\n"

// between writes an interval of shares for people.
func between(i stats.Interval) string { return fmt.Sprintf("%.1f to %.1f", 100*i.Low, 100*i.High) }

// LadderText writes a ladder for people.
func LadderText(w io.Writer, l *Ladder) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s among %s\n", heading(&l.Subject), plural(l.games(), "game"), plural(len(l.Names), "player"))
	teams := l.sides()
	if teams == 2 {
		fmt.Fprintf(&b, "each pair from both seats with the same dice, seed %d\n", l.Subject.Seed)
	} else {
		fmt.Fprintf(&b, "each of a pair alone against the other on all %d other sides, from every seat with the same dice, seed %d\n", teams-1, l.Subject.Seed)
	}
	if l.games() == 0 {
		_, err := io.WriteString(w, b.String()+none)
		return err
	}
	if l.idle() {
		b.WriteString("\nno player ever had anything to decide: all are equally strong\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	b.WriteString("\nstrength\n")
	l.strengthTable().write(&b, 0)
	fmt.Fprintf(&b, "  (%s)\n", eloWords)
	fmt.Fprintf(&b, "\nwins, where equals win %s\n", percent(1/float64(teams)))
	l.winTable().write(&b, 0)
	_, err := io.WriteString(w, b.String())
	return err
}

// eloWords says what the numbers of strength mean.
const eloWords = "their mean is 0; 400 more are odds of 10 to 1 against one other"

// sides is how many sides a game has.
func (l *Ladder) sides() int {
	if len(l.Duels) > 0 {
		return max(2, l.Duels[0].Teams)
	}
	return 2
}

func (l *Ladder) strengthTable() *table {
	t := &table{}
	t.add("", "Elo", "95 % interval")
	for _, s := range l.Strengths {
		t.add(l.Names[s.Entrant], fmt.Sprintf("%+.0f", s.Elo), fmt.Sprintf("%+.0f to %+.0f", s.Interval.Low, s.Interval.High))
	}
	return t
}

// winTable is how often each wins against each other.
func (l *Ladder) winTable() *table {
	wins := &table{}
	wins.add("", "against", "share", "95 % interval", "games")
	for i, one := range l.Strengths {
		for j, other := range l.Strengths {
			if i == j || l.sides() == 2 && i > j { // it stands with the stronger one
				continue
			}
			if share, in, games := l.against(one.Entrant, other.Entrant); games > 0 {
				wins.add(l.Names[one.Entrant], l.Names[other.Entrant], percent(share), between(in), strconv.Itoa(games))
			}
		}
	}
	return wins
}

// against is the share of games that one entrant wins alone against another, its interval, and how many games there were.
func (l *Ladder) against(one, other int) (share float64, in stats.Interval, games int) {
	for i := range l.Duels {
		d := &l.Duels[i]
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

// duelFields is a duel as programs read it.
func duelFields(names []string, d *ladder.Duel) fields {
	i, k := d.Interval(), d.SkillInterval()
	return fields{
		{"player", names[d.Alone]}, {"against", names[d.Others]}, {"sides", d.Teams}, {"games", d.Games}, {"won", d.Won}, {"nobody", d.Nobody},
		{"decisions", d.Decisions}, {"throws", d.Throws}, {"equal", d.Equal()}, {"share", d.Share()}, {"low", i.Low}, {"high", i.High},
		{"skill", d.Skill()}, {"skill_low", k.Low}, {"skill_high", k.High},
	}
}

// fields is what a ladder has in common with a study of skill, as programs read it.
func (l *Ladder) fields(kind string) fields {
	f := fields{{"version", 1}, {"tool", "rulerun"}, {"kind", kind}}
	for _, x := range subjectFields(&l.Subject) {
		if x.Key != "rotate" && x.Key != "seats" {
			f = append(f, x)
		}
	}
	duels := []fields{}
	for i := range l.Duels {
		duels = append(duels, duelFields(l.Names, &l.Duels[i]))
	}
	return append(f, field{"games", l.games()}, field{"whole", l.Whole}, field{"decisions", !l.idle()}, field{"duels", duels})
}

// LadderJSON writes a ladder for programs: rulerun schema ladder describes it.
func LadderJSON(w io.Writer, l *Ladder) error {
	strengths := []fields{}
	for _, s := range l.Strengths {
		strengths = append(strengths, fields{{"player", l.Names[s.Entrant]}, {"elo", s.Elo}, {"low", s.Interval.Low}, {"high", s.Interval.High}})
	}
	return object.Line(w, append(l.fields("ladder"), field{"strengths", strengths}))
}

// LadderCSV writes the strengths and the duels as a table.
func LadderCSV(w io.Writer, l *Ladder) error {
	rows := [][]string{{"group", "player", "against", "games", "value", "low", "high"}}
	for _, s := range l.Strengths {
		rows = append(rows, []string{"elo", l.Names[s.Entrant], "", "", exact(s.Elo), exact(s.Interval.Low), exact(s.Interval.High)})
	}
	for i := range l.Duels {
		d := &l.Duels[i]
		in := d.Interval()
		rows = append(rows, []string{"wins", l.Names[d.Alone], l.Names[d.Others], strconv.Itoa(d.Games), exact(d.Share()), exact(in.Low), exact(in.High)})
	}
	return writeCSV(w, rows)
}

// SkillText writes how much skill matters for people.
func SkillText(w io.Writer, l *Ladder) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: how much skill matters, by %s, seed %d\n", heading(&l.Subject), plural(l.games(), "game"), l.Subject.Seed)
	if l.games() == 0 {
		_, err := io.WriteString(w, b.String()+none)
		return err
	}
	if l.idle() {
		b.WriteString("\nskill 0: no player ever decides anything, luck alone says who wins\n")
		_, err := io.WriteString(w, b.String())
		return err
	}
	b.WriteString("\n")
	l.skillTable().write(&b, 0)
	b.WriteString("\n" + strings.Join(l.verdicts(), "\n") + "\n" + skillWords + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// skillWords says what the figure means.
const skillWords = "skill is the part of the advantage there could be: 0 pure luck, 1 the better player always wins"

func (l *Ladder) skillTable() *table {
	t := &table{}
	t.add("", "against", "wins", "95 % interval", "equals", "skill", "95 % interval", "games")
	for i := range l.Duels {
		d := &l.Duels[i]
		k := d.SkillInterval()
		t.add(l.Names[d.Alone], l.Names[d.Others], percent(d.Share()), between(d.Interval()), percent(d.Equal()),
			fmt.Sprintf("%.2f", d.Skill()), fmt.Sprintf("%.2f to %.2f", k.Low, k.High), strconv.Itoa(d.Games))
	}
	return t
}

// verdicts say in words how much skill matters against each.
func (l *Ladder) verdicts() []string {
	var out []string
	for i := range l.Duels {
		if d := &l.Duels[i]; d.Games > 0 {
			out = append(out, fmt.Sprintf("against %s: %s", l.Names[d.Others], verdict(d)))
		}
	}
	return out
}

// degree is words for how much skill matters, and up to which figure they are right.
type degree struct {
	below float64
	words string
}

// degrees begin with the least.
var degrees = []degree{
	{0.1, "luck decides nearly everything"}, {0.3, "luck decides most, skill shows in the long run"}, {0.7, "luck and skill both count"},
	{0.9, "skill decides most games"}, {math.Inf(1), "the better player nearly always wins"},
}

// verdict says in words how much skill matters, and whether other words might be as right.
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

// SkillJSON writes how much skill matters for programs: rulerun schema skill describes it.
func SkillJSON(w io.Writer, l *Ladder) error { return object.Line(w, l.fields("skill")) }

// SkillCSV writes the duels as a table.
func SkillCSV(w io.Writer, l *Ladder) error {
	rows := [][]string{{"player", "against", "games", "share", "low", "high", "equal", "skill", "skill_low", "skill_high"}}
	for i := range l.Duels {
		d := &l.Duels[i]
		in, k := d.Interval(), d.SkillInterval()
		rows = append(rows, []string{l.Names[d.Alone], l.Names[d.Others], strconv.Itoa(d.Games), exact(d.Share()), exact(in.Low), exact(in.High),
			exact(d.Equal()), exact(d.Skill()), exact(k.Low), exact(k.High)})
	}
	return writeCSV(w, rows)
}
