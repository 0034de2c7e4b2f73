package study

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/dsl/model"
	"github.com/rulerun/rulerun/interpreter/stats"
)

func TestParseWishes(t *testing.T) {
	list, err := ParseWishes("minutes=30..40, edge<1,decisions=max, act_capture > 2,throws=min")
	if err != nil || len(list) != 5 || list[0].Low != 30 || list[0].High != 40 || list[1].High != 1 || list[2].Aim != 1 || list[3].Low != 2 || list[3].Name != "act_capture" || list[4].Aim != -1 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, bad := range []string{"", "minutes", "minutes=", "=3", "minutes=40..30", "minutes<1..2", "minutes=most", "minutes=NaN", "edge<1,edge<2", "edge<1,"} {
		if list, err := ParseWishes(bad); err == nil {
			t.Errorf("%q is read as %+v", bad, list)
		}
	}
}

// searched is a sweep over the number of players of a game.
func searched(t *testing.T) *Sweep {
	t.Helper()
	s := &Sweep{Over: []string{"players"}, Of: 3}
	for n := range 3 {
		s.Rows = append(s.Rows, Row{Setting: []model.OptionValue{{Name: "players", Value: strconv.Itoa(n + 1)}}, Tally: tally(t, snakes(t, n+1), stats.Options{To: 3000, Rotate: true}), Sides: n + 1})
	}
	return s
}

// TestWanted ranks settings, and says which have what is wished: games of more players take longer.
func TestWanted(t *testing.T) {
	s := searched(t)
	x := s.table(stats.Confidence)
	length := func(row int) float64 {
		v, _, _ := x.value(row, stats.MeasureThrows)
		return v
	}
	if !(length(0)+1 < length(1) && length(1)+1 < length(2)) {
		t.Fatalf("%g, %g and %g throws", length(0), length(1), length(2))
	}
	for _, c := range []struct {
		wish  Wish
		order []int
		holds []string
	}{
		{Wish{Text: "a", Name: "throws", Low: length(1) - 5, High: length(1) + 8}, []int{1, 2, 0}, []string{"fails", "holds", "fails"}},
		{Wish{Text: "b", Name: "throws", Low: length(1), High: length(2) + 9}, nil, []string{"fails", "open", "holds"}},
		{Wish{Text: "c", Name: "throws", Aim: 1}, []int{2, 1, 0}, []string{"fails", "fails", "fails"}},
	} {
		if c.wish.Aim != 0 {
			list, _ := ParseWishes("throws=max")
			c.wish, c.holds = list[0], []string{"holds", "holds", "holds"}
		}
		if order := s.Rank([]Wish{c.wish}); c.order != nil && !slices.Equal(order, c.order) {
			t.Errorf("%s: ranked %v, want %v", c.wish.Text, order, c.order)
		}
		r := s.Wanted(Search{Wishes: []Wish{c.wish}, Settings: 3, Of: 3, First: 10})
		for i, want := range c.holds {
			if got := r.Sections[0].Table.rows[i+1][1]; got != want {
				t.Errorf("%s: row %d %s, want %s", c.wish.Text, i, got, want)
			}
		}
	}
	w := Wish{Text: "a", Name: "throws", Low: length(0) - 1, High: length(2)}
	width := func(among int) float64 {
		r := s.Wanted(Search{Wishes: []Wish{w}, Settings: 3, Of: 3, First: 10, Among: among})
		if stopped := strings.Contains(strings.Join(r.Head, " "), "until it was stopped"); stopped != (among > 0) {
			t.Errorf("among %d: %v", among, r.Head)
		}
		data, err := json.Marshal(r.Object)
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Want struct {
				Rows []struct{ Wishes map[string]stats.Interval }
			}
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		in := doc.Want.Rows[0].Wishes["a"]
		return in.High - in.Low
	}
	if all, few := width(300), width(0); !(all > 1.3*few) {
		t.Errorf("the interval of a choice among 300 is %g wide, that of all three %g", all, few)
	}
	both, _ := ParseWishes("throws=max,act_climb=min,unfinished<1")
	if front := s.front(x, both); len(front) != 3 {
		t.Errorf("the front is %v", front)
	}
	both, _ = ParseWishes("throws=max,act_climb=max")
	if front := s.front(x, both); len(front) != 1 || !strings.HasPrefix(front[0], "players=3, throws 6") {
		t.Errorf("the front is %v", front)
	}
	if beats([]float64{1, 2}, []float64{1, 2}) || !beats([]float64{1, 3}, []float64{1, 2}) || beats([]float64{0, 3}, []float64{1, 2}) {
		t.Error("what beats what is wrong")
	}
}
