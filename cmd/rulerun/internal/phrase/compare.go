package phrase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/interpreter/stats"
)

// saying has the sentences for a difference: with # for its size and @ for a limit; for no difference, and for an
// undecided one.
type saying struct{ more, less, same, unsure string }

// sayings are those of whole games.
var sayings = map[string]saying{
	stats.MeasureThrows: {"games are # throws longer", "games are # throws shorter",
		"games take as many throws", "games may be longer or shorter, in throws"},
	stats.MeasureFirstWinner: {"the first winner is known # throws later", "the first winner is known # throws earlier",
		"the first winner is known after as many throws", "the first winner may be known after more or fewer throws"},
	stats.MeasureHalf: {"the median game is # throws longer", "the median game is # throws shorter",
		"the median game takes as many throws", "the median game may be longer or shorter, in throws"},
	stats.MeasureNineTenth: {"nine games of ten are over # throws later", "nine games of ten are over # throws earlier",
		"nine games of ten are over after as many throws", "nine games of ten may be over after more or fewer throws"},
	stats.MeasureLong: {"more games take over @ throws, by #", "fewer games take over @ throws, by #",
		"as many games take over @ throws", "games over @ throws are too rare to say whether there are more or fewer"},
	stats.MeasureMinutes: {"games take people # minutes longer", "games take people # minutes less",
		"games take people as many minutes", "games may take people more or fewer minutes"},
	stats.MeasureFirstMinutes: {"the first winner is known # minutes later", "the first winner is known # minutes earlier",
		"the first winner is known after as many minutes", "the first winner may be known after more or fewer minutes"},
	stats.MeasureTurns: {"games take # turns more", "games take # turns fewer",
		"games take as many turns", "games may take more or fewer turns"},
	stats.MeasureDecisions: {"there are # decisions more in a game", "there are # decisions fewer in a game",
		"there is as much to decide", "there may be more or less to decide"},
	stats.MeasureForced: {"# more moves of a game are forced", "# fewer moves of a game are forced",
		"as many moves are forced", "more or fewer moves may be forced"},
	stats.MeasureLeadChanges: {"the lead changes # times more in a game", "the lead changes # times less in a game",
		"the lead changes as often", "the lead may change more or less often"},
	stats.MeasureSettled: {"the last change of the lead comes later in the game, by #", "the last change of the lead comes earlier in the game, by #",
		"the last change of the lead comes as early", "the last change of the lead may come earlier or later"},
	stats.MeasureEdge: {"the first seat's edge grows by #", "the first seat's edge shrinks by #",
		"the first seat's edge does not change", "the first seat's edge may change"},
	stats.MeasureUnfinished: {"more games reach the limit of throws, by #", "fewer games reach the limit of throws, by #",
		"as many games reach the limit of throws", "more or fewer games may reach the limit of throws"},
}

// reviewSayings are those of judged games.
var reviewSayings = map[string]saying{
	"throws": {"throws decide # more of who wins", "throws decide # less of who wins",
		"throws decide as much of who wins", "throws may decide more or less of who wins"},
	"decisions": {"decisions decide # more of who wins", "decisions decide # less of who wins",
		"decisions decide as much of who wins", "decisions may decide more or less of who wins"},
	"matter": {"more of the decisions matter, by #", "fewer of the decisions matter, by #",
		"as many of the decisions matter", "more or fewer of the decisions may matter"},
}

// sayingOf returns the sentences for a difference, and their prefix.
func sayingOf(d *stats.Difference) (before string, say saying) {
	switch d.Group {
	case stats.GroupWins:
		return d.Name, saying{" wins more often, by #", " wins less often, by #", " wins as often", " may win more or less often"}
	case stats.GroupDealt:
		return d.Name + strength(d), saying{" wins more often, by #", " wins less often, by #", " wins as often", " may win more or less often"}
	case stats.GroupReview:
		return "", reviewSayings[d.Name]
	case stats.GroupActs:
		return d.Name, saying{" is done # times more in a game", " is done # times less in a game", " is done as often", " may be done more or less often"}
	case stats.GroupCounts:
		before := d.Name
		if d.Words != "" {
			before += " (" + d.Words + ")"
		}
		return before, saying{": # more in a game", ": # less in a game", ": as many", " may be more or fewer"}
	}
	say = sayings[d.Name]
	limit := strconv.Itoa(d.Limit)
	for _, text := range []*string{&say.more, &say.less, &say.same, &say.unsure} {
		*text = strings.ReplaceAll(*text, "@", limit)
	}
	return "", say
}

// strength says what a player that changes seats is in both games.
func strength(d *stats.Difference) string {
	switch a, b := d.A.Interval(), d.B.Interval(); {
	case a.Low > 0 && b.Low > 0:
		return ", the stronger,"
	case a.High < 0 && b.High < 0:
		return ", the weaker,"
	}
	return ""
}

