package boards

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rulerun/rulerun/dsl/source"
)

// shipped makes a shipped board that must have no faults, not even warnings.
func shipped(t *testing.T, name string, params map[string]int) *Board {
	t.Helper()
	file, ok := Shipped(name)
	if !ok {
		t.Fatalf("no board %q", name)
	}
	b, diags := Read(file, params, nil)
	if len(diags) > 0 {
		t.Fatal(diags.Error())
	}
	return b
}

// sample makes a board of testdata.
func sample(t *testing.T, name string) *Board {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	b, diags := Read(source.New(name+".yaml", string(text)), nil, nil)
	if len(diags) > 0 {
		t.Fatal(diags.Error())
	}
	return b
}

func (b *Board) colourNames() []string {
	var names []string
	for _, c := range b.Colours {
		names = append(names, c.Name)
	}
	return names
}

func (b *Board) name(place int) string { return b.Places[place].Name }

func (b *Board) landmark(name string) []string {
	var names []string
	for _, l := range b.Landmarks {
		for _, v := range l.Values {
			if l.Name == name {
				names = append(names, b.name(v))
			}
		}
	}
	return names
}

func (b *Board) tagged(tag string) string {
	var names []string
	at := slices.Index(b.Tags, tag)
	for _, p := range b.Places {
		if p.Tags[at] {
			names = append(names, p.Name)
		}
	}
	return strings.Join(names, " ")
}

// walk is the main way of a run.
func (b *Board) walk(r Run) []string {
	var names []string
	for n := 0; ; n = r.Nodes[n].Next[0] {
		names = append(names, b.name(r.Nodes[n].Place))
		if len(r.Nodes[n].Next) == 0 || r.Nodes[n].Next[0] == 0 {
			return names
		}
	}
}

func count(from, to, size int) []string {
	var names []string
	for i := from; ; i = i%size + 1 {
		names = append(names, fmt.Sprint(i))
		if i == to {
			return names
		}
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", what, diff)
	}
}

func TestCross68(t *testing.T) {
	b := shipped(t, "cross68", nil)
	same(t, "name", b.Name, "cross68")
	same(t, "parameters", b.Parameters, []Parameter(nil))
	same(t, "colours", b.colourNames(), []string{"yellow", "blue", "red", "green"})        // BRD-01
	same(t, "starts", b.landmark("start"), []string{"5", "22", "39", "56"})                // BRD-02
	same(t, "safe squares", b.tagged("safe"), "5 12 17 22 29 34 39 46 51 56 63 68")        // BRD-03
	same(t, "places", b.PlaceNames()[:5], []string{"home", "goal", "out", "1", "2"})       // BRD-05
	same(t, "size", len(b.Places), 3+68+4*7)                                               // BRD-01, BRD-04
	same(t, "mouths", b.landmark("mouth"), []string{"68", "17", "34", "51"})               // BRD-04
	same(t, "squares after the mouth", b.landmark("lap"), []string{"1", "18", "35", "52"}) //
	for c, colour := range b.Colours {
		run := b.Track("").Runs[c]
		same(t, "track length", len(run.Nodes), 72) // BRD-04
		from, to := []int{5, 22, 39, 56}[c], []int{68, 17, 34, 51}[c]
		want := count(from, to, 68)
		same(t, "ring part", len(want), 64)
		for k := range 7 {
			want = append(want, fmt.Sprintf("%s-%d", colour.Name, k+1))
		}
		same(t, colour.Name, b.walk(run), append(want, "goal"))
		same(t, "index of the mouth", b.name(run.Nodes[63].Place), fmt.Sprint(to))
		for i, n := range run.Nodes {
			if n.Index != i {
				t.Errorf("node %d of %s has index %d", i, colour.Name, n.Index)
			}
		}
		loop := b.Track("loop").Runs[c].Nodes
		same(t, "loop", len(loop), 68)
		same(t, "loop closes", [][]int{loop[67].Next, loop[0].Prev}, [][]int{{0}, {67}})
		same(t, "loop begins", b.name(loop[0].Place), fmt.Sprint(to%68+1))
	}
}

func TestCrossArms(t *testing.T) {
	for arms := 3; arms <= 6; arms++ {
		b := shipped(t, "cross", map[string]int{"arms": arms})
		size := 17 * arms
		same(t, "colours", b.colourNames(), []string{"yellow", "blue", "red", "green", "orange", "purple"}[:arms])
		same(t, "places", len(b.Places), 3+size+7*arms)
		same(t, "parameters", b.Parameters, []Parameter{{Name: "arms", From: 3, To: 6, Value: arms}})
		var safe []string
		for sector := range arms {
			safe = append(safe, fmt.Sprint(17*sector+5), fmt.Sprint(17*sector+12), fmt.Sprint(17*sector+17))
			same(t, "start", b.landmark("start")[sector], fmt.Sprint(17*sector+5))
			same(t, "mouth", b.landmark("mouth")[sector], fmt.Sprint((17*sector+size-1)%size+1))
			same(t, "length", len(b.Track("race").Runs[sector].Nodes), size-4+8)
		}
		same(t, "safe squares", b.tagged("safe"), strings.Join(safe, " "))
	}
	b := shipped(t, "cross", map[string]int{"arms": 6}) // the sixth colour of BRD-06
	same(t, "sixth colour", []string{b.Colours[5].Name, b.landmark("start")[5], b.landmark("mouth")[5]}, []string{"purple", "90", "85"})
}

