package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rulerun/rulerun/cmd/rulerun/internal/object"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/phrase"
	"github.com/rulerun/rulerun/cmd/rulerun/internal/picture"
	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/dsl/seq"
	"github.com/rulerun/rulerun/interpreter/stats"
)

// Wish is what a figure of a game should be: between two bounds, or as small or as large as can be.
type Wish struct {
	Text      string
	Name      string  // of a column of a sweep
	Low, High float64 // in per cent of shares; infinite where there is no bound
	Aim       int     // 1 for as large as can be, -1 for as small
}

// ParseWishes reads wishes: "minutes=30..40, edge<1, decisions=max". The error says what is wrong with which.
func ParseWishes(text string) ([]Wish, error) {
	var out []Wish
	for part := range strings.SplitSeq(text, ",") {
		w := Wish{Text: strings.TrimSpace(part), Low: math.Inf(-1), High: math.Inf(1)}
		at := strings.IndexAny(w.Text, "=<>")
		if at < 1 {
			return nil, fmt.Errorf("got %q, want such as minutes=30..40, edge<1 or decisions=max", w.Text)
		}
		w.Name = strings.TrimSpace(w.Text[:at])
		value := strings.TrimSpace(w.Text[at+1:])
		low, high, isRange := strings.Cut(value, "..")
		if !isRange {
			high = low
		}
		var err, err2 error
		switch {
		case w.Text[at] == '=' && value == "max":
			w.Aim = 1
		case w.Text[at] == '=' && value == "min":
			w.Aim = -1
		case w.Text[at] == '=':
			w.Low, err = strconv.ParseFloat(low, 64)
			w.High, err2 = strconv.ParseFloat(high, 64)
		case isRange:
			err = strconv.ErrSyntax
		case w.Text[at] == '<':
			w.High, err = strconv.ParseFloat(value, 64)
		default:
			w.Low, err = strconv.ParseFloat(value, 64)
		}
		if err != nil || err2 != nil || w.Aim == 0 && (!(w.Low <= w.High) || math.IsInf(w.Low, 0) && math.IsInf(w.High, 0)) {
			return nil, fmt.Errorf("got %q, want such as minutes=30..40, edge<1 or decisions=max", w.Text)
		}
		if i := slices.IndexFunc(out, func(o Wish) bool { return o.Name == w.Name && o.Aim == 0 == (w.Aim == 0) }); i >= 0 {
			return nil, fmt.Errorf("%q and %q are wishes for one figure", out[i].Text, w.Text)
		}
		out = append(out, w)
	}
	return out, nil
}

// Figures are the names that wishes can have.
func (s *Sweep) Figures() []string {
	return seq.Map(s.columns(), func(c sweepColumn) string { return c.key() })
}

// wished is a figure of a row as wishes speak of it, with its interval: shares in per cent, an edge by its size.
func (x *swept) wished(row int, w *Wish) (v float64, in stats.Interval, known bool) {
	v, in, known = x.value(row, w.Name)
	if i := slices.IndexFunc(x.list, func(c sweepColumn) bool { return c.key() == w.Name }); i >= 0 && x.list[i].share {
		v, in.Low, in.High = 100*v, 100*in.Low, 100*in.High
	}
	if w.Name != stats.MeasureEdge {
		return v, in, known
	}
	low, high := min(math.Abs(in.Low), math.Abs(in.High)), max(math.Abs(in.Low), math.Abs(in.High))
	if in.Low < 0 && in.High > 0 {
		low = 0
	}
	return math.Abs(v), stats.Interval{Low: low, High: high}, known
}

