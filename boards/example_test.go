package boards_test

import (
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/rulerun/rulerun/boards"
	"github.com/rulerun/rulerun/dsl/source"
)

// pond is a ring of eight squares, which two colours go around.
const pond = `board: pond
title: Once round the pond
colours: [red, blue]
zones: [nest, shore]
squares:
  ring:
    for: {i: 1..8}
    name: string(i)
    tags: {reed: i % 4 == 0}
    draw: {x: "i <= 4 ? i : 9 - i", y: "i <= 4 ? 0 : 1"}
landmarks:
  start: ring[4 * c.seat + 1]
tracks:
  race: [{ring: {from: start, around: once}}, shore]
drawing:
  marks: {reed: star}
`

func read() *boards.Board {
	b, faults := boards.Read(source.New("pond.yaml", pond), nil, nil)
	if b == nil {
		log.Fatal(faults)
	}
	return b
}

func ExampleRead() {
	b := read()
	fmt.Println(b.Title, "has the places", b.PlaceWords())
	for c, run := range b.Tracks[0].Runs {
		first := run.Nodes[0].Place
		fmt.Println(b.Colours[c].Name, "begins on", b.Places[first].Name)
	}
	// Output:
	// Once round the pond has the places nest, shore, 1 to 8
	// red begins on 1
	// blue begins on 5
}

// A file with parameters is many boards.
func ExampleRead_parameters() {
	file, _ := boards.Shipped("cross")
	for _, arms := range []int{3, 6} {
		b, _ := boards.Read(file, map[string]int{"arms": arms}, nil)
		fmt.Println(arms, "arms:", len(b.Colours), "colours,", len(b.Places), "places")
	}
	// Output:
	// 3 arms: 3 colours, 75 places
	// 6 arms: 6 colours, 147 places
}

func ExampleText() {
	b := read()
	two, _ := b.Place("2")
	pieces := []boards.Standing{{Place: two, Colour: b.Colour("red")}, {Place: two, Colour: b.Colour("blue")}}
	if err := boards.Text(os.Stdout, b, pieces, boards.TextOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// ┌───┬───┬───┬───┐
	// │ 1 │RB │ 3 │★4 │
	// ├───┼───┼───┼───┤
	// │★8 │ 7 │ 6 │ 5 │
	// └───┴───┴───┴───┘
	// R red  B blue  ★ reed
}

// The parts of a drawing can be found by class, and changed before it is rendered.
func ExampleBoard_Scene() {
	b := read()
	five, _ := b.Place("5")
	s := b.Scene([]boards.Standing{{Place: five, Colour: b.Colour("blue")}})
	for _, class := range []string{"tag-reed", "landmark-start", "track-race", "piece"} {
		for _, g := range s.Groups(class) {
			fmt.Println(g.ID, g.Classes)
		}
	}
	fmt.Println(s.Groups("landmark-start")[1].Title)
	fmt.Println(s.Groups("piece")[0].Title)
	// Output:
	// square-4 [square family-ring tag-reed]
	// square-8 [square family-ring tag-reed]
	// square-1 [square family-ring landmark-start]
	// square-5 [square family-ring landmark-start]
	// track-race-red [track track-race colour-red]
	// track-race-blue [track track-race colour-blue]
	// piece-1 [piece colour-blue]
	// 5: ring, start of blue
	// blue on 5
}

// Layout fits a board into the room there is.
func ExampleBoard_Layout() {
	b := read()
	two, _ := b.Place("2")
	c := b.Layout(20, 5)
	signs := []boards.Sign{{Place: two, Owner: boards.None, Mark: "▶", Text: "1", Focus: true}}
	for _, line := range c.Draw(b, nil, signs, false) {
		fmt.Println(strings.TrimRight(line, " "))
	}
	// Output:
	// 1  ▶1   3  ★4
	//
	//   ★8   7   6   5
}
