package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/locale"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter"
	"github.com/rulerun/rulerun/interpreter/review"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Review is a game with the chances of each side to win along it.
type Review struct {
	Locale *locale.Locale // of people; programs read the names of records
	Game   *interpreter.Game
	Called []string // what people call the players, by seats
	Judge  *review.Judge
	Start  []float64
	Steps  []Reviewed
	// Whole means that the first winner is known at the end.
	Whole bool
}

// Reviewed is a step of a game in words.
type Reviewed struct {
	review.Step
	Words          string // what happened, as in the record
	Best           string // of a decision: the best option, as in the record
	Said, SaidBest string // the same for people
}

// reviewListed is the number of mistakes and of throws listed.
const reviewListed = 5

// judgedBy says what judged, and how exactly.
func judgedBy(j *review.Judge) string {
	return (&Review{Locale: locale.For(""), Judge: j}).judgedBy(j.By.Error())
}

// shares are what judged games show, in the order in which it is said.
func shares(t *review.Tally) (list []judgedShare) {
	throws, decisions, known := t.Parts()
	if known {
		list = append(list, judgedShare{"throws", "of who wins: throws", throws}, judgedShare{"decisions", "of who wins: decisions", decisions})
	}
	if matter, known := t.Matter(); known {
		list = append(list, judgedShare{"matter", "decisions that matter", matter})
	}
	return list
}

type judgedShare struct {
	name, words string
	part        review.Part
}

func (s judgedShare) field() object.Field {
	return object.Field{s.name, object.Fields{{"share", s.part.Share}, {"low", s.part.Low}, {"high", s.part.High}}}
}

// judgedFields are what judged games show, as JSON.
func judgedFields(t *review.Tally) object.Fields {
	f := object.Fields{{"games", t.Games}, {"judge", t.Judge.By.Error()}, {"doubt", t.Judge.Doubt}, {"matters", t.Judge.Matters()}}
	return append(f, seq.Map(shares(t), judgedShare.field)...)
}

// Judged adds to the result of many games what judging some of them shows: how many decisions matter, and the share of
// throws and decisions in who wins.
func Judged(r *Result, t *review.Tally) {
	g := &grid{}
	g.add("", "share", "95 % interval")
	for _, s := range shares(t) {
		g.add(s.words, phrase.Percent(s.part.Share), fmt.Sprintf("%.1f to %.1f", 100*s.part.Low, 100*s.part.High))
		cells := []Cell{words(stats.GroupReview), words(s.name), count(t.Games), number(s.part.Share, unitShare), {}, {}, number(s.part.Low, unitPoints), number(s.part.High, unitPoints)}
		r.Data.add(append(cells, make([]Cell, len(r.Data.Columns)-len(cells))...)...)
	}
	r.Object = append(r.Object, object.Field{stats.GroupReview, judgedFields(t)})
	r.luck(phrase.Plural(t.Games, "game"), g, nil, "Judged by "+judgedBy(t.Judge)+".", t.Judge)
}

// luck adds the section of judged games.
func (r *Result) luck(games string, g *grid, items []string, by string, j *review.Judge) {
	note := fmt.Sprintf("%s The shares of throws and decisions are parts of the variance of the result, as these players play; what is missing to 100 %% the judge saw only later. Where players differ much a part may be below 0. "+
		"A decision matters if the best option and the worst are %.0f points of the chance to win apart or more.", by, 100*j.Matters())
	if len(g.Body()) == 0 {
		g, note = nil, "Shares need two games or more that differ."
	}
	r.Sections = append(r.Sections, Section{Title: "luck and decisions, of " + games + " judged", Table: g, Least: 28, Items: items, Lines: []string{"  (" + note + ")"}, Note: note})
}

// JudgedBoth adds to a comparison what judging some of the games of both shows. Small says what matters.
func JudgedBoth(r *Result, a, b *review.Tally, small stats.Small) {
	g := &grid{}
	g.add("", "A", "B", "B - A", "95 % interval")
	points := func(v float64) string { return phrase.Signed(unitPoints.write(v)) }
	between := object.Fields{}
	dots := &picture.Dots{Title: "From A to B, luck and decisions", X: "change, in percentage points; the band: too little to matter", Words: "no change"}
	var items []string
	of := shares(b)
	for i, s := range shares(a) {
		if i >= len(of) || of[i].name != s.name {
			continue
		}
		from := of[i].part.Minus(s.part)
		d := &stats.Difference{Group: stats.GroupReview, Name: s.name, Share: true, A: stats.Mean{Mean: s.part.Share}, B: stats.Mean{Mean: of[i].part.Share},
			Value: from.Share, Interval: stats.Interval{Low: from.Low, High: from.High}}
		d.Small = small.Of(d)
		d.Conclude()
		g.add(s.words, phrase.Percent(s.part.Share), phrase.Percent(of[i].part.Share), points(from.Share), fmt.Sprintf("%.1f to %.1f", 100*from.Low, 100*from.High))
		r.Data.add(differenceCells(d, min(a.Games, b.Games))...)
		between = append(between, judgedShare{s.name, s.words, from}.field())
		dots.Rows = append(dots.Rows, differenceRow(d, 100))
		items = append(items, phrase.Sentence(d))
	}
	if len(dots.Rows) > 0 {
		r.Parts = append(r.Parts, dots)
	}
	r.Object = append(r.Object, object.Field{stats.GroupReview, object.Fields{{"a", judgedFields(a)}, {"b", judgedFields(b)}, {"difference", between}}})
	by := fmt.Sprintf("Judged by %s. Each of these intervals holds with a probability of 95 %% by itself.", judgedBy(b.Judge))
	if judgedBy(a.Judge) != judgedBy(b.Judge) {
		by = fmt.Sprintf("A is judged by %s, B by %s. Each of these intervals holds with a probability of 95 %% by itself.", judgedBy(a.Judge), judgedBy(b.Judge))
	}
	r.luck(phrase.Plural(min(a.Games, b.Games), "game")+" of each", g, items, by, b.Judge)
}