// Rank orders the rows of a search, the best first: those that miss the bounds least, and of those that meet them the ones that
// the fewest others beat in all that should be large or small.
func (s *Sweep) Rank(wishes []Wish) []int {
	x := s.table(stats.Confidence)
	missed, aims := make([]float64, len(s.Rows)), make([][]float64, len(s.Rows))
	order := seq.Of(len(s.Rows), func(i int) int { return i })
	for i := range s.Rows {
		for k := range wishes {
			w := &wishes[k]
			v, _, known := x.wished(i, w)
			switch {
			case !known:
				missed[i] = math.Inf(1)
			case w.Aim != 0:
				aims[i] = append(aims[i], float64(w.Aim)*v)
			default:
				missed[i] += max(0, w.Low-v, v-w.High) / max(1e-9, math.Abs(w.Low+w.High)/2, min(math.Abs(w.Low), math.Abs(w.High)))
			}
		}
	}
	beaten := seq.Of(len(s.Rows), func(i int) int {
		return len(seq.Which(len(s.Rows), func(j int) bool { return missed[i] == 0 && missed[j] == 0 && beats(aims[j], aims[i]) }))
	})
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(missed[i], missed[j]), cmp.Compare(beaten[i], beaten[j]), -slices.Compare(aims[i], aims[j]))
	})
	return order
}

// beats reports whether some figures are all as good as others, and one is better.
func beats(a, b []float64) bool {
	better := false
	for k := range a {
		if a[k] < b[k] {
			return false
		}
		better = better || a[k] > b[k]
	}
	return better
}

// Search is how the rows of a sweep were found.
type Search struct {
	Wishes       []Wish
	Settings, Of int      // looked at, and those there are
	Impossible   []string // settings that have no game, with the reasons
	First        int      // games a setting in the first round
	Among        int      // if the rows are the best of a round of the search: of how many
}

// Wanted is the result of a search: the rows are the settings found, the best first, from games of their own.
func (s *Sweep) Wanted(found Search) *Result {
	r := s.Result()
	x := s.table(1 - (1-stats.Confidence)/float64(max(1, len(s.Rows), found.Among)*len(found.Wishes))) // Bonferroni: of all that could have been chosen
	asked := seq.Map(found.Wishes, func(w Wish) string { return w.Text })
	r.Title = "Rules with " + strings.Join(asked, ", ")
	of := ""
	if found.Settings < found.Of {
		of = fmt.Sprintf(" of %s, drawn by the seed", phrase.Thousands(float64(found.Of)))
	}
	how := fmt.Sprintf("%s%s were looked at, by %s each and the better ones by more; what is below comes from other games", phrase.Plural(found.Settings, "setting"), of, phrase.Plural(found.First, "game"))
	if found.Among > 0 {
		how = fmt.Sprintf("%s%s were looked at until it was stopped; these are the best of %d, from the search, and their intervals allow for the choice",
			phrase.Plural(found.Settings, "setting"), of, found.Among)
	}
	var rows []object.Fields
	var list []string // the settings that hold
	g := &grid{}
	g.add(slices.Concat(s.Over, []string{""}, asked)...)
	for i := range s.Rows {
		verdict, line := "holds", []string{}
		values := object.Fields{}
		for k := range found.Wishes {
			w := &found.Wishes[k]
			v, in, known := x.wished(i, w)
			switch {
			case !known || in.High < w.Low || in.Low > w.High:
				verdict = "fails"
			case verdict == "holds" && (in.Low < w.Low || in.High > w.High):
				verdict = "open"
			}
			round := phrase.Digits((in.High - in.Low) / 2)
			line = append(line, fmt.Sprintf("%s (%s to %s)", round(v), round(in.Low), round(in.High)))
			values = append(values, object.Field{w.Text, object.Fields{{"value", v}, {"low", in.Low}, {"high", in.High}}})
		}
		setting := seq.Map(s.Rows[i].Setting, func(o model.OptionValue) string { return o.Value })
		g.add(append(append(setting, verdict), line...)...)
		rows = append(rows, object.Fields{{"setting", OptionFields(s.Rows[i].Setting)}, {"verdict", verdict}, {"wishes", values}})
		if verdict == "holds" {
			list = append(list, s.label(i))
		}
	}
	answer := "No setting is sure to have all of it; the first row comes nearest."
	if holds := len(list); holds > 0 {
		answer = fmt.Sprintf("%s all of it, with a probability of 95 %%: %s.", phrase.Plural(holds, "setting")+map[bool]string{true: " has", false: " have"}[holds == 1], strings.Join(list, "; "))
	}
	note := "holds: all intervals lie within the wishes; fails: one lies outside; open: more games would tell; these intervals hold together with a probability of 95 %. Rows are in the order of the search. Edge: its size, in points; shares in per cent"
	r.Head = append(r.Head, how, answer)
	r.Lead = append([]string{answer}, r.Lead...)
	r.Small = append(r.Small, phrase.Capital(how)+".")
	sections := []Section{{Title: "what was wanted", Table: g, Again: len(s.Over), Lines: []string{"  (" + note + ")"}, Note: phrase.Capital(note) + "."}}
	if front := s.front(x, found.Wishes); len(front) > 0 {
		sections = append(sections, Section{Title: "the front: no other row is better in one thing and as good in the others", Items: front})
	}
	if len(found.Impossible) > 0 {
		sections = append(sections, Section{Title: "no games", Items: found.Impossible})
	}
	if n := len(r.Sections); n > 2 { // the tables: what the search found is no sweep over all values
		r.Sections = append(sections, r.Sections[0], r.Sections[n-1])
	}
	r.Found, r.Parts = nil, seq.Of(len(found.Wishes), func(k int) picture.Part { return s.wishDots(x, &found.Wishes[k]) })
	wishes := []object.Fields{}
	for _, w := range found.Wishes {
		wishes = append(wishes, object.Fields{{"wish", w.Text}, {"figure", w.Name}, {"aim", map[int]string{0: "bounds", 1: "max", -1: "min"}[w.Aim]}})
	}
	r.Object = append(r.Object, object.Field{"want", object.Fields{{"wishes", wishes}, {"settings", found.Settings}, {"of", found.Of}, {"impossible", len(found.Impossible)}, {"rows", rows}}})
	return r
}

