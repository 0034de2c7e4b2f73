package picture

import (
	"bytes"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/rulerun/rulerun/boards"
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
				{Name: "throws", Marks: []Mark{{8.8, 9.4, 10.1}}, Note: "+31.3 throws (29.3 to 33.2)"},
				{Name: "decisions", Marks: []Mark{{-2.4, -0.3, 1.1}}, Note: "no difference found", Mute: true},
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