// judgedBy says what judged, and how exactly.
func (r *Review) judgedBy(by string) string {
	if r.Judge.Doubt > 0 {
		return r.Locale.Say("analyse.doubt", "by", by, "points", r.Locale.Decimal(100*r.Judge.Doubt, 1))
	}
	return by
}

// side names a side of the game as records do.
func (r *Review) side(team int) string {
	return strings.Join(seq.Map(r.Game.Rules().Teams[team], r.Game.SeatName), " and ")
}

// sides are what people call the sides.
func (r *Review) sides() []string {
	return seq.Map(r.Game.Rules().Teams, func(seats []int) string {
		return r.Locale.List(seq.Map(seats, func(seat int) string { return r.Called[seat] }))
	})
}

// largest are the indexes of the throws, or the decisions, with the largest gains times a factor, of those that matter.
func (r *Review) largest(throws bool, factor float64) []int {
	out := seq.Indexes(r.Steps, func(s Reviewed) bool { return s.Throw == throws && factor*s.Gain > r.Judge.Matters() })
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(factor*r.Steps[b].Gain, factor*r.Steps[a].Gain) })
	return out[:min(len(out), reviewListed)]
}

// Result is the result of a review.
func (r *Review) Result(title string) *Result {
	l := r.Locale
	points := func(v float64) string { return phrase.Signed(l.Decimal(100*v, 1)) }
	mistakes, lucky := r.largest(false, -1), r.largest(true, 1)
	by := l.Say(r.Judge.By.Key, r.Judge.By.Args...)
	judged := l.Say("analyse.judged", "by", r.judgedBy(by))
	out := &Result{Locale: l, Title: title, Head: []string{title, judged}, Small: []string{judged}, Data: r.table(), Object: r.object()}
	out.Facts = []Fact{{l.Say("analyse.game"), r.Game.Rules().Title}, {l.Say("analyse.judge"), by}}
	if len(r.Steps) == 0 {
		out.Lead = []string{l.Say("analyse.nothing")}
		out.Sections = []Section{{In: inText, Lines: out.Lead}}
		return out
	}
	mattered, decided := 0, 0
	sums := make([]struct {
		luck, lost         float64
		decisions, matters int
	}, r.Game.Players())
	for _, s := range r.Steps {
		if s.Seat < 0 {
			continue
		}
		x := &sums[s.Seat]
		if s.Throw {
			x.luck += s.Gain
			continue
		}
		decided++
		x.decisions++
		x.lost -= s.Gain
		if s.Stake >= r.Judge.Matters() {
			mattered++
			x.matters++
		}
	}
	if decided > 0 {
		out.Lead = append(out.Lead, l.Say("analyse.mattered", "some", mattered, "n", decided, "points", l.Decimal(100*r.Judge.Matters(), 0)))
	}
	g := &grid{}
	g.add("", l.Say("analyse.at_first"), l.Say("analyse.luck"), l.Say("analyse.lost"), l.Say("analyse.decisions"), l.Say("analyse.matter"))
	for seat, x := range sums {
		share := r.Start[r.Game.Rules().Seats[seat].Team]
		g.add(r.Called[seat], l.Decimal(100*share, 1)+" %", points(x.luck), points(-x.lost), strconv.Itoa(x.decisions), strconv.Itoa(x.matters))
	}
	list := func(steps []int, key, mark string) (items []string) {
		for i, at := range steps {
			s := &r.Steps[at]
			items = append(items, l.Say(key, "mark", l.Say(mark)+strconv.Itoa(i+1), "at", s.At, "what", s.Said, "points", points(s.Gain), "best", s.SaidBest))
		}
		return items
	}
	out.Sections = []Section{
		{In: inText, Items: out.Lead, Flat: true},
		{Title: l.Say("analyse.players"), Table: g, Note: l.Say("analyse.players_note")},
		{In: inText, Title: l.Say("analyse.curve"), Table: r.curve(), Least: 8},
		{Title: l.Say("analyse.mistakes"), Items: list(mistakes, "analyse.mistake", markMistake)},
		{Title: l.Say("analyse.lucky"), Items: list(lucky, "analyse.lucky_throw", markLucky)},
	}
	if !r.Whole {
		out.Sections = append(out.Sections, Section{In: inText, Lines: []string{l.Say("analyse.not_whole")}})
	}
	out.Parts = []picture.Part{r.picture(mistakes, lucky)}
	return out
}