func TestX52(t *testing.T) {
	for players := 2; players <= 4; players++ {
		b := shipped(t, "x52", map[string]int{"players": players})
		same(t, "starts", b.landmark("start"), [][]string{{"1", "27"}, {"1", "14", "27"}, {"1", "14", "27", "40"}}[players-2]) // BRD-09
		same(t, "central", b.tagged("central"), "1 14 27 40")                                                                  // BRD-07
		same(t, "near", b.tagged("near"), "2 13 15 26 28 39 41 52")                                                            // BRD-08
		same(t, "round ends", b.tagged("round_end"), "7 8 20 21 33 34 46 47")
		same(t, "triangles", b.tagged("triangle"), "5 10 18 23 31 36 44 49")
		for c := range b.Colours {
			var start int
			if _, err := fmt.Sscan(b.landmark("start")[c], &start); err != nil {
				t.Fatal(err)
			}
			same(t, "track", b.walk(b.Track("").Runs[c]), append(count(start, (start+50)%52+1, 52), "goal")) // BRD-09
		}
	}
}

func TestUr(t *testing.T) {
	b := sample(t, "ur")
	for c, colour := range []string{"yellow", "blue"} {
		want := strings.Fields("home 1 2 3 4 5 6 7 8 9 10 11 12 13 14 off")
		for _, k := range []int{1, 2, 3, 4, 13, 14} {
			want[k] = colour + "-" + want[k]
		}
		same(t, "track", b.walk(b.Track("").Runs[c]), want)
	}
	same(t, "rosettes", b.tagged("rosette"), "yellow-4 yellow-14 blue-4 blue-14 8")
}

func TestSnakes100(t *testing.T) {
	b := sample(t, "snakes100")
	same(t, "length", len(b.Track("").Runs[5].Nodes), 101)
	at := func(name string) string {
		p, _ := b.Place(name)
		if v := b.Attributes[0].Values[p]; v != None {
			return b.name(v)
		}
		return ""
	}
	same(t, "links", []string{at("1"), at("80"), at("98"), at("2"), at("begin")}, []string{"38", "100", "78", "", ""})
}

// TestTangle looks at forks, ends, joins, ways back, runs backwards and squares visited twice.
func TestTangle(t *testing.T) {
	b := sample(t, "tangle")
	var got strings.Builder
	for i, n := range b.Track("race").Runs[0].Nodes {
		fmt.Fprintf(&got, "%d %s index %d next %v prev %v\n", i, b.name(n.Place), n.Index, n.Next, n.Prev)
	}
	same(t, "red's run", got.String(), `0 begin index 0 next [1] prev []
1 north index 1 next [2] prev [0 9]
2 east index 2 next [3] prev [1]
3 south index 3 next [4] prev [2]
4 west index 4 next [5] prev [3]
5 north index 5 next [6 10 11 9] prev [4]
6 m3 index 6 next [7] prev [5]
7 m2 index 7 next [8] prev [6]
8 m1 index 8 next [10 11] prev [7]
9 m1 index 6 next [1] prev [5]
10 finish index 9 next [] prev [8 5]
11 north index 9 next [12] prev [8 5 14]
12 west index 10 next [13] prev [11]
13 south index 11 next [14] prev [12]
14 east index 12 next [11] prev [13]
`)
	same(t, "gate", b.landmark("gate"), []string{"north", "south"})
	same(t, "tags", []string{b.tagged("harbour"), b.tagged("deep"), b.tagged("first_for_red")}, []string{"east south m2", "south", "m1"})
	same(t, "attributes", b.Attributes, []Attribute{
		{"next_isle", []int{None, None, 3, 4, 5, 2, None, None, None}},
		{"ferry", []int{None, None, None, None, 2, None, None, None, None}},
	})
}

func TestParameters(t *testing.T) {
	for name, want := range map[string][]Parameter{
		"cross":   {{"arms", 3, 6, 4}},
		"cross68": nil,
		"x52":     {{"players", 2, 4, 2}},
	} {
		file, _ := Shipped(name)
		got, diags := Parameters(file, nil)
		if len(diags) > 0 {
			t.Error(diags)
		}
		same(t, name, got, want)
	}
	same(t, "names", Names(), []string{"cross", "cross68", "x52"})
}

// TestMake: a board made without warnings is the one that is read.
func TestMake(t *testing.T) {
	for _, name := range Names() {
		file, _ := Shipped(name)
		known, _ := Parameters(file, nil)
		most := map[string]int{}
		for _, p := range known {
			most[p.Name] = p.To
		}
		for _, params := range []map[string]int{nil, most} {
			made, faults := Make(file, params, nil)
			if !reflect.DeepEqual(made, shipped(t, name, params)) || len(faults) > 0 {
				t.Errorf("%s with %v: another board, %v", name, params, faults)
			}
		}
	}
	file, _ := Shipped("cross")
	if b, faults := Make(file, map[string]int{"arms": 7}, nil); b != nil || !faults.HasErrors() {
		t.Error("made a board with a parameter out of range")
	}
}

func TestBadParameters(t *testing.T) {
	file, _ := Shipped("cross")
	b, diags := Read(file, map[string]int{"arms": 7, "amrs": 4}, nil)
	if b != nil {
		t.Error("got a board")
	}
	same(t, "faults", diags.Error(), `boards/cross.yaml:2:8: error: arms = 7 is out of range, want 3..6
boards/cross.yaml:2:8: error: board "cross" has no parameter "amrs"; did you mean "arms"?`)
}
func BenchmarkRead(b *testing.B) {
	file, _ := Shipped("cross68")
	for range b.N {
		if board, diags := Read(file, nil, nil); board == nil {
			b.Fatal(diags)
		}
	}
}
