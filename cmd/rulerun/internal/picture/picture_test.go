package picture

import (
	"bytes"
	"encoding/xml"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/seq"
)

var update = flag.Bool("update", false, "rewrite the golden pictures")

// bell is a made-up distribution round a mean.
func bell(mean, spread float64) []Count {
	var out []Count
	for v := 0; v < 900; v++ {
		if n := uint64(10000 * math.Exp(-math.Pow((float64(v)-mean)/spread, 2))); n > 0 {
			out = append(out, Count{v, n})
		}
	}
	return append(out, Count{1800, 3})
}

func cross(t *testing.T, name string) *boards.Board {
	t.Helper()
	file, ok := boards.Shipped(name)
	if !ok {
		t.Fatal("no board")
	}
	b, faults := boards.Read(file, nil, nil)
	if b == nil {
		t.Fatal(faults)
	}
	return b
}

func heatOf(b *boards.Board) *Heat {
	h := &Heat{Board: b, Decimals: 2, Unit: "pieces on average"}
	for place := range b.Places {
		row := make([]float64, len(b.Colours))
		for c := range row {
			row[c] = float64((place*7+c*13)%17) / 17
		}
		h.Values = append(h.Values, row)
	}
	return h
}

// figures are one of every part.
func figures(t *testing.T) map[string]*Figure {
	small := []string{"classic · two rounds · 10 000 games a side · seed 1"}
	return map[string]*Figure{
		"distribution": {Title: "How long games are", Words: []string{"Games take 329 throws on average."}, Small: small, Parts: []Part{
			&Distribution{X: "throws in a game", Series: []Series{{"classic", bell(320, 90), 329.1}}},
		}},
		"overlaid": {Title: "Classic and as we play it", Small: small, Parts: []Part{
			&Distribution{X: "throws in a game", Series: []Series{{"A: classic", bell(320, 90), 329.1}, {"B: as we play it by the sea", bell(350, 110), 360.4}}},
		}},
		"dots": {Title: "What changes", Words: []string{"Games are 31 throws longer, 95 % interval 29 to 33; the first seat's edge does not change, as far as these games can tell, and a sentence this long is wrapped into lines."}, Small: small, Parts: []Part{
			&Dots{Title: "lengths and counts", X: "change, per cent of A", Reference: 0, Words: "no change", Rows: []Row{
				{Name: "throws", Marks: []Mark{{8.8, 9.4, 10.1}}, Note: "+31.3 throws (29.3 to 33.2)", Band: 1},
				{Name: "decisions", Marks: []Mark{{-2.4, -0.3, 1.1}}, Note: "no difference found", Mute: true, Band: 1.3},
			}},
			&Dots{Title: "wins by seat", X: "wins, per cent of games", Keys: []string{"A", "B"}, Reference: 25, Words: "an even share", Rows: []Row{
				{Name: "yellow", Marks: []Mark{{25.1, 26, 26.9}, {25.2, 26.3, 27}}},
				{Name: "blue", Marks: []Mark{{24.1, 25, 25.9}, {24.2, 25.1, 26}}},
			}},
		}},
		"lines": {Title: "What an option does", Small: small, Parts: []Part{
			&Lines{Title: "throws", X: "count", Y: "throws in a game", Labels: []string{"1", "10", "20", "30"}, At: []float64{1, 10, 20, 30},
				Marks: [][]Mark{{{300, 303, 306}, {310, 314, 318}, {326, 329, 332}, {341, 344, 348}}}},
			&Grid{Title: "throws in a game", X: "count", Y: "pieces", Columns: []string{"1", "10", "20"}, Rows: []string{"2", "4"},
				Values: [][]float64{{101.2, 120.4, 131}, {303, 314, math.NaN()}}, Decimals: 1, Unit: "throws"},
		}},
		"curve": {Title: "A game", Small: small, Parts: []Part{
			&Curve{Title: "Who is going to win", X: "throws", Y: "chance to win, per cent", Keys: []string{"red", "blue"}, At: []float64{0, 1, 1, 5, 9},
				Lines: [][]float64{{50, 60, 48, 70, 100}, {50, 40, 52, 30, 0}}, Dots: []Dot{{2, 0, "m1"}, {4, 1, "t1"}}},
		}},
		"heat": {Title: "Where pieces wait", Small: small, Parts: []Part{heatOf(cross(t, boards.Names()[0]))}},
	}
}

