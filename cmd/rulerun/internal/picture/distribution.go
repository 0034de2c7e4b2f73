package picture

import (
	"fmt"
	"math"
	"slices"

	"github.com/rulerun/rulerun/boards/scene"
	"github.com/rulerun/rulerun/dsl/seq"
)

// Count is a number and how often it occurred.
type Count struct {
	Value int
	N     uint64
}

// Series are the numbers of one rule book.
type Series struct {
	Name   string
	Counts []Count // ascending
	Mean   float64
}

func (s *Series) games() uint64 { return seq.Sum(s.Counts, func(c Count) uint64 { return c.N }) }

// Distribution is a histogram: of one series with bars, of several with overlaid outlines. A bar is a share of the games.
type Distribution struct {
	Title  string
	X      string // what is counted: "throws in a game"
	Series []Series
}

const plotHigh = 210

// shown is the share of a series that is drawn. The last 0.5 % may be far out: a sentence reports them.
const shown = 0.995

// reach is the smallest number and the one up to which bars are drawn.
func (d *Distribution) reach() (low, high, largest int) {
	low, high, largest = math.MaxInt, math.MinInt, math.MinInt
	for _, s := range d.Series {
		n, seen := s.games(), uint64(0)
		for _, c := range s.Counts {
			if c.N == 0 {
				continue
			}
			low, largest = min(low, c.Value), max(largest, c.Value)
			if float64(seen) < shown*float64(n) {
				high = max(high, c.Value)
			}
			seen += c.N
		}
	}
	if low > largest { // nothing is counted
		return 0, 0, 0
	}
	return low, high, largest
}

// mostBars is the largest number of bars. It is the Rice rule, twice the cube root of the number of games, with bounds: many
// bars of few games would be rough.
func (d *Distribution) mostBars() int {
	fewest := math.Inf(1)
	for _, s := range d.Series {
		fewest = min(fewest, float64(s.games()))
	}
	return int(max(12, min(60, 2*math.Cbrt(fewest))))
}

// step is how many numbers a bar takes; each begins with a multiple of it.
func (d *Distribution) step() int {
	low, high, _ := d.reach()
	most := d.mostBars()
	for unit := 1; ; unit *= 10 {
		for _, k := range []int{1, 2, 5} {
			if (high-low)/(unit*k) < most || unit > math.MaxInt32 {
				return unit * k
			}
		}
	}
}

// fewestBars is the least number of bars there is room for: the bar of a single number does not fill the figure.
const fewestBars = 9

// bars are the shares of games in bars of one width, the first beginning at from, in per cent.
func (d *Distribution) bars() (from, step int, shares [][]float64) {
	low, high, _ := d.reach()
	step = d.step()
	from = int(math.Floor(float64(low)/float64(step))) * step
	n := (high-from)/step + 1
	if room := fewestBars - n; room > 0 {
		left := room / 2
		if low >= 0 {
			left = min(left, from/step)
		}
		from, n = from-left*step, n+room
	}
	for _, s := range d.Series {
		row := make([]float64, n)
		total := 0.0
		for _, c := range s.Counts {
			total += float64(c.N)
			if i := (c.Value - from) / step; i < n {
				row[i] += float64(c.N)
			}
		}
		for i := range row {
			row[i] *= 100 / max(total, 1)
		}
		shares = append(shares, row)
	}
	return from, step, shares
}

// tail describes what is not drawn.
func (d *Distribution) tail() string {
	_, _, largest := d.reach()
	from, step, shares := d.bars()
	if len(shares) == 0 || largest < from+step*len(shares[0]) {
		return ""
	}
	return fmt.Sprintf("Beyond what is shown: the last 0.5 %% of games, up to %s.", Number(float64(largest), 0))
}

func (d *Distribution) draw(p *pen, x, y, width float64) float64 {
	above := y
	y += p.heading(d.Title, x, y)
	y += p.keys(seq.Map(d.Series, func(s Series) string { return s.Name }), x, y, width)
	top := y + 16
	bottom := top + plotHigh
	height := bottom + 38 - above
	from, step, shares := d.bars()
	if len(shares) == 0 {
		return height
	}
	n, highest := len(shares[0]), seq.Most(shares, slices.Max[[]float64])
	// A bar for a single number is centered on it.
	shift := 0.0
	if step == 1 {
		shift = 0.5
	}
	across := scale{float64(from) - shift, float64(from+n*step) - shift, x + 52, x + width - 8}
	up := scale{0, max(highest*1.06, 0.001), bottom, top}
	p.beside(up, across.from, across.to, "games, per cent")
	p.below(across, bottom, bottom, d.X)
	var outlines [][]scene.Point
	for i, row := range shares {
		c := p.theme.series(i)
		outline := []scene.Point{scene.Pt(across.from, bottom)}
		for k, v := range row {
			left, right := across.at(float64(from+k*step)-shift), across.at(float64(from+(k+1)*step)-shift)
			if len(shares) == 1 {
				gap := min(1, (right-left)*0.12)
				if v > 0 {
					p.box(left+gap/2, up.at(v), right-left-gap, bottom-up.at(v), c.Faint(0.75))
				}
				continue
			}
			outline = append(outline, scene.Pt(left, up.at(v)), scene.Pt(right, up.at(v)))
		}
		if len(shares) > 1 {
			outline = append(outline, scene.Pt(across.to, bottom))
			p.fill(c.Faint(0.2), outline...)
			outlines = append(outlines, outline)
		}
	}
	for i, outline := range outlines {
		p.lines(p.theme.series(i), 1.5, outline...)
	}
	p.line(across.from, bottom, across.to, bottom, 1, p.theme.Soft)
	d.means(p, across, top, bottom)
	if t := d.tail(); t != "" {
		p.text(across.from, bottom+48, sizeSmall, plain, start, p.theme.Soft, t)
		height += 14
	}
	return height
}

// means marks the mean of each series; words that would stand on each other go to different sides of their lines.
func (d *Distribution) means(p *pen, across scale, top, bottom float64) {
	for i, s := range d.Series {
		at := max(across.from, min(across.to, across.at(s.Mean)))
		c := p.theme.series(i)
		p.line(at, top-4, at, bottom, 1.4, c, 5, 3)
		words := "mean " + Number(s.Mean, 1)
		side, a := at+5, start
		lower := len(d.Series) > 1 && (s.Mean < d.Series[1-min(i, 1)].Mean || i == 0 && s.Mean == d.Series[1].Mean)
		if lower || at+5+p.width(words, sizeText, bold) > across.to {
			side, a = at-5, end
		}
		p.text(side, top+float64(i/2)*14+4, sizeText, bold, a, c, words)
	}
}