// Favours says whom B favours in comparison with A, of the players that change seats and of the seats.
func Favours(c *stats.Comparison) string {
	var player, edge *stats.Difference
	for i := range c.Differences {
		switch d := &c.Differences[i]; {
		case d.Group == stats.GroupDealt && strength(d) != "" && (player == nil || d.A.Mean+d.B.Mean > player.A.Mean+player.B.Mean):
			player = d
		case d.Group == stats.GroupGame && d.Name == stats.MeasureEdge:
			edge = d
		}
	}
	switch {
	case len(c.A.Dealt) == 0 || len(c.B.Dealt) == 0 || edge == nil:
		return ""
	case player == nil:
		return "No player is known to be the stronger in both."
	}
	stronger, weaker := "the stronger player", "the weaker player"
	if strength(player) == ", the weaker," {
		stronger, weaker = weaker, stronger
	}
	return Capital(favour(player, stronger, weaker) + ", and " + favour(edge, "who begins", "who does not begin") + ".")
}

// favour says which of two a difference favours.
func favour(d *stats.Difference, one, other string) string {
	switch d.Verdict {
	case stats.More:
		return "B favours " + one + " more than A does"
	case stats.Less:
		return "B favours " + other + " more than A does"
	case stats.Same:
		return "B favours " + one + " as much as A does"
	}
	return "whether B favours " + one + " more or less is not known yet"
}

// UpTo describes the limit of a counted number, "" without a limit.
func UpTo(d *stats.Difference) string {
	switch {
	case d.Share || d.Limit == 0:
		return ""
	case d.Least < 0:
		return fmt.Sprintf("%d to %d", d.Least, d.Limit)
	}
	return strconv.Itoa(d.Limit)
}