// TestGolden holds every part to its picture in both themes. Look at a picture before you rewrite it.
func TestGolden(t *testing.T) {
	for name, f := range figures(t) {
		for suffix, theme := range map[string]*Theme{"": Light(), ".dark": Dark()} {
			if suffix != "" && name == "heat" {
				continue
			}
			var out bytes.Buffer
			if err := SVG(&out, f, theme); err != nil {
				t.Fatal(name, err)
			}
			path := filepath.Join("testdata", name+suffix+".svg")
			if *update {
				if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out.Bytes(), want) {
				t.Errorf("%s is drawn otherwise; if it should be, go test -update and look at it", path)
			}
			var image bytes.Buffer
			if err := PNG(&image, f, theme); err != nil {
				t.Fatal(name, err)
			}
			if dir := os.Getenv("PICTURES"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, name+suffix+".png"), image.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// drawn draws a figure in both forms and fails where its SVG is no XML.
func drawn(t *testing.T, name string, f *Figure) string {
	t.Helper()
	var svg, image bytes.Buffer
	if err := SVG(&svg, f, Light()); err != nil {
		t.Fatal(name, err)
	}
	for d := xml.NewDecoder(bytes.NewReader(svg.Bytes())); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(name, err)
		}
	}
	if strings.Contains(svg.String(), "NaN") || strings.Contains(svg.String(), "Inf") {
		t.Errorf("%s has numbers that are none", name)
	}
	if err := PNG(&image, f, Light()); err != nil {
		t.Fatal(name, err)
	}
	return svg.String()
}

// TestEveryBoard: a heat figure of a board shows the label of every square, once for each square, and the number of every square in a title.
func TestEveryBoard(t *testing.T) {
	for _, name := range boards.Names() {
		b := cross(t, name)
		text := drawn(t, name, &Figure{Title: name, Parts: []Part{heatOf(b)}})
		labels := map[string]int{}
		for _, g := range b.Scene(nil).Groups("square") {
			labels[g.Item.Label]++
		}
		for label, n := range labels {
			if got := strings.Count(text, ">"+label+"</text>"); got != n {
				t.Errorf("%s: %q stands %d times on the picture, want %d", name, label, got, n)
			}
		}
		for place, p := range b.Places {
			if !p.Zone && !strings.Contains(text, "; "+Number(seq.Total(heatOf(b).Values[place]), 2)+" pieces on average</title>") {
				t.Errorf("%s: the number of %q is missing", name, p.Name)
			}
		}
	}
}

// TestOddData draws figures without data, or with a single number.
func TestOddData(t *testing.T) {
	one := []Mark{{5, 5, 5}}
	for name, part := range map[string]Part{
		"no series":            &Distribution{},
		"no games":             &Distribution{Series: []Series{{Name: "a"}, {Name: "b"}}},
		"one number":           &Distribution{Series: []Series{{"a", []Count{{7, 3}}, 7}, {"b", []Count{{7, 1}}, 7}}},
		"far apart":            &Distribution{Series: []Series{{"a", []Count{{-1 << 40, 1}, {1 << 40, 1}}, 0}}},
		"no rows":              &Dots{Reference: math.NaN()},
		"one mark":             &Dots{Reference: 5, Words: "here", Rows: []Row{{Name: "<a & b>", Marks: one, Note: strings.Repeat("long ", 40)}}},
		"one step":             &Lines{Labels: []string{"1"}, Marks: [][]Mark{one}},
		"no steps":             &Lines{Marks: [][]Mark{nil}},
		"empty grid":           &Grid{},
		"grid without numbers": &Grid{Columns: []string{"1"}, Rows: []string{"2"}, Values: [][]float64{{math.NaN()}}},
		"grid of one":          &Grid{Columns: []string{"1"}, Rows: []string{"2"}, Values: [][]float64{{0}}},
	} {
		drawn(t, name, &Figure{Title: `"<&>" and ` + strings.Repeat("a long title ", 20), Parts: []Part{part}, Small: []string{name}})
	}
	b := cross(t, boards.Names()[0])
	nothing := &Heat{Board: b}
	for range b.Places {
		nothing.Values = append(nothing.Values, make([]float64, len(b.Colours)))
	}
	drawn(t, "nothing happened", &Figure{Parts: []Part{nothing}})
}

// TestInline: a page chooses all colours.
func TestInline(t *testing.T) {
	var out bytes.Buffer
	if err := Inline(&out, figures(t)["overlaid"]); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), `"#`) {
		t.Errorf("a colour has no variable:\n%s", out.String())
	}
	for _, v := range []string{"--paper", "--ink", "--series1", "--series2"} {
		if !strings.Contains(out.String(), "var("+v+")") {
			t.Errorf("%s does not occur", v)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{{0, 0, "0"}, {-0.04, 1, "0.0"}, {-3, 0, "−3"}, {9999, 0, "9999"}, {12345.678, 1, "12 345.7"}, {1234567, 0, "1 234 567"}} {
		if got := Number(c.v, c.decimals); got != c.want {
			t.Errorf("Number(%v, %d) is %q, want %q", c.v, c.decimals, got, c.want)
		}
	}
	for _, c := range []struct {
		low, high float64
		n         int
		want      []float64
		decimals  int
	}{{0, 10, 5, []float64{0, 2, 4, 6, 8, 10}, 0}, {-0.2, 0.31, 5, []float64{-0.2, 0, 0.2}, 1}, {3, 3, 5, []float64{3}, 0}} {
		got, decimals := ticks(c.low, c.high, c.n)
		same := slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })
		if !same || decimals != c.decimals {
			t.Errorf("ticks(%v, %v, %d) are %v with %d decimals, want %v with %d", c.low, c.high, c.n, got, decimals, c.want, c.decimals)
		}
	}
}

// TestBars: every game is in a bar or in the sentence about the rest, and bars begin with multiples of their width.
func TestBars(t *testing.T) {
	d := &Distribution{Series: []Series{{"a", bell(320, 90), 0}}}
	from, step, shares := d.bars()
	total := 0.0
	for _, v := range shares[0] {
		total += v
	}
	if from%step != 0 || len(shares[0]) > 60 || total < 99.5 || total > 100 {
		t.Errorf("from %d by %d, %d bars with %.2f per cent", from, step, len(shares[0]), total)
	}
	if d.tail() == "" {
		t.Error("nothing says that there are longer ones")
	}
}

// TestEvery writes every second label of steps that lie close, not those that happen to fit.
func TestEvery(t *testing.T) {
	var l Lines
	for v := range 40 {
		l.Labels = append(l.Labels, strconv.Itoa(v+5))
	}
	for room, want := range map[float64]int{30: 1, 17: 2, 1: 20} {
		if got := l.every(newPen(Light()), func(i int) float64 { return room * float64(i) }); got != want {
			t.Errorf("with %g points a step: every %d, want %d", room, got, want)
		}
	}
}