// wishDots draws a figure of all rows, with what is wished of it.
func (s *Sweep) wishDots(x *swept, w *Wish) picture.Part {
	d := &picture.Dots{Title: w.Text, X: strings.ReplaceAll(w.Name, "_", " "), Reference: math.NaN()}
	if bound := min(math.Abs(w.Low), math.Abs(w.High)); !math.IsInf(bound, 0) {
		d.Reference, d.Words = w.Low, "wished"
		if math.IsInf(w.Low, 0) {
			d.Reference = w.High
		}
		if !math.IsInf(w.Low, 0) && !math.IsInf(w.High, 0) {
			d.Reference = (w.Low + w.High) / 2
		}
	}
	for i := range s.Rows {
		v, in, _ := x.wished(i, w)
		row := picture.Row{Name: strconv.Itoa(i+1) + ": " + s.label(i), Marks: []picture.Mark{{Low: in.Low, Mid: v, High: in.High}}, Note: phrase.Number(v)}
		if !math.IsInf(w.Low, 0) && !math.IsInf(w.High, 0) {
			row.Band = (w.High - w.Low) / 2
		}
		d.Rows = append(d.Rows, row)
	}
	return d
}

// label names a row by what is not the same in all rows.
func (s *Sweep) label(row int) string {
	var list []string
	for k, o := range s.Rows[row].Setting {
		house, with := strings.CutPrefix(o.Name, "with ")
		switch {
		case !slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Setting[k].Value != o.Value }), with && o.Value == "no":
		case with:
			list = append(list, house)
		default:
			list = append(list, o.String())
		}
	}
	return cmp.Or(strings.Join(list, " "), "as it is")
}

// front lists the rows that no other beats, where several figures should be large or small.
func (s *Sweep) front(x *swept, wishes []Wish) []string {
	aims := slices.DeleteFunc(slices.Clone(wishes), func(w Wish) bool { return w.Aim == 0 })
	if len(aims) < 2 {
		return nil
	}
	values := seq.Of(len(s.Rows), func(i int) []float64 {
		return seq.Map(aims, func(w Wish) float64 { v, _, _ := x.wished(i, &w); return float64(w.Aim) * v })
	})
	var out []string
	for i := range s.Rows {
		if slices.ContainsFunc(values, func(o []float64) bool { return beats(o, values[i]) }) {
			continue
		}
		text := s.label(i)
		for k, w := range aims {
			text += fmt.Sprintf(", %s %s", w.Name, phrase.Number(math.Abs(values[i][k])))
		}
		out = append(out, text)
	}
	return out
}