// note describes in brackets what was counted, and its limit.
func note(d *stats.Difference, limited bool) string {
	var notes []string
	if d.Group == stats.GroupGame && d.Words != "" {
		notes = append(notes, d.Words)
	}
	if text := UpTo(d); text != "" && limited {
		if d.Least == 0 {
			text = "up to " + text
		}
		notes = append(notes, "counted "+text)
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

// Sentence describes a difference in a line. A statement of no difference refers to the numbers counted.
func Sentence(d *stats.Difference) string {
	before, say := sayingOf(d)
	by := 1.0
	unit := ""
	if d.Share {
		by, unit = 100, " points"
	}
	low, high := d.Interval.Low*by, d.Interval.High*by
	number := Digits((high - low) / 2)
	in := func(low, high float64) string {
		return fmt.Sprintf(", 95%% interval %s to %s", number(low), number(high))
	}
	least := ""
	if d.Verdict == stats.Same {
		least = ", too little to matter"
	}
	switch sign := d.Sign(); {
	case sign > 0:
		return before + strings.Replace(say.more, "#", number(d.Value*by)+unit, 1) + least + in(low, high) + note(d, least != "")
	case sign < 0:
		return before + strings.Replace(say.less, "#", number(-d.Value*by)+unit, 1) + least + in(-high, -low) + note(d, least != "")
	case d.Verdict == stats.Same:
		return before + say.same + in(low, high) + unit + note(d, true)
	}
	return before + say.unsure + in(low, high) + unit + note(d, true)
}

// TooRare reports whether an event is too rare for a conclusion.
func TooRare(d *stats.Difference) bool {
	return d.Group == stats.GroupGame && d.Name == stats.MeasureLong && d.Verdict == stats.Unsure
}

// Beyond describes the games beyond the limits of length, about which nothing is certain.
func Beyond(c *stats.Comparison) []string {
	var out []string
	for i := range c.Differences {
		d := &c.Differences[i]
		if TooRare(d) {
			out = append(out, Sentence(d))
		}
		if d.Group != stats.GroupGame || !d.TooRare() || !d.Main && d.Name != stats.MeasureFirstWinner {
			continue
		}
		number := Digits((d.Interval.High - d.Interval.Low) / 2)
		out = append(out, fmt.Sprintf("%s beyond %d: %s of A and %s of B; with all of them the means are %s and %s, and no interval of those holds",
			NameOf(d), d.Limit, Plural(d.Beyond[0], "game"), Thousands(float64(d.Beyond[1])), number(d.Whole[0]), number(d.Whole[1])))
	}
	return out
}

// measureNames are the names of measures of whole games, for an axis or a table.
var measureNames = map[string]string{
	stats.MeasureForced: "forced moves", stats.MeasureLeadChanges: "changes of the lead", stats.MeasureSettled: "last change of the lead",
	stats.MeasureEdge: "edge of the starter", stats.MeasureUnfinished: "games given up",
}

// throwNames are the names of measures of length other than the mean.
var throwNames = map[string]string{
	stats.MeasureFirstWinner: "throws, first winner", stats.MeasureFirstMinutes: "minutes, first winner", stats.MeasureHalf: "throws, median", stats.MeasureNineTenth: "throws, 90 % quantile",
	stats.MeasureLong: "games over @ throws",
}

// NameOf is the subject of a difference, for an axis or a table.
func NameOf(d *stats.Difference) string {
	if d.Group == stats.GroupGame && throwNames[d.Name] != "" {
		return strings.ReplaceAll(throwNames[d.Name], "@", strconv.Itoa(d.Limit))
	}
	if d.Group == stats.GroupGame && d.Words != "" {
		return d.Name + ", whole ranking"
	}
	if name := measureNames[d.Name]; d.Group == stats.GroupGame && name != "" {
		return name
	}
	if d.Group == stats.GroupWins || d.Group == stats.GroupDealt {
		return d.Name + " wins"
	}
	return d.Name
}

// Title names the games compared: by their changes and options, if both have the same title.
func Title(c *stats.Comparison) string {
	if c.A.Title == c.B.Title {
		if with, ok := strings.CutPrefix(Heading(&c.B), c.B.Title+" with "); ok && Heading(&c.A) == c.A.Title {
			if apart(c, 0)+apart(c, 1) == "" {
				return c.A.Title + ": what " + with + " does"
			}
		}
		if Heading(&c.A) == Heading(&c.B) {
			return Heading(&c.A) + ": " + apart(c, 0) + ", and " + apart(c, 1)
		}
	}
	return Side(c, 0) + ", and " + Side(c, 1)
}

// Verdict summarises a comparison in a sentence or two: the certain main differences.
func Verdict(c *stats.Comparison) string {
	if c.Games == 0 {
		return "It was stopped before there was anything to say."
	}
	if c.Alike {
		return fmt.Sprintf("Every one of the %s came to the same with both.", Plural(c.Games, "game"))
	}
	var found, same, open []string
	for _, d := range Listed(c) {
		if !d.Main {
			continue
		}
		switch before, say := sayingOf(d); d.Verdict {
		case stats.More, stats.Less:
			found = append(found, Sentence(d))
		case stats.Same:
			if d.Sign() != 0 {
				same = append(same, Sentence(d))
				continue
			}
			same = append(same, before+say.same+note(d, true))
		default:
			open = append(open, before+say.unsure+note(d, true))
		}
	}
	text := ""
	for _, list := range [][]string{found, same, open} {
		if len(list) > 0 {
			text += " " + Capital(strings.Join(list, "; ")) + "."
		}
	}
	return strings.TrimSpace(text + " " + Favours(c))
}

// Limits describes the limits of the main numbers of a game.
func Limits(c *stats.Comparison) string {
	var list []string
	for i := range c.Differences {
		if d := &c.Differences[i]; d.Group == stats.GroupGame && UpTo(d) != "" && (d.Main || d.Name == stats.MeasureFirstWinner) {
			list = append(list, NameOf(d)+" up to "+UpTo(d))
		}
	}
	slices.Sort(list)
	if len(list) == 0 {
		return ""
	}
	return "What is more in a game counts as its limit: " + strings.Join(list, "; ") + "."
}

// Same names the differences that do not matter, with the thresholds.
func Same(c *stats.Comparison) string {
	short := func(v float64) string { return strconv.FormatFloat(100*v, 'g', 4, 64) }
	return fmt.Sprintf("no difference that matters: under %s %% of a number, under %s points of a share", short(c.Small.Number), short(c.Small.Share))
}

// Ending says why the comparison ended.
func Ending(c *stats.Comparison) string {
	var main, open []string
	for i := range c.Differences {
		d := &c.Differences[i]
		if d.Main {
			main = append(main, strings.ReplaceAll(d.Name, "_", " "))
		}
		if d.Main && !d.Sure() {
			open = append(open, strings.ReplaceAll(d.Name, "_", " "))
		}
	}
	switch {
	case c.Sure:
		return fmt.Sprintf("sure of %s after %s of each", strings.Join(main, ", "), Plural(c.Games, "game"))
	case c.Stopped && len(open) > 0:
		return fmt.Sprintf("stopped before it was sure: of %s", strings.Join(open, ", "))
	case c.Stopped:
		return "stopped before it was as precise as it was asked to be"
	case len(open) > 0:
		return fmt.Sprintf("not sure within %s: of %s; --games allows more", Plural(c.Games, "game"), strings.Join(open, ", "))
	}
	return fmt.Sprintf("not as precise within %s as it was asked to be; --games allows more", Plural(c.Games, "game"))
}

// Listed lists the differences for people; for a game of one player some have no meaning.
func Listed(c *stats.Comparison) []*stats.Difference {
	alone := c.A.Players == 1 && c.B.Players == 1
	var out []*stats.Difference
	for i := range c.Differences {
		d := &c.Differences[i]
		single := d.Group != stats.GroupWins && d.Name != stats.MeasureEdge && d.Name != stats.MeasureLeadChanges && d.Name != stats.MeasureSettled
		if !alone || single {
			out = append(out, d)
		}
	}
	return out
}

// ShortName is the subject of a difference, for the text.
func ShortName(d *stats.Difference) string {
	switch {
	case d.Group == stats.GroupDealt:
		return NameOf(d)
	case d.Group != stats.GroupGame:
		return d.Group + " " + d.Name
	case throwNames[d.Name] != "" || d.Words != "":
		return NameOf(d)
	}
	return strings.ReplaceAll(d.Name, "_", " ")
}
