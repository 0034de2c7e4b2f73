package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Each has what every single rule and option of a rule book does: comparisons of the rule book with variants of it.
type Each struct {
	Base     stats.Subject
	Variants []Variant
	Of       int // variants, if none is left out
}

// Variant is a rule book with one option turned or one rule left out.
type Variant struct {
	Kind string // "option", "change" or "rule"
	What string // "option=3", "without: rule x"
	// Comparison is of the whole rule book with the variant; nil if there is no such game: Fault says why.
	Comparison *stats.Comparison
	Fault      string
}

// find is the difference in a figure, nil if a variant has none.
func (v *Variant) find(group, name string) *stats.Difference {
	if v.Comparison == nil {
		return nil
	}
	list := v.Comparison.Differences
	if i := slices.IndexFunc(list, func(d stats.Difference) bool { return d.Group == group && d.Name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// effect orders variants: by how much a difference is more than a small one, 0 where it may be none.
func effect(d *stats.Difference) float64 {
	if d == nil || d.Verdict != stats.More && d.Verdict != stats.Less {
		return 0
	}
	return math.Abs(d.Value) / cmp.Or(d.Small, 1)
}

// eachFigures are the figures that the table has if variants have them, before the acts and counts of the rules.
var eachFigures = []string{stats.MeasureThrows, stats.MeasureDecisions, stats.MeasureEdge, stats.MeasureUnfinished}

// figures are the group and name of all figures.
func (e *Each) figures() (out [][2]string) {
	out = seq.Map(eachFigures, func(name string) [2]string { return [2]string{stats.GroupGame, name} })
	for _, group := range []string{stats.GroupDealt, stats.GroupActs, stats.GroupCounts} {
		for _, v := range e.Variants {
			if v.Comparison != nil {
				for _, d := range v.Comparison.Differences {
					if f := [2]string{d.Group, d.Name}; d.Group == group && (group != stats.GroupDealt || d.Main) && !slices.Contains(out, f) {
						out = append(out, f)
					}
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(f [2]string) bool {
		return !slices.ContainsFunc(e.Variants, func(v Variant) bool {
			d := v.find(f[0], f[1])
			return d != nil && (f[1] != stats.MeasureUnfinished || effect(d) > 0)
		})
	})
}

// Result is the result as tables, drawings and documents.
func (e *Each) Result() *Result {
	title := "What each rule and option of " + phrase.Heading(&e.Base) + " does"
	games := 0
	for _, v := range e.Variants {
		if v.Comparison != nil {
			games = max(games, v.Comparison.Games)
		}
	}
	base := sideText(&e.Base)
	how := fmt.Sprintf("each compared with all of it, up to %s of both with the same chance (seed %d)", phrase.Plural(games, "game"), e.Base.Seed)
	const hold = "all intervals of all rows hold together with a probability of 95 %"
	r := &Result{Title: title, Head: []string{title, base, how}, Small: []string{base + ". " + phrase.Capital(how) + "; " + hold + "."},
		Facts: []Fact{{"rule book", base}, {"seed", fmt.Sprint(e.Base.Seed)}}}
	rows := make([]*Variant, 0, len(e.Variants))
	var faults []string
	for i := range e.Variants {
		if v := &e.Variants[i]; v.Comparison != nil {
			rows = append(rows, v)
		} else {
			faults = append(faults, v.What+": "+v.Fault)
		}
	}
	by := func(f [2]string) []*Variant {
		out := slices.Clone(rows)
		slices.SortStableFunc(out, func(a, b *Variant) int {
			return cmp.Compare(effect(b.find(f[0], f[1])), effect(a.find(f[0], f[1])))
		})
		return out
	}
	length := [2]string{stats.GroupGame, stats.MeasureThrows}
	figures := e.figures()
	g := &grid{}
	short := func(f [2]string) string { return phrase.ShortName(&stats.Difference{Group: f[0], Name: f[1]}) }
	g.add(append([]string{""}, seq.Map(figures, short)...)...)
	var found []string
	for _, v := range by(length) {
		g.add(append([]string{v.What}, seq.Map(figures, func(f [2]string) string { return shortChange(v.find(f[0], f[1])) })...)...)
		if d := v.find(length[0], length[1]); effect(d) > 0 && len(found) < 5 {
			found = append(found, v.What+": "+phrase.Sentence(d))
		}
	}
	for _, f := range figures {
		if p := tornado(f, by(f)); p != nil {
			r.Parts = append(r.Parts, p)
		}
	}
	r.Lead = found
	key := "changes from all rules to the variant; =: too little to matter, ?: not known, edge and shares in points; "
	if len(e.Base.Dealt) > 0 {
		key += "what a player wins: skill; "
	}
	r.Sections = []Section{
		{Title: "what changes the length most", Items: found},
		{Table: g, Again: 1, Least: 24, Lines: []string{"  (" + key + hold + ")"}, Note: phrase.Capital(key) + hold + "."},
		{Title: "no games", Items: faults},
	}
	r.Data = Table{Columns: append(columns("kind", "variant"), compareTable(&stats.Comparison{}).Columns...)}
	list := []object.Fields{}
	for _, v := range e.Variants {
		f := object.Fields{{"kind", v.Kind}, {"variant", v.What}}
		if v.Comparison == nil {
			list = append(list, append(f, object.Field{"fault", v.Fault}))
			continue
		}
		for k := range v.Comparison.Differences {
			r.Data.add(append([]Cell{words(v.Kind), words(v.What)}, differenceCells(&v.Comparison.Differences[k], v.Comparison.Games)...)...)
		}
		list = append(list, append(f, object.Field{"games", v.Comparison.Games}, object.Field{"sure", v.Comparison.Sure}, object.Field{"differences", differenceFields(v.Comparison)}))
	}
	r.Object = object.Fields{{"version", 1}, {"tool", "rulerun"}, {"kind", "each"}, {"base", subjectFields(&e.Base)}, {"confidence", stats.Confidence},
		{"of", e.Of}, {"variants", list}}
	return r
}

// shortChange is a difference in a narrow column.
func shortChange(d *stats.Difference) string {
	if d == nil {
		return ""
	}
	switch d.Verdict {
	case stats.Same:
		return "="
	case stats.Unsure:
		return "?"
	}
	by := 1.0
	if d.Share {
		by = 100
	}
	return phrase.Signed(phrase.Digits((d.Interval.High - d.Interval.Low) / 2 * by)(d.Value * by))
}

// tornadoRows is the number of rows of a drawing.
const tornadoRows = 20

// tornado draws the differences of variants in a figure, the largest first; nil if there is none.
func tornado(figure [2]string, rows []*Variant) picture.Part {
	d := &picture.Dots{Words: "all rules"}
	for _, v := range rows {
		x := v.find(figure[0], figure[1])
		if x == nil || len(d.Rows) == tornadoRows || effect(x) == 0 && len(d.Rows) > 0 {
			continue
		}
		by, unit := 100.0, "change, in percentage points"
		if !x.Share {
			if by, unit = 100/math.Abs(x.A.Mean), "change, per cent of all rules"; x.A.Mean == 0 {
				continue
			}
		}
		d.X = unit
		row := differenceRow(x, by)
		d.Title, row.Name = phrase.Capital(phrase.NameOf(x)), v.What
		d.Rows = append(d.Rows, row)
	}
	if len(d.Rows) == 0 {
		return nil
	}
	return d
}