// The keys of the letters that name listed steps.
const (
	markMistake = "analyse.mark.mistake"
	markLucky   = "analyse.mark.lucky"
)

// curveRows is the number of rows of the curve as text.
const curveRows = 16

// curve is the chances to win at some moments.
func (r *Review) curve() *grid {
	g := &grid{}
	g.add(append([]string{r.Locale.Say("analyse.throw")}, r.sides()...)...)
	row := func(at int, shares []float64) {
		g.add(append([]string{strconv.Itoa(at)}, seq.Map(shares, func(v float64) string { return strconv.FormatFloat(100*v, 'f', 0, 64) })...)...)
	}
	row(0, r.Start)
	last := len(r.Steps) - 1
	for n := 1; n <= curveRows; n++ {
		i := last * n / curveRows
		if i > last*(n-1)/curveRows || n == curveRows {
			row(r.Steps[i].At, r.Steps[i].Shares)
		}
	}
	return g
}

// picture draws the curve, with the steps listed as dots.
func (r *Review) picture(mistakes, lucky []int) picture.Part {
	l := r.Locale
	c := &picture.Curve{
		Title: l.Say("analyse.title"), X: l.Say("analyse.across", "mistake", l.Say(markMistake), "lucky", l.Say(markLucky)), Y: l.Say("analyse.curve"),
		At: []float64{0}, Keys: r.sides(),
	}
	c.Lines = seq.Map(r.Start, func(v float64) []float64 { return []float64{100 * v} })
	for _, s := range r.Steps {
		c.At = append(c.At, float64(s.At))
		for team, v := range s.Shares {
			c.Lines[team] = append(c.Lines[team], math.Round(1000*v)/10)
		}
	}
	for key, list := range map[string][]int{markMistake: mistakes, markLucky: lucky} {
		for n, i := range list {
			c.Dots = append(c.Dots, picture.Dot{At: i + 1, Series: r.Game.Rules().Seats[r.Steps[i].Seat].Team, Name: l.Say(key) + strconv.Itoa(n+1)})
		}
	}
	slices.SortFunc(c.Dots, func(a, b picture.Dot) int { return cmp.Compare(a.Name, b.Name) })
	return c
}

// table is a row for each step.
func (r *Review) table() Table {
	t := Table{Columns: columns("throw", "kind", "seat", "words", "gain", "options", "best", "stake")}
	t.Columns = append(t.Columns, columns(seq.Of(len(r.Start), r.side)...)...)
	for i := range r.Steps {
		s := &r.Steps[i]
		row := []Cell{count(s.At), words(s.kind()), words(r.Game.SeatName(s.Seat)), words(s.Words), number(s.Gain, unitPoints)}
		if s.Throw {
			row = append(row, Cell{}, Cell{}, Cell{})
		} else {
			row = append(row, count(s.Options), words(s.Best), number(s.Stake, unitPoints))
		}
		t.add(append(row, seq.Map(s.Shares, func(v float64) Cell { return number(v, unitShare) })...)...)
	}
	return t
}

func (s *Reviewed) kind() string {
	if s.Throw {
		return "throw"
	}
	return "decision"
}

func (r *Review) object() object.Fields {
	shares := func(list []float64) object.Fields {
		return seq.Of(len(list), func(team int) object.Field { return object.Field{r.side(team), list[team]} })
	}
	steps := []object.Fields{}
	for i := range r.Steps {
		s := &r.Steps[i]
		f := object.Fields{
			{"throw", s.At}, {"kind", s.kind()}, {"seat", r.Game.SeatName(s.Seat)}, {"words", s.Words}, {"gain", s.Gain}, {"win", shares(s.Shares)},
		}
		if !s.Throw {
			f = append(f, object.Fields{{"options", s.Options}, {"best", s.Best}, {"stake", s.Stake}}...)
		}
		steps = append(steps, f)
	}
	return object.Fields{
		{"version", 1}, {"tool", "rulerun"}, {"kind", "review"}, {"judge", r.Judge.By.Error()}, {"doubt", r.Judge.Doubt}, {"matters", r.Judge.Matters()}, {"whole", r.Whole},
		{"start", shares(r.Start)}, {"steps", steps},
	}
}
